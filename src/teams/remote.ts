// The servers of an organization: one provides bundles, another receives decisions. All HTTP code is here.
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import type { Dispatcher } from 'undici';
import { Agent, EnvHttpProxyAgent, ProxyAgent, request } from 'undici';
import { LOOPBACK, type Server } from '../config/team-server.ts';
import { addsCertificates } from '../platform/certificates.ts';
import { BundleRefused, faultOf } from './refusal.ts';
import { readTrusted } from './secrets.ts';

/** Maximum bytes of an archive. */
const MAX_ARCHIVE = 16 * 1024 * 1024;
/** Milliseconds for a connection, and for an answer in addition to the server's permitted waiting time. */
const CONNECT_MS = 10_000;
const ANSWER_MS = 30_000;
/** Media type of a server that holds its answer back until there is something new. */
const LONG_POLLING = 'application/vnd.openpolicyagent.bundles';

export interface Connection {
  dispatcher: Dispatcher;
  headers: Record<string, string>;
  close(): Promise<void>;
}

/** Opens a connection to a server. @throws {Refused} E_BUNDLE_KEY if a file that it needs cannot be read */
export function connect({ url, tokenFile, caFile, proxy }: Server): Connection {
  const token = tokenFile === null ? null : readTrusted(tokenFile).toString('utf8').trim();
  const ca = caFile === null ? undefined : readTrusted(caFile).toString('utf8');
  return connectWith(url, { ...(token !== null && { token }), ...(ca !== undefined && { ca }) }, proxy);
}

interface Credentials {
  token?: string;
  ca?: string;
}

/**
 * The environment may name a proxy, because a proxy only forwards encrypted data. The environment can neither disable certificate
 * checks nor add certificates.
 */
function connectWith(url: string, { token, ca }: Credentials, proxy: string | null): Connection {
  const tls = {
    rejectUnauthorized: true,
    ...(ca !== undefined ? { ca } : addsCertificates() && { secureContext: nodeRoots() }),
  };
  const waits = { headersTimeout: 0, bodyTimeout: ANSWER_MS, connections: 2 };
  const through = { ...waits, requestTls: tls, proxyTls: { rejectUnauthorized: true } };
  const direct = { ...waits, connect: { ...tls, timeout: CONNECT_MS } };
  const dispatcher =
    proxy !== null
      ? new ProxyAgent({ uri: proxy, ...through })
      : hasProxy() && !LOOPBACK.has(new URL(url).hostname)
        ? new EnvHttpProxyAgent({ ...direct, ...through })
        : new Agent(direct);
  return {
    dispatcher,
    headers: { 'user-agent': 'claude-modes', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    close: () => dispatcher.destroy(),
  };
}

let own: SecureContext | null = null;

/** Created once: loading Node's certificates takes some 50 ms. */
function nodeRoots(): SecureContext {
  own ??= createSecureContext({ ca: [...rootCertificates] });
  return own;
}

function hasProxy(): boolean {
  return ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY'].some((name) => (process.env[name] ?? '') !== '');
}

export type Fetched =
  | { kind: 'same'; held: boolean }
  /** `held`: the server holds its answer back until there is something new, so the next request can follow at once. */
  | { kind: 'new'; bytes: Buffer; etag: string | null; held: boolean };

/**
 * Requests a bundle, as OPA does; `wait` in ms.
 * @throws {Refused} E_BUNDLE_FETCH if the bundle cannot be fetched
 */
export async function getBundle(
  url: string,
  { dispatcher, headers }: Connection,
  { etag, wait, signal }: { etag: string | null; wait: number; signal: AbortSignal },
): Promise<Fetched> {
  const seconds = Math.floor(wait / 1000);
  return withFetchErrors(url, async () => {
    const answer = await request(url, {
      dispatcher,
      headers: {
        ...headers,
        prefer: `modes=snapshot${seconds > 0 ? `;wait=${seconds}` : ''}`,
        ...(etag !== null && { 'if-none-match': etag }),
      },
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS + wait)]),
    });
    const isLongPolling = seconds > 0 && textOf(answer.headers['content-type']).startsWith(LONG_POLLING);
    if (answer.statusCode === 304) {
      await answer.body.dump();
      return { kind: 'same', held: isLongPolling };
    }
    if (answer.statusCode !== 200) throw await refuseStatus(url, answer);
    return { kind: 'new', bytes: await readBody(answer.body), etag: etagOf(answer.headers.etag), held: isLongPolling };
  });
}

