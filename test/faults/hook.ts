// Runs the hook as the client does, and says what the client would make of its answer.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { pluginFolder, SYSTEM_PATH } from '../e2e/client.ts';
import type { Place } from '../e2e/place.ts';

export interface HookRun {
  code: number | null;
  stdout: string;
  stderr: string;
  /** What the client does with the call; `open`: it would run although the hook decided nothing. */
  effect: 'pass' | 'allow' | 'ask' | 'deny' | 'blocked' | 'open';
}

export interface HookOptions {
  event?: string;
  /** Process id of the client whose server counts as the session's own. */
  client?: number;
  env?: Record<string, string>;
  plugin?: string;
  /** Working folder of the hook; the project unless given. */
  cwd?: string;
}

/** A whole PreToolUse event for a tool call in the project. */
export function eventOf(place: Place, tool: string, input: unknown, more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    session_id: '00000000-0000-4000-8000-000000000000',
    transcript_path: path.join(place.home, '.claude/projects/p/s.jsonl'),
    cwd: place.project,
    permission_mode: 'bypassPermissions',
    hook_event_name: 'PreToolUse',
    tool_name: tool,
    tool_input: input,
    tool_use_id: 'toolu_fault',
    ...more,
  };
}

/** A call that every mode of the project used here denies, and one that every mode passes. */
export const closedCall = (place: Place) =>
  eventOf(place, 'Write', { file_path: path.join(place.project, 'src/calc.ts'), content: 'x' });
export const openCall = (place: Place) => eventOf(place, 'Read', { file_path: path.join(place.project, 'README.md') });

/** Runs `hooks/client.sh` with an event on stdin; objects are sent as JSON, strings and bytes as they are. */
export async function runHook(place: Place, input: object | string | Buffer, options: HookOptions = {}): Promise<HookRun> {
  const { event = 'PreToolUse', plugin = pluginFolder(), client } = options;
  const child = spawn('/bin/sh', [path.join(plugin, 'hooks/client.sh'), event], {
    cwd: options.cwd ?? place.project,
    env: {
      HOME: place.home,
      PATH: SYSTEM_PATH,
      CLAUDE_PROJECT_DIR: place.project,
      CLAUDE_PLUGIN_ROOT: plugin,
      CLAUDE_CODE_ENTRYPOINT: 'cli',
      CLAUDE_CODE_SESSION_ID: '00000000-0000-4000-8000-000000000000',
      ...(client === undefined ? {} : { CLAUDE_PID: String(client) }),
      ...options.env,
    },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  // A hook that refuses early does not read its stdin; the client does not mind, nor do we.
  child.stdin.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'ECONNRESET') throw error;
  });
  child.stdin.end(typeof input === 'string' || Buffer.isBuffer(input) ? input : JSON.stringify(input));
  const code = await new Promise<number | null>((done) => child.on('close', done));
  return { code, stdout, stderr, effect: effectOf(code, stdout) };
}

/** The client's reading of a PreToolUse command hook with `onFailure: block`, as measured. */
function effectOf(code: number | null, stdout: string): HookRun['effect'] {
  if (code !== 0) return 'blocked'; // 2 by itself, everything else by onFailure
  if (stdout.trim() === '') return 'pass';
  let answer: { hookSpecificOutput?: { hookEventName?: string; permissionDecision?: string } } | null;
  try {
    answer = JSON.parse(stdout);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return 'open';
  }
  if (answer === null || typeof answer !== 'object' || Array.isArray(answer)) return 'open';
  if (Object.keys(answer).length === 0) return 'pass';
  const { hookEventName, permissionDecision } = answer.hookSpecificOutput ?? {};
  if (hookEventName !== 'PreToolUse') return 'open';
  if (permissionDecision === 'allow' || permissionDecision === 'ask' || permissionDecision === 'deny') return permissionDecision;
  return 'open';
}
