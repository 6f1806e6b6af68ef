// Keys of a mode, as calls are decided by them: a project on a disk, its configuration prepared, real facts and policies.

import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Decision } from '../../../src/model/decision.ts';
import { nobody } from '../../../src/workflow/project.ts';
import { makeWorld, type World } from '../../support/sessions.ts';

type Call = [tool: string, input: Record<string, unknown>];
const bash = (command: string): Call => ['Bash', { command }];
const write = (file: string): Call => ['Write', { file_path: file, content: 'x' }];
const read = (file: string): Call => ['Read', { file_path: file }];

const yaml = (body: string) => `name: t\ndefault: one\nmodes:\n  one:\n${body}  two:\n  three:\n`;

interface Given {
  one: string;
  files?: Record<string, string>;
  trusted?: boolean;
}

async function makeProject({ one, files = {}, trusted = true }: Given): Promise<World> {
  const world = makeWorld();
  world.put('.claude/modes.yaml', yaml(one));
  world.put('src/a.ts', 'a');
  world.put('test/a.test.ts', 'a');
  for (const [name, text] of Object.entries(files)) world.put(name, text);
  if (trusted) await world.trust();
  return world;
}

/** The decision about a call, by the main thread or a subagent. */
async function ask(given: Given, [tool, input]: Call, event: Record<string, unknown> = {}): Promise<Decision> {
  const world = await makeProject(given);
  const project = await world.open();
  const file = input.file_path;
  return project.decideText(
    JSON.stringify({
      hook_event_name: 'PreToolUse',
      session_id: 's',
      cwd: world.root,
      tool_name: tool,
      tool_input: typeof file === 'string' ? { ...input, file_path: path.resolve(world.root, file) } : input,
      ...event,
    }),
  );
}

const settings = (permissions: object) => JSON.stringify({ permissions });

