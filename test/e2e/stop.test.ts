// The emergency stop, in the real client: by a phrase in the prompt, and by the command line while a session works.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { pluginFolder, session } from './client.ts';
import { bash, mcp, use } from './model.ts';
import type { Place } from './place.ts';
import { tddProject } from './project.ts';

let place: Place;
beforeEach(() => {
  place = tddProject();
  place.write(
    '.claude/modes.yaml',
    `stop: {phrases: [SILENCE], to: idle}\n${place.read('.claude/modes.yaml')}`.replace('default: idle', 'default: test-dev'),
  );
});
afterEach(() => place.remove());

const write = () => use('Write', { file_path: `${place.project}/test/new.test.ts`, content: 'x' });

test('a phrase in the prompt denies everything except reading, in the next session too', async () => {
  const turns = [write(), bash('cat src/calc.ts'), mcp('transition', { target: 'feature-dev', explanation: 'I want' })];
  for (const prompt of ['That is enough. SILENCE!', 'go on']) {
    const { calls } = await session({ ...place, turns, prompt });
    expect(calls.map(({ refused }) => refused)).toEqual([true, false, true]);
    expect(calls[0]?.result).toContain('stopped');
  }
  expect(place.exists('test/new.test.ts')).toBe(false);
});

test('modes stop in a terminal stops a running session and its subagent [w:stop.terminal] [w:stop.subagents]', async () => {
  const stop = () => {
    const { status, stdout } = spawnSync(path.join(pluginFolder(), 'bin/modes'), ['stop', '--project', place.project], {
      encoding: 'utf8',
      env: { HOME: place.home, PATH: process.env.PATH },
    });
    expect([status, stdout]).toEqual([0, expect.stringContaining('is stopped')]);
    return write();
  };
  const { calls } = await session({
    ...place,
    turns: [
      use('Agent', { description: 'x', prompt: 'HELPER: work', subagent_type: 'general-purpose', run_in_background: false }),
      write(),
    ],
    agents: [{ prompt: 'HELPER:', turns: [bash('echo x > test/first.test.ts'), stop, [{ type: 'text', text: 'done' }]] }],
  });
  expect(place.exists('test/first.test.ts')).toBe(true);
  expect(calls.filter(({ name }) => name === 'Write').map(({ refused }) => refused)).toEqual([true, true]);
  expect(place.exists('test/new.test.ts')).toBe(false);
});
