// Runs tests of policies. Every `test_` rule is an entrypoint of one WASM, and runs in the evaluator that makes real decisions.
import type { Problem } from '../../model/problem.ts';
import { makeBundle } from '../bundle.ts';
import type { Compiler } from '../compiler/compiler.ts';
import type { Capabilities, CompilerFailure, Modules, RegoTest } from '../compiler/types.ts';
import { Evaluator } from '../evaluator.ts';
import { EvaluationError } from '../fault.ts';
import { hosted, joinModules, withFinder } from './build.ts';
import { type DeclaredTest, findTests } from './declared-tests.ts';
import { GuardedEvaluator } from './guard.ts';
import { idleProblems } from './modules.ts';

/** Policies and their tests. */
export interface CompiledSuite {
  core: Modules;
  /** Custom policies; empty for the core's own tests. */
  custom: Modules;
  /** `*_test.rego`. */
  tests: Modules;
}

export interface PolicyTest {
  /** `package.test_name` */
  name: string;
  file: string;
  line: number;
  outcome: 'pass' | 'fail' | 'error' | 'skip';
  /** The reason of a failure; '' if the test passed. It includes the failed expression, with its values on the lines below. */
  message: string;
  /** Milliseconds. */
  ms: number;
}

export type SuiteResult = { ok: true; tests: PolicyTest[] } | CompilerFailure;

/** A test may take longer than a decision. */
const TEST_LIMIT_MS = 5_000;

export interface TesterOptions {
  compiler: Compiler;
  capabilities: Capabilities;
  /** The worker's script, see `workerFile`. */
  worker: string;
  /** Matched against `package.test_name`. */
  filter?: RegExp | null;
}

/**
 * Runs the tests of a suite with a matching name. A test passes only if its value is true; `todo_test_` rules are skipped. As for
 * decisions, custom policies have a time limit and the core alone has none.
 */
export async function runSuite(
  suite: CompiledSuite,
  { compiler, capabilities, worker, filter = null }: TesterOptions,
): Promise<SuiteResult> {
  const isCustom = Object.keys(suite.custom).length > 0;
  const base = isCustom
    ? await joinModules(suite.core, suite.custom, compiler)
    : ({ ok: true, modules: suite.core, tests: {} } as const);
  if (!base.ok) return base;
  // The file of a policy may also contain tests.
  const inspected = await compiler.inspect({ ...suite.custom, ...suite.tests });
  if (!inspected.ok) return inspected;
  const declared = findTests(inspected.modules, { ...base.modules, ...base.tests, ...suite.tests });
  const problems = [...declared.problems, ...idleProblems(inspected.modules, suite.tests)];
  if (problems.length > 0) return { ok: false, problems };
  const { modules } = declared;
  const chosen = declared.tests.filter(({ name }) => filter === null || filter.test(name));
  const entrypoints = chosen.filter(({ skip }) => !skip).map(entrypointOf);
  if (entrypoints.length === 0) return { ok: true, tests: chosen.map(skipped) };
  const built = await compiler.build({ ...withFinder({ modules, entrypoints }), hosted: isCustom ? hosted : [], capabilities });
  if (!built.ok) return built;
  const evaluator = isCustom ? guard(built.wasm, entrypoints, worker) : new Evaluator(built.wasm);
  const ran = chosen.map((test) => ({ test, ended: test.skip ? skipped(test) : runTest(evaluator, test) }));
  if (evaluator instanceof GuardedEvaluator) evaluator.close();
  return { ok: true, tests: await explainFailures(ran, modules, compiler) };
}

interface RanTest {
  test: DeclaredTest;
  ended: PolicyTest;
}

/**
 * Adds the explanation of topdown to failures, since only topdown has one. If topdown finds no failure, it and the WASM disagree.
 */
async function explainFailures(ran: RanTest[], modules: Modules, compiler: Compiler): Promise<PolicyTest[]> {
  const failed = ran.filter(({ ended }) => ended.outcome === 'fail');
  if (failed.length === 0) return ran.map(({ ended }) => ended);
  const filter = `^data\\.(${failed.map(({ test }) => test.path.join('.').replace(/[^\w]/g, '\\$&')).join('|')})$`;
  // Without the capabilities: they were enforced when the WASM was made, and they lack print.
  const answer = await compiler.test({ modules, filter, explain: true });
  const byPath = new Map(
    (answer.ok ? answer.tests : []).map((test) => [`${test.package}.${test.name}`.replace(/^data\./, ''), test]),
  );
  const unknown = answer.ok
    ? null
    : `the failing expression is unknown: ${answer.problems[0]?.message ?? 'the compiler gave no reason'}`;
  return ran.map(({ test, ended }) => {
    if (ended.outcome !== 'fail') return ended;
    if (unknown !== null) return { ...ended, message: `${ended.message}\n${unknown}` };
    const result = byPath.get(test.path.join('.'));
    return result === undefined
      ? ended
      : { ...ended, message: [ended.message, ...explain(result)].filter((line) => line !== '').join('\n') };
  });
}

/** Lines: the place of the failure, the expression with its values, and the printed output. */
function explain({ fail, failed, error, output = '' }: RegoTest): string[] {
  const why = fail
    ? (failed?.text ?? '').split('\n').map((line) => line.trimEnd())
    : [error ?? 'it passes in OPA: report this with the test'];
  const at = failed === undefined ? [] : [`${failed.file}:${failed.row}`];
  const printed = output.trimEnd();
  return [...at, ...why, ...(printed === '' ? [] : ['printed:', ...printed.split('\n')])];
}

function guard(wasm: Uint8Array, entrypoints: string[], worker: string): GuardedEvaluator {
  return new GuardedEvaluator(makeBundle({ mode: 'test', wasm, entrypoints, data: {} }), { worker, limitMs: TEST_LIMIT_MS });
}

const entrypointOf = ({ path }: DeclaredTest): string => path.join('/');

function skipped({ name, file, line }: DeclaredTest): PolicyTest {
  return { name, file, line, outcome: 'skip', message: 'todo', ms: 0 };
}

function runTest(evaluator: Evaluator | GuardedEvaluator, test: DeclaredTest): PolicyTest {
  const { name, file, line } = test;
  const start = performance.now();
  const ended = (outcome: PolicyTest['outcome'], message: string): PolicyTest => ({
    name,
    file,
    line,
    outcome,
    message,
    ms: performance.now() - start,
  });
  try {
    const value = evaluator.evaluate({}, entrypointOf(test));
    return value === true ? ended('pass', '') : ended('fail', `its value is ${JSON.stringify(value)}`);
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    const failed = error.code === 'E_POLICY_UNDEFINED';
    return ended(failed ? 'fail' : 'error', failed ? 'it is undefined' : error.message);
  }
}

/** A problem on one line, as compilers print it. */
export function formatProblem(problem: Problem): string {
  const place = problem.file === undefined ? '' : `${problem.file}:${problem.line ?? 1}:${problem.column ?? 1}: `;
  return `${place}${problem.code}: ${problem.message}`;
}
