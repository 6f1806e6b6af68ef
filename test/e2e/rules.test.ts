// What rules mean, held against the real client: the same lists in its own settings and in a mode, the same calls of both.
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Effect } from '../../src/model/configuration.ts';
import { type Block, use } from './model.ts';
import { makePlace, type Place } from './place.ts';
import { clientSays, type Layer, type Layers, modeSays, type Said } from './ruled.ts';

let place: Place;
beforeEach(() => {
  place = makePlace();
  for (const file of files) place.write(file, 'x');
  fs.writeFileSync(path.join(place.home, 'notes.txt'), 'x');
});
afterEach(() => place.remove());

const files = [
  ...['Lower/a', 'upper/a', 'Key.PEM', 'deep/KEY.pem', 'one/a', 'lib/one/a', 'rooted/a', 'lib/rooted/a', 'tree/a', 'tree/b/a'],
  ...['open/a', 'OPEN2/a', 'plain.txt', 'ünï/a'],
];

const read = (file: string): Block[] => use('Read', { file_path: file });
const edit = (file: string): Block[] => use('Edit', { file_path: file, old_string: 'x', new_string: 'y' });
const bash = (command: string, more: object = {}): Block[] => use('Bash', { command, description: 'd', ...more });
const fetch = (url: string): Block[] => use('WebFetch', { url, prompt: 'p' });
const tool = (server: string, name: string): Block[] => use(`mcp__${server}__${name}`, { a: 'x' });

/** The last, where it is another one, is what a mode says. */
type Row = [calls: Block[], client: Said, mode?: Said];

/** Each rule with calls that no other rule of its list is about. */
const narrow: Record<string, Row[]> = {
  'Read(LOWER/**)': [[read('Lower/a'), 'deny']],
  'Read(/Upper/**)': [[read('upper/a'), 'deny']],
  'Read(*.pem)': [
    [read('Key.PEM'), 'deny'],
    [read('deep/KEY.pem'), 'deny'],
  ],
  'Read(one/**)': [
    [read('one/a'), 'deny'],
    [read('lib/one/a'), 'deny'],
  ],
  'Read(/rooted/**)': [
    [read('rooted/a'), 'deny'],
    [read('lib/rooted/a'), 'pass'],
  ],
  'Read(ÜNÏ/**)': [[read('ünï/a'), 'deny']],
  'Read(~/NOTES.txt)': [[read('~/notes.txt'), 'deny']],
  'Edit(plain.*)': [[edit('plain.txt'), 'deny']],
  ' Bash(make blank)': [[bash('make blank'), 'pass', 'deny']],
  'Bash(make inner )': [[bash('make inner'), 'pass', 'deny']],
  'Bash(npm run build:*)': [
    [bash('npm run build'), 'deny'],
    [bash('FOO=1 npm run build --all'), 'deny'],
    [bash('true && npm run build'), 'deny'],
    [bash('npm run built'), 'pass'],
  ],
  'Bash(time make:*)': [
    [bash('time make all'), 'deny'],
    [bash('make all'), 'pass'],
  ],
  'Bash(git * main)': [
    [bash('git push origin main'), 'deny'],
    [bash('git push origin maint'), 'pass'],
  ],
  'Bash(run_in_background:true)': [
    [bash('make some', { run_in_background: true }), 'deny'],
    [bash('make some'), 'pass'],
  ],
  'Bash(timeout:*)': [
    [bash('make more', { timeout: 5000 }), 'deny'],
    [bash('make more'), 'pass'],
  ],
  'WebFetch(domain:example.com)': [
    [fetch('https://EXAMPLE.com./x'), 'deny'],
    [fetch('https://www.example.com/'), 'pass'],
  ],
  'WebFetch(domain:*.example.org)': [
    [fetch('https://a.b.example.org/'), 'deny'],
    [fetch('https://evilexample.org/'), 'pass'],
  ],
};

