// What is found while a text is walked: one entry a simple command, targets, reasons. Append-only, so that a trial can be undone.
import type { Command } from 'unbash';
import type { BashClass, BashCommand, BashFacts, BashOpenTarget, BashTarget, GitView, Why } from '../model/command.ts';
import type { Alias } from './aliases.ts';
import type { FoundName } from './found.ts';
import type { Value } from './state.ts';

const ORDER: BashClass[] = ['read-only', 'writes', 'runs', 'unknown'];

export function worse(a: BashClass, b: BashClass): BashClass {
  return a === b || ORDER.indexOf(a) >= ORDER.indexOf(b) ? a : b;
}

/** Of one command; more files that it writes are targets without a reason of their own. */
const MOST_WHY = 64;

/** Reasons up to which they are looked through. */
const FEW_WHY = 16;

const NO_HOSTS: Set<string> = new Set();

export interface Place {
  pos: number;
  end: number;
}

/** A mark to which everything found since can be dropped. */
export interface Mark {
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
  writes: BashTarget[] = [];
  reads: BashTarget[] = [];
  openTargets: BashOpenTarget[] = [];
  /** What git commands print of tracked files. */
  views: GitView[] = [];
  /** True when a command changes which files git tracks. */
  tracks = false;
  hosts: string[] = [];
  uncertain: BashFacts['uncertain'] = [];
  /** More than is judged at all, in words. */
  beyond: string | null = null;
  why: Why[] = [];
  /** Names that commands print. */
  listed: FoundName[] = [];
  /** Names made for other paths; kept when a trial is dropped, since more of them only adds targets. */
  aliases: Alias[] = [];
  /** What simple commands print, by where they are written. */
  readonly printed = new Map<Command, Value>();
  /** Where the text became too much to follow. From then on nothing is dropped: nobody will come by again. */
  overrun: Place | null = null;
  /** Commands of many reasons with what is said of them. */
  private said: Map<BashCommand, Set<string>> | null = null;
  /** The hosts, to be found quickly. */
  private known = NO_HOSTS;

  mark(): Mark {
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

  drop(mark: Mark): void {
    if (this.overrun !== null) return;
    this.commands.length = mark.commands;
    this.writes.length = mark.writes;
    this.reads.length = mark.reads;
    this.openTargets.length = mark.openTargets;
    this.views.length = mark.views;
    this.hosts.length = mark.hosts;
    this.uncertain.length = mark.uncertain;
    this.why.length = mark.why;
    this.listed.length = mark.listed;
  }

  /** A new entry; class read-only until something worse is found. */
  open(top: boolean): number {
    return (
      this.commands.push({ name: '', argv: [], text: '', spellings: [], top, class: 'read-only', network: false, why: [] }) - 1
    );
  }

  /** Whether a command has a reason already. Few are looked through, many kept apart. */
  private isSaid(entry: BashCommand, text: string, pos: number): boolean {
    const { why } = entry;
    if (why.length < FEW_WHY) {
      for (const one of why) if (one.text === text && one.pos === pos) return true;
      return false;
    }
    this.said ??= new Map();
    let said = this.said.get(entry);
    if (said === undefined) {
      said = new Set(why.map((one) => `${one.pos} ${one.text}`));
      this.said.set(entry, said);
    }
    const key = `${pos} ${text}`;
    if (said.has(key)) return true;
    said.add(key);
    return false;
  }

  /** A host that is reached. */
  reach(host: string): void {
    if (this.known.size !== this.hosts.length) this.known = new Set(this.hosts);
    if (this.known.has(host)) return;
    if (this.hosts.length === 0) this.known = new Set();
    this.known.add(host);
    this.hosts.push(host);
  }

  /**
   * Says that a command (or, with null, the text as a whole) is at least of this class, and why. `anything`: what it does depends on
   * text that is not known or not understood, so that it may do what any command does.
   */
  worsen(command: number | null, cls: BashClass, text: string, at: Place, anything = false): void {
    const why: Why = { text, pos: at.pos, end: at.end };
    const entry = command === null ? undefined : this.commands[command];
    if (entry) {
      entry.class = worse(entry.class, cls);
      if (cls === 'writes' && entry.why.length >= MOST_WHY) return;
      if (this.isSaid(entry, text, at.pos) && !anything) return;
      if (entry.why.length === 0) entry.why = [why];
      else entry.why.push(why);
    }
    this.why.push(why);
    if (cls === 'runs' || cls === 'unknown')
      this.uncertain.push({ command, class: cls, why: text, ...(anything && { anything: true as const }) });
  }
}
