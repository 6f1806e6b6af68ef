// Which tool calls the client announced: only those may change anything, and each once.
import { describe, expect, test } from 'vitest';
import { CallHistory } from '../../../../src/adapters/mcp/calls.ts';

const tool = 'mcp__plugin_modes_modes__transition';
const own = 'transition';
const input = { target: 'feature-dev', explanation: 'it fails' };
const call = (changes: Partial<Parameters<CallHistory['note']>[1]> = {}) => ({
  tool,
  own,
  agentId: '',
  agentType: '',
  server: null,
  transcriptPath: null,
  session: 's',
  cwd: '/p',
  permissionMode: 'default',
  input,
  text: 'event',
  ...changes,
});

function seen(...notes: [string, ReturnType<typeof call>][]): CallHistory {
  const calls = new CallHistory();
  for (const [id, given] of notes) calls.note(id, given);
  return calls;
}

describe('a call', () => {
  test('that was announced may change the mode, once', () => {
    const calls = seen(['t1', call()]);
    expect(calls.refuse('t1', own, input)).toBeNull();
    expect(calls.refuse('t1', own, input)).toMatch(/did not announce/);
  });

  test('announced again after its use stays used', () => {
    const calls = seen(['t1', call()]);
    calls.refuse('t1', own, input);
    calls.note('t1', call());
    expect(calls.refuse('t1', own, input)).not.toBeNull();
  });

  test('announced twice in the same way counts as announced', () => {
    expect(seen(['t1', call()], ['t1', call()]).refuse('t1', own, input)).toBeNull();
  });

  test('announced in two different ways does not count, and a third announcement does not fix it', () => {
    const calls = seen(['t1', call()], ['t1', call({ text: 'other' })]);
    expect(calls.refuse('t1', own, input)).toMatch(/did not announce/);
    calls.note('t1', call());
    expect(calls.refuse('t1', own, input)).toMatch(/did not announce/);
  });

  test.each<[string, unknown, string, RegExp]>([
    ['without an id', undefined, own, /no tool-use id/],
    ['with an empty id', '', own, /no tool-use id/],
    ['with an id that is no text', 7, own, /no tool-use id/],
    ['with an id like a name of every object', 'constructor', own, /did not announce/],
    ['that was not announced', 't2', own, /did not announce/],
    ['announced for another tool', 't1', 'force_transition', /another call under this id/],
    ['of a subagent', 'sub', own, /subagent/],
  ])('%s may not', (_, id, asked, reason) => {
    expect(seen(['t1', call()], ['sub', call({ agentId: 'a1' })]).refuse(id, asked, input)).toMatch(reason);
  });

  test('refused for another tool is still valid for its own', () => {
    const calls = seen(['t1', call()]);
    calls.refuse('t1', 'other', input);
    expect(calls.refuse('t1', own, input)).toBeNull();
  });

  test('with the same arguments in another order may, with other ones not', () => {
    const { target, explanation } = input;
    expect(seen(['t1', call()]).refuse('t1', own, { explanation, target })).toBeNull();
    const calls = seen(['t1', call()]);
    for (const other of [{ ...input, target: 'idle' }, { target }, { ...input, more: 1 }, {}, null])
      expect(calls.refuse('t1', own, other)).toMatch(/other arguments/);
    expect(calls.refuse('t1', own, input)).toBeNull();
  });

  test('that has ended may not', () => {
    const calls = seen(['t1', call()]);
    expect(calls.end('t1', tool, 'result')).toBe('first');
    expect(calls.refuse('t1', own, input)).toMatch(/has ended/);
  });

  test.each<[string, string, string, ReturnType<CallHistory['end']>]>([
    ['the same again', tool, 'result', 'again'],
    ['a result that differs', tool, 'other', 'contradicted'],
    ['a result of another tool', 'Bash', 'result', 'contradicted'],
  ])('that ended and is told %s: %s', (_, ended, text, told) => {
    const calls = seen(['t1', call()]);
    calls.end('t1', tool, 'result');
    expect(calls.end('t1', ended, text)).toBe(told);
  });

  test('that ended as another tool is contradicted at once', () => {
    expect(seen(['t1', call()]).end('t1', 'Bash', 'result')).toBe('contradicted');
    expect(seen(['t1', call()]).end('t2', tool, 'result')).toBe('unknown');
  });

  test('reports the difference between announcements', () => {
    const calls = seen();
    expect([calls.note('t1', call()), calls.note('t1', call()), calls.note('t1', call({ text: 'other' }))]).toEqual([
      'first',
      'again',
      'contradicted',
    ]);
  });

  test('has its origin', () => {
    expect(seen(['t1', call()]).where('t1')).toMatchObject({ session: 's', cwd: '/p', permissionMode: 'default' });
    expect(seen().where('t1')).toBeNull();
    expect(seen().where(undefined)).toBeNull();
  });
});

test('a thousand announcements are stored, without their texts', () => {
  const calls = new CallHistory();
  for (let i = 0; i < 1_001; i++) calls.note(`t${i}`, call({ text: 'x'.repeat(100_000) }));
  expect(calls.refuse('t0', own, input)).toMatch(/did not announce/);
  expect(calls.refuse('t1', own, input)).toBeNull();
  expect(JSON.stringify([...(calls as unknown as { byId: Map<string, unknown> }).byId.values()]).length).toBeLessThan(500_000);
});
