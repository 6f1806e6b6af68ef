// In the real client a denied file is not printed, however the shell is made to name it.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { session } from './client.ts';
import { bash } from './model.ts';
import { makePlace, type Place } from './place.ts';

const SECRET = 'TOP-5518';

let place: Place;
beforeEach(() => {
  place = makePlace();
  place.write('secret/key', SECRET);
  place.write('.env', SECRET);
  place.write('docs/a.md', 'open\n');
  place.write('list', 'secret/key\n');
  place.write('list0', 'secret/key\0');
  fs.mkdirSync(path.join(place.home, '.aws'));
  fs.writeFileSync(path.join(place.home, '.aws/credentials'), SECRET);
  execFileSync('git', ['init', '-q'], { cwd: place.project });
});
afterEach(() => place.remove());

function settings(more: object): void {
  place.write('.claude/modes.yaml', 'name: lab\ndefault: build\nmodes:\n  build: {}\n');
  const deny = ['Read(~/.aws/**)', 'Read(.env)', 'Read(/secret/**)'];
  place.write('.claude/settings.build.json', JSON.stringify({ permissions: { deny, ...more } }));
}

async function play(commands: readonly string[]): Promise<{ passed: string[]; results: string }> {
  const turns = commands.map((command) => bash(command));
  const { calls } = await session({ ...place, permissionMode: 'bypassPermissions', turns });
  expect(calls).toHaveLength(turns.length);
  return {
    passed: commands.filter((_, at) => calls[at]?.refused === false),
    results: JSON.stringify(calls.map(({ result }) => result)),
  };
}

const NAMED = [
  'cat ~/.aws/credential{s,s}',
  'cat "$HOME"/.aws/{credentials,config}',
  'cat ${PWD}/{.env,b}',
  'cat {~,docs}/.aws/credentials',
  'a=(.env); cat "${a[@]}"',
  'a=(docs/a.md); a+=(secret/key); cat "${a[@]:1}"',
  'set -- b .env; shift; cat "$@"',
  'cat $(printf .en%s v)',
  'cat "$(printf %s/%s secret key)"',
  'x=secret/key.bak; cat "${x%.bak}"',
  'x=SECRET/KEY; cat "${x,,}"',
  "cat $'.e\\x6ev'",
  'n=x; x=.env; cat "${!n}"',
  'cat ${NOBODY_SET_THIS:-.env}',
  'dd if=~/.aws/credentials',
  'cat /proc/$$/cwd/secret/key',
  'cat /proc/$BASHPID/cwd/secret/key',
  'cat /proc/self/root/$PWD/secret/key',
  'cat ${NOBODY_SET_THIS}secret/key',
  'cat $(git rev-parse --show-toplevel)/secret/key',
  'cd $(git rev-parse --show-toplevel) && cat secret/key',
  'cat $(dirname secret/x)/key',
  'cat $(realpath docs/../secret)/key',
  'xargs cat < list',
  'xargs -a list cat',
  'cat list | xargs cat',
  'sort --files0-from=list0',
  'while read f; do cat "$f"; done < list',
  'cat $(<list)',
  'for f in $(cat list); do cat "$f"; done',
  'mapfile -t a < list; cat "${a[@]}"',
  'read x < <(echo secret/key); cat $x',
  'echo secret/key | while IFS= read -r f; do cat "$f"; done',
  'tar cf - -T list',
];

test('a word that certainly or possibly names it [s:uncertain.read-outline]', async () => {
  settings({});
  const { passed, results } = await play(NAMED);
  expect(passed).toEqual([]);
  expect(results).not.toContain(SECRET);
});

const UNKNOWN = [
  'x=$(echo yek/terces | rev); cat "$x"',
  'cat $(echo c2VjcmV0L2tleQ== | base64 -d)',
  'echo terces/key | sed s/terces/secret/ > /tmp/modes-l; xargs cat < /tmp/modes-l',
  'f=../secret/ke; cat docs/"$(echo ../secret/ke | tr -d x)"y*',
  'grep -r TOP $(echo terces | rev)',
];

test('a word of which nothing is known, where the settings say so [s:uncertain.unknown-reads]', async () => {
  settings({ unknownReads: 'ask' });
  const { passed, results } = await play(UNKNOWN);
  expect(passed).toEqual([]);
  expect(results).not.toContain(SECRET);
});

test('reading that names nothing denied runs [s:uncertain.unknown-reads]', async () => {
  settings({ unknownReads: 'ask' });
  const commands = [
    'cat docs/a.md',
    'for f in docs/*.md; do cat "$f"; done',
    'find docs -name "*.md" | xargs cat',
    'cat $(git rev-parse --show-toplevel)/docs/a.md',
    'ls $NOBODY_SET_THIS',
    'x=docs; cat $x/{a,a}.md',
  ];
  expect((await play(commands)).passed).toEqual(commands);
});
