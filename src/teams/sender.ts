// Sends the decision log to a server with OPA's log API (POST of a gzipped JSON array). The log on disk is the queue: a decision
// never waits for it. A batch that a crash interrupts is sent again under the same name.

import fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { readSources } from '../config/sources.ts';
import { type LogPin, type Team, teamOf } from '../config/team.ts';
import { makeFolder, projectFolder, writeWhole } from '../platform/data-folder.ts';
import { hexHash } from '../platform/hash.ts';
import type { LayerFolder } from '../platform/layer-folders.ts';
import { readRegularText } from '../platform/read-file.ts';
import { type LogEvent, readEvent } from '../store/log/event.ts';
import { LogFiles, type LogPosition, logFolder } from '../store/log/files.ts';
import { holding } from '../store/log/lock.ts';
import { faultOf } from './refusal.ts';
import type { Connection } from './remote.ts';
import { readSending, type Sending, writeSending } from './sending.ts';

/** Maximum bytes of the file with the id of the sending process. */
const maxOwnerBytes = 64;

export interface Sent {
  outcome: 'sent' | 'nothing' | 'failed' | 'elsewhere';
  /** Milliseconds until the next turn. */
  next: number;
  why?: string;
}

/** Sends a body and returns the status; throws if there is no answer. */
export type Post = (body: Uint8Array, headers: Record<string, string>) => Promise<{ status: number; retryAfter: number | null }>;

export interface SenderOptions {
  dataFolder: string;
  root: string;
  random?: () => number;
}

/**
 * Bytes of the log in one batch. Milliseconds: the first and the longest pause after a failure, and
 * the pause between two full batches.
 */
const BATCH_BYTES = 512 * 1024;
const FIRST_RETRY = 1_000;
const LONGEST_RETRY = 5 * 60_000;
/** A server may ask for a longer pause, up to this maximum. */
const LONGEST_WISH = 60 * 60_000;
const BETWEEN = 50;
/** A sender that was silent for more milliseconds than this has ended. */
const OWNER_MS = 10 * 60_000;

/** The name of a batch. A batch that is sent again has the same name, so that a server can detect duplicates. */
export const BATCH_HEADER = 'x-modes-batch';

export class LogSender {
  private readonly files: LogFiles;
  private failures = 0;
  /** Smaller after a server rejected a batch as too large. */
  private limits = BATCH_BYTES;

  constructor(private readonly options: SenderOptions) {
    this.files = new LogFiles(logFolder(options.dataFolder, options.root));
  }

  /** Records the log position from which decisions are sent, if none is recorded yet. Throws on file system errors. */
  begin(pin: LogPin): void {
    const { dataFolder, root } = this.options;
    const known = readSending(dataFolder, root);
    const state = this.open(pin, known);
    if (state !== known) this.save(state);
  }

  /** Sends one batch. Throws only file system errors. */
  async turn(pin: LogPin, post: Post): Promise<Sent> {
    const claimed = this.claim(pin.every);
    if (claimed !== true) return { outcome: 'elsewhere', next: claimed === null ? BETWEEN : this.jittered(pin.every) };
    const state = this.count(this.skipGone(this.open(pin)));
    const limits = state.pending?.bytes ?? this.limits;
    const batch = this.read(state, limits);
    if (batch === null) {
      this.save({ ...state, trouble: null });
      return { outcome: 'nothing', next: this.jittered(pin.every) };
    }
    const { events, damaged, bytes, end } = batch;
    this.save({ ...state, pending: { bytes } });
    const body = gzipSync(JSON.stringify(events.map((event) => withhold(event, pin.mask))));
    const { number, offset } = state.position;
    const name = hexHash(JSON.stringify([state.to, this.options.root, number, offset, bytes]));
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip', [BATCH_HEADER]: name.slice(0, 32) };
    const commit = (sent: number, lost: number): void => {
      const done = { ...state, position: end, pending: null, trouble: null };
      this.save(this.count({ ...done, sent: state.sent + sent, lost: state.lost + lost }));
    };
    if (events.length === 0) {
      commit(0, damaged);
      return { outcome: 'sent', next: BETWEEN };
    }
    let why: string;
    let retryAfter: number | null = null;
    try {
      const answer = await post(body, headers);
      if (answer.status >= 200 && answer.status < 300) {
        this.failures = 0;
        this.limits = Math.min(BATCH_BYTES, this.limits * 2);
        commit(events.length, damaged);
        return { outcome: 'sent', next: bytes >= limits / 2 ? BETWEEN : this.jittered(pin.every) };
      }
      if (answer.status === 413) return this.shrink(state, events.length, bytes, () => commit(0, damaged + 1));
      why = `the server answered ${answer.status}`;
      retryAfter = answer.retryAfter;
    } catch (error) {
      why = faultOf(error);
    }
    this.save({ ...state, pending: { bytes }, trouble: why });
    const pause = this.jittered(Math.min(FIRST_RETRY * 2 ** this.failures++, LONGEST_RETRY));
    return { outcome: 'failed', why, next: Math.max(pause, Math.min(retryAfter ?? 0, LONGEST_WISH)) };
  }

