// Temporary limits in addition to the rules of a mode: of a plan, a task, a branch or a subagent.

import type { Place } from '../../facts/paths/place.ts';
import { Branches } from '../../git/branches.ts';
import type { Decision } from '../../model/decision.ts';
import type { Facts, ToolCall, UncertainPart } from '../../model/facts.ts';
import type { PathPattern } from '../../model/rule.ts';
import { isOutside } from '../../rules/direct.ts';
import { parsePathPattern } from '../../rules/pattern.ts';
import { type BranchLimit, type ProtectedBranchesLimit, protectBranches, restrictToBranch } from './branch.ts';
import { type Limited, limitedWrites, type Restriction } from './restriction.ts';
import { restrictStarting, type SubagentLimit } from './subagents.ts';

export type Limit = FilesLimit | BranchLimit | ProtectedBranchesLimit | SubagentLimit;

/** Returns null if the limit does not restrict the call. */
function restrictionBy(limit: Limit, call: Limited): Restriction | null {
  switch (limit.kind) {
    case 'files':
      return restrictFiles(limit, call);
    case 'branch':
      return restrictToBranch(limit, call);
    case 'protected branches':
      return protectBranches(limit, call);
    case 'subagent':
      return restrictStarting(limit, call);
  }
}

type Decided = Pick<Decision, 'decision' | 'rules' | 'also'>;

/**
 * Returns the restrictions on a call that the rules decided. A denied call needs none, and a person can switch them off.
 * @param facts with marks for the grants
 */
export function restrictionsBy(
  limits: readonly Limit[],
  decided: Decided,
  { facts, place, call }: { facts: Facts; place: Place; call: ToolCall },
): Restriction[] {
  if (decided.decision === 'deny' || facts.granted?.off) return [];
  const isNamed = (part: UncertainPart): boolean =>
    facts.granted?.parts.includes(partAt(facts, part)) || namedBy(decided, part, facts);
  const limited: Limited = { facts, home: place.home, branches: new Branches(place.root, call.cwd), isNamed };
  return limits.flatMap((limit) => restrictionBy(limit, limited) ?? []);
}

function partAt({ may_write_anywhere: parts }: Facts, part: UncertainPart): number {
  return parts?.indexOf(part) ?? -1;
}

/** A rule for a class, or a rule that begins with a literal word. The check for uncertainty in rules uses the same condition. */
const naming = /^Bash\((@runs|@unknown|[^@*\s][^)]*)/;

function namedBy({ decision, rules, also }: Decided, part: UncertainPart, { tool, bash }: Facts): boolean {
  if (decision !== 'allow') return false;
  const allows = [...rules, ...also].filter(({ effect }) => effect === 'allow');
  if (part.kind === 'tool') return allows.some(({ text }) => text === tool.name || text === `mcp__${tool.server}`);
  const command = part.command === null ? undefined : bash?.commands[part.command];
  return allows.some(({ text, matched }) => naming.test(text) && (command === undefined ? false : matched === command.text));
}

/** Only these files may be written: those of the task with this name, or of the plan (null). */
interface FilesLimit {
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
function restrictFiles({ globs, task }: FilesLimit, { facts, home, isNamed }: Limited): Restriction | null {
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
