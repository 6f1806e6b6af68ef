// What a journal came to, kept for processes that decide a single call: the same state as from all its entries, or none.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { StateStore, summarizedEvery } from '../../../src/workflow/state.ts';
import { change, type Kept, makeProject, tdd, walk } from '../../support/folder-project.ts';

const ring = ['idle', 'test-dev', 'feature-dev'];
/** As a process that decides one call looks at it; `read` is what the server sees. */
const once = (kept: Kept, build = 'build') => new StateStore(kept.root, kept.claude, kept.data, '', build);
const whole = (kept: Kept) => kept.open().read(tdd);
const folderOf = (kept: Kept): string => path.dirname(kept.entries()[0] as string);
const summaryOf = (kept: Kept): string => path.join(folderOf(kept), 'summary');

/** As such a process ends. */
const leave = (store: StateStore): void => {
  store.read(tdd);
  store.summarise();
};

/** The newest changes, and all else. */
const shown = ({ entries, ...state }: ReturnType<StateStore['read']>) => ({ ...state, entries: entries.slice(-50) });

function summarised(steps = summarizedEvery): Kept {
  const kept = makeProject();
  walk(kept.open(), steps);
  leave(once(kept));
  return kept;
}

describe('a summary', () => {
  test('is stored if it saves many entries, only by a process of one call', () => {
    const kept = makeProject();
    walk(kept.open(), summarizedEvery - 1);
    leave(once(kept));
    leave(kept.open());
    expect(fs.existsSync(summaryOf(kept))).toBe(false);
    walk(kept.open(), 1);
    leave(once(kept));
    expect(fs.statSync(summaryOf(kept)).mode & 0o777).toBe(0o600);
    const first = fs.readFileSync(summaryOf(kept));
    walk(kept.open(), summarizedEvery - 1);
    leave(once(kept));
    expect(fs.readFileSync(summaryOf(kept)).equals(first)).toBe(true);
    walk(kept.open(), 1);
    leave(once(kept));
    expect(fs.readFileSync(summaryOf(kept)).equals(first)).toBe(false);
    expect(shown(once(kept).read(tdd))).toEqual(shown(whole(kept)));
  });

  test('gives the same state as all entries, whatever they are and however many follow', () => {
    const grant = { did: 'grant' as const, rules: ['Write(a)'], paths: [], until: {} };
    const acts = fc.constantFrom('move', 'plan', 'grant', 'stop', 'off');
    fc.assert(
      fc.property(fc.array(acts, { minLength: 1, maxLength: 12 }), fc.array(acts, { maxLength: 4 }), (before, behind) => {
        const kept = makeProject();
        const store = kept.open();
        walk(store, summarizedEvery - before.length);
        const act = (what: string) => {
          const mode = (store.read(tdd).mode ?? null) as string | null;
          const last = store.read(tdd).entries.at(-1)?.to as string;
          const next = ring[(ring.indexOf(last) + 1) % 3] as string;
          const stay = { kind: 'authority' as const, actor: 'person' as const };
          const more = {
            move: change(mode, next, { kind: mode === null ? 'force' : 'transition' }),
            plan: change(mode, last, {
              kind: 'plan',
              work: { did: 'begin', plan: { title: 't', items: ['one', 'two'] } } as never,
            }),
            grant: change(mode, last, { ...stay, authority: grant as never }),
            off: change(mode, last, { ...stay, authority: { did: 'off', seconds: null, uptime: 1 } as never }),
            stop: change(mode, last, { kind: 'stop' }),
          }[what];
          expect(store.change(more as never, tdd, new Date(0))).not.toBeNull();
        };
        before.forEach(act);
        leave(once(kept));
        expect(fs.existsSync(summaryOf(kept))).toBe(true);
        behind.forEach(act);
        expect(shown(once(kept).read(tdd))).toEqual(shown(whole(kept)));
      }),
      { numRuns: 12 },
    );
  });

  test('spares a process of one call the entries before it; a reader of all entries detects their damage', () => {
    const kept = summarised();
    walk(kept.open(), 1);
    fs.truncateSync(kept.entries()[3] as string, 10);
    expect(once(kept).read(tdd).degraded).toBeNull();
    expect(whole(kept).degraded?.code).toBe('E_JOURNAL_BROKEN');
  });

  test('does not cover later entries: a changed later entry is detected', () => {
    for (const damage of [(file: string) => fs.truncateSync(file, 10), (file: string) => fs.rmSync(file)]) {
      const kept = summarised();
      walk(kept.open(), 3);
      damage(kept.entries().at(-2) as string);
      expect(once(kept).read(tdd).degraded?.code).toBe('E_JOURNAL_BROKEN');
    }
  });

  test('is not made of a broken chain', () => {
    const kept = makeProject();
    walk(kept.open(), summarizedEvery);
    fs.truncateSync(kept.entries()[3] as string, 10);
    leave(once(kept));
    expect(fs.existsSync(summaryOf(kept))).toBe(false);
  });

  const damage: [string, (kept: Kept, file: string) => void][] = [
    ['gone', (_, file) => fs.rmSync(file)],
    ['empty', (_, file) => fs.truncateSync(file)],
    ['cut off', (_, file) => fs.truncateSync(file, 500)],
    ['changed in one byte', (_, file) => fs.writeFileSync(file, flipped(fs.readFileSync(file)))],
    ['a folder', (_, file) => [fs.rmSync(file), fs.mkdirSync(file)]],
    ['a pipe', (_, file) => [fs.rmSync(file), spawnSync('mkfifo', [file])]],
    ['of another journal', (_, file) => fs.copyFileSync(summaryOf(summarised()), file)],
    ['of an entry that is gone', (kept) => fs.rmSync(kept.entries().at(-1) as string)],
    ['of an entry that is another', (kept) => fs.truncateSync(kept.entries().at(-1) as string, 10)],
  ];
  test.each(damage)('that is %s does not count', (_, act) => {
    const kept = summarised();
    act(kept, summaryOf(kept));
    expect(shown(once(kept).read(tdd))).toEqual(shown(whole(kept)));
  });

  test('of another build does not count', () => {
    const kept = summarised();
    fs.truncateSync(kept.entries()[3] as string, 10);
    expect(once(kept, 'other').read(tdd).degraded?.code).toBe('E_JOURNAL_BROKEN');
  });

  test('of a restarted journal does not count, even for readers of the old one', () => {
    const kept = summarised();
    const knowing = once(kept);
    expect(knowing.read(tdd).entries).toHaveLength(50);
    fs.renameSync(folderOf(kept), `${folderOf(kept)}.aside`);
    expect(knowing.read(tdd).entries).toEqual([]);
    walk(kept.open(), 2);
    expect(shown(knowing.read(tdd))).toEqual(shown(whole(kept)));
    expect(shown(once(kept).read(tdd))).toEqual(shown(whole(kept)));
  });
});

