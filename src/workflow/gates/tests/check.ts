// `tests:` checks. They compare the tests of the newest run, by name, with those that were known when the mode was entered.

import path from 'node:path';
import { differences, isTimeSetBack, type Tree } from '../../../git/file-tree.ts';
import type { TestDemand } from '../../../model/requirement.ts';
import { changedAfter, findRun, guardKey, howToRun, type MatchedRun, watchKey } from '../agent-run.ts';
import { disturbance, type EngineRunResult, exitCodeOf, type RunForm, runByEngine, unmetRun } from '../engine-run.ts';
import type { Evidence, EvidenceResult, RequestedTexts } from '../evidence.ts';
import type { By } from '../proof.ts';
import { list, type Missing } from '../unmet.ts';
import { changesIn } from '../uses.ts';
import { compareTests, type TestComparison } from './compare.ts';
import { fileInProject, forgetsTests, testFiles } from './entry.ts';
import { guardedTree, guardStamps, guardsOf, inBuildFolder, unnamedScope } from './guarded-files.ts';
import { type TestTally, talliesOf } from './identity.ts';
import { readPrinted, readReports } from './report.ts';
import { freshReports } from './report-files.ts';
import { type ReportPlace, type RequestedCall, requestInCall, requestReport, takesRequest } from './report-request.ts';
import type { TestReport, UnreadableReport } from './result.ts';
import { type RunnerSearch, runnerNamed, runnerOf, type ScriptTool } from './runners.ts';
import { scriptReader } from './scripts.ts';
import type { EntryTests, NamedRun, StoredRun, TestsCheck } from './store.ts';

// dist/tests.cjs gives only what this file exports.
export { guardedScope, guardedTree, guardStamps } from './guarded-files.ts';

/**
 * A Bash call that runs the agent's command with the report that the engine would ask for. null: the runner cannot be asked, or the
 * gate needs no report of this run.
 */
export function requestFor(check: TestsCheck, text: string, root: string, place: ReportPlace): RequestedCall | null {
  if (reportGlobs(check, root) !== null) return null;
  return requestInCall(text, runnerOf(text, scriptReader(root, check.in)), place);
}

/** The report files of a check: those that it names, else those that its runner writes without being asked; null: none. */
export function reportGlobs(check: Pick<TestsCheck, 'command' | 'in' | 'report'>, root: string): readonly string[] | null {
  if (check.report !== null) return check.report;
  const { runner } = runnerOf(check.command, scriptReader(root, check.in));
  const written = runner === null ? null : (runnerNamed(runner)?.writes ?? null);
  return written === null ? null : [written];
}

/** A run whose results are named. */
interface Results extends NamedRun {
  exitCode: number;
  by: By;
}

/** Remedies if the tests do not prove the demand. */
const toDo: Readonly<Record<TestDemand, string>> = {
  'new failure': 'Write a test that fails by an assertion',
  'all pass': 'Make every test pass and keep the tests as they are',
  same: 'Make the same tests pass as before',
};
/** Titles that the journal keeps. */
const maxStoredBytes = 20;

export async function checkTests(check: TestsCheck, evidence: Evidence): Promise<EvidenceResult> {
  const entry = evidence.tests.atEntry(check);
  if (entry === null) return unknownTests('the tests were not recorded when you entered this mode', check);
  const results = await resultsOf(check, evidence);
  if ('missing' in results) return results;
  const { run, exitCode, by } = results;
  const guarded = changedGuards(check, entry, run, evidence);
  if (guarded.length > 0)
    return {
      missing: `${list(guarded)} changed since you entered this mode, which can change what a run of ${check.command} means`,
      how: 'Restore the earlier content. If the change is intended, a person can accept it by switching to another mode and back with /modes:mode NAME.',
    };
  const hidden = runnerNamed(run.runner)?.trustsTimes === true ? changedWithOldTime(entry.watched, results.marks) : [];
  if (hidden.length > 0)
    return {
      missing: `${list(hidden)} changed, with a time of change that was set back, so ${check.command} may have used an earlier build`,
      how: `Run touch ${hidden[0]}, then run ${check.command} again.`,
    };
  const compared = compare(check, withBase(check, entry, evidence), run, evidence);
  if ('how' in compared) return compared;
  const how = `${toDo[check.demand]}, then run ${check.command} again.`;
  if (compared.missing !== null) return { missing: compared.missing, how, tests: compared.tests };
  if (check.demand === 'all pass' && exitCode !== 0)
    return { missing: `every reported test passed, but ${check.command} ended with exit code ${exitCode}`, how };
  const titles = compared.tests.map(({ title }) => title);
  return { ...by, runner: run.runner, ...(titles.length > 0 && { tests: titles.slice(0, maxStoredBytes) }) };
}

