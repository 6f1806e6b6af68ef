// What is protected in every mode, whatever tool writes it and by whatever name.
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Place } from '../../../src/facts/paths/place.ts';
import { grantableProtection, protectionBelow, protectionOf } from '../../../src/facts/protections/paths.ts';
import { callOf, factsOf, metBy } from '../../support/call.ts';
import { makeTree, type Tree } from '../../support/tree.ts';

type Effect = 'deny' | 'ask' | null;

/** Paths are relative to the project; `~/` is the home folder, `//` the top of the tree. */
const rows: [string, Effect][] = [
  ['.claude/modes.yaml', 'deny'],
  ['.claude/settings.test-dev.json', 'deny'],
  ['.claude/settings.test-dev.local.json', 'deny'],
  ['.claude/settings.json', 'deny'],
  ['.claude/CLAUDE.test-dev.md', 'deny'],
  ['.claude/policies/a.rego', 'deny'],
  ['.claude/modes/test-dev/a.md', 'deny'],
  ['.claude/mode-state.json', 'deny'],
  ['.claude/mode.sock', 'deny'],
  ['.claude', 'deny'],
  ['packages/a/.claude/settings.json', 'deny'],
  ['packages/.claude/new/deep', 'deny'],
  ['.CLAUDE/modes.yaml', 'deny'],
  ['.claude/skills/a/SKILL.md', 'ask'],
  ['.claude/commands/a.md', 'ask'],
  ['.claude/agents/a.md', 'ask'],
  ['.claude/rules/a.md', 'ask'],
  ['.claude/tasks/a.md', 'ask'],
  ['.claude/CLAUDE.md', 'ask'],
  ['packages/a/.claude/skills/a/SKILL.md', 'ask'],
  ['.claude/skills/x/.claude/settings.json', 'deny'],
  ['.claude/policies/.claude/skills/a.md', 'deny'],
  ['.claude/skillset/a.md', 'deny'],
  ['.claude/CLAUDE.md/settings.json', 'deny'],
  ['.mcp.json', 'deny'],
  ['packages/a/.mcp.json', 'deny'],
  ['x.mcp.json', null],
  ['.codex/hooks.json', 'deny'],
  ['.codex/config.toml', 'deny'],
  ['packages/a/.codex/x/y', 'deny'],
  ['.codex', 'deny'],
  ['.Codex/hooks.json', 'deny'],
  ['~/.codex/config.toml', 'deny'],
  ['~/.copilot/hooks/a.json', 'deny'],
  ['.gemini/settings.json', 'deny'],
  ['.gemini/.env', 'deny'],
  ['.gemini/commands/a.toml', null],
  ['.cursor/hooks.json', 'deny'],
  ['.cursor/rules/a.mdc', null],
  ['.cursor', 'deny'],
  ['.opencode/plugin/modes.js', 'deny'],
  ['.opencode/agent/a.md', null],
  ['.github/hooks/modes.json', 'deny'],
  ['.github/copilot/settings.json', 'deny'],
  ['hooks.json', null],
  ['.git', 'deny'],
  ['sub/.git', 'deny'],
  ['.git/config', 'deny'],
  ['.git/config.worktree', 'deny'],
  ['.git/hooks/pre-commit', 'deny'],
  ['.git/info/exclude', 'deny'],
  ['.GIT/hooks/pre-commit', 'deny'],
  ['.git/modules/sub/config', 'deny'],
  ['.git/modules/sub/hooks/post-checkout', 'deny'],
  ['.git/worktrees/w/config.worktree', 'deny'],
  ['.git/hooks/.git/x', 'deny'],
  ['.git/commondir', 'deny'],
  ['.git/worktrees/w/commondir', 'deny'],
  ['.git/worktrees/w/gitdir', 'deny'],
  ['.git/HEAD', null],
  ['.git/index', null],
  ['.git/refs/heads/main', null],
  ['.github/workflows/a.yml', null],
  ['.gitignore', null],
  ['CLAUDE.md', 'ask'],
  ['CLAUDE.local.md', 'ask'],
  ['docs/CLAUDE.md', 'ask'],
  ['claude.md', 'ask'],
  ['CLAUDE.txt', null],
  ['.envrc', 'ask'],
  ['sub/.envrc', 'ask'],
  ['.tool-versions', 'ask'],
  ['mise.toml', 'ask'],
  ['sub/Mise.local.toml', 'ask'],
  ['.mise/tasks/x', 'ask'],
  ['.config/mise/config.toml', 'ask'],
  ['.config/other', null],
  ['.volta/hooks.json', 'ask'],
  ['.volta', 'ask'],
  ['.vscode/tasks.json', 'ask'],
  ['.vscode/settings.json', null],
  ['.exrc', 'ask'],
  ['.gdbinit', 'ask'],
  ['.pdbrc', 'ask'],
  ['.nvmrc', null],
  ['miser.toml', null],
  ['Makefile', null],
  ['~/.vimrc', 'deny'],
  ['~/.asdfrc', 'deny'],
  ['~/.yarnrc.yml', 'deny'],
  ['~/.pdbrc', 'deny'],
  ['~/.Rprofile', 'deny'],
  ['~/.volta/hooks.json', 'deny'],
  ['~/.volta/tools/x', 'ask'],
  ['~/.cargo/config.toml', 'deny'],
  ['~/.ssh/config', 'deny'],
  ['~/.ssh/known_hosts', 'ask'],
  ['~/.config/mise/config.toml', 'deny'],
  ['~/.config/systemd/user/x.service', 'deny'],
  ['src/a.ts', null],
  ['.bashrc', null],
  ['.npmrc', null],
  ['claude/settings.json', null],
  ['~/.claude/settings.json', 'deny'],
  ['~/.claude/skills/a/SKILL.md', 'deny'],
  ['~/.claude/shell-snapshots/snapshot.sh', 'deny'],
  ['~/.claude/modes-data/projects/0123456789abcdef/trust.json', 'deny'],
  ['~/.claude.json', 'deny'],
  ['~/.bashrc', 'deny'],
  ['~/.ba\u017fhrc', 'deny'],
  ['~/.bash_completion', 'deny'],
  ['~/.profile', 'deny'],
  ['~/.zshenv', 'deny'],
  ['~/.curlrc', 'deny'],
  ['~/.config/curlrc', 'deny'],
  ['~/.config/fish/config.fish', 'deny'],
  ['~/.gitconfig', 'deny'],
  ['~/.config/git/config', 'deny'],
  ['~/.npmrc', 'deny'],
  ['~/notes.txt', 'ask'],
  ['~/.config/other', 'ask'],
  ['~', 'ask'],
  ['//etc/claude-code/managed-settings.json', 'deny'],
  ['//plugins/modes/hooks/client.sh', 'deny'],
  ['//plugins/modes-other/x', 'ask'],
  ['//bin/tool', 'deny'],
  ['bin/tool', 'ask'],
  ['binary/tool', null],
  ['//tmp/scratch', null],
  ['//tmp2/scratch', 'ask'],
  ['//elsewhere/x', 'ask'],
  ['../sibling/x', 'ask'],
  ['.claude/worktrees/w/src/a.ts', null],
  ['.claude/worktrees/w/.claude/settings.json', 'deny'],
  ['.claude/worktrees/w/.claude/skills/a/SKILL.md', 'ask'],
  ['.claude/worktrees/w/.mcp.json', 'deny'],
  ['.claude/worktrees/w/.git', 'deny'],
  ['.claude/worktrees/w/CLAUDE.md', 'ask'],
  ['.claude/worktrees/w', 'deny'],
  ['.claude/worktrees/w/../../settings.json', 'deny'],
];

