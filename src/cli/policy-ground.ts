// A configuration that decides as the server's does, for tests and comparisons: no session, no state, trust as asked for.
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { Content } from '../config/contents.ts';
import { isPolicyName } from '../config/names.ts';
import { policyKeys } from '../config/policy-keys.ts';
import type { Problem } from '../config/problem.ts';
import { decide } from '../decide/decide.ts';
import { prepare } from '../decide/prepare.ts';
import { type PrepareWith, preparedKey, readPrepared, type ShownRule } from '../decide/prepared.ts';
import type { Decision } from '../decide/types.ts';
import type { Bundle } from '../policy/bundle.ts';
import { readCore } from '../policy/core.ts';
import type { Modules } from '../rego/types.ts';
import { type Place, placeOf } from '../tools/place.ts';
import type { ToolCall } from '../tools/types.ts';
import { noAuthority } from '../workflow/grants.ts';
import { noWork } from '../workflow/plan/work.ts';
import { groundOf, openView, problemsOf, type View } from '../workflow/view.ts';

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
  decide(call: ToolCall, mode: string | null): Decision;
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
  const { home, ignoresCase } = place;
  return { place, build: { trusted, home, ignoresCase, packageRoot, cacheFolder, core: core.core } };
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
    decide(call, named) {
      const mode = named ?? view.known.topology?.default ?? null;
      const state = { mode, trouble: null, since: null, enteredBy: null, entries: [], work: noWork, authority: noAuthority };
      return decide(call, groundOf(view, { mode, state, isNamed: true, place, agent: call, others: [] }), randomUUID);
    },
  };
}

function customOf(content: Content): Modules {
  return Object.fromEntries(
    content.flatMap(({ files, shown }) =>
      files.filter(({ name }) => isPolicyName(name, shown)).map(({ name, text }) => [name, text] as const),
    ),
  );
}
