// Patterns walk a text that somebody else wrote once. One that began anew at each character would take minutes for these.
import { expect, test } from 'vitest';
import { oneLine } from '../../../src/app/log/table.ts';
import { loadConfiguration } from '../../../src/config/load.ts';
import { isNothingBut } from '../../../src/rules/nothing-but.ts';
import { planOfMarkdown } from '../../../src/workflow/plan/input.ts';
import { makeProject } from './project.ts';

const blanks = ' '.repeat(400_000);

test('blanks within a command of a gate', () => {
  expect(isNothingBut(`npm test${blanks}x`, 'npm test', '/home/u')).toBe(false);
  expect(isNothingBut(`npm test${blanks}2>&1${blanks}`, 'npm test', '/home/u')).toBe(true);
});

test('blanks within a text that is shown on one line', () => {
  expect(oneLine(`a${blanks}b`)).toBe(`a${blanks}b`);
  expect(oneLine(`a${blanks}\n${blanks}b\t c`)).toBe('a b c');
});

test('blanks within the heading of a plan', () => {
  expect(planOfMarkdown(`# ${blanks}\u2028\n- a`).title).toBe('');
  expect(planOfMarkdown(`# ${blanks}Title\n- a`).title).toBe('Title');
});

test('blanks within the variables of a protocol', () => {
  const instructions = `{{${' '.repeat(40_000)}task }} {{ tusk }} {{${' '.repeat(40_000)}`;
  const protocols = `  p: {triggers: [go], plan: [one], instructions: "${instructions}"}\n`;
  const yaml = `name: x\ndefault: idle\nmodes: {idle: {}}\nprotocols:\n${protocols}`;
  const root = makeProject({ '.claude/modes.yaml': yaml, '.claude/settings.any.json': '{}' });
  const said = loadConfiguration(root).problems.map(({ code, message }) => `${code} ${message}`);
  expect(said).toEqual(['E_UNKNOWN_VALUE "{{ tusk }}" is not a known placeholder.']);
});
