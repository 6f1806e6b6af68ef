// Every mistake of several policies: OPA's compiler ends at the first stage that fails, so what is whole is looked at again without the rest.
import type { Problem } from '../../model/problem.ts';
import type { Modules } from '../compiler/types.ts';

/**
 * What `look` finds in all modules, then in those that are left without the files with errors and all that name their packages, until
 * nothing new is found. Without the latter what is sound itself would be blamed for what was taken away.
 */
export async function everyMistake(modules: Modules, look: (modules: Modules) => Promise<Problem[]>): Promise<Problem[]> {
  const found: Problem[] = [];
  for (let left = modules; Object.keys(left).length > 0; ) {
    const now = await look(left);
    found.push(...now);
    const rest = withoutBroken(left, now);
    if (Object.keys(rest).length === Object.keys(left).length) break;
    left = rest;
  }
  return found;
}

/** The modules that neither have an error nor depend on one that has; what is found in a file by its name alone counts too. */
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

/** The last part of a module's package, as far as it can be told from a text that may not parse; '' where it cannot. */
function packageName(text: string): string {
  return /^[ \t]*package\s[^\n#]*?(\w+)["\]\s]*(?:#.*)?$/m.exec(text)?.[1] ?? '';
}

function mentions(text: string, name: string): boolean {
  return name !== '' && new RegExp(`\\b${name}\\b`).test(text);
}
