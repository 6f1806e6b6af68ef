// The client's own list of its tools: the types that come with it, and the names of the SDK package of the same release.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { CLIENT_VERSION, installClient } from './client.ts';

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

/** `BUILTIN_TOOL_NAMES` of the SDK package, fetched once beside the client. */
export function namedTools(): string[] {
  const folder = path.join(installClient(), '../../../..', SDK.replaceAll(/[@/]/g, '_'));
  const types = path.join(folder, 'package/sdk.d.ts');
  if (!fs.existsSync(types)) {
    fs.mkdirSync(folder, { recursive: true });
    run('npm', ['pack', '--silent', SDK], folder);
    const archive = fs.readdirSync(folder).find((name) => name.endsWith('.tgz')) as string;
    run('tar', ['-xzf', archive, 'package/sdk.d.ts'], folder);
  }
  const list = /BUILTIN_TOOL_NAMES: readonly \[([^\]]*)\]/.exec(fs.readFileSync(types, 'utf8'))?.[1] ?? '';
  return [...list.matchAll(/'([^']+)'/g)].map(([, name]) => name as string);
}

function run(program: string, words: string[], cwd: string): void {
  const done = spawnSync(program, words, { cwd, encoding: 'utf8', timeout: 120_000 });
  if (done.status !== 0) throw new Error(`${program} ${words.join(' ')}: ${done.error?.message ?? done.stderr}`);
}
