// The watched files around each run that a gate asks for: marked when the run is announced and when it has ended.
import type { Requirement } from '../../config/requirements.ts';
import { watchKey, watchScope } from './checks.ts';
import { isNothingBut } from './command.ts';
import { unignored } from './gitignore.ts';
import { markFiles, type Scope, type Tree, TreeError } from './tree.ts';

type RunCheck = Requirement & { check: 'passes' | 'fails' };

interface Marks {
  checks: RunCheck[];
  before: Map<string, Tree>;
  after: Map<string, Tree>;
}

/** Runs whose files are remembered. */
const kept = 16;

/** By tool-use id. */
export class WatchedRuns {
  private readonly marks = new Map<string, Marks>();

  constructor(
    private readonly root: string,
    private readonly home: string,
  ) {}

  /** A command begins: marks what the checks it is meant for watch. Nothing is looked at for any other command. */
  announced(id: string, text: string, requirements: readonly Requirement[]): void {
    const checks = requirements.filter((one): one is RunCheck => one.check === 'passes' || one.check === 'fails');
    const meant = checks.filter((one) => isNothingBut(text, one.command, this.home));
    if (meant.length === 0 || this.marks.has(id)) return;
    this.marks.set(id, { checks: meant, before: this.look(meant), after: new Map() });
    if (this.marks.size > kept) this.marks.delete(this.marks.keys().next().value as string);
  }

  ended(id: string): void {
    const marks = this.marks.get(id);
    if (marks !== undefined && marks.after.size === 0) marks.after = this.look(marks.checks);
  }

  /** Empty where nothing was marked. */
  of(id: string): { before: ReadonlyMap<string, Tree>; after: ReadonlyMap<string, Tree> } {
    return this.marks.get(id) ?? { before: new Map(), after: new Map() };
  }

  private look(checks: readonly RunCheck[]): Map<string, Tree> {
    const found = new Map<string, Tree>();
    let open: Scope | undefined;
    for (const check of checks) {
      const key = watchKey(check);
      if (found.has(key)) continue;
      try {
        const scope = watchScope(check, { home: this.home }, () => {
          open ??= unignored(this.root);
          return open;
        });
        found.set(key, markFiles(this.root, scope));
      } catch (error) {
        // Without marks the run counts for nothing, and the gate says so.
        if (!(error instanceof TreeError)) throw error;
      }
    }
    return found;
  }
}
