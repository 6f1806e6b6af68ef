// What git commands do with branches: commit to one, check one out, or move one that is not checked out.
import path from 'node:path';
import type { CommandFacts } from '../../model/facts.ts';
import type { OnBranches } from './branches.ts';

type Words = readonly (string | null)[];

/** Subcommands that write commits to the branch that is checked out. */
const committing = new Set(['commit', 'merge', 'cherry-pick', 'revert', 'rebase', 'am', 'pull']);
/** Those after which another branch may be checked out. */
const moving = new Set(['switch', 'checkout', 'symbolic-ref', 'bisect', 'rebase', 'stash']);
/** Options of git itself that take the next word. */
const withValue = new Set([
  ...['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--exec-path'],
  ...['--super-prefix', '--config-env', '--attr-source'],
]);
/** Options of these subcommands that take the next word (`git VERB -h`). */
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

/** null: it is no git command. */
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

/** Git takes the beginning of a long option for it, with its value joined or not. */
function isOption(word: string | null, option: string): boolean {
  const [name = ''] = (word ?? '').split('=', 1);
  return name === option || (name.length > 2 && name.startsWith('--') && option.startsWith(name));
}

/** Behind `--` alone nothing is a path. */
function hasPaths(words: Words): boolean {
  const at = words.indexOf('--');
  return at !== -1 && at < words.length - 1;
}

/** It writes commits to what is checked out, or takes some away. */
export function commits(command: CommandFacts): boolean {
  const git = gitOf(command);
  return git !== null && (committing.has(git.verb) || (git.verb === 'reset' && resets(git)));
}

/** A commit alone moves the branch; with paths it is about the index. */
function resets({ words, operands }: Git): boolean {
  return !hasPaths(words) && operands.length === 1 && operands[0] !== 'HEAD' && operands[0] !== '@';
}

export function moves(command: CommandFacts): boolean {
  const git = gitOf(command);
  if (git === null || !moving.has(git.verb) || hasPaths(git.words)) return false;
  return git.verb !== 'stash' || git.operands[0] === 'branch';
}

/** `git switch BRANCH` and its like, which check out exactly this one. */
export function leadsTo(command: CommandFacts, branch: string): boolean {
  const git = gitOf(command);
  if ((git?.verb !== 'switch' && git?.verb !== 'checkout') || !command.top) return false;
  if (git.words.includes('--') || git.words.includes(null)) return false;
  const target = targetOf(command);
  return target.length === 1 && target[0] === branch;
}

/** What a command that moves checks out; null in it: no branch. Empty: not known. */
export function targetOf(command: CommandFacts): OnBranches {
  const git = gitOf(command);
  if (git === null) return [];
  const { verb, words, operands } = git;
  // A bisection ends where it was begun; until then no branch is checked out.
  if (verb === 'bisect') return operands[0] === 'reset' ? (namesOf(operands.slice(1)) ?? []) : [null];
  if (verb !== 'switch' && verb !== 'checkout') return namesOf(operands.slice(1)) ?? [null];
  const made = behind(words, 'bBcC', ['--create', '--force-create', '--orphan']);
  if (made !== null) return made;
  // A branch with paths behind it stays where it is.
  if (verb === 'checkout' && operands.length !== 1) return [null];
  const isTracked = words.some((word) => word !== null && (/^-[a-zA-Z]*t$/.test(word) || isOption(word, '--track')));
  return namesOf(isTracked ? operands.map((word) => word?.replace(/^[^/]*\//, '') ?? null) : operands) ?? [null];
}

/**
 * Branches that it moves, renames or removes, whatever is checked out. Empty: not known; null: none.
 * @param current what is checked out where it works
 */
export function movedBy(command: CommandFacts, current: () => OnBranches): OnBranches | null {
  const git = gitOf(command);
  return git === null ? null : (movers.get(git.verb)?.(git, current) ?? null);
}

type Mover = (git: Git, current: () => OnBranches) => OnBranches | null;

const movers: ReadonlyMap<string, Mover> = new Map<string, Mover>([
  ['branch', branchMoves],
  ['checkout', ({ words }) => behind(words, 'B')],
  ['switch', ({ words }) => behind(words, 'C', ['--force-create'])],
  ['worktree', ({ words }) => behind(words, 'B')],
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
  ['subtree', ({ words }) => behind(words, 'b', ['--branch'])],
  ['reflog', ({ words }) => (hasOption(words, ['--updateref']) ? [] : null)],
  ['fast-import', () => []],
  ['filter-branch', () => []],
  ['http-fetch', () => []],
  ['replay', () => []],
]);

function hasOption(words: Words, options: readonly string[]): boolean {
  return words.some((word) => options.some((option) => isOption(word, option)));
}

/** `-d` removes all that are named, `-m` the one and makes the other, `-c` and `-f` write one. */
function branchMoves({ words, operands }: Git, current: () => OnBranches): OnBranches | null {
  const has = (letters: string, long: string): boolean =>
    words.some((word) => word !== null && (isOption(word, long) || new RegExp(`^-[a-zA-Z]*[${letters}]`).test(word)));
  if (has('dD', '--delete')) return namesOf(operands);
  if (has('mM', '--move')) return operands.length > 1 ? namesOf(operands) : [...(namesOf(operands) ?? []), ...current()];
  if (has('cC', '--copy')) return namesOf(operands.slice(-1));
  return has('f', '--force') ? namesOf(operands.slice(0, 1)) : null;
}

/** The name that an option gives: behind it, or joined to it. null: there is no such option. */
function behind(words: Words, letters: string, long: readonly string[] = []): OnBranches | null {
  for (const [at, word] of words.entries()) {
    if (word === null) continue;
    const [, joined] = new RegExp(`^-[a-zA-Z]*?[${letters}](.*)$`).exec(word) ?? [];
    const [, value] = /^--[^=]*=(.*)$/s.exec(word) ?? [];
    if (joined === undefined && !long.some((option) => isOption(word, option))) continue;
    return namesOf([joined || value || (words[at + 1] ?? null)]);
  }
  return null;
}

/** Options by which refspecs come from elsewhere, or all branches are meant; the last ones for `push` alone. */
const unwritten = ['--mirror', '--stdin', '--refmap'];
const unwrittenToo = [...unwritten, '--all', '--branches'];
/** They stand for several: those of remotes and tags are no branches. */
const several = /^\+?(?!refs\/(?:remotes|tags)\/).*\*/;

/** `SOURCE:TARGET` behind the repository, as far as it is written. */
function targetsOfRefspecs({ verb, words, operands }: Git): OnBranches | null {
  // `fetch --all` names remotes.
  if (hasOption(words, /push|pack/.test(verb) ? unwrittenToo : unwritten)) return [];
  const targets = operands.slice(1).flatMap((word) => /:([^:]*)$/.exec(word ?? '')?.[1] ?? []);
  return targets.some((target) => several.test(target)) ? [] : namesOf(targets);
}

/** The repository itself, or another one of this machine; or it is not known which. */
function isHere(repository: string | null | undefined): boolean {
  return repository === null || /^(?:file:|\.|~|[^:]*\/)/.test(repository ?? '');
}

/** Branches as commands name them. null: there is none among these words; empty: which is not known, as of `-` and `@{-1}`. */
function namesOf(words: Words): OnBranches | null {
  if (words.length === 0) return null;
  if (words.some((word) => word === null || /^-$|@\{/.test(word))) return [];
  return words.map((word) => (word as string).replace(/^\+?(?:refs\/heads\/|heads\/)?/, ''));
}
