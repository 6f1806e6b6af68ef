// Loads the configuration of a project from a disk.
import * as nodeFs from 'node:fs';
import { readConfigFile } from './disk.ts';
import { readConfiguration } from './read.ts';
import { type FileSystem, surveyConfiguration } from './survey.ts';
import type { ConfigFile, Configuration } from './types.ts';

export { type Fingerprint, fingerprint, isUnchanged } from './fingerprint.ts';
export { readConfiguration } from './read.ts';

/**
 * Reads everything below `<root>/.claude` that configures modes. Never throws: whatever is wrong is in `problems`, all at once,
 * and one of severity `error` makes the configuration broken. The root is the project's folder.
 */
export function loadConfiguration(root: string, fs: FileSystem = nodeFs): Configuration {
  const survey = surveyConfiguration(root, fs);
  const files: ConfigFile[] = [];
  const faults = [...survey.faults];
  for (const name of survey.files) {
    const reading = readConfigFile(survey.root, name, fs);
    if (reading === null) continue;
    if ('file' in reading) files.push(reading.file);
    else faults.push(reading.fault);
  }
  return readConfiguration({ root: survey.root, files, faults, strays: survey.strays });
}
