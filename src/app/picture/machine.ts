// The state machine of a project as data: modes, what their rules are, ways out with what their gates ask for.
import { describeRequirement } from '../../config/requirements.ts';
import type { ModeSettings, Topology } from '../../model/configuration.ts';
import { targets } from '../../workflow/context/render.ts';

export interface State {
  name: string;
  title: string | null;
  description: string | null;
  /** The mode that the project is in now. */
  present: boolean;
  /** Where a project begins. */
  initial: boolean;
  /** How many rules of each kind hold in it. */
  rules: { allow: number; ask: number; deny: number };
  /** Its default of all layers, the strictest; null: what no rule meets passes. */
  otherwise: 'ask' | 'deny' | null;
}

/** One thing that a way out asks for. `holds`: seen now; null where nobody looked. */
export interface Condition {
  text: string;
  kind: 'check' | 'person' | 'prose';
  holds: boolean | null;
}

export interface Way {
  from: string;
  to: string;
  conditions: Condition[];
  /** Taken by the engine itself. */
  automatic: boolean;
}

export interface Machine {
  name: string;
  states: State[];
  ways: Way[];
}

export interface Seen {
  /** The present mode; null: not known. */
  mode: string | null;
  /** Checks of the ways out of it that do not hold, by target; absent where nobody looked. */
  unmet?: ReadonlyMap<string, readonly string[]>;
}

/** @param settings rules by mode name */
export function machineOf(topology: Topology, settings: ReadonlyMap<string, ModeSettings>, seen: Seen): Machine {
  const modes = [...topology.modes.values()];
  const states = modes.map(({ name, title, description }): State => {
    const { rules, defaults } = settings.get(name) ?? { rules: [], defaults: [] };
    const count = (effect: string) => rules.filter((rule) => rule.effect === effect).length;
    const strictest = (['deny', 'ask'] as const).find((one) => defaults.some(({ value }) => value === one));
    return {
      name,
      title,
      description,
      present: name === seen.mode,
      initial: name === topology.default,
      rules: { allow: count('allow'), ask: count('ask'), deny: count('deny') },
      otherwise: strictest ?? null,
    };
  });
  const ways = modes.flatMap((mode) => {
    const out = targets(mode, topology).map((way): Way => {
      const unmet = mode.name === seen.mode ? seen.unmet?.get(way.to) : undefined;
      const holds = (check: string) => (unmet === undefined ? null : !unmet.includes(check));
      const checks = way.require.map((one) => describeRequirement(one));
      return {
        from: mode.name,
        to: way.to,
        automatic: false,
        conditions: [
          ...(way.constraint === null
            ? []
            : [{ text: way.constraint.replace(/\s+/g, ' '), kind: 'prose' as const, holds: null }]),
          ...checks.map((text) => ({ text, kind: 'check' as const, holds: holds(text) })),
          ...(way.approve === null ? [] : [{ text: 'approve: human', kind: 'person' as const, holds: holds('approve: human') }]),
        ],
      };
    });
    const end = mode.exitWhen;
    return end === null
      ? out
      : [
          ...out,
          {
            from: mode.name,
            to: end.to,
            automatic: true,
            conditions: [{ text: 'plan: complete', kind: 'check' as const, holds: null }],
          },
        ];
  });
  return { name: topology.name, states, ways };
}
