// Reads files of another system in a project: as text, never through a link, never a large one.

import fs from 'node:fs';
import path from 'node:path';
import { readRegular } from '../../platform/read-file.ts';
import type { Left } from './types.ts';

/** Maximum bytes of one file. */
const maxBytes = 1_048_576;
const maxFiles = 500;

export type ImportedText = { text: string } | { wrong: string };

/** null: there is no such file. */
export function readText(root: string, name: string): ImportedText | null {
  const file = path.resolve(root, name);
  const stat = fs.lstatSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return null;
  if (isLinked(root, name)) return { wrong: linked };
  if (!stat.isFile()) return { wrong: 'it is not a file' };
  if (stat.size > maxBytes) return { wrong: `it is larger than ${maxBytes / 1024} KB` };
  const bytes = readRegular(file, maxBytes);
  const text = bytes.toString('utf8');
  const isText = !text.includes('\0') && Buffer.from(text, 'utf8').equals(bytes);
  return isText ? { text: text.replace(/^\ufeff/, '') } : { wrong: 'it is not UTF-8 text' };
}

const linked = 'it is a symbolic link, which could lead anywhere';

/**
 * True if the name itself, or a folder between the root and it, is a link. A person chose the folders above
 * a root or an absolute name.
 */
function isLinked(root: string, name: string): boolean {
  const parts = path.isAbsolute(name) ? [''] : name.split('/');
  return parts.some((_, at) => {
    const part = path.resolve(root, ...(path.isAbsolute(name) ? [name] : parts.slice(0, at + 1)));
    return fs.lstatSync(part, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  });
}

/**
 * Names of all files below a folder, relative to it, sorted. Links are listed but not followed. Parts that are not read are added
 * to `left`.
 */
export function namesBelow(root: string, name: string, left: Left[]): string[] {
  const folder = path.join(root, name);
  const stat = fs.lstatSync(folder, { throwIfNoEntry: false });
  if (stat !== undefined && isLinked(root, name)) left.push({ at: name, what: linked, instead: 'Nothing in it was read.' });
  else if (stat?.isDirectory()) return firstOf(filesIn(folder), name, left);
  return [];
}

function filesIn(folder: string): string[] {
  const below = (inner: string): string[] =>
    fs.readdirSync(path.join(folder, inner), { withFileTypes: true }).flatMap((entry) => {
      const one = path.posix.join(inner, entry.name);
      return entry.isDirectory() ? below(one) : [one];
    });
  return below('').sort();
}

function firstOf(names: readonly string[], at: string, left: Left[]): string[] {
  const more = names.length - maxFiles;
  if (more > 0) left.push({ at, what: `it contains more than ${maxFiles} files`, instead: `The last ${more} were left out.` });
  return names.slice(0, maxFiles);
}
