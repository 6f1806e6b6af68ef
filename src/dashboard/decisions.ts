// Decisions of the log as rows, found by words and filters, and how often each rule decided.
import { type LogEvent, readEvent } from '../log/event.ts';
import type { LogFiles } from '../log/files.ts';
import { type Filter, findDecisions, isMeant } from '../log/query.ts';
import { about, deciderOf, tableLine } from '../log/table.ts';
import type { Project } from '../workflow/project.ts';

export interface Row {
  id: string;
  at: string;
  decision: string;
  mode: string;
  tool: string;
  about: string;
  rule: string;
  place: string;
  reason: string;
  session: string;
}

export function rowOf(event: LogEvent): Row {
  const { result, timestamp, decision_id: id, labels } = event;
  const { name, place } = deciderOf(result);
  return {
    id,
    at: timestamp,
    decision: result.decision,
    mode: result.mode ?? '',
    tool: result.tool,
    about: about(event),
    rule: name,
    place: place ?? '',
    reason: result.reason,
    session: labels.session ?? '',
  };
}

/** Most rows of one answer. */
const most = 200;

/** The newest first. Every word has to be in the line, in any case. Throws when the disk refuses. */
export function search(files: LogFiles, text: string, filter: Filter): { rows: Row[]; damaged: number; more: boolean } {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const isFound = (event: LogEvent): boolean => {
    if (!isMeant(event, filter)) return false;
    const line = `${tableLine(event, false)} ${event.result.reason}`.toLowerCase();
    return words.every((word) => line.includes(word));
  };
  const { events, damaged } = findDecisions(files, isFound, most + 1);
  return { rows: events.slice(-most).reverse().map(rowOf), damaged, more: events.length > most };
}

export interface RuleRow {
  mode: string;
  effect: string;
  text: string;
  place: string;
  /** Decisions of the log that it took part in; 0: it never fired. */
  fired: number;
  /** ISO 8601; null: never. */
  last: string | null;
}

/** Every rule of every mode, with how often it took part in a decision that the log holds. Throws when the disk refuses. */
export function ruleRows(files: LogFiles, project: Project): RuleRow[] {
  const fired = new Map<string, { count: number; last: string }>();
  const keyOf = (mode: string | null, effect: string, text: string, file: string) => JSON.stringify([mode, effect, text, file]);
  for (const number of files.numbers())
    for (const { result, timestamp } of findAll(files, number))
      for (const { effect, text, source } of result.rules) {
        const key = keyOf(result.mode, effect, text, source.file);
        fired.set(key, { count: (fired.get(key)?.count ?? 0) + 1, last: timestamp });
      }
  const { settings, topology } = project.describe().configuration;
  return [...(topology?.modes.keys() ?? [])].flatMap((mode) =>
    (settings.get(mode)?.rules ?? []).map(({ effect, text, source }): RuleRow => {
      const seen = fired.get(keyOf(mode, effect, text, source.file));
      return { mode, effect, text, place: `${source.file}:${source.line}`, fired: seen?.count ?? 0, last: seen?.last ?? null };
    }),
  );
}

function findAll(files: LogFiles, number: number): LogEvent[] {
  return files.lines(number).flatMap((line) => readEvent(line) ?? []);
}
