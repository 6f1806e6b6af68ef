// Which branches a text was the first to reach, as V8 counts them.
import { Session } from 'node:inspector';

interface Block {
  startOffset: number;
  endOffset: number;
  count: number;
}
interface Script {
  scriptId: string;
  url: string;
  functions: { ranges: Block[] }[];
}

export class Coverage {
  private readonly session = new Session();
  private readonly known = new Set<string>();

  isOn = false;

  /** @param isOurs by the script's address */
  constructor(private readonly isOurs: (url: string) => boolean) {
    this.session.connect();
    this.session.post('Profiler.enable');
  }

  start(): void {
    if (this.isOn) return;
    this.isOn = true;
    this.session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  }

  /** Calls are as fast as ever again. */
  stop(): void {
    if (!this.isOn) return;
    this.isOn = false;
    this.session.post('Profiler.stopPreciseCoverage');
  }

  get reached(): number {
    return this.known.size;
  }

  /** Branches reached since the last look that were never reached before; they are known from now on unless `keep` is false. */
  fresh(keep = true): number {
    let found = 0;
    this.session.post('Profiler.takePreciseCoverage', (error, given) => {
      if (error) throw new Error(error.message);
      for (const { scriptId, url, functions } of given.result as Script[]) {
        if (!this.isOurs(url)) continue;
        for (const { ranges } of functions)
          for (const { startOffset, endOffset, count } of ranges) {
            if (count === 0) continue;
            // Once, a few times, often: a loop that runs again is another branch.
            const key = `${scriptId}:${startOffset}-${endOffset}:${count === 1 ? 1 : count < 8 ? 2 : 3}`;
            if (this.known.has(key)) continue;
            found++;
            if (keep) this.known.add(key);
          }
      }
    });
    return found;
  }

  close(): void {
    this.stop();
    this.session.disconnect();
  }
}
