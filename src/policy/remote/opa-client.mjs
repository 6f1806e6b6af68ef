// Asks OPA servers over connections that stay open. Plain JavaScript: the same file runs from source and bundled.
import { createSecureContext, rootCertificates } from 'node:tls';
import { Agent, request } from 'undici';

/** Milliseconds until an unused connection is closed. */
const KEEP_MS = 60_000;
/** Errors of a kept connection that the server had closed. The request changes nothing, so it is sent once more. */
const CLOSED = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/** @typedef {import('node:tls').SecureContext} SecureContext */
/** @typedef {{ url: string, body: string, token: string | null }} Question */
/** @typedef {{ status: number, text: string, location: string } | { fault: string }} Reply */

export class OpaClient {
  /** Agents by the path of the socket; '' means the network. @type {Map<string, Agent>} */
  #agents = new Map();
  #options;
  /** Certificates that are trusted; null for Node's usual ones. @type {SecureContext | null} */
  #vouching = null;

  /**
   * `ca`: PEM. `ownOnly`: without `ca`, trust only the certificates that Node itself contains.
   * @param {{ ca: string | null, ownOnly?: boolean, deadlineMs: number, maxBytes: number }} options
   */
  constructor(options) {
    this.#options = options;
    // Made once and before the first request, since it takes about 50 ms.
    if (options.ca === null && options.ownOnly === true) this.#vouching = createSecureContext({ ca: [...rootCertificates] });
  }

  /**
   * Never throws.
   * @param {Question} question the path of a `unix:` address is the path of the socket
   * @returns {Promise<Reply>}
   */
  async ask({ url, body, token }) {
    const { deadlineMs, maxBytes } = this.#options;
    const signal = AbortSignal.timeout(deadlineMs);
    try {
      const { origin, path, socket } = placeOf(url);
      for (let tries = 1; ; tries++) {
        try {
          const answer = await request(`${origin}${path}`, {
            method: 'POST',
            headers: { 'content-type': 'application/json', ...(token !== null && { authorization: `Bearer ${token}` }) },
            body,
            signal,
            dispatcher: this.#agent(socket),
          });
          const text = await answer.body.text();
          return { status: answer.statusCode, text, location: String(answer.headers.location ?? '') };
        } catch (error) {
          if (tries > 1 || !CLOSED.has(codeOf(error))) throw error;
        }
      }
    } catch (error) {
      if (signal.aborted) return { fault: `it does not answer within ${deadlineMs} ms` };
      const code = codeOf(error);
      if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return { fault: `its answer is larger than ${maxBytes / 1024} KB` };
      return { fault: `it cannot be reached (${code})` };
    }
  }

  async close() {
    await Promise.all([...this.#agents.values()].map((agent) => agent.destroy()));
  }

  /** @param {string} socket */
  #agent(socket) {
    const known = this.#agents.get(socket);
    if (known !== undefined) return known;
    const { ca, deadlineMs, maxBytes } = this.#options;
    const agent = new Agent({
      connect: {
        timeout: deadlineMs,
        rejectUnauthorized: true,
        ...(ca !== null && { ca }),
        ...(this.#vouching !== null && { secureContext: this.#vouching }),
        ...(socket !== '' && { socketPath: socket }),
      },
      connections: 1,
      keepAliveTimeout: KEEP_MS,
      maxResponseSize: maxBytes,
      headersTimeout: deadlineMs,
      bodyTimeout: deadlineMs,
    });
    this.#agents.set(socket, agent);
    return agent;
  }
}

const QUESTION = '/v1/data/modes/verdict?provenance=true';

/** @param {string} url */
function placeOf(url) {
  if (url.startsWith('unix:')) return { origin: 'http://localhost', path: QUESTION, socket: url.slice('unix://'.length) };
  const { origin, pathname } = new URL(url);
  return { origin, path: `${pathname.replace(/\/+$/, '')}${QUESTION}`, socket: '' };
}

/** @param {unknown} error */
function codeOf(error) {
  const { code, cause, message } = /** @type {{ code?: unknown, cause?: unknown, message?: unknown }} */ (error ?? {});
  const inner = /** @type {{ code?: unknown }} */ (cause)?.code;
  return String(code ?? inner ?? message ?? error);
}
