// Warnings about rules that do something else than is thought. Each has to be sure: a false alarm teaches people to look away.

import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { renderProblems } from '../../../src/config/render.ts';
import { type LintContext, lintMode, lintProject } from '../../../src/engine/lint/lint.ts';
import type { Default, OwnCommand } from '../../../src/model/configuration.ts';
import type { Facts } from '../../../src/model/facts.ts';
import type { Rule } from '../../../src/model/rule.ts';
import { beats, canMatchPath } from '../../../src/rules/covers.ts';
import { accessesOf, matches, matchesPath } from '../../../src/rules/direct.ts';
import { parsePathPattern } from '../../../src/rules/pattern.ts';
import { analyse } from '../../../src/shell/analyse.ts';
import { nobody } from '../../../src/workflow/project.ts';
import { facts, narrowRule, pathPattern, settings } from '../../support/generate-rules.ts';
import { home, type Lists, rulesOf } from '../../support/policy.ts';
import { decideDirectly } from '../../support/rule-model.ts';
import { makeWorld, topology, type World } from '../../support/sessions.ts';

const runs = Number(process.env.MODES_TEST_RUNS ?? 500);
const around: LintContext = {
  commands: [],
  declared: new Set(),
  hasPolicies: false,
  home,
  guardedBy: () => [],
  missingFor: () => null,
};

const GATE = { file: 'modes.yaml', line: 7, column: 11 };

interface Given extends Lists {
  default?: Default;
  commands?: OwnCommand[];
  gates?: { command?: string; in?: string; check?: string; globs?: string[]; uses?: string[] }[];
}

async function surprises(given: Given | Record<string, Given>, changes: Partial<LintContext> = {}): Promise<string[]> {
  const isOne = ['deny', 'ask', 'allow', 'default', 'commands', 'gates'].some((key) => Object.hasOwn(given, key));
  const modes = isOne ? { m: given as Given } : (given as Record<string, Given>);
  const found = await lintProject(
    Object.entries(modes).map(([mode, lists]) => ({
      mode,
      rules: rulesOf(lists),
      transitions: lists.gates
        ? [{ to: 'next', require: lists.gates.map((one) => ({ check: 'passes', in: null, source: GATE, ...one }) as never) }]
        : [],
      defaults: lists.default
        ? [{ layer: 'project', value: lists.default, source: { file: 'settings.json', line: 9, column: 5 } }]
        : [],
    })),
    { ...around, commands: Object.values(modes)[0]?.commands ?? [], ...changes },
  );
  return found.map(({ code, message }) => `${code} ${message.split(/ (?:allows|meets|may write|lets|of m) /)[0]}`);
}

describe('a rule that matches nothing', () => {
  test.each<[string, Lists]>([
    ['a wrapper that is taken off before an allow is tried', { allow: ['Bash(timeout 10 npm test)'] }],
    ['a wrapper that is taken off, with more words behind', { allow: ['Bash(timeout 10 npm test:*)'] }],
    ['words that are no command', { allow: ['Bash(git commit -m "x)'] }],
    ['an assignment before the command', { allow: ['Bash(LD_PRELOAD=x npm test)'] }],
    ['a part that no path has', { deny: ['Write(src/\\../x)'] }],
  ])('%s', async (_, lists) => {
    expect(await surprises(lists)).toEqual([expect.stringMatching(/^W_RULE_NEVER /)]);
  });

  test.each<[string, Lists]>([
    ['a wrapper in deny', { deny: ['Bash(sudo:*)', 'Bash(timeout 10 npm test)'] }],
    ['a wrapper alone', { allow: ['Bash(timeout:*)'] }],
    ['everyday commands', { allow: ['Bash(npm run build:*)', 'Bash(git commit -m "a b")', 'Bash(node a.js *)', 'Bash(cd src)'] }],
    ['a server with two underscores in its name', { deny: ['mcp__a__b__*'], allow: ['mcp__c__d__*'] }],
    ['odd names', { deny: ['Write([.]env)', 'Read(**/..a)', 'Write(...)'] }],
  ])('does not include: %s', async (_, lists) => {
    expect(await surprises(lists)).toEqual([]);
  });

  test('every rule of a long list is checked', async () => {
    const many = Array.from({ length: 400 }, (_, at) => `Write(src/${at}/**)`);
    expect(await surprises({ deny: [...many, 'KillS*'] })).toEqual([expect.stringMatching(/^W_RULE_NEVER KillS/)]);
  });

  test('other work runs during the check of a long list', async () => {
    const many = Array.from({ length: 2_000 }, (_, at) => `Bash(make target-${at}:*)`);
    let others = 0;
    const timer = setInterval(() => others++, 1);
    await surprises({ deny: many });
    clearInterval(timer);
    expect(others).toBeGreaterThan(0);
  });

  test('the remedy is a command that the rule would match', async () => {
    const [problem] = await lintProject(
      [{ mode: 'm', rules: rulesOf({ allow: ['Bash(timeout 10 npm test:*)'] }), defaults: [], transitions: [] }],
      around,
    );
    expect(problem).toMatchObject({ remedy: 'Write Bash(npm test:*).', file: 'settings.json', line: 1, column: 2, length: 27 });
  });
});

