// The one way in which files that others can write are read.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readRegular, readRegularText } from '../../../src/platform/read-file.ts';

let folder: string;
const at = (name: string): string => path.join(folder, name);

beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'modes-regular-'));
  fs.writeFileSync(at('plain'), 'text');
  fs.writeFileSync(at('large'), 'x'.repeat(101));
  fs.symlinkSync('plain', at('link'));
  fs.symlinkSync('/dev/zero', at('zero'));
  fs.symlinkSync('/dev/stdin', at('stdin'));
  fs.symlinkSync('nowhere', at('lost'));
  fs.symlinkSync('loop', at('loop'));
  fs.writeFileSync(at('sparse'), '');
  fs.truncateSync(at('sparse'), 10 * 1024 ** 3);
  execFileSync('mkfifo', [at('pipe')]);
  fs.symlinkSync('pipe', at('to-pipe'));
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

test.each(['plain', 'link'])('%s is read', (name) => expect(readRegularText(at(name), 100)).toBe('text'));

test('a file of exactly the limit is read, one byte more is not', () => {
  expect(readRegular(at('large'), 101)).toHaveLength(101);
  expect(() => readRegular(at('large'), 100)).toThrow(expect.objectContaining({ code: 'EFBIG' }));
});

test('a file whose size the system does not tell is read up to the limit', () => {
  expect(readRegularText('/proc/self/status', 100_000)).toContain('Pid:');
  expect(() => readRegular('/proc/self/status', 10)).toThrow(expect.objectContaining({ code: 'EFBIG' }));
});

describe('what is not read', () => {
  test.each([
    ['pipe', 'ENOTREG'],
    ['to-pipe', 'ENOTREG'],
    ['zero', 'ENOTREG'],
    ['stdin', 'ENOTREG'],
    ['sparse', 'EFBIG'],
    ['lost', 'ENOENT'],
    ['absent', 'ENOENT'],
    ['loop', 'ELOOP'],
    ['plain/below', 'ENOTDIR'],
    ['.', 'EISDIR'],
  ])('%s: %s', (name, code) => {
    // What standard input is depends on who runs the tests: a terminal, a pipe, /dev/null.
    if (name === 'stdin' && fs.statSync(at(name)).isFile()) return;
    expect(() => readRegular(at(name), 1_000_000)).toThrow(expect.objectContaining({ code }));
  });

  test('a link, if links are refused', () => {
    expect(() => readRegular(at('link'), 100, { noFollow: true })).toThrow(expect.objectContaining({ code: 'ELOOP' }));
    expect(readRegularText(at('plain'), 100, { noFollow: true })).toBe('text');
  });

  test('a pipe without following links, which is opened without waiting', () => {
    expect(() => readRegular(at('pipe'), 100, { noFollow: true })).toThrow(expect.objectContaining({ code: 'ENOTREG' }));
  });

  test('a file that its reader refuses after opening', () => {
    const refuse = () => {
      throw new Error('not mine');
    };
    expect(() => readRegular(at('plain'), 100, { check: refuse })).toThrow('not mine');
  });
});
