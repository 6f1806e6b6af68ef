// The grammar of rules: every form, and every way to get one wrong.
import { describe, expect, test } from 'vitest';
import type { Effect } from '../../../src/model/configuration.ts';
import type { ArgumentRole } from '../../../src/model/facts.ts';
import type { Problem } from '../../../src/model/problem.ts';
import type { Rule } from '../../../src/model/rule.ts';
import { describe as inWords } from '../../../src/rules/describe.ts';
import { type ParseContext, parseRule, parseRules } from '../../../src/rules/parse.ts';
import { oldNames, toolNames } from '../../../src/rules/toolnames.ts';

const roles = new Map<string, ReadonlyMap<string, ArgumentRole>>([
  [
    'mcp__modagent__junior-r',
    new Map<string, ArgumentRole>([
      ['bash_cmd', 'command'],
      ['filepaths', 'read'],
    ]),
  ],
  ['mcp__fs__write_file', new Map<string, ArgumentRole>([['path', 'write']])],
]);
const context: ParseContext = { home: '/home/ann', arguments: roles };

function parse(text: string, effect: Effect = 'deny') {
  return parseRule({ text, effect, layer: 'project', source: { file: 'settings.json', line: 9, column: 7 } }, 'r0', context);
}

function rule(text: string, effect: Effect = 'deny'): Rule {
  const parsed = parse(text, effect);
  if ('problem' in parsed) throw new Error(`${text}: ${parsed.problem.message}`);
  return parsed.rule;
}

function problem(text: string, effect: Effect = 'deny'): Problem {
  const parsed = parse(text, effect);
  if ('rule' in parsed) throw new Error(`${text} was understood as ${inWords(parsed.rule)}`);
  return parsed.problem;
}

