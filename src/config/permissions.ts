// Collects the rules and instructions of every mode from the files of all layers, and from the modes that it extends.

import type { AgentLimits, ConfigFile, Mode, ModeSettings, Topology } from '../model/configuration.ts';
import type { Problem } from '../model/problem.ts';
import type { FolderLayer } from '../platform/layer-folders.ts';
import { groupRules } from './groups.ts';
import { basesOf } from './inherit.ts';
import { ANY, parseInstructionsName, parseSettingsName } from './names.ts';
import { RuleQuota } from './rule-quota.ts';
import { readSettings } from './settings.ts';
import type { LayerSources } from './sources.ts';
import type { TopologyReading } from './topology.ts';

/** The files of one layer, and the content of its modes.yaml. */
export interface LayerReading {
  layer: FolderLayer;
  shown: string;
  sources: LayerSources;
  files: ConfigFile[];
  faults: readonly Problem[];
  modesFile: ConfigFile | undefined;
  reading: TopologyReading | null;
}

const nothing: ModeSettings = { rules: [], defaults: [] };

/**
 * The rules of every mode, in this order: those of any mode, those of the modes that it extends, its own. Within each, they are
 * ordered by layer, with the local file after the shared one. `lost` has the names of files that are not read.
 */
export function joinSettings(
  layers: readonly LayerReading[],
  lost: ReadonlyMap<string, unknown>,
  topology: Topology | null,
  names: ReadonlySet<string> | null,
): { settings: Map<string, ModeSettings>; problems: Problem[] } {
  const problems: Problem[] = [];
  const written = layers.map((layer) => ({ layer, byMode: readLayer(layer, lost, problems) }));
  const partsOf = (name: string, mode: string): ModeSettings[] =>
    written.flatMap(({ layer, byMode }) => (takesOver(layer, topology, mode, name) ? (byMode.get(name) ?? []) : []));
  const settings = new Map<string, ModeSettings>();
  const limits = new RuleQuota(0);
  const found = new Set(written.flatMap(({ byMode }) => [...byMode.keys()].filter((name) => name !== ANY)));
  for (const mode of topology?.modes.keys() ?? names ?? found) {
    const bases = lineage(mode, topology, layers);
    settings.set(mode, limits.take([ANY, ...bases, mode].flatMap((name) => partsOf(name, mode))));
  }
  if (topology === null) settings.set(ANY, limits.take(partsOf(ANY, ANY)));
  if (limits.problem !== null) problems.push(limits.problem);
  return { settings, problems };
}

function join(parts: readonly ModeSettings[]): ModeSettings {
  return {
    rules: parts.flatMap(({ rules }) => rules),
    defaults: parts.flatMap(({ defaults }) => defaults),
    uncertain: parts.flatMap(({ uncertain = [] }) => uncertain),
  };
}

/** The settings of one layer's files, by mode. */
function readLayer(
  { layer, shown, files, reading, sources }: LayerReading,
  lost: ReadonlyMap<string, unknown>,
  problems: Problem[],
) {
  const byMode = new Map<string, ModeSettings>();
  const add = (mode: string, more: ModeSettings): void => void byMode.set(mode, join([byMode.get(mode) ?? nothing, more]));
  for (const isLocal of [false, true]) {
    for (const file of files) {
      const named = parseSettingsName(file.name, shown);
      if (named?.isLocal !== isLocal || lost.has(file.name)) continue;
      const { rules, problems: found, ...others } = readSettings(file, layer === 'project' && isLocal ? 'local' : layer);
      for (const problem of found) problems.push(problem);
      add(named.mode, {
        rules: sources.stale ? rules.filter(({ effect }) => effect !== 'allow') : rules,
        defaults: others.defaults,
        uncertain: (others.uncertain ?? []).filter(({ value }) => !sources.stale || value !== 'verify'),
      });
    }
  }
  for (const { name, groups } of reading?.topology?.modes.values() ?? [])
    if (groups !== null) add(name, { rules: groupRules(groups, layer), defaults: [] });
  return byMode;
}

/** The modes that a mode extends, in the topology that applies or in a layer's own. */
function lineage(mode: string, topology: Topology | null, layers: readonly LayerReading[]): string[] {
  const all = [topology, ...layers.map(({ reading }) => reading?.topology ?? null)];
  return [...new Set(all.flatMap((one) => (one === null ? [] : basesOf(mode, one.modes))))].filter((name) => name !== mode);
}

/**
 * If a mode extends another in the topology that applies, this counts in every layer. If it does so only in a layer's own
 * topology, it counts in that layer.
 */
function takesOver({ reading }: LayerReading, topology: Topology | null, mode: string, name: string): boolean {
  if (name === ANY || name === mode) return true;
  return [topology, reading?.topology ?? null].some((one) => one !== null && basesOf(mode, one.modes).includes(name));
}

/** Adds up the entries of `agents:` over all layers and over the modes that a mode extends. */
export function joinAgents(topology: Topology, layers: readonly LayerReading[]): Topology {
  const modes = new Map<string, Mode>();
  for (const [name, mode] of topology.modes) {
    const agents = [...lineage(name, topology, layers), name].flatMap((from) =>
      layers.flatMap((layer): AgentLimits[] =>
        takesOver(layer, topology, name, from) ? (layer.reading?.topology?.modes.get(from)?.agents ?? []) : [],
      ),
    );
    // The entry of another layer may name a mode that exists only in its own topology.
    modes.set(name, { ...mode, agents: agents.filter((one) => one.mode === null || topology.modes.has(one.mode)) });
  }
  return { ...topology, modes };
}

/** The instructions of each mode, after those of the modes that it extends, trimmed. */
export function joinInstructions(
  layers: readonly LayerReading[],
  topology: Topology | null,
  names: ReadonlySet<string> | null,
): Map<string, ConfigFile[]> {
  const own = new Map<string, ConfigFile[]>();
  for (const { files, shown } of layers) {
    const isMain = (file: ConfigFile) => file.name.startsWith(`${shown}CLAUDE.`);
    for (const file of [...files.filter(isMain), ...files.filter((file) => !isMain(file))]) {
      const mode = parseInstructionsName(file.name, shown);
      if (mode === null || (names !== null && !names.has(mode)) || file.text.trim() === '') continue;
      own.set(mode, [...(own.get(mode) ?? []), { name: file.name, text: file.text.trim() }]);
    }
  }
  const whole = new Map<string, ConfigFile[]>();
  for (const mode of topology?.modes.keys() ?? own.keys()) {
    const bases = topology === null ? [] : basesOf(mode, topology.modes);
    const texts = [...bases, mode].flatMap((name) => own.get(name) ?? []);
    if (texts.length > 0) whole.set(mode, texts);
  }
  return whole;
}
