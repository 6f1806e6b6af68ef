// What the organisation says in teams.yaml beside its bundle: modes, enforcement, authority.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { expect, test } from 'vitest';
import { Standing } from '../../../src/mcp/standing.ts';
import { callTool } from '../../../src/mcp/tools.ts';
import { commands } from '../../../src/mcp/typed.ts';
import { RunLedger } from '../../../src/workflow/runs.ts';
import { forbidden } from '../../../src/workflow/team.ts';
import { Layered, modesYaml, packageRoot, permissions } from '../workflow/layered.ts';
import { placeAt } from './ground.ts';

const bash = async (layered: Layered, command: string) => (await layered.decide('Bash', { command })).decision;

const plain = (text: string) => new Layered().put('project', 'modes.yaml', modesYaml()).put('managed', 'teams.yaml', text);

test('a mode that it requires must be there', async () => {
  const place = plain('modes: [one, review]\n');
  const { reason } = await place.decide('Write', { file_path: `${place.root}/a`, content: '' });
  expect(reason).toMatch(/teams\.yaml:1:14.*requires a mode "review".*E_REQUIRED_MODE/);
  place.put('managed', 'teams.yaml', 'modes: [one, two]\n');
  expect(await place.write('a')).toBe('pass');
});

test.each<[string, string, string]>([
  ['', 'advise', 'pass'],
  ['enforcement: ask\n', 'advise', 'ask'],
  ['enforcement: enforce\n', 'advise', 'deny'],
  ['enforcement: enforce\n', 'ask', 'deny'],
  ['enforcement: advise\n', 'ask', 'ask'],
])('with %j a rule of a mode with enforcement: %s gives %s', async (said, own, verdict) => {
  const place = plain(said === '' ? 'modes: []\n' : said)
    .put('project', 'modes.yaml', modesYaml().replace('  one:\n', `  one:\n    enforcement: ${own}\n`))
    .put('project', 'settings.one.json', permissions({ deny: ['Bash(curl:*)'] }));
  await place.trust();
  expect(await bash(place, 'curl x.org')).toBe(verdict);
});

test.each<[string, string, string]>([
  ['a key that is none', 'bundel: {}\n', 'E_UNKNOWN_KEY'],
  ['no key for the bundle', 'bundle: {url: "https://a.org/b", algorithm: ES256}\n', 'E_MISSING_KEY'],
  ['an algorithm that is none', 'bundle: {url: "https://a.org/b", key: k, algorithm: none}\n', 'E_UNKNOWN_VALUE'],
  ['an address in the clear', 'bundle: {url: "http://a.org/b", key: k, algorithm: ES256}\n', 'E_UNKNOWN_VALUE'],
  ['a time that is none', 'bundle: {url: "https://a.org/b", key: k, algorithm: ES256, every: soon}\n', 'E_UNKNOWN_VALUE'],
  ['no YAML', 'bundle: {\n', 'E_YAML_SYNTAX'],
])('%s closes all but reading', async (_, text, code) => {
  expect((await plain(text).decide('Bash', { command: 'touch a' })).reason).toContain(code);
});

test('what nobody may do is refused before anybody is asked, and by a broken file everything is', () => {
  const place = plain('authority: {force: false, grant: true}\n');
  const [force, grant] = (['force', 'grant'] as const).map((one) => forbidden(placeAt(place), one));
  expect([force, grant]).toEqual([expect.stringMatching(/^nobody changes the mode.*authority\.force in teams\.yaml/), null]);
  place.put('managed', 'teams.yaml', 'authority: {force: maybe}\n');
  expect(forbidden(placeAt(place), 'grant')).not.toBeNull();
});

test.each<[string, string, RegExp]>([
  ['modes:grant', 'Bash(ls) 10m', /nobody grants/],
  ['modes:off', '10m', /nobody switches rules off/],
  ['modes:mode', 'reset', /nobody changes the mode/],
  ['modes:approve', 'two', /nobody approves/],
  ['modes:setup', 'tdd', /nobody approves a configuration/],
])('/%s %s is answered by its word, and not by a dialog', async (command, args, expected) => {
  const place = plain('authority: {force: false, grant: false, off: false, approve: false, trust: false}\n');
  place.put(
    'project',
    'modes.yaml',
    modesYaml().replace('to: two', 'to: two, constraint: c, approve: human').replace('to: one', 'to: one, constraint: c'),
  );
  const project = await place.open();
  project.moves.force('two', 'x', { session: null, permissionMode: null });
  if (command === 'modes:approve') project.moves.force('one', 'x', { session: null, permissionMode: null });
  const standing = new Standing(
    () => [],
    () => undefined,
  );
  // A client that is not there: whoever asks it gets another answer.
  const typed = {
    server: new Server({ name: 'modes', version: '1' }, { capabilities: {} }),
    project,
    place: project.place,
    packageRoot,
    asker: { session: 's', permissionMode: null },
    where: { session: 's', cwd: null },
    signal: new AbortController().signal,
    standing,
    headless: false,
    findings: () => [],
    reopen: async () => undefined,
    log: () => {
      throw new Error('no log is needed');
    },
  };
  expect(await commands.get(command)!(typed, args)).toMatch(expected);
  const known = { refusal: () => null, findings: () => [], runs: new RunLedger(), standing, followed: () => null };
  const forced = await callTool('force_transition', { target: 'one' }, project, typed.asker, known as never);
  expect(forced?.value).toMatchObject({ success: false, reason: expect.stringMatching(/authority\.force/) });
});

test('a person cannot speak for it', async () => {
  const place = new Layered().put('project', 'modes.yaml', modesYaml()).put('user', 'teams.yaml', 'enforcement: advise\n');
  expect((await place.decide('Bash', { command: 'touch a' })).reason).toMatch(/E_TEAMS_LAYER/);
});

test('a word about bundles in a comment pins none', async () => {
  const place = plain('# bundle: later\nmodes: [one]\n');
  expect(await place.write('a')).toBe('pass');
});
