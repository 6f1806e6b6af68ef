// Presets that are fitted to projects: they are valid, their cases hold, and the modes close and open what they promise.
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { callOfCase, readCases } from '../../../../src/adapters/cli/policy-cases.ts';
import { differences } from '../../../../src/adapters/cli/policy-run.ts';
import { type Configured, configure, layeredSources } from '../../../../src/app/dry-run.ts';
import { readProject } from '../../../../src/app/project-survey/files.ts';
import { surveyProject } from '../../../../src/app/project-survey/survey.ts';
import { fitLines, fitPreset } from '../../../../src/app/setup/fit.ts';
import { listPresets, planSetup, runSetup, type SetupPlan, setupText } from '../../../../src/app/setup/setup.ts';
import { writtenCall } from '../../../../src/facts/written.ts';
import { putFile } from '../../../support/files.ts';
import { makeFolder } from '../../../support/folder-project.ts';
import { repository } from '../../../support/plugin.ts';
import { shapes } from '../project-survey/shapes.ts';

interface SetUp {
  root: string;
  plan: SetupPlan;
  configured: Configured;
  decide(call: string, mode: string): Outcome;
  get(name: string): string;
}

/** `verified`: it runs, and the guarded files are compared. */
type Outcome = 'allow' | 'ask' | 'deny' | 'pass' | 'verified';

/** A project with these files, after `modes init --preset NAME`. */
async function setUp(files: { readonly [name: string]: string }, preset = 'tdd-checked'): Promise<SetUp> {
  const top = makeFolder();
  const root = path.join(top, 'home/project');
  fs.mkdirSync(root, { recursive: true });
  for (const [name, text] of Object.entries(files)) putFile(path.join(root, name), text);
  // As after npm install. A program that is not there would be fetched.
  for (const name of ['eslint', 'tsc']) putFile(path.join(root, 'node_modules/.bin', name), '');
  const home = path.join(top, 'home');
  const configFolder = path.join(home, '.claude');
  const plan = planSetup({ root, preset, packageRoot: repository, configFolder, home });
  if ('error' in plan) throw new Error(plan.error);
  runSetup(plan, path.join(configFolder, 'modes-data'), new Date(0));
  const env = { HOME: home };
  const configured = await configure(layeredSources(root, null), { root, trusted: true, env, packageRoot: repository });
  return {
    root,
    plan,
    configured,
    decide(call, mode) {
      const { decision, verifiable } = configured.decide(writtenCall(call, root), mode);
      return verifiable === undefined ? decision : 'verified';
    },
    get: (name) => fs.readFileSync(path.join(root, '.claude', name), 'utf8'),
  };
}

/** The cases that do not hold, with what was decided. */
function failedCases({ root, configured, get }: SetUp, preset: string): string[] {
  const name = `policies/${preset}.cases.yaml`;
  const { cases, problems } = readCases(name, get(name));
  const failed = cases.flatMap((one) => {
    if (!one.trusted) return [];
    const difference = differences(one, configured.decide(callOfCase(one, root), one.mode));
    return difference === '' ? [] : [`${one.mode}: ${one.call}: ${difference}`];
  });
  return [...problems.map(({ message }) => message), ...failed];
}

describe('tdd-checked', () => {
  test.each(Object.entries(shapes))('%s', async (_, shape) => {
    const project = await setUp(shape.files);
    expect(project.configured.problems).toEqual([]);
    expect(failedCases(project, 'tdd-checked')).toEqual([]);
    const { decide } = project;
    const { testFile, source } = shape;
    expect({
      tests: [decide(`Write(${testFile})`, 'test-dev'), decide(`Write(${source})`, 'test-dev')],
      sources: [decide(`Write(${testFile})`, 'feature-dev'), decide(`Write(${source})`, 'feature-dev')],
      idle: [decide(`Write(${testFile})`, 'idle'), decide(`Write(${source})`, 'idle')],
      runs: ['test-dev', 'feature-dev'].map((mode) => decide(`Bash(${shape.test})`, mode)),
      others: shape.others.map((command) => decide(`Bash(${command})`, 'feature-dev')),
    }).toEqual({
      tests: ['allow', 'deny'],
      sources: ['deny', 'allow'],
      idle: ['deny', 'deny'],
      runs: ['allow', 'allow'],
      others: shape.others.map(() => 'verified'),
    });
    const gates = [...(project.configured.config.known.topology?.modes.values() ?? [])].flatMap(({ transitions }) =>
      transitions.flatMap(({ require }) => require.flatMap((one) => (one.check === 'tests' ? [one.command] : []))),
    );
    expect(gates).toEqual([shape.test, shape.test]);
  });
});

