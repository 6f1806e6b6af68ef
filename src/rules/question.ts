// The canonical request to a policy about a call.

/** Placeholder for a text in a request. It never occurs in JSON. */
export const leftOpen = '\0';

export interface CanonicalRequest {
  /** JSON, except for placeholders in place of texts that only appear in the result. The policy gets numbers for them: 0, 1, … */
  input: string;
  /** By these numbers: the text, or all texts of merged items that differ only in them. */
  texts: readonly (readonly string[])[];
}
