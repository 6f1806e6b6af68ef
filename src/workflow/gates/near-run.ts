// Runs that resemble the command of a gate but are not evidence for it, and why.

import type { RecordedRun } from './evidence.ts';
import { type CommandPart, partsOf, plainCommand, type ReadScript, runnerOf } from './tests/runners.ts';
import { scriptReader } from './tests/scripts.ts';
import { shown } from './unmet.ts';

/** Newest runs that are compared with a gate's command. */
const maxCompared = 20;

/** The newest run that resembles the command, in a sentence with the reason why it does not count; null: there is none. */
export function nearRun(runs: readonly RecordedRun[], command: string, root: string, inFolder: string | null): string | null {
  const readScript = scriptReader(root, inFolder);
  const wanted = wantedOf(command, readScript);
  for (const { text } of runs.slice(0, maxCompared)) {
    const why = whyNot(text, wanted);
    if (why !== null) return `\`${shown(text)}\` ran, but it does not count: ${why}`;
  }
  return null;
}

/** The command of a gate. `runner`: the test runner that it starts; null: none that is known. */
interface WantedRun {
  command: string;
  words: readonly string[];
  plain: readonly string[];
  runner: string | null;
  readScript: ReadScript;
}

function wantedOf(command: string, readScript: ReadScript): WantedRun {
  // A pattern may end with `*` or `:*`.
  const [first] = partsOf(command.replace(/:?\*+$/, '').trim()) ?? [];
  const words = first?.words ?? [];
  return { command, words, plain: plainCommand(words), runner: runnerOf(command, readScript).runner, readScript };
}

/** Why a call does not count, as a clause; null: it does not resemble the command. */
function whyNot(text: string, wanted: WantedRun): string | null {
  const { command, words } = wanted;
  if (words.length === 0) return null;
  const parts = partsOf(text);
  const isInside = words.length > 1 || parts === null || shells.test(parts[0]?.words[0] ?? '');
  const more = isInside && text.includes(words.join(' ')) ? `it contains more than ${command}` : null;
  if (parts === null || /\$\(|`/.test(text)) return more;
  const at = parts.findIndex((part) => resembles(part, wanted));
  const part = parts[at];
  if (part === undefined) return more;
  const near: NearPart = { part, before: parts.slice(0, at), after: parts.slice(at + 1), text, wanted };
  return reasons.find(([holds]) => holds(near))?.[1](near) ?? null;
}

/** Programs that run a text. */
const shells = /^(?:.*\/)?(?:ba|da|k|z)?sh$|^!$|^eval$/;

function resembles({ words }: CommandPart, { plain, runner, readScript }: WantedRun): boolean {
  const [program, verb] = plainCommand(words);
  if (program === plain[0] && (plain[1] === undefined || plain[1] === verb || words.includes(plain[1]))) return true;
  return runner !== null && runnerOf(words.join(' '), readScript).runner === runner;
}

/** The part of a call that resembles the command, with the parts before and after it. */
interface NearPart {
  part: CommandPart;
  before: readonly CommandPart[];
  after: readonly CommandPart[];
  text: string;
  wanted: WantedRun;
}

const isAssignment = (word: string): boolean => /^[A-Za-z_]\w*=/.test(word);
const firstWords = (parts: readonly CommandPart[]): string =>
  parts.map(({ words }) => `\`${shown(words.join(' '))}\``).join(' and ');

/** Tried in order; the first that holds is named. */
const reasons: readonly [holds: (near: NearPart) => boolean, why: (near: NearPart) => string][] = [
  [
    ({ part, after }) => [part, ...after].some(({ end }) => end === '&'),
    () => 'it ran in the background, so its result is unknown',
  ],
  [
    ({ part }) => part.end.startsWith('|') && part.end !== '||',
    ({ after, wanted }) =>
      `its output was piped to ${firstWords(after.slice(0, 1))}, so the exit code is not that of ${wanted.command}`,
  ],
  [
    ({ before }) => before.some(({ words }) => words[0] === 'cd' || words[0] === 'pushd'),
    ({ before }) => `${firstWords(before)} ran in the same call and changed the folder`,
  ],
  [
    ({ before, after }) => before.length + after.length > 0,
    ({ before, after, wanted }) =>
      `${firstWords([...before, ...after])} ran in the same call, so the exit code may not be that of ${wanted.command}`,
  ],
  [({ text }) => /[<>]/.test(text.replace(/\s2>&1\s*$/, '')), () => 'its input or output was redirected'],
  [
    ({ part }) => isAssignment(part.words[0] ?? '') || part.words[0] === 'env',
    ({ part }) =>
      `it set variables (${shown(part.words.filter(isAssignment).join(' ') || 'env')}), which can change what it does`,
  ],
  [
    ({ part, wanted }) => wanted.words.every((word, index) => part.words[index] === word),
    ({ part, wanted }) =>
      `it adds arguments (${shown(part.words.slice(wanted.words.length).join(' '))}) to the gate's command, ${wanted.command}`,
  ],
  [
    ({ part, wanted }) => part.words.indexOf(wanted.words[0] ?? '') > 0,
    ({ part, wanted }) => `\`${shown(part.words.slice(0, part.words.indexOf(wanted.words[0] ?? '')).join(' '))}\` started it`,
  ],
  [() => true, ({ wanted }) => `it differs from the gate's command, ${wanted.command}`],
];
