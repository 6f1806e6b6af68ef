// The mode of a project: read from the journal, and shown in `.claude/mode-state.json`.

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import { showInLine } from '../config/text.ts';
import type { Topology } from '../model/configuration.ts';
import { sweepFresh, writeWhole } from '../platform/data-folder.ts';
import { readRegularText } from '../platform/read-file.ts';
import { fields, RecordKind, type RecordOf } from '../store/record.ts';
import { type ActiveGrants, authorityAfter, noAuthority } from './grants.ts';
import { isThere, Journal, type JournalChange, type JournalEntry, journalFolder } from './journal.ts';
import { noWork, type Work, workAfter } from './plan/work.ts';

/** A new summary is stored after this many more entries. */
export const summarizedEvery = 64;
/** Maximum number of the newest changes of mode in it. */
const maxSummaryChanges = 50;

/**
 * The result of a journal's entries up to one of them. A process that decides a single call reads the summary and only the later
 * entries, because reading hundreds takes longer than deciding. The server reads all entries.
 *
 * Valid only for the build that wrote it, which knows the format, and for its project. A larger summary is not
 * stored.
 */
const summaries = new RecordKind({
  schema: fields({
    build: z.string(),
    root: z.string(),
    /** The last entry that it covers. */
    upTo: fields({ number: z.number(), hash: z.string() }),
    /** Newest changes of mode, oldest first. */
    changes: z.array(z.custom<JournalEntry>()),
    work: z.custom<Work>(),
    authority: z.custom<ActiveGrants>(),
  }),
  maxBytes: 1_048_576,
  hash: (json) => createHash('sha256').update(json).digest('hex'),
  isCache: true,
});

type Summary = Omit<RecordOf<typeof summaries>, 'build' | 'root'>;

const summaryFile = (folder: string): string => path.join(folder, 'summary');

/** null if there is no valid summary of this build, or if the entry that it ends at is gone or changed. */
function readSummary(folder: string, root: string, build: string): Summary | null {
  const record = summaries.read(summaryFile(folder));
  return record?.build === build && record.root === root && isThere(folder, record.upTo) ? record : null;
}

/** A failed write only costs the next process time. */
function writeSummary(folder: string, root: string, build: string, { upTo, changes, work, authority }: Summary): void {
  try {
    summaries.write(summaryFile(folder), { build, root, upTo, changes: changes.slice(-maxSummaryChanges), work, authority });
  } catch (error) {
    if (typeof (error as NodeJS.ErrnoException).code !== 'string') throw error;
  }
}

/** Why the mode is unknown. Until a person names one, only reads are permitted. */
export interface Degraded {
  code: 'E_STOPPED' | 'E_JOURNAL_BROKEN' | 'E_UNKNOWN_MODE' | 'E_VIEW_WITHOUT_JOURNAL' | 'E_NO_TOPOLOGY' | 'E_NO_SESSION';
  message: string;
  /** The modes that a person can choose from; absent if modes.yaml cannot be used. */
  modes?: readonly string[];
}

export interface ModeState {
  /** null if it is unknown. */
  mode: string | null;
  degraded: Degraded | null;
  /** When the mode was entered, in ISO 8601; null before the first change. */
  since: string | null;
  enteredBy: string | null;
  /** Changes of mode, oldest first. */
  entries: JournalEntry[];
  /** Plans and the task. */
  work: Work;
  /** Active grants. */
  authority: ActiveGrants;
}

/** The instruction for setting the mode, with the names to choose from. */
export function personNames(names: readonly string[] = []): string {
  const shown =
    names.length === 0 ? '' : ` Modes: ${names.slice(0, mostNames).join(', ')}${names.length > mostNames ? ', …' : ''}.`;
  return `A person must set the mode with /modes:mode NAME and confirm it.${shown}`;
}
/** Maximum number of modes that a message names. */
const mostNames = 20;
/** Remedies for states that naming a mode does not fix. */
const otherRemedies: Partial<Record<Degraded['code'], string>> = {
  E_NO_SESSION: 'Ask inside a session, or set CLAUDE_CODE_SESSION_ID.',
  E_NO_TOPOLOGY: 'Fix the errors that modes validate shows.',
};
export const remedyOf = ({ code, modes }: Degraded): string => otherRemedies[code] ?? personNames(modes);

/**
 * The remaining restriction in a project that was just set up, because its journal outlives its files. Empty if only a session is
 * missing.
 */
export function stillClosed({ degraded: fault }: ModeState): string[] {
  if (fault === null || fault.code === 'E_NO_SESSION') return [];
  return [`Only reading inside the project is allowed, because ${fault.message}. ${remedyOf(fault)} (${fault.code})`];
}

/** Why the mode is unknown and what helps, for a decision; null if it is known. */
export function degradedIn({ degraded: fault }: ModeState): { message: string; remedy: string } | null {
  return fault && { message: `${fault.message} (${fault.code})`, remedy: remedyOf(fault) };
}

