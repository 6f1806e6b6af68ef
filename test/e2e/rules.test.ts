// What rules mean, held against the real client: the same lists in its own settings and in a mode, the same calls of both.
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadConfiguration } from '../../src/config/load.ts';
import { recordTrust } from '../../src/config/trust.ts';
import type { Effect } from '../../src/config/types.ts';
import { prepare } from '../../src/decide/prepare.ts';
import { toolCall } from '../../src/tools/call.ts';
import { openProject } from '../../src/workflow/project.ts';
import { pluginFolder, SYSTEM_PATH, session } from './client.ts';
import { dataFolder } from './mode.ts';
import { type Block, say, use } from './model.ts';
import { makePlace, type Place } from './place.ts';
import { Steering } from './steering.ts';

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

/** `pass`: no rule of the list is about the call. The last, where it is another one, is what a mode says. */
type Said = Effect | 'pass';
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
  'Bash(make -v:*)': [
    [bash('make -v'), 'allow'],
    [bash('timeout 5 make -v'), 'allow'],
    [bash('make -v && make'), 'pass'],
  ],
};

/** What the client does with the calls under its own rules; nothing is run but what they allow. */
async function clientSays(effect: Effect, rules: Record<string, Row[]>): Promise<Said[]> {
  place.write('.claude/settings.local.json', JSON.stringify({ permissions: { [effect]: Object.keys(rules) } }));
  const steering = new Steering({ person: true });
  const turns = [...callsOf(rules), say('done')];
  const { calls } = await session({ ...place, plugin: null, permissionMode: 'default', turns, steering });
  fs.rmSync(path.join(place.project, '.claude'), { recursive: true });
  return calls.map(({ id, refused, result = '' }) => {
    const reason = steering.refused.get(id);
    if (reason !== undefined) return reason === 'rule' ? 'ask' : 'pass';
    return refused && /denied|permission/i.test(result) ? 'deny' : 'allow';
  });
}

/** What a mode with the same rules decides by them: what may write anywhere it asks about besides. */
async function modeSays(effect: Effect, rules: Record<string, Row[]>): Promise<Said[]> {
  place.write('.claude/modes.yaml', 'name: rules\ndefault: work\nmodes:\n  work: {}\n');
  place.write('.claude/settings.work.json', JSON.stringify({ permissions: { [effect]: Object.keys(rules) } }));
  recordTrust(dataFolder(place.home), place.project, loadConfiguration(place.project).hash, 'terminal', new Date());
  const env = { HOME: place.home, PATH: SYSTEM_PATH, CLAUDE_PROJECT_DIR: place.project };
  const project = openProject({ start: place.project, env, packageRoot: pluginFolder(), prepare });
  if (project === null) throw new Error('the project is not governed');
  await project.ready(null);
  const asked = project.ask({ session: null, cwd: place.project });
  return callsOf(rules).map(([block]) => {
    if (block?.type !== 'tool_use') throw new Error('no call');
    const event = { hook_event_name: 'PreToolUse', session_id: 's', cwd: place.project, tool_use_id: 't' };
    const { by, decision } = asked.decide(toolCall({ ...event, tool_name: block.name, tool_input: block.input }), null);
    return by === 'rule' ? decision : 'pass';
  });
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

test.each<[Effect, Record<string, Row[]>]>([
  ['deny', narrow],
  ['ask', narrow],
  ['allow', allowed],
])('%s', async (effect, rules) => {
  const shown = (said: Said[]) => callsOf(rules).map((calls, at) => [said[at], JSON.stringify(calls)]);
  const expected = (at: 1 | 2) =>
    rowsOf(rules).map((row) => {
      const said = row[at] ?? row[1];
      return said === 'deny' ? effect : said;
    });
  // What no rule is about the client decides for itself: reading is open to it.
  const theirs = (await clientSays(effect, rules)).map((said) => (effect !== 'allow' && said === 'allow' ? 'pass' : said));
  expect(shown(theirs)).toEqual(shown(expected(1)));
  expect(shown(await modeSays(effect, rules))).toEqual(shown(expected(2)));
});
