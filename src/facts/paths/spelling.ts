// Detects, for each folder and without writing to it, whether the file system ignores case.
import fs from 'node:fs';
import path from 'node:path';
import { belowOf, inside, parentOf, under } from '../../platform/path-text.ts';
import { attempt } from '../../platform/stat.ts';
import { fold } from './keys.ts';

/** The treatment of case by the file system; injected so that tests can simulate other file systems. */
export interface Spelling {
  /** True if two names that differ only in case refer to the same file in this folder. */
  ignoresCase(folder: string): boolean;
  /** True if this folder, or a folder on the way to it, has another name that differs only in case. */
  isRespelled(folder: string): boolean;
  /**
   * The same path with existing components in the spelling of the disk. Follows no link. `from`: a folder on the way that already
   * has this spelling.
   */
  toDiskSpelling(absolute: string, from?: string): string;
}

/** The file system functions that are needed. */
export interface FolderDisk {
  lstatSync(name: string, options: { throwIfNoEntry: false }): fs.Stats | undefined;
  readdirSync(folder: string): string[];
  opendirSync(folder: string): fs.Dir;
}

const maxKnown = 20_000;

/** The spelling of such a disk. The system's real path is not sufficient: on Linux it keeps the case of the requested name. */
export function spellingOf(disk: FolderDisk): Spelling {
  const known = new Map<string, boolean>();
  const look = (name: string): fs.Stats | null => attempt(() => disk.lstatSync(name, { throwIfNoEntry: false }) ?? null);
  const list = (folder: string): string[] => attempt(() => disk.readdirSync(folder)) ?? [];

  /** Whether the folder also contains this name in the other case; null if that cannot be determined. */
  const tells = (folder: string, name: string, one = look(under(folder, name))): boolean | null => {
    const other = swapCase(name);
    if (one === null || other === name) return null;
    if (!isSame(one, look(under(folder, other)))) return false;
    // Two hard links to one file look the same, so check that the folder does not list both names.
    const names = list(folder);
    return !names.includes(name) || !names.includes(other);
  };

  const probe = (folder: string): boolean | null => {
    // The folders that are checked first, the project and the home folder, usually contain .claude.
    const usual = look(under(folder, '.claude'));
    if (usual !== null) return tells(folder, '.claude', usual);
    const name = nameIn(disk, folder);
    return name === null ? null : tells(folder, name);
  };

  const keep = (folder: string, found: boolean): boolean => {
    if (known.size >= maxKnown) known.clear();
    known.set(folder, found);
    return found;
  };

  /** The spelling of a name in the folder's own listing. */
  const ownName = (folder: string, name: string): string => {
    const names = list(folder);
    if (names.includes(name)) return name;
    const folded = fold(name);
    const stat = look(under(folder, name));
    const isIt = (other: string): boolean => fold(other) === folded && isSame(stat, look(under(folder, other)));
    return stat === null ? name : (names.find(isIt) ?? name);
  };

  const spelling: Spelling = {
    ignoresCase(folder) {
      return known.get(folder) ?? keep(folder, probe(folder) ?? (folder !== '/' && spelling.ignoresCase(parentOf(folder))));
    },
    isRespelled(folder) {
      if (folder === '/') return false;
      const parent = parentOf(folder);
      const parentIgnoresCase = known.get(parent) ?? tells(parent, path.basename(folder));
      return (
        (parentIgnoresCase === null ? spelling.ignoresCase(parent) : keep(parent, parentIgnoresCase)) ||
        spelling.isRespelled(parent)
      );
    },
    toDiskSpelling(absolute, from = '/') {
      if (!inside(absolute, from)) return spelling.toDiskSpelling(absolute);
      let at = from;
      for (const name of belowOf(absolute, from).split('/'))
        if (name !== '') at = under(at, spelling.ignoresCase(at) ? ownName(at, name) : name);
      return at;
    },
  };
  return spelling;
}

export const diskSpelling: Spelling = spellingOf(fs);

function isSame(one: fs.Stats | null, two: fs.Stats | null): boolean {
  return one !== null && two !== null && one.ino === two.ino && one.dev === two.dev;
}

/** A name in the folder that contains letters. Only the first 64 names are checked. */
function nameIn(disk: FolderDisk, folder: string): string | null {
  return attempt(() => {
    const opened = disk.opendirSync(folder);
    try {
      for (let count = 0; count < 64; count++) {
        const name = opened.readSync()?.name;
        if (name === undefined) return null;
        if (swapCase(name) !== name) return name;
      }
      return null;
    } finally {
      opened.closeSync();
    }
  });
}

function swapCase(name: string): string {
  return name.replaceAll(/[a-zA-Z]/g, (char) => (char < 'a' ? char.toLowerCase() : char.toUpperCase()));
}
