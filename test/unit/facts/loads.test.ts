// A command that the project can make load code of its own is `runs` where a file of the project does so, before any rule is looked at.
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadFinder } from '../../../src/facts/loads.ts';
import type { BashFacts } from '../../../src/model/command.ts';
import { analyse } from '../../../src/shell/analyse.ts';
import { resolveLoads } from '../../../src/shell/loads.ts';
import { allEntries } from '../../../src/shell/registry.ts';
import { callOf, factsOf } from '../../support/call.ts';
import { makeTree, type Tree } from '../../support/tree.ts';

const settled = (tree: Tree, command: string, cwd = tree.root, search = ''): BashFacts =>
  resolveLoads(analyse(command, { cwd, home: tree.home, looks: true }), loadFinder(tree.home, search));

describe('each file that a table names', () => {
  const rows = allEntries().flatMap((entry) => {
    const name = entry.names.split(' ')[0] as string;
    const own: [string, string[]][] = entry.loads ? [[`${name} --version`, entry.loads.split(' ')]] : [];
    const verbs = Object.entries(entry.verbs ?? {}).flatMap(([key, verb]): [string, string[]][] =>
      typeof verb === 'string' || !verb.loads ? [] : [[`${name} ${key.split('|')[0]}`, verb.loads.split(' ')]],
    );
    return [...own, ...verbs].flatMap(([command, files]) =>
      files.filter((file) => file !== 'look:').map((file) => [command, file] as const),
    );
  });

  test.each(rows)('%s, with %s', (command, file) => {
    const tree = makeTree();
    expect(settled(tree, command).class).toBe('read-only');
    const search = path.join(tree.top, 'bin');
    if (file.startsWith('@')) {
      tree.link(path.join(search, command.split(' ')[0] as string), tree.file(path.join(tree.top, file.slice(1), 'run.js')));
    } else {
      const [name, key] = file.split('#') as [string, string | undefined];
      const value = key?.split('.').reduceRight<unknown>((inner, one) => ({ [one]: inner }), 'x') ?? 'x';
      tree.file(name.startsWith('~/') ? path.join(tree.home, name.slice(2)) : name, JSON.stringify(value));
    }
    const found = settled(tree, command, tree.root, search);
    expect(found.class).toBe('runs');
    expect(found.uncertain).toMatchObject([
      { command: 0, class: 'runs', why: expect.stringMatching(/^\w+ may run programs that .* names$/) },
    ]);
    expect(found.commands[0]).not.toHaveProperty('loads');
    expect(found.why.map((why) => why.text)).toEqual([found.uncertain[0]?.why]);
  });

  test('are many', () => expect(rows.length).toBeGreaterThan(30));
});

describe('the searched folders', () => {
  const rows: [string, string, string][] = [
    ['in the folder', 'pnpm list', '.npmrc'],
    ['after cd', 'cd packages/a && pnpm list', 'packages/a/.npmrc'],
    ['above, after cd', 'cd packages/a && pnpm list', 'packages/.npmrc'],
    ['in either folder where the shell may be', 'cd packages; pnpm list', 'packages/.npmrc'],
    ['in a subshell', '(cd packages && pnpm list) | head', 'packages/.npmrc'],
    ['in the folder of env', 'env -C packages pnpm list', 'packages/.npmrc'],
    ['for a part among others', 'ls; echo "$(yarn list)" | cat', '.yarnrc.yml'],
    ['by the program path', '/usr/bin/cargo --version', 'rust-toolchain'],
    ['where terraform keeps its state', 'terraform output -json', '.terraform/terraform.tfstate'],
    ['where terraform keeps its state', 'terraform state list', '.terraform/terraform.tfstate'],
    ['where terraform keeps its state', 'tofu workspace list', '.terraform/terraform.tfstate'],
    ['where terraform keeps its state', 'terraform providers', '.terraform/terraform.tfstate'],
    ['where terraform keeps its state elsewhere', 'terraform -chdir=infra output', 'infra/.terraform/terraform.tfstate'],
    ['plugins of poetry', 'poetry --version', '.poetry/plugins/x'],
    ['what draws the frames of ansible', 'ansible-playbook --version', 'ansible.cfg'],
    ['what hg keeps', 'go list -json ./...', '.hg/hgrc'],
  ];
  test.each(rows)('%s: %s', (_, command, file) => {
    const tree = makeTree();
    tree.folder('packages/a');
    expect(settled(tree, command).class).toBe('read-only');
    tree.file(file);
    expect(settled(tree, command).class).toBe('runs');
  });

  test('not below the folder, not beside it, and not in the home folder, which belongs to the user', () => {
    const tree = makeTree();
    tree.file('packages/.npmrc');
    tree.file(path.join(tree.home, 'other/.npmrc'));
    tree.file(path.join(tree.home, '.npmrc'));
    tree.file(path.join(tree.top, '.npmrc'));
    expect(settled(tree, 'pnpm list').class).toBe('read-only');
    expect(settled(tree, 'pnpm list', tree.home).class).toBe('runs');
    expect(settled(tree, 'pnpm list', tree.folder(path.join(tree.top, 'elsewhere'))).class).toBe('read-only');
  });

  test('outside of the home folder, everywhere above', () => {
    const tree = makeTree();
    tree.file(path.join(tree.top, 'srv/.npmrc'));
    expect(settled(tree, 'pnpm list', tree.folder(path.join(tree.top, 'srv/a/b'))).class).toBe('runs');
  });

  test('by the real path of a link, too, and a link that leads nowhere counts', () => {
    const tree = makeTree();
    tree.file(path.join(tree.top, 'real/.npmrc'));
    tree.link('here', path.join(tree.top, 'real'));
    expect(settled(tree, 'cd here && pnpm list').class).toBe('runs');
    tree.link('sub/.npmrc', '/nowhere');
    expect(settled(tree, 'cd sub && pnpm list').class).toBe('runs');
  });

  test('a manifest counts by its keys, and one that cannot be read counts', () => {
    const tree = makeTree();
    tree.file('package.json', '{"name": "x", "dependencies": {"packageManager": "1"}}');
    expect(settled(tree, 'pnpm list').class).toBe('read-only');
    tree.file('package.json', '{"packageManage\\u0072": "x"}');
    expect(settled(tree, 'pnpm list').class).toBe('runs');
    tree.file('package.json', '{');
    expect(settled(tree, 'pnpm list').class).toBe('runs');
    tree.file('package.json', `{"name": "${' '.repeat(1_000_000)}"}`);
    expect(settled(tree, 'pnpm list').class).toBe('runs');
  });
});

