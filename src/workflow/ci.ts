// Whether CI runs the client. What holds then is for the user and the organisation to say.
import fs from 'node:fs';
import path from 'node:path';

/**
 * By the variable CI, which every CI service sets; `false`, `0` and `no` are no. Settings of a project can give the client's
 * environment any value: where one of them names CI, it proves nothing and counts as no.
 */
export function isCi(env: NodeJS.ProcessEnv, folders: readonly string[]): boolean {
  if (/^(|0|false|no|off)$/i.test((env.CI ?? '').trim())) return false;
  return ![...new Set(folders)].some((folder) =>
    ['settings.json', 'settings.local.json'].some((name) => saysCi(path.join(folder, '.claude', name))),
  );
}

/** What cannot be read may say it. */
function saysCi(file: string): boolean {
  try {
    const { env } = JSON.parse(fs.readFileSync(file, 'utf8')) as { env?: unknown };
    return typeof env === 'object' && env !== null && Object.keys(env).some((name) => name.toUpperCase() === 'CI');
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}
