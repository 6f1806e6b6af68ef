// /modes:grants: lists the active grants of this session, and ends them.
import { describeTime } from '../../../workflow/grant-text.ts';
import { callsLeft, type OpenGrant, readClock, secondsLeft } from '../../../workflow/grants.ts';
import type { TypedRequest } from './asking.ts';

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
