// The organisation's bundle as a layer: downloaded over TLS, verified, kept, and worth less when it gets old.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { PromptLines, promptContext } from '../../../src/app/prompt.ts';
import { pinsOf, readBundleFault } from '../../../src/store/cached-bundle.ts';
import { Teams } from '../../../src/teams/begin.ts';
import { WindowWarnings } from '../../../src/workflow/context/window.ts';
import { find } from '../../../src/workflow/findings/find.ts';
import { nobody } from '../../../src/workflow/project.ts';
import { afterTest } from '../../support/cleanup.ts';
import { decideBy, permissions } from '../../support/layered-project.ts';
import { type Files, keysOf, placeAt, signed, TestServer } from '../../support/team-server.ts';
import { bash, codeOf, denying, keeperOf, type Site, site } from './site.ts';

test('a bundle denies, asks, allows and informs the model, by rules and by Rego, for every process from the stored files alone', async () => {
  const rego = `package modes.policy.house

deny contains "no docker here" if {
	some command in input.bash.commands
	command.name == "docker"
}

ask contains "releases are asked" if {
	some command in input.bash.commands
	command.argv[1] == "publish"
}

context contains "The house rules are on the wiki."
`;
  const files = { ...denying, 'layer/policies/house.rego': rego, 'layer/CLAUDE.one.md': 'Small steps.' };
  const bytes = await signed(files);
  const server = (await TestServer.start()).serve(() => bytes);
  const place = site(server);
  expect(await bash(place, 'ls')).toBe('pass');
  expect((await place.decide('Write', { file_path: `${place.root}/a`, content: '' })).reason).toMatch(/E_BUNDLE_MISSING/);
  expect(codeOf(await place.keeper.turn())).toBe('new');
  await server.stop();
  const calls = ['curl x.org', 'git push', 'npm test', 'docker ps', 'npm publish', 'ls'];
  const opened = await place.open();
  expect(calls.map((command) => decideBy(opened, 'Bash', { command }).decision)).toEqual([
    'deny',
    'ask',
    'allow',
    'deny',
    'ask',
    'pass',
  ]);
  const project = await place.open();
  const prompt = { given: null, session: 's', permissionMode: null, transcript: '' };
  expect(
    (await promptContext(project.for(nobody), prompt, { warnings: new WindowWarnings(), lines: new PromptLines() })).text,
  ).toMatch(/Small steps\.[\s\S]*house rules are on the wiki/);
  const { rules } = await place.decide('Bash', { command: 'curl x.org' });
  expect(rules[0]?.source).toMatchObject({ file: 'bundle/settings.any.json', line: 1 });
});

test('modes of a bundle are the modes of every project, and stay so when it gets old', async () => {
  const modes = 'name: house\ndefault: calm\nmodes:\n  calm: {enforcement: advise}\n  one: {}\n';
  const bytes = await signed({
    ...denying,
    'layer/modes.yaml': modes,
    'layer/settings.calm.json': permissions({ ask: ['Bash(ls:*)'] }),
  });
  const server = (await TestServer.start()).serve(() => bytes);
  const place = site(server, '  good_for: 2h\n');
  const seen = async () => {
    const { mode, configuration } = (await place.open()).for(nobody).describe();
    return [mode, configuration.topologyLayer, [...(configuration.topology?.modes.keys() ?? [])], await bash(place, 'ls')];
  };
  expect(codeOf(await place.keeper.turn())).toBe('new');
  expect(await seen()).toEqual(['calm', 'managed', ['calm', 'one'], 'pass']);
  // What is weakened by the bundle itself is so for as long as it is good.
  expect(codeOf(await keeperOf(place, () => Date.now() - 3 * 3_600_000).turn(true))).toBe('same');
  expect(await seen()).toEqual(['calm', 'managed', ['calm', 'one'], 'ask']);
});

