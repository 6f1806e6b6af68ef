// What the private pipe tells about the ends of calls, and when it tells nothing any more.

import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { putFile } from '../../../support/files.ts';
import { Session, tick } from '../../../support/mcp-session.ts';
import { builtPlugin } from '../../../support/plugin.ts';
import { makeProject } from '../../../support/project.ts';

beforeAll(async () => void (await builtPlugin()), 120_000);

interface Evidence {
  commands: Record<string, unknown>[];
  agents: Record<string, unknown>[];
  none?: string;
}
const evidenceOf = async (session: Session) => (await session.tool('status')).value.evidence as Evidence;

const input = (command: string) => JSON.stringify({ command, description: 'x' });
const begin = (session: Session, id: string, command = 'npm test', fields: Record<string, unknown> = {}) =>
  session.event('PreToolUse', { tool_name: 'Bash', tool_input: input(command), tool_use_id: id, mcp_server: '', ...fields });
const fail = (session: Session, id: string, error = 'Exit code 1\nno', command = 'npm test') =>
  session.event('PostToolUseFailure', {
    tool_name: 'Bash',
    tool_input: input(command),
    tool_use_id: id,
    error,
    is_interrupt: 'false',
  });
const pass = (session: Session, id: string, command = 'npm test', fields: Record<string, unknown> = {}) =>
  session.event('PostToolUse', {
    tool_name: 'Bash',
    tool_input: input(command),
    tool_use_id: id,
    tool_response: '{"stdout":"ok","stderr":"","interrupted":false}',
    ...fields,
  });

describe('a Bash call', () => {
  test('is recorded with its text, folder, mode and end, and its events get no answer', async () => {
    const session = await Session.start(makeProject());
    await session.transition('test-dev');
    await begin(session, 't1');
    expect(await fail(session, 't1')).toEqual({ answer: {}, error: null });
    await begin(session, 't2', 'npm run lint', { cwd: `${session.project.root}/src` });
    expect(await pass(session, 't2', 'npm run lint')).toEqual({ answer: {}, error: null });
    await begin(session, 't3', 'sleep 9');
    const { commands } = await evidenceOf(session);
    expect(commands).toMatchObject([
      { command: 'npm test', cwd: session.project.root, mode: 'test-dev', agent: null, how: 'failed', exitCode: 1 },
      { command: 'npm run lint', cwd: `${session.project.root}/src`, mode: 'test-dev', how: 'passed' },
      { command: 'sleep 9', how: 'running', took_ms: null },
    ]);
    expect(await session.event('Stop', { stop_hook_active: 'false', last_assistant_message: 'x' })).toEqual({
      answer: {},
      error: null,
    });
    expect((await evidenceOf(session)).commands[2]).toMatchObject({ how: 'interrupted' });
  });

  test('that was denied is not a run', async () => {
    const session = await Session.start(makeProject());
    await begin(session, 't1', 'rm -rf .claude');
    expect((await evidenceOf(session)).commands).toEqual([]);
  });

  test.each<[string, (session: Session) => Promise<unknown>]>([
    ['two announcements that differ', (session) => begin(session, 't1', 'true')],
    ['two results that differ', (session) => fail(session, 't1')],
    ['a result of another tool', (session) => session.event('PostToolUse', { tool_name: 'Read', tool_use_id: 't1' })],
  ])('with %s proves nothing', async (_, contradict) => {
    const session = await Session.start(makeProject());
    await begin(session, 't1');
    await pass(session, 't1');
    expect((await evidenceOf(session)).commands).toMatchObject([{ how: 'passed' }]);
    await contradict(session);
    expect((await evidenceOf(session)).commands).toMatchObject([{ how: 'void' }]);
  });

  test('that ran another command than the one announced proves nothing [w:evidence.nothing-but]', async () => {
    const session = await Session.start(makeProject());
    await begin(session, 't1');
    await pass(session, 't1', 'true');
    expect((await evidenceOf(session)).commands).toMatchObject([{ command: 'npm test', how: 'void' }]);
  });

  test('that was never announced, or has no id, proves nothing', async () => {
    const session = await Session.start(makeProject());
    await pass(session, 't1');
    await begin(session, '');
    await pass(session, '');
    expect((await evidenceOf(session)).commands).toEqual([]);
  });

  test('during which the mode changed belongs to no mode', async () => {
    const session = await Session.start(makeProject());
    await begin(session, 't1', 'npm test', { agent_id: 'a1' });
    await session.transition('test-dev');
    await pass(session, 't1');
    expect((await evidenceOf(session)).commands).toMatchObject([{ mode: null, agent: 'a1', how: 'passed' }]);
  });

  test('is forgotten when the session is over', async () => {
    const project = makeProject();
    const first = await Session.start(project);
    await begin(first, 't1');
    await pass(first, 't1');
    await first.end();
    expect(await evidenceOf(await Session.start(project))).toEqual({ commands: [], agents: [] });
  });
});

