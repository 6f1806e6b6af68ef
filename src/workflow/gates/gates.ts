// The machine's half of a gate: collects evidence during a visit to a mode and finds the unmet requirements of a transition.
import os from 'node:os';
import { describeRequirement } from '../../engine/requirement-text.ts';
import { contents, differences, hashFiles, markFiles, TreeError, type TreeScope } from '../../git/file-tree.ts';
import { unignoredSince } from '../../git/ignored.ts';
import type { Requirement } from '../../model/requirement.ts';
import type { Work } from '../plan/work.ts';
import { ranIn } from './agent-run.ts';
import { type Baseline, BaselineStore, takeBaseline } from './baseline.ts';
import { checkRequirement } from './checks.ts';
import type { GateEngine } from './engine.ts';
import { outdated } from './engine-run.ts';
import type { AgentReport, Evidence, RecordedRun } from './evidence.ts';
import { type GateProof, isUnmet, type RequirementResult, requirementResultOf } from './proof.ts';
import { isSameVisit, type ModeVisit, type Run, type RunLedger } from './runs.ts';
import { guardedTree, noteRun, runForEntry } from './tests/check.ts';
import { TestHistory } from './tests/entry.ts';
import type { EntryRecord } from './tests/store.ts';
import { list, type Unmet } from './unmet.ts';
import { changesIn, isEngineCommand, UsedFiles } from './uses.ts';
import { type CallStart, WatchedRuns } from './watched.ts';

/** One visit to a mode, with its start. */
export interface GateVisit extends ModeVisit {
  /** ISO 8601; null before the first entry. */
  since: string | null;
  /** Real path of the folder that the mode applies to: the project's root, or a worktree that has a mode of its own. */
  root: string;
  /** Seconds between the start of the machine and the entry; null: unknown. */
  uptime?: number | null;
  /** The present plans and task. */
  work: Work;
}

/** The state of a project at the entry into a mode. */
interface EntryState {
  baseline: Baseline;
  tests: EntryRecord;
}

/** Higher exit codes mean signals and time limits, which do not show the result of the command. */
const lastFailure = 123;

export class Gates {
  /** The observed runs; null if nothing reports them (one-shot, command line). */
  ledger: RunLedger | null = null;
  /** A person's approvals of the files that the gates' own commands use. */
  readonly used: UsedFiles;
  private readonly watched: WatchedRuns;
  private readonly tests: TestHistory;
  private readonly stores = new Map<string, BaselineStore>();

  constructor(
    private readonly root: string,
    private readonly home: string,
    private readonly dataFolder: string,
  ) {
    this.watched = new WatchedRuns(home, { dataFolder, project: root });
    this.tests = new TestHistory(root, home, dataFolder);
    this.used = new UsedFiles(root, home, dataFolder);
  }

  /**
   * A Bash call starts. Has no cost unless a requirement names its command. Returns the call that has to run in its place, so that its
   * test runner writes a report; null: none.
   */
  announced(
    id: string,
    command: string,
    requirements: readonly Requirement[],
    visit: GateVisit,
    start: CallStart,
  ): string | null {
    const { root } = visit;
    return this.watched.announced(id, command, requirements, { ...start, root, byDefault: () => this.byDefault(visit) });
  }

  /** A subagent ended. Has no cost unless a requirement names its type. */
  agentEnded(id: string, type: string, requirements: readonly Requirement[], visit: GateVisit): void {
    if (requirements.some((one) => one.check === 'agent' && one.type === type))
      this.watched.agentEnded(id, visit.root, () => this.byDefault(visit));
  }

  /** Files that git does not ignore now, or did not ignore at the entry into the mode. */
  private byDefault({ root, scope, entry }: GateVisit): TreeScope {
    return unignoredSince(root, this.store(scope).read(entry));
  }

  /** @param ran the call that ran; null: it still runs */
  ended(id: string, ran: string | null): void {
    this.watched.ended(id, ran);
  }

  /**
   * Takes the state of a mode that is about to be entered; null if its gates need none or the files are unreadable.
   * @param from the visit that ends; null: there is none
   * @param whole records every file, because an approval dialog lists the changed files
   */
  observe(
    { scope, root }: Pick<GateVisit, 'scope' | 'root'>,
    requirements: readonly Requirement[],
    from: GateVisit | null = null,
    whole = false,
  ): EntryState | null {
    if (!whole && !isRecorded(requirements)) return null;
    try {
      if (from !== null) this.noteRuns(requirements, from);
      const baseline = takeBaseline(root, this.home, globsOf(requirements), this.store(scope).newest, whole);
      const tests = this.tests.take(
        requirements,
        { scope, root },
        from?.entry ?? null,
        () => unignoredSince(root, baseline),
        (check) => guardedTree(check, root, this.home),
      );
      return { baseline, tests };
    } catch (error) {
      // Without a record, the gate is unmet and reports that.
      if (error instanceof TreeError) return null;
      throw error;
    }
  }

