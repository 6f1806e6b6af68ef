// Phrases in a person's prompt: which of them stop the work, and which ask for a transition.

/** Prompts that carry these were made by an agent or by the client, not typed. */
const agentMade = ['<task-notification', '<cross-session-message', '<channel', '<event>'];
/** What `source` of a prompt may be for it to be a person's; absent in the client's own window. */
const typed: ReadonlySet<string> = new Set(['', 'user', 'sdk']);

/** The phrase that stops the work: a whole word of the prompt; null: none, or the prompt is no person's. */
export function stopPhrase(prompt: string, source: string, phrases: readonly string[]): string | null {
  if (!isTyped(prompt, source)) return null;
  const said = oneSpaced(prompt);
  return phrases.find((phrase) => holdsWord(said, oneSpaced(phrase))) ?? null;
}

/** The way that a prompt asks for: the whole of it is one of its triggers; null: none, or the prompt is no person's. */
export function triggeredWay<Way extends { triggers: readonly string[] }>(
  prompt: string,
  source: string,
  ways: readonly Way[],
): { way: Way; phrase: string } | null {
  if (!isTyped(prompt, source)) return null;
  const said = prompt.trim();
  for (const way of ways) {
    const phrase = way.triggers.find((one) => one.trim() !== '' && isSame(said, one.trim()));
    if (phrase !== undefined) return { way, phrase };
  }
  return null;
}

export function isTyped(prompt: string, source: string): boolean {
  return typed.has(source) && !agentMade.some((mark) => prompt.includes(mark));
}

/**
 * Keyboards and editors spell one text in several ways: an accent apart from its letter or joined to it, a sign with or without the
 * selector of its picture.
 */
export function inOneSpelling(text: string): string {
  return text.normalize('NFC').replace(/[\ufe0e\ufe0f]/g, '');
}

/** A phrase of several words is one over the end of a line too. */
function oneSpaced(text: string): string {
  return inOneSpelling(text).replace(/\s+/g, ' ');
}

/** A phrase all in capitals is meant so; any other is met in either case. */
function isLoud(phrase: string): boolean {
  return phrase === phrase.toUpperCase() && phrase !== phrase.toLowerCase();
}

export function isSame(said: string, phrase: string): boolean {
  const [text, wanted] = [inOneSpelling(said), inOneSpelling(phrase)];
  return isLoud(wanted) ? text === wanted : text.toLowerCase() === wanted.toLowerCase();
}

/** What stands beside the phrase is no letter, digit or `_`. */
function holdsWord(prompt: string, phrase: string): boolean {
  const wanted = phrase.trim();
  if (wanted === '') return false;
  const [text, word] = isLoud(wanted) ? [prompt, wanted] : [prompt.toLowerCase(), wanted.toLowerCase()];
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    // At most two units are one character: the rest of a long prompt is not looked at for every hit.
    const before = [...text.slice(Math.max(0, at - 2), at)].at(-1) ?? '';
    const [after = ''] = text.slice(at + word.length, at + word.length + 2);
    if (!isPart(before) && !isPart(after)) return true;
  }
  return false;
}

function isPart(char: string): boolean {
  return /^[\p{L}\p{N}\p{M}_]$/u.test(char);
}
