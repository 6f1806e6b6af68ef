// Reads the files of a configuration. It opens only regular files inside the project.

import { isUtf8 } from 'node:buffer';
import nodeFs from 'node:fs';
import type { ConfigFile } from '../model/configuration.ts';
import type { Problem } from '../model/problem.ts';
import { isTrustedOwner } from '../platform/layer-folders.ts';
import { type FileSystem, getErrorCode, isInside, isLink, pathOf, type Surveyed } from './survey.ts';
import { describeProblem, locateProblem, openText, quote } from './text.ts';

/** The YAML parser takes up to a kilobyte of memory per character, and a topology is small. */
export const MAX_MODES_BYTES = 128 * 1024;
export const MAX_FILE_BYTES = 1024 * 1024;

/** A file, or its problem. Null if there is no file. */
type FileReading = { file: ConfigFile } | { fault: Problem } | null;

/** Reads one file of a layer. Never throws and never waits. */
export function readConfigFile(at: Surveyed, name: string, fs: FileSystem = nodeFs): FileReading {
  const path = pathOf(at, name);
  try {
    const real = fs.realpathSync(path);
    if (at.within !== null && !isInside(real, at.within)) {
      const message = `${quote(name)} is a link to ${quote(real)}, out of the project.`;
      return { fault: describeProblem('E_LEAVES_PROJECT', message, 'Put the file itself there.', name) };
    }
    // Opening a FIFO or a device could wait forever, so its type is checked first.
    const stat = fs.statSync(real);
    const refusal = refuseFile(stat, name) ?? (at.within === null ? refuseOwner(stat, name) : null);
    return refusal === null ? readRegularFile(real, name, fs) : { fault: refusal };
  } catch (error) {
    const code = getErrorCode(error);
    if ((code === 'ENOENT' || code === 'ENOTDIR') && !isLink(path, fs)) return null;
    const isLost = code === 'ENOENT' || code === 'ELOOP';
    const remedy = isLost ? 'It is a broken link: put the file itself there.' : 'Check its permissions.';
    return { fault: describeProblem('E_UNREADABLE', `${quote(name)} cannot be read (${code}).`, remedy, name) };
  }
}

function getLimit(name: string): number {
  return /\/(modes|teams)\.yaml$/.test(name) ? MAX_MODES_BYTES : MAX_FILE_BYTES;
}

function refuseFile(stat: nodeFs.Stats, name: string): Problem | null {
  if (!stat.isFile()) {
    const kind = stat.isDirectory() ? 'a folder' : stat.isFIFO() ? 'a named pipe' : stat.isSocket() ? 'a socket' : 'a device';
    return describeProblem('E_NOT_A_FILE', `${quote(name)} is ${kind}, not a file.`, 'Move it and put a file there.', name);
  }
  return stat.size > getLimit(name) ? refuseSize(name) : null;
}

/** A file that configures the user's or the organization's layer must belong to them. */
export function refuseOwner(stat: nodeFs.Stats, name: string): Problem | null {
  if (isTrustedOwner(stat.uid)) return null;
  const message = `${quote(name)} belongs to another user of this machine (${stat.uid}), who could change it.`;
  return describeProblem('E_FOREIGN_OWNER', message, 'Change its owner to yourself or root, or move it.', name);
}

function refuseSize(name: string): Problem {
  const message = `${quote(name)} is larger than ${getLimit(name) / 1024} KB.`;
  return describeProblem('E_TOO_LARGE', message, 'Make it smaller.', name);
}

function readRegularFile(real: string, name: string, fs: FileSystem): FileReading {
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = nodeFs.constants;
  // The file may have been replaced between stat and open. With O_NONBLOCK, even then open does not wait.
  const handle = fs.openSync(real, O_RDONLY | (O_NONBLOCK ?? 0) | (O_NOFOLLOW ?? 0));
  try {
    const stat = fs.fstatSync(handle);
    const refusal = refuseFile(stat, name);
    if (refusal !== null) return { fault: refusal };
    const bytes = readBytes(handle, stat.size, getLimit(name), fs);
    return bytes === null ? { fault: refuseSize(name) } : decodeFile(name, bytes);
  } finally {
    fs.closeSync(handle);
  }
}

/** All bytes up to a limit; null if there are more. `size` is from the earlier stat, and the file may have grown since. */
function readBytes(handle: number, size: number, limit: number, fs: FileSystem): Uint8Array | null {
  let bytes = Buffer.allocUnsafe(Math.min(size, limit) + 1);
  let length = 0;
  for (;;) {
    const got = fs.readSync(handle, bytes, length, bytes.length - length, null);
    length += got;
    if (got === 0) return bytes.subarray(0, length);
    if (length > limit) return null;
    if (length === bytes.length) bytes = Buffer.concat([bytes, Buffer.allocUnsafe(limit + 1 - length)]);
  }
}

/** Decodes bytes to text, without a byte order mark. */
function decodeFile(name: string, bytes: Uint8Array): { file: ConfigFile } | { fault: Problem } {
  if (!isUtf8(bytes)) return { fault: reportEncoding(name, bytes) };
  const text = new TextDecoder('utf-8').decode(bytes);
  const nul = text.indexOf('\0');
  if (nul < 0) return { file: { name, text } };
  const fault = locateProblem(
    'E_CONTROL_CHARACTER',
    'The file contains the character U+0000.',
    'Remove the character.',
    openText(name, text),
    {
      start: nul,
      end: nul + 1,
    },
  );
  return { fault };
}

/** Reports the first wrong byte. A binary search finds the longest beginning that a strict decoder accepts. */
function reportEncoding(name: string, bytes: Uint8Array): Problem {
  let valid = 0;
  let invalid = bytes.length;
  let before = '';
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1;
    const text = decodeStrictly(bytes.subarray(0, middle));
    if (text === null) invalid = middle;
    else {
      valid = middle;
      before = text;
    }
  }
  const source = openText(name, `${before}\ufffd`);
  const span = { start: before.length, end: before.length + 1 };
  return locateProblem('E_ENCODING', 'The file is not valid UTF-8 here.', 'Save it as UTF-8.', source, span);
}

/** Null if a byte is wrong. An incomplete last character is not an error. */
function decodeStrictly(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}
