// The files that affect the meaning of a run, as they are now: those of the project, those in the home folder, and those that a runner
// finds in the folders around the project.

import fs from 'node:fs';
import path from 'node:path';
import { definedBy } from '../../../engine/lint/scripts.ts';
import {
  anyScope,
  contents,
  hashSharedFiles,
  markOf,
  stampSharedFiles,
  type Tree,
  type TreeScope,
} from '../../../git/file-tree.ts';
import { sha256 } from '../../../platform/hash.ts';
import { readRegularText } from '../../../platform/read-file.ts';
import { globScope } from '../globs.ts';
import { usesScope } from '../uses.ts';
import type { RunnerName } from './result.ts';
import { type Runner, runnerNamed, runnerOf, runners } from './runners.ts';
import { scriptReader } from './scripts.ts';
import { setupScope } from './setup-files.ts';
import type { TestsCheck } from './store.ts';

/** Longest file outside of the project that is read, in bytes. */
const maxBytes = 1_048_576;

/**
 * The hashes of the guarded files. A file in the home folder has a name that begins with `~/`, one around the project an absolute path.
 * @throws {TreeError} if one cannot be read
 */
export function guardedTree(check: TestsCheck, root: string, home: string): Tree {
  return new Map([
    ...contents(hashSharedFiles(root, guardedScope(check, root, home))),
    ...outsideTree(runnersOf(check, root), root, home, hashOf),
  ]);
}

/**
 * The state of the same files, to find one that is changed for a run and restored after it.
 * @throws {TreeError} if one cannot be read
 */
export function guardStamps(check: TestsCheck, root: string, home: string): Tree {
  const scope = guardedScope(check, root, home);
  const stamped = { ...scope, file: (name: string) => scope.file(name) && !inBuildFolder(name) };
  return new Map([
    ...stampSharedFiles(root, stamped, (name) => environments.test(name)),
    ...outsideTree(runnersOf(check, root), root, home, markOf),
  ]);
}

/** A tool such as tox or uv may write these files again before each run. */
const environments = /(?:^|\/)(?:\.?v?env|\.tox|\.nox|site-packages|[^/]+\.(?:egg|dist)-info)\//;
const buildFolder = /(?:^|\/)(?:target|build)\//;

/** Whether a file is a result of Maven or Gradle, which copy the resources of the tests into their folder for results. */
export const inBuildFolder = (name: string): boolean => buildFolder.test(name);

/**
 * The files of the project that affect the meaning of a run of the check's command: those that define it, those of its runner, those
 * that these name, and the installed programs.
 */
export function guardedScope(check: TestsCheck, root: string, home: string): TreeScope {
  return anyScope(ownPackages(usesScope(check, home)), runnerScope(check, root, home, runnersOf(check, root)));
}

/** The guarded files of the project, without those that the command itself names. */
export function unnamedScope(check: TestsCheck, root: string, home: string): TreeScope {
  return anyScope(
    usesScope({ ...check, command: 'true', uses: null }, home),
    runnerScope(check, root, home, runnersOf(check, root)),
  );
}

/** Selects the guarded files that matter for a run whose runner is known from its results. */
export function guardsOf(check: TestsCheck, root: string, home: string, name: RunnerName): (file: string) => boolean {
  const runner = runnerNamed(name);
  if (runner === null || runnersOf(check, root).length === 1) return () => true;
  const { file } = anyScope(ownPackages(usesScope(check, home)), runnerScope(check, root, home, [runner]));
  const outside = outsideTree([runner], root, home, (place) => place);
  return (guarded) => file(guarded) || outside.has(guarded);
}

function runnerScope(check: TestsCheck, root: string, home: string, possible: readonly Runner[]): TreeScope {
  const { folders } = definedBy(check.command, check.in);
  const files = [...possible.map((runner) => filesOf(runner, folders, home)), setupScope(root, check)];
  return anyScope(...files.map(ownPackages), programScope(possible.flatMap((runner) => runner.packages ?? [])));
}
/** The files that change the meaning of a run, without installed packages. */
export function filesOf({ guarded, modules }: Runner, folders: readonly string[], home: string): TreeScope {
  const globs = globScope(guarded, true, home);
  if (modules === undefined) return globs;
  const file = (name: string): boolean => {
    const [, folder = '.', module = ''] = pythonModule.exec(name) ?? [];
    return modules.anywhere.has(module) || (modules.inFolder.has(module) && folders.includes(folder));
  };
  return anyScope(globs, { file, folder: () => true, meant: () => false });
}

