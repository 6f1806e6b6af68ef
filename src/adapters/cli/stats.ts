// modes stats: what was done in each mode.

import { countAll, type ModeCount, type Stats } from '../../app/log/stats.ts';
import { oneLine } from '../../app/log/table.ts';
import { type LogEvent, readEvent } from '../../store/log/event.ts';
import { LogFiles, logFolder } from '../../store/log/files.ts';
import { readJournals } from '../../workflow/journal.ts';
import { Refusals } from '../../workflow/refusals.ts';
import { timeOf } from './log.ts';
import { governed } from './open.ts';
import { toJson } from './outputs/json.ts';
import { exits, type Terminal } from './terminal.ts';

export interface StatsOptions {
  project?: string;
  json?: boolean;
  since?: string;
  session?: string;
}

/** Maximum rows of a list; `--json` prints all. */
const shown = 10;

export async function stats({ project, json, since, session }: StatsOptions, terminal: Terminal): Promise<number> {
  const now = Date.now();
  const from = since === undefined ? null : timeOf(since, now);
  const { root, dataFolder } = governed(project);
  const files = new LogFiles(logFolder(dataFolder, root));
  const journals = readJournals(dataFolder, root);
  const damage = { lines: 0 };
  const sources = { journals, events: eventsOf(files, damage), refused: new Refusals(dataFolder, root).read() };
  const counted = countAll(sources, { since: from, now, session: session ?? null });
  terminal.out(json ? toJson<'stats'>(plain(counted, from, now, session ?? null), 2) : table(counted, terminal.colour));
  for (const { broken } of journals)
    if (broken !== null) terminal.err(`modes: a damaged journal is counted only up to the damage: ${oneLine(broken)}`);
  if (damage.lines > 0) terminal.err(`modes: ${damage.lines} lines of ${files.folder} cannot be read`);
  return exits.fine;
}

function* eventsOf(files: LogFiles, damage: { lines: number }): Generator<LogEvent> {
  for (const number of files.numbers()) {
    for (const line of files.lines(number)) {
      const event = readEvent(line);
      if (event === null) damage.lines++;
      else yield event;
    }
  }
}

function plain({ modes, denials, advised, failed, refused }: Stats, since: number | null, now: number, session: string | null) {
  const rounded = [...modes].map(([name, count]) => [name, { ...count, seconds: Math.round(count.seconds) }]);
  return {
    version: 1 as const,
    since: since === null ? null : new Date(since).toISOString(),
    until: new Date(now).toISOString(),
    session,
    modes: Object.fromEntries(rounded),
    denials,
    advised,
    refused_transitions: refused,
    failed_gates: failed,
  };
}

const columns: readonly [string, (count: ModeCount) => string][] = [
  ['time', ({ seconds }) => duration(seconds)],
  ['entered', ({ entered }) => String(entered)],
  ['deny', ({ decisions }) => String(decisions.deny)],
  ['ask', ({ decisions }) => String(decisions.ask)],
  ['allow', ({ decisions }) => String(decisions.allow)],
  ['pass', ({ decisions }) => String(decisions.pass)],
  ['advised', ({ advised }) => String(advised)],
  ['forced', ({ forced }) => String(forced)],
  ['grants', ({ grants }) => String(grants)],
  ['by grant', ({ granted }) => String(granted)],
  ['stops', ({ stops }) => String(stops)],
];

function table({ modes, denials, advised, failed, refused }: Stats, colour: boolean): string {
  if (modes.size === 0 && refused === 0) return 'Nothing was recorded.';
  const title = (text: string): string => (colour ? `\x1b[1m${text}\x1b[0m` : text);
  const part = (name: string, rows: string[][]): string[] =>
    rows.length === 0
      ? []
      : [
          '',
          title(name),
          ...lined(rows.slice(0, shown)),
          ...(rows.length > shown ? [`and ${rows.length - shown} more (--json)`] : []),
        ];
  const counts = [...modes].sort(([, one], [, other]) => other.seconds - one.seconds);
  const rows = counts.map(([name, count]) => [oneLine(name), ...columns.map(([, of]) => of(count))]);
  const [head, ...lines] = lined([['mode', ...columns.map(([name]) => name)], ...rows], 1);
  return [
    title(head as string),
    ...lines,
    ...part(
      'Denied most often',
      denials.map(({ mode, name, place, count }) => [String(count), oneLine(mode), oneLine(name), oneLine(place)]),
    ),
    ...part(
      'Would have been stopped most often (the mode only advises)',
      advised.map(({ mode, reason, count }) => [String(count), oneLine(mode), oneLine(reason)]),
    ),
    ...part(
      `Failed checks (${refused} transitions refused)`,
      failed.map(({ from, to, check, count }) => [String(count), `${oneLine(from)} → ${oneLine(to)}`, oneLine(check)]),
    ),
  ].join('\n');
}

/** Aligns columns: the first `left` of them to the left, the others to the right. */
function lined(rows: readonly string[][], left = Number.POSITIVE_INFINITY): string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => (row[at] as string).length)));
  return rows.map((row) =>
    row
      .map((cell, at) => (at < left ? cell.padEnd(widths[at] as number) : cell.padStart(widths[at] as number)))
      .join('  ')
      .trimEnd(),
  );
}

/** The two largest units: `2d 3h`, `5m 10s`. */
function duration(seconds: number): string {
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'm'],
    [Math.floor(seconds) % 60, 's'],
  ] as const;
  const first = parts.findIndex(([count]) => count > 0);
  return first < 0
    ? '0s'
    : parts
        .slice(first, first + 2)
        .map(([count, unit]) => `${count}${unit}`)
        .join(' ');
}
