// How much one call may name. A path is looked up by each folder that it lies in, under every name that it goes by: what is longer
// than any file's name, or more than a call has ever named, would hold up all others, and is refused.

import type { PathName } from '../model/facts.ts';
import { MalformedInput } from './input.ts';

/** The system itself takes no longer path. */
const maxPath = 4_096;
/** Paths of one call. */
const maxPaths = 2_500;
/** Paths of one call of which only parts are known: each is held against every rule. */
const maxOutlines = 200;
/** Characters that all its paths are looked up by. */
const maxKeys = 4_000_000;
/** Characters of names that the disk is asked about, and of links that are followed on the way. */
const maxLooks = 2_000_000;
/** Names below all the folders of one call; each of them is looked through up to a bound of its own. */
export const maxBelow = 100_000;
/** Command texts of one call, each in each folder that it may be started in. */
const maxCommands = 32;
/** Characters of them together, and of them the most that one counts as: one that is longer is not taken apart. */
const maxCommandText = 24_000;
const maxOneText = 12_000;
/** Characters of the name of a tool, a server, an agent or a skill; each part of an MCP tool's may be its server's. */
const maxName = 512;
/** Characters of a host's name, with a few to spare: DNS knows none beyond 253. */
const maxHost = 300;
const maxUrl = 65_536;
/** Characters of what a search is narrowed by, and patterns in it: each name below the folder may be held against each of them. */
const maxGlob = 4_096;
const maxGlobs = 64;

/** Throws `MalformedInput` for a path that is longer than any. */
export function checkPath(path: string): void {
  if (path.length > maxPath) throw new MalformedInput(`a path is longer than ${maxPath} characters: ${path.slice(0, 200)}`);
}

/** Throws `MalformedInput` for a name that is longer than any; `what` it is the name of. */
export function checkName(what: string, name: string): void {
  if (name.length > maxName) throw new MalformedInput(`${what} is longer than ${maxName} characters: ${name.slice(0, 200)}`);
}

/** Throws `MalformedInput` for a host that is longer than any. */
export function checkHost(host: string): void {
  if (host.length > maxHost) throw new MalformedInput(`a host is longer than ${maxHost} characters: ${host.slice(0, 200)}`);
}

/** Throws `MalformedInput` for an address that is longer than any. */
export function checkUrl(url: string): void {
  if (url.length > maxUrl) throw new MalformedInput(`an address is longer than ${maxUrl} characters: ${url.slice(0, 200)}`);
}

/** The patterns that a search is narrowed by, as `split` takes them apart. Throws `MalformedInput` for more than any search has. */
export function checkGlobs(text: string, split: (text: string) => string[]): string[] {
  if (text.length > maxGlob) throw new MalformedInput(`a glob is longer than ${maxGlob} characters: ${text.slice(0, 200)}`);
  const globs = split(text);
  if (globs.length > maxGlobs) throw new MalformedInput(`a glob of more than ${maxGlobs} patterns: ${text.slice(0, 200)}`);
  return globs;
}

/** Names that may be looked through, for one path and out of what there is for all. */
class Below {
  constructor(
    private own: number,
    private readonly all: { left: number },
  ) {}

  get left(): number {
    return Math.min(this.own, this.all.left);
  }

  set left(left: number) {
    const taken = this.left - left;
    this.own -= taken;
    this.all.left -= taken;
  }
}

/** What is left of it to one call. */
export class Room {
  private paths = maxPaths;
  private keys = maxKeys;
  private outlines = maxOutlines;
  private onDisk = maxLooks;
  private commands = maxCommands;
  private commandText = maxCommandText;

  constructor(private readonly below = { left: maxBelow }) {}

  /** Takes a path in. Throws `MalformedInput` where there is no room for it. */
  path(path: string): void {
    checkPath(path);
    if (--this.paths < 0) throw new MalformedInput(`more than ${maxPaths} paths`);
  }

  /** Takes in a path of which only parts are known. Throws `MalformedInput` where there is no room for it. */
  outline(): void {
    if (--this.outlines < 0) throw new MalformedInput(`more than ${maxOutlines} paths of which only parts are known`);
  }

  /** Counts what is gone through on the disk. Throws `MalformedInput` where that is too much. */
  looks(characters: number): void {
    this.onDisk -= characters;
    if (this.onDisk < 0) throw new MalformedInput('more names and links on the way to its paths than are looked at');
  }

  /** What may be looked through below one of its paths: so many names, where the others leave as many. */
  names(most: number): Below {
    return new Below(most, this.below);
  }

  /** Takes a command text in. Throws `MalformedInput` where there is no room for it. */
  command(text: string): void {
    if (--this.commands < 0) throw new MalformedInput(`more than ${maxCommands} commands, or folders to start them in`);
    this.commandText -= Math.min(text.length, maxOneText);
    if (this.commandText < 0) throw new MalformedInput(`commands of more than ${maxCommandText} characters together`);
  }

  /** Takes in what it is looked up by. Throws `MalformedInput` where there is no room for that. */
  lookUps(names: readonly PathName[], from: number): void {
    for (let at = from; at < names.length; at++) for (const key of (names[at] as PathName).keys) this.keys -= key.length;
    if (this.keys < 0) throw new MalformedInput('more folders on the way to its paths than are looked at');
  }
}
