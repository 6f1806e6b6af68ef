// The Unix socket. It accepts read requests only: no request changes anything.
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { maxEventBytes } from '../../facts/call.ts';
import type { Caller } from '../../workflow/project.ts';

/** The answers of the socket. An exception becomes a 500, which every client treats as no answer. */
export interface Answers {
  /** The build that a client must send, with the mark of its data folder. A client that sends another one gets a 409. */
  build: string;
  /** Resolves when the current configuration is loaded. Called before every request but health and refusals. */
  ready(): Promise<void>;
  /**
   * The hook's answer to the JSON text of a PreToolUse event. With `explain`: the complete decision. null if the text is not a
   * JSON object.
   */
  checkTool(event: string, options: { explain: boolean; entrypoint: string | null }): string | null | Promise<string | null>;
  /** The refusal of an event that is too large. */
  tooLarge(): string;
  context(event: string, asker: Caller): string | Promise<string>;
  status(asker: Caller): string | Promise<string>;
  health(): string;
}

/**
 * The name in `.claude`. Bound and reached relative to that folder, because an absolute path
 * over 107 bytes is truncated silently.
 */
export const socketName = 'mode.sock';

/** Milliseconds that a client may take to send a complete request. */
const requestTimeout = 10_000;

/** More than the clients of one project need, and far fewer than the files that a process may open. */
export const maxConnections = 256;

/** Milliseconds between two checks of the owner of the socket. */
const lookEvery = 1_000;

/**
 * Keeps the socket of one folder bound. The first server binds it; the others wait and take over when it ends. `trouble` receives
 * each failure once, until the failure changes.
 */
export class SocketKeeper {
  private server: http.Server | null = null;
  private inode = 0;
  private timer: NodeJS.Timeout | null = null;
  private busy: Promise<void> = Promise.resolve();
  private lastFault = '';
  private stopped = false;
  /** Our private name beside the public one. No other server has the same, not even in another container. */
  private readonly mark = `${process.pid}-${randomBytes(4).toString('hex')}`;

  constructor(
    private readonly folder: string,
    private readonly answers: Answers,
    private readonly fault: (message: string) => void,
    private readonly socket = socketName,
  ) {}

  /** Checks once now and then every second. */
  async start(): Promise<void> {
    await this.look();
    if (this.stopped) return;
    this.timer = setInterval(() => {
      this.busy = this.busy.then(() => this.look());
    }, lookEvery);
    this.timer.unref();
  }

  get holds(): boolean {
    return this.server !== null;
  }

  /** Closes the socket and removes its name if it is still ours. */
  stop(): void {
    this.stopped = true;
    if (this.timer !== null) clearInterval(this.timer);
    this.release();
  }

  private async look(): Promise<void> {
    if (this.stopped) return;
    try {
      const stat = fs.lstatSync(path.join(this.folder, this.socket), { throwIfNoEntry: false });
      if (this.server !== null) {
        if (stat?.ino === this.inode) return;
        this.release();
      }
      if (stat !== undefined && !(await this.clear(stat))) return;
      await this.bind();
      this.lastFault = '';
    } catch (error) {
      const message = `the socket in ${this.folder} cannot be bound: ${(error as Error).message}`;
      if (message !== this.lastFault) this.fault(message);
      this.lastFault = message;
    }
  }

  /**
   * Releases the public name. Returns true if no process listens on it. Removes nothing but sockets. It renames the old socket
   * first, then tests it again, and only then removes it. So a live socket that another server bound a moment ago is put back and
   * not unlinked.
   */
  private async clear(stat: fs.Stats): Promise<boolean> {
    if (!stat.isSocket()) throw new Error(`${this.socket} is not a socket; move it`);
    if (await isAlive(this.folder, this.socket)) return false;
    const aside = `${this.socket}.${this.mark}.old`;
    const name = path.join(this.folder, this.socket);
    fs.renameSync(name, path.join(this.folder, aside));
    // If the test fails, the socket counts as alive.
    const alive = await isAlive(this.folder, aside).catch(() => true);
    if (alive && !fs.existsSync(name)) fs.linkSync(path.join(this.folder, aside), name);
    fs.unlinkSync(path.join(this.folder, aside));
    return !alive;
  }

  /** Binds under a private name and claims the public one by a hard link, which only one process can make. */
  private async bind(): Promise<void> {
    const own = `${this.socket}.${this.mark}.new`;
    const name = path.join(this.folder, own);
    const server = createServer(this.answers);
    await listenIn(server, this.folder, own);
    try {
      if (this.stopped) return closeServer(server);
      fs.linkSync(name, path.join(this.folder, this.socket));
      this.inode = fs.lstatSync(name).ino;
      this.server = server;
    } catch (error) {
      closeServer(server);
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      fs.rmSync(name, { force: true });
    }
  }

  private release(): void {
    if (this.server === null) return;
    closeServer(this.server);
    this.server = null;
    const name = path.join(this.folder, this.socket);
    if (inodeOf(name) === this.inode) fs.rmSync(name, { force: true });
  }
}

/** null if no file has this name, or if it cannot be examined. */
function inodeOf(name: string): number | null {
  try {
    return fs.lstatSync(name).ino;
  } catch {
    return null;
  }
}

function createServer(answers: Answers): http.Server {
  const server = http.createServer({
    requestTimeout,
    headersTimeout: requestTimeout,
    keepAliveTimeout: 30_000,
    connectionsCheckingInterval: lookEvery,
  });
  server.on('request', (request, response) => void respond(request, response, answers, () => undefined));
  server.on('checkContinue', (request, response) => void respond(request, response, answers, () => response.writeContinue()));
  server.on('clientError', (_, socket) => socket.destroy());
  boundConnections(server);
  return server;
}

