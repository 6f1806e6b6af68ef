// What the organisation says in teams.yaml beside its bundle: modes, enforcement, authority.

import { generateKeyPairSync, sign as signBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { describe, expect, test } from 'vitest';
import { ChannelIntegrity } from '../../../src/adapters/mcp/channel-integrity.ts';
import { PlanMode } from '../../../src/adapters/mcp/plan-mode.ts';
import { callTool } from '../../../src/adapters/mcp/tools.ts';
import { beginProtocol } from '../../../src/adapters/mcp/typed/prompts.ts';
import { typedCommand } from '../../../src/adapters/mcp/typed.ts';
import { hashOf, recordSetup } from '../../../src/app/setup/undo.ts';
import { statusLineOf } from '../../../src/app/statusline.ts';
import { RunLedger } from '../../../src/workflow/gates/runs.ts';
import type { Project } from '../../../src/workflow/project.ts';
import { nobody } from '../../../src/workflow/project.ts';
import { configurationLines } from '../../../src/workflow/situation.ts';
import { forbidden } from '../../../src/workflow/team.ts';
import { decideBy, Layered, modesYaml, packageRoot, permissions } from '../../support/layered-project.ts';
import { placeAt } from '../../support/team-server.ts';

const bash = async (layered: Layered, command: string) => (await layered.decide('Bash', { command })).decision;

const plain = (text: string) => new Layered().put('project', 'modes.yaml', modesYaml()).put('managed', 'teams.yaml', text);

test('a mode that it requires must exist', async () => {
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
  ['modes: []\n', 'off', 'pass'],
  ['enforcement: ask\n', 'off', 'ask'],
  ['enforcement: enforce\n', 'advise', 'deny'],
])('with %j a rule in CI, where a person sets ci: %s, gives %s', async (said, ci, verdict) => {
  const place = plain(said)
    .put('user', 'modes.yaml', modesYaml(`ci: ${ci}\n`))
    .put('project', 'settings.one.json', permissions({ deny: ['Bash(curl:*)'] }));
  await place.trust();
  place.env.CI = 'true';
  expect(await bash(place, 'curl x.org')).toBe(verdict);
});

test.each<[string, string, string]>([
  ['a key that is none', 'bundel: {}\n', 'E_UNKNOWN_KEY'],
  ['no key for the bundle', 'bundle: {url: "https://a.org/b", algorithm: ES256}\n', 'E_MISSING_KEY'],
  ['an algorithm that is none', 'bundle: {url: "https://a.org/b", key: k, algorithm: none}\n', 'E_UNKNOWN_VALUE'],
  ['an address in the clear', 'bundle: {url: "http://a.org/b", key: k, algorithm: ES256}\n', 'E_UNKNOWN_VALUE'],
  ['a time that is none', 'bundle: {url: "https://a.org/b", key: k, algorithm: ES256, every: soon}\n', 'E_UNKNOWN_VALUE'],
  ['no YAML', 'bundle: {\n', 'E_YAML_SYNTAX'],
])('%s denies everything except reading', async (_, text, code) => {
  expect((await plain(text).decide('Bash', { command: 'touch a' })).reason).toContain(code);
});

test('a forbidden action is refused without a question, and a broken file forbids everything', () => {
  const place = plain('authority: {force: false, grant: true}\n');
  const [force, grant] = (['force', 'grant'] as const).map((one) => forbidden(placeAt(place), one));
  expect([force, grant]).toEqual([
    expect.stringMatching(/^the organization does not allow changing the mode.*authority\.force in teams\.yaml/),
    null,
  ]);
  place.put('managed', 'teams.yaml', 'authority: {force: maybe}\n');
  expect(forbidden(placeAt(place), 'grant')).not.toBeNull();
});

test.each<[what: string, put: (file: string) => void]>([
  ['is not UTF-8', (file) => fs.writeFileSync(file, Buffer.from([0x61, 0xff]))],
  ['is too large', (file) => fs.writeFileSync(file, ' '.repeat(200 * 1024))],
  ['is a folder', (file) => fs.mkdirSync(file)],
  ['is a link to nothing', (file) => fs.symlinkSync('/nowhere/at/all', file)],
  [
    'lies in a folder that leads nowhere',
    (file) => {
      fs.rmdirSync(path.dirname(file));
      fs.symlinkSync('/nowhere/at/all', path.dirname(file));
    },
  ],
])('everything is forbidden if teams.yaml %s', (_, put) => {
  const place = plain('');
  fs.rmSync(place.at('managed', 'teams.yaml'));
  expect(forbidden(placeAt(place), 'force')).toBeNull();
  put(place.at('managed', 'teams.yaml'));
  expect(forbidden(placeAt(place), 'force')).not.toBeNull();
});

/** A person who types in a client that is not there: whoever asks it gets another answer than the organisation's. */
function typedIn(project: Project) {
  return {
    server: new Server({ name: 'modes', version: '1' }, { capabilities: {} }),
    project: project.for(nobody),
    place: project.place,
    packageRoot,
    asker: { session: 's', permissionMode: null },
    where: { session: 's', cwd: null },
    signal: new AbortController().signal,
    integrity: new ChannelIntegrity(
      () => [],
      () => undefined,
    ),
    headless: false,
    findings: () => [],
    reopen: async () => null,
    log: () => {
      throw new Error('no log is needed');
    },
  };
}

test.each<[string, string, RegExp]>([
  ['modes:grant', 'Bash(ls) 10m', /does not allow granting/],
  ['modes:off', '10m', /does not allow switching rules off/],
  ['modes:mode', 'reset', /does not allow changing the mode/],
  ['modes:approve', 'two', /does not allow approving/],
  ['modes:setup', 'tdd', /does not allow approving a configuration/],
])('/%s %s is answered with that reason, without a dialog', async (command, args, expected) => {
  const place = plain('authority: {force: false, grant: false, off: false, approve: false, trust: false}\n');
  place.put(
    'project',
    'modes.yaml',
    modesYaml().replace('to: two', 'to: two, constraint: c, approve: human').replace('to: one', 'to: one, constraint: c'),
  );
  const project = await place.open();
  project.for(nobody).transitions.force('two', 'x', { session: null, permissionMode: null });
  if (command === 'modes:approve') project.for(nobody).transitions.force('one', 'x', { session: null, permissionMode: null });
  const typed = typedIn(project);
  expect(await typedCommand(command)!(typed, args)).toMatch(expected);
  const known = {
    refusal: () => null,
    findings: () => [],
    runs: new RunLedger(),
    integrity: typed.integrity,
    followed: () => null,
  };
  const forced = await callTool('force_transition', { target: 'one' }, project.for(nobody), typed.asker, known as never);
  expect(forced?.value).toMatchObject({ success: false, reason: expect.stringMatching(/authority\.force/) });
});

test('a forbidden setup cannot be undone: the project stays governed', async () => {
  const place = plain('authority: {trust: false}\n');
  const project = await place.open();
  const modes = fs.readFileSync(place.at('project', 'modes.yaml'));
  recordSetup(
    place.data,
    place.root,
    { written: [{ name: '.claude/modes.yaml', backup: null, hash: hashOf(modes) }] },
    new Date(),
  );
  for (const command of ['modes:setup', 'modes:init'])
    expect(await typedCommand(command)!(typedIn(project), 'undo')).toMatch(
      /^Nothing was changed: the organization does not allow approving a configuration/,
    );
});

describe('without permission to approve', () => {
  const protocols = 'protocols: {hurry: {triggers: [yert], plan: [fix], mode: two}, note: {triggers: ["mek:"], plan: [write]}}\n';
  const open = async () => {
    const place = await plain('authority: {approve: false}\n').put('project', 'modes.yaml', modesYaml(protocols)).trust();
    const project = await place.open('s');
    return project.for({ session: 's', cwd: place.root });
  };
  const top = (project: Project) => project.for(nobody).state().work.plans.at(-1);

  test('a protocol with a mode does not start, and no question is asked', async () => {
    const project = await open();
    const asking = { ...typedIn(project), ask: () => expect.fail('somebody was asked') };
    expect((await beginProtocol(asking, 'yert', 'user'))?.message).toMatch(
      /^The protocol hurry did not start: the organization does not allow approving /,
    );
    expect([project.state().mode, top(project)]).toEqual(['one', undefined]);
    await beginProtocol(asking, 'mek: a form', 'user');
    expect(top(project)).toMatchObject({ protocol: 'note', approved: false });
  });

  test("an approval in the client's own plan mode records the plan without approval", async () => {
    const project = await open();
    const mode = new PlanMode();
    const context = {
      project: project.for(nobody),
      asker: typedIn(project).asker,
      headless: false,
      surroundings: () => ({ place: project.place, start: project.root }),
    };
    const call = { tool_name: 'ExitPlanMode', tool_use_id: 't', permission_mode: 'plan', session_id: 's' };
    const plan = '# A plan\n\n1. one\n';
    expect(await mode.before({ ...call, tool_input: JSON.stringify({ plan }) }, context)).toBeNull();
    const told = await mode.after({ ...call, tool_response: JSON.stringify({ plan }) }, context);
    expect(told).toMatch(
      /not approved for Modes, because the organization does not allow approving gates and plans here.*teams\.yaml\)\.$/,
    );
    expect(top(project)).toMatchObject({ approved: false });
  });
});

