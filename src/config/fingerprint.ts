// Tells from the metadata of files whether a configuration may have changed on the disk.
import nodeFs from 'node:fs';
import type { LayerFolder } from '../platform/layer-folders.ts';
import { type FileSystem, getErrorCode, pathOf, surveyConfiguration } from './survey.ts';

interface FingerprintEntry {
  /** The name as a person sees it. */
  name: string;
  /**
   * Device, inode, size in bytes, modification and change time in ms. Or the error code of the system, such as `ENOENT` for a
   * missing file.
   */
  state: string;
}

export interface Fingerprint {
  entries: FingerprintEntry[];
  /** True if a file changed so recently that another change could leave the same times. */
  young: boolean;
}

/** File systems store times in steps of up to 10 ms (the kernel's tick). Twice that is safe. */
const TICK_MS = 20;
/**
 * The clock of a file server may be this far ahead. A later time was set by hand, or before the clock was set back: the next
 * change gets another time.
 */
const AHEAD_MS = 10 * 60_000;

/**
 * The metadata of the files and folders that loading reads, including missing ones. Take it before loading, so that a change
 * during loading is noticed. Never throws.
 */
export function fingerprint(at: string | LayerFolder, fs: FileSystem = nodeFs, now: () => number = Date.now): Fingerprint {
  const survey = surveyConfiguration(at, fs);
  const takenAt = now();
  let young = false;
  const names = [...survey.folders, ...survey.files, ...survey.strays];
  const entries = names.map((name) => {
    try {
      const stat = fs.statSync(pathOf(survey, name));
      young ||= [stat.mtimeMs, stat.ctimeMs].some((time) => time > takenAt - TICK_MS && time < takenAt + AHEAD_MS);
      return { name, state: [stat.dev, stat.ino, stat.size, stat.mtimeMs, stat.ctimeMs].join(' ') };
    } catch (error) {
      return { name, state: getErrorCode(error) };
    }
  });
  return { entries, young };
}

/** True only if nothing can have changed between the two. The first must not be young. */
export function isUnchanged(before: Fingerprint, after: Fingerprint): boolean {
  return (
    !before.young &&
    before.entries.length === after.entries.length &&
    before.entries.every(({ name, state }, index) => after.entries[index]!.name === name && after.entries[index]!.state === state)
  );
}
