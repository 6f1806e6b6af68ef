// The one-shot process: the same decision from the same files, or an exit that closes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { maxEventBytes } from '../../../src/facts/call.ts';
import { builtPlugin } from '../../support/plugin.ts';
import { makeProject, type Project, run } from '../../support/project.ts';

let plugin: string;
beforeAll(async () => {
  plugin = await builtPlugin();
}, 120_000);

const oneShot = (project: Project, stdin: string, { event = 'PreToolUse', env = {}, root = project.root, from = plugin } = {}) =>
  run(process.execPath, [path.join(from, 'dist/hook.cjs'), event, root], { cwd: '/', env: project.env(env), stdin });
const call = (project: Project, tool: string, input: unknown, fields: Record<string, unknown> = {}) =>
  JSON.stringify({
    hook_event_name: 'PreToolUse',
    cwd: project.root,
    tool_name: tool,
    tool_input: input,
    tool_use_id: 't',
    ...fields,
  });
const write = (project: Project, name = 'src/a.js') =>
  call(project, 'Write', { file_path: path.join(project.root, name), content: 'x' });
const effectOf = (out: string) => JSON.parse(out).hookSpecificOutput?.permissionDecision ?? 'pass';

describe('a decision', () => {
  test('is printed as one line that the client accepts', async () => {
    const project = makeProject();
    const { code, out, err } = await oneShot(project, write(project));
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(
      /^\{"hookSpecificOutput":\{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"[^"\\]*(\\u[0-9a-f]{4}[^"\\]*)*"\}\}\n$/,
    );
  });

  test('is the empty object without modes [s:default.pass]', async () => {
    expect(await oneShot(makeProject({ example: null }), 'whatever')).toEqual({ code: 0, out: '{}\n', err: '' });
  });

  test('is made again from the cache, with the same result', async () => {
    const project = makeProject();
    const first = await oneShot(project, write(project));
    expect(await oneShot(project, write(project))).toEqual(first);
    fs.rmSync(path.join(project.data, 'cache'), { recursive: true });
    expect(await oneShot(project, write(project))).toEqual(first);
  });

  test('survives a cache that was damaged in any way', async () => {
    const project = makeProject();
    const first = await oneShot(project, write(project));
    const files = (fs.readdirSync(path.join(project.data, 'cache'), { recursive: true, encoding: 'utf8' }) as string[])
      .map((name) => path.join(project.data, 'cache', name))
      .filter((name) => fs.statSync(name).isFile());
    expect(files.length).toBeGreaterThan(0);
    for (const damage of [
      (file: string) => fs.truncateSync(file, 10),
      (file: string) => fs.writeFileSync(file, 'null'),
      (file: string) => fs.writeFileSync(file, '{}'),
      (file: string) => fs.writeFileSync(file, ''),
    ]) {
      for (const file of files) if (fs.existsSync(file)) damage(file);
      expect(await oneShot(project, write(project))).toEqual(first);
    }
  }, 60_000);

  test('is a deny instead of an ask without a person [s:headless.deny]', async () => {
    const project = makeProject();
    project.put('.claude/settings.idle.json', '{"permissions":{"ask":["Write(a)"]}}');
    expect(effectOf((await oneShot(project, write(project, 'a'))).out)).toBe('ask');
    const headless = await oneShot(project, write(project, 'a'), { env: { CLAUDE_CODE_ENTRYPOINT: 'sdk-cli' } });
    expect(effectOf(headless.out)).toBe('deny');
    expect(headless.out).toContain('no one can approve');
  });

  test('of a broken configuration lets reads pass and denies the rest', async () => {
    const project = makeProject();
    project.put('.claude/modes.yaml', '[');
    expect(effectOf((await oneShot(project, write(project))).out)).toBe('deny');
    expect(effectOf((await oneShot(project, call(project, 'Read', { file_path: 'a' }))).out)).toBe('pass');
  });

  test('with a broken configuration still denies reads, also below a folder', async () => {
    const project = makeProject();
    project.put('.env', 'secret');
    project.put('.claude/settings.idle.json', '{"permissions":{"deny":["Read(.env)"]}}');
    project.put('.claude/settings.test-dev.json', '{"permissions":{"nope":1}}');
    for (const [tool, input] of [
      ['Read', { file_path: '.env' }],
      ['Grep', { pattern: 'x' }],
      ['Bash', { command: 'cat .env' }],
    ] as const)
      expect(effectOf((await oneShot(project, call(project, tool, input))).out), tool).toBe('deny');
    expect(effectOf((await oneShot(project, call(project, 'Read', { file_path: 'README.md' }))).out)).toBe('pass');
  });

  test('protects the folders of the client’s PATH, not of its own', async () => {
    const project = makeProject();
    project.put('.claude/settings.idle.json', '{"permissions":{"allow":["Write(//**)"]}}');
    project.trust();
    fs.mkdirSync(path.join(project.home, 'bin'));
    const event = call(project, 'Write', { file_path: path.join(project.home, 'bin/git'), content: 'x' });
    expect(effectOf((await oneShot(project, event, { env: { MODES_PATH: `${project.home}/bin:/usr/bin` } })).out)).toBe('deny');
    expect(effectOf((await oneShot(project, event)).out)).toBe('allow');
  });
});

describe('an event', () => {
  test.each([
    '',
    ' ',
    'not json',
    'null',
    '[]',
    '"text"',
    '{',
    '{}',
    '{"tool_name":"Write"}',
    '{"tool_name":"Write","tool_input":{},"cwd":"/"}',
    '{"hook_event_name":"Stop","tool_name":"Read","tool_input":{"file_path":"a"},"cwd":"/"}',
    '{"tool_name":"Write","tool_input":{"file_path":"a\\u0000"},"cwd":"/"}',
    '\0\0',
  ])('%j is denied', async (text) => {
    const { code, out } = await oneShot(makeProject(), text);
    expect(code).toBe(0);
    expect(effectOf(out)).toBe('deny');
  });

  test('of 3 MB is decided, of more than 32 MB denied', async () => {
    const project = makeProject();
    expect(
      effectOf((await oneShot(project, call(project, 'Read', { file_path: 'README.md', more: 'x'.repeat(3_000_000) }))).out),
    ).toBe('pass');
    const large = await oneShot(project, call(project, 'Read', { file_path: 'README.md', more: 'x'.repeat(maxEventBytes) }));
    expect(effectOf(large.out)).toBe('deny');
    expect(large.out).toContain('larger than 32 MB');
  }, 60_000);

  test('that arrives slowly is read completely', async () => {
    const project = makeProject();
    const child = spawn(process.execPath, [path.join(plugin, 'dist/hook.cjs'), 'PreToolUse', project.root], {
      env: project.env(),
    });
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      out += text;
    });
    const text = write(project);
    child.stdin.write(text.slice(0, 20));
    await new Promise((waited) => setTimeout(waited, 300));
    child.stdin.end(text.slice(20));
    await once(child, 'close');
    expect(effectOf(out)).toBe('deny');
  });
});

