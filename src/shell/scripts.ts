// A script has many spellings: `./deploy.sh`, `bash deploy.sh`, `cd scripts && ../deploy.sh`, or `npm test`, `npm run test` and
// `yarn workspace a test` for one of a package. For deny and ask rules they are a run of the same script.
import path from 'node:path';
import type { BashCommand } from '../model/command.ts';
import { realOr } from '../platform/stat.ts';
import { isInterpreter } from './interpreters.ts';
import { basename } from './targets.ts';
import { asUsual } from './usual-words.ts';

type Words = readonly (string | null)[];

/** Stand for the interpreter, or the package manager. No usual program has this name, and one that has it can only match more rules. */
export const SCRIPT = '(script)';
const PACKAGE_SCRIPT = '(package-script)';

/** Stands for the words of a rule about a script, for a command that runs an unknown file. */
export const UNKNOWN_SCRIPT = `${SCRIPT} *`;

export const isScript = (word: string | null | undefined): boolean => word === SCRIPT || word === PACKAGE_SCRIPT;

/** Words of an interpreter, without the values of options, that may be the file: `deno run a.ts`. */
const MOST_CANDIDATES = 4;
const LONGEST = 200;

/** Folders of the system contain programs and no scripts of a project. */
const isCandidate = (word: string | null): word is string =>
  word !== null && word !== '' && word.length <= LONGEST && !/\s/.test(word) && !/^(?:-|\/(?:usr|bin|sbin)\/)/.test(word);

/** The words of a command that may be a script, with their places. */
function candidates(argv: Words): [number, string][] {
  const [name] = argv;
  if (!name) return [];
  const places = argv.flatMap((word, at): [number, string][] => (isCandidate(word) ? [[at, word]] : []));
  if (isInterpreter(basename(name))) {
    // A word after an option may be its value.
    let operands = 0;
    return places.filter(([at]) => at > 0 && (argv[at - 1]?.startsWith('-') || ++operands <= MOST_CANDIDATES));
  }
  return /[/.]/.test(name) ? places.filter(([at]) => at === 0) : [];
}

/** The place of the first word that is not an option. */
function firstOperand(words: Words, from: number, valued: ReadonlySet<string>): number {
  let at = from;
  while (words[at]?.startsWith('-')) at += valued.has(words[at] as string) ? 2 : 1;
  return at;
}

/** Package managers that run a script of the project by its name alone: their own subcommands, and options with a value. */
const MANAGERS: Readonly<Record<string, { own: RegExp; valued: ReadonlySet<string> }>> = {
  // npm runs only these by their name alone.
  npm: { own: /^(?!(?:t|tst|test|start|stop|restart)$)/, valued: new Set(['--prefix', '-C', '-w', '--workspace']) },
  pnpm: {
    own: /^(?:access|add|adduser|approve-builds|audit|bin|bugs|c|cache|cat-file|cat-index|ci|clean-install|completion|config|create|dedupe|deploy|deprecate|dist-tag|dlx|docs|doctor|env|exec|fetch|find-hash|get|help|i|ic|ignored-builds|import|info|init|install|install-clean|install-test|it|la|licenses|link|list|ll|ln|login|logout|ls|multi|outdated|owner|pack|patch|patch-commit|patch-remove|ping|pkg|profile|prune|publish|rb|rebuild|recursive|remove|rm|root|run|run-script|search|self-update|server|set|setup|show|star|store|team|token|un|uninstall|unlink|unpublish|up|update|upgrade|version|view|whoami|why|x)$/,
    valued: new Set(['-C', '--dir', '-F', '--filter', '--reporter', '--loglevel']),
  },
  yarn: {
    own: /^(?:access|add|audit|autoclean|bin|cache|check|config|constraints|create|dedupe|dlx|exec|explain|generate-lock-entry|global|help|import|info|init|install|licenses|link|list|lockfile|login|logout|node|npm|outdated|owner|pack|patch|patch-commit|plugin|policies|publish|rebuild|remove|run|search|set|stage|tag|team|unlink|unplug|up|upgrade|upgrade-interactive|version|versions|why|workspace|workspaces)$/,
    valued: new Set(['--cwd']),
  },
  bun: {
    own: /^(?:a|add|audit|build|c|create|exec|i|info|init|install|link|outdated|patch|patch-commit|pm|publish|remove|repl|rm|run|test|unlink|update|upgrade|why|x)$/,
    valued: new Set(['--cwd', '--filter', '-F']),
  },
};