describe('the subject of a rule', () => {
  test.each<[string, Effect, string]>([
    ['Grep', 'deny', 'denies the tool Grep'],
    ['  Grep  ', 'deny', 'denies the tool Grep'],
    ['Grep(*)', 'ask', 'asks for the tool Grep'],
    ['Read', 'deny', 'denies reading any path'],
    ['Read', 'allow', 'allows the tool Read'],
    ['Write(*)', 'deny', 'denies writing any path'],
    ['Edit', 'ask', 'asks for writing any path'],
    ['Edit', 'allow', 'allows the tool Edit'],
    ['NotebookEdit', 'deny', 'denies the tool NotebookEdit'],
    ['Bash', 'deny', 'denies running any command'],
    ['Bash(*)', 'allow', 'allows the tool Bash'],
    ['@edit', 'deny', 'denies writing any path'],
    ['@read', 'ask', 'asks for reading any path'],
    ['@command', 'deny', 'denies running any command'],
    ['@edit', 'allow', 'allows every tool of the group @edit'],
    ['@web', 'deny', 'denies every tool of the group @web'],
    ['@mcp(*)', 'deny', 'denies every tool of the group @mcp'],
    ['mcp__github', 'allow', 'allows every tool of mcp__github'],
    ['mcp__github__*', 'allow', 'allows every tool of mcp__github'],
    ['mcp__my-server__do-it', 'deny', 'denies the tool mcp__my-server__do-it'],
    ['mcp__plugin_modes_modes__status', 'deny', 'denies the tool mcp__plugin_modes_modes__status'],
    ['mcp__github__get_*', 'allow', 'allows every tool called mcp__github__get_*'],
    ['mcp__*', 'deny', 'denies every tool called mcp__*'],
    ['*', 'ask', 'asks for every tool called *'],
    ['Task*', 'deny', 'denies every tool called Task*'],
    ['Read(.env)', 'deny', 'denies reading .env'],
    ['Write(src/**)', 'deny', 'denies writing src/**'],
    ['Edit({a,b}.ts)', 'deny', 'denies writing a.ts or b.ts or \\{a,b\\}.ts'],
    ['MultiEdit(src/**)', 'deny', 'denies writing src/**'],
    ['NotebookEdit(*.ipynb)', 'deny', 'denies writing *.ipynb'],
    ['Write(app/(group)/**)', 'deny', 'denies writing app/(group)/**'],
    ['Bash(npm test)', 'allow', 'allows running npm test'],
    ['Bash(npm test:*)', 'allow', 'allows running npm test with any arguments'],
    ['Bash(npm test *)', 'allow', 'allows running npm test with any arguments'],
    ['Bash(npm  test)', 'allow', 'allows running npm test'],
    ['Bash(npm test*)', 'allow', 'allows running npm test*'],
    ['Bash(git * main)', 'deny', 'denies running git * main'],
    ['Bash(git * main *)', 'deny', 'denies running git * main with any further arguments'],
    ['Bash(timeout:*)', 'deny', 'denies running timeout with any arguments'],
    ['Bash(find . -exec ls {} \\;)', 'deny', "denies running find . -exec ls {} ';'"],
    ['Bash(grep "a && b" x)', 'deny', "denies running grep 'a && b' x"],
    ['Monitor(tail -f *)', 'deny', 'denies running tail -f with any arguments'],
    ['Monitor', 'deny', 'denies the tool Monitor'],
    ['Bash(@read-only)', 'allow', 'allows commands that only read'],
    ['Bash(@network)', 'deny', 'denies commands that use the network'],
    ['Bash(@secrets)', 'ask', 'asks for commands that print credentials'],
    ['Bash(@environment)', 'ask', 'asks for commands that print an environment'],
    ['WebFetch', 'deny', 'denies the tool WebFetch'],
    ['WebFetch(domain:GitHub.com.)', 'deny', 'denies reaching github.com'],
    ['WebFetch(domain:*.github.com)', 'deny', 'denies reaching hosts under github.com'],
    ['WebFetch(domain:*)', 'deny', 'denies reaching any host'],
    ['WebFetch(domain:münchen.de)', 'deny', 'denies reaching xn--mnchen-3ya.de'],
    ['WebFetch(domain:127.1)', 'deny', 'denies reaching 127.0.0.1'],
    ['Agent(Explore)', 'allow', 'allows starting the agent Explore'],
    ['Agent(plugin:reviewer)', 'deny', 'denies starting the agent plugin:reviewer'],
    ['Agent(model:opus)', 'deny', 'denies Agent with model opus'],
    ['Bash(run_in_background:true)', 'ask', 'asks for Bash with run_in_background true'],
    ['CronCreate(durable: *)', 'deny', 'denies CronCreate with durable *'],
    ['Skill(commit)', 'allow', 'allows the skill commit'],
    ['Skill(plugin:commit *)', 'allow', 'allows the skill plugin:commit'],
    ['Skill(commit:*)', 'deny', 'denies the skill commit*'],
    [
      'mcp__modagent__junior-r(bash_cmd: npm test:*)',
      'allow',
      'allows running npm test with any arguments by mcp__modagent__junior-r',
    ],
    ['mcp__modagent__junior-r(filepaths: .env)', 'deny', 'denies reading .env by mcp__modagent__junior-r'],
    ['mcp__fs__write_file(path: src/**)', 'allow', 'allows writing src/** by mcp__fs__write_file'],
    ['mcp__db__query(sql: *drop*)', 'deny', 'denies mcp__db__query with sql *drop*'],
    ['mcp__fs__write_file(*)', 'deny', 'denies the tool mcp__fs__write_file'],
  ])('%s in %s %s', (text, effect, words) => {
    expect(inWords(rule(text, effect))).toBe(words);
  });

  test('every built-in tool may be named alone in every list', () => {
    for (const name of toolNames)
      for (const effect of ['allow', 'ask', 'deny'] as const) expect(rule(name, effect)).toMatchObject({ effect, text: name });
  });
});

