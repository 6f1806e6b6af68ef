// The scripts of a package.json, to find the test runner of `npm test`.

import path from 'node:path';
import { readRegularText } from '../../../platform/read-file.ts';

const maxBytes = 1_048_576;

/** Returns the text of a script by its name, null if there is none. `workspace`: a folder of the package, from the first one on. */
export function scriptReader(root: string, folder: string | null): (name: string, workspace: string | null) => string | null {
  return (name, workspace) => {
    try {
      const file = path.resolve(root, folder ?? '.', workspace ?? '.', 'package.json');
      const { scripts } = JSON.parse(readRegularText(file, maxBytes)) as { scripts?: { [name: string]: unknown } };
      const script = scripts !== undefined && Object.hasOwn(scripts, name) ? scripts[name] : null;
      return typeof script === 'string' ? script : null;
    } catch {
      // Absent or damaged: then the runner is unknown, and the gate reports that.
      return null;
    }
  };
}
