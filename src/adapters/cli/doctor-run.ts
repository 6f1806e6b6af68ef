// The dry run: the user's own client, a scripted model, and three calls. Their outcome shows whether
// the hooks fire and fail closed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { isRunning, readPid, sessionsFolder } from '../../store/server-record.ts';
import type { FindingCode } from '../../workflow/findings/types.ts';
import { closedRule, type Lab, noKey, openFile } from './doctor-lab.ts';
import { type Model, type Script, startModel, type ToolUse } from './doctor-model.ts';

export const proofs = {
  allowed: 'a call that the modes allow goes through',
  denied: 'a denied call is refused, with the reason from Modes',
  closed: 'a denied call is also refused after the server was killed',
} as const;

export type ProofName = keyof typeof proofs;

export interface HookProof {
  name: ProofName;
  what: string;
  /** null: it was not tried. */
  held: boolean | null;
  /** The result of the call, or why it was not tried. */
  detail: string;
  /** The finding to report, or null. */
  code: FindingCode | null;
}

type ProofOutcome = Pick<HookProof, 'held' | 'detail' | 'code'>;

/** Milliseconds for the complete session, and for the server to end after it was killed. */
const patience = 60_000;
const killPatience = 5_000;

/** Runs the client in the lab. `end` stops it, and the processes that it started. */
export async function prove(client: string, lab: Lab, end: AbortSignal): Promise<HookProof[]> {
  const steps = stepsOf(lab);
  const results = new Map<ProofName, string>();
  const tried = new Map<ProofName, ProofOutcome | null>();
  let at = 0;
  const script: Script = {
    async next() {
      const step = steps[at++];
      if (step === undefined) return null;
      tried.set(step.name, await step.before());
      return step.use;
    },
    receive: (text) => {
      const step = steps[at - 1];
      if (step !== undefined && !results.has(step.name)) results.set(step.name, text);
    },
  };
  const model = await startModel(script);
  const ended = await runClient(client, lab, model, end).finally(() => model.close());
  return steps.map(({ name, outcome }): HookProof => {
    const what = proofs[name];
    const resultText = results.get(name);
    if (resultText === undefined)
      return { name, what, held: null, detail: `the client did not make the call: ${ended}`, code: 'F_NOT_PROVEN' };
    return { name, what, ...outcome(resultText, tried.get(name) ?? null) };
  });
}

interface ProofStep {
  name: ProofName;
  use: ToolUse;
  /** Runs before the call. Returns the failure that makes the call prove nothing, or null. */
  before(): Promise<ProofOutcome | null>;
  outcome(resultText: string, fault: ProofOutcome | null): ProofOutcome;
}

function stepsOf({ project, dataFolder, plugin }: Lab): ProofStep[] {
  const file = (name: string): string => path.join(project, name);
  const nothing = async (): Promise<null> => null;
  const refused = (name: 'denied' | 'closed', before: ProofStep['before']): ProofStep => {
    const closed = `closed-${name}.txt`;
    return {
      name,
      before,
      use: { name: 'Bash', input: { command: `echo x > ${closed}`, description: 'a dry run of modes doctor' } },
      outcome(resultText, fault) {
        if (fs.existsSync(file(closed)))
          return { held: false, detail: 'it was run', code: name === 'denied' ? 'F_NOT_DENIED' : 'F_NOT_CLOSED' };
        if (fault !== null) return fault;
        if (resultText.includes(closedRule)) return { held: true, detail: resultText, code: null };
        return { held: null, detail: `it was refused, but not by Modes: ${resultText}`, code: 'F_NOT_PROVEN' };
      },
    };
  };
  return [
    {
      name: 'allowed',
      before: nothing,
      // By default the client denies writes here, so only the modes can allow this one.
      use: { name: 'Write', input: { file_path: file(openFile), content: 'x' } },
      outcome(resultText) {
        const passed = fs.existsSync(file(openFile));
        return { held: passed, detail: resultText, code: passed ? null : 'F_NOT_ALLOWED' };
      },
    },
    refused('denied', nothing),
    refused('closed', () => killServer(dataFolder, plugin)),
  ];
}

