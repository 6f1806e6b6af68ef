// The shell client with a stand-in for everything around it: a plugin folder, a governed project, a server on its socket.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterTest } from '../../support/cleanup.ts';
import { temporaryFolder } from '../../support/files.ts';

const repository = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../..');
export const clientText = fs.readFileSync(path.join(repository, 'hooks/client.sh'), 'utf8');
const perlText = fs.readFileSync(path.join(repository, 'hooks/client.pl'));

/** Shells that may stand behind /bin/sh and are here, each once. */
export const shells: [name: string, command: string, args: string[]][] = (
  [
    ['sh', '/bin/sh', []],
    ['dash', '/bin/dash', []],
    ['bash', '/bin/bash', ['--posix']],
  ] as [string, string, string[]][]
).filter(
  ([, command], at, all) =>
    fs.existsSync(command) &&
    all.findIndex(([, other]) => fs.existsSync(other) && fs.realpathSync(other) === fs.realpathSync(command)) === at,
);

/** What asks the socket: the first that the system has. */
export type Form = 'perl' | 'curl';
const perl = '/usr/bin/perl';
export const hasPerl = fs.existsSync(perl);
if (!hasPerl)
  process.stderr.write(`\n*** ${perl} is not there: hooks/client.pl IS NOT TESTED on this machine, only curl is. ***\n\n`);

/** Every way in which the socket is asked; what the shell does for perl is the same in each. */
export const clients: [form: Form, name: string, shell: (typeof shells)[number]][] = [
  ...(hasPerl ? [['perl', 'sh', shells[0]] as [Form, string, (typeof shells)[number]]] : []),
  ...shells.map((shell): [Form, string, (typeof shells)[number]] => ['curl', shell[0], shell]),
];

/** Stands in for the one-shot process: says what it was given, answers what the file beside it says. */
const oneShot = `
const fs = require('node:fs'), path = require('node:path'), { createHash } = require('node:crypto');
const here = path.dirname(__filename);
const input = process.argv[2] === 'PreToolUse' ? fs.readFileSync(0) : Buffer.alloc(0);
const { MODES_PATH, MODES_PLUGIN_ROOT, PATH, NODE_OPTIONS, NODE_EXTRA_CA_CERTS } = process.env;
const node = Object.keys(process.env).filter((name) => /^(NODE_|TZ)/.test(name));
fs.appendFileSync(path.join(here, 'ran'), JSON.stringify({ args: process.argv.slice(2), bytes: input.length, sha: createHash('sha256').update(input).digest('hex'), MODES_PATH, MODES_PLUGIN_ROOT, PATH, NODE_OPTIONS, NODE_EXTRA_CA_CERTS, node }) + '\\n');
const { answer, code, signal } = JSON.parse(fs.readFileSync(path.join(here, 'behaviour.json'), 'utf8'));
fs.writeSync(1, answer);
if (signal) process.kill(process.pid, signal);
process.exit(code);
`;

/** Names that a careless client would trip over. */
export const folderNames = [
  'with space',
  "it's",
  'a "b"',
  'new\nline',
  '$HOME',
  '`id`',
  '$(id)',
  '-n',
  '*',
  'ü',
  'back\\slash',
  'hooks/hooks',
  `${'long/'.repeat(20)}${'x'.repeat(120)}`,
];

export const decision = (effect: string, reason: string) =>
  `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"${effect}","permissionDecisionReason":"${reason}"}}`;
export const contextOf = (event: string, text: string) =>
  `{"hookSpecificOutput":{"hookEventName":"${event}","additionalContext":"${text}"}}`;
/** Ways in which a one-shot process never ends. */
const sleepsForLong = 'exec sleep 600';
export const hangs: [name: string, how: string][] = [
  ['waits', sleepsForLong],
  ['is stopped', 'kill -STOP $$; exec sleep 600'],
  ['ignores signals', "trap '' ALRM TERM INT HUP; exec sleep 600"],
  ['is in an endless loop', 'while :; do :; done'],
];
/** What a call is told when the check reached a limit: a decision, since the client prints the hook's command line before stderr. */
export const late =
  /^\{"hookSpecificOutput":\{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"Modes did not decide this call within its limits \(\d+ seconds, 1 of processor time\), so the call is denied: run modes doctor in a terminal to find the cause, or make the call smaller \(E_HOOK_CHECK\)\."\}\}\n$/;
/** What the one-shot says unless told otherwise. */
export const fallback = decision('deny', 'decided by the one-shot');

