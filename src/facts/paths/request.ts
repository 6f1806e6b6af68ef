// A request for the facts about one path that a call reads or writes, and the context that is needed to determine them.
import type { BashTarget, GitView, Skips } from '../../model/command.ts';
import type { PathName, PathOutline } from '../../model/facts.ts';
import type { CallLimits } from '../limits.ts';
import type { SessionFolders } from '../protections/session-files.ts';
import type { List } from './below.ts';
import type { Linked } from './linked.ts';
import type { Place } from './place.ts';
import type { LinkReader } from './resolve.ts';
import type { Spelling } from './spelling.ts';

/** Names that could matter to the rules of the mode. Only these are included for recursive accesses. */
export interface PathFilter {
  /** False: no deny or ask rule is about reads, so no recursive read has to be walked. */
  hasReadRestriction: boolean;
  hasWriteRestriction: boolean;
  /** Path prefixes of deny and ask rules that apply to one fixed place: relative to the project, or absolute. */
  readPlaces: readonly string[];
  writePlaces: readonly string[];
  couldMatchRead(name: PathName): boolean;
  couldMatchWrite(name: PathName): boolean;
  /** Selects the names directly in a folder that need a full check, ignoring case. `folders` are all names of the folder. */
  readsIn(folders: readonly PathName[]): (name: string) => boolean;
  writesIn(folders: readonly PathName[]): (name: string) => boolean;
  /** Some name below this folder (relative or absolute) could match; `anchored`: only rules that do not apply at any depth. */
  couldMatchReadBelow(folder: string, anchored?: boolean): boolean;
  couldMatchWriteBelow(folder: string, anchored?: boolean): boolean;
  /** A deny or ask rule could match a partly known path. */
  couldMatchReadOutline(outline: PathOutline): boolean;
  couldMatchWriteOutline(outline: PathOutline): boolean;
  /** The same for deny rules alone. A denied name must not be lost among many names that only ask. */
  couldDenyRead(name: PathName): boolean;
  couldDenyWrite(name: PathName): boolean;
}

export type AccessRequest = ReadRequest | WriteRequest;

interface PathRequest {
  /** Absolute, not normalized. */
  path: string;
  extent: 'one' | 'deep' | 'glob';
  via: string;
  command: number | null;
  /** Links among the names below are followed. */
  opens?: boolean;
  /**
   * to it: the path gets a second name, so rules for any name below it apply, even if that name does not exist yet. unknown: links
   * with unknown targets may appear there.
   */
  newLinks?: 'to it' | 'unknown';
  /** Nothing else in the call reads at or below the path. */
  isUnread?: boolean;
}

export interface ReadRequest extends PathRequest {
  kind: 'read';
  implied: boolean;
  /** The targets of links below are also read. */
  follows?: true;
  /** The files below that are skipped. */
  skips?: Skips;
  /** The files that git stores and tracks, not those on the disk below the path. */
  view?: TrackedView;
}

export interface WriteRequest extends PathRequest {
  kind: 'write';
  /** The result contains part of the old content. */
  readModifyWrite?: boolean;
  /** It only writes files that come from these places, under the same names below. */
  arrivals?: Arrivals;
}

export interface TrackedView {
  view: GitView;
  /** The call itself changes which files are tracked, so unignored files count as well, or all existing files. */
  alsoCounts: 'unignored' | 'all' | null;
  /** True for a file that the call itself may change. */
  isWritten: (file: string) => boolean;
}

export interface Arrivals {
  /** `under`: below a folder with the source's own name. `isMade`: the call first makes it, as a file. */
  sources: readonly { path: string; extent: BashTarget['extent']; under: boolean; isMade: boolean }[];
  /** False: there are more sources than these. */
  areKnown: boolean;
}

export interface AccessContext {
  place: Place;
  pathFilter: PathFilter;
  /** The session's own files, which the session may access. */
  own: SessionFolders;
  links?: LinkReader;
  spelling?: Spelling;
  /** Links in the paths of rules. */
  linked?: Linked;
  /** Lists a folder for walks and patterns. */
  list?: List;
  /** The remaining limits of the call. */
  limits?: CallLimits;
}
