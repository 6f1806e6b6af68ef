// Imports Roo Code's modes: groups in the form that Roo writes, instructions, rules of a mode, protected and hidden files.
import path from 'node:path';
import { readText } from './disk.ts';
import { toRe2 } from './expression.ts';
import { ROO_OWN, type RooMode } from './roo-modes.ts';
import { readRoo } from './roo-read.ts';
import { leaveGeneralRules, leaveOtherRules, readIgnored, readRules } from './roo-rules.ts';
import type { Left, NewFile, NotImported, Transfer } from './types.ts';
import { modesYaml, presentOnly, settingsFile } from './write.ts';

export const ROO_FILE = '.roomodes';
const ANY_SETTINGS = '.claude/settings.any.json';
/** Roo always asks about writes to these paths, even if writes are approved. */
const PROTECTED = [
  '.rooignore',
  '.roomodes',
  '.roorules*',
  '.clinerules*',
  '/.roo/**',
  '/.vscode/**',
  '*.code-workspace',
  'AGENTS.md',
].map((name) => `Write(${name})`);
const RESERVED = /^(local|any|status|reset|help)$/i;

/** `source`: .roomodes or another file, such as one that Roo exported. */
export function importRoo(root: string, source = ROO_FILE): Transfer | NotImported {
  // A person may name a file through a link.
  const read = readText(root, source === ROO_FILE ? source : path.resolve(root, source));
  if (read === null) return { error: `There is no ${source} in ${root}. To import another file: modes import roo FILE.` };
  if ('wrong' in read) return { error: `${source} cannot be read: ${read.wrong}. Fix it first.` };
  const { modes, carried, left, faults } = readRoo(read.text, source);
  if (modes.length === 0 && faults.length > 0)
    return { error: `${source}: no mode can be read. ${faults[0]?.at}: ${faults[0]?.what}. Fix it first.` };
  const sources = [source];
  const [first] = modes;
  if (first === undefined) return { error: `${source} has no mode, so there is nothing to import.` };
  const names = nameAll(modes, left);
  const files: NewFile[] = [];
  const bodies: Record<string, object> = {};
  for (const mode of modes) {
    const name = names.get(mode.slug) as string;
    bodies[name] = bodyOf(mode, left);
    if (mode.customInstructions !== null)
      files.push({ name: `.claude/CLAUDE.${name}.md`, text: ending(mode.customInstructions) });
    const rules = carried.get(mode.slug) ?? readRules(root, mode.slug, left, sources);
    files.push(...placed(rules, `.claude/modes/${name}`, mode.slug, left));
  }
  if (modes.some(({ slug, groups }) => slug === 'orchestrator' && groups.length === 0))
    left.push({
      at: 'orchestrator',
      what: 'it delegates work to other modes and has no groups',
      instead:
        'A subagent never has more permissions than the mode that starts it, so this mode and its subagents can only talk. The preset roo has an orchestrator that works.',
    });
  left.push(...leaveGeneralRules(root), ...leaveOtherRules(root, new Set(names.keys())));
  const builtIn = ROO_OWN.map(({ slug }) => slug).filter((slug) => !names.has(slug));
  if (builtIn.length > 0)
    left.push({
      at: source,
      what: `Roo's built-in modes are not in it: ${builtIn.join(', ')}`,
      instead: 'They were left out; the preset roo has them.',
    });
  const topology = { name: 'roo', default: names.get(first.slug), modes: bodies };
  files.push({ name: '.claude/modes.yaml', text: modesYaml(topology, `Imported from ${source}.`) });
  files.push(anySettings(root, left, sources));
  return { sources, files, left, faults };
}

function anySettings(root: string, left: Left[], sources: string[]): NewFile {
  const hidden = readIgnored(root, left, sources);
  const deny = hidden === null ? [] : [...hidden, 'Read(.rooignore)', 'Write(.rooignore)'];
  return settingsFile(root, ANY_SETTINGS, { ask: PROTECTED, deny });
}

/** Our mode names, by slug; each is unique. */
function nameAll(modes: readonly RooMode[], left: Left[]): Map<string, string> {
  const names = new Map<string, string>();
  const taken = new Set(modes.map(({ slug }) => slug));
  for (const { slug } of modes) {
    const isFit = /^[A-Za-z]/.test(slug) && !RESERVED.test(slug);
    let name = slug;
    for (let count = 1; !isFit && (name === slug || taken.has(name)); count++)
      name = `mode${count === 1 ? '' : count}-${slug.replace(/^-+/, '')}`;
    taken.add(name);
    if (!isFit) left.push({ at: slug, what: 'this is not a valid name for a mode', instead: `It was renamed to ${name}.` });
    names.set(slug, name);
  }
  return names;
}

function bodyOf(mode: RooMode, left: Left[]): object {
  const has = (name: string): boolean => mode.groups.some((group) => group.name === name);
  if (has('edit') && !has('read'))
    left.push({
      at: mode.slug,
      what: 'edit without read',
      instead: 'Here, a file that may not be read may not be edited either: add read to groups.',
    });
  return {
    title: mode.name.trim(),
    ...(mode.description !== null && { description: mode.description.trim() }),
    role: mode.roleDefinition.trim(),
    ...(mode.whenToUse !== null && { whenToUse: mode.whenToUse.trim() }),
    groups: mode.groups.flatMap((group) => groupOf(mode.slug, group, left)),
    transitions: [{ to: '*', constraint: 'The user wants this kind of work.', approve: 'human' }],
  };
}

function groupOf(slug: string, { name, fileRegex, description }: RooMode['groups'][number], left: Left[]): unknown[] {
  if (fileRegex === null) return [name];
  const written = toRe2(fileRegex);
  if ('wrong' in written) {
    left.push({
      at: slug,
      what: `fileRegex ${fileRegex} has no equivalent here: ${written.wrong}`,
      instead: 'The group edit is closed. List the files as patterns: edit: {files: [...]}.',
    });
    return [];
  }
  return [[name, { fileRegex: written.text, ...(description !== null && { description: description.trim() }) }]];
}

/** Maximum characters of a file's name: at most three bytes each, plus a number as prefix. */
const longestName = 80;

/** Flattens files of nested folders into one folder and keeps the order in which the model gets them. */
function placed(rules: readonly NewFile[], folder: string, slug: string, left: Left[]): NewFile[] {
  const flat = rules.map(({ name }) =>
    presentOnly(name)
      .replace(/\s+/g, ' ')
      .replaceAll('/', '--')
      .slice(-longestName)
      .replace(/(?<!\.md)$/, '.md'),
  );
  const isSame = flat.every((name, at) => at === 0 || (flat[at - 1] as string) < name);
  const digits = String(rules.length).length;
  return rules.map(({ name, text }, at) => {
    const own = isSame ? (flat[at] as string) : `${String(at + 1).padStart(digits, '0')}-${flat[at]}`;
    if (own !== name)
      left.push({
        at: slug,
        what: `the rules file ${name} was moved or renamed`,
        instead: `It is now ${folder}/${own}.`,
      });
    return { name: `${folder}/${own}`, text: ending(text) };
  });
}

const ending = (text: string): string => `${presentOnly(text).trimEnd()}\n`;
