// The server: how soon it answers, how many calls it decides, what it keeps in memory.
import { execFileSync, spawnSync } from 'node:child_process';
import net from 'node:net';
import path from 'node:path';
import { healthOf } from '../../src/log/losses.ts';
import { dataFolderOf } from '../../src/tools/place.ts';
import { startBare } from './bare.ts';
import {
  eventOf,
  inTurn,
  makeGround,
  manyCalls,
  requestOf,
  socketOf,
  startServer,
  typicalBash,
  typicalBashAt,
} from './ground.ts';
import { deniedShare, mixedEvents } from './mix.ts';
import { type Bench, micros, millis, ratio, spreadOf } from './row.ts';

const connections = 8;
/** Of each kind of load. */
const decisions = Number(process.env.MODES_BENCH_DECISIONS ?? 50_000);

export const measure: Bench = async (say) => {
  const ground = makeGround();
  try {
    await ground.open();
    say('starts');
    const starts: number[] = [];
    const nodes: number[] = [];
    for (let i = 0; i < 7; i += 1) {
      const server = await startServer(ground);
      starts.push(server.firstVerdictMs);
      await server.stop();
      const before = performance.now();
      spawnSync(process.execPath, ['-e', '0']);
      nodes.push(performance.now() - before);
    }
    const start = spreadOf(starts).p50;
    const node = spreadOf(nodes).p50;
    const server = await startServer(ground);
    say(`${decisions} decisions`);
    const socket = socketOf(ground.root);
    const mixed = await load(socket, eachAnother(mixedEvents(ground.root, manyCalls)), decisions);
    const refused = Math.round((100 * mixed.denied) / decisions);
    if (refused !== deniedShare) throw new Error(`${refused} % of the mix were refused, not ${deniedShare} %`);
    const denials = Array.from({ length: manyCalls }, (_, n) => eventOf(ground.root, 'Bash', typicalBashAt(n)));
    const worst = await load(socket, eachAnother(denials), decisions);
    if (worst.denied !== decisions) throw new Error(`${decisions - worst.denied} calls were not refused`);
    const { lost } = healthOf(dataFolderOf(ground.env), ground.root);
    const megabytes = residentMegabytes(server.process.pid ?? 0);
    await server.stop();
    say('a bare HTTP server');
    const bare = await loadBare(path.join(ground.root, 'bare.sock'), requestOf(eventOf(ground.root, 'Bash', typicalBash)));
    const perSecond = (one: Load): string => Math.round(one.perSecond).toLocaleString('en');
    return [
      {
        what: 'server, start to first verdict, cached',
        budget: '≤ 250 ms',
        measured: `${millis(start)}; ${ratio(start / node)} node -e 0`,
        holds: start <= 250,
        absolute: true,
      },
      {
        what: `socket, ${connections} connections, decisions/s, a session's mix of calls`,
        budget: '≥ 8,000',
        measured: `${perSecond(mixed)}; ${ratio(mixed.perSecond / bare.perSecond)} a bare HTTP server; ${lost.toLocaleString('en')} not logged`,
        holds: mixed.perSecond >= 8000,
        absolute: true,
      },
      {
        what: `socket, ${connections} connections, p50 / p99, the same mix`,
        budget: '≤ 5 ms p99',
        measured: `${micros(mixed.p50)} / ${micros(mixed.p99)}; bare ${micros(bare.p50)} / ${micros(bare.p99)}`,
        holds: mixed.p99 <= 5000,
        absolute: true,
      },
      {
        what: `socket, ${connections} connections, each call another command that is refused`,
        budget: '',
        measured: `${perSecond(worst)}; ${micros(worst.p50)} / ${micros(worst.p99)}`,
        holds: null,
      },
      {
        what: `server, memory after ${(2 * decisions).toLocaleString('en')} decisions`,
        budget: '≤ 120 MB after 1,000,000',
        measured: `${megabytes} MB`,
        holds: megabytes <= 120,
      },
    ];
  } finally {
    ground.remove();
  }
};

/** Requests for these in turn; each call has an id of its own, and is logged. */
function eachAnother(events: readonly string[]): () => string {
  const next = inTurn(events.map(requestOf));
  return () => next().replace(/(?<="toolu_)\w{22}/, () => String(++id).padStart(22, '0'));
}

let id = 0;

/** The same load on a server that reads the request and answers a constant. */
async function loadBare(socket: string, request: string): Promise<Load> {
  const bare = await startBare(socket);
  try {
    return await load(socket, () => request, 20_000);
  } finally {
    bare.stop();
  }
}

export interface Load {
  perSecond: number;
  p50: number;
  p99: number;
  /** Answers that refuse. */
  denied: number;
}

/** Keeps every connection busy with one request after the other until all are answered. */
export async function load(socketPath: string, request: () => string, total: number): Promise<Load> {
  const took = new Float64Array(total);
  let sent = 0;
  let denied = 0;
  const started = performance.now();
  const drive = () =>
    new Promise<void>((resolve, reject) => {
      const socket = net.connect(socketPath);
      let index = 0;
      let since = 0;
      let text = '';
      const next = () => {
        if (sent >= total) {
          socket.end();
          resolve();
          return;
        }
        index = sent;
        sent += 1;
        since = performance.now();
        socket.write(request());
      };
      socket.setEncoding('utf8');
      socket.on('connect', next);
      socket.on('error', reject);
      socket.on('data', (part: string) => {
        text += part;
        const head = text.indexOf('\r\n\r\n');
        const length = /content-length: (\d+)/i.exec(text)?.[1];
        if (head === -1 || length === undefined || Buffer.byteLength(text) < head + 4 + Number(length)) return;
        if (!text.startsWith('HTTP/1.1 200')) reject(new Error(`the socket answered ${text}`));
        if (text.includes('"deny"')) denied += 1;
        took[index] = (performance.now() - since) * 1000;
        text = '';
        next();
      });
    });
  await Promise.all(Array.from({ length: connections }, drive));
  return { perSecond: total / ((performance.now() - started) / 1000), ...spreadOf(took), denied };
}

export function residentMegabytes(pid: number): number {
  return Math.round(Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).trim()) / 1024);
}
