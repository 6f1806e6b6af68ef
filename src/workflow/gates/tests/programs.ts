// The programs that a test command starts, and the files that these start or load in turn. A change of one of them affects the meaning of
// a run, as a change of the command does.

import path from 'node:path';
import { definedBy } from '../../../engine/lint/scripts.ts';
import { TreeError } from '../../../git/file-tree.ts';
import { partsOf } from './runners.ts';

/** Folders of the source. A program in one of them loads the code under test. */
const sourceFolder = /^(?:\.|.*\b(?:src|lib|app|source)(?:\/.*)?)$/;

/** Longest path that is looked up. */
const maxPath = 500;

const shell = /\.(?:ba|da|k|z)?sh$|^#!.*\b(?:ba|da|k|z)?sh\b/;
const makefile = /(?:^|\/)(?:GNUm|M|m)akefile$|\.mk$|(?:^|\/)[Jj]ustfile$/;
const modules: readonly [program: RegExp, loads: RegExp][] = [
  // A module, or a program that it starts.
  [
    /\.[cm]?[jt]sx?$/,
    /(?:(?:\bfrom|\bimport|\brequire(?:\.resolve)?\(|\bimport\(|\bglob\()\s*["'`](?=\.)|["'`](?=[\w@./-]+\.(?:[cm]?[jt]sx?|sh|py)["'`]))([^"'`\n]*)["'`]/g,
  ],
  [/\.py$/, /^[ \t]*(?:from|import)[ \t]+([\w.]+)/gm],
  [/\.rb$/, /\b(?:require(?:_relative)?|load|Dir|glob)\b[^"'\n#]{0,100}["']([^"'\n]+)["']/g],
  [/\.php$/, /\b(?:require|include)(?:_once)?\b[^"'\n;]{0,100}["']\/?([^"'\n]+)["']/g],
  [/\.exs$/, /\b(?:Code\.\w+_file|Path\.wildcard)\([^"\n]{0,100}"([^"\n]+)"/g],
];
/** `path.join(__dirname, 'test', 'setup.js')`, also as other languages have it. */
const joined =
  /\b(?:join|resolve)\((?:[^,"'()\n]{0,100}(?:\([^()\n]{0,100}\))?,)?(\s*(?:"[^"\n]*"|'[^'\n]*')(?:\s*,\s*(?:"[^"\n]*"|'[^'\n]*'))*)\s*\)/g;

/** The text with one literal in place of each path that it joins. */
export function withJoinedPaths(text: string): string {
  return text.replace(
    joined,
    (_, words: string) => `'./${[...words.matchAll(/["']([^"'\n]*)["']/g)].map(([, one]) => one).join('/')}'`,
  );
}

/** A command line. */
export interface StartText {
  text: string;
  /** Folders from which it names files, relative to the root. */
  bases: readonly string[];
  /** It is the command of the gate. Programs that it names itself may be test files, so only what these start is found. */
  isCommand?: boolean;
}

/** Whether a file has the place or the name of a test file. A command that starts a test file does not make a configuration of it. */
export function isTestFile(file: string): boolean {
  return /(?:^|\/)(?:tests?|specs?|__tests__)\//.test(file) || hasTestName(file);
}

export function hasTestName(file: string): boolean {
  // `scripts/test.sh` and `conf/test.env` are no tests, but `test.js` in the root is one.
  if (/\.(?:\w*sh|env)$/.test(file)) return false;
  return (
    /[._-](?:test|spec)\.\w+$|(?:^|\/)test_[^/]+\.(?:py|rb)$|(?:Tests?|Spec)\.(?:php|java|kt|groovy|scala|cs|fs|vb)$/.test(
      file,
    ) ||
    (/(?:^|\/)(?:tests?|specs?)\.\w+$/.test(file) && sourceFolder.test(path.posix.dirname(file)))
  );
}

export interface ProjectFiles {
  /** The file that a name leads to, relative to the root; null: none of the project. `isPath`: the name is no module. */
  find(name: string, base: string, isPath?: boolean): string | null;
  /** The files that match a glob. */
  match(glob: string, base: string): string[];
  /** '' if it cannot be read. */
  read(file: string): string;
  /** Modules that were followed, each with the folder of its program. */
  visited: Set<string>;
}

/** Most characters of scripts, also of shell scripts. They take about a second. */
const maxTexts = 262_144;

/**
 * The files, relative to the root.
 * @throws {TreeError} if the scripts are too long
 */
export function startedPrograms(texts: readonly StartText[], files: ProjectFiles): Set<string> {
  const found = new Set<string>();
  const read = new Set<string>();
  const waiting = [...texts];
  const products = new Set<string>();
  let length = 0;
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const { bases, isCommand = false } = at;
    length += at.text.length;
    if (length > maxTexts) throw new TreeError(`the scripts of the command are longer than ${maxTexts} characters`);
    for (const text of recipesOf(at, files)) waiting.push({ text, bases });
    for (const makefile of makefilesOf(at, files)) {
      if (makefile.isIncluded) found.add(makefile.file);
      for (const { targets } of rulesOf(makefile.text)) for (const one of targets) products.add(one);
      for (const [, value = ''] of makefile.text.matchAll(interpreter))
        waiting.push({ text: value.replace(/["'[\],]/g, ' '), bases });
    }
    for (const file of valuesOf(at, files)) found.add(file);
    for (const file of programsOf(at, files)) {
      // make builds it.
      if (products.has(file)) continue;
      if (!isCommand) found.add(file);
      if (read.has(file)) continue;
      read.add(file);
      const text = files.read(file);
      const folder = path.posix.dirname(file);
      if (shell.test(file) || shell.test(text)) waiting.push({ text: text.replace(ownFolder, './'), bases: [...bases, folder] });
      for (const one of modulesOf(file, files)) found.add(one);
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

/**
 * Keys, options and variables whose value says which files are tests or source, or where results are written. They do not change what
 * a test means.
 */
const others = [
  '(?:test_?|spec_?|python_)(?:files?|match|regex|paths?|path_?patterns?|dir)|files|specs?|spec_?pattern',
  'include|exclude|remove|update|\\w{0,40}ignore\\w{0,40}|deselect|grep|filter|testNamePattern|collectCoverageFrom',
  'cov(?:erage)?(?:[.-](?!customProvider)\\w{1,40}){0,3}|cov-report|cover(?!\\w{0,40}(?:provider|reporter))\\w{0,40}|\\w{0,20}profile|\\w{1,20}_app|app',
  'entry|entries|inputs?(?:Spec|File)?|exports|readme|license|lock|omit|tasks|tsBuildInfoFile|cache\\w{0,40}',
  '(?:[\\w.-]{0,40}[._-])?(?:output|out|log|cache|results?|snapshots?)(?:[_.-]?(?:name|file|dir|directory|folder|location|path)){0,3}',
  '(?:[\\w.-]{0,40}[._-])?(?:report(?!er)|junit)\\w{0,40}|mocha_file',
].join('|');
const isOther = new RegExp(`^-{0,2}D?(?:tests?|${others})$`, 'i');
/** A text in which such a key precedes its value. */
export const otherKeys = new RegExp(`["']?(?<!\\w|\\w-)(?:${others})(?:["']?\\s*[:=]\\s*|>|(?<=--[\\w-]+)[ \\t]+)`, 'gi');

/** Options of runners without a value. */
const flags =
  /^(?:-[AESabiqsvxwy]+|--(?:(?:allow|disable|enable|experimental|forbid|no|show|strict|with)-\S+|all|bail|check-leaks|ci|color|coverage|debug|detectOpenHandles|exit|force|forceExit|full-trace|harmony|inline-diffs|only|parallel|passWithNoTests|quiet|recursive|run|runInBand|runTestsByPath|silent|sort|strict|test|trace|update|updateSnapshot|verbose|watch))$/;
/** Programs that check the source, or translate it. They run no tests, and their options name source. */
const compilers = new Set(
  [
    'ar as biome black buf cc clang clang++ esbuild eslint flake8 g++ gcc golangci-lint isort javac kotlinc ld mypy oxlint prettier',
    'protoc pylint pyright rollup rubocop ruff rustc sass sqlc standard stylelint swc tsc webpack xo',
    'chmod cmp cp curl diff docker echo find git grep install ln ls mkdir mv printf rm sed tar test touch unzip wget zip [',
  ].flatMap((line) => line.split(' ')),
);
const starters = /^(?:bundle|bunx|cross-env|env|exec|npx|pnpm|poetry|run|sudo|time|uv|yarn)$/;
const readers = /^(?:\.|cat|head|source|tail|xargs)$/;
const shellWord = /(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s;&|<>()'"`\\])+|[;&|<>()`]+|\n/g;
/** Folders in which programs and data of the runtime are searched. */
const searched = /^(?:PATH|LD_LIBRARY_PATH|DYLD_\w*PATH|NODE_ICU_DATA|--icu-data-dir)$/;

const pythonModules = /^PYTEST_PLUGINS$/;

/** The files that a command line names as the value of an option or a variable, as its input, or as a list of arguments. */
function valuesOf({ text, bases }: StartText, files: ProjectFiles): string[] {
  const found: string[] = [];
  const add = (key: string, value: string, mayBeTest: boolean): void => {
    if (isOther.test(key)) return;
    const isLeftOut = mayBeTest ? isTestFile : hasTestName;
    for (const base of bases) {
      if (pythonModules.test(key)) found.push(...value.split(',').flatMap((name) => files.find(name, base) ?? []));
      for (const name of pathsIn(value))
        found.push(
          ...([files.find(name, base, true)].filter((file) => file !== null && isSetup(file) && !isLeftOut(file)) as string[]),
        );
      if (!searched.test(key)) continue;
      for (const folder of value.split(':').filter((one) => /^\.?[\w]/.test(one) || one.startsWith('./')))
        found.push(...files.match(`${folder.replace(/\/$/, '')}/**`, base).filter((file) => isSetup(file) && !isTestFile(file)));
    }
  };
  let program: string | null = null;
  let option: string | null = null;
  let printed: string[] = [];
  for (const [token] of text.replace(/\\\n/g, ' ').matchAll(shellWord)) {
    const word = /^[;&|<>()`\n]/.test(token) ? token : token.replace(/\\(.)|(["'])/g, '$1');
    const [, key, value] = /^(-{1,2}[A-Za-z][\w.-]*|[A-Za-z_]\w*)[=:](.*)$/s.exec(word) ?? [];
    const before = option;
    option = null;
    if (/^[<>]/.test(token)) option = token;
    // Nothing reads a file that is only written to another one.
    if (token.startsWith('>')) printed = [];
    else if (/^[;&|()`\n]/.test(token)) {
      for (const one of printed.splice(0)) add('', one, true);
      program = null;
    } else if (token.startsWith('<') || before?.startsWith('>')) continue;
    else if (before === '<') add('', word, false);
    else if (word.startsWith('@')) add('', word.slice(1), false);
    else if (program !== null && compilers.has(program)) continue;
    else if (key !== undefined) add(key, value as string, false);
    else if (word.startsWith('-')) {
      if (/^-[A-Za-z].*[./]/.test(word)) add(word.slice(0, 2), word.slice(2), false);
      else if (!flags.test(word)) option = word;
    } else if (before !== null) add(before, word, true);
    else if (readers.test(program ?? '')) printed.push(word);
    else if (program === null || starters.test(program)) program = path.posix.basename(word);
  }
  for (const one of printed) add('', one, true);
  return found;
}

/** Words of a text that can be paths, without a variable for a folder in front. */
export function pathsIn(text: string): string[] {
  const plain = text.replace(/(?:\$\{?[A-Za-z_][\w.]*\}?|\$\([\w.]+\)|[{#]{1,2}\w[\w.]*\}|<rootDir>|%\(\w+\)s)[\\/]?/g, './');
  const words = plain.split(/[\s"'`,;:=|&()[\]{}<>]+/).filter((word) => word.length < maxPath);
  const paths = words.map((word) => word.replace(/\\{1,2}(?=\w)/g, '/').replace(/^(?:-[A-Za-z]|@)(?=[\w.-]*[./])/, ''));
  return [...new Set(paths)].filter((word) => /[\w-]\.\w|\w\/\w|^\.\.?\/\w/.test(word));
}

/** Documentation, descriptions of interfaces, data and results, by their names. */
const otherFile =
  /(?:^|\/)(?:package\.json|index\.html|licen[cs]e[^/]*|(?:openapi|swagger)[^/]*|config\/(?:application|boot|environment)\.rb|[^/]*\.(?:md|rst|d\.[cm]?ts|proto|graphql|sql|db|sqlite3?|log|lcov|pid|sock|snap|tsbuildinfo))$/i;

/** Whether a file can be part of the set-up of a run: no source, no documentation. */
export function isSetup(file: string): boolean {
  if (otherFile.test(file)) return false;
  const folder = path.posix.dirname(file);
  return folder === '.' || !sourceFolder.test(folder);
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

function makefilesOf({ text, bases }: StartText, { find, match, read }: ProjectFiles): Makefile[] {
  const found = new Map<string, Makefile>();
  const looked = new Set<string>();
  const add = (name: string, base: string, isIncluded: boolean): void => {
    if (looked.has(name) || looked.size === maxMakefiles) return;
    looked.add(name);
    if (name.includes('*')) for (const one of match(name, base)) add(one, '.', isIncluded);
    const file = find(name, base);
    if (file === null || found.has(file)) return;
    const makefile = { file, text: read(file), isIncluded };
    found.set(file, makefile);
    const fill = filling(makefile.text);
    for (const [, names = ''] of makefile.text.matchAll(include))
      for (const one of fill(names.slice(0, maxLine).replace(/\$\(wildcard ([^)]*)\)/g, '$1'))
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

interface Rule {
  targets: string[];
  needs: string[];
  recipe: string;
}

function rulesOf(text: string): Rule[] {
  return [...`${text}\n\n`.matchAll(rule)].map(([, targets = '', needs = '', recipe = '']) => ({
    targets: targets.split(/[ \t]+/),
    needs: needs
      .replace(/[;#].*/, '')
      .trim()
      .split(/[ \t]+/),
    recipe: `${/;(.*)/.exec(needs)?.[1] ?? ''}\n${recipe}`.replace(/\\\n/g, ' '),
  }));
}

function recipesIn(makefileText: string, goals: readonly string[]): string[] {
  const rules = rulesOf(makefileText);
  const first = rules.find(({ targets: [name] }) => name?.startsWith('.') !== true);
  const wanted = new Set(goals.length > 0 ? goals : first?.targets);
  for (const target of wanted)
    for (const { targets, needs } of rules) if (targets.includes(target)) for (const need of needs) wanted.add(need);
  const lines = rules.filter(({ targets }) => targets.some((one) => wanted.has(one))).flatMap(({ recipe }) => recipe.split('\n'));
  const filled = filling(makefileText);
  const commands = lines.slice(0, maxLines).map((line) => line.trim().replace(/^[@+-]+/, ''));
  return commands.map((line) => (line.length < maxLine ? filled(filled(line)) : line));
}

/** Puts the values of variables into a line. */
function filling(text: string): (line: string) => string {
  const values = new Map([...text.matchAll(assignment)].map(([, name, value]) => [name as string, value as string]));
  return (line) => {
    const filled = line.replace(/\$\((\w+)\)|\$\{(\w+)\}|\{\{ ?(\w+) ?\}\}/g, (whole, ...names) => {
      const value = (values.get(names.slice(0, 3).find((name) => name !== undefined)) ?? whole).slice(0, maxValue);
      return /^'.*'$|^".*"$/.test(value) ? value.slice(1, -1) : value;
    });
    return filled.length > maxLine ? line : filled;
  };
}

/** Modules beside a program, or in a folder beside it. A program among the source loads the code under test, which may change. */
export function modulesOf(program: string, { find, match, read, visited }: ProjectFiles): string[] {
  const folder = path.posix.dirname(program);
  if (sourceFolder.test(folder)) return [];
  const named = (name: string, file: string): string[] => {
    const beside = path.posix.dirname(file);
    if (name.includes('*')) return [beside, '.'].flatMap((base) => match(name, base));
    // `File.expand_path('../support/a', __FILE__)` of Ruby starts at the file.
    return [find(name, beside) ?? find(name, '.') ?? (file.endsWith('.rb') ? find(name, file) : null)].filter(
      (one) => one !== null,
    );
  };
  const found = new Set<string>();
  const waiting = [program];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    const [, loads] = modules.find(([ending]) => ending.test(file as string)) ?? [];
    if (loads === undefined || visited.has(`${folder}\0${file}`)) continue;
    visited.add(`${folder}\0${file}`);
    for (const [, name = ''] of withJoinedPaths(read(file)).matchAll(loads))
      for (const module of named(name, file)) {
        if (found.has(module) || hasTestName(module) || !module.startsWith(`${folder}/`)) continue;
        found.add(module);
        waiting.push(module);
      }
  }
  return [...found];
}
