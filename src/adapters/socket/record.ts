// Records the server of each session: the hook client uses the socket only while the server of its own session runs.

import fs from 'node:fs';
import path from 'node:path';
import { makeFolder, sweepFresh, writeWhole } from '../../platform/data-folder.ts';
import { hexHash } from '../../platform/hash.ts';
import { isRunning, readPid, sessionName, sessionsFolder } from '../../store/server-record.ts';

/** Prefix of the records by the client's process id. No session may have such a name. */
const byClient = 'pid-';

/** Contains the mark that the hook client sends with its build. */
const markFile = 'mark';

/**
 * Identifies one data folder, in 16 hex digits; null if it does not exist. Clients with different data folders, such as two
 * configuration folders of one person, use the same project's socket, but each has its own mode and trust.
 */
export function markOf(dataFolder: string): string | null {
  const stat = fs.statSync(dataFolder, { throwIfNoEntry: false });
  if (stat === undefined) return null;
  const parts = [fs.realpathSync(dataFolder), stat.dev, stat.ino];
  return hexHash(JSON.stringify(parts)).slice(0, 16);
}

/** Records in `<data>/sessions/`: by the client's process id and by every session id seen on the private pipe. */
export class SessionRecord {
  private readonly names = new Set<string>();
  private written = false;

  constructor(
    private readonly dataFolder: string,
    env: NodeJS.ProcessEnv,
  ) {
    this.names.add(`${byClient}${process.ppid}`);
    if (env.CLAUDE_CODE_SESSION_ID) this.add(env.CLAUDE_CODE_SESSION_ID);
  }

  /**
   * Adds a session id, and writes it at once if records are written. A failed write is reported and costs
   * only the use of the socket.
   */
  add(session: string): void {
    if (!sessionName.test(session) || session.startsWith(byClient) || this.names.has(session)) return;
    this.names.add(session);
    if (!this.written) return;
    try {
      this.writeOne(session);
    } catch (error) {
      process.stderr.write(`modes: could not record the session: ${(error as Error).message}\n`);
    }
  }

  /** Starts writing records. Also stores the path of Node for the one-shot process. */
  write(): void {
    makeFolder(this.folder());
    this.prune();
    sweepFresh(this.dataFolder, '');
    this.written = true;
    // The mark is written first: a reader that finds a record must also find the mark.
    writeWhole(path.join(this.dataFolder, markFile), `${markOf(this.dataFolder)}\n`);
    for (const name of this.names) this.writeOne(name);
    writeWhole(path.join(this.dataFolder, 'node'), `${process.execPath}\n`);
  }

  remove(): void {
    if (!this.written) return;
    for (const name of this.names) {
      const file = path.join(this.folder(), name);
      if (readPid(file) === process.pid) fs.rmSync(file, { force: true });
    }
  }

  private writeOne(name: string): void {
    writeWhole(path.join(this.folder(), name), `${process.pid}\n`);
  }

  /** Removes records of servers that have ended. */
  private prune(): void {
    for (const name of fs.readdirSync(this.folder())) {
      const file = path.join(this.folder(), name);
      const pid = readPid(file);
      if (pid !== null && !isRunning(pid)) fs.rmSync(file, { force: true });
    }
  }

  private folder(): string {
    return sessionsFolder(this.dataFolder);
  }
}
