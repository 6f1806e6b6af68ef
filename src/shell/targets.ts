// From words to absolute paths: the possible places of a relative word, and paths that are not files.
import { posix } from 'node:path';
import type { Outline } from '../model/command.ts';
import { GAP } from './possible-names.ts';

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

/**
 * The part of a path up to a link in `/proc` or `/dev`, in normal form, and the rest as it is. `..` in the rest leads out of the
 * target of the link, so it is not resolved by name.
 */
function* linksIn(path: string, name: RegExp): Generator<[link: string, rest: string]> {
  for (const { index, 0: found } of path.matchAll(name)) {
    const end = index + found.length;
    yield [posix.normalize(path.slice(0, end)), path.slice(end)];
  }
}

/** The rest of a path below the target of a descriptor, or null for any other path. */
export function restBelowDescriptor(path: string): string | null {
  if (!/\/(?:fd|stdin)/.test(path)) return null;
  const links = [...linksIn(path, /\/(?:fd\/+(?:\.\/+)*\d+|stdin)(?=\/)/g)];
  return links.find(([link]) => /^\/(?:dev|proc\/[^/]+|proc\/[^/]+\/task\/\d+)\/(?:fd\/\d+|stdin)$/.test(link))?.[1] ?? null;
}

/** The rest of a path through the folder or the root of a process in `/proc`, or null for any other path. */
export function unmirror(path: string): { isRoot: boolean; isSelf: boolean; rest: string } | null {
  if (!path.includes('proc')) return null;
  for (const [link, rest] of linksIn(path, /\/(?:cwd|root)(?=\/|$)/g)) {
    const m = /^\/proc\/([^/]+)(?:\/task\/[^/]+)?\/(cwd|root)$/s.exec(link);
    if (m) return { isRoot: m[2] === 'root', isSelf: /^(?:self|thread-self)$/.test(m[1]!), rest };
  }
  return null;
}

/** The same for a path that is known only in part: `/proc/$$/cwd/a`. */
export function unmirrorOutline(outline: Outline): { isRoot: boolean; outline: Outline } | null {
  if (outline.length < 2 || !outline[0]!.includes('proc')) return null;
  const m = /^\/+proc\/+[^/]*(?:\/+task\/+[^/]*)?\/+(cwd|root)(\/.*)?$/s.exec(outline.join(GAP));
  return m && { isRoot: m[1] === 'root', outline: (m[2] ?? '').split(GAP) };
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

/** Stands for the name that mktemp chooses. No file has that name before. */
export function newTemporary(temp: string): string {
  return `${temp}/tmp.XXXXXXXXXX`;
}
