// A recursive read of contents is denied only for files that the search would open; the remedy names what leaves them out.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import ignore from 'ignore';
import { beforeEach, describe, expect, test } from 'vitest';
import { exclusion } from '../../../src/engine/explain.ts';
import { skipper } from '../../../src/git/skipped-by-search.ts';
import type { Skips } from '../../../src/model/command.ts';
import { judge, judgeBash, judged } from '../../support/judge.ts';
import { makeTree, type Tree } from '../../support/tree.ts';

const deny = { deny: ['Read(.env)', 'Read(secrets/**)'] };
let tree: Tree;
beforeEach(() => {
  tree = makeTree();
  tree.folder('.git/info');
  tree.file('src/a.ts');
});

const meets = (command: string): boolean => judgeBash(tree, deny, command) === 'deny rule';
const meetsGrep = (input: Record<string, unknown>): boolean =>
  judge(tree, deny, 'Grep', { pattern: 'x', ...input }) === 'deny rule';

describe('a hidden file', () => {
  beforeEach(() => void tree.file('.env'));

  test.each(['rg x', 'rg x .', 'rg -n x src .', 'rg --no-hidden x'])('is left out by %s [s:extent.read-skips]', (command) => {
    expect(meets(command)).toBe(false);
  });
  test.each([
    'rg --hidden x',
    'rg -. x',
    'rg -uu x',
    'rg -uuu x',
    'rg x .env',
    'rg x .*',
    "rg -g '.e*' x",
    'rg -g "$p" x',
    'rg --iglob .ENV x',
    'grep -r x .',
    'grep -rn x',
    'grep -r x . ; rg x',
    'cp -r . /tmp/x',
  ])('is not left out by %s', (command) => {
    expect(meets(command)).toBe(true);
  });
  test('is not left out by the client’s own search, which includes it', () => {
    expect(meetsGrep({})).toBe(true);
    expect(meetsGrep({ path: tree.root })).toBe(true);
  });
  test('is not left out if an ignore rule includes it again', () => {
    tree.file('.ignore', '!.env\n');
    expect(meets('rg x')).toBe(true);
  });
});

describe('a file with another name than the listed ones', () => {
  beforeEach(() => {
    tree.file('.env');
    tree.file('a.md');
  });

  test.each([
    'rg -l x | xargs cat',
    'rg -l x . | head -3 | xargs -n1 head',
    'grep -rl x src | xargs cat',
    'grep -l x src/*.ts | xargs cat',
    'grep -rn x --include=*.ts .',
    "find . -name '*.md' -not -path './x/*' | xargs cat",
    "find . -name '*.md' -exec cat {} +",
    "find . -type f \\( -name '*.ts' -o -name '*.tsx' \\) ! -name b.ts -exec cat {} +",
    "git ls-files '*.md' | xargs cat",
    "git ls-files 'src/*.ts' | xargs cat",
    'fd -e md -x cat',
  ])('is not read by %s [s:extent.read-skips]', (command) => expect(meets(command)).toBe(false));

  test.each([
    'rg --hidden -l x | xargs cat',
    'rg -l x . .env | xargs cat',
    'grep -rl x . | xargs cat',
    'grep -rn x --include=*.ts --include=*.env* .',
    "find . -name '.e*' | xargs cat",
    "find . ! -name '*.md' -exec cat {} +",
    "find . ! \\( -name '*.md' \\) -exec cat {} +",
    "find . -name '*.md' -o -name .env | xargs cat",
    "find . -name '*.md' -o -name .env -exec cat {} +",
    "find . \\( -name '*.md' -o -type f \\) -exec cat {} +",
    "find . -name '*.md' -exec cat {} + -o -name .env -print | xargs cat",
    "find . -name '*.md' -exec grep -r x {} +; grep -rn x",
    "git ls-files '*env' | xargs cat",
    'fd -H -e env -x cat',
  ])('is read by %s', (command) => expect(meets(command)).toBe(true));

  test('is read through a link with a listed name', () => {
    tree.link('b.md', '.env');
    expect(meets("find . -name '*.md' -exec cat {} +")).toBe(true);
    expect(meets("find . -name '*.md' | xargs cat")).toBe(true);
  });
});

