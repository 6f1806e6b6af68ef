// The gates out of the present mode for people: each requirement with ✓ or ✗, and what is missing.

import { targets } from '../config/targets.ts';
import { showInLine } from '../config/text.ts';
import { describeRequirement } from '../engine/requirement-text.ts';
import type { Unmet } from '../workflow/gates/unmet.ts';
import type { CallerProject } from '../workflow/project.ts';
import { newestRecord } from './gate-record.ts';
import { evaluateGates, type GateState } from './statusline.ts';

/** One requirement. `missing` and `how` are null if it holds. */
export interface GateCondition {
  check: string;
  holds: boolean;
  missing: string | null;
  how: string | null;
  /** The tests that the requirement waits for. */
  tests: { title: string; holds: boolean }[];
}

export interface Gate {
  to: string;
  conditions: GateCondition[];
}

export interface GateList {
  mode: string | null;
  /** ISO 8601: when a session saw this; null: now, and without the commands that sessions ran. */
  at: string | null;
  gates: Gate[];
}

/** Only a session knows the commands that it ran, so its record is better than a look at the files. */
export async function listGates(project: CallerProject): Promise<GateList> {
  const { mode } = project.describe();
  const record = mode === null ? null : newestRecord(project.place.dataFolder, project.root, mode);
  return record === null ? gatesNow(project) : { mode, at: record.at, gates: gatesOf(project, record.ways) };
}

/** The gates by the present files and by the commands that this process knows. */
export async function gatesNow(project: CallerProject): Promise<GateList> {
  return { mode: project.describe().mode, at: null, gates: gatesOf(project, await evaluateGates(project)) };
}

/** The gate to one mode by the present files. Its commands are not started. null: the transition has no gate. */
export async function gateTo(project: CallerProject, to: string): Promise<Gate | null> {
  const [gate = null] = gatesOf(project, await evaluateGates(project, to));
  return gate;
}

function gatesOf(project: CallerProject, states: readonly GateState[]): Gate[] {
  const { mode, configuration } = project.describe();
  const from = mode === null ? undefined : configuration.topology?.modes.get(mode);
  if (from === undefined || configuration.topology === null) return [];
  return targets(from, configuration.topology).flatMap(({ to, require, approve }): Gate[] => {
    const state = states.find((one) => one.to === to);
    if (state === undefined) return [];
    const own = [...require.map(describeRequirement), ...(approve === null ? [] : ['approve: human'])];
    // Every gate also waits for files that a program changed.
    const checks = [...new Set([...own, ...state.unmet])];
    if (checks.length === 0) return [];
    return [{ to, conditions: checks.map((check) => conditionOf(check, state.unmet, state.missing ?? [])) }];
  });
}

function conditionOf(check: string, unmet: readonly string[], all: readonly Unmet[]): GateCondition {
  const found = all.find((one) => one.check === check);
  return {
    check,
    holds: !unmet.includes(check),
    missing: found?.missing ?? null,
    how: found?.how ?? null,
    tests: found?.tests ?? [],
  };
}

/** Tests that are listed for one requirement, at most. */
const maxTests = 20;

export function gateLines({ mode, gates }: GateList): string[] {
  return gates.flatMap(({ to, conditions }) => [
    `${mode} → ${to}: ${conditions.filter(({ holds }) => holds).length} of ${conditions.length}`,
    ...conditions.flatMap(conditionLines),
  ]);
}

export function conditionLines({ check, holds, missing, how, tests }: GateCondition): string[] {
  const sign = (does: boolean): string => (does ? '✓' : '✗');
  const more = tests.length > maxTests ? [`      and ${tests.length - maxTests} more`] : [];
  return [
    `  ${sign(holds)} ${showInLine(check)}`,
    ...(missing === null ? [] : [`      ${showInLine(missing)}`, `      ${showInLine(how ?? '')}`]),
    ...tests.slice(0, maxTests).map((test) => `      ${sign(test.holds)} ${showInLine(test.title)}`),
    ...more,
  ];
}
