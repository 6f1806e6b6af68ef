// Registers the hooks of Modes with a harness, and removes them: entries in its configuration file, and a section of AGENTS.md.
// Everything else in these files stays unchanged.

import fs from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { eolOf, isStrict, JsonText } from '../../app/setup/json-text.ts';
import { keepCopy, objectOf, refuseText, textOf } from '../../app/setup/step.ts';
import { writeWhole } from '../../platform/data-folder.ts';
import { hexHash } from '../../platform/hash.ts';
import { isObject } from '../../platform/json-object.ts';
import { type ChangedText, originalOf } from './originals.ts';
import { harnesses } from './table.ts';
import type { Harness, HarnessSetup } from './types.ts';

type HookSetup = Extract<HarnessSetup, { kind: 'hooks' }>;

export interface FileChange extends ChangedText {
  what: string;
  /** A person edited what Modes wrote: a copy with this suffix is kept. */
  copy?: 'before-modes' | 'before-undo';
}

export interface HarnessRequest {
  root: string;
  harness: Harness;
  /** Absolute path of hooks/harness.sh. */
  launcher: string;
  undo: boolean;
  /** Contains the originals of the files. */
  dataFolder: string;
}

/** The changes of files that register the hooks, or remove them. Empty: there is nothing to do. */
export function planHarness(request: HarnessRequest): FileChange[] | { error: string } {
  try {
    const changes = [hookChange(request), agentsChange(request)];
    return changes.flatMap((one) => (one === null || one.before === one.after ? [] : [exactly(one, request)]));
  } catch (error) {
    if (error instanceof BlockingFileError) return { error: error.message };
    throw error;
  }
}

/** An undo of a file that is as Modes wrote it restores the original. */
function exactly(change: FileChange, { root, undo, dataFolder }: HarnessRequest): FileChange {
  const original = undo && change.before !== null ? originalOf(dataFolder, root, change.name, change.before) : undefined;
  return original === undefined ? change : { ...change, after: original };
}

/** A file that a person has to fix or move first. */
class BlockingFileError extends Error {}

