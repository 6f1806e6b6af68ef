// What a folder holds, as data: so that "it did not happen" is read from the file system and not from what was answered.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

/** Path below the folder → what stands there: a hash, a link's target, or that it is a folder. */
export type Tree = Map<string, string>;

/** Written by Modes itself in a governed project. */
const OWN = /^\.claude\/(mode\.sock.*|mode-state\.json.*)$/;

/** @param isLeftOut by the path below the folder */
export function readTree(folder: string, isLeftOut: (name: string) => boolean = () => false): Tree {
  const tree: Tree = new Map();
  for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath ?? entry.path, entry.name);
    const name = path.relative(folder, file);
    if (OWN.test(name) || isLeftOut(name)) continue;
    if (entry.isSymbolicLink()) tree.set(name, `link to ${fs.readlinkSync(file)}`);
    else if (entry.isDirectory()) tree.set(name, 'folder');
    else if (entry.isFile()) tree.set(name, createHash('sha256').update(fs.readFileSync(file)).digest('hex'));
    else tree.set(name, 'special');
  }
  return tree;
}

/** Names that were added (+), changed (~) or removed (-), sorted. */
export function differences(before: Tree, after: Tree): string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names]
    .filter((name) => before.get(name) !== after.get(name))
    .map((name) => `${!before.has(name) ? '+' : !after.has(name) ? '-' : '~'}${name}`)
    .sort();
}

/** Puts a folder back to what a copy of it holds; the folder itself and its sockets stay. */
export function restore(folder: string, pristine: string): void {
  fs.mkdirSync(folder, { recursive: true });
  for (const name of fs.readdirSync(folder))
    if (name !== '.claude') fs.rmSync(path.join(folder, name), { recursive: true, force: true });
  fs.cpSync(pristine, folder, { recursive: true, verbatimSymlinks: true, force: true });
}
