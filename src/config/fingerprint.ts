// Whether a configuration may have changed on the disk, told from its files' metadata alone.
import nodeFs from 'node:fs';
import type { LayerFolder } from '../platform/layer-folders.ts';
import { type FileSystem, getErrorCode, pathOf, surveyConfiguration } from './survey.ts';

interface FingerprintEntry {
  /** As shown. */
  name: string;
  /** Device, inode, size in bytes, modification and change time in ms; or the system's error code, `ENOENT` for what is absent. */
  state: string;
}

export interface Fingerprint {
  entries: FingerprintEntry[];
  /** A file changed so shortly before that another change could leave the same times behind. */
  young: boolean;
}

/** File systems keep times in steps of up to 10 ms (the kernel's tick); twice that is safe. */
const TICK_MS = 20;
/** A file server's clock may be ahead by so much. A later time was set by hand, or before the clock went back: the next change has another. */
const AHEAD_MS = 10 * 60_000;

/**
 * The files and folders that loading looks at, absent ones too, with their metadata. Take it before loading, so that a change
 * during loading is seen afterwards. Never throws.
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

/** True only when nothing can have changed between the two; the first must not be young. */
export function isUnchanged(before: Fingerprint, after: Fingerprint): boolean {
  return (
    !before.young &&
    before.entries.length === after.entries.length &&
    before.entries.every(({ name, state }, index) => after.entries[index]!.name === name && after.entries[index]!.state === state)
  );
}
