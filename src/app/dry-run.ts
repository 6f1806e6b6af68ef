// A configuration that decides as the server's does, for tests and comparisons: no session, no state, trust as asked for.
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { isPolicyName } from '../config/names.ts';
import { policyKeys } from '../config/policy-keys.ts';
import { readSources } from '../config/sources.ts';
import { decide, type Ground, type ModePolicy } from '../engine/decide.ts';
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
import { keptLayers } from '../store/kept-bundle.ts';
import type { Content } from '../store/snapshots.ts';
import { noAuthority } from '../workflow/grants.ts';
import { noWork } from '../workflow/plan/work.ts';
import { groundOf, openView, problemsOf, type View } from '../workflow/view.ts';
import { ownRoot } from './own-package.ts';

export interface Configured {
  view: View;
  place: Place;
  problems: Problem[];
  /** Of every mode whose policy could be made. */
  bundles(): Map<string, Bundle>;
  /** A mode's rules as written. */
  rulesOf(mode: string): ShownRule[];
  /** The custom policies of all layers that count. */
  custom(): Modules;
  /** Decides as if the project were in this mode; null: the default one. */
  decide(call: ToolCall, mode: string | null, how?: How): Decision;
}

export interface How {
  /** What the facts say of the state; nothing when absent. */
  state?: Facts['state'] | null;
  /** Facts as the policy is to see them. */
  lens?: ((facts: Facts) => Facts) | undefined;
}

export interface ConfiguredOptions {
  root: string;
  trusted: boolean;
  env: NodeJS.ProcessEnv;
  packageRoot: string;
}

/** What a configuration is prepared with. Throws where the compiled core is damaged. */
function preparation({ root, trusted, env, packageRoot }: ConfiguredOptions): { build: PrepareWith; place: Place } {
  const place = placeOf(root, env, packageRoot);
  const core = readCore(packageRoot);
  if (!core.ok) throw new Error(core.problems[0]?.message ?? 'the compiled core cannot be read');
  const cacheFolder = path.join(place.dataFolder, 'cache');
  const { home } = place;
  return { place, build: { trusted, home, packageRoot, cacheFolder, core: core.core, compileMs: PATIENT_MS } };
}

/** Makes a content ready to decide. What is wrong with it is in `problems`. */
export async function configure(content: Content, options: ConfiguredOptions): Promise<Configured> {
  const { build, place } = preparation(options);
  const key = preparedKey(content, build);
  const prepared = readPrepared(key, build) ?? (await prepare(content, build));
  const view = openView(key, content, options.trusted, prepared, options.packageRoot);
  return {
    view,
    place,
    problems: problemsOf(view),
    bundles: () =>
      new Map([...prepared.modes].flatMap(([mode, { bundle }]) => (policyKeys.isMode(mode) ? [[mode, bundle] as const] : []))),
    rulesOf: (mode) => prepared.modes.get(mode)?.rules ?? [],
    custom: () => customOf(content),
    decide(call, named, { state: told = null, lens } = {}) {
      const mode = named ?? view.known.topology?.default ?? null;
      const state = { mode, trouble: null, since: null, enteredBy: null, entries: [], work: noWork, authority: noAuthority };
      const ground = groundOf(view, { mode, state, isNamed: true, place, agent: call, others: [] });
      if (told !== null) ground.facts.state = { ...told, enteredBy: told.entered_by };
      return decide(call, lens === undefined ? ground : seenThrough(ground, lens), randomUUID);
    },
  };
}

/** The same, where every policy sees other facts. */
function seenThrough(ground: Ground, lens: (facts: Facts) => Facts): Ground {
  const through = <Each extends ModePolicy | null>(policy: Each): Each =>
    policy && { ...policy, evaluate: (facts: Facts) => policy.evaluate(lens(facts)) };
  const narrower = (ground.narrower ?? []).map((one) => ({ ...one, policy: through(one.policy) }));
  return { ...ground, policy: through(ground.policy), narrower, strict: null };
}

/** All layers that count in the project; `folder` stands in for the project's own. */
export function layeredContent(root: string, folder: string | null): Content {
  const place = placeOf(root, process.env, ownRoot());
  const layers = layerFolders(root, place);
  const read = layers.map((layer) =>
    readSources(layer.layer === 'project' && folder !== null ? { ...layer, folder, within: folder } : layer),
  );
  return [...read, ...keptLayers(place.dataFolder, read, Date.now())];
}

function customOf(content: Content): Modules {
  return Object.fromEntries(
    content.flatMap(({ files, shown }) =>
      files.filter(({ name }) => isPolicyName(name, shown)).map(({ name, text }) => [name, text] as const),
    ),
  );
}