describe('a rule that no call can match names the form that would work', () => {
  test.each<[rule: string, effect: 'allow' | 'ask' | 'deny', remedy: string]>([
    ['Agent(code reviewer)', 'allow', 'Write Agent(code-reviewer).'],
    ['Agent("reviewer")', 'deny', 'Write Agent(reviewer).'],
    ['Agent(@reviewer)', 'ask', 'Write Agent(reviewer).'],
    ['Agent(Explore, Plan)', 'deny', 'Write Agent(Explore) and Agent(Plan).'],
    ['Skill(commit,deploy)', 'deny', 'Write Skill(commit) and Skill(deploy).'],
    ["Skill('commit')", 'allow', 'Write Skill(commit).'],
    ['WebFetch(domain:*.10.0.0.1)', 'deny', 'Write WebFetch(domain:10.0.0.1).'],
    ['WebFetch(domain:*.[::1])', 'allow', 'Write WebFetch(domain:[::1]).'],
    ['CronCreate(durabel:true)', 'deny', 'Write CronCreate(durable:true).'],
    ['CronDelete(cron:x)', 'ask', 'Its parameters are id.'],
    ['TaskList(status:open)', 'deny', 'Write TaskList.'],
    ['Bash(run_in_background:yes)', 'deny', 'Write Bash(run_in_background:true).'],
    ['Bash(timeout:5s)', 'ask', 'Write Bash(timeout:*).'],
    ['Read(offset:abc)', 'deny', 'Write Read(offset:*).'],
    ['Monitor(persistent:maybe)', 'deny', 'Write Monitor(persistent:true).'],
    ['TodoWrite(todos:*)', 'deny', 'Write TodoWrite.'],
    ['mcp__db__query(__proto__:x)', 'deny', 'Write mcp__db__query.'],
    ['KillS*', 'deny', 'Write TaskStop, which is its name today.'],
    ['mcp__plugin_modes_modes__get_*', 'deny', 'Write mcp__plugin_modes_modes__transition or another full name.'],
    ['mcp__plugin_modes_modes', 'ask', 'Write mcp__plugin_modes_modes__transition or another full name.'],
    ['Bash(if * then x)', 'deny', 'Write the command that runs in the end, or a class such as Bash(@runs).'],
  ])('%s in %s', async (rule, effect, remedy) => {
    const [problem] = await lintProject(
      [{ mode: 'm', rules: rulesOf({ [effect]: [rule] }), defaults: [], transitions: [] }],
      around,
    );
    expect(problem).toMatchObject({ code: 'W_RULE_NEVER', remedy });
  });

  test.each<[kind: string, effect: 'allow' | 'ask' | 'deny', rules: string[]]>([
    ['tool', 'allow', ['Grep', 'WebSearch', 'mcp__db__query', 'mcp__plugin_modes_modes__status']],
    ['server', 'deny', ['mcp__db', 'mcp__db2__*', 'mcp__a_']],
    ['tool-glob', 'deny', ['*', 'Web*', 'mcp__*__write', 'm*', '*_file', 'mcp__*a*b', 'Cron*e', 'MultiE*']],
    ['tool-glob', 'allow', ['mcp__db__get_*', 'mcp__a__b__get_*']],
    ['group', 'allow', ['@read', '@edit', '@web', '@mcp', '@agent', '@command']],
    ['every', 'ask', ['Read', 'Write', 'Bash']],
    ['every', 'ask', ['@read', '@edit', '@command']],
    ['path', 'deny', ['Read(.env)', 'Write(//etc/**)', 'Write(a/[!a]/?*)', 'Grep(src/**)']],
    ['bash', 'deny', ['Bash(git * main)', 'Bash(* --force)', 'Bash(*.sh)', 'Bash(curl*example.org*)', 'Bash(git commit -m "*")']],
    ['bash', 'deny', ['Bash(rm * -rf *)', 'Bash(*sudo*)', 'Bash(sudo * rm:*)', 'Bash(npm run *:prod)', 'Bash(*/bin/*)']],
    ['bash', 'allow', ['Bash(pytest*)', 'Bash(npm test -- *.js)', 'Bash(git log --*=*)']],
    ['bash-class', 'deny', ['@read-only', '@writes', '@runs', '@unknown', '@network', '@secrets'].map((one) => `Bash(${one})`)],
    ['bash-class', 'allow', ['@read-only', '@writes', '@runs', '@unknown', '@network'].map((one) => `Bash(${one})`)],
    [
      'domain',
      'deny',
      ['example.org', '*.example.org', '*', 'localhost', '10.0.0.1', '[::1]', 'bücher.example'].map(
        (one) => `WebFetch(domain:${one})`,
      ),
    ],
    ['agent', 'allow', ['Agent(Explore)', 'Agent(code-*)', 'Agent(plugin:reviewer)', 'Agent(*)']],
    ['agent', 'deny', ['Agent(code reviewer)', 'Agent(*review*)']],
    ['skill', 'allow', ['Skill(commit)', 'Skill(/commit)', 'Skill(plugin:commit)', 'Skill(commit *)']],
    ['skill', 'deny', ['Skill(plugin:*)', 'Skill(*deploy)']],
    [
      'param',
      'deny',
      [
        'Agent(model:opus)',
        'Bash(run_in_background:t*)',
        'Bash(timeout:6*)',
        'Read(offset:2000)',
        'Grep(-n:*)',
        'mcp__db__query(sql:*drop*)',
      ],
    ],
    ['param', 'ask', ['mcp__db(sql:x)', 'mcp__a__b__*(sql:x)', 'CronCreate(durable:true)', 'Agent(mode:bypass*)']],
  ])('a call matches a rule of the kind %s in %s: %j', async (_, effect, rules) => {
    for (const rule of rules)
      expect([rule, (await surprises({ [effect]: [rule] })).filter((one) => one.startsWith('W_RULE_NEVER'))]).toEqual([rule, []]);
  });

  test('the two keys of the settings that are rules', async () => {
    const lists = { unknownReads: 'ask' as const, outside: [{ effect: 'deny' as const, globs: ['docs/**'], expressions: [] }] };
    expect(await surprises(lists as never)).toEqual([]);
  });
});

