// Finds the decisions of a log that match a filter.
import { nearest } from '../../platform/nearest-name.ts';
import { type LogEvent, readEvent } from './event.ts';
import type { LogFiles } from './files.ts';

/** A missing field matches everything. */
export interface Filter {
  mode?: string;
  tool?: string;
  decision?: string;
  /** A rule as written, a policy or protection by name, or `file:line` of one of them. */
  rule?: string;
  /** A session's id, or the start of it. */
  session?: string;
  /** Milliseconds since the epoch, from `since` (inclusive) to `until` (exclusive). */
  since?: number;
  until?: number;
}

export function isMeant({ labels, result, timestamp }: LogEvent, filter: Filter): boolean {
  const at = Date.parse(timestamp);
  return (
    (filter.mode === undefined || result.mode === filter.mode) &&
    (filter.tool === undefined || result.tool === filter.tool) &&
    (filter.decision === undefined || result.decision === filter.decision) &&
    (filter.rule === undefined || namesOf(result).some((name) => isNamed(name, filter.rule as string))) &&
    (filter.session === undefined || (labels.session ?? '').startsWith(filter.session)) &&
    (filter.since === undefined || at >= filter.since) &&
    (filter.until === undefined || at < filter.until)
  );
}

/** All names of the rules, policies and protections that decided. */
function namesOf({ rules, policies, protections }: LogEvent['result']): string[] {
  return [
    ...rules.flatMap(({ text, source }) => [text, `${source.file}:${source.line}`]),
    ...(policies ?? []).flatMap(({ name, file, line }) => [name, `${file}:${line}`]),
    ...(protections ?? []).map(({ name }) => name),
  ];
}

/** A file may be named by the end of its path. */
function isNamed(name: string, query: string): boolean {
  return name === query || (/:\d+$/.test(query) && name.endsWith(`/${query}`));
}

export interface EventPage {
  /** Oldest first. */
  events: LogEvent[];
  /** Unreadable lines. */
  damaged: number;
}

/** The newest matching decisions, up to `limit`. Throws if the disk refuses. */
export function findDecisions(files: LogFiles, meant: (event: LogEvent) => boolean, limit: number): EventPage {
  const events: LogEvent[] = [];
  let damaged = 0;
  for (const number of files.numbers().reverse()) {
    for (const line of files.lines(number).reverse()) {
      const event = readEvent(line);
      if (event === null) damaged++;
      else if (meant(event)) events.push(event);
      if (events.length >= limit) return { events: events.reverse(), damaged };
    }
  }
  return { events: events.reverse(), damaged };
}

/**
 * The same by a filter. `strange`: if nothing matches, a mode or tool in the filter that no decision has, with similar names;
 * otherwise null.
 */
export function seekDecisions(files: LogFiles, filter: Filter, limit: number): EventPage & { strange: string | null } {
  const names = { mode: new Set<string>(), tool: new Set<string>() };
  const eventPage = findDecisions(
    files,
    (event) => {
      if (event.result.mode !== null) names.mode.add(event.result.mode);
      names.tool.add(event.result.tool);
      return isMeant(event, filter);
    },
    limit,
  );
  const kind = (['mode', 'tool'] as const).find((one) => filter[one] !== undefined && !names[one].has(filter[one]));
  if (kind === undefined || eventPage.events.length > 0) return { ...eventPage, strange: null };
  const named = filter[kind] as string;
  const near = nearest(named, names[kind]);
  const others = [...names[kind]].sort().join(', ');
  const instead = near !== null ? `; did you mean ${near}?` : others === '' ? '' : `; there are: ${others}`;
  return { ...eventPage, strange: `no decision of the ${kind} ${JSON.stringify(named)} is logged${instead}` };
}

/** A decision's id, or the start of it that `modes log` shows. */
export const isId = (text: string): boolean => /^[0-9a-f][0-9a-f-]{3,35}$/i.test(text);

/** The newest decision with this id or this start of an id; `several` if it is ambiguous, null if there is none. */
export function findDecision(files: LogFiles, id: string): LogEvent | 'several' | null {
  const { events } = findDecisions(files, ({ decision_id: one }) => one.startsWith(id), 2);
  const whole = events.find(({ decision_id: one }) => one === id);
  if (whole !== undefined) return whole;
  return events.length > 1 ? 'several' : (events[0] ?? null);
}

/** The last deny or ask; if there is none, the last decision. */
export function lastDecision(files: LogFiles, session: string | null = null): LogEvent | null {
  const ofSession = ({ labels }: LogEvent): boolean => session === null || labels.session === session;
  const refused = ({ result: { decision } }: LogEvent): boolean => decision === 'deny' || decision === 'ask';
  const [last] = findDecisions(files, (event) => ofSession(event) && refused(event), 1).events;
  return last ?? findDecisions(files, ofSession, 1).events[0] ?? null;
}
