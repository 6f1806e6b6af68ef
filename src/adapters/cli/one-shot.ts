// modes hook: decides one hook event as the process does that stands in for the server.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { ownRoot } from '../../app/own-package.ts';
import { exits, type Terminal } from './terminal.ts';

export const events: readonly string[] = ['PreToolUse', 'SessionStart', 'SubagentStart'];

/** The event is read from stdin and the answer printed. Gives 0, or what makes the client refuse whenever there is no answer. */
export function oneShot(event: string, options: { project?: string }, terminal: Terminal): number {
  if (!events.includes(event)) {
    terminal.err(`${JSON.stringify(event)} is no event that is answered; there are ${events.join(', ')} (E_USAGE).`);
    return exits.denied;
  }
  const program = path.join(ownRoot(), 'dist/hook.cjs');
  const start = options.project === undefined ? [] : [path.resolve(options.project)];
  const { status } = spawnSync(process.execPath, [program, event, ...start], { stdio: 'inherit' });
  return status === 0 ? exits.fine : exits.denied;
}
