// What a person is shown by the server: nothing that an agent wrote steers the terminal or passes for something else.
import { expect, test } from 'vitest';
import { Session } from '../../../support/mcp-session.ts';
import { makeProject } from '../../../support/project.ts';

const steering = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

test('an explanation of the agent stays one line of the history, and cannot control the terminal', async () => {
  const session = await Session.start(makeProject({ example: 'tdd' }));
  await session.decide('Read', { file_path: 'src/a.js' });
  const forged = '2026-01-01T00:00:00.000Z  idle → feature-dev  person, forced: Forced transition';
  await session.transition('test-dev', `a bug\u001b[2J\u202e\r\n${forged}`);
  const shown = (await session.type('/modes:mode status')) ?? '';
  expect(shown).not.toMatch(steering);
  expect(shown.split('\n').filter((line) => line.includes('person, forced'))).toEqual([
    expect.stringMatching(/ idle → test-dev {2}model: a bug/),
  ]);
});

test.each([
  ['/modes:mode tets-dev', 'There is no mode "tets-dev". Did you mean test-dev?'],
  ['/modes:mode Test-Dev', 'There is no mode "Test-Dev". Did you mean test-dev?'],
  ['/modes:mode release', 'There is no mode "release". Modes: idle, test-dev, feature-dev.'],
  ['/modes:init roof', 'There is no preset "roof". Did you mean roo?'],
  ['/modes:task start lgoin', 'There is no .claude/tasks/lgoin.md. Did you mean login?'],
  ['/modes:task start payment', 'There is no .claude/tasks/payment.md. Tasks: login.'],
])('%s gets a suggestion', async (typed, told) => {
  const project = makeProject({ example: 'tdd' });
  project.put('.claude/tasks/login.md', '---\nname: login\n---\n');
  const session = await Session.start(project);
  expect(await session.type(typed)).toBe(told);
});

const commands = ['mode', 'setup', 'init', 'grant', 'off', 'grants', 'approve', 'task', 'trust', 'why'];

test.each([...commands, 'on', 'apply'])('/modes:%s does not repeat long words', async (name) => {
  const session = await Session.start(makeProject({ example: 'tdd' }));
  const shown = (await session.type(`/modes:${name} ${'x'.repeat(50_000)}`)) ?? '';
  expect(shown).toContain('50000 characters');
  expect(shown.length).toBeLessThan(200);
});

test.each(commands.map((name) => `/modes:${name}`))('%s explains what is wrong with odd words', async (command) => {
  const session = await Session.start(makeProject({ example: 'tdd', trusted: false }));
  for (const words of [
    'start \u001b[2J',
    '\u202e',
    'a\rb',
    '"',
    '`id`',
    '$ARGUMENTS',
    '--help',
    '__proto__',
    '../..',
    'Bash(\u001b[8m x)',
  ]) {
    const shown = await session.type(`${command} ${words}`);
    expect([words, shown]).toEqual([words, expect.not.stringMatching(steering)]);
    expect(shown).not.toMatch(/undefined|\[object|is not a function/);
  }
  expect(session.questions.map(({ message }) => message)).toEqual(
    session.questions.map(() => expect.not.stringMatching(steering)),
  );
  expect(await session.mode()).toBe('idle');
});
