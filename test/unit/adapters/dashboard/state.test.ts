// What the dashboard says of a running session: gates fill as its server sees them held.

import { expect, test } from 'vitest';
import { pageState } from '../../../../src/adapters/dashboard/state.ts';
import { nobody, type Project as Opened, openProject } from '../../../../src/workflow/project.ts';
import { Session } from '../../../support/mcp-session.ts';
import { builtPlugin } from '../../../support/plugin.ts';
import { prepare } from '../../../support/prepare.ts';
import { gateByExitCodes, makeProject } from '../../../support/project.ts';

test('gates show the runs and writes of the session, which no other process knows', async () => {
  const project = makeProject({ example: 'tdd-checked' });
  gateByExitCodes(project);
  const session = await Session.start(project);
  const opened = openProject({ start: project.root, env: project.env(), packageRoot: await builtPlugin(), prepare }) as Opened;
  const gates = async () =>
    (await pageState(opened.for(nobody))).gates.map(
      ({ to, conditions }) => `${to} ${conditions.filter(({ holds }) => holds).length}/${conditions.length}`,
    );
  expect(await gates()).toEqual([]);
  await session.transition('test-dev');
  await expect.poll(gates, { timeout: 20_000 }).toEqual(['feature-dev 0/2']);
  project.put('test/a.test.js', 'throw new Error("not yet");\n');
  const call = { tool_name: 'Bash', tool_input: '{"command":"npm test"}', tool_use_id: 'toolu_run' };
  await session.event('PreToolUse', call);
  await session.event('PostToolUseFailure', { ...call, error: 'Exit code 1\nnot yet', is_interrupt: 'false' });
  await expect.poll(gates, { timeout: 20_000 }).toEqual(['feature-dev 2/2']);
  const { mode, words, machine } = await pageState(opened.for(nobody));
  expect([mode, words.includes('fails: npm test (holds)')]).toEqual(['test-dev', true]);
  expect(machine?.states.find(({ present }) => present)?.name).toBe('test-dev');
  await session.end();
  // Nobody saw the session's run any more.
  await expect.poll(gates, { timeout: 20_000 }).toEqual(['feature-dev 1/2']);
});

test('reports the problem if there is no machine to draw', async () => {
  const project = makeProject({ example: 'daic' });
  project.put('.claude/modes.yaml', 'name: [');
  const opened = openProject({ start: project.root, env: project.env(), packageRoot: await builtPlugin(), prepare }) as Opened;
  expect(await pageState(opened.for(nobody))).toMatchObject({
    svg: null,
    machine: null,
    gates: [],
    problems: expect.arrayContaining([
      expect.objectContaining({ severity: 'error', place: expect.stringMatching(/modes\.yaml:\d/) }),
    ]),
  });
});