/** The entries read so far: the changes of mode, and the resulting plans, task and authority. */
interface JournalStamp extends Pick<Summary, 'changes' | 'work' | 'authority'> {
  all: JournalEntry[];
  upTo: number;
}

const nothing: Pick<Summary, 'changes' | 'work' | 'authority'> = { changes: [], work: noWork, authority: noAuthority };

/** The format of the source document's state file. */
export interface StateFile {
  currentMode: string;
  history: { from: string; to: string; timestamp: string; explanation: string }[];
}

/** Kinds of entries that do not change the mode. */
const staying: ReadonlySet<JournalEntry['kind']> = new Set<JournalEntry['kind']>(['plan', 'authority']);
/** Maximum number of the newest changes in the state file. */
export const viewLength = 50;
/** Modes never writes a larger file, so a larger one is not read. */
const maxViewBytes = 1_048_576;
/** Number of entries that are verified before a waiting call is answered. */
const checkedAtOnce = 50;

/** The state of one project: reads the journal, appends to it, and keeps the state file equal to it. */
export class StateStore {
  private journal: Journal;
  readonly viewFile: string;
  /** Why the last write of the state file failed; null if it succeeded. The journal is authoritative either way. */
  stateFileFault: string | null = null;
  private cached: JournalStamp = { all: [], upTo: 0, ...nothing };
  /** Replaces the entries that are not read; null: all entries are read. */
  private readonly summary: Summary | null;
  /** Number of the last entry that the newest summary covers. */
  private summarised: number;

  constructor(
    private readonly root: string,
    /** The folder of the configuration, where the state file is written. */
    folder: string,
    private readonly dataFolder: string,
    /** '' for the project. Otherwise the part of it that has a mode of its own; that part has no state file. */
    private readonly scope = '',
    /** The build that may start from a journal summary; null: the whole journal is read. */
    private readonly build: string | null = null,
  ) {
    this.summary = build === null ? null : readSummary(this.journalFolder(), root, build);
    this.summarised = this.summary?.upTo.number ?? 0;
    this.journal = new Journal(this.journalFolder(), root, this.summary?.upTo);
    this.viewFile = path.join(folder, 'mode-state.json');
  }

  /** The present state by the journal. Of the state file, only its existence is checked. */
  read(topology: Topology | null): ModeState {
    const state = this.readOnce(topology);
    // A writer appends the journal entry before it writes the state file. Another session may have done both between our two
    // checks.
    return state.degraded?.code === 'E_VIEW_WITHOUT_JOURNAL' ? this.readOnce(topology) : state;
  }

  private readOnce(topology: Topology | null): ModeState {
    const { entries: all, broken } = this.journal.read();
    const { changes: entries, work, authority } = this.sorted(all);
    const last = entries.at(-1) ?? null;
    const known = { since: last?.timestamp ?? null, enteredBy: last?.actor ?? null, entries, work, authority };
    const fault = this.degradedOf(broken, last, topology);
    if (fault !== null) {
      const modes = topology === null ? {} : { modes: [...topology.modes.keys()] };
      return { mode: null, degraded: { ...fault, ...modes }, ...known };
    }
    return { mode: last?.to ?? (topology as Topology).default, degraded: null, ...known };
  }

  /**
   * Appends a change if the mode is still `change.from` (null: unknown). Returns the entry, or null if another session changed
   * the mode first. Only `force` and `stop` get this far with a broken chain: it is renamed and kept, and a new journal starts.
   */
  change(change: JournalChange, topology: Topology, at: Date): JournalEntry | null {
    // Never append to entries that were not verified.
    if (!this.journal.isWhole) this.journal = new Journal(this.journalFolder(), this.root);
    const state = this.read(topology);
    if (state.mode !== change.from) return null;
    if (state.degraded?.code === 'E_JOURNAL_BROKEN' && !this.setAside(at)) return null;
    const entry = this.journal.append(change, at);
    if (entry !== null && !staying.has(entry.kind) && this.scope === '') this.writeView(topology);
    return entry;
  }

  /**
   * Reads and verifies the entries that the summary replaced. Works in parts, so that calls are answered in between. Any damage
   * found applies from then on.
   */
  async check(): Promise<void> {
    const before = this.journal;
    if (!before.isWhole) {
      const whole = new Journal(this.journalFolder(), this.root);
      while (whole.part(checkedAtOnce) === null) await new Promise((resolve) => setImmediate(resolve));
      if (this.journal === before) this.journal = whole;
    }
    this.summarise();
  }

  /**
   * Stores a summary for the next process of this build, if it would save reading many entries. A journal that is damaged gets no
   * summary.
   */
  summarise(): void {
    const { build, journal } = this;
    const more = (journal.newest?.number ?? 0) - this.summarised;
    if (build === null || more < summarizedEvery) return;
    const { entries, broken } = journal.read();
    if (broken !== null || journal.newest === null) return;
    const { number, hash } = journal.newest;
    const { changes, work, authority } = this.sorted(entries);
    writeSummary(this.journalFolder(), this.root, build, { upTo: { number, hash }, changes, work, authority });
    this.summarised = number;
  }

