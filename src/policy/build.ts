// A policy from its sources: the core and custom modules compiled together, with their decisions collected.
import type { Problem } from '../config/problem.ts';
import type { Compiler } from '../rego/compiler.ts';
import type { Capabilities, Failure, Modules } from '../rego/types.ts';
import { CORE_ENTRYPOINTS, CUSTOM_STAND_IN } from './core.ts';
import {
  type CustomPolicy,
  collectCustom,
  GENERATED_FILE,
  isTestPackage,
  PROBES_FILE,
  probeEntrypoint,
  writeProbes,
} from './custom.ts';
import { findNamed, type Named } from './reach.ts';

export interface BuiltPolicy {
  ok: true;
  wasm: Uint8Array;
  entrypoints: string[];
  policies: CustomPolicy[];
  /** Some custom policy reads input.tool.input, or might. */
  needsToolInput: boolean;
  /** Names that custom policies compare parts of the input with. */
  named: Named[];
}

/** Entry points that only a policy with custom modules has: texts for the model, and gates. */
export const CONTEXT_ENTRYPOINT = 'modes/custom/contexts';
export const GATE_ENTRYPOINT = 'modes/custom/gates';

/** Core and custom modules with the generated one in the place of the stand-in; custom test packages are left out. */
export type JoinedModules =
  | { ok: true; modules: Modules; policies: CustomPolicy[]; needsToolInput: boolean; named: Named[] }
  | Failure;

/**
 * Checks custom modules and joins them with the core.
 * @param core Rego of the core by file name, without tests
 * @param custom Rego of the custom policies by file name; packages ending in `_test` are ignored
 */
export async function joinModules(core: Modules, custom: Modules, compiler: Compiler): Promise<JoinedModules> {
  const clashes = Object.keys(custom).filter((file) => Object.hasOwn(core, file) || file === GENERATED_FILE);
  if (clashes.length > 0) return { ok: false, problems: clashes.map(clashProblem) };
  const inspected = await compiler.inspect(custom);
  if (!inspected.ok) return inspected;
  const wanted = inspected.modules.filter((module) => !isTestPackage(module));
  const collected = collectCustom(wanted, custom);
  if (!collected.ok) return collected;
  const modules: Modules = {};
  for (const [file, text] of Object.entries(core)) if (file !== CUSTOM_STAND_IN) modules[file] = text;
  for (const { file } of wanted) modules[file] = custom[file]!;
  modules[GENERATED_FILE] = collected.generated;
  const needsToolInput = wanted.some((module) => module.tool_input);
  return { ok: true, modules, policies: collected.policies, needsToolInput, named: findNamed(wanted, custom) };
}

/** Compiles the core together with custom modules. */
export async function buildPolicy(
  core: Modules,
  custom: Modules,
  compiler: Compiler,
  capabilities: Capabilities,
): Promise<BuiltPolicy | Failure> {
  const joined = await joinModules(core, custom, compiler);
  if (!joined.ok) return joined;
  // Each set is an entry point of its own too: when a policy takes too long, they tell which one it is.
  const own = joined.policies.flatMap(({ rules }, at) => Object.keys(rules).map((rule) => probeEntrypoint(at, rule)));
  const entrypoints = [...CORE_ENTRYPOINTS, CONTEXT_ENTRYPOINT, GATE_ENTRYPOINT, ...own];
  const modules = { ...joined.modules, [PROBES_FILE]: writeProbes(joined.policies) };
  const built = await compiler.build({ modules, entrypoints, capabilities });
  if (!built.ok) return built;
  const { policies, needsToolInput, named } = joined;
  return { ok: true, wasm: built.wasm, entrypoints, policies, needsToolInput, named };
}

function clashProblem(file: string): Problem {
  return {
    code: 'E_POLICY_FILE',
    severity: 'error',
    message: 'a custom policy is named like a file of the core',
    remedy: 'Give the file another name.',
    file,
  };
}
