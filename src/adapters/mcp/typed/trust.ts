// /modes:trust: a person approves exactly the current configuration, or revokes all such approvals.
import { everyProblem } from '../../../app/problems.ts';
import { trustText } from '../../../workflow/context/trust.ts';
import { problemsOf } from '../../../workflow/view.ts';
import { longestAnswer, problemLines, type TypedRequest } from './asking.ts';
import { firstDigits, refuseDigits, show } from './shown.ts';

/**
 * Without a hash, it shows everything and asks nothing: the client shows three rows of a dialog's text, too little for a
 * decision. With the first digits of the hash that was shown, it asks.
 */
export async function trust({ project, asker, ask }: TypedRequest, args: string): Promise<string> {
  const { present } = project.describe();
  if (args.trim() === 'back') {
    const revoked = project.approvals.revoke(null, asker);
    return revoked.length === 0
      ? 'Nothing of this project is trusted.'
      : `Taken back: ${revoked.length === 1 ? 'one configuration is' : `${revoked.length} configurations are`} not trusted any more. Allow rules of this project print nothing until /modes:trust.`;
  }
  const { seal, news } = project.approvals.wanted();
  const isTrusted = present.trusted && !present.differs;
  if (isTrusted && news.length === 0)
    return `This configuration is trusted already (${seal}). /modes:trust back takes that back.`;
  const { view, before } = await project.approvals.toShow();
  const problems = await everyProblem(project);
  const wrong = [problems, problemsOf(view)].find((all) => all.some(({ severity }) => severity === 'error'));
  if (wrong !== undefined) return `A broken configuration is not approved:\n${problemLines(wrong)}`;
  const hash = seal.slice('sha256:'.length);
  const short = firstDigits(hash);
  const given = args.trim().replace(/^sha256:/, '');
  const shown = [
    isTrusted ? seal : trustText(view, before),
    ...news,
    ...(problems.length > 0 ? [problemLines(problems)] : []),
  ].join('\n');
  if (shown.length > longestAnswer)
    return 'What this configuration would open is more than can be shown here. Run modes trust in a terminal: it shows all of it, and asks.';
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
  if (!answer.confirmed) return `Nothing is approved: ${answer.why}`;
  project.touch();
  await project.ready(project.caller.session);
  if (project.describe().present.view.id !== present.view.id || project.approvals.wanted().seal !== seal)
    return 'Nothing is approved: the configuration changed while you were asked.';
  if (!project.approvals.give('dialog', seal)) return 'Nothing is approved: the configuration changed while you were asked.';
  project.adopt('session');
  project.granting.note('trust', seal, asker);
  return `Trusted: ${seal}`;
}
