// A server that runs on while the plugin is replaced: what the new version asks is answered, and not by the old one.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { afterTest } from '../../support/cleanup.ts';
import { builtPlugin } from '../../support/plugin.ts';
import { makeProject, type Project, run } from '../../support/project.ts';

const session = '00000000-0000-4000-8000-000000000000';

/** A copy of the plugin as another version would be installed beside it. */
async function version(name: string, change: (folder: string) => void = () => undefined): Promise<string> {
  const folder = path.join(fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'modes-version-')), name);
  afterTest(() => fs.rmSync(path.dirname(folder), { recursive: true, force: true }));
  fs.cpSync(await builtPlugin(), folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'dist/build'), `${name}\n`);
  change(folder);
  return folder;
}

/** Starts the server and waits until it has the project's socket. */
async function serve(project: Project, plugin: string): Promise<void> {
  const child = spawn(process.execPath, [path.join(plugin, 'dist/server.mjs')], {
    cwd: project.root,
    env: project.env({ CLAUDE_PLUGIN_ROOT: plugin, CLAUDE_CODE_SESSION_ID: session }),
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const ended = once(child, 'close');
  afterTest(async () => {
    child.stdin.end();
    await ended;
  });
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '0' } };
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params })}\n`);
  const record = path.join(project.data, 'sessions', session);
  const isThere = () => fs.existsSync(path.join(project.root, '.claude/mode.sock')) && fs.existsSync(record);
  await expect.poll(isThere, { timeout: 30_000 }).toBe(true);
}

const withoutOneShot = (folder: string) => fs.rmSync(path.join(folder, 'dist/hook.cjs'));

async function asked(project: Project, plugin: string, file: string): Promise<string> {
  const event = {
    session_id: session,
    cwd: project.root,
    hook_event_name: 'PreToolUse',
    tool_name: 'Write',
    tool_input: { file_path: path.join(project.root, file), content: 'x' },
    tool_use_id: `toolu_${file}`,
    permission_mode: 'default',
  };
  const { code, out } = await run('/bin/sh', [path.join(plugin, 'hooks/client.sh'), 'PreToolUse'], {
    cwd: project.root,
    env: project.env({ CLAUDE_PLUGIN_ROOT: plugin, CLAUDE_CODE_SESSION_ID: session }),
    stdin: JSON.stringify(event),
  });
  return code === 2 ? 'refused' : (/"permissionDecision":"(\w+)"/.exec(out)?.[1] ?? out.trim());
}

test('an old server and a new plugin: the new one decides by itself; an old one with its server, by that', {
  timeout: 120_000,
}, async () => {
  const project = makeProject();
  const old = await version('old');
  await serve(project, old);
  const fresh = await version('new');
  for (const plugin of [old, fresh]) {
    // The example begins in idle, where nothing is written.
    expect([await asked(project, plugin, 'src/a.ts'), await asked(project, plugin, 'test/a.test.ts')]).toEqual(['deny', 'deny']);
  }
  // Which of both answered shows when the one-shot process is taken away.
  expect(await asked(project, await version('old', withoutOneShot), 'src/a.ts')).toBe('deny');
  expect(await asked(project, await version('new', withoutOneShot), 'src/a.ts')).toBe('refused');
});

test('an old plugin reads the files of a new one as far as it understands them, and otherwise refuses with a remedy', {
  timeout: 120_000,
}, async () => {
  const project = makeProject();
  const plugin = await version('old');
  const folder = path.join(project.data, 'projects');
  expect(await asked(project, plugin, 'src/a.ts')).toBe('deny');
  await run(process.execPath, [path.join(plugin, 'dist/modes.mjs'), 'stop'], { cwd: project.root, env: project.env() });
  const [journal] = (fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }) as string[]).filter((name) =>
    /journal\/0+1\.json$/.test(name),
  );
  const file = path.join(folder, journal as string);
  fs.writeFileSync(file, JSON.stringify({ ...JSON.parse(fs.readFileSync(file, 'utf8')), version: 2 }));
  const { code, out } = await run(process.execPath, [path.join(plugin, 'dist/modes.mjs'), 'status'], {
    cwd: project.root,
    env: project.env(),
  });
  expect(code).toBe(1);
  expect(out).toContain('was written by a later version of Modes');
  expect(out).toContain('/modes:mode NAME');
});