describe.each(['go module', 'Rails with RSpec'])('%s', (name) => {
  const { files } = shapes[name] as (typeof shapes)[string];

  test.each(listPresets(repository))(
    '%s is valid, its cases pass, and it equals the preset except for additions',
    async (preset) => {
      const project = await setUp(files, preset);
      expect(project.configured.problems.filter(({ severity }) => severity === 'error')).toEqual([]);
      expect(failedCases(project, preset)).toEqual([]);
      const { fit } = project.plan;
      for (const { name: file, text } of fit?.files ?? []) {
        const added = fit?.added.find((one) => one.file === file)?.texts ?? [];
        const rest = added.reduce((left, one) => withoutItem(left, JSON.stringify(one)), text);
        const shipped = fs.readFileSync(path.join(repository, 'examples', preset, file), 'utf8');
        if (file.endsWith('.cases.yaml')) continue;
        expect([file, linesWithoutCommands(rest, shipped)]).toEqual([file, linesWithoutCommands(shipped, shipped)]);
      }
    },
  );
});

/** Without one item of a list, in any layout. */
function withoutItem(text: string, item: string): string {
  const escaped = item.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  return text.replace(new RegExp(`,?(?:\\n *(?:- )?| )${escaped}`), '');
}

/** The lines of a text, without those in which the preset names a command of npm. */
function linesWithoutCommands(text: string, shipped: string): string[] {
  const named = shipped.split('\n').map((line) => line.includes('npm '));
  return text.split('\n').filter((_, at) => named[at] !== true);
}

test.each([
  ['pom.xml', '<project/>', '{command: mvn test, failing: new}'],
  ['build.gradle', '', '{command: gradle cleanTest test, failing: new}'],
])('gates of a runner that writes reports name only its command: %s', async (name, text, gate) => {
  const { plan, configured } = await setUp({ [name]: text, 'src/test/java/a/ATest.java': '' });
  expect(plan.fit?.files.find((one) => one.name === '.claude/modes.yaml')?.text).toContain(`tests: ${gate}`);
  expect(configured.problems.filter(({ severity }) => severity === 'error')).toEqual([]);
});

