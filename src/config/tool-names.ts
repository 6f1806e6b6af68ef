// How the client writes the names of MCP tools.

/** A server's or tool's name as it stands in `mcp__server__tool`: any other character has become `_`. */
export function clientName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_-]/g, '_');
}
