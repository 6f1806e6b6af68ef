// The control group: without the plugin every way really changes the file. Else "denied" would prove nothing.
import { afterEach, describe, expect, test } from 'vitest';
import { session } from './client.ts';
import { bash, mcp, say } from './model.ts';
import type { Place } from './place.ts';
import { plainProject } from './project.ts';
import { attempt, waysToChange } from './ways.ts';

let place: Place;
afterEach(() => place.remove());

describe('without the plugin', () => {
  test('every known method changes a source file', async () => {
    place = plainProject();
    const { attempts } = await attempt(place, waysToChange('src/calc.ts'), { plugin: null });
    expect(attempts.filter(({ changed }) => changed.length === 0)).toEqual([]);
  });

  test('the model has no tool of Modes', async () => {
    place = plainProject();
    const { calls, code } = await session({ ...place, plugin: null, turns: [bash('echo hello'), mcp('status'), say('done')] });
    expect(code).toBe(0);
    expect(calls.map(({ result }) => result)).toEqual(['hello', expect.stringContaining('No such tool')]);
  });
});
