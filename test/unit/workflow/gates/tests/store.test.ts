// The record of the tests that were known at the entry into a mode.

import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { projectFolder } from '../../../../../src/platform/data-folder.ts';
import { LaterVersion } from '../../../../../src/store/record.ts';
import { maxTests, type TestTally } from '../../../../../src/workflow/gates/tests/identity.ts';
import { type EntryRecord, EntryTestStore, maxRecordBytes } from '../../../../../src/workflow/gates/tests/store.ts';
import { temporaryFolder } from '../../../../support/files.ts';

let data: string;
beforeEach(() => {
  data = temporaryFolder('entry-tests-');
});
afterEach(() => fs.rmSync(data, { recursive: true, force: true }));

const root = '/project';
const open = (scope = '') => new EntryTestStore(root, data, scope);
const fileOf = (entry: string) => path.join(projectFolder(data, root), 'tests', `${entry}.json`);
const tally = (title: string, file: string | null = 'test/a.test.js'): TestTally => ({
  ...{ file, title, passed: 1, failed: 2, broken: 3, skipped: 4 },
});
const record = (tests: TestTally[] = [tally('cart › adds'), tally('no file', null)]): EntryRecord =>
  new Map([
    [
      'npm test',
      {
        watched: new Map([['src/a.js', '1 2 3']]),
        guarded: new Map([['package.json', 'a']]),
        fresh: true,
        known: { runner: 'node:test', at: '2026-01-01T00:00:00.000Z', tests, files: new Map([['test/a.test.js', 'b']]) },
      },
    ],
    ['pytest', { watched: new Map(), guarded: new Map(), fresh: false, known: null }],
  ]);

describe('a record', () => {
  test('is read by another process, and only for its own entry and scope', () => {
    expect(open().write('one', record())).toBe(true);
    expect(open().read('one')).toEqual(record());
    expect(open().read('two')).toBeNull();
    expect(open('tree').read('one')).toBeNull();
    expect(new EntryTestStore('/other', data, '').read('one')).toBeNull();
  });

  test('for an entry before the first has a name of its own', () => {
    open().write('', record());
    expect(open().read('')).toEqual(record());
    expect(open().read('first')).toBeNull();
  });

  test.each<[string, (text: string) => string]>([
    ['is cut off', (text) => text.slice(0, -10)],
    ['names an unknown runner', (text) => text.replace('node:test', 'nude:test')],
    ['counts below zero', (text) => text.replace(',1,2,3,4]', ',1,-2,3,4]')],
    ['counts in fractions', (text) => text.replace(',1,2,3,4]', ',1.5,2,3,4]')],
    ['has a test without counts', (text) => text.replace(',1,2,3,4]', ']')],
    ['names a file that it does not list', (text) => text.replace('[0,"cart', '[7,"cart')],
    ['belongs to another entry', (text) => text.replace('"entry":"one"', '"entry":"two"')],
    ['belongs to another project', (text) => text.replace('"root":"/project"', '"root":"/other"')],
    ['is from a later version', (text) => text.replace('"version":1', '"version":2')],
  ])('that %s is not used', (_, change) => {
    open().write('one', record());
    const before = fs.readFileSync(fileOf('one'), 'utf8');
    const after = change(before);
    expect(after).not.toBe(before);
    fs.writeFileSync(fileOf('one'), after);
    expect(open().read('one')).toBeNull();
  });

  test('of a later version is neither overwritten nor dropped as an old one', () => {
    open().write('later', record());
    const text = fs.readFileSync(fileOf('later'), 'utf8').replace('"version":1', '"version":2');
    fs.writeFileSync(fileOf('later'), text);
    fs.utimesSync(fileOf('later'), 1, 1);
    expect(() => open().write('later', record())).toThrow(LaterVersion);
    for (let index = 0; index < 12; index++) open().write(`entry-${index}`, record());
    expect(fs.readFileSync(fileOf('later'), 'utf8')).toBe(text);
    expect(fs.readdirSync(path.dirname(fileOf('later')))).toHaveLength(9);
  });

  test('of the most tests is written and read within its size', () => {
    const many = Array.from({ length: maxTests }, (_, index) =>
      tally(`suite ${index % 500} › ${'a name of usual length '.repeat(4)}${index}`, `packages/p${index % 500}/test/a.test.ts`),
    );
    expect(open().write('many', record(many))).toBe(true);
    expect(fs.statSync(fileOf('many')).size).toBeLessThan(maxRecordBytes);
    expect(open().read('many')?.get('npm test')?.known?.tests).toEqual(many);
  });

  test('of the most tests takes less than a second, also beside others of that size [w:tests.stored]', () => {
    const many = Array.from({ length: maxTests }, (_, index) =>
      tally(`adds item number ${index} to the cart`, `p${index % 500}/a.js`),
    );
    for (let index = 0; index < 9; index++) open().write(`entry-${index}`, record(many));
    const times = [1, 2, 3].map((index) => {
      const start = process.cpuUsage();
      open().write(`timed-${index}`, record(many));
      const { user, system } = process.cpuUsage(start);
      return (user + system) / 1_000;
    });
    expect(Math.min(...times)).toBeLessThan(1_000);
  });

  test('that would be too large is not written', () => {
    const many = Array.from({ length: maxTests }, (_, index) => tally(`${'é'.repeat(300)}${index}`));
    expect(open().write('large', record(many))).toBe(false);
    expect(open().read('large')).toBeNull();
  });
});
