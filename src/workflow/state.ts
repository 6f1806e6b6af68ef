// Which mode a project is in: read from the journal, shown in `.claude/mode-state.json`.

import fs from 'node:fs';
import path from 'node:path';
import { showInLine } from '../config/text.ts';
import type { Topology } from '../model/configuration.ts';
import { sweepFresh, writeWhole } from '../platform/data-folder.ts';
import { readRegularText } from '../platform/read-file.ts';
import { type Authority, authorityAfter, noAuthority } from './grants.ts';
import { type Change, type Entry, Journal, journalFolder } from './journal.ts';
import { noWork, type Work, workAfter } from './plan/work.ts';
import { keepSummary, readSummary, type Summary, summarisedEvery } from './summary.ts';

/** Why the mode is not known; then only reads go on until a person names one. */
export interface Trouble {
  code: 'E_STOPPED' | 'E_JOURNAL_BROKEN' | 'E_UNKNOWN_MODE' | 'E_VIEW_WITHOUT_JOURNAL' | 'E_NO_TOPOLOGY' | 'E_NO_SESSION';
  message: string;
}

export interface State {
  /** null when there is trouble. */
  mode: string | null;
  trouble: Trouble | null;
  /** When the mode was entered, ISO 8601; null before the first change. */
  since: string | null;
  enteredBy: string | null;
  /** Changes of mode, oldest first. */
  entries: Entry[];
  /** What is planned. */
  work: Work;
  /** What is granted. */
  authority: Authority;
}

/** The entries read so far: those that changed the mode, and what all of them make of plans, task and authority. */
interface Seen extends Pick<Summary, 'changes' | 'work' | 'authority'> {
  all: Entry[];
  upTo: number;
}

const nothing: Pick<Summary, 'changes' | 'work' | 'authority'> = { changes: [], work: noWork, authority: noAuthority };

/** The shape of the source document's state file. */
export interface View {
  currentMode: string;
  history: { from: string; to: string; timestamp: string; explanation: string }[];
}

/** Kinds of entries that leave the mode as it is. */
const staying: ReadonlySet<Entry['kind']> = new Set<Entry['kind']>(['plan', 'authority']);
/** Newest changes that the view shows. */
export const viewLength = 50;
/** A larger file is not what we wrote, and is not read. */
const maxViewBytes = 1_048_576;
/** Entries that are checked before a call that waits is answered. */
const checkedAtOnce = 50;

/** The state of one project: reads the journal, appends to it, keeps the view equal to it. */
export class StateStore {
  private journal: Journal;
  readonly viewFile: string;
  /** Why the view could not be written the last time; null: it could. The journal is the truth either way. */
  viewTrouble: string | null = null;
  private seen: Seen = { all: [], upTo: 0, ...nothing };
  /** What stands for the entries that are not read; null: all are. */
  private readonly summary: Summary | null;
  /** Number of the entry that the newest summary is of. */
  private summarised: number;

  constructor(
    private readonly root: string,
    /** The folder of the configuration, where the view is written. */
    folder: string,
    private readonly dataFolder: string,
    /** '' for the project; else what of it has a mode of its own, which then has no view. */
    private readonly scope = '',
    /** The build that may begin by what is summarised of the journal; null: all of it is read. */
    private readonly build: string | null = null,
  ) {
    this.summary = build === null ? null : readSummary(this.journalFolder(), root, build);
    this.summarised = this.summary?.upTo.number ?? 0;
    this.journal = new Journal(this.journalFolder(), root, this.summary?.upTo);
    this.viewFile = path.join(folder, 'mode-state.json');
  }

  /** The state as the journal has it now. Never reads the view but for its mere presence. */
  read(topology: Topology | null): State {
    const state = this.readOnce(topology);
    // Whoever writes a view has its entry in the journal before: another session may have done both between the two looks.
    return state.trouble?.code === 'E_VIEW_WITHOUT_JOURNAL' ? this.readOnce(topology) : state;
  }

  private readOnce(topology: Topology | null): State {
    const { entries: all, broken } = this.journal.read();
    const { changes: entries, work, authority } = this.sorted(all);
    const last = entries.at(-1) ?? null;
    const known = { since: last?.timestamp ?? null, enteredBy: last?.actor ?? null, entries, work, authority };
    const trouble = this.troubleOf(broken, last, topology);
    if (trouble !== null) return { mode: null, trouble, ...known };
    return { mode: last?.to ?? (topology as Topology).default, trouble: null, ...known };
  }

  /**
   * Appends a change if `expected` is still the mode (null: whatever it is). Gives the entry, or null when another session
   * changed the mode first. A broken chain is set aside, kept, and a new one begun: only a person's `force` gets that far.
   */
  change(change: Change, topology: Topology, at: Date): Entry | null {
    // Nothing is added to what was not checked.
    if (!this.journal.isWhole) this.journal = new Journal(this.journalFolder(), this.root);
    const state = this.read(topology);
    if (state.mode !== change.from) return null;
    if (state.trouble?.code === 'E_JOURNAL_BROKEN' && !this.setAside(at)) return null;
    const entry = this.journal.append(change, at);
    if (entry !== null && !staying.has(entry.kind) && this.scope === '') this.writeView(topology);
    return entry;
  }