describe('an allow that a deny always overrules', () => {
  test.each<[string, string, string]>([
    ['the same', 'Write(src/**)', 'Write(src/**)'],
    ['a path below', 'Write(src/**)', 'Edit(src/deep/a.ts)'],
    ['a folder at any depth', 'Write(src/**)', 'Write(packages/*/src/**)'],
    ['a name at any depth', 'Read(.env)', 'Read(config/.env)'],
    ['an ending', 'Write(*.ts)', 'Write(src/**/*.test.ts)'],
    ['every write', 'Write', 'Write(docs/**)'],
    ['every write, the tool', '@edit', 'Edit'],
    ['every read', '@read', 'Read(docs/**)'],
    ['braces', 'Write({src,lib}/**)', 'Write(src/a.ts)'],
    ['braces in the allow', 'Write({src,lib}/**)', 'Write({lib,src}/x/**)'],
    ['words of a command', 'Bash(git push:*)', 'Bash(git push origin main)'],
    ['a pattern of commands', 'Bash(git * --force*)', 'Bash(git push --force-with-lease:*)'],
    ['every command', 'Bash', 'Bash(npm test:*)'],
    ['every command, by the group', '@command', 'Bash'],
    ['a class', 'Bash(@network)', 'Bash(@network)'],
    ['a server', 'mcp__db', 'mcp__db__query'],
    ['all servers', '@mcp', 'mcp__db'],
    ['a pattern of names', 'mcp__*', 'mcp__db__get_*'],
    ['a host', 'WebFetch(domain:*.example.org)', 'WebFetch(domain:api.example.org)'],
    ['an agent', 'Agent(code-*)', 'Agent(code-review)'],
    ['all skills', 'Skill', 'Skill(commit)'],
  ])('%s: %s overrules %s', async (_, deny, allow) => {
    expect(await surprises({ deny: [deny], allow: [allow] })).toContainEqual(`W_RULE_BEATEN ${allow}`);
  });

  test.each<[string, string, string]>([
    ['a neighbour', 'Write(src/**)', 'Write(src2/**)'],
    ['a wider one', 'Write(src/a.ts)', 'Write(src/**)'],
    ['the root only', 'Write(/src/**)', 'Write(**/src/**)'],
    ['the folder itself', 'Write(docs/**)', 'Write(docs)'],
    ['another kind', 'Read(src/**)', 'Write(src/**)'],
    ['a place of the session itself', 'Write', 'Write(~/.claude/plans/**)'],
    ['a place of the session below', 'Write(//**)', 'Write(~/.claude/plans/**)'],
    ['a dependency folder, whose removal is free', 'Write(node_modules/**)', 'Write(node_modules/x)'],
    ['half a word', 'Bash(git push:*)', 'Bash(git pu*)'],
    ['more than a word', 'Bash(npm run test:*)', 'Bash(npm:*)'],
    ['a host beside', 'WebFetch(domain:*.example.org)', 'WebFetch(domain:example.org)'],
    ['another server', 'mcp__db', 'mcp__dbx__query'],
    ['a parameter', 'Agent(model:opus)', 'Agent'],
  ])('is not reported with %s: %s and %s', async (_, deny, allow) => {
    expect((await surprises({ deny: [deny], allow: [allow] })).filter((told) => !told.startsWith('W_RULE_WIDE'))).toEqual([]);
  });

  test('an ask overrules no allow, because it may be approved', async () => {
    expect(await surprises({ ask: ['Write(src/**)'], allow: ['Write(src/**)'] })).toEqual([]);
  });

  test('a line of the user is useful although one project denies it; a line of the project is useless if the user denies it', async () => {
    expect(await surprises({ deny: ['Write(src/**)'], layers: { user: { allow: ['Write(src/**)'] } } } as Given)).toEqual([]);
    expect(await surprises({ allow: ['Write(src/**)'], layers: { user: { deny: ['Write(src/**)'] } } } as Given)).toEqual([
      'W_RULE_BEATEN Write(src/**)',
    ]);
  });

  test('names the deny and its place', async () => {
    const [problem] = await lintProject(
      [
        {
          mode: 'm',
          rules: rulesOf({ deny: ['Bash(ls)', 'Write(src/**)'], allow: ['Write(src/a)'] }),
          defaults: [],
          transitions: [],
        },
      ],
      around,
    );
    expect(problem?.message).toBe('Write(src/a) allows nothing: Write(src/**) (settings.json:2) denies all of it');
  });

  test('a line of several modes is reported only if it is overruled in each', async () => {
    const shared = { allow: ['Write(src/**)'] };
    expect(await surprises({ a: { ...shared, deny: ['Write(src/**)'] }, b: shared })).toEqual([]);
    expect(await surprises({ a: { ...shared, deny: ['Write(src/**)'] }, b: { ...shared, deny: ['Write'] } })).toEqual([
      'W_RULE_BEATEN Write(src/**)',
    ]);
  });
});

