// Transitions that a gate refused, with their unmet requirements. They change nothing, so the journal does not contain them.
import path from 'node:path';
import * as z from 'zod/mini';
import { projectFolder } from '../platform/data-folder.ts';
import { LineLog, lineStart } from '../store/log/line-log.ts';
import { fields } from '../store/record.ts';
import type { Unmet } from './gates/unmet.ts';

const refusedTransition = fields({
  ...lineStart,
  session: z.nullable(z.string()),
  from: z.string(),
  to: z.string(),
  /** Unmet requirements, in the words of the gate. */
  unmet: z.array(z.string()),
});

export type RefusedTransition = z.output<typeof refusedTransition>;

const maxChecks = 20;
const maxText = 300;

export class Refusals {
  private readonly lines: LineLog<typeof refusedTransition>;

  constructor(dataFolder: string, root: string) {
    const folder = path.join(projectFolder(dataFolder, root), 'refused');
    this.lines = new LineLog(folder, 'a refused transition', refusedTransition);
  }

  note({ unmet, ...refused }: Pick<RefusedTransition, 'session' | 'from' | 'to'> & { unmet: readonly Unmet[] }): void {
    this.lines.note({ ...refused, unmet: unmet.slice(0, maxChecks).map(({ check }) => check.slice(0, maxText)) });
  }

  /** Oldest first. Unreadable lines are left out. Throws if the disk refuses. */
  read(): RefusedTransition[] {
    return this.lines.read();
  }
}
