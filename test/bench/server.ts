// The server: how soon it answers, how many calls it decides, what it keeps in memory.
import { execFileSync } from 'node:child_process';
import net from 'node:net';
import { eventOf, type Ground, makeGround, requestOf, socketOf, startServer, typicalBash } from './ground.ts';
import { type Bench, micros, millis, spreadOf } from './row.ts';

const connections = 8;
const decisions = Number(process.env.MODES_BENCH_DECISIONS ?? 100_000);

export const measure: Bench = async (say) => {
  const ground = makeGround();
  try {
    await ground.open();
    say('starts');
    const starts: number[] = [];
    for (let i = 0; i < 7; i += 1) {
      const server = await startServer(ground);
      starts.push(server.firstVerdictMs);
      await server.stop();
    }
    const start = spreadOf(starts).p50;
    const server = await startServer(ground);
    say(`${decisions} decisions`);
    const { perSecond, p50, p99 } = await load(ground, decisions);
    const megabytes = residentMegabytes(server.process.pid ?? 0);
    await server.stop();
    return [
      {
        what: 'server, start to first verdict, cached',
        budget: '≤ 250 ms',
        measured: millis(start),
        holds: start <= 250,
        absolute: true,
      },
      {
        what: `socket, ${connections} connections, decisions/s`,
        budget: '≥ 8,000',
        measured: Math.round(perSecond).toLocaleString('en'),
        holds: perSecond >= 8000,
        absolute: true,
      },
      {
        what: `socket, ${connections} connections, p50 / p99`,
        budget: '≤ 5 ms p99',
        measured: `${micros(p50)} / ${micros(p99)}`,
        holds: p99 <= 5000,
        absolute: true,
      },
      {
        what: `server, memory after ${decisions.toLocaleString('en')} decisions`,
        budget: '≤ 120 MB after 1,000,000',
        measured: `${megabytes} MB`,
        holds: megabytes <= 120,
      },
    ];
  } finally {
    ground.remove();
  }
};

/** Keeps every connection busy with one request after the other until all are answered. */
async function load(ground: Ground, total: number): Promise<{ perSecond: number; p50: number; p99: number }> {
  const request = requestOf(eventOf(ground.root, 'Bash', typicalBash));
  const took = new Float64Array(total);
  let sent = 0;
  const started = performance.now();
  const drive = () =>
    new Promise<void>((resolve, reject) => {
      const socket = net.connect(socketOf(ground.root));
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
        socket.write(request);
      };
      socket.setEncoding('utf8');
      socket.on('connect', next);
      socket.on('error', reject);
      socket.on('data', (part: string) => {
        text += part;
        const head = text.indexOf('\r\n\r\n');
        const length = /content-length: (\d+)/i.exec(text)?.[1];
        if (head === -1 || length === undefined || Buffer.byteLength(text) < head + 4 + Number(length)) return;
        if (!text.startsWith('HTTP/1.1 200') || !text.includes('"deny"')) reject(new Error(`the socket answered ${text}`));
        took[index] = (performance.now() - since) * 1000;
        text = '';
        next();
      });
    });
  await Promise.all(Array.from({ length: connections }, drive));
  return { perSecond: total / ((performance.now() - started) / 1000), ...spreadOf(took) };
}

function residentMegabytes(pid: number): number {
  return Math.round(Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).trim()) / 1024);
}