describe('an allow with a wildcard for a program that runs others, or code', () => {
  test.each([
    'Bash(npm:*)',
    'Bash(npm *)',
    'Bash(npm*)',
    'Bash(npm exec:*)',
    'Bash(npm run:*)',
    'Bash(npm ru*)',
    'Bash(pnpm dlx *)',
    'Bash(npx:*)',
    'Bash(/usr/bin/npx *)',
    'Bash(node:*)',
    'Bash(node -e *)',
    'Bash(python3.12 *)',
    'Bash(python -m *)',
    'Bash(bash -c:*)',
    'Bash(sh *)',
    'Bash(docker:*)',
    'Bash(docker run:*)',
    'Bash(kubectl exec *)',
    'Bash(git:*)',
    'Bash(git -c *)',
    'Bash(env *)',
    'Bash(find *)',
    'Bash(ssh:*)',
    'Bash(make:*)',
    'Bash(uv run *)',
    'Bash(sed:*)',
    // Options, operands and other programs before the star.
    'Bash(npx -y *)',
    'Bash(npx -y tsx *)',
    'Bash(zx:*)',
    'Bash(vite-node:*)',
    'Bash(bash -lc *)',
    'Bash(php -r:*)',
    'Bash(perl -ne:*)',
    'Bash(node -pe:*)',
    'Bash(ssh host:*)',
    'Bash(ssh -p 22 host:*)',
    'Bash(docker exec web run:*)',
    'Bash(pnpm exec tsx run:*)',
    'Bash(docker exec web:*)',
    'Bash(docker compose exec:*)',
    'Bash(docker compose exec web:*)',
    'Bash(docker run --rm -it alpine:*)',
    'Bash(kubectl exec pod --:*)',
    'Bash(vagrant ssh:*)',
    'Bash(poetry run python:*)',
    'Bash(uv run --with x python:*)',
    'Bash(npm exec -- node:*)',
    'Bash(bundle exec ruby:*)',
    'Bash(mise exec -- bash:*)',
    'Bash(nix develop:*)',
    'Bash(git bisect run:*)',
    'Bash(git submodule foreach:*)',
    'Bash(php artisan tinker:*)',
    'Bash(python manage.py shell:*)',
    'Bash(rails runner:*)',
    'Bash(concurrently:*)',
    'Bash(swift *)',
    'Bash(* test)',
    'Bash(./*)',
    'Bash(node_modules/.bin/*)',
    'Bash(/usr/bin/*)',
    'Bash(*)',
    'Bash',
  ])('%s is reported', async (rule) => {
    expect(await surprises({ allow: [rule] })).toEqual([`W_RULE_WIDE ${rule}`]);
  });

  test.each([
    'Bash(npm test)',
    'Bash(npm run build)',
    'Bash(npm test:*)',
    'Bash(git status:*)',
    'Bash(git push origin main)',
    'Bash(node scripts/build.mjs)',
    'Bash(ls:*)',
    'Bash(cargo test *)',
    'Bash(docker ps *)',
    'Bash(npm test*)',
    'Bash(npm run build:*)',
    'Bash(npx vitest:*)',
    'Bash(npx -y prettier --check:*)',
    'Bash(pnpm exec vitest run:*)',
    'Bash(npm exec -- vitest run:*)',
    'Bash(poetry run pytest:*)',
    'Bash(docker compose exec web ls:*)',
    'Bash(docker compose ps:*)',
    'Bash(kubectl get:*)',
    'Bash(ssh host uptime:*)',
    'Bash(node --test:*)',
    'Bash(python -m pytest:*)',
    'Bash(python manage.py test:*)',
    'Bash(make build:*)',
    'Bash(go test:*)',
    'Bash(git log:*)',
    'Bash(bundle exec rspec:*)',
    'Bash(dotnet test:*)',
    'Bash(scripts/*.sh)',
    'Bash(@read-only)',
  ])('%s is not reported', async (rule) => {
    expect(await surprises({ allow: [rule] })).toEqual([]);
  });

  test('a deny or an ask is not reported', async () => {
    expect(await surprises({ deny: ['Bash(npm:*)'], ask: ['Bash(git:*)'] })).toEqual([]);
  });
});

describe('a rule with the same meaning as another', () => {
  test.each<[string, Lists, string[]]>([
    ['two forms of any further words', { deny: ['Bash(rm:*)', 'Bash(rm *)'] }, ['W_DUPLICATE_RULE Bash(rm *)']],
    ['two forms of a folder', { ask: ['Write(src/)', 'Write(src/**)'] }, ['W_DUPLICATE_RULE Write(src/**)']],
    ['two names of a server', { allow: ['mcp__db', 'mcp__db__*'] }, ['W_DUPLICATE_RULE mcp__db__*']],
    ['blanks', { deny: ['Bash(git push)', 'Bash(git  push)'] }, ['W_DUPLICATE_RULE Bash(git  push)']],
  ])('%s', async (_, lists, expected) => {
    expect((await surprises(lists)).map((one) => one.split(' means')[0])).toEqual(expected);
  });

  test.each<[string, Lists]>([
    ['in another list', { deny: ['Bash(rm:*)'], ask: ['Bash(rm *)'] }],
    ['for another tool of the client', { deny: ['Write(src/**)', 'Edit(src/**)'] }],
    ['a wider one', { deny: ['Bash(rm:*)', 'Bash(rm*)'] }],
  ])('is not reported %s', async (_, lists) => {
    expect(await surprises(lists)).toEqual([]);
  });
});