  /** Keeps the newest named results of the visit that ends. */
  private noteRuns(requirements: readonly Requirement[], from: GateVisit): void {
    const checks = requirements.filter((one) => one.check === 'tests');
    if (checks.length === 0) return;
    const evidence = this.evidence(from, new Date(), null);
    for (const check of checks) noteRun(check, evidence);
  }

  /** Stores the result of `look` for the entry that followed. */
  entered({ scope, entry }: Pick<GateVisit, 'scope' | 'entry'>, state: EntryState | null): void {
    if (state === null) return;
    this.store(scope).write(entry, state.baseline);
    this.tests.write({ scope, entry }, state.tests);
  }

  /**
   * Runs commands of the next mode's gates whose tests are not known for the present files. Returns what changed in the meantime,
   * since the gate of the present mode may not hold any more.
   */
  async prepare(requirements: readonly Requirement[], from: GateVisit, engine: GateEngine | null): Promise<Unmet[]> {
    const checks = requirements.filter((one) => one.check === 'tests');
    if (checks.length === 0 || engine?.starts !== true) return [];
    const evidence = this.evidence(from, new Date(), engine);
    try {
      for (const check of checks) {
        noteRun(check, evidence);
        if (this.tests.isKnown(check, from, evidence.byDefault)) continue;
        const before = markFiles(from.root, evidence.byDefault());
        await runForEntry(check, evidence);
        const changed = changesIn(before, markFiles(from.root, evidence.byDefault()));
        const missing = `${list(changed)} changed while ${check.command} ran for the entry into the next mode`;
        const how = 'If the command itself writes it, add it to .gitignore. Otherwise, try again.';
        if (changed.length > 0) return [{ check: describeRequirement(check), missing, how }];
      }
    } catch (error) {
      // Then the tests are unknown, and the gate reports that.
      if (!(error instanceof TreeError)) throw error;
    }
    return [];
  }

  /** The first step for the agent in a mode, so that the tests are recorded for its gates; null: none. */
  adviceAtEntry(requirements: readonly Requirement[], visit: Pick<GateVisit, 'scope' | 'entry' | 'root'>): string | null {
    const commands = this.tests.unknownAt(requirements, visit);
    if (commands.length === 0) return null;
    return `Run ${commands.join(' and ')} before you change a file: the gate compares its tests with those of that run.`;
  }

  /** The first mode has no entry. Its state is recorded when the server starts to observe it. */
  begin(visit: GateVisit, requirements: readonly Requirement[], whole = false): void {
    if (visit.entry !== '' || this.store(visit.scope).read('') !== null) return;
    this.entered(visit, this.observe(visit, requirements, null, whole));
  }

  /** Files that have changed since the mode was entered, ignored ones left out; null: not recorded at the entry. */
  changedSince(visit: GateVisit): string[] | null {
    const baseline = this.store(visit.scope).read(visit.entry);
    if (baseline?.whole !== true) return null;
    const scope = unignoredSince(visit.root, baseline);
    const then = new Map([...contents(baseline.files)].filter(([name]) => scope.file(name)));
    return differences(then, contents(hashFiles(visit.root, scope, baseline.files)));
  }

  /**
   * The unmet requirements, and the evidence for the others, in order. Commands of the gate run last, and only if everything else
   * holds. The other requirements are then checked again, because a command may have changed their files. `waits`: something else
   * of the gate is unmet.
   */
  async evaluate(
    requirements: readonly Requirement[],
    visit: GateVisit,
    now: Date,
    engine: GateEngine | null = null,
    waits = false,
  ): Promise<RequirementResult> {
    if (requirements.length === 0) return { unmet: [], proofs: [] };
    const evidence = this.evidence(visit, now, engine);
    const results = await this.check(
      requirements.filter((one) => !isEngineCommand(one)),
      evidence,
    );
    const own = requirements.filter(isEngineCommand);
    const mayRun = isSatisfied(results) && !waits && engine?.starts === true;
    const ran = await this.check(own, mayRun ? evidence : { ...evidence, engine: null });
    const again = mayRun && own.length > 0 && isSatisfied(ran);
    if (!again) return requirementResultOf(requirements.flatMap((one) => results.get(one) ?? ran.get(one) ?? []));
    // A command that the engine just ran is not run again. `outdated` finds results that are no longer valid.
    const isFinal = (one: Requirement): boolean => isEngineCommand(one) && evidence.ended.has(one);
    const after = await this.check(
      requirements.filter((one) => !isFinal(one)),
      { ...this.evidence(visit, now, engine), ended: evidence.ended },
      false,
    );
    for (const [check, missing] of outdated(evidence)) ran.set(check, { check: describeRequirement(check), ...missing });
    return requirementResultOf(requirements.flatMap((one) => after.get(one) ?? ran.get(one) ?? []));
  }

