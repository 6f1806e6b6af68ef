// Detects whether Bash calls of this session run in the client's sandbox. The client does not report it, so this reads every
// place that can enable it.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { objectOf, readJson, readSettings, type SettingsSource } from '../findings/settings.ts';
import type { FindingContext } from '../findings/types.ts';

/**
 * The place that enables a sandbox: a settings file that enables it or is unreadable, or `--settings` in the client's command
 * line. One place is enough, even if another one disables it. null: none.
 */
export function findSandbox(around: FindingContext, commandLines: () => string[][] = ancestors): string | null {
  const file = readSettings(around).find(enables)?.file;
  if (file !== undefined) return file;
  const isNamed = commandLines().some((words) => settingsOf(words).some(enablesBy));
  return isNamed ? '--settings of the client' : null;
}

/**
 * Whether the client may have a deny or ask rule for exactly this command, in a settings file or in its command line. Such a rule holds
 * for no other text.
 */
export function isRestricted(around: FindingContext, command: string, commandLines: () => string[][] = ancestors): boolean {
  return (
    readSettings(around).some((source) => restricts(source, command)) ||
    commandLines()
      .flat()
      .some((word) => word.includes(command))
  );
}

function restricts({ value, text, strict, readable }: SettingsSource, command: string): boolean {
  const { deny, ask } = objectOf(objectOf(value).permissions);
  const rules = strict ? JSON.stringify([deny, ask]) : text;
  return !readable || rules.includes(JSON.stringify(command).slice(1, -1));
}

function enables({ value, text, strict, readable }: SettingsSource): boolean {
  if (!readable) return true;
  const { enabled } = objectOf(objectOf(value).sandbox);
  return (enabled !== undefined && enabled !== false) || (!strict && /sandbox/.test(text) && /enabled/.test(text));
}

/** The values of `--settings`: JSON text or the path of a JSON file. */
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
    // Split at spaces by `ps`, or not JSON: search for the word instead.
    return /sandbox/.test(value);
  }
}

/** Number of ancestor processes that are checked. The client starts the server directly or through a shell. */
const generations = 4;

/** The command-line words of this process's ancestors, nearest first. */
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
    // The process is gone or hidden from us; only the settings files remain.
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
