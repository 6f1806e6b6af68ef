// New lines of a log as they are written, by events of the file system.
import fs from 'node:fs';
import type { LogFiles, LogPosition } from './files.ts';

/** Milliseconds between two checks if the system sends no events. */
const lookEvery = 1_000;
const maxBytes = 1024 * 1024;

/** Yields the lines after a position, and then each new line, until it is aborted. Throws if the disk refuses. */
export async function* follow(files: LogFiles, from: LogPosition, signal: AbortSignal): AsyncGenerator<string> {
  files.prepare();
  const bell = new Bell();
  const watcher = watch(files.folder, bell);
  const stop = (): void => bell.ring();
  signal.addEventListener('abort', stop);
  try {
    for (let at = from; !signal.aborted; ) {
      const { lines, end } = files.readFrom(at, maxBytes);
      yield* lines;
      const isMore = end.number !== at.number || end.offset !== at.offset;
      at = end;
      if (!isMore) await bell.rung();
    }
  } finally {
    signal.removeEventListener('abort', stop);
    watcher();
  }
}

/** A signal for one waiting caller. Remembers one signal if no caller is waiting. */
class Bell {
  private hasRung = false;
  private wake: (() => void) | null = null;

  ring(): void {
    this.hasRung = true;
    this.wake?.();
  }

  async rung(): Promise<void> {
    if (!this.hasRung)
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    this.hasRung = false;
    this.wake = null;
  }
}

/** Signals every change in a folder. Returns a function that stops the signals. */
function watch(folder: string, bell: Bell): () => void {
  let timer: NodeJS.Timeout | null = null;
  const look = (): void => {
    timer ??= setInterval(() => bell.ring(), lookEvery);
  };
  try {
    const watcher = fs.watch(folder, () => bell.ring());
    watcher.on('error', look);
    return () => {
      watcher.close();
      if (timer !== null) clearInterval(timer);
    };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    look();
    return () => clearInterval(timer as unknown as NodeJS.Timeout);
  }
}
