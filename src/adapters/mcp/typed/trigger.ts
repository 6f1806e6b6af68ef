// A prompt that consists only of a trigger: the person who typed it is asked, and the transition is made if its gate passes.
import { triggeredWay } from '../../../workflow/phrases.ts';
import { forbidden } from '../../../workflow/team.ts';
import type { TypedRequest } from './asking.ts';

/**
 * The message for the person and the model; null if the prompt is no trigger. Triggers of
 * an unapproved configuration do not count.
 */
export async function trigger({ project, asker, ask }: TypedRequest, prompt: string, source: string): Promise<string | null> {
  const { mode, configuration, trusted } = project.describe();
  const from = mode === null ? undefined : configuration.topology?.modes.get(mode);
  if (from === undefined || (configuration.topologyLayer === 'project' && !trusted)) return null;
  const met = triggeredWay(prompt, source, from.transitions);
  if (met === null) return null;
  const { way, phrase } = met;
  const why = way.approve === 'human' ? forbidden(project.place, 'approve') : null;
  if (why !== null) return `The mode stays ${mode}: ${why}`;
  const seen = way.approve === 'human' ? project.moves.seen() : null;
  const answer = await ask(
    `"${phrase}" asks for the change from ${mode} to ${way.to}. Make it?`,
    `Yes, to ${way.to}`,
    'Type it in a session on a terminal.',
  );
  if (!answer.confirmed) return `The mode stays ${mode}: ${answer.why}`;
  await project.ready(project.caller.session);
  // Other events were answered while the dialog was open.
  if (project.describe().mode !== mode) return 'The mode was changed while the person was asked.';
  if (seen !== null) {
    const refused = project.moves.approve(way.to, seen);
    if (refused !== null) return refused.reason;
    project.granting.note('approve', way.to, asker);
  }
  const done = await project.moves.transition(way.to, `${phrase} in a prompt`, asker, { actor: 'person' });
  return done.success
    ? `The person changed the mode to ${done.new_state}.`
    : `The mode stays ${mode}: ${done.reason}. A person changes it without the gate by /modes:mode ${way.to}.`;
}
