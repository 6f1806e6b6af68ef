// The files of a project's configuration, as found on a disk: read, not yet understood.
import * as nodeFs from 'node:fs';
import { readConfigFile } from './disk.ts';
import type { Problem } from './problem.ts';
import { type FileSystem, surveyConfiguration } from './survey.ts';
import { describeProblem } from './text.ts';
import type { ConfigFile } from './types.ts';

/** What was found below `.claude`; names are relative to the root, with forward slashes. */
export interface Sources {
  /** Absolute real path. */
  root: string;
  files: readonly ConfigFile[];
  /** What could not be read; each carries the file's name. */
  faults?: readonly Problem[];
  /** Names that look like a part of the configuration and are none. */
  strays?: readonly string[];
}

/** Of all files together, in UTF-16 units. */
const MAX_TOTAL_LENGTH = 8 * 1024 * 1024;

/** Reads every file below `<root>/.claude` that configures modes. Never throws: what cannot be read is in `faults`. */
export function readSources(root: string, fs: FileSystem = nodeFs): Required<Sources> {
  const survey = surveyConfiguration(root, fs);
  const files: ConfigFile[] = [];
  const faults = [...survey.faults];
  let length = 0;
  for (const name of survey.files) {
    if (length > MAX_TOTAL_LENGTH) {
      const message = `The files of the configuration are larger than ${MAX_TOTAL_LENGTH / 1024 / 1024} MB together.`;
      faults.push(describeProblem('E_TOO_LARGE', message, 'Take away what does not belong there.', '.claude'));
      break;
    }
    const reading = readConfigFile(survey.root, name, fs);
    if (reading === null) continue;
    if ('file' in reading) {
      files.push(reading.file);
      length += reading.file.text.length;
    } else faults.push(reading.fault);
  }
  return { root: survey.root, files, faults, strays: survey.strays };
}