/** A file that Python loads as a module, with the folder and name of the module. */
const pythonModule = /^(?:(.*)\/)?((?!__init__\.)[^/.]+)(?:\/__init__\.pyc?|\.pyc?|(?:\.[^/]*)?\.(?:so|pyd))$/;

/** The runner of the command. If the command does not show it, any of them. */
function runnersOf(check: TestsCheck, root: string): readonly Runner[] {
  const { runner } = runnerOf(check.command, scriptReader(root, check.in));
  const known = runner === null ? null : runnerNamed(runner);
  return known === null ? runners : [known];
}

/** The state of the files in the home folder and around the project, by name. */
function outsideTree(
  possible: readonly Runner[],
  root: string,
  home: string,
  stateOf: (file: string) => string | null,
): Map<string, string> {
  const placesIn = (folder: string, names: readonly string[]) => names.flatMap((name) => expand(folder, name.split('/')));
  const inHome = placesIn(home, unique(possible, 'home')).map((file) => [`~${file.slice(home.length)}`, file] as const);
  const around = foldersAround(root).flatMap((folder) => placesIn(folder, unique(possible, 'above')));
  const found = new Map<string, string>();
  for (const [name, file] of [...inHome, ...around.map((file) => [file, file] as const)]) {
    const state = stateOf(file);
    if (state !== null) found.set(name, state);
  }
  return found;
}

function unique(of: readonly Runner[], key: 'home' | 'above'): string[] {
  return [...new Set(of.flatMap((runner) => runner[key] ?? []))];
}

function expand(folder: string, [first, ...rest]: readonly string[]): string[] {
  if (first === undefined) return [folder];
  if (!first.includes('*')) return expand(path.join(folder, first), rest);
  const expression = new RegExp(`^${first.split('*').map(quoteExpression).join('.*')}$`);
  return entriesOf(folder)
    .filter((entry) => expression.test(entry))
    .flatMap((entry) => expand(path.join(folder, entry), rest));
}

const quoteExpression = (text: string): string => text.replace(/\W/g, '\\$&');

function entriesOf(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    // A runner finds nothing there either.
    return [];
  }
}

/** null: there is no such file. */
function hashOf(file: string): string | null {
  try {
    return sha256(readRegularText(file, maxBytes));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? null : `unreadable ${code}`;
  }
}

/** From the nearest folder on. */
function foldersAround(root: string): string[] {
  const folder = path.dirname(root);
  return folder === root ? [] : [folder, ...foldersAround(folder)];
}

/** The path in the first folder of installed packages; '' for the folder itself. null: outside. */
function pathInPackages(name: string): string | null {
  const match = /^(?:.*?\/)?node_modules(?:\/(.*))?$/s.exec(name);
  return match === null ? null : (match[1] ?? '');
}

/**
 * The programs in every `node_modules/.bin`, and the installed packages with these names. No other package is entered.
 * @param packages match the name of a package, or the scope in its name
 */
export function programScope(packages: readonly RegExp[]): TreeScope {
  const isOwn = (below: string): boolean => {
    // pnpm stores a package in `.pnpm/NAME@VERSION/node_modules/NAME`.
    const [, stored, inner] = /^\.pnpm\/(@?[^/@+]+)[^/]*(?:\/node_modules(?:\/(.*))?)?$/s.exec(below) ?? [];
    if (stored !== undefined) return isOwn(stored) && (inner === undefined || isOwn(inner));
    const [head] = below.split('/');
    return head === '.bin' || packages.some((one) => one.test(head as string));
  };
  const folder = (name: string): boolean => {
    const below = pathInPackages(name);
    return below === null || below === '' || below === '.pnpm' || isOwn(below);
  };
  return {
    file: (name) => isOwn(pathInPackages(name) ?? ''),
    folder,
    meant: (name) => pathInPackages(name) !== null && folder(name),
  };
}

/** A scope that enters no folder of installed packages, unless it names it. */
function ownPackages(scope: TreeScope): TreeScope {
  const isEntered = (name: string): boolean => {
    const below = pathInPackages(name);
    return below === null || scope.meant(below === '' ? name : name.slice(0, -below.length - 1));
  };
  return {
    file: (name) => isEntered(name) && scope.file(name),
    folder: (name) => isEntered(name) && scope.folder(name),
    meant: scope.meant,
  };
}
