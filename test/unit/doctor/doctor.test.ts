// modes doctor without a real client: what is installed, whose it is, what goes along into a dry run, what is said and exited with.
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import Ajv from 'ajv';
import { beforeAll, describe, expect, test } from 'vitest';
import { checkEnabled, checkMarketplace, isOlder } from '../../../src/adapters/cli/doctor-installation.ts';
import { placeOf } from '../../../src/facts/paths/place.ts';
import { isRunning } from '../../../src/store/server-record.ts';
import type { SettingsSource } from '../../../src/workflow/findings/settings.ts';
import { kinds } from '../../../src/workflow/findings/types.ts';
import { builtPlugin, repository } from '../../support/plugin.ts';
import { run } from '../../support/project.ts';
import { doctor, type Health, makeClient, makeHealthy } from './fixture.ts';

beforeAll(async () => void (await builtPlugin()), 120_000);

interface Report {
  versions: Record<string, unknown>;
  proofs: { name: string; held: boolean | null; detail: string }[];
  findings: { code: string; severity: string; file: string; what: string }[];
}
const validate = new Ajv({ strict: true, allowUnionTypes: true }).compile(
  JSON.parse(fs.readFileSync(path.join(repository, 'schemas/output/doctor.schema.json'), 'utf8')),
);
async function report(project: Health, args: string[] = ['--no-client'], env: NodeJS.ProcessEnv = {}) {
  const { code, out, err } = await doctor(project, ['--json', ...args], env);
  expect(err).toBe('');
  const said = JSON.parse(out) as Report;
  expect(validate(said), JSON.stringify(validate.errors)).toBe(true);
  return { code, ...said, codes: said.findings.map((one) => one.code) };
}

test('reports a healthy installation, and the checks that were not made', async () => {
  const { code, codes, proofs, versions } = await report(await makeHealthy());
  expect([code, codes]).toEqual([0, []]);
  expect(proofs.map(({ name, held, detail }) => [name, held, detail])).toEqual(
    ['allowed', 'denied', 'closed'].map((name) => [name, null, '--no-client was given']),
  );
  expect(versions).toEqual({
    node: expect.stringMatching(/^\d+\./),
    client: null,
    modes: '0.1.0',
    plugin: { id: 'modes@modes', version: '0.1.0', build: 'test-build' },
    core: expect.stringMatching(/^sha256:/),
  });
});

test('the commands of the guide print the documented output', async () => {
  const guide = fs.readFileSync(path.join(repository, 'docs/doctor.md'), 'utf8');
  const blocks = [...guide.matchAll(/^```console\n([\s\S]*?)^```$/gm)].map(([, text]) => text!);
  expect(blocks).toHaveLength(2);
  const project = await makeHealthy();
  for (const block of blocks) {
    const [command = '', ...printed] = block.trimEnd().split('\n');
    const ended = await doctor(project, command.replace(/^\$ modes doctor /, '').split(' '));
    expect([ended.code, ended.err]).toEqual([0, '']);
    for (const line of printed) expect(`\n${ended.out}`).toContain(`\n${line}`);
  }
});

test('the guide names the warnings', () => {
  const [, listed = ''] =
    /Warnings: (.*?)\. Every other/.exec(fs.readFileSync(path.join(repository, 'docs/doctor.md'), 'utf8')) ?? [];
  const warnings = Object.entries(kinds).filter(([, { severity }]) => severity === 'warning');
  expect(listed.split(', ')).toEqual(warnings.map(([code]) => `\`${code}\``));
});

