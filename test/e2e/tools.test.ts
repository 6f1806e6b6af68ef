// The table of tools against the pinned client's own: a new tool or parameter needs a row before the client is raised.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { aliases, tools } from '../../src/tools/table.ts';
import { seedHome, session } from './client.ts';
import { say } from './model.ts';
import { namedTools, typedTools } from './sdk.ts';

const unknownParams = (given: Iterable<readonly [string, string[]]>): string[] =>
  [...given].flatMap(([tool, params]) => {
    const row = tools.get(aliases.get(tool) ?? tool);
    if (row === undefined) return [`${tool} has no row`];
    return params.filter((param) => !row.params.includes(param)).map((param) => `${tool}.${param} is not in its row`);
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
