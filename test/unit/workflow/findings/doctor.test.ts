// What modes doctor and modes status say of the project's surroundings; what doctor says of the installation is in unit/doctor.
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { builtPlugin } from '../../../support/plugin.ts';
import { type Project, run } from '../../../support/project.ts';
import { makeHealthy } from '../../doctor/fixture.ts';

beforeAll(async () => void (await builtPlugin()), 120_000);

const modes = async (project: Project, verb: string, ...args: string[]) =>
  run(
    process.execPath,
    [path.join(await builtPlugin(), 'dist/modes.mjs'), verb, ...(verb === 'doctor' ? ['--no-client'] : []), ...args],
    {
      cwd: project.root,
      env: project.env({ CLAUDE_PROJECT_DIR: undefined }),
    },
  );

test('reports that there is no finding', async () => {
  const project = await makeHealthy();
  expect(await modes(project, 'doctor')).toEqual({
    code: 0,
    out: expect.stringMatching(/\nNo problems were found\.\n$/),
    err: '',
  });
  expect(JSON.parse((await modes(project, 'doctor', '--json')).out)).toMatchObject({ findings: [] });
});

test('names the findings, from any folder of the project, and so does status [s:threat.told]', async () => {
  const project = await makeHealthy();
  project.put('.mcp.json', '{\n"mcpServers":{"modes":{"command":"x"}}}');
  const file = path.join(project.root, '.mcp.json');
  for (const folder of ['.', 'src']) {
    const text = await modes(project, 'doctor', '--project', folder);
    expect([text.code, text.out]).toEqual([
      1,
      expect.stringMatching(/^error {4}\S+\.mcp\.json:2 F_SAME_NAME another MCP server called modes\. /m),
    ]);
  }
  const json = JSON.parse((await modes(project, 'doctor', '--json')).out);
  expect(json.findings).toEqual([
    expect.objectContaining({ code: 'F_SAME_NAME', file, line: 2, means: expect.any(String), remedy: expect.any(String) }),
  ]);
  expect((await modes(project, 'status')).out).toContain('F_SAME_NAME');
  expect(JSON.parse((await modes(project, 'status', '--json')).out).findings).toEqual(json.findings);
});

test('works without modes', async () => {
  const project = await makeHealthy({ example: null });
  project.put('.claude/settings.json', '{"disableAllHooks":true}');
  expect(await modes(project, 'doctor')).toMatchObject({ code: 1, out: expect.stringContaining('F_HOOKS_OFF') });
});
