// modes policy test: Rego tests and cases, through the WASM that is shipped.

import fs from 'node:fs';
import path from 'node:path';
import { findPackageRoot, openCompiler } from '../../app/own-package.ts';
import type { Problem } from '../../model/problem.ts';
import { startFolder } from './open.ts';
import { toJson } from './outputs/json.ts';
import { writeOutput } from './policy-output.ts';
import { countOutcomes, describeOutcomes, describeProblems, toJUnit } from './policy-report.ts';
import { runPolicies, type TestOutcome } from './policy-run.ts';
import { openSuite, type Suite } from './policy-suite.ts';
import { showProgress } from './progress.ts';
import { exits, type Terminal, UsageError } from './terminal.ts';

export interface PolicyOptions {
  project?: string;
  json?: boolean;
  /** Include the user's and the organization's layers. */
  layers?: boolean;
}

interface TestOptions extends PolicyOptions {
  run?: string;
  verbose?: boolean;
  failOnEmpty?: boolean;
  junit?: string;
}

/**
 * The suites of the named paths, else the suite of the project. `instead`: advice for the error. Throws `UsageError` if
 * there is none.
 */
export function openSuites(
  named: string[],
  { project, layers = false }: PolicyOptions,
  instead = 'name a folder of policies, or start with modes init',
): Suite[] {
  const options = { env: process.env, packageRoot: findPackageRoot(), layers };
  if (named.length > 0) return named.map((name) => openSuite(name, options));
  const start = startFolder(project);
  for (let folder = start; ; folder = path.dirname(folder)) {
    if (fs.existsSync(path.join(folder, '.claude/modes.yaml'))) return [openSuite(folder, options)];
    if (folder === path.dirname(folder))
      throw new UsageError(`no .claude/modes.yaml in ${start} or above; ${instead}`, 'E_NO_MODES');
  }
}

const NO_TESTS = 'no tests: write NAME_test.rego or NAME.cases.yaml beside the policies';

/** A regular expression of the command line. Throws `UsageError`. */
export function filterOf(text: string | undefined): RegExp | null {
  try {
    return text === undefined ? null : new RegExp(text);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

export async function policyTest(named: string[], options: TestOptions, terminal: Terminal): Promise<number> {
  const filter = filterOf(options.run);
  const outcomes: TestOutcome[] = [];
  const problems: Problem[] = [];
  const suites = openSuites(named, options);
  const compiler = openCompiler();
  const progress = showProgress('testing');
  try {
    for (const [at, suite] of suites.entries()) {
      const ran = await runPolicies(suite, { compiler, env: process.env, packageRoot: findPackageRoot(), filter });
      outcomes.push(...ran.outcomes);
      problems.push(...ran.problems);
      progress.at(at + 1, suites.length);
    }
  } finally {
    progress.end();
  }
  if (options.junit !== undefined) writeOutput(options.junit, toJUnit(outcomes, problems));
  const counts = countOutcomes(outcomes);
  const isBroken = problems.some(({ severity }) => severity === 'error');
  const isEmpty = counts.passed + counts.failed === 0;
  if (options.json) terminal.out(toJson<'policy-test'>({ ...counts, tests: outcomes, problems }, 2));
  else {
    if (problems.length > 0) terminal.err(describeProblems(problems, terminal.errColour));
    if (isEmpty && !isBroken)
      terminal.err(
        filter === null ? NO_TESTS : `nothing matches ${filter}: a test is named package.test_name, a case file:line call`,
      );
    terminal.out(describeOutcomes(outcomes, { verbose: options.verbose ?? false }));
  }
  return counts.failed > 0 || isBroken || (isEmpty && options.failOnEmpty === true) ? exits.wrong : exits.fine;
}
