// The server under load: many decisions, and clients that hold connections without asking, or ask a byte at a time.
import fs from 'node:fs';
import net from 'node:net';
import {
  eventOf,
  type Fixture,
  makeFixture,
  manyCalls,
  type Running,
  refusedBash,
  requestOf,
  socketOf,
  startServer,
} from '../bench/fixture.ts';
import { mixedEvents } from '../bench/mix.ts';
import { eachAnother, load, residentMegabytes, type Slices, slices } from '../bench/server.ts';
import { openYardstick } from '../bench/yardstick.ts';

export interface Endured {
  decisions: number;
  /** Here, and at the yardstick's usual speed. */
  perSecond: number;
  usualPerSecond: number;
  /** Microseconds, of the slowest quarter. */
  p99: number;
  usualP99: number;
  /** Resident megabytes after each quarter of the decisions. */
  megabytes: number[];
}

async function served<T>(act: (fixture: Fixture, server: Running) => Promise<T>): Promise<T> {
  const fixture = makeFixture();
  try {
    await fixture.open();
    const server = await startServer(fixture);
    try {
      return await act(fixture, server);
    } finally {
      await server.stop();
    }
  } finally {
    fixture.remove();
  }
}

/** So many decisions over eight connections, in quarters; every answer is looked at. */
export const endure = (decisions: number, say: (text: string) => void = () => undefined): Promise<Endured> =>
  served(async (fixture, server) => {
    const look = await openYardstick();
    const request = eachAnother(mixedEvents(fixture.root, manyCalls));
    const quarters: (Slices & { megabytes: number })[] = [];
    // What is compiled and read for the first time is no part of it.
    await load(socketOf(fixture.root), request, Math.min(decisions, 2_500));
    for (let quarter = 1; quarter <= 4; quarter++) {
      const seen = await slices(socketOf(fixture.root), request, look, Math.ceil(decisions / 4));
      quarters.push({ ...seen, megabytes: residentMegabytes(server.process.pid ?? 0) });
      say(`${((decisions * quarter) / 4).toLocaleString('en')} decisions, ${quarters.at(-1)?.megabytes} MB`);
    }
    const mean = (of: (one: Slices) => number) => 4 / quarters.reduce((sum, one) => sum + 1 / of(one), 0);
    return {
      decisions: quarters.reduce((sum, { count }) => sum + count, 0),
      perSecond: mean((one) => one.perSecond),
      usualPerSecond: mean((one) => one.usualPerSecond),
      p99: Math.max(...quarters.map(({ took }) => took.here.p99)),
      usualP99: Math.max(...quarters.map(({ took }) => took.usual.p99)),
      megabytes: quarters.map(({ megabytes }) => megabytes),
    };
  });

export interface Crowded {
  /** Connections that were held, and of them those that the server had not closed. */
  held: number;
  kept: number;
  /** Decisions that were answered meanwhile, each over a connection of its own as a hook's. */
  answered: number;
  /** Longest wait for a decision, milliseconds, the middle one of the rounds: without the crowd and with it. */
  aloneMs: number;
  crowdedMs: number;
  /** By how much the longest is longer with the crowd than just before without, milliseconds: the middle one of the rounds. */
  laterMs: number;
  /** Processor time of the server for one decision, milliseconds: without the crowd and with it, what the crowd itself costs included. */
  serverAloneMs: number;
  serverCrowdedMs: number;
}

/**
 * Decisions while `idle` connections say nothing and `slow` ones send their headers a byte at a time. In rounds, each without the
 * crowd and then with it: what else the machine does falls on both.
 */
