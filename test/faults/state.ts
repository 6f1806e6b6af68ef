// State under fire: processes that change the mode side by side, and are killed while they do.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { projectFolder } from '../../src/platform/data-folder.ts';
import { StateStore } from '../../src/workflow/state.ts';
import { change, tdd } from '../support/topology.ts';

export interface Outcome {
  /** Changes that a process said were made. */
  acknowledged: number;
  /** Entries of the journal. */
  entries: number;
  /** Processes ended by SIGKILL. */
  kills: number;
  /** Everything that is not as it has to be, in words. */
  wrong: string[];
}

interface Told {
  number: number;
  explanation: string;
}

/** Repeatable: the moments of the kills are drawn from it. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const listed = (folder: string) => fs.readdirSync(folder).map((name) => path.join(folder, name));

/** A project's state, and the processes that change it. */
class Arena {
  readonly top = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'modes-arena-'));
  readonly root = path.join(this.top, 'project');
  readonly claude = path.join(this.root, '.claude');
  readonly data = path.join(this.top, 'data');
  readonly told: Told[] = [];
  readonly wrong: string[] = [];

  constructor(private readonly worker: string) {
    fs.mkdirSync(this.claude, { recursive: true });
  }

  /** Starts a process that makes so many changes. */
  start(name: string, count: number): ChildProcess {
    const child = spawn(process.execPath, [this.worker, this.root, this.claude, this.data, name, String(count)], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let rest = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop()!;
      for (const line of lines) this.told.push(JSON.parse(line) as Told);
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => this.wrong.push(`${name} said: ${text}`));
    return child;
  }

  /** Looks at what is left, and makes one more change. */
  check(kills: number): Outcome {
    const { wrong } = this;
    const store = new StateStore(this.root, this.claude, this.data);
    const { entries: live, degraded: trouble, mode } = store.read(tdd);
    const entries = [...live];
    if (trouble !== null) wrong.push(trouble.message);
    for (const [at, { number, from }] of entries.entries()) {
      if (number !== at + 1) wrong.push(`entry ${at + 1} has the number ${number}`);
      if (from !== (entries[at - 1]?.to ?? 'idle')) wrong.push(`entry ${number} does not begin where the one before ended`);
    }
    for (const { number, explanation } of this.told)
      if (entries[number - 1]?.explanation !== explanation)
        wrong.push(`${explanation} was acknowledged as entry ${number} and is lost`);
    if (new Set(this.told.map(({ number }) => number)).size !== this.told.length) wrong.push('one number was acknowledged twice');
    store.refreshView(tdd);
    const view = JSON.parse(fs.readFileSync(store.viewFile, 'utf8')) as { currentMode: string };
    if (view.currentMode !== mode) wrong.push(`the view says ${view.currentMode}, the journal ${mode}`);
    // What a process left behind is removed once it is older than any writing takes.
    const past = new Date(Date.now() - 120_000);
    for (const file of this.litter()) fs.utimesSync(file, past, past);
    const next = mode === 'idle' ? 'test-dev' : mode === 'test-dev' ? 'feature-dev' : 'idle';
    if (store.change(change(mode, next), tdd, new Date()) === null) wrong.push('no further change can be made');
    wrong.push(...this.litter().map((name) => `${name} was left behind`));
    return { acknowledged: this.told.length, entries: entries.length, kills, wrong };
  }

  /** Files that nobody reads and nobody removes. */
  private litter(): string[] {
    const journal = path.join(projectFolder(this.data, this.root), 'journal');
    const own = /^(\d{8}\.json|newest)$/;
    return [
      ...listed(journal).filter((file) => !own.test(path.basename(file))),
      ...listed(this.claude).filter((file) => path.basename(file) !== 'mode-state.json'),
    ];
  }

  remove(): void {
    fs.rmSync(this.top, { recursive: true, force: true });
  }
}

/** Bundles the worker, and removes it afterwards. */
async function withWorker<T>(act: (worker: string) => Promise<T>): Promise<T> {
  const folder = fs.mkdtempSync(path.resolve('node_modules/.cache-state-'));
  const outfile = path.join(folder, 'worker.mjs');
  try {
    await build({
      entryPoints: [path.resolve('test/faults/state-worker.ts')],
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile,
      logLevel: 'error',
    });
    return await act(outfile);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** So many processes with so many changes each, side by side. */
export const crowd = (processes: number, each: number): Promise<Outcome> =>
  withWorker(async (worker) => {
    const arena = new Arena(worker);
    try {
      const children = Array.from({ length: processes }, (_, at) => arena.start(`process ${at}`, each));
      await Promise.all(children.map((child) => once(child, 'close')));
      const outcome = arena.check(0);
      const wanted = processes * each;
      if (outcome.acknowledged !== wanted) outcome.wrong.push(`${outcome.acknowledged} changes of ${wanted} were made`);
      return outcome;
    } finally {
      arena.remove();
    }
  });

/** Kills in one arena: a fresh process reads the whole journal, so a journal is not left to grow for ever. */
const killsAnArena = 50;
/** Processes side by side. */
const side = 4;
/** Longest that a process lives after its first change, milliseconds; a change takes some. */
const longestLife = 25;

/** So many processes, killed at random moments while they make one change after the other. */
export const massacre = (kills: number, seed: number, say: (text: string) => void = () => undefined): Promise<Outcome> =>
  withWorker(async (worker) => {
    const random = randomOf(seed);
    const sum: Outcome = { acknowledged: 0, entries: 0, kills: 0, wrong: [] };
    while (sum.kills < kills) {
      const arena = new Arena(worker);
      try {
        let left = Math.min(killsAnArena, kills - sum.kills);
        const lives = Array.from({ length: side }, async (_, at) => {
          while (left-- > 0) {
            const child = arena.start(`killed ${at} ${left}`, 1_000_000);
            const closed = once(child, 'close');
            await Promise.race([once(child.stdout!, 'data'), closed]);
            await new Promise((next) => setTimeout(next, random() * longestLife));
            child.kill('SIGKILL');
            const [, signal] = (await closed) as [number | null, string | null];
            if (signal === 'SIGKILL') sum.kills++;
            else arena.wrong.push(`a process ended by itself: ${signal}`);
          }
        });
        await Promise.all(lives);
        const { acknowledged, entries, wrong } = arena.check(sum.kills);
        sum.acknowledged += acknowledged;
        sum.entries += entries;
        sum.wrong.push(...wrong);
        if (wrong.length > 0) return sum;
      } finally {
        arena.remove();
      }
      say(`${sum.kills} of ${kills} killed, ${sum.entries} changes`);
    }
    return sum;
  });
