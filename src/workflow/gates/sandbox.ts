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

/** Rules of the client for Bash calls, from its settings files and its command line. */
export interface ClientRules {
  /** Every Bash call is allowed, whatever its form. */
  allowsAll: boolean;
  /** A deny or ask rule has the text of the command, and might not hold for another form of it. */
  restricts: boolean;
}

export function clientRules(around: FindingContext, command: string, commandLines: () => string[][] = ancestors): ClientRules {
  const rules = [...readSettings(around).map(rulesOf), ...commandLines().map(rulesIn)];
  return {
    allowsAll: rules.some(({ allow }) => allow.some((rule) => /(?:^|[\s,])Bash(?:\(\*\))?(?=[\s,]|$)/.test(rule))),
    restricts: rules.some(({ others }) => others === null || others.some((rule) => rule.includes(command))),
  };
}

/** `others`: everything that may be a deny or ask rule; null if it cannot be read. */
interface FoundRules {
  allow: readonly string[];
  others: readonly string[] | null;
}

function rulesOf({ value, text, strict, readable }: SettingsSource): FoundRules {
  const { allow, deny, ask } = objectOf(objectOf(value).permissions);
  const texts = (list: unknown): string[] => [list].flat().filter((rule) => typeof rule === 'string');
  if (!readable) return { allow: [], others: null };
  return { allow: texts(allow), others: strict ? [...texts(deny), ...texts(ask)] : [text] };
}

function rulesIn(words: readonly string[]): FoundRules {
  const allow: string[] = [];
  const others: string[] = [];
  let isAllow = false;
  for (const word of words) {
    if (word.startsWith('--')) isAllow = /^--allowed-?tools(?:=|$)/i.test(word);
    (isAllow ? allow : others).push(word.replace(/^--[^=]*=/, ''));
  }
  return { allow, others };
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
