// The table of tools against the pinned client's own: a new tool or parameter needs a row before the client is raised.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { aliases, tools } from '../../src/facts/table.ts';
import { installClient, REPOSITORY, seedHome, session } from './client.ts';
import { say } from './model.ts';
import { namedTools, typedTools } from './sdk.ts';

const unknownParams = (given: Iterable<readonly [string, string[]]>): string[] =>
  [...given].flatMap(([tool, params]) => {
    const row = tools.get(aliases.get(tool) ?? tool);
    if (row === undefined) return [`${tool} has no row`];
    return params.filter((param) => !row.params.includes(param)).map((param) => `${tool}.${param} is not in its row`);
  });

interface Surface {
  tools: string[];
  unread: number;
  hookEvents: string[];
  settings: string[];
}
type Reviewed = Pick<Surface, 'hookEvents' | 'settings'>;
const { programOf, reviewedFile, surfaceOf, unknownOf } = (await import(path.join(REPOSITORY, 'scripts/client-surface.mjs'))) as {
  programOf(given: string): string;
  reviewedFile: string;
  surfaceOf(program: string): Surface;
  unknownOf(
    surface: Surface,
    table: { tools: ReadonlyMap<string, unknown>; aliases: ReadonlyMap<string, string> },
    reviewed: Reviewed,
  ): Omit<Surface, 'unread'>;
};

test('every tool of the client has a row, and all of its hook events and settings keys are listed', () => {
  const reviewed = JSON.parse(fs.readFileSync(reviewedFile, 'utf8')) as Reviewed;
  const surface = surfaceOf(programOf(fs.realpathSync(installClient())));
  expect(surface.unread).toBe(0);
  expect(surface.tools).toEqual(expect.arrayContaining(['Bash', 'McpTaskCheck', 'Yield', 'RefreshMcpTools', 'Eval']));
  expect(surface.hookEvents).toEqual(expect.arrayContaining(['PreToolUse', 'PreSkillShellCommand']));
  expect(surface.settings).toEqual(expect.arrayContaining(['disableAllHooks', 'permissions', 'enabledPlugins']));
  expect(unknownOf(surface, { tools, aliases }, reviewed)).toEqual({ tools: [], hookEvents: [], settings: [] });
  const fewer = { hookEvents: reviewed.hookEvents.slice(1), settings: reviewed.settings.slice(1) };
  expect(unknownOf(surface, { tools: new Map(), aliases: new Map() }, fewer)).toEqual({
    tools: surface.tools,
    hookEvents: reviewed.hookEvents.slice(0, 1),
    settings: reviewed.settings.slice(0, 1),
  });
});

test('every name of the SDK has a row', () => {
  const names = namedTools();
  expect(names.length).toBeGreaterThan(50);
  expect(names.filter((name) => !tools.has(name))).toEqual([]);
});

test('every tool and parameter of the client’s types is in the table', () => {
  const typed = typedTools();
  expect(typed.get('Bash')).toEqual(['command', 'timeout', 'description', 'run_in_background', 'dangerouslyDisableSandbox']);
  expect(typed.size).toBeGreaterThan(35);
  expect(unknownParams(typed)).toEqual([]);
});

test('so is every tool and parameter that the client offers the model', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'modes-tools-'));
  const home = path.join(folder, 'home');
  const project = path.join(folder, 'project');
  fs.mkdirSync(project);
  try {
    seedHome(home, [project]);
    const env = { ENABLE_TOOL_SEARCH: 'false', CLAUDE_CODE_USE_POWERSHELL_TOOL: '1' };
    const { requests, lines } = await session({ project, home, env, plugin: null, turns: [say('done')] });
    const offered = new Map(
      requests.flatMap(({ tools: list = [] }) =>
        list.map(({ name, input_schema }) => [name, Object.keys(input_schema?.properties ?? {})] as const),
      ),
    );
    expect([...offered.keys()]).toEqual(expect.arrayContaining(['Bash', 'PowerShell', 'SendMessage', 'Skill']));
    expect(unknownParams(offered)).toEqual([]);
    const listed = lines.find(({ subtype }) => subtype === 'init')?.tools as string[];
    expect(unknownParams(listed.map((name) => [name, []]))).toEqual([]);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
});
