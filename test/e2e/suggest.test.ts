// A person at the keyboard is asked and says yes or no; modes suggest knows the difference.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { pluginFolder, SYSTEM_PATH } from './client.ts';
import { bash, say, use } from './model.ts';
import type { Place } from './place.ts';
import { plainProject } from './project.ts';
import { startTerminal, submit, type Terminal } from './terminal.ts';

let place: Place;
let terminal: Terminal | undefined;
beforeEach(() => {
  place = plainProject();
  place.write('.claude/modes.yaml', 'name: t\ndefault: work\nmodes:\n  work: {transitions: []}\n');
  place.write('.claude/settings.work.json', '{"permissions":{"default":"ask"}}');
});
afterEach(async () => {
  await terminal?.stop();
  terminal = undefined;
  place.remove();
});

const modes = (...args: string[]): string => {
  const env = { HOME: place.home, PATH: SYSTEM_PATH };
  const program = path.join(pluginFolder(), 'dist/modes.mjs');
  const { stdout, stderr } = spawnSync(process.execPath, [program, ...args], { cwd: place.project, env, encoding: 'utf8' });
  return stdout || stderr;
};

test.each(['default', 'auto'])('under %s: approved calls are suggested, refused calls are not', async (permissionMode) => {
  const file = path.join(place.project, 'src/calc.ts');
  terminal = await startTerminal({
    ...place,
    permissionMode,
    rows: 100,
    turns: [
      bash('touch src/a.txt'),
      say('ended 1'),
      use('Read', { file_path: file }),
      use('Edit', { file_path: file, old_string: 'first = 1', new_string: 'first = 2' }),
      say('ended 2'),
      bash('touch src/b.txt'),
      say('ended 3'),
    ],
  });
  await submit(terminal, 'one');
  await terminal.waitFor('Do you want to proceed?');
  await terminal.press('Enter', '● ended 1');
  await submit(terminal, 'two');
  await terminal.waitFor(/Do you want to (proceed|read)/);
  await terminal.press('Enter', /Do you want to make this edit/);
  await terminal.press('Enter', '● ended 2');
  await submit(terminal, 'three');
  await terminal.waitFor('touch src/b.txt');
  await terminal.press('Escape', 'Interrupted');
  const found = JSON.parse(modes('suggest', '--min', '1', '--json'));
  const lines = found.suggestions.map(({ allow }: { allow: string }) => allow);
  expect(lines, JSON.stringify(found)).toEqual(expect.arrayContaining(['Write(/src/calc.ts)']));
  // The client reports no end of a call that only reads.
  expect(lines.join(), JSON.stringify(found)).not.toContain('Read(');
  expect(lines.join(), JSON.stringify(found)).not.toContain('b.txt');
});
