// modes doctor with the real client: a healthy installation, one whose hooks are off, and damaged ones.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { serversFile } from '../../src/facts/protections/registered.ts';
import { manualHooks, manualServer, recordLine, serverEntry } from '../../src/facts/protections/without-plugin.ts';
import { installClient, pluginFolder, SYSTEM_PATH } from './client.ts';
import { claude, filesBelow } from './marketplace.ts';
import type { Place } from './place.ts';
import { until } from './processes.ts';
import { tddProject } from './project.ts';

let place: Place;
/** The plugin as this user has it: a marketplace that is a folder is read in place. */
let shop: string;
/** One installation for all tests: what each changes is put back. */
let isInstalled = true;
beforeAll(() => {
  place = tddProject();
  shop = path.join(place.root, 'shop');
  fs.cpSync(pluginFolder(), shop, { recursive: true });
  expect(claude(place.home, 'plugin', 'marketplace', 'add', shop)).toMatchObject({ code: 0 });
  expect(claude(place.home, 'plugin', 'install', 'modes@modes')).toMatchObject({ code: 0 });
  for (const name of changed()) if (fs.existsSync(name)) fs.cpSync(name, keptOf(name), { recursive: true });
});
afterEach(() => {
  for (const name of changed()) {
    fs.rmSync(name, { recursive: true, force: true });
    if (fs.existsSync(keptOf(name))) fs.cpSync(keptOf(name), name, { recursive: true });
  }
});
afterAll(() => place.remove());

const changed = (): string[] => [
  path.join(shop, 'hooks'),
  path.join(shop, 'dist/server.mjs'),
  ...(isInstalled ? [path.join(place.home, '.claude/settings.json')] : []),
  path.join(place.home, '.claude/modes-data'),
  path.join(place.project, '.claude'),
  path.join(place.project, '.mcp.json'),
];
const keptOf = (name: string): string => path.join(place.root, 'kept', path.relative(place.root, name));

function uninstall(): void {
  if (isInstalled) expect(claude(place.home, 'plugin', 'uninstall', 'modes@modes')).toMatchObject({ code: 0 });
  isInstalled = false;
}

interface Report {
  code: number;
  versions: { client: string | null; plugin: { id: string } | null };
  proofs: { name: string; held: boolean | null; detail: string }[];
  findings: { code: string }[];
}

/** As from a terminal of a person's own: a child of nobody, since whoever runs these tests may be a client. */
async function doctor(...args: string[]): Promise<Report> {
  const out = path.join(place.root, `doctor-${Math.random()}`);
  const script = '( "$@" >"$OUT.out" 2>&1 </dev/null; echo $? >"$OUT.new"; mv "$OUT.new" "$OUT.rc" ) &';
  const program = path.join(pluginFolder(), 'dist/modes.mjs');
  const temporary = path.join(place.root, 'tmp');
  fs.mkdirSync(temporary, { recursive: true });
  const child = spawn('/bin/sh', ['-c', script, 'sh', process.execPath, program, 'doctor', '--json', ...args], {
    cwd: place.project,
    stdio: 'ignore',
    env: { HOME: place.home, PATH: SYSTEM_PATH, OUT: out, TMPDIR: temporary },
  });
  await once(child, 'close');
  const code = await until('modes doctor', () => fs.existsSync(`${out}.rc`) && fs.readFileSync(`${out}.rc`, 'utf8'), 55_000);
  const text = fs.readFileSync(`${out}.out`, 'utf8');
  expect(filesBelow(temporary)).toEqual([]);
  return { code: Number(code), ...(JSON.parse(text) as Omit<Report, 'code'>) };
}

const tried = () => doctor('--client', installClient());
const held = ({ proofs }: Report) => proofs.map((proof) => proof.held);
const codes = ({ findings }: Report) => findings.map(({ code }) => code);

test('a healthy installation: the three calls are decided correctly, and no user file is written', async () => {
  const kept = () => filesBelow(place.home).map((file) => [file, fs.statSync(path.join(place.home, file)).mtimeMs]);
  const before = kept();
  const found = await tried();
  expect([found.code, codes(found), held(found)], JSON.stringify(found)).toEqual([0, [], [true, true, true]]);
  expect(found.versions).toMatchObject({ client: expect.stringMatching(/^\d+\.\d+\.\d+$/), plugin: { id: 'modes@modes' } });
  expect(kept()).toEqual(before);
});

