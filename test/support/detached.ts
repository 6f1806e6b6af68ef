// Runs a program without an ancestor among the tests' processes, as from a terminal: a client may run the tests.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Ended, run } from './project.ts';

const script = '( "$@" >"$OUT/out" 2>"$OUT/err" <"$OUT/in"; echo $? >"$OUT/rc.new"; mv "$OUT/rc.new" "$OUT/rc" ) &';
/** Milliseconds between two looks. */
const look = 20;

/** Runs it to its end. @throws when it takes longer than a minute. */
export async function runDetached(
  command: string[],
  options: { cwd: string; env: NodeJS.ProcessEnv; stdin?: string },
): Promise<Ended> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'modes-detached-'));
  try {
    fs.writeFileSync(path.join(folder, 'in'), options.stdin ?? '');
    await run('/bin/sh', ['-c', script, 'sh', ...command], { cwd: options.cwd, env: { ...options.env, OUT: folder } });
    const read = (name: string): string => fs.readFileSync(path.join(folder, name), 'utf8');
    for (const end = performance.now() + 60_000; !fs.existsSync(path.join(folder, 'rc')); ) {
      if (performance.now() > end) throw new Error(`${command.join(' ')} does not end`);
      await new Promise((next) => setTimeout(next, look));
    }
    return { code: Number(read('rc')), out: read('out'), err: read('err') };
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
