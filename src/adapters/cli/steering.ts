// Escapes output for a terminal: foreign text must not control it, hide the text that follows or end a line.

/** Styles that our own output uses: none, bold, dim, and red to cyan, bold or not. */
const PAINTED = String.raw`\[(?:[0-2]|(?:1;)?3[1-6])m`;
/** Characters that change the text direction or have no glyph. Joiners in an emoji are not among them. */
const UNSEEN = String.raw`\u00ad\u061c\u180e\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\u2800\ufeff\u{e0000}-\u{e0fff}`;
const STEERING = new RegExp(
  String.raw`\x1b(?!${PAINTED})|\r(?!\n)|[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f${UNSEEN}]`,
  'gu',
);

/** Escaped as in JSON, so that file names and foreign texts keep their meaning in JSON output. */
export const steerless = (text: string): string =>
  text.replace(STEERING, (one) =>
    Array.from({ length: one.length }, (_, at) => `\\u${one.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  );
