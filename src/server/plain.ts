// A tool call asked about in the usual form, one whole request in one piece, answered without the HTTP module, which takes as long for
// it as deciding does. Anything else on the connection is handed over as it came.
import type http from 'node:http';
import type net from 'node:net';

/** Milliseconds that a connection may rest. */
const restMs = 30_000;
/** A longer head is not of the usual form, bytes. */
const maxHead = 2_048;

/** What of the server's answers is asked here. */
interface Deciding {
  build: string;
  ready(): Promise<void>;
  checkTool(event: string, asked: { explain: boolean; entrypoint: string | null }): string | null | Promise<string | null>;
}

/** Looks at every connection before the server does. Gives what ends those that the server was not given. */
export function answerPlainly(server: http.Server, answers: Deciding): () => void {
  const own = new Set<Connection>();
  const listeners = server.listeners('connection') as ((socket: net.Socket) => void)[];
  server.removeAllListeners('connection');
  server.on('connection', (socket: net.Socket) => {
    const connection = new Connection(socket, answers, () => {
      own.delete(connection);
      for (const listener of listeners) listener.call(server, socket);
    });
    own.add(connection);
    socket.on('close', () => own.delete(connection));
  });
  return () => {
    for (const connection of own) connection.drop();
  };
}

/** INVARIANT: one request is answered at a time; what comes meanwhile goes to the server, with everything after it. */
class Connection {
  private isAnswering = false;
  private hasEnded = false;
  private readonly meanwhile: Buffer[] = [];

  constructor(
    private readonly socket: net.Socket,
    private readonly answers: Deciding,
    private readonly give: () => void,
  ) {
    socket.on('data', this.take).on('end', this.end).on('error', this.drop).on('timeout', this.drop);
    socket.setTimeout(restMs);
  }

  readonly drop = (): void => {
    this.socket.destroy();
  };

  /** A sender that ends its side still waits for the answer. */
  private readonly end = (): void => {
    this.hasEnded = true;
    if (!this.isAnswering) this.socket.end();
  };

  private readonly take = (chunk: Buffer): void => {
    if (this.isAnswering) {
      this.meanwhile.push(chunk);
      return;
    }
    const asked = readRequest(chunk);
    if (asked === null || (asked.build !== null && asked.build !== this.answers.build)) {
      this.handOver([chunk]);
      return;
    }
    this.isAnswering = true;
    const refused = (): void => this.handOver([chunk, ...this.meanwhile]);
    const { body, entrypoint } = asked;
    const decided = this.answers.ready().then(() => this.answers.checkTool(body, { explain: false, entrypoint }));
    decided.then((text) => this.answer(text, asked, refused), refused);
  };

  /** What has no answer here, or fails, the server is asked once more. */
  private answer(text: string | null, { closes }: Asked, refused: () => void): void {
    if (text === null) {
      refused();
      return;
    }
    const { socket, meanwhile } = this;
    const ends = closes || this.hasEnded;
    const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n`;
    const whole = `${head}Connection: ${ends ? 'close' : 'keep-alive'}\r\n\r\n${text}`;
    this.isAnswering = false;
    if (ends) socket.end(whole);
    else socket.write(whole);
    if (!ends && meanwhile.length > 0) this.handOver(meanwhile);
  }

  private handOver(chunks: Buffer[]): void {
    const { socket } = this;
    socket.off('data', this.take).off('end', this.end).off('error', this.drop).off('timeout', this.drop);
    if (socket.destroyed) return;
    socket.setTimeout(0);
    socket.pause();
    socket.unshift(Buffer.concat(chunks));
    this.give();
    socket.resume();
  }
}

/** A request for a decision as it was sent. */
interface Asked {
  body: string;
  build: string | null;
  entrypoint: string | null;
  /** The sender wants no further answer on this connection. */
  closes: boolean;
}

const line = 'POST /check-tool HTTP/1.1\r\n';
const headEnd = Buffer.from('\r\n\r\n');
const known: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'content-type',
  'content-length',
  'x-modes-build',
  'x-modes-entrypoint',
]);

/** What a head says. */
type Head = Omit<Asked, 'body'> & { length: number };

/** Heads that were read, by their text: a client's differ in the length alone. null: none of the usual form. */
const heads = new Map<string, Head | null>();
const maxHeads = 256;

/** One request of the usual form and nothing after it; null for whatever else it is. */
function readRequest(chunk: Buffer): Asked | null {
  const end = chunk.subarray(0, maxHead).indexOf(headEnd);
  if (end === -1) return null;
  const text = chunk.toString('latin1', 0, end);
  let head = heads.get(text);
  if (head === undefined) {
    head = readHead(text);
    if (heads.size >= maxHeads) heads.clear();
    heads.set(text, head);
  }
  const at = end + headEnd.length;
  if (head === null || chunk.length !== at + head.length) return null;
  const { build, entrypoint, closes } = head;
  return { body: chunk.toString('utf8', at), build, entrypoint, closes };
}

function readHead(head: string): Head | null {
  if (!head.startsWith(line)) return null;
  const fields = new Map<string, string>();
  for (const field of head.slice(line.length).split('\r\n')) {
    const [, name = '', value = ''] = /^([A-Za-z-]+): ?([\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)$/.exec(field) ?? [];
    const key = name.toLowerCase();
    if (!known.has(key) || fields.has(key)) return null;
    fields.set(key, value);
  }
  const connection = fields.get('connection')?.toLowerCase() ?? 'keep-alive';
  const length = fields.get('content-length') ?? '';
  if (!fields.has('host') || !/^\d{1,8}$/.test(length) || !/^(?:close|keep-alive)$/.test(connection)) return null;
  return {
    length: Number(length),
    build: fields.get('x-modes-build') ?? null,
    entrypoint: fields.get('x-modes-entrypoint') ?? null,
    closes: connection === 'close',
  };
}