/** Changed files that can affect the meaning of a run. */
function changedGuards(check: TestsCheck, entry: EntryTests, run: StoredRun, { root, home }: Evidence): string[] {
  const now = guardedTree(check, root, home);
  const changed = guardsIn(changesIn(entry.guarded, now), check, run, { root, home });
  return changed.filter((name) => !isBuilt(name, entry.guarded, now));
}

/** Names of test files in Ruby and Python, whose runners may name no files. */
const testFile = /(?:^|\/)(?:test_[^/]*|[^/]*_(?:test|spec))\.(?:rb|py)$/;

/**
 * The files that affect the meaning of a run. A test file may change even if the command names it. A run can report any file as a test
 * file, so this does not count for files that are guarded whatever the command names.
 */
function guardsIn(
  names: readonly string[],
  check: TestsCheck,
  { runner, files, tests }: StoredRun,
  { root, home }: Pick<Evidence, 'root' | 'home'>,
): string[] {
  if (names.length === 0) return [];
  const always = unnamedScope(check, root, home);
  const isGuard = guardsOf(check, root, home, runner);
  const namesFiles = tests.some(({ file }) => file !== null);
  const isTest = (name: string): boolean => files.has(name) || (!namesFiles && testFile.test(name));
  return [...new Set(names)].filter((name) => isGuard(name) && !(isTest(name) && !always.file(name)));
}

/** Guarded files that were written during the agent's run or after it, so that their content during the run is unknown; null: none. */
function guardsSwapped(check: TestsCheck, { run }: MatchedRun, read: StoredRun | null, evidence: Evidence): Missing | null {
  const { root, home } = evidence;
  const [before, after] = [run.before, run.after].map((trees) => trees.get(guardKey(check)));
  const how = howToRun(check, evidence);
  if (before === undefined || after === undefined)
    return { missing: `it is unknown which configuration ${check.command} ran with`, how };
  if (read === null) return null;
  const names = [...changesIn(before, after), ...differences(after, guardStamps(check, root, home))];
  const swapped = guardsIn(names, check, read, evidence);
  return swapped.length === 0 ? null : { missing: swappedText(swapped, check), how };
}

function swappedText(names: readonly string[], { command }: TestsCheck): string {
  return `${list(names)} changed during the newest run of ${command} or after it, which can change what the run means`;
}

/** Files that changed since the entry, but whose content claims to be older than the change. New files are in no earlier build. */
function changedWithOldTime(before: Tree, now: Tree): string[] {
  return differences(before, now).filter((name) => {
    const mark = now.get(name);
    return before.has(name) && mark !== undefined && isTimeSetBack(mark);
  });
}

/** Maven and Gradle copy the resources of the tests into their folder for results. */
function isBuilt(name: string, before: Tree, now: Tree): boolean {
  if (!inBuildFolder(name)) return false;
  const hash = now.get(name);
  const isSource = (file: string): boolean =>
    !inBuildFolder(file) && path.basename(file) === path.basename(name) && before.get(file) === now.get(file);
  return hash === undefined || [...now].some(([file, other]) => other === hash && isSource(file));
}