describe('a file that git ignores', () => {
  beforeEach(() => void tree.file('secrets/key'));
  const ways: [string, string, string][] = [
    ['the root’s .gitignore', '.gitignore', 'secrets/\n'],
    ['a pattern of names', '.gitignore', '*key*\n'],
    ['the nearest .gitignore', 'secrets/.gitignore', '*\n'],
    ['the repository’s own list', '.git/info/exclude', '/secrets\n'],
    ['.ignore', '.ignore', 'secrets\n'],
    ['.rgignore', '.rgignore', 'secrets\n'],
  ];
  const list = (count: number): string => Array.from({ length: count }, (_, at) => `name${at}`).join('\n');
  test.each([
    ['100,000 lines', `secrets\n${list(100_000)}`],
    ['a line that is too long for an expression', `secrets\n${'{"a":'.repeat(100_000)}`],
    ['more than a megabyte', `secrets\n#${' '.repeat(1_100_000)}`],
  ])('by an ignore file with %s is answered in time and counts as read', (_, text) => {
    for (let at = 0; at < 300; at++) tree.file(`many/f${at}`);
    tree.file('.gitignore', text);
    const started = performance.now();
    expect([meets('rg x'), meetsGrep({})]).toEqual([true, true]);
    expect(performance.now() - started).toBeLessThan(10_000);
  });
  test('by an ignore file with more lines than there is time for counts as read', () => {
    for (let at = 0; at < 300; at++) tree.file(`many/f${at}`);
    tree.file('many/last/secrets/key');
    tree.file('.gitignore', `secrets\n${list(4_900)}`);
    expect(meets('rg x')).toBe(true);
  });
  test('is not skipped as hidden where a costly ignore file brings it back', () => {
    tree.file('.env');
    tree.file('.ignore', '!.env\na*b*c*d*e*f*\n');
    expect(meets('rg x src .')).toBe(true);
  });

  // ripgrep searches a folder that is named, whatever ignores the folder itself.
  test.each(ways.filter(([, , text]) => text.includes('secrets')))(
    'by %s is not left out where the search starts in its folder [s:extent.read-skips]',
    (_, file, text) => {
      tree.file('secrets/deep/key');
      tree.file(file, text);
      expect([meets('rg x secrets'), meets('cd secrets && rg x'), meets('rg x secrets/deep')]).toEqual([true, true, true]);
      expect([meetsGrep({ path: 'secrets' }), meetsGrep({ path: `${tree.root}/secrets/deep` })]).toEqual([true, true]);
    },
  );
  test.each(ways)('by %s is left out by rg and Grep [s:extent.read-skips]', (_, file, text) => {
    expect([meets('rg x'), meetsGrep({})]).toEqual([true, true]);
    tree.file(file, text);
    expect([meets('rg x'), meets('rg x .'), meetsGrep({}), meetsGrep({ path: '.' })]).toEqual([false, false, false, false]);
    expect(meets('grep -r x .')).toBe(true);
  });

  test.each([
    'rg -u x',
    'rg --no-ignore x',
    'rg --no-ignore-vcs x',
    'rg x secrets/key',
    'rg x secrets/*',
    'rg -g key x',
    "rg -g '**' x",
    "rg -g 'secrets/**' -g secrets x",
    'rm .gitignore; rg x',
    './prepare && rg x',
  ])('is not left out by %s', (command) => {
    tree.file('.gitignore', 'key\n');
    expect(meets(command)).toBe(true);
  });

  test.each<[string, () => void]>([
    ['no repository', () => fs.rmSync(path.join(tree.root, '.git'), { recursive: true })],
    ['a repository of its own', () => tree.folder('secrets/.git')],
    ['a rule that brings it back', () => tree.file('secrets/.gitignore', '!key\n')],
    ['a rule of .ignore that does', () => tree.file('.ignore', '!key\n')],
    ['another spelling', () => tree.file('.gitignore', 'KEY\n')],
    ['rules that are too long', () => tree.file('.gitignore', `key\n${'#'.repeat(1_100_000)}`)],
  ])('is not left out with %s', (_, change) => {
    tree.file('.gitignore', 'key\n');
    expect(meets('rg x')).toBe(false);
    change();
    expect(meets('rg x')).toBe(true);
  });

  test('counts if settings of ripgrep may include it', () => {
    tree.file('.gitignore', 'key\n');
    process.env.RIPGREP_CONFIG_PATH = '/x';
    try {
      expect(meets('rg x')).toBe(true);
    } finally {
      delete process.env.RIPGREP_CONFIG_PATH;
    }
  });
});