export interface Ran {
  args: string[];
  bytes: number;
  sha: string;
  MODES_PATH: string;
  MODES_PLUGIN_ROOT: string;
  PATH: string;
  NODE_OPTIONS?: string;
  NODE_EXTRA_CA_CERTS?: string;
  /** Variables of Node's, and of the zone of time, that it was given. */
  node: string[];
}

export interface Result {
  code: number | null;
  out: string;
  err: string;
  /** Runs of the one-shot. */
  ran: Ran[];
}

export interface Given {
  event?: string;
  env?: NodeJS.ProcessEnv;
  stdin?: string | Buffer;
  /** Leaves stdin open and unread for as long as the client runs. */
  hold?: boolean;
  cwd?: string;
  shell?: [string, string, string[]];
  form?: Form;
}

export class Fixture {
  readonly top = temporaryFolder('modes-hook-');
  readonly home: string;
  readonly project: string;
  readonly plugin: string;
  private readonly closers: (() => void)[] = [];

  constructor(names: { project?: string; plugin?: string } = {}) {
    this.home = path.join(this.top, 'home');
    this.project = path.join(this.home, names.project ?? 'work');
    this.plugin = path.join(this.top, names.plugin ?? 'plugin');
    fs.mkdirSync(this.data, { recursive: true });
    fs.mkdirSync(path.join(this.project, '.claude'), { recursive: true });
    fs.mkdirSync(path.join(this.plugin, 'hooks'), { recursive: true });
    fs.mkdirSync(path.join(this.plugin, 'dist'), { recursive: true });
    this.script(clientText);
    fs.writeFileSync(path.join(this.plugin, 'hooks/client.pl'), perlText);
    fs.writeFileSync(path.join(this.plugin, 'dist/build'), 'build-1\n');
    fs.writeFileSync(path.join(this.plugin, 'dist/hook.cjs'), oneShot);
    fs.writeFileSync(path.join(this.data, 'node'), `${process.execPath}\n`);
    this.oneShot({});
    afterTest(() => this.close());
  }

  get data(): string {
    return path.join(this.home, '.claude/modes-data');
  }

  get socket(): string {
    return path.join(this.project, '.claude/mode.sock');
  }

  /** Writes modes.yaml, so that the project is governed. */
  govern(): this {
    fs.writeFileSync(path.join(this.project, '.claude/modes.yaml'), '');
    return this;
  }

  script(text: string): void {
    fs.writeFileSync(path.join(this.plugin, 'hooks/client.sh'), text, { mode: 0o755 });
  }

  /** Changes the one place that the script has of a text. */
  edit(from: string | RegExp, to: string): void {
    const before = fs.readFileSync(path.join(this.plugin, 'hooks/client.sh'), 'utf8');
    const parts = before.split(from);
    if (parts.length !== 2) throw new Error(`${parts.length - 1} places of ${from}`);
    this.script(parts.join(to));
  }

  /** The client without a perl, without a curl (with every other program), or with neither. */
  without(...forms: Form[]): this {
    if (forms.includes('perl')) this.edit(/^perl=\S+$/m, 'perl=/nonexistent');
    if (forms.includes('curl')) this.edit(/^PATH=\S+$/m, 'PATH=/nonexistent');
    return this;
  }

  oneShot({ answer = fallback, code = 0, signal = null }: { answer?: string; code?: number; signal?: string | null }): void {
    fs.writeFileSync(path.join(this.plugin, 'dist/behaviour.json'), JSON.stringify({ answer, code, signal }));
  }

  /** A Node that never ends, and short limits for it. */
  hang(how: string = sleepsForLong): this {
    const file = path.join(this.top, 'hanging');
    fs.writeFileSync(file, `#!/bin/sh\necho $$ >>'${this.top}/hung'\n${how}\n`, { mode: 0o755 });
    fs.writeFileSync(path.join(this.data, 'node'), `${file}\n`);
    this.edit('\nlimit=14\n', `\nlimit=${how.includes('while') ? 9 : 1}\n`);
    this.edit('\ncpu=10\n', '\ncpu=1\n');
    return this;
  }

  /** Process ids of what hung. */
  get hung(): number[] {
    return fs.readFileSync(path.join(this.top, 'hung'), 'utf8').trim().split('\n').map(Number);
  }

  /** Records that a server of this session runs; our own process stands in for it. */
  record(name = 'pid-4242', pid: number | string = process.pid): this {
    fs.mkdirSync(path.join(this.data, 'sessions'), { recursive: true });
    fs.writeFileSync(path.join(this.data, 'sessions', name), `${pid}\n`);
    return this;
  }

