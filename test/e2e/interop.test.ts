// Hosts that ask: the permission-prompt tool in the headless client, the Agent SDK, and a host that speaks the control protocol.
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import type * as sdk from '../../src/adapters/sdk/sdk.ts';
import { loadConfiguration } from '../../src/config/load.ts';
import { prepare } from '../../src/engine/prepare.ts';
import { recordTrust } from '../../src/store/trust.ts';
import { nobody, openProject } from '../../src/workflow/project.ts';
import { clientEnvironment, installClient, pluginFolder, REPOSITORY, session } from './client.ts';
import { playHost } from './host.ts';
import { dataFolder } from './mode.ts';
import { type Block, bash, say, startModel, textOf, use } from './model.ts';
import type { Place } from './place.ts';
import { endMarked } from './processes.ts';
import { plainProject } from './project.ts';
import { installSdk } from './sdk.ts';

let place: Place;
afterEach(() => place.remove());

const modesYaml = 'name: hosted\ndefault: idle\nstop: {phrases: [SILENCE]}\nmodes:\n  idle: {permissionMode: acceptEdits}\n';
const rules = {
  allow: ['Write(notes/**)', 'Bash(touch notes/*)', 'Write(/notes/*)'],
  deny: ['Write(src/**)'],
  ask: ['Bash(npm:*)'],
};

/** A project that a person has approved: notes/ is allowed, src/ denied, npm asked about, and nothing is said of the rest. */
function hosted(): Place {
  const made = plainProject();
  made.write('.claude/modes.yaml', modesYaml);
  made.write('.claude/settings.idle.json', JSON.stringify({ permissions: rules }));
  recordTrust(dataFolder(made.home), made.project, loadConfiguration(made.project).hash, 'terminal', new Date());
  return made;
}

const put = (name: string): Block[] => use('Write', { file_path: path.join(place.project, name), content: 'x\n' });
const written = (): string[] =>
  ['a.txt', 'notes/a.txt', 'notes/b.txt', 'src/a.txt', 'late.txt'].filter((name) => place.exists(name));
const told = (calls: { result?: string }[]): string[] => calls.map(({ result = '' }) => result);

describe('the permission-prompt tool', () => {
  const beside = ['--permission-prompt-tool', 'mcp__plugin_modes_modes__permission_prompt'];

  test('passes a call that a rule allows; without a person, denies an ask and suggests a rule', async () => {
    place = hosted();
    place.write('.claude/settings.json', JSON.stringify({ permissions: { ask: ['Bash(touch notes/b.txt)'] } }));
    const asked = bash('touch notes/b.txt');
    const turns = [put('a.txt'), put('notes/a.txt'), put('src/a.txt'), bash('npm --version'), asked, say('done')];
    const { calls, requests } = await session({ ...place, permissionMode: 'default', turns, args: beside });
    expect(written()).toEqual(['notes/a.txt']);
    expect(told(calls)).toEqual([
      expect.stringMatching(/^No rule of idle matches this call.*no one can approve.*Write\(\/a\.txt\).*headless/),
      expect.stringContaining('created successfully'),
      expect.stringContaining('Write(src/**)'),
      expect.stringContaining('no one can approve'),
      // A rule allows it, and one of the client's own asks.
      expect.stringContaining("The client requires a person's approval"),
    ]);
    // The client keeps it from the model.
    expect(requests[0]?.tools?.filter(({ name }) => name.includes('permission_prompt'))).toEqual([]);
  });

  test('passes a call without a matching rule only if the user configured it', async () => {
    place = hosted();
    const user = 'name: mine\ndefault: idle\nheadless: {pass: allow}\nmodes:\n  idle: {}\n';
    fs.writeFileSync(path.join(place.home, '.claude/modes.yaml'), user);
    const turns = [put('a.txt'), put('src/a.txt'), bash('npm --version'), say('done')];
    const { calls } = await session({ ...place, permissionMode: 'default', turns, args: beside });
    expect(written()).toEqual(['a.txt']);
    expect(told(calls).slice(1)).toEqual([
      expect.stringContaining('Write(src/**)'),
      expect.stringContaining('no one can approve'),
    ]);
  });

  test('works without hooks; an emergency stop ends the turn', async () => {
    place = hosted();
    const config = path.join(place.root, 'mcp.json');
    const server = { command: process.execPath, args: [path.join(pluginFolder(), 'dist/server.mjs')] };
    fs.writeFileSync(config, JSON.stringify({ mcpServers: { asked: server } }));
    const stop = async (): Promise<Block[]> => {
      const env = { HOME: place.home, CLAUDE_PROJECT_DIR: place.project };
      const project = openProject({ start: place.project, env, packageRoot: pluginFolder(), prepare });
      await project?.ready();
      expect(project?.for(nobody).transitions.stop('SILENCE', { session: null, permissionMode: null })).toBe(true);
      return put('late.txt');
    };
    const { calls, requests, lines } = await session({
      ...place,
      plugin: null,
      permissionMode: 'default',
      turns: [put('notes/a.txt'), put('src/a.txt'), bash('npm --version'), stop, say('never said')],
      args: ['--mcp-config', config, '--permission-prompt-tool', 'mcp__asked__permission_prompt'],
    });
    expect(written()).toEqual(['notes/a.txt']);
    expect(told(calls).slice(1, 3)).toEqual([
      expect.stringContaining('Write(src/**)'),
      expect.stringContaining('no one can approve'),
    ]);
    expect(requests.filter(({ tools }) => (tools ?? []).length > 0)).toHaveLength(4);
    expect(JSON.stringify(lines)).not.toContain('never said');
  });
});

