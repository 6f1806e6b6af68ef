// The variables that a registration names folder and socket by: followed where they say what holds anyway, else refused by name.
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readNamed, startFolder } from '../../../../src/adapters/mcp/named.ts';
import { makeTree, type Tree } from '../../../support/tree.ts';

function fixture() {
  const tree = makeTree();
  tree.folder('.claude');
  tree.folder('run');
  return { tree, read: (env: NodeJS.ProcessEnv) => readNamed(env, { root: tree.root, folder: path.join(tree.root, '.claude') }) };
}
const whys = ({ refused }: ReturnType<typeof readNamed>) => refused.map(({ file, what }) => `${file}: ${what}`);

describe('CLAUDE_MODES_CONFIG_DIR', () => {
  test.each<[string, (tree: Tree) => string | undefined]>([
    ['that is not set', () => undefined],
    ['that is empty', () => ''],
    ['that the client did not expand', () => '${CLAUDE_PROJECT_DIR}/.claude'],
    ["that is the project's own", (tree) => `${tree.root}/.claude`],
    ['that is written differently', (tree) => `${tree.root}/run/../.claude/`],
  ])('%s is accepted', (_, value) => {
    const { tree, read } = fixture();
    expect(read({ CLAUDE_MODES_CONFIG_DIR: value(tree) })).toEqual({ socket: null, refused: [] });
  });

  test.each<[string, (tree: Tree) => string, RegExp]>([
    ['relative', () => '.claude', /\.claude is relative/],
    ['a folder that the agent writes', (tree) => `${tree.root}/run`, /are in .*\/\.claude, not in .*run/],
    ['a folder elsewhere', (tree) => `${tree.home}/.claude`, /not in/],
  ])('%s is refused with the reason', (_, value, why) => {
    const { tree, read } = fixture();
    expect(whys(read({ CLAUDE_MODES_CONFIG_DIR: value(tree) }))).toEqual([expect.stringMatching(why)]);
  });
});

describe('CLAUDE_MODES_SOCKET', () => {
  test.each<[string, (tree: Tree) => string]>([
    ['the usual one', (tree) => `${tree.root}/.claude/mode.sock`],
    ['one that the client did not expand', () => '${CLAUDE_PROJECT_DIR}/.claude/mode.sock'],
  ])('%s adds no socket', (_, value) => {
    const { tree, read } = fixture();
    expect(read({ CLAUDE_MODES_SOCKET: value(tree) })).toEqual({ socket: null, refused: [] });
  });

  test('the server also listens on one in a folder of the project', () => {
    const { tree, read } = fixture();
    expect(read({ CLAUDE_MODES_SOCKET: `${tree.root}/run/own.sock` })).toEqual({
      socket: { folder: `${tree.root}/run`, name: 'own.sock' },
      refused: [],
    });
  });

  test.each<[string, (tree: Tree) => string, RegExp]>([
    ['relative', () => './.claude/mode.sock', /relative/],
    ['outside the project', (tree) => `${tree.home}/own.sock`, /outside the project/],
    ['outside by a link', (tree) => `${path.dirname(tree.link('out/x', tree.home))}/x/own.sock`, /outside the project/],
    ['in no folder', (tree) => `${tree.root}/none/own.sock`, /no folder/],
    ['too long', (tree) => `${tree.root}/run/${'x'.repeat(108)}`, /longer than 107 bytes/],
    [
      'where others write',
      (tree) => {
        fs.chmodSync(path.join(tree.root, 'run'), 0o777);
        return `${tree.root}/run/own.sock`;
      },
      /others can change/,
    ],
  ])('%s is refused with the reason', (_, value, why) => {
    const { tree, read } = fixture();
    const named = read({ CLAUDE_MODES_SOCKET: value(tree) });
    expect(named.socket).toBeNull();
    expect(whys(named)).toEqual([expect.stringMatching(why)]);
  });
});

test.each<[string, NodeJS.ProcessEnv, string]>([
  ['what the client says', { CLAUDE_PROJECT_DIR: '/p', CLAUDE_MODES_CONFIG_DIR: '/q/.claude' }, '/p'],
  ['the folder around the one that is named', { CLAUDE_MODES_CONFIG_DIR: '/q/.claude' }, '/q'],
  ['its own, where nothing is said', { CLAUDE_PROJECT_DIR: '${X}', CLAUDE_MODES_CONFIG_DIR: '${X}/.claude' }, process.cwd()],
  ['its own, where what is named is no such folder', { CLAUDE_MODES_CONFIG_DIR: '/q/modes' }, process.cwd()],
])('the server starts in %s', (_, env, folder) => {
  expect(startFolder(env)).toBe(folder);
});
