// Memory that two threads share for one text at a time: a request, and then its answer. Each text is written where the other
// thread reads it. Plain JavaScript, for both threads.

/** Integers before the text: the number of texts sent, the kind of the present one, its bytes. */
const SENT = 0;
const KIND = 1;
const LENGTH = 2;
const HEAD_BYTES = 16;
const FIRST_BYTES = 64 * 1024;
/** This reserves address space only. */
const MOST_BYTES = 64 * 1024 * 1024;

/** One end of the exchange. The two ends must take turns. */
export class Exchange {
  #head;
  /** The memory for the text, in its size when it was last checked. */
  #body;
  /** The number of texts sent when this end last sent or received one. */
  #seen = 0;

  /** @param {SharedArrayBuffer} memory of the other end; a new one if absent */
  constructor(memory = new SharedArrayBuffer(FIRST_BYTES, /** @type {object} */ ({ maxByteLength: MOST_BYTES }))) {
    this.memory = /** @type {SharedArrayBuffer & { grow(bytes: number): void }} */ (memory);
    this.#head = new Int32Array(memory, 0, HEAD_BYTES / 4);
    this.#body = Buffer.from(memory, HEAD_BYTES, memory.byteLength - HEAD_BYTES);
  }

  /**
   * @param {number} kind
   * @param {string | Uint8Array} content
   * @throws {RangeError} if it is larger than the limit
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
   * Blocks until the other end sends a text. Its bytes are valid until this end sends.
   * @param {number} limitMs
   * @returns {{ kind: number, bytes: Buffer } | null} null if it did not arrive in time
   */
  receive(limitMs = Number.POSITIVE_INFINITY) {
    const end = performance.now() + limitMs;
    // The wake-up of a text may arrive late, when this end already waits for the next text. So the counter is checked.
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

/**
 * The kind of a message with the data of a mode, before any request. The answer is `READY`. Places are counted from 0 in the
 * order of these messages.
 */
export const PLACE = -1;
/**
 * Kinds of answers of the worker. The first also says whether the policy is steady: whether it always returns the same for the
 * same input.
 */
export const READY = 0;
export const STEADY = 'steady';
export const RESULT = 1;
export const FAULT = 2;
