// Files of another system in a project: read as text, never through a link, never a large one.
import fs from 'node:fs';
import path from 'node:path';

/** Bytes of one file. */
const maxBytes = 1_048_576;
const maxFiles = 500;

export type Reading = { text: string } | { wrong: string };

/** null: there is no such file. */
export function readText(root: string, name: string): Reading | null {
  const file = path.resolve(root, name);
  const stat = fs.lstatSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return null;
  if (stat.isSymbolicLink()) return { wrong: 'it is a link, and could lead anywhere' };
  if (!stat.isFile()) return { wrong: 'it is no file' };
  if (stat.size > maxBytes) return { wrong: `it is larger than ${maxBytes / 1024} KB` };
  const bytes = fs.readFileSync(file);
  const text = bytes.toString('utf8');
  const isText = !text.includes('\0') && Buffer.from(text, 'utf8').equals(bytes);
  return isText ? { text: text.replace(/^\ufeff/, '') } : { wrong: 'it is no text in UTF-8' };
}

/** Names of all files below a folder, relative to it, sorted; links among them, not followed. null: there is no such folder. */
export function namesBelow(root: string, name: string): string[] | null {
  const folder = path.join(root, name);
  if (!fs.lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return null;
  const below = (inner: string): string[] =>
    fs.readdirSync(path.join(folder, inner), { withFileTypes: true }).flatMap((entry) => {
      const one = path.posix.join(inner, entry.name);
      return entry.isDirectory() ? below(one) : [one];
    });
  return below('').sort().slice(0, maxFiles);
}