const resolved = (tree: Tree, name: string) =>
  name.startsWith('//') ? tree.top + name.slice(1) : name.startsWith('~') ? tree.home + name.slice(1) : `${tree.root}/${name}`;
const placed = (tree: Tree, changes: Partial<Place> = {}) =>
  tree.place({ pathFolders: [`${tree.top}/bin`, `${tree.root}/bin`], ...changes });

describe.each(['Write', 'Edit', 'NotebookEdit', 'MultiEdit'])('%s', (tool) => {
  test.each(rows)('of %s matches %s', (name, effect) => {
    const tree = makeTree();
    const field = tool === 'NotebookEdit' ? 'notebook_path' : 'file_path';
    expect(metBy(factsOf(callOf(tool, { [field]: resolved(tree, name) }, tree.root), placed(tree)))).toBe(effect);
  });
});

describe('Bash', () => {
  test.each(rows)('with > to %s matches %s', (name, effect) => {
    const tree = makeTree();
    expect(metBy(factsOf(callOf('Bash', { command: `echo x > ${resolved(tree, name)}` }, tree.root), placed(tree)))).toBe(effect);
  });

  test('relative to the folder that the call is in', () => {
    const tree = makeTree();
    tree.folder('.claude');
    expect(metBy(factsOf(callOf('Bash', { command: 'echo x > settings.json' }, `${tree.root}/.claude`), placed(tree)))).toBe(
      'deny',
    );
    expect(metBy(factsOf(callOf('Bash', { command: 'cd .claude && echo x > settings.json' }, tree.root), placed(tree)))).toBe(
      'deny',
    );
    expect(metBy(factsOf(callOf('Write', { file_path: '../.claude/modes.yaml' }, `${tree.root}/src`), placed(tree)))).toBe(
      'deny',
    );
  });
});

