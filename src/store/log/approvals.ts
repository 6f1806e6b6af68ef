// Calls that Modes asked about and that then ran, so a person approved them. The log itself contains only the decisions.
import path from 'node:path';
import { projectFolder } from '../../platform/data-folder.ts';
import { callKey } from './event.ts';
import { LogFiles, objectOf } from './files.ts';

interface Approved {
  version: 1;
  /** ISO 8601, UTC. */
  timestamp: string;
  session: string;
  tool_use_id: string;
}

/** At most 512 KB in two files; the older file is dropped. */
const limits = { maxBytes: 256 * 1024, maxFiles: 2 };

export class LoggedApprovals {
  private readonly files: LogFiles;

  constructor(dataFolder: string, root: string) {
    this.files = new LogFiles(path.join(projectFolder(dataFolder, root), 'approved'), limits);
  }

  /** Never throws: the call ran, recorded or not. */
  note(session: string, toolUse: string): void {
    const line: Approved = { version: 1, timestamp: new Date().toISOString(), session, tool_use_id: toolUse };
    try {
      this.files.prepare();
      this.files.append([JSON.stringify(line)]);
    } catch (error) {
      process.stderr.write(`modes: could not record an approval: ${(error as Error).message}\n`);
    }
  }

  /** By `callKey` of the log. Unreadable lines are left out. Throws if the disk refuses. */
  read(): Set<string> {
    const lines = this.files.numbers().flatMap((number) => this.files.lines(number));
    return new Set(
      lines.flatMap((line) => {
        const { version, session, tool_use_id: id } = (objectOf(line) ?? {}) as Partial<Approved>;
        const isWhole = version === 1 && typeof session === 'string' && typeof id === 'string';
        return (isWhole ? callKey({ labels: { session, tool_use_id: id } }) : null) ?? [];
      }),
    );
  }
}
