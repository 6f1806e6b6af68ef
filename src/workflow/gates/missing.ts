// Files, folders and scripts that the command of a gate needs and that do not exist. A gate with such a command cannot open.
import fs from 'node:fs';
import path from 'node:path';
import type { Requirement } from '../../model/requirement.ts';
import { readRegularText } from '../../platform/read-file.ts';
import { analyse } from '../../shell/analyse.ts';
import { isInterpreter } from '../../shell/interpreters.ts';

const maxBytes = 1_048_576;

/** Programs that run a script by its name, from the first of these files that exists. */
interface Manifest {
  files: readonly string[];
  /** The names in the words after the program. Names that may be something else than a script are left out. */
  named: (words: readonly string[]) => readonly string[];
  /** null: it cannot be told. */
  has: (text: string, name: string, folder: string) => boolean | null;
}

const RUN = /^(?:run|run-script|rum|urn)$/;

/** `npm run NAME`, `npm test`. */
function packageScript(words: readonly string[]): readonly string[] {
  if (words.includes('--if-present')) return [];
  const [verb = '', ...rest] = words.filter((word) => !word.startsWith('-') || word === '--');
  if (/^(?:test|t|tst)$/.test(verb)) return ['test'];
  return RUN.test(verb) && rest[0] !== undefined && rest[0] !== '--' ? [rest[0]] : [];
}

function hasScript(text: string, name: string): boolean {
  const { scripts } = JSON.parse(text) as { scripts?: { [name: string]: unknown } | null };
  return Object.hasOwn(scripts ?? {}, name);
}

/** These also run an installed program by the same name. Nothing tells which ones a package manager will install. */
function hasScriptOrProgram(text: string, name: string, folder: string): boolean | null {
  if (hasScript(text, name) || name === 'test') return hasScript(text, name);
  const programs = path.join(folder, 'node_modules/.bin');
  return fs.existsSync(programs) ? fs.existsSync(path.join(programs, name)) : null;
}

function hasTarget(text: string, name: string, folder: string): boolean | null {
  const targets = [...text.matchAll(/^([^\t#:=\s][^#:=\n]*)::?(?!=)/gm)].flatMap(([, names]) =>
    (names as string).trimEnd().split(/\s+/),
  );
  if (targets.includes(name)) return true;
  // An included file, a variable or a pattern may define it, and a file of this name is up to date.
  const isOpen = /^[ \t]*-?s?include\b/m.test(text) || targets.some((one) => /[$%]|^\.DEFAULT/.test(one));
  return isOpen || fs.existsSync(path.join(folder, name)) ? null : false;
}

function hasRecipe(text: string, name: string): boolean | null {
  const recipes = [...text.matchAll(/^@?([\w-]+)(?:\s[^:\n]*)?:(?!=)/gm)].map(([, one]) => one);
  const isOpen = /^(?:import|mod|alias|set\s+fallback)\b/m.test(text) || name.includes(':');
  return recipes.includes(name) || (isOpen ? null : false);
}

const operands = (words: readonly string[]): readonly string[] =>
  words.some((word) => /^-[CfIo]|^--(?:directory|file|makefile|eval|justfile|working-directory)/.test(word))
    ? []
    : words.filter((word, at) => /^[\w.:/-]+$/.test(word) && !word.startsWith('-') && !/^-[jlE]$/.test(words[at - 1] ?? ''));

const packages = { files: ['package.json'], named: packageScript, has: hasScript };
const MANIFESTS: Readonly<Record<string, Manifest>> = {
  npm: packages,
  pnpm: packages,
  yarn: { ...packages, has: hasScriptOrProgram },
  // `bun test` is its own test runner, and `bun run` also takes the name of a file.
  bun: {
    ...packages,
    named: (words) => (words[0] === 'run' ? packageScript(words).filter((name) => !/[./]/.test(name)) : []),
    has: hasScriptOrProgram,
  },
  make: { files: ['GNUmakefile', 'makefile', 'Makefile'], named: operands, has: hasTarget },
  just: { files: ['justfile', 'Justfile', '.justfile'], named: (words) => operands(words).slice(0, 1), has: hasRecipe },
};

/** Options that name another folder or package. */
const ELSEWHERE = /^(?:--(?:prefix|dir|cwd|filter|workspaces?|workspace-root)(?:=|$)|-[CFwr]$|-ws$)/;

/** Says in a clause which part of the project the command needs and does not find; null: it needs none, or it finds it. */
export function missingFor(check: Requirement, root: string): string | null {
  if (!('command' in check)) return null;
  const folder = path.resolve(root, check.in ?? '.');
  if (check.in !== null && !isFolder(folder)) return `there is no folder ${check.in}`;
  const text = check.command.replace(/(?::\*| \*)$/, '');
  if (text.includes('*')) return null;
  for (const { argv } of analyse(text, { cwd: folder, home: '/' }).commands) {
    const words = argv.map((word) => word ?? '$');
    const why = missingProgram(words, folder, check.in) ?? missingScript(words, folder, check.in);
    if (why !== null) return why;
    // The next command may be in another folder.
    if (/^(?:cd|pushd)$/.test(words[0] ?? '')) return null;
  }
  return null;
}

function missingProgram([program = '', first = '']: readonly string[], folder: string, shown: string | null): string | null {
  const isOwn = program.includes('/') && /^[\w.@-][\w.@/-]*$/.test(program);
  const isScript = isInterpreter(program) && /^[\w.@][\w.@/-]*\.\w+$/.test(first);
  const name = isOwn ? program : isScript ? first : null;
  if (name === null || fs.existsSync(path.join(folder, name))) return null;
  return `there is no file ${path.posix.join(shown ?? '', name)}`;
}

function missingScript([program = '', ...words]: readonly string[], folder: string, shown: string | null): string | null {
  const manifest = Object.hasOwn(MANIFESTS, program) ? (MANIFESTS[program] as Manifest) : null;
  if (manifest === null || words.some((word) => ELSEWHERE.test(word))) return null;
  const names = manifest.named(words);
  if (names.length === 0) return null;
  const file = manifest.files.find((one) => fs.existsSync(path.join(folder, one)));
  const place = (one: string) => path.posix.join(shown ?? '', one);
  if (file === undefined) return `there is no ${place(manifest.files.at(-1) as string)}`;
  try {
    const text = readRegularText(path.join(folder, file), maxBytes);
    const gone = names.find((name) => manifest.has(text, name, folder) === false);
    return gone === undefined
      ? null
      : `${place(file)} has no ${program === 'make' || program === 'just' ? 'target' : 'script'} ${gone}`;
  } catch {
    return null;
  }
}

function isFolder(name: string): boolean {
  try {
    return fs.statSync(name).isDirectory();
  } catch {
    return false;
  }
}