const allowed: Record<string, Row[]> = {
  'Edit(/open/**)': [
    [edit('open/a'), 'allow'],
    [edit('lib/one/a'), 'pass'],
  ],
  // An allow goes by the case of the disk, where the client takes any.
  'Edit(/open2/**)': [[edit('OPEN2/a'), 'allow', 'pass']],
  'Bash(make one)': [
    [bash('make one'), 'allow'],
    [bash('make one two'), 'pass'],
    [bash('FOO=1 make one'), 'pass'],
    [bash('echo two | xargs make one'), 'pass'],
  ],
  // Written otherwise, the same command runs: the client compares the text.
  'Bash(make sub)': [
    [bash('(make sub)'), 'pass', 'allow'],
    [bash('make sub &'), 'pass', 'allow'],
    [bash('time -p make sub'), 'pass', 'allow'],
    [bash('make "sub"'), 'pass', 'allow'],
  ],
  'Bash(make -v:*)': [
    [bash('make -v'), 'allow'],
    [bash('timeout 5 make -v'), 'allow'],
    [bash('make -v && make'), 'pass'],
  ],
};

/** Servers as they are called in settings, with their tools; what the client makes of the names stands in the calls. */
const servers: Record<string, string[]> = {
  plain: ['one', 'two'],
  star: ['get'],
  'do.t': ['ge.t', 'other'],
  my__db: ['drop'],
  odd: ['a'],
  paren: ['a'],
};

/** A name with a dot is the client's with `_`; in its own rules a dot meets nothing. */
const served: Record<string, Row[]> = {
  mcp__plain__one: [
    [tool('plain', 'one'), 'deny'],
    [tool('plain', 'two'), 'pass'],
  ],
  'mcp__star__*': [[tool('star', 'get'), 'deny']],
  'mcp__do.t__ge.t': [[tool('do_t', 'ge_t'), 'pass', 'deny']],
  mcp__do_t__other: [[tool('do_t', 'other'), 'deny']],
  'mcp__my__db__*': [[tool('my__db', 'drop'), 'deny']],
  mcp__odd__A: [[tool('odd', 'a'), 'pass']],
  'mcp__paren(*)': [[tool('paren', 'a'), 'pass', 'deny']],
};

