// The host of a `WebFetch(domain:…)` rule, in the spelling that facts use.

import { canonicalHost } from '../facts/host.ts';

export type ParsedDomain = { form: 'exact' | 'below' | 'any'; host: string } | { problem: { message: string; remedy: string } };

/** `example.org`: that host; `*.example.org`: hosts under it, not itself; `*`: any. Normalizes case, trailing dot and Unicode. */
export function parseDomain(text: string): ParsedDomain {
  const written = text.trim();
  if (written === '*') return { form: 'any', host: '' };
  const below = written.startsWith('*.');
  const name = below ? written.slice(2) : written;
  if (name.includes('*')) return refuse(`${written} has a * inside`, 'A * stands only for whole labels in front: *.example.org.');
  const host = foldHost(name);
  if (host === null)
    return refuse(`${written} is not a host name`, `Write the host alone, without scheme, port and path: ${hostIn(written)}.`);
  return { form: below ? 'below' : 'exact', host };
}

/** The host of a URL or of a host with a port or path, as a rule may name it; an example if there is none. */
export function hostIn(text: string): string {
  const host = text
    .trim()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
    .replace(/[/?#].*$/s, '')
    .replace(/:\d*$/, '');
  return foldHost(host.replace(/^\*\./, '')) === null ? 'example.org' : host;
}

function refuse(message: string, remedy: string): ParsedDomain {
  return { problem: { message, remedy } };
}

function foldHost(name: string): string | null {
  if (name.includes('%') || (name.includes(':') && !/^\[[0-9a-fA-F:.]+\]$/.test(name))) return null;
  const host = canonicalHost(name);
  return host?.split('.').includes('') ? null : host;
}