describe('a partial name of a program', () => {
  test.each([
    ['Bash(pytest*)', 'Bash(pytest:*)'],
    ['Bash(./run*)', 'Bash(./run:*)'],
    ['Bash(ruff*)', 'Bash(ruff:*)'],
  ])('%s still asks where writes are guarded: %s is intended', async (allow, meant) => {
    const [problem] = await lintProject(
      [{ mode: 'm', rules: rulesOf({ deny: ['Write(src/**)'], allow: [allow] }), defaults: [], transitions: [] }],
      around,
    );
    expect(problem).toMatchObject({ code: 'W_RULE_PART', remedy: `Write ${meant}.` });
  });

  test.each<[string, Lists]>([
    ['no write is guarded', { allow: ['Bash(pytest*)'], deny: ['Read(.env)'] }],
    ['the name is whole', { allow: ['Bash(pytest:*)', 'Bash(npm test*)', 'Bash(git commit*)'], deny: ['Write(src/**)'] }],
    ['it is denied', { deny: ['Bash(pytest*)', 'Write(src/**)'] }],
  ])('is accepted if %s', async (_, lists) => {
    expect(await surprises(lists)).toEqual([]);
  });
});

describe('a gate whose command the mode does not let run [w:gate.closed]', () => {
  const wants = async (command: string, lists: Given, changes: Partial<LintContext> = {}) =>
    (await surprises({ ...lists, gates: [{ command }] }, changes)).filter((one) => one.startsWith('W_GATE_CLOSED'));
  test.each<[string, string, Given]>([
    ['no rule allows it under a default of deny', 'pnpm test', { default: 'deny', allow: ['Read'] }],
    ['only an ask is about it', 'pnpm test', { default: 'deny', allow: ['Read'], ask: ['Bash(pnpm test)'] }],
    ['another command is allowed', 'pnpm test', { default: 'deny', allow: ['Bash(pnpm build:*)'] }],
    ['another class is allowed', 'pnpm test', { default: 'deny', allow: ['Bash(@read-only)'] }],
    ['every command is denied', 'pnpm test', { deny: ['Bash'] }],
    ['its program is denied', 'pnpm test', { deny: ['Bash(pnpm:*)'], allow: ['Bash(pnpm test)'] }],
    ['its class is denied', 'npm test', { deny: ['Bash(@runs)'] }],
    ['the group is denied', 'npm test:*', { deny: ['@command'] }],
    ['a part of it is denied', 'env CI=1 npm test', { deny: ['Bash(npm test)'] }],
    ['the same options are denied', 'git push --force', { deny: ['Bash(git push -f)'] }],
    ['its purpose is denied', 'npm run db:migrate', { deny: ['Bash(@database)'] }],
    ['a run in a pipe does not count', 'npm test | tail', {}],
    ['a run after another command does not count', 'cd a && npm test', {}],
    ['a run with a comment does not count', 'npm test # all', {}],
    ['a run with a variable does not count', 'npm test $X', {}],
  ])('%s', async (_, command, lists) => {
    expect(await wants(command, lists)).toHaveLength(1);
  });

  test.each<[string, string, Given]>([
    ['it is allowed', 'pnpm test', { default: 'deny', allow: ['Bash(pnpm test)'] }],
    ['it is allowed with more words', 'pnpm test', { default: 'deny', allow: ['Bash(pnpm:*)'] }],
    ['it is allowed by a pattern', 'pnpm run test', { default: 'deny', allow: ['Bash(pnpm *test)'] }],
    ['its class is allowed', 'npm test', { default: 'deny', allow: ['Bash(@runs)'] }],
    ['every command is allowed', 'npm test', { default: 'deny', allow: ['Bash'] }],
    ['the group is allowed', 'npm test', { default: 'deny', allow: ['@command'] }],
    ['it is asked', 'npm test', { ask: ['Bash(npm test)'] }],
    ['the default asks', 'npm test', { default: 'ask' }],
    ['there is no default', 'npm test', { deny: ['Write(src/**)'] }],
    ['another command is denied', 'npm test', { deny: ['Bash(npm publish:*)', 'Bash(git push:*)'] }],
  ])('is not reported if %s', async (_, command, lists) => {
    expect(await wants(command, lists)).toEqual([]);
  });

  test('a policy may allow what no rule does', async () => {
    expect(await wants('pnpm test', { default: 'deny', allow: ['Read'] }, { hasPolicies: true })).toEqual([]);
  });

  test('is reported at the gate and names the line that would open it', async () => {
    const require = [{ check: 'passes', command: 'pnpm test:*', in: null, source: GATE }] as never;
    const [problem] = await lintProject(
      [
        {
          mode: 'm',
          rules: rulesOf({ allow: ['Read'] }),
          defaults: [{ layer: 'project', value: 'deny', source: { file: 'settings.json', line: 9, column: 5 } }],
          transitions: [{ to: 'next', require }],
        },
      ],
      around,
    );
    expect(problem).toMatchObject({
      ...GATE,
      code: 'W_GATE_CLOSED',
      message: expect.stringContaining('settings.json:9'),
      remedy: 'Add Bash(pnpm test:*) to allow.',
    });
  });

  test('names the command whose runs count', async () => {
    const [problem] = await lintProject(
      [
        {
          mode: 'm',
          rules: [],
          defaults: [],
          transitions: [gateOf([{ check: 'passes', command: 'npm test 2> errors.txt', in: null }])],
        },
      ],
      around,
    );
    expect(problem).toMatchObject({ ...GATE, code: 'W_GATE_CLOSED', remedy: 'Write npm test, or use run:.' });
  });
});

