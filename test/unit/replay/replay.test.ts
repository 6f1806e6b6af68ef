// A logged call decided again: what is the same, what is another answer, and what cannot be compared.
import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Configured } from '../../../src/app/dry-run.ts';
import { classes, countChanges, countOf } from '../../../src/app/log/changes.ts';
import { callAgain, type Incomparable, type Replayed, type Replayer, replay } from '../../../src/app/log/replay.ts';
import type { LogEvent } from '../../../src/store/log/event.ts';
import { callOf } from '../../support/call.ts';
import { withLists as fixture, type Lists, logged } from '../../support/logged-calls.ts';
import { builtPlugin, repository } from '../../support/plugin.ts';
import type { Project } from '../../support/project.ts';

beforeAll(async () => void (await builtPlugin()), 120_000);

const replayer = (policy: Configured, more: Partial<Replayer> = {}): Replayer => ({
  has: (mode) => policy.config.known.topology?.modes.has(mode) ?? false,
  wantsInput: (mode) => policy.config.policies.of(mode)?.wantsInput ?? false,
  declares: false,
  narrowsAlike: () => false,
  decide: ({ call, mode, state }, lens) => policy.decide(call, mode, { state, lens }),
  ...more,
});

const bash = (project: Project, command: string) => callOf('Bash', { command }, project.root);
const shown = (found: Replayed): string =>
  found.kind === 'changed'
    ? `${found.after.decision}${found.disk ? ' on this disk' : ''}`
    : found.kind === 'same'
      ? 'same'
      : found.why;

