// Answers remembered by the whole question. A call is asked about at least twice in a moment, by the client's two handlers, and a refusal
// asks other modes about it too; what answers the same to the same need not be asked again.

/** Questions remembered, and the longest of them in characters. Few: what is kept for long fills the memory for long. */
const maxQuestions = 48;
const maxLength = 4_096;

/** Of the questions asked last. Answers are shared: nobody changes them. */
export class Memo<T> {
  readonly #answers = new Map<string, T>();

  constructor(private readonly most = maxQuestions) {}

  /** undefined: it is not known. */
  known(question: string): T | undefined {
    return this.#answers.get(question);
  }

  /** Remembers an answer, and gives it. */
  keep(question: string, answer: T): T {
    if (question.length > maxLength) return answer;
    if (this.#answers.size >= this.most) this.#answers.delete(this.#answers.keys().next().value as string);
    this.#answers.set(question, answer);
    return answer;
  }
}
