// Declared arguments of MCP tools (`arguments:` of modes.yaml, and well-known servers) → the accesses of a call.
import path from 'node:path';
import { quote } from 'shell-quote';
import type { ArgumentRole } from '../model/facts.ts';
import { isPlainQuery } from '../shell/languages/sql.ts';
import { filesOf, type Touch, textsOf } from './input.ts';
import { type ShippedRole, shippedRoles } from './servers.ts';

/** One tool of `arguments:`. */
export interface DeclaredTool {
  /** `mcp__server__tool`. With `readsOnly`, `*` matches any part of the tool's own name. */
  tool: string;
  /** The tool changes nothing. */
  readsOnly?: true;
  /** Arguments with which it may write a file. */
  unless?: readonly string[];
  /** An argument with SQL: the tool only reads if that is one plain query. */
  query?: string;
  /** Dots in `argument` select members of objects and lists: `edits.path`. */
  roles: readonly { argument: string; role: ArgumentRole }[];
  /** A trusted declaration replaces unknown accesses. An untrusted one only adds accesses. */
  trusted: boolean;
}

export interface DeclaredTouches {
  touches: Touch[];
  /** False: the tool may also write elsewhere. */
  isCovered: boolean;
  /** A person declared that the tool only reads. */
  isReadOnly: boolean;
}

/**
 * The accesses of the declared arguments of this call. A trusted declaration replaces the shipped one; others add to it.
 * @param server the server of the tool, if it is certain
 */
export function declaredTouches(
  call: { tool: string; input: Record<string, unknown> },
  declared: readonly DeclaredTool[],
  server: string | null,
): DeclaredTouches {
  const own = declared.filter(({ tool }) => tool === call.tool);
  const isReplaced = own.some(({ trusted, readsOnly }) => trusted && !readsOnly);
  const isReadOnly = declared.some(
    ({ tool, trusted, readsOnly, unless = [], query }) =>
      trusted &&
      readsOnly &&
      tool.startsWith(`mcp__${server}__`) &&
      matchesTool(tool, call.tool) &&
      !unless.some((argument) => Object.hasOwn(call.input, argument)) &&
      (query === undefined || (typeof call.input[query] === 'string' && isPlainQuery(call.input[query]))),
  );
  const shipped = isReplaced ? [] : [...(shippedRoles(call.tool) ?? [])];
  const roles = [...shipped, ...own.flatMap((one) => one.roles.map(({ argument, role }) => [argument, role] as const))];
  const touches = roles.flatMap(([argument, role]) =>
    valuesAt(call.input, argument).flatMap((value) => touchesOf(role, argument, value, call.input)),
  );
  return { touches: [...touches, ...linkTouches(call, touches)], isCovered: isReplaced || isReadOnly, isReadOnly };
}

/** `*` matches any characters of one name. It does not match the `__` between the names of a server and its tool. */
function matchesTool(pattern: string, tool: string): boolean {
  if (!pattern.includes('*')) return pattern === tool;
  const pieces = pattern.split('*').map((piece) => piece.replace(/[-\\^$.+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${pieces.join('(?:(?!__).)*')}$`).test(tool);
}

/** Matches the names of tools that create links. */
const makesLinks = /(?<!un|hyper|perma|back)link|(?:^|[_-])ln(?:[_-]|$)/i;
/** Matches their arguments that may name the target of a link. */
const mayLead = /target|source|src|dest|orig|existing|exist|point|old|from|to$|path|file/i;

/** The target of a link is accessed as well. A relative target is resolved from the folder of the link. */
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
    .map((lead) => ({ kind: 'write', path: lead, extent: 'as it is', readModifyWrite: true }));
}

/** The values at a dotted argument name. A list on the way contributes each of its items. */
function valuesAt(input: Record<string, unknown>, argument: string): unknown[] {
  return descend(input, argument.split('.')).filter((value) => value !== undefined && value !== null);
}

/** A name on the way may itself contain dots. */
function descend(value: unknown, names: string[]): unknown[] {
  if (names.length === 0) return [value];
  if (Array.isArray(value)) return value.flatMap((item) => descend(item, names));
  // A text where an object is declared is used in place of the object's member.
  if (typeof value !== 'object' || value === null) return value === undefined ? [] : [value];
  return names.flatMap((_, at) => {
    const name = names.slice(0, at + 1).join('.');
    return Object.hasOwn(value, name) ? descend((value as Record<string, unknown>)[name], names.slice(at + 1)) : [];
  });
}

function touchesOf(role: ShippedRole, argument: string, value: unknown, input: Record<string, unknown>): Touch[] {
  const touches = role === 'command' ? commandsOf(value, input) : textsOf(value).flatMap((text) => pathTouches(role, text));
  if (isPlain(value)) return touches;
  return [...touches, { kind: 'anywhere', why: `its argument ${argument} is neither a string nor a list of strings` }];
}

function pathTouches(role: Exclude<ShippedRole, 'command'>, text: string): Touch[] {
  const files = filesOf(text);
  return (files.length === 0 ? [text] : files).map((path) => {
    if (role === 'names') return { kind: 'read', path, extent: 'names' };
    return role === 'read'
      ? { kind: 'read', path, extent: 'as it is' }
      : { kind: 'write', path, extent: 'as it is', readModifyWrite: true };
  });
}

/** Common names of the argument for the command's start folder in shell servers. */
const folders = ['cwd', 'workdir', 'working_dir', 'workingDir', 'working_directory', 'workingDirectory', 'directory', 'dir'];

/** Common names of the argument with the words after a program. */
const operands = ['args', 'arguments', 'argv', 'parameters', 'params'];

/**
 * A command line, or the words of one. A list may also be several lines, and its words may contain operators. All these readings
 * are analyzed.
 */
function commandsOf(value: unknown, input: Record<string, unknown>): Touch[] {
  const line = typeof value === 'string' ? [value] : [];
  const words = textsOf(value).slice(line.length);
  const more = operands.flatMap((name) => (Object.hasOwn(input, name) ? textsOf(input[name]) : []));
  const withMore = line.length > 0 && more.length > 0 ? [quote([...line, ...more]), [...line, ...more].join(' ')] : [];
  const texts = words.length === 0 ? [...line, ...withMore] : [...line, quote(words), words.join(' '), ...severalLines(words)];
  const started = folders.flatMap((name) => (Object.hasOwn(input, name) ? textsOf(input[name]) : []));
  return [...new Set(texts)].flatMap((text) => [
    { kind: 'command' as const, text },
    ...started.map((folder) => ({ kind: 'command' as const, text, folder })),
  ]);
}

function severalLines(words: string[]): string[] {
  return words.some((word) => /\s/.test(word)) ? [words.join('\n')] : [];
}

function isPlain(value: unknown): boolean {
  return typeof value === 'string' || (Array.isArray(value) && value.every((one) => typeof one === 'string'));
}