/** The text of a file that may be changed; null if there is none. */
function changeable(root: string, name: string): string | null {
  const refused = refuseText(root, name);
  if (refused !== null) throw new BlockingFileError(refused);
  const file = path.join(root, name);
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  if (stat !== undefined && (stat.mode & 0o222) === 0)
    throw new BlockingFileError(`${name} is read-only; make it writable first.`);
  return textOf(file);
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
    .map(({ name, what, before, after, copy }) => {
      const kept = copy === undefined ? '' : `, which was edited: a copy NAME.${copy} is kept`.replace('NAME', name);
      const sign = before === null ? '+' : after === null ? '-' : '~';
      return [`${sign} ${name}  (${what}${kept})`, ...linesOf(before, after)].join('\n');
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
  return changes.flatMap(({ name, before, after, copy = null }) => {
    const file = path.join(root, name);
    const kept = copy === null ? [] : [`kept a copy of ${name} as ${path.basename(keepCopy(file, copy))}`];
    if (after === null) {
      fs.unlinkSync(file);
      return [...kept, `removed ${name}`];
    }
    fs.mkdirSync(path.dirname(file), { recursive: true });
    if (before === null) {
      fs.writeFileSync(file, after, { flag: 'wx' });
      return [`wrote ${name}`];
    }
    // A write that fails halfway must not cut a file of the user.
    const { mode } = fs.statSync(file);
    writeWhole(file, after);
    fs.chmodSync(file, mode & 0o777);
    return [...kept, `changed ${name}`];
  });
}

/** The command that a harness runs for one event. If the launcher is gone, sh fails, and the command still ends with the code that denies. */
export function commandOf(launcher: string, { name, events }: Harness, event: string): string {
  const isCall = events.get(event)?.kind === 'before';
  return `/bin/sh '${launcher.replaceAll("'", `'\\''`)}' ${name} ${event} || exit ${isCall ? 2 : 0}`;
}

/** Part of every command of Modes for this harness, written by any package. */
const marker = (name: string): string => `/hooks/harness.sh' ${name} `;

function hookChange({ root, harness, launcher, undo }: HarnessRequest): FileChange | null {
  const { setup, title } = harness;
  if (setup === null) return null;
  const before = changeable(root, setup.file);
  const change = { name: setup.file, what: `the hooks for ${title}`, before };
  if (setup.kind === 'hooks')
    return { ...change, after: undo ? withoutHooks(before, setup, harness) : withHooks(before, harness, setup, launcher) };
  const text = pluginText(setup, launcher);
  const isOurs = before === null || before.startsWith(text.slice(0, text.indexOf('\n')));
  if (!isOurs && undo) return null;
  if (!isOurs) throw new BlockingFileError(`${setup.file} exists and is not a file of Modes. Move it first.`);
  const isEdited = before !== null && !isPluginText(before);
  return { ...change, after: undo ? null : text, ...(isEdited && before !== text && { copy: copyOf(undo) }) };
}

const copyOf = (undo: boolean): 'before-modes' | 'before-undo' => (undo ? 'before-undo' : 'before-modes');

/** The plugin, with a hash in its second line that shows whether a person edited it. */
export function pluginText(setup: Extract<HarnessSetup, { kind: 'plugin' }>, launcher: string): string {
  const [first = '', ...rest] = setup.text(launcher).split('\n');
  return [first, hashLine(rest), ...rest].join('\n');
}

const hashLine = (lines: readonly string[]): string => `// ${hexHash(lines.join('\n'))}`;

function isPluginText(text: string): boolean {
  const [, hash, ...rest] = text.split('\n');
  return hash === hashLine(rest);
}

/** Why the harness cannot read this file; null if it can. */
export function syntaxProblem({ title, setup }: Harness, text: string): string | null {
  if (setup?.kind !== 'hooks') return null;
  const comments = setup.syntax === 'comments';
  if (isStrict(text, { comments })) return null;
  const what = comments ? 'trailing commas' : 'comments or trailing commas';
  return `${setup.file} has ${what}, with which ${title} may not read it: then none of its hooks runs. Remove them first.`;
}

function withHooks(before: string | null, harness: Harness, setup: HookSetup, launcher: string): string {
  const start = before ?? `${JSON.stringify(setup.head, null, 2)}\n`;
  const present = hooksIn(start, setup.file);
  const problem = syntaxProblem(harness, start);
  if (problem !== null) throw new BlockingFileError(problem);
  const wanted = Object.fromEntries(
    setup.events.map((event) => [event, setup.entry(commandOf(launcher, harness, event), event)] as const),
  );
  const isAsWanted = (event: string): boolean => {
    const own = listIn(present, event, setup.file).filter((entry) => isOwn(entry, harness));
    return own.length === 1 && JSON.stringify(own[0]) === JSON.stringify(wanted[event]);
  };
  const events = setup.events.filter((event) => !isAsWanted(event));
  if (before !== null && events.length === 0) return before;
  const json = new JsonText(start);
  for (const event of events) removeOwn(json, event, harness);
  for (const event of events) json.append(['hooks', event], wanted[event]);
  const expected = { ...present };
  for (const event of events) expected[event] = [...others(listIn(present, event, setup.file), harness), wanted[event]];
  return checked(json, start, expected, setup.file);
}

function withoutHooks(before: string | null, setup: HookSetup, harness: Harness): string | null {
  if (before === null) return null;
  const present = hooksIn(before, setup.file);
  const events = Object.keys(present).filter((event) => isOwn(present[event], harness));
  if (events.length === 0) return before;
  const json = new JsonText(before);
  const left = { ...present };
  for (const event of events) {
    removeOwn(json, event, harness);
    const list = others(listIn(present, event, setup.file), harness);
    if (list.length > 0 || !json.removeIfEmpty(['hooks', event])) left[event] = list;
    else delete left[event];
  }
  const isBare = Object.keys(left).length === 0 && json.removeIfEmpty(['hooks']);
  const after = checked(json, before, isBare ? undefined : left, setup.file);
  // Only what Modes wrote is left.
  return isBare && after.replace(/\s/g, '') === JSON.stringify(setup.head) ? null : after;
}

/** The text, if it has exactly these hooks and everything else of the earlier text. Two keys of one name, for example, are refused. */
function checked(json: JsonText, before: string, hooks: Record<string, unknown> | undefined, name: string): string {
  const { hooks: _, ...rest } = objectOf(before) ?? {};
  const expected = hooks === undefined ? rest : { ...rest, hooks };
  if (!isDeepStrictEqual(objectOf(json.text), expected))
    throw new BlockingFileError(`${name} cannot be changed without loss: perhaps a key is there twice. Fix it first.`);
  return json.text;
}

function hooksIn(text: string, name: string): Record<string, unknown> {
  const value = objectOf(text);
  if (value === null) throw new BlockingFileError(`${name} is not a JSON object; fix it first.`);
  const { hooks = {} } = value;
  if (!isObject(hooks)) throw new BlockingFileError(`hooks of ${name} is not a JSON object; fix it first.`);
  return hooks;
}

/** The entries of an event. */
function listIn(hooks: Record<string, unknown>, event: string, file: string): unknown[] {
  const list = hooks[event] ?? [];
  if (!Array.isArray(list)) throw new BlockingFileError(`hooks.${event} of ${file} is not a list; fix it first.`);
  return list;
}

/** True if a command of Modes is in it. */
const isOwn = (value: unknown, { name }: Harness): boolean => JSON.stringify(value).includes(marker(name));

/** A person may have added hooks to an entry of Modes. */
const innerOf = (entry: unknown): unknown[] => (isObject(entry) && Array.isArray(entry.hooks) ? entry.hooks : []);

/** The entries without the commands of Modes. */
function others(list: readonly unknown[], harness: Harness): unknown[] {
  return list.flatMap((entry) => {
    if (!isOwn(entry, harness)) return [entry];
    const left = innerOf(entry).filter((hook) => !isOwn(hook, harness));
    return left.length === 0 ? [] : [{ ...(entry as object), hooks: left }];
  });
}

function removeOwn(json: JsonText, event: string, harness: Harness): void {
  const entries = json.valueAt(['hooks', event]);
  if (!Array.isArray(entries)) return;
  for (let at = entries.length - 1; at >= 0; at--) {
    if (!isOwn(entries[at], harness)) continue;
    const inner = innerOf(entries[at]);
    const isWhole = inner.every((hook) => isOwn(hook, harness));
    if (isWhole) json.remove(['hooks', event, at]);
    else
      for (let index = inner.length - 1; index >= 0; index--)
        if (isOwn(inner[index], harness)) json.remove(['hooks', event, at, 'hooks', index]);
  }
}

const agentsFile = 'AGENTS.md';
const end = '<!-- modes:end -->';
const body = `## Modes

Modes decides every tool call in this project by the current mode. \`modes status\` prints the mode, its rules and its transitions.

- A denied call is also denied with another tool. The reason says what would allow it.
- Only the user changes the mode, with \`modes mode NAME\` in a terminal. When the work of a mode is done, ask the user to do that.
- Do not edit \`.claude/\` or the files that register the hooks of Modes.
`;
/** The hash shows whether a person edited the section. */
const begin = `<!-- modes:begin ${hexHash(body).slice(0, 16)}: written by modes init --harness, and removed by --undo -->`;

/** A section of Modes in AGENTS.md, from its first mark to the end of its last one. */
interface Section {
  start: number;
  stop: number;
  isEdited: boolean;
}

/** Throws if the marks do not come in pairs: then text of the user may be between them. */
function sectionsOf(text: string): Section[] {
  const marks = [...text.matchAll(/<!-- modes:(begin|end)/g)];
  const lineOf = (at: number): number => text.slice(0, at).split('\n').length;
  return marks.flatMap(({ index, 1: kind }, at) => {
    const next = marks[at + 1];
    if (kind === 'begin' ? next?.[1] !== 'end' : marks[at - 1]?.[1] !== 'begin')
      throw new BlockingFileError(
        `${agentsFile} has the mark "<!-- modes:${kind}" in line ${lineOf(index)}, but not the one that belongs to it (modes:begin before modes:end). Fix or remove it first.`,
      );
    if (kind === 'end' || next === undefined) return [];
    const close = text.indexOf('-->', next.index);
    const stop = close === -1 ? next.index + next[0].length : close + 3;
    const [head = '', ...lines] = text.slice(index, next.index).replaceAll('\r\n', '\n').split('\n');
    const hash = /^<!-- modes:begin ([0-9a-f]{16}):.*-->$/.exec(head)?.[1];
    const isWhole = text.slice(next.index, stop) === end;
    return [{ start: index, stop, isEdited: !isWhole || hash !== hexHash(lines.join('\n')).slice(0, 16) }];
  });
}

/** The section of AGENTS.md. It stays as long as another harness needs it. */
function agentsChange({ root, harness, undo }: HarnessRequest): FileChange | null {
  if (!harness.needsAgentsFile) return null;
  const isShared = [...harnesses.values()].some(
    (other) => other !== harness && other.needsAgentsFile && isRegistered(root, other),
  );
  if (undo && isShared) return null;
  const before = changeable(root, agentsFile);
  const text = before ?? '';
  const sections = sectionsOf(text);
  const eol = eolOf(text);
  const section = [begin, ...body.trimEnd().split('\n'), end].join(eol);
  const isEdited = sections.some((one) => one.isEdited);
  const change = { name: agentsFile, what: 'a section that tells agents about the modes', before };
  if (sections.length === 0) {
    if (undo) return null;
    const gap = text === '' ? '' : text.endsWith('\n') ? eol : `${eol}${eol}`;
    return { ...change, after: `${text}${gap}${section}${eol}` };
  }
  let after = text;
  for (const { start, stop } of sections.slice(1).reverse()) after = cut(after, start, stop);
  const { start, stop } = sections[0] as Section;
  after = undo ? cut(after, start, stop) : `${after.slice(0, start)}${section}${after.slice(stop)}`;
  const copy = isEdited && after !== text ? { copy: copyOf(undo) } : {};
  return { ...change, ...copy, after: undo && after.trim() === '' ? null : after };
}

/** The text without this part and the end of its line. The empty line before a part at the end was written with it. */
function cut(text: string, start: number, stop: number): string {
  const head = text.slice(0, start);
  const rest = text.slice(stop).replace(/^\r?\n/, '');
  return rest.trim() === '' ? `${head.replace(/(\r?\n)+$/, '$1')}${rest}` : `${head}${rest}`;
}
