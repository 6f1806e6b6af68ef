// Finds every mistake of several policies. OPA's compiler ends at the first stage that fails, so valid modules are checked again
// without the others.
import type { Problem } from '../../model/problem.ts';
import type { Modules } from '../compiler/types.ts';

/**
 * Runs `look` on all modules. Then leaves out the files with errors and all files that name their packages, and runs it again,
 * until it finds nothing new. If the dependent files were kept, they would be reported for what is missing from the rest.
 */
export async function everyMistake(modules: Modules, look: (modules: Modules) => Promise<Problem[]>): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (let left = modules; Object.keys(left).length > 0; ) {
    const now = await look(left);
    problems.push(...now);
    const rest = withoutBroken(left, now);
    if (Object.keys(rest).length === Object.keys(left).length) break;
    left = rest;
  }
  return problems;
}

/**
 * Modules without an error that do not depend on a module with one. A problem that only names a file counts as an error of that
 * file.
 */
export function withoutBroken(modules: Modules, problems: readonly Problem[]): Modules {
  const failed = new Set(problems.filter(({ severity }) => severity === 'error').map(({ file }) => file));
  const broken = new Set(Object.keys(modules).filter((file) => failed.has(file)));
  for (let before = -1; before !== broken.size; ) {
    before = broken.size;
    const names = [...broken].map((file) => packageName(modules[file]!));
    for (const [file, text] of Object.entries(modules)) if (names.some((name) => mentions(text, name))) broken.add(file);
  }
  return Object.fromEntries(Object.entries(modules).filter(([file]) => !broken.has(file)));
}

/** The last part of a module's package, as far as it can be read from a text that may not parse; '' otherwise. */
function packageName(text: string): string {
  const names = /^[ \t]*package[ \t]([^\n#]*)/m.exec(text)?.[1]?.match(/\w+/g);
  return names?.at(-1) ?? '';
}

function mentions(text: string, name: string): boolean {
  return name !== '' && new RegExp(`\\b${name}\\b`).test(text);
}
