// The files of one layer, as read from a disk and before parsing.
import nodeFs from 'node:fs';
import type { ConfigFile } from '../model/configuration.ts';
import type { Problem } from '../model/problem.ts';
import type { FolderLayer, LayerFolder } from '../platform/layer-folders.ts';
import { readConfigFile } from './disk.ts';
import { type FileSystem, surveyConfiguration } from './survey.ts';
import { describeProblem } from './text.ts';

/** The content of a layer's folder. Names are as a person sees them. */
export interface LayerSources {
  /** The project if absent. */
  layer?: FolderLayer;
  /** The prefix of names, `.claude/` if absent. */
  shown?: string;
  /** True if this project had a modes.yaml before. If it is missing now, it was deleted. */
  vanished?: boolean;
  /** The content of a project's modes.sig; '' without one. */
  signature?: string;
  /** True for a bundle whose server was not reached for too long. Only its restrictions count. */
  stale?: boolean;
  /** An absolute real path: the root of a project, else the folder itself. */
  root: string;
  files: readonly ConfigFile[];
  /** Files that could not be read. Each problem has the name of the file. */
  faults?: readonly Problem[];
  /** Names that look like configuration but are not. */
  strays?: readonly string[];
}

/** Sources with every field set except rare ones. */
export type WholeSources = Required<Omit<LayerSources, 'stale'>> & Pick<LayerSources, 'stale'>;

/** Of all files together, in UTF-16 units. */
const MAX_TOTAL_LENGTH = 8 * 1024 * 1024;

/** Reads every file of a layer. A string is the root of a project. Never throws: read errors are in `faults`. */
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
  const { root, shown, unrecognizedFiles } = survey;
  return {
    layer: typeof at === 'string' ? 'project' : at.layer,
    shown,
    vanished: false,
    signature: '',
    root,
    files,
    faults,
    strays: unrecognizedFiles,
  };
}
