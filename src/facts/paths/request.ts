// One path that a call reads or writes, as it is asked about, and what there is to find out with.
import type { GitView, Skips } from '../../model/command.ts';
import type { PathName, PathOutline } from '../../model/facts.ts';
import type { Room } from '../limits.ts';
import type { OwnFolders } from '../protections/session-files.ts';
import type { List } from './below.ts';
import type { Linked } from './linked.ts';
import type { Place } from './place.ts';
import type { Links } from './resolve.ts';
import type { Spelling } from './spelling.ts';

/** Which names rules care about, so that extents carry only those (built from the rules of the mode). */
export interface Interest {
  /** False: no deny or ask rule is about reads, no extent of reading need be walked. */
  hasReadNarrow: boolean;
  hasWriteNarrow: boolean;
  /** Where deny and ask rules begin that hold in one place: names relative to the project, or absolute. */
  readPlaces: readonly string[];
  writePlaces: readonly string[];
  couldMatchRead(name: PathName): boolean;
  couldMatchWrite(name: PathName): boolean;
  /** Which names right in a folder, which goes by all of these, are worth being asked about, in any case. */
  readsIn(folders: readonly PathName[]): (name: string) => boolean;
  writesIn(folders: readonly PathName[]): (name: string) => boolean;
  /**
   * Some name below this folder, relative or absolute, could be matched; `anchored`: by a rule that does not hold at any depth.
   */
  couldMatchReadBelow(folder: string, anchored?: boolean): boolean;
  couldMatchWriteBelow(folder: string, anchored?: boolean): boolean;
  /** A deny or ask rule could match a path of which only parts are known. */
  couldMatchReadOutline(outline: PathOutline): boolean;
  couldMatchWriteOutline(outline: PathOutline): boolean;
  /** The same for deny rules alone: where many names only ask, the one that is denied must not get lost. */
  couldDenyRead(name: PathName): boolean;
  couldDenyWrite(name: PathName): boolean;
}

export interface Reach {
  kind: 'read' | 'write';
  /** Absolute, not normalised. */
  path: string;
  extent: 'one' | 'deep' | 'glob';
  via: string;
  command: number | null;
  implied: boolean;
  /** A write with something of what was there before in its result. */
  keeps?: boolean;
  /** Of a read with an extent: what links below lead to is read as well. */
  follows?: true | undefined;
  /** Of a read with an extent: what is left out of it. */
  skips?: Skips;
  /** Of a read: not what is on the disk below the path, but what git keeps of the files that it tracks. */
  view?: GitView;
  /** Of a view: the call itself changes what is tracked, so that other files count as well, or all that are there. */
  isTracking?: 'unignored' | 'all' | undefined;
  /** Of a write with an extent: it touches only what comes from these places, below the same names. */
  arrivals?: Arrivals;
  /** Links among what lies below are followed. */
  opens?: boolean;
  /** Reached by another name from now on: what the rules say of any name below it counts, whether it is there yet or not. */
  isLinked?: boolean;
  /** Links whose targets are not known may appear there. */
  hidesLinks?: boolean;
}

export interface Arrivals {
  /** `under`: below a folder of the source's own name. */
  sources: readonly { path: string; extent: 'one' | 'deep' | 'glob'; under: boolean }[];
  /** False: there is more than these. */
  areKnown: boolean;
}

export interface Grounds {
  place: Place;
  interest: Interest;
  /** This session's own files, open to it. */
  own: OwnFolders;
  links?: Links;
  spelling?: Spelling;
  /** Links that rules speak of. */
  linked?: Linked;
  /** What walks and patterns find in a folder. */
  list?: List;
  /** What the call may still name. */
  room?: Room;
}
