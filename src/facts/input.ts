// Typed access to the input of a tool call, and its accesses before paths are resolved.
import { fileURLToPath } from 'node:url';
import type { Skips } from '../model/command.ts';
import type { ToolGroup } from '../model/facts.ts';

/** An access of a call, before paths are resolved. */
export type Touch =
  /**
   * Extent: only the path by default. names: the names below it, without contents. `as it is`: determined from the disk. An
   * existing folder includes everything below it, and a missing name with wildcards is a pattern.
   */
  | { kind: 'read'; path: string; extent?: 'deep' | 'names' | 'as it is'; implied?: boolean; skips?: Skips }
  /** `readModifyWrite`: the result contains part of the old content, so the file is also read. */
  | { kind: 'write'; path: string; extent?: 'deep' | 'as it is'; readModifyWrite?: true }
  /**
   * `folder`: the start folder of the command; the event's cwd by default. `isForeign`: the text is of another language, so it may do
   * more than its commands show.
   */
  | { kind: 'command'; text: string; folder?: string; isForeign?: true }
  | { kind: 'url'; url: string }
  | { kind: 'agent'; name: string }
  | { kind: 'skill'; name: string }
  /** All tools of an MCP server. */
  | { kind: 'server'; name: string }
  /** Text that the client will later treat as input from a person or a program. */
  | { kind: 'prompt'; texts: string[] }
  | { kind: 'asks'; name: string; why: string }
  | { kind: 'anywhere'; why: string };

export interface ToolRow {
  group: ToolGroup;
  /** Every parameter that the row knows. Any other parameter turns an allow into a pass. */
  params: readonly string[];
  /** Parameters with the subject of the call or file contents, which are not available to `Tool(param:value)`. */
  content?: readonly string[];
  /** Parameters that turn an allow into a pass, each with a check of its value. */
  weakens?: ReadonlyMap<string, (value: unknown) => boolean>;
  /** The parameter that `Tool(…)` sets in a dry run, if it is not file_path. */
  main?: string;
  /** The name of the successor, if the client has removed this tool. */
  former?: string;
  touches(input: Input): Touch[];
}

/** Typed access to a tool's input. A field of the wrong type throws `MalformedInput`. */
export class Input {
  constructor(
    readonly tool: string,
    readonly fields: Record<string, unknown>,
  ) {}

  /** The string field. Throws if it is missing or not a string. */
  text(name: string): string {
    const value = this.maybe(name);
    if (value === null) throw new MalformedInput(`${this.tool} needs the string field ${name}`);
    return value;
  }

  /** The string field, or null if it is absent. */
  maybe(name: string): string | null {
    const value = this.field(name);
    if (value === undefined || value === null) return null;
    if (typeof value !== 'string') throw new MalformedInput(`${this.tool}.${name} is not a string`);
    return value;
  }

  /** The field as a list of strings; empty if it is absent. */
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
 * The files that a `file:` URI may name. `file:a` is `/a` by the standard, but `a` for a program that only removes the scheme.
 * Empty for another scheme. Throws `MalformedInput` if the URI names no file of this machine.
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

/** Every text in a value, including texts inside a text that is a JSON list or object, because some programs parse such texts. */
export function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value, ...unpacked(value).flatMap(textsOf)];
  if (typeof value === 'number' || typeof value === 'boolean') return [String(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

/** The list or object in a JSON text; empty for any other text. */
export function unpacked(text: string): unknown[] {
  if (!/^\s*[[{]/.test(text)) return [];
  try {
    return [JSON.parse(text)];
  } catch (error) {
    // Not JSON: a name that starts with a bracket.
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

/** Every text in a value, at any depth. `toolCall` limits the depth. */
export function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsOf) : [];
}

/** Matches a `..` or a slash after a wildcard that can lead out of the folder before the wildcard. */
const leading = /(?<=^|[/{,(|])(?:\.\.(?=$|[/},)|])|\/)/;

/**
 * The folder that a Glob searches: `path` joined with the part before the first wildcard, or before the last component. `/` if
 * the rest of the pattern may lead anywhere.
 */
export function folderOf(path: string, pattern: string): string {
  const parts = pattern.split('/');
  const wild = parts.findIndex((part) => /[*?[{]/.test(part));
  if (wild !== -1 && leading.test(parts.slice(wild).join('/'))) return '/';
  const literal = parts.slice(0, wild);
  if (pattern.startsWith('/')) return literal.join('/') || '/';
  return literal.length === 0 ? path : `${path}/${literal.join('/')}`;
}

/** The input of a tool call is not valid for the tool. */
export class MalformedInput extends Error {}
