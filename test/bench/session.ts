// What a tool call takes in the real client, from the model's answer to its next request.
import fs from 'node:fs';
import path from 'node:path';
import type { Turn } from '../e2e/model.ts';
import { packageRoot } from './fixture.ts';
import { echoCommand } from './setups.ts';

export type Client = typeof import('../e2e/client.ts');

/** The real client where `make e2e` has installed it; else why it is not measured. */
export async function findClient(): Promise<{ client: Client } | { missing: string }> {
  if (process.env.CI) return { missing: 'not in CI' };
  // Read when the module is loaded; the bundle that this is part of is in another folder.
  process.env.MODES_E2E_CACHE ||= path.join(packageRoot, '.cache/client');
  const client = await import('../e2e/client.ts');
  const binary = path.join(process.env.MODES_E2E_CACHE, client.CLIENT_VERSION, 'node_modules/.bin/claude');
  return fs.existsSync(binary)
    ? { client }
    : { missing: `Claude Code ${client.CLIENT_VERSION} is not installed; make e2e does it` };
}

/** The calls whose time is taken. Each writes and reads the same in every project, and is allowed in its mode. */
export const callKinds = ['Read', 'Write', 'Bash', 'MCP'] as const;
export type CallKind = (typeof callKinds)[number];

const callsOf: Record<CallKind, (project: string, n: number) => { name: string; input: object }> = {
  Read: (project, n) => ({ name: 'Read', input: { file_path: path.join(project, `src/read-${n}.ts`) } }),
  Write: (project, n) => ({
    name: 'Write',
    input: { file_path: path.join(project, `test/made-${n}.test.ts`), content: `export const n = ${n};\n` },
  }),
  Bash: (_, n) => ({ name: 'Bash', input: { command: `wc -l src/read-${n}.ts`, description: 'Count lines' } }),
  MCP: (_, n) => ({ name: 'mcp__echo__echo', input: { text: `text ${n}` } }),
};

export interface Played {
  project: string;
  home: string;
  plugin: string | null;
  /** Calls of each kind. */
  calls: number;
  env?: Record<string, string>;
  aside?: string;
  cancel?: AbortSignal;
}

/**
 * Plays a session in which the kinds of call take turns, so that the growing conversation slows all of them down alike.
 * @returns milliseconds of each call, without the first of its kind
 * @throws {Error} when a call is refused or the client fails
 */
export async function timesOf(
  client: Client,
  { project, home, plugin, calls, ...more }: Played,
): Promise<Record<CallKind, number[]>> {
  const made = Array.from({ length: calls }, (_, n) => callKinds.map((kind) => ({ kind, ...callsOf[kind](project, n) }))).flat();
  for (let n = 0; n < calls; n += 1) fs.writeFileSync(path.join(project, `src/read-${n}.ts`), `export const n = ${n};\n`);
  const asked: number[] = [];
  const turns = [...made, null].map(
    (call): Turn =>
      () => {
        asked.push(performance.now());
        return call === null ? [{ type: 'text', text: 'done' }] : [{ type: 'tool_use', name: call.name, input: call.input }];
      },
  );
  const servers = { mcpServers: { echo: echoCommand } };
  try {
    const session = await client.session({
      project,
      home,
      plugin,
      turns,
      reportsHooks: false,
      limit: 300_000,
      args: ['--mcp-config', JSON.stringify(servers)],
      ...more,
    });
    const refused = session.calls.find((call) => call.refused);
    if (session.code !== 0 || session.calls.length !== made.length || refused)
      throw new Error(
        `the client ended with ${session.code} after ${session.calls.length} calls: ${refused?.name} ${refused?.result ?? session.stderr}`,
      );
  } finally {
    // A file that exists could not be written without reading it first.
    for (let n = 0; n < calls; n += 1) fs.rmSync(path.join(project, `test/made-${n}.test.ts`), { force: true });
  }
  const took = (at: number) => (asked[at + 1] as number) - (asked[at] as number);
  return Object.fromEntries(
    callKinds.map((kind) => [kind, made.flatMap((call, at) => (call.kind === kind && at >= callKinds.length ? [took(at)] : []))]),
  ) as Record<CallKind, number[]>;
}
