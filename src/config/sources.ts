// The files of a project's configuration, as found on a disk: read, not yet understood.
import * as nodeFs from 'node:fs';
import { readConfigFile } from './disk.ts';
import type { Problem } from './problem.ts';
import { type FileSystem, surveyConfiguration } from './survey.ts';
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

/** Reads every file below `<root>/.claude` that configures modes. Never throws: what cannot be read is in `faults`. */
export function readSources(root: string, fs: FileSystem = nodeFs): Required<Sources> {
  const survey = surveyConfiguration(root, fs);
  const files: ConfigFile[] = [];
  const faults = [...survey.faults];
  for (const name of survey.files) {
    const reading = readConfigFile(survey.root, name, fs);
    if (reading === null) continue;
    if ('file' in reading) files.push(reading.file);
    else faults.push(reading.fault);
  }
  return { root: survey.root, files, faults, strays: survey.strays };
}
