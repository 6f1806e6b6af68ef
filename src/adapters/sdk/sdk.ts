// `claude-modes-mcp/sdk`
import { prepare } from '../../engine/prepare.ts';
import { type Modes, openModesBy } from './modes.ts';
import type { OpenOptions } from './open.ts';

export type { Decision } from '../../model/decision.ts';
export type { HookOutput } from './events.ts';
export type { PermissionMode, PermissionUpdate } from './grantable.ts';
export type { Asked, HookCallback, HookMatcher, Modes, Permit } from './modes.ts';
export type { OpenOptions } from './open.ts';
export type { PermissionAnswer } from './permission.ts';

/**
 * The modes of a folder, for one session of the Agent SDK; null if no modes govern it. `options.session` is the session's id, if
 * the SDK receives one. Throws if there is no such folder.
 */
export function openModes(folder: string, options: OpenOptions = {}): Promise<Modes | null> {
  return openModesBy(prepare, folder, options);
}