describe('groups', () => {
  const groups =
    '    groups:\n      - read\n      - command\n      - edit:\n          files: "test/**"\n          description: tests only\n';

  test.each<[string, Call, Decision['decision']]>([
    ['a read', read('src/a.ts'), 'pass'],
    ['a write of the files', write('test/b.test.ts'), 'pass'],
    ['a write outside', write('src/a.ts'), 'deny'],
    ['a write at the root', write('test.ts'), 'deny'],
    ['a command that only reads', bash('cat src/a.ts'), 'pass'],
    ['a command that writes the files', bash('echo x > test/b.test.ts'), 'pass'],
    ['a command that writes outside', bash('sed -i s/a/b/ src/a.ts'), 'deny'],
    ['a command that writes both', bash('cp src/a.ts test/ && touch src/b.ts'), 'deny'],
    ['a command that takes the whole folder', bash('rm -rf test'), 'deny'],
    ['a command that creates the folder', bash('mkdir -p test'), 'pass'],
    ['a command that creates another folder', bash('mkdir -p tests'), 'deny'],
    ['a command that moves the folder', bash('mv test lib'), 'deny'],
    ['a command that takes folders of it', bash('rm -rf test/unit'), 'pass'],
    ['a command that takes everything', bash('git restore .'), 'deny'],
    ['a program that may write anywhere', bash('make'), 'ask'],
    ['a tool of an unlisted group', ['WebSearch', { query: 'x' }], 'deny'],
    ['a server, whose group is unlisted', ['mcp__fs__write_file', { path: 'test/a', content: 'x' }], 'deny'],
    ['a subagent, whose group is unlisted', ['Agent', { description: 'd', prompt: 'p' }], 'deny'],
    ['what no group holds', ['ToolSearch', { query: 'x' }], 'pass'],
  ])('%s', async (_, call, decision) => {
    expect((await ask({ one: groups }, call)).decision).toBe(decision);
  });

  test.each<[files: string, command: string, decision: Decision['decision']]>([
    ['["**/{migrations,migrate}/**", "*.sql"]', 'mkdir -p db/migrations', 'pass'],
    ['["**/{migrations,migrate}/**", "*.sql"]', 'mkdir migrate && touch migrate/1.sql', 'pass'],
    ['["**/{migrations,migrate}/**", "*.sql"]', 'mkdir db', 'deny'],
    ['["docs/design/**"]', 'mkdir -p docs/design', 'pass'],
    ['["docs/design/**"]', 'mkdir docs/designs', 'deny'],
    ['["src/*/gen/**"]', 'mkdir -p src/a/gen', 'pass'],
    ['["src/*/gen/**"]', 'mkdir -p src/gen', 'deny'],
    ['["src/*.ts"]', 'mkdir -p src', 'deny'],
    ['["**"]', 'mkdir -p anything', 'pass'],
  ])('the folder of a listed pattern can be created: %s, %s: %s [s:protect.list-folder]', async (files, command, decision) => {
    const one = `    groups: [read, command, {edit: {files: ${files}}}]\n`;
    expect((await ask({ one }, bash(command))).decision).toBe(decision);
  });

  test('the denial names the line, the files and their description', async () => {
    const { reason } = await ask({ one: groups }, bash('sed -i s/a/b/ src/a.ts'));
    expect(reason).toBe(
      'Write outside test/** (.claude/modes.yaml:9, tests only) is denied in one: sed -i would change src/a.ts.',
    );
    const web = await ask({ one: groups }, ['WebSearch', { query: 'x' }]);
    expect(web.reason).toBe(
      '@web (.claude/modes.yaml:5, the groups here do not include web) is denied in one: the call is WebSearch.',
    );
  });

  test('they restrict without trust, and do not allow the listed groups', async () => {
    expect((await ask({ one: groups, trusted: false }, write('src/a.ts'))).decision).toBe('deny');
    expect((await ask({ one: groups }, write('test/b.ts'))).decision).toBe('pass');
  });

  test('an allow does not apply outside the files', async () => {
    const files = { '.claude/settings.one.json': settings({ allow: ['Write(src/**)', 'Write(test/**)'] }) };
    expect((await ask({ one: groups, files }, write('src/a.ts'))).decision).toBe('deny');
    expect((await ask({ one: groups, files }, write('test/b.ts'))).decision).toBe('allow');
  });

  const regex = (text: string) =>
    `    groups: [read, command, web, mcp, agent, [edit, {fileRegex: '${text}', description: prose}]]\n`;

  test.each<[expression: string, file: string, Decision['decision']]>([
    ['\\.md$', 'docs/a.md', 'pass'],
    ['\\.md$', 'docs/a.md.ts', 'deny'],
    ['(?i)readme', 'ReadMe.txt', 'pass'],
    ['^docs/[[:alpha:]]+\\.md\\z', 'docs/a.md', 'pass'],
    ['^docs/[[:alpha:]]+\\.md\\z', 'docs/1.md', 'deny'],
    ['^test/|^spec/', 'contest/a.ts', 'deny'],
  ])('fileRegex %s and %s: %s', async (expression, file, decision) => {
    expect((await ask({ one: regex(expression) }, write(file))).decision).toBe(decision);
  });

  test('a link out of the files is outside', async () => {
    const world = await makeProject({ one: groups });
    const fs = await import('node:fs');
    fs.symlinkSync('../src/a.ts', path.join(world.root, 'test/link.ts'));
    const project = await world.open();
    const event = { session_id: 's', cwd: world.root, tool_name: 'Write' };
    const input = { file_path: path.join(world.root, 'test/link.ts'), content: 'x' };
    expect(project.decideText(JSON.stringify({ ...event, tool_input: input })).decision).toBe('deny');
  });

  test.each(['(?=a)b', '(a)\\1', '(', '[a', 'a\\', '*a', 'a)|(b', 'x{2000}'])('%j is not an expression', async (expression) => {
    const world = await makeProject({ one: regex(expression) });
    const problems = (await world.open()).for(nobody).problems();
    expect(problems).toContainEqual(
      expect.objectContaining({ code: 'E_FILE_REGEX', file: '.claude/modes.yaml', line: 5, length: expression.length }),
    );
    expect((await ask({ one: regex(expression) }, write('docs/a.md'))).decision).toBe('deny');
  });

  test.each(['|', 'a|b', '^$', '\\Qa.b', '(?i)(a|b)+', '\\x{e9}'])('%j is one', async (expression) => {
    const world = await makeProject({ one: regex(expression) });
    expect(
      (await world.open())
        .for(nobody)
        .problems()
        .filter(({ severity }) => severity === 'error'),
    ).toEqual([]);
  });

  test('an invalid pattern is reported at its place', async () => {
    const world = await makeProject({ one: '    groups: [{edit: {files: [ok, "a/{b"]}}]\n' });
    expect((await world.open()).for(nobody).problems()).toContainEqual(
      expect.objectContaining({ code: 'E_RULE_PATH', file: '.claude/modes.yaml', line: 5, column: 37 }),
    );
  });
});

