// A deny or an ask only ever makes a decision stricter, and so does taking an allow away.
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { Layer } from '../../../src/model/configuration.ts';
import type { Facts } from '../../../src/model/facts.ts';
import type { Verdict } from '../../../src/model/verdict.ts';
import type { Evaluator } from '../../../src/policy/evaluator.ts';
import { facts, narrowRule, settings } from '../../support/generate-rules.ts';
import { ask, type Lists, loadCore, rulesOf, type Settings } from '../../support/policy.ts';

let core: Evaluator;
beforeAll(async () => {
  core = await loadCore();
}, 60_000);

const runs = Number(process.env.MODES_TEST_RUNS ?? 250) * 4;
const strictness: readonly Verdict['verdict'][] = ['allow', 'pass', 'ask', 'deny'];
const layer = fc.constantFrom<Layer>('project', 'local', 'user', 'managed');

function isUnderstood(given: Settings): boolean {
  try {
    rulesOf(given);
    return true;
  } catch {
    return false;
  }
}

function strictnessOf(given: Settings, call: Facts): number {
  return strictness.indexOf(ask(core, given, call).verdict);
}

/** Lines without a layer belong to the project. */
function listsOf(given: Settings): Partial<Record<Layer, Lists>> {
  const { deny, ask, allow } = given;
  return { project: { deny, ask, allow }, ...given.layers };
}

function changed(given: Settings, where: Layer, change: (lists: Lists) => Lists): Settings {
  const layers = listsOf(given);
  return { ...given, layers: { ...layers, [where]: change(layers[where] ?? {}) } };
}

test.each(['deny', 'ask'] as const)('adding a line to %s never makes a decision less strict [s:order.monotonic]', (effect) => {
  const cases = fc.tuple(settings.filter(isUnderstood), facts, layer, narrowRule);
  let stricter = 0;
  fc.assert(
    fc.property(cases, ([given, call, where, line]) => {
      const more = changed(given, where, (lists) => ({ ...lists, [effect]: [...(lists[effect] ?? []), line] }));
      fc.pre(isUnderstood(more));
      const [before, after] = [strictnessOf(given, call), strictnessOf(more, call)];
      if (after > before) stricter++;
      expect(after).toBeGreaterThanOrEqual(before);
    }),
    { numRuns: runs },
  );
  expect(stricter).toBeGreaterThan(0);
});

test('removing an allow never makes a decision less strict [s:order.monotonic]', () => {
  const cases = fc.tuple(settings.filter(isUnderstood), facts, fc.nat());
  let stricter = 0;
  fc.assert(
    fc.property(cases, ([given, call, at]) => {
      const layers = Object.entries(listsOf(given)).filter(([, lists]) => (lists.allow ?? []).length > 0);
      fc.pre(layers.length > 0);
      const [where, { allow = [] }] = layers[at % layers.length] as [Layer, Lists];
      const fewer = allow.filter((_, index) => index !== at % allow.length);
      const less = changed(given, where, (lists) => ({ ...lists, allow: fewer }));
      const [before, after] = [strictnessOf(given, call), strictnessOf(less, call)];
      if (after > before) stricter++;
      expect(after).toBeGreaterThanOrEqual(before);
    }),
    { numRuns: runs },
  );
  expect(stricter).toBeGreaterThan(0);
});