describe('quotes in a command', () => {
  const spelled = (text: string, effect: Effect): unknown => {
    const found = rule(`Bash(${text})`, effect);
    return found.kind === 'bash' && found.commands.map((one) => (one.form === 'glob' ? one.pieces.join('*') : one.text));
  };

  test.each<[string, string[]]>([
    ['npm test', ['npm test']],
    ['git commit -m "fix it"', ["git commit -m 'fix it'", 'git commit -m fix it']],
    ['git commit -m "fix"', ['git commit -m fix']],
    ['git commit -m "*"', ["git commit -m '*'", 'git commit -m *']],
    ["echo 'a  b' c", ["echo 'a  b' c", 'echo a  b c', 'echo a b c']],
    ["echo it\\'s", ["echo 'it'\\''s'", "echo it's", 'echo its']],
    ['echo "$HOME/x y"', ['echo "$HOME/x y"', 'echo $HOME/x y']],
    ["echo 'open", ["echo 'open", 'echo open']],
    ['rm \\*', ["rm '*'", 'rm *']],
  ])('%s is spelled as the analyser does, in deny also bare', (text, expected) => {
    expect(spelled(text, 'deny')).toEqual(expected);
    expect(spelled(text, 'allow')).toEqual(expected.slice(0, 1));
  });
});

describe('older names', () => {
  test.each([...oldNames])('%s is read as %s, with a warning', (old, today) => {
    const parsed = parse(old);
    expect(parsed).toMatchObject({
      warnings: [{ severity: 'warning', code: 'W_RULE_OLD_NAME', remedy: `Write ${today}.`, column: 8, length: old.length }],
    });
    const { id: _, text: __, ...known } = rule(old);
    const { id: ___, text: ____, ...meant } = rule(today);
    expect(known).toEqual(meant);
  });

  test.each(['Task(Explore)', 'SlashCommand(/commit)', 'LS(src/**)'])('%s is accepted', (text) => {
    expect(parse(text)).toHaveProperty('rule');
  });

  test('a removed name is accepted with a warning that it matches nothing', () => {
    expect(parse('TodoRead')).toMatchObject({ warnings: [{ code: 'W_RULE_GONE_NAME' }] });
  });

  test.each([
    ['WebFetch(https://api.example.net:8443/v1?x=1)', 'Write WebFetch(domain:api.example.net).'],
    ['WebFetch(example.net)', 'Write WebFetch(domain:example.net).'],
    ['WebFetch(domain:example.net/path)', 'Write only the host, without scheme, port and path: example.net.'],
    ['WebFetch(domain:example.net:8080)', 'Write only the host, without scheme, port and path: example.net.'],
    ['WebFetch(domain:*.example.net:8080)', 'Write only the host, without scheme, port and path: *.example.net.'],
    ['WebFetch(domain:https://example.net/*)', 'A * matches only whole labels at the beginning: *.example.org.'],
    ['WebFetch(domain: a b)', 'Write only the host, without scheme, port and path: example.org.'],
    ['Skill(commit, deploy)', 'Write Skill(commit).'],
    ['TaskList(open)', 'Write TaskList alone.'],
  ])('%s is refused with the form that works', (text, remedy) => {
    expect(parse(text)).toMatchObject({ problem: { remedy } });
  });

  test('a parameter that the tool does not have is accepted; the checks of a configuration report it', () => {
    expect(parse('CronCreate(durabel:true)')).toMatchObject({
      rule: { kind: 'param', param: 'durabel' },
      warnings: [],
    });
    expect(parse('CronCreate(durable:true)')).toMatchObject({ warnings: [] });
    // What is no parameter is what the tool else takes there.
    expect(parse('Agent(plugin:reviewer)')).toMatchObject({ rule: { kind: 'agent' }, warnings: [] });
  });

  test.each([
    ['mcp__do.t', { kind: 'server', server: 'mcp__do_t' }],
    ['mcp__do.t__*', { kind: 'server', server: 'mcp__do_t' }],
    ['mcp__db__query.all', { kind: 'tool', name: 'mcp__db__query_all' }],
    ['mcp__do.t__query(sql: drop)', { kind: 'param', tool: 'mcp__do_t__query' }],
  ])('%s is read as the client writes it [s:name.dot]', (text, rule) => {
    expect(parse(text, 'deny')).toMatchObject({ rule, warnings: [{ code: 'W_RULE_READ_AS' }] });
  });

  test('path rules that the client ignores are read as Read, in allow for that tool alone [s:read.narrow]', () => {
    expect(parse('Grep(src/**)', 'allow')).toMatchObject({
      rule: { kind: 'read', only: 'Grep' },
      warnings: [{ code: 'W_RULE_READ_AS' }],
    });
    expect(parse('Glob(src/**)', 'deny')).toMatchObject({ rule: { kind: 'read', only: null } });
  });
});

