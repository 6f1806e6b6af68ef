// A sign: a file whose presence or content shows which tools a project uses.
import type { ProjectFiles } from './files.ts';

export interface Sign {
  /** Name relative to the root. `*` matches any characters but a slash, and `**` matches any folders. */
  file: string;
  /** The text must match this; absent: the file alone is enough. */
  holds?: RegExp;
}

/** The first file that shows one of the signs; null: none. */
export function findSign(files: ProjectFiles, signs: readonly Sign[]): string | null {
  for (const { file, holds } of signs) {
    const found = namesLike(files, file).find((name) => holds === undefined || holds.test(files.text(name) ?? ''));
    if (found !== undefined) return found;
  }
  return null;
}

/** The names that match a pattern of a sign. */
export function namesLike(files: ProjectFiles, pattern: string): string[] {
  const expression = starPattern(pattern);
  return files.names.filter((name) => expression.test(name));
}

/** `*`: no slash; `**` and a slash: any folders. */
export function starPattern(pattern: string): RegExp {
  const text = pattern
    .split(/(\*\*\/|\*)/)
    .map((part) => (part === '*' ? '[^/]*' : part === '**/' ? '(?:.*/)?' : part.replace(/[.+?^${}()|[\]\\]/g, '\\$&')))
    .join('');
  return new RegExp(`^${text}$`);
}
