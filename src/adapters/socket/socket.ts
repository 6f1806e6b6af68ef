// The Unix socket: reading requests only. It has no request that changes anything.
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { maxEventBytes } from '../../facts/call.ts';
import type { Caller } from '../../workflow/project.ts';

/** What the socket answers with. What is thrown becomes a 500, which every client takes for no answer. */
export interface Answers {
  /** What a client has to send as its build, with the mark of its data folder; one that sends another is told 409. */
  build: string;
  /** Resolves when the present configuration is loaded; asked before everything but health and refusals. */
  ready(): Promise<void>;
  /** The hook's answer to the JSON text of a PreToolUse event; with `explain` the whole decision; null when the text is no JSON object. */
  checkTool(event: string, asked: { explain: boolean; entrypoint: string | null }): string | null | Promise<string | null>;
  /** Refusal of an event that is too large. */
  tooLarge(): string;
  context(event: string, asker: Caller): string;
  status(asker: Caller): string;
  health(): string;
}

/** The name in `.claude`; bound and reached relative to that folder, since an absolute path over 107 bytes is cut silently. */
export const socketName = 'mode.sock';

/** Milliseconds that a client may take to send a whole request. */
const requestTimeout = 10_000;

/** More than the clients of a project need, and far fewer than the files that a process may open. */
export const maxConnections = 256;

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
  private stopped = false;
  /** Our own name beside the public one; unlike that of any other server, in another container too. */
  private readonly mark = `${process.pid}-${randomBytes(4).toString('hex')}`;

  constructor(
    private readonly folder: string,
    private readonly answers: Answers,
    private readonly trouble: (message: string) => void,
    private readonly socket = socketName,
  ) {}

  /** Looks once now and then every second. */
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

  /** Gives the socket up and removes its name if it is still ours. */
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
      this.lastTrouble = '';
    } catch (error) {
      const message = `the socket in ${this.folder} cannot be bound: ${(error as Error).message}`;
      if (message !== this.lastTrouble) this.trouble(message);
      this.lastTrouble = message;
    }
  }

  /**
   * Makes room for our name: true when nobody listens on it. Nothing but a socket is ever removed. What is there is first renamed and
   * only then tested again and removed, so that a live socket, bound by somebody else a moment ago, is put back instead of unlinked.
   */
  private async clear(stat: fs.Stats): Promise<boolean> {
    if (!stat.isSocket()) throw new Error(`${this.socket} is no socket; move it away`);
    if (await isAlive(this.folder, this.socket)) return false;
    const aside = `${this.socket}.${this.mark}.old`;
    const name = path.join(this.folder, this.socket);
    fs.renameSync(name, path.join(this.folder, aside));
    // Where nobody can tell, it counts as alive.
    const alive = await isAlive(this.folder, aside).catch(() => true);
    if (alive && !fs.existsSync(name)) fs.linkSync(path.join(this.folder, aside), name);
    fs.unlinkSync(path.join(this.folder, aside));
    return !alive;
  }

  /** Binds under a name of our own and claims the public one by a link, which only one process can make. */
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

/** null: nothing of this name, or nothing that can be looked at. */
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

/** Of too many connections the oldest is closed, so that a new one is always taken: whoever asks, asks at once. */
function boundConnections(server: http.Server): void {
  const open = new Set<net.Socket>();
  server.on('connection', (socket: net.Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    const [oldest] = open;
    if (open.size > maxConnections) oldest?.destroy();
  });
}

/** True when somebody listens on this socket of the folder; a server that hangs does. Bounded to 500 ms. */
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
      // A full queue is one of a server that lives; whatever else stands in the way, nothing is removed.
      else if (error.code === 'EAGAIN') end(true);
      else reject(error);
    });
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
  const before = workingFolder();
  process.chdir(folder);
  try {
    return act();
  } finally {
    process.chdir(before);
  }
}

/** The working folder, or `/` when it was removed under us. */
function workingFolder(): string {
  try {
    return process.cwd();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '/';
    throw error;
  }
}

/** Refuses what can be refused before the body is taken, so that the sender still has it for its fallback; then answers. */
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
    // A policy that takes long to compile is waited for while the sender still has the body.
    if (route.method === 'POST') await answers.ready();
    takeBody();
    await route.answer(request, response, url, answers);
  } catch (error) {
    // Whoever asked is gone, and nobody waits for an answer.
    if (request.errored) return;
    process.stderr.write(`modes: the socket could not answer: ${(error as Error).stack ?? String(error)}\n`);
    if (!response.headersSent) send(response, 500, '{"error":"Internal error"}');
  }
}

function urlOf(request: http.IncomingMessage): URL | null {
  const text = request.url ?? '/';
  return URL.canParse(text, 'http://modes') ? new URL(text, 'http://modes') : null;
}

/** The whole body; null when it is too large. Rejects when its sender goes away. */
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

/** Who asks, where the query says so: the session's id and the folder it is in now. */
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
        send(response, 200, answers.status(askerOf(url)));
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
        send(response, 200, answers.context(event, askerOf(url)));
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
