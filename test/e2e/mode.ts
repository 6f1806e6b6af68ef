// Short words for scenarios: going to a mode, asking which one it is, finding the server's process.
import fs from 'node:fs';
import path from 'node:path';
import { type Block, mcp } from './model.ts';
import type { Place } from './place.ts';
import { marked } from './processes.ts';

/** The gates of the TDD example are prose, so any explanation does. */
const EXPLANATION = 'A test exists that targets the bug; npm test fails with: expected 2, got 1.';

/** Turns by which the model goes from mode to mode. */
export const go = (...modes: string[]): Block[][] =>
  modes.map((target) => mcp('transition', { target, explanation: EXPLANATION }));

/** The mode that the view names; undefined when there is no view yet. */
export function viewedMode(place: Place): string | undefined {
  const text = place.read('.claude/mode-state.json');
  return text === undefined ? undefined : (JSON.parse(text) as { currentMode: string } | null)?.currentMode;
}

/** The process ids of the plugin's server in a session. */
export const serversOf = (mark: string): number[] =>
  marked(mark)
    .filter(({ command }) => command.some((word) => word.endsWith('dist/server.mjs')))
    .map(({ pid }) => pid);

/** The folder of journals, trust and caches in a home. */
export const dataFolder = (home: string): string => path.join(home, '.claude/modes-data');

/** Everything in a folder as text, for looking up what was recorded. */
export function contentsBelow(folder: string): string {
  if (!fs.existsSync(folder)) return '';
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => fs.readFileSync(path.join(entry.parentPath ?? entry.path, entry.name), 'utf8'))
    .join('\n');
}
