// Verified runs, seen from the calls of one caller: which call starts one, and what earlier runs changed.

import fs from 'node:fs';
import { isRestriction } from '../../engine/combine.ts';
import { readsOnly } from '../../engine/decide.ts';
import type { Decision } from '../../model/decision.ts';
import type { Facts, ToolCall } from '../../model/facts.ts';
import { setNewest } from '../../platform/bounded-map.ts';
import { readRegular } from '../../platform/read-file.ts';
import type { Unmet } from '../gates/unmet.ts';
import type { PermittedWrites, Violation } from './record.ts';
import { type GuardedScope, mayWrite, unmetViolations, type Verification } from './verification.ts';

/** Calls that were permitted and have not ended. Older ones are forgotten, and their writes count as violations. */
const maxPending = 200;
/** For each call, a test whether it may write a name in the project. */
const pending = new Map<string, (name: string) => boolean>();
/** A verified run does not permit any write of a guarded file. */
const writesNothing = () => false;

/** Processes that earlier calls left running; null: not searched yet. */
let leftRunning: ReadonlySet<number> | null = null;
/** Runs that left a process running, by tool-use id, with the processes that earlier calls had left. */
const goingOn = new Map<string, ReadonlySet<number>>();

/** A shell text that may leave a process running. */
const leavesProcess = /&\s*(?:$|[\n;)}])|\b(?:nohup|setsid|disown|daemonize)\b/m;

/** The client sets it for what its Bash starts. */
const clientMark = '\0CLAUDECODE=';

/** Linux permits at most 6 MB of arguments and environment. */
const maxEnvironmentBytes = 8_000_000;

export class CallVerification {
  constructor(
    private readonly verification: Verification,
    private readonly guarded: () => GuardedScope | null,
  ) {}

  /**
   * Called before the answer to a call. A verifiable call may run once the guarded files are recorded, and so does a program that a
   * rule allows: deny rules about files outrank the allow of the program. For another call that may write, this looks for changes of
   * earlier runs first, so that they are not mistaken for its own.
   */
  begin(call: ToolCall, decision: Decision): Decision {
    if (decision.decision === 'deny' || decision.facts === null) return decision;
    const isAllowedRun = decision.decision === 'allow' && runsProgramsOnly(decision.facts);
    if (decision.verifiable === undefined && !isAllowedRun) return this.permit(call, decision, decision.facts);
    if (call.toolUseId === null) return decision;
    const command = String(call.input.command ?? '');
    const background = call.input.run_in_background === true || leavesProcess.test(command);
    try {
      const scope = this.guarded();
      if (scope === null) return decision;
      if (isAllowedRun && !scope.verifiesRuns) return this.permit(call, decision, decision.facts);
      this.verification.begin(scope, { id: call.toolUseId, command, at: new Date().toISOString(), background });
      leftRunning ??= survivors();
    } catch (error) {
      return askUnrecorded(decision, error as Error);
    }
    setNewest(pending, call.toolUseId, writesNothing, maxPending);
    const { verifiable, ...rest } = decision;
    // An allow rule decides by itself. The comparison is added to it.
    if (verifiable === undefined) return decision;
    return {
      ...rest,
      decision: verifiable,
      by: 'verified',
      rules: [],
      also: [...rest.rules, ...rest.also],
      reason: '',
      remedy: '',
    };
  }

  /**
   * The same for a process that decides one call and does not see its end. It compares the files with those before earlier calls. A
   * program that a rule allows runs after its files are recorded, and the next call or the next gate compares them. A verifiable call
   * asks. Returns the violations that were not known before, too.
   */
  beginOnce(call: ToolCall, decision: Decision): { decision: Decision; found: Violation[] } {
    const { facts, decision: effect } = decision;
    if (facts === null || readsOnly(facts)) return { decision, found: [] };
    let isRun = effect === 'allow' && runsProgramsOnly(facts);
    try {
      const scope = this.guarded();
      isRun &&= scope?.verifiesRuns === true;
      if (scope === null || !(isRun || this.verification.isActive(scope))) return { decision, found: [] };
      const known = new Set(this.verification.last(scope).map(({ file }) => file));
      // The call after a run: it has ended, unless its text leaves a process behind.
      this.verification.settleRuns(scope, ({ command }) => leavesProcess.test(command));
      const command = String(call.input.command ?? '');
      if (isRun)
        this.verification.begin(scope, { id: decision.decision_id, command, at: new Date().toISOString(), background: true });
      else this.verification.check(scope);
      if (!isRun && !isRestriction(effect)) this.verification.permit(scope, writesOf(facts));
      return { decision, found: this.verification.last(scope).filter(({ file }) => !known.has(file)) };
    } catch (error) {
      // For other calls, the gates of the mode say why the files cannot be compared.
      return { decision: isRun ? askUnrecorded(decision, error as Error) : decision, found: [] };
    }
  }

  private permit(call: ToolCall, decision: Decision, facts: Facts): Decision {
    if (readsOnly(facts) || call.toolUseId === null) return decision;
    try {
      const scope = this.guarded();
      if (scope === null || !this.verification.isActive(scope)) return decision;
      this.verification.check(scope);
    } catch {
      // The gates of the mode report why the files cannot be compared.
      return decision;
    }
    const writes = writesOf(facts);
    setNewest(pending, call.toolUseId, (name) => mayWrite(writes, name), maxPending);
    return decision;
  }

  /** The violations that the last comparison found. A record that cannot be read closes the gates, which report it. */
  known(): Violation[] {
    try {
      const scope = this.guarded();
      return scope === null ? [] : this.verification.last(scope);
    } catch {
      return [];
    }
  }