describe('from the text alone', () => {
  test('the class depends on a condition, which the reason names', () => {
    const { class: cls, commands, why } = analyse('pnpm list', { cwd: '/p', home: '/h' });
    expect(cls).toBe('read-only');
    expect(commands[0]?.loads).toMatchObject([{ files: expect.arrayContaining(['.pnpmfile.cjs', '.npmrc']), folders: ['/p'] }]);
    expect(why[0]?.text).toMatch(/^changes nothing, unless .*\.pnpmfile\.cjs/);
  });

  test.each([
    'cd "$x" && pnpm list',
    'echo x > .npmrc; pnpm list',
    'mkdir -p .cargo && mv evil .cargo/config.toml && cargo --version',
    'mv evil sub; cd sub && pnpm list',
    'ln -s /evil sub && cd sub && yarn --version',
    'cp -r evil/. . && pnpm list',
    'tar xf a.tar && cargo --version',
    'rm -rf x && pnpm list',
    'git switch other && pnpm list',
    'cargo --version; ./prepare.sh',
  ])('%s runs, regardless of the disk', (command) => {
    const steered = analyse(command, { cwd: '/p', home: '/h' }).commands.filter((one) => /^(?:pnpm|yarn|cargo)$/.test(one.name));
    expect(steered.map((one) => one.class)).toEqual(['runs']);
  });

  test.each(['pnpm list > out.txt', 'cd sub && cargo --version > ../out.txt'])('%s still writes only', (command) => {
    expect(analyse(command, { cwd: '/p', home: '/h' }).class).toBe('writes');
  });
});

describe('in the facts of a call', () => {
  test('the class follows the file that was found', () => {
    const tree = makeTree();
    const ask = (command: string) => factsOf(callOf('Bash', { command }, tree.root), tree.place());
    expect(ask('pnpm list | head')).toMatchObject({ bash: { class: 'read-only' }, may_write_anywhere: null });
    tree.file('.pnpmfile.cjs');
    expect(ask('pnpm list | head')).toMatchObject({
      bash: { class: 'runs', commands: [{ class: 'runs', keys: expect.arrayContaining(['@runs']) }, { class: 'read-only' }] },
      may_write_anywhere: [
        { kind: 'command', name: 'pnpm', class: 'runs', why: `pnpm may run programs that ${tree.root}/.pnpmfile.cjs names` },
      ],
    });
    expect(ask('cd / && cargo --version')).toMatchObject({ bash: { class: 'read-only' } });
  });

  test('a replaced program on the PATH counts', () => {
    const tree = makeTree();
    fs.mkdirSync(path.join(tree.top, 'bin'));
    tree.link(path.join(tree.top, 'bin/yarn'), tree.file(path.join(tree.top, 'lib/corepack/dist/yarn.js')));
    const place = tree.place({ search: path.join(tree.top, 'bin') });
    expect(factsOf(callOf('Bash', { command: 'yarn --version' }, tree.root), place).bash?.class).toBe('runs');
    expect(factsOf(callOf('Bash', { command: 'yarn --version' }, tree.root), tree.place()).bash?.class).toBe('read-only');
  });
});

