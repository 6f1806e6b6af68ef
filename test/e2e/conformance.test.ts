// The protocol as others check it: the official conformance suite, and the inspector's command line, against the plugin as it is shipped.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pluginFolder, REPOSITORY } from './client.ts';
import { serveOverHttp } from './conformance.ts';
import type { Place } from './place.ts';
import { tddProject } from './project.ts';

const modules = path.join(REPOSITORY, 'node_modules/@modelcontextprotocol');
const suite = path.join(modules, 'conformance/dist/index.js');
const inspector = path.join(modules, 'inspector-cli/build/cli.js');
const here = path.join(REPOSITORY, 'test/e2e');

let place: Place;
beforeAll(() => {
  place = tddProject();
});
afterAll(() => place.remove());

const env = () => ({
  HOME: place.home,
  PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin`,
  CLAUDE_PROJECT_DIR: place.project,
});

async function run(...args: string[]): Promise<{ code: number | null; out: string }> {
  const child = spawn(process.execPath, args, { cwd: place.project, env: env(), stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out };
}

test('the server passes every scenario of the official suite for its declared capabilities', async () => {
  const entry = await serveOverHttp(pluginFolder(), place.project, env());
  const { code, out } = await run(
    ...['--import', path.join(here, 'node-20-glob.mjs'), suite, 'server', '--url', entry.url],
    ...['--expected-failures', path.join(here, 'conformance-baseline.yml')],
  );
  await entry.close();
  expect(code, out).toBe(0);
  const held = [...out.matchAll(/^✓ (\S+): ([1-9]\d*) passed, 0 failed/gm)].map(([, name]) => name);
  expect(held, out).toEqual([
    'server-initialize',
    'ping',
    'tools-list',
    'server-sse-multiple-streams',
    'dns-rebinding-protection',
  ]);
});

test("the inspector's command line lists the tools and calls one, over stdio", async () => {
  const inspect = (...args: string[]) =>
    run(inspector, '--cli', process.execPath, path.join(pluginFolder(), 'dist/server.mjs'), ...args);
  const [listed, called] = await Promise.all([
    inspect('--method', 'tools/list'),
    inspect('--method', 'tools/call', '--tool-name', 'status'),
    inspect(
      '--method',
      'tools/call',
      '--tool-name',
      'transition',
      '--tool-arg',
      'target=feature-dev',
      '--tool-arg',
      'explanation=x',
    ),
  ]);
  expect(listed.code, listed.out).toBe(0);
  const { tools } = JSON.parse(listed.out) as { tools: { name: string }[] };
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['status', 'transition', 'force_transition']));
  expect(tools.map(({ name }) => name)).not.toContain('hook');
  expect(called.code, called.out).toBe(0);
  const result = JSON.parse(called.out) as { content: { text: string }[] };
  expect(JSON.parse(result.content[0]?.text ?? '')).toMatchObject({ current_mode: 'idle' });
});
