// Which host a word names.

/** Host of a URL, `user@host:path` or `host`; null when there is none. */
export function hostOf(text: string): string | null {
  const url = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?(\[[^\]]*\]|[^/:?#]*)/i.exec(text);
  if (url) return url[1] ? url[1].toLowerCase().replace(/\.$/, '') : null;
  const scp = /^(?:[^/@:]+@)?([^/@:]+)(?::|\/|$)/.exec(text);
  return scp ? scp[1]!.toLowerCase().replace(/\.$/, '') : null;
}

/** Host in what an address has before its path, with a name and a password in front or a port behind; null when there is none. */
export function hostOfAuthority(authority: string): string | null {
  const host = /^(?:\[[^\]]*\]|[^:]*)/
    .exec(authority.slice(authority.lastIndexOf('@') + 1))?.[0]
    .toLowerCase()
    .replace(/\.$/, '');
  return host || null;
}

/** `/dev/tcp/host/port` of Bash redirects. */
export function socketHost(path: string): string | null {
  const m = /^\/+dev\/+(?:tcp|udp)\/+([^/]*)/.exec(path);
  return m ? m[1]! : null;
}

/** What stands in front of `://` in addresses that name a bucket, a file or an image in place of a host. */
const NO_HOST = /^(?:file|s3|gs|r2|az|abfss?|wasbs?|data|jar|zip|phar|docker|docker-daemon|containers-storage|oci-archive)$/i;

/** Host of an address that a word is, or the value of an option in it; null when there is none, or not all of it is known. */
export function hostIn(word: string, isWhole: boolean): string | null {
  const found = /^(?:--?[\w.-]+=|-[A-Za-z])?(?:\w+\+)?([a-z][a-z0-9.-]*):\/\/[^/?#]*(.?)/is.exec(word);
  if (!found || NO_HOST.test(found[1]!) || (!isWhole && found[2] === '')) return null;
  return hostOf(word.slice(word.indexOf(`${found[1]}://`)));
}

/** Registry in the name of an image: `ghcr.io/a/b`, `localhost:5000/a`. */
export function registryOf(image: string): string | null {
  const first = /^([\w-]+(?:\.[\w-]+)*)(:\d+)?\/./.exec(image.replace(/^[a-z]+:\/\//, ''));
  return first && (first[2] || /\.|^localhost$/.test(first[1]!)) ? first[1]!.toLowerCase() : null;
}