  /** Halves a batch that the server rejects as too large. A single event that is too large is lost. */
  private shrink(state: Sending, count: number, bytes: number, drop: () => void): Sent {
    if (count > 1) {
      this.limits = Math.max(1, Math.ceil(bytes / 2));
      // The complete batch was refused, so a smaller part of it is not a duplicate.
      this.save({ ...state, pending: null });
    } else drop();
    return { outcome: 'failed', why: 'the server rejected the batch as too large', next: BETWEEN };
  }

  /** The next lines of the log. For a batch that may have arrived: exactly the same lines. null: there are no lines. */
  private read(
    { position }: Sending,
    limits: number,
  ): { events: LogEvent[]; damaged: number; bytes: number; end: LogPosition } | null {
    const { lines, bytes, end } = this.files.readFrom(position, limits);
    if (lines.length === 0) return null;
    const written = lines.filter((line) => line !== '');
    const events = written.flatMap((line) => readEvent(line) ?? []);
    return { events, damaged: written.length - events.length, bytes, end };
  }

  /** Files that were removed before they were sent are lost, with all their waiting lines. */
  private skipGone(state: Sending): Sending {
    const numbers = this.files.numbers();
    const oldest = numbers[0];
    if (oldest === undefined || state.position.number >= oldest) return state;
    const gone = Object.entries(state.waiting).filter(([number]) => Number(number) < oldest);
    // Lines were still added to the newest counted file. If it is gone too, the losses in it and in later files are unknown.
    const hasCountedFile = Object.keys(state.waiting).some((number) => Number(number) >= oldest);
    return {
      ...state,
      position: { number: oldest, offset: 0 },
      pending: null,
      lost: state.lost + gone.reduce((total, [, { lines }]) => total + lines, 0),
      ...(!hasCountedFile && { lostMore: true }),
    };
  }

  /** Counts waiting lines, so that the loss is known if a file is removed. */
  private count(state: Sending): Sending {
    const waiting: Sending['waiting'] = {};
    for (const number of this.files.numbers().filter((one) => one >= state.position.number)) {
      const size = fs.lstatSync(this.files.file(number), { throwIfNoEntry: false })?.size ?? 0;
      const from = number === state.position.number ? state.position.offset : 0;
      const known = state.waiting[String(number)];
      const isKnown = known !== undefined && known.size === size && known.from === from;
      waiting[String(number)] = isKnown ? known : { lines: this.linesFrom(number, from), size, from };
    }
    return { ...state, waiting };
  }

  private linesFrom(number: number, from: number): number {
    const { lines } = this.files.readFrom({ number, offset: from }, Math.max(0, sizeOf(this.files.file(number)) - from));
    return lines.filter((line) => line !== '').length;
  }

  private open(pin: LogPin, known = readSending(this.options.dataFolder, this.options.root)): Sending {
    const to = hexHash(pin.url).slice(0, 16);
    const none = { to, pending: null, waiting: {}, sent: 0, lost: 0, trouble: null };
    const end = this.files.end() ?? { number: 1, offset: 0 };
    // Decisions from before the address was configured are not sent.
    if (known === null) return { ...none, position: end };
    // The position is unknown. Sending again might create duplicates, so the events are reported as doubtful instead.
    if (known === 'damaged') {
      const logged = this.files.numbers().reduce((total, number) => total + this.linesFrom(number, 0), 0);
      return { ...none, position: end, doubtful: logged };
    }
    return known.to === to ? known : { ...known, ...none, lost: known.lost };
  }