/** The newest results: of the agent's run if it names tests, else of a run of the engine. */
async function resultsOf(check: TestsCheck, evidence: Evidence): Promise<Results | Missing> {
  const ofAgent = check.by === 'engine' ? onlyEngine(check) : resultsOfAgent(check, evidence);
  if (!('missing' in ofAgent)) return ofAgent;
  const { engine } = evidence;
  if (engine === null || !engine.starts) return ofAgent;
  const ofEngine = await resultsOfEngine(check, evidence);
  if (!('missing' in ofEngine) || check.by === 'engine' || !ofEngine.refused) return ofEngine;
  return { missing: ofAgent.missing, how: `${ofAgent.how} The engine does not run it: ${ofEngine.missing}. ${ofEngine.how}` };
}

function onlyEngine({ command }: TestsCheck): Missing {
  return {
    missing: `${command} has not run for this transition`,
    how: 'The engine runs it when you call the transition tool.',
  };
}

function resultsOfAgent(check: TestsCheck, evidence: Evidence): Results | Missing {
  const found = findRun(check, evidence);
  if ('missing' in found) return found;
  const outdated = changedAfter(found, check, evidence);
  if (outdated !== null) return outdated;
  const run = readRun(check, found, evidence);
  const swapped = guardsSwapped(check, found, 'missing' in run ? run.known : run, evidence);
  if (swapped !== null) return swapped;
  if ('missing' in run) {
    if (run.known !== null)
      evidence.tests.record(check, earlierRun(check, found, evidence) ?? { run: run.known, marks: found.after });
    return run;
  }
  const results = { run, marks: found.after, exitCode: found.run.code ?? 0, by: found.run.by };
  evidence.tests.record(check, results);
  return results;
}

/** The newest other run of this visit that names tests; null: there is none. */
function earlierRun(check: TestsCheck, { run: newest }: MatchedRun, evidence: Evidence): NamedRun | null {
  for (const one of evidence.runs) {
    const found = one === newest ? null : findRun(check, { ...evidence, runs: [one] });
    if (found === null || 'missing' in found) continue;
    const run = readRun(check, found, evidence);
    if (!('missing' in run)) return { run, marks: found.after };
  }
  return null;
}

/** The named results of a run of the agent. */
function readRun(check: TestsCheck, { run }: MatchedRun, evidence: Evidence): StoredRun | Unnamed {
  const { output, reports, requested, folder, by } = run;
  const search = runnerFor(check, evidence);
  if (reportGlobs(check, evidence.root) !== null) {
    const report = readReports('xml', reports.get(watchKey(check)) ?? [], folder, search.runner, output);
    return named(check, report, by.at ?? '', evidence);
  }
  const isAsked = requested !== null && (requested !== 'sandboxed' || !check.unsandboxed);
  // Without the report, the source could have printed the results itself.
  if (!isAsked && takesRequest(check.command, search))
    return {
      missing: `the run of ${check.command} is no evidence: it ran without the report that Modes asks its runner for`,
      how: 'It has the report where an allow rule of a trusted configuration covers the call.',
      known: null,
    };
  const request = requested === 'sandboxed' ? null : requested;
  return named(check, readRequested(request, output, folder, search), by.at ?? '', evidence);
}