interface Sdk {
  query(given: { prompt: AsyncIterable<object>; options: Record<string, unknown> }): AsyncIterable<{ type: string }>;
}

test('the Agent SDK: hooks and canUseTool decide, the caller approves the rest, and the mode limits the permission mode', async () => {
  place = hosted();
  const { query } = (await import(pathToFileURL(path.join(installSdk(), 'sdk.mjs')).href)) as Sdk;
  const { openModes } = (await import(pathToFileURL(path.join(pluginFolder(), 'dist/sdk.mjs')).href)) as typeof sdk;
  const model = await startModel(
    [put('a.txt'), put('notes/a.txt'), put('src/a.txt'), bash('npm --version'), bash('cd notes && touch b.txt'), say('done')],
    [],
  );
  const mark = randomUUID();
  const env = clientEnvironment(place.home, model.url, mark);
  try {
    const modes = await openModes(place.project, { env });
    if (modes === null) throw new Error('no modes');
    expect(await modes.permissionMode('bypassPermissions')).toBe('acceptEdits');
    const asked: string[] = [];
    const canUseTool = modes.canUseTool(async (tool, input) => {
      asked.push(`${tool} ${path.basename(String(input.file_path ?? input.command))}`);
      return { behavior: 'deny' as const, message: 'the host says no' };
    });
    let end = (): void => undefined;
    const ended = new Promise<void>((done) => (end = done));
    const prompt = (async function* () {
      yield { type: 'user', message: { role: 'user', content: 'go' }, parent_tool_use_id: null, session_id: '' };
      await ended;
    })();
    const options = { cwd: place.project, env, pathToClaudeCodeExecutable: installClient(), settingSources: [] };
    const told = { canUseTool, hooks: modes.hooks(), permissionMode: await modes.permissionMode('default') };
    for await (const { type } of query({ prompt, options: { ...options, ...told } })) if (type === 'result') end();
    expect(written()).toEqual(['notes/a.txt']);
    expect(asked).toEqual(['Write a.txt', 'Bash npm --version', 'Bash cd notes && touch b.txt']);
    const said = model.requests.map(textOf).join('\n');
    expect(said).toContain('Write(src/**)');
    expect(said).toMatch(/MODE: idle/i);
  } finally {
    endMarked(mark);
    await model.close();
  }
});

test('the example in the docs type-checks against the Agent SDK', () => {
  place = plainProject();
  const [, example = ''] =
    /^```ts\n([\s\S]*?)^```$/m.exec(fs.readFileSync(path.join(REPOSITORY, 'docs/interop.md'), 'utf8')) ?? [];
  const wrong = `${example}\n// @ts-expect-error: it is no permission handler\nquery({ prompt: '', options: { canUseTool: modes.hooks() } });\n`;
  place.write('example.mts', wrong);
  for (const [name, folder] of [
    ['claude-modes-mcp', pluginFolder()],
    ['@anthropic-ai/claude-agent-sdk', installSdk()],
  ] as const) {
    const link = path.join(place.project, 'node_modules', name);
    fs.mkdirSync(path.dirname(link), { recursive: true });
    fs.symlinkSync(folder, link);
  }
  const modules = path.join(REPOSITORY, 'node_modules');
  const words = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2022', '--types', 'node'];
  const { stdout, status } = spawnSync(
    path.join(modules, '.bin/tsc'),
    [...words, '--typeRoots', path.join(modules, '@types'), 'example.mts'],
    {
      cwd: place.project,
      encoding: 'utf8',
    },
  );
  expect([stdout, status]).toEqual(['', 0]);
});

test('a host in another language: modes control answers the client, before the first message too', async () => {
  place = hosted();
  const turns = [put('../outside.txt'), bash('npm --version'), put('src/a.txt'), bash('touch notes/b.txt'), say('done')];
  place.write('notes/c.txt', '');
  const { messages, answers } = await playHost(place, turns, [
    { subtype: 'set_permission_mode', mode: 'bypassPermissions' },
    { subtype: 'set_permission_mode', mode: 'default' },
  ]);
  const behaviors = answers.map(({ response }) => (response?.response as { behavior?: string } | undefined)?.behavior);
  expect(messages.find(({ subtype }) => subtype === 'init')?.permissionMode).toBe('default');
  expect(answers.slice(0, 2).map(({ response }) => (response as { subtype?: string }).subtype)).toEqual(['error', 'success']);
  expect(behaviors.slice(2)).toEqual(['deny', 'deny', 'deny', 'allow']);
  expect(written()).toEqual(['notes/b.txt']);
  expect(fs.existsSync(path.join(place.root, 'outside.txt'))).toBe(false);
});
