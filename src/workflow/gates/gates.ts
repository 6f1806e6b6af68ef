// The machine's half of a gate: collects evidence while a mode lasts, and says what of a way's requirements does not hold.
import fs from 'node:fs';
import type { Requirement } from '../../config/requirements.ts';
import type { Run, RunLedger } from '../runs.ts';
import type { Unmet } from '../transition.ts';
import { type Baseline, BaselineStore, takeBaseline } from './baseline.ts';
import { type Evidence, type SeenAgent, type SeenRun, unmetOf } from './checks.ts';
import { TreeError } from './tree.ts';
import { WatchedRuns } from './watched.ts';

/** Which mode is meant, and since when. */
export interface Entered {
  mode: string;
  /** What of the project has a mode of its own; '' for all of it. */
  scope: string;
  /** Hash of the journal's entry that began the mode; '' before the first. */
  entry: string;
  /** ISO 8601; null before the first entry. */
  since: string | null;
}

/** Codes above are signals and time limits, and say nothing of what was run. */
const lastFailure = 123;

export class Gates {
  /** What was seen to run; null where nobody tells (one-shot, command line). */
  ledger: RunLedger | null = null;
  private readonly watched: WatchedRuns;
  private readonly stores = new Map<string, BaselineStore>();

  constructor(
    private readonly root: string,
    private readonly home: string,
    private readonly dataFolder: string,
  ) {
    this.watched = new WatchedRuns(root, home);
  }

  /** A Bash call begins; costs nothing unless a requirement is about its command. */
  announced(id: string, command: string, requirements: readonly Requirement[]): void {
    this.watched.announced(id, command, requirements);
  }

  ended(id: string): void {
    this.watched.ended(id);
  }

  /** Looks at the files of a mode that is about to be entered; null where its gates ask for none or they cannot be read. */
  look(scope: string, requirements: readonly Requirement[]): Baseline | null {
    const globs = globsOf(requirements);
    if (globs.length === 0) return null;
    try {
      return takeBaseline(this.root, this.home, globs, this.store(scope).newest);
    } catch (error) {
      // Without a record the gate does not hold and says so.
      if (error instanceof TreeError) return null;
      throw error;
    }
  }

  /** Keeps what `look` saw for the entry that followed. */
  entered({ scope, entry }: Pick<Entered, 'scope' | 'entry'>, baseline: Baseline | null): void {
    if (baseline !== null) this.store(scope).write(entry, baseline);
  }

  /** The first mode has no entry: its files are those at the first look. */
  begin(entered: Entered, requirements: readonly Requirement[]): void {
    if (entered.entry !== '' || globsOf(requirements).length === 0 || this.store(entered.scope).read('') !== null) return;
    this.entered(entered, this.look(entered.scope, requirements));
  }

  /** Everything of these requirements that does not hold, in order. */
  async unmet(requirements: readonly Requirement[], entered: Entered, now: Date): Promise<Unmet[]> {
    if (requirements.length === 0) return [];
    const evidence = this.evidence(entered, now);
    const found: Unmet[] = [];
    for (const requirement of requirements) {
      const unmet = await unmetOf(requirement, evidence);
      if (unmet !== null) found.push(unmet);
    }
    return found;
  }

  private evidence({ mode, scope, entry, since }: Entered, now: Date): Evidence {
    const start = since === null ? Number.NEGATIVE_INFINITY : Date.parse(since);
    const here = (one: { mode: string | null; startedAt: number }) => one.mode === mode && one.startedAt >= start;
    const runs = (this.ledger?.runs() ?? []).filter(here).map((run) => this.seen(run));
    const agents = (this.ledger?.agents() ?? []).filter((agent) => here(agent) && agent.endedAt !== null);
    return {
      root: this.root,
      home: this.home,
      now,
      since: since === null ? null : new Date(since),
      runs: runs.reverse(),
      agents: [...agents]
        .sort((one, other) => (other.endedAt ?? 0) - (one.endedAt ?? 0))
        .map(({ type, lastLine }): SeenAgent => ({ type, lastLine: lastLine ?? '' })),
      baseline: this.store(scope).read(entry),
    };
  }

  private seen(run: Readonly<Run>): SeenRun {
    const { before, after } = this.watched.of(run.id);
    return {
      text: run.command,
      folder: realOf(run.cwd),
      ...outcomeOf(run),
      output: run.output,
      before,
      after,
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

/** Globs whose contents a mode's gates compare, each once. */
function globsOf(requirements: readonly Requirement[]): string[] {
  const globs = requirements.flatMap((one) => (one.check === 'changed' || one.check === 'unchanged' ? one.globs : []));
  return [...new Set(globs)].sort();
}

function outcomeOf({ ending }: Readonly<Run>): Pick<SeenRun, 'outcome' | 'code' | 'why'> {
  const none = (why: string) => ({ outcome: 'none' as const, code: null, why });
  switch (ending?.how) {
    case undefined:
      return none('it has not ended');
    case 'passed':
      return { outcome: 'passed', code: 0, why: '' };
    case 'failed':
      return ending.exitCode <= lastFailure
        ? { outcome: 'failed', code: ending.exitCode, why: '' }
        : none(`exit code ${ending.exitCode} says nothing of what was run`);
    case 'interpreted':
      return none(`the client reads its exit code as an answer (${ending.meaning})`);
    case 'timeout':
      return none('it ran into its time limit');
    case 'interrupted':
      return none('it was interrupted');
    case 'background':
      return none('it ran in the background');
    case 'void':
      return none(ending.why);
  }
}

function realOf(folder: string | null): string {
  if (folder === null) return '';
  try {
    return fs.realpathSync.native(folder);
  } catch {
    // The folder is gone: what ran there ran in no folder of the project.
    return '';
  }
}
