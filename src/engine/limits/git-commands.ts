// The effects of git commands on branches: they commit to one, check one out, or move one that is not checked out.
import path from 'node:path';
import type { OnBranches } from '../../git/branches.ts';
import type { CommandFacts } from '../../model/facts.ts';

type Words = readonly (string | null)[];

/** Subcommands that write commits to the checked-out branch. */
const committing = new Set(['commit', 'merge', 'cherry-pick', 'revert', 'rebase', 'am', 'pull']);
/** Subcommands after which another branch may be checked out. */
const moving = new Set(['switch', 'checkout', 'symbolic-ref', 'bisect', 'rebase', 'stash']);
/** Options of git itself that take the next word as their value. */
const withValue = new Set([
  ...['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--exec-path'],
  ...['--super-prefix', '--config-env', '--attr-source'],
]);
/** Options of these subcommands that take the next word as their value (`git VERB -h`). */
const valued: Readonly<Record<string, readonly string[]>> = {
  'update-ref': ['-m'],
  'symbolic-ref': ['-m'],
  branch: ['-u', '--set-upstream-to', '--sort', '--format', '--points-at'],
  switch: ['--conflict'],
  checkout: ['--conflict', '--pathspec-from-file'],
  reset: ['--pathspec-from-file'],
  push: ['-o', '--push-option', '--repo', '--receive-pack', '--exec', '--recurse-submodules'],
  rebase: [...['--onto', '-s', '-X', '-x', '-C', '--exec', '--strategy', '--strategy-option'], ...['--whitespace', '--empty']],
};

interface Git {
  verb: string;
  words: Words;
  operands: Words;
}

/** null: not a git command. */
function gitOf({ name, argv }: CommandFacts): Git | null {
  if (path.posix.basename(name) !== 'git') return null;
  const at = argv.findIndex(
    (word, index) => index > 0 && word !== null && !word.startsWith('-') && !withValue.has(argv[index - 1] ?? ''),
  );
  if (at === -1) return null;
  const verb = argv[at] as string;
  const words = argv.slice(at + 1);
  const takes = Object.hasOwn(valued, verb) ? (valued[verb] as readonly string[]) : [];
  const isValue = (before: string | null): boolean =>
    before !== null && !before.includes('=') && takes.some((option) => isOption(before, option));
  const isOperand = (word: string | null, index: number): boolean =>
    (word === null || word === '-' || !word.startsWith('-')) && !isValue(words[index - 1] ?? null);
  return { verb, words, operands: words.filter(isOperand) };
}

/** Git accepts an abbreviated long option, with its value joined or separate. */
function isOption(word: string | null, option: string): boolean {
  const [name = ''] = (word ?? '').split('=', 1);
  return name === option || (name.length > 2 && name.startsWith('--') && option.startsWith(name));
}

/** A `--` at the end is followed by no path. */
function hasPaths(words: Words): boolean {
  const at = words.indexOf('--');
  return at !== -1 && at < words.length - 1;
}

/** Whether the command adds commits to the checked-out branch or removes some. */
export function commits(command: CommandFacts): boolean {
  const git = gitOf(command);
  return git !== null && (committing.has(git.verb) || (git.verb === 'reset' && resets(git)));
}

/** Only `reset COMMIT` moves the branch. With paths, it changes the index. */
function resets({ words, operands }: Git): boolean {
  return !hasPaths(words) && operands.length === 1 && operands[0] !== 'HEAD' && operands[0] !== '@';
}

export function transitions(command: CommandFacts): boolean {
  const git = gitOf(command);
  if (git === null || !moving.has(git.verb) || hasPaths(git.words)) return false;
  return git.verb !== 'stash' || git.operands[0] === 'branch';
}

/** Whether this is `git switch BRANCH`, or a form of `checkout`, that checks out exactly this branch. */
export function leadsTo(command: CommandFacts, branch: string): boolean {
  const git = gitOf(command);
  if ((git?.verb !== 'switch' && git?.verb !== 'checkout') || !command.top) return false;
  if (git.words.includes('--') || git.words.includes(null)) return false;
  const target = targetOf(command);
  return target.length === 1 && target[0] === branch;
}

