// Names of existing files in the words and program texts of a command that may do anything.
import fs from 'node:fs';
import path from 'node:path';
import type { BashCommand } from '../../model/command.ts';
import { isProse } from '../../shell/program-texts.ts';

/** Characters that end a name in a program text: `open(".env")`, `f=.env`, `@.env`. */
const separators = /[\s"'`()[\]{},;=<>|&@:$+]+/;

/** Between strings that a program joins: `"." + "env"`, and `"." . "env"`. */
const joints = [/["'`]\s*\+\s*["'`]/g, /["'`]\s*\.\s*["'`]/g];

/** Calls that read `.env` although no word names it. */
const loadsDotenv = (text: string): boolean =>
  /\bloadEnvFile\b|\bdotenv\/config\b/.test(text) || (text.includes('dotenv') && text.indexOf('(', text.indexOf('dotenv')) > 0);

/** A wildcard in a name, and not the usual ones of a regular expression. */
const isGlob = (token: string): boolean => /[*?]/.test(token) && /\w/.test(token) && !/[.\])][*?+]|[\\^]/.test(token);

/** Maximum number of parts of one text that are examined, and of names in all texts of a call. */
const maxParts = 20_000;
const maxTokens = 4_000;

/** Maximum number of leading folders of an absolute name that may be replaced by another place. */
const maxDepth = 8;

const none: readonly string[] = [];

/** `areAll` is false if there may be more. */
export interface NamedPaths {
  names: string[];
  areAll: boolean;
}

/** The parts of a text between these separators. */
export function partsOf(text: string, between: RegExp): NamedPaths {
  const names = text.split(between, maxParts);
  return { names, areAll: names.length < maxParts };
}

/** Existing files that the command may open, and for each folder among them an unknown name in it. */
export function mentionedFiles(command: BashCommand, cwd: string, home: string): string[] {
  const { class: kind, argv, named = none, opaque = none, input, cwds } = command;
  if (kind !== 'runs' && kind !== 'unknown') return [];
  // In an unknown folder, the names may be those of the start folder.
  const folders = cwds === undefined || cwds.length === 0 ? [cwd] : cwds;
  const texts = isProse(argv[0]) ? none : [...named, ...opaque, ...(input === undefined ? none : [input])];
  const inCode = namesInCode(texts, folders, home);
  const all = [...new Set([...named, ...inCode.names, ...(inCode.areAll ? [] : folders.map((folder) => `${folder}/*`))])];
  const globs = all.filter((name) => /[*?]/.test(name));
  return [...all.flatMap(existingAt), ...named.filter((name) => name.includes('[')), ...globs];
}

/** The absolute paths that the words of a program text may mean. They need not exist. */
export function namesInCode(texts: readonly string[], folders: readonly string[], home: string): NamedPaths {
  const read = texts.flatMap((text) => [...new Set([text, ...joints.map((joint) => text.replaceAll(joint, ''))])]);
  const parts = read.map((text) => partsOf(text, separators));
  const all = [...read.flatMap((text) => (loadsDotenv(text) ? ['.env'] : [])), ...parts.flatMap(({ names }) => names)];
  const tokens = [...new Set(all.filter((token) => token.length > 1 && (!/[*?]/.test(token) || isGlob(token))))];
  const names = tokens.slice(0, maxTokens).flatMap((token) => readings(token, folders, home));
  return {
    names: [...new Set(names.map((name) => path.normalize(name)))],
    areAll: tokens.length <= maxTokens && parts.every((one) => one.areAll),
  };
}

/** Code often joins a folder and the rest of a path: `process.cwd() + "/.env"`. */
function readings(token: string, folders: readonly string[], home: string): string[] {
  if (token.startsWith('~/')) return [home + token.slice(1)];
  const below = folders.map((folder) => `${folder}/${token}`);
  if (!token.startsWith('/')) return below;
  // A container may have a folder at another place.
  const ends = token
    .split('/')
    .slice(2, 2 + maxDepth)
    .map((_, at, parts) => parts.slice(at).join('/'));
  return [token, home + token, ...below, ...folders.flatMap((folder) => ends.map((end) => `${folder}/${end}`))];
}

/** The path if it exists, and for a folder an unknown name in it. */
export function existingAt(name: string): string[] {
  try {
    const stat = fs.statSync(name, { throwIfNoEntry: false });
    if (stat === undefined) return [];
    return stat.isDirectory() ? [name, `${name}/\u2026`] : [name];
  } catch {
    // A name that cannot be checked counts as existing.
    return [name];
  }
}
