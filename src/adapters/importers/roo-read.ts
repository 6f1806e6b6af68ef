// Reads the modes of .roomodes and custom_modes.yaml, YAML or JSON. A faulty mode is reported, and the others are still read.

import { parseDocument } from 'yaml';
import { isObject } from '../../platform/json-object.ts';
import { GONE_GROUP, ROO_GROUPS, type RooMode } from './roo-modes.ts';
import type { Fault, Left, NewFile } from './types.ts';

export interface RooReading {
  modes: RooMode[];
  /** Files that an exported mode contains, relative to its rules folder, by slug. */
  carried: Map<string, NewFile[]>;
  left: Left[];
  faults: Fault[];
}

type Fields = Record<string, unknown>;

const MODE_KEYS = new Set([
  'slug',
  'name',
  'roleDefinition',
  'whenToUse',
  'description',
  'customInstructions',
  'groups',
  'source',
  'rulesFiles',
]);

/** Removes the byte order mark and replaces no-break spaces, which editors insert. Roo does the same. */
function tidy(text: string): string {
  return text.replace(/^\ufeff/, '').replaceAll('\u00a0', ' ');
}

/** `at`: the file's name for messages. */
export function readRoo(text: string, at: string): RooReading {
  const reading: RooReading = { modes: [], carried: new Map(), left: [], faults: [] };
  const document = parseDocument(tidy(text), { logLevel: 'silent', uniqueKeys: true });
  const [error] = document.errors;
  if (error !== undefined) {
    reading.faults.push({ at, what: error.message.split('\n')[0] as string });
    return reading;
  }
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 100 });
  } catch (thrown) {
    reading.faults.push({ at, what: (thrown as Error).message });
    return reading;
  }
  const { customModes } = isObject(value) ? value : { customModes: undefined };
  if (!Array.isArray(customModes)) {
    reading.faults.push({ at, what: 'customModes is missing or not a list' });
    return reading;
  }
  for (const key of Object.keys(value as Fields).filter((one) => one !== 'customModes'))
    reading.left.push({ at, what: `${key}: Roo has no such key`, instead: 'It was left out.' });
  for (const [index, entry] of customModes.entries()) readMode(entry, `${at}, mode ${index + 1}`, reading);
  return reading;
}

function readMode(entry: unknown, at: string, reading: RooReading): void {
  const fields = isObject(entry) ? entry : {};
  const textOf = (key: string): string => textOrNull(fields[key]) ?? '';
  const { slug, wrong } = headOf(entry, reading.modes);
  if (wrong !== null) {
    reading.faults.push({ at: slug === null ? at : `${at} (${slug})`, what: wrong });
    return;
  }
  for (const key of Object.keys(fields).filter((one) => !MODE_KEYS.has(one)))
    reading.left.push({ at: slug, what: `${key}: Roo has no such key`, instead: 'It was left out.' });
  reading.modes.push({
    slug,
    name: textOf('name'),
    roleDefinition: textOf('roleDefinition'),
    whenToUse: textOrNull(fields.whenToUse),
    description: textOrNull(fields.description),
    customInstructions: textOrNull(fields.customInstructions),
    groups: readGroups(fields.groups as unknown[], slug, reading.left),
  });
  readCarried(fields.rulesFiles, slug, reading);
}

type Head = { slug: string; wrong: null } | { slug: string | null; wrong: string };

/** Checks the fields that Roo requires of a mode. */
function headOf(entry: unknown, before: readonly RooMode[]): Head {
  if (!isObject(entry)) return { slug: null, wrong: 'it is not a mapping' };
  const slug = textOrNull(entry.slug);
  if (slug === null || !/^[a-zA-Z0-9-]+$/.test(slug))
    return {
      slug: null,
      wrong:
        entry.slug === undefined
          ? 'slug is missing'
          : `slug ${JSON.stringify(entry.slug)} has characters other than letters, digits and -`,
    };
  const missing = ['name', 'roleDefinition'].find((key) => textOrNull(entry[key]) === null);
  if (missing !== undefined) return { slug, wrong: `${missing} is missing` };
  if (before.some((mode) => mode.slug === slug)) return { slug, wrong: `another mode has the same slug` };
  return Array.isArray(entry.groups) ? { slug, wrong: null } : { slug, wrong: 'groups is not a list' };
}

