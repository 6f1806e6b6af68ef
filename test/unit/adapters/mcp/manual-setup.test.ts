// The built server where it was registered by hand: its tools, typed commands and settings go by what a person recorded.
import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { planSetup, runSetup } from '../../../../src/app/setup/setup.ts';
import { Session } from '../../../support/mcp-session.ts';
import { builtPlugin } from '../../../support/plugin.ts';
import { makeProject, type Project, run } from '../../../support/project.ts';

beforeAll(async () => void (await builtPlugin()), 120_000);

const local = '.claude/settings.local.json';

async function registered(): Promise<Project> {
  const project = makeProject({ example: null });
  const configFolder = path.join(project.home, '.claude');
  const asked = {
    root: project.root,
    preset: 'tdd',
    packageRoot: await builtPlugin(),
    configFolder,
    home: project.home,
    registration: 'project' as const,
  };
  const plan = planSetup(asked);
  if ('error' in plan) throw new Error(plan.error);
  runSetup(plan, project.data, new Date(0));
  return project;
}

const start = (project: Project, env: NodeJS.ProcessEnv = {}) =>
  Session.start(project, { env: { CLAUDE_PLUGIN_ROOT: undefined, ...env } });
const toTestDev = { target: 'test-dev', explanation: 'a bug is described' };

async function change(session: Session, tool: string, server: { name: string; source: string }, id: string): Promise<unknown> {
  const input = JSON.stringify(toTestDev);
  await session.event('PreToolUse', { tool_name: tool, tool_input: input, tool_use_id: id, mcp_server: JSON.stringify(server) });
  return (await session.tool('transition', toTestDev, id)).value.success;
}

test('a change of mode counts when the client announced it for the registered server', async () => {
  const session = await start(await registered());
  const tool = 'mcp__modes__transition';
  expect(await change(session, tool, { name: 'modes', source: 'local' }, 't1')).toBe(false);
  expect(await change(session, 'mcp__modes__status', { name: 'modes', source: 'project' }, 't2')).toBe(false);
  expect(await change(session, tool, { name: 'modes', source: 'project' }, 't3')).toBe(true);
  expect(await session.mode()).toBe('test-dev');
  expect(await session.decide(tool, toTestDev, { mcp_server: '{"name":"modes","source":"project"}' })).toBe('allow');
});

describe('typed commands', () => {
  test.each([
    ['/mode status', 'projectSettings', true],
    ['/modes:mode status', 'projectSettings', true],
    ['/modes:mode status', 'plugin', true],
    ['/mode status', 'userSettings', false],
    ['/mode status', 'plugin', false],
    ['/why', 'projectSettings', false],
    ['/init tdd', 'projectSettings', false],
    ['/modes:constructor', 'projectSettings', false],
  ])('%s of %s: answered %s', async (command, source, isAnswered) => {
    const session = await start(await registered());
    expect((await session.type(command, { command_source: source })) !== null).toBe(isAnswered);
  });

  test('of a project belong to the project if nothing was registered', async () => {
    const session = await Session.start(makeProject());
    for (const command of ['/mode status', '/modes:mode status', '/setup'])
      expect(await session.type(command, { command_source: 'projectSettings' })).toBeNull();
  });
});

test('settings without our hooks are refused, settings with more of others are not', async () => {
  const project = await registered();
  const session = await start(project);
  const told = async () =>
    (await session.event('ConfigChange', { source: 'local_settings', file_path: path.join(project.root, local) })).answer;
  const settings = JSON.parse(project.get(local)) as { hooks: Record<string, unknown> };
  project.put(local, JSON.stringify({ ...settings, hooks: { ...settings.hooks, Notification: [] }, env: { A: '1' } }));
  expect(await told()).toEqual({});
  const { PreToolUse: _, ...rest } = settings.hooks;
  project.put(local, JSON.stringify({ ...settings, hooks: rest }));
  expect(await told()).toMatchObject({ decision: 'block', reason: expect.stringContaining(local) });
  fs.rmSync(path.join(project.root, local));
  expect(await told()).toMatchObject({ decision: 'block' });
});

test('the server listens on an additional named socket; an unsafe one is reported and not used', async () => {
  const project = await registered();
  fs.mkdirSync(path.join(project.root, 'run'));
  const own = path.join(project.root, 'run/own.sock');
  const session = await start(project, { CLAUDE_MODES_SOCKET: own, CLAUDE_MODES_CONFIG_DIR: path.join(project.root, 'run') });
  await session.tool('status');
  for (const socket of [own, path.join(project.root, '.claude/mode.sock')]) {
    const { out } = await run('/usr/bin/curl', ['-q', '-s', '--unix-socket', socket, 'http://modes/health'], {
      cwd: project.root,
      env: project.env(),
      stdin: '',
    });
    expect(JSON.parse(out)).toBeTypeOf('object');
  }
  const status = await session.type('/modes:mode status');
  expect(status).toMatch(/CLAUDE_MODES_CONFIG_DIR.*F_SERVER_SETTING.*not in .*run/);
  await session.end();
  expect(fs.existsSync(own)).toBe(false);
});
