// Whether a command runs a program of our own package by its place: behind options, through another program, by a link.
import path from 'node:path';
import { inside } from '../../platform/path-text.ts';
import type { Place } from '../paths/place.ts';
import { type Links, resolveNames } from '../paths/resolve.ts';

/** What is known of where a command runs. */
export interface Standing {
  cwd: string;
  links: Links | undefined;
  /** Files that the command reads, absolute: an interpreter's script is one. */
  reads: readonly string[];
}

const programFolders = ['bin', 'dist'];

/** Where the program is among the words of a command that may run it; -1: nowhere. Who works on the package itself is not meant. */
export function ownProgramAt(words: readonly (string | null)[], place: Place, standing: Standing): number {
  const { pluginRoot, root } = place;
  if (pluginRoot === null || pluginRoot === root) return -1;
  return words.findIndex(
    (word) =>
      word !== null &&
      placesOf(word, standing).some((absolute) => {
        const { real } = resolveNames(absolute, root, standing.links);
        return programFolders.some((folder) => inside(real, path.join(pluginRoot, folder)));
      }),
  );
}

/** Absolute names that a word may stand for: as a path, as the value of an option, as what the command reads. */
function placesOf(word: string, { cwd, reads }: Standing): string[] {
  const name = word.replace(/^(?:--?[\w-]+=)?(?:file:(?:\/\/)?)?/, '');
  if (name === '') return [];
  const endings = [`/${name}`, `/${path.normalize(name)}`];
  const read = reads.filter((file) => file === name || endings.some((ending) => file.endsWith(ending)));
  return name.includes('/') ? [path.resolve(cwd, name), ...read] : read;
}
