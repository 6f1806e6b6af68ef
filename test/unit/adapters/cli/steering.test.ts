// What of a text reaches a terminal.
import { expect, test } from 'vitest';
import { steerless } from '../../../../src/adapters/cli/terminal.ts';
import { explain } from '../../../../src/app/explain-command.ts';
import { analyse } from '../../../../src/shell/analyse.ts';

test('keeps the colors of Modes, bold ones too', () => {
  const command = 'ls; rm x; make; frobnicate';
  const painted = explain(command, analyse(command, { cwd: '/p', home: '/h' }), { colour: true });
  expect(painted).toContain('\x1b[1;3');
  expect(steerless(painted)).toBe(painted);
});

test.each([
  ['hides what follows', 'a\x1b[8mb'],
  ['paints it as the background', 'a\x1b[30mb'],
  ['paints the background', 'a\x1b[41mb'],
  ['has several codes', 'a\x1b[1;8mb'],
  ['moves', 'a\x1b[2Ab'],
  ['names the window', 'a\x1b]0;x\x07b'],
  ['goes back to the start of the line', 'a\rb'],
  ['is one character', 'a\x9b8mb'],
  ['turns text around', 'a\u202eb'],
  ['isolates text', 'a\u2066b\u2069'],
  ['has no width', 'a\u200bb'],
  ['is a tag', 'a\u{e0061}b'],
  ['looks like a blank', 'a\u3164b'],
  ['joins what it stands between', 'a\u034fb'],
  ['fills a place', 'a\u115fb'],
  ['is half a character', 'a\ud800b'],
])('what %s is shown as JSON writes it', (_, text) => {
  const shown = steerless(text);
  expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/u);
  expect(JSON.parse(`"${shown}"`)).toBe(text);
});

test('a line end of two characters is kept, as a patch needs it', () => {
  expect(steerless('-a\r\n+b\r\n')).toBe('-a\r\n+b\r\n');
  expect(steerless('a\rb')).toBe('a\\u000db');
});

test('an emoji keeps its joiner', () => {
  expect(steerless('👩\u200d💻 ❤\ufe0f')).toBe('👩\u200d💻 ❤\ufe0f');
});

test('the explanation of a command shows blanks that are letters', () => {
  const command = 'ls a\u3164b';
  expect(explain(command, analyse(command, { cwd: '/p', home: '/h' }))).toContain('a\\u{3164}b');
});
