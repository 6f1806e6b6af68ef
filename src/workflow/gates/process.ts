// A command that Modes runs itself: in its own process group, with limits on time and output, and without a terminal.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';

export interface Order {
  /** Shell text. */
  command: string;
  /** Absolute. */
  folder: string;
  env: NodeJS.ProcessEnv;
  /** Standard input; empty if absent. */
  input?: string;
  timeoutMs: number;
  signal?: AbortSignal;
  /** Also returns the whole output. */
  whole?: boolean;
}

export type ProcessEnd =
  | { how: 'exited'; code: number }
  | { how: 'signal'; signal: string }
  | { how: 'timeout' }
  | { how: 'flood' }
  | { how: 'withdrawn' }
  | { how: 'unstarted'; why: string };

export interface ProcessOutcome {
  ended: ProcessEnd;
  /** Standard output and error in the order of arrival, limited to the beginning and the end. */
  output: string;
  /** The same up to `maxPrinted`, if the order asks for it; otherwise null. */
  whole: string | null;
  /** Milliseconds. */
  tookMs: number;
}

/** Limit in bytes after which a command is ended, and how many bytes of either end of its output are kept. */
export const maxPrinted = 16 * 1_048_576;
const defaultEndBytes = 32_768;
/** Milliseconds between SIGTERM and SIGKILL, and milliseconds to wait for remaining output after the end. */
const graceMs = 2_000;
const drainMs = 500;
/** Milliseconds between two searches for remaining processes. */
const settleMs = 20;

/** Set in the environment of everything that a command starts, to find processes that left its group. */
const mark = 'MODES_GATE_RUN';

/** Running process groups, which end with this process. */
const running = new Set<number>();
let guarded = false;

/** Runs a command to its end. Never rejects. Afterwards no process of its group is alive, and on Linux none with its mark. */
export async function runBounded(order: Order): Promise<ProcessOutcome> {
  const started = performance.now();
  const output = new HeadTail();
  const whole = order.whole === true ? new HeadTail(maxPrinted) : null;
  const took = () => Math.round(performance.now() - started);
  const id = randomUUID();
  let child: ChildProcess;
  try {
    child = start(order, id);
  } catch (error) {
    return { ended: { how: 'unstarted', why: (error as Error).message }, output: '', whole: null, tookMs: took() };
  }
  const guard = child.pid === undefined ? null : startGuard(child.pid);
  const ended = await follow(child, order, output, whole);
  if (child.pid !== undefined) {
    signalGroup(child.pid, 'SIGKILL');
    running.delete(child.pid);
  }
  guard?.kill('SIGKILL');
  await endMarked(id);
  await drained(child);
  return { ended, output: output.text(), whole: whole?.text() ?? null, tookMs: took() };
}

