// A project to measure in: the TDD example in a folder of its own, trusted, in test-dev, with a server where one is wanted.
import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { loadConfiguration } from '../../src/config/load.ts';
import { prepare } from '../../src/engine/prepare.ts';
import type { Prepare } from '../../src/engine/prepared.ts';
import { dataFolderOf } from '../../src/facts/paths/place.ts';
import type { Bundle } from '../../src/policy/bundle.ts';
import { recordTrust } from '../../src/store/trust.ts';
import { nobody, openProject, type Project } from '../../src/workflow/project.ts';

export const packageRoot = process.cwd();
const session = '00000000-0000-4000-8000-000000000000';

export interface Fixture {
  root: string;
  env: NodeJS.ProcessEnv;
  open(): Promise<Project>;
  /** What was made of a mode when the project was opened. */
  bundleOf(mode: string): Bundle;
  remove(): void;
}

/** Makes the project. `settings` replaces the permissions of test-dev; `layered`: the user and the local layer have some too. */
export function makeFixture(settings: object | null = null, layered = false): Fixture {
  const make = (name: string) => fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), name));
  const base = make('modes-bench-');
  const root = path.join(base, 'project');
  // What a call names beside the project is not where sessions are remembered.
  const home = make('modes-bench-home-');
  fs.mkdirSync(path.join(root, 'src'), { recursive: true });
  fs.mkdirSync(path.join(root, 'test'));
  fs.cpSync(path.join(packageRoot, 'examples/tdd/.claude'), path.join(root, '.claude'), { recursive: true });
  fs.writeFileSync(path.join(root, 'src/a.ts'), 'export const a = 1;\n');
  if (settings !== null) fs.writeFileSync(path.join(root, '.claude/settings.test-dev.json'), JSON.stringify(settings));
  if (layered) {
    const more = {
      permissions: { allow: ['Read(docs/**)'], ask: ['Write(*.lock)'], deny: ['Read(secrets/**)', 'Bash(curl:*)'] },
    };
    fs.mkdirSync(path.join(home, '.claude'));
    fs.writeFileSync(path.join(home, '.claude/settings.any.json'), JSON.stringify(more));
    fs.writeFileSync(path.join(home, '.claude/settings.test-dev.json'), JSON.stringify(more));
    fs.writeFileSync(path.join(root, '.claude/settings.test-dev.local.json'), JSON.stringify(more));
  }
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    CLAUDE_PROJECT_DIR: root,
    CLAUDE_CODE_SESSION_ID: session,
    CLAUDE_CODE_ENTRYPOINT: 'cli',
    CLAUDE_PLUGIN_ROOT: packageRoot,
  };
  recordTrust(dataFolderOf(env), root, loadConfiguration(root).hash, 'terminal', new Date());
  let bundles = new Map<string, { bundle: Bundle }>();
  const keeping: Prepare = async (...given) => {
    const prepared = await prepare(...given);
    bundles = prepared.modes;
    return prepared;
  };
  return {
    root,
    env,
    bundleOf(mode) {
      const made = bundles.get(mode);
      if (made === undefined) throw new Error(`no bundle of ${mode}`);
      return made.bundle;
    },
    async open() {
      const project = openProject({ start: root, env, packageRoot, prepare: keeping });
      if (project === null) throw new Error('the project is not governed');
      await project.ready();
      const wrong = project
        .for(nobody)
        .problems()
        .filter(({ severity }) => severity === 'error');
      if (wrong.length > 0) throw new Error(wrong.map(({ file, message }) => `${file}: ${message}`).join('\n'));
      if (project.for(nobody).describe().mode === 'idle')
        project.for(nobody).transitions.force('test-dev', 'to be measured', { session, permissionMode: null });
      return project;
    },
    remove: () => {
      for (const one of [base, home]) fs.rmSync(one, { recursive: true, force: true });
    },
  };
}

