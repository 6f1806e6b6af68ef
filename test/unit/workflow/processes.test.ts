// Processes that die in the middle of a change; several at once, and at random moments, are test/faults/state.test.ts.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { change, type Kept, makeProject, tdd, walk } from '../../support/folder-project.ts';

const here = path.dirname(fileURLToPath(import.meta.url));
let bundles: string;

beforeAll(async () => {
  bundles = fs.mkdtempSync(path.join(here, '../../../node_modules/.cache-test-'));
  await build({
    entryPoints: [path.join(here, 'writer.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: path.join(bundles, 'writer.mjs'),
    logLevel: 'error',
  });
});
afterAll(() => fs.rmSync(bundles, { recursive: true, force: true }));

const writer = (project: Kept, ...args: string[]): ChildProcess =>
  spawn(process.execPath, [path.join(bundles, 'writer.mjs'), project.root, project.claude, project.data, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });

async function outputOf(child: ChildProcess): Promise<{ text: string; signal: string | null; code: number | null }> {
  let text = '';
  child.stdout?.on('data', (chunk) => {
    text += chunk;
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  return { text, signal, code };
}

describe('a process killed', () => {
  test('between any two steps of a change leaves a journal that reads, and the next change goes through [w:state.atomic]', async () => {
    let finished = false;
    for (let step = 1; !finished && step < 60; step++) {
      const project = makeProject();
      walk(project.open(), 2);
      const { text, signal } = await outputOf(writer(project, 'die', String(step)));
      finished = signal === null;
      const store = project.open();
      const { entries, degraded: trouble, mode } = store.read(tdd);
      expect(trouble, `step ${step}`).toBeNull();
      expect([2, 3], `step ${step}`).toContain(entries.length);
      // Whoever was told that the change is made finds it.
      if (text !== '') expect(entries.length, `step ${step}`).toBe(3);
      store.refreshView(tdd);
      expect(JSON.parse(fs.readFileSync(project.view, 'utf8')).currentMode, `step ${step}`).toBe(mode);
      expect(store.change(change(mode, mode === 'idle' ? 'test-dev' : 'idle'), tdd, new Date()), `step ${step}`).not.toBeNull();
      if (finished) expect(step).toBeGreaterThan(8);
    }
    expect(finished).toBe(true);
  }, 120_000);

  test('while it repairs a broken journal leaves one that a person can repair again', async () => {
    let finished = false;
    for (let step = 1; !finished && step < 60; step++) {
      const project = makeProject();
      walk(project.open(), 2);
      fs.truncateSync(project.entries()[0] as string, 3);
      const { signal } = await outputOf(writer(project, 'mend', String(step)));
      finished = signal === null;
      const store = project.open();
      const { mode, degraded: trouble } = store.read(tdd);
      if (trouble !== null)
        expect(
          store.change(change(null, 'idle', { kind: 'force', actor: 'person' }), tdd, new Date()),
          `step ${step}`,
        ).not.toBeNull();
      else expect(mode, `step ${step}`).toBe('test-dev');
      expect(store.read(tdd).degraded, `step ${step}`).toBeNull();
    }
    expect(finished).toBe(true);
  }, 120_000);
});
