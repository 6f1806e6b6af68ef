// The disk queries of the analyser: lists of names, links, and the top folder of a git repository.
import fs from 'node:fs';
import path from 'node:path';
import { gitAlias } from '../../git/hooks.ts';
import type { ShellDisk } from '../../model/command.ts';
import { inside } from '../../platform/path-text.ts';
import { readRegularText } from '../../platform/read-file.ts';

/** Longer files are not lists that a person maintains, so their names count as unknown. In bytes. */
const maxBytes = 64 * 1024;

/** Where git keeps its own programs on Linux and macOS. */
const gitFolders = ['/usr/lib/git-core', '/usr/libexec/git-core', '/usr/local/libexec/git-core'];

/** Disk queries for one call. Only files below the project's roots are opened. */
export function diskOf(roots: readonly string[], home: string, search: string): ShellDisk {
  const isInProject = (real: string): boolean => roots.some((root) => inside(real, root));
  return {
    text(name) {
      const real = realOf(name);
      return real === null || !isInProject(real) ? null : readSmall(real);
    },
    real: realOf,
    repository(folder) {
      const real = realOf(folder);
      for (let at = real; at !== null; at = at === '/' ? null : path.dirname(at))
        if (fs.existsSync(path.join(at, '.git'))) return at;
      return null;
    },
    gitAlias(name, folder) {
      // Git prefers a program of its own folder or of the PATH to an alias.
      const programs = [...gitFolders, ...search.split(path.delimiter)].map((one) => path.resolve(folder, one, `git-${name}`));
      if (programs.some((program) => fs.existsSync(program))) return null;
      const { texts, isUnclear } = gitAlias(name, folder, home, process.env);
      return isUnclear || texts.length === 0 ? null : texts;
    },
  };
}

function realOf(name: string): string | null {
  try {
    return fs.realpathSync(name);
  } catch {
    return null;
  }
}

function readSmall(real: string): string | null {
  try {
    return readRegularText(real, maxBytes, { noFollow: true });
  } catch {
    return null;
  }
}
