// Loads the configuration of a project from a disk.
import nodeFs from 'node:fs';
import type { Configuration } from '../model/configuration.ts';
import { readConfiguration } from './read.ts';
import { readSources } from './sources.ts';
import type { FileSystem } from './survey.ts';

/**
 * Reads everything below `<root>/.claude` that configures modes; the root is the project's folder. Never throws: all problems are
 * in `problems`, and one of severity `error` makes the configuration broken.
 */
export function loadConfiguration(root: string, fs: FileSystem = nodeFs): Configuration {
  return readConfiguration(readSources(root, fs));
}
