// A process that changes the mode once and dies at a given step of the file system.
import fs from 'node:fs';
import { StateStore } from '../../../src/workflow/state.ts';
import { change, tdd } from '../../support/topology.ts';

const [root, claude, data, how, count] = process.argv.slice(2) as [string, string, string, string, string];
const store = new StateStore(root, claude, data);
const ring = [...tdd.modes.keys()];
const next = (mode: string) => ring[(ring.indexOf(mode) + 1) % ring.length] as string;
const say = (line: unknown) => fs.writeSync(1, `${JSON.stringify(line)}\n`);

/** Kills this process right before the n-th call that touches the disk, counted from now. */
function dieAt(step: number): void {
  let left = step;
  const files = fs as unknown as Record<string, (...args: unknown[]) => unknown>;
  for (const name of [
    'openSync',
    'writeFileSync',
    'fsyncSync',
    'closeSync',
    'linkSync',
    'unlinkSync',
    'renameSync',
    'mkdirSync',
    'statSync',
    'lstatSync',
    'rmSync',
  ]) {
    const original = files[name] as (...args: unknown[]) => unknown;
    files[name] = (...args) => {
      if (--left === 0) process.kill(process.pid, 'SIGKILL');
      return original(...args);
    };
  }
}

if (how === 'die') {
  const mode = store.read(tdd).mode as string;
  dieAt(Number(count));
  const entry = store.change(change(mode, next(mode)), tdd, new Date());
  say({ number: entry?.number });
} else {
  store.read(tdd);
  dieAt(Number(count));
  const entry = store.change(change(null, 'test-dev', { kind: 'force', actor: 'person' }), tdd, new Date());
  say({ number: entry?.number });
}
