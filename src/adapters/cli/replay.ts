// modes replay: lists logged calls that a changed policy would have decided differently.
import fs from 'node:fs';
import path from 'node:path';
import { type Configured, configure, layeredSources } from '../../app/dry-run.ts';
import { type ChangeReport, classes, countChanges, countOf, type DecisionChange } from '../../app/log/changes.ts';
import { eachCall, incomparable, type Replayer, replay as replayEvent } from '../../app/log/replay.ts';
import { oneLine } from '../../app/log/table.ts';
import { findPackageRoot } from '../../app/own-package.ts';
import type { LogEvent } from '../../store/log/event.ts';
import { LogFiles, logFolder } from '../../store/log/files.ts';
import { seekDecisions } from '../../store/log/query.ts';
import { filterOf } from './log.ts';
import { governed } from './open.ts';
import { toJson } from './outputs/json.ts';
import { describeProblems } from './policy-report.ts';
import { type Progress, showProgress } from './progress.ts';
import { exits, type Terminal, UsageError } from './terminal.ts';

export interface ReplayOptions {
  policy: string;
  project?: string;
  json?: boolean;
  mode?: string;
  tool?: string;
  session?: string;
  since?: string;
  until?: string;
  failOn?: string[];
}

export async function replay(options: ReplayOptions, terminal: Terminal): Promise<number> {
  const { policy, failOn = [], json } = options;
  const wanted = failOn.flatMap((text) => text.split(','));
  const unknown = wanted.find((name) => !classes.includes(name));
  if (unknown !== undefined) throw new UsageError(`${JSON.stringify(unknown)} is not a class of change: ${classes.join(', ')}`);
  const { mode, tool, session, since, until } = options;
  const filter = filterOf({ mode, tool, session, since, until }, Date.now());
  const folder = policyFolder(policy);
  const { root, dataFolder } = governed(options.project);
  const files = new LogFiles(logFolder(dataFolder, root));
  const { events, damaged, strange } = seekDecisions(files, filter, Number.POSITIVE_INFINITY);
  const progress = showProgress('replaying decisions');
  const { report, problems } = await replayAll(eachCall(events), root, folder, progress).finally(progress.end);
  const isBroken = problems.some(({ severity }) => severity === 'error');
  const failed = wanted.filter((name) => countOf(report, name) > 0);
  if (json) {
    const { calls, same, changed, changes, not_comparable } = report;
    const header = { version: 1 as const, policy: folder, project: root, since: isoOf(filter.since), until: isoOf(filter.until) };
    const found = { calls, same, changed, changes, not_comparable, damaged_lines: damaged, failed_on: failed, problems };
    terminal.out(toJson<'replay'>({ ...header, ...found }, 2));
  } else {
    if (problems.length > 0) terminal.err(describeProblems(problems, terminal.errColour));
    if (!isBroken) terminal.out(describe(report, terminal.colour));
    if (strange !== null) terminal.err(`modes: ${strange}`);
    if (damaged > 0) terminal.err(`modes: ${damaged} lines of ${files.folder} cannot be read`);
    if (failed.length > 0) terminal.err(`modes: some calls changed like this: ${failed.join(', ')}`);
  }
  return isBroken || failed.length > 0 ? exits.wrong : exits.fine;
}

const isoOf = (at: number | undefined): string | null => (at === undefined ? null : new Date(at).toISOString());

/** The folder with modes.yaml: the named one, or its `.claude`. */
function policyFolder(named: string): string {
  const found = [path.resolve(named), path.resolve(named, '.claude')].find((folder) =>
    fs.existsSync(path.join(folder, 'modes.yaml')),
  );
  if (found === undefined) throw new UsageError(`there is no modes.yaml in ${named} or ${path.join(named, '.claude')}`);
  return fs.realpathSync.native(found);
}

async function replayAll(events: readonly LogEvent[], root: string, folder: string, progress: Progress) {
  const where = { root, trusted: true, env: process.env, packageRoot: findPackageRoot() };
  const after = await configure(layeredSources(root, folder), where);
  const present = await configure(layeredSources(root, null), where);
  const replayer = replayerOf(after, present);
  const replayed = events.map((event, at) => {
    progress.at(at, events.length);
    return [event, replayEvent(event, replayer)] as const;
  });
  return { report: countChanges(replayed), problems: after.problems };
}

function replayerOf(after: Configured, present: Configured): Replayer {
  const { topology, commands, arguments: declared } = after.config.known;
  const policyOf = (mode: string) => after.config.policies.of(mode);
  /** The restrictions of a mode, for comparison. */
  const narrowing = (one: Configured, mode: string): string =>
    JSON.stringify([
      one
        .rulesOf(mode)
        .filter(({ effect }) => effect !== 'allow')
        .map(({ effect, text }) => `${effect} ${text}`)
        .sort(),
      one.custom(),
    ]);
  return {
    has: (mode) => topology?.modes.has(mode) ?? false,
    wantsInput: (mode) => policyOf(mode)?.wantsInput ?? false,
    declares: commands.length > 0 || declared.length > 0,
    narrowsAlike({ bundles, result: { mode } }) {
      const bundle = mode === null ? undefined : bundles[mode]?.revision;
      if (mode === null || bundle === undefined) return false;
      if (policyOf(mode)?.bundle === bundle) return true;
      return present.config.policies.of(mode)?.bundle === bundle && narrowing(after, mode) === narrowing(present, mode);
    },
    decide: ({ call, mode, state }, lens) => after.decide(call, mode, { state, lens }),
  };
}

const colours = { widening: 33, narrowing: 36 } as const;

function describe({ calls, changed, changes, not_comparable: lost, ...report }: ChangeReport, colour: boolean): string {
  if (calls === 0) return 'No such decision was logged.';
  const paint = (code: number, text: string): string => (colour ? `\x1b[${code}m${text}\x1b[0m` : text);
  const lines = changes.flatMap((change) => [
    [
      paint(colours[change.direction], `${change.before.decision} → ${change.after.decision}`),
      `${change.count}×`,
      oneLine(change.tool),
      `in ${oneLine(change.mode)}`,
    ].join('  '),
    `    was  ${sideLine(change.before)}`,
    `    now  ${sideLine(change.after)}`,
    `    such as ${oneLine(change.example.call)}  (modes explain ${change.example.id.slice(0, 8)})`,
    ...(change.on_disk > 0 ? [`    ${change.on_disk} of them decided with the present contents of their folders`] : []),
    '',
  ]);
  const count = (name: string): number => countOf({ calls, changed, changes, not_comparable: lost, ...report }, name);
  const summary = `${changed} of ${calls} calls would be decided differently: ${count('narrowing')} narrowed, ${count('widening')} widened`;
  const left = lost.map(({ why, count: each, example }) => `  ${each}×  ${incomparable[why]} (${example.slice(0, 8)})`);
  return [...lines, summary, ...(left.length > 0 ? [`${count('not-comparable')} calls are not comparable:`, ...left] : [])].join(
    '\n',
  );
}

function sideLine({ by, place }: DecisionChange['before']): string {
  return oneLine([by, place].filter((part) => part !== null && part !== '').join('  ')) || "the client's own rules";
}
