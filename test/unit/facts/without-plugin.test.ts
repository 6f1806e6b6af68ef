// A server that a person registered without the plugin: recognised by name, source, project and entry, all four.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { registeredPackage, toolPrefix } from '../../../src/facts/protections/registered.ts';
import {
  type HookGroup,
  holdsAll,
  manualHooks,
  modesServerOf,
  recordLine,
  serverEntry,
  withoutModesEntries,
} from '../../../src/facts/protections/without-plugin.ts';
import { callOf, factsOf } from '../../support/call.ts';
import { makeTree, type Tree } from '../../support/tree.ts';

const packageRoot = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../..');
const installed = '/opt/modes';
const entryFor = (tree: Tree) => serverEntry(installed, tree.root, '/usr/bin/node');
const servers = (entry: unknown, name = 'modes') => JSON.stringify({ mcpServers: { [name]: entry } });
const data = (tree: Tree) => path.join(tree.home, '.claude/modes-data/servers');

function registered(tree: Tree): void {
  tree.file('.mcp.json', servers(entryFor(tree)));
  tree.file(data(tree), `local other\n${recordLine(tree.root, entryFor(tree))}\n`);
}

const groupOf = (tree: Tree, { name = 'modes', source = 'project', start = tree.root } = {}) =>
  factsOf(
    callOf(`mcp__${name}__transition`, {}, tree.root, { mcpServer: { name, source } }),
    tree.place({ start: path.resolve(tree.root, start) }),
  ).tool.group;

describe('the server of .mcp.json [s:own.entry]', () => {
  test('is recognized as registered, from the root and from a subfolder', () => {
    const tree = makeTree();
    registered(tree);
    tree.folder('packages/a');
    expect(groupOf(tree)).toBe('own');
    expect(groupOf(tree, { start: 'packages/a' })).toBe('own');
    expect(toolPrefix(tree.place())).toBe('mcp__modes__');
    expect(registeredPackage(tree.place())).toBe(installed);
  });

  test('is recognized with any order of keys, and beside others', () => {
    const tree = makeTree();
    const { command, args, env } = entryFor(tree);
    registered(tree);
    tree.file('.mcp.json', JSON.stringify({ x: 1, mcpServers: { files: { command: 'x' }, modes: { env, args, command } } }));
    expect(groupOf(tree)).toBe('own');
  });

  test.each<[string, (tree: Tree) => Parameters<typeof groupOf>[1] | undefined]>([
    ['of another name', () => ({ name: 'other' })],
    ['of a name that is written alike', () => ({ name: 'Modes' })],
    ['registered by claude mcp add alone', () => ({ source: 'local' })],
    ['of the user', () => ({ source: 'user' })],
    ['of a plugin', () => ({ source: 'plugin' })],
    ['named on the command line', () => ({ source: 'dynamic' })],
    ['without a record', (tree) => void tree.file(data(tree), 'local other\n')],
    ['with a record of the name alone', (tree) => void tree.file(data(tree), 'project modes\n')],
    [
      'with a record that the project brings',
      (tree) => {
        tree.file(data(tree), '');
        tree.file('.claude/modes-data/servers', `${recordLine(tree.root, entryFor(tree))}\n`);
      },
    ],
    ['of another project', (tree) => void tree.file(data(tree), `${recordLine(`${tree.root}2`, entryFor(tree))}\n`)],
    ['of the folder above', (tree) => void tree.file(data(tree), `${recordLine(tree.home, entryFor(tree))}\n`)],
    [
      'with another program',
      (tree) => void tree.file('.mcp.json', servers(serverEntry('/tmp/modes', tree.root, '/usr/bin/node'))),
    ],
    ['with another Node', (tree) => void tree.file('.mcp.json', servers(serverEntry(installed, tree.root, '/tmp/node')))],
    [
      'with one more variable',
      (tree) => {
        const entry = entryFor(tree);
        tree.file('.mcp.json', servers({ ...entry, env: { ...entry.env, NODE_OPTIONS: '--require=/tmp/x.js' } }));
      },
    ],
    ['with one more key', (tree) => void tree.file('.mcp.json', servers({ ...entryFor(tree), headersHelper: 'x' }))],
    ['whose entry is gone', (tree) => void tree.file('.mcp.json', servers(entryFor(tree), 'other'))],
    ['whose file is no JSON', (tree) => void tree.file('.mcp.json', `// x\n${servers(entryFor(tree))}`)],
    [
      'that a nearer .mcp.json stands before',
      (tree) => {
        tree.file('packages/a/.mcp.json', servers({ command: 'x' }));
        return { start: 'packages/a' };
      },
    ],
    [
      'that a nearer .mcp.json, which cannot be read, may stand before',
      (tree) => {
        tree.file('packages/.mcp.json', '{');
        tree.folder('packages/a');
        return { start: 'packages/a' };
      },
    ],
    ['where the client was started elsewhere', () => ({ start: '..' })],
  ])('%s is like any other', (_, change) => {
    const tree = makeTree();
    registered(tree);
    const asked = change(tree) ?? {};
    expect(groupOf(tree, asked)).toBe('mcp');
  });
});