  /** Checks one after the other. After an unmet check, no further command is started. */
  private async check(requirements: readonly Requirement[], evidence: Evidence, mayStart = true): Promise<CheckResults> {
    const checkResults: CheckResults = new Map();
    for (const requirement of requirements) {
      const isLate = isEngineCommand(requirement) && !(mayStart && isSatisfied(checkResults));
      checkResults.set(requirement, await checkRequirement(requirement, isLate ? { ...evidence, engine: null } : evidence));
    }
    return checkResults;
  }

  private evidence(visit: GateVisit, now: Date, engine: GateEngine | null): Evidence {
    const { root, scope, entry, since, uptime = null, work } = visit;
    const here = (run: { visit: ModeVisit | null }) => isSameVisit(run.visit, visit);
    const runs = (this.ledger?.runs() ?? []).filter(here).map((run) => this.toRecordedRun(run));
    const agents = (this.ledger?.agents() ?? []).filter((agent) => here(agent) && agent.endedAt !== null);
    return {
      root,
      project: this.root,
      home: this.home,
      now,
      since: since === null ? null : new Date(since),
      uptime: { entered: uptime, now: os.uptime() },
      runs: runs.reverse(),
      agents: agents.reverse().map(
        ({ id, type, lastLine, endedAt }): AgentReport => ({
          type,
          lastLine: lastLine ?? '',
          after: this.watched.ofAgent(id),
          by: { agent: id, at: timeOf(endedAt) },
        }),
      ),
      baseline: this.store(scope).read(entry),
      byDefault: () => this.byDefault(visit),
      tests: this.tests.of(visit),
      engine,
      used: this.used.at(root),
      ended: new Map(),
      dataFolder: this.dataFolder,
      work,
    };
  }

  private toRecordedRun(run: Readonly<Run>): RecordedRun {
    const { before, after, reports, requested } = this.watched.of(run.id);
    const outcome = outcomeOf(run);
    return {
      text: run.command,
      folder: ranIn(run.cwd),
      ...outcome,
      output: run.output,
      by: { toolUse: run.id, at: timeOf(run.endedAt), ...(outcome.code !== null && { exitCode: outcome.code }) },
      ...{ before, after, reports, requested },
    };
  }

  private store(scope: string): BaselineStore {
    let store = this.stores.get(scope);
    if (store === undefined) {
      store = new BaselineStore(this.root, this.dataFolder, scope);
      this.stores.set(scope, store);
    }
    return store;
  }
}

/** Checks that need a record made at the entry into the mode: contents, the commit, the ignore rules of git. */
const recorded: ReadonlySet<Requirement['check']> = new Set<Requirement['check']>([
  'changed',
  'unchanged',
  'passes',
  'fails',
  'tests',
  'run',
  'review',
  'agent',
]);

type CheckResults = Map<Requirement, Unmet | GateProof>;

function isSatisfied(checkResults: CheckResults): boolean {
  return ![...checkResults.values()].some(isUnmet);
}

function timeOf(milliseconds: number | null): string {
  return new Date(milliseconds ?? 0).toISOString();
}

function isRecorded(requirements: readonly Requirement[]): boolean {
  return requirements.some(({ check }) => recorded.has(check));
}

/** Globs whose contents a mode's gates compare, without duplicates. */
function globsOf(requirements: readonly Requirement[]): string[] {
  const globs = requirements.flatMap((one) => (one.check === 'changed' || one.check === 'unchanged' ? one.globs : []));
  return [...new Set(globs)].sort();
}

function outcomeOf({ ending, output }: Readonly<Run>): Pick<RecordedRun, 'outcome' | 'code' | 'why'> {
  const none = (why: string) => ({ outcome: 'none' as const, code: null, why });
  switch (ending?.how) {
    case undefined:
      return none('it has not ended');
    case 'passed':
      return { outcome: 'passed', code: 0, why: '' };
    case 'failed':
      // The client also reports 1 if a signal ended its shell.
      if (ending.exitCode === 1 && output.trim() === '')
        return none('exit code 1 without output can also come from a killed shell');
      return ending.exitCode <= lastFailure
        ? { outcome: 'failed', code: ending.exitCode, why: '' }
        : none(`exit code ${ending.exitCode} can come from something other than the command`);
    case 'interpreted':
      return none(`the client reads its exit code as an answer (${ending.meaning})`);
    case 'timeout':
      return none('it reached its time limit');
    case 'interrupted':
      return none('it was interrupted');
    case 'background':
      return none('it ran in the background');
    case 'void':
      return none(ending.why);
  }
}
