// modes policy check, fmt, build, export and diff: what each prints, writes and exits with.
import fs from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { unifiedDiff } from '../../../../src/adapters/cli/policy-fmt.ts';
import { callsLogged } from '../../../../src/adapters/cli/policy-questions.ts';
import { Evaluator } from '../../../../src/policy/evaluator.ts';
import { logFolder } from '../../../../src/store/log/files.ts';
import type { Project } from '../../../support/project.ts';
import { makePolicies, type Policy, PUSH, policy, policyInside, policyProgram } from './policies.ts';

const BIG = '.claude/policies/big.rego';

let program: Policy;
beforeAll(async () => {
  program = await policyProgram();
}, 120_000);

/** Files of a tar by name. */
function unpack(file: string): Map<string, Buffer> {
  const tar = gunzipSync(fs.readFileSync(file));
  const found = new Map<string, Buffer>();
  for (let at = 0; tar[at] !== 0; ) {
    const name = tar.toString('utf8', at, at + 100).replace(/\0.*$/s, '');
    const size = Number.parseInt(tar.toString('latin1', at + 124, at + 135), 8);
    found.set(name, tar.subarray(at + 512, at + 512 + size));
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return found;
}

describe('usage', () => {
  test.each<[string[], number, RegExp]>([
    [['--help'], 0, /test .*check .*fmt .*build .*export .*diff/s],
    [['test', '--help'], 0, /expect: deny/],
    [['check', '--help'], 0, /input\.tol\.name/],
    [['build', '--help'], 0, /opa run --server/],
    [['nope'], 64, /unknown command|Usage/],
    [['build', '--mode', 'nope'], 64, /there is no mode "nope"; modes: idle/],
    [['build', '--target', 'x'], 64, /opa or wasm/],
    [['build', '-o', '.'], 64, /cannot be written \(EISDIR\)/],
    [['export', '-o', '.claude/modes.yaml'], 64, /cannot be written \(E\w+\)/],
    [['diff', 'a'], 64, /missing required argument/],
    [['fmt', 'nowhere'], 64, /there is no nowhere/],
  ])('%j', async (args, code, text) => {
    const ended = await policy(makePolicies({}), ...args);
    expect(ended.code).toBe(code);
    expect(ended.out + ended.err).toMatch(text);
  });
});

describe('check', () => {
  test('reports success, or the problems with a caret and a remedy', async () => {
    const project = makePolicies({ 'push.rego': PUSH });
    expect(await program(project, 'check')).toMatchObject({
      code: 0,
      out: '.claude/policies: 1 file of policy, 0 files of tests, 0 cases: no problems\n',
    });
    project.put('.claude/policies/typo.rego', 'package modes.policy.typo\n\ndeny contains "x" if input.tol.name == "Bash"\n');
    project.put('.claude/policies/typo.cases.yaml', '- {call: Bash(ls), mode: nope, expect: deny}\n');
    const ended = await policy(project, 'check');
    expect(ended.code).toBe(1);
    expect(ended.err).toMatch(
      /typo\.rego:3:22 E_REGO_TYPE `input\.tol\.name` does not exist: here it is `input\.tool`\n.*\n +\^/,
    );
    expect(ended.err).toMatch(/typo\.cases\.yaml:1:\d+ E_UNKNOWN_MODE/);
    expect(JSON.parse((await policy(project, 'check', '--json')).out)).toMatchObject({ ok: false, errors: 2 });
  });
});

describe('fmt', () => {
  const MESSY = 'package   modes.policy.p\ndeny contains "x" if   input.mode=="idle"\n';
  test('names the rewritten files, and then finds nothing to change', async () => {
    const project = makePolicies({ 'p.rego': MESSY });
    expect(await policy(project, 'fmt', '--check')).toMatchObject({ code: 1, out: '.claude/policies/p.rego\n' });
    const diff = await policy(project, 'fmt', '--diff');
    expect(diff.out).toContain(
      '-deny contains "x" if   input.mode=="idle"\n+package modes.policy.p\n+\n+deny contains "x" if input.mode == "idle"',
    );
    expect(project.get('.claude/policies/p.rego')).toBe(MESSY);
    expect(await program(project, 'fmt')).toMatchObject({ code: 0, out: '.claude/policies/p.rego\n' });
    expect(await policy(project, 'fmt', '--check')).toMatchObject({ code: 0, out: '' });
  });

  test('leaves files that are not Rego unchanged and names the place', async () => {
    const project = makePolicies({ 'p.rego': MESSY, 'q.rego': 'package q\n\nx if {\n' });
    const ended = await policy(project, 'fmt');
    expect(ended).toMatchObject({ code: 1, out: '' });
    expect(ended.err).toContain('q.rego:');
    expect(project.get('.claude/policies/p.rego')).toBe(MESSY);
  });

  test('a difference has three lines of context', () => {
    const before = [...'abcdefghijklmnopqrst', ''].join('\n');
    const after = before.replace('b', 'B').replace('r\n', '').concat('u\n');
    expect(unifiedDiff('f', before, after).split('\n')).toEqual(
      '--- f|+++ f|@@ -1,5 +1,5 @@| a|-b|+B| c| d| e|@@ -15,6 +15,6 @@| o| p| q|-r| s| t|+u'.split('|'),
    );
    expect(unifiedDiff('f', 'a\nb', 'a\nb\n').split('\n')).toEqual(
      '--- f|+++ f|@@ -1,2 +1,2 @@| a|-b|\\ No newline at end of file|+b'.split('|'),
    );
  });

  test('does not rewrite a file that is not UTF-8', async () => {
    const project = makePolicies({});
    const file = project.put('.claude/policies/p.rego', '');
    const bytes = Buffer.from(`# caf\xe9\n${MESSY}`, 'latin1');
    fs.writeFileSync(file, bytes);
    const ended = await policy(project, 'fmt');
    expect(ended.code).toBe(1);
    expect(ended.err).toContain('.claude/policies/p.rego:1:6 E_ENCODING');
    expect(fs.readFileSync(file).equals(bytes)).toBe(true);
  });
});

test('no option writes a file inside the client', async () => {
  const project = makePolicies({ 'push.rego': `${PUSH}\n\n\n`, 'p.cases.yaml': '- {call: Read(a), expect: allow}\n' });
  const before = fs.readdirSync(project.root, { recursive: true });
  for (const args of [
    ['fmt'],
    ['build'],
    ['build', '-o', '.claude/modes.yaml'],
    ['export', '-o', '.claude/policies'],
    ['test', '--junit', '.claude/settings.any.json'],
    ['coverage', '-o', 'coverage.txt'],
  ]) {
    const ended = await policyInside(project, ...args);
    expect(ended.code, args.join(' ')).toBe(64);
    expect(ended.err, args.join(' ')).toMatch(/in their own terminal/);
  }
  expect(fs.readdirSync(project.root, { recursive: true })).toEqual(before);
  expect(project.get('.claude/policies/push.rego')).toMatch(/\n\n\n\n$/);
  expect(await policyInside(project, 'test')).toMatchObject({ code: 0 });
  expect(await policyInside(project, 'fmt', '--check')).toMatchObject({ code: 1 });
});

const said = (name: string) => `package modes.policy.${name}\n\ndeny contains "by ${name}" if input.mode == "idle"\n`;

describe('build', () => {
  test('writes a bundle with Rego, data and WASM, the same bytes each time', async () => {
    const project = makePolicies({ 'push.rego': PUSH });
    const ended = await program(project, 'build', '--mode', 'feature-dev', '--json');
    expect(JSON.parse(ended.out)).toMatchObject({ mode: 'feature-dev', bundle: expect.stringMatching(/^sha256:/) });
    const files = unpack(path.join(project.root, 'feature-dev.tar.gz'));
    expect([...files.keys()]).toEqual(
      expect.arrayContaining([
        '/.manifest',
        '/data.json',
        '/policy.wasm',
        '/policies/verdict.rego',
        '/claude/policies/push.rego',
      ]),
    );
    const manifest = JSON.parse(files.get('/.manifest')!.toString());
    expect(manifest).toMatchObject({ roots: ['modes', 'rules'], rego_version: 1, metadata: { mode: 'feature-dev' } });
    expect(manifest.wasm).toBeUndefined();
    const evaluator = new Evaluator(files.get('/policy.wasm')!);
    evaluator.setData(JSON.parse(files.get('/data.json')!.toString()));
    expect(evaluator.entrypoints).toContain('modes/verdict');
    const first = fs.readFileSync(path.join(project.root, 'feature-dev.tar.gz'));
    await policy(project, 'build', '--mode', 'feature-dev', '-o', 'again.tar.gz');
    expect(fs.readFileSync(path.join(project.root, 'again.tar.gz')).equals(first)).toBe(true);
    await policy(project, 'build', '--target', 'wasm', '-o', 'wasm.tar.gz');
    const wasm = unpack(path.join(project.root, 'wasm.tar.gz'));
    expect([...wasm.keys()].sort()).toEqual(['/.manifest', '/data.json', '/policy.wasm']);
    expect(JSON.parse(wasm.get('/.manifest')!.toString()).wasm).toContainEqual({
      entrypoint: 'modes/verdict',
      module: '/policy.wasm',
    });
  });

  test('contains every policy, with equal file names in several layers and names of any length', async () => {
    const project = makePolicies({ 'push.rego': PUSH, [`${'long'.repeat(25)}/far.rego`]: said('far') });
    fs.mkdirSync(path.join(project.home, '.claude/policies'), { recursive: true });
    fs.writeFileSync(path.join(project.home, '.claude/policies/push.rego'), said('user'));
    expect((await policy(project, 'build', '--layers', '-o', 'x.tar.gz')).code).toBe(0);
    const texts = [...unpack(path.join(project.root, 'x.tar.gz')).values()].map((bytes) => bytes.toString());
    await policy(project, 'export', '--layers', '-o', 'out');
    const exported = fs.readdirSync(path.join(project.root, 'out'), { recursive: true, withFileTypes: true });
    const written = exported
      .filter((one) => one.isFile())
      .map((one) => fs.readFileSync(path.join(one.parentPath ?? one.path, one.name), 'utf8'));
    for (const text of [PUSH, said('far'), said('user')]) {
      expect(texts).toContain(text);
      expect(written).toContain(text);
    }
  });

  test('writes nothing for a broken configuration', async () => {
    const project = makePolicies({ 'push.rego': `${PUSH}\ndeny := 1\n` });
    const ended = await policy(project, 'build', '-o', 'x.tar.gz');
    expect(ended.code).toBe(1);
    expect(ended.err).toContain('push.rego');
    expect(fs.existsSync(path.join(project.root, 'x.tar.gz'))).toBe(false);
  });
});

test('export prints the rules with their places, or writes all that OPA needs', async () => {
  const project = makePolicies({ 'push.rego': PUSH });
  const printed = await program(project, 'export', '--mode', 'test-dev');
  expect(printed.out).toMatch(/^# deny Write\(src\/\*\*\)\n# \.claude\/settings\.test-dev\.json:\d+$/m);
  expect((await policy(project, 'export', '--mode', 'test-dev', '-o', 'out')).code).toBe(0);
  expect(`${project.get('out/rules.rego').trimEnd()}\n`).toBe(printed.out);
  expect(project.get('out/generated/custom.rego')).toContain('no_force_push');
});

test('diff names the calls that two configurations decide differently', async () => {
  const cases =
    '- {call: Bash(git push --force), mode: feature-dev, expect: deny}\n- {call: Read(a), mode: idle, expect: pass}\n';
  const before = makePolicies({ 'p.cases.yaml': cases });
  const after = makePolicies({ 'push.rego': PUSH, 'p.cases.yaml': cases });
  const ended = await program(after, 'diff', before.root, '.');
  expect(ended.code).toBe(1);
  expect(ended.out).toMatch(/^pass → deny {2}Bash\(git push --force\) {2}in feature-dev {2}\(.*p\.cases\.yaml:1\)$/m);
  expect(ended.out).toContain('1 of 2 calls are decided differently');
  expect(await policy(after, 'diff', '.', '.claude')).toMatchObject({ code: 0 });
});

test('diff decides the calls of both decision logs, as if those of the first had been made in the second', async () => {
  const before = makePolicies({});
  const after = makePolicies({ 'push.rego': PUSH });
  const event = (tool: string, input: object) =>
    JSON.stringify({
      type: 'openpolicyagent.org/decision_logs',
      decision_id: '0123456789ab',
      labels: { cwd: before.root, permission_mode: 'default' },
      input: { tool: { name: tool, input }, agent: { id: null, type: null } },
      bundles: {},
      result: { decision: 'pass', mode: 'feature-dev', tool, by: 'default', rules: [], reason: '', remedy: '' },
      timestamp: '2026-01-01T00:00:00Z',
    });
  const lines = [
    event('Bash', { command: 'git push --force' }),
    event('Write', { file_path: `${before.root}/src/a.js`, content: '' }),
  ];
  const folder = logFolder(after.data, fs.realpathSync(before.root));
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'decisions-00000001.jsonl'), lines.map((one) => `${one}\n`).join(''));
  const ended = await policy(after, 'diff', before.root, '.', '--json');
  const { compared, changed } = JSON.parse(ended.out);
  expect(compared).toBe(2);
  expect(changed).toEqual([
    expect.objectContaining({ call: 'Bash(git push --force)', after: expect.objectContaining({ decision: 'deny' }) }),
  ]);
  const { questions } = callsLogged([before.root, after.root], after.root, { CLAUDE_CONFIG_DIR: path.dirname(after.data) });
  const root = fs.realpathSync(after.root);
  expect(questions.map(({ call }) => call.cwd)).toEqual([root, root]);
  expect(questions.map(({ call }) => call.input)).toContainEqual({ file_path: `${root}/src/a.js`, content: '' });
});

