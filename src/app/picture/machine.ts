// The state machine of a project as data: modes, counts of their rules, and transitions with the conditions of their gates.

import { targets } from '../../config/targets.ts';
import { describeRequirement } from '../../engine/requirement-text.ts';
import type { ModeSettings, Topology } from '../../model/configuration.ts';

export interface PictureState {
  name: string;
  title: string | null;
  description: string | null;
  /** The project is in this mode now. */
  present: boolean;
  /** The mode in which a project starts. */
  initial: boolean;
  /** Number of rules of each kind that apply in it. */
  rules: { allow: number; ask: number; deny: number };
  /** The most restrictive default of all layers; null: a call that no rule matches passes. */
  otherwise: 'ask' | 'deny' | null;
}

/** One condition of a transition. `holds`: the present result; null if it was not checked. */
export interface Condition {
  text: string;
  kind: 'check' | 'person' | 'prose';
  holds: boolean | null;
}

export interface PictureTransition {
  from: string;
  to: string;
  conditions: Condition[];
  /** Modes itself takes this transition. */
  automatic: boolean;
}

export interface Machine {
  name: string;
  states: PictureState[];
  ways: PictureTransition[];
}

export interface PresentState {
  /** The present mode; null: unknown. */
  mode: string | null;
  /** The unmet checks of its transitions, by target; absent if they were not checked. */
  unmet?: ReadonlyMap<string, readonly string[]>;
}

/** @param settings rules by mode name */
export function machineOf(topology: Topology, settings: ReadonlyMap<string, ModeSettings>, presentState: PresentState): Machine {
  const modes = [...topology.modes.values()];
  const states = modes.map(({ name, title, description }): PictureState => {
    const { rules, defaults } = settings.get(name) ?? { rules: [], defaults: [] };
    const count = (effect: string) => rules.filter((rule) => rule.effect === effect).length;
    const strictest = (['deny', 'ask'] as const).find((one) => defaults.some(({ value }) => value === one));
    return {
      name,
      title,
      description,
      present: name === presentState.mode,
      initial: name === topology.default,
      rules: { allow: count('allow'), ask: count('ask'), deny: count('deny') },
      otherwise: strictest ?? null,
    };
  });
  const transitions = modes.flatMap((mode) => {
    const out = targets(mode, topology).map((transition): PictureTransition => {
      const unmet = mode.name === presentState.mode ? presentState.unmet?.get(transition.to) : undefined;
      const holds = (check: string) => (unmet === undefined ? null : !unmet.includes(check));
      const checks = transition.require.map((one) => describeRequirement(one));
      return {
        from: mode.name,
        to: transition.to,
        automatic: false,
        conditions: [
          ...(transition.constraint === null
            ? []
            : [{ text: transition.constraint.replace(/\s+/g, ' '), kind: 'prose' as const, holds: null }]),
          ...checks.map((text) => ({ text, kind: 'check' as const, holds: holds(text) })),
          ...(transition.approve === null
            ? []
            : [{ text: 'approve: human', kind: 'person' as const, holds: holds('approve: human') }]),
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
  return { name: topology.name, states, ways: transitions };
}
