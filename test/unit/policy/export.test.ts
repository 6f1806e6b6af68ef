// A mode's rules as Rego: whatever is asked, the exported module and the core give the verdict that the tables give.
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Evaluator } from '../../../src/policy/evaluator.ts';
import { exportRules } from '../../../src/policy/export.ts';
import { readVerdict } from '../../../src/policy/verdict.ts';
import { coreModules, newCompiler } from '../../support/compiler.ts';
import { facts, settings } from '../../support/generate-rules.ts';
import { dataOf, loadCore, rulesOf, type Settings } from '../../support/policy.ts';

const compiler = newCompiler();

let core: Evaluator;
beforeAll(async () => {
  core = await loadCore();
}, 120_000);

/** What OPA's own evaluator says with these rules in the place of the tables. */
async function verdicts(rules: string, inputs: object[]) {
  const modules = { ...coreModules, 'rules.rego': rules };
  const answer = await compiler.evaluate({ modules, data: {}, entrypoint: 'modes/verdict', inputs });
  if (!answer.ok) throw new Error(answer.problems.map(({ message, line }) => `${line} ${message}`).join('\n'));
  return answer.values.map(({ value }) => readVerdict(value));
}

function understood(given: Settings): boolean {
  try {
    return rulesOf(given).length > 0;
  } catch {
    return false;
  }
}

describe('an exported mode', () => {
  const samples = fc.sample(fc.tuple(settings.filter(understood), fc.array(facts, { minLength: 20, maxLength: 20 })), {
    numRuns: 12,
    seed: 7,
  });
  test.each(samples.map(([given, inputs], at) => [at, given, inputs] as const))(
    'gives the verdicts of its tables (%i)',
    async (_, given, inputs) => {
      const data = dataOf(given);
      const rego = exportRules(data, rulesOf(given), 'work');
      core.setData({ rules: data });
      expect(await verdicts(rego, inputs)).toEqual(inputs.map((input) => core.evaluateVerdict(input)));
    },
  );

  test('names every rule with its place, and is laid out as opa fmt does it', async () => {
    const given: Settings = { deny: ['Write(src/**)', 'Bash(git push:*)'], allow: ['Read'], defaults: { project: 'ask' } };
    const rego = exportRules(dataOf(given), rulesOf(given), 'work');
    for (const line of ['# deny Write(src/**)', '# settings.json:1', '# allow Read', 'lifts.ask := 1'])
      expect(rego).toContain(line);
    const formatted = await compiler.format({ 'rules.rego': rego });
    expect(formatted).toEqual({ ok: true, sources: { 'rules.rego': rego } });
  });
});