async function resultsOfEngine(check: TestsCheck, evidence: Evidence): Promise<Results | (Missing & { refused: boolean })> {
  const { baseline, engine, dataFolder, ...context } = evidence;
  const form = reportForm(check, evidence);
  try {
    const started = Date.now();
    const stamps = guardStamps(check, evidence.root, evidence.home);
    const ran = await runByEngine(check, { ...context, head: baseline?.head }, engine, dataFolder, form.run);
    if ('missing' in ran) return { ...ran, refused: true };
    const exitCode = exitCodeOf(check, ran);
    if (typeof exitCode !== 'number') return { ...exitCode, refused: false };
    const disturbed = disturbance(check, ran);
    if (disturbed !== null) return { ...disturbed, refused: false };
    const at = new Date().toISOString();
    const run = named(check, form.read(ran, started), at, evidence);
    if ('missing' in run) {
      if (run.known !== null) evidence.tests.record(check, { run: run.known, marks: ran.after });
      return { ...unmetRun(ran, run.missing, run.how), refused: false };
    }
    const written = changesIn(stamps, guardStamps(check, evidence.root, evidence.home));
    const swapped = guardsIn(written, check, run, evidence);
    if (swapped.length > 0)
      return { missing: swappedText(swapped, check), how: 'Try again while nothing else works on the project.', refused: false };
    context.ended.set(check, ran.after);
    const results = { run, marks: ran.after, exitCode, by: { at, exitCode } };
    evidence.tests.record(check, results);
    return results;
  } finally {
    form.end();
  }
}

/** The form in which the engine runs a command so that it reports tests by name, and the reader of the report. */
interface ReportForm {
  run: RunForm;
  read(ran: EngineRunResult, started: number): TestReport;
  end(): void;
}

function reportForm(check: TestsCheck, evidence: Evidence): ReportForm {
  const { command } = check;
  const reports = reportGlobs(check, evidence.root);
  const search = runnerFor(check, evidence);
  const { runner } = search;
  const plain = { command, env: {}, whole: true };
  const none = () => undefined;
  if (reports !== null) {
    const read = (ran: EngineRunResult, started: number): TestReport =>
      readReports('xml', freshReports(evidence.root, reports, started, evidence.home), ran.folder, runner, printedBy(ran));
    return { run: plain, read, end: none };
  }
  const asked = requestReport(command, search, evidence);
  const read = (ran: EngineRunResult): TestReport =>
    readRequested(asked && { ...asked, texts: asked.read() }, printedBy(ran), ran.folder, search);
  if (asked === null) return { run: plain, read, end: none };
  return { run: { command: asked.command, env: asked.env, whole: true }, read, end: asked.end };
}

/** Reads the report that the runner was asked for; null: it was not asked, so its printed output has to do. */
function readRequested(request: RequestedTexts | null, output: string, folder: string, search: RunnerSearch): TestReport {
  if (request === null || request.format === null) return readPrinted(search.runner, output, folder, toolOf(search));
  const texts = request.from === 'file' ? request.texts : [output];
  return readReports(request.format, texts, folder, search.runner, output);
}

function printedBy({ outcome }: EngineRunResult): string {
  return outcome.whole ?? outcome.output;
}

function toolOf(search: RunnerSearch): ScriptTool | null {
  return search.runner === null ? search.tool : null;
}

function runnerFor(check: TestsCheck, { root }: Pick<Evidence, 'root'>): RunnerSearch {
  return runnerOf(check.command, scriptReader(root, check.in));
}

/** Why a run is no evidence. `known`: it shows that there were no tests. */
type Unnamed = Missing & { known: StoredRun | null };

/** The tests of a report, or why it is no evidence. */
function named(check: TestsCheck, report: TestReport, at: string, evidence: Evidence): StoredRun | Unnamed {
  const tests = talliesOf(report);
  if (Array.isArray(tests) && report.readable)
    return { runner: report.runner, at, tests, files: testFiles(tests, check, evidence.root) };
  const { why, how, runner, hasNoTests } = tests as UnreadableReport;
  const known = hasNoTests && runner !== null ? { runner, at, tests: [], files: new Map() } : null;
  return { missing: `the run of ${check.command} is no evidence: ${why}`, how, known };
}

/** The agent's newest run, for the entry into the next mode. */
export function noteRun(check: TestsCheck, evidence: Evidence): void {
  resultsOfAgent(check, evidence);
}

/** Runs the command so that its tests are known at the entry into the next mode. Why it could not be run does not matter. */
export async function runForEntry(check: TestsCheck, evidence: Evidence): Promise<void> {
  await resultsOfEngine(check, evidence);
}