describe('conditions that need the disk', () => {
  const bare = (command: string) => analyse(command, { cwd: '/p', home: '/h' }).class;

  test.each([
    'cd sub && git log',
    'git -C sub status',
    'python3 -m json.tool a.json',
    'python3 -m pip list',
    'mvn --version',
    'uv pip list',
  ])('%s is not read-only for a caller that does not check the disk', (command) =>
    expect(bare(command)).toMatch(/^(?:runs|unknown)$/),
  );

  test.each(['cd a/b && git log', 'git -C a/b log', '(cd a; git status)', 'git -C a -C b log'])(
    '%s is read-only, unless the folder or one on the way is a repository',
    (command) => {
      for (const file of ['a/.git/config', 'a/.git', 'a/HEAD', ...(command.includes('b') ? ['a/b/.git', 'a/b/HEAD'] : [])]) {
        const tree = makeTree();
        tree.folder('a/b');
        tree.file('.git/config');
        tree.file('HEAD');
        expect([file, settled(tree, command).class]).toEqual([file, 'read-only']);
        tree.file(file);
        expect([file, settled(tree, command).class]).toEqual([file, 'unknown']);
      }
    },
  );

  test('git in a folder that is not there, in a link that leads elsewhere, and beside the project', () => {
    const tree = makeTree();
    tree.link('away', path.join(tree.top, 'elsewhere'));
    tree.folder(path.join(tree.top, 'elsewhere'));
    expect(settled(tree, 'cd nowhere && git log').class).toBe('read-only');
    expect(settled(tree, 'cd away && git log').class).toBe('unknown');
    expect(settled(tree, 'git -C ../elsewhere log').class).toBe('unknown');
    expect(settled(tree, 'cd "$x" && git log').class).toBe('unknown');
  });

  test.each([
    'mkdir -p a/.git && cd a && git log',
    'echo x > a/HEAD; cd a && git log',
    'cp -r evil a; cd a && git log',
    'tar xf x.tar; git -C a log',
    'mv evil a/.git; git -C a log',
    'git -C a commit -m x',
    'git -C a push',
    'git -C a -c core.pager=x log',
  ])('%s is not read-only, regardless of the disk', (command) => {
    const tree = makeTree();
    tree.folder('a');
    expect(settled(tree, command).class).not.toBe('read-only');
  });

  test.each([
    'json.py',
    'argparse.py',
    'json/__init__.py',
    're.so',
    '_json.cpython-312-x86_64-linux-gnu.so',
    'pip.pyc',
    'pip/__init__.py',
  ])('Python takes %s for a module', (file) => {
    const tree = makeTree();
    tree.folder('json');
    tree.file('app.py');
    for (const command of ['cat a | python3 -m json.tool', 'python3 -m pip list']) {
      expect(settled(tree, command).class).toBe('read-only');
      expect(settled(tree, `cd sub; ${command}`).class).toBe('read-only');
    }
    tree.file(file);
    expect(settled(tree, 'cat a | python3 -m json.tool').class).toBe('runs');
    expect(settled(tree, 'python3 -m pip list').class).toBe('runs');
    expect(settled(tree, 'cat a | python3 -I -m json.tool').class).toBe('read-only');
    expect(settled(tree, 'cat a > json.py; python3 -m json.tool b').class).toBe('runs');
  });

  test('a missing database is created, and counts as written', () => {
    const tree = makeTree();
    const facts = settled(tree, "sqlite3 app.db 'select 1'");
    expect(facts.class).toBe('writes');
    expect(facts.writes).toEqual([{ path: path.join(tree.root, 'app.db'), extent: 'one', via: 'sqlite3', command: 0 }]);
    tree.file('app.db');
    expect(settled(tree, "sqlite3 app.db 'select 1'")).toMatchObject({ class: 'read-only', writes: [] });
    expect(settled(tree, 'sqlite3 app.db .tables').class).toBe('read-only');
    expect(settled(tree, "sqlite3 app.db 'delete from t'").class).toBe('unknown');
    expect(settled(tree, "rm app.db; sqlite3 app.db 'select 1'").class).toBe('writes');
  });
});

