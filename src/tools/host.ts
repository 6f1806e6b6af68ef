// One spelling for the names of hosts that are the same: case, a trailing dot, Unicode, escapes, and numbers for an address.

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
