// What is kept of changes of mode, and what modes stats makes of it.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { stats } from '../../../src/adapters/cli/stats.ts';
import { countAll, type StatsSources } from '../../../src/app/log/stats.ts';
import type { LogEvent } from '../../../src/store/log/event.ts';
import { readJournals } from '../../../src/workflow/journal.ts';
import { openProject } from '../../../src/workflow/project.ts';
import { Refusals, type RefusedTransition } from '../../../src/workflow/refusals.ts';
import { change, makeFolder } from '../../support/folder-project.ts';
import { Session } from '../../support/mcp-session.ts';
import { builtPlugin } from '../../support/plugin.ts';
import { prepare } from '../../support/prepare.ts';
import { gateByExitCodes, makeProject, type Project, run } from '../../support/project.ts';

let plugin: string;
beforeAll(async () => {
  plugin = await builtPlugin();
}, 120_000);

const minute = 60_000;
const noon = Date.parse('2026-01-01T12:00:00Z');
const at = (minutes: number) => new Date(noon + minutes * minute).toISOString();

/** Journal entries `[minute, kind, to, session]`. */
const entries = (...rows: [number, string, string, string?][]): StatsSources['journals'][number]['entries'] =>
  rows.map(([when, kind, to, session = 'a'], index) => ({
    ...change(null, to, { kind: kind as 'transition', session }),
    ...(kind === 'authority' && { authority: { did: 'grant' as const, rules: [], count: 1, seconds: null, uptime: 0 } }),
    version: 1,
    number: index + 1,
    timestamp: at(when),
    previous: '',
    hash: String(index),
  }));
const rule = (text: string, line: number, file = 'settings.idle.json') => ({
  effect: 'deny',
  text,
  source: { file, line, column: 1 },
});
const event = (when: number, decision: string, mode: string | null, more: object = {}, session = 'a') =>
  ({
    timestamp: at(when),
    labels: { session },
    result: { decision, mode, by: 'rule', rules: [], policies: [], protections: [], ...more },
  }) as unknown as LogEvent;
const refused = (when: number, from: string, to: string, unmet: string[], session = 'a'): RefusedTransition => ({
  version: 1,
  timestamp: at(when),
  session,
  from,
  to,
  unmet,
});
const shared = (...rows: Parameters<typeof entries>) => ({ entries: entries(...rows), isShared: true });
const count = (sources: Partial<StatsSources>, asked: { since?: number; now?: number; session?: string } = {}) => {
  const all = { journals: [], events: [], refused: [], ...sources };
  const { since, now = 100, session = null } = asked;
  return countAll(all, { since: since === undefined ? null : noon + since * minute, now: noon + now * minute, session });
};
const minutes = (counted: ReturnType<typeof count>) =>
  Object.fromEntries([...counted.modes].map(([mode, { seconds }]) => [mode, seconds / 60]));

test('calls that an advising mode would have stopped are counted, by rule', () => {
  const note = (rule: string, call: string) => ({
    advice: `idle advises against this call: ${rule} is denied in idle: ${call}.`,
  });
  const counted = count({
    events: [
      event(1, 'pass', 'idle', note('Write(src/**) (a.json:3)', 'Write would change src/a.ts')),
      event(2, 'pass', 'idle', note('Write(src/**) (a.json:3)', 'sed would change src/b.ts')),
      event(3, 'pass', 'idle', { advice: 'idle advises against this call: Modes cannot tell what it does.' }),
      event(4, 'pass', 'idle', { advice: 'The plan has changed.' }),
      event(5, 'allow', 'idle'),
    ],
  });
  expect(counted.modes.get('idle')).toMatchObject({ advised: 3, decisions: { deny: 0, pass: 4, allow: 1 } });
  expect(counted.advised).toEqual([
    { mode: 'idle', reason: 'Write(src/**) (a.json:3) is denied', count: 2 },
    { mode: 'idle', reason: 'Modes cannot tell what it does.', count: 1 },
  ]);
});

