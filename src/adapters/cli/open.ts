// Opens the project of a command.

import fs from 'node:fs';
import path from 'node:path';
import { findPackageRoot } from '../../app/own-package.ts';
import { prepare } from '../../engine/prepare.ts';
import { maxEventBytes } from '../../facts/call.ts';
import { placeOf, real } from '../../facts/paths/place.ts';
import { nearest } from '../../platform/nearest-name.ts';
import { findProject as findFolder } from '../../store/find-project.ts';
import { type CallerProject, openProject } from '../../workflow/project.ts';
import { showProgress } from './progress.ts';
import { UsageError } from './terminal.ts';

/** Absolute real folder of `--project`, or the working folder. */
export function startFolder(named: string | undefined): string {
  const folder = path.resolve(named ?? process.env.CLAUDE_PROJECT_DIR ?? '.');
  const stat = fs.statSync(folder, { throwIfNoEntry: false });
  if (stat === undefined) throw new UsageError(`there is no folder ${folder}`);
  if (!stat.isDirectory()) throw new UsageError(`${folder} is not a folder`);
  return real(folder);
}

/** Paths of the governed project, without loading it. Throws `UsageError` if there is none. */
export function governed(named: string | undefined): { root: string; dataFolder: string } {
  const start = startFolder(named);
  const place = placeOf(start, process.env, findPackageRoot());
  const location = findFolder(start, place);
  if (location === null) throw new UsageError(noModes(start), 'E_NO_MODES');
  return { root: location.root, dataFolder: place.dataFolder };
}

/** Wrong names that people give to modes.yaml. */
const MISNAMED = ['.claude/modes.yml', '.claude/modes.json', '.claude/mode.yaml', 'modes.yaml', 'modes.yml'];

function noModes(start: string): string {
  const missing = `no .claude/modes.yaml in ${start} or above`;
  const other = MISNAMED.find((name) => fs.existsSync(path.join(start, name)));
  return `${missing}; ${other === undefined ? 'create one with modes init' : `${other} exists, but it is not read under that name`}`;
}

/** Maximum bytes read from a file that a person names, by kind (a bundle: unpacked). Devices and pipes may never end. */
const most = { event: maxEventBytes, bundle: 67_108_864, key: 262_144 } as const;

/**
 * Bytes of a file that a person names; for an event also `-`, stdin. Throws `UsageError` if it cannot be read, or is too large.
 */
export function readNamed(file: string, what: keyof typeof most): Buffer {
  const isStdin = file === '-' && what === 'event';
  let handle: number | null = null;
  let bytes: Buffer | null;
  try {
    handle = isStdin ? 0 : fs.openSync(file, 'r');
    bytes = readUpTo(handle, most[what]);
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  } finally {
    if (handle !== null && !isStdin) fs.closeSync(handle);
  }
  if (bytes !== null) return bytes;
  throw new UsageError(`${file} is larger than ${most[what] / 1024} KB, the maximum`, 'E_INPUT_TOO_LARGE');
}

/** null: the input is longer. */
function readUpTo(handle: number, maxBytes: number): Buffer | null {
  const chunks: Buffer[] = [];
  for (let size = 0; size <= maxBytes; ) {
    const chunk = Buffer.allocUnsafe(65_536);
    const count = fs.readSync(handle, chunk, 0, chunk.length, null);
    if (count === 0) return Buffer.concat(chunks);
    size += count;
    chunks.push(chunk.subarray(0, count));
  }
  return null;
}

/** Throws `UsageError` if there is no such mode. `modes` is null if no modes could be read. */
export function requireMode(name: string, modes: ReadonlyMap<string, unknown> | null): void {
  if (modes?.has(name)) return;
  const names = [...(modes?.keys() ?? [])];
  const guess = nearest(name, names);
  const instead = guess !== null ? `; did you mean ${guess}?` : names.length > 0 ? `; modes: ${names.join(', ')}` : '';
  throw new UsageError(`there is no mode ${JSON.stringify(name)}${instead}`);
}

/** The governed project, loaded. Throws `UsageError` if there is none. */
export async function requireProject(named: string | undefined): Promise<CallerProject> {
  const project = await findProject(named);
  if (project === null) throw new UsageError(noModes(startFolder(named)), 'E_NO_MODES');
  return project;
}

/** The governed project, loaded; null if there is none. */
export async function findProject(named: string | undefined): Promise<CallerProject | null> {
  const start = startFolder(named);
  const project = openProject({
    start,
    env: { ...process.env, CLAUDE_PROJECT_DIR: start },
    packageRoot: findPackageRoot(),
    prepare,
  });
  const session = process.env.CLAUDE_CODE_SESSION_ID ?? null;
  if (project === null) return null;
  const progress = showProgress('preparing the policies');
  await project.ready(session).finally(progress.end);
  return project.for({ session, cwd: start });
}
