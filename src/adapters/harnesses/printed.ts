// Reads the output of a hook as a harness does.

/** The text of a top-level key; undefined if the output is not a JSON object with it. */
export function decisionIn(out: string, key: string): string | undefined {
  try {
    const value: unknown = (JSON.parse(out) as Record<string, unknown> | null)?.[key];
    return typeof value === 'string' ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
