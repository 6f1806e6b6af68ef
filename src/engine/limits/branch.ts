// Restricts writes to the task's branch, and denies them on protected branches.
import { checksOut, movedByWrite, type OnBranches } from '../../git/branches.ts';
import { fits } from '../../git/run.ts';
import type { CommandFacts, Facts } from '../../model/facts.ts';
import { commits, leadsTo, movedBy, targetOf, transitions } from './git-commands.ts';
import { type Limited, limitedWrites, type Restriction } from './restriction.ts';

/** Only this branch may be written, because the task is worked on there. */
export interface BranchLimit {
  kind: 'branch';
  branch: string;
  task: string;
}

/** No branch that one of these globs matches may be written. */
export interface ProtectedBranchesLimit {
  kind: 'protected branches';
  globs: readonly string[];
}

export function restrictToBranch({ branch, task }: BranchLimit, { facts, branches }: Limited): Restriction | null {
  const whose = `the task ${task} uses the branch ${branch}`;
  const remedy = `Switch in a separate call: git switch ${branch}.`;
  const deny = (what: string): Restriction => ({ decision: 'deny', reason: `${what}; ${whose}.`, remedy });
  const isElsewhere = (on: OnBranches | null): boolean => on !== null && (on.length === 0 || on.some((one) => one !== branch));
  const commands = facts.bash?.commands ?? [];
  const others = commands.filter((command) => command.class !== 'read-only' && !leadsTo(command, branch));
  const leaving = commands.find((command) => transitions(command) && !leadsTo(command, branch));
  if (leaving !== undefined && (others.length > 1 || writesOf(facts).length > 0))
    return deny(`${leaving.text} may check out another branch, and the call does other work too`);
  const written = writesOf(facts).find((access) => checksOut(access.real) || isElsewhere(branches.at(access.real)));
  if (written !== undefined) return deny(`${written.via} would change ${written.path} on ${nameOf(branches.at(written.real))}`);
  const commit = commands.find((command) => commits(command) && isElsewhere(branches.ofCommand(command)));
  if (commit !== undefined) return deny(`${commit.text} would commit to ${nameOf(branches.ofCommand(commit))}`);
  const here = branches.at('.');
  if (!isElsewhere(here) || leaving !== undefined) return null;
  const part = facts.may_write_anywhere?.find(({ command }) => {
    const of = command === null ? undefined : commands[command];
    return of === undefined || !leadsTo(of, branch);
  });
  if (part === undefined) return null;
  return deny(`${part.name || 'the command'} may write files, and ${nameOf(here)} is checked out`);
}

export function protectBranches({ globs }: ProtectedBranchesLimit, { facts, branches, isNamed }: Limited): Restriction | null {
  const isProtected = (branch: string | null): boolean => branch !== null && globs.some((glob) => fits(glob, branch));
  const areProtected = (on: OnBranches | null): boolean => on !== null && (on.length === 0 || on.some(isProtected));
  const remedy = 'Work on a separate branch: git switch -c NAME.';
  const deny = (what: string, remedy: string): Restriction => ({
    decision: 'deny',
    reason: `${what}, which is protected (${globs.join(', ')}).`,
    remedy,
  });
  /** Names the protected ones of these branches, or reports that they are unknown. */
  const those = (on: OnBranches | null): string => nameOf(on?.filter(isProtected) ?? null);
  const commands = facts.bash?.commands ?? [];
  const writes = writesOf(facts);
  const written = writes.find((access) => areProtected(branches.at(access.real)));
  if (written !== undefined)
    return deny(`${written.via} would change ${written.path} on ${those(branches.at(written.real))}`, remedy);
  for (const { via, real, deep } of writes) {
    const moved = movedByWrite(real, deep);
    if (areProtected(moved)) return deny(`${via} would move ${those(moved)}`, remedy);
  }
  for (const command of commands) {
    const on = commits(command) ? branches.ofCommand(command) : null;
    if (areProtected(on)) return deny(`${command.text} would commit on ${those(on)}`, remedy);
    const moved = movedBy(command, () => branches.ofCommand(command) ?? []);
    if (areProtected(moved)) return deny(`${command.text} would move ${those(moved)}`, remedy);
  }
  const entering = commands.find((command) => transitions(command) && areProtected(targetOf(command)));
  if (entering !== undefined) {
    const others = commands.filter((command) => command !== entering && command.class !== 'read-only');
    if (others.length > 0 || writes.length > 0)
      return deny(
        `${entering.text} may check out ${those(targetOf(entering))}`,
        'Check it out in a separate call that does nothing else.',
      );
  }
  const part = facts.may_write_anywhere?.find(
    (one) => !isNamed(one) && !(one.command !== null && transitions(commands[one.command] as CommandFacts)),
  );
  const here = branches.at('.');
  if (part === undefined || !areProtected(here)) return null;
  return {
    decision: 'ask',
    reason: `${part.name || 'the command'} may write files, and ${those(here)} is protected (${globs.join(', ')}).`,
    remedy: `To allow it, add an allow rule that names it. ${remedy}`,
  };
}

/** Writes in the project and its worktrees, except git's own records. */
function writesOf(facts: Facts): Facts['writes'] {
  return limitedWrites(facts).filter(({ root }) => root !== 'outside');
}

function nameOf(on: OnBranches | null): string {
  if (on === null || on.length === 0) return 'an unknown branch';
  return on.map((branch) => branch ?? 'no branch').join(' and ');
}
