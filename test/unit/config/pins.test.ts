// Which content each session began with, and the copies of contents: kept, found again, swept.
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { hashConfiguration } from '../../../src/config/hash.ts';
import { projectFolder } from '../../../src/platform/data-folder.ts';
import { readLastKnownGood, writeLastKnownGood } from '../../../src/store/last-known-good.ts';
import { readSessionOrigin, writeSessionOrigin } from '../../../src/store/session-origin.ts';
import {
  dropAllPins,
  pinsFolder,
  readPin,
  runningPins,
  setAllPins,
  setPin,
  sweepCopies,
  takePin,
} from '../../../src/store/session-pins.ts';
import {
  type ConfigSnapshot,
  keepTrusted,
  MAX_COPIES,
  MAX_COPIES_BYTES,
  readSnapshot,
  readTrusted,
  snapshotId,
  writeSnapshot,
} from '../../../src/store/snapshots.ts';
import { makeFolder } from './project.ts';

const root = '/p';
const at = new Date('2026-01-01T00:00:00Z');

function content(text: string, more: Partial<ConfigSnapshot[number]> = {}): ConfigSnapshot {
  const files = [{ name: '.claude/modes.yaml', text }];
  return [{ layer: 'project', shown: '.claude/', vanished: false, signature: '', root, files, faults: [], strays: [], ...more }];
}
const contentsOf = (data: string) => fs.readdirSync(path.join(projectFolder(data, root), 'contents')).sort();
const age = (file: string, days: number) =>
  fs.utimesSync(file, at.getTime() / 1000 - days * 86_400, at.getTime() / 1000 - days * 86_400);

describe('a copy', () => {
  test('is found by the hash of its effective content, once', () => {
    const data = makeFolder();
    const id = writeSnapshot(data, root, content('a'));
    expect(writeSnapshot(data, root, content('a'))).toBe(id);
    expect(contentsOf(data)).toEqual([`${id}.json`]);
    expect(readSnapshot(data, root, id)).toEqual(content('a'));
    expect(readSnapshot(data, '/other', id)).toBeNull();
    expect(fs.statSync(path.join(projectFolder(data, root), 'contents', `${id}.json`)).mode & 0o777).toBe(0o600);
  });

  test.each([
    ['another file', content('b')],
    ['another name', content('a', { files: [{ name: '.claude/settings.any.json', text: 'a' }] })],
    ['another layer', content('a', { layer: 'user' })],
    ['another folder', content('a', { shown: '~/.claude/' })],
    ['a signature', content('a', { signature: 'x' })],
    ['a fault', content('a', { faults: [{ code: 'E_UNREADABLE', severity: 'error', message: '', remedy: '', file: 'x' }] })],
  ])('of %s has another identity', (_, other) => {
    expect(snapshotId(other)).not.toBe(snapshotId(content('a')));
  });

  test('with different prose has the same identity', () => {
    const prose = { name: '.claude/CLAUDE.one.md', text: 'x' };
    expect(snapshotId(content('a', { files: [...content('a')[0]!.files, prose] }))).toBe(snapshotId(content('a')));
  });

  test.each(['', 'null', '[]', '{}', '[{}]', '[{"files":1}]', 'x'])('damaged to %j is not used', (text) => {
    const data = makeFolder();
    const id = writeSnapshot(data, root, content('a'));
    fs.writeFileSync(path.join(projectFolder(data, root), 'contents', `${id}.json`), text);
    expect(readSnapshot(data, root, id)).toBeNull();
    expect(writeSnapshot(data, root, content('a'))).toBe(id);
    expect(readSnapshot(data, root, id)).toEqual(content('a'));
  });

  test('of a trusted content is found by its hash, and removed when the trust is revoked', () => {
    const data = makeFolder();
    const [project] = content('a');
    const hash = hashConfiguration(project!.files);
    keepTrusted(data, root, project!, [hash]);
    expect(readTrusted(data, root, hash)).toEqual(project);
    const [other] = content('b');
    keepTrusted(data, root, other!, [hashConfiguration(other!.files)]);
    expect(readTrusted(data, root, hash)).toBeNull();
    fs.writeFileSync(path.join(projectFolder(data, root), 'trusted', `${hash.slice(7)}.json`), JSON.stringify(other));
    expect(readTrusted(data, root, hash)).toBeNull();
  });
});

