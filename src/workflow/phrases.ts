// Phrases in a person's prompt that stop the work or request a transition.

/** A prompt with one of these marks came from an agent or from the client. No person typed it. */
const agentMade = ['<task-notification', '<cross-session-message', '<channel', '<event>'];
/** Values of a prompt's `source` that mean a person. The client's own window sends none. */
const typed: ReadonlySet<string> = new Set(['', 'user', 'sdk']);

/** The stop phrase that the prompt contains as a whole word; null if there is none, or if no person typed the prompt. */
export function stopPhrase(prompt: string, source: string, phrases: readonly string[]): string | null {
  if (!isTyped(prompt, source)) return null;
  const promptText = oneSpaced(prompt);
  return phrases.find((phrase) => holdsWord(promptText, oneSpaced(phrase))) ?? null;
}

/**
 * The transition that a prompt triggers. The whole prompt must equal a trigger. null if there is none, or if no person typed the
 * prompt.
 */
export function triggeredTransition<Way extends { triggers: readonly string[] }>(
  prompt: string,
  source: string,
  transitions: readonly Way[],
): { transition: Way; phrase: string } | null {
  if (!isTyped(prompt, source)) return null;
  const promptText = prompt.trim();
  for (const transition of transitions) {
    const phrase = transition.triggers.find((one) => one.trim() !== '' && isSame(promptText, one.trim()));
    if (phrase !== undefined) return { transition, phrase };
  }
  return null;
}

export function isTyped(prompt: string, source: string): boolean {
  return typed.has(source) && !agentMade.some((mark) => prompt.includes(mark));
}

/**
 * Keyboards and editors encode the same text differently: an accent separate from its letter or combined with it, a symbol with
 * or without an emoji variation selector.
 */
export function inOneSpelling(text: string): string {
  return text.normalize('NFC').replace(/[\ufe0e\ufe0f]/g, '');
}

/** A phrase of several words also matches across a line break. */
function oneSpaced(text: string): string {
  return inOneSpelling(text).replace(/\s+/g, ' ');
}

/** A phrase in capitals matches only in capitals. Any other phrase matches in either case. */
function isLoud(phrase: string): boolean {
  return phrase === phrase.toUpperCase() && phrase !== phrase.toLowerCase();
}

export function isSame(promptText: string, phrase: string): boolean {
  const [text, wanted] = [inOneSpelling(promptText), inOneSpelling(phrase)];
  return isLoud(wanted) ? text === wanted : text.toLowerCase() === wanted.toLowerCase();
}

/** The characters next to the phrase must not be letters, marks, digits or `_`. */
function holdsWord(prompt: string, phrase: string): boolean {
  const wanted = phrase.trim();
  if (wanted === '') return false;
  const [text, word] = isLoud(wanted) ? [prompt, wanted] : [prompt.toLowerCase(), wanted.toLowerCase()];
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    // One character takes at most two UTF-16 units, so there is no need to copy the rest of a long prompt for every hit.
    const before = [...text.slice(Math.max(0, at - 2), at)].at(-1) ?? '';
    const [after = ''] = text.slice(at + word.length, at + word.length + 2);
    if (!isPart(before) && !isPart(after)) return true;
  }
  return false;
}

function isPart(char: string): boolean {
  return /^[\p{L}\p{N}\p{M}_]$/u.test(char);
}
