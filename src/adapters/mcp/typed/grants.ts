// Grants that a person gives in a dialog (/modes:grant), the list of them (/modes:grants), and rules switched off (/modes:off).
import { rolesOf } from '../../../rules/reading.ts';
import { describeBounds, describeTime, readGrant, readOff } from '../../../workflow/grant-text.ts';
import { callsLeft, type OpenGrant, readClock, secondsLeft } from '../../../workflow/grants.ts';
import { type TypedRequest, unknownMode } from './dialogs.ts';

export function grants({ project, asker }: TypedRequest, args: string): string {
  const { granting } = project;
  const [verb = '', ...ids] = args.trim().split(/\s+/);
  const live = granting.live(asker.session);
  if (verb === 'back') {
    const wanted = ids.includes('all') ? live.grants.map(({ id }) => id) : ids;
    const unknown = wanted.filter((id) => !live.grants.some((one) => one.id === id));
    if (unknown.length > 0 || wanted.length === 0)
      return `Name one: /modes:grants back ${live.grants.map(({ id }) => id).join(' ') || 'ID'}. ${list(live, [])}`.trim();
    return `Given back: ${granting.back(wanted, asker).join(', ')}.`;
  }
  if (verb !== '') return `/modes:grants lists them. /modes:grants back ID ends one, /modes:grants back all ends all.`;
  return list(live, project.transitions.approved());
}

function list({ grants, off }: { grants: OpenGrant[]; off: number }, approved: readonly string[]): string {
  const lines = grants.map((one) => `${one.id}  ${one.rules.map(({ text }) => text).join(' ')}  (${left(one)})`);
  if (off > 0)
    lines.push(
      `Rules are off${Number.isFinite(off) ? ` for ${describeTime(off)}` : ' for this session'}. To switch them on: /modes:on.`,
    );
  for (const to of approved) lines.push(`One change to ${to} is approved. To take it back: /modes:approve back ${to}.`);
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
  if (asker.session === null) return 'A grant is for one session, but the client did not name its session. Start a new session.';
  const declared = rolesOf(configuration.arguments.filter(({ trusted }) => trusted));
  const read = readGrant(args, { home: project.place.home, arguments: declared });
  if ('error' in read) return read.error;
  const texts = read.rules.map(({ text }) => text);
  const shown = texts.join(' ');
  const bounds = describeBounds(read.bounds);
  const lines = texts.length === 1 ? `The line ${shown}` : `The lines ${texts.join(', ')}`;
  const answer = await ask(
    `Allow ${shown} in ${mode}${bounds === '' ? ', until the mode or the session ends' : `, for ${bounds}`}?`,
    'Yes, allow it',
    `${lines} under allow in settings.${mode}.json, approved with modes trust in a terminal, works without a person.`,
  );
  if (!answer.confirmed) return `Nothing was granted: ${answer.why}`;
  await project.ready(project.caller.session);
  // Other events were answered while the dialog was open.
  const given = project.granting.give(read.rules, read.bounds, mode, read.why || args.trim(), asker);
  if (given === null) return 'Nothing was granted: the mode changed during the dialog.';
  return `Granted (${given.id}): ${shown}${bounds === '' ? '' : `, ${bounds}`}. It ends with ${mode} or the session. To end it now: /modes:grants back ${given.id}.`;
}

/** Suspends the rules of user, project and local for a while. */
export async function off({ project, asker, ask }: TypedRequest, args: string): Promise<string> {
  const read = readOff(args);
  if ('error' in read) return read.error;
  if (project.describe().mode === null) return unknownMode;
  if (asker.session === null)
    return 'Rules are switched off for one session, but the client did not name its session. Start a new session.';
  const until = read.seconds === null ? 'until this session ends' : `for ${describeTime(read.seconds)}`;
  const answer = await ask(
    `Switch off the rules of user and project ${until}? Built-in protection and the organization's rules stay on.`,
    'Yes, switch them off',
    'To work without modes, start a session in a folder that has none. To work with fewer rules, add a mode to modes.yaml and approve it with modes trust in a terminal.',
  );
  if (!answer.confirmed) return `The rules stay on: ${answer.why}`;
  await project.ready(project.caller.session);
  const done = project.granting.off(read.seconds, read.why || `/modes:off ${args.trim()}`.trim(), asker);
  return done ? `Rules are off ${until}. To switch them on: /modes:on.` : 'The rules stay on: the mode is no longer known.';
}

export function on({ project, asker }: TypedRequest): string {
  return project.granting.on(asker) ? 'The rules are on again.' : 'The rules were not off.';
}
