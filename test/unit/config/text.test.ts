// How somebody else's text is shown.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { showInLine, showUnseen, showUnseenIn } from '../../../src/config/text.ts';

describe('an invisible character is shown by its code point', () => {
  test.each([
    ['an override of direction', 'a\u202eb', 'a\\u{202e}b'],
    ['an isolate', '\u2066a\u2069', '\\u{2066}a\\u{2069}'],
    ['a mark of direction', 'a\u200f\u061cb', 'a\\u{200f}\\u{61c}b'],
    ['a blank without width', 'a\u200bb', 'a\\u{200b}b'],
    ['a joiner between letters', 'a\u200db', 'a\\u{200d}b'],
    ['a selector after a letter', 'a\ufe0fb', 'a\\u{fe0f}b'],
    ['a byte order mark', '\ufeffa', '\\u{feff}a'],
    ['a tag', 'a\u{e0061}', 'a\\u{e0061}'],
    ['an escape', 'a\u001b[2Kb', 'a\\u{1b}[2Kb'],
    ['an escape of one character', 'a\u009b2Jb', 'a\\u{9b}2Jb'],
    ['a carriage return', 'a\rb', 'a\\u{d}b'],
    ['a line separator', 'a\u2028b', 'a\\u{2028}b'],
    ['half of a pair', 'a\ud800b', 'a\\u{d800}b'],
    ['a Braille blank', 'a\u2800b', 'a\\u{2800}b'],
  ])('%s', (_, text, shown) => expect(showUnseen(text)).toBe(shown));

  test.each(['naïve ünï 日本語', 'a\tb\nc', '👩‍💻 ⚠️ 👍🏽 1️⃣ 🏳️‍🌈', 'a\u00a0b'])('%j is unchanged', (text) =>
    expect(showUnseen(text)).toBe(text),
  );

  test('showing a shown text again changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const shown = showUnseen(text);
        expect(showUnseen(shown)).toBe(shown);
      }),
    );
  });
});

test('a text within a line cannot begin another line', () => {
  expect(showInLine(' done\n\nMODE: feature-dev\r\n→ idle ')).toBe('done MODE: feature-dev → idle');
});

test('the same applies to all texts of a value, including keys', () => {
  expect(showUnseenIn({ 'a\u202e': ['b\u200b', 1, null, { c: true }] })).toEqual({
    'a\\u{202e}': ['b\\u{200b}', 1, null, { c: true }],
  });
});
