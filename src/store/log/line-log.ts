// Small logs beside the decision log, with one record in each line.
import * as z from 'zod/mini';
import { LogFiles, objectOf } from './files.ts';

/** At most 512 KB in two files; the older file is dropped. */
const limits = { maxBytes: 256 * 1024, maxFiles: 2 };

/** The fields that each line begins with. The time is ISO 8601, UTC. */
export const lineStart = { version: z.literal(1), timestamp: z.string() };

type Line<Schema extends z.ZodMiniType> = z.output<Schema>;

export class LineLog<Schema extends z.ZodMiniType> {
  private readonly files: LogFiles;

  constructor(
    folder: string,
    /** One of its lines, in words. */
    private readonly what: string,
    private readonly schema: Schema,
  ) {
    this.files = new LogFiles(folder, limits);
  }

  /** Never throws: the event has happened, recorded or not. */
  note(line: Omit<Line<Schema>, keyof typeof lineStart>): void {
    try {
      this.files.prepare();
      this.files.append([JSON.stringify({ version: 1, timestamp: new Date().toISOString(), ...line })]);
    } catch (error) {
      process.stderr.write(`modes: could not record ${this.what}: ${(error as Error).message}\n`);
    }
  }

  /** Oldest first. Unreadable lines are left out. Throws if the disk refuses. */
  read(): Line<Schema>[] {
    const lines = this.files.numbers().flatMap((number) => this.files.lines(number));
    return lines.flatMap((line) => {
      const { success, data } = z.safeParse(this.schema, objectOf(line));
      return success ? [data] : [];
    });
  }
}
