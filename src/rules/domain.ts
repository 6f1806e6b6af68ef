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
    return refuse(`${written} is not a host name`, 'Write the host alone, without scheme, port and path: example.org.');
  return { form: below ? 'below' : 'exact', host };
}

function refuse(message: string, remedy: string): ParsedDomain {
  return { problem: { message, remedy } };
}

function foldHost(name: string): string | null {
  if (name.includes('%') || (name.includes(':') && !/^\[[0-9a-fA-F:.]+\]$/.test(name))) return null;
  const host = canonicalHost(name);
  return host?.split('.').includes('') ? null : host;
}