describe('a pin', () => {
  test('is the first content', () => {
    const data = makeFolder();
    expect(readPin(data, root, 's')).toBeNull();
    const first = takePin(data, root, 's', content('a'), at);
    expect(takePin(data, root, 's', content('b'), at)).toMatchObject({ content: snapshotId(content('a')) });
    expect(readPin(data, root, 's')).toMatchObject(first as object);
    expect(readPin(data, '/other', 's')).toBeNull();
    expect(fs.readdirSync(pinsFolder(data, root))).toEqual(['s.json']);
  });

  test('is set again for one session or for all, and removed', () => {
    const data = makeFolder();
    for (const session of ['a', 'b']) takePin(data, root, session, content('a'), at);
    setPin(data, root, 'a', content('b'), at);
    const ids = () => ['a', 'b'].map((session) => (readPin(data, root, session) as { content: string } | null)?.content);
    expect(ids()).toEqual([snapshotId(content('b')), snapshotId(content('a'))]);
    expect(setAllPins(data, root, content('c'), at)).toBe(2);
    expect(ids()).toEqual([snapshotId(content('c')), snapshotId(content('c'))]);
    dropAllPins(data, root);
    expect(ids()).toEqual([undefined, undefined]);
  });

  test('of another session or project in its place counts as damaged', () => {
    const data = makeFolder();
    takePin(data, root, 'a', content('a'), at);
    const file = (name: string) => path.join(pinsFolder(data, root), `${name}.json`);
    fs.copyFileSync(file('a'), file('b'));
    expect(readPin(data, root, 'b')).toBe('damaged');
    fs.rmSync(file('b'));
    fs.mkdirSync(file('b'));
    expect(readPin(data, root, 'b')).toBe('damaged');
  });

  test('of a running session is distinguished from one of an ended session', () => {
    const data = makeFolder();
    for (const session of ['a', 'b']) takePin(data, root, session, content(session), at);
    expect(runningPins(data, root)).toEqual([]);
    fs.mkdirSync(path.join(data, 'sessions'));
    fs.writeFileSync(path.join(data, 'sessions/b'), '1\n');
    expect(runningPins(data, root)).toEqual([snapshotId(content('b'))]);
  });

  test('that is not needed is removed once there are many, with its copy; one of a running or recent session is not', () => {
    const data = makeFolder();
    fs.mkdirSync(path.join(data, 'sessions'));
    for (let count = 0; count < 249; count++) {
      takePin(data, root, `s${count}`, content(`old ${count % 5}`), at);
      age(path.join(pinsFolder(data, root), `s${count}.json`), 30);
    }
    for (const name of contentsOf(data)) age(path.join(projectFolder(data, root), 'contents', name), 30);
    fs.writeFileSync(path.join(data, 'sessions/s7'), '1\n');
    age(path.join(pinsFolder(data, root), 's8.json'), 1);
    takePin(data, root, 'new', content('new'), at);
    const left = fs.readdirSync(pinsFolder(data, root));
    expect(left.length).toBeLessThanOrEqual(110);
    expect(left).toEqual(expect.arrayContaining(['new.json', 's7.json', 's8.json']));
    for (const session of ['new', 's7', 's8']) {
      const pin = readPin(data, root, session) as { content: string };
      expect(readSnapshot(data, root, pin.content), session).not.toBeNull();
    }
  });
});

describe('copies of edits', () => {
  /** As many edits, a day of them every two minutes; the last is in use. */
  function edit(data: string, edits: number, text: (count: number) => string, days: number): void {
    for (let count = 0; count < edits; count++) {
      const edited = content(text(count));
      writeLastKnownGood(data, root, edited);
      age(path.join(projectFolder(data, root), 'contents', `${snapshotId(edited)}.json`), days - count / 720);
      sweepCopies(data, root, at);
    }
  }

  test.each([
    ['of a day', 0.5],
    ['by a clock that was ahead', -0.5],
  ])('%s are bounded by their number; copies in use and pinned copies stay', (_, days) => {
    const data = makeFolder();
    takePin(data, root, 's', content('began'), at);
    age(path.join(projectFolder(data, root), 'contents', `${snapshotId(content('began'))}.json`), 30);
    edit(data, 3 * MAX_COPIES, (count) => `edit ${count}`, days);
    expect(contentsOf(data).length).toBeLessThanOrEqual(MAX_COPIES + 2);
    expect(readLastKnownGood(data, root)).toEqual(content(`edit ${3 * MAX_COPIES - 1}`));
    expect(readSnapshot(data, root, snapshotId(content('began')))).toEqual(content('began'));
  });

  test('are bounded by their bytes', () => {
    const data = makeFolder();
    edit(data, 12, (count) => `${count}`.padEnd(10_000_000), 0.5);
    const sizes = contentsOf(data).map((name) => fs.statSync(path.join(projectFolder(data, root), 'contents', name)).size);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(MAX_COPIES_BYTES + 10_001_000);
  });

  test('that were made just now stay: another process may be about to name them', () => {
    const data = makeFolder();
    for (let count = 0; count < 2 * MAX_COPIES; count++) writeSnapshot(data, root, content(`${count}`));
    sweepCopies(data, root, new Date());
    expect(contentsOf(data)).toHaveLength(2 * MAX_COPIES);
  });

  test('the last good one stays when pins are removed', () => {
    const data = makeFolder();
    writeLastKnownGood(data, root, content('good'));
    age(path.join(projectFolder(data, root), 'contents', `${snapshotId(content('good'))}.json`), 30);
    for (let count = 0; count < 250; count++) takePin(data, root, `s${count}`, content('old'), at);
    expect(readLastKnownGood(data, root)).toEqual(content('good'));
  });
});

describe('the origin of a session', () => {
  test('is recorded once', () => {
    const data = makeFolder();
    expect(readSessionOrigin(data, 's')).toBeNull();
    writeSessionOrigin(data, 's', { root: '/a', folder: '/a/.claude', layer: 'project' });
    writeSessionOrigin(data, 's', { root: '/b', folder: '/b/.claude', layer: 'project' });
    expect(readSessionOrigin(data, 's')).toEqual({ root: '/a', folder: '/a/.claude', layer: 'project' });
    expect(readSessionOrigin(data, '../s')).toBeNull();
  });

  test.each(['', 'null', '{}', '{"root":"a","folder":"b","layer":"project"}', '{"root":"/a","folder":"/a","layer":"x"}'])(
    'as %j is unknown',
    (text) => {
      const data = makeFolder();
      writeSessionOrigin(data, 's', { root: '/a', folder: '/a/.claude', layer: 'project' });
      fs.writeFileSync(path.join(data, 'begun/s.json'), text);
      expect(readSessionOrigin(data, 's')).toBeNull();
    },
  );
});
