// The user's choice about guarded files that a program changed: accept the present content (/modes:accept), or restore the
// content from before the run (/modes:restore).

import { changedFiles, differencesOf, filesText, hashOf, reviewActions, summariesOf } from '../../../app/changed-files.ts';
import { atTerminal, longestAnswer, type TypedRequest } from './dialogs.ts';
import { firstDigits, refuseDigits, show } from './shown.ts';

const nothing = 'No program changed a file that the mode guards.';

export const accept = (request: TypedRequest, args: string): Promise<string> => reviewChanges(request, args, 'accept');
export const restore = (request: TypedRequest, args: string): Promise<string> => reviewChanges(request, args, 'restore');

/** Without a hash, shows the difference and asks nothing: a dialog shows too few rows. With the first digits of it, asks. */
async function reviewChanges(request: TypedRequest, args: string, name: keyof typeof reviewActions): Promise<string> {
  const { project, asker, ask } = request;
  const how = reviewActions[name];
  const command = `/modes:${name}`;
  const changed = await changedFiles(project);
  if (changed.length === 0) return nothing;
  const refused = how.refused(changed);
  if (refused !== null) return refused;
  const hash = hashOf(changed);
  const short = firstDigits(hash);
  const given = args.trim();
  if (given === '') {
    const summaries = summariesOf(changed);
    const whole = differencesOf(changed);
    const difference = cut(whole, longestAnswer - summaries.join('\n').length);
    // What is not shown here cannot be accepted here.
    if (name === 'accept' && difference !== whole)
      return [
        ...summaries,
        difference,
        'The difference is too long to show here. Run modes accept in a terminal: it shows all of it, and asks.',
      ].join('\n');
    show(project, 'change', hash);
    return [...summaries, difference, `To do this for exactly these files: ${command} ${short}`].join('\n');
  }
  const wrong = refuseDigits(project, 'change', hash, given, command);
  if (wrong !== null) return wrong;
  const answer = await ask(`${how.question(filesText(changed))}, as ${command} showed it?`, 'Yes, I have read it', atTerminal);
  if (!answer.confirmed) return `Nothing was done: ${answer.why}`;
  await project.ready(project.caller.session);
  // Programs may have gone on during the dialog.
  const now = await changedFiles(project);
  if (hashOf(now) !== hash) return `Nothing was done: the files changed during the dialog. To see them: ${command}.`;
  return how.act(project, now, asker);
}

const cut = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, Math.max(0, most))}\n… (cut here; git diff shows the rest)` : text;
