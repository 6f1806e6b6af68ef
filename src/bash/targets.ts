// From words to absolute paths: where a relative word may lie, and which files are no files.
import { posix } from 'node:path';

/** Writing here changes nothing. */
const SINKS = /^\/dev\/(?:null|stdout|stderr|tty|full|fd\/[12])$/;

/** Reading here reads no file of anyone. */
const SOURCES = /^\/dev\/(?:null|zero|stdin|tty|random|urandom|full|fd\/\d+)$/;

export function isSink(path: string): boolean {
  return SINKS.test(path);
}

export function isSource(path: string): boolean {
  return SOURCES.test(path);
}

/** Paths by which a process sees its own folder, root or files: they mean something else to whoever looks them up. */
export function isMirror(path: string): boolean {
  return /proc|dev/.test(path) && /^\/(?:proc|dev\/fd)(?:\/|$)/.test(posix.normalize(path));
}

/** What `/proc/self/cwd/x` and `/proc/self/root/x` stand for in a folder; null when nothing is known. */
export function unmirror(path: string, cwd: string | null): string | null {
  if (!path.includes('proc')) return null;
  const m = /^\/proc\/(?:self|thread-self|\d+)\/(cwd|root)(\/.*)?$/.exec(posix.normalize(path));
  if (!m) return null;
  const rest = m[2] ?? '/';
  return m[1] === 'root' ? rest : cwd === null ? null : cwd + rest;
}

/** `/dev/tcp/host/port` of Bash redirects. */
export function socketHost(path: string): string | null {
  const m = /^\/+dev\/+(?:tcp|udp)\/+([^/]*)/.exec(path);
  return m ? m[1]! : null;
}

/** All absolute paths that a word may name; null when not known. Not normalised: links and `..` are settled by others. */
export function absolute(word: string, cwds: readonly string[] | null): string[] | null {
  if (word.startsWith('/')) return [word];
  if (!cwds) return null;
  return cwds.map((cwd) => (cwd.endsWith('/') ? cwd + word : `${cwd}/${word}`));
}

/** Where a program that changes its own folder goes: `..` behind a name may follow a link. */
export function enterFolder(word: string, cwds: readonly string[] | null): string[] | null {
  return /[^./][^/]*\/+\.\.(?:\/|$)/.test(word) ? null : changeFolder(word, cwds);
}

/** Where `cd word` leads: Bash settles `..` by name before it asks the file system. */
export function changeFolder(word: string, cwds: readonly string[] | null): string[] | null {
  const all = absolute(word, cwds);
  return all ? all.map((p) => strip(posix.normalize(p))) : null;
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
  return path.length > 1 ? path.replace(/\/+$/, '') || '/' : path;
}

/** True when `path` is `base` or lies above it. */
export function isAtOrAbove(path: string, base: string): boolean {
  const p = strip(posix.normalize(path));
  const b = strip(posix.normalize(base));
  return p === '/' || b === p || b.startsWith(`${p}/`);
}
