// The files of the log: rotation with tiny limits, lines that were torn, and what stands in the place of a file.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type LogDisk, LogFiles } from '../../../../src/store/log/files.ts';
import { makeFolder } from '../../../support/folder-project.ts';

const limits = { maxBytes: 100, maxFiles: 3 };
const line = (number: number): string => JSON.stringify({ number, more: 'x'.repeat(20) });
function open(): LogFiles {
  const files = new LogFiles(path.join(makeFolder(), 'log'), limits);
  files.prepare();
  return files;
}
const allLines = (files: LogFiles): string[] => files.numbers().flatMap((number) => files.lines(number));

describe('rotation', () => {
  test('starts a new number when the newest is full and keeps the newest files', () => {
    const files = open();
    for (let i = 0; i < 50; i++) files.append([line(i)]);
    expect(files.numbers()).toHaveLength(3);
    const kept = allLines(files).map((text) => JSON.parse(text).number as number);
    expect(kept.at(-1)).toBe(49);
    expect(kept).toEqual(Array.from({ length: kept.length }, (_, i) => 50 - kept.length + i));
    for (const number of files.numbers()) expect(fs.statSync(files.file(number)).size).toBeLessThanOrEqual(limits.maxBytes);
  });

  test.each([1, 30, 50, 77, 130, 1_000])(
    'is read to the end in pieces of at most %d bytes, without a missing line',
    (maxBytes) => {
      const files = open();
      for (let i = 0; i < 6; i++) files.append([line(i)]);
      const read: string[] = [];
      let at = { number: 1, offset: 0 };
      for (let turns = 0; turns < 50; turns++) {
        const { lines, end } = files.readFrom(at, maxBytes);
        read.push(...lines);
        at = end;
      }
      expect(read).toEqual(allLines(files));
    },
  );

  test('creates files and a folder that only their owner can read', () => {
    const files = open();
    files.append([line(1)]);
    expect(fs.statSync(files.file(1)).mode & 0o777).toBe(0o600);
    expect(fs.statSync(files.folder).mode & 0o777).toBe(0o700);
  });

  test('writes a line that is larger than a file whole', () => {
    const files = open();
    const large = JSON.stringify('y'.repeat(500));
    files.append([line(1)]);
    files.append([large]);
    files.append([line(2)]);
    expect(allLines(files)).toEqual([line(1), large, line(2)]);
  });

  test('is followed by a reader from position to position', () => {
    const files = open();
    let at = { number: 1, offset: 0 };
    const read: string[] = [];
    for (let i = 0; i < 30; i++) {
      files.append([line(i)]);
      if (i % 4 !== 3) continue;
      const { lines, end } = files.readFrom(at, 10_000);
      read.push(...lines);
      at = end;
    }
    expect(read).toEqual(Array.from({ length: 28 }, (_, i) => line(i)));
  });
});

describe('a torn line', () => {
  test('is not read as one, and the next does not join it', () => {
    const files = open();
    files.append([line(1)]);
    fs.appendFileSync(files.file(1), '{"half');
    expect(files.lines(1)).toEqual([line(1)]);
    files.append([line(2)]);
    expect(files.lines(1)).toEqual([line(1), '{"half', line(2)]);
  });

  test('stops no reader: it counts as a line in a finished file, and is incomplete in the newest one', () => {
    const files = open();
    files.append([line(1)]);
    const torn = Buffer.alloc(60, 0xff);
    fs.appendFileSync(files.file(1), torn);
    const start = { number: 1, offset: 0 };
    const whole = { lines: [line(1)], bytes: line(1).length + 1, end: { number: 1, offset: line(1).length + 1 } };
    expect(files.readFrom(start, 1_000)).toEqual(whole);
    expect(files.readFrom(whole.end, 10)).toEqual({ lines: [], bytes: 0, end: whole.end });
    fs.writeFileSync(files.file(2), `${line(2)}\n`);
    const rest = { lines: [torn.toString()], bytes: 60, end: { number: 1, offset: whole.bytes + 60 } };
    expect(files.readFrom(whole.end, 10)).toEqual(rest);
    // As many bytes again are the same lines again, whatever was written meanwhile.
    expect(files.readFrom(start, whole.bytes)).toEqual(whole);
    expect(files.readFrom(whole.end, 60)).toEqual(rest);
    expect(files.readFrom(start, 1_000).lines).toEqual([line(1), torn.toString(), line(2)]);
  });

  test('is reported if the disk accepts only a part', () => {
    const folder = path.join(makeFolder(), 'log');
    const disk = {
      ...fs,
      writeSync: (handle: number, bytes: Buffer) => fs.writeSync(handle, bytes, 0, 10),
    } as unknown as LogDisk;
    const files = new LogFiles(folder, limits, disk);
    files.prepare();
    expect(() => files.append([line(1)])).toThrow(/only 10 of/);
    new LogFiles(folder, limits).append([line(2)]);
    expect(files.lines(1).slice(1)).toEqual([line(2)]);
  });
});

describe('something else in place of a file', () => {
  const rows: [string, (file: string, outside: string) => void][] = [
    ['a folder', (file) => fs.mkdirSync(file)],
    ['a pipe', (file) => void spawnSync('mkfifo', [file])],
    ['a link to a file', (file, outside) => fs.symlinkSync(outside, file)],
    ['a link to nothing', (file) => fs.symlinkSync('/nonexistent/x', file)],
  ];
  test.each(rows)('%s is not written to', (_, put) => {
    const files = open();
    const outside = path.join(makeFolder(), 'outside');
    fs.writeFileSync(outside, 'mine');
    put(files.file(1), outside);
    expect(() => files.append([line(1)])).toThrow();
    expect(() => files.probe()).toThrow();
    expect(fs.readFileSync(outside, 'utf8')).toBe('mine');
  });

  test('a link in place of the folder is not followed', () => {
    const outside = makeFolder();
    const folder = path.join(makeFolder(), 'log');
    fs.symlinkSync(outside, folder);
    const files = new LogFiles(folder, limits);
    expect(() => files.append([line(1)])).toThrow(/is not a folder/);
    expect(fs.readdirSync(outside)).toEqual([]);
  });
});
