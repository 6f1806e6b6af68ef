// A private place for one test: a home and a project folder below a temporary folder that is removed afterwards.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { putFile } from '../support/files.ts';
import { seedHome } from './client.ts';

export interface Place {
  root: string;
  home: string;
  project: string;
  /** Writes a file below the project, its folders included. */
  write(file: string, text: string): void;
  /** A file's text, or undefined when there is none. */
  read(file: string): string | undefined;
  exists(file: string): boolean;
  remove(): void;
}

export interface PlaceOptions {
  /** Name of the project's folder; may hold spaces, quotes, newlines. */
  name?: string;
  /** Folder whose content the project starts with. */
  copy?: string;
  /** Whether the client's own trust question was answered with yes. Default true. */
  trusted?: boolean;
}

/** Makes the place. The real path of the temporary folder is used, as the client compares real paths. */
export function makePlace({ name = 'project', copy, trusted = true }: PlaceOptions = {}): Place {
  const root = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'modes-e2e-'));
  const home = path.join(root, 'home');
  const project = path.join(root, name);
  fs.mkdirSync(project, { recursive: true });
  if (copy) fs.cpSync(copy, project, { recursive: true });
  seedHome(home, trusted ? [project] : []);
  const at = (file: string) => path.join(project, file);
  return {
    root,
    home,
    project,
    write: (file, text) => {
      putFile(at(file), text);
    },
    read: (file) => (fs.existsSync(at(file)) ? fs.readFileSync(at(file), 'utf8') : undefined),
    exists: (file) => fs.existsSync(at(file)),
    remove: () => fs.rmSync(root, { recursive: true, force: true, maxRetries: 3 }),
  };
}