function start({ command, folder, env, input }: Order, id: string): ChildProcess {
  const [program, ...args] = shell();
  const child = spawn(program as string, [...args, command], {
    cwd: folder,
    env: { ...env, [mark]: id },
    // A new session has no terminal that could prompt a person, and one group to end.
    detached: true,
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  if (child.pid !== undefined) {
    running.add(child.pid);
    guardExit();
  }
  // A command may ignore its input.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(input);
  return child;
}

/** Kills the command's process group if this process is killed, because then the pipe that the guard reads closes. */
function startGuard(pid: number): ChildProcess {
  const guard = spawn('/bin/sh', ['-c', 'read -r _; kill -KILL -- "-$1"', 'sh', String(pid)], {
    cwd: '/',
    env: {},
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guard.on('error', (error) =>
    process.stderr.write(`modes: the process that would end the command of a gate did not start: ${error.message}\n`),
  );
  guard.stdin?.on('error', () => undefined);
  guard.unref();
  return guard;
}

function shell(): string[] {
  const bash = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash'].find((file) => fs.existsSync(file));
  return bash === undefined ? ['/bin/sh', '-c'] : [bash, '--noprofile', '--norc', '-c'];
}

/** Resolves when the command itself has ended or was ended. */
function follow(
  child: ChildProcess,
  { timeoutMs, signal }: Order,
  output: HeadTail,
  whole: HeadTail | null,
): Promise<ProcessEnd> {
  return new Promise((resolve) => {
    let why: ProcessEnd | null = null;
    let last: NodeJS.Timeout | undefined;
    const done = (ended: ProcessEnd): void => {
      clearTimeout(limit);
      clearTimeout(last);
      signal?.removeEventListener('abort', withdraw);
      resolve(ended);
    };
    const end = (reason: ProcessEnd, at: NodeJS.Signals): void => {
      if (why !== null || child.pid === undefined) return;
      why = reason;
      const pid = child.pid;
      signalGroup(pid, at);
      last = setTimeout(() => signalGroup(pid, 'SIGKILL'), graceMs);
    };
    const withdraw = (): void => end({ how: 'withdrawn' }, 'SIGTERM');
    const limit = setTimeout(() => end({ how: 'timeout' }, 'SIGTERM'), timeoutMs);
    const take = (chunk: Buffer): void => {
      if (why === null) {
        output.add(chunk);
        whole?.add(chunk);
      }
      if (output.size > maxPrinted) end({ how: 'flood' }, 'SIGKILL');
    };
    child.stdout?.on('data', take);
    child.stderr?.on('data', take);
    child.once('error', (error) => done({ how: 'unstarted', why: error.message }));
    child.once('exit', (code, by) =>
      done(why ?? (code === null ? { how: 'signal', signal: String(by) } : { how: 'exited', code })),
    );
    signal?.addEventListener('abort', withdraw);
    if (signal?.aborted) withdraw();
  });
}

/** Reads the remaining output, but does not wait longer for a process that keeps the pipes open. */
async function drained(child: ChildProcess): Promise<void> {
  const streams = [child.stdout, child.stderr].filter((stream) => stream !== null && !stream.closed);
  const closed = Promise.all(streams.map((stream) => new Promise((resolve) => stream?.once('close', resolve))));
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([closed, new Promise((resolve) => (timer = setTimeout(resolve, drainMs)))]);
  clearTimeout(timer);
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  signalProcess(-pid, signal);
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // ESRCH: the process has ended, as wanted. EPERM: it now belongs to another user and cannot be ended.
    if (!['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

function guardExit(): void {
  if (guarded) return;
  guarded = true;
  process.once('exit', () => {
    for (const pid of running) signalGroup(pid, 'SIGKILL');
  });
}

/** Linux: processes that started a session of their own still have the mark, unless they cleared their environment. */
async function endMarked(id: string): Promise<void> {
  if (process.platform !== 'linux') return;
  // During exec a process has no environment for a moment. So two rounds in a row must find nothing.
  for (let round = 0, none = 0; round < 20 && none < 2; round++) {
    if (round > 0) await new Promise((resolve) => setTimeout(resolve, settleMs));
    const found = await markedWith(`${mark}=${id}`);
    none = found.length === 0 ? none + 1 : 0;
    for (const pid of found) signalProcess(pid, 'SIGKILL');
  }
}

async function markedWith(text: string): Promise<number[]> {
  const names = (await fs.promises.readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    names.map(async (name) => {
      try {
        return (await fs.promises.readFile(`/proc/${name}/environ`)).includes(text) && (await isLive(name)) ? [Number(name)] : [];
      } catch {
        // The process is gone, or belongs to another user.
        return [];
      }
    }),
  );
  return found.flat();
}

/** A zombie has ended already. */
async function isLive(name: string): Promise<boolean> {
  const stat = await fs.promises.readFile(`/proc/${name}/stat`, 'utf8');
  return !/\) [ZX] /.test(stat);
}

/** The beginning and the end of a stream of bytes. */
export class HeadTail {
  size = 0;
  private head: Buffer[] = [];
  private headSize = 0;
  private tail: Buffer[] = [];
  private tailSize = 0;

  constructor(private readonly endBytes = defaultEndBytes) {}

  add(chunk: Buffer): void {
    this.size += chunk.length;
    const limits = this.endBytes - this.headSize;
    if (limits > 0) {
      this.head.push(chunk.subarray(0, limits));
      this.headSize += Math.min(limits, chunk.length);
    }
    const rest = chunk.subarray(Math.max(0, limits));
    if (rest.length === 0) return;
    this.tail.push(rest);
    this.tailSize += rest.length;
    if (this.tailSize <= 8 * this.endBytes) return;
    this.tail = [this.end()];
    this.tailSize = this.tail[0]?.length ?? 0;
  }

  text(): string {
    const end = this.end();
    const between = this.size - this.headSize - end.length;
    const parts = [Buffer.concat(this.head), end].map((part) => part.toString('utf8'));
    return parts.join(between > 0 ? `\n… ${between} bytes …\n` : '');
  }

  private end(): Buffer {
    const all = Buffer.concat(this.tail);
    return all.subarray(Math.max(0, all.length - this.endBytes));
  }
}
