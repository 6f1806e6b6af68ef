// What two threads share: one text at a time, a question and then its answer, each written where the other reads it. Plain
// JavaScript, for both of them.

/** Integers before the text: how many texts were sent, what the present one is, its bytes. */
const SENT = 0;
const KIND = 1;
const LENGTH = 2;
const HEAD_BYTES = 16;
const FIRST_BYTES = 64 * 1024;
/** Only the address space is taken at once. */
const MOST_BYTES = 64 * 1024 * 1024;

/** One end of it. The ends take turns, which is theirs to keep to. */
export class Exchange {
  #head;
  /** The text's room, as large as it was when last looked at. */
  #body;
  /** How many texts had been sent when this end last sent or received one. */
  #seen = 0;

  /** @param {SharedArrayBuffer} memory of the other end; a new one when absent */
  constructor(memory = new SharedArrayBuffer(FIRST_BYTES, /** @type {object} */ ({ maxByteLength: MOST_BYTES }))) {
    this.memory = /** @type {SharedArrayBuffer & { grow(bytes: number): void }} */ (memory);
    this.#head = new Int32Array(memory, 0, HEAD_BYTES / 4);
    this.#body = Buffer.from(memory, HEAD_BYTES, memory.byteLength - HEAD_BYTES);
  }

  /**
   * @param {number} kind @param {string | Uint8Array} content
   * @throws {RangeError} when it is larger than what can be sent
   */
  send(kind, content) {
    const length = Buffer.byteLength(content);
    const body = this.#room(length);
    if (typeof content === 'string') body.write(content);
    else body.set(content);
    this.#head[KIND] = kind;
    this.#head[LENGTH] = length;
    this.#seen = Atomics.add(this.#head, SENT, 1) + 1;
    Atomics.notify(this.#head, SENT);
  }

  /**
   * Waits for the other end's text, this thread at rest. Its bytes stay until this end sends.
   * @param {number} limitMs
   * @returns {{ kind: number, bytes: Buffer } | null} null when it has not come in that time
   */
  receive(limitMs = Number.POSITIVE_INFINITY) {
    const end = performance.now() + limitMs;
    // Whoever sends wakes the other end a moment later, when that may be waiting for the next text already.
    while (Atomics.load(this.#head, SENT) === this.#seen) {
      if (Atomics.wait(this.#head, SENT, this.#seen, end - performance.now()) === 'timed-out') return null;
    }
    this.#seen = Atomics.load(this.#head, SENT);
    const length = /** @type {number} */ (this.#head[LENGTH]);
    return { kind: /** @type {number} */ (this.#head[KIND]), bytes: this.#room(length).subarray(0, length) };
  }

  /** @param {number} bytes */
  #room(bytes) {
    if (bytes > this.#body.length) {
      if (bytes > MOST_BYTES - HEAD_BYTES) throw new RangeError(`${bytes} bytes are more than a policy is given`);
      const wanted = Math.min(MOST_BYTES, 2 * (bytes + HEAD_BYTES));
      if (wanted > this.memory.byteLength) this.memory.grow(wanted);
      this.#body = Buffer.from(this.memory, HEAD_BYTES, this.memory.byteLength - HEAD_BYTES);
    }
    return this.#body;
  }
}

/** What the worker is sent before any question: the data of a mode. The answer is `READY`; places are counted from 0 as they come. */
export const PLACE = -1;
/** What the worker sends; with the first, whether the policy always answers the same to the same. */
export const READY = 0;
export const STEADY = 'steady';
export const RESULT = 1;
export const FAULT = 2;
