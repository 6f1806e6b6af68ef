// From words to absolute paths: where a relative word may lie, and which files are no files.
import { posix } from 'node:path';
import type { Outline } from '../model/command.ts';

/** Folders with longer paths are not followed: the system itself takes no longer ones. */
const MAX_PATH = 4_096;

/** Writing here changes nothing. */
const SINKS = /^\/dev\/(?:null|stdout|stderr|tty|full|fd\/[12])$/;

/** Reading here reads no file of anyone. */
const SOURCES = /^\/dev\/(?:null|zero|stdin|tty|random|urandom|full|fd\/\d+)$/;

export function isSink(path: string): boolean {
  return path.startsWith('/dev/') && SINKS.test(path);
}

export function isSource(path: string): boolean {
  return path.startsWith('/dev/') && SOURCES.test(path);
}

/** Paths by which a process sees its own folder, root or files: they mean something else to whoever looks them up. */
export function isMirror(path: string): boolean {
  return /proc|dev/.test(path) && /^\/(?:proc|dev\/fd)(?:\/|$)/.test(posix.normalize(path));
}

/** Paths below what a descriptor holds. */
export function isBelowDescriptor(path: string): boolean {
  return (
    /\/(?:fd|stdin)/.test(path) &&
    /^\/(?:dev|proc\/[^/]+|proc\/[^/]+\/task\/\d+)\/(?:fd\/\d+|stdin)\//.test(posix.normalize(path))
  );
}

/** What stands behind the folder or the root of a process in a path through `/proc`; null for any other path. */
export function unmirror(path: string): { isRoot: boolean; isSelf: boolean; rest: string } | null {
  if (!path.includes('proc')) return null;
  const m = /^\/proc\/([^/]+)(?:\/task\/[^/]+)?\/(cwd|root)(\/.*)?$/s.exec(posix.normalize(path));
  return m && { isRoot: m[2] === 'root', isSelf: /^(?:self|thread-self)$/.test(m[1]!), rest: m[3] ?? '' };
}

/** The same for a path of which only parts are known: `/proc/$$/cwd/a`. */
export function unmirrorOutline([first = '', second = '', ...more]: Outline): { isRoot: boolean; outline: Outline } | null {
  if (!/^\/+proc\/+[^/]*$/.test(first)) return null;
  const m = /^[^/]*\/+(?:task\/[^/]*\/+)?(cwd|root)(\/.*)?$/s.exec(second);
  return m && { isRoot: m[1] === 'root', outline: [m[2] ?? '', ...more] };
}

/** All absolute paths that a word may name; null when not known. Not normalised: links and `..` are settled by others. */
export function absolute(word: string, cwds: readonly string[] | null): string[] | null {
  if (word.startsWith('/')) return [word];
  if (!cwds) return null;
  if (cwds.length === 1) return [under(cwds[0]!, word)];
  return cwds.map((cwd) => under(cwd, word));
}

function under(folder: string, word: string): string {
  return folder.endsWith('/') ? folder + word : `${folder}/${word}`;
}

/** Where a program that changes its own folder goes: `..` behind a name may follow a link. */
export function enterFolder(word: string, cwds: readonly string[] | null): string[] | null {
  return leavesFolder(word) ? null : changeFolder(word, cwds);
}

/** True when `..` stands behind a name other than `.` and `..`. */
function leavesFolder(word: string): boolean {
  let isNamed = false;
  for (const part of word.split('/')) {
    if (part === '..' && isNamed) return true;
    if (part !== '') isNamed = /[^.]/.test(part);
  }
  return false;
}

/** Where `cd word` leads: Bash settles `..` by name before it asks the file system. */
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

/** One spelling of an absolute path: without doubles, dots and a slash at the end. */
export function settled(path: string): string {
  return strip(posix.normalize(path));
}

/** The text without slashes at its end; '' when it holds nothing else. */
export function trimSlashes(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === '/') end--;
  return end === text.length ? text : text.slice(0, end);
}

/** True when one settled path is the other or lies below it. */
export function isBelow(path: string, folder: string): boolean {
  return folder === '/' || (path.startsWith(folder) && (path.length === folder.length || path[folder.length] === '/'));
}

/** True when `path` is `base` or lies above it. */
export function isAtOrAbove(path: string, base: string): boolean {
  return isBelow(settled(base), settled(path));
}
