// `servers:` of modes.yaml: which tools of an MCP server only read.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { serverKinds } from '../../../src/config/server-kinds.ts';
import { readTopology } from '../../../src/config/topology.ts';

const read = (servers: string) =>
  readTopology({ name: 'modes.yaml', text: `name: t\ndefault: a\nservers: ${servers}\nmodes:\n  a:\n` });
const toolsOf = (servers: string) => read(servers).topology?.arguments.map(({ tool, readsOnly }) => [tool, readsOnly]);

describe('servers:', () => {
  test('lists the tools of a kind under the name of the server', () => {
    expect(toolsOf('{gh: {kind: github}}')).toContainEqual(['mcp__gh__get_me', true]);
    expect(toolsOf('{gh: {kind: github}}')).toHaveLength(serverKinds.github?.length ?? 0);
  });

  test('lists the tools that are named, as the client spells them', () => {
    expect(toolsOf('{my.db: {reads: [list_tables, "get_*"]}}')).toEqual([
      ['mcp__my_db__list_tables', true],
      ['mcp__my_db__get_*', true],
    ]);
  });

  test('lists a tool with the arguments that let it write a file', () => {
    const tools = read('{pw: {kind: playwright}}').topology?.arguments;
    expect(tools?.find(({ tool }) => tool === 'mcp__pw__browser_snapshot')?.unless).toEqual(['filename']);
  });

  test('lists a tool with its argument that must be a query, and with those that name the files it writes', () => {
    const tools = read('{db: {kind: postgres}, fs: {kind: filesystem}}').topology?.arguments;
    expect(tools?.find(({ tool }) => tool === 'mcp__db__query')?.query).toBe('sql');
    expect(tools?.find(({ tool }) => tool === 'mcp__fs__move_file')).toMatchObject({
      roles: [
        { argument: 'source', role: 'write' },
        { argument: 'destination', role: 'write' },
      ],
    });
  });

  test('joins both, and an empty one lists nothing', () => {
    expect(toolsOf('{gh: {kind: github, reads: [extra]}}')).toContainEqual(['mcp__gh__extra', true]);
    expect(toolsOf('{gh: {}}')).toEqual([]);
  });

  test.each([
    ['{gh: {kind: githup}}', 'E_UNKNOWN_VALUE'],
    ['{gh: github}', 'E_WRONG_TYPE'],
    ['{"g*": {kind: github}}', 'E_SERVER_NAME'],
    ['{gh: {reads: get_me}}', 'E_WRONG_TYPE'],
    ['{gh: {reads: ["get me"]}}', 'E_SERVER_NAME'],
    ['{gh: {tools: [get_me]}}', 'E_UNKNOWN_KEY'],
  ])('%s is %s', (value, code) => {
    const { topology, problems } = read(value);
    expect(problems.map((problem) => problem.code)).toContain(code);
    expect(topology).toBeNull();
  });

  test.each(Object.entries(serverKinds))('the tools of %s are names without a pattern, each once', (_, tools) => {
    expect(tools.filter((tool) => !/^[A-Za-z0-9_-]+(?:\?[a-z]+|>[a-z,]+|(?:![A-Za-z]+)*)$/.test(tool))).toEqual([]);
    expect(new Set(tools).size).toBe(tools.length);
  });
});

test('the documentation names every kind', () => {
  const said = readFileSync(new URL('../../../docs/modes.md', import.meta.url), 'utf8')
    .split('\n## ')
    .find((one) => one.startsWith('servers'));
  expect(Object.keys(serverKinds).filter((kind) => !said?.includes(`\`${kind}\``))).toEqual([]);
});
