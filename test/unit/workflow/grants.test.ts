// Grants and `off`: what is typed, what the journal makes of it, and how they end.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Rule } from '../../../src/model/rule.ts';
import { parseRules } from '../../../src/rules/parse.ts';
import { askId } from '../../../src/store/log/harness-call.ts';
import { describeTime, readGrant, readOff } from '../../../src/workflow/grant-text.ts';
import { Granting } from '../../../src/workflow/granting.ts';
import { activeGrantsFor, type Clock, grantOfAsked } from '../../../src/workflow/grants.ts';
import type { Asker } from '../../../src/workflow/mode-transitions.ts';
import type { Project } from '../../../src/workflow/project.ts';
import { nobody } from '../../../src/workflow/project.ts';
import { decideBy, Layered, permissions } from '../../support/layered-project.ts';

const context = { home: '/home/ann' };

describe('the arguments of /modes:grant', () => {
  const rows: [string, string[], number | null, number | null, string][] = [
    ['Bash(git push)', ['Bash(git push)'], null, null, ''],
    ['Bash(git push) 10m', ['Bash(git push)'], 600, null, ''],
    ['Bash(git push) 3x', ['Bash(git push)'], null, 3, ''],
    ['  Bash(git  push)   3x 2h ', ['Bash(git  push)'], 7_200, 3, ''],
    ['1x Write(src/a.ts) 30s', ['Write(src/a.ts)'], 30, 1, ''],
    ['Write(a b.ts) Read(.env) 1d', ['Write(a b.ts)', 'Read(.env)'], 86_400, null, ''],
    ['Bash(echo (x)) Write', ['Bash(echo (x))', 'Write'], null, null, ''],
    ['Bash(echo "(") 1x', ['Bash(echo "(")'], null, 1, ''],
    ['mcp__s__t 1x because it is release day', ['mcp__s__t'], null, 1, 'it is release day'],
  ];
  test.each(rows)('%s', (text, rules, seconds, count, why) => {
    const read = readGrant(text, context);
    if ('error' in read) throw new Error(read.error);
    expect(read.rules.map((rule) => rule.text)).toEqual(rules);
    expect(read.rules.every(({ effect }) => effect === 'allow')).toBe(true);
    expect(read).toMatchObject({ bounds: { seconds, count }, why });
  });

  test.each<[string, RegExp]>([
    ['', /Name what to grant/],
    ['10m', /Name what to grant/],
    ['Bash(git push) 0m', /at least 1/],
    ['Bash(git push) 0x', /at least 1/],
    ['Bash(git push) 1m 2m', /one time/],
    ['Bash(git push) 1x 2x', /one time/],
    ['Bash(git push) 10', /there is no tool called 10/],
    ['Bsh(git push)', /Did you mean Bash/],
    ['*', /would allow tools that are not named/],
    ['Bash(git push) forever', /no tool called forever/],
    [`Bash(${'x'.repeat(300)})`, /too long/],
    ['Bash(git\u202e push)', /too long/],
    ['Bash(git\npush)', /too long/],
  ])('%j is refused', (text, why) => {
    expect(readGrant(text, context)).toEqual({ error: expect.stringMatching(why) });
  });

  test('/modes:off accepts a time or nothing', () => {
    expect(readOff('30m because I look')).toEqual({ seconds: 1_800, why: 'I look' });
    expect(readOff('')).toEqual({ seconds: null, why: '' });
    for (const text of ['3x', 'now', '0s', '1m 2m']) expect(readOff(text), text).toHaveProperty('error');
  });

  test.each([
    [0.2, '1 s'],
    [60, '60 s'],
    [61, '2 min'],
    [3_600, '1 h'],
    [7_500, '2 h 5 min'],
  ])('%d seconds are shown as %s', (seconds, text) => expect(describeTime(seconds)).toBe(text));
});

const anna: Asker = { session: 'anna', permissionMode: 'default' };
const bert: Asker = { session: 'bert', permissionMode: 'default' };

/** A project that denies writes below src/ in its first mode, with a clock that the test sets. */
async function makeFixture() {
  const layered = new Layered()
    .put(
      'project',
      'modes.yaml',
      'name: t\ndefault: one\nstop: {phrases: [SILENCE]}\nmodes:\n  one:\n    transitions: [{to: two}]\n  two:\n    transitions: [{to: one}]\n',
    )
    .put('project', 'settings.one.json', permissions({ deny: ['Write(src/**)', 'Bash(git push)'] }))
    .put('project', 'settings.two.json', permissions({ deny: ['Write(src/**)'] }));
  const project = await layered.open('anna');
  await project.ready('bert');
  const clock: Clock = { now: Date.now(), uptime: 1_000 };
  const ask = (asker: Asker) => project.for({ session: asker.session, cwd: project.root });
  ask(anna);
  const granting = new Granting(project.for(nobody), () => clock);
  return { layered, project, clock, granting, ask };
}

