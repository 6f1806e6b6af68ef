// Opens the governed project of a folder for a host that asks about calls.
import fs from 'node:fs';
import type { Prepare } from '../../engine/prepared.ts';
import { real } from '../../facts/paths/place.ts';
import { packageRoot, readBuild } from '../../platform/package.ts';
import { DecisionLog } from '../../store/log/log.ts';
import { openProject, type Project } from '../../workflow/project.ts';

export interface OpenOptions {
  /** The session whose mode, grants and content count. Without one: those that a new session would get now. */
  session?: string;
  /** Environment variables that are read: HOME, PATH, CLAUDE_CONFIG_DIR, CI, TMPDIR. Default: `process.env`. */
  env?: Readonly<Record<string, string | undefined>>;
  /** The package's own folder, if it cannot be found from its code. */
  packageRoot?: string;
}

export interface Opened {
  project: Project;
  /** Absolute real path of the named folder. */
  start: string;
  log: DecisionLog;
}

/** Logs with lines that must be written before the process ends. */
const logs = new Set<DecisionLog>();

function flushAtExit(log: DecisionLog): void {
  if (logs.size === 0) process.once('exit', () => logs.forEach((one) => void one.flush()));
  logs.add(log);
}

/** null: no modes govern the folder. Throws if there is no such folder. */
export async function open(
  prepare: Prepare,
  folder: string,
  { session, env = process.env, packageRoot: named }: OpenOptions = {},
): Promise<Opened | null> {
  const start = real(fs.realpathSync.native(folder));
  const root = named ?? packageRoot(import.meta.url);
  const project = openProject({
    start,
    env: { ...env, CLAUDE_PROJECT_DIR: start, CLAUDE_CODE_SESSION_ID: session },
    packageRoot: root,
    prepare,
    session: session ?? null,
    // Only the server of a session counts the uses of counted grants.
    isServed: () => false,
  });
  if (project === null) return null;
  await project.ready(session ?? null);
  const log = new DecisionLog({ dataFolder: project.place.dataFolder, root: project.root, build: readBuild(root) });
  flushAtExit(log);
  return { project, start, log };
}