  /**
   * Called after a call; null: after a turn. Compares if the call may have written, or if a run goes on in the background. Returns
   * the violations. Throws if the files cannot be compared.
   */
  end(toolUseId: string | null): Violation[] {
    const writes = toolUseId === null ? writesNothing : pending.get(toolUseId);
    if (toolUseId !== null) pending.delete(toolUseId);
    const scope = this.guarded();
    if (scope === null || !this.verification.isActive(scope)) return [];
    if (toolUseId !== null && writes === writesNothing && leavesMore(toolUseId)) this.verification.note(scope, toolUseId, true);
    if (writes === undefined && !this.verification.hasBackground(scope)) return this.verification.last(scope);
    if (writes !== undefined && writes !== writesNothing) this.verification.approve(scope, writes);
    return this.verification.check(scope);
  }

  /** All violations now. Throws if the files cannot be compared. */
  violations(): Violation[] {
    const scope = this.guarded();
    if (scope === null) return [];
    // First, so that the comparison sees the last write of a process that has ended.
    for (const id of endedRuns()) this.verification.note(scope, id, false);
    return this.verification.check(scope);
  }

  /** The unmet part of every gate of the mode. */
  unmet(): Unmet[] {
    try {
      return unmetViolations(this.violations());
    } catch (error) {
      const missing = `the files that the mode guards cannot be compared with those before the last run: ${(error as Error).message}`;
      return [{ check: 'verified runs', missing, how: 'Let a person look at it, and set the mode with /modes:mode NAME.' }];
    }
  }

  /**
   * Called right before a change of mode whose gate holds. The returned function is called right after it. From then on, runs in
   * the background are compared with the files at the gate.
   */
  leave(): () => void {
    const left = this.guarded();
    return () => {
      try {
        const entered = this.guarded();
        if (left !== null && entered !== null) this.verification.carry(left, entered);
      } catch {
        // The gates of the mode report why the files cannot be compared.
      }
    };
  }

  /** A person accepts these files in the states that they saw. Throws if the disk refuses. */
  accept(states: ReadonlyMap<string, string | null>): void {
    const scope = this.guarded();
    if (scope !== null) this.verification.accept(scope, states);
  }

  /** The folder and the hash that each file had before the runs; null if it did not exist. */
  before(file: string): { root: string; hash: string | null } | null {
    const scope = this.guarded();
    return scope === null ? null : { root: scope.root, hash: this.verification.hashBefore(scope, file) };
  }
}

/** Whether calls left a process since the last check. */
function leavesMore(toolUseId: string): boolean {
  const known = leftRunning ?? new Set();
  leftRunning = survivors();
  const isMore = !isWithin(leftRunning, known);
  if (isMore) goingOn.set(toolUseId, known);
  return isMore;
}

/** Runs whose processes have all ended. */
function endedRuns(): string[] {
  if (goingOn.size === 0) return [];
  const alive = survivors();
  const ended = [...goingOn].filter(([, known]) => isWithin(alive, known)).map(([id]) => id);
  for (const id of ended) goingOn.delete(id);
  return ended;
}

function isWithin(some: ReadonlySet<number>, all: ReadonlySet<number>): boolean {
  return [...some].every((pid) => all.has(pid));
}

/** Writes beyond those that the text of the call names come only from programs of the project. */
function runsProgramsOnly({ may_write_anywhere: parts }: Facts): boolean {
  return parts?.every(({ kind, class: given }) => kind === 'command' && given === 'runs') ?? false;
}

/** The names of the project that a permitted call may write; null: any. */
function writesOf({ writes, may_write_anywhere: parts }: Facts): PermittedWrites {
  if (parts !== null) return null;
  return writes.flatMap(({ names, deep, unnamed }) =>
    unnamed ? [{ path: '', deep: true }] : names.map(({ path }) => ({ path, deep })),
  );
}

/** The call asks, because the files cannot be recorded before it runs. */
function askUnrecorded(decision: Decision, { message }: Error): Decision {
  const reason = decision.reason === '' ? 'This call needs your approval.' : decision.reason;
  const why = `The files that the mode guards cannot be recorded before the run: ${message}.`;
  return { ...decision, decision: 'ask', reason: `${reason} ${why}` };
}

/**
 * Programs of the client's Bash that no longer descend from the client, which is the parent of this process. Linux shows them with
 * their environment; on other systems only the text of a call tells.
 */
function survivors(): ReadonlySet<number> {
  const found = new Set<number>();
  if (process.platform !== 'linux') return found;
  const parents = new Map(fs.readdirSync('/proc').flatMap((name) => parentOf(name)));
  for (const pid of parents.keys()) if (!descends(pid, parents) && isMarked(pid)) found.add(pid);
  return found;
}

/** Empty if the process is gone or has ended. */
function parentOf(name: string): [pid: number, parent: number][] {
  if (!/^\d+$/.test(name)) return [];
  try {
    const [, state, parent] = /^.*\) (\S) (\d+) /s.exec(readProcess(name, 'stat')) ?? [];
    return parent === undefined || state === 'Z' || state === 'X' ? [] : [[Number(name), Number(parent)]];
  } catch {
    return [];
  }
}

function descends(pid: number, parents: ReadonlyMap<number, number>): boolean {
  for (let at: number | undefined = pid; at !== undefined; at = parents.get(at)) if (at === process.ppid) return true;
  return false;
}

function isMarked(pid: number): boolean {
  try {
    return `\0${readProcess(pid, 'environ')}`.includes(clientMark);
  } catch {
    // It is gone, or belongs to another user.
    return false;
  }
}

function readProcess(pid: number | string, file: 'stat' | 'environ'): string {
  return readRegular(`/proc/${pid}/${file}`, maxEnvironmentBytes, { noFollow: true }).toString('latin1');
}
