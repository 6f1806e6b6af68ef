// modes suggest: allow rules for calls that a person approves repeatedly. No rule allows more than what was approved.
import { applyEdits, modify } from 'jsonc-parser';
import { type Configured, configure, layeredSources } from '../../app/dry-run.ts';
import { type Again, callAgain, eachCall } from '../../app/log/replay.ts';
import { type Candidate, type Sorted, sortAsks, type Withheld, withheld } from '../../app/log/suggest.ts';
import { oneLine } from '../../app/log/table.ts';
import { findPackageRoot } from '../../app/own-package.ts';
import { PROJECT_SHOWN } from '../../platform/layer-folders.ts';
import { LoggedApprovals } from '../../store/log/approvals.ts';
import { callKey, type LogEvent } from '../../store/log/event.ts';
import { LogFiles, logFolder } from '../../store/log/files.ts';
import { seekDecisions } from '../../store/log/query.ts';
import type { ConfigSnapshot } from '../../store/snapshots.ts';
import { filterOf } from './log.ts';
import { governed } from './open.ts';
import { toJson } from './outputs/json.ts';
import { unifiedDiff } from './policy-fmt.ts';
import { showProgress } from './progress.ts';
import { refuseBroken } from './refuse.ts';
import { suggestProject } from './suggest-project.ts';
import { exits, type Terminal, UsageError } from './terminal.ts';

export interface SuggestOptions {
  /** A folder; true: the project itself is looked at instead of its log. */
  project?: string | true;
  preset?: string;
  json?: boolean;
  patch?: boolean;
  min?: string;
  mode?: string;
  since?: string;
}

const usualMin = 3;

export async function suggest(options: SuggestOptions, terminal: Terminal): Promise<number> {
  const { json, patch, mode, since, project } = options;
  if (project === true) {
    if (patch || mode !== undefined || since !== undefined || options.min !== undefined)
      throw new UsageError('--project without a folder looks at the project, so use only --preset and --json with it');
    return suggestProject(options, terminal);
  }
  if (options.preset !== undefined) throw new UsageError('--preset needs --project without a folder');
  const min = options.min === undefined ? usualMin : Number(options.min);
  if (!Number.isInteger(min) || min < 1) throw new UsageError(`${JSON.stringify(options.min)} is not a number of approvals`);
  if (json && patch) throw new UsageError('use either --json or --patch');
  const filter = filterOf({ mode, since }, Date.now());
  const { root, dataFolder } = governed(project);
  const files = new LogFiles(logFolder(dataFolder, root));
  const { events, damaged, strange } = seekDecisions(files, filter, Number.POSITIVE_INFINITY);
  const snapshot = layeredSources(root, null);
  const where = { root, trusted: true, env: process.env, packageRoot: findPackageRoot() };
  const present = await configure(snapshot, where);
  const broken = present.problems.filter(({ severity }) => severity === 'error');
  if (broken.length > 0) return refuseBroken(broken, options, terminal);
  const approved = new LoggedApprovals(dataFolder, root).read();
  const isApproved = (event: LogEvent): boolean => approved.has(callKey(event) ?? '');
  const calls = eachCall(events);
  // In a headless session there was no ask.
  const asks = calls.filter(({ result, labels }) => result.decision === 'ask' && labels.answered === undefined);
  const decide = ({ call, mode: its, state }: Again) => present.decide(call, its, { state });
  const sorted = sortAsks(asks, { isApproved, decide, root, min });
  const rest = calls.filter((event) => !isApproved(event));
  const progress = showProgress('trying rules');
  const accepted: Candidate[] = [];
  try {
    for (const [at, candidate] of sorted.candidates.entries()) {
      progress.at(at, sorted.candidates.length);
      const why = await refuse(candidate, { content: snapshot, present, rest, with: (changed) => configure(changed, where) });
      if (why === null) accepted.push(candidate);
      else sorted.without.push(...candidate.asks.map(({ event }) => ({ why, event })));
    }
  } finally {
    progress.end();
  }
  if (json) terminal.out(toJson<'suggest'>(plain(accepted, sorted, asks.length, min, damaged), 2));
  else if (patch) for (const text of patches(snapshot, accepted)) terminal.out(text);
  else terminal.out(describe(accepted, sorted, asks.length));
  if (strange !== null && !json) terminal.err(`modes: ${strange}`);
  if (damaged > 0) terminal.err(`modes: ${damaged} lines of ${files.folder} cannot be read`);
  return exits.fine;
}

interface Trial {
  content: ConfigSnapshot;
  present: Configured;
  /** Every call that no person approved. */
  rest: readonly LogEvent[];
  with(configSnapshot: ConfigSnapshot): Promise<Configured>;
}