test('diff decides the completely logged calls of the decision log, too', async () => {
  const before = makePolicies({});
  const after = makePolicies({ 'push.rego': PUSH });
  const line = (input: object, more: object = {}) =>
    JSON.stringify({
      type: 'openpolicyagent.org/decision_logs',
      decision_id: '0123456789ab',
      labels: { cwd: after.root, permission_mode: 'default' },
      input: { tool: { name: 'Bash', input }, agent: { id: null, type: null } },
      bundles: {},
      result: { decision: 'pass', mode: 'feature-dev', tool: 'Bash', by: 'default', rules: [], reason: '', remedy: '' },
      timestamp: '2026-01-01T00:00:00Z',
      ...more,
    });
  const lines = [
    line({ command: 'git push --force' }),
    line({ command: 'git push --force' }),
    line({ command: 'git status' }),
    line({ command: 'git push --force [redacted]' }, { masked: ['/input/tool/input/command'] }),
    'torn',
  ];
  const folder = logFolder(after.data, fs.realpathSync(after.root));
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'decisions-00000001.jsonl'), lines.map((one) => `${one}\n`).join(''));
  const ended = await policy(after, 'diff', before.root, '.');
  expect(ended.out).toMatch(/^\w+ → deny {2}Bash\(git push --force\) {2}in feature-dev {2}\(log 01234567\)$/m);
  expect(ended.out).toContain('1 of 2 calls are decided differently');
  expect(ended.out).toContain('1 calls are incomplete in the log');
  expect(ended.code).toBe(1);
});

