// modes grant: a person in a terminal allows one asked call of another harness. Real processes of modes hook make the calls.
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { modesHere } from '../../../support/command-line.ts';
import { builtPlugin } from '../../../support/plugin.ts';
import { makeProject, type Project, run } from '../../../support/project.ts';

let plugin: string;
beforeAll(async () => {
  plugin = await builtPlugin();
}, 120_000);

const modes = (project: Project, args: string[], types?: string, env: NodeJS.ProcessEnv = {}) =>
  modesHere(args, { cwd: project.root, env: { HOME: project.home, PATH: '/usr/bin:/bin', ...env }, types });
const json = async (project: Project, args: string[], types?: string) =>
  JSON.parse((await modes(project, [...args, '--json'], types)).out);

/** One call of Codex as `modes hook` decides it. */
async function codex(project: Project, tool_name: string, tool_input: unknown, more: object = {}) {
  const event = {
    session_id: 's',
    turn_id: 't',
    cwd: project.root,
    hook_event_name: 'PreToolUse',
    tool_name,
    tool_input,
    tool_use_id: 'u',
  };
  const { code, out, err } = await run(
    process.execPath,
    [path.join(plugin, 'dist/modes.mjs'), 'hook', 'PreToolUse', '--harness', 'codex'],
    {
      cwd: project.root,
      env: { HOME: project.home, PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin` },
      stdin: JSON.stringify({ ...event, ...more }),
    },
  );
  return { isOpen: code === 0 && out === '', err };
}
const push = (project: Project, command = 'git push', more: object = {}) => codex(project, 'Bash', { command }, more);

/** git push asks, npm publish is denied. */
function asking(): Project {
  const project = makeProject({ example: null });
  project.put('.claude/modes.yaml', 'name: asking\ndefault: one\nmodes: {one: {transitions: [{to: two}]}, two: {}}\n');
  const rules = JSON.stringify({ permissions: { ask: ['Bash(git push:*)', 'Write(b.txt)'], deny: ['Bash(npm publish)'] } });
  project.put('.claude/settings.one.json', rules);
  project.put('.claude/settings.two.json', rules);
  project.trust();
  return project;
}

describe('modes grant', () => {
  test('allows exactly the asked call, once [w:grant.asked]', async () => {
    const project = asking();
    const refused = await push(project);
    expect(refused.isOpen).toBe(false);
    expect(refused.err).toContain('modes grant');
    const granted = await modes(project, ['grant'], 'y');
    expect(granted).toMatchObject({ code: 0, out: expect.stringContaining('Granted (g') });
    for (const part of ['codex:Bash', 'command: git push', `folder: ${project.root}`, 'Bash(git push:*)'])
      expect(granted.err).toContain(part);
    // Another call, another folder, another session.
    expect((await push(project, 'git push --force')).isOpen).toBe(false);
    expect((await push(project, 'git push', { cwd: path.join(project.root, '.claude') })).isOpen).toBe(false);
    expect((await push(project, 'git push', { session_id: 'other' })).isOpen).toBe(false);
    expect((await push(project)).isOpen).toBe(true);
    // The harness may use one id for all calls.
    expect((await push(project)).isOpen).toBe(false);
    const log = (await modes(project, ['log', '--json'])).out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const used = log.filter(({ result }) => result.by === 'granted');
    expect(used).toEqual([expect.objectContaining({ result: expect.objectContaining({ decision: 'pass', rules: [] }) })]);
    expect(used[0].result.grants).toEqual([{ id: expect.stringMatching(/^g\d+$/), counted: true }]);
  }, 60_000);

  test('ends with the mode, with --revoke and with a stop, and never lifts a deny [w:grant.asked]', async () => {
    const project = asking();
    const patch = (file: string) => ({ command: `*** Begin Patch\n*** Add File: ${file}\n+x\n*** End Patch` });
    await push(project);
    await codex(project, 'apply_patch', patch('b.txt'));
    expect((await codex(project, 'Bash', { command: 'npm publish' })).err).not.toContain('modes grant');
    // The deny is not offered.
    const asked = await modes(project, ['grant'], 'n');
    expect(asked).toMatchObject({ code: 1, err: expect.stringContaining('E_DECLINED') });
    expect(asked.err).toContain('Add File: b.txt');
    expect(asked.err).not.toContain('npm publish');
    const { grants } = {
      grants: [await json(project, ['grant'], 'y'), await json(project, ['grant'], 'y')].map(({ granted }) => granted),
    };
    expect(grants.map(({ what }) => what)).toEqual([expect.stringContaining('b.txt'), expect.stringContaining('git push')]);
    expect((await json(project, ['status'])).grants).toHaveLength(2);
    expect((await modes(project, ['status'])).out).toContain(`GRANTS:\n${grants[0].id}`);
    expect(await modes(project, ['grant'], 'y')).toMatchObject({ code: 1, err: expect.stringContaining('E_NOT_FOUND') });
    expect(await json(project, ['grant', '--revoke', grants[0].id])).toMatchObject({ revoked: [grants[0].id] });
    expect((await codex(project, 'apply_patch', patch('b.txt'))).isOpen).toBe(false);
    await modes(project, ['mode', 'two'], 'y');
    await modes(project, ['mode', 'one'], 'y');
    expect((await json(project, ['grant', '--list'])).grants).toEqual([]);
    expect((await push(project)).isOpen).toBe(false);
    await modes(project, ['grant'], 'y');
    await modes(project, ['stop']);
    expect((await push(project)).isOpen).toBe(false);
  }, 60_000);

  test('answers the ask of the same agent only [w:grant.asked]', async () => {
    const project = asking();
    await push(project);
    await modes(project, ['grant'], 'y');
    // The same call by a subagent.
    expect((await push(project, 'git push', { agent_id: 'a1' })).isOpen).toBe(false);
    expect((await push(project)).isOpen).toBe(true);
  }, 60_000);

  test('takes the call by its id, and says what it does not know', async () => {
    const project = asking();
    expect(await modes(project, ['grant'], 'y')).toMatchObject({ code: 1, err: expect.stringContaining('E_NOT_FOUND') });
    await push(project);
    await push(project, 'git push --tags');
    const [first, second] = (await modes(project, ['log', '--json'])).out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).decision_id);
    expect((await json(project, ['grant', first], 'y')).granted.what).toBe('codex:Bash git push');
    expect((await json(project, ['grant', second.slice(0, 8)], 'y')).granted.what).toBe('codex:Bash git push --tags');
    expect(await modes(project, ['grant', 'ffffffff'], 'y')).toMatchObject({
      code: 1,
      err: expect.stringContaining('E_NOT_FOUND'),
    });
    expect(await modes(project, ['grant', 'git push'], 'y')).toMatchObject({ code: 64 });
    expect(await modes(project, ['grant', '--revoke', 'g999'])).toMatchObject({ code: 1, err: expect.stringContaining('g999') });
  }, 60_000);

  test('is refused without a person and inside an agent [w:grant.terminal]', async () => {
    const project = asking();
    await push(project);
    expect(await modes(project, ['grant'])).toMatchObject({ code: 1, err: expect.stringContaining('E_NOBODY') });
    for (const verb of ['grant', 'accept', 'restore'])
      for (const name of ['CLAUDECODE', 'GEMINI_CLI', 'CURSOR_AGENT', 'OPENCODE', 'COPILOT_CLI', 'CODEX_THREAD_ID'])
        expect(await modes(project, [verb], 'y', { [name]: '1' })).toMatchObject({
          code: 1,
          err: expect.stringContaining('E_INSIDE_CLIENT'),
        });
    expect((await push(project)).isOpen).toBe(false);
  }, 60_000);

  test('does not offer a call that the log shows in other words than it was made', async () => {
    const project = asking();
    const harness_call = { call: 'forged', attempt: 'a', folder: project.root, tool: 'Bash', input: { command: 'ls' } };
    const event = { hook_event_name: 'PreToolUse', session_id: 'codex-s', cwd: project.root, harness: 'codex', harness_call };
    const stdin = JSON.stringify({ ...event, tool_name: 'Bash', tool_input: { command: 'git push' } });
    await run(process.execPath, [path.join(plugin, 'dist/hook.cjs'), 'PreToolUse', project.root], {
      cwd: project.root,
      env: project.env(),
      stdin,
    });
    expect((await modes(project, ['log'])).out).toContain('git push');
    expect(await modes(project, ['grant'], 'y')).toMatchObject({ code: 1, err: expect.stringContaining('E_NOT_FOUND') });
  }, 60_000);

  test('grants a call that is too long for the log, and says that it does not show all of it', async () => {
    const project = asking();
    const patch = { command: `*** Begin Patch\n*** Add File: b.txt\n+${'x'.repeat(100_000)}\n*** End Patch` };
    expect((await codex(project, 'apply_patch', patch)).isOpen).toBe(false);
    const granted = await modes(project, ['grant'], 'y');
    expect(granted).toMatchObject({ code: 0, err: expect.stringContaining('does not contain the whole call') });
    expect((await codex(project, 'apply_patch', { command: `${patch.command}\n` })).isOpen).toBe(false);
    expect((await codex(project, 'apply_patch', patch)).isOpen).toBe(true);
  }, 60_000);

  test('shows secrets neither in the terminal nor in the log, and grants the call as it is', async () => {
    const project = asking();
    const secret = 'ghp_0123456789abcdefghij0123456789abcdef';
    const command = `git push https://x:${secret}@example.com/a`;
    await push(project, command);
    const { out, err } = await modes(project, ['grant'], 'y');
    expect(`${out}${err}`).not.toContain(secret);
    expect(err).toContain('does not contain the whole call');
    expect((await modes(project, ['log', '--json'])).out).not.toContain(secret);
    expect((await push(project, command.replace('ghp_0', 'ghp_1'))).isOpen).toBe(false);
    expect((await push(project, command)).isOpen).toBe(true);
  }, 60_000);
});
