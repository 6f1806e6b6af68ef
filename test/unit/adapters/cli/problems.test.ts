// One list of problems: every verb that shows problems shows this one.
import { expect, test } from 'vitest';
import { modesHere } from '../../../support/command-line.ts';
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
])('modes %s names the error of a policy, its place and the field that was meant [s:policy.one-list]', async (words, code) => {
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

test('modes check decides nothing by a policy with an error: what it would deny is denied with its place', async () => {
  const project = makePolicies({ 'p.rego': WRONG }, { whole: true });
  const ended = await modesHere(['check', '--mode', 'feature-dev', '--json', 'Bash(git push)'], {
    cwd: project.root,
    env: { HOME: project.home, PATH: '/usr/bin:/bin' },
  });
  expect(ended.out).toMatch(/"decision": "deny"/);
  expect(ended.out).toContain(meant);
});
