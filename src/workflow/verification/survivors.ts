// Processes that a call left behind. Linux shows them with their environment; on other systems only the text of the call tells.

import fs from 'node:fs';
import { readRegular } from '../../platform/read-file.ts';

/** The client sets it for what its Bash starts. */
const mark = '\0CLAUDECODE=';

/** Linux permits at most 6 MB of arguments and environment. */
const maxBytes = 8_000_000;

/** Programs of the client's Bash that no longer descend from the client, which is the parent of this process. */
export function survivors(): ReadonlySet<number> {
  const found = new Set<number>();
  if (process.platform !== 'linux') return found;
  const parents = new Map(fs.readdirSync('/proc').flatMap((name) => parentOf(name)));
  for (const pid of parents.keys()) if (!descends(pid, parents) && isMarked(pid)) found.add(pid);
  return found;
}

/** Empty if the process is gone or has ended. */
function parentOf(name: string): [pid: number, parent: number][] {
  if (!/^\d+$/.test(name)) return [];
  try {
    const [, state, parent] = /^.*\) (\S) (\d+) /s.exec(readProcess(name, 'stat')) ?? [];
    return parent === undefined || state === 'Z' || state === 'X' ? [] : [[Number(name), Number(parent)]];
  } catch {
    return [];
  }
}

function descends(pid: number, parents: ReadonlyMap<number, number>): boolean {
  for (let at: number | undefined = pid; at !== undefined; at = parents.get(at)) if (at === process.ppid) return true;
  return false;
}

function isMarked(pid: number): boolean {
  try {
    return `\0${readProcess(pid, 'environ')}`.includes(mark);
  } catch {
    // It is gone, or belongs to another user.
    return false;
  }
}

function readProcess(pid: number | string, file: 'stat' | 'environ'): string {
  return readRegular(`/proc/${pid}/${file}`, maxBytes, { noFollow: true }).toString('latin1');
}