test('without permission to force a mode, an emergency stop can still end in its mode, or in the mode where work starts', async () => {
  const yaml = modesYaml('stop: {phrases: [SILENCE]}\n').replace('transitions: [{to: one}]', 'transitions: [{to: three}]');
  const place = plain('authority: {force: false}\n').put('project', 'modes.yaml', `${yaml}  three: {}\n`);
  const project = await place.open();
  project.for(nobody).transitions.force('two', 'x', { session: null, permissionMode: null });
  expect(project.for(nobody).transitions.stop('SILENCE', { session: null, permissionMode: null })).toBe(true);
  await project.ready();
  const name = (mode: string) => typedCommand('modes:mode')!(typedIn(project), mode);
  // One that is refused is not asked about; the others are, of a client that is not there.
  expect(await name('three')).toMatch(
    /^Nothing was changed: the organization does not allow changing .* A person can set two or one\.$/,
  );
  for (const open of ['two', 'one']) expect(await name(open)).not.toMatch(/does not allow changing/);
});

describe('without permission to trust', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const pem = publicKey.export({ type: 'spki', format: 'pem' }) as string;
  const forbids = 'authority: {trust: false}\n';

  /** One write is allowed, another denied; `two` is reached by a gate that runs a command. */
  const project = () =>
    new Layered()
      .put('project', 'modes.yaml', modesYaml())
      .put('project', 'settings.one.json', permissions({ allow: ['Write(a)'], deny: ['Write(b)'] }));
  const seen = async (place: Layered) => [
    await place.write('a'),
    await place.write('b'),
    (await place.open()).for(nobody).describe().present.trusted,
    (await place.open())
      .for(nobody)
      .describe()
      .problems.map(({ code }) => code)
      .filter((code) => code === 'W_TRUST_FORBIDDEN').length,
  ];
  const sign = async (place: Layered) => {
    const { hash } = (await place.open()).for(nobody).describe().configuration;
    place.put('project', 'modes.sig', signBytes(null, Buffer.from(hash), privateKey).toString('base64'));
  };

  test('an earlier approval does not count, and counts again when it is permitted', async () => {
    const place = await project().trust();
    const session = await place.open('s');
    const writes = () => decideBy(session, 'Write', { file_path: `${place.root}/a`, content: '' }, 's').decision;
    expect([await seen(place), writes()]).toEqual([['allow', 'deny', true, 0], 'allow']);
    place.put('managed', 'teams.yaml', forbids);
    expect(await seen(place)).toEqual(['pass', 'deny', false, 1]);
    const { config: view } = (await place.open()).for(nobody).describe().present;
    expect(configurationLines(view, view, false, { approvalHash: 'sha256:0', changes: [] })[0]).toMatch(
      /^not trusted, because the organization does not allow it: sha256:/,
    );
    expect(statusLineOf((await place.open()).for(nobody), null).note).toBe('not trusted');
    expect((await place.open()).for(nobody).context('whole')).toMatch(/The organization does not allow approving/);
    // For a session that began before it was forbidden too.
    session.touch();
    await session.ready('s');
    expect(writes()).toBe('pass');
    place.put('managed', 'teams.yaml', 'authority: {trust: true}\n');
    expect(await seen(place)).toEqual(['allow', 'deny', true, 0]);
  });

  test.each<['managed' | 'user', unknown[]]>([
    ['managed', ['allow', 'deny', true, 0]],
    ['user', ['pass', 'deny', false, 1]],
  ])('a signature by a key of the %s layer', async (layer, expected) => {
    const place = project().put(layer, 'modes.keys.pem', pem);
    await sign(place);
    expect(await seen(place)).toEqual(['allow', 'deny', true, 0]);
    place.put('managed', 'teams.yaml', forbids);
    expect(await seen(place)).toEqual(expected);
  });

  test('a running session is not referred to a refused command: content signed meanwhile applies to a new session', async () => {
    const place = project().put('managed', 'modes.keys.pem', pem).put('managed', 'teams.yaml', forbids);
    await sign(place);
    const session = await place.open('s');
    place.put('project', 'settings.one.json', permissions({ allow: ['Write(a)', 'Write(b)'] }));
    await sign(place);
    session.touch();
    await session.ready('s');
    const asker = { session: 's', cwd: place.root };
    const { decision, reason } = decideBy(session, 'Write', { file_path: `${place.root}/b`, content: '' }, 's');
    expect([decision, await place.write('b', 't')]).toEqual(['deny', 'allow']);
    const told = [reason, session.for(asker).context('whole'), statusLineOf(session.for(asker), null).note ?? ''];
    expect(told.join('\n')).not.toContain('/modes:trust');
    expect(told).toEqual([
      expect.stringMatching(/new sessions use the current one/),
      expect.stringMatching(/new sessions use the current one/),
      'another configuration',
    ]);
  });

  test('an unapproved project, or one with nothing to approve, is not mentioned', async () => {
    expect(await seen(project().put('managed', 'teams.yaml', forbids))).toEqual(['pass', 'deny', false, 0]);
    const plainOne = new Layered().put('managed', 'teams.yaml', forbids).put('managed', 'modes.yaml', modesYaml());
    expect(await seen(plainOne)).toEqual(['pass', 'pass', true, 0]);
  });
});

test('a person cannot set its values', async () => {
  const place = new Layered().put('project', 'modes.yaml', modesYaml()).put('user', 'teams.yaml', 'enforcement: advise\n');
  expect((await place.decide('Bash', { command: 'touch a' })).reason).toMatch(/E_TEAMS_LAYER/);
});

test('a comment about bundles pins none', async () => {
  const place = plain('# bundle: later\nmodes: [one]\n');
  expect(await place.write('a')).toBe('pass');
});