function rulesOf(...texts: string[]): Rule[] {
  const source = { file: 'x', line: 1, column: 0 };
  return parseRules(
    texts.map((text) => ({ text, effect: 'allow' as const, layer: 'user' as const, source })),
    context,
  ).rules;
}

const unbound = { seconds: null, count: null };
/** Which grants hold for a call; `off` where rules rest. */
function holding(
  { project, clock }: { project: Project; clock: Clock },
  session: string | null,
  toolUse: string | null = 't1',
  isCounted = true,
) {
  const held = activeGrantsFor(
    project.for(nobody).state().authority,
    { session, toolUse, isCounted: () => isCounted },
    () => clock,
  );
  return held === null ? null : [...held.grants.map(({ id }) => id), ...(held.off ? ['off'] : [])];
}

describe('a grant', () => {
  test('applies to its session, in every call [w:grant.ends]', async () => {
    const fixture = await makeFixture();
    const given = fixture.granting.give(rulesOf('Write(src/**)'), unbound, 'one', 'because', anna);
    expect(given).toMatchObject({ id: 'g1', session: 'anna', count: null });
    expect(holding(fixture, 'anna')).toEqual(['g1']);
    expect(holding(fixture, 'bert')).toBeNull();
    expect(holding(fixture, null)).toBeNull();
  });

  test('of an asked call answers the same call, reason and subagent only [w:grant.asked]', async () => {
    const { granting, project, clock } = await makeFixture();
    const ask = askId('ask rule', 'Bash(git push:*) asks', undefined);
    granting.giveAsked({ call: 'c', ask, decision: 'd', text: 'git push' }, 'one', anna);
    const found = (call: string, answered: string, session = 'anna') =>
      grantOfAsked(project.for(nobody).state().authority, { session, call, ask: answered, toolUse: 't' }, clock)?.id ?? null;
    expect(found('c', ask)).toBe('g1');
    expect(found('other', ask)).toBeNull();
    expect(found('c', ask, 'bert')).toBeNull();
    expect(found('c', askId('ask rule', 'Write(src/**) asks', undefined))).toBeNull();
    expect(found('c', askId('protection', 'Bash(git push:*) asks', undefined))).toBeNull();
    expect(found('c', askId('ask rule', 'Bash(git push:*) asks', 'agent-1'))).toBeNull();
  });

  test('ends with its time [w:grant.ends]', async () => {
    const fixture = await makeFixture();
    fixture.granting.give(rulesOf('Write'), { seconds: 600, count: null }, 'one', '', anna);
    Object.assign(fixture.clock, { now: fixture.clock.now + 599_000, uptime: 1_599 });
    expect(holding(fixture, 'anna')).toEqual(['g1']);
    Object.assign(fixture.clock, { now: fixture.clock.now + 2_000, uptime: 1_601 });
    expect(holding(fixture, 'anna')).toBeNull();
    expect(fixture.granting.live('anna').grants).toEqual([]);
  });

  test.each<[string, Partial<Clock>]>([
    ['set back', { now: -300_000, uptime: 700 }],
    ['set back before the grant', { now: -3_600_000, uptime: 10 }],
    ['set forward', { now: 700_000, uptime: 10 }],
  ])('a clock that is %s extends no grant', async (_, { now = 0, uptime = 0 }) => {
    const fixture = await makeFixture();
    fixture.granting.give(rulesOf('Write'), { seconds: 600, count: null }, 'one', '', anna);
    Object.assign(fixture.clock, { now: fixture.clock.now + now, uptime: 1_000 + uptime });
    expect(holding(fixture, 'anna')).toBeNull();
  });

  test('ends when the machine restarts', async () => {
    const fixture = await makeFixture();
    fixture.granting.give(rulesOf('Write'), unbound, 'one', '', anna);
    fixture.clock.uptime = 5;
    expect(holding(fixture, 'anna')).toBeNull();
  });

  test('for calls is used up by them, each counted once [w:grant.ends] [w:grant.count]', async () => {
    const fixture = await makeFixture();
    fixture.granting.give(rulesOf('Write'), { seconds: null, count: 2 }, 'one', '', anna);
    const spend = (toolUse: string) => fixture.granting.consume(['g1'], toolUse, anna);
    expect([spend('t1'), spend('t1'), spend('t2'), spend('t3')]).toEqual([true, true, true, false]);
    expect(['t1', 't2', 't3'].map((id) => holding(fixture, 'anna', id))).toEqual([['g1'], ['g1'], null]);
    expect(fixture.granting.live('anna').grants).toEqual([]);
  });

  test('for calls applies only if they are counted, and to counted calls', async () => {
    const fixture = await makeFixture();
    fixture.granting.give(rulesOf('Write'), { seconds: null, count: 2 }, 'one', '', anna);
    expect(holding(fixture, 'anna', 't1', false)).toBeNull();
    expect(holding(fixture, 'anna', null)).toBeNull();
    fixture.granting.consume(['g1'], 't1', anna);
    expect(holding(fixture, 'anna', 't1', false)).toEqual(['g1']);
  });

  test('is not used by others', async () => {
    const fixture = await makeFixture();
    fixture.granting.give(rulesOf('Write'), { seconds: null, count: 1 }, 'one', '', anna);
    fixture.granting.consume(['g1'], 't1', bert);
    expect(fixture.granting.live('anna').grants).toHaveLength(1);
  });

  test.each<[string, (project: Project) => unknown]>([
    ['a transition', (project) => project.for(nobody).transitions.transition('two', 'because', anna)],
    ['a forced change', (project) => project.for(nobody).transitions.force('two', 'because', anna)],
    ['a change by another session', (project) => project.for(nobody).transitions.force('two', 'because', bert)],
    ['the emergency stop', (project) => project.for(nobody).transitions.stop('SILENCE', bert)],
  ])('ends with %s, and stays in the journal [w:grant.ends]', async (_, change) => {
    const fixture = await makeFixture();
    fixture.granting.give(rulesOf('Write'), unbound, 'one', '', anna);
    await change(fixture.project);
    expect(holding(fixture, 'anna')).toBeNull();
    fixture.project.for(nobody).transitions.force('one', 'back', anna);
    expect(holding(fixture, 'anna')).toBeNull();
    expect(journalOf(fixture.layered).filter(({ kind }) => kind === 'authority')).toHaveLength(1);
  });

  test('is given back only by its session [w:grant.list] [w:authority.free]', async () => {
    const fixture = await makeFixture();
    fixture.granting.give(rulesOf('Write'), unbound, 'one', '', anna);
    fixture.granting.give(rulesOf('Read'), unbound, 'one', '', anna);
    expect(fixture.granting.back(['g1'], bert)).toEqual([]);
    expect(fixture.granting.back(['g1', 'g9'], anna)).toEqual(['g1']);
    expect(holding(fixture, 'anna')).toEqual(['g2']);
  });

  test('is not given if the mode has changed', async () => {
    const fixture = await makeFixture();
    expect(fixture.granting.give(rulesOf('Write'), unbound, 'two', '', anna)).toBeNull();
    fixture.project.for(nobody).transitions.stop('SILENCE', anna);
    expect(fixture.granting.give(rulesOf('Write'), unbound, 'one', '', anna)).toBeNull();
    expect(fixture.granting.off(null, '', anna)).toBe(false);
  });

  test('of an earlier server of the session has ended [w:grant.ends]', async () => {
    const fixture = await makeFixture();
    fixture.granting.give(rulesOf('Write'), unbound, 'one', '', anna);
    fixture.granting.off(null, '', anna);
    fixture.granting.begin(bert);
    expect(holding(fixture, 'anna')).toEqual(['g1', 'off']);
    fixture.granting.begin(anna);
    expect(holding(fixture, 'anna')).toBeNull();
  });

  test('is no change of mode: neither history nor notices show it', async () => {
    const fixture = await makeFixture();
    fixture.project.for(nobody).transitions.force('two', 'x', anna);
    expect(fixture.project.for(nobody).takeModeNotice('')).toBeNull();
    const before = fs.readFileSync(path.join(fixture.project.folder, 'mode-state.json'), 'utf8');
    const { since, entries } = fixture.project.for(nobody).state();
    fixture.granting.give(rulesOf('Write'), unbound, 'two', '', bert);
    expect(fixture.project.for(nobody).state()).toMatchObject({ mode: 'two', since });
    expect(fixture.project.for(nobody).state().entries).toHaveLength(entries.length);
    expect(fixture.project.for(nobody).takeModeNotice('')).toBeNull();
    expect(fs.readFileSync(path.join(fixture.project.folder, 'mode-state.json'), 'utf8')).toBe(before);
  });
});

