// Where a session is seen to run in the client's sandbox; in doubt it is.

import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { placeOf } from '../../../../src/facts/paths/place.ts';
import { findSandbox, isRestricted } from '../../../../src/workflow/gates/sandbox.ts';
import { temporaryFolder } from '../../../support/files.ts';

let base: string;
let root: string;
beforeEach(() => {
  base = temporaryFolder('sandbox-');
  root = path.join(base, 'project');
  fs.mkdirSync(path.join(root, '.claude'), { recursive: true });
});
afterEach(() => fs.rmSync(base, { recursive: true, force: true }));

const on = '{"sandbox":{"enabled":true}}';
const find = (...lines: string[][]) => findSandbox({ place: placeOf(root, { HOME: base }, null), start: root }, () => lines);

test.each<[string, string[][], boolean]>([
  ['nothing of it', [['claude', '-p', 'go']], false],
  ['--settings that switch it on [w:run.sandbox]', [['claude', '--settings', on]], true],
  ['--settings= that do', [['claude', `--settings=${on}`]], true],
  ['--settings that switch it off', [['claude', '--settings', '{"sandbox":{"enabled":false}}']], false],
  ['--settings of something else', [['claude', '--settings', '{"model":"x"}']], false],
  ['--settings cut at a space', [['claude', '--settings', '{"sandbox":', '{"enabled":', 'true}}']], true],
  ['--settings without a value', [['claude', '--settings']], false],
  [
    '--settings further up',
    [
      ['sh', '-c', 'x'],
      ['claude', '--settings', on],
    ],
    true,
  ],
])('%s', (_, lines, expected) => {
  expect(find(...lines) !== null).toBe(expected);
});

test.each<[string, string, boolean]>([
  ['that switches it on', on, true],
  ['that is something else', '{"model":"x"}', false],
  ['with comments', `// mine\n${on}`, true],
])('a file of --settings %s', (_, text, expected) => {
  const file = path.join(base, 'settings of mine.json');
  fs.writeFileSync(file, text);
  expect(find(['claude', '--settings', file]) !== null).toBe(expected);
});

test('a settings file that cannot be read counts as enabling it', () => {
  fs.mkdirSync(path.join(root, '.claude/settings.json'));
  expect(find()).toBe(path.join(root, '.claude/settings.json'));
});

test.each<[what: string, settings: string | null, line: string[], expected: boolean]>([
  ['no rule', null, ['claude'], false],
  ['an allow', '{"permissions":{"allow":["Bash(npm test)"]}}', ['claude'], false],
  ['a deny', '{"permissions":{"deny":["Bash(npm test)"]}}', ['claude'], true],
  ['an ask', '{"permissions":{"ask":["Bash(npm test)"]}}', ['claude'], true],
  ['a deny of another command', '{"permissions":{"deny":["Bash(npm publish)"]}}', ['claude'], false],
  ['a deny beside a comment', '// mine\n{"permissions":{"deny":["Bash(npm test)"]}}', ['claude'], true],
  ['a deny in the command line', null, ['claude', '--disallowedTools', 'Bash(npm test)'], true],
  ['a deny in --settings', null, ['claude', '--settings', '{"permissions":{"deny":["Bash(npm test)"]}}'], true],
])('a command with %s of the client', (_, settings, line, expected) => {
  if (settings !== null) fs.writeFileSync(path.join(root, '.claude/settings.json'), settings);
  const around = { place: placeOf(root, { HOME: base }, null), start: root };
  expect(isRestricted(around, 'npm test', () => [line])).toBe(expected);
});

test('settings that cannot be read may have a rule for any command', () => {
  fs.mkdirSync(path.join(root, '.claude/settings.json'));
  const around = { place: placeOf(root, { HOME: base }, null), start: root };
  expect(isRestricted(around, 'npm test', () => [])).toBe(true);
});
