// Results of the walk: one entry for each simple command, targets, and reasons. Append-only, so that a trial can be undone.
import type { Command } from 'unbash';
import type {
  BashClass,
  BashCommand,
  BashFacts,
  BashOpenTarget,
  BashRead,
  BashWrite,
  GitView,
  Stdin,
  Why,
} from '../model/command.ts';
import type { Alias } from './aliases.ts';
import type { FoundName } from './possible-names.ts';
import type { Value } from './state.ts';

const ORDER: BashClass[] = ['read-only', 'writes', 'runs', 'unknown'];

export function worse(a: BashClass, b: BashClass): BashClass {
  return a === b || ORDER.indexOf(a) >= ORDER.indexOf(b) ? a : b;
}

/** True if a command may remove files. A program of the project may do so too, but does not on purpose. */
export const removes = ({ class: given }: BashCommand): boolean => given === 'writes' || given === 'unknown';

/** Maximum number of reasons for one command. Further files that it writes are targets without a reason. */
const MOST_WHY = 64;

/** Up to this number of reasons, duplicates are found by a linear search. */
const FEW_WHY = 16;

const NO_HOSTS: Set<string> = new Set();

export interface TextRange {
  pos: number;
  end: number;
}

/** A mark. Everything added after it can be dropped. */
export interface EffectsMark {
  commands: number;
  writes: number;
  reads: number;
  openTargets: number;
  views: number;
  hosts: number;
  uncertain: number;
  why: number;
  listed: number;
}

export class Effects {
  commands: BashCommand[] = [];
  writes: BashWrite[] = [];
  reads: BashRead[] = [];
  openTargets: BashOpenTarget[] = [];
  /** Tracked files that git commands print. */
  views: GitView[] = [];
  /** Commands that change something other than the files that they name. */
  readonly keepers = new Set<number>();
  /** True if a command changes the set of files that git tracks. */
  tracks = false;
  /** True if the shell sets a limit, which later programs may exceed. */
  isLimited = false;
  hosts: string[] = [];
  uncertain: BashFacts['uncertain'] = [];
  /** The reason why the text exceeds the limits of the analysis. */
  beyond: string | null = null;
  why: Why[] = [];
  /** Names that commands print. */
  listed: FoundName[] = [];
  /** Names that were created for other paths. Kept when a trial is dropped, because more of them only add targets. */
  aliases: Alias[] = [];
  /** Copied files, as written. The names matter only for the content of scripts. */
  readonly copies: { source: string; dest: string; cwds: readonly string[] | null }[] = [];
  /** Outputs of simple commands, by their place in the text. */
  readonly printed = new Map<Command, Value>();
  /** Contents of the files of process substitutions, by path. */
  readonly streams = new Map<string, Stdin>();
  /** Everything that was opened for reading on a descriptor, except as standard input. */
  readonly opened: Stdin[] = [];
  /** The place where the text exceeded the limit. From then on nothing is dropped, because that part is not walked again. */
  overrun: TextRange | null = null;
  /** Reasons of each command that has many of them. */
  private reasonKeys: Map<BashCommand, Set<string>> | null = null;
  /** The hosts, for fast lookup. */
  private known = NO_HOSTS;

  mark(): EffectsMark {
    return {
      commands: this.commands.length,
      writes: this.writes.length,
      reads: this.reads.length,
      openTargets: this.openTargets.length,
      views: this.views.length,
      hosts: this.hosts.length,
      uncertain: this.uncertain.length,
      why: this.why.length,
      listed: this.listed.length,
    };
  }

  drop(mark: EffectsMark): void {
    if (this.overrun !== null) return;
    this.commands.length = mark.commands;
    this.writes.length = mark.writes;
    this.reads.length = mark.reads;
    this.openTargets.length = mark.openTargets;
    this.views.length = mark.views;
    this.hosts.length = mark.hosts;
    // A command that stays keeps its class, so it keeps the reasons for it too.
    const remaining = this.uncertain.slice(mark.uncertain).filter(({ command }) => command !== null && command < mark.commands);
    this.uncertain.length = mark.uncertain;
    this.uncertain.push(...remaining);
    this.why.length = mark.why;
    this.listed.length = mark.listed;
  }

  /** Adds an entry. Its class is read-only until something worse is found. */
  open(top: boolean): number {
    return (
      this.commands.push({ name: '', argv: [], text: '', spellings: [], top, class: 'read-only', network: false, why: [] }) - 1
    );
  }

  /** True if a command already has this reason. A short list is searched, and a long list has a set. */
  private hasReason(entry: BashCommand, text: string, pos: number): boolean {
    const { why } = entry;
    if (why.length < FEW_WHY) {
      for (const one of why) if (one.text === text && one.pos === pos) return true;
      return false;
    }
    this.reasonKeys ??= new Map();
    let keys = this.reasonKeys.get(entry);
    if (keys === undefined) {
      keys = new Set(why.map((one) => `${one.pos} ${one.text}`));
      this.reasonKeys.set(entry, keys);
    }
    const key = `${pos} ${text}`;
    if (keys.has(key)) return true;
    keys.add(key);
    return false;
  }

  /** Adds a host that a command contacts. */
  request(host: string): void {
    if (this.known.size !== this.hosts.length) this.known = new Set(this.hosts);
    if (this.known.has(host)) return;
    if (this.hosts.length === 0) this.known = new Set();
    this.known.add(host);
    this.hosts.push(host);
  }

  /**
   * Raises the class of a command (or, with null, of the whole text) to at least this class, with a reason. `anything`: the
   * effect depends on text that is unknown or not understood, so it may do anything that a command can do.
   */
  worsen(command: number | null, cls: BashClass, text: string, at: TextRange, anything = false): void {
    const why: Why = { text, pos: at.pos, end: at.end };
    const entry = command === null ? undefined : this.commands[command];
    if (entry) {
      entry.class = worse(entry.class, cls);
      if (cls === 'writes' && entry.why.length >= MOST_WHY) return;
      if (this.hasReason(entry, text, at.pos) && !anything) return;
      if (entry.why.length === 0) entry.why = [why];
      else entry.why.push(why);
    }
    this.why.push(why);
    if (cls === 'runs' || cls === 'unknown')
      this.uncertain.push({ command, class: cls, why: text, ...(anything && { anything: true as const }) });
  }
}
