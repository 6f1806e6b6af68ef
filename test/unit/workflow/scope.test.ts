// What has a mode of its own: the project, each worktree, or each session.

import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openProject, type Project } from '../../../src/workflow/project.ts';
import { temporaryFolder } from '../../support/files.ts';
import { prepare } from '../../support/prepare.ts';
import { addTree } from '../../support/worktree.ts';

const packageRoot = fileURLToPath(new URL('../../..', import.meta.url));
const asker = { session: 'a', permissionMode: null };
let base: string;

beforeEach(() => {
  base = temporaryFolder('modes-scope-');
});
afterEach(() => fs.rmSync(base, { recursive: true, force: true }));

async function open(scope: string): Promise<Project> {
  const root = path.join(base, 'project');
  fs.mkdirSync(path.join(root, '.claude'), { recursive: true });
  const modes = `name: t\ndefault: one\nscope: ${scope}\nmodes:\n  one:\n    transitions: [{to: two}]\n  two:\n    transitions: [{to: one}]\n`;
  fs.writeFileSync(path.join(root, '.claude/modes.yaml'), modes);
  for (const mode of ['one', 'two'])
    fs.writeFileSync(path.join(root, `.claude/settings.${mode}.json`), '{"permissions":{"deny":["Write(src/**)"]}}');
  const project = openProject({ start: root, env: { HOME: base, PATH: process.env.PATH }, packageRoot, prepare });
  if (project === null) throw new Error('not governed');
  await project.ready();
  return project;
}

const modeOf = (project: Project, session: string | null, cwd: string | null = null) =>
  project.for({ session, cwd }).state().mode;

describe('scope', () => {
  test('session: each has its own mode, and another process sees the same [w:state.scope]', async () => {
    const project = await open('session');
    expect(await project.for({ session: 'a', cwd: null }).transitions.transition('two', 'because', asker)).toEqual({
      success: true,
      new_state: 'two',
    });
    expect(modeOf(project, 'a')).toBe('two');
    expect(modeOf(project, 'b')).toBe('one');
    const other = await open('session');
    expect([modeOf(other, 'a'), modeOf(other, 'b')]).toEqual(['two', 'one']);
    expect(fs.existsSync(path.join(project.root, '.claude/mode-state.json'))).toBe(false);
  });

  test('session: a call that names none only reads', async () => {
    const project = await open('session');
    const call = (tool: string, input: object) =>
      project.decideText(
        JSON.stringify({ hook_event_name: 'PreToolUse', cwd: project.root, tool_name: tool, tool_input: input }),
      );
    expect(call('Write', { file_path: path.join(project.root, 'a.txt'), content: '' })).toMatchObject({ decision: 'deny' });
    expect(call('Write', { file_path: path.join(project.root, 'a.txt'), content: '' }).reason).toMatch(/scope: session/);
    expect(call('Read', { file_path: path.join(project.root, 'a.txt') }).decision).toBe('pass');
  });

  test('worktree: each tree below .claude/worktrees has its own mode, whatever the session [w:state.scope]', async () => {
    const project = await open('worktree');
    const tree = addTree(project.root, 'fix');
    addTree(project.root, 'other');
    expect(
      (await project.for({ session: 'a', cwd: path.join(tree, 'src') }).transitions.transition('two', 'because', asker)).success,
    ).toBe(true);
    expect(modeOf(project, 'b', tree)).toBe('two');
    expect(modeOf(project, 'a', project.root)).toBe('one');
    expect(modeOf(project, 'a', path.join(project.root, '.claude/worktrees/other'))).toBe('one');
  });

  test('worktree: a folder that is no worktree has no mode of its own', async () => {
    const project = await open('worktree');
    expect((await project.for({ session: 'a', cwd: null }).transitions.transition('two', 'because', asker)).success).toBe(true);
    const made = path.join(project.root, '.claude/worktrees/made');
    fs.mkdirSync(path.join(made, 'src'), { recursive: true });
    fs.writeFileSync(path.join(made, '.git'), `gitdir: ${path.join(project.root, '.git/worktrees/none')}\n`);
    expect([modeOf(project, 'a', made), modeOf(project, 'a', path.join(made, 'src'))]).toEqual(['two', 'two']);
  });

  test('worktree: a call in another tree is also decided by the mode there', async () => {
    const project = await open('worktree');
    fs.writeFileSync(path.join(project.root, '.claude/settings.one.json'), '{"permissions":{"default":"pass"}}');
    project.touch();
    await project.ready();
    const tree = addTree(project.root, 'fix');
    expect((await project.for({ session: 'a', cwd: null }).transitions.transition('two', 'because', asker)).success).toBe(true);
    const call = (cwd: string, tool_name: string, tool_input: object) =>
      project.decideText(JSON.stringify({ hook_event_name: 'PreToolUse', session_id: 'a', cwd, tool_name, tool_input }));
    const ours = path.join(project.root, 'src/a.ts');
    const theirs = path.join(tree, 'src/a.ts');
    fs.mkdirSync(path.dirname(ours));
    fs.writeFileSync(ours, '');
    expect(modeOf(project, 'a', tree)).toBe('one');
    expect(call(tree, 'Write', { file_path: theirs, content: '' }).decision).toBe('pass');
    const refused = call(tree, 'Write', { file_path: ours, content: '' });
    expect(refused).toMatchObject({ decision: 'deny', mode: 'one' });
    expect(refused.reason).toMatch(/is denied in two: .*The call touches a worktree in that mode/);
    expect(call(tree, 'Bash', { command: `cd ${project.root} && sed -i s/a/b/ src/a.ts` }).decision).toBe('deny');
    expect(call(tree, 'Bash', { command: 'rm -rf ../../../src' }).decision).toBe('deny');
    expect(call(tree, 'Read', { file_path: ours }).decision).toBe('pass');
    // And from outside of it, the other way round.
    expect((await project.for({ session: 'a', cwd: tree }).transitions.transition('two', 'because', asker)).success).toBe(true);
    project.for({ session: 'a', cwd: tree }).transitions.force('one', 'x', { ...asker });
    project.for({ session: 'a', cwd: tree }).transitions.stop('enough', asker);
    expect(call(project.root, 'Write', { file_path: path.join(tree, 'b.txt'), content: '' })).toMatchObject({
      decision: 'deny',
      reason: expect.stringMatching(/touches another worktree, where only reading is allowed.*E_STOPPED/),
    });
    expect(call(project.root, 'Read', { file_path: path.join(tree, 'b.txt') }).decision).toBe('pass');
  });

  test('project: one mode for all [w:state.scope]', async () => {
    const project = await open('project');
    expect((await project.for({ session: 'a', cwd: null }).transitions.transition('two', 'because', asker)).success).toBe(true);
    expect([modeOf(project, 'b'), modeOf(project, null)]).toEqual(['two', 'two']);
    expect(JSON.parse(fs.readFileSync(path.join(project.root, '.claude/mode-state.json'), 'utf8'))).toMatchObject({
      currentMode: 'two',
    });
  });
});
