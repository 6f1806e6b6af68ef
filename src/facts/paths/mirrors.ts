// Paths through which a process sees its own folder and root (`/proc/self/cwd/src`), and the files that a reader may find there.
import { unmirror } from '../../shell/targets.ts';
import type { Place } from './place.ts';
import { type LinkReader, resolveNames } from './resolve.ts';

/** Maximum number of paths to follow. Links may lead from one such path to the next. */
const maxMirrors = 64;

/**
 * The possible meanings of a path that contains a link of a process: below each folder that the process may be in, or below `/`.
 * Empty for every other path, and for the files of a descriptor.
 */
export function mirrored(path: string, cwd: string, place: Place, links?: LinkReader): string[] {
  const folders = [...new Set([cwd, place.root, place.start ?? place.root])];
  const found = new Set<string>([path]);
  for (const name of found) {
    const { mirror } = resolveNames(name, place.root, links);
    for (const folder of mirror === undefined ? [] : folders) {
      const behind = unmirror(mirror as string);
      const meant = behind === null ? null : behind.isRoot ? behind.rest || '/' : folder + behind.rest;
      if (meant !== null && found.size < maxMirrors) found.add(meant);
    }
  }
  found.delete(path);
  return [...found];
}
