// Verified runs: a program that may write what the mode guards runs without a question, and the guarded files are compared
// afterwards. A guarded file that no permitted call wrote is a violation. It closes every gate of the mode until its content is back
// or a person accepts it.

import { pathName } from '../../facts/paths/keys.ts';
import type { PathFilter } from '../../facts/paths/request.ts';
import { anyScope, contents, differences, type Hashed, hashFiles, type TreeScope } from '../../git/file-tree.ts';
import { type Ignoring, ignoringNow, unignoredSince } from '../../git/ignored.ts';
import { hexHash } from '../../platform/hash.ts';
import { list, type Unmet } from '../gates/unmet.ts';
import { type PermittedWrites, RecordStore, type VerificationRecord, type VerifiedRun, type Violation } from './record.ts';
import { recordContents } from './recorded.ts';

/** The place of the caller, and the files that its mode guards there. */
export interface GuardedScope {
  root: string;
  dataFolder: string;
  /** The scope of the mode: '' for the whole project. */
  scope: string;
  /** Hash of the journal entry that started the visit. */
  entry: string;
  mode: string;
  /** Identifies the rules: another text means other rules. */
  rules: string;
  filters: readonly PathFilter[];
  /** True if more files may be guarded than those that the filters name. Then all files that git does not ignore are compared. */
  isOpenEnded: boolean;
  /** True if programs that a rule allows are compared as well, because the mode has `uncertain: verify`. */
  verifiesRuns: boolean;
  /** The rule that a write of this file would match; null if the mode permits the write. */
  guardOf(name: string): string | null;
}

/** More guarded files than this are not compared: a person is asked before such a run. */
const maxFiles = 200_000;
/** Maximum number of stored runs. */
const maxRuns = 20;
/** How many permitted calls are remembered whose writes were not seen yet. Writes of older ones count as violations. */
const maxPermitted = 50;

/** Whether a call with these writes may write a name of the project. */
export function mayWrite(writes: PermittedWrites, name: string): boolean {
  const isBelow = (path: string): boolean => path === '' || name.startsWith(`${path}/`);
  return writes === null || writes.some(({ path, deep }) => path === name || (deep && isBelow(path)));
}

export class Verification {
  private readonly stores = new Map<string, RecordStore>();

  /**
   * Records the guarded files before a run. Throws if they cannot be read or stored: then the run must not start without a
   * question.
   */
  begin(at: GuardedScope, run: VerifiedRun): void {
    const before = this.current(at);
    const taken = before === null ? this.take(at) : null;
    // Another process may have recorded the files meanwhile, and its run may have changed some of them since.
    const known = before ?? this.current(at);
    const record = known === null ? (taken as VerificationRecord) : this.compared(at, known);
    const runs = [...record.runs.filter(({ id }) => id !== run.id), run].slice(-maxRuns);
    this.storeOf(at).write({ ...record, runs });
  }

  /** Whether a process of this run is still alive. Throws if the record cannot be read. */
  note(at: GuardedScope, id: string, background: boolean): void {
    const record = this.current(at);
    if (record === null) return;
    const runs = record.runs.map((run) => (run.id === id ? { ...run, background } : run));
    this.storeOf(at).write({ ...record, runs });
  }

  /**
   * The mode changed after a comparison without violations. Runs in the background are compared with the files of that comparison, as
   * far as both modes guard them. Throws if the files or the record cannot be read.
   */
  carry(left: GuardedScope, entered: GuardedScope): void {
    const before = this.storeOf(left).read();
    if (before?.entry !== left.entry || left.root !== entered.root) return;
    const next = this.current(entered);
    if (next === null || next.entry === before.entry) return;
    const wasSeen = scopeOf(left, before.ignoring);
    const files: Hashed = new Map(next.files);
    for (const name of differences(contents(before.files), contents(next.files))) {
      const known = before.files.get(name);
      if (known !== undefined) {
        if (entered.guardOf(name) !== null) files.set(name, { mark: '', hash: known.hash });
      }
      // Other rules guard other files, which were not recorded.
      else if (before.rules === left.rules && wasSeen.file(name) && left.guardOf(name) !== null) files.delete(name);
    }
    this.storeOf(entered).write({ ...next, files });
  }

  /** All violations of this visit. Throws if the files or the record cannot be read. */
  check(at: GuardedScope): Violation[] {
    const record = this.current(at);
    return record === null ? [] : this.compared(at, record).violations;
  }

  /** The violations that the last comparison found. Throws if the record cannot be read. */
  last(at: GuardedScope): Violation[] {
    return this.current(at)?.violations ?? [];
  }

