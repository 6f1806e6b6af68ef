// A circuit breaker: a server that failed several times in a row is not asked for a while, then by one question.

/** Failures in a row after which it opens. */
const AFTER = 3;
/** Milliseconds until it is tried again: the first time, and at most. Each try that fails doubles them. */
const FIRST_MS = 1_000;
const MOST_MS = 60_000;
/** A try that nothing is heard of is over after this. */
const TRY_MS = 5_000;

/** `trying`: the one question that decides whether it closes has been asked. */
export type Circuit = 'closed' | 'open' | 'due' | 'trying';

/** Of one server. Times are of a clock that only goes forward, in ms; `random` gives numbers from 0 to 1. */
export class Breaker {
  /** Of the newest failure, in words. */
  why = '';
  #failures = 0;
  /** How often it opened since the last good answer. */
  #rounds = 0;
  #until = 0;
  /** When the one question was asked; null: it was answered, or not asked. */
  #triedAt: number | null = null;

  constructor(private readonly random: () => number = Math.random) {}

  state(now: number): Circuit {
    if (this.#rounds === 0) return 'closed';
    if (this.#triedAt !== null && now < this.#triedAt + TRY_MS) return 'trying';
    return now < this.#until ? 'open' : 'due';
  }

  /** Takes the one question of a circuit that is due. */
  try(now: number): void {
    this.#triedAt = now;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#rounds = 0;
    this.#triedAt = null;
  }

  /** True where this opened it, again or for the first time. A late failure of what was asked before it opened counts for nothing. */
  failed(now: number, why: string): boolean {
    this.why = why;
    this.#failures++;
    const opens = this.#rounds === 0 ? this.#failures >= AFTER : this.#triedAt !== null;
    if (!opens) return false;
    // Between half of it and all: those who lost it together do not come back together.
    const most = Math.min(MOST_MS, FIRST_MS * 2 ** this.#rounds);
    this.#until = now + most * (0.5 + this.random() / 2);
    this.#rounds++;
    this.#triedAt = null;
    return true;
  }
}
