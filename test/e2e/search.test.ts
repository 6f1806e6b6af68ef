// What grep is in the client's shell: the analyser takes an unknown word of it for harmless because of this.
import { afterEach, expect, test } from 'vitest';
import { session } from './client.ts';
import { bash, say } from './model.ts';
import { makePlace, type Place } from './place.ts';
import { differences, readTree } from './tree.ts';

let place: Place;
afterEach(() => place.remove());

async function run(commands: string[]): Promise<string[]> {
  const turns = [...commands.map((command) => bash(command)), say('done')];
  const { calls } = await session({ ...place, plugin: null, turns });
  return calls.map(({ result = '' }) => result);
}

/** Words by which ugrep itself writes a file or starts a program. */
const harmful = ['--save-config=pwned', '--save-config', '--filter=*:touch pwned', '--pager=touch pwned', '--view=touch pwned'];

test('grep is ugrep, except for words that could make it write or start something; a folder is searched without -r', async () => {
  place = makePlace();
  place.write('a.txt', 'foo\n');
  place.write('secrets/key', 'KEY=1\n');
  const tree = readTree(place.project);
  const [kind, version, folder, ...answers] = await run([
    'type -t grep; type -t find; type -t rg',
    'grep --version | head -1; find --version | head -1',
    'grep KEY secrets',
    ...harmful.flatMap((word) => [
      `F='${word}'; grep "$F" foo a.txt`,
      `F='${word}'; grep -n $F foo a.txt`,
      `set -- foo '${word}'; grep "$@" a.txt`,
    ]),
  ]);
  expect(kind).toContain('function');
  expect(version).toMatch(/ugrep.*bfs/s);
  expect(folder).toContain('KEY=1');
  expect(answers).toHaveLength(harmful.length * 3);
  for (const answer of answers) expect(answer).toMatch(/grep: (?:unrecognized|ambiguous) option/);
  expect(differences(tree, readTree(place.project))).toEqual([]);
});