const gateOf = (checks: object[]) => ({ to: 'next', require: checks.map((one) => ({ source: GATE, ...one })) }) as never;

test('a gate whose command needs what is missing is reported at its place [w:gate.missing]', async () => {
  const [problem] = await lintProject(
    [
      {
        mode: 'm',
        rules: [],
        defaults: [],
        transitions: [{ to: 'n', require: [{ check: 'passes', command: 'npm test', source: GATE } as never] }],
      },
    ],
    { ...around, missingFor: () => 'there is no package.json' },
  );
  expect(problem).toMatchObject({
    ...GATE,
    code: 'W_GATE_MISSING',
    severity: 'warning',
    message: 'the gate to n in m requires a run of npm test, but there is no package.json',
  });
});

describe('a gate that no state of the project can open [w:gate.impossible]', () => {
  const of = async (checks: object[], deny: string[] = [], hasPolicies = false) => {
    const one = { mode: 'm', rules: rulesOf({ deny }), defaults: [], transitions: [gateOf(checks)] };
    return (await lintProject([one], { ...around, hasPolicies })).map(({ code }) => code);
  };
  test.each<[string, object[], string[]?]>([
    ['a policy that does not exist', [{ check: 'policy', name: 'x' }]],
    ['a subagent that is denied', [{ check: 'agent', type: 'reviewer' }], ['Agent(review*)']],
    ['subagents are denied', [{ check: 'agent', type: 'reviewer' }], ['@agent']],
    ['one command passes and fails', ['passes', 'fails'].map((check) => ({ check, command: 'npm test', in: null }))],
    ['the same files changed and unchanged', ['unchanged', 'changed'].map((check) => ({ check, globs: ['src/**'] }))],
    ['a file exists and does not', [true, false].map((exists) => ({ check: 'file', path: 'a', exists, contains: null }))],
    ['two branches', ['a', 'b'].map((branch) => ({ check: 'git', clean: false, branch }))],
  ])('%s', async (_, checks, deny) => expect(await of(checks, deny)).toEqual(['W_GATE_CLOSED']));

  test('others can open', async () => {
    expect(await of([{ check: 'policy', name: 'x' }], [], true)).toEqual([]);
    expect(await of([{ check: 'agent', type: 'reviewer' }], ['Agent(other)'])).toEqual([]);
    expect(
      await of([
        { check: 'changed', globs: ['src/**'] },
        { check: 'unchanged', globs: ['test/**'] },
      ]),
    ).toEqual([]);
    expect(await of(['feature/*', 'feature/x'].map((branch) => ({ check: 'git', clean: false, branch })))).toEqual([]);
  });
});

describe('writes are denied, and a tool of a server may make them', () => {
  test.each([['mcp__fs__move_it'], ['mcp__fs'], ['mcp__fs__*']])('%s is allowed by name', async (allow) => {
    expect(await surprises({ deny: ['Write'], allow: [allow] })).toEqual([`W_RULE_MAY_WRITE ${allow}`]);
  });

  test('by a pattern of its tools as well', async () => {
    expect(await surprises({ deny: ['Write'], allow: ['mcp__fs__m*'] })).toEqual(['W_RULE_MAY_WRITE mcp__fs__m*']);
  });

  test('not if it is declared, or if not all writes are denied', async () => {
    const declared = new Set(['mcp__fs__move_it']);
    expect(await surprises({ deny: ['Write'], allow: ['mcp__fs__move_it', 'mcp__fs'] }, { declared })).toEqual([]);
    expect(await surprises({ deny: ['Write'], allow: ['@mcp', 'mcp__plugin_modes_modes__status'] })).toEqual([]);
    expect(await surprises({ deny: ['Write(src/**)'], allow: ['mcp__fs'] })).toEqual([]);
  });
});

describe('a declared command whose program the agent may write', () => {
  const show: OwnCommand = { match: './scripts/show.sh *', class: 'read-only' };
  test.each<[string, Given, string[]]>([
    ['a folder allowed', { allow: ['Write(scripts/**)'] }, ['W_COMMAND_WRITABLE Write(scripts/**)']],
    ['a tool allowed', { allow: ['@edit'] }, ['W_COMMAND_WRITABLE @edit']],
    ['denied', { allow: ['Write(**)'], deny: ['Write(/scripts/show.sh)'] }, []],
    ['asked', { allow: ['Write(**)'], ask: ['Write(scripts/**)'] }, []],
    ['elsewhere', { allow: ['Write(src/**)'] }, []],
  ])('%s', async (_, lists, expected) => {
    expect(await surprises({ ...lists, commands: [show] })).toEqual(expected);
  });

  test.each<OwnCommand>([
    { match: './scripts/show.sh *', class: 'runs' },
    { match: 'show *', class: 'read-only' },
    { match: '/opt/bin/show', class: 'read-only' },
  ])('is not reported for $match of class $class', async (command) => {
    expect(await surprises({ allow: ['Write(**)'], commands: [command] })).toEqual([]);
  });
});

