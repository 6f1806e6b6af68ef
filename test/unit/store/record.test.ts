// Records of the data folder: the states of one on disk, creation by one of several processes, and the sweep.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { fields, LaterVersion, pairs, RecordKind, sweepSessions } from '../../../src/store/record.ts';
import { makeFolder } from '../../support/folder-project.ts';

const schema = fields({ name: z.string(), marks: pairs(z.string()) });
const records = new RecordKind({ schema, maxBytes: 200 });
const unversioned = new RecordKind({ schema, version: 'none' });
const hashed = new RecordKind({ schema, hash: (json, file) => `${path.basename(file)}${json.length}` });
const value = { name: 'a', marks: new Map([['x', 'y']]) };
const text = '{"version":1,"name":"a","marks":[["x","y"]]}';

const at = () => path.join(makeFolder(), 'deep/one.json');
/** The file, whose folder exists now. */
const below = (file: string): string => {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  return file;
};
const put = (file: string, content: string) => fs.writeFileSync(below(file), content);

test('a record is written in full, with its version first, and read again', () => {
  const file = at();
  records.write(file, value);
  expect(fs.readFileSync(file, 'utf8')).toBe(text);
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  expect(fs.readdirSync(path.dirname(file))).toEqual(['one.json']);
  expect(records.state(file)).toEqual({ state: 'whole', value: { version: 1, ...value } });
});

test.each<[string, (file: string) => void, string]>([
  ['no file', () => undefined, 'absent'],
  ['a file in the place of its folder', (file) => put(path.dirname(file), ''), 'absent'],
  ['an empty file', (file) => put(file, ''), 'damaged'],
  ['a torn file', (file) => put(file, text.slice(0, -1)), 'damaged'],
  ['null', (file) => put(file, 'null'), 'damaged'],
  ['no version', (file) => put(file, text.replace('"version":1,', '')), 'damaged'],
  ['an earlier version', (file) => put(file, text.replace('1', '0')), 'damaged'],
  ['a version that is no number', (file) => put(file, text.replace('1', '"2"')), 'damaged'],
  ['a missing field', (file) => put(file, '{"version":1,"name":"a"}'), 'damaged'],
  ['a wrong pair', (file) => put(file, text.replace('"y"', '"y","z"')), 'damaged'],
  ['a later version of another shape', (file) => put(file, '{"version":2}'), 'later'],
  ['a file that is too large', (file) => put(file, `${text}${' '.repeat(200)}`), 'refused'],
  ['a folder', (file) => fs.mkdirSync(file, { recursive: true }), 'refused'],
  ['a pipe', (file) => execFileSync('mkfifo', [below(file)]), 'refused'],
  ['a loop of links', (file) => fs.symlinkSync(file, below(file)), 'refused'],
])('%s is a state of its own, and never a value', (_, make, state) => {
  const file = at();
  make(file);
  expect(records.state(file)).toMatchObject({ state });
  expect(records.read(file)).toBeNull();
  if (state === 'absent') expect(records.demand(file)).toBeNull();
  else expect(() => records.demand(file)).toThrow(state === 'later' ? LaterVersion : Error);
});

test('a link is followed, unless the kind of record refuses links', () => {
  const file = at();
  put(`${file}.x`, text);
  fs.symlinkSync(`${file}.x`, file);
  expect(records.read(file)).toMatchObject(value);
  expect(new RecordKind({ schema, noFollow: true }).state(file)).toMatchObject({ state: 'refused' });
});

test('fields of a later version stay in the record, in nested objects too', () => {
  const nested = new RecordKind({ schema: fields({ all: z.array(fields({ a: z.string() })) }) });
  const file = at();
  put(file, '{"version":1,"all":[{"a":"b","new":1}],"more":[2]}');
  nested.write(file, nested.demand(file)!);
  expect(JSON.parse(fs.readFileSync(file, 'utf8'))).toEqual({ version: 1, all: [{ a: 'b', new: 1 }], more: [2] });
});

test('a format without a version has no later version', () => {
  const file = at();
  unversioned.write(file, value);
  expect(fs.readFileSync(file, 'utf8')).toBe(text.replace('"version":1,', ''));
  expect(unversioned.read(file)).toEqual(value);
});

test.each([
  ['another text', (content: string) => content.replace('"a"', '"ab"')],
  ['no hash', (content: string) => content.slice(content.indexOf('\n') + 1)],
  ['no second line', (content: string) => content.slice(0, content.indexOf('\n'))],
])('a record with a hash is damaged by %s', (_, change) => {
  const file = at();
  hashed.write(file, value);
  expect(hashed.read(file)).toMatchObject(value);
  put(file, change(fs.readFileSync(file, 'utf8')));
  expect(hashed.state(file)).toEqual({ state: 'damaged' });
});

test('a record that is too large to be read is not written', () => {
  const file = at();
  records.write(file, value);
  expect(() => records.write(file, { ...value, name: 'a'.repeat(200) })).toThrow(expect.objectContaining({ code: 'EFBIG' }));
  expect(records.read(file)).toMatchObject(value);
});

test('of two processes that create a record, one does, and the other leaves it as it is', () => {
  const file = at();
  expect(records.create(file, value)).toBe(true);
  expect(records.create(file, { ...value, name: 'b' })).toBe(false);
  expect(records.read(file)).toMatchObject(value);
  expect(fs.readdirSync(path.dirname(file))).toEqual(['one.json']);
});

test('a sweep removes the oldest records of ended sessions, and never a young one or one of a running session', () => {
  const data = fs.mkdtempSync(path.join(os.tmpdir(), 'modes-sweep-'));
  const now = Date.now();
  const days = (count: number) => new Date(now - count * 86_400_000);
  const make = (name: string, age: number) => {
    put(path.join(data, 'ended', `${name}.json`), text);
    fs.utimesSync(path.join(data, 'ended', `${name}.json`), days(age), days(age));
  };
  for (let count = 0; count < 48; count++) make(`old-${count}`, 20 + count);
  make('young', 6);
  expect(sweepSessions(path.join(data, 'ended'), data, 20, now)).toBe(false);
  make('served', 90);
  put(path.join(data, 'sessions/served'), '1');
  expect(sweepSessions(path.join(data, 'ended'), data, 50, now)).toBe(false);
  expect(sweepSessions(path.join(data, 'ended'), data, 20, now)).toBe(true);
  const left = fs.readdirSync(path.join(data, 'ended'));
  expect(left).toContain('young.json');
  expect(left).toContain('served.json');
  expect(left).not.toContain('old-47.json');
  expect(left).toContain('old-0.json');
  expect(left).toHaveLength(11);
  fs.rmSync(data, { recursive: true });
});
