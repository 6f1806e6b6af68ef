// The WASM that is shipped and OPA's own evaluator answer alike: the core on generated rules and calls, the examples on their cases.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { callOfCase } from '../../../src/adapters/cli/policy-cases.ts';
import { openSuite } from '../../../src/adapters/cli/policy-suite.ts';
import { configure } from '../../../src/app/dry-run.ts';
import type { Modules } from '../../../src/policy/compiler/types.ts';
import { joinModules } from '../../../src/policy/custom/build.ts';
import { readVerdict } from '../../../src/policy/verdict.ts';
import { coreModules, newCompiler, root } from '../../support/compiler.ts';
import { facts, settings } from '../../support/generate-rules.ts';
import { dataOf, loadCore, rulesOf, type Settings } from '../../support/policy.ts';

const compiler = newCompiler();

async function topdown(modules: Modules, data: Record<string, unknown>, inputs: unknown[]) {
  const answer = await compiler.evaluate({ modules, data, entrypoint: 'modes/verdict', inputs });
  if (!answer.ok) throw new Error(answer.problems.map(({ message }) => message).join('\n'));
  return answer.values.map(({ value, error }) => error ?? readVerdict(value));
}

function understood(given: Settings): boolean {
  try {
    rulesOf(given);
    return true;
  } catch {
    return false;
  }
}

test('the core, on generated rules and calls', async () => {
  const evaluator = await loadCore();
  const samples = fc.sample(fc.tuple(settings.filter(understood), fc.array(facts, { minLength: 20, maxLength: 20 })), {
    numRuns: 10,
    seed: 22,
  });
  const verdicts = new Set<string>();
  for (const [given, inputs] of samples) {
    const data = { rules: dataOf(given) };
    evaluator.setData(data);
    const ours = inputs.map((input) => evaluator.evaluateVerdict(input));
    expect(ours).toEqual(await topdown(coreModules, data, inputs));
    for (const { verdict } of ours) verdicts.add(verdict);
  }
  expect([...verdicts].sort()).toEqual(['allow', 'ask', 'deny', 'pass']);
}, 180_000);

describe('the example', () => {
  const folder = 'examples/policies';
  test.each(readdirSync(join(root, folder)).filter((name) => !name.endsWith('.md')))('%s, on its cases', async (name) => {
    const env = { HOME: join(root, '.cache/home'), PATH: '/usr/bin' };
    const suite = openSuite(join(root, folder, name), { env, packageRoot: root });
    const configured = await configure(suite.content, { root: suite.root, trusted: true, env, packageRoot: root });
    const joined = await joinModules(coreModules, configured.custom(), compiler);
    if (!joined.ok) throw new Error(JSON.stringify(joined.problems));
    expect(suite.cases.length).toBeGreaterThan(3);
    for (const [mode, bundle] of configured.bundles()) {
      // As decisions are made in earnest: custom policies by themselves, their decisions given to the core.
      const policy = configured.config.policies.of(mode)!;
      const asked = suite.cases.map((one) => configured.decide(callOfCase(one, suite.root), mode).facts!);
      const inputs = [...asked, ...fc.sample(facts, { numRuns: 50, seed: 22 })];
      const data = JSON.parse(Buffer.from(bundle.data).toString()) as Record<string, unknown>;
      expect(inputs.map((input) => policy.evaluate(input))).toEqual(await topdown(joined.modules, data, inputs));
    }
  });
});
