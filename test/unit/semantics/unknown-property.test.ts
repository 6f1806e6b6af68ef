// Making a part of a call unknown never makes its decision less strict than an ask, where it was denied or asked before.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { loadConfiguration } from '../../../src/config/load.ts';
import type { Layer, ModeSettings } from '../../../src/model/configuration.ts';
import type { Lists } from '../../support/policy.ts';
import { ask, bash, type Given, useCore } from './fixture.ts';

useCore();

const seed = Number(process.env.SEED ?? 28);
const count = Number(process.env.N ?? 20);
/** Generous: a configuration takes less than a second, and `N` may ask for thousands. */
const timeout = 240_000 + count * 10_000;
const packageRoot = path.resolve(import.meta.dirname, '../../..');

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

/** Constructs that run the command inside. */
const wrappings: ((command: string) => string)[] = [
  (command) => `g() { ${command}; }; g`,
  (command) => `coproc { ${command}; }`,
  (command) => `cat <<E\n$(${command})\nE`,
  (command) => `cat <(${command})`,
  (command) => `[[ -n $(${command}) ]]`,
  (command) => `(( $(${command}) ))`,
  (command) => `a=($(${command}))`,
  (command) => `declare -A m; m[$(${command})]=1`,
  (command) => `echo "\${x:-$(${command})}"`,
  (command) => `while ${command}; do break; done`,
  (command) => `case x in x) ${command} ;; esac`,
  (command) => `{ ${command}; } 2>&1 | tee /dev/null`,
];
/** Texts that a shell reads as commands. */
const quotings: ((command: string) => string)[] = [
  (command) => `eval '${command}'`,
  (command) => `source <(echo '${command}')`,
  (command) => `. /dev/stdin <<< '${command}'`,
  (command) => `bash <<'E'\n${command}\nE`,
  (command) => `trap '${command}' EXIT`,
  (command) => `g() { eval "$1"; }; g '${command}'`,
  (command) => `x='${command}'; eval "$x"`,
  (command) => `echo '${command}' > s.sh; bash s.sh`,
];

/** The decisions that became softer than ask when a part of a call became unknown: one call for each configuration. */
function softerIn(given: readonly Given[], next: () => number): string[] {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
  return given.flatMap((one) => {
    const path = pick(paths);
    const words = pick(commands).split(' ');
    const text = (list: string[]) => list.map((word) => (word === '@' || word === '?' ? path : word)).join(' ');
    const before = ask(one, bash(text(words))).decision;
    if (before !== 'deny' && before !== 'ask') return [];
    const isQuoted = words.some((word) => word.includes("'"));
    // A read of which nothing is known does not ask; see docs/bash.md.
    const whole = isQuoted
      ? []
      : words.flatMap((word, at) => (word === '?' || /^(?:>>?|-rf|-i|-n|3|x|y|s\/a\/b\/)$/.test(word) ? [] : [at]));
    const unknown = pick(['"$(cat f)"', '"$X"', '$X', '$(printf "%s" "$X")', '`cat f`']);
    const at = pick(whole.length > 0 ? whole : [-1]);
    const replaced = words.map((word, i) => (i === at ? unknown : word));
    const made = [
      pick([`${text(words)}${'; true'.repeat(2_000)}`, `${'true; '.repeat(2_000)}${text(words)}`]),
      `cd "$X" && ${text(words)}`,
      `cd $(cat f); ${text(words)}`,
      `${text(words)}\nif (`,
      pick(wrappings)(text(words)),
      ...(isQuoted ? [] : [pick(quotings)(text(words))]),
      ...(at === -1 ? [] : [text(replaced)]),
      ...(path.startsWith('/') ? [] : [words.map((word) => (word === '@' || word === '?' ? `$UNSET/${path}` : word)).join(' ')]),
    ];
    return made.flatMap((call) => {
      const after = ask(one, bash(call)).decision;
      if (after === 'deny' || after === 'ask') return [];
      return [`${JSON.stringify(one)} ${text(words)} ${before} → ${call.slice(0, 120)} ${after}`];
    });
  });
}

test(
  `seed ${seed}, ${count} calls`,
  () => {
    const next = random(seed);
    const given = Array.from({ length: count }, () => configurations[Math.floor(next() * configurations.length)] as Given);
    expect(softerIn(given, next)).toEqual([]);
  },
  timeout,
);

// The configurations that people copy: those of README.md and of examples/.

/** Every mode of a project, each as in a trusted and as in an untrusted project. */
function modesOf(root: string): Given[] {
  const { enforced, commands, arguments: declared, problems } = loadConfiguration(root);
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  return [...enforced.values()].flatMap((settings) =>
    [true, false].map((trusted) => ({
      ...givenOf(settings),
      trusted,
      commands: commands.map((one) => ({ ...one, trusted })),
      declared: declared.map((one) => ({ ...one, trusted })),
    })),
  );
}

function givenOf({ rules, defaults }: ModeSettings): Given {
  const layers: Partial<Record<Layer, Lists>> = {};
  const given: Given = { layers, outside: [], defaults: Object.fromEntries(defaults.map(({ layer, value }) => [layer, value])) };
  for (const { text, effect, layer, outside, unknownReads } of rules) {
    if (unknownReads) given.unknownReads = effect as 'ask' | 'deny';
    else if (outside !== undefined) {
      const [globs, expressions] = [outside.globs, outside.expressions].map((list) => list.map((one) => one.text));
      given.outside?.push({
        effect: effect as 'ask' | 'deny',
        layer,
        globs: globs as string[],
        expressions: expressions as string[],
      });
    } else {
      layers[layer] ??= {};
      const lists = layers[layer];
      lists[effect] = [...(lists[effect] ?? []), text];
    }
  }
  return given;
}

/** A project with the files that README.md shows: code blocks that begin with a comment with their name. */
function projectOfReadme(): string {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'modes-readme-'));
  onTestFinished(() => fs.rmSync(root, { recursive: true }));
  fs.mkdirSync(path.join(root, '.claude'));
  const readme = fs.readFileSync(path.join(packageRoot, 'README.md'), 'utf8');
  const files = [...readme.matchAll(/^```(?:yaml|jsonc)\n(?:#|\/\/) ([\w.-]+).*\n([\s\S]*?)^```$/gm)];
  expect(files.map(([, name]) => name)).toEqual(['modes.yaml', 'settings.writing.json']);
  for (const [, name = '', text = ''] of files) fs.writeFileSync(path.join(root, '.claude', name), text);
  return root;
}

const exampleAt = (name: string): string => path.join(packageRoot, 'examples', name);
const examples = fs
  .readdirSync(path.join(packageRoot, 'examples'))
  .filter((name) => fs.existsSync(path.join(exampleAt(name), '.claude/modes.yaml')));

/** Calls for each published configuration, each in a mode by chance: other seeds try the other modes. */
const each = Number(process.env.N ?? 2);

describe(`as published, seed ${seed}`, () => {
  test.each<[string, () => string]>([
    ['README.md', projectOfReadme],
    ...examples.map((name): [string, () => string] => [`examples/${name}`, () => exampleAt(name)]),
  ])(
    '%s',
    (name, root) => {
      const given = modesOf(root());
      const next = random(seed + name.length);
      const picked = Array.from({ length: each }, () => given[Math.floor(next() * given.length)] as Given);
      expect(softerIn(picked, next)).toEqual([]);
    },
    timeout,
  );
});