describe('a server that starts from it', () => {
  test('checks all entries after its first answers, and stores a summary of them', async () => {
    const kept = summarised();
    const before = fs.readFileSync(summaryOf(kept));
    walk(kept.open(), summarizedEvery);
    const store = once(kept);
    expect(store.read(tdd).entries).toHaveLength(50 + summarizedEvery);
    const checking = store.check();
    expect(store.read(tdd).entries).toHaveLength(50 + summarizedEvery);
    await checking;
    expect(store.read(tdd)).toEqual(whole(kept));
    expect(fs.readFileSync(summaryOf(kept)).equals(before)).toBe(false);
    expect(shown(once(kept).read(tdd))).toEqual(shown(whole(kept)));
  });

  test('permits only reading once it has found a damaged, missing or different entry', async () => {
    const damage = [
      (file: string) => fs.truncateSync(file, 10),
      (file: string) => fs.rmSync(file),
      (file: string) => fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('"to":"idle"', '"to":"test-dev"')),
    ];
    for (const act of damage) {
      const kept = summarised();
      act(kept.entries()[2] as string);
      const store = once(kept);
      expect(store.read(tdd).degraded).toBeNull();
      await store.check();
      expect(store.read(tdd)).toMatchObject({ mode: null, degraded: { code: 'E_JOURNAL_BROKEN' } });
    }
  });

  test('adds nothing to a chain that it has not checked', () => {
    const kept = summarised();
    const store = once(kept);
    const { mode } = store.read(tdd);
    fs.truncateSync(kept.entries()[2] as string, 10);
    expect(store.change(change(mode, 'feature-dev'), tdd, new Date(0))).toBeNull();
    expect(kept.entries()).toHaveLength(summarizedEvery);
    expect(store.read(tdd).degraded?.code).toBe('E_JOURNAL_BROKEN');
  });

  test('keeps what it and others write meanwhile', async () => {
    const kept = summarised();
    const store = once(kept);
    const { mode } = store.read(tdd);
    const checking = store.check();
    expect(store.change(change(mode, 'idle', { kind: 'force' }), tdd, new Date(0))).not.toBeNull();
    walk(kept.open(), 1);
    await checking;
    expect(store.read(tdd)).toEqual(whole(kept));
  });
});

function flipped(bytes: Buffer): Buffer {
  bytes[bytes.length >> 1]! ^= 1;
  return bytes;
}
