// /modes:approve: a person approves one change of mode or a plan, or revokes an approval of a change.
import { targets } from '../../../workflow/context/render.ts';
import { atTerminal, type TypedRequest } from './asking.ts';
import { approvePlan } from './plan.ts';

export async function approve(asking: TypedRequest, args: string): Promise<string> {
  const { project, asker, ask } = asking;
  const target = args.trim();
  const { mode: present, configuration } = project.describe();
  const from = present === null ? undefined : configuration.topology?.modes.get(present);
  const ways = from && configuration.topology ? targets(from, configuration.topology) : [];
  const open = ways.filter((way) => way.approve === 'human').map((way) => way.to);
  const [, back] = /^back\s+(\S+)$/.exec(target) ?? [];
  if (back !== undefined) return disapprove(asking, back);
  const [, hash] = /^plan(?:\s+(\S+))?$/.exec(target) ?? [];
  if (hash !== undefined || (target === 'plan' && !open.includes(target)))
    return approvePlan({ ...asking, ask: (message, label) => ask(message, label, atTerminal) }, hash ?? '');
  if (!open.includes(target))
    return open.length === 0
      ? 'No way out of this mode waits for an approval. /modes:approve plan shows the plan.'
      : `Say which: ${open.map((to) => `/modes:approve ${to}`).join(', ')}`;
  // The state that the person sees: a change during the dialog is not approved.
  const seen = project.moves.seen();
  const answer = await ask(`Approve the change from ${present} to ${target}?`, `Yes, to ${target}`, atTerminal);
  if (!answer.confirmed) return `Nothing is approved: ${answer.why}`;
  await project.ready();
  if (project.describe().mode !== present) return 'Nothing is approved: the mode changed while you were asked.';
  const refused = project.moves.approve(target, seen);
  if (refused === null) project.granting.note('approve', target, asker);
  return refused === null
    ? `Approved: the agent may change to ${target} once. /modes:approve back ${target} takes it back.`
    : refused.reason;
}

function disapprove({ project, asker }: TypedRequest, target: string): string {
  if (!project.moves.disapprove(target))
    return `No change to ${target} is approved. /modes:grants lists what is. A plan is left with /modes:mode NAME.`;
  project.granting.note('revoke', target, asker);
  return `Taken back: the change to ${target} is not approved any more.`;
}
