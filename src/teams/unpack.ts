// Unpacks a bundle from an untrusted source: tar, gzipped, within limits. Names have no leading slash.
import { gunzipSync } from 'node:zlib';
import { BundleRefused } from './refusal.ts';

export type BundleFiles = Map<string, Buffer>;

/** Maximum bytes of all files together, maximum number of files, and maximum bytes of a name. */
export const MAX_UNPACKED = 64 * 1024 * 1024;
const MAX_FILES = 4_000;
const MAX_NAME = 1_000;
/**
 * Maximum bytes of an extended header (pax or GNU), and maximum number of headers. A file has up to two extended headers, and
 * folders have headers too.
 */
const MAX_EXTENDED = 16 * 1024;
const MAX_HEADERS = 4 * MAX_FILES;
const BLOCK = 512;

const REMEDY = 'Build it with modes bundle build, or with opa build.';

/**
 * @throws {Refused} E_BUNDLE_ARCHIVE if it is not a bundle, is too large, contains a name twice, or contains a path outside of
 * itself.
 */
export function unpackArchive(packed: Uint8Array, maxBytes = MAX_UNPACKED): BundleFiles {
  const tar = unzip(packed, maxBytes);
  const files: BundleFiles = new Map();
  let extended: string | null = null;
  let headers = 0;
  for (let at = 0; at + BLOCK <= tar.length; ) {
    const header = tar.subarray(at, at + BLOCK);
    if (header.every((byte) => byte === 0)) break;
    headers += 1;
    if (headers > MAX_HEADERS) throw refuse(`it contains more than ${MAX_HEADERS} headers`);
    checkSum(header);
    const size = octal(header, 124, 12);
    const body = tar.subarray(at + BLOCK, at + BLOCK + size);
    if (body.length !== size) throw refuse('it ends in the middle of a file');
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
    const type = String.fromCharCode(header[156]!);
    if ((type === 'x' || type === 'L') && size > MAX_EXTENDED) throw refuse('it contains a header that is too long');
    if (type === 'x') extended = pathOfRecords(body) ?? extended;
    else if (type === 'L') extended = body.toString('utf8').replace(/(?<!\0)\0+$/, '');
    else if (type === '0' || type === '\0') {
      addFile(files, extended ?? nameOf(header), body);
      extended = null;
    } else if (type === '5' || type === 'g') extended = null;
    else throw refuse(`it contains something other than a file (type ${JSON.stringify(type)})`);
  }
  if (files.size === 0) throw refuse('it contains no files');
  return files;
}

function unzip(packed: Uint8Array, maxOutputLength: number): Buffer {
  try {
    return gunzipSync(packed, { maxOutputLength });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw refuse(code === 'ERR_BUFFER_TOO_LARGE' ? `it is larger than ${maxOutputLength} bytes when unpacked` : message);
  }
}

/** A name from an untrusted source, made safe to show to a person and a model. */
export function shown(name: string): string {
  return /^[\w./@+-]{1,100}$/.test(name) ? name : JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name);
}

function addFile(files: BundleFiles, written: string, body: Buffer): void {
  const name = written.replace(/^(\.?\/)+/, '');
  const isOdd =
    name === '' ||
    Buffer.byteLength(name) > MAX_NAME ||
    /[\0-\x1f\x7f\\]/.test(name) ||
    name.split('/').some((part) => part === '' || part === '.' || part === '..');
  if (isOdd) throw refuse(`it contains a file with the invalid name ${shown(written)}`);
  if (files.has(name)) throw refuse(`it contains ${shown(name)} twice`);
  if (files.size >= MAX_FILES) throw refuse(`it contains more than ${MAX_FILES} files`);
  files.set(name, body);
}

function nameOf(header: Buffer): string {
  const [name, prefix] = [textOf(header, 0, 100), textOf(header, 345, 155)];
  // GNU's own format has another mark, and stores times here.
  return header.toString('latin1', 257, 263) === 'ustar\0' && prefix !== '' ? `${prefix}/${name}` : name;
}

/**
 * `path` of a PAX header: records of `length key=value
 * `.
 */
function pathOfRecords(body: Buffer): string | null {
  let found: string | null = null;
  for (let at = 0; at < body.length; ) {
    const space = body.indexOf(0x20, at);
    const length = Number(body.toString('latin1', at, space));
    if (space < 0 || !Number.isInteger(length) || length <= space - at || at + length > body.length)
      throw refuse('a header in it cannot be read');
    const [, key, value] = /^([^=]*)=([\s\S]*)\n$/.exec(body.toString('utf8', space + 1, at + length)) ?? [];
    if (key === 'path') found = value ?? null;
    at += length;
  }
  return found;
}

function checkSum(header: Buffer): void {
  const sum = header.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 0x20 : byte), 0);
  if (sum !== octal(header, 148, 8)) throw refuse('a header in it is damaged');
}

function octal(header: Buffer, at: number, length: number): number {
  const text = textOf(header, at, length).trim();
  if (!/^[0-7]{1,11}$/.test(text)) throw refuse('a header in it cannot be read');
  return Number.parseInt(text, 8);
}

function textOf(header: Buffer, at: number, length: number): string {
  const field = header.subarray(at, at + length);
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end < 0 ? length : end);
}

function refuse(why: string): BundleRefused {
  return new BundleRefused('E_BUNDLE_ARCHIVE', `The bundle cannot be unpacked: ${why}.`, REMEDY);
}
