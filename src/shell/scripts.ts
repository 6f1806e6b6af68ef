// A script has many spellings: `./deploy.sh`, `deploy.sh`, `bash deploy.sh`, `. scripts/../deploy.sh`, `cd scripts && ../deploy.sh`.
// For deny and ask rules all of them are a run of the same file.
import path from 'node:path';
import { basename } from './targets.ts';

/** Takes the place of the interpreter. Parentheses cannot be part of the name of a program in a command text. */
export const SCRIPT = '(script)';

/** Programs that run the file in their words. */
const INTERPRETER =
  /^(?:\.|source|(?:ba|da|z|mk|k|a)?sh|fish|pwsh|(?:python|pypy|ruby|perl|php|lua|node)[\d.]*|nodejs|tsx|ts-node|bun|deno|py|Rscript|julia)$/;
/** Words of an interpreter that may be the file. Options come before it, and some of them have a value. */
const MOST_CANDIDATES = 4;
const LONGEST = 200;

/** Folders of the system contain programs and no scripts of a project. */
const isCandidate = (word: string | null): word is string =>
  word !== null && word !== '' && word.length <= LONGEST && !/\s/.test(word) && !/^(?:-|\/(?:usr|bin|sbin)\/)/.test(word);

/** The words of a command that may be a script, with their places. */
function candidates(argv: readonly (string | null)[]): [number, string][] {
  const [name] = argv;
  if (!name) return [];
  const places = argv.flatMap((word, at): [number, string][] => (isCandidate(word) ? [[at, word]] : []));
  if (INTERPRETER.test(basename(name))) return places.filter(([at]) => at > 0).slice(0, MOST_CANDIDATES);
  return /[/.]/.test(name) ? places.filter(([at]) => at === 0) : [];
}

/** The words of a rule as a run of a script. null: it names none. */
export function scriptRule(argv: readonly string[]): string[] | null {
  const found = candidates(argv).find(([, word]) => /[./]/.test(word)) ?? candidates(argv).find(([at]) => at === 1);
  return found === undefined ? null : [SCRIPT, path.posix.normalize(found[1]), ...argv.slice(found[0] + 1)];
}

/**
 * The words of a command as a run of a script: as written, and relative to the folder of the text and each folder above it, if the
 * shell works in one of `cwds`.
 */
export function scriptCalls(
  argv: readonly (string | null)[],
  folder: string,
  cwds: readonly string[] = [folder],
): (string | null)[][] {
  return candidates(argv).flatMap(([at, word]) => {
    const absolute = [...new Set(cwds.map((cwd) => path.posix.resolve(cwd, word)))];
    const names = [path.posix.normalize(word), ...absolute, ...absolute.flatMap((one) => relativeToParents(one, folder))];
    return [...new Set(names)].map((name) => [SCRIPT, name, ...argv.slice(at + 1)]);
  });
}

/** The path relative to the folder, and to each folder above it that contains the path. */
function relativeToParents(file: string, folder: string): string[] {
  const relative: string[] = [];
  for (let at = folder; at !== '/'; at = path.posix.dirname(at))
    if (file.startsWith(`${at}/`)) relative.push(file.slice(at.length + 1));
  return relative;
}
