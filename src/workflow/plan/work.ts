// The stack of plans and the task, as the journal's entries result in them.
import type { Limit } from '../../engine/limits/limits.ts';
import type { Branches } from '../../git/branches.ts';
import type { PlanFacts, TaskFacts } from '../../model/facts.ts';
import type { PlanText, Task, WorkEvent } from './events.ts';
import { carryOver, hashOfPlan } from './plan-list.ts';

export interface OpenPlan extends PlanText {
  hash: string;
  /** Whether a person approved exactly this list. */
  approved: boolean;
  /** By item. */
  done: readonly boolean[];
  /** The protocol that contains it; null: the agent proposed it. */
  protocol: string | null;
}

export interface Work {
  /** The interrupted plans first. The last one is the present plan. */
  plans: readonly OpenPlan[];
  task: Task | null;
}

export const noWork: Work = { plans: [], task: null };

/** The present plan. */
export function topOf({ plans }: Work): OpenPlan | null {
  return plans.at(-1) ?? null;
}

export function isComplete({ done }: OpenPlan): boolean {
  return done.every(Boolean);
}

/** The newest list that a person approved. It restricts until another one is approved, or until it is given up. */
export function boundBy({ plans }: Work): OpenPlan | null {
  return plans.findLast(({ approved }) => approved) ?? null;
}

/** Applies one more entry of the journal. An event of a later version changes nothing. */
export function workAfter(work: Work, { kind, work: event }: { kind: string; work?: WorkEvent }): Work {
  // A stop drops the plans, which stay in the journal. The task keeps restricting the branch.
  const before = kind === 'stop' ? { ...work, plans: [] } : work;
  return event === undefined ? before : applied(before, event);
}

function applied(work: Work, event: WorkEvent): Work {
  const { plans } = work;
  const top = topOf(work);
  const below = plans.slice(0, -1);
  switch (event.did) {
    case 'task':
      return { ...work, task: event.task };
    case 'begin': {
      const left = top !== null && isComplete(top) ? below : plans;
      const done = event.plan.items.map(() => false);
      return { ...work, plans: [...left, { ...planOf(event), done, protocol: event.protocol ?? null }] };
    }
    case 'change': {
      if (top === null) return work;
      const done = carryOver(top, top.done, event.plan);
      return { ...work, plans: [...below, { ...planOf(event), done, protocol: top.protocol }] };
    }
    case 'approve':
      return top === null || top.hash !== event.hash ? work : { ...work, plans: [...below, { ...top, approved: true }] };
    case 'check': {
      if (top === null) return work;
      if (event.close) return { ...work, plans: below };
      const done = top.done.map((was, at) => (event.items.includes(at) ? event.done : was));
      return { ...work, plans: [...below, { ...top, done }] };
    }
    case 'close':
      return { ...work, plans: below };
    default:
      return work;
  }
}

function planOf({
  plan,
  approved = false,
}: {
  plan: PlanText;
  approved?: boolean;
}): PlanText & Pick<OpenPlan, 'hash' | 'approved'> {
  return { ...plan, hash: hashOfPlan(plan), approved };
}

export function countItems({ done }: OpenPlan): { done: number; of: number } {
  return { done: done.filter(Boolean).length, of: done.length };
}

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
