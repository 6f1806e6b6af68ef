// Two real clients at once on one project: one mode for both, or one for each; and what is kept of a change.
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readJournals } from '../../src/workflow/journal.ts';
import { Refusals } from '../../src/workflow/refusals.ts';
import { type Call, pluginFolder, type Session, session } from './client.ts';
import { dataFolder } from './mode.ts';
import { type Block, bash, mcp, say, type Turn, textOf, use } from './model.ts';
import type { Place } from './place.ts';
import { plainProject, tddProject } from './project.ts';

let place: Place;
beforeEach(() => {
  place = tddProject();
});
afterEach(() => place.remove());

/** Holds everybody who comes until all are there. */
class Meeting {
  private readonly waiting = new Map<string, (() => void)[]>();

  constructor(private readonly people: number) {}

  /** A turn that begins when every client has come to the same point. */
  at(point: string, blocks: Block[]): Turn {
    return async () => {
      const here = this.waiting.get(point) ?? [];
      this.waiting.set(point, here);
      await new Promise<void>((go) => {
        here.push(go);
        if (here.length === this.people) for (const one of here) one();
      });
      return blocks;
    };
  }
}

const go = (target: string): Block[] => mcp('transition', { target, explanation: 'The tests say so.' });
const write = (file: string): Block[] => use('Write', { file_path: `${place.project}/${file}`, content: 'x\n' });
const status = (): Block[] => mcp('status');
const json = (call: Call | undefined) => {
  const text = call?.result ?? 'null';
  return JSON.parse(text.startsWith('[') ? (JSON.parse(text) as { text: string }[])[0]!.text : text);
};
const told = ({ requests }: Session): string => requests.map(textOf).join('\n');
const journals = () => readJournals(dataFolder(place.home), place.project);
const both = (one: Turn[], other: Turn[]) =>
  Promise.all([one, other].map((turns) => session({ ...place, turns, limit: 90_000 }))) as Promise<[Session, Session]>;

test('one mode for both: one of two racing transitions wins, and the other session learns of a change at its next call [w:transition.race] [w:state.news]', async () => {
  const meeting = new Meeting(2);
  const [one, other] = await both(
    [
      meeting.at('race', go('test-dev')),
      meeting.at('raced', write('test/one.test.ts')),
      meeting.at('written', go('feature-dev')),
      meeting.at('changed', write('src/one.ts')),
    ],
    [
      meeting.at('race', go('test-dev')),
      meeting.at('raced', write('test/other.test.ts')),
      meeting.at('written', status()),
      meeting.at('changed', write('src/other.ts')),
      status(),
    ],
  );
  const raced = [one, other].map(({ calls }) => json(calls[0]));
  expect(raced.filter(({ success }) => success)).toHaveLength(1);
  expect(raced.find(({ success }) => !success).reason).toMatch(/Already in mode|Another session changed/);
  expect([one, other].map(({ calls }) => [calls[1], calls[3]].map((call) => call?.refused))).toEqual([
    [false, false],
    [false, false],
  ]);
  expect(json(other.calls.at(-1)).current_mode).toBe('feature-dev');
  expect(told(other)).toContain('Another session changed the mode from test-dev to feature-dev.');
  expect(told(one)).not.toContain('Another session changed the mode from test-dev to feature-dev.');
  const [journal, ...more] = journals();
  expect(more).toEqual([]);
  expect(journal).toMatchObject({ broken: null, isShared: true, entries: [{ to: 'test-dev' }, { to: 'feature-dev' }] });
  expect(journal?.entries[1]?.session).toBe(one.sessionId);
}, 120_000);

