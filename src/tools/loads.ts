// Whether the files are there by which a project can make a command load a program of its own.

import fs from 'node:fs';
import path from 'node:path';
import { type FindLoad, HOOK } from '../bash/loads.ts';
import { isAtOrAbove } from '../bash/targets.ts';
import type { BashLoad } from '../bash/types.ts';
import { readRegularText } from '../config/regular.ts';
import { activeHook, hookFolders } from './hooks.ts';

/** Larger files are not looked into. */
const maxBytes = 1_000_000;

/**
 * Looks on the disk, in the folders of a command and above them, without the home folder and what is above it: what lies there is the
 * person's own. What cannot be looked at counts as there.
 * @param search the PATH by which the shell finds programs
 */
export function loadFinder(home: string, search: string): FindLoad {
  return (load, program) => {
    const hooks = load.files.filter((file) => file.startsWith(HOOK)).map((file) => file.slice(HOOK.length));
    if (hooks.length > 0) {
      for (const folder of load.folders) {
        const hook = activeHook(hooks, hookFolders(folder, home, process.env));
        if (hook !== null) return `${path.basename(program)} runs the hook ${hook}`;
      }
      return null;
    }
    for (const file of load.files) {
      const found = file.startsWith('@') ? standIn(program, file.slice(1), search) : fileFor(file, load, home);
      if (found !== null) return `${path.basename(program)} may run what ${found} names`;
    }
    return null;
  };
}

function fileFor(file: string, load: BashLoad, home: string): string | null {
  const [name, key] = file.split('#') as [string, string | undefined];
  if (name.startsWith('~/')) return exists(path.join(home, name.slice(2))) ? name : null;
  for (const folder of foldersFrom(load.folders, home)) {
    const whole = path.join(folder, name);
    if (exists(whole) && (key === undefined || hasKey(whole, key.split('.')))) return whole;
  }
  return null;
}

/** The folders and those above them, by name and by real path, nearest first. */
function foldersFrom(folders: readonly string[], home: string): Set<string> {
  const all = new Set<string>();
  const homes = [home, real(home)];
  for (const start of folders.flatMap((folder) => [path.resolve(folder), real(folder)])) {
    all.add(start);
    for (let folder = path.dirname(start); !homes.some((one) => isAtOrAbove(folder, one)); folder = path.dirname(folder))
      all.add(folder);
  }
  return all;
}

function exists(file: string): boolean {
  try {
    return fs.lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOTDIR';
  }
}

function hasKey(file: string, keys: string[]): boolean {
  try {
    let value: unknown = JSON.parse(readRegularText(file, maxBytes));
    for (const key of keys) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return false;
      value = (value as Record<string, unknown>)[key];
    }
    return true;
  } catch {
    // Another reader may make more of it than this one.
    return true;
  }
}

/** The program itself, when it is one that only hands over to another. */
function standIn(program: string, folder: string, search: string): string | null {
  const places = program.includes('/') ? [program] : search.split(':').map((place) => path.join(place, program));
  const found = places.find((place) => path.isAbsolute(place) && exists(place));
  return found !== undefined && real(found).split('/').includes(folder) ? found : null;
}

function real(folder: string): string {
  try {
    return fs.realpathSync.native(folder);
  } catch {
    // What does not exist goes by its name.
    return path.resolve(folder);
  }
}
