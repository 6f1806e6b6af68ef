// modes doctor, and what modes status says of findings.
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { builtPlugin } from '../plugin/plugin.ts';
import { makeProject, type Project, run } from '../plugin/project.ts';

beforeAll(async () => void (await builtPlugin()), 120_000);

const modes = async (project: Project, ...args: string[]) =>
  run(process.execPath, [path.join(await builtPlugin(), 'dist/modes.mjs'), ...args], {
    cwd: project.root,
    env: project.env({ CLAUDE_PROJECT_DIR: undefined }),
  });

test('says so when there is nothing', async () => {
  const project = makeProject();
  expect(await modes(project, 'doctor')).toEqual({ code: 0, out: 'Nothing was found.\n', err: '' });
  expect(JSON.parse((await modes(project, 'doctor', '--json')).out)).toEqual({ findings: [] });
});

test('names what it found, from any folder of the project, and so does status [s:threat.told]', async () => {
  const project = makeProject();
  project.put('.mcp.json', '{\n"mcpServers":{"modes":{"command":"x"}}}');
  const file = path.join(project.root, '.mcp.json');
  for (const folder of ['.', 'src']) {
    const text = await modes(project, 'doctor', '--project', folder);
    expect([text.code, text.out]).toEqual([
      1,
      expect.stringMatching(/^\S+\.mcp\.json:2 F_SAME_NAME another MCP server called modes\. /),
    ]);
  }
  const json = JSON.parse((await modes(project, 'doctor', '--json')).out);
  expect(json.findings).toEqual([
    expect.objectContaining({ code: 'F_SAME_NAME', file, line: 2, means: expect.any(String), remedy: expect.any(String) }),
  ]);
  expect((await modes(project, 'status')).out).toContain('F_SAME_NAME');
  expect(JSON.parse((await modes(project, 'status', '--json')).out).findings).toEqual(json.findings);
});

test('works where there are no modes', async () => {
  const project = makeProject({ example: null });
  project.put('.claude/settings.json', '{"disableAllHooks":true}');
  expect(await modes(project, 'doctor')).toMatchObject({ code: 1, out: expect.stringContaining('F_HOOKS_OFF') });
});
