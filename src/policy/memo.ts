// Remembers results by the whole request. Each call is evaluated at least twice within a moment, since the client has two
// handlers. A refusal also evaluates other modes. A policy that always returns the same for the same request need not run again.

/** Limits: remembered requests, and the length of one in characters. They are low, since old entries keep memory in use. */
const maxQuestions = 48;
const maxLength = 4_096;

/** Remembers the newest requests. Results are shared and must not be changed. */
export class Memo<T> {
  readonly #answers = new Map<string, T>();

  constructor(private readonly most = maxQuestions) {}

  /** Undefined if the request is unknown. */
  known(question: string): T | undefined {
    return this.#answers.get(question);
  }

  /** Stores a result and returns it. */
  keep(question: string, answer: T): T {
    if (question.length > maxLength) return answer;
    if (this.#answers.size >= this.most) this.#answers.delete(this.#answers.keys().next().value as string);
    this.#answers.set(question, answer);
    return answer;
  }
}
