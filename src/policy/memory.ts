// The memory of a policy. Text is written and read in place, without a copy.
import { Buffer } from 'node:buffer';

const PAGE = 65_536;
/** Longest UTF-8 form of one UTF-16 unit. */
const MOST_BYTES = 3;

export class PolicyMemory {
  #bytes: Buffer;

  constructor(private readonly memory: WebAssembly.Memory) {
    this.#bytes = Buffer.from(memory.buffer);
  }

  /**
   * Writes a text as UTF-8 and returns the number of its bytes.
   * @throws {RangeError} if the memory cannot grow enough
   */
  write(text: string, at: number): number {
    if (at + text.length * MOST_BYTES > this.#now().length) this.#makeRoom(at + Buffer.byteLength(text));
    return this.#now().write(text, at);
  }

  /** The text up to the next NUL. */
  readText(at: number): string {
    const bytes = this.#now();
    return bytes.toString('utf8', at, bytes.indexOf(0, at));
  }

  #makeRoom(end: number): void {
    const missing = end - this.#now().length;
    if (missing > 0) this.memory.grow(Math.ceil(missing / PAGE));
  }

  /** After growing, the memory has a new buffer. */
  #now(): Buffer {
    if (this.#bytes.buffer !== this.memory.buffer) this.#bytes = Buffer.from(this.memory.buffer);
    return this.#bytes;
  }
}
