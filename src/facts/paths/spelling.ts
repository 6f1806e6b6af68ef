// File systems that take upper and lower case for the same: found out per folder, without writing to it.
import fs from 'node:fs';
import path from 'node:path';
import { attempt } from '../../platform/look-at-disk.ts';
import { belowOf, inside, parentOf, under } from '../../platform/path-text.ts';
import { fold } from './keys.ts';

/** How the disk treats the case of names; injected so that tests can simulate other file systems. */
export interface Spelling {
  /** True when two names that differ only in case are one file of this folder. */
  ignoresCase(folder: string): boolean;
  /** True when this folder, or one on the way to it, has another name that differs only in case. */
  isRespelled(folder: string): boolean;
  /**
   * The same path as the disk spells what exists of it; no link is followed. `from`: a folder on the way that is spelled so
   * already.
   */
  settle(absolute: string, from?: string): string;
}

/** What is asked of a disk. */
export interface Disk {
  lstatSync(name: string, options: { throwIfNoEntry: false }): fs.Stats | undefined;
  readdirSync(folder: string): string[];
  opendirSync(folder: string): fs.Dir;
}

const maxKnown = 20_000;

/**
 * Spelling as such a disk has it. The system's own word for a real path is not enough: on Linux it keeps the case that was asked
 * for.
 */
export function spellingOf(disk: Disk): Spelling {
  const known = new Map<string, boolean>();
  const look = (name: string): fs.Stats | null => attempt(() => disk.lstatSync(name, { throwIfNoEntry: false }) ?? null);
  const list = (folder: string): string[] => attempt(() => disk.readdirSync(folder)) ?? [];

  /** Whether the folder has this name under its other spelling as well; null when that cannot be told. */
  const tells = (folder: string, name: string, one = look(under(folder, name))): boolean | null => {
    const other = swapCase(name);
    if (one === null || other === name) return null;
    if (!isSame(one, look(under(folder, other)))) return false;
    // Two names of one file look the same from here.
    const names = list(folder);
    return !names.includes(name) || !names.includes(other);
  };

  const probe = (folder: string): boolean | null => {
    // The folders that are asked about first have it: the project and the home.
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

  /** The name that the folder itself has for a name. */
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
      const told = known.get(parent) ?? tells(parent, path.basename(folder));
      return (told === null ? spelling.ignoresCase(parent) : keep(parent, told)) || spelling.isRespelled(parent);
    },
    settle(absolute, from = '/') {
      if (!inside(absolute, from)) return spelling.settle(absolute);
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

/** Some name of the folder whose case matters; of many only the first are looked at. */
function nameIn(disk: Disk, folder: string): string | null {
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