describe('bad input is reported clearly', () => {
  const named = (name: string, rule: string) => `package modes.policy.${name}\n\n${rule}\n`;

  test.each<[string, (project: Project) => void, RegExp]>([
    ['a file of 5 MB', (project) => project.put(BIG, `${PUSH}# ${'x'.repeat(5_000_000)}\n`), /big\.rego E_TOO_LARGE/],
    [
      'bytes that are no UTF-8',
      (project) => fs.writeFileSync(project.put(BIG, ''), Buffer.from([0x70, 0xff, 0x0a])),
      /big\.rego:1:2 E_ENCODING/,
    ],
    [
      'a link out of the project',
      (project) => fs.symlinkSync('/etc/hostname', path.join(project.root, BIG)),
      /big\.rego E_LEAVES_PROJECT/,
    ],
    [
      'a rule that needs itself',
      (project) => project.put(BIG, named('big', 'deny contains x if some x in deny')),
      /big\.rego:3:1 E_REGO_RECURSION/,
    ],
    ['a text instead of a set', (project) => project.put(BIG, named('big', 'deny := "no"')), /big\.rego:3:1 E_POLICY_SHAPE/],
    ['another package', (project) => project.put(BIG, 'package big\n'), /big\.rego:1:1 E_POLICY_PACKAGE/],
  ])('%s', async (_, put, text) => {
    const project = makePolicies({ 'push.rego': PUSH });
    put(project);
    const ended = await policy(project, 'check');
    expect(ended.code).toBe(1);
    expect(ended.err).toMatch(text);
  });

  test('2,000 rules of one name are accepted', async () => {
    const rules = Array.from(
      { length: 2000 },
      (_, at) => `deny contains "x" if input.mode == input.event\n\ndeny contains "${at}" if input.mode == "idle"`,
    );
    expect(await policy(makePolicies({ 'many.rego': named('many', rules.join('\n\n')) }), 'check')).toMatchObject({ code: 0 });
  }, 240_000);

  test('an endless policy denies and is named', async () => {
    const endless = 'deny contains "x" if count([1 | some a, b, c in numbers.range(1, 3000); a * b * c == 7]) > 9';
    const project = makePolicies({
      'slow.rego': named(
        'slow',
        endless.replace(
          'some a, b, c in numbers.range(1, 3000)',
          'some a in numbers.range(1, 3000); some b in numbers.range(1, 3000); some c in numbers.range(1, 3000)',
        ),
      ),
      'slow.cases.yaml': '- {call: Bash(ls), mode: feature-dev, expect: deny, reason: policy slow takes longer}\n',
    });
    expect(await policy(project, 'test')).toMatchObject({ code: 0 });
  });
});
