// Finds problems that a load does not reach because of an earlier error, for a person who wants to fix all of them at once.

import { groupRules } from '../config/groups.ts';
import { parseSettingsName } from '../config/names.ts';
import { readSettings } from '../config/settings.ts';
import { readTopology } from '../config/topology.ts';
import type { ConfigFile, Layer, ModeSettings } from '../model/configuration.ts';
import type { Problem } from '../model/problem.ts';
import { type FolderLayer, PROJECT_SHOWN } from '../platform/layer-folders.ts';
import capabilities from '../policy/compiler/capabilities.json' with { type: 'json' };
import type { Compiler } from '../policy/compiler/compiler.ts';
import type { Capabilities, Modules } from '../policy/compiler/types.ts';
import type { Core } from '../policy/core.ts';
import { buildCustom } from '../policy/custom/build.ts';
import { everyMistake, withoutBroken } from '../policy/custom/mistakes.ts';
import { parseRules } from '../rules/parse.ts';
import { rolesOf } from '../rules/reading.ts';
import type { ConfigSnapshot } from '../store/snapshots.ts';
import { findUnreadableExpressions } from './expressions.ts';
import type { LoadedRules } from './prepared.ts';
import { findUnreadableRequirements } from './requirements.ts';

export interface EvaluateWith {
  core: Core;
  compiler: Compiler;
  home: string;
}

/** Looks into files with errors, and into policies beside those with errors. Finds nothing in a valid configuration. */
export async function hiddenProblems(rules: LoadedRules, snapshot: ConfigSnapshot, look: EvaluateWith): Promise<Problem[]> {
  const broken = new Set(
    rules.problems.flatMap(({ severity, file }) => (severity === 'error' && file !== undefined ? [file] : [])),
  );
  const ofFiles = snapshot.flatMap(({ files, layer = 'project', shown = PROJECT_SHOWN }) =>
    files
      .filter(({ name }) => broken.has(name))
      .flatMap((file) => {
        if (file.name === `${shown}modes.yaml`) return ofTopology(file, layer, look);
        const named = parseSettingsName(file.name, shown);
        return named === null ? [] : withheldRules(file, named.isLocal && layer === 'project' ? 'local' : layer, rules, look);
      }),
  );
  return [...ofFiles, ...(rules.policies.some((name) => broken.has(name)) ? await ofPolicies(rules, snapshot, look) : [])];
}

/** Problems of the policies that remain when those with errors, and the policies that depend on them, are left out. */
function ofPolicies(
  { policies, problems }: LoadedRules,
  snapshot: ConfigSnapshot,
  { core, compiler }: EvaluateWith,
): Promise<Problem[]> {
  const files = snapshot.flatMap(({ files }) => files.filter(({ name }) => policies.includes(name)));
  const custom: Modules = Object.fromEntries(files.map(({ name, text }) => [name, text]));
  return everyMistake(withoutBroken(custom, problems), async (modules) => {
    const built = await buildCustom(core.modules, modules, compiler, capabilities as Capabilities);
    return built.ok ? [] : built.problems;
  });
}

/** A modes.yaml with an error does not apply. The globs, commands and expressions in its gates and groups are checked anyway. */
function ofTopology(file: ConfigFile, layer: FolderLayer, { home, core }: EvaluateWith): Problem[] {
  const { draft } = readTopology(file, layer);
  if (draft === null) return [];
  const enforced = new Map<string, ModeSettings>();
  for (const [mode, { groups }] of draft.modes)
    if (groups !== null) enforced.set(mode, { rules: groupRules(groups, layer), defaults: [] });
  return [...findUnreadableRequirements(draft, home), ...findUnreadableExpressions({ enforced }, core.bytes)];
}

/** The allow lines of a settings file with an error do not apply. They are checked anyway. */
function withheldRules(file: ConfigFile, layer: Layer, rules: LoadedRules, { home }: EvaluateWith): Problem[] {
  const declared = rules.arguments.filter(({ trusted }) => trusted);
  const context = { home, arguments: rolesOf(declared), allArguments: rolesOf(rules.arguments) };
  return parseRules(readSettings(file, layer).withheld, context).problems;
}