describe('a file that git ignores, where git lists and searches', () => {
  const git = (...words: string[]) => execFileSync('git', words, { cwd: tree.root, stdio: 'pipe' });
  const ways = ['git grep x', 'git ls-files | xargs cat', 'for f in $(git ls-files); do cat $f; done'];
  beforeEach(() => {
    git('init', '-q');
    tree.file('secrets/key');
    tree.file('.gitignore', 'key\n');
    git('add', '.');
  });

  test.each(ways)('is left out by %s [s:extent.read-skips]', (command) => {
    expect(meets(command)).toBe(false);
  });

  test.each<[string, () => void]>([
    ['that is tracked all the same', () => git('add', '-f', 'secrets/key')],
    ['by rules that are none of git’s', () => fs.renameSync(path.join(tree.root, '.gitignore'), path.join(tree.root, '.ignore'))],
    ['and nobody knows what is tracked', () => tree.file('.git/index', 'no index')],
    [
      'in a submodule',
      () => {
        git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},secrets`);
        tree.folder('secrets/.git');
        tree.file('secrets/.gitignore', 'key\n');
      },
    ],
  ])('is not left out %s', (_, change) => {
    change();
    expect(ways.map(meets)).toEqual(ways.map(() => true));
  });

  test.each(['git add -f secrets && git grep x', 'git grep --untracked --no-exclude-standard x', 'git ls-files -o | xargs cat'])(
    'is not left out by %s',
    (command) => {
      expect(meets(command)).toBe(true);
    },
  );
});

describe('a file that the call leaves out', () => {
  beforeEach(() => {
    tree.file('.env');
    tree.file('docs/secrets/key');
  });
  test.each([
    'grep -r --exclude=.env --exclude-dir=secrets x .',
    "grep -rn --exclude '.e*' --exclude-dir 'sec*' x",
    "grep -r --include='*.ts' x .",
    "grep -r --include='*.ts' --include='*.md' x .",
    'rgrep --exclude=.env --exclude-dir=secrets/ x .',
    "rg --hidden -g '!.env' -g '!secrets' x",
    "rg --hidden -g '!.env' -g '!docs/secrets/**' x",
    "rg --hidden -g '*.ts' x",
    "rg --hidden -g '*.{ts,tsx}' x",
    'rg --hidden -t ts x',
    'rg --hidden --type py --type rust x',
    "rg -. -g '!.env' -g '!{secrets,keys}' x",
  ])('is not matched: %s [s:extent.read-skips]', (command) => {
    expect(meets(command)).toBe(false);
  });
  test.each([
    'grep -r --exclude-dir=secrets x .',
    'grep -r --exclude=.env x .',
    'grep -r --exclude=.env --exclude-dir=secrets --include=.env x .',
    'grep -r --exclude="$x" --exclude-dir=secrets x .',
    'grep -r --include="$x" x .',
    "grep -r --include='*.[a-z]*' x .",
    "grep -r --exclude='[.]env' --exclude-dir=secrets x .",
    'grep --exclude=.env x .env',
    'zgrep -r --exclude=.env --exclude-dir=secrets x .',
    'grep -r --exclude=.env --exclude-dir=secrets --no-such x .',
    "rg --hidden -g '!.env' x",
    "rg --hidden -g '!.env' -g '!secrets' -g '*' x",
    "rg --hidden -g '!/secrets' -g '!.env' x",
    'rg --hidden -t all x',
    "rg --hidden -t ts --type-add 'ts:*' x",
    'cat .env docs/secrets/key',
  ])('is matched: %s', (command) => {
    expect(meets(command)).toBe(true);
  });

  test.each<[Record<string, unknown>, boolean]>([
    [{ glob: '!.env !secrets' }, false],
    [{ glob: '!.env,!secrets' }, false],
    [{ glob: '*.ts' }, false],
    [{ glob: '*.{ts,tsx}' }, false],
    [{ glob: '**/*.ts' }, false],
    [{ type: 'ts' }, false],
    [{ glob: '!.env' }, true],
    [{ glob: '*' }, true],
    [{ glob: 'docs/**' }, true],
    [{ glob: '!docs/secrets/** !.env' }, true],
    [{ type: 'all' }, true],
    [{ glob: '*.ts', path: '.env' }, true],
  ])('Grep %j: %s [s:extent.read-skips]', (input, met) => {
    expect(meetsGrep(input)).toBe(met);
  });
});

describe('the remedy', () => {
  const rows: [string, Record<string, unknown>, string, string, string][] = [
    ['Bash', { command: 'grep -r x .' }, 'Read(.env)', '--exclude=.env', 'grep -r --exclude=.env x .'],
    ['Bash', { command: 'grep -r x .' }, 'Read(secrets/**)', '--exclude-dir=secrets', 'grep -r --exclude-dir=secrets x .'],
    ['Bash', { command: 'rg --hidden x' }, 'Read(.env)', "-g '!.env'", "rg --hidden -g '!.env' x"],
    ['Bash', { command: 'rg x' }, 'Read(/docs/secrets/)', "-g '!secrets'", "rg -g '!secrets' x"],
    ['Grep', { pattern: 'x' }, 'Read(**/.env)', 'glob "!.env"', '!.env'],
    ['Grep', { pattern: 'x', path: 'docs' }, 'Read(secrets/**)', 'glob "!secrets"', '!secrets'],
  ];
  test.each(rows)('for %s %j against %s is %s, which fixes the call [s:extent.remedy]', (tool, input, rule, form, right) => {
    tree.file('.env');
    tree.file('docs/secrets/key');
    const { said, facts } = judged(tree, { deny: [rule] }, tool, input);
    expect(said).toBe('deny rule');
    const [access] = facts.reads;
    const on = access?.below.find((name) => !name.path.startsWith('/') && /\.env$|key$/.test(name.path))?.path ?? '';
    expect(exclusion(rule, on, access, facts)).toBe(`Leave it out: ${form}.`);
    const mended = tool === 'Bash' ? { command: right } : { ...input, glob: right };
    expect(judge(tree, { deny: [rule] }, tool, mended)).toBe('pass default');
  });

  test('is absent if nothing can be left out', () => {
    tree.file('.env');
    for (const command of ['grep x .env', 'cp -r . /tmp/x']) {
      const { facts } = judged(tree, { deny: ['Read(.env)'] }, 'Bash', { command });
      expect(exclusion('Read(.env)', '.env', facts.reads[0], facts)).toBe('');
    }
  });
});

test('a glob without wildcards leaves out the same files as the ignore package', () => {
  const part = fc.constantFrom('a', '.git', 'node_modules', 'a.b', '-', '..a');
  fc.assert(
    fc.property(part, fc.array(part, { maxLength: 3 }), part, fc.boolean(), (text, folders, name, isFolder) => {
      const skips = { style: 'rg', hidden: false, ignored: false, globs: [{ text, skip: true }], types: [], base: '/p' } as const;
      const isSkipped = skipper('/p', skips as unknown as Skips)(['/p', ...folders].join('/'))(name, isFolder);
      expect(isSkipped).toBe(
        ignore({ ignorecase: false })
          .add(text)
          .ignores([...folders, name].join('/')),
      );
    }),
  );
});