describe('time in a mode', () => {
  const day = shared(
    [0, 'transition', 'one'],
    [10, 'force', 'two'],
    [15, 'plan', 'two'],
    [20, 'authority', 'two'],
    [30, 'stop', 'one'],
  );
  test.each<[string, object, Record<string, number>]>([
    ['is that between changes of mode, up to now [w:stats.modes]', {}, { one: 80, two: 20 }],
    ['before since is not counted', { since: 25 }, { one: 70, two: 5 }],
    ['of a session is that in which it was there', { session: 'a', since: 0 }, { one: 10, two: 20 }],
    ['of a session that was never there is none', { session: 'b' }, {}],
  ])('%s', (_, asked, expected) => {
    expect(minutes(count({ journals: [day] }, asked))).toEqual(expected);
  });

  test('of another scope ends with the last record of its sessions', () => {
    const own = { entries: entries([0, 'transition', 'one', 'a'], [5, 'transition', 'two', 'a']), isShared: false };
    const other = { entries: entries([0, 'transition', 'one', 'b']), isShared: false };
    const events = [event(12, 'pass', 'two', {}, 'a'), event(3, 'pass', 'one', {}, 'b')];
    expect(minutes(count({ journals: [own, other], events }))).toEqual({ one: 8, two: 7 });
    expect(minutes(count({ journals: [own, other], events }, { session: 'b' }))).toEqual({ one: 3 });
  });
});

describe('the counts', () => {
  test('changes of mode, by force, stops and grants, in the mode they lead to [w:stats.modes]', () => {
    const { modes } = count({
      journals: [
        shared([0, 'transition', 'one'], [1, 'force', 'two'], [2, 'authority', 'two'], [3, 'stop', 'one'], [4, 'later', 'one']),
      ],
    });
    expect(modes.get('one')).toMatchObject({ entered: 1, forced: 0, stops: 1, grants: 0 });
    expect(modes.get('two')).toMatchObject({ entered: 1, forced: 1, stops: 0, grants: 1 });
  });

  test('decisions by effect, and calls that went through by a grant [w:stats.modes]', () => {
    const events = [
      event(0, 'deny', 'one'),
      event(1, 'deny', 'one'),
      event(2, 'ask', 'one'),
      event(3, 'pass', 'one', { grants: [{ id: 'g1', counted: true }] }),
      event(4, 'allow', 'two'),
      event(5, 'deny', null, { by: 'trouble' }),
    ];
    const { modes } = count({ events });
    expect(modes.get('one')).toMatchObject({ decisions: { deny: 2, ask: 1, allow: 0, pass: 1 }, granted: 1 });
    expect(modes.get('two')).toMatchObject({ decisions: { deny: 0, ask: 0, allow: 1, pass: 0 }, granted: 0 });
    expect(modes.get('(unknown)')?.decisions.deny).toBe(1);
  });

  test('the reasons for denials, with their places, most frequent first [w:stats.denials]', () => {
    const write = { rules: [rule('Write(src/**)', 4)] };
    const policy = { by: 'policy', policies: [{ name: 'hours', file: 'p.rego', line: 7, reason: 'late' }] };
    const protection = {
      by: 'protection',
      protections: [
        { name: 'modes', on: 'a' },
        { name: 'modes', on: 'b' },
      ],
    };
    const events = [
      event(0, 'deny', 'one', write),
      event(1, 'deny', 'one', policy),
      event(2, 'deny', 'one', write),
      event(3, 'deny', 'two', write),
      event(4, 'ask', 'one', { rules: [rule('Write(src/**)', 4)] }),
      event(5, 'deny', 'one', protection),
      event(6, 'deny', 'one', { by: 'default' }),
      event(7, 'deny', 'one', { rules: [rule('Write(src/**)', 9)] }),
    ];
    expect(count({ events }).denials).toEqual([
      { mode: 'one', name: 'deny Write(src/**)', place: 'settings.idle.json:4', count: 2 },
      { mode: 'one', name: 'policy hours', place: 'p.rego:7', count: 1 },
      { mode: 'two', name: 'deny Write(src/**)', place: 'settings.idle.json:4', count: 1 },
      { mode: 'one', name: 'built in: modes', place: '', count: 1 },
      { mode: 'one', name: 'the default', place: '', count: 1 },
      { mode: 'one', name: 'deny Write(src/**)', place: 'settings.idle.json:9', count: 1 },
    ]);
  });

  test('failed checks by transition, for the selected time and session [w:stats.gates]', () => {
    const all = [
      refused(0, 'one', 'two', ['fails: npm test', 'changed: test/**']),
      refused(10, 'one', 'two', ['fails: npm test']),
      refused(20, 'two', 'one', ['fails: npm test'], 'bert-1'),
    ];
    const { failed, refused: times } = count({ refused: all });
    expect(times).toBe(3);
    expect(failed).toEqual([
      { from: 'one', to: 'two', check: 'fails: npm test', count: 2 },
      { from: 'one', to: 'two', check: 'changed: test/**', count: 1 },
      { from: 'two', to: 'one', check: 'fails: npm test', count: 1 },
    ]);
    expect(count({ refused: all }, { since: 5 }).refused).toBe(2);
    expect(count({ refused: all }, { session: 'bert' }).failed).toEqual([expect.objectContaining({ from: 'two', count: 1 })]);
  });
});

