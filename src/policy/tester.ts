// Tests of policies: every `test_` rule is an entry point of one WASM and runs in the evaluator that decides in earnest.
import type { Problem } from '../config/problem.ts';
import type { Compiler } from '../rego/compiler.ts';
import type { Capabilities, Failure, Modules, RegoModule } from '../rego/types.ts';
import { joinModules, withFinder } from './build.ts';
import { makeBundle } from './bundle.ts';
import { Evaluator } from './evaluator.ts';
import { EvaluationError } from './fault.ts';
import { GuardedEvaluator } from './guard.ts';

/** Policies and the tests that belong to them. */
export interface Suite {
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
  /** Why it did not pass; '' when it did. Of a failure also the expression that ended it, with its values on lines below. */
  message: string;
  /** Milliseconds. */
  ms: number;
}

export type SuiteResult = { ok: true; tests: PolicyTest[] } | Failure;

interface Candidate {
  name: string;
  file: string;
  line: number;
  entrypoint: string;
  skip: boolean;
}

/** One test may take longer than a decision may. */
const TEST_LIMIT_MS = 5_000;

export interface TesterOptions {
  compiler: Compiler;
  capabilities: Capabilities;
  /** The worker's script, see `workerFile`. */
  worker: string;
  /** Tested against `package.test_name`. */
  filter?: RegExp | null;
}

/**
 * Runs the tests of a suite whose name matches. A test passes when its value is true, and only then; `todo_test_` rules are skipped.
 * As with decisions, custom policies are evaluated under a time limit and the core alone is not.
 */
export async function runSuite(
  suite: Suite,
  { compiler, capabilities, worker, filter = null }: TesterOptions,
): Promise<SuiteResult> {
  const base =
    Object.keys(suite.custom).length === 0
      ? ({ ok: true, modules: suite.core } as const)
      : await joinModules(suite.core, suite.custom, compiler);
  if (!base.ok) return base;
  const inspected = await compiler.inspect(suite.tests);
  if (!inspected.ok) return inspected;
  const found = findTests(inspected.modules);
  const problems = found.flatMap((test) => ('problem' in test ? [test.problem] : []));
  if (problems.length > 0) return { ok: false, problems };
  const chosen = found.filter((test): test is Candidate => !('problem' in test) && (filter === null || filter.test(test.name)));
  const entrypoints = [...new Set(chosen.filter((test) => !test.skip).map((test) => test.entrypoint))];
  if (entrypoints.length === 0) return { ok: true, tests: chosen.map(skipped) };
  const built = await compiler.build({
    ...withFinder({ modules: { ...base.modules, ...suite.tests }, entrypoints }),
    capabilities,
  });
  if (!built.ok) return built;
  const isCustom = Object.keys(suite.custom).length > 0;
  const evaluator = isCustom ? guard(built.wasm, entrypoints, worker) : new Evaluator(built.wasm);
  const tests = chosen.map((test) => (test.skip ? skipped(test) : runTest(evaluator, test)));
  if (evaluator instanceof GuardedEvaluator) evaluator.close();
  const modules = { ...base.modules, ...suite.tests };
  return { ok: true, tests: await explainFailures(tests, modules, compiler) };
}

/** Failures with what topdown, which alone can say, found in the way. Where it finds nothing, it and the WASM disagree. */
async function explainFailures(tests: PolicyTest[], modules: Modules, compiler: Compiler): Promise<PolicyTest[]> {
  const failed = tests.filter(({ outcome }) => outcome === 'fail');
  if (failed.length === 0) return tests;
  const filter = `^data\\.(${failed.map(({ name }) => name.replace(/[^\w]/g, '\\$&')).join('|')})$`;
  // Without our capabilities: they were kept to when the WASM was made, and to print is what they leave out.
  const answer = await compiler.test({ modules, filter, explain: true });
  if (!answer.ok) {
    const why = `what failed is not known: ${answer.problems[0]?.message ?? 'the compiler does not say'}`;
    return tests.map((test) => (test.outcome === 'fail' ? { ...test, message: `${test.message}\n${why}` } : test));
  }
  const byName = new Map(answer.tests.map((test) => [`${test.package}.${test.name}`.replace(/^data\./, ''), test]));
  return tests.map((test) => {
    const said = test.outcome === 'fail' ? byName.get(test.name) : undefined;
    if (said === undefined) return test;
    const why = said.fail
      ? (said.failed?.text ?? '').split('\n').map((line) => line.trimEnd())
      : [said.error ?? 'OPA itself lets it pass: report this with the test'];
    const at = said.failed === undefined ? [] : [`${said.failed.file}:${said.failed.row}`];
    const printed = (said.output ?? '').trimEnd();
    const lines = [test.message, ...at, ...why, ...(printed === '' ? [] : ['printed:', ...printed.split('\n')])];
    return { ...test, message: lines.filter((line) => line !== '').join('\n') };
  });
}

function guard(wasm: Uint8Array, entrypoints: string[], worker: string): GuardedEvaluator {
  return new GuardedEvaluator(makeBundle({ mode: 'test', wasm, entrypoints, data: {} }), { worker, limitMs: TEST_LIMIT_MS });
}

function findTests(modules: RegoModule[]): (Candidate | { problem: Problem })[] {
  const found = new Map<string, Candidate | { problem: Problem }>();
  for (const module of modules) {
    for (const rule of module.rules) {
      const match = /^(todo_)?test_/.exec(rule.name);
      if (match === null) continue;
      const name = `${module.package.join('.')}.${rule.name}`;
      if (found.has(name)) continue;
      const place = { file: module.file, line: rule.row };
      found.set(
        name,
        rule.kind === 'complete'
          ? { name, ...place, entrypoint: [...module.package, rule.name].join('/'), skip: match[1] !== undefined }
          : {
              problem: {
                code: 'E_TEST_SHAPE',
                severity: 'error',
                message: `${rule.name} is a ${rule.kind} rule: what of it is false would go unseen`,
                remedy: 'Write `test_name if { … }`, with `every` over the cases.',
                ...place,
                column: rule.col,
              },
            },
      );
    }
  }
  return [...found.values()];
}

function skipped({ name, file, line }: Candidate): PolicyTest {
  return { name, file, line, outcome: 'skip', message: 'todo', ms: 0 };
}

function runTest(evaluator: Evaluator | GuardedEvaluator, { name, file, line, entrypoint }: Candidate): PolicyTest {
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
    const value = evaluator.evaluate({}, entrypoint);
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