describe('a gate whose program the mode may write [w:gate.warned]', () => {
  test.each<[string, Given, string[]]>([
    ['a script', { gates: [{ command: './scripts/check.sh' }], allow: ['Write(scripts/**)'] }, ['Write(scripts/**)']],
    ['a script of an interpreter', { gates: [{ command: 'node --test check.mjs' }], allow: ['Write(*.mjs)'] }, ['Write(*.mjs)']],
    ['the manifest', { gates: [{ command: 'npm test' }], allow: ['Write(**)'] }, ['Write(**)']],
    ['the manifest of a part', { gates: [{ command: 'npm test', in: 'a' }], allow: ['Write(a/**)'] }, ['Write(a/**)']],
    ['the manifest of another part', { gates: [{ command: 'npm test', in: 'b' }], allow: ['Write(a/**)'] }, []],
    ['the manifest, asked', { gates: [{ command: 'npm test' }], allow: ['Write(**)'], ask: ['Write(package.json)'] }, []],
    ['a script by a pattern', { gates: [{ command: './check.sh:*' }], allow: ['Write(/*.sh)'] }, ['Write(/*.sh)']],
    [
      'the manifest, wanted unchanged',
      { gates: [{ command: 'npm test' }, { check: 'unchanged', globs: ['*.json'] }], allow: ['Write(**)'] },
      [],
    ],
    ['only sources', { gates: [{ command: 'npm test' }], allow: ['Write(src/**)'] }, []],
    ['a program of the system', { gates: [{ command: 'pytest -q' }], allow: ['Write(**)'] }, []],
    ['the manifest of a run', { gates: [{ check: 'run', command: 'npm test' }], allow: ['Write(**)'] }, ['Write(**)']],
    ['the script of a review', { gates: [{ check: 'review', command: './r.sh' }], allow: ['Write(*.sh)'] }, ['Write(*.sh)']],
    [
      'a file that a run uses',
      { gates: [{ check: 'run', command: 'pytest', uses: ['/tools/x.py', 'conf/*'] }], allow: ['Write(tools/**)'] },
      ['Write(tools/**)'],
    ],
  ])('%s', async (_, given, expected) => {
    expect(await surprises(given)).toEqual(expected.map((text) => `W_GATE_WRITABLE ${text}`));
  });
});

describe('a mode that denies by default', () => {
  test.each<[string, Given, boolean]>([
    ['and allows nothing', { default: 'deny' }, true],
    ['and allows to write', { default: 'deny', allow: ['Write(**)', 'Bash(npm test)'] }, true],
    ['and allows to read', { default: 'deny', allow: ['Read(docs/**)'] }, false],
    ['and allows a command that reads', { default: 'deny', allow: ['Bash(cat *)'] }, false],
    ['and allows a server', { default: 'deny', allow: ['mcp__fs'] }, false],
    ['or asks', { default: 'ask' }, false],
  ])('%s: %s', async (_, lists, told) => {
    expect(await surprises(lists)).toEqual(told ? ['W_DEFAULT_NO_READING The default'] : []);
  });

  test('is not reported if policies may allow', async () => {
    expect(await surprises({ default: 'deny' }, { hasPolicies: true })).toEqual([]);
  });
});

async function told(world: World) {
  const { configuration, config: view } = (await world.open()).for(nobody).describe().present;
  return lintMode(configuration, view.content, { home: world.home });
}

describe('a project on a disk', () => {
  test('that is broken has no warning, since only its restrictions are read', async () => {
    const world = makeWorld();
    world.settings({ default: 'deny' });
    expect((await told(world)).map(({ code }) => code)).toEqual(['W_DEFAULT_NO_READING']);
    world.settings({ default: 'deny', allow: ['Read', 'Wirte'] });
    expect(await told(world)).toEqual([]);
  });

  test('has each warning with file, line, column, caret and remedy, and none for other lines', async () => {
    const world = makeWorld();
    world.put(
      '.claude/settings.one.json',
      '{\n  "permissions": {\n    "default": "deny",\n    "deny": ["Write(src/**)"],\n    "allow": [\n      "Write(docs/**)",\n      "Write(src/a.ts)",\n      "Bash(timeout 5 npm test:*)"\n    ]\n  }\n}\n',
    );
    const shown = renderProblems(await told(world));
    expect(shown).toContain(
      [
        '.claude/settings.one.json:7:8 W_RULE_BEATEN Write(src/a.ts) allows nothing: Write(src/**) (.claude/settings.one.json:4) denies all of it',
        '          "Write(src/a.ts)",',
        '           ^^^^^^^^^^^^^^^',
        '  Remove one of them. A deny beats every allow, however exact that is; where they overlap, restrict the deny to fewer calls.',
      ].join('\n'),
    );
    expect(shown).toMatch(/one\.json:8:8 W_RULE_NEVER .*\n.*\n.*\^+\n {2}Write Bash\(npm test:\*\)\./);
    expect(shown).toMatch(/one\.json:3:\d+ W_DEFAULT_NO_READING The default of one is deny/);
    expect(shown.match(/ W_/g)).toHaveLength(3);
  });

  test.each<[string, object, string, string[]]>([
    ['says less than is known', { deny: ['Write(src/**)'] }, 'mcp__fs__write_file: {path: read}', ['path']],
    ['leaves one of two out', { deny: ['Write'] }, 'mcp__fs__move_file: {source: write}', ['destination']],
    ['says as much', { deny: ['Write'] }, 'mcp__fs__write_file: {path: write}', []],
    ['is of a tool that is not known', { deny: ['Write'] }, 'mcp__fs__my_own: {path: read}', []],
    ['is where no writes are denied', { deny: ['Read(.env)'] }, 'mcp__fs__write_file: {path: read}', []],
  ])('with a declaration that %s', async (_, permissions, declared, expected) => {
    const world = makeWorld();
    world.put('.claude/modes.yaml', `${topology('{to: two}, {to: three}')}arguments:\n  ${declared}\n`);
    world.settings(permissions);
    expect(await told(world)).toEqual([]);
    await world.trust();
    const found = await told(world);
    expect(found.map(({ code, message }) => `${code} ${/argument (\w+)/.exec(message)?.[1]}`)).toEqual(
      expected.map((argument) => `W_ARGUMENTS_WRITE ${argument}`),
    );
    for (const problem of found)
      expect(problem).toMatchObject({ file: '.claude/modes.yaml', line: 11, column: 3, lineText: `  ${declared}` });
  });

  test.each(readdirSync('examples').filter((name) => existsSync(join('examples', name, '.claude'))))(
    'that is the example %s has none',
    async (name) => {
      const world = makeWorld();
      world.remove('.claude');
      cpSync(join('examples', name), world.root, { recursive: true });
      expect([...(await world.open()).for(nobody).problems(), ...(await told(world))]).toEqual([]);
      await world.trust();
      expect(await told(world)).toEqual([]);
    },
  );
});