describe('the same policy gives the same decision for every comparable call', () => {
  test('everyday commands', async () => {
    const { project, policy } = await fixture({
      deny: ['Write(src/**)', 'Read(.env)'],
      ask: ['Bash(git push:*)'],
      allow: ['Read(**)'],
    });
    project.put('src/a.ts', '');
    const commands = fs
      .readFileSync(path.join(repository, 'test/unit/shell/everyday.jsonl'), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .slice(0, 300)
      .map((line) => JSON.parse(line) as string);
    const same = replayer(policy, { narrowsAlike: () => true });
    const found = commands.map((command) => shown(replay(logged(policy, bash(project, command)), same)));
    expect(found.filter((one) => one !== 'same' && one !== 'masked')).toEqual([]);
    expect(found.filter((one) => one === 'same').length).toBeGreaterThan(250);
  });
});

describe('another policy', () => {
  test.each<[string, Lists, Lists, string, object, string]>([
    ['a new deny', {}, { deny: ['Bash(git push:*)'] }, 'Bash', { command: 'git push' }, 'deny'],
    ['a deny that is gone', { deny: ['Write(src/**)'] }, {}, 'Write', { file_path: 'src/a.ts', content: 'x' }, 'pass'],
    ['another reason', { deny: ['Bash'] }, { deny: ['Bash(git:*)'] }, 'Bash', { command: 'git push' }, 'same'],
    ['a default', {}, { default: 'ask' }, 'Bash', { command: 'git push' }, 'ask'],
    ['contents that were cut', {}, { deny: ['Edit'] }, 'Write', { file_path: 'a', content: 'x '.repeat(9_000) }, 'deny'],
    ['a command that was cut', {}, { deny: ['Bash'] }, 'Bash', { command: `echo ${'x '.repeat(9_000)}` }, 'masked'],
    ['a secret', {}, { deny: ['Bash'] }, 'Bash', { command: 'curl -H "Authorization: Bearer abcdefabcdef1234" x.org' }, 'masked'],
    [
      'a rule about files in the folder that is searched',
      {},
      { deny: ['Read(.env)'] },
      'Grep',
      { pattern: 'x' },
      'deny on this disk',
    ],
    ['one about files that are not there now', {}, { deny: ['Read(.key)'] }, 'Grep', { pattern: 'x' }, 'below'],
    ['one that the folder does not matter to', {}, { deny: ['Grep'] }, 'Grep', { pattern: 'x' }, 'deny'],
    ['none about files', {}, { deny: ['Bash'] }, 'Grep', { pattern: 'x' }, 'same'],
  ])('%s', async (_, before, after, tool, input, expected) => {
    const { project, policy } = await fixture(before);
    project.put('.env', 'x=1\n');
    project.put('src/a.ts', '');
    const given = 'file_path' in input ? { ...input, file_path: path.join(project.root, String(input.file_path)) } : { ...input };
    const event = logged(policy, callOf(tool, given, project.root));
    const { policy: next } = await fixture(after, project);
    expect(shown(replay(event, replayer(next)))).toBe(expected);
  });

  test('with unchanged rules about files, the logged contents of the folder count', async () => {
    const { project, policy } = await fixture({ deny: ['Read(.env)'] });
    project.put('.env', 'x=1\n');
    const event = logged(policy, callOf('Grep', { pattern: 'x' }, project.root));
    expect(event.result.decision).toBe('deny');
    fs.rmSync(path.join(project.root, '.env'));
    const { policy: next } = await fixture({ deny: ['Read(.env)'], allow: ['Bash(ls)'] }, project);
    expect(shown(replay(event, replayer(next, { narrowsAlike: () => true })))).toBe('same');
    expect(shown(replay(event, replayer(next)))).toBe('pass on this disk');
  });
});

describe('incomparable calls are reported', () => {
  const meant: [Incomparable, (event: LogEvent) => object][] = [
    ['unknown', ({ result }) => ({ result: { ...result, mode: null } })],
    ['unknown', ({ result }) => ({ result: { ...result, by: 'trouble' } })],
    ['held', ({ result }) => ({ result: { ...result, by: 'bound' } })],
    ['held', ({ result }) => ({ result: { ...result, grants: [{ id: 'g', counted: true }] } })],
    ['held', ({ input }) => ({ input: { ...input, granted: { off: true } } })],
    ['mode', ({ result }) => ({ result: { ...result, mode: 'gone' } })],
    ['masked', () => ({ masked: ['/input/tool/input/file_path'] })],
    ['masked', () => ({ erased: ['/input/reads', '/input/tool'] })],
    ['masked', ({ input: { writes: _, ...input } }) => ({ input })],
    ['masked', ({ input }) => ({ input: { ...input, tool: { ...(input.tool as object), input: null } } })],
    ['facts', ({ input }) => ({ input: { ...input, tool: { ...(input.tool as object), keys: ['other'] } } })],
  ];
  test.each(meant)('%s %s', async (why, change) => {
    const { project, policy } = await fixture({});
    const event = logged(policy, callOf('Write', { file_path: project.put('a', ''), content: '' }, project.root));
    expect(shown(replay(event, replayer(policy)))).toBe('same');
    expect(shown(replay({ ...event, ...change(event) } as LogEvent, replayer(policy)))).toBe(why);
  });

  test('a link that leads elsewhere now', async () => {
    const { project, policy } = await fixture({ deny: ['Write(src/**)'] });
    project.put('src/a.ts', '');
    const link = path.join(project.root, 'link');
    fs.symlinkSync('src/a.ts', link);
    const event = logged(policy, callOf('Write', { file_path: link, content: '' }, project.root));
    expect([event.result.decision, shown(replay(event, replayer(policy)))]).toEqual(['deny', 'same']);
    fs.rmSync(link);
    fs.symlinkSync('README.md', link);
    expect(shown(replay(event, replayer(policy)))).toBe('facts');
  });

  test('contents that a policy reads', async () => {
    const { project, policy } = await fixture({});
    const event = logged(policy, callOf('Write', { file_path: project.put('a', ''), content: 'x '.repeat(9_000) }, project.root));
    expect(callAgain(event)).toMatchObject({ lacksContents: true });
    expect(shown(replay(event, replayer(policy, { wantsInput: () => true })))).toBe('masked');
  });
});

test('changes are grouped and counted by class', async () => {
  const { project, policy } = await fixture({ ask: ['Bash(npm:*)'], allow: ['Bash(ls)'] });
  const events = ['npm test', 'npm run lint', 'ls', 'git log', 'npm test'].map((command) =>
    logged(policy, bash(project, command)),
  );
  const { policy: next } = await fixture({ deny: ['Bash(npm run:*)', 'Bash(ls)'], allow: ['Bash(npm test)'] }, project);
  const report = countChanges(events.map((event) => [event, replay(event, replayer(next))] as const));
  const line = (change: (typeof report.changes)[number]) =>
    [change.before, change.after]
      .map(({ decision, by }) => `${decision} ${by}`)
      .join(' → ')
      .concat(` ${change.count}`);
  expect(report.changes.map(line)).toEqual([
    'ask Bash(npm:*) → allow Bash(npm test) 2',
    'ask Bash(npm:*) → deny Bash(npm run:*) 1',
    'allow Bash(ls) → deny Bash(ls) 1',
  ]);
  expect(report).toMatchObject({ calls: 5, same: 1, changed: 4, not_comparable: [] });
  const counts = Object.fromEntries(classes.map((name) => [name, countOf(report, name)]).filter(([, count]) => count !== 0));
  expect(counts).toEqual({ any: 4, widening: 2, narrowing: 2, 'ask-to-allow': 2, 'ask-to-deny': 1, 'allow-to-deny': 1 });
});
