// The scripts of a package.json and the recipes of a Makefile, to find the test runner of `npm test` and `make test`.

import fs from 'node:fs';
import path from 'node:path';
import { readRegularText } from '../../../platform/read-file.ts';
import { recipesOf } from './programs.ts';
import type { ReadScript } from './runners.ts';

const maxBytes = 1_048_576;

/** Returns the text of a script or recipe, null if there is none. `workspace`: a folder of the package, from the first one on. */
export function scriptReader(root: string, folder: string | null): ReadScript {
  return (name, workspace) => {
    const place = path.resolve(root, folder ?? '.', workspace ?? '.');
    if (/^(?:g?make|just)(?: |$)/.test(name)) {
      const find = (file: string) => (readText(path.join(place, file)) === '' ? null : file);
      const read = (file: string) => readText(path.join(place, file));
      const lines = recipesOf(
        { text: name, bases: ['.'] },
        { find, match: (glob) => filesIn(place, glob), read, visited: new Set() },
      );
      const commands = lines.filter((line) => line !== '');
      return commands.length === 0 ? null : commands.join(' && ');
    }
    try {
      const file = path.join(place, 'package.json');
      const { scripts } = JSON.parse(readRegularText(file, maxBytes)) as { scripts?: { [name: string]: unknown } };
      const script = scripts !== undefined && Object.hasOwn(scripts, name) ? scripts[name] : null;
      return typeof script === 'string' ? script : null;
    } catch {
      // Absent or damaged: then the runner is unknown, and the gate reports that.
      return null;
    }
  };
}

/** The files that match a glob with `*` in its last part. */
function filesIn(place: string, glob: string): string[] {
  const { dir, base } = path.posix.parse(glob);
  const expression = new RegExp(`^${base.replace(/\W/g, (one) => (one === '*' ? '[^/]*' : `\\${one}`))}$`);
  try {
    const names = fs.readdirSync(path.join(place, dir)).filter((name) => expression.test(name));
    return names.map((name) => path.posix.join(dir, name));
  } catch {
    // make includes nothing then either.
    return [];
  }
}

/** '' if it cannot be read. */
function readText(file: string): string {
  try {
    return readRegularText(file, maxBytes);
  } catch {
    return '';
  }
}
