// Settings that silence every hook from the start, and what the client is started with against them.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { session } from './client.ts';
import { bash, say } from './model.ts';
import type { Place } from './place.ts';
import { tddProject } from './project.ts';

let place: Place;
beforeEach(() => {
  place = tddProject();
});
afterEach(() => place.remove());

const attempt = async (args: string[]): Promise<string | undefined> => {
  await session({ ...place, args, turns: [bash('echo gone > src/calc.ts'), say('done')] });
  return place.read('src/calc.ts');
};

test('disableAllHooks in settings at the start counts [s:threat.disable-start]', async () => {
  place.write('.claude/settings.local.json', '{"disableAllHooks":true}');
  expect(await attempt([])).toBe('gone\n');
});

test('with --settings that says otherwise it does not [s:threat.disable-start]', async () => {
  place.write('.claude/settings.local.json', '{"disableAllHooks":true}');
  expect(await attempt(['--settings', '{"disableAllHooks":false}'])).not.toBe('gone\n');
});
