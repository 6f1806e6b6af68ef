// What has a mode of its own: the project, each worktree, or each session.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openProject, type Project } from '../../../src/workflow/project.ts';
import { prepare } from '../patient.ts';

const packageRoot = fileURLToPath(new URL('../../..', import.meta.url));
const asker = { session: 'a', permissionMode: null };
let base: string;

beforeEach(() => {
  base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'modes-scope-')));
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
  project.ask({ session, cwd }).state().mode;

describe('scope', () => {
  test('session: each has its own mode, and another process sees the same [w:state.scope]', async () => {
    const project = await open('session');
    project.ask({ session: 'a', cwd: null });
    expect(await project.moves.transition('two', 'because', asker)).toEqual({ success: true, new_state: 'two' });
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
    const tree = path.join(project.root, '.claude/worktrees/fix');
    project.ask({ session: 'a', cwd: path.join(tree, 'src') });
    expect((await project.moves.transition('two', 'because', asker)).success).toBe(true);
    expect(modeOf(project, 'b', tree)).toBe('two');
    expect(modeOf(project, 'a', project.root)).toBe('one');
    expect(modeOf(project, 'a', path.join(project.root, '.claude/worktrees/other'))).toBe('one');
  });

  test('project: one mode for all [w:state.scope]', async () => {
    const project = await open('project');
    project.ask({ session: 'a', cwd: null });
    expect((await project.moves.transition('two', 'because', asker)).success).toBe(true);
    expect([modeOf(project, 'b'), modeOf(project, null)]).toEqual(['two', 'two']);
    expect(JSON.parse(fs.readFileSync(path.join(project.root, '.claude/mode-state.json'), 'utf8'))).toMatchObject({
      currentMode: 'two',
    });
  });
});
