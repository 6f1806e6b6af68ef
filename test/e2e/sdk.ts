// The Agent SDK of the client's release; and the client's own list of its tools: the types that come with it, and the SDK's names.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { CLIENT_VERSION, installClient, REPOSITORY } from './client.ts';

/** The SDK's release that goes with the pinned client. */
const SDK = `@anthropic-ai/claude-agent-sdk@0.3.${CLIENT_VERSION.split('.')[2]}`;

/** Where a name of the types is not the tool's own. */
const typeNames: ReadonlyMap<string, string | null> = new Map([
  ['FileEdit', 'Edit'],
  ['FileRead', 'Read'],
  ['FileWrite', 'Write'],
  ['ListMcpResources', 'ListMcpResourcesTool'],
  ['ReadMcpResource', 'ReadMcpResourceTool'],
  ['ReadMcpResourceDir', 'ReadMcpResourceDirTool'],
  ['ProposeSkills', 'propose_skills'],
  ['ProposeGoal', 'SetGoal'],
  // Any tool of a server.
  ['Mcp', null],
]);

/** Tool → its parameters, from `sdk-tools.d.ts` of the installed client. */
export function typedTools(): Map<string, string[]> {
  const file = path.join(installClient(), '../../@anthropic-ai/claude-code/sdk-tools.d.ts');
  const text = fs.readFileSync(file, 'utf8');
  const tools = new Map<string, string[]>();
  for (const [, type = '', body = ''] of text.matchAll(/^export interface (\w+)Input \{(\}|[\s\S]*?^\})/gm)) {
    const name = typeNames.get(type);
    if (name === null) continue;
    const params = [...body.matchAll(/^ {2}(?:"([^"]+)"|(\w+))\??:/gm)].map(([, quoted, plain]) => quoted ?? plain ?? '');
    tools.set(name ?? type, params);
  }
  return tools;
}

/** Folder of the SDK package, fetched once beside the client. Its programs for each platform are left out: the client is installed. */
export function installSdk(): string {
  const folder = path.join(installClient(), '../../../..', SDK.replaceAll(/[@/]/g, '_'));
  const installed = path.join(folder, 'package');
  if (fs.existsSync(path.join(installed, 'sdk.mjs'))) return installed;
  const fresh = `${folder}.${process.pid}`;
  fs.mkdirSync(fresh, { recursive: true });
  run('npm', ['pack', '--silent', SDK], fresh);
  const archive = fs.readdirSync(fresh).find((name) => name.endsWith('.tgz')) as string;
  run('tar', ['-xzf', archive], fresh);
  // What it shares with us: zod, and the SDK of MCP.
  fs.symlinkSync(path.join(REPOSITORY, 'node_modules'), path.join(fresh, 'node_modules'));
  fs.rmSync(folder, { recursive: true, force: true });
  fs.renameSync(fresh, folder);
  return installed;
}

/** `BUILTIN_TOOL_NAMES` of the SDK package. */
export function namedTools(): string[] {
  const types = path.join(installSdk(), 'sdk.d.ts');
  const list = /BUILTIN_TOOL_NAMES: readonly \[([^\]]*)\]/.exec(fs.readFileSync(types, 'utf8'))?.[1] ?? '';
  return [...list.matchAll(/'([^']+)'/g)].map(([, name]) => name as string);
}

function run(program: string, words: string[], cwd: string): void {
  const done = spawnSync(program, words, { cwd, encoding: 'utf8', timeout: 120_000 });
  if (done.status !== 0) throw new Error(`${program} ${words.join(' ')}: ${done.error?.message ?? done.stderr}`);
}
