// Settings by which git looks away from what a file system cannot hold: not believed where it can.
import path from 'node:path';
import { look } from '../platform/look-at-disk.ts';

/** What git is told instead. */
const corrected = { fileMode: 'core.fileMode=true', symlinks: 'core.symlinks=true', ignoreCase: 'core.ignoreCase=false' };

/**
 * The settings that git is to be started with, of those that a repository has (names in lower case) and that hide a change.
 * @param tracked names of the tracked files below the top; asked for only where it matters
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

/** As git reads a value. */
function isTrue(value: string): boolean {
  return !/^(false|no|off|0*|)$/i.test(value);
}

/** Whether another spelling of a name is the same file. */
function hasOneCase(top: string): boolean {
  const [one, other] = ['.git', '.GIT'].map((name) => look(path.join(top, name)));
  return one?.ino !== undefined && one.ino === other?.ino;
}

/** Where every file can be run, or none can, the file system may have no such mark. */
function holdsModes(top: string, git: string, tracked: readonly string[]): boolean {
  const canRun = (file: string): boolean => {
    const stat = look(file);
    return stat?.isFile() === true && (stat.mode & 0o111) !== 0;
  };
  return !canRun(path.join(git, 'index')) && tracked.some((name) => canRun(path.join(top, name)));
}
