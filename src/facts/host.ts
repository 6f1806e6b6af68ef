// The host of a call, in one spelling for all equivalent names: case, a trailing dot, Unicode, escapes, and numeric addresses.

import type { Facts } from '../model/facts.ts';
import { MalformedInput } from './input.ts';
import { checkHost, checkUrl } from './limits.ts';

/** As in a URL, without a trailing dot. An IPv4-mapped IPv6 address becomes the IPv4 address. null if the name is not a host. */
export function canonicalHost(name: string): string | null {
  const url = `https://${name}/`;
  if (/[\s/@?#\\]/.test(name) || !URL.canParse(url)) return null;
  const { hostname } = new URL(url);
  return mappedAddress(hostname) ?? hostname.replace(/(?<!\.)\.+$/, '');
}

/** The IPv4 address in an IPv4-mapped IPv6 address. RFC 4291, 2.5.5.2. */
function mappedAddress(host: string): string | null {
  const words = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(host);
  if (words === null) return null;
  return [words[1], words[2]]
    .map((word) => Number.parseInt(word as string, 16))
    .flatMap((word) => [word >> 8, word & 255])
    .join('.');
}

/** The host of a URL, with or without a scheme. Throws `MalformedInput` if it has no host, because no rule could match it. */
export function domainOf(url: string): Facts['domains'][number] {
  checkUrl(url);
  const host = hostnameOf(url) || (/^[a-z0-9+.-]+:[\\/]/i.test(url) ? '' : hostnameOf(`https://${url}`));
  if (host === '') throw new MalformedInput(`not a URL with a host: ${url.slice(0, 200)}`);
  return hostOf(host);
}

function hostnameOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : '';
}

/** A host with each name that a rule may use for it. Throws `MalformedInput` if it is longer than the limit. */
export function hostOf(name: string): Facts['domains'][number] {
  checkHost(name);
  const host = canonicalHost(name) ?? name.toLowerCase().replace(/(?<!\.)\.+$/, '');
  const parts = host.split('.');
  return { host, labels: parts.map((_, at) => parts.slice(at).join('.')) };
}
