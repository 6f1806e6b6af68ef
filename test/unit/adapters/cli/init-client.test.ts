// /modes:init: the same as modes init, typed in the client.
import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { presetTable, readPresets } from '../../../../src/app/setup/presets.ts';
import { type Dialog, Session, tick } from '../../../support/mcp-session.ts';
import { builtPlugin, repository } from '../../../support/plugin.ts';
import { makeProject } from '../../../support/project.ts';

beforeAll(async () => void (await builtPlugin()), 120_000);

async function begin(dialog: Dialog | null = tick, env: NodeJS.ProcessEnv = {}) {
  const project = makeProject({ example: null });
  const session = await Session.start(project, { dialog, env });
  return { project, session };
}

test('without a name it shows the comparison of modes init --list, and asks no question', async () => {
  const { project, session } = await begin();
  expect(await session.type('/modes:init')).toBe(
    `${presetTable(readPresets(repository))}\n\nTo set this project up with one: /modes:init NAME`,
  );
  expect(session.questions).toEqual([]);
  expect(fs.readdirSync(project.root)).toEqual([]);
});

test('after an approval the preset is written, applies at once, and can be undone', async () => {
  const { project, session } = await begin();
  const told = await session.type('/modes:init delegates');
  expect(session.questions).toHaveLength(1);
  expect(session.questions[0]?.message).toMatch(
    /preset delegates\? Nothing was found that shows how it is tested\. .* It writes: .*\.claude\/modes\.yaml.*To undo it: \/modes:init undo/,
  );
  expect(told).toMatch(/wrote \.claude\/modes\.yaml[\s\S]*trusted sha256:[\s\S]*To undo it: \/modes:init undo\.$/);
  expect(await session.mode()).toBe('study');
  expect(await session.decide('Write', { file_path: path.join(project.root, 'a'), content: '' })).toBe('deny');
  expect(await session.type('/modes:init delegates')).toBe('Everything is already set up.');
  expect(await session.type('/modes:init roo')).toContain('is not written over them');
  expect(await session.type('/modes:init undo')).toContain('no longer governed');
  expect(fs.existsSync(path.join(project.root, '.claude/modes.yaml'))).toBe(false);
});

test('a new setup reports an earlier emergency stop', async () => {
  const { session } = await begin();
  await session.type('/modes:init daic');
  await session.event('UserPromptSubmit', { prompt: 'SILENCE', source: '' });
  expect(await session.mode()).toBeNull();
  expect(await session.type('/modes:init undo')).toContain('no longer governed');
  expect(await session.type('/modes:init daic')).toMatch(
    /\nOnly reading inside .* stopped .*\(E_STOPPED\)\nTo undo it: \/modes:init undo\.$/,
  );
});

test.each<[string, string, Dialog | null, NodeJS.ProcessEnv, RegExp]>([
  ['declined', 'roo', () => ({ action: 'decline' }), {}, /declined[\s\S]*\+ \.claude\/modes\.yaml/],
  ['where nobody sits', 'roo', tick, { CLAUDE_CODE_ENTRYPOINT: 'sdk-cli' }, /modes init --preset roo in a terminal/],
  ['of a client without dialogs', 'roo', null, {}, /no dialogs/],
  ['of a preset that is none', '../roo', tick, {}, /There is no preset/],
])('%s, nothing is written', async (_, name, dialog, env, why) => {
  const { project, session } = await begin(dialog, env);
  expect(await session.type(`/modes:init ${name}`)).toMatch(why);
  expect(fs.readdirSync(project.root)).toEqual([]);
});

test.each(['/modes:init tdd-checked', '/modes:setup tdd-checked'])('%s shows the survey before it asks', async (typed) => {
  const { project, session } = await begin(() => ({ action: 'decline' }));
  project.put('go.mod', 'module a\n');
  project.put('a_test.go', '');
  const told = await session.type(typed);
  expect(session.questions[0]?.message).toContain('Found: go, go test -v ./..., *_test.go. ');
  expect(told).toMatch(
    /declined[\s\S]*\n {2}npm test → go test -v \.\/\.\.\. {2}\(in \d files\)\n[\s\S]*\n\+ \.claude\/modes\.yaml/,
  );
});

test('a preset whose gates cannot open names the one with gates in words', async () => {
  const { session } = await begin(() => ({ action: 'decline' }));
  await session.type('/modes:init tdd-checked');
  expect(session.questions[0]?.message).toContain('The preset tdd-words has the same modes, with gates in words. ');
});

test('a fitted preset counts as the same preset', async () => {
  const { project, session } = await begin();
  project.put('go.mod', 'module a\n');
  expect(await session.type('/modes:init tdd-checked')).toMatch(/wrote \.claude\/modes\.yaml[\s\S]*trusted sha256:/);
  expect(project.get('.claude/modes.yaml')).toContain('tests: {command: go test -v ./..., failing: new}');
  expect(await session.type('/modes:init tdd-checked')).toBe('Everything is already set up.');
});