describe('refused transitions', () => {
  const refusal = (text: string) => ({ session: 's', from: 'one', to: 'two', unmet: [{ check: text, missing: 'm', how: 'h' }] });

  test('are kept within bounds, and a torn line loses only itself [w:history.refused]', () => {
    const data = makeFolder();
    const refusals = new Refusals(data, '/root');
    for (let i = 0; i < 3_000; i++) refusals.note(refusal(`${i} ${'x'.repeat(400)}`));
    const [name] = fs.readdirSync(path.join(data, 'projects'));
    const folder = path.join(data, 'projects', name as string, 'refused');
    const bytes = fs.readdirSync(folder).reduce((sum, file) => sum + fs.statSync(path.join(folder, file)).size, 0);
    expect(bytes).toBeLessThan(600_000);
    const kept = refusals.read();
    expect(kept.at(-1)?.unmet[0]).toMatch(/^2999 x{295}$/);
    const last = fs.readdirSync(folder).sort().at(-1) as string;
    fs.appendFileSync(path.join(folder, last), '{"version":1,"unm');
    refusals.note(refusal('after'));
    expect(refusals.read().at(-1)?.unmet).toEqual(['after']);
    expect(refusals.read()).toHaveLength(kept.length + 1);
  });

  test('that cannot be stored are still refused', () => {
    const file = path.join(makeFolder(), 'data');
    fs.writeFileSync(file, '');
    const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    new Refusals(file, '/root').note(refusal('x'));
    expect(said.mock.calls.join()).toContain('could not record a refused transition: ENOTDIR');
    said.mockRestore();
  });
});

/** A way from idle to feature-dev, with a refusal, a failing run and a denied call. */
async function workedProject(): Promise<Project> {
  const project = makeProject({ example: 'tdd-checked' });
  gateByExitCodes(project);
  const session = await Session.start(project);
  await session.transition('test-dev', 'a bug');
  await session.transition('feature-dev', 'I promise');
  project.put('test/a.test.js', 'new');
  const call = { tool_name: 'Bash', tool_input: '{"command":"npm test"}', tool_use_id: 'toolu_run' };
  await session.event('PreToolUse', { ...call, mcp_server: '' });
  await session.event('PostToolUseFailure', { ...call, error: 'Exit code 1\n1 failing', is_interrupt: 'false' });
  await session.decide('Write', { file_path: path.join(project.root, 'src/a.js'), content: 'x' });
  await session.transition('feature-dev', 'it fails now');
  expect(await session.end()).toBe(0);
  return project;
}

const approved = `name: t
default: a
modes:
  a:
    transitions:
      - {to: b, approve: human, require: [{file: README.md}, {branch: topic}, {plan: approved}]}
  b: {}`;

const modes = (project: Project, ...args: string[]) =>
  run(process.execPath, [path.join(plugin, 'dist/modes.mjs'), ...args], {
    cwd: project.root,
    env: { HOME: project.home, PATH: '/usr/bin:/bin' },
  });

