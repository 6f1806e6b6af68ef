// The corpora as data.
import { readFileSync } from 'node:fs';

export interface Row {
  command: string;
  class: string;
  why?: string;
  verified?: boolean;
  hard?: string;
}

const folder = new URL('../../corpora/', import.meta.url);

/** The rows of one corpus. */
export function readRows(name: string): Row[] {
  return readFileSync(new URL(name, folder), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Row);
}

/** Observed effects: `[effect, command]`. */
export function readObserved(): [string, string][] {
  return readFileSync(new URL('cc-sessions-observed.tsv', folder), 'utf8')
    .split('\n')
    .slice(1)
    .filter((line) => line !== '')
    .map((line) => {
      const tab = line.indexOf('\t');
      const command = line.slice(tab + 1);
      return [line.slice(0, tab), command.startsWith('NL:') ? command.slice(3).replaceAll('\\n', '\n') : command];
    });
}

/** The lines of a file beside this one. */
export function readJson(name: string): unknown[] {
  return readFileSync(new URL(name, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown);
}

/** Command texts, one JSON string a line. */
export function readTexts(name: string): string[] {
  return readJson(name) as string[];
}

export const context = { cwd: '/p', home: '/home/u' };
