// Selects the client's suggestions that a mode grants: a suggestion would outlast the call.

export type PermissionMode = 'default' | 'acceptEdits' | 'bypassPermissions' | 'plan' | 'dontAsk' | 'auto';

/** A change of the client's own permissions, in the client's own format. */
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

/** Ordered from the mode that permits least without asking. */
const permissionModes: readonly PermissionMode[] = ['plan', 'dontAsk', 'default', 'acceptEdits', 'auto', 'bypassPermissions'];

/** True for a permission mode that permits no more without asking than `named`, the one that the mode names, or `default`. */
export function isGranted(mode: unknown, named: string | null): mode is PermissionMode {
  return rankOf(mode) >= 0 && rankOf(mode) <= rankOf(named ?? 'default');
}

/** True if `to` permits more without asking than `from`. An unknown mode counts as the one that permits least. */
export function isWider(from: string | null, to: string): boolean {
  return rankOf(to) > Math.max(0, rankOf(from));
}

function rankOf(mode: unknown): number {
  return (permissionModes as readonly unknown[]).indexOf(mode);
}

/**
 * The suggestions that a mode grants: the permission mode that it names, or a stricter one, for this session, and rules that deny
 * or ask. Allow rules, folders, and anything written into settings would stay in effect in the next mode.
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
