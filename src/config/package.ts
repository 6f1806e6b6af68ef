// Where this package is installed.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder with plugin.json above a module of ours, bundled or not. Throws when there is none. */
export function packageRoot(moduleUrl: string): string {
  for (let folder = path.dirname(fileURLToPath(moduleUrl)); folder !== path.dirname(folder); folder = path.dirname(folder)) {
    if (fs.existsSync(path.join(folder, '.claude-plugin/plugin.json'))) return folder;
  }
  throw new Error(`no plugin folder above ${moduleUrl}`);
}

/** Names the build (dist/build), so that processes of different versions notice each other; `unknown` when it is not there. */
export function readBuild(root: string): string {
  try {
    return fs.readFileSync(path.join(root, 'dist/build'), 'utf8').trim();
  } catch (error) {
    process.stderr.write(`modes: dist/build cannot be read: ${(error as Error).message}\n`);
    return 'unknown';
  }
}
