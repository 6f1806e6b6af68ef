// MCP servers that the client starts in a project, and those of their tools that are declared read-only. The declaration of a
// server is only a proposal. The user reviews it and decides which tools `servers:` of modes.yaml names.

import path from 'node:path';
import * as z from 'zod/mini';
import { serverKinds } from '../config/server-kinds.ts';
import { clientName } from '../config/tool-names.ts';
import type { ToolArguments } from '../model/configuration.ts';
import { readRegularText } from '../platform/read-file.ts';

const maxBytes = 16 * 1024 * 1024;

const TEXTS = z.record(z.string(), z.string());
const STARTED = z.object({ command: z.string(), args: z._default(z.array(z.string()), []), env: z._default(TEXTS, {}) });
const REACHED = z.object({ url: z.string(), headers: z._default(TEXTS, {}) });
const LISTS = z.object({
  mcpServers: z.optional(z.record(z.string(), z.unknown())),
  projects: z.optional(z.record(z.string(), z.unknown())),
});

/** The connection of the client to a server: a program to start, or an address. Texts as in the file, without their variables. */
export type ServerStart =
  | { kind: 'program'; command: string; args: string[]; env: Record<string, string> }
  | { kind: 'address'; url: string; headers: Record<string, string> };

export interface ConfiguredServer {
  name: string;
  /** The file that names it. */
  file: string;
  start: ServerStart;
}

export interface ServerPlace {
  root: string;
  configFolder: string;
  home: string;
}

/**
 * The servers that the project's `.mcp.json` and the user's `.claude.json` name. The first entry of a name counts, as in the client.
 * Throws `UnreadableServers`.
 */
export function configuredServers({ root, configFolder, home }: ServerPlace): ConfiguredServer[] {
  const user = [path.join(configFolder, '.claude.json'), path.join(home, '.claude.json')];
  const servers = [
    ...user.flatMap((file) => serversIn(file, objectIn(listsIn(file).projects?.[root]).mcpServers)),
    ...[path.join(root, '.mcp.json'), ...user].flatMap((file) => serversIn(file, listsIn(file).mcpServers)),
  ];
  return [...new Map(servers.reverse().map((server) => [server.name, server])).values()].reverse();
}

/** The servers that the text of an `.mcp.json` names, with the kind that Modes knows. A text that cannot be read names none. */
export function sharedServersIn(text: string): { name: string; kind: string | null }[] {
  const lists = objectIn(parsed(text));
  return serversIn('.mcp.json', lists.mcpServers).map(({ name, start }) => ({ name, kind: kindOf(name, start) }));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The longest kind that is a word of the server's package, address or name. */
function kindOf(name: string, start: ServerStart): string | null {
  const words = start.kind === 'program' ? [start.command, ...start.args, name] : [start.url, name];
  const parts = `-${words
    .join('-')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')}-`;
  const kinds = Object.keys(serverKinds).filter((kind) => parts.includes(`-${kind}-`));
  return kinds.sort((one, other) => other.length - one.length)[0] ?? null;
}

/** A file of the client that names servers cannot be read, or has another form. */
export class UnreadableServers extends Error {}

/** A missing file has no servers. Throws `UnreadableServers`. */
function listsIn(file: string): z.infer<typeof LISTS> {
  try {
    return LISTS.parse(JSON.parse(readRegularText(file, maxBytes)));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new UnreadableServers(
      `${file} cannot be read: ${error instanceof z.core.$ZodError ? 'it has an unexpected form' : (error as Error).message}`,
    );
  }
}

const objectIn = (value: unknown): z.infer<typeof LISTS> => LISTS.safeParse(value).data ?? {};

function serversIn(file: string, list: Record<string, unknown> | undefined): ConfiguredServer[] {
  return Object.entries(list ?? {}).flatMap(([name, entry]) => {
    const start = startOf(entry);
    return start === null ? [] : [{ name, file, start }];
  });
}

function startOf(entry: unknown): ServerStart | null {
  const started = STARTED.safeParse(entry).data;
  if (started !== undefined) return { kind: 'program', ...started };
  const reached = REACHED.safeParse(entry).data;
  return reached === undefined ? null : { kind: 'address', ...reached };
}

/** The start with `${NAME}` and `${NAME:-default}` replaced, as the client does it. */
export function expandStart(start: ServerStart, env: NodeJS.ProcessEnv): ServerStart {
  const expand = (text: string): string =>
    text.replace(/\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g, (whole, name: string, or?: string) => env[name] ?? or ?? whole);
  const expandAll = (texts: Record<string, string>) =>
    Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, expand(text)]));
  return start.kind === 'program'
    ? { kind: 'program', command: expand(start.command), args: start.args.map(expand), env: expandAll(start.env) }
    : { kind: 'address', url: expand(start.url), headers: expandAll(start.headers) };
}

/** A tool as its server lists it. */
export interface ListedTool {
  name: string;
  annotations?: { readOnlyHint?: boolean | undefined } | undefined;
  inputSchema: { properties?: Record<string, unknown> | undefined };
}

/** What is proposed for a tool. */
export interface ToolProposal {
  name: string;
  /** `reads`: proposed. `left-out`: the server declares it read-only, but the argument `why` may do more. */
  kind: 'reads' | 'left-out' | 'may-change';
  why: string | null;
}

/** Arguments that name a place to write, or something to run. A tool with one of them can do more than read. */
const riskyArgument =
  /^(out|output|dest|destination|save|file_?name$|download|command|cmd$|code$|script|expression|function$|program|shell)/i;

export function proposeTool({ name, annotations, inputSchema }: ListedTool): ToolProposal {
  if (annotations?.readOnlyHint !== true) return { name, kind: 'may-change', why: null };
  const why = Object.keys(inputSchema.properties ?? {}).find((argument) => riskyArgument.test(argument)) ?? null;
  return { name, kind: why === null ? 'reads' : 'left-out', why };
}

/** Number of entries of `servers:` (and of the tables of their kinds) that name tools of this server. */
export function listedTools(server: string, declared: readonly ToolArguments[]): number {
  const prefix = `mcp__${clientName(server)}__`;
  return declared.filter(({ tool, readsOnly }) => readsOnly === true && tool.startsWith(prefix)).length;
}

/** The lines for modes.yaml; null if no tool only reads. */
export function serverLines(server: string, proposals: readonly ToolProposal[]): string | null {
  const names = proposals.filter(({ kind }) => kind === 'reads').map(({ name }) => name);
  if (names.length === 0) return null;
  return ['servers:', `  ${clientName(server)}:`, '    reads:', ...names.map((name) => `      - ${name}`)].join('\n');
}
