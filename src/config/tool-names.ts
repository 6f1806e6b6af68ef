// The spelling of the names of MCP tools in the client.

/** The name of a server or tool in `mcp__server__tool`. The client replaces every other character by `_`. */
export function clientName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_-]/g, '_');
}