// Without a parser, in every process that decides: whatever a parser would take for the key has to count.
test.each([
  ['bundle: {url: x}', true],
  ['\ufeffbundle:\n  url: x\n', true],
  ['{"modes": [idle], "bundle" : {url: x}}', true],
  ['? bundle\n: {url: x}', true],
  ['&pin bundle: {url: x}', true],
  ['!!str bundle: {url: x}', true],
  ['modes: [idle] # no bundle yet', true],
  ['modes: [idle]\n  # bundle: {url: x}\n', false],
  ['modes: [idle]', false],
])('%j may name a bundle: %s', (text, names) => {
  const file = { name: 'managed/teams.yaml', text };
  const pins = pinsOf([{ layer: 'managed', shown: 'managed/', files: [file] }]);
  expect(pins !== null).toBe(names);
});

describe('a bundle whose server is not reached', () => {
  const hour = 3_600_000;
  const files: Files = {
    ...denying,
    'layer/policies/a.rego': 'package modes.policy.a\n\nallow contains "ok" if input.tool.name == "WebFetch"\n',
  };

  /** Kept by a server whose clock was so much back, ms. */
  async function aged(ms: number, more = '', project = {}): Promise<Site> {
    const bytes = await signed(files, { now: new Date(Date.now() - 30 * 24 * hour) });
    const server = (await TestServer.start()).serve(() => bytes);
    const place = site(server, `  good_for: 2h\n${more}`).put(
      'project',
      'settings.any.json',
      permissions({ default: 'deny', ...project }),
    );
    expect(codeOf(await keeperOf(place, () => Date.now() - ms).turn())).toBe('new');
    await server.stop();
    return place;
  }
  const verdicts = async (place: Site) => {
    const project = await place.open();
    return [
      ...['curl x.org', 'git push', 'npm test'].map((command) => decideBy(project, 'Bash', { command }).decision),
      decideBy(project, 'WebFetch', { url: 'https://a.org', prompt: 'x' }).decision,
    ];
  };

  test.each<[string, number, string, string[]]>([
    ['is good for as long as is said', hour, '', ['deny', 'deny', 'allow', 'allow']],
    ['then denies and asks as before, and opens nothing', 3 * hour, '', ['deny', 'deny', 'deny', 'deny']],
    ['goes on where the organisation says keep', 3 * hour, '  stale: keep\n', ['deny', 'deny', 'allow', 'allow']],
    ['closes all but reading where it says refuse', 3 * hour, '  stale: refuse\n', ['deny', 'deny', 'deny', 'deny']],
    ['is no younger by a clock that was set back', -hour, '', ['deny', 'deny', 'deny', 'deny']],
  ])('%s', async (_, ms, more, expected) => {
    // An ask opens nothing that the default denies, so git push is denied with every other command.
    const place = await aged(ms, more);
    const [curl, push, npm, web] = await verdicts(place);
    expect([curl, npm, web]).toEqual([expected[0], expected[2], expected[3]]);
    expect(push).toBe('deny');
  });

  test('names in refuse the server that it waits for', async () => {
    const place = await aged(3 * hour, '  stale: refuse\n');
    expect((await place.decide('Bash', { command: 'npm test' })).reason).toMatch(/E_BUNDLE_STALE/);
    expect((await place.decide('Read', { file_path: `${place.root}/a` })).decision).not.toBe('deny');
  });

  test('ends for a session that started while it was valid', async () => {
    const place = await aged(2 * hour - 1_500, '  stale: refuse\n');
    const project = await place.open('s');
    const run = () => decideBy(project, 'Bash', { command: 'npm test' }, 's').decision;
    expect(run()).toBe('allow');
    await expect
      .poll(
        async () => {
          await project.ready('s');
          return run();
        },
        { timeout: 10_000 },
      )
      .toBe('deny');
  });

  test('is verified again after a change of pins, and is not used with pins that it does not satisfy', async () => {
    const place = await aged(hour);
    const text = fs.readFileSync(place.at('managed', 'teams.yaml'), 'utf8');
    place.put('managed', 'teams.yaml', `${text}  every: 5m\n`);
    expect((await place.decide('Bash', { command: 'npm test' })).reason).toMatch(/E_BUNDLE_MISSING/);
    expect(codeOf(await place.keeper.turn())).toBe('E_BUNDLE_FETCH');
    expect(await bash(place, 'npm test')).toBe('allow');
    place.put('managed', 'teams.yaml', `${text}  scope: other\n`);
    expect(codeOf(await place.keeper.turn())).toBe('E_BUNDLE_FETCH');
    expect(await bash(place, 'npm test')).toBe('deny');
  });
});

