// The memory that a policy works in: text goes in and comes out where it lies, without a copy on the way.
import { Buffer } from 'node:buffer';

const PAGE = 65_536;
/** Of one UTF-16 unit as UTF-8. */
const MOST_BYTES = 3;

export class PolicyMemory {
  #bytes: Buffer;

  constructor(private readonly memory: WebAssembly.Memory) {
    this.#bytes = Buffer.from(memory.buffer);
  }

  /**
   * Writes a text as UTF-8 and gives its bytes.
   * @throws {RangeError} when the memory cannot grow as far
   */
  write(text: string, at: number): number {
    if (at + text.length * MOST_BYTES > this.#now().length) this.#makeRoom(at + Buffer.byteLength(text));
    return this.#now().write(text, at);
  }

  /** The text that ends before the next NUL. */
  readText(at: number): string {
    const bytes = this.#now();
    return bytes.toString('utf8', at, bytes.indexOf(0, at));
  }

  #makeRoom(end: number): void {
    const missing = end - this.#now().length;
    if (missing > 0) this.memory.grow(Math.ceil(missing / PAGE));
  }

  /** A memory that has grown is another buffer. */
  #now(): Buffer {
    if (this.#bytes.buffer !== this.memory.buffer) this.#bytes = Buffer.from(this.memory.buffer);
    return this.#bytes;
  }
}
