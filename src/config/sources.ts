// The files of one layer of a configuration, as found on a disk: read, not yet understood.
import nodeFs from 'node:fs';
import type { ConfigFile } from '../model/configuration.ts';
import type { Problem } from '../model/problem.ts';
import type { FolderLayer, LayerFolder } from '../platform/layer-folders.ts';
import { readConfigFile } from './disk.ts';
import { type FileSystem, surveyConfiguration } from './survey.ts';
import { describeProblem } from './text.ts';

/** What was found in a layer's folder; names are as shown to a person. */
export interface Sources {
  /** The project's when absent. */
  layer?: FolderLayer;
  /** What names begin with, `.claude/` when absent. */
  shown?: string;
  /** This project had a modes.yaml before, so that one that is not there is gone. */
  vanished?: boolean;
  /** What modes.sig of a project says; '' when there is none. */
  signature?: string;
  /** A bundle whose server was not reached for too long: of it only what narrows counts. */
  stale?: boolean;
  /** Absolute real path: of a project its root, else the folder itself. */
  root: string;
  files: readonly ConfigFile[];
  /** What could not be read; each carries the file's name. */
  faults?: readonly Problem[];
  /** Names that look like a part of the configuration and are none. */
  strays?: readonly string[];
}

/** Sources with everything said but what is rare. */
export type WholeSources = Required<Omit<Sources, 'stale'>> & Pick<Sources, 'stale'>;

/** Of all files together, in UTF-16 units. */
const MAX_TOTAL_LENGTH = 8 * 1024 * 1024;

/** Reads every file of a layer; of a text, the project's with this root. Never throws: what cannot be read is in `faults`. */
export function readSources(at: string | LayerFolder, fs: FileSystem = nodeFs): WholeSources {
  const survey = surveyConfiguration(at, fs);
  const files: ConfigFile[] = [];
  const faults = [...survey.faults];
  let length = 0;
  for (const name of survey.files) {
    if (length > MAX_TOTAL_LENGTH) {
      const message = `The files of the configuration are larger than ${MAX_TOTAL_LENGTH / 1024 / 1024} MB together.`;
      faults.push(describeProblem('E_TOO_LARGE', message, 'Remove files that do not belong there.', survey.shown.slice(0, -1)));
      break;
    }
    const reading = readConfigFile(survey, name, fs);
    if (reading === null) continue;
    if ('file' in reading) {
      files.push(reading.file);
      length += reading.file.text.length;
    } else faults.push(reading.fault);
  }
  const { root, shown, strays } = survey;
  return {
    layer: typeof at === 'string' ? 'project' : at.layer,
    shown,
    vanished: false,
    signature: '',
    root,
    files,
    faults,
    strays,
  };
}
