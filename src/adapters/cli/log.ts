// modes log: lists decisions.

import { tableLine, widthsOf } from '../../app/log/table.ts';
import { type LogEvent, readEvent } from '../../store/log/event.ts';
import { LogFiles, logFolder } from '../../store/log/files.ts';
import { follow } from '../../store/log/follow.ts';
import { healthLine, healthOf } from '../../store/log/losses.ts';
import { type Filter, isMeant, seekDecisions } from '../../store/log/query.ts';
import { governed } from './open.ts';
import { toJson } from './outputs/json.ts';
import { refuse } from './refuse.ts';
import { exits, interrupted, type Terminal, UsageError } from './terminal.ts';

export interface LogOptions {
  project?: string;
  json?: boolean;
  mode?: string;
  tool?: string;
  decision?: string;
  rule?: string;
  session?: string;
  since?: string;
  until?: string;
  limit?: string;
  follow?: boolean;
}

const usualLimit = 50;

export async function log(options: LogOptions, terminal: Terminal): Promise<number> {
  const filter = filterOf(options, Date.now());
  const limit = limitOf(options.limit);
  const { root, dataFolder } = governed(options.project);
  const files = new LogFiles(logFolder(dataFolder, root));
  let widths = widthsOf([]);
  const show = (event: LogEvent): void =>
    terminal.out(options.json ? toJson<'log'>(event) : tableLine(event, terminal.colour, widths));
  const health = healthOf(dataFolder, root);
  const healthMessage = healthLine(health);
  let from = { number: 1, offset: 0 };
  // Ids of decisions that were shown. The search may return a decision twice if it is written meanwhile.
  const known = new Set<string>();
  const end = options.follow ? interrupted() : null;
  try {
    from = files.end() ?? from;
    const { events, damaged, strange } = seekDecisions(files, filter, limit);
    widths = widthsOf(events);
    for (const event of events) {
      known.add(event.decision_id);
      show(event);
    }
    if (damaged > 0) terminal.err(`modes: ${damaged} lines of ${files.folder} cannot be read`);
    if (events.length === 0 && !options.json && !options.follow) terminal.err('No such decision was logged.');
    if (strange !== null && !options.json) terminal.err(`modes: ${strange}`);
  } catch (error) {
    if (health.trouble === null) throw error;
  }
  if (health.trouble !== null)
    return refuse(
      { code: 'E_LOG_DAMAGED', message: options.json ? healthMessage : `modes: ${healthMessage}` },
      options,
      terminal,
    );
  if (healthMessage !== '') terminal.err(`modes: ${healthMessage}`);
  const isNew = (event: LogEvent): boolean => isMeant(event, filter) && !known.has(event.decision_id);
  if (end !== null) await showNew(files, from, isNew, show, end);
  return exits.fine;
}

/** Runs until it is interrupted. */
async function showNew(
  files: LogFiles,
  from: { number: number; offset: number },
  meant: (event: LogEvent) => boolean,
  show: (event: LogEvent) => void,
  end: AbortSignal,
): Promise<void> {
  for await (const line of follow(files, from, end)) {
    const event = readEvent(line);
    if (event !== null && meant(event)) show(event);
  }
}

export const decisions: readonly string[] = ['deny', 'ask', 'allow', 'pass'];

/** The filter that the options describe. Throws `UsageError`. */
export function filterOf(options: LogOptions, now: number): Filter {
  const { mode, tool, decision, rule, session, since, until } = options;
  if (decision !== undefined && !decisions.includes(decision))
    throw new UsageError(`${JSON.stringify(decision)} is not a decision: ${decisions.join(', ')}`);
  return {
    mode,
    tool,
    decision,
    rule,
    session,
    since: since === undefined ? undefined : timeOf(since, now),
    until: until === undefined ? undefined : timeOf(until, now),
  };
}

const isoTime = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:\d\d)?)?$/;
const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };

/**
 * `10m` ago, or a date and time of ISO 8601, in milliseconds. Without a zone it is UTC, as in the
 * output of the log. Throws `UsageError`.
 */
export function timeOf(text: string, now: number): number {
  const [, count, unit] = /^(\d{1,6})([smhdw])$/.exec(text) ?? [];
  if (count !== undefined) return now - Number(count) * (units[unit as string] as number) * 1_000;
  const [, day, time = '', zone = 'Z'] = isoTime.exec(text) ?? [];
  const at = day === undefined ? Number.NaN : Date.parse(`${day}T${time || '00:00'}${zone}`);
  // JavaScript would move a day that its month does not have, such as February 30, to the next month.
  if (Number.isNaN(at) || new Date(`${day}T00:00Z`).getUTCDate() !== Number(day?.slice(-2)))
    throw new UsageError(`${JSON.stringify(text)} is not a time: write 10m, 7d or 2026-01-31T12:00Z`);
  return at;
}

function limitOf(text: string | undefined): number {
  if (text === undefined) return usualLimit;
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1) throw new UsageError(`${JSON.stringify(text)} is not a number of decisions`);
  return limit;
}
