// modes servers: the MCP servers of a project. With a name, it connects to that server and proposes its tools that only read.

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { quote } from 'shell-quote';
import {
  type ConfiguredServer,
  configuredServers,
  expandStart,
  type ListedTool,
  listedTools,
  proposeTool,
  type ServerStart,
  serverLines,
  type ToolProposal,
  UnreadableServers,
} from '../../app/mcp-servers.ts';
import { nearest } from '../../platform/nearest-name.ts';
import { requireProject } from './open.ts';
import { toJson } from './outputs/json.ts';
import { refuse } from './refuse.ts';
import { exits, type Terminal, UsageError } from './terminal.ts';

export interface ServersOptions {
  project?: string;
  json?: boolean;
  yes?: boolean;
}

/** Milliseconds for the connection and for each list of tools. The first start of a server may install it. */
const answerMs = 60_000;

export async function servers(name: string | undefined, options: ServersOptions, terminal: Terminal): Promise<number> {
  const project = await requireProject(options.project);
  const declared = project.describe().configuration.arguments;
  const { root, place } = project;
  let found: ConfiguredServer[];
  try {
    found = configuredServers({ root, configFolder: place.configFolder, home: place.home });
  } catch (error) {
    if (!(error instanceof UnreadableServers)) throw error;
    return refuse({ code: 'E_IN_THE_WAY', message: `${error.message}.` }, options, terminal);
  }
  if (name === undefined) {
    const rows = found.map(({ name, file, start }) => ({
      name,
      file,
      start: startText(start),
      listed: listedTools(name, declared),
    }));
    terminal.out(options.json ? toJson<'servers'>({ servers: rows, server: null }, 2) : listText(rows));
    return exits.fine;
  }
  const server = found.find((one) => one.name === name);
  if (server === undefined) throw new UsageError(unknownServer(name, found));
  const question = `${startText(server.start)} (${server.file})\n${server.start.kind === 'program' ? 'Start this program' : 'Connect to this address'}, and read its list of tools?`;
  const answer = options.yes ? true : await terminal.ask(question);
  if (answer === null)
    return refuse(
      { code: 'E_NOBODY', message: 'Not an interactive terminal.', remedy: 'Use --yes to connect without asking.' },
      options,
      terminal,
    );
  if (!answer) return refuse({ code: 'E_DECLINED', message: 'Nothing was started.' }, options, terminal);
  let tools: readonly ListedTool[];
  try {
    tools = await listTools(expandStart(server.start, process.env), root);
  } catch (error) {
    const message = `${name} gave no list of tools: ${(error as Error).message}.`;
    const remedy = 'Check with /mcp in the client that it connects. A server that needs a sign-in can only be listed by hand.';
    return refuse({ code: 'E_SERVER_SILENT', message, remedy }, options, terminal);
  }
  const proposals = tools.map(proposeTool);
  const lines = serverLines(name, proposals);
  terminal.out(
    options.json
      ? toJson<'servers'>({ servers: null, server: { name, tools: proposals, lines } }, 2)
      : proposalText(name, proposals, lines),
  );
  return exits.fine;
}

async function listTools(start: ServerStart, cwd: string): Promise<ListedTool[]> {
  const client = new Client({ name: 'modes', version: '1' });
  try {
    await client.connect(transportOf(start, cwd), { timeout: answerMs });
    const all: ListedTool[] = [];
    let cursor: string | undefined;
    do {
      const page = await client.listTools({ cursor }, { timeout: answerMs });
      all.push(...page.tools);
      cursor = page.nextCursor;
    } while (cursor !== undefined && all.length < maxTools);
    return all;
  } finally {
    await client.close();
  }
}

/** Maximum number of tools of one server. A server may never end its list. */
const maxTools = 10_000;

function transportOf(start: ServerStart, cwd: string): StdioClientTransport | StreamableHTTPClientTransport {
  if (start.kind === 'address')
    return new StreamableHTTPClientTransport(new URL(start.url), { requestInit: { headers: start.headers } });
  const env = Object.fromEntries(
    Object.entries({ ...process.env, ...start.env }).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
  return new StdioClientTransport({ command: start.command, args: start.args, env, cwd, stderr: 'ignore' });
}

const startText = (start: ServerStart): string => (start.kind === 'program' ? quote([start.command, ...start.args]) : start.url);

function listText(rows: readonly { name: string; file: string; start: string; listed: number }[]): string {
  if (rows.length === 0) return 'No MCP server is configured for this project.';
  const lines = rows.map(({ name, file, start, listed }) => {
    const state = listed === 0 ? 'not listed in servers:' : `${listed} tools that only read are listed in servers:`;
    return `${name}  ${state}\n  ${start}  (${file})`;
  });
  return [...lines, '', 'To see which tools of a server only read: modes servers NAME'].join('\n');
}

function proposalText(name: string, proposals: readonly ToolProposal[], lines: string | null): string {
  const rows = proposals.map(({ name, kind, why }) => {
    if (kind === 'left-out') return `  ?  ${name}  says that it only reads, but its argument ${why} may do more`;
    return kind === 'reads' ? `  ✓  ${name}  only reads` : `     ${name}  may change something`;
  });
  const rest =
    lines === null
      ? ['No tool is proposed.']
      : [`The server says so itself. If you trust it, add these lines to .claude/modes.yaml, and run modes trust:`, '', lines];
  return [`Tools of ${name}:`, ...rows, '', ...rest].join('\n');
}

function unknownServer(name: string, found: readonly ConfiguredServer[]): string {
  const names = found.map((one) => one.name);
  const near = nearest(name, names);
  if (near !== null) return `no MCP server is called ${name}; did you mean ${near}?`;
  return names.length === 0
    ? 'no MCP server is configured for this project'
    : `no MCP server is called ${name}; configured are ${names.join(', ')}`;
}
