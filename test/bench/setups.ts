// The hooks that are compared in the real client: none, the cheapest possible, each of the plugin's own, all of them, and other guards.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { loadConfiguration } from '../../src/config/load.ts';
import { dataFolderOf } from '../../src/facts/paths/place.ts';
import { recordTrust } from '../../src/store/trust.ts';
import { packageRoot } from './fixture.ts';

/** The server of the MCP calls: it answers at once. */
export const echoCommand = { command: process.execPath, args: [path.join(packageRoot, 'test/bench/echo.cjs')] };

type Handler = Record<string, unknown> & { type: string };
type Hooks = Record<string, { matcher?: string; hooks: Handler[] }[]>;

/** One set of hooks in one kind of project. */
export interface Setup {
  name: string;
  /** The plugin's hooks of this set; null for no plugin. */
  hooks: ((ours: Hooks) => Hooks) | null;
  /** The hooks are those of Modes, so its server runs too. */
  isOurs?: true;
  /** The plugin has the server of the MCP calls, so that a hook can call it. */
  hasEcho?: true;
  /** The project has modes. */
  isGoverned?: true;
  /** Another guard, which is installed into the project. */
  guard?: Guard;
}

const nothing: Handler = { type: 'command', command: '/bin/true', args: [] };
const emptyTool: Handler = { type: 'mcp_tool', server: 'plugin:least:echo', tool: 'echo', input: { text: '{}' } };
const always = (handler: Handler) => [{ matcher: '*', hooks: [handler] }];

/** Only the handlers of one type for one event. */
const only =
  (event: string, type: string) =>
  (ours: Hooks): Hooks => ({
    [event]: (ours[event] ?? []).map((group) => ({ ...group, hooks: group.hooks.filter((hook) => hook.type === type) })),
  });

export const bare: Setup = { name: 'no hooks', hooks: null };
export const cheapest: Setup = { name: '`/bin/true` before a call', hooks: () => ({ PreToolUse: always(nothing) }) };
export const all: Setup = { name: 'Modes', hooks: (ours) => ours, isOurs: true, isGoverned: true };
export const ungoverned: Setup = { name: 'Modes, project without modes', hooks: (ours) => ours, isOurs: true };

export const setups: Setup[] = [
  bare,
  cheapest,
  {
    name: '`/bin/true` before and after a call',
    hooks: () => ({ PreToolUse: always(nothing), PostToolUse: always(nothing) }),
  },
  {
    name: '`/bin/true` and an empty tool before a call',
    hooks: () => ({ PreToolUse: [{ matcher: '*', hooks: [nothing, emptyTool] }] }),
    hasEcho: true,
  },
  { name: 'Modes, shell client before a call only', hooks: only('PreToolUse', 'command'), isOurs: true, isGoverned: true },
  { name: 'Modes, private channel before a call only', hooks: only('PreToolUse', 'mcp_tool'), isOurs: true, isGoverned: true },
  { name: 'Modes, private channel after a call only', hooks: only('PostToolUse', 'mcp_tool'), isOurs: true, isGoverned: true },
  all,
  ungoverned,
];

/** Makes the folder of the plugin of a set. @returns null if the set has no plugin. */
export function makePlugin({ hooks, isOurs, hasEcho }: Setup, folder: string): string | null {
  if (hooks === null) return null;
  if (isOurs) {
    for (const name of ['.claude-plugin', 'commands', 'dist', 'hooks', 'policies', 'package.json', 'opa/opa.wasm.br'])
      fs.cpSync(path.join(packageRoot, name), path.join(folder, name), { recursive: true });
  } else {
    fs.mkdirSync(path.join(folder, '.claude-plugin'), { recursive: true });
    fs.mkdirSync(path.join(folder, 'hooks'));
    const mcpServers = hasEcho ? { echo: echoCommand } : {};
    const manifest = { name: 'least', version: '1.0.0', mcpServers };
    fs.writeFileSync(path.join(folder, '.claude-plugin/plugin.json'), JSON.stringify(manifest));
  }
  const shipped = JSON.parse(fs.readFileSync(path.join(packageRoot, 'hooks/hooks.json'), 'utf8')) as { hooks: Hooks };
  fs.writeFileSync(path.join(folder, 'hooks/hooks.json'), JSON.stringify({ hooks: hooks(shipped.hooks) }));
  return folder;
}

