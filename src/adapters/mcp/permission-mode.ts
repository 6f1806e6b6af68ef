// Sets the client's permission mode that a mode names. A hook may set it only in its answer to a permission request, so Modes has
// a tool that only raises such a request.

import type { Asker } from '../../workflow/mode-transitions.ts';
import type { CallerProject } from '../../workflow/project.ts';
import { isWider } from '../sdk/grantable.ts';

/** The tool's name. No decision of Modes allows it: the client then raises a permission request, which a hook can answer. */
export const permissionModeTool = 'permission_mode';

type HookPermission =
  | { behavior: 'allow'; updatedPermissions: [{ type: 'setMode'; mode: string; destination: 'session' }] }
  | { behavior: 'deny'; message: string };

/** Results of the sessions' requests. The tool reports each once. */
export class FollowedModes {
  readonly #bySession = new Map<string, string>();

  set(session: string | null, mode: string): void {
    this.#bySession.set(session ?? '', mode);
  }

  /** The mode that was set since the last call of `take`; null if the client sent no permission request. */
  take(session: string | null): string | null {
    const mode = this.#bySession.get(session ?? '') ?? null;
    this.#bySession.delete(session ?? '');
    return mode;
  }
}

/**
 * Answers the client's request for permission to use the tool. A stricter mode is set. A mode that permits more is for a person
 * to choose, and the client offers no dialog for that: its own question stays on the screen while the hook runs, and an approval
 * there sets nothing.
 */
export function followPermissionMode(
  project: CallerProject,
  { session, permissionMode }: Asker,
  headless: boolean,
  followed: FollowedModes,
): HookPermission {
  const wanted = wantedMode(project);
  const stays = (why: string): HookPermission => ({
    behavior: 'deny',
    message: `The permission mode stays ${permissionMode}: ${why}. A person can set it with Shift+Tab or --permission-mode ${wanted}.`,
  });
  if (wanted === null) return { behavior: 'deny', message: noneNamed };
  if (isWider(permissionMode, wanted)) return stays(`${wanted} lets more happen without asking`);
  // In a headless plan mode the client refuses every tool that could leave it, including ours.
  if (headless && wanted === 'plan' && permissionMode !== wanted)
    return stays('this session is not interactive, so no one can end the plan mode');
  followed.set(session, wanted);
  return { behavior: 'allow', updatedPermissions: [{ type: 'setMode', mode: wanted, destination: 'session' }] };
}

/** The answer of the tool after the client allowed the call. */
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
    reason: `A hook may set the permission mode only when the client asks about this tool, and it did not ask (permission mode ${permissionMode ?? 'not known'}, or a rule that allows the tool). A person can set ${wanted}.`,
  });
}

const noneNamed =
  'The mode names no valid permission mode (permissionMode in modes.yaml). A mode that lets more happen without asking is valid after a person approved it.';

function wantedMode(project: CallerProject): string | null {
  const { mode, configuration } = project.describe();
  return (mode === null ? undefined : configuration.topology?.modes.get(mode))?.permissionMode ?? null;
}
