// The limits and the facts that follow from a plan and a task while they are active.
import type { Limit } from '../../engine/limits/limits.ts';
import type { Branches } from '../../git/branches.ts';
import type { PlanFacts, TaskFacts } from '../../model/facts.ts';
import { countItems } from './show.ts';
import { boundBy, isComplete, topOf, type Work } from './work.ts';

/** The limits on every call now. Only the limits that restrict something are listed. */
export function limitsOf(work: Work, protectedBranches: readonly string[]): Limit[] {
  const plan = boundBy(work);
  const files = plan === null ? [] : filesOf(plan);
  const { task } = work;
  const limits: Limit[] = [];
  if (files.length > 0) limits.push({ kind: 'files', globs: files, task: null });
  if (task !== null && task.scope.length > 0) limits.push({ kind: 'files', globs: task.scope, task: task.name });
  if (task?.branch) limits.push({ kind: 'branch', branch: task.branch, task: task.name });
  if (protectedBranches.length > 0) limits.push({ kind: 'protected branches', globs: protectedBranches });
  return limits;
}

/** The facts about plan and task, for policies. */
export function workFacts(work: Work, branches: Branches): { plan: PlanFacts | null; task: TaskFacts | null } {
  const top = topOf(work);
  const { task } = work;
  return {
    plan:
      top === null
        ? null
        : { title: top.title, approved: top.approved, complete: isComplete(top), ...countItems(top), files: filesOf(top) },
    task: task === null ? null : { ...task, current_branch: branches.at('.')[0] ?? null },
  };
}

function filesOf({ items, done }: NonNullable<ReturnType<typeof topOf>>): string[] {
  return items.flatMap(({ files }, at) => (done[at] ? [] : files));
}
