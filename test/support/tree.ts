// A temporary folder tree for a test: home, project, data folder and temporary files below one root.

import fs from 'node:fs';
import path from 'node:path';
import type { Place } from '../../src/facts/paths/place.ts';
import { afterTest } from './cleanup.ts';
import { temporaryFolder } from './files.ts';

export interface Tree {
  /** Absolute real path that everything lies below. */
  top: string;
  home: string;
  root: string;
  /** Writes a file at a path relative to the project; gives its absolute path. */
  file(name: string, text?: string): string;
  folder(name: string): string;
  /** Makes a symbolic link at a path relative to the project. */
  link(name: string, target: string): string;
  place(changes?: Partial<Place>): Place;
}

/** Removed after the test. */
export function makeTree(): Tree {
  const top = temporaryFolder('modes-tree-');
  afterTest(() => fs.rmSync(top, { recursive: true, force: true }));
  const home = path.join(top, 'home');
  const root = path.join(home, 'work');
  fs.mkdirSync(root, { recursive: true });
  const at = (name: string) => (path.isAbsolute(name) ? name : path.join(root, name));
  const ready = (name: string) => {
    fs.mkdirSync(path.dirname(at(name)), { recursive: true });
    return at(name);
  };
  return {
    top,
    home,
    root,
    file(name, text = '') {
      fs.writeFileSync(ready(name), text);
      return at(name);
    },
    folder(name) {
      fs.mkdirSync(at(name), { recursive: true });
      return at(name);
    },
    link(name, target) {
      fs.symlinkSync(target, ready(name));
      return at(name);
    },
    place: (changes = {}) => ({
      root,
      rootAliases: [],
      home,
      temp: [path.join(top, 'tmp')],
      configFolder: path.join(home, '.claude'),
      dataFolder: path.join(home, '.claude/modes-data'),
      pluginRoot: path.join(top, 'plugins/modes'),
      managedFolders: [path.join(top, 'etc/claude-code')],
      linkTargets: [],
      pathFolders: [],
      search: '',
      scratch: '',
      ...changes,
    }),
  };
}
