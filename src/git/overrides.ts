// Detects settings that make git disregard properties of files which the file system in fact supports.
import path from 'node:path';
import { statOf } from '../platform/stat.ts';

/** The settings that override them. */
const corrected = { fileMode: 'core.fileMode=true', symlinks: 'core.symlinks=true', ignoreCase: 'core.ignoreCase=false' };

/**
 * The overrides to start git with, because the repository has settings (names in lower case) that hide a change.
 * @param tracked names of the tracked files below the top; called only if needed
 */
export async function disbelieved(
  settings: ReadonlyMap<string, string>,
  { top, git }: { top: string; git: string },
  tracked: () => Promise<string[]>,
): Promise<string[]> {
  const says = (name: string, value: boolean): boolean => settings.has(name) && isTrue(settings.get(name) as string) === value;
  return [
    ...(says('core.symlinks', false) ? [corrected.symlinks] : []),
    ...(says('core.ignorecase', true) && !hasOneCase(top) ? [corrected.ignoreCase] : []),
    ...(says('core.filemode', false) && holdsModes(top, git, await tracked()) ? [corrected.fileMode] : []),
  ];
}

/** Parses a boolean value as git does. */
function isTrue(value: string): boolean {
  return !/^(false|no|off|0*|)$/i.test(value);
}

/** True if another spelling of a name is the same file. */
function hasOneCase(top: string): boolean {
  const [one, other] = ['.git', '.GIT'].map((name) => statOf(path.join(top, name)));
  return one?.ino !== undefined && one.ino === other?.ino;
}

/** If all files are executable, or none is, the file system may not support the executable bit. */
function holdsModes(top: string, git: string, tracked: readonly string[]): boolean {
  const canRun = (file: string): boolean => {
    const stat = statOf(file);
    return stat?.isFile() === true && (stat.mode & 0o111) !== 0;
  };
  return !canRun(path.join(git, 'index')) && tracked.some((name) => canRun(path.join(top, name)));
}
