// Feeds a target with texts: no crash, no call that takes long, nothing that the target's plain model denies.
import { setImmediate } from 'node:timers/promises';
import { Coverage } from './coverage.ts';
import { minimise, mutate, type Pick, random } from './mutate.ts';
import type { Target } from './target.ts';

/** Milliseconds of processor time that one text may take. */
const LONGEST_MS = 50;
/** Times that a text that took long is given again, before it counts: garbage and code that is not compiled yet are not its own. */
const AGAIN = 25;
const BATCH = 250;
const TOOK = 'took';
const MOST_KEPT = 4_000;
/** Of so many texts that many are looked at for new branches, since looking takes longer than most calls. */
const ROUND = 100_000;
const GUIDED = 2_500;
const MOST_FAULTS = 5;
/** One of so many texts is of the target's own form: those are long. */
const OWN_FORM = 100;

export interface Options {
  /** Texts. */
  count: number;
  seed: number;
  /** Texts that reach a new branch are kept as beginnings for others; `isOurs` says whose branches count. */
  guidedBy?: (url: string) => boolean;
  /** Milliseconds of processor time that one text may take; 50 when absent. */
  longestMs?: number;
  say?: (done: number, of: number, kept: number) => void;
  /** Told of a fault when it is found. */
  tell?: (fault: Fault) => void;
  /** Ends it after the batch at hand, with the report of what ran. */
  stop?: AbortSignal;
}

export interface Fault {
  what: string;
  /** The shortest text that shows it. */
  text: string;
}

export interface Report {
  name: string;
  ran: number;
  kept: number;
  branches: number | null;
  slowestMs: number;
  faults: Fault[];
  /** What the target says of the run. */
  told: string;
}

/** Runs one target to the end, or until it has shown some faults. */
export async function fuzz(
  target: Target,
  { count, seed, guidedBy, longestMs: asked = LONGEST_MS, say, tell, stop }: Options,
): Promise<Report> {
  const pick = random(seed);
  const longestMs = Math.max(asked, target.longestMs ?? 0);
  const corpus = [...target.seeds];
  const coverage = guidedBy === undefined || target.isMade ? null : new Coverage(guidedBy);
  const isGuided = () => coverage !== null && report.ran % ROUND < GUIDED && corpus.length < MOST_KEPT;
  const report: Report = { name: target.name, ran: 0, kept: 0, branches: null, slowestMs: 0, faults: [], told: '' };
  const seen = new Set<string>();
  const blame = async (what: string, text: string) => {
    const kind = kindOf(what);
    if (seen.has(kind)) return;
    seen.add(kind);
    const isSlow = (ms: number) => ms > longestMs;
    const shortest = target.isMade
      ? text
      : what.startsWith(TOOK)
        ? await minimise(text, async (shorter) => isSlow((await tried(target, shorter)).ms), 40)
        : await minimise(text, async (shorter) => kindOf((await tried(target, shorter)).what ?? '') === kind);
    const fault = { what, text: shortest };
    report.faults.push(fault);
    tell?.(fault);
  };
  const strays: unknown[] = [];
  const stray = (error: unknown) => void strays.push(error);
  process.on('uncaughtException', stray);
  process.on('unhandledRejection', stray);
  try {
    for (let at = 0; report.ran < count && report.faults.length < MOST_FAULTS && stop?.aborted !== true; ) {
      if (isGuided()) coverage?.start();
      else coverage?.stop();
      const batch: string[] = [];
      for (; batch.length < BATCH && report.ran + batch.length < count; at++)
        batch.push(at < target.seeds.length ? target.seeds[at]! : made(target, corpus, pick));
      const answers = target.checkAll?.(batch);
      for (const [at, text] of batch.entries()) {
        const { what, ms } = answers ? { what: answers[at] ?? null, ms: 0 } : await tried(target, text);
        report.ran++;
        // Counting branches takes longer than most of what is counted.
        const isCounted = coverage?.isOn === true;
        if (ms > longestMs) coverage?.stop();
        const took = ms > longestMs ? await again(target, text, { least: ms, longestMs }) : ms;
        if (isCounted) coverage?.start();
        report.slowestMs = Math.max(report.slowestMs, took);
        if (took > longestMs) await blame(`${TOOK} ${Math.round(took)} ms`, text);
        if (what !== null) await blame(what, text);
        if (strays.length > 0) await blame(`thrown outside of the call: ${textOf(strays.splice(0)[0])}`, text);
      }
      const fallen = await target.stands?.();
      if (fallen) await blame(fallen, batch.join('\n'));
      if (coverage?.isOn && coverage.fresh(false) > 0)
        for (const text of batch) {
          await tried(target, text);
          if (coverage.fresh() === 0) continue;
          corpus.push(text);
          report.kept++;
        }
      say?.(report.ran, count, report.kept);
      // Signals, timers and what is thrown behind a call come up here alone: a target need not wait for anything.
      await setImmediate();
    }
  } finally {
    process.off('uncaughtException', stray);
    process.off('unhandledRejection', stray);
    if (coverage) report.branches = coverage.reached;
    coverage?.close();
    report.told = target.tells?.() ?? '';
    await target.close?.();
  }
  return report;
}

function made(target: Target, corpus: readonly string[], pick: Pick): string {
  return target.make !== undefined && (target.isMade || pick(OWN_FORM) === 0)
    ? target.make(pick)
    : mutate(corpus, target.words, pick);
}

async function tried(target: Target, text: string): Promise<{ what: string | null; ms: number }> {
  const before = process.cpuUsage();
  let what: string | null;
  try {
    what = await target.check(text);
  } catch (error) {
    what = `threw ${textOf(error)}`;
  }
  const { user, system } = process.cpuUsage(before);
  return { what, ms: (user + system) / 1000 };
}

/** The least of several times. */
async function again(target: Target, text: string, { least, longestMs }: { least: number; longestMs: number }): Promise<number> {
  let found = least;
  for (let turn = 0; turn < AGAIN && found > longestMs; turn++) found = Math.min(found, (await tried(target, text)).ms);
  return found;
}

const textOf = (error: unknown) => (error instanceof Error ? `${error.name}: ${error.message}` : String(error));
/** Faults that differ only in numbers and quoted texts are one. */
const kindOf = (what: string) => what.replace(/"(?:[^"\\]|\\.)*"|\d+/g, '#').slice(0, 80);
