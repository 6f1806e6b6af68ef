// `mcp__server__tool`: both names may contain `__`, so one text may refer to several servers.

const prefix = 'mcp__';

/** Every server that this tool name could belong to; empty for a name of another form. */
export function serversIn(name: string): string[] {
  if (!name.startsWith(prefix)) return [];
  const servers: string[] = [];
  for (let at = name.indexOf('__', prefix.length + 1); at !== -1; at = name.indexOf('__', at + 1))
    servers.push(name.slice(prefix.length, at));
  return servers;
}

/** The key of rules for tools of one server, or of any, that only read. */
export const readOnlyKey = (server: string | null): string => `${server === null ? 'mcp__*' : serverKey(server)}(@read-only)`;

/** The key of a server's tools: `mcp__server`, or `mcp__a__b__*` if the plain form could be the name of a tool. */
export function serverKey(server: string): string {
  return prefix + server + (server.includes('__') ? '__*' : '');
}