describe('enforcement', () => {
  const files = {
    '.claude/settings.one.json': settings({ allow: ['Read'], ask: ['WebSearch'], deny: ['Write(src/**)', 'Bash(git push:*)'] }),
  };
  const under = (value: string, call: Call, more: Partial<Given> = {}) =>
    ask({ one: `    enforcement: ${value}\n`, files, ...more }, call);

  test.each<[value: string, Call, Decision['decision'], advice: RegExp | undefined]>([
    ['enforce', write('src/a.ts'), 'deny', undefined],
    ['ask', write('src/a.ts'), 'ask', undefined],
    ['ask', bash('git push'), 'ask', undefined],
    ['ask', bash('make'), 'ask', undefined],
    ['ask', write('test/a.ts'), 'pass', undefined],
    [
      'advise',
      write('src/a.ts'),
      'pass',
      /^one advises against this call: Write\(src\/\*\*\) \(\.claude\/settings\.one\.json:1\) is denied in one: Write would change src\/a\.ts\.$/,
    ],
    ['advise', ['WebSearch', { query: 'x' }], 'pass', /WebSearch .* needs a person's approval in one/],
    ['advise', bash('make'), 'pass', /make may write files that one guards/],
    // It may be any git command, which asks like a built-in protection.
    ['advise', bash('git $verb'), 'ask', undefined],
    ['advise', write('test/a.ts'), 'pass', undefined],
    ['advise', read('src/a.ts'), 'allow', undefined],
    ['advise', write('.claude/settings.json'), 'deny', undefined],
    ['ask', write('.claude/settings.json'), 'deny', undefined],
  ])('%s: %j is %s', async (value, call, decision, advice) => {
    const found = await under(value, call);
    expect(found.decision).toBe(decision);
    if (advice === undefined) expect(found.advice).toBeUndefined();
    else expect(found.advice).toMatch(advice);
  });

  test('an advisory default is noted too', async () => {
    const given = { files: { '.claude/settings.one.json': settings({ allow: ['Read'], default: 'deny' }) } };
    const found = await under('advise', write('test/a.ts'), given);
    expect(found).toMatchObject({ decision: 'pass', advice: expect.stringContaining('its default is deny') });
    expect((await under('ask', write('test/a.ts'), given)).decision).toBe('ask');
  });

  test('weakens nothing without trust, and no rule of the user', async () => {
    expect((await under('advise', write('src/a.ts'), { trusted: false })).decision).toBe('deny');
    const users = { files: { '~/.claude/settings.one.json': settings({ deny: ['Write(src/**)'] }) } };
    expect((await under('advise', write('src/a.ts'), users)).decision).toBe('deny');
  });

  test('that is weakened during a session applies in the next', async () => {
    const world = await makeProject({ one: '    enforcement: enforce\n', files });
    const call = write(path.join(world.root, 'src/a.ts'));
    expect(await world.decide('s', ...call)).toBe('deny');
    world.put('.claude/modes.yaml', yaml('    enforcement: advise\n'));
    await world.trust();
    expect(await world.decide('s', ...call)).toBe('deny');
    expect(await world.decide('t', ...call)).toBe('pass');
  });
});

describe('agents', () => {
  const one =
    '    agents:\n      Explore: {mode: two}\n      tester: {canEdit: "test/**", rules: {deny: ["Bash(git:*)"]}}\n      reader: {groups: [read]}\n      both: {mode: two, cannotEdit: "test/**"}\n';
  const files = {
    '.claude/settings.one.json': settings({ allow: ['Write(lib/**)'], deny: ['Write(docs/**)'] }),
    '.claude/settings.two.json': settings({ allow: ['Write(**)'], deny: ['Write(src/**)'], ask: ['Bash(npm:*)'] }),
  };
  const by = (type: string | null, call: Call) =>
    ask({ one, files }, call, type === null ? {} : { agent_id: 'a1', agent_type: type });

  test.each<[type: string | null, Call, Decision['decision']]>([
    [null, write('src/a.ts'), 'pass'],
    ['unknown', write('src/a.ts'), 'pass'],
    ['Explore', write('src/a.ts'), 'deny'],
    ['Explore', write('docs/a.md'), 'deny'],
    ['Explore', write('test/a.ts'), 'pass'],
    ['Explore', write('lib/a.ts'), 'allow'],
    ['Explore', bash('npm test'), 'ask'],
    ['explore', write('src/a.ts'), 'deny'],
    ['TEST_ER', write('lib/a.ts'), 'deny'],
    ['tester', ['Agent', { description: 'd', prompt: 'p', subagent_type: 'Tester' }], 'pass'],
    ['tester', write('test/a.ts'), 'pass'],
    ['tester', write('lib/a.ts'), 'deny'],
    ['tester', bash('git log'), 'deny'],
    ['tester', bash('ls'), 'pass'],
    ['reader', read('src/a.ts'), 'pass'],
    ['reader', bash('ls'), 'deny'],
    ['reader', ['Agent', { description: 'd', prompt: 'p' }], 'deny'],
    ['tester', ['Agent', { description: 'd', prompt: 'p', subagent_type: 'tester' }], 'pass'],
    ['tester', ['Agent', { description: 'd', prompt: 'p', subagent_type: 'Explore' }], 'deny'],
    ['tester', ['Agent', { description: 'd', prompt: 'p' }], 'deny'],
    ['Explore', ['Agent', { description: 'd', prompt: 'p', subagent_type: 'unknown' }], 'deny'],
    ['Explore', ['Workflow', { script: 'x' }], 'deny'],
    ['Explore', ['Skill', { skill: 'x' }], 'deny'],
    ['Explore', ['SendMessage', { to: 'a29be98ebfcd1d568', message: 'go on' }], 'deny'],
    ['Explore', ['SendMessage', { to: 'main', recipient: 'a29be98ebfcd1d568', message: 'go on' }], 'deny'],
    ['Explore', ['SendMessage', { to: ['main', 'a29be98ebfcd1d568'], message: 'go on' }], 'deny'],
    ['Explore', ['SendMessage', { message: 'go on' }], 'deny'],
    ['Explore', ['SendMessage', { to: 'main', recipient: 'main', message: 'done' }], 'pass'],
    ['Explore', ['SendMessage', { to: 'team-lead', message: 'done' }], 'pass'],
    ['unknown', ['SendMessage', { to: 'a29be98ebfcd1d568', message: 'go on' }], 'pass'],
    ['Explore', ['Agent', { prompt: 'p', subagent_type: 'Explore', resume: 'a29be98ebfcd1d568' }], 'deny'],
    ['unknown', ['Agent', { description: 'd', prompt: 'p', subagent_type: 'Explore' }], 'pass'],
    ['both', write('src/a.ts'), 'deny'],
    ['both', write('test/a.ts'), 'deny'],
    ['both', write('lib/a.ts'), 'allow'],
  ])('%s: %j is %s', async (type, call, decision) => {
    expect((await by(type, call)).decision).toBe(decision);
  });

  test.each<[Call, Decision['decision']]>([
    [write('test/a.ts'), 'deny'],
    [write('lib/a.ts'), 'deny'],
    [write('src/a.ts'), 'deny'],
    [bash('git log'), 'deny'],
    [bash('npm test'), 'deny'],
    [read('src/a.ts'), 'pass'],
    [['Agent', { description: 'd', prompt: 'p', subagent_type: 'tester' }], 'deny'],
    [['Workflow', { script: 'x' }], 'deny'],
    [['SendMessage', { to: 'a29be98ebfcd1d568', message: 'go on' }], 'deny'],
  ])('an agent of unknown type has the limits of every type: %j is %s [w:subagent.agents]', async (call, decision) => {
    for (const type of [{}, { agent_type: '' }])
      expect((await ask({ one, files }, call, { agent_id: 'a1', ...type })).decision).toBe(decision);
    const asking = '    agents:\n      careful: {rules: {ask: [Write(lib/**)]}}\n';
    const world = { one: asking, files: { '.claude/settings.one.json': settings({ allow: ['Write(lib/**)'] }) } };
    expect((await ask(world, write('lib/a.ts'), { agent_id: 'a1' })).decision).toBe('ask');
  });

  test('two spellings of one type add up [w:subagent.agents]', async () => {
    const two = '    agents:\n      tester: {canEdit: "test/**"}\n      TES-TER: {rules: {deny: ["Bash(git:*)"]}}\n';
    for (const call of [write('lib/a.ts'), bash('git log')])
      expect((await ask({ one: two }, call, { agent_id: 'a1', agent_type: 'tester' })).decision).toBe('deny');
  });

  test('a type without an agent is the main thread', async () => {
    expect((await ask({ one, files }, write('src/a.ts'), { agent_type: 'Explore' })).decision).toBe('pass');
  });

  test('the denial names the mode or the agent, and refers to the main thread [w:subagent.agents]', async () => {
    expect(await by('Explore', write('src/a.ts'))).toMatchObject({
      reason: 'Write(src/**) (.claude/settings.two.json:1) is denied in two: Write would change src/a.ts.',
      remedy: expect.stringContaining('main thread'),
    });
    expect((await by('tester', write('lib/a.ts'))).reason).toBe(
      'Write outside test/** (.claude/modes.yaml:7, for subagents of type tester) is denied in one: Write would change lib/a.ts.',
    );
  });

  test('an untrusted project restricts them too', async () => {
    const found = await ask({ one, files, trusted: false }, write('src/a.ts'), { agent_id: 'a1', agent_type: 'Explore' });
    expect(found.decision).toBe('deny');
  });

  test('a rule that cannot be read is an error at its place', async () => {
    const world = await makeProject({ one: '    agents:\n      x: {rules: {deny: [Reed]}}\n' });
    expect((await world.open()).for(nobody).problems()).toContainEqual(
      expect.objectContaining({ code: 'E_RULE_UNKNOWN_TOOL', file: '.claude/modes.yaml', line: 6, column: 26 }),
    );
  });
});

describe('extends', () => {
  const one = '    extends: two\n';
  const files = {
    '.claude/settings.one.json': settings({ allow: ['Write(src/**)'] }),
    '.claude/settings.two.json': settings({ allow: ['Write(lib/**)'], deny: ['Write(docs/**)'], default: 'deny' }),
  };
  test.each<[Call, Decision['decision']]>([
    [write('src/a.ts'), 'allow'],
    [write('lib/a.ts'), 'allow'],
    [write('docs/a.md'), 'deny'],
    [write('x'), 'deny'],
  ])('%j is %s', async (call, decision) => {
    expect((await ask({ one, files }, call)).decision).toBe(decision);
  });
});

test('a denial that holds in every mode names its line, and no other mode', async () => {
  const files = { '.claude/settings.any.json': settings({ deny: ['Write(src/**)'] }) };
  const remedyOf = async (one: string, more: Record<string, string> = {}) =>
    (await ask({ one, files: { ...files, ...more } }, write('src/a.ts'))).remedy;
  expect(await remedyOf('')).toMatch(
    /^No mode allows it: \.claude\/settings\.any\.json:1 applies in every mode\. A person can allow/,
  );
  expect(await remedyOf('', { '.claude/settings.one.json': settings({ deny: ['Write(src/a.ts)'] }) })).toContain('No mode');
  const other = await ask({ one: '', files: { '.claude/settings.one.json': settings({ deny: ['Write'] }) } }, write('src/a.ts'));
  expect(other.remedy).not.toContain('No mode');
});
