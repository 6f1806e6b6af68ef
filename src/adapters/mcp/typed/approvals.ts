// Approvals in a dialog: one change of mode or a plan (/modes:approve), the configuration (/modes:trust), a draft (/modes:apply).
import { everyProblem } from '../../../app/problems.ts';
import { DRAFT_FOLDER, readDraft } from '../../../app/setup/draft.ts';
import { runSetup, setupText } from '../../../app/setup/setup.ts';
import { changedText, gateText } from '../../../app/transition-question.ts';
import { targets } from '../../../config/targets.ts';
import { problemsOf } from '../../../engine/loaded-config.ts';
import { trustText } from '../../../workflow/context/trust.ts';
import { planText, shortHash } from '../../../workflow/plan/show.ts';
import { isComplete, topOf } from '../../../workflow/plan/work.ts';
import { atTerminal, longestAnswer, problemLines, type TypedRequest } from './dialogs.ts';
import { firstDigits, refuseDigits, show } from './shown.ts';

export async function approve(request: TypedRequest, args: string): Promise<string> {
  const { project, asker, ask } = request;
  const target = args.trim();
  const { mode: present, configuration } = project.describe();
  const from = present === null ? undefined : configuration.topology?.modes.get(present);
  const transitions = from && configuration.topology ? targets(from, configuration.topology) : [];
  const open = transitions.filter((transition) => transition.approve === 'human').map((transition) => transition.to);
  const [, back] = /^back\s+(\S+)$/.exec(target) ?? [];
  if (back !== undefined) return disapprove(request, back);
  const [, hash] = /^plan(?:\s+(\S+))?$/.exec(target) ?? [];
  if (hash !== undefined || (target === 'plan' && !open.includes(target))) return approvePlan(request, hash ?? '');
  if (!open.includes(target))
    return open.length === 0
      ? 'No transition from this mode needs an approval. /modes:approve plan shows the plan.'
      : `Name one: ${open.map((to) => `/modes:approve ${to}`).join(', ')}`;
  // The state that the person sees: a change during the dialog is not approved.
  const snapshot = project.transitions.takeApprovalSnapshot();
  const details = [
    { title: 'Gate', lines: await gateText(project, target, ['approve: human']) },
    { title: 'Files', lines: [changedText(project)] },
    { title: 'Yes', lines: [bindingText(target)] },
  ];
  const answer = await ask(`Approve the change from ${present} to ${target}?`, `Yes, to ${target}`, atTerminal, details);
  if (!answer.confirmed) return `Nothing was approved: ${answer.why}`;
  await project.ready();
  if (project.describe().mode !== present) return 'Nothing was approved: the mode changed during the dialog.';
  const refused = project.transitions.approve(target, snapshot);
  if (refused === null) project.granting.note('approve', target, asker);
  return refused === null
    ? `Approved: the agent may change to ${target} once. To take it back: /modes:approve back ${target}.`
    : refused.reason;
}

/** The scope of an approval of one change of mode. */
export const bindingText = (target: string): string =>
  `Your approval covers one change to ${target}, with the files and the plan as they are now. If one of them changes, you must approve again.`;

function disapprove({ project, asker }: TypedRequest, target: string): string {
  if (!project.transitions.disapprove(target))
    return `No change to ${target} is approved. /modes:grants lists the approvals. To leave a plan, use /modes:mode NAME.`;
  project.granting.note('revoke', target, asker);
  return `Taken back: the change to ${target} is no longer approved.`;
}

/** Approves exactly the list that the dialog shows. `typed`: the first digits of its hash, from a person who names the list. */
async function approvePlan({ project, asker, ask }: TypedRequest, typed: string): Promise<string> {
  const plan = topOf(project.state().work);
  if (plan === null) return 'There is no plan to approve. Ask the agent to propose one.';
  if (plan.approved) return `This plan is already approved:\n${planText(plan)}`;
  if (isComplete(plan))
    return `There is nothing to approve: according to the agent, every item of this plan is done.\n${planText(plan)}`;
  if (!plan.hash.startsWith(typed.toLowerCase()))
    return `The current plan is ${shortHash(plan)}, not ${typed}. Nothing was approved. To approve the current one: /modes:approve plan`;
  const items = plan.items.length === 1 ? '1 item' : `${plan.items.length} items`;
  const list = planText(plan);
  const details = [{ title: 'Plan', lines: list.split('\n') }];
  const answer = await ask(`Approve this plan of ${items}?`, 'Yes, approve exactly this list', atTerminal, details);
  if (!answer.confirmed) return `${list}\n\nNothing was approved: ${answer.why}`;
  await project.ready(project.caller.session);
  // Other events were answered while the dialog was open.
  return project.plans.approve(plan.hash, asker) ?? `Approved: ${items}. If the list changes, you must approve it again.`;
}

/**
 * Approves exactly the current configuration, or revokes all such approvals. Without a hash, it shows everything and asks nothing: the client shows three rows of a dialog's text, too little for a
 * decision. With the first digits of the hash that was shown, it asks.
 */
