// Decisions as rows for the page: found, counted, each line read once, and nothing in them that a reader could be deceived by.

import fs from 'node:fs';
import { expect, test } from 'vitest';
import { Decisions } from '../../../../src/adapters/dashboard/decisions.ts';
import type { Decision } from '../../../../src/model/decision.ts';
import { makeEvent } from '../../../../src/store/log/event.ts';
import { type LogDisk, LogFiles } from '../../../../src/store/log/files.ts';
import type { CallerProject } from '../../../../src/workflow/project.ts';
import { makeKept, noted, source, write } from '../../store/log/fixture.ts';

const line = (tool: string, input: Record<string, unknown>, decided: Partial<Decision> = {}) =>
  JSON.stringify(makeEvent(noted(tool, input, { decided }), 'b'));
const all = { mode: '', decision: '' };

/** A log with files of so many bytes, and how much of it was read. */
function logOf(maxBytes = 1_000_000) {
  const { files } = makeKept();
  const count = { read: 0 };
  const readSync = (...given: Parameters<typeof fs.readSync>): number => {
    const read = fs.readSync(...given);
    count.read += read;
    return read;
  };
  const disk = { ...fs, readSync } as unknown as LogDisk;
  const log = new LogFiles(files.folder, { maxBytes, maxFiles: 2 }, disk);
  log.prepare();
  return { log, count, decisions: new Decisions(log) };
}

test('are found by words in any order and case, by mode and by decision, the newest first', () => {
  const { log, decisions } = logOf();
  log.append([line('Write', write), 'torn', line('Bash', { command: 'npm Test' }, { decision: 'ask', mode: 'n' })]);
  const tools = (...asked: Parameters<Decisions['search']>) => decisions.search(...asked).rows.map(({ tool }) => tool);
  expect(tools('', all)).toEqual(['Bash', 'Write']);
  expect(decisions.search('', all)).toMatchObject({ damaged: 1, more: false });
  expect(tools('TEST npm', all)).toEqual(['Bash']);
  expect(tools('', { mode: 'm', decision: '' })).toEqual(['Write']);
  expect(tools('', { mode: '', decision: 'ask' })).toEqual(['Bash']);
  expect(tools('a.ts', { mode: 'n', decision: '' })).toEqual([]);
});

test('are counted by rule, and at most one page is returned', () => {
  const { log, decisions } = logOf();
  log.append(Array.from({ length: 201 }, () => line('Write', write)));
  expect(decisions.search('', all)).toMatchObject({ rows: { length: 200 }, more: true });
  const rules = ['Write(src/**)', 'Read(a)'].map((text) => ({ effect: 'deny', text, source }));
  const configuration = { topology: { modes: new Map([['m', {}]]) }, settings: new Map([['m', { rules }]]) };
  const project = { describe: () => ({ configuration }) } as unknown as CallerProject;
  expect(decisions.rules(project).map(({ text, fired, last }) => [text, fired, last !== null])).toEqual([
    ['Write(src/**)', 201, true],
    ['Read(a)', 0, false],
  ]);
});

test('are read once, and lines that the log lost are dropped', () => {
  const { log, count, decisions } = logOf(20_000);
  const size = () => decisions.search('', all).rows.length;
  const one = line('Write', write);
  log.append([one]);
  expect(size()).toBe(1);
  count.read = 0;
  expect([size(), size(), count.read]).toEqual([1, 1, 0]);
  log.append([one]);
  count.read = 0;
  expect([size(), count.read]).toEqual([2, one.length + 1]);
  while (log.numbers()[0] !== 2) log.append([one]);
  const lines = log.numbers().flatMap((number) => log.lines(number)).length;
  expect(size()).toBe(lines);
  fs.rmSync(log.folder, { recursive: true });
  expect(size()).toBe(0);
  log.prepare();
  log.append([one]);
  expect(size()).toBe(1);
});

test('contain no invisible character and no change of the text direction', () => {
  const { log, decisions } = logOf();
  const unseen = 'a\u202eb\u001b[31m\nc';
  const rules = [{ id: 'r0', effect: 'deny' as const, text: unseen, matched: unseen, source: { ...source, file: unseen } }];
  log.append([line(unseen, { x: unseen }, { mode: unseen, reason: unseen, rules })]);
  const [row] = decisions.search('', all).rows;
  expect(Object.values(row as object).join('')).not.toMatch(/[\u0000-\u001f\u202e]/);
});