/** The branches that a moving command may check out; null in the list: no branch. Empty: unknown. */
export function targetOf(command: CommandFacts): OnBranches {
  const git = gitOf(command);
  if (git === null) return [];
  const { verb, words, operands } = git;
  // A bisection ends on the branch where it started. Until then, no branch is checked out.
  if (verb === 'bisect') return operands[0] === 'reset' ? (namesOf(operands.slice(1)) ?? []) : [null];
  if (verb !== 'switch' && verb !== 'checkout') return namesOf(operands.slice(1)) ?? [null];
  const made = branchFromOption(words, 'bBcC', ['--create', '--force-create', '--orphan']);
  if (made !== null) return made;
  // With paths after it, `checkout BRANCH` does not change the branch.
  if (verb === 'checkout' && operands.length !== 1) return [null];
  const isTracked = words.some((word) => word !== null && (/^-[a-zA-Z]*t$/.test(word) || isOption(word, '--track')));
  return namesOf(isTracked ? operands.map((word) => word?.replace(/^[^/]*\//, '') ?? null) : operands) ?? [null];
}

/**
 * The branches that the command moves, renames or removes, checked out or not. Empty: unknown; null: none.
 * @param current the branches that are checked out where it works
 */
export function movedBy(command: CommandFacts, current: () => OnBranches): OnBranches | null {
  const git = gitOf(command);
  return git === null ? null : (movers.get(git.verb)?.(git, current) ?? null);
}

type Mover = (git: Git, current: () => OnBranches) => OnBranches | null;

const movers: ReadonlyMap<string, Mover> = new Map<string, Mover>([
  ['branch', branchChanges],
  ['checkout', ({ words }) => branchFromOption(words, 'B')],
  ['switch', ({ words }) => branchFromOption(words, 'C', ['--force-create'])],
  ['worktree', ({ words }) => branchFromOption(words, 'B')],
  ['rebase', ({ words, operands }) => (hasOption(words, ['--update-refs']) ? [] : namesOf(operands.slice(1)))],
  [
    'update-ref',
    ({ words, operands: [ref] }, current) =>
      hasOption(words, ['--stdin']) ? [] : ref === 'HEAD' ? current() : namesOf(ref === undefined ? [] : [ref]),
  ],
  ['symbolic-ref', ({ operands }) => (operands.length < 2 ? null : namesOf(operands.slice(0, 1)))],
  ['fetch', targetsOfRefspecs],
  ['pull', targetsOfRefspecs],
  ['push', (git) => (isHere(git.operands[0]) ? targetsOfRefspecs(git) : null)],
  ['send-pack', (git) => (isHere(git.operands[0]) ? targetsOfRefspecs(git) : null)],
  ['subtree', ({ words }) => branchFromOption(words, 'b', ['--branch'])],
  ['reflog', ({ words }) => (hasOption(words, ['--updateref']) ? [] : null)],
  ['fast-import', () => []],
  ['filter-branch', () => []],
  ['http-fetch', () => []],
  ['replay', () => []],
]);

function hasOption(words: Words, options: readonly string[]): boolean {
  return words.some((word) => options.some((option) => isOption(word, option)));
}

/** `-d` removes all named branches, `-m` removes one and creates the other, `-c` and `-f` write one. */
function branchChanges({ words, operands }: Git, current: () => OnBranches): OnBranches | null {
  const has = (letters: string, long: string): boolean =>
    words.some((word) => word !== null && (isOption(word, long) || new RegExp(`^-[a-zA-Z]*[${letters}]`).test(word)));
  if (has('dD', '--delete')) return namesOf(operands);
  if (has('mM', '--move')) return operands.length > 1 ? namesOf(operands) : [...(namesOf(operands) ?? []), ...current()];
  if (has('cC', '--copy')) return namesOf(operands.slice(-1));
  return has('f', '--force') ? namesOf(operands.slice(0, 1)) : null;
}

/** The branch name that an option takes, in the next word or joined to it. null: the option is absent. */
function branchFromOption(words: Words, letters: string, long: readonly string[] = []): OnBranches | null {
  for (const [at, word] of words.entries()) {
    if (word === null) continue;
    const [, joined] = new RegExp(`^-[a-zA-Z]*?[${letters}](.*)$`).exec(word) ?? [];
    const [, value] = /^--[^=]*=(.*)$/s.exec(word) ?? [];
    if (joined === undefined && !long.some((option) => isOption(word, option))) continue;
    return namesOf([joined || value || (words[at + 1] ?? null)]);
  }
  return null;
}

/**
 * Options that read refspecs from elsewhere or select all branches, so that the targets are unknown. The second list is for
 * `push` alone.
 */
const unwritten = ['--mirror', '--stdin', '--refmap'];
const unwrittenToo = [...unwritten, '--all', '--branches'];
/** Targets that match several branches. Refs of remotes and tags are not branches. */
const several = /^\+?(?!refs\/(?:remotes|tags)\/).*\*/;

/** The targets of `SOURCE:TARGET` after the repository, if they are written. */
function targetsOfRefspecs({ verb, words, operands }: Git): OnBranches | null {
  // With `fetch`, `--all` selects remotes.
  if (hasOption(words, /push|pack/.test(verb) ? unwrittenToo : unwritten)) return [];
  const targets = operands.slice(1).flatMap((word) => /:([^:]*)$/.exec(word ?? '')?.[1] ?? []);
  return targets.some((target) => several.test(target)) ? [] : namesOf(targets);
}

/** True for this repository, another one on this machine, or an unknown one. */
function isHere(repository: string | null | undefined): boolean {
  return repository === null || /^(?:file:|\.|~|[^:]*\/)/.test(repository ?? '');
}

/** Branch names from command words. null: no words; empty: unknown, for example `-` and `@{-1}`. */
function namesOf(words: Words): OnBranches | null {
  if (words.length === 0) return null;
  if (words.some((word) => word === null || /^-$|@\{/.test(word))) return [];
  return words.map((word) => (word as string).replace(/^\+?(?:refs\/heads\/|heads\/)?/, ''));
}