/** The reason not to suggest a line, found by trying it on all logged calls. null: it allows what it should and nothing else. */
async function refuse(
  { mode, line, asks }: Candidate,
  { content: snapshot, present, rest, with: open }: Trial,
): Promise<Withheld | null> {
  const tried = await open(withLines(snapshot, mode, [line]));
  const decision = (by: Configured, { call, mode: its, state }: Again) => by.decide(call, its, { state }).decision;
  if (tried.problems.some(({ severity }) => severity === 'error')) return 'wide';
  if (asks.some(({ again }) => decision(tried, again) !== 'allow')) return 'useless';
  const opens = rest.some((event) => {
    const again = callAgain(event);
    if (typeof again === 'string' || again.mode !== mode) return false;
    return decision(present, again) !== decision(tried, again);
  });
  return opens ? 'others' : null;
}

const fileOf = (mode: string): string => `${PROJECT_SHOWN}settings.${mode}.json`;

/** The content with additional lines in the allow list of a mode. */
function withLines(snapshot: ConfigSnapshot, mode: string, lines: readonly string[]): ConfigSnapshot {
  const name = fileOf(mode);
  return snapshot.map((layer) => {
    if (layer.layer !== 'project') return layer;
    const before = layer.files.find((file) => file.name === name)?.text ?? null;
    const files = layer.files.filter((file) => file.name !== name);
    return { ...layer, files: [...files, { name, text: addedTo(before, lines) }] };
  });
}

/** The text of a settings file with lines added at the end of its allow list. Comments are kept. */
function addedTo(before: string | null, lines: readonly string[]): string {
  const formattingOptions = { insertSpaces: true, tabSize: 2 };
  return lines.reduce(
    (text, line) =>
      applyEdits(text, modify(text, ['permissions', 'allow', -1], line, { formattingOptions, isArrayInsertion: true })),
    before ?? '{\n  "permissions": {\n    "allow": []\n  }\n}\n',
  );
}

/** A unified diff for each settings file, by its name relative to the root. */
function patches(snapshot: ConfigSnapshot, accepted: readonly Candidate[]): string[] {
  return [...new Set(accepted.map(({ mode }) => mode))].map((mode) => {
    const name = fileOf(mode);
    const lines = accepted.filter((one) => one.mode === mode).map(({ line }) => line);
    const textOf = (one: ConfigSnapshot): string | undefined =>
      one.find(({ layer }) => layer === 'project')?.files.find((file) => file.name === name)?.text;
    const before = textOf(snapshot);
    const after = textOf(withLines(snapshot, mode, lines)) ?? '';
    return before === undefined ? newFile(name, after) : unifiedDiff(name, before, after);
  });
}

function newFile(name: string, text: string): string {
  const lines = text.replace(/\n$/, '').split('\n');
  return ['--- /dev/null', `+++ ${name}`, `@@ -0,0 +1,${lines.length} @@`, ...lines.map((line) => `+${line}`)].join('\n');
}

function plain(accepted: readonly Candidate[], { without }: Sorted, asks: number, min: number, damaged: number) {
  return {
    version: 1 as const,
    min,
    asks,
    suggestions: accepted.map(({ mode, line, asks: each }) => ({
      mode,
      file: fileOf(mode),
      allow: line,
      quiets: each.length,
      approved: each.length,
      evidence: each.map(({ event }) => ({ id: event.decision_id, timestamp: event.timestamp })),
    })),
    not_suggested: counted(without),
    damaged_lines: damaged,
  };
}

/** For each reason the number of asks and the newest of them; the most frequent reason first. */
function counted(without: Sorted['without']): { why: Withheld; count: number; example: string }[] {
  const found = new Map<Withheld, { why: Withheld; count: number; example: string }>();
  for (const { why, event } of without)
    found.set(why, { why, count: (found.get(why)?.count ?? 0) + 1, example: event.decision_id });
  return [...found.values()].sort((one, other) => other.count - one.count);
}

function describe(accepted: readonly Candidate[], { without }: Sorted, asks: number): string {
  if (asks === 0) return 'Nothing was asked.';
  const lines = accepted.flatMap(({ mode, line, asks: each }) => {
    const last = each.at(-1)?.event as LogEvent;
    const when = last.timestamp.slice(0, 16).replace('T', ' ');
    return [
      `${fileOf(mode)}, under permissions.allow:`,
      `    ${oneLine(JSON.stringify(line))}`,
      `    would have avoided ${each.length} asks, all approved, the last at ${when} (modes explain ${last.decision_id.slice(0, 8)})`,
      '',
    ];
  });
  const quieted = accepted.reduce((sum, { asks: each }) => sum + each.length, 0);
  const left = counted(without).map(({ why, count, example }) => `  ${count}×  ${withheld[why]} (${example.slice(0, 8)})`);
  return [
    ...lines,
    `${accepted.length} rules would avoid ${quieted} of ${asks} asks.${accepted.length > 0 ? ' Add them yourself, or with --patch, and approve them with modes trust.' : ''}`,
    ...(left.length > 0 ? ['Without a rule:', ...left] : []),
  ].join('\n');
}
