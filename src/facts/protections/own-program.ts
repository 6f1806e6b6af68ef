// Detects a program of the Modes package by its path: after options, through another program, or through a link.
import path from 'node:path';
import { inside } from '../../platform/path-text.ts';
import type { Place } from '../paths/place.ts';
import { type LinkReader, resolveNames } from '../paths/resolve.ts';

/** The environment of a command. */
export interface ProgramRun {
  cwd: string;
  links: LinkReader | undefined;
  /** Absolute paths of files that the command reads, such as an interpreter's script. */
  reads: readonly string[];
}

const programFolders = ['bin', 'dist'];

/** The index of the Modes program in the words of a command that may run it; -1 if none, or if the project is Modes itself. */
export function ownProgramAt(words: readonly (string | null)[], place: Place, standing: ProgramRun): number {
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

/** Absolute paths that a word may refer to: as a path, as the value of an option, as a file that the command reads. */
function placesOf(word: string, { cwd, reads }: ProgramRun): string[] {
  const name = word.replace(/^(?:--?[\w-]+=)?(?:file:(?:\/\/)?)?/, '');
  if (name === '') return [];
  const endings = [`/${name}`, `/${path.normalize(name)}`];
  const read = reads.filter((file) => file === name || endings.some((ending) => file.endsWith(ending)));
  return name.includes('/') ? [path.resolve(cwd, name), ...read] : read;
}
