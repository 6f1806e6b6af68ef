// The server: how soon it answers, how many calls it decides, what it keeps in memory.
import { execFileSync, spawnSync } from 'node:child_process';
import net from 'node:net';
import path from 'node:path';
import { dataFolderOf } from '../../src/facts/paths/place.ts';
import { healthOf } from '../../src/store/log/losses.ts';
import { Journal, journalFolder } from '../../src/workflow/journal.ts';
import { startBare } from './bare.ts';
import {
  eventOf,
  type Fixture,
  inTurn,
  makeFixture,
  manyCalls,
  refusedBash,
  refusedBashAt,
  requestOf,
  socketOf,
  startServer,
} from './fixture.ts';
import { deniedShare, mixedEvents } from './mix.ts';
import { type Bench, heldBy, micros, millis, type Paced, pacedText, ratio, Samples, spreadOf } from './row.ts';
import { openYardstick, type Yardstick } from './yardstick.ts';

const connections = 8;
/** Of an old project; an even number. */
const changes = 2_000;
/** Decisions between two looks at the yardstick. */
const slice = 2_500;
/** Of each kind of load. */
const decisions = Number(process.env.MODES_BENCH_DECISIONS ?? 50_000);

export const measure: Bench = async (say) => {
  const fixture = makeFixture();
  const old = makeFixture();
  try {
    await fixture.open();
    await old.open();
    say(`${changes} changes of mode`);
    changeModes(old, changes);
    say('starts');
    const look = await openYardstick();
    const [starts, oldStarts] = [new Samples(), new Samples()];
    const nodes: number[] = [];
    // The first reads all of the journal, and leaves a summary.
    for (let i = -1; i < 7; i += 1) {
      for (const [one, samples] of [[fixture, starts] as const, [old, oldStarts] as const]) {
        const server = await startServer(one);
        if (i >= 0) samples.add(server.firstVerdictMs, look());
        await server.stop();
      }
      const before = performance.now();
      spawnSync(process.execPath, ['-e', '0']);
      nodes.push(performance.now() - before);
    }
    const start = starts.paced;
    const oldStart = oldStarts.paced;
    const node = spreadOf(nodes).p50;
    const server = await startServer(fixture);
    say(`${decisions} decisions`);
    const socket = socketOf(fixture.root);
    const mix = eachAnother(mixedEvents(fixture.root, manyCalls));
    // Until here everything is compiled and read for the first time.
    await load(socket, mix, slice);
    const mixed = await slices(socket, mix, look, decisions);
    const refused = Math.round((100 * mixed.denied) / decisions);
    if (refused !== deniedShare) throw new Error(`${refused} % of the mix were refused, not ${deniedShare} %`);
    const denials = Array.from({ length: manyCalls }, (_, n) => eventOf(fixture.root, 'Bash', refusedBashAt(n)));
    const worst = await slices(socket, eachAnother(denials), look, decisions);
    if (worst.denied !== decisions) throw new Error(`${decisions - worst.denied} calls were not refused`);
    const { lost } = healthOf(dataFolderOf(fixture.env), fixture.root);
    const megabytes = residentMegabytes(server.process.pid ?? 0);
    await server.stop();
    say('a bare HTTP server');
    const bare = await loadBare(path.join(fixture.root, 'bare.sock'), requestOf(eventOf(fixture.root, 'Bash', refusedBash)));
    const bareTook = spreadOf(bare.took);
    const count = (perSecond: number): string => Math.round(perSecond).toLocaleString('en');
    const both = ({ perSecond, usualPerSecond }: Slices): string =>
      `${count(perSecond)}; at the usual speed ${count(usualPerSecond)}`;
    return [
      {
        what: 'server, start to first verdict, cached',
        budget: '≤ 300 ms',
        measured: `${millis(start.here.p50)}; at the usual speed ${millis(start.usual.p50)}; ${ratio(start.here.p50 / node)} node -e 0`,
        ...heldBy(start.usual.p50 <= 300, start.here.p50 <= 300),
      },
      {
        what: `the same after ${changes.toLocaleString('en')} changes of mode`,
        budget: '≤ 1.20 ×',
        measured: `${ratio(oldStart.here.p50 / start.here.p50)} (${millis(oldStart.here.p50)} to ${millis(start.here.p50)})`,
        holds: oldStart.here.p50 / start.here.p50 <= 1.2,
      },
      {
        what: `socket, ${connections} connections, decisions/s, a session's mix of calls`,
        budget: '≥ 3,000',
        measured: `${both(mixed)}; ${ratio(mixed.perSecond / bare.perSecond)} a bare HTTP server; ${lost.toLocaleString('en')} not logged`,
        ...heldBy(mixed.usualPerSecond >= 3000, mixed.perSecond >= 3000),
      },
      {
        what: `socket, ${connections} connections, p50 / p99, the same mix`,
        budget: '≤ 5 ms p99',
        measured: `${pacedText(mixed.took)}; bare ${micros(bareTook.p50)} / ${micros(bareTook.p99)}`,
        ...heldBy(mixed.took.usual.p99 <= 5000, mixed.took.here.p99 <= 5000),
      },
      {
        what: `socket, ${connections} connections, each call another command that is refused`,
        budget: '',
        measured: `${both(worst)}; ${pacedText(worst.took)}`,
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
    fixture.remove();
    old.remove();
  }
};

/** A project that is so old, in test-dev as the other. */
function changeModes({ root, env }: Fixture, count: number): void {
  const journal = new Journal(journalFolder(dataFolderOf(env), root, ''), root);
  journal.read();
  const change = { kind: 'force', actor: 'person', session: null, permissionMode: null, explanation: 'to be measured' } as const;
  for (let n = 0; n < count; n += 1) {
    const [from, to] = n % 2 === 0 ? ['test-dev', 'idle'] : ['idle', 'test-dev'];
    if (journal.append({ ...change, from: from as string, to: to as string }, new Date()) === null)
      throw new Error('another wrote');
  }
}

/** Requests for these in turn; each call has an id of its own, so that each is decided and logged. */
export function eachAnother(events: readonly string[]): () => string {
  const next = inTurn(
    events.map(requestOf).map((request) => {
      const at = request.indexOf('"toolu_') + '"toolu_'.length;
      return [request.slice(0, at), request.slice(at + idLength)] as const;
    }),
  );
  return () => {
    const [before, after] = next();
    return before + String(++id).padStart(idLength, '0') + after;
  };
}

/** Characters of a call's id behind what all have in common. */
const idLength = 22;
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

export interface Slices {
  /** Decisions that were answered. */
  count: number;
  perSecond: number;
  usualPerSecond: number;
  /** Microseconds from a request to its answer. */
  took: Paced;
  denied: number;
}

/** So many decisions in slices, each beside a look at the yardstick. */
export async function slices(socket: string, request: () => string, look: Yardstick, total: number): Promise<Slices> {
  const samples = new Samples();
  let [count, denied, seconds, usualSeconds] = [0, 0, 0, 0];
  while (count < total) {
    const slowness = look();
    const one = await load(socket, request, Math.min(slice, total - count));
    const took = one.took.length / one.perSecond;
    count += one.took.length;
    denied += one.denied;
    seconds += took;
    usualSeconds += took / slowness;
    for (const sample of one.took) samples.add(sample, slowness);
  }
  return { count, perSecond: count / seconds, usualPerSecond: count / usualSeconds, took: samples.paced, denied };
}

export interface Load {
  perSecond: number;
  /** Microseconds from each request to its answer. */
  took: Float64Array;
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
  return { perSecond: total / ((performance.now() - started) / 1000), took, denied };
}

export function residentMegabytes(pid: number): number {
  return Math.round(Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).trim()) / 1024);
}
