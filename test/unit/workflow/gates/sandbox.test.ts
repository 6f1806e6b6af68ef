// Where a session is seen to run in the client's sandbox; in doubt it is.

import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { placeOf } from '../../../../src/facts/paths/place.ts';
import { type ClientRules, clientRules, findSandbox } from '../../../../src/workflow/gates/sandbox.ts';
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

const none = { allowsAll: false, restricts: false };
const all = { allowsAll: true, restricts: false };
const restricted = { allowsAll: false, restricts: true };

test.each<[what: string, permissions: string | null, line: string[], expected: ClientRules]>([
  ['no rule', null, ['claude'], none],
  ['an allow', '"allow":["Bash(npm test)"]', ['claude'], none],
  ['an allow of every Bash call', '"allow":["Read","Bash"]', ['claude'], all],
  ['the same with a pattern', '"allow":["Bash(*)"]', ['claude'], all],
  ['a deny', '"deny":["Bash(npm test)"]', ['claude'], restricted],
  ['an ask', '"ask":["Bash(npm test:*)"]', ['claude'], restricted],
  ['a deny of another command', '"deny":["Bash(npm publish)"]', ['claude'], none],
  ['an allow in the command line', null, ['claude', '--allowedTools', 'Bash(npm test)'], none],
  ['an allow of every Bash call there', null, ['claude', '--allowedTools', 'Read Bash,Edit', '-p'], all],
  ['the same after a sign', null, ['claude', '--allowed-tools=Bash'], all],
  ['a deny in the command line', null, ['claude', '--allowedTools', 'Read', '--disallowedTools', 'Bash(npm test)'], restricted],
  ['a deny of every Bash call there', null, ['claude', '--disallowedTools', 'Bash'], none],
  ['a deny in --settings', null, ['claude', '--settings', '{"permissions":{"deny":["Bash(npm test)"]}}'], restricted],
])('%s of the client', (_, permissions, line, expected) => {
  if (permissions !== null) fs.writeFileSync(path.join(root, '.claude/settings.json'), `{"permissions":{${permissions}}}`);
  const around = { place: placeOf(root, { HOME: base }, null), start: root };
  expect(clientRules(around, 'npm test', () => [line])).toEqual(expected);
});

test.each<[what: string, make: (file: string) => void]>([
  ['that cannot be read', (file) => fs.mkdirSync(file)],
  ['with a comment', (file) => fs.writeFileSync(file, '// mine\n{"permissions":{"deny":["Bash(npm test)"]}}')],
])('settings %s may restrict the command', (_, make) => {
  make(path.join(root, '.claude/settings.json'));
  const around = { place: placeOf(root, { HOME: base }, null), start: root };
  expect(clientRules(around, 'npm test', () => []).restricts).toBe(true);
});
