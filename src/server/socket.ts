// The Unix socket: reading requests only. It has no request that changes anything.
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { maxEventBytes } from '../tools/call.ts';

/** What the socket answers with. Every function is synchronous and never throws. */
export interface Answers {
  build: string;
  /** The hook's answer to the JSON text of a PreToolUse event; with `explain` the whole decision; null when the text is no JSON. */
  checkTool(event: string, asked: { explain: boolean; entrypoint: string | null }): string | null;
  /** Refusal of an event that is too large. */
  tooLarge(): string;
  context(event: string): string;
  status(): string;
  health(): string;
}

/** The name in `.claude`; bound and reached relative to that folder, since an absolute path over 107 bytes is cut silently. */
export const socketName = 'mode.sock';

/** Milliseconds that a client may take to send a whole request. */
const requestTimeout = 10_000;

/** Milliseconds between two looks at whether the socket is still ours, or free. */
const lookEvery = 1_000;

/**
 * Keeps the socket of one folder bound: the first server has it, the others stand by and take over. `trouble` is told of every
 * failure once, until it changes.
 */
export class SocketKeeper {
  private server: http.Server | null = null;
  private inode = 0;
  private timer: NodeJS.Timeout | null = null;
  private busy: Promise<void> = Promise.resolve();
  private lastTrouble = '';

  constructor(
    private readonly folder: string,
    private readonly answers: Answers,
    private readonly trouble: (message: string) => void,
  ) {}

  /** Looks once now and then every second. */
  async start(): Promise<void> {
    await this.look();
    this.timer = setInterval(() => {
      this.busy = this.busy.then(() => this.look());
    }, lookEvery);
    this.timer.unref();
  }

  get holds(): boolean {
    return this.server !== null;
  }

  /** Gives the socket up and removes its name if it is still ours. */
  stop(): void {
    if (this.timer !== null) clearInterval(this.timer);
    this.release();
  }

  private async look(): Promise<void> {
    try {
      const stat = fs.lstatSync(path.join(this.folder, socketName), { throwIfNoEntry: false });
      if (this.server !== null) {
        if (stat?.ino === this.inode) return;
        this.release();
      }
      if (stat !== undefined && !(await this.clear(stat))) return;
      await this.bind();
      this.lastTrouble = '';
    } catch (error) {
      const message = `the socket in ${this.folder} cannot be bound: ${(error as Error).message}`;
      if (message !== this.lastTrouble) this.trouble(message);
      this.lastTrouble = message;
    }
  }

  /**
   * Makes room for our name: true when nobody answers on it. What is there is first renamed and only then tested and removed,
   * so that a live socket, bound by somebody else a moment ago, is put back instead of unlinked.
   */
  private async clear(stat: fs.Stats): Promise<boolean> {
    if (await isAlive(this.folder, socketName)) return false;
    if (stat.isDirectory()) throw new Error(`${socketName} is a folder`);
    const aside = `${socketName}.${process.pid}.old`;
    const name = path.join(this.folder, socketName);
    fs.renameSync(name, path.join(this.folder, aside));
    const alive = await isAlive(this.folder, aside);
    if (alive && !fs.existsSync(name)) fs.linkSync(path.join(this.folder, aside), name);
    fs.unlinkSync(path.join(this.folder, aside));
    return !alive;
  }

  /** Binds under a name of our own and claims the public one by a link, which only one process can make. */
  private async bind(): Promise<void> {
    const own = `${socketName}.${process.pid}.new`;
    const name = path.join(this.folder, own);
    fs.rmSync(name, { force: true });
    const server = createServer(this.answers);
    await listenIn(server, this.folder, own);
    try {
      fs.linkSync(name, path.join(this.folder, socketName));
      this.inode = fs.lstatSync(name).ino;
      this.server = server;
    } catch (error) {
      server.close();
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      fs.rmSync(name, { force: true });
    }
  }

  private release(): void {
    if (this.server === null) return;
    this.server.closeAllConnections();
    this.server.close();
    this.server = null;
    const name = path.join(this.folder, socketName);
    if (fs.lstatSync(name, { throwIfNoEntry: false })?.ino === this.inode) fs.rmSync(name, { force: true });
  }
}

