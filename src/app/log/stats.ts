// Statistics for each mode, from the journals, the decision log and the refused transitions.
import type { LogEvent } from '../../store/log/event.ts';
import type { JournalChange, JournalEntry, ReadJournal } from '../../workflow/journal.ts';
import type { RefusedTransition } from '../../workflow/refusals.ts';
import { stepOf } from './table.ts';

/** The input of the statistics. */
export interface StatsSources {
  /** Of the project, and of each worktree or session with a mode of its own. */
  journals: readonly Pick<ReadJournal, 'entries' | 'isShared'>[];
  events: Iterable<LogEvent>;
  refused: Iterable<RefusedTransition>;
}

export interface StatsQuery {
  /** Milliseconds; null: from the beginning. */
  since: number | null;
  now: number;
  /** A session's id, or the start of it; null: all sessions. */
  session: string | null;
}

export interface ModeCount {
  /** Seconds by the clock. The time before a project's first change of mode is unknown and not counted. */
  seconds: number;
  entered: number;
  decisions: Record<LogEvent['result']['decision'], number>;
  /** Calls that ran with a note, because the mode only advises. */
  advised: number;
  /** Calls that a grant permitted. */
  granted: number;
  /** Grants that a person gave. */
  grants: number;
  /** Number of times that it was entered without its gate. */
  forced: number;
  stops: number;
}

/**
 * A reason for denials and its count: a rule with its place, a policy, a built-in protection, or a step of the decision order.
 */
export interface Denier {
  mode: string;
  name: string;
  /** `file:line`; '' if it is not in a file. */
  place: string;
  count: number;
}

export interface FailedGate {
  from: string;
  to: string;
  check: string;
  count: number;
}

export interface Stats {
  modes: Map<string, ModeCount>;
  /** Most frequent first. */
  denials: Denier[];
  advised: Advised[];
  failed: FailedGate[];
  /** Transitions that a gate refused. */
  refused: number;
}

/** Why a call that ran would have been stopped if the mode did not only advise, with its place. */
export interface Advised {
  mode: string;
  reason: string;
  count: number;
}

/** For decisions without a known mode. */
export const unknownMode = '(unknown)';

export function countAll({ journals, events, refused }: StatsSources, query: StatsQuery): Stats {
  const { since, now, session } = query;
  const from = since ?? Number.NEGATIVE_INFINITY;
  const modes = new Map<string, ModeCount>();
  const isOf = (one: string | null | undefined): boolean => session === null || (one ?? '').startsWith(session);
  const isIn = (timestamp: string): boolean => Date.parse(timestamp) >= from && Date.parse(timestamp) <= now;
  const denials = new Tally<Denier>();
  const advised = new Tally<Advised>();
  const failed = new Tally<FailedGate>();
  /** By session: the time of its last record. */
  const lastRecordAt = new Map<string, number>();
  /** The time range of the selected session. */
  const span = { from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY };
  const widen = (timestamp: string): void => {
    span.from = Math.min(span.from, Date.parse(timestamp));
    span.to = Math.max(span.to, Date.parse(timestamp));
  };

  for (const { timestamp, labels, result } of events) {
    if (labels.session !== undefined) lastRecordAt.set(labels.session, Date.parse(timestamp));
    if (!isIn(timestamp) || !isOf(labels.session)) continue;
    widen(timestamp);
    const mode = result.mode ?? unknownMode;
    const count = countOf(modes, mode);
    count.decisions[result.decision]++;
    if ((result.grants ?? []).length > 0) count.granted++;
    const against = adviceAgainst(result.advice);
    if (against !== null) {
      count.advised++;
      advised.add({ mode, reason: against });
    }
    if (result.decision === 'deny') for (const one of deniersOf(result)) denials.add({ mode, ...one });
  }
  let refusals = 0;
  for (const { timestamp, unmet, ...one } of refused) {
    if (!isIn(timestamp) || !isOf(one.session)) continue;
    refusals++;
    for (const check of unmet) failed.add({ from: one.from, to: one.to, check });
  }
  for (const { entries } of journals) {
    for (const entry of entries) {
      if (!isIn(entry.timestamp) || !isOf(entry.session)) continue;
      widen(entry.timestamp);
      countEntry(modes, entry);
    }
  }
  const window = session === null ? { from, to: now } : { from: Math.max(from, span.from), to: Math.min(now, span.to) };
  for (const journal of meant(journals, session, isOf)) {
    const last = journal.isShared ? now : lastReported(journal.entries, lastRecordAt);
    for (const visit of visitsOf(journal.entries, last)) {
      const lasted = Math.min(visit.to, window.to) - Math.max(visit.from, window.from);
      if (lasted > 0) countOf(modes, visit.mode).seconds += lasted / 1_000;
    }
  }
  return { modes, denials: denials.sorted(), advised: advised.sorted(), failed: failed.sorted(), refused: refusals };
}