describe('what is installed', () => {
  const rows: [string, (project: Health) => void, string[], number][] = [
    ['no plugin', ({ home }) => fs.rmSync(path.join(home, '.claude/plugins'), { recursive: true }), ['F_PLUGIN_ABSENT'], 1],
    [
      'a plugin of another project',
      ({ putHome, plugin }) =>
        putHome(
          'plugins/installed_plugins.json',
          JSON.stringify({ plugins: { 'modes@modes': [{ projectPath: '/elsewhere', installPath: plugin }] } }),
        ),
      ['F_PLUGIN_ABSENT'],
      1,
    ],
    ['a plugin that is gone', ({ plugin }) => fs.rmSync(plugin, { recursive: true }), ['F_PLUGIN_ABSENT'], 1],
    [
      'a plugin switched off',
      ({ putHome }) => putHome('settings.json', '{"enabledPlugins":{"modes@modes":false}}'),
      ['F_PLUGIN_OFF'],
      1,
    ],
    [
      'a plugin switched off here',
      ({ put }) => put('.claude/settings.local.json', '{"enabledPlugins":{"modes@modes":false}}'),
      ['F_PLUGIN_OFF'],
      1,
    ],
    ['another build', ({ plugin }) => fs.writeFileSync(path.join(plugin, 'dist/build'), 'other\n'), ['F_PLUGIN_OTHER'], 0],
    ['changed hooks', ({ plugin }) => fs.appendFileSync(path.join(plugin, 'hooks/hooks.json'), ' '), ['F_PLUGIN_DAMAGED'], 1],
    ['no hook client', ({ plugin }) => fs.rmSync(path.join(plugin, 'hooks/client.sh')), ['F_PLUGIN_DAMAGED'], 1],
    ['no policy worker', ({ plugin }) => fs.rmSync(path.join(plugin, 'dist/policy-worker.mjs')), ['F_PLUGIN_DAMAGED'], 1],
    ['a damaged core', ({ plugin }) => fs.truncateSync(path.join(plugin, 'dist/core.wasm'), 100), ['F_PLUGIN_DAMAGED'], 1],
    [
      'a Node that is too old',
      ({ data }) => {
        const file = path.join(data, 'old-node');
        fs.writeFileSync(file, '#!/bin/sh\necho v18.20.0\n', { mode: 0o755 });
        fs.writeFileSync(path.join(data, 'node'), `${file}\n`);
      },
      ['F_NODE'],
      1,
    ],
    ['hooks switched off', ({ putHome }) => putHome('settings.json', '{"disableAllHooks":true}'), ['F_HOOKS_OFF'], 1],
    ['another server of our name', ({ put }) => put('.mcp.json', '{"mcpServers":{"modes":{"command":"x"}}}'), ['F_SAME_NAME'], 1],
    ['modes of a folder inside', ({ put }) => put('sub/.claude/modes.yaml', 'name: x'), ['F_NESTED_PROJECT'], 0],
  ];
  test.each(rows)('%s', async (_, damage, expected, code) => {
    const project = await makeHealthy({ copy: true });
    damage(project);
    expect(await report(project)).toMatchObject({ code, codes: expected });
  });

  test.each<[object, string[]]>([
    [{}, []],
    [{ enabledPlugins: { 'modes@modes': false } }, ['modes@modes switched off']],
    [{ strictKnownMarketplaces: [] }, ['strictKnownMarketplaces without the marketplace of modes@modes']],
    [{ strictKnownMarketplaces: [{ source: 'github', repo: 'a/other' }] }, [expect.stringContaining('modes@modes')]],
    [{ strictKnownMarketplaces: [{ source: 'directory', path: '/shop' }] }, [expect.stringContaining('modes@modes')]],
    [{ strictKnownMarketplaces: [{ source: 'github', repo: 'a/b' }] }, []],
    [{ strictKnownMarketplaces: [{ source: 'hostPattern', hostPattern: '.' }] }, []],
  ])('managed settings that do not let the plugin load: %j', async (managed, expected) => {
    const project = await makeHealthy();
    const known = { modes: { source: { source: 'github', repo: 'a/b' } } };
    project.putHome('plugins/known_marketplaces.json', JSON.stringify(known));
    const place = placeOf(project.root, { HOME: project.home }, null);
    const installed = { id: 'modes@modes', folder: project.plugin, version: '1', build: 'x', isByHand: false };
    const text = JSON.stringify(managed);
    const settings: SettingsSource[] = [{ file: '/m', origin: 'managed', value: managed, text, strict: true, readable: true }];
    const found = [...checkEnabled(installed, settings), ...checkMarketplace(installed, settings, place)];
    expect(found.map(({ code, what }) => [code, what])).toEqual(expected.map((what) => ['F_HOOKS_MANAGED', what]));
  });

  test('a plugin of a directory marketplace is checked in place', async () => {
    const project = await makeHealthy({ copy: true });
    project.putHome('plugins/installed_plugins.json', '{"plugins":{"modes@shop":[{"installPath":"/nowhere"}]}}');
    const known = { shop: { source: { source: 'directory', path: project.plugin }, installLocation: project.plugin } };
    project.putHome('plugins/known_marketplaces.json', JSON.stringify(known));
    expect((await report(project)).codes).toEqual([]);
    fs.rmSync(path.join(project.plugin, 'hooks/hooks.json'));
    const { findings } = await report(project);
    expect(findings.map(({ code, file }) => [code, file])).toEqual([
      ['F_PLUGIN_DAMAGED', path.join(project.plugin, 'hooks/hooks.json')],
    ]);
  });

  test('versions are compared by their parts', () => {
    const older = ['2.1.294', '2.0.999', '1.9.9', '2.1.30'];
    const newer = ['2.1.295', '2.1.1000', '2.2.0', '3.0.0', '10.0.0'];
    expect(older.map((version) => isOlder(version, [2, 1, 295]))).toEqual(older.map(() => true));
    expect(newer.map((version) => isOlder(version, [2, 1, 295]))).toEqual(newer.map(() => false));
  });
});