/** `yarn workspace NAME …` and `yarn workspaces foreach …` run the rest of their words in other folders. */
const FOREACH = new Set(['--from', '--include', '--exclude', '-j', '--jobs']);

/** The words of a package manager as a run of a script, and its words without the workspace. */
function ofPackages(given: Words): (string | null)[][] {
  const [manager, ...rest] = asUsual(given);
  if (!manager || !Object.hasOwn(MANAGERS, manager)) return [];
  const { own, valued } = MANAGERS[manager]!;
  const at = firstOperand(rest, 0, valued);
  const inFront = rest.slice(0, at);
  let words = rest.slice(at);
  if (manager === 'yarn' && words[0] === 'workspace') words = words.slice(2);
  else if (manager === 'yarn' && words[0] === 'workspaces' && /^(?:foreach|run)$/.test(words[1] ?? ''))
    words = words.slice(firstOperand(words, 2, FOREACH));
  const [first, ...others] = words;
  if (!first) return [];
  const isRun = /^(?:run|run-script|rum|urn)$/.test(first);
  const name = first === 't' || first === 'tst' ? 'test' : first;
  const script = isRun ? others : own.test(first) ? [] : [name, ...others];
  const isNamed = firstOperand(script, 0, valued) < script.length;
  const isShorter = words.length < rest.length - at;
  return [...(isNamed ? [[PACKAGE_SCRIPT, manager, ...script]] : []), ...(isShorter ? [[manager, ...inFront, ...words]] : [])];
}

/** The words of a rule as a run of a script. null: it names none. */
export function scriptRule(argv: readonly string[]): string[] | null {
  const ofPackage = ofPackages(argv).find(([name]) => name === PACKAGE_SCRIPT);
  if (ofPackage !== undefined) return ofPackage as string[];
  const found = candidates(argv).find(([, word]) => /[./]/.test(word)) ?? candidates(argv).find(([at]) => at === 1);
  return found === undefined ? null : [SCRIPT, path.posix.normalize(found[1]), ...argv.slice(found[0] + 1)];
}

/** The paths that a name has through links, copies and moves of the same text, which may follow each other. null: too many. */
function formerNames(names: readonly string[], { renamed }: Pick<BashCommand, 'renamed'>): string[] | null {
  const all = new Set(names);
  const known = renamed?.() ?? [];
  for (const one of all)
    for (const { name, path: former } of known) {
      if (former === null || (one !== name && !one.startsWith(`${name}/`))) continue;
      if (all.size > MOST_FORMER) return null;
      all.add(former + one.slice(name.length));
    }
  return [...all];
}
const MOST_FORMER = 50;

/**
 * The words of a command as a run of a script: as written, and relative to the folder of the text and each folder above it, if the
 * shell works in one of `cwds`. A link to the script, and a copy that the same text makes, are other names of it.
 */
export function scriptCalls(
  argv: Words,
  folder: string,
  command: Pick<BashCommand, 'cwds' | 'renamed'> = {},
): (string | null)[][] {
  const { cwds = [folder] } = command;
  const ofFiles = candidates(argv).flatMap(([at, word]) => {
    const named = formerNames(
      cwds.map((cwd) => path.posix.resolve(cwd, word)),
      command,
    );
    if (named === null) return [[SCRIPT, null]];
    const absolute = [...new Set([...named, ...named.map(realOr)])];
    const names = [path.posix.normalize(word), ...absolute, ...absolute.flatMap((one) => relativeToParents(one, folder))];
    return [...new Set(names)].map((name) => [SCRIPT, name, ...argv.slice(at + 1)]);
  });
  return [...ofPackages(argv), ...ofFiles];
}

/** `bash *.sh`: the first word of an interpreter is not known. */
export function runsUnknownScript(argv: Words): boolean {
  const at = firstOperand(argv, 1, new Set());
  return isInterpreter(basename(argv[0] ?? '')) && argv.length > at && argv[at] === null;
}

/** The path relative to the folder, and to each folder above it that contains the path. */
function relativeToParents(file: string, folder: string): string[] {
  const relative: string[] = [];
  for (let at = folder; at.length > 1; at = path.posix.dirname(at))
    if (file.startsWith(`${at}/`)) relative.push(file.slice(at.length + 1));
  return relative;
}
