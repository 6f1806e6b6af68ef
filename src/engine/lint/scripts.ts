// Finds the project files that define what a command line does, as far as its words name them.
import path from 'node:path';
import { analyse } from '../../shell/analyse.ts';
import { isInterpreter } from '../../shell/interpreters.ts';
import { isKnown, type Naming, namingOf } from './script-options.ts';

/** Programs that run another program, which follows these words. */
const starters =
  /^(npx|bunx|pnpx|npm|pnpm|yarn|uv|uvx|poetry|pipenv|pdm|hatch|rye|cross-env|env-cmd|dotenv|dotenvx|c8|nyc|bundle|coverage)$/;
const between = /^(run|exec|dlx|x|tool|test|--|[A-Za-z_]\w*=.*)$/s;
/** Interpreters with such words. */
const subcommands: ReadonlySet<string> = new Set(['deno', 'bun']);
/** After these options comes code, or the name of a module with its own arguments. */
const inline = /^(-[a-zA-Z]*[cem]|-p|--eval|--print)$/;

/** Programs that run the content of a file with a fixed name. */
const manifests: ReadonlyMap<string, string> = new Map([
  ['npm', 'package.json'],
  ['pnpm', 'package.json'],
  ['yarn', 'package.json'],
  ['make', 'Makefile'],
  ['just', 'justfile'],
  ['invoke', 'tasks.py'],
  ['inv', 'tasks.py'],
]);

