// Whether CI runs the client, and what a user may then say of it.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { isCi } from '../../../src/workflow/project.ts';
import { Layered, modesYaml, permissions } from '../../support/layered-project.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true, force: true });
});

function project(files: Record<string, string> = {}): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'modes-ci-'));
  folders.push(folder);
  fs.mkdirSync(path.join(folder, '.claude'));
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(folder, '.claude', name), text);
  return folder;
}

test.each<[value: string | undefined, boolean]>([
  ['true', true],
  ['1', true],
  ['yes', true],
  ['gitlab', true],
  ['false', false],
  ['FALSE', false],
  ['0', false],
  ['no', false],
  [' ', false],
  ['', false],
  [undefined, false],
])('CI=%s', (value, expected) => {
  expect(isCi({ CI: value }, [project()])).toBe(expected);
});

test.each<[string, Record<string, string>, boolean]>([
  ['settings without an environment', { 'settings.json': '{}' }, true],
  ['another variable', { 'settings.json': '{"env":{"NODE_ENV":"test"}}' }, true],
  ['the variable', { 'settings.json': '{"env":{"CI":"1"}}' }, false],
  ['the variable, written otherwise', { 'settings.json': '{"env":{"\\u0043\\u0049":"1"}}' }, false],
  ['the variable in lower case', { 'settings.json': '{"env":{"ci":"1"}}' }, false],
  ["one person's settings", { 'settings.local.json': '{"env":{"CI":"1"}}' }, false],
  ['settings that cannot be read', { 'settings.json': '// {' }, false],
])('of a project whose settings contain %s', (_, files, expected) => {
  expect(isCi({ CI: 'true' }, [project(), project(files)])).toBe(expected);
});

test("of a project below a repository's root, or in a worktree, whose own settings the client reads as well", () => {
  const repository = project({ 'settings.local.json': '{"env":{"CI":"1"}}' });
  const record = path.join(repository, '.git/worktrees/tree');
  const below = path.join(repository, 'packages/a');
  for (const folder of [record, below]) fs.mkdirSync(folder, { recursive: true });
  const tree = project();
  fs.writeFileSync(path.join(tree, '.git'), `gitdir: ${record}\n`);
  fs.writeFileSync(path.join(record, 'commondir'), '../..\n');
  expect([below, tree].map((folder) => isCi({ CI: 'true' }, [folder]))).toEqual([false, false]);
  fs.rmSync(path.join(repository, '.claude/settings.local.json'));
  fs.writeFileSync(path.join(repository, '.claude/settings.json'), '{"env":{"CI":"1"}}');
  expect([below, tree].map((folder) => isCi({ CI: 'true' }, [folder]))).toEqual([true, true]);
});

describe('a user who switches the modes off in CI', () => {
  const decide = async (ci: string | undefined, more: (layered: Layered) => void = () => undefined) => {
    const layered = new Layered();
    layered.put('user', 'modes.yaml', modesYaml('ci: off\n'));
    layered
      .put('project', 'modes.yaml', modesYaml())
      .put('project', 'settings.one.json', permissions({ deny: ['Write(src/**)'] }));
    await layered.trust();
    if (ci !== undefined) layered.env.CI = ci;
    more(layered);
    const opened = await layered.open('s');
    const call = (file: string) => {
      const event = { session_id: 's', cwd: layered.root, tool_name: 'Write', tool_input: { file_path: file, content: 'x' } };
      return opened.decideText(JSON.stringify(event)).decision;
    };
    return [call(path.join(layered.root, 'src/a.ts')), call(path.join(layered.root, '.claude/modes.yaml'))];
  };

  test.each<[string | undefined, string[]]>([
    ['true', ['pass', 'deny']],
    ['false', ['deny', 'deny']],
    [undefined, ['deny', 'deny']],
  ])('CI=%s: a rule and the built-in protection give %j', async (ci, expected) => {
    expect(await decide(ci)).toEqual(expected);
  });

  test('is not affected by settings of the project', async () => {
    const set = (layered: Layered) => void layered.put('project', 'settings.json', '{"env":{"CI":"1"}}');
    expect(await decide('true', set)).toEqual(['deny', 'deny']);
  });

  test('does not override denies of the organization', async () => {
    const organise = (layered: Layered) => {
      layered.put('managed', 'settings.any.json', permissions({ deny: ['Write(src/**)'] }));
    };
    expect(await decide('true', organise)).toEqual(['deny', 'deny']);
  });
});
