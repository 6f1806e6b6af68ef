// What one call may name: what is longer or more than any call's is refused before it costs what it would.
import { describe, expect, test } from 'vitest';
import { toolCall } from '../../../src/facts/call.ts';
import { CallLimits } from '../../../src/facts/limits.ts';
import { MalformedInput } from '../../../src/facts/table.ts';
import { callOf, factsOf } from '../../support/call.ts';
import { makeTree, type Tree } from '../../support/tree.ts';

const looksAt = (tool: string, input: Record<string, unknown>, tree: Tree = makeTree()) =>
  factsOf(callOf(tool, input, tree.root), tree.place());

const words = (count: number) => Array.from({ length: count }, (_, at) => `w${at}`);

describe('an excess is malformed, a little less is not', () => {
  test.each<[string, string, (size: number) => Record<string, unknown>, number, number]>([
    ['a path', 'Read', (size) => ({ file_path: `/${'x'.repeat(size)}` }), 4_000, 4_100],
    ['a path of Bash', 'Bash', (size) => ({ command: `cat ${'x'.repeat(size)}` }), 3_000, 4_100],
    ['a path of folders', 'Write', (size) => ({ file_path: `/${'x/'.repeat(size)}`, content: '' }), 600, 2_040],
    ['a host', 'WebFetch', (size) => ({ url: `https://${'a.'.repeat(size)}org/`, prompt: 'x' }), 120, 200],
    ['a host of Bash', 'Bash', (size) => ({ command: `curl https://${'a.'.repeat(size)}org/` }), 120, 200],
    ['an address', 'WebFetch', (size) => ({ url: `https://a.org/${'a'.repeat(size)}`, prompt: 'x' }), 60_000, 70_000],
    ['an agent', 'Agent', (size) => ({ subagent_type: 'x'.repeat(size), prompt: 'x' }), 500, 600],
    ['a skill', 'Skill', (size) => ({ skill: 'x'.repeat(size) }), 500, 600],
    ['paths', 'mcp__x__read_multiple_files', (size) => ({ paths: words(size) }), 2_000, 3_000],
    ['a glob of a search', 'Grep', (size) => ({ pattern: 'x', glob: 'x'.repeat(size) }), 4_000, 4_100],
    ['patterns of a search', 'Grep', (size) => ({ pattern: 'x', glob: words(size).join(' ') }), 60, 70],
    [
      'texts of commands',
      'mcp__x__start_process',
      (size) => ({ command: `ls ${'x '.repeat(size)}`, cwd: words(4) }),
      1_000,
      4_000,
    ],
    ['folders of commands', 'mcp__x__start_process', (size) => ({ command: 'ls', cwd: words(size) }), 20, 40],
  ])('%s', (_, tool, input, some, many) => {
    expect(() => looksAt(tool, input(some))).not.toThrow();
    expect(() => looksAt(tool, input(many))).toThrow(MalformedInput);
  });

  test.each<[string, (size: number) => object, number, number]>([
    ['the folder of an event', (size) => ({ cwd: `/${'x'.repeat(size)}` }), 4_000, 4_100],
    ['its session', (size) => ({ session_id: 'x'.repeat(size) }), 4_000, 4_100],
    ['an MCP tool', (size) => ({ tool_name: `mcp__${'p__'.repeat(size)}p` }), 160, 200],
    ['its input', (size) => ({ tool_input: Object.fromEntries(words(size).map((word) => [word, 1])) }), 9_000, 10_001],
    ['a server', (size) => ({ mcp_server: { name: 'x'.repeat(size), source: 'user' } }), 500, 600],
  ])('%s', (_, fields, some, many) => {
    const event = { tool_name: 'Read', tool_input: { file_path: 'a' }, cwd: '/p' };
    expect(() => toolCall({ ...event, ...fields(some) })).not.toThrow();
    expect(() => toolCall({ ...event, ...fields(many) })).toThrow(MalformedInput);
  });
});

/** Links each of which leads through the next, by a long way. */
function tangle(way: string): Tree {
  const tree = makeTree();
  for (let at = 0; at < 35; at++) tree.link(`l${at}`, `l${at + 1}/${way}`);
  tree.file('l35/a');
  return tree;
}

test('a call follows links up to their limit', () => {
  const tree = tangle('./'.repeat(1_000));
  const files = words(900).map((word) => `l0/${word}`);
  expect(() => looksAt('Read', { file_path: 'l0/a' }, tree)).not.toThrow();
  expect(() => looksAt('Bash', { command: `cat ${files.join(' ')}` }, tree)).toThrow(MalformedInput);
});

test('links that make a path longer and longer have no known target', () => {
  const tree = tangle('x/../'.repeat(800));
  for (let at = 1; at <= 35; at++) tree.file(`l35/x/${at}`);
  const { reads } = looksAt('Read', { file_path: 'l0/a' }, tree);
  expect(reads.map(({ root }) => root)).toEqual(['outside']);
});

test('a prompt of blank lines is scanned once', () => {
  expect(looksAt('CronCreate', { cron: '* * * * *', prompt: '\n'.repeat(1_000_000) }).protections).toEqual([]);
});

test('names below folders are limited for each path, and for all paths together', () => {
  const room = new CallLimits();
  const take = (most: number) => {
    const budget = room.names(most);
    let taken = 0;
    while (--budget.left >= 0) taken++;
    return taken;
  };
  expect([take(10), take(50_000), take(50_000), take(50_000)]).toEqual([10, 50_000, expect.any(Number), 0]);
});
