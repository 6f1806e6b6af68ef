// Prepares a configuration from its files, which is slow: reads it, parses and lowers its rules, compiles its policies.

import { readConfiguration } from '../config/read.ts';
import { collectProblems } from '../config/report.ts';
import { aliases, tools } from '../facts/table.ts';
import type { Configuration, ModeSettings } from '../model/configuration.ts';
import type { Problem } from '../model/problem.ts';
import type { Rule } from '../model/rule.ts';
import type { FolderLayer } from '../platform/layer-folders.ts';
import { type Bundle, makeBundle } from '../policy/bundle.ts';
import { obtainBundle } from '../policy/cache.ts';
import capabilities from '../policy/compiler/capabilities.json' with { type: 'json' };
import { type Compiler, sharedCompiler } from '../policy/compiler/compiler.ts';
import { compilerFiles } from '../policy/compiler/files.ts';
import type { Capabilities, CompilerFailure, Modules } from '../policy/compiler/types.ts';
import { type BuiltPolicy, buildCustom } from '../policy/custom/build.ts';
import { findNever } from '../policy/custom/unreachable.ts';
import type { RulesData } from '../rules/index-data.ts';
import { lowerRules, strengthOf } from '../rules/lower.ts';
import { parseRules } from '../rules/parse.ts';
import { rolesOf } from '../rules/reading.ts';
import type { ConfigSnapshot } from '../store/snapshots.ts';
import { findUnreadableExpressions } from './expressions.ts';
import { keepPrepared, modeKey, type Prepared, type PrepareWith, preparedKey } from './prepared.ts';
import { findUnreadableRequirements } from './requirements.ts';

/** Prepares a configuration and stores it. Never throws: problems are in `known.problems`. */
export async function prepare(snapshot: ConfigSnapshot, build: PrepareWith): Promise<Prepared> {
  const configuration = readConfiguration(snapshot, build.trusted, build.ci);
  const { problems, add } = collectProblems(configuration.files);
  add(configuration.problems);
  const key = preparedKey(snapshot, build);
  const compiler = compilerOf(build);
  const custom = configuration.policies;
  const compile = compileOnce(custom, compiler, build);
  const parse = {
    home: build.home,
    arguments: rolesOf(configuration.arguments.filter(({ trusted }) => trusted)),
    allArguments: rolesOf(configuration.arguments),
  };
  const modes: Prepared['modes'] = new Map();
  for (const [mode, settings] of configuration.enforced) {
    const { rules, problems: found } = parseRules(settings.rules, parse);
    add(found);
    const made = await obtainBundle(
      build.cacheFolder,
      modeKey(key, mode),
      () => makeMode({ mode, rules, settings, custom, compile, trusted: configuration.trusted }, build),
      { hash: build.core.wasm, bytes: build.core.bytes },
    );
    add(made.ok ? made.warnings : made.problems);
    if (made.ok)
      modes.set(mode, {
        bundle: made.bundle,
        rules: rules.map(({ id, effect, text, source, note }) => ({
          id,
          effect,
          text,
          source,
          ...(note !== undefined && { note }),
        })),
      });
  }
  if (custom.length > 0) {
    const built = await compile();
    if (built.ok) add(findNeverDeciding(built.named, configuration));
  }
  add(findUnreadableExpressions(configuration, build.core.bytes));
  add(findUnreadableRequirements(configuration.topology, build.home));
  const { topology, topologyLayer, commands, arguments: declared, headlessPass, approvable, opa, settings } = configuration;
  const { instructions, policies, hash } = configuration;
  const prepared: Prepared = {
    known: {
      topology,
      topologyLayer,
      commands,
      arguments: declared,
      headlessPass,
      approvable,
      opa,
      settings,
      instructions,
      policies: policies.map(({ name }) => name),
      hash,
      problems,
    },
    modes,
  };
  // A compilation may fail for a temporary reason, such as a time limit or a full disk. So an incomplete result is not stored,
  // and the next call tries again.
  const unkept = modes.size === configuration.enforced.size ? keepPrepared(key, prepared, build) : null;
  if (unkept !== null) add([unkept]);
  return prepared;
}

