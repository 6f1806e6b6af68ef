// Grants that a person gives in a dialog (/modes:grant), the list of them (/modes:grants), and rules switched off (/modes:off).
import { rolesOf } from '../../../rules/reading.ts';
import { describeBounds, describeTime, readGrant, readOff } from '../../../workflow/grant-text.ts';
import { callsLeft, type OpenGrant, readClock, secondsLeft } from '../../../workflow/grants.ts';
import { type TypedRequest, unknownMode } from './asking.ts';

export function grants({ project, asker }: TypedRequest, args: string): string {
  const { granting } = project;
  const [verb = '', ...ids] = args.trim().split(/\s+/);
  const live = granting.live(asker.session);
  if (verb === 'back') {
    const wanted = ids.includes('all') ? live.grants.map(({ id }) => id) : ids;
    const unknown = wanted.filter((id) => !live.grants.some((one) => one.id === id));
    if (unknown.length > 0 || wanted.length === 0)
      return `Say which: /modes:grants back ${live.grants.map(({ id }) => id).join(' ') || 'ID'}. ${list(live, [])}`.trim();
    return `Given back: ${granting.back(wanted, asker).join(', ')}.`;
  }
  if (verb !== '') return `/modes:grants lists them; /modes:grants back ID gives one back, /modes:grants back all every one.`;
  return list(live, project.moves.approved());
}

function list({ grants, off }: { grants: OpenGrant[]; off: number }, approved: readonly string[]): string {
  const lines = grants.map((one) => `${one.id}  ${one.rules.map(({ text }) => text).join(' ')}  (${left(one)})`);
  if (off > 0)
    lines.push(`Rules are off${Number.isFinite(off) ? ` for ${describeTime(off)}` : ' for this session'}; /modes:on ends it.`);
  for (const to of approved) lines.push(`One change to ${to} is approved; /modes:approve back ${to} takes it back.`);
  return lines.length === 0 ? 'Nothing is granted in this session.' : lines.join('\n');
}

function left(grant: OpenGrant): string {
  const seconds = secondsLeft(grant, readClock());
  const calls = callsLeft(grant);
  const parts = [
    Number.isFinite(seconds) ? `${describeTime(seconds)} left` : '',
    Number.isFinite(calls) ? `${calls} of ${grant.count} calls left` : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? 'until the mode or the session ends' : parts.join(', ');
}

/** Grants something for a time, a number of calls, or until the mode or the session ends. */
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

/** Suspends the rules of user, project and local for a while. */
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
