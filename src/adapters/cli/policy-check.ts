// modes policy check: reports every problem of the policies that can be found without running them.

import path from 'node:path';
import { configure } from '../../app/dry-run.ts';
import { findPackageRoot, openCompiler } from '../../app/own-package.ts';
import { listProblemsOf } from '../../app/problems.ts';
import { listProblems } from '../../config/render.ts';
import { aliases, tools } from '../../facts/table.ts';
import type { Problem } from '../../model/problem.ts';
import { insteadOf } from '../../platform/nearest-name.ts';
import capabilities from '../../policy/compiler/capabilities.json' with { type: 'json' };
import type { Compiler } from '../../policy/compiler/compiler.ts';
import type { Capabilities } from '../../policy/compiler/types.ts';
import { readCore } from '../../policy/core.ts';
import { checkPolicies } from '../../policy/custom/check.ts';
import { toJson } from './outputs/json.ts';
import { describeProblems } from './policy-report.ts';
import type { Suite } from './policy-suite.ts';
import { openSuites, type PolicyOptions } from './policy-test.ts';
import { showProgress } from './progress.ts';
import { exits, type Terminal } from './terminal.ts';

export async function policyCheck(named: string[], options: PolicyOptions, terminal: Terminal): Promise<number> {
  const suites = openSuites(named, options);
  const compiler = openCompiler();
  const progress = showProgress('checking');
  const problems: Problem[] = [];
  try {
    for (const [at, suite] of suites.entries()) {
      problems.push(...(await checkSuite(suite, compiler)));
      progress.at(at + 1, suites.length);
    }
  } finally {
    progress.end();
  }
  const list = listProblems(problems);
  if (options.json) terminal.out(toJson<'policy-check'>(list, 2));
  else {
    if (problems.length > 0) terminal.err(describeProblems(problems, terminal.errColour));
    if (list.ok) terminal.out(suites.map(describeSuite).join('\n'));
  }
  return list.ok ? exits.fine : exits.wrong;
}

/** Problems of a suite: of its files, of its Rego, and of the configuration that contains them. */
async function checkSuite(suite: Suite, compiler: Compiler): Promise<Problem[]> {
  const packageRoot = findPackageRoot();
  const core = readCore(packageRoot);
  if (!core.ok) return core.problems;
  const configured = await configure(suite.content, { root: suite.root, trusted: true, env: process.env, packageRoot });
  const topology = configured.config.known.topology;
  const modes = suite.isAlone || topology === null ? null : new Set(topology.modes.keys());
  const { custom, tests } = suite;
  const found = await checkPolicies(
    { core: core.core.modules, custom, tests },
    {
      compiler,
      capabilities: capabilities as Capabilities,
      vocabulary: { modes, tools: new Set(tools.keys()), oldTools: aliases },
    },
  );
  const { content: snapshot } = suite;
  const { known: rules } = configured.config;
  const { home, dataFolder } = configured.place;
  const listed = suite.isAlone
    ? configured.problems
    : await listProblemsOf(
        { known: rules, content: snapshot, problems: configured.problems },
        { root: suite.root, home, cacheFolder: path.join(dataFolder, 'cache') },
      );
  const ofConfiguration = listed.map((problem) =>
    problem.file === undefined ? problem : { ...problem, file: suite.shown(problem.file) },
  );
  return once([...suite.problems, ...found, ...ofConfiguration, ...unknownModes(suite, modes)]);
}

function unknownModes({ cases }: Suite, modes: ReadonlySet<string> | null): Problem[] {
  return cases.flatMap(({ mode, source }) =>
    mode === null || modes === null || modes.has(mode)
      ? []
      : [
          {
            code: 'E_UNKNOWN_MODE',
            severity: 'error' as const,
            message: `there is no mode ${JSON.stringify(mode)}`,
            remedy: insteadOf(mode, modes, 'Modes'),
            ...source,
          },
        ],
  );
}

function once(problems: Problem[]): Problem[] {
  const key = ({ code, file, line, column }: Problem) => JSON.stringify([code, file, line, column]);
  return [...new Map(problems.map((problem) => [key(problem), problem])).values()];
}

function describeSuite({ name, custom, tests, cases }: Suite): string {
  const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;
  const policies = count(Object.keys(custom).length, 'file');
  return `${name}: ${policies} of policy, ${count(Object.keys(tests).length, 'file')} of tests, ${count(cases.length, 'case')}: no problems`;
}
