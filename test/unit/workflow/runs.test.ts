// The ledger of what commands and subagents did: what gates will look at.
import { describe, expect, test } from 'vitest';
import { maxAgents, maxOutput, maxRuns, RunLedger } from '../../../src/workflow/gates/runs.ts';

const ledger = () => {
  let clock = 0;
  return new RunLedger(() => ++clock);
};
const one = { mode: 'test-dev', scope: '', entry: 'one' };
const two = { ...one, entry: 'two' };
const run = (changes: Partial<Parameters<RunLedger['start']>[0]> = {}) => ({
  id: 't1',
  command: 'npm test',
  replacement: null,
  cwd: '/p',
  session: 's',
  permissionMode: 'default',
  agentId: null,
  visit: one,
  ...changes,
});
const failed = { ending: { how: 'failed' as const, exitCode: 1 }, visit: one, output: 'oh' };

describe('a run', () => {
  test('is open until its end is reported, and stores place, time and result', () => {
    const runs = ledger();
    runs.start(run());
    expect(runs.runs()).toEqual([{ ...run(), startedAt: 1, endedAt: null, ending: null, output: '' }]);
    runs.end('t1', failed);
    expect(runs.runs()).toEqual([{ ...run(), startedAt: 1, endedAt: 2, ending: failed.ending, output: 'oh' }]);
  });

  test('that began and ended in different visits belongs to none', () => {
    const runs = ledger();
    runs.start(run());
    runs.end('t1', { ...failed, visit: two });
    expect(runs.runs()[0]).toMatchObject({ visit: null, ending: failed.ending });
  });

  test('starts and ends once', () => {
    const runs = ledger();
    runs.start(run());
    runs.start(run({ command: 'true' }));
    runs.end('t1', failed);
    runs.end('t1', { ...failed, ending: { how: 'passed' } });
    runs.end('unknown', failed);
    expect(runs.runs()).toEqual([expect.objectContaining({ command: 'npm test', ending: failed.ending })]);
  });

  test('that is contradicted proves nothing, whether it ended or not, and no later end fixes it', () => {
    const runs = ledger();
    runs.start(run());
    runs.void('t1', 'why');
    runs.end('t1', failed);
    runs.start(run({ id: 't2' }));
    runs.end('t2', failed);
    runs.void('t2', 'why');
    runs.void('unknown', 'why');
    expect(runs.runs().map(({ ending }) => ending)).toEqual([
      { how: 'void', why: 'why' },
      { how: 'void', why: 'why' },
    ]);
  });

  test('of a thread that stopped was interrupted; of others it goes on', () => {
    const runs = ledger();
    runs.start(run({ id: 'main' }));
    runs.start(run({ id: 'done' }));
    runs.end('done', failed);
    runs.start(run({ id: 'sub', agentId: 'a' }));
    runs.start(run({ id: 'other', session: 'other' }));
    runs.stopped('s', null);
    expect(runs.runs().map(({ id, ending }) => [id, ending?.how])).toEqual([
      ['main', 'interrupted'],
      ['done', 'failed'],
      ['sub', undefined],
      ['other', undefined],
    ]);
    runs.stopped('s', 'a');
    expect(runs.runs()[2]?.ending).toEqual({ how: 'interrupted' });
  });

  test('is kept among the newest, its output cut', () => {
    const runs = ledger();
    for (let i = 0; i <= maxRuns; i++) runs.start(run({ id: `t${i}` }));
    runs.end(`t${maxRuns}`, { ...failed, output: 'x'.repeat(maxOutput + 1) });
    expect(runs.runs()).toHaveLength(maxRuns);
    expect(runs.runs()[0]?.id).toBe('t1');
    expect(runs.runs().at(-1)?.output).toBe(`${'x'.repeat(maxOutput)}\n… 1 characters …`);
  });
});

describe('a subagent', () => {
  const agent = { id: 'a1', type: 'reviewer', session: 's', visit: one };
  test.each<[string, string | null]>([
    ['line one\nPASS', 'PASS'],
    ['PASS\r\n\n  \n', 'PASS'],
    ['PASS\nbut not really', 'but not really'],
    ['', null],
    ['\n \n', null],
  ])('whose last message is %j ends with %j', (message, line) => {
    const runs = ledger();
    runs.startAgent(agent);
    expect(runs.agents()).toEqual([{ ...agent, startedAt: 1, endedAt: null, lastLine: null }]);
    runs.endAgent('a1', 'reviewer', one, message);
    expect(runs.agents()).toEqual([{ ...agent, startedAt: 1, endedAt: 2, lastLine: line }]);
  });

  test('does not count under another type, belongs to no visit that ended, and is not created by its end', () => {
    const runs = ledger();
    runs.startAgent(agent);
    runs.endAgent('a1', 'other', two, 'PASS');
    runs.endAgent('a2', 'reviewer', two, 'PASS');
    expect(runs.agents()).toEqual([expect.objectContaining({ lastLine: null, visit: null })]);
  });

  test('that ended last is the last, regardless of clock changes', () => {
    let clock = 100;
    const runs = new RunLedger(() => clock--);
    for (const id of ['a', 'b']) runs.startAgent({ ...agent, id });
    for (const id of ['b', 'a']) runs.endAgent(id, 'reviewer', one, id);
    expect(runs.agents().map(({ lastLine }) => lastLine)).toEqual(['b', 'a']);
  });

  test('is kept among the newest', () => {
    const runs = ledger();
    for (let i = 0; i <= maxAgents; i++) runs.startAgent({ ...agent, id: `a${i}` });
    expect(runs.agents()).toHaveLength(maxAgents);
  });
});

test('evidence that was forfeited is gone and does not come back [w:evidence.forfeit]', () => {
  const runs = ledger();
  runs.start(run());
  runs.startAgent({ id: 'a1', type: 't', session: 's', visit: null });
  expect(runs.forfeited).toBeNull();
  runs.forfeit('a foreign hook');
  runs.forfeit('another');
  runs.start(run({ id: 't2' }));
  runs.startAgent({ id: 'a2', type: 't', session: 's', visit: null });
  expect([runs.runs(), runs.agents(), runs.forfeited]).toEqual([[], [], 'a foreign hook']);
});
