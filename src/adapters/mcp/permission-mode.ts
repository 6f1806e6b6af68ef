// The client's own permission mode that a mode names. A hook may set it only in the answer to a request for permission, so there
// is a tool of ours that does nothing but raise one.

import type { Asker } from '../../workflow/moves.ts';
import type { CallerProject } from '../../workflow/project.ts';
import { type PermissionMode, permissionModes } from '../sdk/grantable.ts';

/** The tool's name. No decision of ours lets it through: the client then asks, and its request is what can be answered. */
export const permissionModeTool = 'permission_mode';

type Decision =
  | { behavior: 'allow'; updatedPermissions: [{ type: 'setMode'; mode: string; destination: 'session' }] }
  | { behavior: 'deny'; message: string };

/** What sessions' requests led to, told once by the tool. */
export class FollowedModes {
  readonly #bySession = new Map<string, string>();

  set(session: string | null, mode: string): void {
    this.#bySession.set(session ?? '', mode);
  }

  /** The mode that was set since the last question; null: the client asked for nothing. */
  take(session: string | null): string | null {
    const mode = this.#bySession.get(session ?? '') ?? null;
    this.#bySession.delete(session ?? '');
    return mode;
  }
}

/**
 * Answers the client's request for permission to use the tool. A stricter mode is set; one that lets more happen is for a person,
 * and the client has no place to ask: its own question stands on the screen while the hook runs, and a yes there sets nothing.
 */
export function followPermissionMode(
  project: CallerProject,
  { session, permissionMode }: Asker,
  headless: boolean,
  followed: FollowedModes,
): Decision {
  const wanted = wantedMode(project);
  const stays = (why: string): Decision => ({
    behavior: 'deny',
    message: `The permission mode stays ${permissionMode}: ${why}. A person sets it, with Shift+Tab or --permission-mode ${wanted}.`,
  });
  if (wanted === null) return { behavior: 'deny', message: noneNamed };
  if (isWider(permissionMode, wanted)) return stays(`${wanted} lets more happen unasked`);
  // There the client refuses every tool that could lead out again, ours too.
  if (headless && wanted === 'plan' && permissionMode !== wanted) return stays('nobody is here to end the plan mode');
  followed.set(session, wanted);
  return { behavior: 'allow', updatedPermissions: [{ type: 'setMode', mode: wanted, destination: 'session' }] };
}

/** What the tool answers once it is let through. */
export function permissionModeAnswer(
  project: CallerProject,
  { permissionMode }: Asker,
  set: string | null,
): { success: boolean } {
  const wanted = wantedMode(project);
  const answer = (body: object) => ({ success: 'permission_mode' in body, ...body });
  if (wanted === null) return answer({ reason: noneNamed });
  if (set !== null || permissionMode === wanted) return answer({ permission_mode: set ?? wanted });
  return answer({
    reason: `A hook may set the permission mode only when the client asks about this tool, and it did not ask (permission mode ${permissionMode ?? 'not known'}, or a rule that allows the tool). A person sets ${wanted}.`,
  });
}

const noneNamed =
  'The mode names no permission mode that counts (permissionMode in modes.yaml; one that lets more happen unasked counts once a person approved it).';

function wantedMode(project: CallerProject): string | null {
  const { mode, configuration } = project.describe();
  return (mode === null ? undefined : configuration.topology?.modes.get(mode))?.permissionMode ?? null;
}

/** One that is not known counts as the strictest. */
function isWider(from: string | null, to: string): boolean {
  const rank = (mode: string): number => permissionModes.indexOf(mode as PermissionMode);
  return rank(to) > Math.max(0, rank(from ?? ''));
}
