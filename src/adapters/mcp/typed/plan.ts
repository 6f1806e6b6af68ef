// /modes:approve plan: a person approves exactly the current list of work items.
import type { Asker } from '../../../workflow/moves.ts';
import { planText, shortHash } from '../../../workflow/plan/show.ts';
import { isComplete, topOf } from '../../../workflow/plan/work.ts';
import type { CallerProject } from '../../../workflow/project.ts';
import type { Confirmation } from '../dialog.ts';
import { refuseDigits, show } from './shown.ts';

export interface PlanTyped {
  project: CallerProject;
  asker: Asker;
  ask(message: string, label: string): Promise<Confirmation>;
}

/** Without a hash, it shows the complete list and asks nothing: a dialog shows too few rows for a decision. */
export async function approvePlan({ project, asker, ask }: PlanTyped, typed: string): Promise<string> {
  const plan = topOf(project.state().work);
  if (plan === null) return 'There is no plan to approve: the agent proposes one.';
  if (plan.approved) return `This plan is approved already:\n${planText(plan)}`;
  if (isComplete(plan))
    return `Every item of this plan is done, as the agent says: there is nothing to approve.\n${planText(plan)}`;
  const short = shortHash(plan);
  if (typed === '') {
    show(project, 'plan', plan.hash);
    return `${planText(plan)}\n\nTo approve exactly this: /modes:approve plan ${short}`;
  }
  const refused = refuseDigits(project, 'plan', plan.hash, typed, '/modes:approve plan');
  if (refused !== null) return refused;
  const items = plan.items.length === 1 ? '1 item' : `${plan.items.length} items`;
  const answer = await ask(`Approve the plan ${short} of ${items}, as /modes:approve plan showed it?`, 'Yes, I have read it');
  if (!answer.confirmed) return `Nothing is approved: ${answer.why}`;
  await project.ready(project.caller.session);
  // Other events were answered while the dialog was open.
  return project.plans.approve(plan.hash, asker) ?? `Approved: ${items}. A changed list needs a new approval.`;
}
