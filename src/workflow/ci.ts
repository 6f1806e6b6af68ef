// Detects whether CI runs the client. The user and the organization decide what applies then.

import path from 'node:path';
import { checkoutsOf } from '../facts/paths/worktrees.ts';
import { readRegularText } from '../platform/read-file.ts';

const maxBytes = 1_048_576;

/**
 * Reads the variable CI, which every CI service sets; `false`, `0`, `no` and `off` mean no. Settings of a project can set any
 * variable of the client's environment. If one of them names CI, the variable proves nothing and counts as no.
 */
export function isCi(env: NodeJS.ProcessEnv, folders: readonly string[]): boolean {
  if (/^(|0|false|no|off)$/i.test((env.CI ?? '').trim())) return false;
  const own = folders.flatMap((folder) =>
    ['settings.json', 'settings.local.json'].map((name) => path.join(folder, '.claude', name)),
  );
  const ofCheckouts = folders.flatMap(checkoutsOf).map((folder) => path.join(folder, '.claude/settings.local.json'));
  return ![...new Set([...own, ...ofCheckouts])].some(saysCi);
}

/** An unreadable file may set it, so it counts as setting it. */
function saysCi(file: string): boolean {
  try {
    const { env } = JSON.parse(readRegularText(file, maxBytes)) as { env?: unknown };
    return typeof env === 'object' && env !== null && Object.keys(env).some((name) => name.toUpperCase() === 'CI');
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}
