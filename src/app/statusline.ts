// The content of a session's status line, and the text from which hooks/statusline.sh reads it.

import { targets } from '../config/targets.ts';
import { opaStatus } from '../store/opa-record.ts';
import type { Unmet } from '../workflow/gates/unmet.ts';
import { offLeft } from '../workflow/grants.ts';
import { countItems, topOf } from '../workflow/plan/work.ts';
import type { CallerProject } from '../workflow/project.ts';
import type { Degraded, ModeState } from '../workflow/state.ts';

/** A part of a whole: requirements that hold, items that are done. */
export interface Count {
  done: number;
  of: number;
}

export interface StatusLine {
  /** null: unknown. */
  mode: string | null;
  /** Something about the modes that does not work as written or does not apply. Shown in red. */
  alarm: string | null;
  /** Something that a person should do at some time. */
  note: string | null;
  gates: Count | null;
  plan: Count | null;
  task: string | null;
}

/** First line of the text. The shell script reads no other version. */
const version = 'modes-status 1';

const alarms: Record<Degraded['code'], string> = {
  E_STOPPED: 'stopped: /modes:mode NAME resumes',
  E_JOURNAL_BROKEN: 'journal damaged: /modes:mode NAME resumes',
  E_UNKNOWN_MODE: 'unknown mode: /modes:mode NAME resumes',
  E_VIEW_WITHOUT_JOURNAL: 'mode unknown: /modes:mode NAME sets it',
  E_NO_TOPOLOGY: 'config broken: modes validate',
  E_NO_SESSION: 'mode unknown',
};

/** The status line for this caller. `gates` is computed separately, because that reads files. */
export function statusLineOf(project: CallerProject, gates: Count | null): StatusLine {
  const { mode, state, problems, present } = project.describe();
  const broken = problems.find(({ severity }) => severity === 'error');
  const where = broken?.file === undefined ? broken?.code : `${broken.file}:${broken.line ?? 1}`;
  const { degraded: fault } = state;
  const top = topOf(state.work);
  return {
    mode: mode ?? (fault?.code === 'E_STOPPED' ? (state.entries.at(-1)?.to ?? null) : null),
    alarm: broken === undefined ? (alarmOf(state, project.caller.session) ?? changedFiles(project)) : `config broken: ${where}`,
    note:
      present.trusted && !present.differs
        ? opaNote(project)
        : present.configuration.approvable
          ? 'not trusted: /modes:trust'
          : present.trusted
            ? 'another configuration'
            : 'not trusted',
    gates,
    plan: top === null ? null : countItems(top),
    task: state.work.task?.name ?? null,
  };
}

/** An alarm if a program changed files that the mode guards. */
function changedFiles(project: CallerProject): string | null {
  const { length } = project.verified.known();
  return length === 0 ? null : `${length} guarded ${length === 1 ? 'file' : 'files'} changed: /modes:accept`;
}

/** A note if the configured OPA server cannot be reached. */
function opaNote(project: CallerProject): string | null {
  const { opa } = project.describe().configuration;
  const { trouble: fault } = opa === null ? { trouble: null } : opaStatus(opa, project.place.dataFolder);
  if (opa === null || fault === null) return null;
  return opa.fallback === 'deny' ? 'OPA unreachable: calls are denied' : 'OPA unreachable: decided here';
}

function alarmOf({ degraded: fault, authority }: ModeState, session: string | null): string | null {
  if (fault !== null) return alarms[fault.code];
  return offLeft(authority, session) > 0 ? 'off: /modes:on turns the modes on' : null;
}

/** One line for each part, without characters that a terminal would interpret. */
export function statusLineText({ mode, alarm, note, gates, plan, task }: StatusLine): string {
  const parts = { mode, alarm, note, gates: countText(gates), plan: countText(plan), task };
  const lines = Object.entries(parts).flatMap(([name, value]) => (value === null ? [] : [`${name}=${plain(value)}`]));
  return [version, ...lines, ''].join('\n');
}

function countText(count: Count | null): string | null {
  return count === null ? null : `${count.done}/${count.of}`;
}

/** Longest text of a part, in characters. */
const maxPart = 120;

function plain(text: string): string {
  const clean = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu, '?');
  const characters = [...clean];
  return characters.length <= maxPart ? clean : `${characters.slice(0, maxPart).join('')}…`;
}

/** A transition with a gate: the number of its requirements, and the unmet ones. */
export interface GateState {
  to: string;
  of: number;
  unmet: string[];
  /** What is missing for each unmet requirement. Absent in records of version 0.1. */
  missing?: Unmet[];
}

/**
 * The gates of the transitions out of the present mode. Reads files, but starts no command of a gate.
 * @param only the target of the only transition to look at
 */
export async function evaluateGates(project: CallerProject, only?: string): Promise<GateState[]> {
  const { mode, configuration } = project.describe();
  const from = mode === null ? undefined : configuration.topology?.modes.get(mode);
  const transitions = from && configuration.topology ? targets(from, configuration.topology) : [];
  const gates: GateState[] = [];
  for (const { to, require, approve } of transitions) {
    if (only !== undefined && to !== only) continue;
    const of = require.length + (approve === 'human' ? 1 : 0);
    const unmet = of === 0 ? null : await project.transitions.unmetTo(to);
    if (unmet !== null) gates.push({ to, of, unmet: unmet.map(({ check }) => check), missing: unmet });
  }
  return gates;
}

/**
 * For the transition with the fewest unmet requirements: how many requirements hold, including a person's approval. Ties go to
 * the first one as written. null if no transition has a gate.
 */
export function countGates(gates: readonly GateState[]): Count | null {
  const [nearest] = [...gates].sort((one, other) => one.unmet.length - other.unmet.length);
  return nearest === undefined ? null : { done: Math.max(0, nearest.of - nearest.unmet.length), of: nearest.of };
}
