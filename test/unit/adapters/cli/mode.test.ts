// modes mode: a person in a terminal changes the mode, with its gate or without it.
import { describe, expect, test } from 'vitest';
import { modesHere } from '../../../support/command-line.ts';
import { makeProject, type Project } from '../../../support/project.ts';

const modes = (project: Project, args: string[], types?: string, env: NodeJS.ProcessEnv = {}) =>
  modesHere(args, { cwd: project.root, env: { HOME: project.home, PATH: '/usr/bin:/bin', ...env }, types });
const modeOf = async (project: Project) => JSON.parse((await modes(project, ['status', '--json'])).out).current_mode;

/** Two modes: the way to `two` needs a changed file, the way to `three` is not there. */
function gated(): Project {
  const project = makeProject({ example: null });
  project.put(
    '.claude/modes.yaml',
    'name: gated\ndefault: one\nmodes:\n  one: {transitions: [{to: two, require: [{file: done.txt}]}, {to: three}]}\n  two: {}\n  three: {}\n  four: {}\n',
  );
  project.trust();
  return project;
}

describe('modes mode', () => {
  test('changes the mode after an approval, and reports it', async () => {
    const project = makeProject();
    expect(await modes(project, ['mode', 'test-dev'], 'n')).toMatchObject({
      code: 1,
      err: expect.stringContaining('E_DECLINED'),
    });
    expect(await modeOf(project)).toBe('idle');
    const changed = await modes(project, ['mode', 'test-dev', '--json'], 'y');
    expect(JSON.parse(changed.out)).toMatchObject({ ok: true, mode: 'test-dev', changed: true });
    expect(changed.err).toContain('Constraint: User has described');
    expect(await modeOf(project)).toBe('test-dev');
    expect(await modes(project, ['mode', 'test-dev'])).toMatchObject({ code: 0, out: 'Already in mode test-dev.\n' });
    expect(await modes(project, ['mode', 'reset'], 'y')).toMatchObject({ code: 0, out: 'Mode: idle\n' });
  });

  test('checks the gate, and needs a second approval to skip it', async () => {
    const project = gated();
    project.put('done.txt', 'x');
    expect(await modes(project, ['mode', 'two'], 'y')).toMatchObject({ code: 0 });
    const status = JSON.parse((await modes(project, ['status', '--json'])).out);
    expect(status.history).toEqual([expect.objectContaining({ to: 'two', actor: 'person', forced: false })]);
    const forced = await modes(project, ['mode', 'four'], 'y');
    expect(forced).toMatchObject({ code: 0, out: 'Mode: four\n' });
    const after = JSON.parse((await modes(project, ['status', '--json'])).out);
    expect(after.history.at(-1)).toMatchObject({ to: 'four', actor: 'person', forced: true });
  });

  test('names the unmet requirements before it asks to skip the gate', async () => {
    const project = gated();
    const { err } = await modes(project, ['mode', 'two'], 'y');
    expect(err).toContain('done.txt');
    expect(err).not.toContain('/modes:');
    expect(await modeOf(project)).toBe('two');
  });

  test('is refused without a person, inside an agent, and for an unknown mode', async () => {
    const project = makeProject();
    expect(await modes(project, ['mode', 'test-dev'])).toMatchObject({ code: 1, err: expect.stringContaining('E_NOBODY') });
    for (const name of ['CLAUDECODE', 'GEMINI_CLI', 'CURSOR_AGENT', 'OPENCODE', 'COPILOT_CLI', 'CODEX_THREAD_ID'])
      expect(await modes(project, ['mode', 'test-dev'], 'y', { [name]: '1' })).toMatchObject({
        code: 1,
        err: expect.stringContaining('E_INSIDE_CLIENT'),
      });
    expect(await modes(project, ['mode', 'test-dve'], 'y')).toMatchObject({ code: 64, err: expect.stringContaining('test-dev') });
    expect(await modeOf(project)).toBe('idle');
  });

  test('resumes after a stop', async () => {
    const project = makeProject();
    await modes(project, ['stop']);
    expect(await modes(project, ['mode', 'idle'], 'y')).toMatchObject({ code: 0, out: 'Mode: idle\n' });
    expect(await modeOf(project)).toBe('idle');
  });

  test('needs the session where each session has its own mode', async () => {
    const project = makeProject();
    project.put('.claude/modes.yaml', `scope: session\n${project.get('.claude/modes.yaml')}`);
    project.trust();
    expect(await modes(project, ['mode', 'test-dev'], 'y')).toMatchObject({
      code: 64,
      err: expect.stringContaining('--session'),
    });
    expect(await modes(project, ['mode', 'test-dev', '--session', 'codex-1'], 'y')).toMatchObject({ code: 0 });
  });
});