/** A PreToolUse event as the client writes it. */
export function eventOf(root: string, tool: string, input: object): string {
  return JSON.stringify({
    session_id: session,
    transcript_path: path.join(root, '../home/.claude/projects/p/t.jsonl'),
    cwd: root,
    prompt_id: '11111111-1111-4111-8111-111111111111',
    permission_mode: 'default',
    hook_event_name: 'PreToolUse',
    tool_name: tool,
    tool_input: input,
    tool_use_id: 'toolu_0123456789abcdefghijklmn',
  });
}

export const refusedBash = {
  command: "cd src && grep -rn 'a = 1' . | head -20 && sed -i s/1/2/ a.ts",
  description: 'Find and change a',
};

/** More calls than anything remembers, so that each is looked at as one that was never made. */
export const manyCalls = 2_000;

/** The same once more, about another file and another text. */
export function refusedBashAt(n: number): typeof refusedBash {
  return { ...refusedBash, command: refusedBash.command.replace("'a = 1'", `'a = ${n}'`).replace('a.ts', `a${n}.ts`) };
}

/** Gives them one after the other, again and again. */
export function inTurn<T>(all: readonly T[]): () => T {
  let at = -1;
  return () => {
    at = (at + 1) % all.length;
    return all[at] as T;
  };
}

export interface Running {
  process: ChildProcess;
  /** Milliseconds from the start of the process until it had answered a tool call. */
  firstVerdictMs: number;
  stop(): Promise<void>;
}

/** The line that the client runs for a tool call, for a plugin in this folder. */
export function hookLine(plugin = packageRoot): { command: string; args: string[] } {
  const { hooks } = JSON.parse(fs.readFileSync(path.join(packageRoot, 'hooks/hooks.json'), 'utf8')) as {
    hooks: { PreToolUse: { hooks: { type: string; command: string; args: string[] }[] }[] };
  };
  const line = hooks.PreToolUse[0]?.hooks.find(({ type }) => type === 'command');
  if (line === undefined) throw new Error('hooks.json has no command for PreToolUse');
  return { command: line.command, args: line.args.map((arg) => arg.replace('${CLAUDE_PLUGIN_ROOT}', plugin)) };
}

/** The arguments that the plugin gives Node for its server. */
function serverArguments(): string[] {
  const manifest = JSON.parse(fs.readFileSync(path.join(packageRoot, '.claude-plugin/plugin.json'), 'utf8'));
  const { args } = (manifest as { mcpServers: { modes: { args: string[] } } }).mcpServers.modes;
  return args.map((arg) => arg.replace('${CLAUDE_PLUGIN_ROOT}', packageRoot));
}

/** Starts the server for the project as the plugin does, says initialize to it as the client does, and waits for its first verdict on the socket. */
export async function startServer(fixture: Fixture): Promise<Running> {
  const started = performance.now();
  const child = spawn(process.execPath, serverArguments(), {
    cwd: fixture.root,
    env: fixture.env,
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '0' } };
  child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params })}\n`);
  const event = eventOf(fixture.root, 'Read', { file_path: path.join(fixture.root, 'src/a.ts') });
  while (!(await isAnswered(fixture.root, event))) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`);
    if (performance.now() - started > 20_000) throw new Error('the server has not answered for 20 s');
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  const firstVerdictMs = performance.now() - started;
  return {
    process: child,
    firstVerdictMs,
    async stop() {
      child.stdin?.end();
      await ended;
    },
  };
}

/** The socket's absolute path; short enough here. */
export const socketOf = (root: string): string => path.join(root, '.claude/mode.sock');

/** A request as raw HTTP, for a connection that stays open. */
export function requestOf(event: string): string {
  const head = `POST /check-tool HTTP/1.1\r\nHost: modes\r\nX-Modes-Entrypoint: cli\r\nContent-Type: application/json`;
  return `${head}\r\nContent-Length: ${Buffer.byteLength(event)}\r\n\r\n${event}`;
}

function isAnswered(root: string, event: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(socketOf(root), () => socket.write(requestOf(event)));
    socket.once('data', (data) => {
      socket.destroy();
      resolve(data.toString().startsWith('HTTP/1.1 200'));
    });
    socket.once('error', () => resolve(false));
  });
}
