// What reaches a terminal of a text: nothing of a stranger's that steers it, hides what follows or ends a line.

/** Colours that something here paints with: none, bold, dim, and red to cyan, bold or not. */
const PAINTED = String.raw`\[(?:[0-2]|(?:1;)?3[1-6])m`;
const STEERING = new RegExp(String.raw`\x1b(?!${PAINTED})|\r(?!\n)|[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f]`, 'g');

/** Names of files and texts of a stranger are shown as JSON writes them, so JSON means the same. */
export const steerless = (text: string): string =>
  text.replace(STEERING, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
