// One list of problems: whoever plants a problem sees its code in every place that shows problems.
import path from 'node:path';
import { expect, test } from 'vitest';
import { pageState } from '../../../../src/adapters/dashboard/state.ts';
import { answersOf } from '../../../../src/adapters/socket/answers.ts';
import { startProblems } from '../../../../src/app/problems.ts';
import { type Project as Opened, openProject } from '../../../../src/workflow/project.ts';
import { modesHere } from '../../../support/command-line.ts';
import { builtPlugin, repository } from '../../../support/plugin.ts';
import { prepare } from '../../../support/prepare.ts';
import { run } from '../../../support/project.ts';
import { makePolicies } from './policies.ts';

const policy = (body: string) => `package modes.policy.p\n\ndeny contains "x" if ${body}\n`;
const rules = (permissions: object) => ({ '../settings.feature-dev.json': JSON.stringify({ permissions }) });
const gate = `name: gate
default: feature-dev
modes:
  feature-dev:
    transitions:
      - to: idle
        require:
          - passes: npm test
  idle:
    transitions:
      - to: feature-dev
`;

const kinds: [kind: string, code: string, files: Record<string, string>][] = [
  ['a syntax error', 'E_REGO_PARSE', { 'p.rego': policy('{') }],
  ['an undefined reference', 'E_POLICY_NEVER', { 'p.rego': policy('data.modes.lib.nothing_of_that_name') }],
  ['an undefined variable', 'E_REGO_UNSAFE_VAR', { 'p.rego': policy('nothing_of_that_name') }],
  ['an unknown field of input', 'E_REGO_TYPE', { 'p.rego': policy('input.tool_input.command == "x"') }],
  ['a rule that matches nothing', 'W_RULE_NEVER', rules({ deny: ['Bash(if x:*)'] })],
  ['a gate that cannot hold', 'W_GATE_CLOSED', { '../modes.yaml': gate, ...rules({ deny: ['Bash(npm test)'] }) }],
  ['a wide rule', 'W_RULE_WIDE', rules({ allow: ['Bash(node:*)'] })],
];

const verbs = ['validate', 'policy check', 'trust', 'status', 'doctor --no-client'];

test.each(kinds)('%s has its code in all seven places [s:policy.one-list]', async (_, code, files) => {
  const project = makePolicies(files);
  const env = { HOME: project.home, PATH: '/usr/bin:/bin' };
  const shown = new Map<string, string>();
  for (const verb of verbs) {
    const { out, err } = await modesHere(verb.split(' '), { cwd: project.root, env, types: 'no' });
    shown.set(verb, out + err);
  }
  const opened = openProject({ start: project.root, env: project.env(), packageRoot: repository, prepare }) as Opened;
  await opened.ready();
  const caller = { session: null, cwd: project.root };
  shown.set('dashboard', JSON.stringify((await pageState(opened.for(caller))).problems));
  const answers = answersOf(opened, 'build', { note: () => undefined } as never);
  shown.set('session start', await answers.context('SessionStart', caller));
  const missing = [...shown].filter(([, text]) => !text.includes(code)).map(([place, text]) => `${place}: ${text}`);
  expect(missing).toEqual([]);
});

test('the process that replaces the server shows warnings at the start of a session as well', async () => {
  const project = makePolicies(rules({ allow: ['Bash(node:*)'] }));
  const hook = path.join(await builtPlugin(), 'dist/hook.cjs');
  const stdin = JSON.stringify({ hook_event_name: 'SessionStart', cwd: project.root });
  const start = await run(process.execPath, [hook, 'SessionStart', project.root], { cwd: '/', env: project.env(), stdin });
  expect(start).toMatchObject({ code: 0, out: expect.stringMatching(/1 warning \(W_RULE_WIDE\)/) });
});

test('the start of a session names the first three and counts the rest, errors and warnings separately', async () => {
  const names = ['node', 'bash', 'python3', 'perl', 'ruby'];
  const project = makePolicies(rules({ allow: names.map((name) => `Bash(${name}:*)`) }));
  const opened = openProject({ start: project.root, env: project.env(), packageRoot: repository, prepare }) as Opened;
  await opened.ready();
  const text = await startProblems(opened.for({ session: null, cwd: project.root }));
  expect(text).toContain('5 warnings (W_RULE_WIDE 5 times). Run modes validate');
  expect(text.split('\n').slice(1)).toHaveLength(3);
  expect(text.length).toBeLessThan(1_200);
});
