// The grant by which a person in a terminal answers an ask about a call of another harness.

import type { Decision } from '../model/decision.ts';
import { harnessCallOf } from '../store/log/harness-call.ts';
import { grantOfAsked } from './grants.ts';
import type { CallerProject } from './project.ts';

/**
 * The decision on an ask that a person granted; any other decision stays. It uses the grant up. A grant answers the ask, so it never
 * lifts a deny. Throws if the disk refuses.
 */
export function withGrantOfAsked(project: CallerProject, event: Record<string, unknown>, decision: Decision): Decision {
  const asked = decision.decision === 'ask' ? harnessCallOf(event) : null;
  if (asked === null) return decision;
  const { session } = project.caller;
  const { call, attempt: toolUse } = asked;
  const grant = grantOfAsked(project.state().authority, { session, call, toolUse });
  if (grant === null || !project.granting.consume([grant.id], toolUse, { session, permissionMode: null })) return decision;
  const { verifiable: _, grants = [], ...rest } = decision;
  return {
    ...rest,
    decision: 'pass',
    by: 'granted',
    rules: [],
    also: [...rest.rules, ...rest.also],
    reason: '',
    remedy: '',
    grants: [...grants, { id: grant.id, counted: true }],
  };
}
