// Which server belongs to which session.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { answersOf } from '../../../../src/adapters/socket/answers.ts';
import { markOf, SessionRecord } from '../../../../src/adapters/socket/record.ts';
import type { DecisionLog } from '../../../../src/store/log/log.ts';
import type { Project } from '../../../../src/workflow/project.ts';
import { makeFolder } from '../../../support/server.ts';

const session = '0c0ffee0-1111-2222-3333-444455556666';
const list = (data: string) =>
  Object.fromEntries(
    fs.readdirSync(path.join(data, 'sessions')).map((name) => [name, fs.readFileSync(path.join(data, 'sessions', name), 'utf8')]),
  );
const own = `${process.pid}\n`;
const client = `pid-${process.ppid}`;
/** The id of a process that ran and is gone. */
const gone = () => spawnSync(process.execPath, ['-e', '']).pid;

describe('a record', () => {
  test('is stored by the client’s process, by its session and by every added session', () => {
    const data = makeFolder('data');
    const record = new SessionRecord(data, { CLAUDE_CODE_SESSION_ID: session });
    record.add('early');
    expect(fs.existsSync(path.join(data, 'sessions'))).toBe(false);
    record.write();
    record.add('late');
    record.add('late');
    expect(list(data)).toEqual({ [client]: own, [session]: own, early: own, late: own });
    expect(fs.readFileSync(path.join(data, 'node'), 'utf8')).toBe(`${process.execPath}\n`);
  });

  test('removes temporary files that dead processes left in the data folder', () => {
    const data = makeFolder('data');
    const [left, fresh] = ['node.1.2.new', 'node.3.4.new'].map((name) => path.join(data, name)) as [string, string];
    for (const file of [left, fresh]) fs.writeFileSync(file, '');
    fs.utimesSync(left, 0, 0);
    new SessionRecord(data, {}).write();
    expect([left, fresh].map((file) => fs.existsSync(file))).toEqual([false, true]);
  });

  test('is readable only by its owner', () => {
    const data = path.join(makeFolder('x'), 'modes-data');
    new SessionRecord(data, {}).write();
    expect(fs.statSync(path.join(data, 'sessions')).mode & 0o777).toBe(0o700);
    expect(fs.statSync(path.join(data, 'sessions', client)).mode & 0o777).toBe(0o600);
  });

  test.each(['', '../x', 'a/b', 'a b', 'x'.repeat(101), 'pid-1', `pid-${process.ppid + 1}`, '.', 'a\nb', '${session_id}'])(
    'rejects a session called %j',
    (name) => {
      const data = makeFolder('data');
      const record = new SessionRecord(data, { CLAUDE_CODE_SESSION_ID: name });
      record.add(name);
      record.write();
      record.add(name);
      expect(Object.keys(list(data))).toEqual([client]);
    },
  );

  test('is removed when the server ends, unless another server took over', () => {
    const data = makeFolder('data');
    const record = new SessionRecord(data, { CLAUDE_CODE_SESSION_ID: session });
    record.write();
    fs.writeFileSync(path.join(data, 'sessions', session), '1\n');
    record.remove();
    record.remove();
    expect(list(data)).toEqual({ [session]: '1\n' });
  });

  test('that was never written removes nothing', () => {
    const data = makeFolder('data');
    new SessionRecord(data, {}).write();
    new SessionRecord(data, {}).remove();
    expect(Object.keys(list(data))).toEqual([client]);
  });

  test('of an ended server is removed, others stay', () => {
    const data = makeFolder('data');
    const folder = path.join(data, 'sessions');
    fs.mkdirSync(path.join(folder, 'a-folder'), { recursive: true });
    for (const [name, text] of [
      ['dead', `${gone()}\n`],
      ['left.1.2.new', `${gone()}\n`],
      ['alive', '1\n'],
      ['garbage', 'x'],
      ['negative', '-1'],
      ['empty', ''],
    ] as const)
      fs.writeFileSync(path.join(folder, name), text);
    new SessionRecord(data, {}).write();
    expect(fs.readdirSync(folder).sort()).toEqual(['a-folder', 'alive', 'empty', 'garbage', 'negative', client].sort());
  });

  test('that cannot be added to does not stop the server', () => {
    const data = makeFolder('data');
    const record = new SessionRecord(data, {});
    record.write();
    fs.rmSync(path.join(data, 'sessions'), { recursive: true });
    expect(() => record.add('late')).not.toThrow();
    expect(() => record.remove()).not.toThrow();
  });

  test('contains a mark of the data folder, and a server with another data folder refuses its clients', () => {
    const [data, other] = [makeFolder('data'), makeFolder('other')];
    const asked = (dataFolder: string) => answersOf({ place: { dataFolder } } as Project, 'b', {} as DecisionLog).build;
    new SessionRecord(data, {}).write();
    const mark = fs.readFileSync(path.join(data, 'mark'), 'utf8');
    expect(mark).toBe(`${markOf(data)}\n`);
    expect(asked(data)).toBe(`b-${markOf(data)}`);
    expect(asked(other)).not.toBe(asked(data));
    expect(asked(path.join(data, 'nowhere'))).toBe('b');
    // A copy of the folder has the mark of the first until its own server begins.
    fs.writeFileSync(path.join(other, 'mark'), mark);
    new SessionRecord(other, {}).write();
    expect(fs.readFileSync(path.join(other, 'mark'), 'utf8')).toBe(`${markOf(other)}\n`);
  });
});