const server = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  const tools = process.argv.slice(2).map((name) => ({ name, inputSchema: { type: 'object' } }));
  const results = {
    initialize: { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } },
    'tools/list': { tools },
    'tools/call': { content: [{ type: 'text', text: 'done' }] },
  };
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} }));
});`;

/** Arguments of a client that starts the servers. */
function withServers(): string[] {
  const script = path.join(place.root, 'server.cjs');
  fs.writeFileSync(script, server);
  const entry = (tools: string[]) => ({ command: process.execPath, args: [script, ...tools] });
  const mcpServers = Object.fromEntries(Object.entries(servers).map(([name, tools]) => [name, entry(tools)]));
  const file = path.join(place.root, 'servers.json');
  fs.writeFileSync(file, JSON.stringify({ mcpServers }));
  return ['--strict-mcp-config', '--mcp-config', file];
}

const callsOf = (rules: Record<string, Row[]>): Block[][] =>
  rowsOf(rules).map(([calls]) =>
    calls.map((block) =>
      block.type === 'tool_use' ? { ...block, input: placed(block.input as Record<string, unknown>) } : block,
    ),
  );
const rowsOf = (rules: Record<string, Row[]>): Row[] => Object.values(rules).flat();

/** File tools take absolute paths. */
function placed(input: Record<string, unknown>): Record<string, unknown> {
  const { file_path: file } = input;
  if (typeof file !== 'string') return input;
  return { ...input, file_path: file.startsWith('~/') ? place.home + file.slice(1) : path.join(place.project, file) };
}

test.each<[string, Effect, Record<string, Row[]>]>([
  ['deny', 'deny', narrow],
  ['ask', 'ask', narrow],
  ['allow', 'allow', allowed],
  ['deny of MCP servers', 'deny', served],
  ['ask of MCP servers', 'ask', served],
])('%s', async (_, effect, rules) => {
  const calls = callsOf(rules);
  const shown = (said: Said[]) => calls.map((call, at) => [said[at], JSON.stringify(call)]);
  const expected = (at: 1 | 2) =>
    rowsOf(rules).map((row) => {
      const said = row[at] ?? row[1];
      return said === 'deny' ? effect : said;
    });
  const layers: Layers = { project: { [effect]: Object.keys(rules) } };
  // What no rule is about the client decides for itself: reading is open to it.
  const theirs = await clientSays(place, layers, calls, { args: rules === served ? withServers() : [] });
  const ruled = theirs.map((said) => (effect !== 'allow' && said === 'allow' ? 'pass' : said));
  expect(shown(ruled)).toEqual(shown(expected(1)));
  expect(shown(await modeSays(place, layers, calls))).toEqual(shown(expected(2)));
});

/** Skills of plugins and of the project, those with another name than their folder. */
const skillsOf: [called: string, rule: string][] = [
  ['ops:ship', 'Skill(ops:*)'],
  ['ship', 'Skill(ops:*)'],
  ['ship', 'Skill(op *)'],
  ['ship', 'Skill(ops:ship)'],
  ['ops:ship', 'Skill(ship)'],
  ['inside', 'Skill(outside)'],
  ['outside', 'Skill(inside)'],
];

test.each(skillsOf)('deny of the skill %s by %s', async (called, rule) => {
  const skill = (folder: string, name: string): void => {
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, 'SKILL.md'), `---\nname: ${name}\ndescription: d\n---\nhello\n`);
  };
  const plugin = path.join(place.root, 'ops');
  fs.mkdirSync(path.join(plugin, '.claude-plugin'), { recursive: true });
  fs.writeFileSync(path.join(plugin, '.claude-plugin/plugin.json'), '{"name":"ops","version":"1.0.0","description":"d"}');
  skill(path.join(plugin, 'skills/ship'), 'ship');
  const layers: Layers = { project: { deny: [rule] } };
  const calls = [use('Skill', { skill: called })];
  const own = path.join(place.project, '.claude/skills/outside');
  skill(own, 'inside');
  expect(await clientSays(place, layers, calls, { args: ['--plugin-dir', plugin] })).toEqual(['deny']);
  skill(own, 'inside');
  expect(await modeSays(place, layers, calls)).toEqual(['deny']);
});

test('the stricter of two layers applies, in either order', async () => {
  const layers: Required<Layers> = { user: {}, project: {}, local: {} };
  const add = (layer: Layer, effect: Effect, rule: string): void => {
    layers[layer][effect] = [...(layers[layer][effect] ?? []), rule];
  };
  const order: Effect[] = ['deny', 'ask', 'allow'];
  const pairs: [Layer, Layer][] = [
    ['user', 'project'],
    ['user', 'local'],
    ['project', 'local'],
  ];
  const rows = pairs.flatMap(([one, other]) =>
    order.flatMap((first) =>
      order
        .filter((second) => second !== first)
        .flatMap((second) => {
          const name = [one, first, other, second].join('-');
          const files = edit(path.join(place.project, `layered/${name}`));
          const calls: [string, Block[]][] = [
            [`Bash(make ${name})`, bash(`make ${name}`)],
            [`Edit(layered/${name})`, files],
            [`WebFetch(domain:${name}.invalid)`, fetch(`https://${name}.invalid/`)],
          ];
          place.write(`layered/${name}`, 'x');
          return calls.map(([rule, call]) => {
            add(one, first, rule);
            add(other, second, rule);
            return { rule, call, said: order.find((effect) => effect === first || effect === second) };
          });
        }),
    ),
  );
  const calls = rows.map(({ call }) => call);
  const expected = rows.map(({ rule, said }) => [rule, said]);
  const shown = (said: Said[]) => rows.map(({ rule }, at) => [rule, said[at]]);
  expect(shown(await clientSays(place, layers, calls))).toEqual(expected);
  expect(shown(await modeSays(place, layers, calls))).toEqual(expected);
});