test.each(['.g\u200cit/config', '\u200d.git/hooks/x', '.\ufeffclaude/modes.yaml', '.mcp.js\u200eon', '\u200dCLAUDE.md'])(
  '%j is matched as some disks spell it [s:paths.unseen]',
  (name) => {
    const tree = makeTree();
    const expected = name.includes('CLAUDE') ? 'ask' : 'deny';
    expect(metBy(factsOf(callOf('Write', { file_path: `${tree.root}/${name}` }, tree.root), placed(tree)))).toBe(expected);
  },
);

describe('links', () => {
  const protectedRows = rows.filter(([name, effect]) => effect === 'deny' && !name.includes('..'));
  test.each(protectedRows)('a link to %s is as protected as its target', (name) => {
    const tree = makeTree();
    tree.link('innocent', resolved(tree, name));
    expect(metBy(factsOf(callOf('Write', { file_path: `${tree.root}/innocent` }, tree.root), placed(tree)))).toBe('deny');
  });

  test('a link to a folder above a protected file protects paths through it', () => {
    const tree = makeTree();
    tree.folder('.claude');
    tree.link('way', '.claude');
    expect(metBy(factsOf(callOf('Write', { file_path: `${tree.root}/way/modes.yaml` }, tree.root), placed(tree)))).toBe('deny');
  });

  test('replacing a protected link itself is as protected as its name', () => {
    const tree = makeTree();
    tree.file('config/modes.yaml');
    tree.link('.claude/modes.yaml', '../config/modes.yaml');
    expect(metBy(factsOf(callOf('Bash', { command: 'rm .claude/modes.yaml' }, tree.root), placed(tree)))).toBe('deny');
  });

  test('the target of a link in .claude is protected under its own name', () => {
    const tree = makeTree();
    const target = tree.file('config/modes.yaml');
    expect(metBy(factsOf(callOf('Write', { file_path: target }, tree.root), placed(tree, { linkTargets: [target] })))).toBe(
      'deny',
    );
  });

  test('a path whose links form a cycle is not written', () => {
    const tree = makeTree();
    tree.link('a', 'b');
    tree.link('b', 'a');
    expect(metBy(factsOf(callOf('Write', { file_path: `${tree.root}/a` }, tree.root), placed(tree)))).toBe('deny');
  });
});

