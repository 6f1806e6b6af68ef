// In the real client, a command that is only partly understood cannot write, run or print what the settings protect.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { runAlone } from './alone.ts';
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

/** Aliases of the repository, of the person, and of a file that only an option includes. */
function defineAliases(): void {
  const aliases = { direct: 'push', twice: 'direct', outside: '!git push' };
  for (const [name, value] of Object.entries(aliases))
    execFileSync('git', ['config', `alias.${name}`, value], { cwd: place.project });
  fs.writeFileSync(path.join(place.home, '.gitconfig'), '[alias]\n\tmine = push\n');
  place.write('more', '[alias]\n\tincluded = push\n');
}

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
  `echo '{}' > /proc/self/cwd/${WORK}`,
  `echo '{}' > /proc/self/root/$PWD/${WORK}`,
  'cp open/a /proc/$$/cwd/.git/hooks/pre-commit',
  'exec 3< .git; cp open/a /dev/fd/3/hooks/pre-commit',
  long('echo y >> ~/.bashrc'),
];

const GIT_CORE = execFileSync('git', ['--exec-path'], { encoding: 'utf8' }).trim();

/** Each of these pushes without a literal `git push` that bash runs as it is written. */
const PUSHES = [
  long('git push'),
  'git -c alias.z=push z',
  "git -c 'alias.z=!git push' z",
  'git --config-env=alias.z=V z || V=push git --config-env=alias.z=V z',
  'GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.z GIT_CONFIG_VALUE_0=push git z',
  'git -c include.path="$PWD/more" included',
  'git direct',
  'git twice',
  'git outside',
  'git mine',
  'git config alias.later push && git later',
  "shopt -s expand_aliases\nalias g='git push'\ng",
  'shopt -s expand_aliases\nalias g=git\ng push',
  "shopt -s expand_aliases; alias g='git push'; eval g",
  'sh -c "$(printf \'git push\')"',
  'eval "$(printf %s%s "git pu" sh)"',
  '$(printf "git push")',
  'printf "git push" | sh',
  'bash <<< "$(echo git push)"',
  'source <(echo git push)',
  'bash <(echo git push)',
  'bash /dev/stdin <<< "git push"',
  'echo git push | . /dev/fd/0',
  `${GIT_CORE}/git-push`,
  `${GIT_CORE}/git push`,
  '"$(git --exec-path)"/git-push',
  'PATH="$(git --exec-path):$PATH" git-push',
  "test -v 'x[$(git push)]'",
  "[[ -v 'x[$(git push)]' ]]",
  "[[ 'x[$(git push)]' -eq 0 ]]",
  "printf -v 'x[$(git push)]' 1",
  "read 'x[$(git push)]' <<< 1",
  "let 'x[$(git push)]=1'",
  "declare 'x[$(git push)]=1'",
  "unset 'x[$(git push)]'; x=(1); unset 'x[$(git push)]'",
  'echo $((x[$(git push >&2)]))',
  "y='x[$(git push)]'; echo $((y))",
  "y='x[$(git push)]'; echo ${!y}",
  "y='x[$(git push)]'; (( y == 0 ))",
  "trap 'git push' EXIT",
  // In a variable that another program reads.
  "BASH_ENV='$(git push)' bash -c true < /dev/null",
  "PROMPT_COMMAND='git push' bash --norc -i <<< exit",
  "GIT_EXTERNAL_DIFF='git push; true' git diff --no-index --ext-diff /dev/null open/a",
  "EDITOR='git push; true' git config -e",
  "GIT_SSH_COMMAND='git push origin; true' git ls-remote ssh://host.invalid/x",
  "export C='git push'; awk 'BEGIN { system(ENVIRON[\"C\"]) }'",
  // In an option.
  "git -c core.sshCommand='git push origin; true' ls-remote ssh://host.invalid/x",
  "git -c credential.helper='!git push;' credential fill <<< url=https://host.invalid",
  "tar -cf /dev/null --checkpoint=1 --checkpoint-action=exec='git push' open",
  "tar -cf - open | tar -xf - --to-command='git push'",
  "split --filter='git push' open/a",
  "git -c protocol.ext.allow=always ls-remote 'ext::git push origin'",
  // In an awk program.
  'awk \'BEGIN { system("git push") }\'',
  'awk \'BEGIN { print | "git push" }\'',
  "awk -v c='git push' 'BEGIN { c | getline }'",
  'awk -f <(echo \'BEGIN { system("git push") }\')',
  // In a sed script.
  "sed '1e git push' open/a",
  "sed 's/open/git push/e' open/a",
  // In a process substitution inside a word.
  'echo 2<(git push; sleep 1)',
  'a=<(true) git push',
  'xargs --arg-file=<(echo push) git',
];

/** The same means, for what no rule denies. */
const HARMLESS = [
  'sh -c "git status"',
  'bash <<< "git status"',
  'git --exec-path',
  'git submodule foreach git status',
  'x=(1 2); echo "${x[1]}" $((x[0] + 1))',
  "y=2; let 'z=y+1'; echo $((z))",
  'test -v x[0] || echo unset',
  "trap 'echo done' EXIT",
  'PAGER=cat git log -1',
  'EDITOR=true git --version',
  'tar -cf - open | tar -tf -',
  'awk \'{ print $1 | "sort" }\' open/a',
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
  test.each(SETTINGS)('%s protects built-in files from writes [s:uncertain.write-outline]', async (_name, permissions) => {
    setUp(permissions, trusted);
    await expectRefused(WRITES);
  });

  test('a denied command does not run [s:uncertain.unfollowed]', async () => {
    setUp(GIT_PUSH, trusted);
    defineAliases();
    await expectRefused(PUSHES);
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

test('without Modes, each pushing command pushes, and the same programs run commands that no rule denies', async () => {
  setUp(GIT_PUSH, true);
  defineAliases();
  const pushed = (): boolean => {
    const refs = execFileSync('git', ['for-each-ref', '--format=delete %(refname)'], { cwd: remote(), encoding: 'utf8' });
    execFileSync('git', ['update-ref', '--stdin'], { cwd: remote(), input: refs });
    return refs !== '';
  };
  const tried = PUSHES.map((command) => [command, runAlone(place, command), pushed()] as const);
  expect(tried.filter(([, , happened]) => !happened).map(([command]) => command)).toEqual([]);
  const turns = HARMLESS.map((command) => bash(command));
  const { calls } = await session({ ...place, permissionMode: 'bypassPermissions', turns });
  expect(HARMLESS.filter((_, at) => calls[at]?.refused !== false)).toEqual([]);
});
