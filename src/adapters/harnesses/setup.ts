// Registers the hooks of Modes with a harness, and removes them: entries in its configuration file, and a section of AGENTS.md.
// Everything else in these files stays as it is.

import fs from 'node:fs';
import path from 'node:path';
import { applyEdits, modify } from 'jsonc-parser';
import { objectOf, refuseText, textOf } from '../../app/setup/step.ts';
import { harnesses } from './table.ts';
import type { Harness, HarnessSetup } from './types.ts';

type HookSetup = Extract<HarnessSetup, { kind: 'hooks' }>;

export interface FileChange {
  /** Relative to the project. */
  name: string;
  what: string;
  /** null: there is no such file. */
  before: string | null;
  after: string | null;
}

export interface HarnessRequest {
  root: string;
  harness: Harness;
  /** Absolute path of hooks/harness.sh. */
  launcher: string;
  undo: boolean;
}

/** The changes of files that register the hooks, or remove them. Empty: there is nothing to do. */
export function planHarness(request: HarnessRequest): FileChange[] | { error: string } {
  try {
    const changes = [hookChange(request), agentsChange(request)];
    return changes.flatMap((one) => (one === null || one.before === one.after ? [] : [one]));
  } catch (error) {
    if (error instanceof BlockingFileError) return { error: error.message };
    throw error;
  }
}

/** A file that a person has to fix or move first. */
class BlockingFileError extends Error {}

/** The text of a file that may be changed; null if there is none. */
function changeable(root: string, name: string): string | null {
  const refused = refuseText(root, name);
  if (refused !== null) throw new BlockingFileError(refused);
  return textOf(path.join(root, name));
}

/** True if the hooks of Modes are registered, whether complete or not. */
export function isRegistered(root: string, { name, setup }: Harness): boolean {
  if (setup === null) return false;
  const text = refuseText(root, setup.file) === null ? textOf(path.join(root, setup.file)) : null;
  return text?.includes(setup.kind === 'plugin' ? 'harness.sh' : marker(name)) ?? false;
}

/** The plan as text for a person: each file, and the lines that change. */
export function changesText(changes: readonly FileChange[]): string {
  return changes
    .map(({ name, what, before, after }) => {
      const sign = before === null ? '+' : after === null ? '-' : '~';
      return [`${sign} ${name}  (${what})`, ...linesOf(before, after)].join('\n');
    })
    .join('\n');
}

/** The changed lines between the first and the last line that differ. */
function linesOf(before: string | null, after: string | null): string[] {
  const old = before?.split('\n') ?? [];
  const now = after?.split('\n') ?? [];
  let first = 0;
  while (first < old.length && first < now.length && old[first] === now[first]) first++;
  let last = 0;
  while (last < Math.min(old.length, now.length) - first && old.at(-1 - last) === now.at(-1 - last)) last++;
  const shown = (lines: readonly string[], sign: string): string[] =>
    lines.slice(first, lines.length - last).map((line) => `    ${sign} ${line}`);
  return [...shown(old, '-'), ...shown(now, '+')];
}

/** Writes the changes and returns a line for each. Writes nothing if a file has changed since the plan was made. */
export function writeChanges(root: string, changes: readonly FileChange[]): string[] {
  for (const { name, before } of changes)
    if (refuseText(root, name) !== null || textOf(path.join(root, name)) !== before)
      throw new Error(`${name} has changed in the meantime; nothing was written`);
  return changes.map(({ name, before, after }) => {
    const file = path.join(root, name);
    if (after === null) {
      fs.unlinkSync(file);
      return `removed ${name}`;
    }
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, after, { flag: before === null ? 'wx' : 'w' });
    return before === null ? `wrote ${name}` : `changed ${name}`;
  });
}