  /** Reads and checks what the summary stood for, in parts, so that calls are answered meanwhile; what is found counts from then on. */
  async check(): Promise<void> {
    const before = this.journal;
    if (!before.isWhole) {
      const whole = new Journal(this.journalFolder(), this.root);
      while (whole.part(checkedAtOnce) === null) await new Promise((resolve) => setImmediate(resolve));
      if (this.journal === before) this.journal = whole;
    }
    this.summarise();
  }

  /** Keeps what the entries came to for the next process of this build, where that saves it many. What was not read is not said to be whole. */
  summarise(): void {
    const { build, journal } = this;
    const more = (journal.newest?.number ?? 0) - this.summarised;
    if (build === null || more < summarisedEvery) return;
    const { entries, broken } = journal.read();
    if (broken !== null || journal.newest === null) return;
    const { number, hash } = journal.newest;
    const { changes, work, authority } = this.sorted(entries);
    keepSummary(this.journalFolder(), this.root, build, { upTo: { number, hash }, changes, work, authority });
    this.summarised = number;
  }

  /** Looks only at what is new since the last call; a journal that was begun anew is another list. */
  private sorted(all: Entry[]): Seen {
    if (this.seen.all !== all) {
      const before = this.journal.isWhole ? nothing : (this.summary ?? nothing);
      this.seen = { all, upTo: 0, changes: [...before.changes], work: before.work, authority: before.authority };
    }
    for (; this.seen.upTo < all.length; this.seen.upTo++) {
      const entry = all[this.seen.upTo] as Entry;
      this.seen.work = workAfter(this.seen.work, entry);
      this.seen.authority = authorityAfter(this.seen.authority, entry);
      if (!staying.has(entry.kind)) this.seen.changes.push(entry);
    }
    return this.seen;
  }

  /** Makes the view equal to the journal. True when it differed and was rewritten. A project whose mode is in trouble keeps its view. */
  refreshView(topology: Topology): boolean {
    const { trouble, entries } = this.read(topology);
    if (trouble !== null || this.scope !== '') return false;
    const present = this.presentView();
    if (present === this.viewText(topology) || (present === null && entries.length === 0)) return false;
    return this.writeView(topology);
  }

  /** The text of the view; null when there is none, '' when it is nothing that one of us wrote. */
  private presentView(): string | null {
    try {
      const stat = fs.lstatSync(this.viewFile, { throwIfNoEntry: false });
      if (stat === undefined) return null;
      return stat.isFile() && stat.size < maxViewBytes ? readRegularText(this.viewFile, maxViewBytes, { noFollow: true }) : '';
    } catch (error) {
      this.viewTrouble = (error as Error).message;
      return '';
    }
  }

  /** A view that cannot be written is told of, and stops nothing. */
  private writeView(topology: Topology): boolean {
    try {
      const stat = fs.lstatSync(this.viewFile, { throwIfNoEntry: false });
      // A folder or a pipe in the view's place is moved aside by a person, not by us.
      if (stat !== undefined && !stat.isFile() && !stat.isSymbolicLink()) throw new Error(`${this.viewFile} is no file`);
      writeWhole(this.viewFile, this.viewText(topology));
      sweepFresh(path.dirname(this.viewFile), `${path.basename(this.viewFile)}.`);
    } catch (error) {
      this.viewTrouble = (error as Error).message;
      return false;
    }
    this.viewTrouble = null;
    return true;
  }

  private viewText(topology: Topology): string {
    const state = this.read(topology);
    const view: View = {
      currentMode: state.mode ?? (state.trouble?.code === 'E_STOPPED' ? state.entries.at(-1)?.to : null) ?? topology.default,
      history: recent(state.entries, viewLength).map(({ from, to, timestamp, explanation }) => ({
        from: from ?? '',
        to,
        timestamp,
        explanation,
      })),
    };
    return `${JSON.stringify(view, null, 2)}\n`;
  }

  private troubleOf(broken: string | null, last: Entry | null, topology: Topology | null): Trouble | null {
    if (broken !== null) return { code: 'E_JOURNAL_BROKEN', message: `the journal of modes is damaged: ${broken}` };
    if (topology === null) return { code: 'E_NO_TOPOLOGY', message: 'modes.yaml cannot be used' };
    if (last === null) {
      if (this.scope !== '' || !this.hasView()) return null;
      return { code: 'E_VIEW_WITHOUT_JOURNAL', message: `${this.viewFile} has no journal behind it (a copied folder?)` };
    }
    if (!topology.modes.has(last.to))
      return {
        code: 'E_UNKNOWN_MODE',
        message: `the project is in the mode ${JSON.stringify(last.to)}, which modes.yaml does not have`,
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

  /** Keeps a broken journal under another name. False when another process did so meanwhile: what is there now is whole. */
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
