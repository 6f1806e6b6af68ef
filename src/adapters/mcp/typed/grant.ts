// /modes:grant: a person grants something for a time, a number of calls, or until the mode or the session ends.
import { rolesOf } from '../../../rules/reading.ts';
import { describeBounds, readGrant } from '../../../workflow/grant-text.ts';
import { type TypedRequest, unknownMode } from './asking.ts';

export async function grant({ project, asker, ask }: TypedRequest, args: string): Promise<string> {
  const { mode, configuration } = project.describe();
  if (mode === null) return unknownMode;
  if (asker.session === null) return 'The client names no session, and a grant is for one.';
  const declared = rolesOf(configuration.arguments.filter(({ trusted }) => trusted));
  const read = readGrant(args, { home: project.place.home, arguments: declared });
  if ('error' in read) return read.error;
  const texts = read.rules.map(({ text }) => text);
  const shown = texts.join(' ');
  const bounds = describeBounds(read.bounds);
  const lines = texts.length === 1 ? `The line ${shown}` : `The lines ${texts.join(', ')}`;
  const answer = await ask(
    `Open ${shown} in ${mode}${bounds === '' ? ', until the mode or the session ends' : `, for ${bounds}`}?`,
    'Yes, open it',
    `${lines} under allow in settings.${mode}.json, approved with modes trust in a terminal, would do without a person.`,
  );
  if (!answer.confirmed) return `Nothing is granted: ${answer.why}`;
  await project.ready(project.caller.session);
  // Other events were answered while the dialog was open.
  const given = project.granting.give(read.rules, read.bounds, mode, read.why || args.trim(), asker);
  if (given === null) return 'Nothing is granted: the mode changed while you were asked.';
  return `Granted (${given.id}): ${shown}${bounds === '' ? '' : `, ${bounds}`}. It ends with ${mode} or the session; /modes:grants back ${given.id} ends it now.`;
}
