// Installation without the plugin: the server of Modes in a project's `.mcp.json`, its hooks in a person's settings of the project.

import fs from 'node:fs';
import path from 'node:path';
import { sha256 } from '../../platform/hash.ts';
import { isObject } from '../../platform/json-object.ts';
import { inside } from '../../platform/path-text.ts';
import { readRegularText } from '../../platform/read-file.ts';
import type { Place } from '../paths/place.ts';

/** The server's name in `.mcp.json`, and the prefix of its tools. */
export const manualServer = 'modes';
export const manualPrefix = `mcp__${manualServer}__`;
/** The client's names for the same if the plugin is installed. */
const pluginServer = 'plugin:modes:modes';
export const pluginPrefix = 'mcp__plugin_modes_modes__';

/** Commands that also have a short name: `/mode` is `/modes:mode`. `init` has none: the client has an `/init` of its own. */
export const shortCommands = ['mode', 'setup'] as const;

export const sharedServers = '.mcp.json';
const serverProgram = 'dist/server.mjs';
const maxBytes = 1_048_576;

/** A server entry of `.mcp.json`. */
export interface ServerEntry {
  command: string;
  args: string[];
  env: Record<string, string>;
}

/** Handlers of one matcher of one event. */
export interface HookGroup {
  matcher?: string;
  hooks: unknown[];
}

/**
 * The entry for a project. All paths are absolute: the client does not expand `${CLAUDE_PROJECT_DIR}` here. If the package were
 * looked up at each start, another package could run under the same entry.
 */
export function serverEntry(packageRoot: string, root: string, node: string): ServerEntry {
  return {
    command: node,
    args: [path.join(packageRoot, serverProgram)],
    env: {
      CLAUDE_MODES_CONFIG_DIR: path.join(root, '.claude'),
      CLAUDE_MODES_SOCKET: path.join(root, '.claude/mode.sock'),
      // As in plugin.json: prevents a project's settings from making Node load code.
      NODE_OPTIONS: '',
      NODE_COMPILE_CACHE: '',
      OPENSSL_CONF: '',
    },
  };
}

/** The plugin's hooks for a settings file: with the absolute path of the script, and the server's name in `.mcp.json`. */
export function manualHooks(packageRoot: string): Record<string, HookGroup[]> {
  const text = fs.readFileSync(path.join(packageRoot, 'hooks/hooks.json'), 'utf8');
  const own = (_: string, value: unknown): unknown => {
    if (value === pluginServer) return manualServer;
    return typeof value === 'string' ? value.replaceAll(/\$\{CLAUDE_PLUGIN_ROOT\}/g, () => packageRoot) : value;
  };
  return (JSON.parse(text, own) as { hooks: Record<string, HookGroup[]> }).hooks;
}

/** The server that the client names when it calls a Modes tool with this name. */
export function modesServerOf(tool: string): { name: string; source: string } {
  return tool.startsWith(manualPrefix) ? { name: manualServer, source: 'project' } : { name: pluginServer, source: 'plugin' };
}

/** The SHA-256 of an entry, independent of the order of its keys. A person approves the entry with it. */
export function hashEntry(entry: unknown): string {
  return sha256(canonical(entry));
}

/** The line of a record (`servers` in the data folder) for the server of a project's own `.mcp.json`. */
export function recordLine(root: string, entry: unknown): string {
  return `project ${manualServer} ${hashEntry(entry)} ${root}`;
}

/** The project root in a line; null for a line of another kind. */
export function recordedRoot(line: string): string | null {
  return /^project \S+ sha256:[0-9a-f]{64} (\/.*)$/.exec(line)?.[1] ?? null;
}

/**
 * The client starts a server of this name for the project with this entry. The client searches `.mcp.json` upwards from the
 * folder where it was started. null: there is no entry, it cannot be read, or the nearest one is not the project's own.
 */
export function entryOf(name: string, { root, start = root }: Pick<Place, 'root' | 'start'>): unknown {
  if (!inside(start, root)) return null;
  for (let folder = start; ; folder = path.dirname(folder)) {
    const servers = serversIn(path.join(folder, sharedServers));
    const entry = servers !== null && Object.hasOwn(servers, name) ? servers[name] : null;
    if (folder === root) return entry;
    // A nearer file has, or may have, an entry of this name.
    if (servers === null || entry !== null) return null;
  }
}

/** The package that an entry of Modes starts; null for any other entry. */
export function packageOf(entry: unknown): string | null {
  const program = objectOf(objectOf(entry).args)[0];
  return typeof program === 'string' && path.isAbsolute(program) && program.endsWith(`/${serverProgram}`)
    ? program.slice(0, -serverProgram.length - 1)
    : null;
}

/** `hooks` of some settings without the handlers of Modes. Only exactly equal handlers are removed. */
export function withoutModesEntries(hooks: Record<string, unknown>, own: Record<string, HookGroup[]>): Record<string, unknown> {
  const known = new Set(handlersOf(own));
  return Object.fromEntries(
    Object.entries(hooks).flatMap(([event, groups]) => {
      if (!Array.isArray(groups)) return [[event, groups]];
      const remaining = groups.flatMap((group) => {
        const { hooks: handlers } = objectOf(group);
        if (!Array.isArray(handlers)) return [group];
        const others = handlers.filter((handler) => !known.has(keyOf(event, group, handler)));
        return others.length === 0 && handlers.length > 0 ? [] : [{ ...objectOf(group), hooks: others }];
      });
      return remaining.length === 0 && groups.length > 0 ? [] : [[event, remaining]];
    }),
  );
}

/** True if these settings contain every handler of Modes. */
export function holdsAll(hooks: Record<string, unknown>, own: Record<string, HookGroup[]>): boolean {
  const presentKeys = new Set(handlersOf(hooks));
  return handlersOf(own).every((key) => presentKeys.has(key));
}

function handlersOf(hooks: Record<string, unknown>): string[] {
  return Object.entries(hooks).flatMap(([event, groups]) =>
    (Array.isArray(groups) ? groups : []).flatMap((group) => {
      const { hooks: handlers } = objectOf(group);
      return (Array.isArray(handlers) ? handlers : []).map((handler) => keyOf(event, group, handler));
    }),
  );
}

/** The identity of a handler. It includes the group's other keys, because they determine when its handlers run. */
function keyOf(event: string, group: unknown, handler: unknown): string {
  const { hooks: _, ...conditions } = objectOf(group);
  return canonical([event, conditions, handler]);
}

/** The servers of a file; null if the file exists but cannot be parsed. */
function serversIn(file: string): Record<string, unknown> | null {
  try {
    const stat = fs.statSync(file, { throwIfNoEntry: false });
    if (stat === undefined) return {};
    if (!stat.isFile() || stat.size > maxBytes) return null;
    return objectOf(objectOf(JSON.parse(readRegularText(file, maxBytes))).mcpServers);
  } catch (error) {
    if (error instanceof SyntaxError || typeof (error as NodeJS.ErrnoException).code === 'string') return null;
    throw error;
  }
}

/** A value as text, independent of the order of its keys. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1))) : part,
  );
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
