// modes init --no-plugin in a terminal: written, refused, taken back.
import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { runDetached } from '../../../support/detached.ts';
import { builtPlugin } from '../../../support/plugin.ts';
import { type Ended, makeProject, type Project } from '../../../support/project.ts';

beforeAll(async () => void (await builtPlugin()), 120_000);

const init = async (project: Project, ...args: string[]): Promise<Ended> =>
  runDetached([process.execPath, path.join(await builtPlugin(), 'bin/modes'), 'init', ...args], {
    cwd: project.root,
    env: { HOME: project.home, PATH: '/usr/bin:/bin' },
  });
const inClient = (project: Project, name: string) => path.join(project.home, '.claude', name);

test('registers the server, reports it, and can undo it', async () => {
  const project = makeProject({ example: null });
  const done = await init(project, '--no-plugin', '--yes', '--json');
  expect([done.code, done.err]).toEqual([0, '']);
  expect(JSON.parse(done.out).done).toEqual(
    expect.arrayContaining(['wrote .mcp.json', expect.stringMatching(/^registered the server/)]),
  );
  expect(fs.readFileSync(inClient(project, 'modes-data/servers'), 'utf8')).toContain(` ${project.root}\n`);
  expect((await init(project, '--no-plugin', '--yes')).out.trim()).toBe('Everything is already set up.');
  expect((await init(project, '--undo', '--yes')).code).toBe(0);
  expect(fs.readdirSync(project.root)).toEqual([]);
  expect(fs.readFileSync(inClient(project, 'modes-data/servers'), 'utf8')).toBe('');
});

test('writes nothing without a terminal', async () => {
  const project = makeProject();
  const { code, err } = await init(project, '--no-plugin');
  expect([code, err]).toEqual([1, expect.stringContaining('.mcp.json')]);
  expect(fs.existsSync(path.join(project.root, '.mcp.json'))).toBe(false);
});

test('is refused if the plugin is installed', async () => {
  const project = makeProject();
  const plugins = { 'modes@market': [{ scope: 'user', installPath: await builtPlugin() }] };
  fs.mkdirSync(inClient(project, 'plugins'), { recursive: true });
  fs.writeFileSync(inClient(project, 'plugins/installed_plugins.json'), JSON.stringify({ version: 2, plugins }));
  const { code, out } = await init(project, '--no-plugin', '--yes', '--json');
  expect([code, JSON.parse(out)]).toEqual([
    1,
    {
      error: {
        code: 'E_IN_THE_WAY',
        message: expect.stringContaining('modes@market is installed'),
        remedy: expect.stringContaining('/plugin uninstall'),
      },
    },
  ]);
  expect(fs.existsSync(path.join(project.root, '.mcp.json'))).toBe(false);
});
