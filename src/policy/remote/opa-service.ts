// The OPA server of one teams.yaml for a whole process: one thread, its circuit breakers, and the record of its failures.

import { readSecret } from '../../config/secret-file.ts';
import type { Facts } from '../../model/facts.ts';
import type { OpaPin } from '../../model/opa-pin.ts';
import { addsCertificates } from '../../platform/certificates.ts';
import { forgetOpa, keepOpaRecord, type OpaRecord, opaStatus } from '../../store/opa-record.ts';
import { Breaker } from './breaker.ts';
import type { Reply } from './opa-answer.ts';
import { OpaLine } from './opa-line.ts';
import { type Evaluation, OpaPolicy, type OpaPolicyOptions, type OpaRequest } from './opa-policy.ts';

/** Milliseconds until a token is read again. */
const TOKEN_MS = 10_000;
/** Servers per process. A session's pinned configuration may name another server than the present one. */
const MAX_SERVICES = 4;
/** Milliseconds between two reports of different verdicts. */
const NOTE_MS = 5_000;

export type Placed = Pick<OpaPolicyOptions, 'mode' | 'revision' | 'isSteady' | 'input' | 'local'>;

interface Around {
  pin: OpaPin;
  /** The thread's script. */
  script: string;
  dataFolder: string;
}

const services = new Map<string, OpaService>();

/** Removes the record of a server, since no server is configured any longer. */
export function leaveOpa(dataFolder: string): void {
  try {
    forgetOpa(dataFolder);
  } catch (error) {
    process.stderr.write(`modes: could not remove the record of an OPA server: ${(error as Error).message}\n`);
  }
}

/** All callers with the same server and the same options share one service. */
export function opaService(around: Around): OpaService {
  const { source: _, ...pin } = around.pin;
  const key = JSON.stringify([pin, around.script, around.dataFolder]);
  const service = services.get(key) ?? new OpaService(around);
  services.delete(key);
  services.set(key, service);
  const [oldest] = services.keys();
  if (services.size > MAX_SERVICES && oldest !== undefined) {
    services.get(oldest)?.close();
    services.delete(oldest);
  }
  return service;
}

export class OpaService {
  private line: OpaLine | null = null;
  private readonly breakers = new Map<string, Breaker>();
  private token: { text: string | null; until: number } | null = null;
  private readonly record: OpaRecord;
  private notedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly around: Around) {
    const { url } = around.pin;
    this.record = { url, ...opaStatus(around.pin, around.dataFolder) };
  }

  /** The policy of a mode as one blocking function. */
  policy(placed: Placed): (facts: Facts) => Evaluation {
    const { pin } = this.around;
    const url = pin.url.replaceAll('{mode}', placed.mode);
    const breaker = this.breakers.get(url) ?? new Breaker();
    this.breakers.set(url, breaker);
    const observer = {
      failed: (why: string) => this.failed(why),
      back: () => this.back(),
      differs: (mode: string, what: string) => this.differs(mode, what),
    };
    const policy = new OpaPolicy({ ...placed, pin, breaker, observer });
    return (facts) => this.evaluate(policy, facts);
  }

  /** Starts the thread early, so that the first call does not wait for it. */
  warm(): void {
    this.opened();
  }

  close(): void {
    this.line?.end();
    this.line = null;
  }

  private evaluate(policy: OpaPolicy, facts: Facts): Evaluation {
    this.line?.hear();
    const steps = policy.evaluate(facts);
    let step = steps.next(null);
    let sent: number | { fault: string } = 0;
    while (!step.done) {
      if (step.value.kind === 'send') {
        sent = this.send(step.value.question, step.value.onReply);
        if (typeof sent !== 'number') step.value.onReply?.(sent);
        step = steps.next(null);
      } else step = steps.next(this.receive(sent));
    }
    return step.value;
  }

  private send(question: OpaRequest, onReply?: (reply: Reply) => void): number | { fault: string } {
    const token = this.tokenNow();
    if (typeof token === 'object' && token !== null) return token;
    const line = this.opened();
    if (typeof line === 'object' && 'fault' in line) return line;
    if (!line.start()) return { fault: 'no request was sent: its thread does not start' };
    return line.send({ ...question, token }, onReply);
  }

  private receive(sent: number | { fault: string }): Reply | null {
    return typeof sent === 'number' ? (this.line?.receive(sent, this.around.pin.deadline) ?? null) : sent;
  }

  private opened(): OpaLine | { fault: string } {
    if (this.line !== null && !this.line.over) return this.line;
    const { pin, script } = this.around;
    const ca = pin.caFile === null ? null : readSecret(pin.caFile);
    if (ca !== null && 'why' in ca) return { fault: `no request was sent: ${pin.caFile} ${ca.why}` };
    const vouching = { ca: ca?.bytes.toString('utf8') ?? null, ownOnly: addsCertificates() };
    this.line = new OpaLine({ script, ...vouching, deadlineMs: pin.deadline });
    return this.line;
  }

  /** Reads the token again from time to time, since tokens are renewed. */
  private tokenNow(): string | null | { fault: string } {
    const { tokenFile } = this.around.pin;
    if (tokenFile === null) return null;
    if (this.token !== null && performance.now() < this.token.until) return this.token.text;
    const read = readSecret(tokenFile);
    if ('why' in read) return { fault: `no request was sent: ${tokenFile} ${read.why}` };
    this.token = { text: read.bytes.toString('utf8').trim(), until: performance.now() + TOKEN_MS };
    return this.token.text;
  }

  private failed(why: string): void {
    const now = new Date().toISOString();
    this.record.trouble = { why, since: this.record.trouble?.since ?? now, seen: now };
    this.keep();
  }

  private back(): void {
    if (this.record.trouble === null) return;
    this.record.trouble = null;
    this.keep();
  }

  private differs(mode: string, what: string): void {
    const count = (this.record.differing?.count ?? 0) + 1;
    this.record.differing = { count, at: new Date().toISOString(), mode, what };
    const now = performance.now();
    if (now - this.notedAt < NOTE_MS) return;
    this.notedAt = now;
    this.keep();
  }

  private keep(): void {
    try {
      keepOpaRecord(this.around.dataFolder, this.record);
    } catch (error) {
      process.stderr.write(`modes: could not record the state of the OPA server: ${(error as Error).message}\n`);
    }
  }
}
