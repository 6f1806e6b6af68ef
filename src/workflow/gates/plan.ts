// The `plan:` check: a person approved the plan, or the agent reports it as complete.

import { openItems } from '../plan/show.ts';
import { isComplete, topOf, type Work } from '../plan/work.ts';
import type { Missing } from './words.ts';

/** The missing part of the plan; null if the check holds. A complete plan has nothing left to approve. */
export function checkPlan(wanted: 'approved' | 'complete', work: Work): Missing | null {
  const top = topOf(work);
  if (top === null) return { missing: 'there is no plan', how: 'Propose one with plan_propose.' };
  if (wanted === 'complete')
    return isComplete(top)
      ? null
      : { missing: `open: ${openItems(top)}`, how: 'Finish the open items and check them off with plan_check.' };
  if (isComplete(top)) return { missing: 'every item of the plan is done', how: 'Propose the next work with plan_propose.' };
  if (top.approved) return null;
  return {
    missing: 'the current plan is not approved',
    how: 'A person must type /modes:approve plan and confirm the list.',
  };
}
