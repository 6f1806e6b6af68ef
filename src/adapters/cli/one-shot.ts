// modes hook: decides one hook event as the one-shot process does, which replaces the server when none answers.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { findPackageRoot } from '../../app/own-package.ts';
import { exits, type Terminal } from './terminal.ts';

export const events: readonly string[] = ['PreToolUse', 'SessionStart', 'SubagentStart'];

/**
 * Reads the event from stdin and prints the answer. Returns 0, or, if there is no answer, the exit
 * code that makes the client refuse.
 */
export function oneShot(event: string, options: { project?: string }, terminal: Terminal): number {
  if (!events.includes(event)) {
    terminal.err(`${JSON.stringify(event)} is not a supported event; use one of ${events.join(', ')} (E_USAGE).`);
    return exits.denied;
  }
  const program = path.join(findPackageRoot(), 'dist/hook.cjs');
  const start = options.project === undefined ? [] : [path.resolve(options.project)];
  const { status } = spawnSync(process.execPath, [program, event, ...start], { stdio: 'inherit' });
  return status === 0 ? exits.fine : exits.denied;
}