  private save(state: Sending): void {
    writeSending(this.options.dataFolder, this.options.root, state);
  }

  /** One process sends for a project; another takes over when it has ended. null: the lock is busy, so the owner is unknown. */
  private claim(every: number): boolean | null {
    const { dataFolder, root } = this.options;
    const file = path.join(projectFolder(dataFolder, root), 'log-sender');
    makeFolder(logFolder(dataFolder, root));
    const lock = holding(logFolder(dataFolder, root), () => {
      const stat = fs.statSync(file, { throwIfNoEntry: false });
      const owner = stat === undefined ? Number.NaN : Number(readRegularText(file, maxOwnerBytes));
      // Another process may have the same id by now, so the sender updates this file on every turn.
      const isFresh = stat !== undefined && Date.now() - stat.mtimeMs < Math.max(OWNER_MS, 2 * every);
      if (owner !== process.pid && isFresh && isAlive(owner)) return false;
      writeWhole(file, String(process.pid));
      return true;
    });
    return lock?.value ?? null;
  }

  private jittered(ms: number): number {
    return Math.round(ms * (0.75 + 0.5 * (this.options.random ?? Math.random)()));
  }
}

const sizeOf = (file: string): number => fs.lstatSync(file, { throwIfNoEntry: false })?.size ?? 0;

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** A call as another harness named it. Only a person on this machine needs it, and the pointers of `mask` do not name its fields. */
const onlyHere = ['/input/asked', '/labels/call'];

/** A copy of an event without the values at these JSON pointers, and without those that stay here. It lists them, as OPA does. */
export function withhold(event: LogEvent, mask: readonly string[]): LogEvent {
  const pointers = event.labels.call === undefined ? mask : [...mask, ...onlyHere];
  if (pointers.length === 0) return event;
  const copy = structuredClone(event);
  const erased = pointers.filter((pointer) => remove(copy, pointer.split('/').slice(1).map(plain)));
  if (erased.length === 0) return copy;
  const isBelow = (one: string): boolean => erased.some((pointer) => one === pointer || one.startsWith(`${pointer}/`));
  copy.erased = [...(copy.erased ?? []).filter((one) => !isBelow(one)), ...erased];
  if (copy.masked !== undefined) copy.masked = copy.masked.filter((one) => !isBelow(one));
  return copy;
}

/** True if there was a value. */
function remove(from: unknown, [first = '', ...rest]: string[]): boolean {
  if (typeof from !== 'object' || from === null || !Object.hasOwn(from, first)) return false;
  const holder = from as Record<string, unknown>;
  if (rest.length > 0) return remove(holder[first], rest);
  // The item's place in a list is kept, so that other pointers stay valid.
  if (Array.isArray(from)) holder[first] = null;
  else delete holder[first];
  return true;
}

const plain = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~');

/** Milliseconds until teams.yaml is checked again if it names no server. */
const LOOK_EVERY = 60_000;

/** Sends the decisions of the open project to the server in teams.yaml. */
export class LogShipping {
  private readonly stopping = new AbortController();
  private sender: { root: string; sender: LogSender } | null = null;

  constructor(
    private readonly dataFolder: string,
    private readonly folders: readonly LayerFolder[],
  ) {}

  stop(): void {
    this.stopping.abort();
  }

  /** Records the log position from which decisions are sent, if none is recorded yet. Throws on file system errors. */
  begin(root: string): void {
    const { logs } = this.team();
    if (logs !== null) this.senderOf(root).begin(logs);
  }

  /** Sends one batch. Throws only file system errors. */
  async turn(root: string): Promise<Sent> {
    const { logs: pin } = this.team();
    if (pin === null) return { outcome: 'nothing', next: LOOK_EVERY };
    const { connect, post } = await import('./remote.ts');
    let connection: Connection | null = null;
    try {
      return await this.senderOf(root).turn(pin, (body, headers) => {
        connection = connect(pin);
        return post(pin.url, connection, body, headers, this.stopping.signal);
      });
    } finally {
      await (connection as Connection | null)?.close();
    }
  }

  private team(): Team {
    return teamOf(this.folders.map((folder) => readSources(folder))).team;
  }

  private senderOf(root: string): LogSender {
    if (this.sender?.root !== root) this.sender = { root, sender: new LogSender({ dataFolder: this.dataFolder, root }) };
    return this.sender.sender;
  }
}