  /** Binds the socket as the server does, relative to its folder. */
  async bind(server: net.Server | http.Server, name = 'mode.sock'): Promise<void> {
    const before = process.cwd();
    process.chdir(path.join(this.project, '.claude'));
    server.listen(name);
    process.chdir(before);
    await once(server, 'listening');
    const open = new Set<net.Socket>();
    server.on('connection', (socket: net.Socket) => {
      open.add(socket);
      socket.on('error', () => socket.destroy());
    });
    this.closers.push(() => {
      for (const socket of open) socket.destroy();
      server.close();
    });
  }

  /** A server that takes the whole event and answers; gives what it was asked. */
  async serve(
    answer: string | ((request: http.IncomingMessage) => string),
    code = 200,
  ): Promise<{ url: string; headers: http.IncomingHttpHeaders; bytes: number; sha: string }[]> {
    const { createHash } = await import('node:crypto');
    const asked: { url: string; headers: http.IncomingHttpHeaders; bytes: number; sha: string }[] = [];
    const server = http.createServer((request, response) => {
      const hash = createHash('sha256');
      let bytes = 0;
      request.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        hash.update(chunk);
      });
      request.on('end', () => {
        asked.push({ url: `${request.method} ${request.url}`, headers: request.headers, bytes, sha: hash.digest('hex') });
        const text = typeof answer === 'string' ? answer : answer(request);
        response.writeHead(code, { 'content-length': Buffer.byteLength(text) });
        response.end(text);
      });
    });
    await this.bind(server);
    return asked;
  }

  /** A server that does as told with each connection once something arrived on it. */
  async answer(act: (socket: net.Socket, text: string) => void, from: 'connection' | 'data' = 'data'): Promise<void> {
    await this.bind(
      net.createServer((socket) => {
        socket.on('error', () => socket.destroy());
        if (from === 'connection') act(socket, '');
        else socket.on('data', (chunk) => act(socket, chunk.toString()));
      }),
    );
  }

  /** A server that counts as this session's, takes the whole event, lets go of nothing before, and then does as told. */
  async afterTheEvent(act: (socket: net.Socket) => void): Promise<this> {
    const answered = new WeakSet<net.Socket>();
    await this.record().answer((socket, text) => {
      if (/^expect: 100-continue\r$/im.test(text)) socket.write('HTTP/1.1 100 Continue\r\n\r\n');
      // The event may come in several pieces.
      else if (!answered.has(socket)) {
        answered.add(socket);
        act(socket);
      }
    });
    return this;
  }

  /** A server that counts as this session's and hangs up on everybody. */
  async forsake(): Promise<this> {
    await this.record().answer((socket) => socket.destroy(), 'connection');
    return this;
  }

  get ran(): Ran[] {
    const file = path.join(this.plugin, 'dist/ran');
    return fs.existsSync(file)
      ? fs
          .readFileSync(file, 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as Ran)
      : [];
  }

  async run({
    event = 'PreToolUse',
    env = {},
    stdin = '{"tool_name":"Write"}',
    hold = false,
    cwd = this.project,
    shell = shells[0] as (typeof shells)[number],
    form = 'perl',
  }: Given = {}): Promise<Result> {
    const script = path.join(this.plugin, 'hooks/client.sh');
    if (form === 'curl') this.script(fs.readFileSync(script, 'utf8').replace(/^perl=\S+$/m, 'perl=/nonexistent'));
    const [, command, args] = shell;
    const child = spawn(command, [...args, script, event], {
      cwd,
      env: {
        HOME: this.home,
        PATH: '/usr/bin:/bin',
        CLAUDE_PROJECT_DIR: this.project,
        CLAUDE_PID: '4242',
        CLAUDE_CODE_ENTRYPOINT: 'cli',
        ...env,
      },
    });
    let out = '';
    let err = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      err += text;
    });
    // A client that does not read its input ends before all of it is written.
    child.stdin.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && error.code !== 'ECONNRESET') throw error;
    });
    child.stdin.write(stdin);
    if (!hold) child.stdin.end();
    const [code] = (await once(child, 'close')) as [number | null];
    child.stdin.destroy();
    return { code, out, err, ran: this.ran };
  }

  close(): void {
    for (const close of this.closers.splice(0)) close();
    fs.rmSync(this.top, { recursive: true, force: true });
  }
}
