// Whatever a person grants, and whatever the rules: a grant opens and never closes, and the organisation's rules stay.
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Facts, Granted } from '../../../src/model/facts.ts';
import type { Verdict } from '../../../src/model/verdict.ts';
import type { Evaluator } from '../../../src/policy/evaluator.ts';
import { readVerdict } from '../../../src/policy/verdict.ts';
import { coreInput } from '../../../src/rules/core-input.ts';
import { coreModules, newCompiler } from '../../support/compiler.ts';
import { facts, settings } from '../../support/generate-rules.ts';
import { ask, dataOf, loadCore, rulesOf, type Settings } from '../../support/policy.ts';

let core: Evaluator;
beforeAll(async () => {
  core = await loadCore();
}, 60_000);

const runs = Number(process.env.MODES_TEST_RUNS ?? 250);
const order: Verdict['verdict'][] = ['deny', 'ask', 'pass', 'allow'];
const rank = (verdict: Verdict): number => order.indexOf(verdict.verdict);

function understood(given: Settings): boolean {
  try {
    rulesOf(given);
    return true;
  } catch {
    return false;
  }
}

/** Marks on some of what a call does. */
const granted = (call: Facts): fc.Arbitrary<Granted> => {
  const some = (list: readonly unknown[] | null | undefined) => fc.subarray((list ?? []).map((_, at) => at));
  return fc.record({
    off: fc.boolean(),
    tool: fc.boolean(),
    reads: some(call.reads),
    writes: some(call.writes),
    commands: some(call.bash?.commands),
    domains: some(call.domains),
    parts: some(call.may_write_anywhere),
    paths: some(call.writes),
  });
};
const marked = facts.chain((call) => fc.tuple(fc.constant(call), granted(call)));
const cases = fc.tuple(settings.filter(understood), marked);

describe('for any rules, any call and any grants', () => {
  test('a grant opens a refused or asked call or changes nothing, and only the organization allows more', () => {
    fc.assert(
      fc.property(cases, ([given, [call, marks]]) => {
        const without = ask(core, given, call);
        const found = ask(core, given, { ...call, granted: marks });
        if (without.verdict === 'allow' || call.tool.group === 'own') return;
        // Behind an ask that is lifted stands a default: the organisation's, or one that the grants do not cover. It denies what is
        // uncertain or asked about by what is built in, too.
        const isUncovered = without.verdict === 'ask' && ['default', 'uncertainty', 'protection'].includes(found.by);
        if (!isUncovered) expect(rank(found)).toBeGreaterThanOrEqual(rank(without));
        if ((given.layers?.managed?.allow ?? []).length === 0) expect(found.verdict).not.toBe('allow');
      }),
      { numRuns: runs },
    );
  });

  test('a deny or ask of the organization stays', () => {
    fc.assert(
      fc.property(cases, ([{ allow, ask: asks, deny, arguments: declared }, [call, marks]]) => {
        const given: Settings = { layers: { managed: { allow, ask: asks, deny } }, arguments: declared };
        const without = ask(core, given, call);
        if (without.by !== 'rule' || without.verdict === 'allow' || without.verdict === 'pass') return;
        expect(ask(core, given, { ...call, granted: marks })).toMatchObject({ verdict: without.verdict, by: 'rule' });
      }),
      { numRuns: runs },
    );
  });

  test('omitting parts without a rule changes nothing', () => {
    fc.assert(
      fc.property(cases, ([given, [call, marks]]) => {
        const input = { ...call, granted: marks };
        const whole = ask(core, given, input);
        expect(core.evaluateVerdict(coreInput(dataOf(given))(input))).toEqual(whole);
      }),
      { numRuns: runs },
    );
  });

  test('OPA’s own evaluator gives the same verdict', async () => {
    const compiler = newCompiler();
    for (const [given, inputs] of fc.sample(
      fc.tuple(settings.filter(understood), fc.array(marked, { minLength: 20, maxLength: 20 })),
      { numRuns: 10, seed: 22 },
    )) {
      const calls = inputs.map(([call, marks]) => ({ ...call, granted: marks }));
      const data = { rules: dataOf(given) };
      core.setData(data);
      const answer = await compiler.evaluate({ modules: coreModules, data, entrypoint: 'modes/verdict', inputs: calls });
      if (!answer.ok) throw new Error(answer.problems.map(({ message }) => message).join('\n'));
      const theirs = answer.values.map(({ value, error }) => error ?? readVerdict(value));
      expect(calls.map((call) => core.evaluateVerdict(call))).toEqual(theirs);
    }
  }, 120_000);
});
