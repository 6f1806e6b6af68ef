// Hosts that words name.

/** Host of a URL, of `user@host:path`, or of `host`, or null. */
export function hostOf(text: string): string | null {
  const url = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?(\[[^\]]*\]|[^/:?#]*)/i.exec(text);
  if (url) return url[1] ? url[1].toLowerCase().replace(/\.$/, '') : null;
  const scp = /^(?:[^/@:]+@)?([^/@:]+)(?::|\/|$)/.exec(text);
  return scp ? scp[1]!.toLowerCase().replace(/\.$/, '') : null;
}

/** Host in the authority of an address, which may include a user name, a password, and a port. */
export function hostOfAuthority(authority: string): string | null {
  const host = /^(?:\[[^\]]*\]|[^:]*)/
    .exec(authority.slice(authority.lastIndexOf('@') + 1))?.[0]
    .toLowerCase()
    .replace(/\.$/, '');
  return host || null;
}

/** `/dev/tcp/host/port` of Bash redirections. */
export function socketHost(path: string): string | null {
  const m = /^\/+dev\/+(?:tcp|udp)\/+([^/]*)/.exec(path);
  return m ? m[1]! : null;
}

/** Schemes of addresses that name a bucket, a file, or an image and not a host. */
const NO_HOST = /^(?:file|s3|gs|r2|az|abfss?|wasbs?|data|jar|zip|phar|docker|docker-daemon|containers-storage|oci-archive)$/i;

/** Host of an address in a word, or in the value of an option. Null if the word names no host, or only a part of it is known. */
export function hostIn(word: string, isWhole: boolean): string | null {
  const match = /^(?:--?[\w.-]+=|-[A-Za-z])?(?:\w+\+)?([a-z][a-z0-9.-]*):\/\/[^/?#]*(.?)/is.exec(word);
  if (!match || NO_HOST.test(match[1]!) || (!isWhole && match[2] === '')) return null;
  return hostOf(word.slice(word.indexOf(`${match[1]}://`)));
}

/** The names and addresses of this machine. */
export const isLoopback = (host: string): boolean =>
  /^(?:localhost|(?:[\w-]+\.)+localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/.test(host);

/** Registry in the name of an image: `ghcr.io/a/b`, `localhost:5000/a`. */
export function registryOf(image: string): string | null {
  const first = /^([\w-]+(?:\.[\w-]+)*)(:\d+)?\/./.exec(image.replace(/^[a-z]+:\/\//, ''));
  return first && (first[2] || /\.|^localhost$/.test(first[1]!)) ? first[1]!.toLowerCase() : null;
}