  /** True if a run may go on in the background. Throws if the record cannot be read. */
  hasBackground(at: GuardedScope): boolean {
    return this.current(at)?.runs.some(({ background }) => background) ?? false;
  }

  /** True if there was a verified run in this visit. Throws if the record cannot be read. */
  isActive(at: GuardedScope): boolean {
    return this.current(at) !== null;
  }

  /** Called after a permitted call. The files that it may have written are accepted in their present state. */
  approve(at: GuardedScope, writes: (name: string) => boolean): void {
    this.update(at, (name, violations) => !violations.has(name) && writes(name));
  }

  /** A call is permitted whose end nobody sees. The next comparisons take its writes as they find them. */
  permit(at: GuardedScope, writes: PermittedWrites): void {
    const record = this.current(at);
    if (record === null) return;
    this.storeOf(at).write({ ...record, permitted: [...record.permitted, { writes }].slice(-maxPermitted) });
  }

  /** Tells of each run whether it may still go on. Throws if the record cannot be read. */
  settleRuns(at: GuardedScope, goesOn: (run: VerifiedRun) => boolean): void {
    const record = this.current(at);
    if (record === null) return;
    const runs = record.runs.map((run) => ({ ...run, background: run.background && goesOn(run) }));
    if (runs.some(({ background }, index) => background !== record.runs[index]?.background))
      this.storeOf(at).write({ ...record, runs });
  }

  /** A person accepts files in the states with these hashes; null: removed. A file that has changed since is not accepted. */
  accept(at: GuardedScope, states: ReadonlyMap<string, string | null>): void {
    this.update(at, (name, _, hash) => states.get(name) === hash);
  }

  /** The hash that a file had before; null if it did not exist. */
  hashBefore(at: GuardedScope, name: string): string | null {
    return this.current(at)?.files.get(name)?.hash ?? null;
  }

  private update(
    at: GuardedScope,
    isMeant: (name: string, violations: ReadonlySet<string>, hash: string | null) => boolean,
  ): void {
    const record = this.current(at);
    if (record === null) return;
    const violations = new Set(record.violations.map(({ file }) => file));
    const now = hashFiles(at.root, scopeOf(at, record.ignoring), record.files);
    const files: Hashed = new Map(record.files);
    for (const name of differences(contents(record.files), contents(now))) {
      const state = now.get(name);
      if (!isMeant(name, violations, state?.hash ?? null)) continue;
      if (state === undefined) files.delete(name);
      else files.set(name, state);
      violations.delete(name);
    }
    recordContents(at.dataFolder, at.root, files);
    this.storeOf(at).write({ ...record, files, violations: record.violations.filter(({ file }) => violations.has(file)) });
  }

  /** The record of this visit. A run in the background goes on in the next mode, which has a record from its beginning. */
  private current(at: GuardedScope): VerificationRecord | null {
    const record = this.storeOf(at).read();
    if (record === null || record.entry === at.entry) return record;
    const background = record.runs.filter((run) => run.background);
    if (background.length === 0) return null;
    const next = { ...this.take(at), runs: background };
    this.storeOf(at).write(next);
    return next;
  }

  private take(at: GuardedScope): VerificationRecord {
    const before = this.storeOf(at).read();
    const ignoring = at.isOpenEnded ? ignoringNow(at.root) : null;
    const files = hashFiles(at.root, scopeOf(at, ignoring), before?.files);
    if (files.size > maxFiles) throw new Error(`the mode guards more than ${maxFiles.toLocaleString('en')} files`);
    recordContents(at.dataFolder, at.root, files);
    return { entry: at.entry, mode: at.mode, rules: at.rules, ignoring, runs: [], permitted: [], violations: [], files };
  }

