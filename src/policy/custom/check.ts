// Checks policies and their tests without running them.
import type { Problem } from '../../model/problem.ts';
import type { Compiler } from '../compiler/compiler.ts';
import type { Capabilities, Modules } from '../compiler/types.ts';
import { joinModules } from './build.ts';
import { everyMistake } from './mistakes.ts';
import { idleProblems } from './modules.ts';
import { typed } from './typed.ts';
import { findNever, type Vocabulary } from './unreachable.ts';

export interface Checked {
  core: Modules;
  custom: Modules;
  tests: Modules;
}

interface CheckWith {
  compiler: Compiler;
  capabilities: Capabilities;
  vocabulary: Vocabulary;
}

/** Returns every problem of custom policies and their tests, each once. */
export async function checkPolicies({ core, custom, tests }: Checked, settled: CheckWith): Promise<Problem[]> {
  const problems = await everyMistake({ ...custom, ...tests }, (left) => {
    const only = (of: Modules): Modules => Object.fromEntries(Object.entries(of).filter(([file]) => Object.hasOwn(left, file)));
    return checkTogether({ core, custom: only(custom), tests: only(tests) }, settled);
  });
  return [...new Map(problems.map((problem) => [JSON.stringify(problem), problem])).values()];
}

/** Checks up to the first stage that fails. */
async function checkTogether(
  { core, custom, tests }: Checked,
  { compiler, capabilities, vocabulary }: CheckWith,
): Promise<Problem[]> {
  const joined = await joinModules(core, custom, compiler);
  if (!joined.ok) return joined.problems;
  const inspected = await compiler.inspect(tests);
  if (!inspected.ok) return inspected.problems;
  const checked = await compiler.check({ ...typed({ ...joined.modules, ...joined.tests, ...tests }, true), capabilities });
  const problems = checked.ok ? checked.warnings : checked.problems;
  return [...problems, ...idleProblems(inspected.modules, tests), ...findNever(joined.named, vocabulary)];
}
