// What the status line shows of a session, and the text that hooks/statusline.sh reads it from.
import { opaStanding } from '../store/opa-record.ts';
import { targets } from '../workflow/context/render.ts';
import { offLeft } from '../workflow/grants.ts';
import { countItems } from '../workflow/plan/show.ts';
import { topOf } from '../workflow/plan/work.ts';
import type { CallerProject } from '../workflow/project.ts';
import type { State, Trouble } from '../workflow/state.ts';

/** Some of several: requirements that hold, items that are done. */
export interface Count {
  done: number;
  of: number;
}

export interface StatusLine {
  /** null: not known. */
  mode: string | null;
  /** What of the modes does not work as written, or does not hold; shown in red. */
  alarm: string | null;
  /** What a person should do some time. */
  note: string | null;
  gates: Count | null;
  plan: Count | null;
  task: string | null;
}

/** First line of the text; the shell script reads no other version. */
const version = 'modes-status 1';

const alarms: Record<Trouble['code'], string> = {
  E_STOPPED: 'stopped: /modes:mode NAME goes on',
  E_JOURNAL_BROKEN: 'journal damaged: /modes:mode NAME goes on',
  E_UNKNOWN_MODE: 'unknown mode: /modes:mode NAME goes on',
  E_VIEW_WITHOUT_JOURNAL: 'mode not known: /modes:mode NAME names it',
  E_NO_TOPOLOGY: 'config broken: modes validate',
  E_NO_SESSION: 'mode not known',
};

/** As whoever asked last sees the project. `gates` are counted apart, since that looks at files. */
export function statusLineOf(project: CallerProject, gates: Count | null): StatusLine {
  const { mode, state, problems, present } = project.describe();
  const broken = problems.find(({ severity }) => severity === 'error');
  const where = broken?.file === undefined ? broken?.code : `${broken.file}:${broken.line ?? 1}`;
  const { trouble } = state;
  const top = topOf(state.work);
  return {
    mode: mode ?? (trouble?.code === 'E_STOPPED' ? (state.entries.at(-1)?.to ?? null) : null),
    alarm: broken === undefined ? alarmOf(state, project.caller.session) : `config broken: ${where}`,
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

/** Of the OPA server that is named and not heard. */
function opaNote(project: CallerProject): string | null {
  const { opa } = project.describe().configuration;
  const { trouble } = opa === null ? { trouble: null } : opaStanding(opa, project.place.dataFolder);
  if (opa === null || trouble === null) return null;
  return opa.fallback === 'deny' ? 'OPA not heard: calls are denied' : 'OPA not heard: decided here';
}

function alarmOf({ trouble, authority }: State, session: string | null): string | null {
  if (trouble !== null) return alarms[trouble.code];
  return offLeft(authority, session) > 0 ? 'off: /modes:on brings the modes back' : null;
}

/** A line for each thing there is to show, without anything that a terminal takes for more than text. */
export function statusLineText({ mode, alarm, note, gates, plan, task }: StatusLine): string {
  const parts = { mode, alarm, note, gates: countText(gates), plan: countText(plan), task };
  const lines = Object.entries(parts).flatMap(([name, value]) => (value === null ? [] : [`${name}=${plain(value)}`]));
  return [version, ...lines, ''].join('\n');
}

function countText(count: Count | null): string | null {
  return count === null ? null : `${count.done}/${count.of}`;
}

/** Longest text of a part, characters. */
const maxPart = 120;

function plain(text: string): string {
  const clean = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu, '?');
  const characters = [...clean];
  return characters.length <= maxPart ? clean : `${characters.slice(0, maxPart).join('')}…`;
}

/** A way out whose gate asks for something: how much, and which checks do not hold. */
export interface WayState {
  to: string;
  of: number;
  unmet: string[];
}

/** Every way out of the present mode that asks for something. Looks at files, and starts nothing that a requirement asks to be run. */
export async function lookAtGates(project: CallerProject): Promise<WayState[]> {
  const { mode, configuration } = project.describe();
  const from = mode === null ? undefined : configuration.topology?.modes.get(mode);
  const ways = from && configuration.topology ? targets(from, configuration.topology) : [];
  const seen: WayState[] = [];
  for (const { to, require, approve } of ways) {
    const of = require.length + (approve === 'human' ? 1 : 0);
    const unmet = of === 0 ? null : await project.moves.unmetTo(to);
    if (unmet !== null) seen.push({ to, of, unmet: unmet.map(({ check }) => check) });
  }
  return seen;
}

/**
 * Of the way out that lacks the least: how many of its requirements hold, a person's approval among them. The first as written
 * where several lack as much; null where no way out has any.
 */
export function countGates(ways: readonly WayState[]): Count | null {
  const [nearest] = [...ways].sort((one, other) => one.unmet.length - other.unmet.length);
  return nearest === undefined ? null : { done: nearest.of - nearest.unmet.length, of: nearest.of };
}
