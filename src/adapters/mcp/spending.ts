// Counted grants: a call that needs one uses it up when the client announces it, and not at all if that cannot be recorded.
import type { Decision } from '../../model/decision.ts';
import type { Asker } from '../../workflow/moves.ts';
import type { CallerProject } from '../../workflow/project.ts';

/** The decision, or a refusal where the grant that it needs cannot be counted. Once for a call, however often it is decided. */
export function spend(project: CallerProject, decision: Decision, toolUse: string, asker: Asker): Decision {
  const ids = (decision.grants ?? []).flatMap(({ id, counted }) => (counted ? [id] : []));
  if (ids.length === 0 || decision.decision === 'deny') return decision;
  const refused = (why: string): Decision => ({
    ...decision,
    decision: 'deny',
    by: 'fault',
    reason: `The grant that this call needs cannot be counted: ${why}.`,
    remedy: 'A person grants it anew with /modes:grant.',
  });
  try {
    return project.granting.spend(ids, toolUse, asker) ? decision : refused('it is used up');
  } catch (error) {
    return refused((error as Error).message);
  }
}
