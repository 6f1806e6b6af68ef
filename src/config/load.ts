// Loads the configuration of a project from a disk.
import nodeFs from 'node:fs';
import type { Configuration } from '../model/configuration.ts';
import { readConfiguration } from './read.ts';
import { readSources } from './sources.ts';
import type { FileSystem } from './survey.ts';

/**
 * Reads everything below `<root>/.claude` that configures modes. Never throws: whatever is wrong is in `problems`, all at once,
 * and one of severity `error` makes the configuration broken. The root is the project's folder.
 */
export function loadConfiguration(root: string, fs: FileSystem = nodeFs): Configuration {
  return readConfiguration(readSources(root, fs));
}
