// The programs that a test command starts, and the files that these start or load in turn. A change of one of them affects the meaning of
// a run, as a change of the command does.

import path from 'node:path';
import { definedBy } from '../../../engine/lint/scripts.ts';
import { partsOf } from './runners.ts';

/** Folders of the source. A program in one of them loads the code under test. */
const sourceFolder = /^(?:\.|.*\b(?:src|lib|app|source)(?:\/.*)?)$/;

const shell = /\.(?:ba|da|k|z)?sh$|^#!.*\b(?:ba|da|k|z)?sh\b/;
const makefile = /(?:^|\/)(?:GNUm|M|m)akefile$|\.mk$|(?:^|\/)[Jj]ustfile$/;
const modules: readonly [program: RegExp, loads: RegExp][] = [
  // A module, or a program that it starts.
  [
    /\.[cm]?[jt]sx?$/,
    /(?:(?:\bfrom|\bimport|\brequire(?:\.resolve)?\(|\bimport\()\s*["'`](?=\.)|["'`](?=[\w@./-]+\.(?:[cm]?[jt]sx?|sh|py)["'`]))([^"'`\n]*)["'`]/g,
  ],
  [/\.py$/, /^[ \t]*(?:from|import)[ \t]+([\w.]+)/gm],
];

/** A command line. */
export interface StartText {
  text: string;
  /** Folders from which it names files, relative to the root. */
  bases: readonly string[];
  /** It is the command of the gate. Programs that it names itself may be test files, so only what these start is found. */
  isCommand?: boolean;
}

/** Whether a file has the name of a test file. A command that starts a test file does not make a configuration of it. */
function isTestFile(file: string): boolean {
  if (/(?:^|\/)(?:tests?|specs?|__tests__)\//.test(file)) return true;
  // `scripts/test.sh` and `conf/test.env` are no tests, but `test.js` in the root is one.
  if (/\.(?:\w*sh|env)$/.test(file)) return false;
  return (
    /[._-](?:test|spec)\.\w+$/.test(file) ||
    (/(?:^|\/)(?:tests?|specs?)\.\w+$/.test(file) && sourceFolder.test(path.posix.dirname(file)))
  );
}

interface ProjectFiles {
  /** The file that a name leads to, relative to the root; null: none of the project. */
  find(name: string, base: string): string | null;
  /** '' if it cannot be read. */
  read(file: string): string;
}

/** The files, relative to the root. */
export function startedPrograms(texts: readonly StartText[], files: ProjectFiles): Set<string> {
  const found = new Set<string>();
  const read = new Set<string>();
  const waiting = [...texts];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const { bases, isCommand = false } = at;
    for (const text of recipesOf(at, files)) waiting.push({ text, bases });
    for (const makefile of makefilesOf(at, files)) {
      if (makefile.isIncluded) found.add(makefile.file);
      for (const [, value = ''] of makefile.text.matchAll(interpreter))
        waiting.push({ text: value.replace(/["'[\],]/g, ' '), bases });
    }
    for (const file of programsOf(at, files)) {
      if (!isCommand) found.add(file);
      if (read.has(file)) continue;
      read.add(file);
      const text = files.read(file);
      const folder = path.posix.dirname(file);
      if (shell.test(file) || shell.test(text)) waiting.push({ text: text.replace(ownFolder, './'), bases: [...bases, folder] });
      for (const one of modulesOf(file, text, files)) found.add(one);
    }
  }
  return found;
}

/** `"$(dirname "$0")"/` and `"$DIR"/`. Such a name is resolved against the folder of its script. */
const ownFolder = /["']?\$(?:\(dirname [^)]*\)|\{?\w+(?:%\/\*)?\}?)["']?\//g;

function programsOf({ text, bases }: StartText, { find }: ProjectFiles): string[] {
  // The words after `node --test` are test files.
  const names = definedBy(text.replace(/(\s--test)(?=\s)[^;&|\n]*/g, '$1'), null).scripts;
  const programs = new Set(names.flatMap((name) => bases.flatMap((base) => find(name, base) ?? [])));
  return [...programs].filter((file) => !isTestFile(file) && path.posix.basename(file) !== 'package.json');
}

/** A Makefile or justfile that a command line uses. */
interface Makefile {
  file: string;
  text: string;
  /** Another one includes it. */
  isIncluded: boolean;
}

/** More included files and lines of recipes, or longer lines with variables, are unusual. */
const maxMakefiles = 100;
const maxLine = 1_000;
const maxLines = 2_000;
const maxValue = 200;
const include = /^(?:-?include|sinclude|import\??|mod\??(?: \w+)?)[ \t]+(.+)$/gm;
/** The shell of the recipes, and a file with variables. */
const interpreter = /^(?:SHELL|set[ \t]+(?:shell|dotenv-(?:path|filename)))[ \t]*[:?]*=[ \t]*(.*)$/gm;
const assignment = /^(?:export[ \t]+)?(\w+)[ \t]*[:?]*=[ \t]*(.*)$/gm;

function makefilesOf({ text, bases }: StartText, { find, read }: ProjectFiles): Makefile[] {
  const found = new Map<string, Makefile>();
  const looked = new Set<string>();
  const add = (name: string, base: string, isIncluded: boolean): void => {
    if (looked.has(name) || looked.size === maxMakefiles) return;
    looked.add(name);
    const file = find(name, base);
    if (file === null || found.has(file)) return;
    const makefile = { file, text: read(file), isIncluded };
    found.set(file, makefile);
    for (const [, names = ''] of makefile.text.matchAll(include))
      for (const one of names
        .slice(0, maxLine)
        .replace(/["']/g, '')
        .split(/[ \t]+/))
        add(one, base, true);
  };
  for (const { words } of partsOf(text) ?? []) {
    if (!isMake(words)) continue;
    const names = definedBy(words.join(' '), null).scripts.filter((name) => makefile.test(name));
    for (const base of bases) {
      looked.clear();
      for (const name of names) add(name, base, false);
    }
  }
  return [...found.values()];
}

function isMake([program = '']: readonly string[]): boolean {
  return /(?:^|\/)(?:g?make|just)$/.test(program);
}

/** The recipes of the targets that a command line names, with those of their prerequisites. */
export function recipesOf(start: StartText, files: ProjectFiles): string[] {
  const text = makefilesOf(start, files)
    .map((one) => one.text)
    .join('\n');
  return (partsOf(start.text) ?? []).flatMap(({ words }) => {
    if (!isMake(words)) return [];
    return recipesIn(
      text,
      words.slice(1).filter((word) => /^[\w./-]+$/.test(word) && !word.startsWith('-')),
    );
  });
}

const rule = /^@?([\w.%/-]+(?:[ \t]+[\w.%/*"'=-]+)*)[ \t]*:(?![=:])(.*)\n((?:(?:[ \t].*)?\n)*)/gm;

function recipesIn(makefileText: string, goals: readonly string[]): string[] {
  const rules = [...`${makefileText}\n\n`.matchAll(rule)].map(([, targets = '', needs = '', recipe = '']) => ({
    targets: targets.split(/[ \t]+/),
    needs: needs
      .replace(/[;#].*/, '')
      .trim()
      .split(/[ \t]+/),
    recipe: `${/;(.*)/.exec(needs)?.[1] ?? ''}\n${recipe}`.replace(/\\\n/g, ' '),
  }));
  const first = rules.find(({ targets: [name] }) => name?.startsWith('.') !== true);
  const wanted = new Set(goals.length > 0 ? goals : first?.targets);
  for (const target of wanted)
    for (const { targets, needs } of rules) if (targets.includes(target)) for (const need of needs) wanted.add(need);
  const lines = rules.filter(({ targets }) => targets.some((one) => wanted.has(one))).flatMap(({ recipe }) => recipe.split('\n'));
  const values = new Map([...makefileText.matchAll(assignment)].map(([, name, value]) => [name as string, value as string]));
  const filled = (line: string): string => {
    const text = line.replace(/\$\((\w+)\)|\$\{(\w+)\}|\{\{ ?(\w+) ?\}\}/g, (whole, ...names) => {
      const value = (values.get(names.slice(0, 3).find((name) => name !== undefined)) ?? whole).slice(0, maxValue);
      return /^'.*'$|^".*"$/.test(value) ? value.slice(1, -1) : value;
    });
    return text.length > maxLine ? line : text;
  };
  const commands = lines.slice(0, maxLines).map((line) => line.trim().replace(/^[@+-]+/, ''));
  return commands.map((line) => (line.length < maxLine ? filled(filled(line)) : line));
}

/** Modules beside a program, or in a folder beside it. A program among the source loads the code under test, which may change. */
export function modulesOf(program: string, text: string, { find, read }: ProjectFiles): string[] {
  const folder = path.posix.dirname(program);
  if (sourceFolder.test(folder)) return [];
  const found = new Set<string>();
  const follow = (file: string, content: string): void => {
    const [, loads] = modules.find(([ending]) => ending.test(file)) ?? [];
    if (loads === undefined) return;
    for (const [, name = ''] of content.matchAll(loads)) {
      const module = find(name, path.posix.dirname(file)) ?? find(name, '.');
      if (module === null || found.has(module) || isTestFile(module) || !module.startsWith(`${folder}/`)) continue;
      found.add(module);
      follow(module, read(module));
    }
  };
  follow(program, text);
  return [...found];
}
