// What of the client's suggestions a mode grants: they would outlast the call.

export type PermissionMode = 'default' | 'acceptEdits' | 'bypassPermissions' | 'plan' | 'dontAsk' | 'auto';

/** A change of the client's own permissions, as it suggests them and takes them back. */
export type PermissionUpdate =
  | {
      type: 'addRules' | 'replaceRules' | 'removeRules';
      rules: { toolName: string; ruleContent?: string }[];
      behavior: 'allow' | 'deny' | 'ask';
      destination: UpdateDestination;
    }
  | { type: 'setMode'; mode: PermissionMode; destination: UpdateDestination }
  | { type: 'addDirectories' | 'removeDirectories'; directories: string[]; destination: UpdateDestination };

type UpdateDestination = 'userSettings' | 'projectSettings' | 'localSettings' | 'session' | 'cliArg';

/** From the mode that lets least happen unasked. */
export const permissionModes: readonly PermissionMode[] = [
  'plan',
  'dontAsk',
  'default',
  'acceptEdits',
  'auto',
  'bypassPermissions',
];

/** True for a permission mode that lets no more happen unasked than the one a mode names; a mode that names none goes with `default`. */
export function isGranted(mode: unknown, named: string | null): mode is PermissionMode {
  const ranks: readonly unknown[] = permissionModes;
  const rank = ranks.indexOf(mode);
  return rank >= 0 && rank <= ranks.indexOf(named ?? 'default');
}

/**
 * The suggestions that a mode grants: the permission mode that it names, or a stricter one, for this session; rules that deny or ask.
 * Rules that allow, folders and whatever is written into settings would still hold in the next mode.
 */
export function grantedUpdates(suggestions: unknown, named: string | null): PermissionUpdate[] {
  return Array.isArray(suggestions) ? suggestions.filter((one): one is PermissionUpdate => isGrantedUpdate(one, named)) : [];
}

function isGrantedUpdate(given: unknown, named: string | null): boolean {
  if (typeof given !== 'object' || given === null) return false;
  const { type, destination, mode, behavior, rules } = given as Record<string, unknown>;
  if (destination !== 'session') return false;
  if (type === 'setMode') return named !== null && isGranted(mode, named);
  return type === 'addRules' && Array.isArray(rules) && (behavior === 'deny' || behavior === 'ask');
}
