// Runs a command without Modes, to show that it does what a test says Modes prevents.
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { clientEnvironment } from './client.ts';
import type { Place } from './place.ts';

/** The output of a command that bash runs in the project, in the environment that the client would give it. */
export function runAlone(place: Place, command: string): string {
  const { stdout } = spawnSync('bash', ['-c', command], {
    cwd: place.project,
    encoding: 'utf8',
    env: clientEnvironment(place.home, '', randomUUID()),
    timeout: 30_000,
  });
  return stdout;
}
