// A circuit breaker. A server that failed several times in a row is not asked for a while, and then tested with one request.

/** Failures in a row after which it opens. */
const AFTER = 3;
/** Milliseconds until the next test: at first, and at most. Every failed test doubles them. */
const FIRST_MS = 1_000;
const MOST_MS = 60_000;
/** A test without an answer ends after this time. */
const TRY_MS = 5_000;

/** `trying`: the request that decides whether the circuit closes was sent. */
export type Circuit = 'closed' | 'open' | 'due' | 'trying';

/** The circuit of one server. Times are in ms, from a monotonic clock; `random` returns numbers from 0 to 1. */
export class Breaker {
  /** The newest failure, in words. */
  why = '';
  #failures = 0;
  /** Number of times that it opened since the last good answer. */
  #rounds = 0;
  #until = 0;
  /** Time of the test request; null if none was sent, or if it was answered. */
  #triedAt: number | null = null;

  constructor(private readonly random: () => number = Math.random) {}

  state(now: number): Circuit {
    if (this.#rounds === 0) return 'closed';
    if (this.#triedAt !== null && now < this.#triedAt + TRY_MS) return 'trying';
    return now < this.#until ? 'open' : 'due';
  }

  /** Records the test request of a circuit that is due. */
  try(now: number): void {
    this.#triedAt = now;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#rounds = 0;
    this.#triedAt = null;
  }

  /**
   * Returns true if this failure opened the circuit, again or for the first time. A late failure of an earlier request does not
   * count.
   */
  failed(now: number, why: string): boolean {
    this.why = why;
    this.#failures++;
    const opens = this.#rounds === 0 ? this.#failures >= AFTER : this.#triedAt !== null;
    if (!opens) return false;
    // A random time between half of it and all, so that clients that lost the server together do not return together.
    const most = Math.min(MOST_MS, FIRST_MS * 2 ** this.#rounds);
    this.#until = now + most * (0.5 + this.random() / 2);
    this.#rounds++;
    this.#triedAt = null;
    return true;
  }
}
