// Ending what a test started: by process group, and by a mark in the environment for what left the group.
import fs from 'node:fs';

/** Name of the variable that marks every process of a test; its value is unique to the run. */
export const MARK = 'MODES_E2E_MARK';

function statusOf(pid: number): string | undefined {
  return readProc(pid, 'stat')?.replace(/^.*\) /s, '')[0];
}

function readProc(pid: number, name: string): string | undefined {
  try {
    return fs.readFileSync(`/proc/${pid}/${name}`, 'latin1');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH' || code === 'EACCES') return undefined;
    throw error;
  }
}

/** Process ids that carry the mark, and the words of their command lines. Only Linux can tell; elsewhere the list is empty. */
export function marked(mark: string): { pid: number; command: string[] }[] {
  if (process.platform !== 'linux') return [];
  return fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => readProc(pid, 'environ')?.split('\0').includes(`${MARK}=${mark}`))
    .filter((pid) => statusOf(pid) !== 'Z')
    .map((pid) => ({ pid, command: (readProc(pid, 'cmdline') ?? '').split('\0').slice(0, -1) }));
}

/** Sends a signal; a process that is already gone is fine. A negative id means its group. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Ends every marked process at once. @returns the command lines of those that were still there. */
export function endMarked(mark: string): string[] {
  const left = marked(mark);
  for (const { pid } of left) signal(pid, 'SIGKILL');
  return left.map(({ command }) => command.join(' '));
}

/** Waits until `check` gives something; looks every so many milliseconds. @throws after `ms` milliseconds, naming what was awaited. */
export async function until<T>(
  what: string,
  check: () => T | undefined | false | null | Promise<T | undefined | false | null>,
  ms = 10_000,
  every = 25,
): Promise<T> {
  const end = Date.now() + ms;
  for (;;) {
    const found = await check();
    if (found !== undefined && found !== false && found !== null) return found;
    if (Date.now() > end) throw new Error(`waited ${ms} ms in vain for ${what}`);
    await new Promise((next) => setTimeout(next, every));
  }
}
