// What the plugin adds to the start of the interactive client: until its input line is there, and until a line that was typed then
// reaches the model. The second waits for the hooks of the session's start.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { endMarked, signal } from '../e2e/processes.ts';
import { type Bench, millis, notMeasured, type Row, spreadOf } from './row.ts';
import { type Client, findClient } from './session.ts';
import { all, bare, makePlugin, makeProject, type Setup, trust, ungoverned } from './setups.ts';

const defaultTurns = 15;
const budgetMs = 150;
const compared = [bare, all, ungoverned];
const moments = { prompt: 'until the first prompt can be typed', request: 'until the first prompt reaches the model' };
type Moment = keyof typeof moments;

export const measure: Bench = async (say, { turns = defaultTurns, cancel }) => {
  const found = await findClient();
  if ('missing' in found) return [notMeasured('the start of the real client', found.missing)];
  const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'modes-bench-start-'));
  try {
    const entrants = compared.map((setup, n) => {
      const project = makeProject(path.join(folder, `project-${n}`), 10, setup.isGoverned ?? false);
      const home = path.join(folder, `user-${n}/home`);
      found.client.seedHome(home, [project]);
      if (setup.isGoverned) trust(home, project);
      const times: Record<Moment, number[]> = { prompt: [], request: [] };
      return { setup, project, home, plugin: makePlugin(setup, path.join(folder, `plugin-${n}`)), times };
    });
    // The first start of each fills the caches.
    for (let turn = -1; turn < turns; turn += 1)
      for (const { setup, times, ...place } of turn % 2 === 0 ? entrants : entrants.toReversed()) {
        say(`turn ${turn + 1} of ${turns}: ${setup.name}`);
        const took = await start(found.client, place, cancel);
        if (turn >= 0) for (const moment of ['prompt', 'request'] as const) times[moment].push(took[moment]);
      }
    return entrants.slice(1).flatMap(({ setup, times }) => {
      const without = entrants[0]!.times;
      return (['prompt', 'request'] as const).map((moment) => rowOf(setup, moment, times[moment], without[moment]));
    });
  } finally {
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
};

function rowOf(setup: Setup, moment: Moment, times: number[], without: number[]): Row {
  const [mine, theirs] = [times, without].map((values) => ({ least: Math.min(...values), median: spreadOf(values).p50 }));
  if (!mine || !theirs) throw new Error('no start was measured');
  const more = { least: mine.least - theirs.least, median: mine.median - theirs.median };
  const isPromised = moment === 'prompt';
  return {
    what: `start of the client ${moments[moment]}: ${setup.name}`,
    budget: isPromised ? `≤ ${budgetMs} ms more` : '',
    measured: `${millis(more.median)} more median, ${millis(more.least)} least (${millis(theirs.median)} median without hooks)`,
    holds: isPromised ? more.median <= budgetMs : null,
    absolute: true,
    labels: { hooks: setup.name, moment },
    figures: { ...more, without: theirs.median },
  };
}

/** Starts the client on a terminal, types a line once the input line is there, and ends the client. */
async function start(
  client: Client,
  { project, home, plugin }: { project: string; home: string; plugin: string | null },
  cancel?: AbortSignal,
): Promise<Record<Moment, number>> {
  cancel?.throwIfAborted();
  const { startModel } = await import('../e2e/model.ts');
  const mark = randomUUID();
  let asked: () => void = () => undefined;
  const request = new Promise<void>((done) => {
    asked = done;
  });
  const model = await startModel([
    () => {
      asked();
      return [{ type: 'text', text: 'done' }];
    },
  ]);
  const words = [client.installClient(), ...(plugin === null ? [] : ['--plugin-dir', plugin])];
  // `script` gives the client a terminal.
  const line = `stty cols 130 rows 50; exec ${words.map((word) => `'${word}'`).join(' ')}`;
  const env = client.clientEnvironment(home, model.url, mark, { TERM: 'xterm-256color' });
  const begun = performance.now();
  const child = spawn('script', ['-qfec', line, '/dev/null'], { cwd: project, env, detached: true, stdio: 'pipe' });
  const end = () => {
    if (child.pid) signal(-child.pid, 'SIGKILL');
    endMarked(mark);
  };
  const ended = new Promise<never>((_, failed) => {
    child.on('error', failed);
    child.on('exit', () => failed(cancel?.aborted ? cancel.reason : new Error('the client ended before it was ready')));
  });
  const timer = setTimeout(end, 60_000);
  cancel?.addEventListener('abort', end, { once: true });
  try {
    let screen = '';
    const prompt = new Promise<void>((done) => {
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        screen += text;
        if (screen.includes('❯')) done();
      });
    });
    await Promise.race([prompt, ended]);
    const promptMs = performance.now() - begun;
    child.stdin.on('error', () => undefined);
    child.stdin.write('go\r');
    await Promise.race([request, ended]);
    return { prompt: promptMs, request: performance.now() - begun };
  } finally {
    clearTimeout(timer);
    cancel?.removeEventListener('abort', end);
    ended.catch(() => undefined);
    end();
    await model.close();
  }
}
