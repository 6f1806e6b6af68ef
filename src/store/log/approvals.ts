// Calls that Modes asked about and that then ran, so a person approved them. The log itself contains only the decisions.
import path from 'node:path';
import * as z from 'zod/mini';
import { projectFolder } from '../../platform/data-folder.ts';
import { fields } from '../record.ts';
import { callKey } from './event.ts';
import { LineLog, lineStart } from './line-log.ts';

const approved = fields({ ...lineStart, session: z.string(), tool_use_id: z.string() });

export class LoggedApprovals {
  private readonly lines: LineLog<typeof approved>;

  constructor(dataFolder: string, root: string) {
    this.lines = new LineLog(path.join(projectFolder(dataFolder, root), 'approved'), 'an approval', approved);
  }

  note(session: string, toolUse: string): void {
    this.lines.note({ session, tool_use_id: toolUse });
  }

  /** By `callKey` of the log. Unreadable lines are left out. Throws if the disk refuses. */
  read(): Set<string> {
    return new Set(this.lines.read().flatMap(({ session, tool_use_id }) => callKey({ labels: { session, tool_use_id } }) ?? []));
  }
}