describe('extents', () => {
  /** What lies below, and what removing the folder with everything in it meets. */
  const deep: [string, string, Effect][] = [
    ['packages/a/.claude/settings.json', 'packages', 'deny'],
    ['packages/a/.claude/settings.json', 'packages/a/.claude', 'deny'],
    ['packages/.mcp.json', 'packages', 'deny'],
    ['.github/hooks/modes.json', '.github', 'deny'],
    ['.github/workflows/a.yml', '.github', null],
    ['packages/.cursor/hooks.json', 'packages', 'deny'],
    ['.opencode/plugin/modes.js', '.opencode', 'deny'],
    ['packages/a/.git/config', 'packages', 'deny'],
    ['packages/a/.git', 'packages', 'deny'],
    ['docs/CLAUDE.md', 'docs', 'ask'],
    ['docs/claude.md', 'docs', 'ask'],
    ['docs/a.md', 'docs', null],
    ['src/a.ts', '.', 'deny'],
    ['src/a.ts', '..', 'deny'],
    ['src/a.ts', '~', 'deny'],
    ['src/a.ts', '//', 'deny'],
    ['~/.config/git/config', '~/.config', 'deny'],
    ['~/.config/x', '~/.config/y', 'ask'],
    ['tools/bin/x', 'tools', 'ask'],
    ['//opt/bin/x', '//opt', 'deny'],
    ['node_modules/x/.git/config', 'node_modules', null],
    ['node_modules/x/CLAUDE.md', 'packages/../node_modules', null],
    ['packages/a/node_modules/x/.mcp.json', 'packages/a/node_modules', null],
  ];
  const pathFolders = (tree: Tree) => ({ pathFolders: [`${tree.top}/opt/bin`, `${tree.root}/tools/bin`] });

  test.each(deep)('with %s there, rm -rf %s matches %s', (file, folder, effect) => {
    const tree = makeTree();
    tree.file(resolved(tree, file), 'x');
    const facts = factsOf(
      callOf('Bash', { command: `rm -rf ${resolved(tree, folder)}` }, tree.root),
      placed(tree, pathFolders(tree)),
    );
    expect(metBy(facts)).toBe(effect);
  });

  test.each(deep.filter(([, , effect]) => effect === 'deny'))('with %s there, mv of %s matches deny', (file, folder) => {
    const tree = makeTree();
    tree.file(resolved(tree, file), 'x');
    expect(
      metBy(
        factsOf(
          callOf('Bash', { command: `mv ${resolved(tree, folder)} ${tree.top}/tmp/away` }, tree.root),
          placed(tree, pathFolders(tree)),
        ),
      ),
    ).toBe('deny');
  });

  test('only the removal of a dependency folder ignores its contents', () => {
    const tree = makeTree();
    tree.file('node_modules/x/.mcp.json');
    expect(metBy(factsOf(callOf('Bash', { command: 'chmod -R 777 node_modules' }, tree.root), placed(tree)))).toBe('deny');
  });

  test('a pattern that matches a protected file is detected', () => {
    const tree = makeTree();
    tree.file('a/.claude/settings.json');
    tree.file('a/b.ts');
    for (const command of [
      'rm -rf a/*',
      'rm -rf a/.c*',
      'rm -rf ./*/.claude',
      'rm -rf a/.claude/*',
      'sed -i s/a/b/ */.claude/*.json',
      'rm -rf */../a/.claude',
    ])
      expect(metBy(factsOf(callOf('Bash', { command }, tree.root), placed(tree))), command).toBe('deny');
    expect(metBy(factsOf(callOf('Bash', { command: 'rm -rf a/*.ts' }, tree.root), placed(tree)))).toBeNull();
  });

  test('a pattern that leaves the project by its spelling asks', () => {
    const tree = makeTree();
    tree.file('../other/a.ts');
    tree.link('out', '../other');
    for (const command of ['rm ../other/*.ts', 'rm src/../../other/*.ts', 'rm out/*.ts'])
      expect(metBy(factsOf(callOf('Bash', { command }, tree.root), placed(tree))), command).toBe('ask');
  });

  test('a link that a pattern matches is decided by its target', () => {
    const tree = makeTree();
    tree.file('.claude/settings.json');
    tree.link('src/innocent', '../.claude/settings.json');
    expect(metBy(factsOf(callOf('Bash', { command: 'sed -i s/a/b/ src/*' }, tree.root), placed(tree)))).toBe('deny');
  });
});