  /** Compares, and stores the record if something changed. A guarded file keeps its earlier state until it is accepted. */
  private compared(at: GuardedScope, record: VerificationRecord): VerificationRecord {
    const now = hashFiles(at.root, scopeOf(at, record.ignoring), record.files);
    const known = new Map(record.violations.map((one) => [one.file, one]));
    const command = record.runs.at(-1)?.command ?? '';
    const violations: Violation[] = [];
    const unused = new Set(record.permitted);
    const isPermitted = (file: string): boolean => {
      const permit = known.has(file) ? undefined : record.permitted.find(({ writes }) => mayWrite(writes, file));
      if (permit !== undefined) unused.delete(permit);
      return permit !== undefined;
    };
    let isStored = record.rules === at.rules;
    for (const file of differences(contents(record.files), contents(now))) {
      const before = record.files.get(file);
      const after = now.get(file);
      // Other rules guard other files, which were not recorded.
      const isNew = before === undefined && record.rules !== at.rules;
      const rule = isNew ? null : at.guardOf(file);
      if (rule === null || isPermitted(file)) continue;
      const change = before === undefined ? 'created' : after === undefined ? 'removed' : 'changed';
      violations.push(known.get(file) ?? { file, change, rule, command, at: new Date().toISOString() });
      if (before === undefined) now.delete(file);
      // Without a mark, the file is read again at the next comparison.
      else now.set(file, { mark: '', hash: before.hash });
    }
    const permitted = [...unused].filter(({ writes }) => writes !== null);
    if (unused.size < record.permitted.length) recordContents(at.dataFolder, at.root, now);
    isStored &&= permitted.length === record.permitted.length;
    isStored &&= violations.length === known.size && violations.every(({ file }) => known.has(file));
    const next = { ...record, rules: at.rules, permitted, violations, files: now };
    if (!isStored) this.storeOf(at).write(next);
    return next;
  }

  private storeOf({ root, dataFolder, scope }: GuardedScope): RecordStore {
    const key = JSON.stringify([root, scope]);
    const store = this.stores.get(key) ?? new RecordStore(root, dataFolder, digestOf(scope));
    this.stores.set(key, store);
    return store;
  }
}

function digestOf(scope: string): string {
  return scope === '' ? '' : hexHash(scope).slice(0, 16);
}

/** Files that built-in protections guard under any rules. */
const protectedFiles = /^(?:\.git\/(?:config|hooks(?:\/.*)?)|(?:.*\/)?\.claude\/.*|\.mcp\.json)$/;
const protectedFolders = /^(?:\.git|\.git\/hooks(?:\/.*)?|(?:.*\/)?\.claude(?:\/.*)?)$/;
/** Data of the client and of Modes, which change by themselves. */
const ownFiles = /^\.claude\/(?:worktrees(?:\/|$)|mode-state\.json|mode\.sock)/;

/** Git's own folder, whose relevant files `protectedFiles` names, and the caches of interpreters, which every run writes. */
const notListed = /(?:^|\/)(?:\.git|__pycache__)(?:\/|$)/;

function scopeOf(at: GuardedScope, ignoring: Ignoring | null): TreeScope {
  const named = namedScope(at);
  if (!at.isOpenEnded) return named;
  const { file, folder, meant } = unignoredSince(at.root, ignoring);
  const counts = (name: string) => !ownFiles.test(name) && !notListed.test(name);
  return anyScope(named, { file: (name) => counts(name) && file(name), folder: (name) => counts(name) && folder(name), meant });
}

function namedScope({ root, filters }: GuardedScope): TreeScope {
  return {
    file: (name) => {
      if (ownFiles.test(name)) return false;
      if (protectedFiles.test(name)) return true;
      const names = [pathName(name, false), pathName(`${root}/${name}`, true)];
      return filters.some((filter) => names.some((one) => filter.couldMatchWrite(one)));
    },
    folder: (name) =>
      !ownFiles.test(name) &&
      (protectedFolders.test(name) ||
        filters.some((filter) => filter.couldMatchWriteBelow(name) || filter.couldMatchWriteBelow(`${root}/${name}`))),
    meant: (name) => protectedFolders.test(name),
  };
}

/** The unmet part of a gate; null without violations. */
export function unmetViolations(violations: readonly Violation[]): Unmet[] {
  const [first] = violations;
  if (first === undefined) return [];
  const files = list(violations.map(({ file }) => file));
  return [
    {
      check: 'verified runs',
      missing: `${files} changed although the mode guards ${violations.length === 1 ? 'it' : 'them'} (${first.rule}), after ${JSON.stringify(first.command)} ran`,
      how: 'Put the content back as it was before the run. If the change is meant, a person types /modes:accept; /modes:restore puts the content back.',
    },
  ];
}

/** The message to the model about new violations; '' without any. */
export function violationNotice(violations: readonly Violation[], mode: string): string {
  if (violations.length === 0) return '';
  const lines = violations
    .slice(0, 10)
    .map(
      ({ file, change, rule, command }) =>
        `${list([file])} was ${change}: ${rule} guards it. Seen after ${JSON.stringify(command)}.`,
    );
  const more = violations.length > lines.length ? [`and ${violations.length - lines.length} more files.`] : [];
  return [
    `A program changed files that the mode ${mode} guards. Every gate of this mode stays closed until that is settled:`,
    ...lines,
    ...more,
    'Put the content back as it was (for a tracked file: git diff shows the change), or tell the person: /modes:accept accepts it, /modes:restore puts it back.',
  ].join('\n');
}
