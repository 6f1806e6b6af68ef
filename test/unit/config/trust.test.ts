// Which content a person approved; whatever is not exactly that is not trusted.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { projectFolder, writeWhole } from '../../../src/platform/data-folder.ts';
import { isTrusted, listApprovals, recordTrust, revokeTrust } from '../../../src/store/trust.ts';
import { putFile } from '../../support/files.ts';

const made: string[] = [];
afterEach(() => {
  for (const folder of made.splice(0)) fs.rmSync(folder, { recursive: true, force: true });
});
const makeData = () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'modes-trust-'));
  made.push(folder);
  return path.join(folder, 'modes-data');
};
const file = (data: string) => path.join(projectFolder(data, '/p'), 'trust.json');
const at = new Date(0);

describe('trust', () => {
  test('covers this content of this project and no other [s:trust.exact]', () => {
    const data = makeData();
    recordTrust(data, '/p', 'sha256:a', 'terminal', at);
    expect(isTrusted(data, '/p', 'sha256:a')).toBe(true);
    expect(isTrusted(data, '/p', 'sha256:b')).toBe(false);
    expect(isTrusted(data, '/q', 'sha256:a')).toBe(false);
    expect(isTrusted(makeData(), '/p', 'sha256:a')).toBe(false);
  });

  test('of earlier contents stays, the newest first, fifty of them', () => {
    const data = makeData();
    for (let i = 0; i < 60; i++) recordTrust(data, '/p', `sha256:${i}`, 'dialog', at);
    recordTrust(data, '/p', 'sha256:30', 'dialog', at);
    const { approved } = JSON.parse(fs.readFileSync(file(data), 'utf8'));
    expect(approved).toHaveLength(50);
    expect(approved[0].hash).toBe('sha256:30');
    expect(isTrusted(data, '/p', 'sha256:5')).toBe(false);
    expect(isTrusted(data, '/p', 'sha256:59')).toBe(true);
  });

  test('records how and when it was given, and is readable only by its owner', () => {
    const data = makeData();
    recordTrust(data, '/p', 'sha256:a', 'expect', at);
    expect(JSON.parse(fs.readFileSync(file(data), 'utf8'))).toEqual({
      version: 1,
      root: '/p',
      approved: [{ hash: 'sha256:a', at: '1970-01-01T00:00:00.000Z', by: 'expect' }],
    });
    expect(fs.statSync(file(data)).mode & 0o777).toBe(0o600);
    expect(fs.statSync(data).mode & 0o777).toBe(0o700);
  });

  test.each([
    '',
    'null',
    '[]',
    '{"version":1',
    '{"version":1,"root":"/other","approved":[{"hash":"sha256:a"}]}',
    '{"version":1,"root":"/p","approved":{"hash":"sha256:a"}}',
    '{"version":1,"root":"/p","approved":[null]}',
    '{"version":1,"root":"/p","approved":["sha256:a"]}',
    '{"version":1,"root":"/p","approved":[{"hash":1}]}',
  ])('a record %j approves nothing and is repaired by the next approval', (text) => {
    const data = makeData();
    putFile(file(data), text);
    expect(isTrusted(data, '/p', 'sha256:a')).toBe(false);
    recordTrust(data, '/p', 'sha256:b', 'dialog', at);
    expect(isTrusted(data, '/p', 'sha256:b')).toBe(true);
    expect(isTrusted(data, '/p', 'sha256:a')).toBe(false);
  });

  test('a record of a later version approves nothing, and is neither overwritten nor treated as empty', () => {
    const data = makeData();
    const text = '{"version":2,"root":"/p","approved":[{"hash":"sha256:a"}]}';
    putFile(file(data), text);
    expect(isTrusted(data, '/p', 'sha256:a')).toBe(false);
    const said = `${file(data)} was written by a later version of Modes.`;
    expect(() => recordTrust(data, '/p', 'sha256:b', 'dialog', at)).toThrow(said);
    expect(() => revokeTrust(data, '/p', null)).toThrow(said);
    expect(() => listApprovals(data, '/p')).toThrow(said);
    expect(fs.readFileSync(file(data), 'utf8')).toBe(text);
  });
});

describe('writeWhole', () => {
  test('replaces a file, or leaves it unchanged without a temporary file', () => {
    const folder = path.dirname(makeData());
    writeWhole(path.join(folder, 'a'), 'one');
    writeWhole(path.join(folder, 'a'), 'two');
    expect(fs.readFileSync(path.join(folder, 'a'), 'utf8')).toBe('two');
    fs.mkdirSync(path.join(folder, 'b/c'), { recursive: true });
    expect(() => writeWhole(path.join(folder, 'b'), 'three')).toThrow();
    expect(fs.readdirSync(folder)).toEqual(['a', 'b']);
  });
});
