// The decision log of one project, as a process writes it: after the answer, once for each decision, and without delaying a
// decision.

import { setNewest } from '../../platform/bounded-map.ts';
import { callKey, idText, type LogEvent, lineOf, makeEvent, type Noted, readEvent, sameness } from './event.ts';
import { type Limits, LogFiles, type LogPosition, logFolder } from './files.ts';
import { holding } from './lock.ts';
import { countLosses, healthOf, type LogHealth } from './losses.ts';

/** Limit on waiting decisions. A further one is lost and counted. */
const maxQueue = 1_000;
/** Milliseconds that decisions wait for others, and milliseconds that creating lines may take at a time. */
const gatherMs = 20;
const sliceMs = 2;
/** With this many decisions in the queue, their lines are created at once. */
const gathered = 8;
/** Limit on the characters of lines that wait to be written. Beyond it, decisions wait without a line. */
const maxWaiting = 2 * 1024 * 1024;
/** Milliseconds that a process waits for the lock, from a timer or when it ends. After that it continues without the lock. */
const patienceMs = 500;
/** Number of bytes by other processes that are searched for decisions about the same calls. */
const tailBytes = 512 * 1024;
/** A call with more characters than this gets its line at once. */
const largeInput = 256 * 1024;
/** Limit on the calls with remembered decisions. */
const maxCalls = 2_000;

/** A decision's line, which waits to be written. */
interface Line {
  /** Identifies the call; null: each decision is separate. */
  key: string | null;
  /** Equal for decisions that were made by the same rule or policy for the same reason. */
  same: string;
  text: string;
}

export interface DecisionLogOptions {
  dataFolder: string;
  root: string;
  /** The file dist/build of this process. */
  build: string;
  limits?: Limits;
  /** Milliseconds to wait for the lock. After that a decision may be logged twice. Default: 500. */
  patienceMs?: number;
  /** Decisions wait for `flush`, because the process ends with it. */
  isOnce?: boolean;
  /** Called on the first failure of a kind. */
  fault?(message: string): void;
}

export class DecisionLog {
  readonly root: string;
  private readonly files: LogFiles;
  private queue: Noted[] = [];
  private lines: Line[] = [];
  /** Characters of `lines`. */
  private waiting = 0;
  private timer: NodeJS.Timeout | null = null;
  private making: NodeJS.Immediate | null = null;
  private tries = 0;
  private readonly patienceMs: number;
  /** By call: the decisions about it, by this process or another one. */
  private readonly logged = new Map<string, string[]>();
  /** The position up to which the decisions of other processes are known. */
  private readPosition: LogPosition | null = null;
  /** Losses that the disk did not let us count. */
  private uncounted = 0;
  private lastFault = '';

  constructor(private readonly options: DecisionLogOptions) {
    this.root = options.root;
    this.patienceMs = options.patienceMs ?? patienceMs;
    this.files = new LogFiles(logFolder(options.dataFolder, options.root), options.limits);
  }

  /** Takes a decision that is being answered. Its line is normally created after the answer was sent. Never throws. */
  note(noted: Noted): void {
    if (this.queue.length + this.lines.length >= maxQueue) this.lose(1, 'more decisions at once than can be written');
    else if (isLarge(noted)) this.make(noted);
    else this.queue.push(noted);
    if (this.options.isOnce) return;
    if (this.queue.length >= gathered) this.makeSoon();
    this.timer ??= setTimeout(() => this.turn(), gatherMs).unref();
  }

  /** Writes all waiting decisions. Never throws. */
  flush(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    const until = performance.now() + this.patienceMs;
    do {
      this.makeLines(Number.POSITIVE_INFINITY);
      while (this.lines.length > 0 && !this.write(performance.now() > until)) pause(2);
    } while (this.queue.length > 0);
    this.countLost();
  }

  health(): LogHealth {
    const { dataFolder, root } = this.options;
    return healthOf(dataFolder, root, this.uncounted);
  }

