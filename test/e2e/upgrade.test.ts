// A newer version of the plugin over an older one, through the client's own commands: what was begun with the one goes on with the other.
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { pluginFolder, session } from './client.ts';
import { claude } from './marketplace.ts';
import { go } from './mode.ts';
import { bash, say } from './model.ts';
import type { Place } from './place.ts';
import { tddProject } from './project.ts';

let place: Place;
beforeEach(() => {
  place = tddProject();
});
afterEach(() => place.remove());

const manifests = ['package.json', '.claude-plugin/plugin.json', '.claude-plugin/marketplace.json'];
const older = '0.0.9';

/** The plugin under another version and build, as a marketplace. */
function asOlder(folder: string, version: string): void {
  fs.cpSync(pluginFolder(), folder, { recursive: true });
  for (const name of manifests) {
    const file = path.join(folder, name);
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replaceAll(`"version": "${version}"`, `"version": "${older}"`));
  }
  fs.writeFileSync(path.join(folder, 'dist/build'), '0000000000000000\n');
}

/** Versions of the plugin that the client keeps and has not marked for removal. */
function kept(home: string): string[] {
  const cache = path.join(home, '.claude/plugins/cache/modes/modes');
  return fs.readdirSync(cache).filter((name) => !fs.existsSync(path.join(cache, name, '.orphaned_at')));
}

test('an update keeps mode, trust and rules, and no process of the older version answers', async () => {
  const market = path.join(place.root, 'market');
  const { version } = JSON.parse(fs.readFileSync(path.join(pluginFolder(), 'package.json'), 'utf8')) as { version: string };
  asOlder(market, version);
  const run = (...args: string[]) => expect(claude(place.home, 'plugin', ...args)).toMatchObject({ code: 0 });
  run('marketplace', 'add', market);
  run('install', 'modes@modes');
  expect(kept(place.home)).toEqual([older]);
  const before = await session({
    ...place,
    plugin: null,
    turns: [...go('test-dev'), bash('echo x > test/a.test.ts'), say('done')],
  });
  expect(before.calls.map(({ refused }) => refused)).toEqual([false, false]);
  expect(before.left).toEqual([]);

  for (const name of [...manifests, 'dist/build']) fs.copyFileSync(path.join(pluginFolder(), name), path.join(market, name));
  run('marketplace', 'update', 'modes');
  run('update', 'modes@modes');
  expect(kept(place.home)).toEqual([version]);
  const after = await session({
    ...place,
    plugin: null,
    turns: [bash('echo x > src/calc.ts'), bash('echo y > test/a.test.ts'), ...go('feature-dev'), say('done')],
  });
  // The mode was test-dev still, and leads on.
  expect(after.calls.map(({ refused }) => refused)).toEqual([true, false, false]);
  expect(place.read('test/a.test.ts')).toBe('y\n');
  expect(place.read('src/calc.ts')).toBe('export const first = 1;\n');
  expect(JSON.stringify(after.lines)).not.toContain(`modes/modes/${older}/`);
  expect(after.left).toEqual([]);
});