test('a stored bundle that was changed does not count', async () => {
  const bytes = await signed(denying);
  const server = (await TestServer.start()).serve(() => bytes);
  const place = site(server);
  await place.keeper.turn();
  const folder = path.join(place.data, 'teams');
  const [name = ''] = fs.readdirSync(folder).filter((one) => /^bundle-.*\.json$/.test(one));
  const file = path.join(folder, name);
  fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('Bash(curl:*)', 'Bash(nothing)'));
  expect((await place.decide('Bash', { command: 'curl x.org' })).reason).toMatch(/E_BUNDLE_MISSING/);
  expect(codeOf(await place.keeper.turn(true))).toBe('new');
  expect(await bash(place, 'curl x.org')).toBe('deny');
});

test('a replaced key must verify the whole bundle again', async () => {
  const other = keysOf('ES256', 'another');
  let bytes = await signed(denying);
  const server = (await TestServer.start()).serve(() => bytes);
  const place = site(server);
  await place.keeper.turn();
  place.put('managed', 'key.pem', other.public.toString());
  expect(codeOf(await place.keeper.turn(true))).toBe('E_BUNDLE_SIGNATURE');
  bytes = await signed(denying, { key: other.private });
  expect(codeOf(await place.keeper.turn(true))).toBe('new');
  place.drop('managed', 'key.pem');
  expect(codeOf(await place.keeper.turn(true))).toBe('E_BUNDLE_KEY');
});

test.each([0o666, 0o664, 0o646])(
  'a key that others may write (%o) verifies nothing, and the reason has a remedy',
  async (mode) => {
    const bytes = await signed(denying);
    const place = site((await TestServer.start()).serve(() => bytes));
    fs.chmodSync(place.at('managed', 'key.pem'), mode);
    const { refused } = await place.keeper.turn(true);
    expect(refused?.problem()).toMatchObject({ code: 'E_BUNDLE_KEY', message: expect.stringContaining('chmod go-w') });
    fs.chmodSync(place.at('managed', 'key.pem'), 0o644);
    expect(codeOf(await place.keeper.turn(true))).toBe('new');
  },
);

test('a pipe in place of a key does not block', async () => {
  const bytes = await signed(denying);
  const place = site((await TestServer.start()).serve(() => bytes));
  place.drop('managed', 'key.pem');
  execFileSync('mkfifo', [place.at('managed', 'key.pem')]);
  expect((await place.keeper.turn(true)).refused?.message).toMatch(/is not a regular file/);
});

test('a server starts with its first bundle, reports problems, and adopts bundles that are published while it runs', async () => {
  let bytes = await signed(denying);
  const server = (await TestServer.start()).serve(() => bytes);
  const place = site(server, '  every: 50ms\n');
  const notes: string[] = [];
  let changes = 0;
  const teams = new Teams({
    place: placeAt(place),
    changed: () => void changes++,
    note: (text) => notes.push(text),
  });
  afterTest(() => teams.stop());
  await teams.start();
  expect(await bash(place, 'curl x.org')).toBe('deny');
  bytes = await signed(denying, { key: keysOf('ES256', 'another').private });
  await expect.poll(() => notes.join()).toMatch(/E_BUNDLE_SIGNATURE/);
  await expect.poll(() => readBundleFault(place.data)?.code).toBe('E_BUNDLE_SIGNATURE');
  expect(find({ place: placeAt(place), start: place.root }).map(({ code }) => code)).toContain('F_BUNDLE');
  bytes = await signed({
    ...denying,
    'layer/settings.one.json': permissions({ deny: ['Bash(wget:*)'] }),
    '.manifest': '{"revision":"2"}',
  });
  await expect.poll(() => bash(place, 'wget x.org'), { timeout: 10_000 }).toBe('deny');
  expect(readBundleFault(place.data)).toBeNull();
  expect(changes).toBe(2);
});
