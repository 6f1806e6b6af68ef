// The repository as a marketplace: added, installed, used, removed; and what stays behind.
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pluginFolder, session } from './client.ts';
import { claude, residue } from './marketplace.ts';
import { go } from './mode.ts';
import { bash, say } from './model.ts';
import type { Place } from './place.ts';
import { plainProject, tddProject } from './project.ts';

const clone = pluginFolder();
let place: Place;
beforeEach(() => {
  place = tddProject();
});
afterEach(() => place.remove());

const done = { code: 0 };

describe('the plugin', () => {
  test('is accepted by the client and by its plugin directory', () => {
    const { code, output } = claude(place.home, 'plugin', 'validate', '--strict', '--profile', 'directory', clone);
    expect(code, output).toBe(0);
  });

  test('is installed from the repository as a marketplace, works, and no process outlives the session', async () => {
    expect(claude(place.home, 'plugin', 'marketplace', 'add', clone)).toMatchObject(done);
    expect(claude(place.home, 'plugin', 'install', 'modes@modes')).toMatchObject(done);
    expect(claude(place.home, 'plugin', 'list').output).toMatch(/modes@modes.*enabled/s);
    const { calls, left } = await session({
      ...place,
      plugin: null,
      turns: [...go('test-dev'), bash('echo x > src/calc.ts'), bash('echo x > test/a.test.ts'), say('done')],
    });
    expect(calls.map(({ refused }) => refused)).toEqual([false, true, false]);
    expect(place.read('src/calc.ts')).toBe('export const first = 1;\n');
    expect(place.read('test/a.test.ts')).toBe('x\n');
    expect(left).toEqual([]);
  });

  test('leaves no file, hook or process after uninstalling', async () => {
    place.remove();
    place = plainProject();
    expect(claude(place.home, 'plugin', 'marketplace', 'add', clone)).toMatchObject(done);
    expect(claude(place.home, 'plugin', 'install', 'modes@modes')).toMatchObject(done);
    const used = await session({ ...place, plugin: null, turns: [bash('ls'), say('done')] });
    expect(used.left).toEqual([]);
    expect(claude(place.home, 'plugin', 'uninstall', 'modes@modes')).toMatchObject(done);
    expect(claude(place.home, 'plugin', 'marketplace', 'remove', 'modes')).toMatchObject(done);
    expect(residue(place.home)).toEqual([]);
    const after = await session({ ...place, plugin: null, turns: [bash('echo free > src/calc.ts'), say('done')] });
    expect(after.hooks).toEqual([]);
    expect(JSON.stringify(after.lines[0])).not.toContain('modes:mode');
    expect(place.read('src/calc.ts')).toBe('free\n');
    expect(residue(place.home)).toEqual([]);
    expect(claude(place.home, 'plugin', 'list').output).not.toContain(path.basename(clone));
  });
});
