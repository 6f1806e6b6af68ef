// What git commands do with branches: commit to one, check one out, or move one that is not checked out.
import path from 'node:path';
import type { CommandFacts } from '../../tools/types.ts';
import type { OnBranches } from './branches.ts';

type Words = readonly (string | null)[];

/** Subcommands that write commits to the branch that is checked out. */
const committing = new Set(['commit', 'merge', 'cherry-pick', 'revert', 'rebase', 'am', 'pull']);
/** Those after which another branch may be checked out. */
const moving = new Set(['switch', 'checkout', 'symbolic-ref', 'bisect', 'rebase']);
/** Options of git itself that take the next word. */
const withValue = new Set(['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--exec-path']);
/** Options of these subcommands that take the next word. */
const valued: Readonly<Record<string, readonly string[]>> = {
  'update-ref': ['-m'],
  'symbolic-ref': ['-m'],
  push: ['-o', '--push-option', '--repo', '--receive-pack', '--exec'],
  rebase: ['--onto', '-s', '-X', '-x', '--exec', '--strategy', '--strategy-option'],
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
  const isOperand = (word: string | null, index: number): boolean =>
    (word === null || word === '-' || !word.startsWith('-')) && !takes.includes(words[index - 1] ?? '');
  return { verb, words, operands: words.filter(isOperand) };
}

/** It writes commits to what is checked out, or takes some away. */
export function commits(command: CommandFacts): boolean {
  const git = gitOf(command);
  return git !== null && (committing.has(git.verb) || (git.verb === 'reset' && resets(git)));
}

/** A commit alone moves the branch; with paths it is about the index. */
function resets({ words, operands }: Git): boolean {
  return !words.includes('--') && operands.length === 1 && operands[0] !== 'HEAD' && operands[0] !== '@';
}

export function moves(command: CommandFacts): boolean {
  const git = gitOf(command);
  return git !== null && moving.has(git.verb) && !git.words.includes('--');
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
  if (verb !== 'switch' && verb !== 'checkout') return namesOf(verb === 'bisect' ? [] : operands.slice(1, 2)) ?? [null];
  const made = behind(words, 'bBcC', ['--create', '--force-create', '--orphan']);
  if (made !== null) return made;
  // A branch with paths behind it stays where it is.
  if (operands.length !== 1) return [null];
  const isTracked = words.some((word) => word !== null && /^(?:-[a-zA-Z]*t|--track\b.*)$/.test(word));
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
  ['rebase', ({ words, operands }) => (words.includes('--update-refs') ? [] : namesOf(operands.slice(1, 2)))],
  [
    'update-ref',
    ({ words, operands: [ref] }, current) =>
      words.includes('--stdin') ? [] : ref === 'HEAD' ? current() : namesOf(ref === undefined ? [] : [ref]),
  ],
  ['symbolic-ref', ({ operands }) => (operands.length < 2 ? null : namesOf(operands.slice(0, 1)))],
  ['fetch', targetsOfRefspecs],
  ['pull', targetsOfRefspecs],
  ['push', (git) => (isHere(git.operands[0]) ? targetsOfRefspecs(git) : null)],
  ['send-pack', (git) => (isHere(git.operands[0]) ? targetsOfRefspecs(git) : null)],
  ['fast-import', () => []],
  ['replay', () => []],
]);

/** `-d` removes all that are named, `-m` the one and makes the other, `-c` and `-f` write one. */
function branchMoves({ words, operands }: Git, current: () => OnBranches): OnBranches | null {
  const has = (letters: string, long: string): boolean =>
    words.some((word) => word === long || (word !== null && new RegExp(`^-[a-zA-Z]*[${letters}]`).test(word)));
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
    const named = long.find((option) => word === option || word.startsWith(`${option}=`));
    if (joined === undefined && named === undefined) continue;
    return namesOf([joined || (named && word.slice(named.length + 1)) || (words[at + 1] ?? null)]);
  }
  return null;
}

/** Options by which refspecs come from elsewhere, or all branches are meant. */
const unwritten = /^--(?:all|branches|mirror|stdin|refmap\b.*)$/;
/** They stand for several: those of remotes and tags are no branches. */
const several = /^\+?(?!refs\/(?:remotes|tags)\/).*\*/;

/** `SOURCE:TARGET` behind the repository, as far as it is written. */
function targetsOfRefspecs({ verb, words, operands }: Git): OnBranches | null {
  // `fetch --all` names remotes.
  const isUnwritten = words.some((word) => unwritten.test(word ?? '') && (word !== '--all' || /push|pack/.test(verb)));
  if (isUnwritten) return [];
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
