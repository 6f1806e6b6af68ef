// The log as processes write it: a decision once, whoever comes second; what the disk refuses is counted and stops nothing.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { LogFiles } from '../../../../src/store/log/files.ts';
import { DecisionLog } from '../../../../src/store/log/log.ts';
import { healthLine } from '../../../../src/store/log/losses.ts';
import { type Kept, makeKept, noted, write } from './fixture.ts';

const call = (id: string, decided = {}) => noted('Write', write, { fields: { tool_use_id: id }, decided });

describe('a decision is logged once', () => {
  test('even if both handlers of one process report it', () => {
    const kept = makeKept();
    const log = new DecisionLog(kept);
    for (const id of ['t-1', 't-1', 't-2', 't-1']) log.note(call(id));
    log.flush();
    log.note(call('t-2'));
    log.flush();
    expect(kept.events().map(({ labels }) => labels.tool_use_id)).toEqual(['t-1', 't-2']);
  });

  test('another decision about the same call is logged separately', () => {
    const kept = makeKept();
    const log = new DecisionLog(kept);
    log.note(call('t-1', { decision: 'pass', by: 'default', rules: [], reason: '' }));
    log.note(call('t-1'));
    log.flush();
    expect(kept.events().map(({ result }) => result.decision)).toEqual(['pass', 'deny']);
  });

  test('a call without an id each time', () => {
    const kept = makeKept();
    const log = new DecisionLog(kept);
    for (let i = 0; i < 3; i++) log.note(noted('Write', write));
    log.flush();
    expect(kept.events()).toHaveLength(3);
  });

  test.each(['the first', 'the second'])('by two processes, whichever comes first: %s', (first) => {
    const kept = makeKept();
    const server = new DecisionLog(kept);
    server.note(call('t-0'));
    server.flush();
    const oneShot = new DecisionLog(kept);
    for (const log of first === 'the first' ? [server, oneShot] : [oneShot, server]) {
      log.note(call('t-1'));
      log.flush();
    }
    expect(kept.events().map(({ labels }) => labels.tool_use_id)).toEqual(['t-0', 't-1']);
  });

  test.each([
    ['of the usual form', 't-1'],
    ['with quotes and other letters', 'é"t\\1'],
    ['with a secret', 'ghp_0123456789abcdef0123456789abcdef0123'],
  ])('by a process that logs once, whatever others logged before and after, an id %s', (_, id) => {
    const kept = makeKept();
    const server = new DecisionLog(kept);
    for (const one of ['t-0', id, 't-10', 't-11']) server.note(call(one));
    server.flush();
    const before = kept.events().length;
    for (const decided of [{}, { decision: 'ask' as const, reason: 'Another.' }, {}]) {
      const once = new DecisionLog({ ...kept, isOnce: true });
      once.note(call(id, decided));
      once.flush();
    }
    expect(before).toBe(4);
    expect(
      kept
        .events()
        .slice(before)
        .map(({ result }) => result.decision),
    ).toEqual(['ask']);
  });

  test('when a new file was begun in between', () => {
    const kept = makeKept();
    const limits = { maxBytes: 3_000, maxFiles: 8 };
    const server = new DecisionLog({ ...kept, limits });
    for (let i = 0; i < 12; i++) {
      server.note(call(`t-${i}`));
      server.flush();
      const oneShot = new DecisionLog({ ...kept, limits });
      oneShot.note(call(`t-${i}`));
      oneShot.flush();
      oneShot.note(call(`u-${i}`));
      oneShot.flush();
      server.note(call(`u-${i}`));
      server.flush();
    }
    expect(kept.files.numbers().length).toBeGreaterThan(3);
    const ids = kept.events().map(({ labels }) => labels.tool_use_id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

test('it is written a moment later, without a flush', async () => {
  const kept = makeKept();
  const log = new DecisionLog(kept);
  log.note(call('t-1'));
  expect(kept.files.end()).toBeNull();
  await expect.poll(() => kept.events().length).toBe(1);
});

test('an abandoned lock does not block forever', () => {
  const kept = makeKept();
  kept.files.prepare();
  const lock = path.join(kept.files.folder, 'lock');
  fs.writeFileSync(lock, '');
  const log = new DecisionLog(kept);
  log.note(call('t-1'));
  log.flush();
  expect(kept.events()).toHaveLength(1);
  expect(fs.existsSync(lock)).toBe(true);
  fs.utimesSync(lock, 1, 1);
  log.note(call('t-2'));
  log.flush();
  expect(fs.existsSync(lock)).toBe(false);
});

describe('four processes at once', () => {
  let bundle: string;
  beforeAll(async () => {
    const here = path.dirname(fileURLToPath(import.meta.url));
    bundle = fs.mkdtempSync(path.join(here, '../../../../node_modules/.cache-test-'));
    await build({
      entryPoints: [path.join(here, 'writer.ts')],
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: path.join(bundle, 'writer.mjs'),
      logLevel: 'error',
    });
  });
  afterAll(() => fs.rmSync(bundle, { recursive: true, force: true }));

  test.each([[1_000_000], [20_000]])(
    'lose no line and tear none, files of %d bytes; shared decisions are logged once',
    async (maxBytes) => {
      const kept = makeKept();
      // No more than a process looks back on, whenever it starts.
      const [count, shared] = [150, 60];
      const ended = ['a', 'b', 'c', 'd'].map(async (name) => {
        const args = [
          path.join(bundle, 'writer.mjs'),
          kept.dataFolder,
          kept.root,
          name,
          String(count),
          String(shared),
          String(maxBytes),
        ];
        const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
        const [code] = (await once(child, 'close')) as [number];
        return code;
      });
      expect(await Promise.all(ended)).toEqual([0, 0, 0, 0]);
      const ids = kept.events().map(({ labels }) => labels.tool_use_id as string);
      const own = ids.filter((id) => !id.startsWith('shared'));
      expect(own).toHaveLength(4 * count);
      expect(new Set(own).size).toBe(4 * count);
      expect(ids.filter((id) => id.startsWith('shared')).sort()).toEqual(
        Array.from({ length: shared }, (_, i) => `shared-${i}`).sort(),
      );
      expect(new DecisionLog(kept).health()).toMatchObject({ lost: 0, trouble: null });
    },
  );
});

describe('a disk that refuses', () => {
  const rows: [string, (kept: Kept) => void][] = [
    ['the folder is a file', ({ files }) => fs.writeFileSync(files.folder, '')],
    ['the folder is a link', ({ files, dataFolder }) => fs.symlinkSync(dataFolder, files.folder)],
    ['the file is a folder', ({ files }) => fs.mkdirSync(files.file(1), { recursive: true })],
    [
      'the file is a pipe',
      ({ files }) => {
        files.prepare();
        spawnSync('mkfifo', [files.file(1)]);
      },
    ],
    [
      'the file is a link',
      ({ files, dataFolder }) => {
        files.prepare();
        fs.symlinkSync(path.join(dataFolder, 'elsewhere'), files.file(1));
      },
    ],
  ];
  test.each(rows)('%s: nothing is thrown, each is counted, and the reason is reported', (_, spoil) => {
    const kept = makeKept();
    fs.mkdirSync(path.dirname(kept.files.folder), { recursive: true });
    spoil(kept);
    const troubles: string[] = [];
    const log = new DecisionLog({ ...kept, fault: (message) => void troubles.push(message) });
    for (const id of ['t-1', 't-2', 't-3']) {
      log.note(call(id));
      log.flush();
    }
    expect(log.health().lost).toBe(3);
    expect(log.health().trouble).not.toBeNull();
    expect(troubles).toHaveLength(1);
    expect(healthLine(log.health())).toMatch(/^Decisions are not logged .*\. 3 decisions were not logged, the last at /);
    // Another process knows it too.
    expect(new DecisionLog(kept).health()).toEqual(log.health());
  });

  test('the data folder is a file: counted in memory', () => {
    const kept = makeKept();
    fs.writeFileSync(kept.dataFolder, '');
    const log = new DecisionLog(kept);
    log.note(call('t-1'));
    log.flush();
    expect(log.health()).toMatchObject({ lost: 1, lastLost: null });
  });

  test.each([
    ['it goes on once the disk takes lines again', 't-2', { lost: 1, trouble: null }],
    ['what was lost is written when the other handler tells of it', 't-1', {}],
  ])('%s', (_, next, health) => {
    const kept = makeKept();
    fs.mkdirSync(kept.files.file(1), { recursive: true });
    const log = new DecisionLog(kept);
    log.note(call('t-1'));
    log.flush();
    fs.rmdirSync(kept.files.file(1));
    log.note(call(next));
    log.flush();
    expect(kept.events().map(({ labels }) => labels.tool_use_id)).toEqual([next]);
    expect(log.health()).toMatchObject(health);
  });

  test('a full disk: the decision is written when the other handler reports it again', () => {
    const kept = makeKept();
    const log = new DecisionLog(kept);
    const append = vi.spyOn(LogFiles.prototype, 'append').mockImplementationOnce(() => {
      throw new Error('ENOSPC: no space left on device');
    });
    onTestFinished(() => append.mockRestore());
    for (let turn = 0; turn < 3; turn++) {
      log.note(call('t-1'));
      log.flush();
    }
    expect(kept.events().map(({ labels }) => labels.tool_use_id)).toEqual(['t-1']);
    expect(log.health().lost).toBe(1);
  });

  test('decisions beyond the queue limit are counted, not stored', () => {
    const kept = makeKept();
    const log = new DecisionLog(kept);
    const one = call('');
    for (let i = 0; i < 1_200; i++) log.note(one);
    log.flush();
    expect([kept.events().length, log.health().lost]).toEqual([1_000, 200]);
  });
});
