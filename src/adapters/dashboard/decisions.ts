// Decisions of the log as rows, found by words and filters, and how often each rule decided. Each line is read
// once and kept as a row.

import { about, deciderOf, oneLine, tableLine } from '../../app/log/table.ts';
import { type LogEvent, readEvent } from '../../store/log/event.ts';
import type { LogFiles, LogPosition } from '../../store/log/files.ts';
import type { CallerProject } from '../../workflow/project.ts';

/** No field contains line ends, invisible characters, or characters that change the writing direction. */
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
    mode: oneLine(result.mode ?? ''),
    tool: oneLine(result.tool),
    about: about(event),
    rule: oneLine(name),
    place: oneLine(place ?? ''),
    reason: oneLine(result.reason),
    session: oneLine(labels.session ?? ''),
  };
}

export interface RuleRow {
  mode: string;
  effect: string;
  text: string;
  place: string;
  /** Number of logged decisions that it took part in; 0: it never fired. */
  fired: number;
  /** ISO 8601; null: never. */
  last: string | null;
}

/** Maximum number of rows in one answer. */
const most = 200;
/** Bytes that are read at once. */
const chunk = 4 * 1024 * 1024;
const beginning: LogPosition = { number: 1, offset: 0 };

interface CachedRow {
  /** Number of the log file that contains it, or of the one after it. */
  number: number;
  /** null: the line cannot be parsed. */
  row: Row | null;
  /** Lower-case text for the word search. */
  line: string;
  /** Rules that decided, by `keyOf`. */
  rules: string[];
}

const keyOf = (mode: string | null, effect: string, text: string, file: string): string =>
  JSON.stringify([mode, effect, text, file]);

export class Decisions {
  private at = beginning;
  private cachedRows: CachedRow[] = [];

  constructor(private readonly files: LogFiles) {}

  /**
   * Matching decisions, newest first. The line must contain every word, in any case. A filter '' matches all. Throws if the log
   * cannot be read.
   */
  search(text: string, filter: { mode: string; decision: string }): { rows: Row[]; damaged: number; more: boolean } {
    this.read();
    const words = text
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '');
    const rows: Row[] = [];
    for (let index = this.cachedRows.length - 1; index >= 0 && rows.length <= most; index--) {
      const { row, line } = this.cachedRows[index] as CachedRow;
      if (row === null || (filter.mode !== '' && row.mode !== filter.mode)) continue;
      if (filter.decision !== '' && row.decision !== filter.decision) continue;
      if (words.every((word) => line.includes(word))) rows.push(row);
    }
    const damaged = this.cachedRows.filter(({ row }) => row === null).length;
    return { rows: rows.slice(0, most), damaged, more: rows.length > most };
  }

  /** Every rule of every mode, with the number of logged decisions that it took part in. Throws if the log cannot be read. */
  rules(project: CallerProject): RuleRow[] {
    this.read();
    const fired = new Map<string, { count: number; last: string }>();
    for (const { row, rules } of this.cachedRows)
      for (const key of rules) fired.set(key, { count: (fired.get(key)?.count ?? 0) + 1, last: row?.at ?? '' });
    const { settings, topology } = project.describe().configuration;
    return [...(topology?.modes.keys() ?? [])].flatMap((mode) =>
      (settings.get(mode)?.rules ?? []).map(({ effect, text, source }): RuleRow => {
        const usage = fired.get(keyOf(mode, effect, text, source.file));
        return {
          mode,
          effect,
          text,
          place: `${source.file}:${source.line}`,
          fired: usage?.count ?? 0,
          last: usage?.last ?? null,
        };
      }),
    );
  }

  /** Reads the new part of the log, and drops lines that the log no longer contains. */
  private read(): void {
    const end = this.files.end() ?? beginning;
    const isAnother = end.number < this.at.number || (end.number === this.at.number && end.offset < this.at.offset);
    if (isAnother) [this.at, this.cachedRows] = [beginning, []];
    for (;;) {
      const { lines, end: next } = this.files.readFrom(this.at, chunk);
      for (const line of lines) if (line !== '') this.cachedRows.push(cachedRowOf(line, next.number));
      if (next.number === this.at.number && next.offset === this.at.offset) break;
      this.at = next;
    }
    const [oldest = 0] = this.files.numbers();
    if ((this.cachedRows[0]?.number ?? oldest) < oldest)
      this.cachedRows = this.cachedRows.filter(({ number }) => number >= oldest);
  }
}

function cachedRowOf(line: string, number: number): CachedRow {
  const event = readEvent(line);
  if (event === null) return { number, row: null, line: '', rules: [] };
  const { mode, rules, reason } = event.result;
  return {
    number,
    row: rowOf(event),
    line: `${tableLine(event, false)} ${oneLine(reason)}`.toLowerCase(),
    rules: rules.map(({ effect, text, source }) => keyOf(mode, effect, text, source.file)),
  };
}
