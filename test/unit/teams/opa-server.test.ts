// A stock OPA server gives the verdicts: the same as this machine's; and what holds when it is killed, hangs or has another bundle.

import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { statusLineOf } from '../../../src/app/statusline.ts';
import type { Decision } from '../../../src/model/decision.ts';
import { packArchive } from '../../../src/policy/archive.ts';
import { opaRecordFile, readOpaRecord } from '../../../src/store/opa-record.ts';
import { unpackArchive } from '../../../src/teams/unpack.ts';
import { find } from '../../../src/workflow/findings/find.ts';
import type { Project } from '../../../src/workflow/project.ts';
import { nobody } from '../../../src/workflow/project.ts';
import { type Sample, work } from '../../bench/developers.ts';
import { forFile } from '../../support/cleanup.ts';
import { decideBy, Layered, modesYaml, permissions } from '../../support/layered-project.ts';
import { bundleOf, naming, OpaServer, program } from '../../support/opa-server.ts';
import { certificate, placeAt } from '../../support/team-server.ts';
import { shareCompiled } from '../errors/way.ts';
import { officeOf } from './office.ts';

const force = `# METADATA
# title: No push by force
package modes.policy.force

deny contains {"reason": "it rewrites history"} if {
	some command in input.bash.commands
	command.name == "git"
	"--force" in command.argv
}
`;

const yaml = modesYaml().replace('  two:\n', '  two:\n    agents: {helper: {cannotEdit: ["docs/**"]}}\n');
const settings = permissions({
  deny: ['Write(src/**)', 'Bash(git push:*)', 'Read(secret/**)'],
  ask: ['Bash(npm publish:*)', 'WebFetch(domain:example.org)'],
  allow: ['Bash(ls:*)', 'Write(docs/**)', 'Read(docs/**)'],
});

async function machine(more: Record<string, string> = {}): Promise<Layered> {
  const layered = new Layered().put('project', 'modes.yaml', yaml).put('project', 'settings.any.json', settings);
  layered.put('project', 'settings.two.json', permissions({ default: 'ask' }));
  for (const [name, text] of Object.entries(more)) layered.put('project', name, text);
  shareCompiled(layered.data);
  return layered.trust();
}

const bash = (project: Project, command: string): Decision => decideBy(project, 'Bash', { command });
const saying = ({ decision, evaluator }: Decision): string =>
  [decision, evaluator?.by, evaluator?.note].filter((part) => part !== undefined).join(' ');

/** Calls of every kind; each is another question. */
const calls: [string, Record<string, unknown>][] = [
  ['Bash', { command: 'git push' }],
  ['Bash', { command: 'ls -l docs' }],
  ['Bash', { command: 'npm publish && ls' }],
  ['Bash', { command: 'sed -i s/a/b/ src/a.ts' }],
  ['Bash', { command: 'sh -c "$X"' }],
  ['Bash', { command: 'git push --force origin main' }],
  ['Bash', { command: 'echo é > docs/ü.md' }],
  ['Write', { file_path: 'src/a.ts', content: 'x' }],
  ['Write', { file_path: 'docs/a.md', content: 'x' }],
  ['Write', { file_path: '.claude/modes.yaml', content: 'x' }],
  ['Read', { file_path: 'secret/key' }],
  ['Grep', { pattern: 'x', path: '.' }],
  ['WebFetch', { url: 'https://example.org/a', prompt: 'x' }],
  ['mcp__other__tool', { any: 1 }],
  ['Agent', { prompt: 'x', subagent_type: 'helper', description: 'y' }],
];

/** Until the server counts again; each time another question. */
async function heardAgain(project: Project): Promise<string[]> {
  const said: string[] = [];
  await expect
    .poll(() => {
      said.push(saying(bash(project, `git push ${said.length}`)));
      return said.at(-1);
    })
    .toBe('deny opa');
  return said;
}

