// The server under load: many decisions, and clients that hold connections without asking, or ask a byte at a time.
import net from 'node:net';
import {
  eventOf,
  type Ground,
  inTurn,
  makeGround,
  manyCalls,
  type Running,
  requestOf,
  socketOf,
  startServer,
  typicalBash,
  typicalBashAt,
} from '../bench/ground.ts';
import { load, residentMegabytes } from '../bench/server.ts';

export interface Endured {
  decisions: number;
  perSecond: number;
  /** Microseconds. */
  p99: number;
  /** Resident megabytes after a tenth of the decisions, and after all. */
  warmMegabytes: number;
  endMegabytes: number;
}

async function served<T>(act: (ground: Ground, server: Running) => Promise<T>): Promise<T> {
  const ground = makeGround();
  try {
    await ground.open();
    const server = await startServer(ground);
    try {
      return await act(ground, server);
    } finally {
      await server.stop();
    }
  } finally {
    ground.remove();
  }
}

/** Typical calls, each with an id of its own, so that each is decided and logged. */
function callsIn({ root }: Ground): () => string {
  const next = inTurn(Array.from({ length: manyCalls }, (_, at) => requestOf(eventOf(root, 'Bash', typicalBashAt(at)))));
  let id = 0;
  return () => next().replace(/(?<="toolu_)\w{22}/, () => String(++id).padStart(22, '0'));
}

/** So many decisions over eight connections; every answer is looked at. */
export const endure = (decisions: number, say: (text: string) => void = () => undefined): Promise<Endured> =>
  served(async (ground, server) => {
    const request = callsIn(ground);
    const memory = () => residentMegabytes(server.process.pid ?? 0);
    const warm = Math.ceil(decisions / 10);
    await load(socketOf(ground.root), request, warm);
    const warmMegabytes = memory();
    let done = warm;
    let perSecond = 0;
    let p99 = 0;
    while (done < decisions) {
      const part = Math.min(50_000, decisions - done);
      const seen = await load(socketOf(ground.root), request, part);
      perSecond += (seen.perSecond * part) / (decisions - warm);
      p99 = Math.max(p99, seen.p99);
      done += part;
      say(`${done.toLocaleString('en')} decisions, ${memory()} MB`);
    }
    return { decisions: done, perSecond, p99, warmMegabytes, endMegabytes: memory() };
  });

export interface Crowded {
  /** Connections that were held, and of them those that the server had not closed. */
  held: number;
  kept: number;
  /** Decisions that were answered meanwhile, each over a connection of its own as a hook's. */
  answered: number;
  /** Longest wait for a decision, milliseconds: without the crowd and with it. */
  aloneMs: number;
  crowdedMs: number;
}

/** Decisions while `idle` connections say nothing and `slow` ones send their headers a byte at a time. */
export const crowd = (idle: number, slow: number, decisions: number): Promise<Crowded> =>
  served(async (ground) => {
    const request = requestOf(eventOf(ground.root, 'Bash', typicalBash));
    await longest(ground, request, decisions);
    const aloneMs = await longest(ground, request, decisions);
    const sockets = await Promise.all(Array.from({ length: idle + slow }, () => connect(ground)));
    let at = 0;
    const timer = setInterval(() => {
      for (const socket of sockets.slice(idle)) if (socket.writable) socket.write(request[at % 40]!);
      at++;
    }, 20);
    try {
      const crowdedMs = await longest(ground, request, decisions);
      const kept = sockets.filter(({ destroyed, readyState }) => !destroyed && readyState === 'open').length;
      return { held: sockets.length, kept, answered: decisions, aloneMs, crowdedMs };
    } finally {
      clearInterval(timer);
      for (const socket of sockets) socket.destroy();
    }
  });

function connect({ root }: Ground): Promise<net.Socket> {
  return new Promise((resolve) => {
    const socket = net.connect(socketOf(root), () => resolve(socket));
    // The server may close it at any time.
    socket.on('error', () => resolve(socket));
    socket.resume();
  });
}

/** The longest of so many decisions, each over a new connection, milliseconds. @throws when one is not answered with a deny or a pass. */
async function longest({ root }: Ground, request: string, decisions: number): Promise<number> {
  let most = 0;
  for (let count = 0; count < decisions; count++) {
    const since = performance.now();
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = net.connect(socketOf(root), () => socket.write(request));
      socket.once('data', (data) => {
        socket.destroy();
        resolve(data.toString());
      });
      socket.once('error', reject);
      socket.once('close', () => reject(new Error('closed without an answer')));
    });
    if (!answer.startsWith('HTTP/1.1 200')) throw new Error(answer);
    most = Math.max(most, performance.now() - since);
  }
  return most;
}
