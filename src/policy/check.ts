// What can be told of policies without running them: OPA's strict mode, and types by the schemas of input and data.rules.
import type { Problem } from '../config/problem.ts';
import type { Compiler } from '../rego/compiler.ts';
import type { Capabilities, Modules } from '../rego/types.ts';
import { joinModules } from './build.ts';
import { idleProblems } from './custom.ts';
import { everyMistake } from './mistakes.ts';
import { findNever, type Vocabulary } from './reach.ts';
import { INPUT_SCHEMA, RULES_SCHEMA } from './schemas.ts';

/** Gives the packages of the core and of custom policies the type of data.rules. */
const TYPES_FILE = 'generated:types.rego';
const TYPES = '# METADATA\n# scope: subpackages\n# schemas:\n#   - data.rules: schema.rules\npackage modes\n';

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

/** Everything wrong with custom policies and their tests, each problem once. */
export async function checkPolicies({ core, custom, tests }: Checked, settled: CheckWith): Promise<Problem[]> {
  const found = await everyMistake({ ...custom, ...tests }, (left) => {
    const only = (of: Modules): Modules => Object.fromEntries(Object.entries(of).filter(([file]) => Object.hasOwn(left, file)));
    return checkTogether({ core, custom: only(custom), tests: only(tests) }, settled);
  });
  return [...new Map(found.map((problem) => [JSON.stringify(problem), problem])).values()];
}

/** Up to the first stage in which anything fails. */
async function checkTogether(
  { core, custom, tests }: Checked,
  { compiler, capabilities, vocabulary }: CheckWith,
): Promise<Problem[]> {
  const joined = await joinModules(core, custom, compiler);
  if (!joined.ok) return joined.problems;
  const inspected = await compiler.inspect(tests);
  if (!inspected.ok) return inspected.problems;
  const checked = await compiler.check({
    modules: { ...joined.modules, ...joined.tests, ...tests, [TYPES_FILE]: TYPES },
    capabilities,
    strict: true,
    inputSchema: INPUT_SCHEMA as Record<string, unknown>,
    schemas: { rules: RULES_SCHEMA as Record<string, unknown> },
  });
  const found = checked.ok ? [] : checked.problems.filter((problem) => !isAboutNull(problem));
  return [...found, ...idleProblems(inspected.modules, tests), ...findNever(joined.named, vocabulary)];
}

/** OPA's types have no "or null": a comparison with null, which is always possible, is no fault. */
function isAboutNull({ code, message }: Problem): boolean {
  return code === 'E_REGO_TYPE' && /\b(left|right): null(;|$)/.test(message);
}
