// The real client, headless: installed once from npm at a pinned version, run against the scripted model in a home of its own.
import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ModelRequest, startModel, type Turn } from './model.ts';
import { endMarked, MARK, signal } from './processes.ts';
import type { Steering } from './steering.ts';

/** MODES_E2E_CLIENT tries another one, such as one that is newer than the pinned. */
export const CLIENT_VERSION = process.env.MODES_E2E_CLIENT || '2.1.332';
/** The repository, whose root is the plugin's root too. */
export const REPOSITORY = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
/** The plugin under test: a copy that is made before all tests, as a clone would be, so that an edit meanwhile changes nothing. */
export const pluginFolder = (): string => process.env.MODES_E2E_PLUGIN || REPOSITORY;
export const FAKE_KEY = 'sk-ant-fake-000';

const CACHE = process.env.MODES_E2E_CACHE || path.join(REPOSITORY, '.cache/client');

let installed: string | undefined;

/** Path of the client's executable; installs the pinned version when it is not there yet (about 360 MB, once). Looks once a process. */
export function installClient(): string {
  installed ??= install();
  return installed;
}

function install(): string {
  const folder = path.join(CACHE, CLIENT_VERSION);
  const binary = path.join(folder, 'node_modules/.bin/claude');
  if (versionOf(binary) === CLIENT_VERSION) return binary;
  const fresh = `${folder}.${process.pid}`;
  fs.mkdirSync(fresh, { recursive: true });
  fs.writeFileSync(path.join(fresh, 'package.json'), '{"private":true}\n');
  const wanted = `@anthropic-ai/claude-code@${CLIENT_VERSION}`;
  const npm = spawnSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', wanted], {
    cwd: fresh,
    encoding: 'utf8',
    timeout: 300_000,
  });
  if (npm.status !== 0) throw new Error(`cannot install ${wanted} from npm: ${npm.error?.message ?? npm.stderr}`);
  fs.rmSync(folder, { recursive: true, force: true });
  fs.renameSync(fresh, folder);
  const found = versionOf(binary);
  if (found !== CLIENT_VERSION) throw new Error(`${binary} says it is version ${found}, not ${CLIENT_VERSION}`);
  return binary;
}

function versionOf(binary: string): string | undefined {
  if (!fs.existsSync(binary)) return undefined;
  const run = spawnSync(binary, ['--version'], {
    encoding: 'utf8',
    timeout: 30_000,
    env: { PATH: '/usr/bin:/bin', HOME: '/nonexistent' },
  });
  return run.stdout?.match(/^\d+\.\d+\.\d+/)?.[0];
}

/** The search path of a test: the folder of this Node first, then the system's. */
export const SYSTEM_PATH = [path.dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(path.delimiter);

/**
 * The whole environment of a client: nothing is inherited, so a developer's own settings cannot colour a test. Its temporary
 * folder lies beside the home.
 * @param mark found again in every descendant, so that all of them can be ended.
 */
export function clientEnvironment(
  home: string,
  url: string,
  mark: string,
  more: Record<string, string> = {},
): Record<string, string> {
  const temporary = path.join(path.dirname(home), 'tmp');
  fs.mkdirSync(temporary, { recursive: true });
  return {
    HOME: home,
    TMPDIR: temporary,
    PATH: SYSTEM_PATH,
    LANG: 'C.UTF-8',
    // The same on a machine that has another one as well.
    SHELL: '/bin/bash',
    TERM: 'dumb',
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: FAKE_KEY,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    // Else an interactive client fetches one from the network.
    CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    IS_SANDBOX: '1',
    [MARK]: mark,
    ...more,
  };
}

/** Fills a home so that the client asks nothing at its start: no onboarding, the key accepted, these projects trusted. */
export function seedHome(home: string, trusted: string[] = []): void {
  fs.mkdirSync(path.join(home, '.claude'), { recursive: true });
  const projects = Object.fromEntries(trusted.map((project) => [project, { hasTrustDialogAccepted: true, allowedTools: [] }]));
  const seed = {
    hasCompletedOnboarding: true,
    theme: 'dark',
    bypassPermissionsModeAccepted: true,
    customApiKeyResponses: { approved: [FAKE_KEY, FAKE_KEY.slice(-20), 'ant-fake-000', '-fake-000'], rejected: [] },
    projects,
  };
  fs.writeFileSync(path.join(home, '.claude.json'), JSON.stringify(seed));
}

export interface Call {
  id: string;
  name: string;
  input: unknown;
  /** What the model was told about it; undefined while there was no result. */
  result?: string;
  /** The result was an error: denied, or failed by itself. */
  refused?: boolean;
  /** The subagent's tool call it ran under, else null. */
  parent: string | null;
}

/** A hook as the client reports it under --include-hook-events. */
export interface HookReport {
  name: string;
  event: string;
  output?: string;
  stderr?: string;
  exitCode?: number;
  outcome?: string;
}

export interface Session {
  /** Exit code; null when a signal or the time limit ended it. */
  code: number | null;
  timedOut: boolean;
  calls: Call[];
  requests: ModelRequest[];
  hooks: HookReport[];
  /** The last text, as `-p` would print it. */
  result: string | undefined;
  sessionId: string | undefined;
  /** Every stream-json line. */
  lines: StreamLine[];
  stderr: string;
  /** Command lines of processes that outlived the client and were then ended. */
  left: string[];
}

export interface SessionOptions {
  project: string;
  home: string;
  turns: Turn[];
  agents?: { prompt: string; turns: Turn[] }[];
  prompt?: string;
  /** Plugin folder for --plugin-dir; null starts without one. */
  plugin?: string | null;
  /** Where the client starts; the project unless given. */
  cwd?: string;
  permissionMode?: string;
  env?: Record<string, string>;
  args?: string[];
  /** Milliseconds until the whole run is ended. */
  limit?: number;
  /** Found in the environment of every process of this session; for turns that look for one of them. */
  mark?: string;
  /** By which turns steer the session while it runs. */
  steering?: Steering;
  /** The client reports every hook on stdout. Default true; a measurement turns it off, since each report takes time. */
  reportsHooks?: boolean;
  /** Answer to requests without tools, such as those of a hook that asks a model. */
  aside?: string;
  /** Ends the whole run. */
  cancel?: AbortSignal;
}

export interface StreamLine {
  type: string;
  subtype?: string;
  session_id?: string;
  parent_tool_use_id?: string | null;
  message?: { content?: unknown };
  result?: string;
  hook_name?: string;
  hook_event?: string;
  output?: string;
  stderr?: string;
  exit_code?: number;
  outcome?: string;
  [more: string]: unknown;
}

type ContentBlock = {
  type: string;
  id?: string;
  name?: string;
  input?: unknown;
  tool_use_id?: string;
  content?: unknown;
  is_error?: boolean;
};

function parseLines(text: string): StreamLine[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as StreamLine);
}