describe('context', () => {
  test.each(['SessionStart', 'SubagentStart'])('of %s', async (event) => {
    const { code, out } = await oneShot(makeProject(), '', { event });
    expect(code).toBe(0);
    expect(JSON.parse(out).hookSpecificOutput).toMatchObject({
      hookEventName: event,
      additionalContext: expect.stringMatching(/^MODE: idle/),
    });
    expect(out.includes('AVAILABLE TRANSITIONS')).toBe(event === 'SessionStart');
  });

  test.each([
    ['ended', 2 ** 22 + 1, true],
    ['runs', process.pid, false],
    ['left no record', null, false],
  ])(
    'of a prompt is one line, and reports if the server of the session ended: it %s [w:context.server-ended]',
    async (_, pid, isTold) => {
      const project = makeProject();
      if (pid !== null) {
        fs.mkdirSync(path.join(project.data, 'sessions'), { recursive: true });
        fs.writeFileSync(path.join(project.data, 'sessions/s-1'), `${pid}\n`);
      }
      const event = JSON.stringify({
        hook_event_name: 'UserPromptSubmit',
        session_id: 's-1',
        cwd: project.root,
        prompt: 'go on',
      });
      const { code, out } = await oneShot(project, event, { event: 'UserPromptSubmit' });
      expect(code).toBe(0);
      const { additionalContext } = JSON.parse(out).hookSpecificOutput;
      expect(additionalContext).toMatch(/^MODE: idle/);
      expect(additionalContext).not.toContain('AVAILABLE TRANSITIONS');
      expect(additionalContext.includes('reconnect plugin:modes:modes')).toBe(isTold);
    },
  );

  test.each([
    ['SessionStart', true],
    ['SubagentStart', false],
  ])('of %s reports a server in place of ours: %s', async (event, isTold) => {
    const project = makeProject();
    project.put('.mcp.json', '{"mcpServers":{"plugin:modes:modes":{"command":"x"}}}');
    const { out } = await oneShot(project, '', { event });
    const { additionalContext } = JSON.parse(out).hookSpecificOutput;
    expect(additionalContext).toMatch(/^MODE: idle/);
    expect(additionalContext.includes('F_SERVER_REPLACED another MCP server called plugin:modes:modes')).toBe(isTold);
  });
});

describe('it fails, so that its caller refuses,', () => {
  const damage: [string, (folder: string) => void][] = [
    ['without the compiled core', (folder) => fs.rmSync(path.join(folder, 'dist/core.wasm'))],
    ['with another core', (folder) => fs.appendFileSync(path.join(folder, 'dist/core.wasm'), 'x')],
    ['without what is known of the core', (folder) => fs.rmSync(path.join(folder, 'dist/core.json'))],
    ['without its second half', (folder) => fs.rmSync(path.join(folder, 'dist/prepare.cjs'))],
    ['outside a plugin', (folder) => fs.rmSync(path.join(folder, '.claude-plugin'), { recursive: true })],
  ];
  test.each(damage)('%s', async (_, break_) => {
    const project = makeProject();
    const folder = path.join(project.home, 'plugin');
    fs.cpSync(plugin, folder, { recursive: true });
    break_(folder);
    const { code, out, err } = await oneShot(project, write(project), { from: folder });
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/^Modes: E_HOOK_CHECK the check failed: ./);
  });
});

test('it changes nothing in the project, and in the data folder only caches', async () => {
  const project = makeProject();
  const before = fs.readdirSync(project.root, { recursive: true }).sort();
  await oneShot(project, write(project));
  expect(fs.readdirSync(project.root, { recursive: true }).sort()).toEqual(before);
  expect(fs.readdirSync(project.data).sort()).toEqual(['cache', 'projects']);
});
