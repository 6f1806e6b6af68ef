// Decides by a configuration as the server does, for tests and comparisons. Has no session and no state, and trust is an option.
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { isPolicyName } from '../config/names.ts';
import { policyKeys } from '../config/policy-keys.ts';
import { readSources } from '../config/sources.ts';
import { contextOf } from '../engine/context.ts';
import { decideExamined, examine } from '../engine/decide.ts';
import { type LoadedConfig, openConfig, problemsOf } from '../engine/loaded-config.ts';
import { prepare } from '../engine/prepare.ts';
import { type PrepareWith, preparedKey, readPrepared, type ShownRule } from '../engine/prepared.ts';
import { type Place, placeOf } from '../facts/paths/place.ts';
import type { Decision } from '../model/decision.ts';
import type { Facts, ToolCall } from '../model/facts.ts';
import type { Problem } from '../model/problem.ts';
import { layerFolders } from '../platform/layer-folders.ts';
import type { Bundle } from '../policy/bundle.ts';
import { PATIENT_MS } from '../policy/compiler/compiler.ts';
import type { Modules } from '../policy/compiler/types.ts';
import { readCore } from '../policy/core.ts';
import { cachedLayers } from '../store/cached-bundle.ts';
import type { ConfigSnapshot } from '../store/snapshots.ts';
import { findPackageRoot } from './own-package.ts';

export interface Configured {
  config: LoadedConfig;
  place: Place;
  problems: Problem[];
  /** The bundles of all modes with a valid policy. */
  bundles(): Map<string, Bundle>;
  /** A mode's rules as written. */
  rulesOf(mode: string): ShownRule[];
  /** The custom policies of all layers that apply. */
  custom(): Modules;
  /** Decides as if the project were in this mode; null: the default mode. */
  decide(call: ToolCall, mode: string | null, how?: How): Decision;
}

export interface How {
  /** The state in the facts; empty if absent. */
  state?: Facts['state'] | null;
  /** Changes the facts before the policy sees them. */
  lens?: ((facts: Facts) => Facts) | undefined;
}

export interface ConfiguredOptions {
  root: string;
  trusted: boolean;
  env: NodeJS.ProcessEnv;
  packageRoot: string;
}

/** The inputs for preparing a configuration. Throws if the compiled core is damaged. */
function preparation({ root, trusted, env, packageRoot }: ConfiguredOptions): { build: PrepareWith; place: Place } {
  const place = placeOf(root, env, packageRoot);
  const core = readCore(packageRoot);
  if (!core.ok) throw new Error(core.problems[0]?.message ?? 'the compiled core cannot be read');
  const cacheFolder = path.join(place.dataFolder, 'cache');
  const { home } = place;
  return { place, build: { trusted, home, packageRoot, cacheFolder, core: core.core, compileMs: PATIENT_MS } };
}

/** Prepares a content for decisions. Its errors and warnings are in `problems`. */
export async function configure(snapshot: ConfigSnapshot, options: ConfiguredOptions): Promise<Configured> {
  const { build, place } = preparation(options);
  const key = preparedKey(snapshot, build);
  const prepared = readPrepared(key, build) ?? (await prepare(snapshot, build));
  const config = openConfig(key, snapshot, options.trusted, prepared, options.packageRoot);
  return {
    config,
    place,
    problems: problemsOf(config),
    bundles: () =>
      new Map([...prepared.modes].flatMap(([mode, { bundle }]) => (policyKeys.isMode(mode) ? [[mode, bundle] as const] : []))),
    rulesOf: (mode) => prepared.modes.get(mode)?.rules ?? [],
    custom: () => customOf(snapshot),
    decide(call, named, { state: given = null, lens } = {}) {
      const mode = named ?? config.known.topology?.default ?? null;
      const { entered_by: enteredBy = null, ...state } = given ?? { since: null };
      const context = contextOf(config, { mode, state: { ...state, enteredBy }, place, agent: call });
      const examined = examine(call, context.facts);
      const facts = examined.facts !== null && lens !== undefined ? lens(examined.facts) : examined.facts;
      return decideExamined({ ...examined, facts }, context, randomUUID);
    },
  };
}

/** All layers that apply to the project. `folder` replaces the project's own layer. */
export function layeredSources(root: string, folder: string | null): ConfigSnapshot {
  const place = placeOf(root, process.env, findPackageRoot());
  const layers = layerFolders(root, place);
  const read = layers.map((layer) =>
    readSources(layer.layer === 'project' && folder !== null ? { ...layer, folder, within: folder } : layer),
  );
  return [...read, ...cachedLayers(place.dataFolder, read, Date.now())];
}

function customOf(snapshot: ConfigSnapshot): Modules {
  return Object.fromEntries(
    snapshot.flatMap(({ files, shown }) =>
      files.filter(({ name }) => isPolicyName(name, shown)).map(({ name, text }) => [name, text] as const),
    ),
  );
}