describe('owners and permissions', () => {
  test.each<[string, (project: Health) => [string, number], string]>([
    ['the data folder', ({ data }) => [data, 0o755], 'mode 755'],
    ['the settings of a mode', ({ root }) => [path.join(root, '.claude/settings.idle.json'), 0o666], 'mode 666'],
    ['the folder of the modes', ({ root }) => [path.join(root, '.claude'), 0o777], 'mode 777'],
  ])('%s that is open to others', async (_, what, said) => {
    const project = await makeHealthy();
    const [file, mode] = what(project);
    fs.chmodSync(file, mode);
    const { code, findings } = await report(project);
    expect(findings).toEqual([expect.objectContaining({ code: 'F_OPEN_TO_OTHERS', file, what: expect.stringContaining(said) })]);
    expect(code).toBe(1);
  });

  test('signing keys that others may write', async () => {
    const project = await makeHealthy();
    const file = path.join(project.home, '.claude/modes.keys.pem');
    fs.writeFileSync(file, '');
    fs.chmodSync(file, 0o664);
    expect((await report(project)).findings).toEqual([expect.objectContaining({ code: 'F_OPEN_TO_OTHERS', file })]);
  });

  test('a file in place of .claude has no socket', async () => {
    const project = await makeHealthy();
    fs.rmSync(path.join(project.root, '.claude'), { recursive: true });
    fs.writeFileSync(path.join(project.root, '.claude'), '');
    expect((await report(project)).codes).not.toContain('F_SOCKET_FOREIGN');
  });

  test('a socket: live, stale, of another kind, open to others', async () => {
    const project = await makeHealthy();
    const file = path.join(project.root, '.claude/mode.sock');
    const listen = async (): Promise<net.Server> => {
      const server = net.createServer((socket) => socket.end());
      await new Promise<void>((ready) => server.listen(file, ready));
      return server;
    };
    const server = await listen();
    expect((await report(project)).codes).toEqual(['F_OPEN_TO_OTHERS']);
    fs.chmodSync(file, 0o600);
    expect((await report(project)).codes).toEqual([]);
    fs.linkSync(file, `${file}.kept`);
    await new Promise((closed) => server.close(closed));
    fs.renameSync(`${file}.kept`, file);
    expect(await report(project)).toMatchObject({ code: 0, codes: ['F_SOCKET_STALE'] });
    fs.rmSync(file);
    fs.writeFileSync(file, '');
    expect(await report(project)).toMatchObject({ code: 1, codes: ['F_SOCKET_FOREIGN'] });
  });
});

