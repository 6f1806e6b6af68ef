// The host that a call names, and one spelling for names that are the same: case, a trailing dot, Unicode, escapes, and numbers for an address.

import type { Facts } from '../model/facts.ts';
import { MalformedInput } from './input.ts';
import { checkHost, checkUrl } from './limits.ts';

/** As a URL has it, without a dot at its end, and an IPv4 address that is written as an IPv6 one as itself; null for what is none. */
export function canonicalHost(name: string): string | null {
  const url = `https://${name}/`;
  if (/[\s/@?#\\]/.test(name) || !URL.canParse(url)) return null;
  const { hostname } = new URL(url);
  return mappedAddress(hostname) ?? hostname.replace(/(?<!\.)\.+$/, '');
}

/** RFC 4291, 2.5.5.2. */
function mappedAddress(host: string): string | null {
  const words = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(host);
  if (words === null) return null;
  return [words[1], words[2]]
    .map((word) => Number.parseInt(word as string, 16))
    .flatMap((word) => [word >> 8, word & 255])
    .join('.');
}

/** The host of a URL, also of one without a scheme. Throws `MalformedInput` where there is none: no rule could meet it. */
export function domainOf(url: string): Facts['domains'][number] {
  checkUrl(url);
  const host = hostnameOf(url) || (/^[a-z0-9+.-]+:[\\/]/i.test(url) ? '' : hostnameOf(`https://${url}`));
  if (host === '') throw new MalformedInput(`not a URL with a host: ${url.slice(0, 200)}`);
  return hostOf(host);
}

function hostnameOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : '';
}

/** A host by each name that a rule may have for it. Throws `MalformedInput` for one that is longer than any. */
export function hostOf(name: string): Facts['domains'][number] {
  checkHost(name);
  const host = canonicalHost(name) ?? name.toLowerCase().replace(/(?<!\.)\.+$/, '');
  const parts = host.split('.');
  return { host, labels: parts.map((_, at) => parts.slice(at).join('.')) };
}
