// Sends the decisions of the open project to the server in teams.yaml.

import { readSources } from '../config/sources.ts';
import { type Team, teamOf } from '../config/team.ts';
import type { LayerFolder } from '../platform/layer-folders.ts';
import type { Connection } from './remote.ts';
import { LogSender, type Sent } from './sender.ts';

/** Milliseconds until teams.yaml is checked again if it names no server. */
const LOOK_EVERY = 60_000;

export class LogShipping {
  private readonly stopping = new AbortController();
  private sender: { root: string; sender: LogSender } | null = null;

  constructor(
    private readonly dataFolder: string,
    private readonly folders: readonly LayerFolder[],
  ) {}

  stop(): void {
    this.stopping.abort();
  }

  /** Records the log position from which decisions are sent, if none is recorded yet. Throws on file system errors. */
  begin(root: string): void {
    const { logs } = this.team();
    if (logs !== null) this.senderOf(root).begin(logs);
  }

  /** Sends one batch. Throws only file system errors. */
  async turn(root: string): Promise<Sent> {
    const { logs: pin } = this.team();
    if (pin === null) return { outcome: 'nothing', next: LOOK_EVERY };
    const { connect, post } = await import('./remote.ts');
    let connection: Connection | null = null;
    try {
      return await this.senderOf(root).turn(pin, (body, headers) => {
        connection = connect(pin);
        return post(pin.url, connection, body, headers, this.stopping.signal);
      });
    } finally {
      await (connection as Connection | null)?.close();
    }
  }

  private team(): Team {
    return teamOf(this.folders.map((folder) => readSources(folder))).team;
  }

  private senderOf(root: string): LogSender {
    if (this.sender?.root !== root) this.sender = { root, sender: new LogSender({ dataFolder: this.dataFolder, root }) };
    return this.sender.sender;
  }
}
