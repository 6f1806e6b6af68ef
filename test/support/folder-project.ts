// Folders for the state of one project.

import fs from 'node:fs';
import path from 'node:path';
import { StateStore } from '../../src/workflow/state.ts';
import { afterTest } from './cleanup.ts';
import { temporaryFolder } from './files.ts';
import { change, tdd } from './topology.ts';

export { change, tdd, topologyOf } from './topology.ts';

/** A folder that is removed after the test. */
export function makeFolder(): string {
  const folder = temporaryFolder('modes-state-');
  afterTest(() => fs.rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface Kept {
  root: string;
  claude: string;
  data: string;
  view: string;
  /** A fresh look at the same files, as another process would have. */
  open(): StateStore;
  /** Files of the journal, sorted, absolute. */
  entries(): string[];
}

export function makeProject(): Kept {
  const top = makeFolder();
  const root = path.join(top, 'project');
  const claude = path.join(root, '.claude');
  const data = path.join(top, 'data');
  fs.mkdirSync(claude, { recursive: true });
  const journals = () =>
    fs.existsSync(path.join(data, 'projects'))
      ? fs.readdirSync(path.join(data, 'projects')).map((name) => path.join(data, 'projects', name, 'journal'))
      : [];
  return {
    root,
    claude,
    data,
    view: path.join(claude, 'mode-state.json'),
    open: () => new StateStore(root, claude, data),
    entries: () =>
      journals().flatMap((folder) =>
        fs.existsSync(folder)
          ? fs
              .readdirSync(folder)
              .filter((name) => name.endsWith('.json'))
              .sort()
              .map((name) => path.join(folder, name))
          : [],
      ),
  };
}

/** Goes round the three modes. */
export function walk(store: StateStore, steps: number): void {
  const ring = ['idle', 'test-dev', 'feature-dev'];
  for (let i = 0; i < steps; i++) {
    const from = store.read(tdd).mode as string;
    const entry = store.change(change(from, ring[(ring.indexOf(from) + 1) % 3] as string), tdd, new Date());
    if (entry === null) throw new Error('nobody else was there, and yet the change was refused');
  }
}
