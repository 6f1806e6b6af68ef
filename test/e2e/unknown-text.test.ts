// In the real client, a command that is only partly understood cannot write, run or print what the settings protect.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { session } from './client.ts';
import { bash } from './model.ts';
import { makePlace, type Place } from './place.ts';

const SECRET = 'TOP-5518';
const WORK = '.claude/settings.work.json';
const GIT_PUSH = { deny: ['Bash(git push:*)'] };
const SECRET_READ = { deny: ['Read(secret/**)'] };
/** Longer than the text that the analyser reads as one. */
const long = (command: string) => `${command}${'; true'.repeat(1_800)}`;

let place: Place;
const remote = () => path.join(place.root, 'remote.git');

function setUp(permissions: object | null, trusted: boolean): void {
  place = makePlace({ trusted });
  place.write('.claude/modes.yaml', 'name: lab\ndefault: work\nmodes:\n  work: {}\n');
  if (permissions !== null) place.write(WORK, JSON.stringify({ permissions }));
  place.write('open/a', 'open\n');
  place.write('secret/key', SECRET);
  fs.writeFileSync(path.join(place.home, '.bashrc'), 'mine\n');
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: place.project, env: { PATH: process.env.PATH, HOME: place.home } });
  git('init', '-q');
  git('init', '-q', '--bare', remote());
  git('remote', 'add', 'origin', remote());
  git('config', 'push.default', 'current');
  git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-q', '--allow-empty', '-m', 'first');
  // The command can write here, so that only a refusal keeps the hook away.
  fs.mkdirSync(path.join(place.project, '.git/hooks'), { recursive: true });
}
afterEach(() => place.remove());

/** What the commands must not change, and what was pushed. */
const protectedState = () => ({
  settings: place.read(WORK),
  hook: place.exists('.git/hooks/pre-commit'),
  bashrc: fs.readFileSync(path.join(place.home, '.bashrc'), 'utf8'),
  pushed: execFileSync('git', ['for-each-ref'], { cwd: remote(), encoding: 'utf8' }),
});

async function expectRefused(commands: readonly string[]): Promise<void> {
  const before = protectedState();
  const turns = commands.map((command) => bash(command));
  const { calls } = await session({ ...place, permissionMode: 'bypassPermissions', turns });
  expect(calls).toHaveLength(turns.length);
  const passed = commands.filter((_, at) => calls[at]?.refused !== true).map((command) => command.slice(0, 80));
  expect(passed).toEqual([]);
  // A command that failed by itself would look the same.
  const failed = calls
    .filter(({ result }) => /Exit code/.test(result ?? ''))
    .map(({ input }) => JSON.stringify(input).slice(0, 90));
  expect(failed).toEqual([]);
  expect(JSON.stringify(calls.map(({ result }) => result))).not.toContain(SECRET);
  expect(protectedState()).toEqual(before);
}

const WRITES = [
  `cd $(git rev-parse --show-toplevel) && echo '{}' > ${WORK}`,
  `cd "$UNKNOWN" && echo '{}' > ${WORK}`,
  'cp open/a $(dirname .git/x)/hooks/pre-commit',
  'cp open/a "$UNSET"/.git/hooks/pre-commit',
  'cp open/a "$UNSET".git/hooks/pre-commit',
  long('echo y >> ~/.bashrc'),
];

const SETTINGS: [name: string, permissions: object | null][] = [
  ['a mode that denies only Read', SECRET_READ],
  ['a mode that denies only Bash', GIT_PUSH],
  ['a mode without settings', null],
];

describe.each([
  ['trusted', true],
  ['untrusted', false],
] as const)('in a project that is %s', (_, trusted) => {
  test.each(SETTINGS)('%s keeps what is built in from being written [s:uncertain.write-outline]', async (_name, permissions) => {
    setUp(permissions, trusted);
    await expectRefused(WRITES);
  });

  test('a denied command does not run [s:uncertain.unfollowed]', async () => {
    setUp(GIT_PUSH, trusted);
    await expectRefused([
      long('git push'),
      'git -c alias.z=push z',
      'sh -c "$(printf \'git push\')"',
      `${execFileSync('git', ['--exec-path'], { encoding: 'utf8' }).trim()}/git-push`,
      "test -v 'x[$(git push)]'",
    ]);
  });

  test('a denied file is not printed [s:uncertain.read-outline]', async () => {
    setUp(SECRET_READ, trusted);
    await expectRefused([
      long('cat secret/key'),
      `cat ${'{x,s}'.repeat(10)}ecret/key secret/key`,
      `cat ${'{,s}'.repeat(10)}ecret/key`,
      'cat {a..z}ecret/key',
    ]);
  });
});
