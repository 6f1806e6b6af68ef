// Making a part of a call unknown never makes its decision less strict than an ask, where it was denied or asked before.
import { expect, test } from 'vitest';
import { ask, bash, type Given, useCore } from './ground.ts';

useCore();

const seed = Number(process.env.SEED ?? 28);
const count = Number(process.env.N ?? 60);

/** mulberry32 */
function random(from: number): () => number {
  let state = from >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const configurations: Given[] = [
  {},
  { trusted: false },
  { trusted: false, allow: ['Bash', 'Write', 'Bash(git:*)'] },
  { deny: ['Read(src/**)', 'Read(.env)'] },
  { deny: ['Bash(git push:*)', 'Bash(rm:*)'] },
  { ask: ['Bash(git commit:*)', 'Read(.env)'] },
  { deny: ['Write(src/**)'] },
  { deny: ['Write(src/**)'], allow: ['Bash(echo:*)', 'Bash(cp:*)', 'Bash(tee:*)', 'Write(docs/**)'] },
  { ask: ['Write(docs/**)'], allow: ['Bash'] },
  { deny: ['Write(test/**)', 'Bash(npm publish:*)'], allow: ['Bash(npm:*)', 'Bash(sed:*)', 'Bash(@unknown)'] },
  { defaults: { project: 'deny' }, allow: ['Bash(ls:*)'] },
  { defaults: { project: 'ask' } },
];

/** Words of a command; `@` begins a path, `?` one that is only read. */
const commands = [
  'echo y > @',
  'echo y >> @',
  'cp docs/a.md @',
  'mv docs/a.md @',
  'tee @',
  'sed -i s/a/b/ @',
  'rm -rf @',
  'touch @',
  'sort -o @ docs/a.md',
  'ln -sf docs/a.md @',
  'cat ?',
  'head -n 3 ?',
  'grep x ?',
  'cp ? docs/b.md',
  'git push origin main',
  'git commit -m x',
  'claude -p hello',
  'modes trust',
  'npm publish',
  "sh -c 'git push'",
  "eval 'rm docs/a.md'",
  'timeout 5 git push',
  'env A=b git push',
];
const paths = [
  '.claude/settings.one.json',
  '.git/hooks/pre-commit',
  '.mcp.json',
  'src/a.ts',
  'src/deep/b.ts',
  'docs/a.md',
  'test/a.test.ts',
  '.env',
  'CLAUDE.md',
  '/etc/hosts',
  'out/x',
];

test(`seed ${seed}, ${count} calls`, () => {
  const next = random(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
  const softer: string[] = [];
  for (let n = 0; n < count; n++) {
    const given = pick(configurations);
    const path = pick(paths);
    const words = pick(commands).split(' ');
    const text = (list: string[]) => list.map((word) => (word === '@' || word === '?' ? path : word)).join(' ');
    const before = ask(given, bash(text(words))).decision;
    if (before !== 'deny' && before !== 'ask') continue;
    const isQuoted = words.some((word) => word.includes("'"));
    // Of a read of which nothing is known nothing is asked; see docs/bash.md.
    const whole = isQuoted
      ? []
      : words.flatMap((word, at) => (word === '?' || /^(?:>>?|-rf|-i|-n|3|x|y|s\/a\/b\/)$/.test(word) ? [] : [at]));
    const unknown = pick(['"$(cat f)"', '"$X"', '$X', '$(printf "%s" "$X")', '`cat f`']);
    const at = pick(whole.length > 0 ? whole : [-1]);
    const replaced = words.map((word, i) => (i === at ? unknown : word));
    const made = [
      `${text(words)}${'; true'.repeat(2_000)}`,
      `${'true; '.repeat(2_000)}${text(words)}`,
      `cd "$X" && ${text(words)}`,
      `cd $(cat f); ${text(words)}`,
      `${text(words)}\nif (`,
      ...(at === -1 ? [] : [text(replaced)]),
      ...(path.startsWith('/') ? [] : [words.map((word) => (word === '@' || word === '?' ? `$UNSET/${path}` : word)).join(' ')]),
    ];
    for (const one of made) {
      const after = ask(given, bash(one)).decision;
      if (after !== 'deny' && after !== 'ask')
        softer.push(`${JSON.stringify(given)} ${text(words)} ${before} → ${one.slice(0, 120)} ${after}`);
    }
  }
  expect(softer).toEqual([]);
}, 240_000);