test('a transition is recorded with the client’s ids of the calls that opened its gate [w:history.evidence] [w:history.refused]', async () => {
  place.remove();
  place = plainProject({ copy: path.join(pluginFolder(), 'examples/tdd-checked') });
  place.write('package.json', '{"name":"sum","scripts":{"test":"node --test test"}}\n');
  const failing = "require('node:test').test('sum', () => { require('node:assert').fail('not yet'); });\n";
  const { calls, sessionId } = await session({
    ...place,
    turns: [
      go('test-dev'),
      use('Write', { file_path: `${place.project}/test/sum.test.js`, content: failing }),
      go('feature-dev'),
      bash('npm test'),
      go('feature-dev'),
    ],
  });
  const run = calls.find(({ name }) => name === 'Bash');
  const [journal] = journals();
  expect(journal?.entries[1]).toMatchObject({
    session: sessionId,
    evidence: [
      { check: expect.stringMatching(/^changed: /), files: ['test/sum.test.js'] },
      { check: 'tests: npm test, failing: new', toolUse: run?.id, exitCode: 1 },
    ],
  });
  expect(new Refusals(dataFolder(place.home), place.project).read()).toMatchObject([
    { session: sessionId, from: 'test-dev', to: 'feature-dev', unmet: ['tests: npm test, failing: new'] },
  ]);
  expect(json(calls.at(-1)).success).toBe(true);
}, 120_000);

test('a run opens no gate of another or a resumed session; a background command continues, and the gate sees its writes [w:evidence.session]', async () => {
  place.remove();
  place = plainProject({ copy: path.join(pluginFolder(), 'examples/tdd-checked') });
  place.write('package.json', '{"name":"sum","scripts":{"test":"node --test test/sum.test.js"}}\n');
  const failing = "require('node:test').test('sum', () => { require('node:assert').fail('not yet'); });\n";
  const late = bash('sleep 6; echo late >> test/late.test.js', { run_in_background: true });
  const tested = [
    go('test-dev'),
    use('Write', { file_path: `${place.project}/test/sum.test.js`, content: failing }),
    bash('npm test'),
  ];
  const first = await session({ ...place, turns: tested });
  const resumed = await session({ ...place, turns: [go('feature-dev')], args: ['--resume', first.sessionId ?? ''] });
  expect(json(resumed.calls.at(-1)).unmet).toMatchObject([{ check: 'tests: npm test, failing: new' }]);
  const meeting = new Meeting(2);
  const [one, other] = await both(
    [bash('npm test'), meeting.at('ran', say('waits'))],
    [
      meeting.at('ran', go('feature-dev')),
      bash('npm test'),
      late,
      go('feature-dev'),
      bash('until [ -e test/late.test.js ]; do sleep 0.2; done'),
      go('idle'),
    ],
  );
  expect(one.calls).toHaveLength(1);
  const asked = other.calls.filter(({ name }) => name.endsWith('__transition')).map(json);
  expect(asked.map(({ success }) => success)).toEqual([false, true, false]);
  expect(asked[0].unmet).toMatchObject([{ check: 'tests: npm test, failing: new' }]);
  expect(JSON.stringify(asked[2].unmet)).toContain('test/late.test.js');
}, 120_000);

test('one mode per session with scope: session, while both work [w:state.scope]', async () => {
  place.write('.claude/modes.yaml', `scope: session\n${place.read('.claude/modes.yaml')}`);
  const meeting = new Meeting(2);
  const [one, other] = await both(
    [
      meeting.at('race', go('test-dev')),
      meeting.at('raced', go('feature-dev')),
      meeting.at('changed', write('src/one.ts')),
      status(),
    ],
    [meeting.at('race', go('test-dev')), meeting.at('raced', status()), meeting.at('changed', write('src/other.ts')), status()],
  );
  expect([one, other].map(({ calls }) => json(calls[0]).success)).toEqual([true, true]);
  expect([one, other].map(({ calls }) => json(calls.at(-1)).current_mode)).toEqual(['feature-dev', 'test-dev']);
  expect([one, other].map(({ calls }) => calls[2]?.refused)).toEqual([false, true]);
  expect(place.exists('src/one.ts')).toBe(true);
  expect(place.exists('src/other.ts')).toBe(false);
  for (const client of [one, other]) expect(told(client)).not.toContain('Another session changed');
  expect(place.exists('.claude/mode-state.json')).toBe(false);
  const sessions = journals().map(({ isShared, broken, entries }) => [isShared, broken, entries.map(({ session: id }) => id)]);
  expect(sessions).toHaveLength(2);
  expect(sessions).toEqual(
    expect.arrayContaining([
      [false, null, [one.sessionId, one.sessionId]],
      [false, null, [other.sessionId]],
    ]),
  );
}, 120_000);
