// One file that setting up writes, and what may be done to files of a project at all.

import { isUtf8 } from 'node:buffer';
import fs from 'node:fs';
import path from 'node:path';
import { type ParseError, parse } from 'jsonc-parser';
import { readRegular, readRegularText } from '../../platform/read-file.ts';

/** Largest file of a project that a set-up changes. */
export const maxChangedBytes = 16_777_216;

export interface SetupStep {
  kind: 'create' | 'change';
  /** Absolute. */
  file: string;
  /** What, for a person. */
  what: string;
  /** What a file that is changed held when the plan was made; null: it was not there. */
  before: string | null;
  text: string;
}

/** Why nothing is written under this name: a link on the way could lead anywhere. null: it may be written. */
export function refusePlace(root: string, name: string): string | null {
  const parts = name.split('/');
  for (let count = 1; count <= parts.length; count++) {
    const part = parts.slice(0, count).join('/');
    const stat = fs.lstatSync(path.join(root, part), { throwIfNoEntry: false });
    if (stat === undefined) return null;
    if (count < parts.length ? !stat.isDirectory() : !stat.isFile())
      return `${part} is no ${count < parts.length ? 'folder' : 'file'} but ${stat.isSymbolicLink() ? 'a link' : 'something else'}; move it away first.`;
  }
  return null;
}

/** The same, and why a text that is there is not written anew: bytes that are no text would come back as others. */
export function refuseText(root: string, name: string): string | null {
  const refused = refusePlace(root, name);
  const file = path.join(root, name);
  if (refused !== null || !exists(file) || isUtf8(readRegular(file, maxChangedBytes))) return refused;
  return `${name} is no text in UTF-8; convert it, or move it away first.`;
}

/** Copies a file beside itself under a name that is free; gives that name. */
export function keepCopy(file: string, suffix: 'before-modes' | 'before-undo'): string {
  for (let count = 1; ; count++) {
    const backup = `${file}.${suffix}${count === 1 ? '' : `-${count}`}`;
    if (exists(backup)) continue;
    fs.copyFileSync(file, backup, fs.constants.COPYFILE_EXCL);
    return backup;
  }
}

/** JSON with comments, and a byte order mark as the client takes it; null where it is no object, or nested too deeply to be read. */
export function objectOf(text: string): Record<string, unknown> | null {
  const errors: ParseError[] = [];
  let value: unknown;
  try {
    value = parse(text.replace(/^\ufeff/, ''), errors, { allowTrailingComma: true });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
  return errors.length > 0 || typeof value !== 'object' || value === null || Array.isArray(value)
    ? null
    : (value as Record<string, unknown>);
}

export function exists(file: string): boolean {
  try {
    return fs.lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    // A file is where a folder would be.
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return false;
    throw error;
  }
}

/** null: no such file. */
export function textOf(file: string): string | null {
  return exists(file) ? readRegularText(file, maxChangedBytes) : null;
}