/** The rule or the reason in a note that the mode advises against a call, without the call itself; null for any other note. */
function adviceAgainst(advice = ''): string | null {
  const [, reason] = /advises against this call: (.+)/s.exec(advice) ?? [];
  return reason === undefined ? null : (/^(.+?) in [\w-]+:/s.exec(reason)?.[1] ?? reason);
}

const nothing = (): ModeCount => ({
  seconds: 0,
  entered: 0,
  decisions: { deny: 0, ask: 0, allow: 0, pass: 0 },
  advised: 0,
  granted: 0,
  grants: 0,
  forced: 0,
  stops: 0,
});

function countOf(modes: Map<string, ModeCount>, mode: string): ModeCount {
  let count = modes.get(mode);
  if (count === undefined) {
    count = nothing();
    modes.set(mode, count);
  }
  return count;
}

function countEntry(modes: Map<string, ModeCount>, { kind, to, authority }: JournalEntry): void {
  const count = countOf(modes, to);
  const counters: Readonly<Record<JournalChange['kind'], () => void>> = {
    start: () => count.entered++,
    transition: () => count.entered++,
    force: () => {
      count.entered++;
      count.forced++;
    },
    stop: () => count.stops++,
    plan: () => undefined,
    authority: () => {
      if (authority?.did === 'grant') count.grants++;
    },
  };
  // An entry of a later version may be of another kind.
  if (Object.hasOwn(counters, kind)) counters[kind]();
}

/** All journals. For one session, its own journals or, if it has none, the project's, whose mode it shares. */
function meant(
  journals: StatsSources['journals'],
  session: string | null,
  isOf: (session: string | null) => boolean,
): StatsSources['journals'] {
  if (session === null) return journals;
  const own = journals.filter(({ entries, isShared }) => !isShared && entries.some((entry) => isOf(entry.session)));
  return own.length > 0 ? own : journals.filter(({ isShared }) => isShared);
}

/** The last mode of a worktree or session ends with the last record of the sessions that worked there. */
function lastReported(entries: readonly JournalEntry[], lastRecordAt: ReadonlyMap<string, number>): number {
  return Math.max(
    ...entries.map(({ session, timestamp }) => Math.max(Date.parse(timestamp), lastRecordAt.get(session ?? '') ?? 0)),
  );
}

interface VisitSpan {
  mode: string;
  from: number;
  to: number;
}

function visitsOf(entries: readonly JournalEntry[], last: number): VisitSpan[] {
  const changes = entries.filter(({ kind }) => kind !== 'plan' && kind !== 'authority');
  return changes.map(({ to: mode, timestamp }, at) => ({
    mode,
    from: Date.parse(timestamp),
    to: at + 1 < changes.length ? Date.parse((changes[at + 1] as JournalEntry).timestamp) : last,
  }));
}

function deniersOf({ by, rules, policies, protections }: LogEvent['result']): Pick<Denier, 'name' | 'place'>[] {
  if (rules.length > 0)
    return rules.map(({ effect, text, source }) => ({ name: `${effect} ${text}`, place: `${source.file}:${source.line}` }));
  if (by === 'policy' && (policies ?? []).length > 0)
    return policies.map(({ name, file, line }) => ({ name: `policy ${name}`, place: `${file}:${line}` }));
  if ((protections ?? []).length > 0)
    return [...new Set(protections.map(({ name }) => name))].map((name) => ({ name: `built in: ${name}`, place: '' }));
  return [{ name: stepOf(by), place: '' }];
}

/** Counts equal rows. */
class Tally<Row extends { count: number }> {
  private readonly rows = new Map<string, Row>();

  add(one: Omit<Row, 'count'>): void {
    const key = JSON.stringify(one);
    const known = this.rows.get(key);
    if (known === undefined) this.rows.set(key, { ...one, count: 1 } as Row);
    else known.count++;
  }

  sorted(): Row[] {
    return [...this.rows.values()].sort((one, other) => other.count - one.count);
  }
}
