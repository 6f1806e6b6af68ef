// The files of a project that a command line runs, as far as its words name them.
import path from 'node:path';

/** Programs that run the file named first; what stands before it are options. */
const interpreters = /^(node|bun|deno|tsx|ts-node|python3?|ruby|perl|php|bash|sh|dash|zsh|ksh|source|\.)$/;

/** Programs that run what stands in a file of a fixed name. */
const manifests: ReadonlyMap<string, string> = new Map([
  ['npm', 'package.json'],
  ['pnpm', 'package.json'],
  ['yarn', 'package.json'],
  ['make', 'Makefile'],
  ['just', 'justfile'],
]);

/** Of a command or the pattern of a Bash rule. Relative to the project's root, settled; empty where the command's program is found elsewhere. `folder`: where it runs, in the project. */
export function scriptsOf(command: string, folder: string | null = null): string[] {
  const words = command.trim().replace(/:\*$/, '').split(/\s+/);
  const [program = ''] = words;
  const named = interpreters.test(program) ? words.slice(1).find((word) => !word.startsWith('-')) : program;
  const file =
    manifests.get(program) ?? (named?.includes('/') || (named !== program && named?.includes('.')) ? named : undefined);
  // A word with a meaning of its own to the shell is not what it looks like.
  if (file === undefined || /^[/~]|[*?[\]{}$'"\\;|&<>]/.test(file)) return [];
  const settled = path.posix.normalize(path.posix.join(folder ?? '', file));
  return settled.startsWith('..') ? [] : [settled];
}