const perFolder = 100;

/** Makes a project with so many files, governed by the TDD example in test-dev or without modes. */
export function makeProject(folder: string, files: number, isGoverned: boolean): string {
  for (const name of ['src', 'test', '.claude']) fs.mkdirSync(path.join(folder, name), { recursive: true });
  for (let n = 0; n < files; n += 1) {
    const place = path.join(folder, `lib/part-${Math.floor(n / perFolder)}`);
    if (n % perFolder === 0) fs.mkdirSync(place, { recursive: true });
    fs.writeFileSync(path.join(place, `file-${n}.ts`), `export const n = ${n};\n`);
  }
  if (!isGoverned) return folder;
  fs.cpSync(path.join(packageRoot, 'examples/tdd/.claude'), path.join(folder, '.claude'), { recursive: true });
  const edit = (file: string, from: string | RegExp, to: string) => {
    const name = path.join(folder, '.claude', file);
    fs.writeFileSync(name, fs.readFileSync(name, 'utf8').replace(from, to));
  };
  edit('modes.yaml', /^default: .*$/m, 'default: test-dev');
  edit('settings.test-dev.json', '"allow": [', '"allow": ["mcp__echo__echo", ');
  return folder;
}

/** Makes a home whose user trusts the project's modes. */
export function trust(home: string, project: string): void {
  recordTrust(dataFolderOf({ HOME: home }), project, loadConfiguration(project).hash, 'terminal', new Date());
}

/** Another guard, as its own documents say how it is set up. */
export interface Guard {
  /** Name in the npm registry. */
  package: string;
  version: string;
  checks: string;
  hooks: Record<string, { matcher?: string; hooks: { type: 'command'; command: string }[] }[]>;
  env?: Record<string, string>;
  /** Answer of the model that the guard asks. */
  aside?: string;
  prepare?(project: string, installed: string): void;
}

const command = (line: string) => [{ type: 'command' as const, command: line }];

export const guards: Guard[] = [
  {
    package: 'cc-safety-net',
    version: '2.4.5',
    checks: 'Bash: destructive commands; all: secret files',
    hooks: { PreToolUse: [{ matcher: '*', hooks: command('cc-safety-net hook --coding-cli') }] },
  },
  {
    package: 'cc-sessions',
    version: '0.3.6',
    checks: 'writing tools and Bash: discussion or implementation',
    hooks: {
      PreToolUse: [
        {
          matcher: 'Write|Edit|MultiEdit|Task|Bash|TodoWrite|NotebookEdit',
          hooks: command('node $CLAUDE_PROJECT_DIR/sessions/hooks/sessions_enforce.js'),
        },
      ],
      PostToolUse: [{ hooks: command('node $CLAUDE_PROJECT_DIR/sessions/hooks/post_tool_use.js') }],
    },
    prepare(project, installed) {
      const scripts = path.join(installed, 'node_modules/cc-sessions/cc_sessions/javascript');
      for (const name of ['hooks', 'api', 'bin'])
        fs.cpSync(path.join(scripts, name), path.join(project, 'sessions', name), { recursive: true });
      fs.writeFileSync(path.join(project, 'sessions/sessions-state.json'), '{"mode":"implementation"}');
    },
  },
  {
    package: 'tdd-guard',
    version: '1.7.0',
    checks: 'writing tools: a model judges each change',
    hooks: { PreToolUse: [{ matcher: 'Write|Edit|MultiEdit|TodoWrite', hooks: command('tdd-guard') }] },
    env: { MODEL_TYPE: 'anthropic_api', TDD_GUARD_ANTHROPIC_API_KEY: 'sk-ant-fake-000' },
    aside: '```json\n{"decision": null, "reason": "follows TDD"}\n```',
  },
];

/** Installs the guards from npm. @returns null if npm has none here. */
export async function installGuards(folder: string, cancel?: AbortSignal): Promise<string | null> {
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'package.json'), '{"private":true}\n');
  const wanted = guards.map((guard) => `${guard.package}@${guard.version}`);
  const npm = spawn('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...wanted], {
    cwd: folder,
    stdio: 'ignore',
    timeout: 300_000,
    signal: cancel,
  });
  npm.on('error', () => undefined);
  const code = await new Promise((ended) => npm.once('close', ended));
  cancel?.throwIfAborted();
  return code === 0 ? folder : null;
}