/** A group that cannot be read is closed. */
function readGroups(items: readonly unknown[], slug: string, left: Left[]): RooMode['groups'] {
  const groups: RooMode['groups'] = [];
  const closed = new Set<string>();
  for (const item of items) {
    const { name, options } = formOf(item);
    const close = (what: string): void => {
      if (name !== null) closed.add(name);
      left.push({ at: slug, what, instead: name === null ? 'It was left out.' : `The group ${name} is closed.` });
    };
    if (name === GONE_GROUP) {
      left.push({
        at: slug,
        what: 'browser: Roo no longer has a browser tool',
        instead: 'Web fetches and searches are denied. To allow them, add web to groups.',
      });
      continue;
    }
    const known = ROO_GROUPS.find((one) => one === name);
    if (known === undefined) close(`${JSON.stringify(item)} is not a group`);
    else if (groups.some((one) => one.name === known)) close(`${known} is in groups twice`);
    else if (options !== null && !isObject(options)) close(`the options of ${known} are not a mapping`);
    else {
      const strange = Object.keys(options ?? {}).filter((key) => key !== 'fileRegex' && key !== 'description');
      const { fileRegex = null, description = null } = options ?? {};
      if (strange.length > 0) close(`${strange.join(', ')} of ${known}: Roo has no such option and would ignore it`);
      else if (fileRegex !== null && typeof fileRegex !== 'string') close(`fileRegex of ${known} is not a string`);
      else groups.push({ name: known, fileRegex: limitOf(known, fileRegex, slug, left), description: textOrNull(description) });
    }
  }
  return groups.filter(({ name }) => !closed.has(name));
}

function limitOf(group: string, fileRegex: string | null, slug: string, left: Left[]): string | null {
  if (fileRegex === null || (group === 'edit' && fileRegex !== '')) return fileRegex;
  const what = fileRegex === '' ? `an empty fileRegex of ${group}` : `fileRegex of ${group}, ${fileRegex}`;
  left.push({ at: slug, what: `${what}: Roo ignores it`, instead: `The group ${group} is not limited here either.` });
  return null;
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value.trim() !== '' ? value : null);

/** `read`, `[edit, {…}]`, `{edit: {…}}` (also with its options next to the name). */
function formOf(item: unknown): { name: string | null; options: unknown } {
  if (typeof item === 'string') return { name: item, options: null };
  if (Array.isArray(item) && item.length <= 2 && typeof item[0] === 'string') return { name: item[0], options: item[1] ?? null };
  if (isObject(item)) {
    const [name, ...others] = Object.keys(item);
    if (name !== undefined && others.length === 0) return { name, options: item[name] ?? null };
  }
  return { name: null, options: null };
}

function readCarried(value: unknown, slug: string, { carried, left }: RooReading): void {
  if (value === undefined) return;
  const files: NewFile[] = [];
  for (const one of Array.isArray(value) ? value : [value]) {
    const { relativePath: name, content } = isObject(one) ? one : {};
    const isFit =
      typeof name === 'string' &&
      typeof content === 'string' &&
      !name.split(/[/\\]/).includes('..') &&
      !/^([/\\]|\w:)/.test(name);
    if (isFit) files.push({ name: name.replace(/^rules-[^/]*\//, ''), text: content });
    else
      left.push({
        at: slug,
        what: `rulesFiles: ${JSON.stringify(name ?? one)} is not a file in the rules folder`,
        instead: 'It was left out.',
      });
  }
  carried.set(slug, files);
}
