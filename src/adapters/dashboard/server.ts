// The dashboard: one page on loopback, and its read-only requests. Nothing can be changed through it.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import http, { type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { explainLogged } from '../../app/log/explain.ts';
import { renderExplanation } from '../../app/log/render.ts';
import { showUnseenIn } from '../../config/text.ts';
import { readEvent } from '../../store/log/event.ts';
import { LogFiles, logFolder } from '../../store/log/files.ts';
import { follow } from '../../store/log/follow.ts';
import { findDecision } from '../../store/log/query.ts';
import type { CallerProject } from '../../workflow/project.ts';
import { Decisions, rowOf } from './decisions.ts';
import { pageState } from './state.ts';

export interface DashboardOptions {
  project: CallerProject;
  /** The built page. */
  page: string;
  /** 0: any free port. */
  port: number;
  note(message: string): void;
}

export interface Dashboard {
  /** The token follows `#`, a part of the address that browsers do not send. */
  url: string;
  close(): Promise<void>;
}

/** Maximum number of pages that receive events at the same time. */
const maxStreams = 8;
/** Milliseconds between two checks of the project. */
const lookEvery = 700;

type Answer = (url: URL) => Promise<unknown>;

export async function serveDashboard({ project, page, port, note }: DashboardOptions): Promise<Dashboard> {
  const token = randomBytes(32).toString('base64url');
  const files = new LogFiles(logFolder(project.place.dataFolder, project.root));
  const decisions = new Decisions(files);
  const closing = new AbortController();
  let streams = 0;

  const answers: ReadonlyMap<string, Answer> = new Map<string, Answer>([
    ['/api/state', () => pageState(project)],
    [
      '/api/decisions',
      async ({ searchParams: query }) => {
        const given = (name: string) => query.get(name) ?? '';
        return decisions.search(given('text'), { mode: given('mode'), decision: given('decision') });
      },
    ],
    ['/api/rules', async () => decisions.rules(project)],
    [
      '/api/explain',
      async ({ searchParams: query }) => {
        const event = findDecision(files, query.get('id') ?? '');
        if (event === null || event === 'several') return null;
        await project.ready();
        const explanation = await explainLogged(event, project, null);
        return { row: rowOf(event), text: renderExplanation(explanation), explanation };
      },
    ],
  ]);

  const server = http.createServer((request, response) => {
    void respond(request, response).catch((error: Error) => {
      note(`the dashboard could not answer: ${error.message}`);
      if (response.headersSent) response.destroy();
      else send(response, 500, 'application/json', JSON.stringify({ error: error.message }));
    });
  });

  async function respond(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const { port: own } = server.address() as AddressInfo;
    const url = URL.canParse(request.url ?? '/', 'http://127.0.0.1') ? new URL(request.url ?? '/', 'http://127.0.0.1') : null;
    const refused = refusal(request, { port: own, token, needsToken: url?.pathname !== '/' });
    if (url === null || refused !== null) return send(response, refused ?? 400, 'application/json', '{"error":"refused"}');
    if (url.pathname === '/')
      return send(response, 200, 'text/html; charset=utf-8', page, { 'content-security-policy': policyOf(page) });
    if (url.pathname === '/api/stream') return stream(response);
    const answer = answers.get(url.pathname);
    if (answer === undefined) return send(response, 404, 'application/json', '{"error":"not found"}');
    send(response, 200, 'application/json', JSON.stringify(showUnseenIn(await answer(url))));
  }

  /** Streams a line of JSON for every event until the page disconnects. */
  async function stream(response: http.ServerResponse): Promise<void> {
    if (streams >= maxStreams) return send(response, 503, 'application/json', '{"error":"too many pages"}');
    streams++;
    const end = new AbortController();
    const both = AbortSignal.any([end.signal, closing.signal]);
    response.on('close', () => end.abort());
    response.writeHead(200, { ...headers, 'content-type': 'application/x-ndjson' });
    const tell = (kind: string, value: unknown) => response.write(`${JSON.stringify(showUnseenIn({ kind, value }))}\n`);
    const followed = async () => {
      for await (const line of follow(files, files.end() ?? { number: 1, offset: 0 }, both)) {
        const event = readEvent(line);
        if (event !== null) tell('decision', rowOf(event));
      }
    };
    try {
      await Promise.all([look((state) => tell('state', state), both), followed()]);
    } finally {
      streams--;
      response.end();
    }
  }

  /** Sends the state at once and after every change. */
  async function look(tell: (state: unknown) => void, signal: AbortSignal): Promise<void> {
    let lastSent = '';
    while (!signal.aborted) {
      const state = await pageState(project);
      const text = JSON.stringify(state);
      if (text !== lastSent && !signal.aborted) tell(state);
      lastSent = text;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(done, lookEvery);
        function done(): void {
          clearTimeout(timer);
          signal.removeEventListener('abort', done);
          resolve();
        }
        signal.addEventListener('abort', done);
      });
    }
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const { port: own } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${own}/#${token}`,
    close: () =>
      new Promise((resolve) => {
        closing.abort();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Content security policy: only the page's own script may run. */
function policyOf(page: string): string {
  const scripts = [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, script]) => script ?? '');
  const hashes = scripts.map((script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`);
  return [
    "default-src 'none'",
    `script-src ${hashes.join(' ')}`,
    "style-src 'unsafe-inline'",
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

const headers = {
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

function send(
  response: http.ServerResponse,
  status: number,
  type: string,
  body: string,
  more: Record<string, string> = {},
): void {
  response
    .writeHead(status, { 'content-security-policy': "default-src 'none'", ...headers, ...more, 'content-type': type })
    .end(body);
}

/** The HTTP status of a refused request; null if it is accepted. The page itself contains no data and needs no token. */
function refusal(
  request: IncomingMessage,
  { port, token, needsToken }: { port: number; token: string; needsToken: boolean },
): 403 | 405 | 421 | null {
  const { host, origin, authorization } = request.headers;
  const site = request.headers['sec-fetch-site'];
  // DNS rebinding: a foreign name that resolves to this machine.
  if (host === undefined || !hosts.some((name) => host === `${name}:${port}`)) return 421;
  if (request.method !== 'GET') return 405;
  if (origin !== undefined && !hosts.some((name) => origin === `http://${name}:${port}`)) return 403;
  // Typed, opened by a program, or sent by the page itself.
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return 403;
  return !needsToken || isToken(authorization ?? '', token) ? null : 403;
}

const hosts = ['127.0.0.1', 'localhost'];

function isToken(authorization: string, token: string): boolean {
  const given = Buffer.from(authorization.replace(/^Bearer /, ''));
  const wanted = Buffer.from(token);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