describe('refused rules', () => {
  test.each<[string, Effect, string, number, string]>([
    ['', 'deny', 'E_RULE_FORM', 8, ''],
    ['Read(', 'deny', 'E_RULE_FORM', 12, ''],
    ['Read)', 'deny', 'E_RULE_FORM', 12, ''],
    ['Read()', 'deny', 'E_RULE_FORM', 12, 'Read alone'],
    ['Bash(  )', 'deny', 'E_RULE_FORM', 12, 'Bash alone'],
    ['Read(a) x', 'deny', 'E_RULE_FORM', 12, ''],
    ['Read (a)', 'deny', 'E_RULE_FORM', 8, ''],
    ['(a)', 'deny', 'E_RULE_FORM', 8, ''],
    ['!Read(a)', 'allow', 'E_RULE_NEGATED', 8, ''],
    ['Read(!a)', 'deny', 'E_RULE_PATH', 13, ''],
    ['Read(a !b)', 'allow', 'E_RULE_PATH', 15, 'narrower pattern'],
    ['Read(a !)', 'deny', 'E_RULE_PATH', 16, ''],
    ['Read(a !b  !{c)', 'deny', 'E_RULE_PATH', 20, ''],
    ['Write(src/{a,b)', 'deny', 'E_RULE_PATH', 18, ''],
    ['Write(src/[ab)', 'deny', 'E_RULE_PATH', 14, ''],
    ['Write( src/**)', 'deny', 'E_RULE_PATH', 14, ''],
    ['Wriet(src/**)', 'deny', 'E_RULE_UNKNOWN_TOOL', 8, 'Did you mean Write?'],
    ['read(src/**)', 'deny', 'E_RULE_UNKNOWN_TOOL', 8, 'Did you mean Read?'],
    ['Frobnicate', 'deny', 'E_RULE_UNKNOWN_TOOL', 8, 'mcp__server__tool'],
    ['Cd(/tmp)', 'deny', 'E_RULE_UNKNOWN_TOOL', 8, 'settings.json'],
    ['Wrt*', 'deny', 'E_RULE_UNKNOWN_TOOL', 8, 'Did you mean Write?'],
    ['*', 'allow', 'E_RULE_ALLOW_GLOB', 8, 'mcp__server__get_*'],
    ['Web*', 'allow', 'E_RULE_ALLOW_GLOB', 8, ''],
    ['mcp__*', 'allow', 'E_RULE_ALLOW_GLOB', 8, ''],
    ['mcp__git*', 'allow', 'E_RULE_ALLOW_GLOB', 8, ''],
    ['mcp__*__get', 'allow', 'E_RULE_ALLOW_GLOB', 8, ''],
    ['mcp__', 'deny', 'E_RULE_FORM', 8, ''],
    ['mcp__a b', 'deny', 'E_RULE_FORM', 8, ''],
    ['Web*(x)', 'deny', 'E_RULE_GLOB_SPECIFIER', 13, ''],
    ['@raed', 'deny', 'E_RULE_UNKNOWN_GROUP', 8, 'Did you mean @read?'],
    ['@runs', 'deny', 'E_RULE_UNKNOWN_GROUP', 8, 'Bash(@runs)'],
    ['@edit(src/**)', 'deny', 'E_RULE_GROUP_SPECIFIER', 14, 'Write(src/**)'],
    ['Bash(@readonly)', 'deny', 'E_RULE_UNKNOWN_CLASS', 13, 'Did you mean @read-only?'],
    ['Bash(cd x && npm test)', 'deny', 'E_RULE_COMMAND', 18, ''],
    ['Bash(curl * | sh)', 'deny', 'E_RULE_COMMAND', 20, ''],
    ['Bash(npm test > out)', 'deny', 'E_RULE_COMMAND', 22, 'Write('],
    ['Bash(npm test 2>&1)', 'allow', 'E_RULE_COMMAND', 22, ''],
    ['Bash(sleep 9 &)', 'deny', 'E_RULE_COMMAND', 21, ''],
    ['Bash(a\nb)', 'deny', 'E_RULE_COMMAND', 14, ''],
    ['Bash(:*)', 'deny', 'E_RULE_COMMAND', 13, 'Bash alone'],
    ['Bash(@secrets)', 'allow', 'E_RULE_SPECIFIER', 13, 'Bash(gh auth token)'],
    ['Bash(@environment)', 'allow', 'E_RULE_SPECIFIER', 13, 'Bash(printenv NODE_ENV)'],
    ['Bash(@secret)', 'deny', 'E_RULE_UNKNOWN_CLASS', 13, 'Did you mean @secrets?'],
    ['Write(@scratch)', 'deny', 'E_RULE_SPECIFIER', 14, 'Write(//tmp/**)'],
    ['Read(@scratch)', 'ask', 'E_RULE_SPECIFIER', 13, 'into allow'],
    ['Grep(@scratch)', 'allow', 'E_RULE_SPECIFIER', 13, 'Read(@scratch)'],
    ['PowerShell(rm *)', 'deny', 'E_RULE_SPECIFIER', 19, 'PowerShell alone'],
    ['WebFetch(example.org)', 'deny', 'E_RULE_SPECIFIER', 17, 'domain:'],
    ['WebFetch(domain:)', 'deny', 'E_RULE_DOMAIN', 24, ''],
    ['WebFetch(domain:https://x.org)', 'deny', 'E_RULE_DOMAIN', 24, ''],
    ['WebFetch(domain:x.org:8080)', 'deny', 'E_RULE_DOMAIN', 24, ''],
    ['WebFetch(domain:*x.org)', 'deny', 'E_RULE_DOMAIN', 24, '*.example.org'],
    ['WebFetch(domain:a..b)', 'deny', 'E_RULE_DOMAIN', 24, ''],
    ['WebFetch(domain:x%2eorg)', 'deny', 'E_RULE_DOMAIN', 24, ''],
    ['WebSearch(cats)', 'deny', 'E_RULE_SPECIFIER', 18, ''],
    ['WebFetch(url:https://x)', 'deny', 'E_RULE_PARAM_CONTENT', 17, 'WebFetch(domain:…)'],
    ['Bash(command:rm *)', 'deny', 'E_RULE_PARAM_CONTENT', 13, ''],
    ['Write(content:*password*)', 'deny', 'E_RULE_PARAM_CONTENT', 14, 'input.tool.input.content'],
    ['Edit(new_string: x)', 'ask', 'E_RULE_PARAM_CONTENT', 13, 'input.tool.input.new_string'],
    ['Grep(glob:*.env)', 'deny', 'E_RULE_PARAM_CONTENT', 13, ''],
    ['Agent(model:)', 'deny', 'E_RULE_PARAM_VALUE', 14, ''],
    ['Agent(model:opus)', 'allow', 'E_RULE_PARAM_ALLOW', 14, 'Agent'],
    ['mcp__db__query(sql: *)', 'allow', 'E_RULE_PARAM_ALLOW', 23, 'arguments:'],
    ['mcp__db__query(sql)', 'deny', 'E_RULE_SPECIFIER', 23, ''],
    ['Skill(commit -m x)', 'deny', 'E_RULE_SPECIFIER', 14, 'Skill(commit)'],
    ['Skill(:*)', 'deny', 'E_RULE_SPECIFIER', 14, ''],
    [`Write(${'?'.repeat(33)})`, 'deny', 'E_RULE_PATH', 14, ''],
    [`Write(${'a'.repeat(1_001)})`, 'deny', 'E_RULE_PATH', 14, ''],
    [`Bash(${'a*'.repeat(33)})`, 'deny', 'E_RULE_COMMAND', 13, ''],
    [`Bash(${'a'.repeat(1_001)})`, 'deny', 'E_RULE_COMMAND', 13, ''],
    [`Agent(${'a*'.repeat(33)})`, 'deny', 'E_RULE_FORM', 8, ''],
    [`Write({${'a,'.repeat(10_000)}b})`, 'deny', 'E_RULE_FORM', 20_008, ''],
  ])('%j in %s: %s at column %i [s:rules.understood]', (text, effect, code, column, remedy) => {
    const found = problem(text, effect);
    expect([found.severity, found.code, found.line, found.column]).toEqual(['error', code, 9, column]);
    expect(found.message).not.toBe('');
    expect(found.remedy).toContain(remedy);
    expect(found.length).toBeGreaterThan(0);
  });

  test('a doubtful command pattern is accepted with a warning', () => {
    expect(parse('Bash(docker run image:* sh)')).toMatchObject({
      rule: { commands: [{ form: 'glob' }] },
      warnings: [{ code: 'W_RULE_COMMAND', column: 29 }],
    });
  });

  test('a command that is written as a regular expression gets a warning', () => {
    expect(parse('Bash(^git push.*)')).toMatchObject({
      warnings: [{ code: 'W_RULE_COMMAND', column: 13, remedy: expect.stringContaining('* matches any text') }],
    });
  });
});