test.each<[string, () => void]>([
  [
    'the user',
    () => fs.writeFileSync(path.join(place.home, '.claude/settings.json'), off(path.join(place.home, '.claude/settings.json'))),
  ],
  ['the project', () => place.write('.claude/settings.local.json', '{"disableAllHooks":true}')],
])('disableAllHooks of %s: the denied call runs, and the setting is named', async (_, disable) => {
  disable();
  const found = await tried();
  expect(found.code).toBe(1);
  expect(codes(found)).toEqual(expect.arrayContaining(['F_HOOKS_OFF', 'F_NOT_ALLOWED', 'F_NOT_DENIED', 'F_NOT_CLOSED']));
  expect(held(found)).toEqual([false, false, false]);
});

/** The settings with hooks off. */
function off(file: string): string {
  return JSON.stringify({ ...(JSON.parse(fs.readFileSync(file, 'utf8')) as object), disableAllHooks: true });
}

test.each<[string, () => void, string[], (boolean | null)[]]>([
  [
    'a hooks file that is no JSON',
    () => fs.writeFileSync(path.join(shop, 'hooks/hooks.json'), '{'),
    ['F_PLUGIN_DAMAGED', 'F_NOT_ALLOWED', 'F_NOT_DENIED', 'F_NOT_CLOSED'],
    [false, false, false],
  ],
  [
    'a hooks file without hooks',
    () => fs.writeFileSync(path.join(shop, 'hooks/hooks.json'), '{"hooks":{}}'),
    ['F_PLUGIN_DAMAGED', 'F_NOT_ALLOWED', 'F_NOT_DENIED', 'F_NOT_CLOSED'],
    [false, false, false],
  ],
  [
    'a server that does not start: calls are decided all the same',
    () => fs.writeFileSync(path.join(shop, 'dist/server.mjs'), 'process.exit(1);\n'),
    ['F_PLUGIN_DAMAGED', 'F_SERVER_ABSENT'],
    [true, true, null],
  ],
])('%s', async (_, damage, expected, outcome) => {
  damage();
  const found = await tried();
  expect([found.code, codes(found), held(found)], JSON.stringify(found)).toEqual([1, expected, outcome]);
});

test('a missing hook client: every call is denied', async () => {
  fs.rmSync(path.join(shop, 'hooks/client.sh'));
  const found = await tried();
  // Two hooks refuse: one that cannot start, and the private pipe. The client tells the reason of whichever was first.
  expect([found.code, [...new Set(codes(found))]], JSON.stringify(found)).toEqual([
    1,
    ['F_PLUGIN_DAMAGED', 'F_NOT_ALLOWED', 'F_NOT_PROVEN'],
  ]);
  expect(held(found), JSON.stringify(found)).toEqual([
    false,
    expect.toSatisfy((proof) => proof === true || proof === null),
    null,
  ]);
});

test('without an installation, doctor tests the files and reports that nothing is installed', async () => {
  uninstall();
  const found = await tried();
  expect([found.code, codes(found), held(found)], JSON.stringify(found)).toEqual([1, ['F_PLUGIN_ABSENT'], [true, true, true]]);
});

test('a server and hooks registered without the plugin are tested as registered', async () => {
  uninstall();
  const entry = serverEntry(shop, place.project, process.execPath);
  place.write('.mcp.json', JSON.stringify({ mcpServers: { [manualServer]: entry } }));
  place.write('.claude/settings.local.json', JSON.stringify({ hooks: manualHooks(shop), enabledMcpjsonServers: [manualServer] }));
  const data = path.join(place.home, '.claude/modes-data');
  fs.mkdirSync(data, { recursive: true, mode: 0o700 });
  fs.writeFileSync(serversFile(data), `${recordLine(place.project, entry)}\n`);
  const found = await tried();
  expect([found.code, codes(found), held(found)], JSON.stringify(found)).toEqual([0, [], [true, true, true]]);
  expect(found.versions.plugin).toMatchObject({ id: 'by hand' });
});
