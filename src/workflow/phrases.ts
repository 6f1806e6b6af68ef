// Phrases in a person's prompt: which of them stop the work.

/** Prompts that carry these were made by an agent or by the client, not typed. */
const agentMade = ['<task-notification', '<cross-session-message', '<channel'];
/** What `source` of a prompt may be for it to be a person's; absent in the client's own window. */
const typed: ReadonlySet<string> = new Set(['', 'user', 'sdk']);

/** The phrase that stops the work: a whole word of the prompt; null: none, or the prompt is no person's. */
export function stopPhrase(prompt: string, source: string, phrases: readonly string[]): string | null {
  if (!typed.has(source) || agentMade.some((mark) => prompt.includes(mark))) return null;
  return phrases.find((phrase) => holdsWord(prompt, phrase)) ?? null;
}

/** A phrase all in capitals is meant so; any other is met in either case. What stands beside it is no letter, digit or `_`. */
function holdsWord(prompt: string, phrase: string): boolean {
  const wanted = phrase.trim();
  if (wanted === '') return false;
  const isLoud = wanted === wanted.toUpperCase() && wanted !== wanted.toLowerCase();
  const [text, word] = isLoud ? [prompt, wanted] : [prompt.toLowerCase(), wanted.toLowerCase()];
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const before = [...text.slice(0, at)].at(-1) ?? '';
    const [after = ''] = text.slice(at + word.length);
    if (!isPart(before) && !isPart(after)) return true;
  }
  return false;
}

function isPart(char: string): boolean {
  return /^[\p{L}\p{N}\p{M}_]$/u.test(char);
}
