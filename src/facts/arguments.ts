// Declared arguments of MCP tools (`arguments:` of modes.yaml, and well-known servers) → what a call of one touches.
import path from 'node:path';
import type { ArgumentRole } from '../model/facts.ts';
import { filesOf, type Touch, textsOf } from './input.ts';
import { type ShippedRole, shippedRoles } from './servers.ts';

/** One tool of `arguments:`. */
export interface DeclaredTool {
  /** `mcp__server__tool` */
  tool: string;
  /** `argument` may lead into objects and lists with dots: `edits.path`. */
  roles: readonly { argument: string; role: ArgumentRole }[];
  /** What it says replaces what is not known; otherwise it only adds accesses. */
  trusted: boolean;
}

export interface DeclaredTouches {
  touches: Touch[];
  /** False: the tool may write elsewhere too. */
  isCovered: boolean;
}

/** What the declared arguments of this call touch. A trusted declaration stands in for the shipped one; others add up. */
export function declaredTouches(
  call: { tool: string; input: Record<string, unknown> },
  declared: readonly DeclaredTool[],
): DeclaredTouches {
  const own = declared.filter(({ tool }) => tool === call.tool);
  const isCovered = own.some(({ trusted }) => trusted);
  const shipped = isCovered ? [] : [...(shippedRoles(call.tool) ?? [])];
  const roles = [...shipped, ...own.flatMap((one) => one.roles.map(({ argument, role }) => [argument, role] as const))];
  const touches = roles.flatMap(([argument, role]) =>
    valuesAt(call.input, argument).flatMap((value) => touchesOf(role, argument, value, call.input)),
  );
  return { touches: [...touches, ...linkTouches(call, touches)], isCovered };
}

/** Tools that make links, by their names. */
const makesLinks = /(?<!un|hyper|perma|back)link|(?:^|[_-])ln(?:[_-]|$)/i;
/** Their arguments that may be what a link leads to. */
const mayLead = /target|source|src|dest|orig|existing|exist|point|old|from|to$|path|file/i;

/** What a link leads to is accessed as well. A relative text counts from the link's own folder. */
function linkTouches({ tool, input }: { tool: string; input: Record<string, unknown> }, declared: readonly Touch[]): Touch[] {
  if (!makesLinks.test(tool.slice(tool.lastIndexOf('__') + 2))) return [];
  const names = declared.flatMap((touch) => (touch.kind === 'write' ? touch.path : []));
  if (names.length === 0) return [];
  const texts = Object.entries(input).flatMap(([name, value]) => (typeof value === 'string' && mayLead.test(name) ? value : []));
  const leads = texts.flatMap((text) =>
    path.isAbsolute(text) || text.startsWith('~') ? text : [text, ...names.map((name) => `${path.dirname(name)}/${text}`)],
  );
  return [...new Set(leads)]
    .filter((lead) => !names.includes(lead))
    .map((lead) => ({ kind: 'write', path: lead, extent: 'as it is', keeps: true }));
}

/** What stands at a dotted place; lists on the way count for each of their items. */
function valuesAt(input: Record<string, unknown>, argument: string): unknown[] {
  return descend(input, argument.split('.')).filter((value) => value !== undefined && value !== null);
}

/** A name on the way may hold dots itself. */
function descend(value: unknown, names: string[]): unknown[] {
  if (names.length === 0) return [value];
  if (Array.isArray(value)) return value.flatMap((item) => descend(item, names));
  // A text where an object is declared: taken for what it should have held.
  if (typeof value !== 'object' || value === null) return value === undefined ? [] : [value];
  return names.flatMap((_, at) => {
    const name = names.slice(0, at + 1).join('.');
    return Object.hasOwn(value, name) ? descend((value as Record<string, unknown>)[name], names.slice(at + 1)) : [];
  });
}

function touchesOf(role: ShippedRole, argument: string, value: unknown, input: Record<string, unknown>): Touch[] {
  const found = role === 'command' ? commandsOf(value, input) : textsOf(value).flatMap((text) => pathTouches(role, text));
  if (isPlain(value)) return found;
  return [...found, { kind: 'anywhere', why: `its argument ${argument} is neither a text nor a list of texts` }];
}

function pathTouches(role: Exclude<ShippedRole, 'command'>, text: string): Touch[] {
  const files = filesOf(text);
  return (files.length === 0 ? [text] : files).map((path) => {
    if (role === 'names') return { kind: 'read', path, listing: true };
    return role === 'read'
      ? { kind: 'read', path, extent: 'as it is' }
      : { kind: 'write', path, extent: 'as it is', keeps: true };
  });
}

/** Where a shell server starts the command, by the usual names. */
const folders = ['cwd', 'workdir', 'working_dir', 'workingDir', 'working_directory', 'workingDirectory', 'directory', 'dir'];

/** A command line, or the words of one; a list may be lines as well, and its words may hold operators. Each reading counts. */
function commandsOf(value: unknown, input: Record<string, unknown>): Touch[] {
  const line = typeof value === 'string' ? [value] : [];
  const words = textsOf(value).slice(line.length);
  const texts = words.length === 0 ? line : [...line, words.map(quote).join(' '), words.join(' '), ...severalLines(words)];
  const started = folders.flatMap((name) => (Object.hasOwn(input, name) ? textsOf(input[name]) : []));
  return [...new Set(texts)].flatMap((text) => [
    { kind: 'command' as const, text },
    ...started.map((folder) => ({ kind: 'command' as const, text, folder })),
  ]);
}

function severalLines(words: string[]): string[] {
  return words.some((word) => /\s/.test(word)) ? [words.join('\n')] : [];
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

function isPlain(value: unknown): boolean {
  return typeof value === 'string' || (Array.isArray(value) && value.every((one) => typeof one === 'string'));
}
