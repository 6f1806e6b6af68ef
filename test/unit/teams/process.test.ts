// The built programs: a server that sends what it decides, and a command line that publishes, both over TLS.
import fs from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import type { LogEvent } from '../../../src/store/log/event.ts';
import { runDetached } from '../../support/detached.ts';
import { Session } from '../../support/mcp-session.ts';
import { builtPlugin } from '../../support/plugin.ts';
import { makeProject } from '../../support/project.ts';
import { certificate, keysOf, layerFiles, signed, TestServer } from '../../support/team-server.ts';

let plugin: string;
beforeAll(async () => {
  plugin = await builtPlugin();
}, 120_000);

test('a server sends its decisions to the configured address, without the excluded fields', async () => {
  const server = await TestServer.start();
  const events: LogEvent[] = [];
  server.answer = ({ body }) => {
    events.push(...(JSON.parse(gunzipSync(body).toString()) as LogEvent[]));
    return { status: 200 };
  };
  const project = makeProject();
  const own = path.join(project.home, '.claude');
  fs.writeFileSync(path.join(own, 'ca.pem'), certificate().cert);
  fs.writeFileSync(
    path.join(own, 'teams.yaml'),
    `logs: {url: "${server.url}/logs", ca: ca.pem, every: 50ms, mask: [/input/tool/input]}\n`,
  );
  const session = await Session.start(project);
  expect(await session.decide('Write', { file_path: path.join(project.root, 'src/a.js'), content: 'x' })).toBe('deny');
  expect(await session.decide('Bash', { command: 'ls' })).not.toBe('deny');
  await expect.poll(() => events.map(({ result }) => result.tool), { timeout: 20_000 }).toEqual(['Write', 'Bash']);
  for (const { input, erased, labels } of events) {
    expect(input.tool).not.toHaveProperty('input');
    expect(erased).toContain('/input/tool/input');
    expect(labels.session).toBe('session-1');
  }
  expect(session.err).not.toMatch(/not sent/);
});

test('certificates that the environment adds are not accepted', async () => {
  const server = await TestServer.start();
  server.answer = () => ({ status: 200 });
  const project = makeProject();
  project.put('ca.pem', certificate().cert);
  const adding = { NODE_EXTRA_CA_CERTS: path.join(project.root, 'ca.pem') };
  fs.writeFileSync(path.join(project.home, '.claude/teams.yaml'), `logs: {url: "${server.url}/logs", every: 50ms}\n`);
  const session = await Session.start(project, { env: adding });
  await session.decide('Bash', { command: 'ls' });
  await expect.poll(() => session.err, { timeout: 20_000 }).toMatch(/not sent: .*SELF_SIGNED/);
  const asking = `
    const { OpaClient } = await import(process.argv[1]);
    for (const ownOnly of [false, true]) {
      const client = new OpaClient({ ca: null, ownOnly, deadlineMs: 20000, maxBytes: 1024 });
      const answer = await client.ask({ url: process.argv[2], body: '{}', token: null });
      console.log(answer.status ?? answer.fault);
      await client.close();
    }`;
  const client = path.resolve('src/policy/remote/opa-client.mjs');
  const node = [process.execPath, '--input-type=module', '-e', asking, client, server.url];
  const { out } = await runDetached(node, { cwd: project.root, env: { PATH: '/usr/bin:/bin', ...adding } });
  expect(out.split('\n')).toEqual(['200', expect.stringMatching(/SELF_SIGNED/), '']);
  expect(server.requests.map(({ url }) => url)).toEqual(['/v1/data/modes/verdict?provenance=true']);
});

test('a signed bundle is uploaded, and an unsigned one is not', async () => {
  const server = await TestServer.start();
  server.answer = ({ headers }) =>
    headers.authorization === 'Bearer t0ken' ? { status: 201, headers: { etag: '"7"' } } : { status: 401 };
  const project = makeProject({ example: null });
  const bytes = await signed(layerFiles({ deny: ['Bash(curl:*)'] }));
  fs.writeFileSync(path.join(project.root, 'b.tar.gz'), bytes);
  project.put('ca.pem', certificate().cert);
  project.put('token', 't0ken\n');
  project.put('public.pem', keysOf('ES256').public.toString());
  const modes = (...args: string[]) =>
    runDetached([process.execPath, path.join(plugin, 'dist/modes.mjs'), 'bundle', ...args], {
      cwd: project.root,
      env: { HOME: project.home, PATH: '/usr/bin:/bin' },
    });
  const url = `${server.url}/bundles/b.tar.gz`;
  const pushed = await modes('push', 'b.tar.gz', url, '--ca', 'ca.pem', '--token', 'token', '--json');
  expect(JSON.parse(pushed.out)).toEqual({ url, bytes: bytes.length, etag: '"7"' });
  expect(server.requests.map(({ method, url: at, body }) => [method, at, body.equals(bytes)])).toEqual([
    ['PUT', '/bundles/b.tar.gz', true],
  ]);
  const refused = await modes('push', 'b.tar.gz', url, '--ca', 'ca.pem');
  expect([refused.code, refused.err]).toEqual([
    1,
    expect.stringMatching(/^E_BUNDLE_FETCH The bundle cannot be sent: .* answers 401\. Check the address, .*--token/),
  ]);
  const unknown = await modes('push', 'b.tar.gz', url, '--token', 'token');
  expect([unknown.code, unknown.err]).toEqual([
    1,
    expect.stringMatching(/^E_BUNDLE_FETCH The bundle cannot be sent: .*SELF_SIGNED.*--ca/),
  ]);
});

/** A bundle with everything that it imports at its start. */
function closureOf(name: string, seen = new Set<string>()): Set<string> {
  if (seen.has(name)) return seen;
  seen.add(name);
  const text = fs.readFileSync(path.join(plugin, 'dist', name), 'utf8');
  for (const [, next = ''] of text.matchAll(/(?:^|[;\n}])\s*(?:import|export)\s*(?:[^;'"()]*?\bfrom\s*)?"\.\/([\w.-]+)"/g))
    closureOf(next, seen);
  return seen;
}

test('only processes that need HTTP and signatures load them', () => {
  const files = fs.readdirSync(path.join(plugin, 'dist')).filter((name) => /\.(mjs|cjs)$/.test(name));
  const holding = (what: string) =>
    files.filter((name) => fs.readFileSync(path.join(plugin, 'dist', name), 'utf8').includes(what));
  for (const mark of ['llhttp', 'JWSSignatureVerificationFailed']) {
    expect(holding(mark).length, mark).toBeGreaterThan(0);
    for (const start of ['server.mjs', 'modes.mjs']) expect(closureOf(start).size, start).toBeGreaterThan(1);
    for (const start of ['server.mjs', 'modes.mjs', 'hook.cjs', 'hook-main.cjs', 'prepare.cjs'])
      expect(
        [...closureOf(start)].filter((name) => holding(mark).includes(name)),
        `${start} ${mark}`,
      ).toEqual([]);
  }
});