test('a subagent is known by its type and the last line of its last message', async () => {
  const session = await Session.start(makeProject());
  const fields = { agent_id: 'a1', agent_type: 'reviewer' };
  expect(await session.event('SubagentStart', fields)).toEqual({ answer: {}, error: null });
  await begin(session, 't1', 'sleep 9', fields);
  expect((await evidenceOf(session)).agents).toEqual([
    { id: 'a1', type: 'reviewer', mode: 'idle', ended: false, last_line: null },
  ]);
  const stopped = { ...fields, stop_hook_active: 'false', last_assistant_message: 'I looked.\nPASS\n' };
  expect(await session.event('SubagentStop', stopped)).toEqual({ answer: {}, error: null });
  const { agents, commands } = await evidenceOf(session);
  expect(agents).toEqual([{ id: 'a1', type: 'reviewer', mode: 'idle', ended: true, last_line: 'PASS' }]);
  expect(commands).toMatchObject([{ how: 'interrupted' }]);
});

test('a transition whose call has ended is refused', async () => {
  const session = await Session.start(makeProject());
  const call = {
    tool_name: 'mcp__plugin_modes_modes__transition',
    tool_input: '{}',
    tool_use_id: 't1',
    mcp_server: '{"name":"plugin:modes:modes","source":"plugin"}',
  };
  await session.event('PreToolUse', call);
  await session.event('PostToolUseFailure', { ...call, error: 'refused by a person', is_interrupt: 'false' });
  const { value } = await session.tool('transition', { target: 'test-dev', explanation: 'x' }, 't1');
  expect(value).toEqual({ success: false, reason: expect.stringContaining('has ended') });
  expect(await session.mode()).toBe('idle');
});

describe('a hook of others that names our server', () => {
  const callsUs = '{"hooks":{"Stop":[{"hooks":[{"type":"mcp_tool","server":"plugin:modes:modes","tool":"hook","input":{}}]}]}}';

  test.each(['.claude/settings.json', '.claude/settings.local.json', '~/.claude/settings.json'])(
    'in %s at the start ends evidence and authority, and is named',
    async (name) => {
      const project = makeProject();
      const file = path.join(name.startsWith('~') ? project.home : project.root, name.replace('~/', ''));
      putFile(file, callsUs);
      const session = await Session.start(project, { dialog: tick });
      await begin(session, 't1');
      await pass(session, 't1');
      const { evidence, findings } = (await session.tool('status')).value;
      expect(evidence).toEqual({ none: expect.stringContaining(file) });
      expect(findings).toEqual([
        expect.objectContaining({ code: 'F_FOREIGN_HOOK', file, line: 1, remedy: expect.stringContaining('new session') }),
      ]);
      expect(await session.type('/modes:mode feature-dev')).toContain(file);
      expect(await session.type('/modes:mode status')).toContain('F_FOREIGN_HOOK');
      expect(await session.transition('feature-dev', 'x', { name: 'force_transition', id: 'f1' })).toEqual({
        success: false,
        reason: expect.stringContaining(file),
      });
      expect(session.questions).toEqual([]);
      expect(await session.mode()).toBe('idle');
    },
  );

  test('that the client reported ends them for the session, even after it is removed', async () => {
    const session = await Session.start(makeProject(), { dialog: tick });
    await begin(session, 't1');
    await pass(session, 't1');
    session.project.put('.claude/settings.json', callsUs);
    await session.event('ConfigChange', { source: 'project_settings' });
    fs.rmSync(path.join(session.project.root, '.claude/settings.json'));
    expect(await evidenceOf(session)).toEqual({ none: expect.stringContaining('settings.json') });
    expect(await session.type('/modes:mode feature-dev')).toMatch(/stays idle.*new session/);
  });

  test('does not stop decisions', async () => {
    const project = makeProject();
    project.put('.claude/settings.json', callsUs);
    const session = await Session.start(project);
    expect(await session.decide('Write', { file_path: `${project.root}/src/a.js`, content: 'x' })).toBe('deny');
    expect(await session.transition('test-dev')).toMatchObject({ success: true });
  });
});

