// /modes:apply: shows the changes of a draft of modes, and writes exactly those after a yes.

import { DRAFT_FOLDER, readDraft } from '../../../app/setup/draft.ts';
import { runSetup, setupText } from '../../../app/setup/setup.ts';
import { trustText } from '../../../workflow/context/trust.ts';
import { problemsOf } from '../../../workflow/view.ts';
import { longestAnswer, problemLines, type TypedRequest } from './asking.ts';
import { firstDigits, refuseDigits, show } from './shown.ts';

/** Without a hash, it shows everything and asks nothing: a dialog shows too few rows for a decision. */
export async function apply({ project, asker, ask }: TypedRequest, args: string): Promise<string> {
  const { present } = project.describe();
  const draft = readDraft(project.root, present.view.content);
  if ('error' in draft) return draft.error;
  if (draft.steps.length === 0) return `${DRAFT_FOLDER}/ says what .claude/ holds already.`;
  const view = await project.approvals.open(draft.content);
  const problems = problemsOf(view);
  if (problems.some(({ severity }) => severity === 'error'))
    return `A broken draft is not applied (files as they would lie in .claude/):\n${problemLines(problems)}`;
  const plan = { root: project.root, preset: '', steps: draft.steps, whole: false, statusLine: false, packageRoot: '' };
  const { hash } = view.known;
  const short = firstDigits(draft.hash);
  const given = args.trim();
  const before = present.trusted ? present.view : await project.approvals.last();
  const shown = [trustText(view, before), setupText(plan), problemLines(problems)].filter((part) => part !== '').join('\n');
  if (shown.length > longestAnswer)
    return `What the draft would change is more than can be shown here. Copy ${DRAFT_FOLDER}/ into .claude/ yourself and run modes trust in a terminal.`;
  if (given === '') {
    show(project, 'draft', draft.hash);
    return `${shown}\n\nTo write and adopt exactly this: /modes:apply ${short}`;
  }
  const refused = refuseDigits(project, 'draft', draft.hash, given, '/modes:apply');
  if (refused !== null) return refused;
  const files = draft.steps.length === 1 ? '1 file' : `${draft.steps.length} files`;
  const answer = await ask(
    `Write the draft ${short} into .claude/ (${files}, what is there kept beside) and adopt it, as /modes:apply showed it?`,
    'Yes, I have read it',
    `Copy ${DRAFT_FOLDER}/ into .claude/ yourself and run modes trust in a terminal.`,
  );
  if (!answer.confirmed) return `Nothing is written: ${answer.why}`;
  const done = runSetup(plan, project.place.dataFolder, new Date());
  project.touch();
  await project.ready(project.caller.session);
  if (project.describe().present.configuration.hash !== hash)
    return [...done, 'Not adopted: something else in .claude/ changed while you were asked. /modes:trust shows it.'].join('\n');
  project.adopt('session');
  project.granting.note('apply', hash, asker);
  const { seal, news } = project.approvals.wanted();
  if (news.length > 0 || !project.approvals.give('dialog', seal))
    return [...done, 'Adopted. Its gates use files that are not approved yet: /modes:trust shows them.'].join('\n');
  return [...done, `Adopted and trusted: ${hash}`].join('\n');
}
