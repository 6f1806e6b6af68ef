// Writes only on the branch of the task, and none on a protected one.
import path from 'node:path';
import { type Bound, boundWrites, type Limit } from '../../decide/bounds.ts';
import type { CommandFacts, Facts } from '../../tools/types.ts';
import { currentBranch, GitError } from '../gates/git.ts';
import type { Task } from './events.ts';

/** Looks at branches for one call: each folder once. */
export class Branches {
  private readonly known = new Map<string, string | null>();

  constructor(
    private readonly root: string,
    /** Absolute: where the call begins. */
    private readonly cwd: string,
  ) {}

  /** The branch of the tree that this lies in, by a path relative to the project or absolute; null: none is checked out, or there is no repository. */
  at(shown: string): string | null {
    return this.of(path.resolve(this.root, shown));
  }

  /** The branch where a git command works. */
  ofCommand({ argv }: CommandFacts): string | null {
    const at = argv.indexOf('-C');
    const folder = at === 1 ? argv[2] : '.';
    return typeof folder === 'string' ? this.of(path.resolve(this.cwd, folder)) : null;
  }

  private of(folder: string): string | null {
    const known = this.known.get(folder);
    if (known !== undefined) return known;
    let branch: string | null = null;
    try {
      branch = currentBranch(folder);
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
    }
    this.known.set(folder, branch);
    return branch;
  }
}

/** None where neither a task nor a list of protected branches asks for one. */
export function branchBound(task: Task | null, protectedBranches: readonly string[], branches: Branches): Bound[] {
  const bounds: Bound[] = [];
  if (task?.branch) bounds.push(onBranch(task.name, task.branch, branches));
  if (protectedBranches.length > 0) bounds.push(offBranches(protectedBranches, branches));
  return bounds;
}

/** Git commands that write commits. */
const committing = new Set(['commit', 'merge', 'cherry-pick', 'revert', 'rebase', 'am', 'pull']);
/** Those after which another branch may be checked out. */
const moving = new Set(['switch', 'checkout', 'symbolic-ref', 'bisect', 'rebase']);

function onBranch(task: string, branch: string, branches: Branches): Bound {
  const whose = `the task ${task} is worked on in ${branch}`;
  const remedy = `Switch with a call of its own: git switch ${branch}.`;
  const deny = (what: string): Limit => ({ decision: 'deny', reason: `${what}; ${whose}.`, remedy });
  return (facts) => {
    const commands = facts.bash?.commands ?? [];
    const others = commands.filter((command) => command.class !== 'read-only' && !leadsTo(command, branch));
    const leaving = commands.find((command) => moves(command) && !leadsTo(command, branch));
    if (leaving !== undefined && (others.length > 1 || writesOf(facts).length > 0))
      return deny(`${leaving.text} may check out another branch, and the call does more`);
    const written = writesOf(facts).find((access) => access.path.endsWith('.git/HEAD') || branches.at(access.real) !== branch);
    if (written !== undefined) return deny(`${written.via} would change ${written.path} on ${nameOf(branches.at(written.real))}`);
    const commit = commands.find((command) => committing.has(verbOf(command) ?? '') && branches.ofCommand(command) !== branch);
    if (commit !== undefined) return deny(`${commit.text} would commit to ${nameOf(branches.ofCommand(commit))}`);
    if (branches.at('.') === branch || leaving !== undefined) return null;
    const part = facts.may_write_anywhere?.find(({ command }) => {
      const of = command === null ? undefined : commands[command];
      return of === undefined || !leadsTo(of, branch);
    });
    if (part === undefined) return null;
    return deny(`${part.name || 'the command'} may write files, and ${nameOf(branches.at('.'))} is checked out`);
  };
}

function offBranches(globs: readonly string[], branches: Branches): Bound {
  const isProtected = (branch: string | null): boolean => branch !== null && globs.some((glob) => fits(glob, branch));
  const remedy = 'Work on a branch of its own: git switch -c NAME.';
  return (facts, isNamed) => {
    const written = writesOf(facts).find((access) => isProtected(branches.at(access.real)));
    const commit = (facts.bash?.commands ?? []).find(
      (command) => committing.has(verbOf(command) ?? '') && isProtected(branches.ofCommand(command)),
    );
    const what = written ? `${written.via} would change ${written.path}` : commit ? `${commit.text} would commit` : null;
    const branch = written ? branches.at(written.real) : commit ? branches.ofCommand(commit) : branches.at('.');
    if (what !== null)
      return { decision: 'deny', reason: `${what} on ${branch}, which is protected (${globs.join(', ')}).`, remedy };
    const commands = facts.bash?.commands ?? [];
    const part = facts.may_write_anywhere?.find(
      (one) => !isNamed(one) && !(one.command !== null && moves(commands[one.command] as CommandFacts)),
    );
    if (part === undefined || !isProtected(branch)) return null;
    return {
      decision: 'ask',
      reason: `${part.name || 'the command'} may write files, and ${branch} is protected (${globs.join(', ')}).`,
      remedy: `An allow rule that names it settles it. ${remedy}`,
    };
  };
}

/** Writes of the project and its worktrees; git's own records are none. */
function writesOf(facts: Facts): Facts['writes'] {
  return boundWrites(facts).filter(({ root }) => root !== 'outside');
}

function nameOf(branch: string | null): string {
  return branch === null ? 'no branch' : branch;
}

/** The git command that this is; null: it is none. */
function verbOf({ name, argv }: CommandFacts): string | null {
  if (path.posix.basename(name) !== 'git') return null;
  return (
    argv.slice(1).find((word, at, words) => word !== null && !word.startsWith('-') && !withValue.has(words[at - 1] ?? '')) ?? null
  );
}

/** Options of git itself that take the next word. */
const withValue = new Set(['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--exec-path']);

function moves(command: CommandFacts): boolean {
  const verb = verbOf(command);
  return verb !== null && moving.has(verb) && !command.argv.includes('--');
}

/** `git switch BRANCH` and its like, which check out exactly this one. */
function leadsTo(command: CommandFacts, branch: string): boolean {
  const verb = verbOf(command);
  if ((verb !== 'switch' && verb !== 'checkout') || !command.top || command.argv.includes('--')) return false;
  const words = command.argv.slice(command.argv.indexOf(verb) + 1);
  if (words.includes(null)) return false;
  const made = words.findIndex((word) => /^-[bBcC]$/.test(word as string));
  return (made === -1 ? words.find((word) => !(word as string).startsWith('-')) : words[made + 1]) === branch;
}

/** `*` stands for any text. */
export function fits(glob: string, branch: string): boolean {
  const [first = '', ...rest] = glob.split('*');
  const last = rest.pop();
  if (last === undefined) return branch === first;
  if (!branch.startsWith(first)) return false;
  let at = first.length;
  for (const piece of rest) {
    const found = branch.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return branch.length - last.length >= at && branch.endsWith(last);
}
