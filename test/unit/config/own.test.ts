// What stands in the place of a file of ours.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readDataFile } from '../../../src/platform/data-folder.ts';
import { afterTest } from '../../support/cleanup.ts';
import { makeTree } from '../../support/tree.ts';

test('a pipe counts as empty, regardless of its writer', () => {
  const file = path.join(makeTree().top, 'pipe');
  execFileSync('mkfifo', [file]);
  const handle = fs.openSync(file, 'r+');
  afterTest(() => fs.closeSync(handle));
  fs.writeSync(handle, 'text');
  expect(readDataFile(file)).toBe('');
});

test('a device counts as empty', () => {
  expect(readDataFile('/dev/null')).toBe('');
});

test('a folder is refused', () => {
  expect(() => readDataFile(makeTree().top)).toThrow('EISDIR');
});