describe('a command that looks like a regular expression', () => {
  test.each([
    ['Bash(npm test$)', 'npm test'.length, '$ is part of the command'],
    ['Bash(npm.*)', 3, '.* is part of the command'],
    ['Bash(npm test.*)', 8, '.* is part of the command'],
    ['Bash(npm run build.*)', 13, '.* is part of the command'],
    ['Bash(git log \\d+)', 8, '\\d+ is part of the command'],
    ['Bash([a-z]+ x)', 0, '[a-z]+ is part of the command'],
    ['Bash(regex:git push)', 0, 'regex: is part of the command'],
    ['Bash(/^git push/)', 0, '/^git push/ is part of the command'],
    ['Bash(git {push,pull}:*)', 4, '{push,pull} is part of the command'],
    ['Bash(!git status)', 0, '! is part of the command'],
    ['Bash(git:push)', 3, 'the : is part of the command'],
    ['Bash(git push: *)', 8, 'the : is part of the command'],
    ['Bash(git push,git pull:*)', 8, ', is part of the command'],
    ['Bash(git push)Bash(ls)', 8, ')Bash( is part of the command'],
    ['Bash(npm:run:*)', 3, 'the : is part of the command'],
  ])('%s', (text, at, message) => {
    expect(parse(text)).toMatchObject({
      warnings: [{ code: 'W_RULE_COMMAND', column: 13 + at, message: expect.stringContaining(message) }],
    });
  });

  test.each([
    'Bash(cat test.*)',
    'Bash(rm *.log)',
    'Bash(echo $HOME)',
    "Bash(grep '^a$' x)",
    'Bash(ls .*)',
    'Bash(npm test:*)',
    'Bash(npm test*)',
    'Bash(npm:*)',
    'Bash(/usr/bin/git push)',
    'Bash(rm -rf dist/)',
    'Bash(npm run db:migrate)',
    'Bash(echo a, b)',
  ])('does not: %s', (text) => {
    expect(parse(text)).toMatchObject({ warnings: [] });
  });
});

describe('a list of rules', () => {
  test('ids follow the order of the lists and do not change when a rule is fixed', () => {
    const texts = ['Read', 'Raed', 'Write'].map((text) => ({
      text,
      effect: 'deny' as const,
      layer: 'user' as const,
      source: { file: 'f', line: 1, column: 1 },
    }));
    const { rules, problems } = parseRules(texts, context);
    expect(rules.map(({ id, text }) => [id, text])).toEqual([
      ['r0', 'Read'],
      ['r2', 'Write'],
    ]);
    expect(problems.map(({ code }) => code)).toEqual(['E_RULE_UNKNOWN_TOOL']);
  });

  test('a rule keeps its effect, layer and source', () => {
    expect(rule('Read', 'ask')).toMatchObject({
      id: 'r0',
      effect: 'ask',
      layer: 'project',
      source: { file: 'settings.json', line: 9, column: 7 },
    });
  });
});