/** Variables with options or file names for the program that is started. */
const steering = /(?:^|[\s;&|({])\w*(?:OPTIONS|OPTS?|FLAGS|CONFIG|RC|RCFILE|ENV|FILES|SETTINGS|SHELL)=("[^"]*"|'[^']*'|\S*)/g;
/** A package manager passes on the words after `--`. Short options there belong to a test runner. */
const handedOn: ReadonlySet<string> = new Set(['-c', '-p', '-r', '-f']);

/** Files and folders that define a command line, relative to the project's root and normalized. */
export interface Defined {
  /** Files that it runs, or that configure it. */
  scripts: string[];
  /** Folders that it works in, and paths that are either a configuration file or a folder of such files. */
  folders: string[];
  /** Files, and folders with their whole content. */
  trees: string[];
}

/** The files of one command, or of the pattern of a Bash rule. Relative to the project's root and normalized. */
export function scriptsOf(command: string): string[] {
  return settled(filesOf(plainOf(command).split(/\s+/)), ['']);
}

/**
 * The same for a whole command line, or a pattern of one.
 * @param folder the folder in the project where it runs
 */
export function definedBy(line: string, folder: string | null): Defined {
  const commands = analyse(plainOf(line), { cwd: '/', home: '/' }).commands.map(({ argv }) => argv.map((word) => word ?? '$'));
  const folders = [path.posix.normalize(folder ?? '.').replace(/\/$/, '')];
  for (const words of commands)
    for (const one of settled(foldersOf(words), folders)) if (!folders.includes(one)) folders.push(one);
  const steered = [...line.matchAll(steering)].flatMap(([, value = '']) => pathsIn(value.replace(/^["']|["']$/g, '')));
  const scripts = settled([...commands.flatMap(filesOf), ...steered], folders);
  const trees = settled(commands.flatMap(treesOf), folders);
  const either = settled(commands.flatMap(eitherOf), folders);
  return { scripts, folders: [...new Set([...folders, ...either])], trees };
}

/** Removes the end of a pattern that matches more words. */
function plainOf(pattern: string): string {
  return pattern.trim().replace(/:\*$/, '');
}

/** Files that the words of one command name, as they are written. */
function filesOf(words: readonly string[]): string[] {
  const [first = ''] = words;
  const program = path.posix.basename(first);
  const manifest = manifests.get(program);
  return [
    ...(first.includes('/') ? [first] : []),
    ...(manifest === undefined ? [] : [manifest]),
    ...namedBy(words, 'files').filter(looksLikeFile),
    ...(manifests.has(program) ? valuesOf(words, new Set(['-f'])) : []),
    ...namedBy(words, 'commands').flatMap(pathsIn),
    ...(manifest === undefined ? [] : valuesOf(wordsAfterDashes(words), handedOn).filter(looksLikeFile)),
    ...startedBy(words),
  ];
}

function treesOf(words: readonly string[]): string[] {
  // Python looks up a module in the working folder before the installed packages.
  const modules = namedBy(words, 'modules').map((name) => name.replaceAll('.', '/'));
  return [...namedBy(words, 'trees'), ...modules.flatMap((name) => [name, `${name}.py`])];
}

/** Values of options of one kind: options of this program, or of a program that it starts. */
function namedBy(words: readonly string[], kind: keyof Naming): string[] {
  const names = words.map((word) => path.posix.basename(word));
  const [first = ''] = names;
  const isStarter = starters.test(first) || isInterpreter(first);
  const programs = [first, ...(isStarter ? names.slice(1).filter(isKnown) : [])];
  return [...new Set(programs)].flatMap((program) => valuesOf(words, namingOf(program)[kind]));
}

function wordsAfterDashes(words: readonly string[]): readonly string[] {
  const at = words.indexOf('--');
  return at === -1 ? [] : words.slice(at + 1);
}

/** Words of a text that look like file names. */
function pathsIn(text: string): string[] {
  return text.split(/[\s=]+/).filter(looksLikeFile);
}

function foldersOf(words: readonly string[]): string[] {
  const [program = ''] = words;
  const entered = program === 'cd' || program === 'pushd' ? words.slice(1).filter((word) => !word.startsWith('-')) : [];
  return [...entered, ...namedBy(words, 'folders')];
}

/** A name without extension may be a folder with the usual files of the program. */
function eitherOf(words: readonly string[]): string[] {
  return namedBy(words, 'files').filter((word) => path.posix.extname(word) === '');
}

/** Files that an interpreter gets: by its options, and the first word after them. */
function startedBy(words: readonly string[]): string[] {
  const names = words.map((word) => path.posix.basename(word));
  let at = 0;
  if (starters.test(names[0] ?? '')) {
    at = 1;
    while (at < words.length && (between.test(words[at] as string) || words[at]?.startsWith('-'))) at++;
    const inner = words[at];
    if (inner !== undefined && !isInterpreter(names[at] as string)) return looksLikeFile(inner) ? [inner] : [];
  }
  if (!isInterpreter(names[at] ?? '')) return [];
  const found: string[] = at === 0 ? [] : [words[at] as string].filter((word) => word.includes('/'));
  let isValue = false;
  for (const word of words.slice(at + 1)) {
    if (inline.test(word)) break;
    if (word.startsWith('-')) {
      const [, value = ''] = /^--?[\w-]+=(.*)$/s.exec(word) ?? [];
      if (looksLikeFile(value)) found.push(value);
      isValue = word !== '--';
      continue;
    }
    if (subcommands.has(names[at] ?? '') && between.test(word)) continue;
    if (!isValue || looksLikeFile(word)) found.push(word);
    if (!isValue) break;
    isValue = false;
  }
  return found;
}

/** Values of these options: the next word, or joined to the option. */
function valuesOf(words: readonly string[], options: ReadonlySet<string>): string[] {
  return words.flatMap((word, at) => {
    if (options.has(word)) return words[at + 1] ?? [];
    const [, name = '', value = ''] = /^(--?[\w-]+)=(.*)$/s.exec(word) ?? /^(-[a-zA-Z])(.+)$/s.exec(word) ?? [];
    return options.has(name) ? value : [];
  });
}

function looksLikeFile(word: string): boolean {
  return /[./]/.test(word);
}

/** Resolves names against each of these folders. Words with shell syntax are left out, since their text is not their value. */
function settled(names: readonly string[], folders: readonly string[]): string[] {
  const plain = names.filter((name) => name !== '' && !/^[/~]|[*?[\]{}$'"\\;|&<>]/.test(name));
  const all = plain.flatMap((name) =>
    folders.map((folder) => path.posix.normalize(path.posix.join(folder, name)).replace(/\/$/, '')),
  );
  return [...new Set(all)].filter((name) => name !== '..' && !name.startsWith('../'));
}