/** Removing dependency folders and an extent with nothing below it are what a deny leaves open. */
function isPlain({ reads, writes }: Facts): boolean {
  return [...reads, ...writes].every(({ dependency, deep, below }) => !dependency && (!deep || below.length > 0));
}

function understood(lists: Lists): Rule[] {
  try {
    return rulesOf(lists);
  } catch {
    return [];
  }
}

const plainFacts = facts.filter(isPlain);

describe('for any rules and any call', () => {
  test('an allow that is reported as overruled changes no verdict', () => {
    let told = 0;
    const pair = fc.tuple(settings, fc.array(narrowRule, { minLength: 1, maxLength: 4 }), plainFacts);
    fc.assert(
      fc.property(pair, ([given, copied, call]) => {
        const all = { ...given, deny: [...(given.deny ?? []), ...copied], allow: [...(given.allow ?? []), ...copied] };
        const parsed =
          understood({ deny: all.deny }).length > 0 ? all.allow.filter((text) => understood({ allow: [text] }).length > 0) : [];
        if (parsed.length === 0) return;
        const usable = { ...all, allow: parsed };
        const rules = rulesOf(usable);
        const denies = rules.filter(({ effect }) => effect === 'deny');
        const beaten = rules.filter((rule) => rule.effect === 'allow' && denies.some((deny) => beats(deny, rule)));
        told += beaten.length;
        for (const { text } of beaten) {
          const without = { ...usable, allow: parsed.filter((one) => one !== text) };
          expect(decideDirectly(without, call)).toEqual(decideDirectly(usable, call));
        }
      }),
      { numRuns: runs },
    );
    expect(told).toBeGreaterThan(runs / 2);
  });

  test('a deny that overrules an allow matches every access that the allow matches', () => {
    const pair = fc.tuple(narrowRule, narrowRule, plainFacts);
    fc.assert(
      fc.property(pair, ([one, other, call]) => {
        const [deny] = understood({ deny: [one] });
        const [allow] = understood({ allow: [other] });
        if (deny === undefined || allow === undefined || !beats(deny, allow)) return;
        // What a tool reads along with its writes lies where they do.
        const { tool, reads, writes } = call;
        if (tool.group === 'edit' && writes.every(({ own }) => own !== null) && reads.some(({ own }) => own === null)) return;
        if (!accessesOf(call, false).some((access) => matches(allow, access, call))) return;
        expect(accessesOf(call, true).some((access) => matches(deny, access, call))).toBe(true);
      }),
      { numRuns: runs * 4 },
    );
  });

  test('a pattern that can match no path matches none', () => {
    const name = fc.stringMatching(/^[a-c.\u{1F600}/-]{1,6}$/u);
    const odd = fc.oneof(pathPattern, fc.constantFrom('a/\\../b', '[!\u0001-\u{10ffff}]', '\\.', 'a[/]b', '**/\\..', '[!a]'));
    fc.assert(
      fc.property(odd, name, fc.boolean(), (text, written, narrow) => {
        const parsed = parsePathPattern(text, { home, restricts: narrow });
        if ('problem' in parsed) return;
        const path = written
          .split('/')
          .filter((part) => part !== '' && part !== '.' && part !== '..')
          .join('/');
        for (const pattern of parsed.patterns) if (!canMatchPath(pattern)) expect(matchesPath(pattern, path)).toBe(false);
      }),
      { numRuns: runs * 2 },
    );
  });

  test('no rule for an existing command is reported as matching nothing', async () => {
    const texts = readFileSync('test/unit/shell/everyday.jsonl', 'utf8').split('\n').filter(Boolean);
    const commands = texts.flatMap((line) => {
      const command = JSON.parse(line) as { command?: string } | string as { command?: string };
      return analyse(typeof command === 'string' ? command : (command.command ?? ''), { cwd: '/p', home }).commands;
    });
    expect(commands.length).toBeGreaterThan(500);
    const rules = commands.flatMap(({ top, name, text, spellings }) => [
      ...(top && name !== '' ? understood({ allow: [`Bash(${text})`] }) : []),
      ...[text, ...spellings].flatMap((spelling) => understood({ deny: [`Bash(${spelling})`] })),
    ]);
    const bash = rules.filter(({ kind }) => kind === 'bash');
    expect(bash.length).toBeGreaterThan(500);
    const lists = bash.map((rule) => lintProject([{ mode: 'm', rules: [rule], defaults: [], transitions: [] }], around));
    const told = (await Promise.all(lists)).flat();
    expect(told.filter(({ code }) => code !== 'W_RULE_WIDE').map(({ message }) => message)).toEqual([]);
  });
});
