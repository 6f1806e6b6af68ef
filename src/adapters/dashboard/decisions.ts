// Decisions of the log as rows, found by words and filters, and how often each rule decided. Each line is read once and kept as a row.

import { about, deciderOf, oneLine, tableLine } from '../../app/log/table.ts';
import { type LogEvent, readEvent } from '../../store/log/event.ts';
import type { LogFiles, Position } from '../../store/log/files.ts';
import type { CallerProject } from '../../workflow/project.ts';

/** Nothing in it ends the line, is unseen, or turns the direction of writing. */
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
  /** Decisions of the log that it took part in; 0: it never fired. */
  fired: number;
  /** ISO 8601; null: never. */
  last: string | null;
}

/** Most rows of one answer. */
const most = 200;
/** Read at once, bytes. */
const chunk = 4 * 1024 * 1024;
const beginning: Position = { number: 1, offset: 0 };

interface Kept {
  /** Of the file that it was read from, or of the one behind it. */
  number: number;
  /** null: nobody can read it. */
  row: Row | null;
  /** What words are looked for in, in small letters. */
  line: string;
  /** Rules that decided, by `keyOf`. */
  rules: string[];
}

const keyOf = (mode: string | null, effect: string, text: string, file: string): string =>
  JSON.stringify([mode, effect, text, file]);

export class Decisions {
  private at = beginning;
  private kept: Kept[] = [];

  constructor(private readonly files: LogFiles) {}

  /** The newest first. Every word has to be in the line, in any case. '' of a filter: all. Throws when the disk refuses. */
  search(text: string, filter: { mode: string; decision: string }): { rows: Row[]; damaged: number; more: boolean } {
    this.read();
    const words = text
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '');
    const rows: Row[] = [];
    for (let index = this.kept.length - 1; index >= 0 && rows.length <= most; index--) {
      const { row, line } = this.kept[index] as Kept;
      if (row === null || (filter.mode !== '' && row.mode !== filter.mode)) continue;
      if (filter.decision !== '' && row.decision !== filter.decision) continue;
      if (words.every((word) => line.includes(word))) rows.push(row);
    }
    const damaged = this.kept.filter(({ row }) => row === null).length;
    return { rows: rows.slice(0, most), damaged, more: rows.length > most };
  }

  /** Every rule of every mode, with how often it took part in a decision that the log holds. Throws when the disk refuses. */
  rules(project: CallerProject): RuleRow[] {
    this.read();
    const fired = new Map<string, { count: number; last: string }>();
    for (const { row, rules } of this.kept)
      for (const key of rules) fired.set(key, { count: (fired.get(key)?.count ?? 0) + 1, last: row?.at ?? '' });
    const { settings, topology } = project.describe().configuration;
    return [...(topology?.modes.keys() ?? [])].flatMap((mode) =>
      (settings.get(mode)?.rules ?? []).map(({ effect, text, source }): RuleRow => {
        const seen = fired.get(keyOf(mode, effect, text, source.file));
        return { mode, effect, text, place: `${source.file}:${source.line}`, fired: seen?.count ?? 0, last: seen?.last ?? null };
      }),
    );
  }

  /** Takes what is new in the log, and leaves what is no more in it. */
  private read(): void {
    const end = this.files.end() ?? beginning;
    const isAnother = end.number < this.at.number || (end.number === this.at.number && end.offset < this.at.offset);
    if (isAnother) [this.at, this.kept] = [beginning, []];
    for (;;) {
      const { lines, end: next } = this.files.readFrom(this.at, chunk);
      for (const line of lines) if (line !== '') this.kept.push(keptOf(line, next.number));
      if (next.number === this.at.number && next.offset === this.at.offset) break;
      this.at = next;
    }
    const [oldest = 0] = this.files.numbers();
    if ((this.kept[0]?.number ?? oldest) < oldest) this.kept = this.kept.filter(({ number }) => number >= oldest);
  }
}

function keptOf(line: string, number: number): Kept {
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