function createServer(answers: Answers): http.Server {
  const server = http.createServer({ requestTimeout, headersTimeout: requestTimeout, keepAliveTimeout: 30_000 });
  const handle = (request: http.IncomingMessage, response: http.ServerResponse) => respond(request, response, answers);
  server.on('request', handle);
  server.on('checkContinue', (request, response) => {
    if (refuseEarly(request, response, answers)) return;
    response.writeContinue();
    handle(request, response);
  });
  server.on('clientError', (_, socket) => socket.destroy());
  return server;
}

/** True when something answers on this socket of the folder. Bounded to 500 ms; a hanging server counts as none. */
export function isAlive(folder: string, name: string): Promise<boolean> {
  return new Promise((resolve) => {
    const client = inFolder(folder, () => net.connect(name));
    const end = (alive: boolean) => {
      client.destroy();
      resolve(alive);
    };
    client.setTimeout(500, () => end(false));
    client.once('error', () => end(false));
    client.once('connect', () => client.write('GET /health HTTP/1.1\r\nHost: modes\r\nConnection: close\r\n\r\n'));
    client.once('data', () => end(true));
    client.once('close', () => end(false));
  });
}

/** Listening binds at once, so the working folder and the mask are only changed for this call. */
function listenIn(server: http.Server, folder: string, name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.once('listening', () => {
      server.off('error', reject);
      resolve();
    });
    const mask = process.umask(0o177);
    try {
      inFolder(folder, () => server.listen(name));
    } finally {
      process.umask(mask);
    }
  });
}

function inFolder<T>(folder: string, act: () => T): T {
  const before = process.cwd();
  process.chdir(folder);
  try {
    return act();
  } finally {
    process.chdir(before);
  }
}

/** Answers without taking the body: the sender still has it for its fallback. */
function refuseEarly(request: http.IncomingMessage, response: http.ServerResponse, answers: Answers): boolean {
  const build = request.headers['x-modes-build'];
  if (build !== undefined && build !== answers.build) return send(response, 409, '{"error":"another build"}');
  const length = Number(request.headers['content-length'] ?? 0);
  if (length > maxEventBytes) return send(response, 200, answers.tooLarge());
  return false;
}

function respond(request: http.IncomingMessage, response: http.ServerResponse, answers: Answers): void {
  const url = new URL(request.url ?? '/', 'http://modes');
  const route = routes.get(url.pathname);
  if (route === undefined) send(response, 404, '{"error":"Not found"}');
  else if (request.method !== route.method) send(response, 405, '{"error":"Method not allowed"}', { allow: route.method });
  else if (refuseEarly(request, response, answers)) return;
  else route.answer(request, response, url, answers);
}

interface Route {
  method: 'GET' | 'POST';
  answer(request: http.IncomingMessage, response: http.ServerResponse, url: URL, answers: Answers): void;
}

const contextEvents = new Set(['SessionStart', 'SubagentStart', 'UserPromptSubmit']);

const routes: ReadonlyMap<string, Route> = new Map<string, Route>([
  ['/health', { method: 'GET', answer: (_, response, __, answers) => void send(response, 200, answers.health()) }],
  ['/status', { method: 'GET', answer: (_, response, __, answers) => void send(response, 200, answers.status()) }],
  ['/context', {
    method: 'GET',
    answer(_, response, url, answers) {
      const event = url.searchParams.get('event') ?? 'UserPromptSubmit';
      if (contextEvents.has(event)) send(response, 200, answers.context(event));
      else send(response, 400, '{"error":"Unknown event"}');
    },
  }],
  ['/check-tool', {
    method: 'POST',
    answer(request, response, url, answers) {
      const chunks: Buffer[] = [];
      let size = 0;
      request.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size <= maxEventBytes) chunks.push(chunk);
      });
      request.on('end', () => {
        if (size > maxEventBytes) return void send(response, 200, answers.tooLarge());
        const entrypoint = request.headers['x-modes-entrypoint'];
        const text = Buffer.concat(chunks).toString('utf8');
        const answer = answers.checkTool(text, { explain: url.searchParams.get('explain') === '1', entrypoint: typeof entrypoint === 'string' ? entrypoint : null });
        if (answer === null) send(response, 400, '{"error":"Invalid JSON"}');
        else send(response, 200, answer);
      });
    },
  }],
]);

function send(response: http.ServerResponse, code: number, body: string, headers: Record<string, string> = {}): true {
  response.writeHead(code, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers });
  response.end(body);
  return true;
}