test('test folders of a Gradle project are in src, because Gradle writes its reports to build/test-results/test', async () => {
  const { decide, plan } = await setUp((shapes.gradle as (typeof shapes)[string]).files);
  const reports = ['app/build/test-results/test/TEST-shop.AppTest.xml', 'app/build/reports/tests/test/index.html'];
  const guarded = ['app/src/test/resources/cart.json', 'app/e2e/login.json', 'app/src/integrationTest/java/shop/CartTest.java'];
  const rule = (name: string) => decide(`Write(${name})`, 'feature-dev');
  expect([...reports, ...guarded].map(rule)).toEqual(['pass', 'pass', 'deny', 'deny', 'deny']);
  const modes = plan.fit?.files.find(({ name }) => name === '.claude/modes.yaml')?.text ?? '';
  expect(modes.match(/\/\{(?:src\/)?test,/g)).toEqual(Array(3).fill('/{src/test,'));
  expect(plan.fit?.notes.join()).toContain('src');
});

describe('texts for the user', () => {
  test('the project and the changes of the preset, then the files and what each one does', async () => {
    const { plan } = await setUp((shapes['go module'] as (typeof shapes)[string]).files);
    expect(setupText(plan)).toMatch(/^Found in this project:\n[\s\S]*\nFiles:\n\+ /);
    expect(setupText(plan).split('\n')).toEqual(
      expect.arrayContaining([
        'Found in this project:',
        '  package manager  go  (go.mod)',
        'The preset is fitted to it:',
        expect.stringMatching(/^ {2}npm test → go test -v \.\/\.\.\. {2}\(in \d files\)$/),
        '  .claude/settings.feature-dev.json',
        '    + Write(internal/**)',
        'Files:',
        '+ .claude/modes.yaml  (from the preset tdd-checked, fitted to this project): the modes, their transitions and gates',
        '+ .claude/settings.idle.json  (from the preset tdd-checked): permissions in idle',
      ]),
    );
  });

  test.each<[string, string, { [name: string]: string }, RegExp | null, string | null]>([
    ['no test command', 'tdd-checked', { 'README.md': '' }, /^No test command was found, so gates of tdd-checked /, 'tdd-words'],
    ['no test command, and gates in words', 'tdd-words', { 'README.md': '' }, null, null],
    [
      'no test command, and a gate that needs no results',
      'design-first',
      { 'README.md': '' },
      /^No test command was found/,
      null,
    ],
    [
      'a command whose runner is unknown',
      'tdd-checked',
      { Makefile: 'test:\n' },
      /^No test runner was found: .*make test.* stay closed.*`fails: make test` or `passes: make test`/,
      'tdd-words',
    ],
    [
      'a recipe whose runner is unknown',
      'tdd-checked',
      { justfile: 'test:\n    ./t\n' },
      /^No test runner was found: .*just test/,
      'tdd-words',
    ],
    ['the same for a gate that needs no results', 'design-first', { Makefile: 'test:\n' }, null, null],
    [
      'tests inside of sources',
      'tdd-checked',
      { 'Cargo.toml': '[package]\n', 'src/lib.rs': '#[cfg(test)]\nmod tests {\n' },
      /^src\/lib\.rs contains its own tests\./,
      null,
    ],
  ])('%s', async (_, preset, files, note, instead) => {
    const { fit } = (await setUp(files, preset)).plan;
    expect(fit?.notes).toEqual(note === null ? [] : [expect.stringMatching(note)]);
    expect(fit?.instead).toBe(instead);
    if (fit && instead !== null)
      expect(fitLines(fit).at(-1)).toBe(`modes init --preset ${instead} writes the same modes, with gates in words.`);
  });
});

test.each<[string, Record<string, unknown>, RegExp]>([
  [
    'a known package',
    { gh: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-github'] } },
    /`servers: \{gh: \{kind: github\}\}`/,
  ],
  ['a known address', { docs: { type: 'http', url: 'https://mcp.context7.com/mcp' } }, /`servers: \{docs: \{kind: context7\}\}`/],
  ['the longest known name', { aws: { command: 'uvx', args: ['awslabs.aws-docs@latest'] } }, /kind: aws-docs/],
  ['a name that only contains a known one', { github2: { command: 'x' } }, /modes servers github2/],
  [
    'an unknown one',
    { tickets: { command: 'tickets' } },
    /^Modes asks about each tool .*\(tickets\)\. `modes servers tickets` shows/,
  ],
])('for MCP servers in .mcp.json, the setup names %s and how to allow their read-only tools', async (_, mcpServers, note) => {
  const { fit } = (
    await setUp({ 'package.json': '{"scripts": {"test": "vitest run"}}', '.mcp.json': JSON.stringify({ mcpServers }) }, 'tdd')
  ).plan;
  expect(fit?.notes).toEqual([expect.stringMatching(note)]);
});

test('a test command whose further words could be a program is allowed exactly', async () => {
  const { decide } = await setUp({ DESCRIPTION: 'Suggests: testthat\n', 'tests/testthat/test-a.R': '' }, 'daic');
  expect(decide("Bash(Rscript -e 'testthat::test_local()')", 'discussion')).toBe('allow');
  expect(decide("Bash(Rscript -e 'testthat::test_local()' -e 'unlink(\"R\")')", 'discussion')).toBe('deny');
});

test('areas of the project join the lists of a preset that guards them', async () => {
  const { decide, plan } = await setUp(
    { 'package.json': '{}', 'src/login/form.ts': '', 'src/UserSession.ts': '', 'src/cart.ts': '', 'test/auth.test.ts': '' },
    'security-sensitive',
  );
  const guardedBy = (file: string) => [decide(`Write(${file})`, 'work'), decide(`Write(${file})`, 'sensitive')];
  expect(guardedBy('src/login/form.ts')).toEqual(['deny', 'ask']);
  expect(guardedBy('src/UserSession.ts')).toEqual(['deny', 'ask']);
  expect(guardedBy('src/cart.ts')).toEqual(['pass', 'pass']);
  // The lists have exceptions, and a place that matches a list apart from them is not added to it.
  expect(guardedBy('test/auth.test.ts')).toEqual(['pass', 'allow']);
  expect(plan.fit?.added.map(({ file }) => file)).toEqual(expect.arrayContaining(['.claude/settings.work.json']));
});

test('a gate that compares sources and tests compares folders with both; one for sources alone leaves them out', async () => {
  const files = { 'go.mod': 'module a\n', 'pkg/a.go': '', 'pkg/a_test.go': '', 'cmd/main.go': '' };
  const globsOf = async (preset: string, from: string) => {
    const { configured } = await setUp(files, preset);
    const { transitions = [] } = configured.config.known.topology?.modes.get(from) ?? {};
    return transitions.flatMap(({ require }) => require.flatMap((one) => (one.check === 'unchanged' ? one.globs : [])));
  };
  expect(await globsOf('security-sensitive', 'audit')).toEqual(expect.arrayContaining(['pkg/**', 'cmd/**', '*_test.go']));
  expect(await globsOf('refactoring', 'cover')).toEqual(['src/**', 'cmd/**', 'lib/**']);
});

/** A preset of one settings file, fitted to a project with these files. */
function fitted(files: { readonly [name: string]: string }, settings: string): ReturnType<typeof fitPreset> {
  const root = makeFolder();
  for (const [name, text] of Object.entries(files)) putFile(path.join(root, name), text);
  return fitPreset('own', [{ name: '.claude/settings.work.json', text: settings }], surveyProject(readProject(root)));
}

test.each<[string, string, string]>([
  [
    'where calls are asked about, in the layout of the list',
    '{\n  // npm test, in words.\n  "permissions": {\n    "allow": [\n      "Bash(npm test*)", // first\n      "Read(**)"\n    ]\n  }\n}\n',
    '{\n  // cargo test, in words.\n  "permissions": {\n    "allow": [\n      "Bash(cargo test:*)",\n      "Bash(cargo clippy)",\n      "Bash(cargo check)",\n      "Bash(cargo build)", // first\n      "Read(**)"\n    ]\n  }\n}\n',
  ],
  [
    'in one line',
    '{"permissions": {"allow": ["Bash(npm test*)", "Bash(cargo check)"]}}',
    '{"permissions": {"allow": ["Bash(cargo test:*)", "Bash(cargo clippy)", "Bash(cargo build)", "Bash(cargo check)"]}}',
  ],
  [
    'not where all that is allowed is listed',
    '{"permissions": {"default": "deny", "allow": ["Bash(npm test*)"]}}',
    '{"permissions": {"default": "deny", "allow": ["Bash(cargo test:*)"]}}',
  ],
  [
    'not where runs are verified',
    '{"permissions": {"allow": ["Bash(npm test*)"], "uncertain": "verify"}}',
    '{"permissions": {"allow": ["Bash(cargo test:*)"], "uncertain": "verify"}}',
  ],
  [
    'in place of those of the preset, without further arguments',
    '{"permissions": {"allow": ["Bash(npm run lint*)", "mcp__m__log(bash_cmd: npm run build*)", "Bash(npm run db*)"]}}',
    '{"permissions": {"allow": ["Bash(cargo clippy)", "mcp__m__log(bash_cmd: cargo build)", "Bash(npm run db*)"]}}',
  ],
])('commands besides the tests are written %s', (_, before, after) => {
  expect(fitted({ 'Cargo.toml': '[package]\n' }, before).files).toEqual([{ name: '.claude/settings.work.json', text: after }]);
});

test('cases match the files that are open in the project, and omit the removal of a folder that contains tests', async () => {
  const { get } = await setUp({ 'package.json': '{}', 'lib/cart.js': '', 'src/cart.test.js': '' });
  const cases = get('policies/tdd-checked.cases.yaml');
  expect(cases).toContain('- {call: Write(lib/split.js), mode: feature-dev, expect: allow}\n');
  expect(cases).toContain('- {call: Write(main.go), mode: feature-dev, expect: pass}\n');
  expect(cases).not.toContain('rm -rf src');
  expect(cases).toContain('rm -rf lib');
});

test('a command that YAML would read as something else is quoted', async () => {
  const { get, configured } = await setUp({ 'Shop, Inc/ShopTests.csproj': '' });
  expect(configured.problems).toEqual([]);
  expect(get('modes.yaml')).toContain(`tests: {command: "dotnet test 'Shop, Inc/ShopTests.csproj'", failing: new}`);
});

test('a folder that has modes already keeps them', async () => {
  const { plan, get } = await setUp({ '.claude/modes.yaml': 'default: a\nmodes: {a: {}}\n', 'go.mod': 'module a\n' });
  expect(plan.fit).toBeNull();
  expect(get('modes.yaml')).toBe('default: a\nmodes: {a: {}}\n');
});

test('a project without a manifest in its root names the projects below it', async () => {
  const { plan } = await setUp({
    'backend/pyproject.toml': '[project]\nname = "a"\n',
    'backend/tests/test_a.py': '',
    'web/app/package.json': '{}',
    'docs/a.md': '',
  });
  expect(plan.fit?.survey.below).toEqual(['backend', 'web/app']);
  expect(plan.fit?.notes[0]).toContain('Run modes init in the folder of a project (backend, web/app)');
});