describe('rules that are off', () => {
  test('are suspended for a session, across changes of mode, until they are on [w:off.lasts]', async () => {
    const fixture = await makeFixture();
    expect(fixture.granting.off(null, 'why', anna)).toBe(true);
    fixture.project.for(nobody).transitions.force('two', 'x', anna);
    expect(holding(fixture, 'anna')).toEqual(['off']);
    expect(holding(fixture, 'bert')).toBeNull();
    expect(fixture.granting.on(bert)).toBe(false);
    expect(fixture.granting.on(anna)).toBe(true);
    expect(holding(fixture, 'anna')).toBeNull();
    expect(fixture.granting.on(anna)).toBe(false);
  });

  test('are suspended for a time [w:off.lasts]', async () => {
    const fixture = await makeFixture();
    fixture.granting.off(60, '', anna);
    expect(fixture.granting.live('anna').off).toBe(60);
    Object.assign(fixture.clock, { now: fixture.clock.now + 61_000, uptime: 1_061 });
    expect(holding(fixture, 'anna')).toBeNull();
  });

  test('apply again after the emergency stop [w:stop.clears]', async () => {
    const fixture = await makeFixture();
    fixture.granting.off(null, '', anna);
    fixture.project.for(nobody).transitions.stop('SILENCE', anna);
    fixture.project.for(nobody).transitions.force('one', 'x', anna);
    expect(holding(fixture, 'anna')).toBeNull();
  });
});

