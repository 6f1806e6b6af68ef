// Runs a suite: its Rego tests and its cases, both through the same WASM and evaluator that decide real calls.

import { type Configured, configure } from '../../app/dry-run.ts';
import type { Effect } from '../../model/configuration.ts';
import type { Decision } from '../../model/decision.ts';
import type { Problem } from '../../model/problem.ts';
import { insteadOf } from '../../platform/nearest-name.ts';
import capabilities from '../../policy/compiler/capabilities.json' with { type: 'json' };
import type { Compiler } from '../../policy/compiler/compiler.ts';
import type { Capabilities, Modules } from '../../policy/compiler/types.ts';
import { readCore } from '../../policy/core.ts';
import { workerFile } from '../../policy/custom/guard.ts';
import { type PolicyTest, runSuite } from '../../policy/custom/tester.ts';
import { type Case, callOfCase } from './policy-cases.ts';
import type { Suite } from './policy-suite.ts';

/** One test or case. */
export interface TestOutcome extends PolicyTest {
  kind: 'test' | 'case';
  /** Milliseconds. */
  ms: number;
}

export interface Ran {
  outcomes: TestOutcome[];
  problems: Problem[];
  /** Decisions of the cases that were run, in their order. */
  decided: { one: Case; decision: Decision }[];
  /** The configuration that decided the cases; null if it was not needed or has errors. */
  configured: Configured | null;
}

export interface RunOptions {
  compiler: Compiler;
  env: NodeJS.ProcessEnv;
  packageRoot: string;
  filter?: RegExp | null;
}

/** Runs every test and case of a suite with a matching name. */
export async function runPolicies(suite: Suite, { compiler, env, packageRoot, filter = null }: RunOptions): Promise<Ran> {
  const core = readCore(packageRoot);
  const modules = core.ok ? core.core.modules : {};
  const problems = [...suite.problems, ...(core.ok ? [] : core.problems)];
  const tested = await runTests(suite, modules, { compiler, packageRoot, filter });
  problems.push(...tested.problems);
  const chosen = suite.cases.filter((one) => filter === null || filter.test(nameOf(one)));
  const cases = await runCases(suite, chosen, { env, packageRoot });
  const reportedPlaces = new Set(problems.map(placeOf));
  problems.push(...cases.problems.filter((problem) => !reportedPlaces.has(placeOf(problem))));
  return { ...cases, problems, outcomes: [...tested.outcomes, ...cases.outcomes] };
}

async function runTests(
  { custom, tests }: Suite,
  core: Modules,
  { compiler, packageRoot, filter }: Pick<RunOptions, 'compiler' | 'packageRoot' | 'filter'>,
): Promise<{ outcomes: TestOutcome[]; problems: Problem[] }> {
  if (Object.keys(tests).length === 0) return { outcomes: [], problems: [] };
  const result = await runSuite(
    { core, custom, tests },
    { compiler, capabilities: capabilities as Capabilities, worker: workerFile(packageRoot), filter: filter ?? null },
  );
  if (!result.ok) return { outcomes: [], problems: result.problems };
  return { outcomes: result.tests.map((test) => ({ ...test, kind: 'test' as const })), problems: [] };
}

async function runCases(
  { content: snapshot, root, shown }: Suite,
  cases: Case[],
  where: { env: NodeJS.ProcessEnv; packageRoot: string },
): Promise<Omit<Ran, 'problems'> & { problems: Problem[] }> {
  const none = { outcomes: [], decided: [], configured: null };
  if (cases.length === 0) return { ...none, problems: [] };
  const byTrust = new Map<boolean, Configured>();
  for (const trusted of new Set(cases.map((one) => one.trusted)))
    byTrust.set(trusted, await configure(snapshot, { root, trusted, ...where }));
  const configured = byTrust.get(true) ?? [...byTrust.values()][0]!;
  const broken = configured.problems.filter(({ severity }) => severity === 'error');
  if (broken.length > 0) return { ...none, problems: broken.map((problem) => showPlace(problem, shown)) };
  const decided: Ran['decided'] = [];
  const outcomes: TestOutcome[] = [];
  for (const one of cases) {
    const start = performance.now();
    const modes = configured.config.known.topology?.modes;
    const decision = byTrust.get(one.trusted)!.decide(callOfCase(one, root), one.mode);
    const unknown = one.mode !== null && !modes?.has(one.mode);
    const none = unknown
      ? `there is no mode ${JSON.stringify(one.mode)}. ${insteadOf(one.mode ?? '', modes?.keys() ?? [], 'Modes')}`.trimEnd()
      : null;
    const fault = none ?? (decision.by === 'call' ? decision.reason : null);
    const message = fault ?? differences(one, decision);
    const { file, line } = one.source;
    const outcome = message === '' ? 'pass' : fault === null ? 'fail' : 'error';
    outcomes.push({ kind: 'case', name: one.name, file, line, outcome, message, ms: performance.now() - start });
    decided.push({ one, decision });
  }
  return { outcomes, decided, configured, problems: [] };
}

/** Describes how a decision differs from the expectation; '' if it does not. */
export function differences(one: Case, { decision, reason, remedy, rules, policies }: Decision): string {
  const found: string[] = [];
  if (decision !== one.expect) found.push(`expected ${one.expect}, got ${decision}${reason === '' ? '' : `: ${reason}`}`);
  const decided = ({ effect }: { effect: Effect }) => effect === decision;
  const names = [...rules.filter(decided).map(({ text }) => text), ...policies.filter(decided).map(({ name }) => name)];
  if (one.rule !== null && !names.includes(one.rule))
    found.push(`expected ${one.rule} to decide, ${names.length === 0 ? 'no rule did' : `${names.join(', ')} did`}`);
  if (one.reason !== null && !`${reason}\n${remedy}`.includes(one.reason))
    found.push(`expected ${JSON.stringify(one.reason)} in the reason, which is ${JSON.stringify(reason)}`);
  return found.join('; ');
}

/** The name that `-r` must match. */
function nameOf({ name, call, source }: Case): string {
  return `${source.file}:${source.line} ${name === call ? call : `${name} ${call}`}`;
}

function showPlace(problem: Problem, shown: Suite['shown']): Problem {
  return problem.file === undefined ? problem : { ...problem, file: shown(problem.file) };
}

function placeOf({ code, file, line, column }: Problem): string {
  return JSON.stringify([code, file, line, column]);
}
