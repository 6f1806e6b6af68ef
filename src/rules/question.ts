// What a policy is asked about a call.

/** Stands in a question where a text is left open; JSON never holds it. */
export const leftOpen = '\0';

export interface Question {
  /** JSON, but that texts are left open which are only named in the answer. For the policy they are numbers: 0, 1, … */
  input: string;
  /** By those numbers: what stands there, or everything that does where things are alike in all else. */
  texts: readonly (readonly string[])[];
}
