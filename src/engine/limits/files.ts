// Restricts writes to the files of a plan or a task.

import type { PathPattern } from '../../model/rule.ts';
import { isOutside } from '../../rules/direct.ts';
import { parsePathPattern } from '../../rules/pattern.ts';
import { type Limited, limitedWrites, type Restriction } from './restriction.ts';

/** Only these files may be written: those of the task with this name, or of the plan (null). */
export interface FilesLimit {
  kind: 'files';
  globs: readonly string[];
  task: string | null;
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
export function restrictFiles({ globs, task }: FilesLimit, { facts, home, isNamed }: Limited): Restriction | null {
  const paths = globs.flatMap((glob) => patternsOf(glob, home));
  const whose = task === null ? ofPlan : ofTask(task);
  const outside = limitedWrites(facts).find((access) => isOutside({ paths, expressions: [] }, access));
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
}

/** The glob was valid when it was recorded. If it is invalid now, it matches no file. */
function patternsOf(glob: string, home: string): PathPattern[] {
  const read = parsePathPattern(glob, { home, restricts: false });
  return 'problem' in read ? [] : read.patterns;
}
