// What fails closes: settings, trust, and where the client starts. What breaks beneath them is the table of test/faults.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { approve } from './approve.ts';
import { SYSTEM_PATH, session } from './client.ts';
import { viewedMode } from './mode.ts';
import { bash, mcp, say, type Turn } from './model.ts';
import { makePlace, type Place } from './place.ts';
import { copyPlugin } from './plugin.ts';
import { closed, inTestDev, opening, probe, probeAll, probes, SOURCE } from './probe.ts';
import { tddProject } from './project.ts';

let place: Place;
let plugins: Place;
/** A plugin that has no server. */
let withoutServer: string;
beforeAll(() => {
  plugins = makePlace({ name: 'plugins' });
  withoutServer = copyPlugin(path.join(plugins.project, 'without-server'), (folder) =>
    fs.rmSync(path.join(folder, 'dist/server.mjs')),
  );
});
afterAll(() => plugins.remove());
beforeEach(() => {
  place = tddProject();
});
afterEach(() => place.remove());

describe('the configuration', () => {
  const TORN = '{ "permissions": {\n  "deny": [ "Write(src/**)" \n';

  test('broken in a project that was never trusted: reads pass, the rest is denied with file and line', async () => {
    await inTestDev(place);
    place.write('.claude/settings.test-dev.json', TORN);
    const found = await probe(place);
    expect(found).toMatchObject({ opened: [], goesOn: false, reads: true });
    expect(found.told[0]).toMatch(/settings\.test-dev\.json:\d+/);
    expect(await probe(place, { plugin: withoutServer })).toMatchObject({ opened: [], goesOn: false, reads: true });
  });

  /** The promised time for an edit to take effect. */
  const effect = () => new Promise((next) => setTimeout(next, 300));

  test('restricted during a session: it applies within the promised time, and work continues after a fix', async () => {
    const settings = place.read('.claude/settings.test-dev.json') as string;
    const narrower = JSON.parse(settings.replace(/^\s*\/\/.*$/gm, '')) as { permissions: { deny: string[] } };
    narrower.permissions.deny.push('Write(test/**)');
    const written = (text: string) => async () => {
      place.write('.claude/settings.test-dev.json', text);
      await effect();
    };
    const { found } = await probeAll(place, [
      { name: 'narrowed', break: written(JSON.stringify(narrower)), mend: written(settings) },
      { name: 'mended', brief: true },
    ]);
    expect(found).toMatchObject({
      narrowed: { opened: [], goesOn: false, reads: true },
      mended: { opened: [], goesOn: true },
    });
  });

  test('modes.yaml removed between sessions: the project stays governed [s:project.governed-before]', async () => {
    await inTestDev(place);
    fs.rmSync(path.join(place.project, '.claude/modes.yaml'));
    expect(await probe(place)).toMatchObject({ opened: [], reads: true });
    expect(await probe(place, { plugin: withoutServer })).toMatchObject({ opened: [], reads: true });
  });

  test('the name "constructor" is an unknown mode for a transition and a typed command', async () => {
    const { calls } = await session({ ...place, turns: [mcp('transition', { target: 'constructor', explanation: 'because' })] });
    expect(calls[0]?.result).toContain('constructor');
    const { result, requests } = await session({ ...place, turns: [], prompt: '/modes:mode __proto__' });
    expect(result).toContain('__proto__');
    expect(requests).toEqual([]);
    expect(viewedMode(place) ?? 'idle').toBe('idle');
  });

  /** Writes the setting that silences every hook; the client looks at its settings while the command sleeps. */
  const silence: Turn = () => {
    place.write('.claude/settings.local.json', '{"disableAllHooks": true}');
    return bash('sleep 2');
  };

  test('disableAllHooks written during a session has no effect [s:threat.disable]', async () => {
    const { calls } = await session({ ...place, turns: [opening(place), silence, ...probes(place.project)] });
    expect(calls.slice(2, 5).map(({ refused }) => refused)).toEqual([true, true, true]);
    expect(place.read('src/calc.ts')).toBe(SOURCE);
  });

  test('disableAllHooks without our ConfigChange hook turns hooks off', async () => {
    const plugin = copyPlugin(path.join(plugins.project, 'without-config-change'), (folder) => {
      const file = path.join(folder, 'hooks/hooks.json');
      const { hooks } = JSON.parse(fs.readFileSync(file, 'utf8')) as { hooks: Record<string, unknown> };
      delete hooks.ConfigChange;
      fs.writeFileSync(file, JSON.stringify({ hooks }));
    });
    await session({ ...place, plugin, turns: [opening(place), silence, ...probes(place.project)] });
    expect(place.read('src/calc.ts')).not.toBe(SOURCE);
  });
});

describe('where the client starts', () => {
  const init = () => {
    spawnSync('git', ['init', '-q'], { cwd: path.join(place.project, 'sub'), env: { PATH: SYSTEM_PATH, HOME: place.home } });
    expect(fs.existsSync(path.join(place.project, 'sub/.git'))).toBe(true);
  };

  test('a subfolder with its own repository is still governed by the project above it [s:project.nearest] [s:project.git]', async () => {
    fs.mkdirSync(path.join(place.project, 'sub/deep'), { recursive: true });
    init();
    expect(await probe(place, { cwd: path.join(place.project, 'sub') })).toMatchObject(closed);
    expect(await probe(place, { cwd: path.join(place.project, 'sub/deep'), plugin: withoutServer })).toMatchObject({
      opened: [],
      reads: true,
    });
  });

  test('git init during the session changes nothing', async () => {
    fs.mkdirSync(path.join(place.project, 'sub'));
    expect(await probe(place, { cwd: path.join(place.project, 'sub') }, init)).toMatchObject(closed);
  });
});

describe('trust', () => {
  const probeDefault = () =>
    session({ ...place, permissionMode: 'default', turns: [probes(place.project)[3]!, probes(place.project)[0]!, say('done')] });

  test('an allow rule of a project has no effect until modes trust [s:trust.terminal] [s:untrusted.allow]', async () => {
    await inTestDev(place);
    const before = await probeDefault();
    expect(before.calls.map(({ refused }) => refused)).toEqual([true, true]);
    expect(place.exists('test/new.test.ts')).toBe(false);
    await approve(place);
    const after = await probeDefault();
    expect(after.calls.map(({ refused }) => refused)).toEqual([false, true]);
    expect(place.read('test/new.test.ts')).toBe('probe');
    expect(place.read('src/calc.ts')).toBe(SOURCE);
  });
});
