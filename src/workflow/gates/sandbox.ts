// Whether Bash calls of this session run in the client's sandbox. The client tells nobody; it is read where it can be switched on.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { objectOf, readJson, readSettings, type Source } from '../findings/settings.ts';
import type { Surroundings } from '../findings/types.ts';

/**
 * Where a sandbox is switched on: a settings file that does, or that cannot be read, or `--settings` of the client's command line.
 * One place is enough, whatever another says. null: nowhere.
 */
export function findSandbox(around: Surroundings, commandLines: () => string[][] = ancestors): string | null {
  const file = readSettings(around).find(enables)?.file;
  if (file !== undefined) return file;
  const isNamed = commandLines().some((words) => settingsOf(words).some(enablesBy));
  return isNamed ? '--settings of the client' : null;
}

function enables({ value, text, strict, readable }: Source): boolean {
  if (!readable) return true;
  const { enabled } = objectOf(objectOf(value).sandbox);
  return (enabled !== undefined && enabled !== false) || (!strict && /sandbox/.test(text) && /enabled/.test(text));
}

/** The values of `--settings`: JSON, or a file of it. */
function settingsOf(words: readonly string[]): string[] {
  return words.flatMap((word, at) => {
    if (word.startsWith('--settings=')) return [word.slice('--settings='.length)];
    return word === '--settings' ? [words[at + 1] ?? ''] : [];
  });
}

function enablesBy(value: string): boolean {
  if (!value.trim().startsWith('{')) return readJson(value, 'user').some(enables);
  try {
    return enables({ file: '', origin: 'user', text: value, value: JSON.parse(value), strict: true, readable: true });
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // Cut at its spaces by `ps`, or no JSON: the words have to do.
    return /sandbox/.test(value);
  }
}

/** Generations that are looked at: the client starts the server itself, or by a shell. */
const generations = 4;

/** The words of the processes that this one comes from, nearest first. */
function ancestors(): string[][] {
  const found: string[][] = [];
  for (let pid = process.ppid; pid > 1 && found.length < generations; ) {
    const described = process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
    if (described === null) break;
    found.push(described.words);
    pid = described.parent;
  }
  return found;
}

function fromProc(pid: number): { parent: number; words: string[] } | null {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    return { parent, words: fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0') };
  } catch {
    // Gone, or hidden from us: settings files are what is left to go by.
    return null;
  }
}

function fromPs(pid: number): { parent: number; words: string[] } | null {
  try {
    const line = execFileSync('/bin/ps', ['-o', 'ppid=,command=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    const [parent = '0', ...words] = line.split(/\s+/);
    return { parent: Number(parent), words };
  } catch {
    return null;
  }
}
