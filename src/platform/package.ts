// The folder where this package is installed.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder with plugin.json above a module of Modes, given its URL or, in CommonJS, its path. Throws if there is no folder. */
export function packageRoot(module: string): string {
  const file = module.startsWith('file:') ? fileURLToPath(module) : module;
  for (let folder = path.dirname(file); folder !== path.dirname(folder); folder = path.dirname(folder)) {
    if (fs.existsSync(path.join(folder, '.claude-plugin/plugin.json'))) return folder;
  }
  throw new Error(`no plugin folder above ${module}`);
}

/** The build's name (dist/build), so that processes of different versions detect each other; `unknown` if unreadable. */
export function readBuild(root: string): string {
  try {
    return fs.readFileSync(path.join(root, 'dist/build'), 'utf8').trim();
  } catch (error) {
    process.stderr.write(`modes: dist/build cannot be read: ${(error as Error).message}\n`);
    return 'unknown';
  }
}