describe('a change of mode', () => {
  test('is stored with its satisfied checks and their evidence; refusals and modes stats show the rest [w:history.evidence] [w:history.refused] [w:stats.modes]', async () => {
    const project = await workedProject();
    const [journal] = readJournals(project.data, project.root);
    const [first, second] = journal?.entries ?? [];
    expect(first).not.toHaveProperty('evidence');
    expect(second).toMatchObject({
      from: 'test-dev',
      to: 'feature-dev',
      explanation: 'it fails now',
      evidence: [
        { check: 'changed: test files', files: ['test/a.test.js'] },
        { check: 'fails: npm test', toolUse: 'toolu_run', exitCode: 1, at: expect.stringMatching(/^\d{4}-.*Z$/) },
      ],
    });

    const status = JSON.parse((await modes(project, 'status', '--json')).out);
    expect(status.history.at(-1).evidence).toEqual([
      expect.stringMatching(/^changed: .*\(test\/a\.test\.js\)$/),
      'fails: npm test (toolu_run)',
    ]);

    const { code, out } = await modes(project, 'stats', '--json');
    expect(code).toBe(0);
    const counted = JSON.parse(out);
    expect(counted).toMatchObject({
      version: 1,
      since: null,
      session: null,
      modes: { 'test-dev': { entered: 1, forced: 0, decisions: { deny: 1 } }, 'feature-dev': { entered: 1 } },
      denials: [
        {
          mode: 'test-dev',
          name: 'deny Write outside the listed files',
          place: expect.stringMatching(/modes\.yaml:\d+$/),
          count: 1,
        },
      ],
      refused_transitions: 1,
    });
    expect(counted.failed_gates.map(({ check, count: times }: { check: string; count: number }) => [check, times])).toEqual([
      [expect.stringMatching(/^changed: /), 1],
      ['fails: npm test', 1],
    ]);

    const shown = await modes(project, 'stats');
    expect(shown).toMatchObject({ code: 0, err: '' });
    const lines = shown.out.split('\n');
    expect(lines[0]).toMatch(/^mode +time +entered +deny +ask +allow +pass +advised +forced +grants +by grant +stops$/);
    expect(shown.out).toMatch(/^test-dev +(0s|\d+[sm].*) +1 +1 +0 /m);
    expect(shown.out).toMatch(/^1 {2}test-dev {2}deny .*modes\.yaml:\d+$/m);
    expect(shown.out).toContain('Failed checks (1 transitions refused)');
    expect(shown.out).not.toContain('\x1b');

    vi.stubEnv('HOME', project.home);
    const said: string[] = [];
    const terminal = { out: (text: string) => said.push(text), err: () => undefined, colour: true, ask: async () => null };
    expect(await stats({ project: project.root }, terminal)).toBe(0);
    vi.unstubAllEnvs();
    expect(said.join('')).toMatch(/^\x1b\[1mmode .*stops\x1b\[0m$/m);

    expect(JSON.parse((await modes(project, 'stats', '--json', '--session', 'nobody')).out).modes).toEqual({});
    expect((await modes(project, 'stats', '--since', '2030-01-01')).out).toBe('Nothing was recorded.\n');
  }, 60_000);

  test.each<[string[], number, RegExp]>([
    [['stats', '--help'], 0, /--since/],
    [['stats', '--since', 'yesterday'], 64, /is not a time/],
    [['stats', '--colour'], 64, /unknown option/],
    [['stats', '--project', '/'], 64, /no \.claude\/modes\.yaml/],
    [['stats'], 0, /^Nothing was recorded\.$/m],
  ])('%j: exit code %i', async (args, code, text) => {
    const ended = await modes(makeProject(), ...args);
    expect(ended.code).toBe(code);
    expect(ended.out + ended.err).toMatch(text);
  });

  test('stores the approver, and the plan and branch at the time [w:history.evidence]', async () => {
    const project = makeProject({ example: null });
    project.put('.claude/modes.yaml', `${approved}\n`);
    project.put('README.md', 'x');
    execFileSync('git', ['init', '-q', '-b', 'topic', project.root], { env: { HOME: project.home, PATH: '/usr/bin:/bin' } });
    const opened = openProject({ start: project.root, env: project.env(), packageRoot: plugin, prepare });
    if (opened === null) throw new Error('not governed');
    await opened.ready();
    const asker = { session: 'anna', permissionMode: 'default' };
    await opened.for({ session: 'anna', cwd: project.root }).plans.propose({ title: 'p', items: ['one'] }, asker);
    const plan = opened.for({ session: 'anna', cwd: project.root }).state().work.plans[0]?.hash as string;
    expect(opened.for({ session: 'anna', cwd: project.root }).plans.approve(plan, asker)).toBeNull();
    expect(opened.for({ session: 'anna', cwd: project.root }).transitions.approve('b')).toBeNull();
    expect(await opened.for({ session: 'anna', cwd: project.root }).transitions.transition('b', 'x', asker)).toMatchObject({
      success: true,
    });
    expect(readJournals(project.data, project.root)[0]?.entries.at(-1)?.evidence).toEqual([
      { check: 'approve: human', session: 'anna', at: expect.any(String) },
      { check: 'file: README.md' },
      { check: 'branch: topic', branch: 'topic' },
      { check: 'plan: approved', plan },
    ]);
  });

  test('with long texts, many times, keeps status small', async () => {
    const project = makeProject();
    const session = await Session.start(project);
    for (let i = 0; i < 4; i++)
      for (const mode of ['test-dev', 'feature-dev', 'idle']) await session.transition(mode, 'long '.repeat(800));
    const { history } = (await session.tool('status')).value as { history: { explanation: string }[] };
    expect(history).toHaveLength(10);
    expect(JSON.stringify(history).length).toBeLessThan(6_000);
    expect((await session.type('/modes:mode status'))?.length).toBeLessThan(4_000);
  });
});
