// Remembers results by the whole input, as JSON. Each call is evaluated at least twice within a moment, since the client has two
// handlers. A policy that always returns the same for the same input need not run again.
import { setNewest } from '../platform/bounded-map.ts';

/** Limits: remembered inputs, and the length of one in characters. They are low, since old entries keep memory in use. */
const MAX_INPUTS = 48;
const MAX_LENGTH = 4_096;

/** Remembers the newest inputs. Results are shared and must not be changed. */
export class Memo<T> {
  readonly #answers = new Map<string, T>();

  /** Undefined if the input is unknown. */
  get(input: string): T | undefined {
    return this.#answers.get(input);
  }

  /** Stores a result and returns it. */
  set(input: string, answer: T): T {
    if (input.length > MAX_LENGTH) return answer;
    setNewest(this.#answers, input, answer, MAX_INPUTS);
    return answer;
  }
}
