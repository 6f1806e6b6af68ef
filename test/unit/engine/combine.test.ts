// The one order of outcomes, as laws that hold for all outcomes, and as decisions with their reasons.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  combine,
  combineConfigurations,
  combineProjects,
  combineVerdicts,
  isStricter,
  type Outcome,
} from '../../../src/engine/combine.ts';
import type { Decision } from '../../../src/model/decision.ts';
import type { Verdict } from '../../../src/model/verdict.ts';

const of = (decision: Decision['decision'], reason = `${decision} for a reason.`): Decision => ({
  decision_id: reason,
  decision,
  mode: 'one',
  tool: 'Write',
  by: 'default',
  rules: [],
  also: [],
  policies: [],
  protections: [],
  reason: decision === 'pass' ? '' : reason,
  remedy: '',
  facts: null,
  bundle: null,
  took_us: 10,
});

const verdicts = ['deny', 'ask', 'pass', 'allow'] as const;
const sources: Outcome['from'][] = [
  'this machine',
  'OPA server',
  'mode',
  'subagent',
  'worktree',
  'limit',
  'pinned configuration',
  'present configuration',
  'other project',
  'requested path',
];

describe('combine', () => {
  const effect = fc.constantFrom(...verdicts);
  const outcome = fc.record({ from: fc.constantFrom(...sources), decision: effect, reason: fc.string() });
  const outcomes = fc.array(outcome, { minLength: 1, maxLength: 6 });
  type One = Outcome & { reason: string };
  const all = ([first, ...others]: One[]): One => combine(first as One, ...others);

  test('is never less strict than any part, and is one of the parts', () => {
    fc.assert(
      fc.property(outcomes, (parts) => {
        const made = all(parts);
        expect(parts).toContain(made);
        for (const part of parts) expect(isStricter(part.decision, made.decision)).toBe(false);
      }),
    );
  });

  test('gives the same effect in any order and any grouping', () => {
    fc.assert(
      fc.property(outcomes, outcomes, (some, others) => {
        const made = all([...some, ...others]);
        expect(all([...others, ...some]).decision).toBe(made.decision);
        expect(all([all(some), all(others)])).toBe(made);
        expect(all([...some, ...others].reverse()).decision).toBe(made.decision);
      }),
    );
  });

  test('is unchanged by a part that is given twice', () => {
    fc.assert(
      fc.property(outcomes, (parts) => {
        expect(all([...parts, ...parts])).toBe(all(parts));
      }),
    );
  });

  test('names the same reason in any order if every part has another source', () => {
    const distinct = fc.uniqueArray(outcome, { minLength: 1, selector: ({ from }) => from });
    fc.assert(
      fc.property(distinct, fc.func(fc.integer()), (parts, weigh) => {
        const shuffled = [...parts].sort((one, other) => weigh(one) - weigh(other));
        expect(all(shuffled)).toBe(all(parts));
      }),
    );
  });

  test('of equally strict parts, the first source of the table gives the reason, then the first part', () => {
    fc.assert(
      fc.property(effect, fc.array(fc.constantFrom(...sources), { minLength: 1 }), (decision, named) => {
        const parts = named.map((from, at) => ({ from, decision, reason: `${at}` }));
        const first = named.indexOf(sources.find((one) => named.includes(one)) as Outcome['from']);
        expect(all(parts)).toBe(parts[first]);
      }),
    );
  });

  test('an unknown effect is never overridden', () => {
    const unknown = { from: 'limit', decision: 'maybe' as 'deny', reason: '' } as const;
    fc.assert(
      fc.property(outcomes, (parts) => {
        expect(all([...parts, unknown]).decision).toBe('maybe');
      }),
    );
  });
});

describe('two verdicts of one policy', () => {
  const verdict = (effect: Verdict['verdict']): Verdict => ({
    verdict: effect,
    by: 'rule',
    hits: [],
    unnamed: [],
    protections: [],
    policies: [],
  });
  test('the stricter counts, and the local one if they are equally strict', () => {
    const [own, theirs] = [verdict('ask'), verdict('ask')];
    const server = { from: 'OPA server', verdict: theirs } as const;
    expect(combineVerdicts([server, { from: 'this machine', verdict: own }])).toBe(own);
    expect(combineVerdicts([server, { from: 'this machine', verdict: verdict('pass') }])).toBe(theirs);
  });
});

const rows = verdicts.flatMap((pinned, at) =>
  verdicts.map((present, other) => [pinned, present, verdicts[Math.min(at, other)]] as const),
);
const adopt = 'a person can adopt the current one with /modes:trust';
const stricter = (pinned: Decision, present: Decision): Decision => combineConfigurations(pinned, present, true, adopt);

describe('the stricter', () => {
  test.each(rows)('of %s and %s is %s [s:pin.stricter]', (pinned, present, expected) => {
    const made = stricter(of(pinned), of(present));
    expect(made).toMatchObject({ decision: expected, took_us: 20 });
    expect(made.reason.startsWith(of(expected!).reason)).toBe(true);
  });

  test('names its content, and only if the two differ', () => {
    expect(stricter(of('deny'), of('allow')).reason).toMatch(
      /started with; a person can adopt the current one with \/modes:trust\.$/,
    );
    expect(stricter(of('allow'), of('deny')).reason).toMatch(/by the current configuration, which differs/);
    expect(stricter(of('deny'), of('deny')).reason).toBe('deny for a reason.');
    expect(stricter(of('pass'), of('allow')).reason).toBe('');
  });

  test('of two equal decisions is the one by the pinned content', () => {
    expect(stricter(of('deny', 'pinned'), of('deny', 'present'))).toMatchObject({ reason: 'pinned', decision_id: 'pinned' });
  });
});

describe('another project', () => {
  const there = { root: '/there' };
  test.each(rows)('beside the project’s own decision %s, one of %s counts only as a restriction', (own, decision, strictest) => {
    const made = combineProjects(of(own, 'own'), [{ project: there, decision: of(decision) }]);
    const isTheirs = strictest !== own && (decision === 'deny' || decision === 'ask');
    expect(made.project).toBe(isTheirs ? there : null);
    expect(made.decision).toMatchObject({ decision: isTheirs ? decision : own, decision_id: 'own' });
    if (isTheirs) expect(made.decision.reason).toMatch(/ This is decided by the project \/there \(mode one\)/);
  });

  test('of several that are equally strict, the first is named', () => {
    const projects = ['/a', '/b', '/c'].map((root, at) => ({ project: { root }, decision: of(at === 0 ? 'ask' : 'deny') }));
    expect(combineProjects(of('pass'), projects).project?.root).toBe('/b');
  });
});