test('the entry clears the same environment variables as the plugin', () => {
  const { mcpServers } = JSON.parse(fs.readFileSync(path.join(packageRoot, '.claude-plugin/plugin.json'), 'utf8'));
  expect(serverEntry(installed, '/p', '/usr/bin/node').env).toMatchObject(mcpServers.modes.env);
});

test('an entry of an earlier version is still recognized as registered', () => {
  const tree = makeTree();
  const { env, ...entry } = entryFor(tree);
  const earlier = { ...entry, env: { ...env, NODE_COMPILE_CACHE: undefined, OPENSSL_CONF: undefined } };
  tree.file('.mcp.json', servers(earlier));
  tree.file(data(tree), `${recordLine(tree.root, JSON.parse(JSON.stringify(earlier)))}\n`);
  expect(groupOf(tree)).toBe('own');
});

test.each([
  ['mcp__modes__status', { name: 'modes', source: 'project' }],
  ['mcp__plugin_modes_modes__status', { name: 'plugin:modes:modes', source: 'plugin' }],
])('%s is called on the recognized server', (tool, server) => {
  const tree = makeTree();
  registered(tree);
  expect(modesServerOf(tool)).toEqual(server);
  expect(factsOf(callOf(tool, {}, tree.root, { mcpServer: modesServerOf(tool) }), tree.place()).tool.group).toBe('own');
});

describe('the short names of typed commands', () => {
  const prompts: [string, boolean][] = [
    ['/mode feature-dev', true],
    ['go on\n/setup', true],
    ['/modes:mode reset', true],
    ['/model opus', false],
    ['/mode-line', false],
    ['see docs/mode', false],
  ];
  const denied = (tree: Tree, prompt: string) =>
    factsOf(callOf('CronCreate', { cron: '* * * * *', prompt }, tree.root), tree.place()).protections.some(
      ({ effect, name }) => effect === 'deny' && name.includes('/modes:'),
    );

  test.each(prompts)('the model does not have %j typed where the server is registered: %s', (prompt, isDenied) => {
    const tree = makeTree();
    registered(tree);
    expect(denied(tree, prompt)).toBe(isDenied);
  });

  test('elsewhere they are commands of others', () => {
    expect(denied(makeTree(), '/mode feature-dev')).toBe(false);
    expect(denied(makeTree(), '/modes:mode feature-dev')).toBe(true);
  });

  test.each([
    ['mode', true],
    ['setup', true],
    ['mode-line', false],
  ])('Skill(%s) is not for the model there: %s', (skill, isDenied) => {
    const tree = makeTree();
    registered(tree);
    const { protections } = factsOf(callOf('Skill', { skill }, tree.root), tree.place());
    expect(protections.some(({ name }) => name === `Skill(${skill})`)).toBe(isDenied);
  });
});

describe('hooks', () => {
  const own = manualHooks(packageRoot);
  type Hooks = Record<string, HookGroup[]>;
  const copy = (): Hooks => structuredClone(own);

  test('name the script by its path and the server by its name here, and nothing that the client would have to expand', () => {
    const text = JSON.stringify(own);
    expect(text).toContain(`${packageRoot}/hooks/client.sh`);
    expect(text).not.toMatch(/CLAUDE_PLUGIN_ROOT|plugin:/);
    expect(Object.keys(own)).toContain('ConfigChange');
  });

  test('of Modes are recognized word for word, those of others stay', () => {
    const others = { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'lint' }] }] };
    expect(withoutModesEntries(own, own)).toEqual({});
    expect(withoutModesEntries({ ...copy(), PreToolUse: [...(own.PreToolUse ?? []), ...others.PreToolUse] }, own)).toEqual(
      others,
    );
    expect(holdsAll(copy(), own)).toBe(true);
  });

  const first = (hooks: Hooks, event: string) => (hooks[event] as HookGroup[])[0] as HookGroup;
  test.each<[string, (hooks: Hooks) => void]>([
    ['another time limit', (hooks) => Object.assign(first(hooks, 'Stop').hooks[0] as object, { timeout: 1 })],
    ['a condition', (hooks) => Object.assign(first(hooks, 'PreToolUse').hooks[0] as object, { if: 'Bash(x)' })],
    ['a narrower matcher', (hooks) => Object.assign(first(hooks, 'PreToolUse'), { matcher: 'Bash' })],
    [
      'an event of its own making',
      (hooks) => {
        const input = (first(hooks, 'Stop').hooks[0] as { input: object }).input;
        Object.assign(input, { hook_event_name: 'UserPromptExpansion' });
      },
    ],
    ['another script', (hooks) => Object.assign(first(hooks, 'SessionStart').hooks[0] as object, { args: ['/tmp/client.sh'] })],
  ])('with %s are not recognized, and the registration is then incomplete', (_, change) => {
    const hooks = copy();
    change(hooks);
    expect(Object.keys(withoutModesEntries(hooks, own))).toHaveLength(1);
    expect(holdsAll(hooks, own)).toBe(false);
  });
});
