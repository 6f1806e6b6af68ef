// A policy of the project that is wrong closes as a syntax error does: what it should deny does not run, and the session is told why.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { session } from './client.ts';
import { bash, say, textOf } from './model.ts';
import { makePlace, type Place } from './place.ts';
import { copyPlugin } from './plugin.ts';

let place: Place;
let remote: string;
const git = (...words: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], { cwd: place.project, encoding: 'utf8' });

beforeEach(() => {
  place = makePlace();
  remote = path.join(place.root, 'remote.git');
  place.write('.claude/modes.yaml', 'name: t\ndefault: work\nmodes:\n  work:\n    description: All work.\n');
  place.write('.claude/settings.work.json', '{}\n');
  place.write('a.txt', 'x');
  git('init', '-q', '-b', 'main');
  git('init', '-q', '--bare', remote);
  git('remote', 'add', 'origin', remote);
  git('add', '-A');
  git('commit', '-q', '-m', 'first');
});
afterEach(() => place.remove());

const pushed = (): boolean => fs.existsSync(path.join(remote, 'refs/heads/main'));
const policy = (rules: string): void => place.write('.claude/policies/nopush.rego', `package modes.policy.nopush\n\n${rules}\n`);
const turns = [bash('git push origin main'), say('done')];

test('without a policy the push runs', async () => {
  await session({ ...place, turns });
  expect(pushed()).toBe(true);
});

test.each<[string, string, RegExp]>([
  [
    'a field that does not exist',
    'deny contains "no push" if contains(input.bash.command, "push")',
    /nopush\.rego:3:\d+ `input\.bash\.command` does not exist: here it is `input\.bash\.commands\[_\]\.text`/,
  ],
  [
    'a field of the hook’s event',
    'deny contains "no push" if {\n\tinput.tool_name == "Bash"\n\tcontains(input.tool_input.command, "push")\n}',
    /nopush\.rego:4:\d+ `input\.tool_name` does not exist: here it is `input\.tool\.name`/,
  ],
  [
    'a comparison that can never hold',
    'deny contains "no push" if input.tool == "Bash"',
    /nopush\.rego:3:\d+ the two sides of `input\.tool == .{1,2}Bash.{1,2}` never have the same type[\s\S]*`input\.tool\.name`/,
  ],
  [
    'a misspelt field in a function',
    'is_push(c) if "push" in c.args\n\ndeny contains "no push" if {\n\tsome c in input.bash.commands\n\tis_push(c)\n}',
    /nopush\.rego:3:\d+ `c\.args` does not exist: here it is `c\.argv`/,
  ],
])('%s in a policy denies all calls, with the place and a suggestion', async (_, rules, told) => {
  policy(rules);
  const { requests, calls } = await session({ ...place, turns });
  expect(pushed()).toBe(false);
  expect(calls.map(({ refused }) => refused)).toEqual([true]);
  expect(textOf(requests[0]!)).toMatch(told);
});

test('a process that decides without the server denies as well', async () => {
  policy('deny contains "no push" if contains(input.bash.command, "push")');
  const plugin = copyPlugin(path.join(place.root, 'without-server'), (folder) => fs.rmSync(path.join(folder, 'dist/server.mjs')));
  const { calls } = await session({ ...place, turns, plugin });
  expect(pushed()).toBe(false);
  expect(calls.map(({ result }) => result).join('\n')).toContain('input.bash.commands[_].text');
});

test('the same policy, corrected, denies only the push', async () => {
  policy('deny contains "no push" if {\n\tsome c in input.bash.commands\n\tcontains(c.text, "push")\n}');
  const { calls } = await session({ ...place, turns: [bash('touch made.txt'), ...turns] });
  expect(pushed()).toBe(false);
  expect(calls.map(({ refused }) => refused)).toEqual([false, true]);
  expect(calls[1]?.result).toContain('no push');
});