describe('other places', () => {
  test('the plugin that is the project itself asks for every write', () => {
    const tree = makeTree();
    const place = placed(tree, { pluginRoot: tree.root });
    expect(protectionOf(`${tree.root}/src/a.ts`, place)?.effect).toBe('ask');
    expect(protectionOf(`${tree.root}/.claude/modes.yaml`, place)?.effect).toBe('deny');
  });

  test('a plugin inside the project is protected', () => {
    const tree = makeTree();
    expect(
      protectionOf(`${tree.root}/vendor/modes/dist/hook.cjs`, placed(tree, { pluginRoot: `${tree.root}/vendor/modes` }))?.effect,
    ).toBe('deny');
  });

  test('without a known plugin only the rest is protected', () => {
    const tree = makeTree();
    expect(protectionOf(`${tree.root}/a`, placed(tree, { pluginRoot: null }))).toBeNull();
  });

  test('a client folder of another name', () => {
    const tree = makeTree();
    const place = placed(tree, { configFolder: `${tree.root}/cfg`, dataFolder: `${tree.root}/cfg/modes-data` });
    expect(protectionOf(`${tree.root}/cfg/settings.json`, place)?.effect).toBe('deny');
    expect(protectionOf(`${tree.root}/cfg/modes-data/node`, place)?.effect).toBe('deny');
  });

  test('a project that is a worktree of the client is decided by its own names', () => {
    const tree = makeTree();
    const root = `${tree.root}/.claude/worktrees/w`;
    const place = placed(tree, { root });
    expect(protectionOf(`${root}/src/a.ts`, place)).toBeNull();
    expect(protectionOf(`${root}/.claude/settings.json`, place)?.effect).toBe('deny');
    expect(protectionOf(`${tree.root}/.claude/settings.json`, place)?.effect).toBe('deny');
  });

  test('a PATH folder that contains the project guards only the programs directly in it', () => {
    const tree = makeTree();
    const place = placed(tree, { pathFolders: [tree.home] });
    expect(protectionOf(`${tree.root}/a`, place)).toBeNull();
    expect(protectionOf(`${tree.home}/git`, place)?.effect).toBe('deny');
  });

  test('a path with the same prefix as a protected file is not protected', () => {
    const tree = makeTree();
    expect(protectionOf(`${tree.top}/etc/claude-codex/a`, placed(tree))?.effect).toBe('ask');
  });

  test.each(['project', 'home', 'config', 'data', 'plugin', 'managed'])(
    'a parent of the %s folder contains protected files',
    (name) => {
      const tree = makeTree();
      const place = placed(tree);
      const folder = {
        project: place.root,
        home: place.home,
        config: place.configFolder,
        data: place.dataFolder,
        plugin: place.pluginRoot as string,
        managed: place.managedFolders[0] as string,
      }[name] as string;
      expect(protectionBelow(folder, place)?.effect).toBe('deny');
      expect(protectionBelow(path.dirname(folder), place)?.effect).toBe('deny');
      expect(protectionBelow('/', place)?.effect).toBe('deny');
    },
  );

  test('a name without protection matches no row, for any location of the folders', () => {
    const tree = makeTree();
    const part = fc.constantFrom(
      ...[
        'a',
        'b',
        'src',
        'c',
        'claude',
        '.claude',
        '.git',
        '.Git',
        'hooks',
        '.config',
        'skills',
        '.volta',
        '.mise',
        '.vscode',
        'mise',
      ],
    );
    const last = fc.constantFrom(
      'a.ts',
      'CLAUDE.md',
      'claude.x.MD',
      '.mcp.json',
      '.bashrc',
      '_curlrc',
      '.envrc',
      '.claude.json',
      '.git',
      'trust.json',
      'b',
      'mise.toml',
      'MISE.local.toml',
      'tasks.json',
      'mise',
      '.pdbrc',
    );
    const folder = fc
      .tuple(fc.constantFrom(tree.root, tree.top, tree.home, ''), fc.array(part, { maxLength: 3 }))
      .map(([base, parts]) => [base, ...parts].join('/') || '/');
    const name = fc.tuple(folder, last).map(([base, file]) => `${base === '/' ? '' : base}/${file}`);
    const given = fc.record({
      root: folder,
      home: folder,
      configFolder: folder,
      dataFolder: folder,
      pluginRoot: fc.option(folder),
      managedFolders: fc.array(folder, { maxLength: 1 }),
      linkTargets: fc.array(folder, { maxLength: 2 }),
      pathFolders: fc.array(folder, { maxLength: 2 }),
    });
    const lies = (at: string, base: string): boolean => at === base || at.startsWith(base === '/' ? '/' : `${base}/`);
    fc.assert(
      fc.property(given, fc.array(name, { minLength: 1, maxLength: 8 }), (folders, names) => {
        const place = placed(tree, folders);
        for (const at of names) {
          if (protectionOf(at, place) !== null) continue;
          expect(grantableProtection(at, place), at).toBeNull();
          for (const kept of [place.dataFolder, ...place.managedFolders]) expect(lies(at, kept), `${at} ${kept}`).toBe(false);
        }
      }),
      { numRuns: 3_000 },
    );
  });

  test('checks change nothing', () => {
    const tree = makeTree();
    tree.file('a/.claude/settings.json', 'same');
    factsOf(callOf('Bash', { command: 'rm -rf a' }, tree.root), placed(tree));
    expect(fs.readFileSync(`${tree.root}/a/.claude/settings.json`, 'utf8')).toBe('same');
  });
});
