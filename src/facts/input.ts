// What a call of a tool gives, read by type, and what it touches before paths are resolved.
import { fileURLToPath } from 'node:url';
import type { Skips } from '../model/command.ts';
import type { ToolGroup } from '../model/facts.ts';

/** What a call touches, before paths are resolved. */
export type Touch =
  /** Extent: the path alone unless given; `as it is`: what the disk says of it, a folder with everything below, a pattern that no file is called. */
  | { kind: 'read'; path: string; extent?: 'deep' | 'as it is'; implied?: boolean; listing?: boolean; skips?: Skips }
  /** `keeps`: something of what was there before is in the result, so it is read too. */
  | { kind: 'write'; path: string; extent?: 'deep' | 'as it is'; keeps?: true }
  /** `folder`: where it is started; the event's cwd unless given. */
  | { kind: 'command'; text: string; folder?: string }
  | { kind: 'url'; url: string }
  | { kind: 'agent'; name: string }
  | { kind: 'skill'; name: string }
  /** Everything of an MCP server. */
  | { kind: 'server'; name: string }
  /** Text that the client will later take for a person's or a program's. */
  | { kind: 'prompt'; texts: string[] }
  | { kind: 'asks'; name: string; why: string }
  | { kind: 'anywhere'; why: string };

export interface ToolRow {
  group: ToolGroup;
  /** Every parameter the row knows; one outside turns an allow into a pass. */
  params: readonly string[];
  /** What the call is about, or the contents of a file: not for `Tool(param:value)`. */
  content?: readonly string[];
  /** Parameters that turn an allow into a pass, and with which values. */
  loosens?: ReadonlyMap<string, (value: unknown) => boolean>;
  /** The parameter that `Tool(…)` stands for in a dry run, where it is not file_path. */
  main?: string;
  /** The client has it no more; the name of its successor. */
  former?: string;
  touches(input: Input): Touch[];
}

/** Typed access to a tool's input; a field of the wrong type throws `MalformedInput`. */
export class Input {
  constructor(
    readonly tool: string,
    readonly fields: Record<string, unknown>,
  ) {}

  /** The string field; throws when it is missing or none. */
  text(name: string): string {
    const value = this.maybe(name);
    if (value === null) throw new MalformedInput(`${this.tool} needs the string field ${name}`);
    return value;
  }

  /** The string field, or null when it is absent. */
  maybe(name: string): string | null {
    const value = this.field(name);
    if (value === undefined || value === null) return null;
    if (typeof value !== 'string') throw new MalformedInput(`${this.tool}.${name} is not a string`);
    return value;
  }

  /** The field as a list of strings, empty when it is absent. */
  texts(name: string): string[] {
    const value = this.field(name) ?? [];
    if (!Array.isArray(value) || value.some((one) => typeof one !== 'string'))
      throw new MalformedInput(`${this.tool}.${name} is not a list of strings`);
    return value as string[];
  }

  has(name: string): boolean {
    const value = this.field(name);
    return value !== undefined && value !== null && value !== false && value !== '';
  }

  private field(name: string): unknown {
    return Object.hasOwn(this.fields, name) ? this.fields[name] : undefined;
  }
}

/**
 * What a `file:` URI may name: `file:a` is `/a` by the standard, and `a` to whoever only takes the scheme off. Empty for another scheme.
 * Throws `MalformedInput` for one that names no file of this machine.
 */
export function filesOf(uri: string): string[] {
  const bare = /^\s*file:(.*)$/is.exec(uri)?.[1];
  if (bare === undefined) return [];
  try {
    const file = fileURLToPath(uri.trim());
    return /^[/\\]/.test(bare) ? [file] : [file, file.slice(1)];
  } catch (error) {
    throw new MalformedInput(`not a file: ${uri.slice(0, 200)} (${(error as Error).message})`);
  }
}

/** Every text in a value, and in one that is the JSON of a list or object, which some programs unpack. */
export function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value, ...unpacked(value).flatMap(textsOf)];
  if (typeof value === 'number' || typeof value === 'boolean') return [String(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

/** The list or object that a text is the JSON of, if it is one. */
export function unpacked(text: string): unknown[] {
  if (!/^\s*[[{]/.test(text)) return [];
  try {
    return [JSON.parse(text)];
  } catch (error) {
    // No JSON: a name that begins with a bracket.
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

/** Every text in a value, however deep; `toolCall` bounds the depth. */
export function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsOf) : [];
}

/** Ways out of the folder that stands in front of a wildcard. */
const leading = /(?<=^|[/{,(|])(?:\.\.(?=$|[/},)|])|\/)/;

/**
 * The folder that a Glob looks into: `path` joined with what stands before the first wildcard, or the last part. `/` where what comes
 * behind it may lead anywhere.
 */
export function folderOf(path: string, pattern: string): string {
  const parts = pattern.split('/');
  const wild = parts.findIndex((part) => /[*?[{]/.test(part));
  if (wild !== -1 && leading.test(parts.slice(wild).join('/'))) return '/';
  const literal = parts.slice(0, wild);
  if (pattern.startsWith('/')) return literal.join('/') || '/';
  return literal.length === 0 ? path : `${path}/${literal.join('/')}`;
}

/** A tool call whose input is not what the tool takes. */
export class MalformedInput extends Error {}