function collectCalls(lines: StreamLine[]): Call[] {
  const calls = new Map<string, Call>();
  for (const line of lines) {
    const content = Array.isArray(line.message?.content) ? (line.message.content as ContentBlock[]) : [];
    for (const block of content) {
      if (block.type === 'tool_use' && block.id)
        calls.set(block.id, {
          id: block.id,
          name: block.name ?? '',
          input: block.input,
          parent: line.parent_tool_use_id ?? null,
        });
      const call = block.type === 'tool_result' ? calls.get(block.tool_use_id ?? '') : undefined;
      if (!call) continue;
      call.result = typeof block.content === 'string' ? block.content : JSON.stringify(block.content);
      call.refused = block.is_error === true;
    }
  }
  return [...calls.values()];
}

const hookOf = (line: StreamLine): HookReport => ({
  name: line.hook_name ?? '',
  event: line.hook_event ?? '',
  output: line.output,
  stderr: line.stderr,
  exitCode: line.exit_code,
  outcome: line.outcome,
});

/** Runs the client once with `-p` until it ends by itself or the limit is reached; ends every process it left. */
export async function session(options: SessionOptions): Promise<Session> {
  const {
    project,
    home,
    turns,
    agents,
    prompt = 'go',
    plugin = pluginFolder(),
    permissionMode = 'bypassPermissions',
    limit = 90_000,
  } = options;
  const binary = installClient();
  const { mark = randomUUID(), steering, reportsHooks = true, cancel } = options;
  cancel?.throwIfAborted();
  const model = await startModel(turns, agents, options.aside);
  const child = spawn(
    binary,
    [
      ...(steering?.args ?? ['-p', prompt]),
      ...['--permission-mode', permissionMode, '--output-format', 'stream-json', '--verbose'],
      ...(reportsHooks ? ['--include-hook-events'] : []),
      ...(plugin === null ? [] : ['--plugin-dir', plugin]),
      ...(options.args ?? []),
    ],
    {
      cwd: options.cwd ?? project,
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
      env: clientEnvironment(home, model.url, mark, options.env),
    },
  );
  let stdout = '';
  let stderr = '';
  let timedOut = false;
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  if (steering === undefined) child.stdin.end();
  else steering.attach(child.stdin, child.stdout, prompt);
  const end = () => {
    if (child.pid) signal(-child.pid, 'SIGKILL');
    endMarked(mark);
  };
  cancel?.addEventListener('abort', end, { once: true });
  const timer = setTimeout(() => {
    timedOut = true;
    end();
  }, limit);
  let left: string[] = [];
  let code: number | null;
  try {
    code = await new Promise<number | null>((done, failed) => {
      child.on('error', failed);
      child.on('exit', (exit) => {
        // A process that inherited stdout would keep 'close' waiting: end it first.
        left = endMarked(mark);
        child.once('close', () => done(exit));
      });
    });
  } finally {
    clearTimeout(timer);
    cancel?.removeEventListener('abort', end);
    end();
    await model.close();
  }
  cancel?.throwIfAborted();
  if (model.errors.length > 0) throw model.errors[0];
  const lines = parseLines(stdout);
  return {
    code,
    timedOut,
    calls: collectCalls(lines),
    requests: model.requests,
    hooks: lines.filter((line) => line.subtype === 'hook_response').map(hookOf),
    result: lines.findLast((line) => line.type === 'result')?.result,
    sessionId: lines.find((line) => line.session_id)?.session_id,
    lines,
    stderr,
    left,
  };
}
