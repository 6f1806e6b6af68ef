// Only one sender is accepted: the page that this process served, on this machine, with the token that only its address contains.
import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The HTTP status of a refused request; null if it is accepted. The page itself contains no data and needs no token. */
export function refusal(
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
