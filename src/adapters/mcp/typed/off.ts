// /modes:off and /modes:on: suspend the rules of user, project and local for a while.
import { describeTime, readOff } from '../../../workflow/grant-text.ts';
import { type TypedRequest, unknownMode } from './asking.ts';

export async function off({ project, asker, ask }: TypedRequest, args: string): Promise<string> {
  const read = readOff(args);
  if ('error' in read) return read.error;
  if (project.describe().mode === null) return unknownMode;
  if (asker.session === null) return 'The client names no session, and rules rest for one.';
  const until = read.seconds === null ? 'until this session ends' : `for ${describeTime(read.seconds)}`;
  const answer = await ask(
    `Switch off the rules of user and project ${until}? Built-in protection and the organisation's rules stay.`,
    'Yes, switch them off',
    'A session without modes is one in a folder that has none; a mode with fewer rules is a line in modes.yaml, approved with modes trust in a terminal.',
  );
  if (!answer.confirmed) return `The rules hold on: ${answer.why}`;
  await project.ready(project.caller.session);
  const done = project.granting.off(read.seconds, read.why || `/modes:off ${args.trim()}`.trim(), asker);
  return done ? `Rules are off ${until}; /modes:on ends it.` : 'The rules hold on: the mode is not known any more.';
}

export function on({ project, asker }: TypedRequest): string {
  return project.granting.on(asker) ? 'The rules hold again.' : 'The rules hold: they were not off.';
}