export async function trust({ project, asker, ask }: TypedRequest, args: string): Promise<string> {
  const { present } = project.describe();
  if (args.trim() === 'back') {
    const revoked = project.approvals.revoke(null, asker);
    return revoked.length === 0
      ? 'No configuration of this project is trusted.'
      : `Taken back: ${revoked.length === 1 ? 'one configuration is' : `${revoked.length} configurations are`} no longer trusted. Allow rules of this project have no effect until /modes:trust.`;
  }
  const { approvalHash, changes } = project.approvals.wanted();
  const isTrusted = present.trusted && !present.differs;
  if (isTrusted && changes.length === 0)
    return `This configuration is already trusted (${approvalHash}). To take that back: /modes:trust back.`;
  const { config, before } = await project.approvals.toShow();
  const problems = await everyProblem(project);
  const wrong = [problems, problemsOf(config)].find((all) => all.some(({ severity }) => severity === 'error'));
  if (wrong !== undefined) return `A broken configuration cannot be approved:\n${problemLines(wrong)}`;
  const hash = approvalHash.slice('sha256:'.length);
  const short = firstDigits(hash);
  const given = args.trim().replace(/^sha256:/, '');
  const shown = [
    isTrusted ? approvalHash : trustText(config, before, approvalHash),
    ...changes,
    ...(problems.length > 0 ? [problemLines(problems)] : []),
  ].join('\n');
  if (shown.length > longestAnswer)
    return 'The permissions of this configuration are too long to show here. Run modes trust in a terminal: it shows all of them, and asks.';
  if (given === '') {
    show(project, 'configuration', hash);
    return `${shown}\n\nTo approve exactly this: /modes:trust ${short}`;
  }
  const refused = refuseDigits(project, 'configuration', hash, given, '/modes:trust');
  if (refused !== null) return refused;
  const answer = await ask(
    `Approve the configuration ${short} of this project, as /modes:trust showed it?`,
    'Yes, I have read it',
    'Run modes trust in a terminal.',
  );
  if (!answer.confirmed) return `Nothing was approved: ${answer.why}`;
  project.touch();
  await project.ready(project.caller.session);
  if (project.describe().present.config.id !== present.config.id || project.approvals.wanted().approvalHash !== approvalHash)
    return 'Nothing was approved: the configuration changed during the dialog.';
  if (!project.approvals.give('dialog', approvalHash))
    return 'Nothing was approved: the configuration changed during the dialog.';
  project.adopt('session');
  project.granting.note('trust', approvalHash, asker);
  return `Trusted: ${approvalHash}`;
}

/** Shows the changes of a draft of modes, and writes exactly those after an approval. Without a hash, it asks nothing. */
export async function apply({ project, asker, ask }: TypedRequest, args: string): Promise<string> {
  const { present } = project.describe();
  const draft = readDraft(project.root, present.config.content);
  if ('error' in draft) return draft.error;
  if (draft.steps.length === 0) return `${DRAFT_FOLDER}/ is the same as .claude/.`;
  const config = await project.approvals.open(draft.content);
  const problems = problemsOf(config);
  if (problems.some(({ severity }) => severity === 'error'))
    return `A broken draft cannot be applied (with the file names in .claude/):\n${problemLines(problems)}`;
  const plan = {
    root: project.root,
    preset: '',
    steps: draft.steps,
    whole: false,
    statusLine: false,
    packageRoot: '',
    fit: null,
  };
  const { hash } = config.known;
  const short = firstDigits(draft.hash);
  const given = args.trim();
  const before = present.trusted ? present.config : await project.approvals.last();
  const shown = [trustText(config, before, project.approvals.approvalHashOf(config)), setupText(plan), problemLines(problems)]
    .filter((part) => part !== '')
    .join('\n');
  if (shown.length > longestAnswer)
    return `The changes of the draft are too long to show here. Copy ${DRAFT_FOLDER}/ into .claude/ yourself and run modes trust in a terminal.`;
  if (given === '') {
    show(project, 'draft', draft.hash);
    return `${shown}\n\nTo write and adopt exactly this: /modes:apply ${short}`;
  }
  const refused = refuseDigits(project, 'draft', draft.hash, given, '/modes:apply');
  if (refused !== null) return refused;
  const files = draft.steps.length === 1 ? '1 file' : `${draft.steps.length} files`;
  const answer = await ask(
    `Write the draft ${short} into .claude/ (${files}, copies are kept) and adopt it, as /modes:apply showed it?`,
    'Yes, I have read it',
    `Copy ${DRAFT_FOLDER}/ into .claude/ yourself and run modes trust in a terminal.`,
  );
  if (!answer.confirmed) return `Nothing was written: ${answer.why}`;
  const done = runSetup(plan, project.place.dataFolder, new Date());
  project.touch();
  await project.ready(project.caller.session);
  if (project.describe().present.configuration.hash !== hash)
    return [...done, 'Not adopted: something else in .claude/ changed during the dialog. To see it: /modes:trust.'].join('\n');
  project.adopt('session');
  project.granting.note('apply', hash, asker);
  const { approvalHash, changes } = project.approvals.wanted();
  if (changes.length > 0 || !project.approvals.give('dialog', approvalHash))
    return [...done, 'Adopted. Its gates use files that are not approved yet. To see them: /modes:trust.'].join('\n');
  return [...done, `Adopted and trusted: ${approvalHash}`].join('\n');
}
