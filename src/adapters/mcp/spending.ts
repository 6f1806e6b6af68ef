// Counted grants: a call that needs one consumes it when the client announces the call. If that cannot
// be recorded, the call is refused.
import type { Decision } from '../../model/decision.ts';
import type { Asker } from '../../workflow/moves.ts';
import type { CallerProject } from '../../workflow/project.ts';

/**
 * The decision, or a refusal if the grant that it needs cannot be counted. A call is counted once, even
 * if it is decided several times.
 */
export function spend(project: CallerProject, decision: Decision, toolUse: string, asker: Asker): Decision {
  const ids = (decision.grants ?? []).flatMap(({ id, counted }) => (counted ? [id] : []));
  if (ids.length === 0 || decision.decision === 'deny') return decision;
  const refused = (why: string): Decision => ({
    ...decision,
    decision: 'deny',
    by: 'fault',
    reason: `The grant that this call needs cannot be counted: ${why}.`,
    remedy: 'A person grants it again with /modes:grant.',
  });
  try {
    return project.granting.spend(ids, toolUse, asker) ? decision : refused('it is used up');
  } catch (error) {
    return refused((error as Error).message);
  }
}
