// The context that custom policies give to the model: their `context` sets.

/** Longest text of one policy, and of all together, in characters. */
const maxText = 1_000;
const maxAll = 2_000;

interface Collected {
  name: string;
  value: unknown;
  file: string;
  line: number;
}

/**
 * The texts, each once, in a fixed order and within the limits. A value that is not a text is replaced by a note that names its
 * place.
 */
export function readContexts(value: unknown): string[] {
  if (!Array.isArray(value)) throw new Error('the contexts of the policies are not a list');
  const texts = (value as Collected[]).map(({ name, value: text, file, line }) =>
    typeof text === 'string' ? text : `A context of the policy ${name} (${file}:${line}) is not a string.`,
  );
  const shown: string[] = [];
  let limits = maxAll;
  for (const text of [...new Set(texts)].sort()) {
    const cut = text.length > maxText ? `${text.slice(0, maxText)}…` : text;
    if (cut.trim() === '') continue;
    if (cut.length > limits) return [...shown, '(More contexts of policies do not fit here.)'];
    limits -= cut.length;
    shown.push(cut);
  }
  return shown;
}
