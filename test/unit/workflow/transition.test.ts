// Why a transition is refused: each refusal has its own reason.
import { describe, expect, test } from 'vitest';
import type { Topology } from '../../../src/model/configuration.ts';
import { noAuthority } from '../../../src/workflow/grants.ts';
import { noWork } from '../../../src/workflow/plan/work.ts';
import type { ModeState } from '../../../src/workflow/state.ts';
import { findTransition, type Refusal, refuseForce, refuseUnmet, unmetApproval } from '../../../src/workflow/transition.ts';
import { tdd, topologyOf } from '../../support/topology.ts';

const at = (mode: string | null): ModeState => ({
  mode,
  degraded: mode === null ? { code: 'E_JOURNAL_BROKEN', message: 'the journal of modes is damaged: x' } : null,
  since: null,
  enteredBy: null,
  entries: [],
  work: noWork,
  authority: noAuthority,
});
const gated = topologyOf({ idle: [{ to: 'live', approve: 'human' }], live: ['*'], other: [] });

/** What the model is told of an edge that nobody approved; null: it may be taken. */
function refuse(target: unknown, explanation: unknown, state: ModeState, topology: Topology | null): Refusal | null {
  const found = findTransition(target, explanation, state, topology);
  return found.success ? refuseUnmet(state.mode, found.transition, unmetApproval(found.transition, null)) : found;
}

describe('a requested transition', () => {
  const rows: [string, unknown, unknown, string | null][] = [
    ['an edge that is there', 'test-dev', 'because', null],
    ['an empty target', '', 'because', 'The target is missing'],
    ['a blank target', ' \n', 'because', 'The target is missing'],
    ['no target', undefined, 'because', 'The target is missing'],
    ['a target that is no text', 7, 'because', 'The target is missing'],
    ['an empty explanation', 'test-dev', '', 'explanation is required'],
    ['a blank explanation', 'test-dev', ' \t ', 'explanation is required'],
    ['no explanation', 'test-dev', null, 'explanation is required'],
    ['an explanation that is no text', 'test-dev', {}, 'explanation is required'],
    ['an unknown mode', 'test-dve', 'because', "Mode 'test-dve' does not exist"],
    ['a mode with blanks around it', ' test-dev ', 'because', "Mode ' test-dev ' does not exist"],
    ['the present mode', 'idle', 'because', "Already in mode 'idle'"],
    ['a mode without an edge to it', 'feature-dev', 'because', "Transition from 'idle' to 'feature-dev' is not allowed"],
    ['a name of every object', 'constructor', 'because', "Mode 'constructor' does not exist"],
    ['the prototype', '__proto__', 'because', "Mode '__proto__' does not exist"],
    ['a star', '*', 'because', "Mode '*' does not exist"],
  ];
  test.each(rows)('%s', (_, target, explanation, reason) => {
    const refusal = refuse(target, explanation, at('idle'), tdd);
    expect(refusal?.reason ?? null).toBe(reason);
    if (refusal !== null) expect(refusal.success).toBe(false);
  });

  test.each<[string, unknown, unknown, string | null, string]>([
    ['no target', undefined, 'because', 'idle', 'Set target to the name of a mode. Transitions from idle: test-dev.'],
    ['an unknown mode', 'test-dve', 'because', 'idle', 'Transitions from idle: test-dev.'],
    ['a mode without an edge to it', 'feature-dev', 'because', 'idle', 'Transitions from idle: test-dev.'],
    ['no explanation', 'test-dev', '', 'idle', 'Explain why the constraint of the transition holds.'],
    [
      'no target where the mode is not known',
      undefined,
      'x',
      null,
      'Set target to the name of a mode. A person can set the mode',
    ],
  ])('%s: the refusal names the correct form', (_, target, explanation, mode, remedy) => {
    expect(refuse(target, explanation, at(mode), tdd)?.remedy).toContain(remedy);
  });

  test('only a person can leave a mode without transitions', () => {
    expect(refuse('idle', 'x', at('end'), topologyOf({ idle: ['end'], end: [] }))?.remedy).toBe(
      'end has no transitions. A person can change the mode with /modes:mode NAME.',
    );
  });

  test('a transition that needs an approval names the command', () => {
    expect(refuse('live', 'because', at('idle'), gated)).toEqual({
      success: false,
      reason: "The gate from 'idle' to 'live' needs a person's approval",
      unmet: [{ check: 'approve: human', missing: 'a confirmed approval', how: expect.stringContaining('/modes:approve live') }],
    });
  });

  test('a star is a transition to every other mode', () => {
    expect(refuse('other', 'because', at('live'), gated)).toBeNull();
    expect(refuse('live', 'because', at('live'), gated)?.reason).toBe("Already in mode 'live'");
  });

  test('a named transition keeps its gate beside a star', () => {
    const both = topologyOf({ idle: ['*', { to: 'live', approve: 'human' }], live: [] });
    expect(refuse('live', 'because', at('idle'), both)?.unmet).toHaveLength(1);
  });

  test('if the mode is unknown, everything is frozen, and a person can name it', () => {
    expect(refuse('test-dev', 'because', at(null), tdd)?.reason).toMatch(/frozen.*damaged.*\/modes:mode NAME/);
    expect(refuse('test-dev', 'because', at('idle'), null)?.reason).toMatch(/frozen/);
  });
});

describe('refuseForce', () => {
  test.each<[unknown, string | null]>([
    ['feature-dev', null],
    ['', 'The target is missing'],
    [undefined, 'The target is missing'],
    [['idle'], 'The target is missing'],
    ['constructor', "Mode 'constructor' does not exist"],
    ['idle', "Already in mode 'idle'"],
  ])('%j', (target, reason) => {
    expect(refuseForce(target, at('idle'), tdd)?.reason ?? null).toBe(reason);
  });

  test('names the mode if it is unknown', () => {
    expect(refuseForce('idle', at(null), tdd)).toBeNull();
  });

  test('lists the existing modes', () => {
    for (const target of ['', 'test-dve'])
      expect(refuseForce(target, at('idle'), tdd)?.remedy).toContain('Modes: idle, test-dev, feature-dev.');
  });

  test('is refused without modes', () => {
    expect(refuseForce('idle', at(null), null)?.reason).toMatch(/modes.yaml/);
  });
});
