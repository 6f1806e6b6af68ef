// The settings that policies are made from: the rules of every mode, weakened by `enforcement:` and in CI, and restricted for
// subagents.

import type { Enforcement, Layer, ModeSettings, Topology } from '../model/configuration.ts';
import type { Problem } from '../model/problem.ts';
import type { FolderLayer } from '../platform/layer-folders.ts';
import { limitRules, limitsByType } from './groups.ts';
import type { LayerReading } from './permissions.ts';
import { policyKeys } from './policy-keys.ts';
import { POLICY_ENTRIES, RuleQuota } from './rule-quota.ts';

type Weight = Enforcement | 'off';

export interface EnforcementContext {
  layers: readonly LayerReading[];
  topology: Topology | null;
  /** True if a person approved the project's own layer. */
  trusted: boolean;
  /** True if the client runs in CI. */
  ci: boolean;
  /** The weakest enforcement that the organization accepts. */
  floor?: Enforcement | null;
}

/** Returns the settings by `policyKeys`, up to the limit of entries. */
export function enforceSettings(
  settings: ReadonlyMap<string, ModeSettings>,
  { layers, topology, trusted, ci, floor = null }: EnforcementContext,
): { enforced: Map<string, ModeSettings>; problem: Problem | null } {
  const quota = new RuleQuota(POLICY_ENTRIES);
  const enforced = new Map<string, ModeSettings>();
  const inCi = ci ? ciWeights(layers) : () => 'enforce' as const;
  for (const [mode, written] of settings) {
    const weigh = (layer: Layer): Weight => {
      const folder: FolderLayer = layer === 'local' || layer === 'builtin' ? 'project' : layer;
      const own = folder === 'project' && !trusted ? 'enforce' : ownWeight(layers, folder, mode);
      return strictest(weakest(own, inCi(folder)), floor ?? 'off');
    };
    const add = (key: string, all: ModeSettings): void => {
      enforced.set(key, quota.take([weaken(all, weigh)]));
      const strict = leaveOut(all, weigh);
      if (isAdvised(strict, weigh)) enforced.set(policyKeys.strict(key), quota.take([strict]));
    };
    add(mode, written);
    const agents = topology?.modes.get(mode)?.agents ?? [];
    for (const [type, entries] of limitsByType(agents)) {
      const limits = limitRules(entries);
      if (limits[0] !== undefined && !quota.refuses(limits[0]))
        add(policyKeys.agent(mode, type), { ...written, rules: [...written.rules, ...limits] });
    }
  }
  return { enforced, problem: quota.problem };
}

const order: readonly Weight[] = ['enforce', 'ask', 'advise', 'off'];

/** If one layer has several folders, the strictest. */
function ownWeight(layers: readonly LayerReading[], layer: FolderLayer, mode: string): Enforcement {
  const enforcements = layers.flatMap((one) => {
    const own = one.layer === layer ? one.reading?.topology?.modes.get(mode) : undefined;
    return own === undefined ? [] : [own.enforcement];
  });
  return order.find((weight): weight is Enforcement => weight !== 'off' && enforcements.includes(weight)) ?? 'enforce';
}

function weakest(one: Weight, other: Weight): Weight {
  return order.indexOf(one) < order.indexOf(other) ? other : one;
}

function strictest(one: Weight, other: Weight): Weight {
  return order.indexOf(one) < order.indexOf(other) ? one : other;
}

/**
 * If the organization sets the enforcement in CI, it applies to every layer. If only the user does, it applies to every layer
 * except the organization's.
 */
function ciWeights(layers: readonly LayerReading[]): (layer: FolderLayer) => Weight {
  const ciWeightOf = (layer: FolderLayer) =>
    layers.flatMap((one) => (one.layer === layer ? (one.reading?.topology?.ci ?? []) : []))[0] ?? null;
  const managed = ciWeightOf('managed');
  return (layer) => managed ?? (layer === 'managed' ? 'enforce' : (ciWeightOf('user') ?? 'enforce'));
}

/** Weakens deny, ask and the default. Allow rules are unchanged. */
function weaken({ rules, defaults, uncertain = [] }: ModeSettings, weigh: (layer: Layer) => Weight): ModeSettings {
  return {
    rules: rules.flatMap((rule) => {
      const weight = rule.effect === 'allow' ? 'enforce' : weigh(rule.layer);
      if (weight === 'enforce') return [rule];
      return weight === 'ask' ? [{ ...rule, effect: 'ask' as const }] : [];
    }),
    defaults: defaults.flatMap((given) => {
      const weight = weigh(given.layer);
      if (weight === 'enforce') return [given];
      return weight === 'ask' ? [{ ...given, value: given.value === 'deny' ? ('ask' as const) : given.value }] : [];
    }),
    uncertain,
  };
}

/** The settings as written, without the layers that are off. */
function leaveOut({ rules, defaults, uncertain = [] }: ModeSettings, weigh: (layer: Layer) => Weight): ModeSettings {
  return {
    rules: rules.filter(({ effect, layer }) => effect === 'allow' || weigh(layer) !== 'off'),
    defaults: defaults.filter(({ layer }) => weigh(layer) !== 'off'),
    uncertain,
  };
}

function isAdvised({ rules, defaults }: ModeSettings, weigh: (layer: Layer) => Weight): boolean {
  return (
    rules.some(({ effect, layer }) => effect !== 'allow' && weigh(layer) === 'advise') ||
    defaults.some(({ layer }) => weigh(layer) === 'advise')
  );
}