/** Returns the server's ETag. @throws {Refused} E_BUNDLE_FETCH */
export async function putBundle(url: URL, bytes: Uint8Array, credentials: Credentials): Promise<string | null> {
  const connection = connectWith(url.href, credentials, null);
  try {
    return await withFetchErrors(
      url.href,
      async () => {
        const answer = await request(url, {
          method: 'PUT',
          dispatcher: connection.dispatcher,
          headers: { ...connection.headers, 'content-type': 'application/gzip' },
          body: bytes,
          signal: AbortSignal.timeout(2 * ANSWER_MS),
        });
        if (answer.statusCode < 200 || answer.statusCode > 299) throw await refuseStatus(url.href, answer, 'sent');
        await answer.body.dump();
        return textOf(answer.headers.etag) || null;
      },
      'sent',
    );
  } finally {
    await connection.close();
  }
}

export interface Posted {
  status: number;
  /** Milliseconds that the server asks us to wait, or null. */
  retryAfter: number | null;
}

/** Sends a body. Throws if there is no answer. */
export async function post(
  url: string,
  { dispatcher, headers }: Connection,
  body: Uint8Array,
  more: Record<string, string>,
  signal: AbortSignal,
): Promise<Posted> {
  const answer = await request(url, {
    method: 'POST',
    dispatcher,
    headers: { ...headers, ...more },
    body,
    signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
  });
  await answer.body.dump();
  return { status: answer.statusCode, retryAfter: waitOf(textOf(answer.headers['retry-after']), Date.now()) };
}

/** Milliseconds of `Retry-After`, a number of seconds or a date; null for anything else. */
export function waitOf(text: string, now: number): number | null {
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}

async function readBody(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.length;
    if (size > MAX_ARCHIVE) throw unavailable(`it is larger than ${MAX_ARCHIVE / 1024 / 1024} MB`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

async function refuseStatus(url: string, answer: Dispatcher.ResponseData, step: FetchStep = 'had'): Promise<BundleRefused> {
  await answer.body.dump();
  const moved = textOf(answer.headers.location);
  const where = moved === '' ? '' : ` and redirects to ${JSON.stringify(moved.slice(0, 200))}, which is not followed`;
  return unavailable(`${url} answers ${answer.statusCode}${where}`, step);
}

async function withFetchErrors<T>(url: string, ask: () => Promise<T>, step: FetchStep = 'had'): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof BundleRefused) throw error;
    throw unavailable(`${url}: ${faultOf(error)}`, step);
  }
}

/** Remedy by direction: teams.yaml names the server that provides a bundle, the command line the one that receives it. */
const checks = {
  had: 'Check the address, the token, the certificates and the proxy that teams.yaml names.',
  sent: 'Check the address, the files of --token and --ca, and HTTPS_PROXY in the environment.',
} as const;
type FetchStep = keyof typeof checks;

function unavailable(why: string, step: FetchStep = 'had'): BundleRefused {
  return new BundleRefused('E_BUNDLE_FETCH', `The bundle cannot be ${step}: ${why}.`, checks[step]);
}

/** An ETag that could not be sent back is ignored. */
function etagOf(header: string | string[] | undefined): string | null {
  const text = textOf(header);
  return /^[\x21-\x7e]{1,500}$/.test(text) ? text : null;
}

const textOf = (header: string | string[] | undefined): string => (Array.isArray(header) ? (header[0] ?? '') : (header ?? ''));