/**
 * Kills the server of this session, which the lab's data folder names. It also renames the program, because the client would
 * restart it.
 */
async function killServer(dataFolder: string, plugin: string): Promise<ProofOutcome | null> {
  const pids = serversOf(dataFolder);
  if (pids.length === 0) return { held: null, detail: 'the server of Modes was not started', code: 'F_SERVER_ABSENT' };
  const program = path.join(plugin, 'dist/server.mjs');
  fs.renameSync(program, `${program}.gone`);
  if (await areKilled(pids)) return null;
  return { held: null, detail: 'the server of Modes could not be killed', code: 'F_NOT_PROVEN' };
}

function serversOf(dataFolder: string): number[] {
  const folder = sessionsFolder(dataFolder);
  const names = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
  return [...new Set(names.map((name) => readPid(path.join(folder, name))))].filter((pid) => pid !== null);
}

/** Kills the processes. Returns false if some of them still run after a while. */
async function areKilled(pids: readonly number[]): Promise<boolean> {
  for (const pid of pids) if (isRunning(pid)) process.kill(pid, 'SIGKILL');
  for (const until = performance.now() + killPatience; performance.now() < until; ) {
    if (!pids.some(isAlive)) return true;
    await new Promise((next) => setTimeout(next, 20));
  }
  return false;
}

/** A zombie process (ended, but its parent has not waited for it) does nothing any more. */
function isAlive(pid: number): boolean {
  if (!isRunning(pid)) return false;
  try {
    return !/^\d+ \(.*\) [ZX] /s.test(fs.readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    // No /proc, or the process just ended; the next check decides.
    return isRunning(pid);
  }
}

/**
 * Runs the client to its end and describes how it ended. It passes on nothing of the user's environment except the search path
 * and the language.
 */
async function runClient(client: string, lab: Lab, model: Model, end: AbortSignal): Promise<string> {
  const { PATH, LANG, LC_ALL } = process.env;
  const child = spawn(
    client,
    [
      ...['-p', 'Dry run of modes doctor.', '--output-format', 'stream-json', '--verbose', '--permission-mode', 'default'],
      ...(lab.isInstalled ? [] : ['--plugin-dir', lab.plugin]),
      ...['--allowedTools', 'Bash'],
    ],
    {
      cwd: lab.project,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH,
        ...(LANG !== undefined && { LANG }),
        ...(LC_ALL !== undefined && { LC_ALL }),
        HOME: lab.home,
        TMPDIR: path.join(lab.top, 'tmp'),
        TERM: 'dumb',
        ANTHROPIC_BASE_URL: model.url,
        ANTHROPIC_API_KEY: noKey,
        NO_PROXY: '127.0.0.1',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        DISABLE_AUTOUPDATER: '1',
        DISABLE_TELEMETRY: '1',
      },
    },
  );
  let output = '';
  const keep = (text: string): void => {
    output = `${output}${text}`.slice(-2_000);
  };
  child.stdout.setEncoding('utf8').on('data', keep);
  child.stderr.setEncoding('utf8').on('data', keep);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    endGroup(child.pid);
  }, patience);
  const stop = (): void => endGroup(child.pid);
  end.addEventListener('abort', stop);
  // The signal may have come while the lab was being made, when no listener was installed.
  if (end.aborted) stop();
  try {
    const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
    if (isLate) return `it was stopped after ${patience / 1_000} s`;
    return code === 0 ? 'it ended early' : `it ended with ${code ?? signal}: ${lastLine(output)}`;
  } catch (error) {
    return (error as Error).message;
  } finally {
    clearTimeout(timer);
    end.removeEventListener('abort', stop);
    endGroup(child.pid);
    // The client may have started its server in a separate process group. That server would write into
    // the folder that is being removed.
    await areKilled(serversOf(lab.dataFolder));
  }
}

function lastLine(text: string): string {
  return (text.trim().split('\n').at(-1) ?? '').slice(0, 300);
}

/** Kills the client's process group. */
function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