/** The state at the entry. A run of this visit on the same files is better than an earlier one. */
function withBase(check: TestsCheck, entry: EntryTests, evidence: Evidence): EntryTests {
  if (entry.fresh) return entry;
  const key = watchKey(check);
  const unchanged = evidence.runs.filter(({ before }) => {
    const marks = before.get(key);
    return marks !== undefined && differences(entry.watched, marks).length === 0;
  });
  const found = findRun(check, { ...evidence, runs: unchanged });
  if ('missing' in found) return entry;
  const read = readRun(check, found, evidence);
  const run = 'missing' in read ? read.known : read;
  if (run === null || forgetsTests(entry.known, run)) return entry;
  evidence.tests.recordEntry(check, run);
  return { ...entry, known: run, fresh: true };
}

function compare(check: TestsCheck, entry: EntryTests, run: StoredRun, evidence: Evidence): TestComparison | Missing {
  const { demand, command } = check;
  const { known, fresh, watched } = entry;
  // A test that passed in an earlier run may have failed at the entry, but it was there.
  if (known !== null && (fresh || demand !== 'new failure'))
    return compareTests(
      demand,
      withNamesOf(run, known.tests, check),
      withNamesOf(known, run.tests, check),
      renamedFiles(check, known, run, evidence),
    );
  if (demand !== 'new failure') return unknownTests('it is unknown which tests there were when you entered this mode', check);
  // Tests in files that did not exist at the entry are new for certain. A run in the folder of a package names its files from there on,
  // so a file that does not exist now may be an earlier one.
  const isNew = (file: string): boolean => run.files.has(file) && !watched.has(file);
  const inNewFiles = run.tests.filter(({ file }) => file !== null && isNew(fileInProject(check, file)));
  const compared = compareTests(demand, [], inNewFiles);
  const isFailing = inNewFiles.some(({ failed, broken }) => failed + broken > 0);
  if (isFailing) return compared;
  const unknown = unknownTests('it is unknown which tests failed when you entered this mode', check);
  // Some outputs do not name files.
  if (run.tests.every(({ file }) => file === null)) return unknown;
  return { ...unknown, how: `Write a failing test in a new file and run ${command}. Otherwise: ${unknown.how}` };
}

function unknownTests(missing: string, { command }: TestsCheck): Missing {
  const how = `A person can switch to another mode and back with /modes:mode NAME. Then run ${command} before you change a file.`;
  return { missing, how };
}

/**
 * The tests with the names of files that the other run uses. The printed output of a package names its files from the package on, and
 * its report from the folder of the run on. Such a short name is that of no file.
 */
function withNamesOf(other: StoredRun, tests: readonly TestTally[], check: TestsCheck): readonly TestTally[] {
  const named = new Set(other.tests.flatMap(({ file }) => file ?? []));
  const short = [...named].filter((file) => !other.files.has(fileInProject(check, file)));
  if (short.length === 0) return tests;
  const names = new Map<string, string>();
  for (const file of new Set(tests.flatMap((test) => test.file ?? []))) {
    const name = short.find((one) => file.endsWith(`/${one}`));
    if (name !== undefined) names.set(file, name);
  }
  return tests.map((test) => (test.file === null ? test : { ...test, file: names.get(test.file) ?? test.file }));
}

/** Test files whose whole content is now in a file of another name. */
function renamedFiles(check: TestsCheck, known: StoredRun, run: StoredRun, { root }: Evidence): Map<string, string> {
  const now = testFiles(known.tests, check, root);
  const added = [...run.files].filter(([name]) => !known.files.has(name));
  const renamed = new Map<string, string>();
  for (const [name, hash] of known.files) {
    const match = now.has(name) ? undefined : added.find(([, other]) => other === hash);
    if (match !== undefined) renamed.set(fromFolder(check, name), fromFolder(check, match[0]));
  }
  return renamed;
}

function fromFolder({ in: folder }: TestsCheck, name: string): string {
  return path.posix.relative(folder ?? '.', name);
}
