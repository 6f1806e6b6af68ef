// One list of problems: every verb that shows problems shows this one.
import { expect, test } from 'vitest';
import { modesHere } from '../../../support/command-line.ts';
import { makeProject } from '../../../support/project.ts';
import { makePolicies } from './policies.ts';

const WRONG = 'package modes.policy.p\n\ndeny contains "no push" if contains(input.tool_input.command, "push")\n';
const UNUSED = 'package modes.policy.p\n\ndeny contains "x" if {\n\ty := 1\n\tinput.mode == "idle"\n}\n';
const place = /p\.rego:3/;
const meant = 'here it is `input.bash.commands[_].text`';

type Project = ReturnType<typeof makePolicies>;
const run = (project: Project, words: string, types?: string) =>
  modesHere(words.split(' '), { cwd: project.root, env: { HOME: project.home, PATH: '/usr/bin:/bin' }, types });

test.each<[words: string, code: number]>([
  ['validate', 1],
  ['policy check', 1],
  ['trust', 1],
  ['status', 0],
  ['doctor --no-client', 1],
])('modes %s names the error of a policy, its place and the intended field [s:policy.one-list]', async (words, code) => {
  const project = makePolicies({ 'p.rego': WRONG }, { whole: true });
  const ended = await run(project, words, 'yes');
  const said = ended.out + ended.err;
  expect(said).toMatch(place);
  expect(said).toContain(meant);
  expect(ended.code, said).toBe(code);
});

test('modes trust shows warnings before it asks, and approves', async () => {
  const project = makePolicies({ 'p.rego': UNUSED }, { whole: true });
  const ended = await run(project, 'trust', 'yes');
  expect(ended.err).toMatch(/p\.rego:4:\d+ W_REGO_UNUSED[\s\S]*Approve|p\.rego:4:\d+ W_REGO_UNUSED/);
  expect(ended).toMatchObject({ code: 0, out: expect.stringContaining('Trusted') });
});

test('modes check uses no policy with an error: calls that it would deny are denied with the place of the error', async () => {
  const project = makePolicies({ 'p.rego': WRONG }, { whole: true });
  const ended = await modesHere(['check', '--mode', 'feature-dev', '--json', 'Bash(git push)'], {
    cwd: project.root,
    env: { HOME: project.home, PATH: '/usr/bin:/bin' },
  });
  expect(ended.out).toMatch(/"decision": "deny"/);
  expect(ended.out).toContain(meant);
});

test.each<[what: string, permissions: object, files: Record<string, string>, named: RegExp | null]>([
  [
    'the configuration of a runner',
    { allow: ['Write(**)'] },
    { 'conftest.py': '' },
    /Write\(\*\*\) lets the agent rewrite conftest\.py, and it changes what the tests of the gate to b mean/,
  ],
  ['one in a folder of tests', { allow: ['Write(tests/**)'] }, { 'tests/conftest.py': '' }, /rewrite tests\/conftest\.py/],
  [
    'a plugin that the configuration names',
    { allow: ['Write(tests/**)'] },
    { 'pytest.ini': '[pytest]\naddopts = -p tests.plugin\n', 'tests/plugin.py': '' },
    /rewrite tests\/plugin\.py/,
  ],
  ['one that asks', { allow: ['Write(**)'], ask: ['Write({conftest.py,pytest.ini})'] }, { 'conftest.py': '' }, null],
  ['one that no rule allows', { allow: ['Write(src/**)'] }, { 'conftest.py': '' }, null],
  ['a test file alone', { allow: ['Write(tests/**)'] }, { 'tests/test_a.py': '' }, null],
])(
  'validate warns of an open file that affects the meaning of a gate’s tests: %s [w:tests.open]',
  async (_, permissions, files, named) => {
    const project = makeProject({ example: null });
    project.put(
      '.claude/modes.yaml',
      'name: v\ndefault: a\nmodes:\n  a:\n    transitions: [{to: b, require: [{tests: {command: pytest -v, failing: new}}]}]\n  b: {}\n',
    );
    project.put('.claude/settings.a.json', JSON.stringify({ permissions }));
    project.put('.claude/settings.b.json', JSON.stringify({ permissions: {} }));
    for (const [name, text] of Object.entries(files)) project.put(name, text);
    const { err, out } = await modesHere(['validate'], { cwd: project.root, env: { HOME: project.home, PATH: '/usr/bin:/bin' } });
    if (named === null) expect(err + out).not.toContain('W_GATE_WRITABLE');
    else expect(err + out).toMatch(named);
  },
);