/** Starts the compiler early after a change of a policy, since its start takes longer than a compilation. */
export function expectPolicy(build: Pick<PrepareWith, 'packageRoot' | 'cacheFolder'>): void {
  compilerOf(build).warm();
}

function compilerOf({
  packageRoot,
  cacheFolder,
  compileMs,
}: Pick<PrepareWith, 'packageRoot' | 'cacheFolder' | 'compileMs'>): Compiler {
  const files = compilerFiles(packageRoot);
  return sharedCompiler({ files, cacheFolder, ...(compileMs !== undefined && { timeoutMs: compileMs }) });
}

interface Parts {
  mode: string;
  rules: Rule[];
  settings: ModeSettings;
  custom: Configuration['policies'];
  compile: () => ReturnType<typeof buildCustom>;
  trusted: boolean;
}

async function makeMode(
  { mode, rules, settings, custom, compile, trusted }: Parts,
  { core }: PrepareWith,
): Promise<{ ok: true; bundle: Bundle } | CompilerFailure> {
  const data: { rules: RulesData } = { rules: lowerRules(rules, { defaults: settings.defaults, trusted }) };
  if (custom.length === 0)
    return { ok: true, bundle: makeBundle({ mode, wasm: core.bytes, entrypoints: core.entrypoints, data }) };
  const built = await compile();
  if (!built.ok) return built;
  const owners = layersOf(built.policies, custom);
  const stale = new Set(custom.flatMap((one) => (one.stale ? [one.name] : [])));
  const shared = built.policies.filter(({ name }) => (owners.get(name)?.size ?? 0) > 1);
  if (shared.length > 0) return { ok: false, problems: shared.map(sharedProblem) };
  data.rules.policies = Object.fromEntries(
    built.policies.map(({ name, files }) => [
      name,
      // An allow of a stale bundle overrides nothing.
      files.some((file) => stale.has(file)) ? 0 : strengthOf([...(owners.get(name) ?? [])][0] ?? 'project', trusted),
    ]),
  );
  return {
    ok: true,
    bundle: makeBundle({
      mode,
      wasm: built.wasm,
      entrypoints: built.entrypoints,
      data,
      policies: built.policies,
      needsToolInput: built.needsToolInput,
      parts: built.parts,
      core: core.wasm,
    }),
  };
}

/** The custom policies are the same in every mode, so they are compiled once. */
function compileOnce(custom: Configuration['policies'], compiler: Compiler, { core }: PrepareWith): Parts['compile'] {
  let built: ReturnType<typeof buildCustom> | null = null;
  return () => {
    const modules: Modules = Object.fromEntries(custom.map(({ name, text }) => [name, text]));
    built ??= buildCustom(core.modules, modules, compiler, capabilities as Capabilities);
    return built;
  };
}

/** The layers of the files that each policy consists of. */
function layersOf(policies: BuiltPolicy['policies'], files: Configuration['policies']): Map<string, Set<FolderLayer>> {
  const layerOf = new Map(files.map(({ name, layer }) => [name, layer]));
  return new Map(policies.map(({ name, files }) => [name, new Set(files.map((file) => layerOf.get(file) ?? 'project'))]));
}

/** If another layer could add to a package, it could weaken the policy. */
function sharedProblem({ name, files }: BuiltPolicy['policies'][number]): Problem {
  return {
    code: 'E_POLICY_SHARED',
    severity: 'error',
    message: `package modes.policy.${name} is defined in several layers: ${files.join(', ')}`,
    remedy: 'Give each layer its own package.',
    file: files.at(-1) ?? '',
  };
}

/**
 * Policies of the user and of the organization apply to many projects, each with other modes. So the names of modes in them are
 * not checked.
 */
function findNeverDeciding(named: BuiltPolicy['named'], { policies, topology }: Configuration): Problem[] {
  const ofProject = new Set(policies.filter(({ layer }) => layer === 'project').map(({ name }) => name));
  const modes = topology === null ? null : new Set(topology.modes.keys());
  return named.flatMap((one) =>
    findNever([one], { modes: ofProject.has(one.file) ? modes : null, tools: new Set(tools.keys()), oldTools: aliases }),
  );
}