describe.skipIf(program === null)('a stock OPA server', () => {
  let layered: Layered;
  let bundle: { file: string; revision: string };
  let server: OpaServer;

  beforeAll(async () => {
    await forFile(async () => {
      layered = await machine();
      bundle = await bundleOf(layered, 'one');
      server = await OpaServer.start(bundle.file);
    });
  });

  test.each<[string, Record<string, string>]>([
    ['the core alone', {}],
    ['the core and a policy in Rego', { 'policies/force.rego': force }],
  ])('gives the verdicts of this machine: %s', async (_, more) => {
    const [own, theirs] = [await machine(more), await machine(more)];
    const made = await bundleOf(theirs, 'one');
    const other = Object.keys(more).length === 0 ? server : await OpaServer.start(made.file);
    naming(theirs, other.url);
    const [local, asking] = [await own.open(), await theirs.open()];
    for (const [tool, input] of calls) {
      const [here, there] = [decideBy(local, tool, input), decideBy(asking, tool, input)];
      const { decision, by, rules, policies, protections } = here;
      expect([tool, input, there.evaluator]).toEqual([tool, input, { by: 'opa', server: other.url }]);
      const text = (value: unknown): string => JSON.stringify(value).replaceAll(own.base, theirs.base);
      const seen = [there.decision, there.by, there.rules, there.policies, there.protections];
      expect(JSON.stringify(seen)).toBe(text([decision, by, rules, policies, protections]));
    }
  });

  test('killed: no call waits for it after three calls, status and doctor report it, and it counts again when it is back', async () => {
    naming(layered, server.url);
    const project = await layered.open();
    expect(saying(bash(project, 'git push'))).toBe('deny opa');
    await server.kill();
    const said = ['a', 'b', 'c', 'd', 'e'].map((word) => saying(bash(project, `git push ${word}`)));
    expect(said).toEqual([
      ...Array(3).fill('deny local it cannot be reached (ECONNREFUSED)'),
      ...Array(2).fill('deny local requests to it are paused: it cannot be reached (ECONNREFUSED)'),
    ]);
    // Others that ask it know of it too.
    project.for(nobody).transitions.force('two', 'x', { session: null, permissionMode: null });
    expect(saying(bash(project, 'cat a'))).toBe('ask local requests to it are paused: it cannot be reached (ECONNREFUSED)');
    project.for(nobody).transitions.force('one', 'x', { session: null, permissionMode: null });
    // What it said before is the verdict of the same bundle.
    expect(saying(bash(project, 'git push'))).toBe('deny opa');
    const found = () => find({ place: placeAt(layered), start: layered.root }).filter(({ code }) => code === 'F_EVALUATOR');
    expect(found().map(({ what, file }) => [what, file])).toEqual([
      [expect.stringMatching(/^no verdict of the OPA server https.* cannot be reached/), opaRecordFile(layered.data)],
    ]);
    expect(project.for(nobody).status().evaluator).toMatchObject({
      server: server.url,
      check: false,
      fallback: 'local',
      trouble: { why: expect.stringMatching(/ECONNREFUSED/) },
    });
    expect(statusLineOf(project.for(nobody), null).note).toBe('OPA unreachable: decided here');
    await server.start(bundle.file);
    const again = await heardAgain(project);
    expect(
      again
        .slice(0, -1)
        .every((one) => /^deny local (a new request to it is pending: |requests to it are paused: |it )/.test(one)),
    ).toBe(true);
    expect([found(), readOpaRecord(layered.data)?.trouble, statusLineOf(project.for(nobody), null).note]).toEqual([
      [],
      null,
      null,
    ]);
  });

  test('hanging: only the first three decisions wait, up to the limit', async () => {
    naming(layered, server.url, '  fallback: local\n');
    layered.put('managed', 'teams.yaml', `evaluator: opa\nopa: {url: "${server.url}", ca: ../../ca.pem, deadline: 50ms}\n`);
    const project = await layered.open();
    server.freeze();
    try {
      const said = ['f', 'g', 'h', 'i'].map((word) => saying(bash(project, `git push ${word}`)));
      expect(said.slice(0, 3)).toEqual(Array(3).fill('deny local it does not answer within 50 ms'));
      expect(said[3]).toBe('deny local requests to it are paused: it does not answer within 50 ms');
    } finally {
      server.thaw();
    }
  });

  test.each([
    ['local', 'pass local', 'deny local'],
    ['deny', 'deny', 'deny'],
  ])('with another bundle than this machine, and fallback: %s', async (fallback, expected, denied) => {
    const changed = await machine();
    changed.put('project', 'settings.one.local.json', permissions({ deny: ['Bash(make:*)'] }));
    await (await changed.trust()).open();
    naming(changed, server.url, `  fallback: ${fallback}\n`);
    const project = await changed.open();
    const [free, guarded] = [bash(project, 'cat docs/a'), bash(project, 'make all')];
    expect([free, guarded].map(({ decision, evaluator }) => [decision, evaluator?.by].join(' ').trim())).toEqual([
      expected,
      denied,
    ]);
    expect(fallback === 'deny' ? free.reason : free.evaluator?.note).toMatch(
      new RegExp(`it has another bundle \\(${bundle.revision}, here [0-9a-f]{16}\\)`),
    );
    if (fallback === 'deny')
      expect([free.by, free.remedy]).toEqual(['fault', expect.stringMatching(/^Make sure that the server is reachable/)]);
  });

  test('a mode without a bundle on the server is decided here, and so are the limits of subagents', async () => {
    const own = await machine();
    const two = await bundleOf(own, 'two');
    const other = await OpaServer.start(two.file);
    naming(own, other.url);
    const project = await own.open();
    expect(saying(bash(project, 'cat a'))).toMatch(/^pass local it has another bundle/);
    project.for(nobody).transitions.force('two', 'x', { session: null, permissionMode: null });
    expect(saying(bash(project, 'cat a b'))).toBe('ask opa');
    const write = (agent: object) =>
      saying(
        project.decideEvent({
          hook_event_name: 'PreToolUse',
          cwd: project.root,
          tool_name: 'Write',
          tool_input: { file_path: 'docs/a.md', content: '' },
          ...agent,
        }),
      );
    expect([write({}), write({ agent_id: 'a', agent_type: 'helper' })]).toEqual(['allow opa', 'deny opa']);
  });

  test('a server that a person names, or one without TLS, allows nothing alone: this machine decides as well', async () => {
    const own = await machine();
    naming(own, server.url);
    const text = fs.readFileSync(own.at('managed', 'teams.yaml'), 'utf8');
    own.drop('managed', 'teams.yaml').put('user', 'teams.yaml', text);
    const project = await own.open();
    expect([saying(bash(project, 'git push')), saying(bash(project, 'cat a'))]).toEqual(['deny both', 'pass both']);
    expect(project.for(nobody).status().evaluator).toMatchObject({ check: true });
  });

  test('a server that calls another policy by the name of ours: the stricter counts, and differences are counted and shown', async () => {
    const [own, other] = [await machine(), new Layered()];
    other.put('project', 'modes.yaml', yaml).put('project', 'settings.any.json', permissions({ deny: ['Bash(make:*)'] }));
    await other.trust();
    const [ours, theirs] = [await bundleOf(own, 'one'), await bundleOf(other, 'one')].map(({ file }) =>
      unpackArchive(fs.readFileSync(file)),
    );
    theirs!.set('.manifest', ours!.get('.manifest')!);
    const file = path.join(other.base, 'forged.tar.gz');
    fs.writeFileSync(file, packArchive(new Map([...theirs!].map(([name, bytes]) => [`/${name}`, bytes]))));
    const forger = await OpaServer.start(file);
    naming(own, forger.url, '  check: true\n');
    const project = await own.open();
    const differ = (one: string, another: string) => `the OPA server says ${one}, this machine ${another}`;
    expect(['git push', 'ls docs', 'cat a'].map((command) => saying(bash(project, command)))).toEqual([
      `deny both ${differ('pass by default', 'deny by rule')}`,
      `pass both ${differ('pass by default', 'allow by rule')}`,
      'pass both',
    ]);
    const shown = { count: 1, mode: 'one', what: differ('pass by default', 'deny by rule') };
    expect(project.for(nobody).status().evaluator).toMatchObject({ differing: shown });
    const found = find({ place: placeAt(own), start: own.root }).filter(({ code }) => code === 'F_EVALUATOR');
    expect(found.map(({ what }) => what)).toEqual([`1 verdicts that differ, the newest in one: ${shown.what}`]);
    own.put('managed', 'teams.yaml', 'evaluator: local\n');
    await own.open();
    expect(readOpaRecord(own.data)).toBeNull();
  });

  test('a process for one call does not wait for a server, unless nothing else may decide', async () => {
    const own = await machine();
    naming(own, server.url);
    const [once, only] = [
      await own.open(null, { isOnce: true }),
      await naming(own, server.url, '  fallback: deny\n').open(null, { isOnce: true }),
    ];
    expect(saying(bash(once, 'git push'))).toBe('deny local a process that decides a single call does not wait for a server');
    expect(saying(bash(only, 'git push'))).toBe('deny opa');
    naming(own, 'https://localhost:1', '  fallback: deny\n');
    const closed = bash(await own.open(null, { isOnce: true }), 'ls');
    expect([closed.decision, closed.by, closed.reason]).toEqual([
      'deny',
      'fault',
      expect.stringMatching(/ECONNREFUSED.*E_POLICY_SERVICE/),
    ]);
    expect(readOpaRecord(own.data)?.trouble?.why).toMatch(/ECONNREFUSED/);
  });

  test('many developers: every verdict equals that of their own machine, and only three calls wait for a dead server', async () => {
    const { team, bundle: office } = await officeOf(25, 30, 300);
    const busy = await OpaServer.start(office);
    const gone = { from: 0, to: 0 };
    const ofAll = (heard: readonly Sample[]) => new Set(heard.map(({ developer }) => developer)).size;
    const pin = { ...team.pin, url: busy.url, deadline: 20_000 };
    const samples = await work({ ...team, pin, ca: certificate().cert }, async (seen) => {
      await expect.poll(() => ofAll(seen.filter(({ by }) => by === 'opa'))).toBe(team.developers);
      await busy.kill();
      gone.from = seen.length;
      await expect
        .poll(() => ofAll(seen.slice(gone.from).filter(({ by, waited }) => by === 'local' && !waited)))
        .toBe(team.developers);
      gone.to = seen.length;
      await busy.start(office);
      const before = seen.length;
      await expect.poll(() => ofAll(seen.slice(before).filter(({ by }) => by === 'opa'))).toBe(team.developers);
    });
    const own = team.calls.map((facts) => team.local(facts).verdict);
    const turns = new Map<number, number>();
    for (const { developer, verdict } of samples) {
      const turn = turns.get(developer) ?? developer;
      expect([developer, turn, verdict]).toEqual([developer, turn, own[turn % own.length]]);
      turns.set(developer, turn + 1);
    }
    expect(new Set(own)).toEqual(new Set(['deny', 'ask', 'allow', 'pass']));
    const waits = new Map<number, number>();
    for (const { waited, by, developer } of samples.slice(gone.from, gone.to))
      if (waited && by === 'local') waits.set(developer, (waits.get(developer) ?? 0) + 1);
    expect(Math.max(...waits.values())).toBeLessThanOrEqual(3);
  });
});