/** The command that a harness runs for one event. If the launcher is gone, sh fails, and the command still ends with the code that denies. */
export function commandOf(launcher: string, { name, events }: Harness, event: string): string {
  const isCall = events.get(event)?.kind === 'before';
  return `/bin/sh '${launcher.replaceAll("'", `'\\''`)}' ${name} ${event} || exit ${isCall ? 2 : 0}`;
}

/** Part of every command of Modes for this harness, whichever package wrote it. */
const marker = (name: string): string => `/hooks/harness.sh' ${name} `;

function hookChange({ root, harness, launcher, undo }: HarnessRequest): FileChange | null {
  const { setup, title } = harness;
  if (setup === null) return null;
  const before = changeable(root, setup.file);
  const change = { name: setup.file, what: `the hooks for ${title}`, before };
  if (setup.kind === 'hooks')
    return { ...change, after: undo ? withoutHooks(before, setup, harness) : withHooks(before, setup, harness, launcher) };
  const text = setup.text(launcher);
  const isOurs = before === null || before.startsWith(text.slice(0, text.indexOf('\n')));
  if (!isOurs && undo) return null;
  if (!isOurs) throw new BlockingFileError(`${setup.file} exists and is not a file of Modes. Move it first.`);
  return { ...change, after: undo ? null : text };
}

const formattingOptions = { insertSpaces: true, tabSize: 2, eol: '\n' };

function withHooks(before: string | null, setup: HookSetup, harness: Harness, launcher: string): string {
  let text = before ?? `${JSON.stringify(setup.head, null, 2)}\n`;
  const present = hooksIn(text, setup.file);
  for (const event of setup.events) {
    const wanted = [...othersIn(present, event, harness, setup.file), setup.entry(commandOf(launcher, harness, event), event)];
    if (JSON.stringify(wanted) !== JSON.stringify(present[event]))
      text = applyEdits(text, modify(text, ['hooks', event], wanted, { formattingOptions }));
  }
  return text;
}

function withoutHooks(before: string | null, setup: HookSetup, harness: Harness): string | null {
  if (before === null) return null;
  let text = before;
  const present = hooksIn(text, setup.file);
  for (const event of Object.keys(present)) {
    const others = othersIn(present, event, harness, setup.file);
    if (others.length === (present[event] as unknown[]).length) continue;
    const left = others.length === 0 ? undefined : others;
    text = applyEdits(text, modify(text, ['hooks', event], left, { formattingOptions }));
  }
  if (text === before) return before;
  const value = objectOf(text) ?? {};
  if (Object.keys((value.hooks ?? {}) as object).length > 0) return text;
  const { hooks: _, ...rest } = value;
  if (JSON.stringify(rest) === JSON.stringify(setup.head)) return null;
  return applyEdits(text, modify(text, ['hooks'], undefined, { formattingOptions }));
}

function hooksIn(text: string, name: string): Record<string, unknown> {
  const value = objectOf(text);
  if (value === null) throw new BlockingFileError(`${name} is not a JSON object; fix it first.`);
  const { hooks = {} } = value;
  if (typeof hooks !== 'object' || hooks === null || Array.isArray(hooks))
    throw new BlockingFileError(`hooks of ${name} is not a JSON object; fix it first.`);
  return hooks as Record<string, unknown>;
}

/** The entries of an event that Modes did not write. */
function othersIn(hooks: Record<string, unknown>, event: string, { name }: Harness, file: string): unknown[] {
  const list = hooks[event] ?? [];
  if (!Array.isArray(list)) throw new BlockingFileError(`hooks.${event} of ${file} is not a list; fix it first.`);
  return list.filter((entry) => !JSON.stringify(entry).includes(marker(name)));
}

const agentsFile = 'AGENTS.md';
const begin = '<!-- modes:begin: written by modes init --harness, and removed by --undo -->';
const end = '<!-- modes:end -->';
const section = `${begin}
## Modes

Modes decides every tool call in this project by the current mode. \`modes status\` prints the mode, its rules and its transitions.

- A denied call is also denied with another tool. The reason says what would allow it.
- Only the user changes the mode, with \`modes mode NAME\` in a terminal. When the work of a mode is done, ask the user to do that.
- Do not edit \`.claude/\` or the files that register the hooks of Modes.
${end}
`;

/** The section of AGENTS.md. It stays as long as another harness needs it. */
function agentsChange({ root, harness, undo }: HarnessRequest): FileChange | null {
  if (!harness.needsAgentsFile) return null;
  const isShared = [...harnesses.values()].some(
    (other) => other !== harness && other.needsAgentsFile && isRegistered(root, other),
  );
  if (undo && isShared) return null;
  const before = changeable(root, agentsFile);
  const text = before ?? '';
  const start = text.indexOf('<!-- modes:begin');
  const stop = text.indexOf(end, start);
  if (start !== -1 && stop === -1)
    throw new BlockingFileError(`${agentsFile} has the line "<!-- modes:begin" but not "${end}"; fix it first.`);
  const change = { name: agentsFile, what: 'a section that tells agents about the modes', before };
  const remaining = start === -1 ? text : `${text.slice(0, start)}${text.slice(stop + end.length).replace(/^\r?\n/, '')}`;
  if (undo) {
    const rest = start === -1 ? text : remaining.replace(/\n+$/, '\n');
    return { ...change, after: before === null || rest.trim() === '' ? null : rest };
  }
  if (start !== -1) return { ...change, after: `${text.slice(0, start)}${section.trimEnd()}${text.slice(stop + end.length)}` };
  const gap = text === '' ? '' : text.endsWith('\n') ? '\n' : '\n\n';
  return { ...change, after: `${text}${gap}${section}` };
}
