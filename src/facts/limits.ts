// Limits of one call. Every path is looked up by each of its parent folders, under each of its names. A path longer than any file
// name, or more paths than any real call names, would delay all other calls, so such a call is refused.

import type { PathName } from '../model/facts.ts';
import { MalformedInput } from './input.ts';

/** In characters. The operating system accepts no longer path. */
export const maxPath = 4_096;
/** Maximum number of paths in one call. */
const maxPaths = 2_500;
/** Maximum number of partly known paths in one call. Each is compared with every rule. */
const maxOutlines = 200;
/** Maximum total length of the look-up keys of all paths, in characters. */
const maxKeys = 4_000_000;
/** Maximum total length of names queried on the disk and of links followed, in characters. */
const maxLooks = 2_000_000;
/** Maximum number of names checked below all folders of one call. Each folder also has a limit of its own. */
export const maxBelow = 100_000;
/** Maximum number of command texts in one call, counted once for each possible start folder. */
const maxCommands = 32;
/** Maximum total length of command texts, in characters. One text counts at most `maxOneText`: longer texts are not parsed. */
const maxCommandText = 24_000;
const maxOneText = 12_000;
/** Maximum length of the name of a tool, server, agent or skill. Each prefix of an MCP tool's name may be its server's name. */
const maxName = 512;
/** Maximum length of a host name. DNS allows 253 characters; the rest is tolerance. */
const maxHost = 300;
const maxUrl = 65_536;
/** Maximum length of a search filter, and its number of patterns. Each name below the folder may be compared with each. */
const maxGlob = 4_096;
const maxGlobs = 64;

/** Throws `MalformedInput` for a path that is longer than the limit. */
export function checkPath(path: string): void {
  if (path.length > maxPath) throw new MalformedInput(`a path is longer than ${maxPath} characters: ${path.slice(0, 200)}`);
}

/** Throws `MalformedInput` for a name that is longer than the limit. `what` describes the name in the message. */
export function checkName(what: string, name: string): void {
  if (name.length > maxName) throw new MalformedInput(`${what} is longer than ${maxName} characters: ${name.slice(0, 200)}`);
}

/** Throws `MalformedInput` for a host that is longer than the limit. */
export function checkHost(host: string): void {
  if (host.length > maxHost) throw new MalformedInput(`a host is longer than ${maxHost} characters: ${host.slice(0, 200)}`);
}

/** Throws `MalformedInput` for an address that is longer than the limit. */
export function checkUrl(url: string): void {
  if (url.length > maxUrl) throw new MalformedInput(`an address is longer than ${maxUrl} characters: ${url.slice(0, 200)}`);
}

/** The patterns of a search filter, separated by `split`. Throws `MalformedInput` if they exceed the limits. */
export function checkGlobs(text: string, split: (text: string) => string[]): string[] {
  if (text.length > maxGlob) throw new MalformedInput(`a glob is longer than ${maxGlob} characters: ${text.slice(0, 200)}`);
  const globs = split(text);
  if (globs.length > maxGlobs) throw new MalformedInput(`a glob of more than ${maxGlobs} patterns: ${text.slice(0, 200)}`);
  return globs;
}

/** A budget of names to check below one path, taken from a budget for all paths. */
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

/** The remaining limits of one call. */
export class CallLimits {
  private paths = maxPaths;
  private keys = maxKeys;
  private outlines = maxOutlines;
  private onDisk = maxLooks;
  private commands = maxCommands;
  private commandText = maxCommandText;

  constructor(private readonly below = { left: maxBelow }) {}

  /** Counts a path. Throws `MalformedInput` if the limit is exceeded. */
  path(path: string): void {
    checkPath(path);
    if (--this.paths < 0) throw new MalformedInput(`more than ${maxPaths} paths`);
  }

  /** Counts a partly known path. Throws `MalformedInput` if the limit is exceeded. */
  outline(): void {
    if (--this.outlines < 0) throw new MalformedInput(`more than ${maxOutlines} paths that are only partly known`);
  }

  /** Counts characters of names and links queried on the disk. Throws `MalformedInput` if the limit is exceeded. */
  looks(characters: number): void {
    this.onDisk -= characters;
    if (this.onDisk < 0) throw new MalformedInput('too many names and links in its paths');
  }

  /** A budget of at most `most` names below one path, if the other paths leave as many. */
  names(most: number): Below {
    return new Below(most, this.below);
  }

  /** Counts a command text. Throws `MalformedInput` if a limit is exceeded. */
  command(text: string): void {
    if (--this.commands < 0) throw new MalformedInput(`more than ${maxCommands} commands, or folders that they start in`);
    this.commandText -= Math.min(text.length, maxOneText);
    if (this.commandText < 0) throw new MalformedInput(`commands of more than ${maxCommandText} characters in total`);
  }

  /** Counts the look-up keys of the names after `from`. Throws `MalformedInput` if the limit is exceeded. */
  lookups(names: readonly PathName[], from: number): void {
    for (let at = from; at < names.length; at++) for (const key of (names[at] as PathName).keys) this.keys -= key.length;
    if (this.keys < 0) throw new MalformedInput('too many folders in its paths');
  }
}