describe('the form of the output of a substitution', () => {
  const commands = [
    'git log $(git describe --tags --abbrev=0)..HEAD',
    'git log "$(git branch --show-current)"',
    'b=$(git rev-parse --abbrev-ref HEAD); git log "$b"',
    "for b in $(git for-each-ref --format='%(refname:short)'); do git log -1 $b; done",
    'git log $(git tag)',
    'gh pr view "$(git branch --show-current)"',
  ];
  const places = [
    ['.git/refs/tags/--output=x', 'a'.repeat(40)],
    ['.git/refs/heads/--output=x', 'a'.repeat(40)],
    ['.git/refs/--output=x', 'a'.repeat(40)],
    ['.git/packed-refs', `# pack-refs with: peeled\n${'a'.repeat(40)} refs/tags/--output=x\n`],
    ['.git/HEAD', 'ref: refs/heads/--output=x\n'],
  ] as const;

  const withRepository = (): Tree => {
    const tree = makeTree();
    tree.file('.git/HEAD', 'ref: refs/heads/main\n');
    tree.file('.git/objects/info/none', '');
    tree.file('.git/refs/heads/main', 'a'.repeat(40));
    return tree;
  };

  test.each(commands)('%s is read-only if no branch or tag begins with a dash', (command) => {
    expect(settled(withRepository(), command).class).toBe('read-only');
  });

  test.each(commands.flatMap((command) => places.map(([file, text]) => [command, file, text] as const)))(
    '%s is unknown with %s',
    (command, file, text) => {
      const tree = withRepository();
      tree.file(file, text);
      const facts = settled(tree, command);
      expect(facts.class).toBe('unknown');
      expect(facts.why.map(({ text }) => text)).toContainEqual(expect.stringContaining('a name that begins with a dash'));
    },
  );

  test('a change of the repository in the same text counts as such a name', () => {
    expect(settled(withRepository(), 'git fetch && git log $(git describe --tags)').class).not.toBe('read-only');
    const moved = settled(withRepository(), 'cp -r x .git; git log $(git describe --tags)');
    expect(moved.uncertain.length).toBeGreaterThan(0);
  });

  test('a line count is a number only if a file is counted', () => {
    const tree = makeTree();
    tree.file('f', 'x');
    expect(settled(tree, '[ "$(grep -c x f)" -gt 3 ]').class).toBe('read-only');
    tree.file('d/f', 'x');
    const facts = settled(tree, '[ "$(grep -c x d)" -gt 3 ]');
    expect(facts.class).toBe('unknown');
    expect(facts.why.map(({ text }) => text)).toEqual([`[ may evaluate names of files in ${path.join(tree.root, 'd')}`]);
  });
});

describe('a word that is the name of a file', () => {
  const commands = [
    'sed -n 1,5p *.ts',
    'sort *.ts',
    "ls *.ts | xargs sed -n '1,5p'",
    'ls -1t *.ts 2>/dev/null | head -3 | xargs sed -n 1p',
    'ls *.ts | xargs -I{} sed -n 1p {}',
    "find . -name '*.ts' | xargs sed -n 1p",
    'find . -name "*.ts" -print0 | xargs -0 sed -n 1p',
    'rg -l foo src . | xargs sed -n 1p',
    'grep -rl foo . | sort -u | xargs -n1 sed -n 1p',
    'git ls-files | xargs sed -n 1p',
    'git ls-files | xargs git blame',
    'cd src && ls *.ts ../*.ts | xargs sort',
    'ls *.ts | (cd src; xargs sed -n 1p)',
  ];
  const names = ['-i.ts', 'a -i.ts', "a'-i.ts", 'a\n-i.ts'];
  const withFiles = () => {
    const tree = makeTree();
    tree.file('a.ts', '');
    tree.file('src/b-c.ts', '');
    return tree;
  };

  test.each(commands)('%s is read-only if no name is like an option', (command) => {
    expect(settled(withFiles(), command).class).toBe('read-only');
  });

  test.each(commands.flatMap((command) => names.map((name) => [command, name] as const)))(
    '%s is unknown with %j',
    (command, name) => {
      const tree = withFiles();
      tree.file(name, '');
      const facts = settled(tree, command);
      expect(facts.class).toBe('unknown');
      expect(facts.uncertain).toContainEqual(expect.objectContaining({ anything: true }));
    },
  );

  test('of a folder that ls lists is unknown', () => {
    const tree = withFiles();
    tree.file('d.ts/x', '');
    expect(settled(tree, 'ls *.ts | xargs sed -n 1p').class).toBe('unknown');
    expect(settled(tree, 'sed -n 1p *.ts').class).toBe('read-only');
  });

  test('below a linked or missing folder is unknown', () => {
    const tree = withFiles();
    tree.link('src/elsewhere', '/usr/lib');
    expect(settled(tree, 'find src | xargs sed -n 1p').class).toBe('unknown');
    expect(settled(withFiles(), 'find missing | xargs sed -n 1p').class).toBe('unknown');
  });

  test('that the same text may write is unknown', () => {
    for (const text of ['touch ./-i.ts', 'tar xf a.tar', 'git stash pop', 'npm test', 'cp -r x .', 'printf x > "a -i.ts"'])
      expect(settled(withFiles(), `${text}; sed -n 1p *.ts`).class).toBe('unknown');
    expect(settled(withFiles(), 'sed -n 1p *.ts > out.txt').class).toBe('writes');
  });
});
