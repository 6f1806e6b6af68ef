// Which host a word names.

/** Host of a URL, `user@host:path` or `host`; null when there is none. */
export function hostOf(text: string): string | null {
  const url = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?(\[[^\]]*\]|[^/:?#]*)/i.exec(text);
  if (url) return url[1] ? url[1].toLowerCase().replace(/\.$/, '') : null;
  const scp = /^(?:[^/@:]+@)?([^/@:]+)(?::|\/|$)/.exec(text);
  return scp ? scp[1]!.toLowerCase().replace(/\.$/, '') : null;
}

/** `/dev/tcp/host/port` of Bash redirects. */
export function socketHost(path: string): string | null {
  const m = /^\/+dev\/+(?:tcp|udp)\/+([^/]*)/.exec(path);
  return m ? m[1]! : null;
}
