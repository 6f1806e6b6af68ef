// File systems that take upper and lower case for the same: found out per folder, without writing to it.
import fs from 'node:fs';
import path from 'node:path';
import { attempt, look } from './look.ts';

/** How the disk treats the case of names; injected so that tests can simulate other file systems. */
export interface Spelling {
  /** True when two names that differ only in case are one file of this folder. */
  ignoresCase(folder: string): boolean;
  /** The same path as the disk spells what exists of it. */
  settle(absolute: string): string;
}

const known = new Map<string, boolean>();
const maxKnown = 20_000;

export const diskSpelling: Spelling = {
  ignoresCase(folder) {
    const before = known.get(folder);
    if (before !== undefined) return before;
    if (known.size >= maxKnown) known.clear();
    const found = probe(folder) ?? (folder === '/' ? false : diskSpelling.ignoresCase(path.dirname(folder)));
    known.set(folder, found);
    return found;
  },
  settle(absolute) {
    for (let head = absolute; head !== '/'; head = path.dirname(head)) {
      const real = attempt(() => fs.realpathSync.native(head));
      if (real !== null) return real + absolute.slice(head.length);
    }
    return absolute;
  },
};

/** Looks for a name in the folder under its other spelling; null when there is none that tells. */
function probe(folder: string): boolean | null {
  // The folders that are asked about first have it: the project and the home.
  const usual = look(`${folder}/.claude`);
  const name = usual === null ? nameIn(folder) : '.claude';
  if (name === null) return null;
  const other = swapCase(name);
  const one = usual ?? look(`${folder}/${name}`);
  const two = look(`${folder}/${other}`);
  if (one === null) return null;
  if (two === null || one.ino !== two.ino || one.dev !== two.dev) return false;
  // Two names of one file look the same from here.
  return !(attempt(() => fs.readdirSync(folder)) ?? []).includes(other);
}

/** Some name of the folder whose case matters; of many only the first are looked at. */
function nameIn(folder: string): string | null {
  return attempt(() => {
    const opened = fs.opendirSync(folder);
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