export const crowd = (idle: number, slow: number, decisions: number, rounds = 1): Promise<Crowded> =>
  served(async (fixture, server) => {
    const request = requestOf(eventOf(fixture.root, 'Bash', refusedBash));
    const pid = server.process.pid ?? 0;
    await longest(fixture, request, decisions);
    const seen: Round[] = [];
    for (let round = 0; round < rounds; round++) {
      const before = processorMs(pid);
      const aloneMs = await longest(fixture, request, decisions);
      const serverAloneMs = (processorMs(pid) - before) / decisions;
      seen.push({ aloneMs, serverAloneMs, ...(await among(fixture, pid, { idle, slow, request, decisions })) });
    }
    const middle = (of: (round: Round) => number) => seen.map(of).sort((a, b) => a - b)[Math.floor(rounds / 2)]!;
    return {
      held: idle + slow,
      kept: Math.max(...seen.map(({ kept }) => kept)),
      answered: decisions * rounds,
      aloneMs: middle((one) => one.aloneMs),
      crowdedMs: middle((one) => one.crowdedMs),
      laterMs: middle((one) => one.crowdedMs - one.aloneMs),
      serverAloneMs: middle((one) => one.serverAloneMs),
      serverCrowdedMs: middle((one) => one.serverCrowdedMs),
    };
  });

type Round = Pick<Crowded, 'kept' | 'aloneMs' | 'crowdedMs' | 'serverAloneMs' | 'serverCrowdedMs'>;

interface Crowd {
  idle: number;
  slow: number;
  request: string;
  decisions: number;
}

async function among(
  fixture: Fixture,
  pid: number,
  { idle, slow, request, decisions }: Crowd,
): Promise<Pick<Round, 'kept' | 'crowdedMs' | 'serverCrowdedMs'>> {
  const sockets: net.Socket[] = [];
  // No more at once than the system lets wait for a server.
  while (sockets.length < idle + slow)
    sockets.push(
      ...(await Promise.all(Array.from({ length: Math.min(50, idle + slow - sockets.length) }, () => connect(fixture)))),
    );
  let at = 0;
  const timer = setInterval(() => {
    for (const socket of sockets.slice(idle)) if (socket.writable) socket.write(request[at % 40]!);
    at++;
  }, 20);
  try {
    const before = processorMs(pid);
    const crowdedMs = await longest(fixture, request, decisions);
    const serverCrowdedMs = (processorMs(pid) - before) / decisions;
    const kept = sockets.filter(({ destroyed, readyState }) => !destroyed && readyState === 'open').length;
    return { kept, crowdedMs, serverCrowdedMs };
  } finally {
    clearInterval(timer);
    for (const socket of sockets) socket.destroy();
  }
}

/** Processor time of a process since it began, milliseconds; the system counts in hundredths of a second. */
function processorMs(pid: number): number {
  const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function connect({ root }: Fixture): Promise<net.Socket> {
  return new Promise((resolve) => {
    const socket = net.connect(socketOf(root), () => resolve(socket));
    // The server may close it at any time.
    socket.on('error', () => resolve(socket));
    socket.resume();
  });
}

const PATIENCE_MS = 5_000;

/** One question over a connection of its own; null: so many wait already that the system takes no more. */
function ask(root: string, request: string): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(socketOf(root), () => socket.write(request));
    socket.once('data', (data) => {
      socket.destroy();
      resolve(data.toString());
    });
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EAGAIN') setTimeout(resolve, 1, null);
      else reject(error);
    });
    socket.once('close', (failed) => failed || reject(new Error('closed without an answer')));
  });
}

/** The longest of so many decisions, each over a new connection, milliseconds. @throws when one is not answered with a deny or a pass. */
async function longest({ root }: Fixture, request: string, decisions: number): Promise<number> {
  let most = 0;
  for (let count = 0; count < decisions; count++) {
    const since = performance.now();
    let answer = await ask(root, request);
    while (answer === null && performance.now() - since < PATIENCE_MS) answer = await ask(root, request);
    if (answer === null) throw new Error('nobody takes the connection');
    if (!answer.startsWith('HTTP/1.1 200')) throw new Error(answer);
    most = Math.max(most, performance.now() - since);
  }
  return most;
}
