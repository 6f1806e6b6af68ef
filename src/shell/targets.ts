// From words to absolute paths: the possible places of a relative word, and paths that are not files.
import { posix } from 'node:path';
import type { Outline } from '../model/command.ts';

/** Longer folder paths are not followed, because the operating system does not accept them. */
const MAX_PATH = 4_096;

/** A write to these changes nothing. */
const SINKS = /^\/dev\/(?:null|stdout|stderr|tty|full|fd\/[12])$/;

/** A read of these reads no file. */
const SOURCES = /^\/dev\/(?:null|zero|stdin|tty|random|urandom|full|fd\/\d+)$/;

export function isSink(path: string): boolean {
  return path.startsWith('/dev/') && SINKS.test(path);
}

export function isSource(path: string): boolean {
  return path.startsWith('/dev/') && SOURCES.test(path);
}

/** Names of the standard input of the process that opens them. */
export function isStdin(path: string): boolean {
  return /^\/(?:dev\/(?:stdin|fd\/0)|proc\/(?:self|thread-self|\d+)\/fd\/0)$/.test(path);
}

/** Paths that show a process its own folder, root, or files. They differ for each process that looks them up. */
export function isMirror(path: string): boolean {
  return /proc|dev/.test(path) && /^\/(?:proc|dev\/fd)(?:\/|$)/.test(posix.normalize(path));
}

/** Paths below the target of a descriptor. */
export function isBelowDescriptor(path: string): boolean {
  return (
    /\/(?:fd|stdin)/.test(path) &&
    /^\/(?:dev|proc\/[^/]+|proc\/[^/]+\/task\/\d+)\/(?:fd\/\d+|stdin)\//.test(posix.normalize(path))
  );
}

/** The rest of a path through the folder or the root of a process in `/proc`, or null for any other path. */
export function unmirror(path: string): { isRoot: boolean; isSelf: boolean; rest: string } | null {
  if (!path.includes('proc')) return null;
  const m = /^\/proc\/([^/]+)(?:\/task\/[^/]+)?\/(cwd|root)(\/.*)?$/s.exec(posix.normalize(path));
  return m && { isRoot: m[2] === 'root', isSelf: /^(?:self|thread-self)$/.test(m[1]!), rest: m[3] ?? '' };
}

/** The same for a path that is known only in part: `/proc/$$/cwd/a`. */
export function unmirrorOutline([first = '', second = '', ...more]: Outline): { isRoot: boolean; outline: Outline } | null {
  if (!/^\/+proc\/+[^/]*$/.test(first)) return null;
  const m = /^[^/]*\/+(?:task\/[^/]*\/+)?(cwd|root)(\/.*)?$/s.exec(second);
  return m && { isRoot: m[1] === 'root', outline: [m[2] ?? '', ...more] };
}

/** All absolute paths that a word may name, or null if not known. Not normalized: links and `..` are resolved later. */
export function absolute(word: string, cwds: readonly string[] | null): string[] | null {
  if (word.startsWith('/')) return [word];
  if (!cwds) return null;
  if (cwds.length === 1) return [under(cwds[0]!, word)];
  return cwds.map((cwd) => under(cwd, word));
}

function under(folder: string, word: string): string {
  return folder.endsWith('/') ? folder + word : `${folder}/${word}`;
}

/** The new folder of a program that changes its working folder. `..` after a name may follow a link, so it gives null. */
export function enterFolder(word: string, cwds: readonly string[] | null): string[] | null {
  return leavesFolder(word) ? null : changeFolder(word, cwds);
}

/** True if `..` comes after a name other than `.` and `..`. */
function leavesFolder(word: string): boolean {
  let isNamed = false;
  for (const part of word.split('/')) {
    if (part === '..' && isNamed) return true;
    if (part !== '') isNamed = /[^.]/.test(part);
  }
  return false;
}

/** The new folder after `cd word`. Bash resolves `..` by name before it accesses the file system. */
export function changeFolder(word: string, cwds: readonly string[] | null): string[] | null {
  const all = absolute(word, cwds)?.map(settled);
  return all?.every((path) => path.length <= MAX_PATH) ? all : null;
}

/** Folder of a path. */
export function dirname(path: string): string {
  return posix.dirname(path);
}

/** Last part of a path, without trailing slashes. */
export function basename(word: string): string {
  return posix.basename(word);
}

export function strip(path: string): string {
  return trimSlashes(path) || path.slice(0, 1);
}

/** Canonical spelling of an absolute path: without double slashes, dot segments, and a trailing slash. */
export function settled(path: string): string {
  return strip(posix.normalize(path));
}

/** The text without trailing slashes, or '' if it contains only slashes. */
export function trimSlashes(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === '/') end--;
  return end === text.length ? text : text.slice(0, end);
}

/** True if one canonical path is equal to the other or below it. */
export function isBelow(path: string, folder: string): boolean {
  return folder === '/' || (path.startsWith(folder) && (path.length === folder.length || path[folder.length] === '/'));
}

/** True if `path` is equal to `base` or above it. */
export function isAtOrAbove(path: string, base: string): boolean {
  return isBelow(settled(base), settled(path));
}
