// The restrictions by a plan and a task while they are active: the files that may be written, and the branch.
import { type Bound, boundWrites, type Limit } from '../../engine/bounds.ts';
import type { PlanFacts, TaskFacts } from '../../model/facts.ts';
import type { PathPattern } from '../../model/rule.ts';
import { isOutside } from '../../rules/direct.ts';
import { parsePathPattern } from '../../rules/pattern.ts';
import { branchBound } from './branch.ts';
import type { Branches } from './branches.ts';
import { countItems } from './show.ts';
import { boundBy, isComplete, topOf, type Work } from './work.ts';

export interface PlanContext {
  home: string;
  branches: Branches;
  /** Globs of branches that must not be written. */
  protectedBranches: readonly string[];
}

/** All restrictions that apply to a call now. */
export function boundsOf(work: Work, { home, branches, protectedBranches }: PlanContext): Bound[] {
  const plan = boundBy(work);
  const open = plan === null || isComplete(plan) ? [] : plan.items.filter((_, at) => !plan.done[at]);
  const files = open.flatMap((item) => item.files);
  const { task } = work;
  return [
    ...(files.length === 0 ? [] : [filesBound(files, home, ofPlan)]),
    ...(task === null || task.scope.length === 0 ? [] : [filesBound(task.scope, home, ofTask(task.name))]),
    ...branchBound(task, protectedBranches, branches),
  ];
}

interface Whose {
  /** Follows "is not among". */
  files: string;
  remedy: string;
}

const ofPlan: Whose = {
  files: "the files of the plan's open items",
  remedy: 'Check off finished items with plan_check, or propose a changed plan with plan_propose. A person must approve it.',
};

const ofTask = (name: string): Whose => ({
  files: `the files of the task ${name}`,
  remedy: 'A person can widen the scope of the task and start it again with /modes:task start.',
});

/** Denies writes of other files. A command that may write anywhere is asked about, unless an allow rule names it. */
function filesBound(globs: readonly string[], home: string, whose: Whose): Bound {
  const paths = globs.flatMap((glob) => patternsOf(glob, home));
  return (facts, isNamed): Limit | null => {
    const outside = boundWrites(facts).find((access) => isOutside({ paths, expressions: [] }, access));
    if (outside !== undefined) {
      const reason = `${outside.path} is not among ${whose.files} (${globs.join(', ')}): ${outside.via} would change it.`;
      return {
        decision: 'deny',
        reason,
        remedy: `${whose.remedy} A person can allow it with /modes:grant Write(${outside.path}).`,
      };
    }
    const part = facts.may_write_anywhere?.find((one) => !isNamed(one));
    if (part === undefined) return null;
    const name = part.name === '' ? 'the command' : part.name;
    return {
      decision: 'ask',
      reason: `${name} may write files other than ${whose.files} (${globs.join(', ')}): ${part.why}.`,
      remedy: `To allow it, add an allow rule that names it. ${whose.remedy}`,
    };
  };
}

/** The glob was valid when it was recorded. If it is invalid now, it matches no file. */
function patternsOf(glob: string, home: string): PathPattern[] {
  const read = parsePathPattern(glob, { home, narrow: false });
  return 'problem' in read ? [] : read.patterns;
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
