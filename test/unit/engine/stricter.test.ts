// Of two decisions about one call the stricter counts, and says by which content it is.
import { describe, expect, test } from 'vitest';
import { stricter } from '../../../src/engine/stricter.ts';
import type { Decision } from '../../../src/model/decision.ts';

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
const rows = verdicts.flatMap((pinned, at) =>
  verdicts.map((present, other) => [pinned, present, verdicts[Math.min(at, other)]] as const),
);

describe('the stricter', () => {
  test.each(rows)('of %s and %s is %s [s:pin.stricter]', (pinned, present, expected) => {
    const made = stricter(of(pinned), of(present));
    expect(made).toMatchObject({ decision: expected, took_us: 20 });
    expect(made.reason.startsWith(of(expected!).reason)).toBe(true);
  });

  test('says by which of the two contents it is, and only where they differ', () => {
    expect(stricter(of('deny'), of('allow')).reason).toMatch(
      /started with; a person adopts the present one with \/modes:trust\.$/,
    );
    expect(stricter(of('allow'), of('deny')).reason).toMatch(/by the present content, which differs/);
    expect(stricter(of('deny'), of('deny')).reason).toBe('deny for a reason.');
    expect(stricter(of('pass'), of('allow')).reason).toBe('');
  });

  test('of two that agree is the one by what the session began with', () => {
    expect(stricter(of('deny', 'pinned'), of('deny', 'present'))).toMatchObject({ reason: 'pinned', decision_id: 'pinned' });
  });
});
