// `arguments:` of modes.yaml: what the arguments of MCP tools are.
import { describe, expect, test } from 'vitest';
import { readConfiguration } from '../../../src/config/read.ts';
import { readTopology } from '../../../src/config/topology.ts';

const read = (text: string) => readTopology({ name: '.claude/modes.yaml', text: `name: t\ndefault: a\n${text}\nmodes:\n  a:\n` });

describe('arguments', () => {
  test('are read as written', () => {
    const { topology, problems } = read(
      'arguments: {mcp__fs__write_file: {path: write}, mcp__modagent__junior-r: {bash_cmd: command, filepaths: read, edits.path: write}}',
    );
    expect(problems).toEqual([]);
    expect(topology?.arguments).toEqual([
      { tool: 'mcp__fs__write_file', roles: [{ argument: 'path', role: 'write' }] },
      {
        tool: 'mcp__modagent__junior-r',
        roles: [
          { argument: 'bash_cmd', role: 'command' },
          { argument: 'filepaths', role: 'read' },
          { argument: 'edits.path', role: 'write' },
        ],
      },
    ]);
  });

  test('an empty list declares nothing, and a tool without arguments touches nothing', () => {
    expect(read('').topology?.arguments).toEqual([]);
    expect(read('arguments: {mcp__x__y: {}}').topology?.arguments).toEqual([{ tool: 'mcp__x__y', roles: [] }]);
  });

  test.each([
    ['{Bash: {command: command}}', 'E_ARGUMENT_NAME'],
    ['{mcp__fs: {path: write}}', 'E_ARGUMENT_NAME'],
    ['{"mcp__fs__*": {path: write}}', 'E_ARGUMENT_NAME'],
    ['{mcp__fs__w: {"a b": write}}', 'E_ARGUMENT_NAME'],
    ['{mcp__fs__w: {path: writes}}', 'E_UNKNOWN_VALUE'],
    ['{mcp__fs__w: {path: [read, write]}}', 'E_WRONG_TYPE'],
    ['{mcp__fs__w: write}', 'E_WRONG_TYPE'],
    ['{mcp__fs__w: }', 'E_WRONG_TYPE'],
    ['[mcp__fs__w]', 'E_WRONG_TYPE'],
  ])('%s is %s', (value, code) => {
    const { topology, problems } = read(`arguments: ${value}`);
    expect(problems.map((problem) => problem.code)).toContain(code);
    expect(topology).toBeNull();
  });

  test.each([true, false])('of a project that is trusted: %s, have that effect [s:untrusted.counts]', (trusted) => {
    const text = 'name: t\ndefault: a\narguments: {mcp__x__y: {p: write}}\nmodes:\n  a:\n';
    const layer = {
      root: '/p',
      layer: 'project' as const,
      files: [{ name: '.claude/modes.yaml', text }],
      faults: [],
      strays: [],
    };
    expect(readConfiguration([layer], trusted).arguments).toEqual([
      { tool: 'mcp__x__y', roles: [{ argument: 'p', role: 'write' }], trusted },
    ]);
  });
});