test('the user is notified of findings with the first prompt of a session, once', async () => {
  const project = makeProject();
  project.put('.mcp.json', '{"mcpServers":{"modes":{"command":"x"}}}');
  const session = await Session.start(project);
  const told = async (id: string) =>
    (await session.event('UserPromptSubmit', { prompt: 'go', session_id: id })).answer?.systemMessage;
  expect([await told('one'), await told('one'), await told('two')]).toEqual([
    expect.stringMatching(/\.mcp\.json:1 F_SAME_NAME/),
    undefined,
    expect.stringContaining('F_SAME_NAME'),
  ]);
});

describe('a run of the tests that a gate asks for [w:tests.requested]', () => {
  const open = (permissions: object, ofClient: object = {}) => {
    const project = makeProject({ example: null });
    project.put(
      '.claude/modes.yaml',
      `name: n
default: a
modes:
  a: {transitions: [{to: b, constraint: it passes, require: [tests: {command: npm test, passing: all}]}]}
  b: {transitions: [{to: a, constraint: more}]}
`,
    );
    project.put('.claude/settings.a.json', JSON.stringify({ permissions }));
    project.put('.claude/settings.json', JSON.stringify({ permissions: ofClient }));
    project.put('package.json', '{"scripts":{"test":"jest"}}');
    project.trust();
    return Session.start(project);
  };
  interface Replacing {
    hookSpecificOutput?: { permissionDecision?: string; updatedInput?: { command: string; description: string } };
  }
  const answerTo = async (session: Session, id: string, command: string, fields: Record<string, unknown> = {}) =>
    ((await begin(session, id, command, fields)).answer as Replacing).hookSpecificOutput;
  const allow = { allow: ['Bash(npm test)'] };

  test.each<[what: string, permissions: object, fields: Record<string, unknown>, isReplaced: boolean]>([
    ['an allowed call', allow, {}, true],
    ['a call that the mode passes on', {}, {}, false],
    ['a call that the mode passes on to a client that asks nobody', {}, { permission_mode: 'bypassPermissions' }, true],
    ['a call that asks', { ask: ['Bash(npm test)'] }, { permission_mode: 'bypassPermissions' }, false],
    ['a call in another folder', allow, { cwd: '/' }, false],
    ['a call in the background', allow, { tool_input: JSON.stringify({ command: 'npm test', run_in_background: true }) }, false],
  ])('%s', async (_, permissions, fields, isReplaced) => {
    const answer = await answerTo(await open(permissions), 't1', 'npm test', fields);
    if (isReplaced)
      expect(answer?.updatedInput).toEqual({
        command: expect.stringMatching(/^npm test -- --json .*outputFile.*\/gates\/report-.*\/report"?$/),
        description: 'x',
      });
    else expect(answer?.updatedInput).toBeUndefined();
  });

  test.each<[what: string, permissions: object, ofClient: object, isReplaced: boolean]>([
    ['a call that the mode passes on to a client that allows every Bash call', {}, { allow: ['Bash'] }, true],
    ['a call that the mode passes on to a client that allows this form', {}, { allow: ['Bash(npm test:*)'] }, false],
    ['an allowed call that the client denies in this form', allow, { deny: ['Bash(npm test)'] }, false],
  ])('%s', async (_, permissions, ofClient, isReplaced) => {
    const answer = await answerTo(await open(permissions, ofClient), 't1', 'npm test');
    expect(answer?.updatedInput !== undefined).toBe(isReplaced);
  });

  test('counts as the call that the agent wrote, and another call than the two proves nothing', async () => {
    const session = await open(allow);
    const ids = ['replaced', 'kept', 'another'];
    const calls = await Promise.all(ids.map((id) => answerTo(session, id, 'npm test')));
    await pass(session, 'replaced', calls[0]?.updatedInput?.command);
    await pass(session, 'kept', 'npm test');
    await pass(session, 'another', calls[0]?.updatedInput?.command);
    expect((await evidenceOf(session)).commands).toMatchObject([
      { command: 'npm test', how: 'passed' },
      { command: 'npm test', how: 'passed' },
      { command: 'npm test', how: 'void' },
    ]);
  });
});
