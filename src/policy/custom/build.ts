// Builds a policy from its sources. Custom modules are collected and compiled separately for this evaluator, and together with
// the core for a stock OPA.
import type { Problem } from '../../model/problem.ts';
import type { CustomPolicy } from '../bundle.ts';
import type { Compiler } from '../compiler/compiler.ts';
import type { Capabilities, CompilerFailure, Modules, RegoModule } from '../compiler/types.ts';
import { CORE_ENTRYPOINTS, CUSTOM_STAND_IN } from '../core.ts';
import { CONTEXT_ENTRYPOINT, DECISIONS_ENTRYPOINT, GATE_ENTRYPOINT } from '../evaluator.ts';
import { partsNamed } from '../parts.ts';
import { FIND_ENTRYPOINT, FIND_MODULE } from './builtins.mjs';
import { HOSTED } from './hosted.mjs';
import { collectCustom, GENERATED_FILE, idleProblems, isTestPackage } from './modules.ts';
import { PROBES_FILE, probeEntrypoint, writeProbes } from './probes.ts';
import { typed } from './typed.ts';
import { findNamed, type NamedValue } from './unreachable.ts';

export interface BuiltPolicy {
  ok: true;
  wasm: Uint8Array;
  entrypoints: string[];
  policies: CustomPolicy[];
  /** A custom policy reads input.tool.input, or may read it. */
  needsToolInput: boolean;
  /** The parts of the facts that custom policies name; null for all. */
  parts: string[] | null;
  /** Names that custom policies compare parts of the input with. */
  named: NamedValue[];
}

const FIND_FILE = 'generated:find.rego';
/** Functions that the thread of custom policies provides. A stock OPA and the core's evaluator do not have them. */
export const hosted = Object.keys(HOSTED);

/** Core and custom modules, with the generated module instead of the placeholder. Custom test packages are left out. */
export type JoinedModules =
  | {
      ok: true;
      modules: Modules;
      /** Modules of test packages, which were left out. */
      tests: Modules;
      policies: CustomPolicy[];
      needsToolInput: boolean;
      parts: string[] | null;
      named: NamedValue[];
    }
  | CompilerFailure;

/**
 * Checks custom modules and joins them with the core.
 * @param core Rego of the core by file name, without tests
 * @param custom Rego of the custom policies by file name; packages ending in `_test` are ignored
 */
export async function joinModules(core: Modules, custom: Modules, compiler: Compiler): Promise<JoinedModules> {
  const collected = await collectModules(core, custom, compiler);
  if (!collected.ok) return collected;
  const own = Object.entries(core).filter(([file]) => file !== CUSTOM_STAND_IN);
  return { ...collected, modules: { ...Object.fromEntries(own), ...collected.modules } };
}

/** The same without the core. */
async function collectModules(core: Modules, custom: Modules, compiler: Compiler): Promise<JoinedModules> {
  const clashes = Object.keys(custom).filter((file) => Object.hasOwn(core, file) || file === GENERATED_FILE);
  if (clashes.length > 0) return { ok: false, problems: clashes.map(clashProblem) };
  const inspected = await compiler.inspect(custom);
  if (!inspected.ok) return inspected;
  const wanted = inspected.modules.filter((module) => !isTestPackage(module));
  const apart = inspected.modules.filter(isTestPackage);
  const collected = collectCustom(wanted, custom);
  const idle = idleProblems(apart, custom);
  if (!collected.ok || idle.length > 0) return { ok: false, problems: [...(collected.ok ? [] : collected.problems), ...idle] };
  const textsOf = (of: RegoModule[]): Modules => Object.fromEntries(of.map(({ file }) => [file, custom[file]!]));
  const modules = { ...textsOf(wanted), [GENERATED_FILE]: collected.generated };
  const needsToolInput = wanted.some((module) => module.tool_input);
  const parts = partsNamed(Object.values(modules));
  const { policies } = collected;
  return { ok: true, modules, tests: textsOf(apart), policies, needsToolInput, parts, named: findNamed(wanted, custom) };
}

/** Compiles the core together with custom modules: a complete policy for a stock OPA. */
export async function buildPolicy(
  core: Modules,
  custom: Modules,
  compiler: Compiler,
  capabilities: Capabilities,
): Promise<BuiltPolicy | CompilerFailure> {
  return compileModules(await joinModules(core, custom, compiler), {
    main: CORE_ENTRYPOINTS,
    hosted: [],
    compiler,
    capabilities,
  });
}

/** Compiles custom modules without the core, which takes a tenth of the time. Their decisions are an input of the core. */
export async function buildCustom(
  core: Modules,
  custom: Modules,
  compiler: Compiler,
  capabilities: Capabilities,
): Promise<BuiltPolicy | CompilerFailure> {
  return compileModules(await collectModules(core, custom, compiler), {
    main: [DECISIONS_ENTRYPOINT],
    hosted,
    compiler,
    capabilities,
  });
}

interface CompileOptions {
  /** Entrypoints besides those for contexts, gates and single sets. */
  main: string[];
  hosted: string[];
  compiler: Compiler;
  capabilities: Capabilities;
}

async function compileModules(
  joined: JoinedModules,
  { main, hosted, compiler, capabilities }: CompileOptions,
): Promise<BuiltPolicy | CompilerFailure> {
  if (!joined.ok) return joined;
  // Each set is also an entrypoint. If a policy takes too long, these entrypoints show which one.
  const own = joined.policies.flatMap(({ rules }, at) => Object.keys(rules).map((rule) => probeEntrypoint(at, rule)));
  const entrypoints = [...main, CONTEXT_ENTRYPOINT, GATE_ENTRYPOINT, ...own];
  const modules = { ...joined.modules, [PROBES_FILE]: writeProbes(joined.policies) };
  const sources = withFinder({ modules, entrypoints });
  // INVARIANT: a policy with a type error is never compiled. Otherwise, calls that it should deny would silently pass.
  const built = await compiler.build({ ...typed(sources.modules), entrypoints: sources.entrypoints, hosted, capabilities });
  if (!built.ok) return built;
  const { policies, needsToolInput, parts, named } = joined;
  return { ok: true, wasm: built.wasm, entrypoints, policies, needsToolInput, parts, named };
}

interface Sources {
  modules: Modules;
  entrypoints: string[];
}

/** Adds the module for `regex.replace` if a policy may call it. It makes a policy larger by a regular expression engine. */
export function withFinder({ modules, entrypoints }: Sources): Sources {
  if (!Object.values(modules).some((text) => /\bregex\b/.test(text) && text.includes('replace'))) return { modules, entrypoints };
  return { modules: { ...modules, [FIND_FILE]: FIND_MODULE }, entrypoints: [...entrypoints, FIND_ENTRYPOINT] };
}

function clashProblem(file: string): Problem {
  return {
    code: 'E_POLICY_FILE',
    severity: 'error',
    message: 'a custom policy has the name of a core file',
    remedy: 'Rename the file.',
    file,
  };
}