/** Stops listening and ends every connection. */
function closeServer(server: http.Server): void {
  server.closeAllConnections();
  server.close();
}

/** Closes the oldest of too many connections, so that a new one is always accepted: a client sends its request at once. */
function boundConnections(server: http.Server): void {
  const open = new Set<net.Socket>();
  server.on('connection', (socket: net.Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    const [oldest] = open;
    if (open.size > maxConnections) oldest?.destroy();
  });
}

/** True if a process listens on this socket of the folder, even a server that hangs. Takes 500 ms at most. */
export function isAlive(folder: string, name: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const client = inFolder(folder, () => net.connect(name));
    const end = (alive: boolean) => {
      client.destroy();
      resolve(alive);
    };
    client.setTimeout(500, () => end(true));
    client.once('connect', () => end(true));
    client.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' || error.code === 'ENOENT' || error.code === 'ENOTSOCK') end(false);
      // A full queue belongs to a live server. On any other error nothing is removed.
      else if (error.code === 'EAGAIN') end(true);
      else reject(error);
    });
  });
}

/** `listen` binds immediately, so the working folder and the umask are changed only for this call. */
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
  const before = workingFolder();
  process.chdir(folder);
  try {
    return act();
  } finally {
    process.chdir(before);
  }
}

/** The working folder, or `/` if it was removed while we run. */
function workingFolder(): string {
  try {
    return process.cwd();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '/';
    throw error;
  }
}

/** Sends refusals before it reads the body, so that the sender still has it for its fallback. Then answers. */
async function respond(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  answers: Answers,
  takeBody: () => void,
): Promise<void> {
  try {
    const url = urlOf(request);
    const route = url === null ? undefined : routes.get(url.pathname);
    const build = request.headers['x-modes-build'];
    if (url === null) return send(response, 400, '{"error":"Invalid URL"}');
    if (route === undefined) return send(response, 404, '{"error":"Not found"}');
    if (request.method !== route.method) return send(response, 405, '{"error":"Method not allowed"}', { allow: route.method });
    if (build !== undefined && build !== answers.build) return send(response, 409, '{"error":"another build"}');
    if (Number(request.headers['content-length'] ?? 0) > maxEventBytes) return send(response, 200, answers.tooLarge());
    // A policy may take long to compile. We wait for it while the sender still has the body.
    if (route.method === 'POST') await answers.ready();
    takeBody();
    await route.answer(request, response, url, answers);
  } catch (error) {
    // The sender has disconnected, so no answer is needed.
    if (request.errored) return;
    process.stderr.write(`modes: the socket could not answer: ${(error as Error).stack ?? String(error)}\n`);
    if (!response.headersSent) send(response, 500, '{"error":"Internal error"}');
  }
}

function urlOf(request: http.IncomingMessage): URL | null {
  const text = request.url ?? '/';
  return URL.canParse(text, 'http://modes') ? new URL(text, 'http://modes') : null;
}

/** The complete body; null if it is too large. Rejects if the sender disconnects. */
function bodyOf(request: http.IncomingMessage): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxEventBytes) chunks.push(chunk);
      else chunks.length = 0;
    });
    request.on('end', () => resolve(size > maxEventBytes ? null : Buffer.concat(chunks)));
    request.on('error', reject);
  });
}

/** The caller, if the query names one: the session's id and its current folder. */
function askerOf(url: URL): Caller {
  const given = (name: string) => url.searchParams.get(name) || null;
  return { session: given('session'), cwd: given('cwd') };
}

interface Route {
  method: 'GET' | 'POST';
  answer(request: http.IncomingMessage, response: http.ServerResponse, url: URL, answers: Answers): Promise<void>;
}

const contextEvents = new Set(['SessionStart', 'SubagentStart', 'UserPromptSubmit']);

const routes: ReadonlyMap<string, Route> = new Map<string, Route>([
  ['/health', { method: 'GET', answer: async (_, response, __, answers) => send(response, 200, answers.health()) }],
  [
    '/status',
    {
      method: 'GET',
      async answer(_, response, url, answers) {
        await answers.ready();
        send(response, 200, await answers.status(askerOf(url)));
      },
    },
  ],
  [
    '/context',
    {
      method: 'GET',
      async answer(_, response, url, answers) {
        const event = url.searchParams.get('event') ?? 'UserPromptSubmit';
        if (!contextEvents.has(event)) return send(response, 400, '{"error":"Unknown event"}');
        await answers.ready();
        send(response, 200, await answers.context(event, askerOf(url)));
      },
    },
  ],
  [
    '/check-tool',
    {
      method: 'POST',
      async answer(request, response, url, answers) {
        const body = await bodyOf(request);
        if (body === null) return send(response, 200, answers.tooLarge());
        const entrypoint = request.headers['x-modes-entrypoint'];
        await answers.ready();
        const answer = await answers.checkTool(body.toString('utf8'), {
          explain: url.searchParams.get('explain') === '1',
          entrypoint: typeof entrypoint === 'string' ? entrypoint : null,
        });
        if (answer === null) send(response, 400, '{"error":"Invalid JSON"}');
        else send(response, 200, answer);
      },
    },
  ],
]);

function send(response: http.ServerResponse, code: number, body: string, headers: Record<string, string> = {}): void {
  response.writeHead(code, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers });
  response.end(body);
}