  private turn(): void {
    this.timer = null;
    this.makeLines(sliceMs);
    const wrote = this.lines.length === 0 || this.write(this.tries * gatherMs >= this.patienceMs);
    this.tries = wrote ? 0 : this.tries + 1;
    this.countLost();
    if (this.queue.length > 0) this.makeSoon();
    if (this.queue.length + this.lines.length > 0) this.timer = setTimeout(() => this.turn(), gatherMs).unref();
  }

  /**
   * Creates lines between two rounds of the event loop. While a decision waits longer, every garbage collection moves it in
   * memory.
   */
  private makeSoon(): void {
    this.making ??= setImmediate(() => {
      this.making = null;
      this.makeLines(sliceMs);
      if (this.queue.length > 0 && this.waiting < maxWaiting) this.makeSoon();
    }).unref();
  }

  private makeLines(ms: number): void {
    const until = performance.now() + ms;
    let count = 0;
    for (const noted of this.queue) {
      if (this.waiting >= maxWaiting || (count > 0 && performance.now() > until)) break;
      count++;
      this.make(noted);
    }
    this.queue = count === this.queue.length ? [] : this.queue.slice(count);
  }

  private make(noted: Noted): void {
    try {
      const event = makeEvent(noted, this.options.build);
      const text = lineOf(event);
      this.lines.push({ key: callKey(event), same: sameness(event), text });
      this.waiting += text.length;
    } catch (error) {
      this.lose(1, `a decision could not be written as a line: ${(error as Error).message}`);
    }
  }

  /** False: another process has the lock, and `anyway` is false. Lines that the disk refuses are lost. */
  private write(anyway: boolean): boolean {
    const { lines } = this;
    try {
      this.files.prepare();
      const lockResult = holding(this.files.folder, () => this.append(lines));
      if (lockResult === null && !anyway) return false;
      if (lockResult === null) this.append(lines);
    } catch (error) {
      this.lose(lines.length, (error as Error).message);
    }
    this.lines = [];
    this.waiting = 0;
    return true;
  }

  private append(lines: readonly Line[]): void {
    this.catchUp(lines);
    const fresh = lines.filter(({ key, same }) => key === null || this.remember(key, same));
    if (fresh.length === 0) return;
    try {
      this.readPosition = this.files.append(fresh.map(({ text }) => text));
    } catch (error) {
      // Otherwise the same decision from the second handler would be left out as already logged.
      for (const { key } of fresh) if (key !== null) this.logged.delete(key);
      throw error;
    }
  }

  /**
   * Reads the decisions that other processes logged since the last call. On the first call, only those in the last `lookBack`
   * bytes. A process that logs once searches only for its own calls.
   */
  private catchUp(lines: readonly Line[]): void {
    const end = this.files.end();
    if (end === null || (this.readPosition?.number === end.number && this.readPosition.offset === end.offset)) return;
    const calls = this.options.isOnce ? lines.flatMap(({ key }) => (key === null ? [] : idText(key))) : null;
    for (const line of this.files.tail(this.readPosition, tailBytes, calls)) {
      const event: LogEvent | null = line.includes('"tool_use_id"') ? readEvent(line) : null;
      const key = event === null ? null : callKey(event);
      if (event !== null && key !== null) this.remember(key, sameness(event));
    }
    this.readPosition = end;
  }

  /** True if this decision about the call is new. */
  private remember(key: string, same: string): boolean {
    const known = this.logged.get(key);
    if (known?.includes(same)) return false;
    if (known !== undefined) known.push(same);
    else setNewest(this.logged, key, [same], maxCalls);
    return true;
  }

  private lose(count: number, why: string): void {
    this.uncounted += count;
    if (why !== this.lastFault) this.options.fault?.(`decisions are not logged: ${why}`);
    this.lastFault = why;
  }

  private countLost(): void {
    const { dataFolder, root } = this.options;
    if (this.uncounted > 0 && countLosses(dataFolder, root, this.uncounted)) this.uncounted = 0;
  }
}

/** True if waiting would keep a large input in memory. */
function isLarge({ event: { tool_input: given } }: Noted): boolean {
  if (typeof given !== 'object' || given === null) return false;
  let size = 0;
  for (const value of Object.values(given)) if (typeof value === 'string') size += value.length;
  return size > largeInput;
}

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
