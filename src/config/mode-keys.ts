// Reads the keys of a mode besides its transitions into its fields.

import type { AgentLimits, FileSet, GroupName, Groups, Layer, Located, Mode, Topology } from '../model/configuration.ts';
import { GROUPS } from './groups.ts';
import { CI_POLICIES, ENFORCEMENTS, GROUP_ALIASES, HEADLESS_PASSES } from './mode-schema.ts';
import { getEntry, getItems, getLine, getText, type MapEntry, type Node } from './node.ts';
import type { Report } from './report.ts';
import { locate, quote, type SourceText } from './text.ts';

type ModeKeys = Omit<Mode, 'name' | 'transitions' | 'source'>;

/** The fields of a mode's body. Values that do not fit the schema are left out. */
export function readModeKeys(body: Node, source: SourceText, layer: Layer, report: Report): ModeKeys {
  const exit = getEntry(body, 'exit_when')?.value;
  const context = getEntry(body, 'context')?.value;
  const agents = getEntry(body, 'agents')?.value;
  return {
    title: getLine(body, 'title'),
    description: getLine(body, 'description'),
    role: getText(body, 'role'),
    whenToUse: getText(body, 'whenToUse'),
    promptPrefix: getText(body, 'promptPrefix'),
    extends: textsOf(body, 'extends', source).map(({ text }) => text),
    enforcement: ENFORCEMENTS.find((one) => one === getText(body, 'enforcement')) ?? 'enforce',
    groups: readGroups(body, source, report),
    agents: agents?.kind === 'map' ? agents.entries.map((entry) => readAgent(entry, source, layer, report)) : [],
    permissionMode: getText(body, 'permissionMode'),
    exitWhen: exit?.kind === 'map' ? { plan: 'complete', to: getText(exit, 'to') ?? '' } : null,
    context: {
      warn: getItems(context, 'warn').flatMap((item) => (item.kind === 'number' ? [Number(item.shown)] : [])),
      window: numberOf(context, 'window'),
    },
  };
}

export function readCi(node: Node): Topology['ci'] {
  return CI_POLICIES.find((one) => one === getText(node, 'ci')) ?? null;
}

export function readHeadless(node: Node): Topology['headless'] {
  const pass = HEADLESS_PASSES.find((one) => one === getText(getEntry(node, 'headless')?.value, 'pass'));
  return pass === undefined ? null : { pass };
}

function numberOf(node: Node | null | undefined, key: string): number | null {
  const value = getEntry(node, key)?.value;
  return value?.kind === 'number' ? Number(value.shown) : null;
}

/** Every text of a key that accepts one text or a list, with its place. */
export function textsOf(node: Node, key: string, source: SourceText): Located[] {
  const value = getEntry(node, key)?.value;
  const items = value?.kind === 'list' ? value.items : value === undefined ? [] : [value];
  return items.flatMap((item) =>
    item.kind === 'text' && item.value.trim() !== '' ? [{ text: item.value.trim(), source: placeOf(item, source) }] : [],
  );
}

/** The place of the quote before the text, or where it would be. */
function placeOf({ span }: Node, source: SourceText): Located['source'] {
  const at = locate(source, span.start);
  const isQuoted = source.text[span.start] === '"' || source.text[span.start] === "'";
  return isQuoted ? at : { ...at, column: at.column - 1 };
}

function globsOf(node: Node, key: string, source: SourceText): FileSet | null {
  const globs = textsOf(node, key, source);
  return globs.length === 0 ? null : { globs, expressions: [] };
}

function readAgent({ key, keySpan, value }: MapEntry, source: SourceText, layer: Layer, report: Report): AgentLimits {
  const rules = getEntry(value, 'rules')?.value;
  return {
    type: key,
    layer,
    mode: getText(value, 'mode'),
    groups: readGroups(value, source, report),
    canEdit: globsOf(value, 'canEdit', source),
    cannotEdit: textsOf(value, 'cannotEdit', source),
    rules: (['deny', 'ask'] as const).flatMap((effect) =>
      rules === undefined ? [] : textsOf(rules, effect, source).map((rule) => ({ ...rule, effect })),
    ),
    source: locate(source, keySpan.start),
  };
}

/** Null if the mode has no groups; then they deny nothing. */
function readGroups(node: Node, source: SourceText, report: Report): Groups | null {
  const entry = getEntry(node, 'groups');
  if (entry?.value.kind !== 'list') return null;
  const groups: Groups = { listed: [], edit: null, source: locate(source, entry.keySpan.start) };
  for (const item of entry.value.items) {
    const found = readGroup(item, report);
    if (found === null) continue;
    const { name, options } = found;
    if (groups.listed.includes(name)) {
      report('E_GROUP_FORM', `The group ${quote(name)} appears here for the second time.`, 'Combine both into one.', item.span);
      continue;
    }
    groups.listed.push(name);
    if (options !== null) addOptions(groups, name, options, source, report);
  }
  return groups;
}

/** Reads the three forms. Null for any other, which is reported. */
function readGroup(item: Node, report: Report): { name: GroupName; options: Node | null } | null {
  if (item.kind === 'text') return named(item.value, null);
  if (item.kind === 'map') {
    const [entry] = item.entries;
    if (entry !== undefined && item.entries.length === 1) return named(entry.key, entry.value);
  }
  if (item.kind === 'list') {
    const [first, options = null] = item.items;
    const isForm = first?.kind === 'text' && item.items.length <= 2 && (options === null || options.kind === 'map');
    if (isForm) return named(first.value, options);
  }
  if (item.kind === 'map' || item.kind === 'list')
    report('E_GROUP_FORM', 'This is not a group.', 'Write NAME, [NAME, {files: …}] or {NAME: {files: …}}.', item.span);
  return null;
}

/** Null for a name that the schema refused. */
function named(text: string, options: Node | null): { name: GroupName; options: Node | null } | null {
  const name = GROUPS.find((one) => one === text) ?? GROUP_ALIASES.get(text);
  return name === undefined ? null : { name, options };
}

function addOptions(groups: Groups, name: GroupName, options: Node, source: SourceText, report: Report): void {
  const files: FileSet = { globs: textsOf(options, 'files', source), expressions: textsOf(options, 'fileRegex', source) };
  const entry = getEntry(options, 'fileRegex') ?? getEntry(options, 'files');
  if (entry === null) return;
  if (name !== 'edit') {
    const message = `${quote(entry.key)} is not a valid key for the group ${quote(name)}.`;
    report('E_GROUP_FORM', message, 'It says which files may be written: put it beside "edit".', entry.keySpan);
  } else if (files.globs.length > 0 && files.expressions.length > 0) {
    report('E_GROUP_FORM', '"files" and "fileRegex" say the same in two ways.', 'Keep one of them.', entry.keySpan);
  } else if (files.globs.length + files.expressions.length === 0) {
    report('E_GROUP_FORM', 'No file is named, so none could be written.', 'Name files, or remove "edit".', entry.keySpan);
  } else groups.edit = { files, description: getLine(options, 'description'), source: locate(source, entry.keySpan.start) };
}
