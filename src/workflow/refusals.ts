// Transitions that a gate refused, with their unmet requirements. They change nothing, so the journal does not contain them.
import path from 'node:path';
import { projectFolder } from '../platform/data-folder.ts';
import { LogFiles, objectOf } from '../store/log/files.ts';
import type { Unmet } from './gates/words.ts';

export interface RefusedTransition {
  version: 1;
  /** ISO 8601, UTC. */
  timestamp: string;
  session: string | null;
  from: string;
  to: string;
  /** Unmet requirements, in the words of the gate. */
  unmet: string[];
}

/** At most 512 KB in two files; the older file is dropped. */
const limits = { maxBytes: 256 * 1024, maxFiles: 2 };
const maxChecks = 20;
const maxText = 300;

export class Refusals {
  private readonly files: LogFiles;

  constructor(dataFolder: string, root: string) {
    this.files = new LogFiles(path.join(projectFolder(dataFolder, root), 'refused'), limits);
  }

  /** Never throws: the refusal is final, recorded or not. */
  note({ unmet, ...refused }: Pick<RefusedTransition, 'session' | 'from' | 'to'> & { unmet: readonly Unmet[] }): void {
    const checks = unmet.slice(0, maxChecks).map(({ check }) => check.slice(0, maxText));
    const line: RefusedTransition = { version: 1, timestamp: new Date().toISOString(), ...refused, unmet: checks };
    try {
      this.files.prepare();
      this.files.append([JSON.stringify(line)]);
    } catch (error) {
      process.stderr.write(`modes: could not record a refused transition: ${(error as Error).message}\n`);
    }
  }

  /** Oldest first. Unreadable lines are left out. Throws if the disk refuses. */
  read(): RefusedTransition[] {
    return this.files.numbers().flatMap((number) => this.files.lines(number).flatMap((line) => readRefused(line) ?? []));
  }
}

function readRefused(line: string): RefusedTransition | null {
  const value = objectOf(line);
  if (value === null) return null;
  const { version, timestamp, session, from, to, unmet } = value as Partial<RefusedTransition>;
  const isWhole =
    version === 1 &&
    [timestamp, from, to].every((text) => typeof text === 'string') &&
    (session === null || typeof session === 'string') &&
    Array.isArray(unmet) &&
    unmet.every((one) => typeof one === 'string');
  return isWhole ? (value as RefusedTransition) : null;
}