describe('the client', () => {
  test('that is missing is a finding that names the unproven checks', async () => {
    const { code, findings, proofs } = await report(await makeHealthy(), []);
    expect(code).toBe(0);
    expect(findings).toEqual([
      expect.objectContaining({ code: 'F_CLIENT_ABSENT', means: expect.stringContaining('not proven') }),
    ]);
    expect(proofs.map(({ held }) => held)).toEqual([null, null, null]);
  });

  test('is found in PATH, else in its own folder', async () => {
    const project = await makeHealthy();
    const folder = path.join(project.home, 'bin');
    makeClient(folder, '2.1.200 (Claude Code)');
    const { codes, versions, code } = await report(project, [], { PATH: `/usr/bin:/bin:${folder}` });
    expect([code, codes, versions.client]).toEqual([1, ['F_CLIENT_OLD'], '2.1.200']);
    makeClient(path.join(project.home, '.claude/local'), '2.1.201 (Claude Code)');
    expect((await report(project, [])).versions.client).toBe('2.1.201');
  });

  test('that prints no version, or ends at once, proves nothing', async () => {
    const project = await makeHealthy();
    const silent = makeClient(path.join(project.home, 'a'), 'hello');
    expect(await report(project, ['--client', silent])).toMatchObject({ code: 0, codes: ['F_NOT_PROVEN'] });
    const ends = makeClient(path.join(project.home, 'b'), '2.1.330', 'echo no network >&2; exit 3');
    const { codes, proofs } = await report(project, ['--client', ends]);
    expect(codes).toEqual(['F_NOT_PROVEN', 'F_NOT_PROVEN', 'F_NOT_PROVEN']);
    expect(proofs[0]?.detail).toMatch(/ended with 3: no network/);
  });

  test('ends with an interrupted doctor, and nothing remains', async () => {
    const project = await makeHealthy();
    const folder = path.join(path.dirname(project.home), 'client');
    const client = makeClient(folder, '2.1.330', 'echo "$PPID $$" >"$HERE/new"; mv "$HERE/new" "$HERE/pids"; exec sleep 60');
    const temporary = path.join(path.dirname(project.home), 'tmp');
    fs.mkdirSync(temporary);
    const ended = doctor(project, ['--client', client], { TMPDIR: temporary });
    await expect.poll(() => fs.existsSync(path.join(folder, 'pids')), { timeout: 30_000 }).toBe(true);
    const [own, its] = fs.readFileSync(path.join(folder, 'pids'), 'utf8').split(' ').map(Number);
    process.kill(own!, 'SIGTERM');
    // As a shell says of a program that the signal ended.
    expect(await ended).toMatchObject({ code: 128 + 15, out: '' });
    await expect.poll(() => isRunning(its!)).toBe(false);
    expect(fs.readdirSync(temporary)).toEqual([]);
  });

  test('gets only the user’s settings about hooks and the plugin, and leaves no file', async () => {
    const project = await makeHealthy();
    const secret = 'sk-ant-of-the-user';
    const settings = {
      enabledPlugins: { 'modes@modes': true, 'other@shop': true },
      disableAllHooks: false,
      env: { ANTHROPIC_API_KEY: secret },
      apiKeyHelper: `echo ${secret}`,
      hooks: { Stop: [] },
      permissions: { allow: ['Bash'] },
    };
    project.putHome('settings.json', JSON.stringify(settings));
    project.putHome('.credentials.json', `{"token":"${secret}"}`);
    fs.writeFileSync(path.join(project.home, '.claude.json'), `{"oauth":"${secret}"}`);
    project.put('.claude/settings.json', `{"env":{"X_KEY":"${secret}"}}`);
    const folder = path.join(path.dirname(project.home), 'client');
    const client = makeClient(folder, '2.1.330', 'env >"$HERE/env"; cp -R "$HOME" "$HERE/home"; cp -R . "$HERE/project"; exit 3');
    const kept = () => fs.readdirSync(project.home, { recursive: true }).sort();
    const before = kept();
    await report(project, ['--client', client], { ANTHROPIC_API_KEY: secret, AWS_SECRET_ACCESS_KEY: secret, LANG: 'C.UTF-8' });
    expect(kept()).toEqual(before);
    const env = Object.fromEntries(
      fs
        .readFileSync(path.join(folder, 'env'), 'utf8')
        .split('\n')
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    );
    expect(env).toMatchObject({ LANG: 'C.UTF-8', ANTHROPIC_BASE_URL: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) });
    expect(env.HOME).not.toBe(project.home);
    expect(fs.existsSync(path.dirname(env.HOME!))).toBe(false);
    const found = fs
      .readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
      .filter((file) => fs.readFileSync(file, 'latin1').includes(secret));
    expect(found).toEqual([]);
    expect(JSON.parse(fs.readFileSync(path.join(folder, 'home/.claude/settings.json'), 'utf8'))).toEqual({
      disableAllHooks: false,
      enabledPlugins: { 'modes@modes': true },
    });
    expect(JSON.parse(fs.readFileSync(path.join(folder, 'project/.claude/settings.json'), 'utf8'))).toEqual({});
    expect(fs.existsSync(path.join(folder, 'home/.claude/plugins/marketplaces/modes/hooks/hooks.json'))).toBe(true);
  });

  test('is not started inside a client', async () => {
    const project = await makeHealthy();
    const folder = path.join(project.home, 'client');
    const client = makeClient(folder, '2.1.330', 'touch "$HERE/started"');
    const program = path.join(await builtPlugin(), 'dist/modes.mjs');
    const env = { HOME: project.home, PATH: '/usr/bin:/bin', CLAUDECODE: '1' };
    const ended = await run(process.execPath, [program, 'doctor', '--client', client], { cwd: project.root, env });
    expect(ended.out).toMatch(/F_NOT_PROVEN not started, because CLAUDECODE is set/);
    expect(fs.existsSync(path.join(folder, 'started'))).toBe(false);
  });

  test('that is no program is wrong usage', async () => {
    const ended = await doctor(await makeHealthy(), ['--client', '/nowhere/claude']);
    expect(ended).toMatchObject({ code: 64, out: '', err: expect.stringContaining('there is no program /nowhere/claude') });
  });
});

test('prints no colors in a pipe, and errors before warnings', async () => {
  const project = await makeHealthy();
  project.put('sub/.claude/modes.yaml', 'name: x');
  project.put('.mcp.json', '{"mcpServers":{"modes":{"command":"x"}}}');
  const { out } = await doctor(project, ['--no-client']);
  expect(out).not.toContain('\x1b');
  expect(out.split('\n').flatMap((line) => /^(error|warning) .* (F_\w+)/.exec(line)?.slice(1).join(' ') ?? [])).toEqual([
    'error F_SAME_NAME',
    'warning F_NESTED_PROJECT',
  ]);
});
