// `mcp__server__tool`: since both names may hold `__`, one text may stand for several servers.

const prefix = 'mcp__';

/** Every server that this name could belong to; none for a name of another form. */
export function serversIn(name: string): string[] {
  if (!name.startsWith(prefix)) return [];
  const servers: string[] = [];
  for (let at = name.indexOf('__', prefix.length + 1); at !== -1; at = name.indexOf('__', at + 1))
    servers.push(name.slice(prefix.length, at));
  return servers;
}

/** The key of a server's tools: `mcp__server`, and `mcp__a__b__*` where that could be one tool's name. */
export function serverKey(server: string): string {
  return prefix + server + (server.includes('__') ? '__*' : '');
}