function journalOf(layered: Layered): Record<string, unknown>[] {
  const projects = path.join(layered.data, 'projects');
  return fs
    .readdirSync(projects)
    .flatMap((name) => [path.join(projects, name, 'journal')])
    .flatMap((folder) =>
      fs
        .readdirSync(folder)
        .filter((name) => name.endsWith('.json'))
        .sort()
        .map((name) => path.join(folder, name)),
    )
    .map((file) => JSON.parse(fs.readFileSync(file, 'utf8')) as Record<string, unknown>);
}

describe('the record', () => {
  test('contains who, when, in which session and permission mode, what and why [w:authority.record]', async () => {
    const { layered, granting } = await makeFixture();
    granting.give(rulesOf('Write(src/**)'), { seconds: 60, count: 2 }, 'one', 'release day', anna);
    granting.consume(['g1'], 't1', anna);
    granting.back(['g1'], anna);
    granting.note('approve', 'two', anna);
    const person = { kind: 'authority', from: 'one', to: 'one', actor: 'person', session: 'anna', permissionMode: 'default' };
    expect(journalOf(layered)).toMatchObject([
      {
        ...person,
        explanation: 'release day',
        authority: { did: 'grant', seconds: 60, count: 2, rules: [{ text: 'Write(src/**)' }] },
      },
      { ...person, actor: 'engine', authority: { did: 'spend', grants: ['g1'], toolUse: 't1' } },
      { ...person, authority: { did: 'back', grants: ['g1'] } },
      { ...person, authority: { did: 'approve', what: 'two' } },
    ]);
  });

  test('is hashed: a grant cannot be widened in the file', async () => {
    const { layered, granting } = await makeFixture();
    granting.give(rulesOf('Write(src/a.ts)'), { seconds: null, count: 1 }, 'one', '', anna);
    const [name] = fs.readdirSync(path.join(layered.data, 'projects'));
    const file = path.join(layered.data, 'projects', name as string, 'journal/00000001.json');
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('"count":1', '"count":9'));
    const other = await layered.open('anna');
    expect(other.for({ session: 'anna', cwd: other.root }).state()).toMatchObject({
      mode: null,
      degraded: { code: 'E_JOURNAL_BROKEN' },
      authority: { grants: [] },
    });
  });

  test('is one for all processes: each decides by it, and only for its session', async () => {
    const { layered, granting, clock } = await makeFixture();
    // The other processes read the clock of the machine, which may have been started a minute ago.
    clock.uptime = 0;
    granting.give(rulesOf('Write(src/a.ts)'), unbound, 'one', '', anna);
    const write = async (session: string) =>
      decideBy(await layered.open(session), 'Write', { file_path: path.join(layered.root, 'src/a.ts'), content: '' }, session);
    expect(await write('anna')).toMatchObject({ decision: 'pass', grants: [{ id: 'g1', counted: false }] });
    expect(await write('bert')).toMatchObject({ decision: 'deny' });
  });
});

test('simultaneous writers all succeed', async () => {
  const { layered } = await makeFixture();
  const others = await Promise.all(Array.from({ length: 4 }, () => layered.open('anna')));
  for (const [at, project] of others.entries()) {
    // Each has read the journal before the one before it wrote.
    project.for({ session: 'anna', cwd: project.root }).granting.give(rulesOf('Write'), unbound, 'one', `writer ${at}`, anna);
  }
  expect(
    others[0]
      ?.for(nobody)
      .granting.live('anna')
      .grants.map(({ id }) => id),
  ).toEqual(['g1', 'g2', 'g3', 'g4']);
});