  /** Processes only the new entries since the last call. A journal that was started again is a different list. */
  private sorted(all: JournalEntry[]): JournalStamp {
    if (this.cached.all !== all) {
      const before = this.journal.isWhole ? nothing : (this.summary ?? nothing);
      this.cached = { all, upTo: 0, changes: [...before.changes], work: before.work, authority: before.authority };
    }
    for (; this.cached.upTo < all.length; this.cached.upTo++) {
      const entry = all[this.cached.upTo] as JournalEntry;
      this.cached.work = workAfter(this.cached.work, entry);
      this.cached.authority = authorityAfter(this.cached.authority, entry);
      if (!staying.has(entry.kind)) this.cached.changes.push(entry);
    }
    return this.cached;
  }

  /**
   * Makes the state file equal to the journal. True if it differed and was rewritten. A project in trouble keeps its state file.
   */
  refreshView(topology: Topology): boolean {
    const { degraded: fault, entries } = this.read(topology);
    if (fault !== null || this.scope !== '') return false;
    const present = this.presentView();
    if (present === this.viewText(topology) || (present === null && entries.length === 0)) return false;
    return this.writeView(topology);
  }

  /** The text of the state file; null if it does not exist, '' if Modes did not write it. */
  private presentView(): string | null {
    try {
      const stat = fs.lstatSync(this.viewFile, { throwIfNoEntry: false });
      if (stat === undefined) return null;
      return stat.isFile() && stat.size < maxViewBytes ? readRegularText(this.viewFile, maxViewBytes, { noFollow: true }) : '';
    } catch (error) {
      this.stateFileFault = (error as Error).message;
      return '';
    }
  }

  /** A failed write of the state file is recorded and stops nothing. */
  private writeView(topology: Topology): boolean {
    try {
      const stat = fs.lstatSync(this.viewFile, { throwIfNoEntry: false });
      // A person must move a folder or a pipe in this place; Modes does not touch it.
      if (stat !== undefined && !stat.isFile() && !stat.isSymbolicLink()) throw new Error(`${this.viewFile} is not a file`);
      writeWhole(this.viewFile, this.viewText(topology));
      sweepFresh(path.dirname(this.viewFile), `${path.basename(this.viewFile)}.`);
    } catch (error) {
      this.stateFileFault = (error as Error).message;
      return false;
    }
    this.stateFileFault = null;
    return true;
  }

  private viewText(topology: Topology): string {
    const state = this.read(topology);
    const view: StateFile = {
      currentMode: state.mode ?? (state.degraded?.code === 'E_STOPPED' ? state.entries.at(-1)?.to : null) ?? topology.default,
      history: recent(state.entries, viewLength).map(({ from, to, timestamp, explanation }) => ({
        from: from ?? '',
        to,
        timestamp,
        explanation,
      })),
    };
    return `${JSON.stringify(view, null, 2)}\n`;
  }

  private degradedOf(broken: string | null, last: JournalEntry | null, topology: Topology | null): Degraded | null {
    if (broken !== null) return { code: 'E_JOURNAL_BROKEN', message: `the journal of modes is damaged: ${broken}` };
    if (topology === null) return { code: 'E_NO_TOPOLOGY', message: 'modes.yaml cannot be used' };
    if (last === null) {
      if (this.scope !== '' || !this.hasView()) return null;
      return { code: 'E_VIEW_WITHOUT_JOURNAL', message: `${this.viewFile} has no journal (a copied folder?)` };
    }
    if (!topology.modes.has(last.to))
      return {
        code: 'E_UNKNOWN_MODE',
        message: `the project is in the mode ${JSON.stringify(last.to)}, which modes.yaml does not define`,
      };
    if (last.kind === 'stop') return { code: 'E_STOPPED', message: `the work was stopped (${showInLine(last.explanation)})` };
    return null;
  }

  private hasView(): boolean {
    try {
      return fs.lstatSync(this.viewFile, { throwIfNoEntry: false }) !== undefined;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code !== 'ENOTDIR';
    }
  }

  /**
   * Renames a broken journal and keeps it. False if another process did so in the meantime: then the present journal is whole.
   */
  private setAside(at: Date): boolean {
    const folder = this.journalFolder();
    const aside = `${folder}.broken-${at.toISOString().replace(/[:.]/g, '-')}-${process.pid}`;
    this.journal = new Journal(folder, this.root);
    if (this.journal.read().broken === null) return false;
    fs.renameSync(folder, aside);
    this.journal = new Journal(folder, this.root);
    if (new Journal(aside, this.root).read().broken !== null) return true;
    fs.renameSync(aside, folder);
    return false;
  }

  private journalFolder(): string {
    return journalFolder(this.dataFolder, this.root, this.scope);
  }
}

function recent<T>(list: T[], count: number): T[] {
  return list.slice(Math.max(0, list.length - count));
}
