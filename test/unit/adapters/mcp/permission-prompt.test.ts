// The permission-prompt tool of the built server: there where nobody can be asked, and one text block of JSON as the answer.
import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { Session } from '../../../support/mcp-session.ts';
import { builtPlugin } from '../../../support/plugin.ts';
import { makeProject } from '../../../support/project.ts';

beforeAll(async () => void (await builtPlugin()), 120_000);

const headless = { env: { CLAUDE_CODE_ENTRYPOINT: 'sdk-cli' } };
const names = async (session: Session): Promise<string[]> =>
  ((await session.request('tools/list')).result as { tools: { name: string }[] }).tools.map(({ name }) => name);

test('is listed only in a headless session', async () => {
  expect(await names(await Session.start(makeProject(), headless))).toContain('permission_prompt');
  const attended = await Session.start(makeProject());
  expect(await names(attended)).not.toContain('permission_prompt');
  expect((await attended.tool('permission_prompt', { tool_name: 'Read', input: {} })).error).toMatch(/Unknown tool/);
});

describe('in a headless session', () => {
  test('answers in the form that the client accepts, and logs the decision', async () => {
    const project = makeProject();
    const session = await Session.start(project, headless);
    const ask = async (given: Record<string, unknown>) => (await session.tool('permission_prompt', given)).value;
    const write = {
      tool_name: 'Write',
      input: { file_path: path.join(project.root, 'src/a.js'), content: '' },
      tool_use_id: 't1',
    };
    expect(await ask(write)).toEqual({ behavior: 'deny', message: expect.stringContaining('@edit') });
    expect(await ask({ tool_name: 'Write', input: null })).toMatchObject({ behavior: 'deny' });
    expect(await ask({})).toMatchObject({ behavior: 'deny' });
    const log = path.join(project.data, 'projects');
    await expect
      .poll(() =>
        (fs.readdirSync(log, { recursive: true }) as string[])
          .filter((name) => name.endsWith('.jsonl'))
          .map((name) => fs.readFileSync(path.join(log, name), 'utf8'))
          .join(''),
      )
      .toContain('"requested_by":"prompt"');
  });

  test('uses the place that PreToolUse announced; a call that was allowed there and is asked about needs a person [s:headless.asked]', async () => {
    const project = makeProject();
    const permissions = { allow: ['Write(notes/**)', 'Write(/b.md)'], deny: ['Write(secret/**)'] };
    project.put('.claude/settings.idle.json', JSON.stringify({ permissions }));
    project.put('.claude/settings.any.json', '{}');
    for (const name of ['notes', 'secret']) fs.mkdirSync(path.join(project.root, name));
    project.trust();
    const session = await Session.start(project, headless);
    const told = async (id: string, folder: string) => {
      const event = { tool_name: 'Write', tool_input: { file_path: 'a.md', content: '' }, cwd: path.join(project.root, folder) };
      await session.hook({ ...event, hook_event_name: 'PreToolUse', session_id: 'session-1', tool_use_id: id });
    };
    await told('denied', 'secret');
    await told('allowed', 'notes');
    const ask = async (tool_name: string, tool_use_id: string, file_path = 'a.md') => {
      const given = { tool_name, input: { file_path, content: '' }, tool_use_id };
      const { behavior, message } = (await session.tool('permission_prompt', given)).value as Record<string, string>;
      return `${behavior} ${message}`;
    };
    expect(await ask('Write', 'denied')).toMatch(/^deny .*Write\(secret/);
    expect(await ask('Write', 'allowed')).toMatch(/^deny The client requires a person's approval/);
    expect(await ask('Write', 'never told')).toMatch(/^deny No rule of idle/);
    expect(await ask('Write', 'never told', 'b.md')).toMatch(/^allow/);
    expect(await ask('Edit', 'denied')).not.toContain('secret');
    const given = { tool_name: 'Write', input: { file_path: 'b.md', content: '' }, blocked_path: ['/etc'] };
    expect((await session.tool('permission_prompt', given)).value).toMatchObject({ behavior: 'deny' });
  });

  test('denies without modes', async () => {
    const session = await Session.start(makeProject({ example: null }), headless);
    const { value } = await session.tool('permission_prompt', { tool_name: 'Read', input: { file_path: '/etc/hosts' } });
    expect(value).toMatchObject({ behavior: 'deny', message: expect.stringContaining('no modes') });
  });
});
