// One file that a setup writes, and the limits on changing files of a project.

import { isUtf8 } from 'node:buffer';
import fs from 'node:fs';
import path from 'node:path';
import { type ParseError, parse } from 'jsonc-parser';
import { isObject } from '../../platform/json-object.ts';
import { readRegular, readRegularText } from '../../platform/read-file.ts';

/** Largest file of a project that a setup changes, in bytes. */
export const maxChangedBytes = 16_777_216;

export interface SetupStep {
  kind: 'create' | 'change';
  /** Absolute. */
  file: string;
  /** A description for a person. */
  what: string;
  /** The text of the file when the plan was made; null: it did not exist. */
  before: string | null;
  text: string;
}

/** Why this name must not be written. A link in the path could lead anywhere. null: it may be written. */
export function refusePlace(root: string, name: string): string | null {
  const parts = name.split('/');
  for (let count = 1; count <= parts.length; count++) {
    const part = parts.slice(0, count).join('/');
    const stat = fs.lstatSync(path.join(root, part), { throwIfNoEntry: false });
    if (stat === undefined) return null;
    if (count < parts.length ? !stat.isDirectory() : !stat.isFile())
      return `${part} is not a ${count < parts.length ? 'folder' : 'file'} but ${stat.isSymbolicLink() ? 'a link' : 'something else'}; move it first.`;
  }
  return null;
}

/** The same, and why an existing file must not be rewritten: bytes that are not UTF-8 would be changed. */
export function refuseText(root: string, name: string): string | null {
  const refused = refusePlace(root, name);
  const file = path.join(root, name);
  if (refused !== null || !exists(file) || isUtf8(readRegular(file, maxChangedBytes))) return refused;
  return `${name} is not UTF-8 text; convert it or move it first.`;
}

/** Copies a file beside itself under a free name, and returns that name. */
export function keepCopy(file: string, suffix: 'before-modes' | 'before-undo'): string {
  for (let count = 1; ; count++) {
    const backup = `${file}.${suffix}${count === 1 ? '' : `-${count}`}`;
    if (exists(backup)) continue;
    fs.copyFileSync(file, backup, fs.constants.COPYFILE_EXCL);
    return backup;
  }
}

/** Parses JSON with comments and, like the client, a byte order mark. null if it is not an object, or nested too deeply. */
export function objectOf(text: string): Record<string, unknown> | null {
  const errors: ParseError[] = [];
  let value: unknown;
  try {
    value = parse(text.replace(/^\ufeff/, ''), errors, { allowTrailingComma: true });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
  return errors.length === 0 && isObject(value) ? value : null;
}

export function exists(file: string): boolean {
  try {
    return fs.lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    // A part of the path is a file, not a folder.
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return false;
    throw error;
  }
}

/** null: no such file. */
export function textOf(file: string): string | null {
  return exists(file) ? readRegularText(file, maxChangedBytes) : null;
}
