// What could go round the modes or speak for them: every detector, where it looks, and what it leaves alone.
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { findDisabled } from '../../../../src/workflow/findings/disabled.ts';
import { find, findEnding } from '../../../../src/workflow/findings/find.ts';
import { settingsFiles } from '../../../../src/workflow/findings/settings.ts';
import { type FindingCode, findingLines, kinds } from '../../../../src/workflow/findings/types.ts';
import { makeTree, type Tree } from '../../../support/tree.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const around = (tree: Tree, start = tree.root) => ({ place: tree.place(), start });
const codes = (tree: Tree, start?: string) => find(around(tree, start)).map(({ code }) => code);
/** `~` is the home, `/etc` the managed folder, anything else lies in the project. */
const at = (tree: Tree, name: string) => name.replace('~', tree.home).replace(/^\/etc/, `${tree.top}/etc`);
const put = (tree: Tree, files: Record<string, string>) => {
  for (const [name, text] of Object.entries(files)) tree.file(at(tree, name), text);
};
const installed = (tree: Tree, id = 'other@market') =>
  JSON.stringify({ version: 2, plugins: { [id]: [{ scope: 'user', installPath: `${tree.home}/.claude/plugins/cache/x` }] } });

const dialogHook = '{"hooks":{"Elicitation":[{"hooks":[{"type":"command","command":"x"}]}]}}';
const callsUs = '{"hooks":{"Stop":[{"hooks":[{"type":"mcp_tool","server":"plugin:modes:modes","tool":"hook"}]}]}}';

describe('a project with nothing unusual', () => {
  test('has no findings', () => {
    const tree = makeTree();
    put(tree, {
      '.claude/modes.yaml': 'name: x',
      '.claude/settings.json': '{"permissions":{"allow":["mcp__plugin_modes_modes__transition"]},"env":{"DEBUG":"1"}}',
      '.claude/settings.local.json': '{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"lint"}]}]}}',
      '.claude/skills/own/SKILL.md': '---\nname: own\ndescription: about Elicitation\n---\ntext',
      '.claude/agents/one.md': '---\nname: one\nhooks:\n  Stop: []\n---\nplugin:modes:modes',
      '.claude/scheduled_tasks.json': '{"tasks":[{"prompt":"look at the build; never type /modes:mode"}]}',
      '.mcp.json': '{"mcpServers":{"files":{"command":"x"}}}',
      '.git/HEAD': 'ref: refs/heads/main',
      'packages/a/.claude/settings.json': '{}',
    });
    tree.link('.claude/CLAUDE.idle.md', '../docs/idle.md');
    expect(find(around(tree))).toEqual([]);
  });

  test('a missing folder has no findings either', () => {
    const tree = makeTree();
    fs.rmSync(tree.root, { recursive: true });
    expect(find(around(tree))).toEqual([]);
  });
});

describe('hooks', () => {
  const places = [
    '.claude/settings.json',
    '.claude/settings.local.json',
    '~/.claude/settings.json',
    '/etc/claude-code/managed-settings.json',
    '/etc/claude-code/managed-settings.d/10-x.json',
  ];
  test.each(places)('are searched in %s', (name) => {
    const tree = makeTree();
    put(tree, { [name]: dialogHook });
    expect(find(around(tree))).toEqual([
      expect.objectContaining({
        code: 'F_DIALOG_HOOK',
        file: path.resolve(tree.root, at(tree, name)),
        line: 1,
        what: 'a hook on Elicitation',
      }),
    ]);
    put(tree, { [name]: callsUs });
    expect(findEnding(around(tree)).map(({ code }) => code)).toEqual(['F_FOREIGN_HOOK']);
  });

  test.each<[string, Record<string, string>]>([
    ['a plugin', { '~/.claude/plugins/cache/x/hooks/hooks.json': callsUs }],
    [
      'a manifest',
      { '~/.claude/plugins/cache/x/.claude-plugin/plugin.json': JSON.stringify({ name: 'x', hooks: JSON.parse(callsUs) }) },
    ],
    [
      'a list in a manifest',
      { '~/.claude/plugins/cache/x/.claude-plugin/plugin.json': JSON.stringify({ hooks: ['./x.json', JSON.parse(callsUs)] }) },
    ],
    [
      'a file that a manifest names',
      {
        '~/.claude/plugins/cache/x/.claude-plugin/plugin.json': '{"hooks":"./more.json"}',
        '~/.claude/plugins/cache/x/more.json': callsUs,
      },
    ],
    [
      'a skill',
      { '.claude/skills/s/SKILL.md': '---\nname: s\nhooks:\n  Stop:\n    - hooks: [{server: "plugin:modes:modes"}]\n---\n' },
    ],
    ['an agent', { '.claude/agents/a.md': '---\nhooks: {Stop: [{hooks: [{server: "plugin:modes:m\\u006fdes"}]}]}\n---\n' }],
    [
      'a command of the user',
      { '~/.claude/commands/c.md': '---\n"h\\u006foks": {Stop: [{server: "plugin:modes:modes"}]}\n---\n' },
    ],
    ['a broken front matter', { '.claude/agents/a.md': '---\nhooks: {Stop: [ plugin:modes:modes\n---\n' }],
  ])('of %s count', (_, files) => {
    const tree = makeTree();
    put(tree, { '~/.claude/plugins/installed_plugins.json': installed(tree), ...files });
    expect(codes(tree)).toEqual(['F_FOREIGN_HOOK']);
  });

  /** What the client reads beside the `.claude` of the folder that it was started in: seen in client 2.1.330. */
  describe('around the folder that the client was started in count', () => {
    const skill = '---\nname: s\nhooks: {Stop: [{hooks: [{server: "plugin:modes:modes"}]}]}\n---\n';
    const replaced = '{"mcpServers":{"plugin:modes:modes":{"command":"x"}}}';
    const elsewhere = (commondir: string) => ({
      '../tree/.git': 'gitdir: ../work/.git/worktrees/tree\n',
      '.git/worktrees/tree/commondir': commondir,
      '.git/worktrees/tree/gitdir': '../../../../tree/.git\n',
    });
    type Row = [where: string, start: string, files: Record<string, string>, code: FindingCode];
    test.each<Row>([
      [
        "one person's settings of the repository",
        'packages/a',
        { '.git/HEAD': '', '.claude/settings.local.json': callsUs },
        'F_FOREIGN_HOOK',
      ],
      [
        "one person's settings of the main checkout",
        '../tree',
        { ...elsewhere('../..\n'), '.claude/settings.local.json': dialogHook },
        'F_DIALOG_HOOK',
      ],
      [
        'the same, from further below',
        '../tree/packages/a',
        { ...elsewhere('../..'), '.claude/settings.local.json': '{"disableAllHooks":true}' },
        'F_HOOKS_OFF',
      ],
      ['a skill of a folder above', 'packages/a', { '.claude/skills/s/SKILL.md': skill }, 'F_FOREIGN_HOOK'],
      ['an agent of the main checkout', '../tree', { ...elsewhere('../..\n'), '.claude/agents/a.md': skill }, 'F_FOREIGN_HOOK'],
      ['a server of a folder above', 'packages/a', { '.mcp.json': replaced }, 'F_SERVER_REPLACED'],
    ])('%s', (_, start, files, code) => {
      const tree = makeTree();
      put(tree, files);
      const root = tree.folder(start);
      const found = find({ place: tree.place({ root: path.resolve(root) }), start: root });
      expect(found.map((one) => one.code)).toEqual([code]);
    });

    test('settings of another repository do not count, nor those that the client shares', () => {
      const tree = makeTree();
      put(tree, {
        '.git/HEAD': '',
        '.claude/settings.json': callsUs,
        '.claude/settings.local.json': callsUs,
        'own/.git/HEAD': '',
      });
      const root = tree.folder('own');
      expect(find({ place: tree.place({ root }), start: root })).toEqual([]);
      fs.rmSync(path.join(tree.root, '.claude/settings.local.json'));
      fs.rmSync(path.join(root, '.git'), { recursive: true });
      expect(find({ place: tree.place({ root }), start: root })).toEqual([]);
    });
  });

  test('of Modes itself, installed, do not', () => {
    const tree = makeTree();
    put(tree, {
      '~/.claude/plugins/installed_plugins.json': installed(tree, 'modes@claude-modes'),
      '~/.claude/plugins/cache/x/hooks/hooks.json': fs.readFileSync('hooks/hooks.json', 'utf8'),
    });
    expect(find({ place: { ...tree.place(), pluginRoot: path.resolve('.') }, start: tree.root })).toEqual([]);
  });

  const foreign = JSON.parse(fs.readFileSync('hooks/hooks.json', 'utf8')) as { hooks: Record<string, unknown[]> };
  foreign.hooks.PostToolUse?.push({ hooks: [{ type: 'mcp_tool', server: 'plugin:modes:modes', tool: 'hook', input: {} }] });

  test.each<[string, string, FindingCode]>([
    ['a hook that is not ours', JSON.stringify(foreign), 'F_FOREIGN_HOOK'],
    ['a hook on dialogs', dialogHook, 'F_DIALOG_HOOK'],
    ['a mod', '{"modules":["./register.js"]}', 'F_MOD'],
  ])('of another plugin that is called modes count: %s', (_, hooks, code) => {
    const tree = makeTree();
    put(tree, {
      '~/.claude/plugins/installed_plugins.json': installed(tree, 'modes@elsewhere'),
      '~/.claude/plugins/cache/x/hooks/hooks.json': hooks,
    });
    const place = { ...tree.place(), pluginRoot: path.resolve('.') };
    expect(find({ place, start: tree.root }).map((one) => one.code)).toEqual([code]);
  });

  test('of another version of Modes do not, where the client keeps it beside this one', () => {
    const tree = makeTree();
    const cache = `${tree.home}/.claude/plugins/cache/shop/modes`;
    const plugins = { 'modes@shop': [{ installPath: `${cache}/0.2.0` }] };
    put(tree, {
      '~/.claude/plugins/installed_plugins.json': JSON.stringify({ version: 2, plugins }),
      '~/.claude/plugins/cache/shop/modes/0.2.0/hooks/hooks.json': JSON.stringify(foreign),
    });
    expect(find({ place: { ...tree.place(), pluginRoot: `${cache}/0.1.0` }, start: tree.root })).toEqual([]);
    expect(find({ place: { ...tree.place(), pluginRoot: path.resolve('.') }, start: tree.root })).toHaveLength(1);
  });

  test('of the folder that the client was started in count, below the project’s root too', () => {
    const tree = makeTree();
    put(tree, { 'packages/a/.claude/settings.json': dialogHook });
    expect(codes(tree)).toEqual([]);
    expect(codes(tree, path.join(tree.root, 'packages/a'))).toEqual(['F_DIALOG_HOOK']);
  });

  test.each<[string, string[]]>([
    ['{}', []],
    ['', []],
    ['null', []],
    ['[]', []],
    ['{"hooks":null}', []],
    ['{"hooks":[]}', []],
    ['{"permissions":{"allow":["Elicitation"]}}', []],
    ['{"hooks":{"Elicitation":[]}}', ['F_DIALOG_HOOK']],
    ['{"hooks":{"ElicitationResult":[]}}', ['F_DIALOG_HOOK']],
    ['{"hooks":{"Elicit\\u0061tion":[]}}', ['F_DIALOG_HOOK']],
    [
      '{"hooks":{"Stop":[{"hooks":[{"type":"mcp_tool","server":"plugin:modes:m\\u006fdes","tool":"hook"}]}]}}',
      ['F_FOREIGN_HOOK'],
    ],
    ['{"hooks":{"PreToolUse":[{"matcher":"mcp__plugin_modes_modes__transition","hooks":[]}]}}', ['F_FOREIGN_HOOK']],
    ['// a comment\n{"hooks":{"Elicitation":[]}}', ['F_DIALOG_HOOK']],
    ['// a comment\n{"hooks":{"Elicit\\u0061tion":[]}}', ['F_DIALOG_HOOK']],
    ['{"hooks":{"Elicitation":[],}}', ['F_DIALOG_HOOK']],
    ['{"hooks":{"Elicitation":[', ['F_DIALOG_HOOK']],
    ['not json "Elicitation" at all', ['F_DIALOG_HOOK']],
    ['broken { plugin:modes:modes', ['F_FOREIGN_HOOK']],
    ['\ufeff{"hooks":{"Elicitation":[]}}', ['F_DIALOG_HOOK']],
    ['\ufeff{"permissions":{"allow":["mcp__plugin_modes_modes__status"]}}', []],
    ['{"disableAllHooks":true}', ['F_HOOKS_OFF']],
    ['{"hooks":{"PermissionRequest":[{"hooks":[{"type":"command","command":"x"}]}]}}', ['F_PERMISSION_HOOK']],
    ['{"hooks":{"PermissionRequest":[', ['F_PERMISSION_HOOK']],
    ['{"allowManagedHooksOnly":true}', []],
  ])('%j: %j', (text, expected) => {
    const tree = makeTree();
    put(tree, { '.claude/settings.json': text });
    expect(codes(tree)).toEqual(expected);
  });

  const alone = { allowManagedHooksOnly: true };
  const ours = { PreToolUse: [{ hooks: [{ type: 'command', command: '/bin/sh', args: ['/opt/modes/hooks/client.sh'] }] }] };
  test.each<[string, object, object, string[]]>([
    ['alone', alone, {}, ['allowManagedHooksOnly without modes@market under enabledPlugins']],
    ['with the plugin', { ...alone, enabledPlugins: { 'modes@market': true } }, {}, []],
    ['with the plugin, in another file', alone, { enabledPlugins: { 'modes@market': true } }, []],
    ['with hooks of ours', { ...alone, hooks: ours }, {}, []],
    ['with the plugin of another marketplace', { ...alone, enabledPlugins: { 'modes@other': true } }, {}, [expect.any(String)]],
    ['with the plugin switched off', { ...alone, enabledPlugins: { 'modes@market': false } }, {}, [expect.any(String)]],
    ['none', { disableAllHooks: true, enabledPlugins: { 'modes@market': true } }, {}, ['disableAllHooks']],
  ])('of the organization may be the only ones that run: %s', (_, settings, more, expected) => {
    const tree = makeTree();
    put(tree, {
      '~/.claude/plugins/installed_plugins.json': installed(tree, 'modes@market'),
      '/etc/claude-code/managed-settings.json': JSON.stringify(settings, null, 2),
      '/etc/claude-code/managed-settings.d/10-x.json': JSON.stringify(more),
    });
    const found = find(around(tree));
    expect(found.map(({ what }) => what)).toEqual(expected);
    for (const { code, line } of found) expect([code, line]).toEqual(['F_HOOKS_MANAGED', 2]);
  });

  test('are named with their line', () => {
    const tree = makeTree();
    put(tree, { '.claude/settings.json': JSON.stringify(JSON.parse(callsUs), null, 2) });
    const [found] = find(around(tree));
    expect(fs.readFileSync(found!.file, 'utf8').split('\n')[found!.line - 1]).toContain('plugin:modes:modes');
  });

  test.each<[string, (file: string) => void]>([
    ['too large', (file) => fs.writeFileSync(file, `{"x":"${'x'.repeat(1_100_000)}"}`)],
    ['a folder', (file) => fs.mkdirSync(file)],
    ['a file without end', (file) => fs.symlinkSync('/dev/zero', file)],
    ['a link in a circle', (file) => fs.symlinkSync('settings.json', file)],
  ])('may be in settings that are %s, since the client might read them', (_, make) => {
    const tree = makeTree();
    tree.folder('.claude');
    make(`${tree.root}/.claude/settings.json`);
    expect(findEnding(around(tree))).toEqual([expect.objectContaining({ code: 'F_SETTINGS_UNREADABLE' })]);
    expect(findDisabled(around(tree), null)).toHaveLength(1);
  });

  test('are not in a broken link, nor below a file that is in the way', () => {
    const tree = makeTree();
    tree.link('.claude/settings.json', 'settings.gone');
    tree.file(`${tree.home}/.claude`);
    expect(findEnding(around(tree))).toEqual([]);
  });
});

describe('beside hooks', () => {
  const task = (prompt: string) => JSON.stringify({ tasks: [{ id: 'a', cron: '* * * * *', prompt }] }, null, 2);
  const rows: [string, string, (tree: Tree) => void][] = [
    ['F_SAME_NAME', '.mcp.json', (tree) => put(tree, { '.mcp.json': '{"mcpServers":{"modes":{"command":"x"}}}' })],
    ['F_SAME_NAME', '.mcp.json', (tree) => put(tree, { '.mcp.json': '{"mcpServers":{"plugin.modes_modes":{"command":"x"}}}' })],
    [
      'F_SERVER_REPLACED',
      '.mcp.json',
      (tree) => put(tree, { '.mcp.json': '{"mcpServers":{"plugin:modes:modes":{"command":"x"}}}' }),
    ],
    [
      'F_SERVER_REPLACED',
      '~/.claude.json',
      (tree) =>
        put(tree, {
          '~/.claude.json': JSON.stringify({ projects: { [tree.root]: { mcpServers: { 'plugin:modes:modes': {} } } } }),
        }),
    ],
    ['F_SAME_NAME', '~/.claude.json', (tree) => put(tree, { '~/.claude.json': '{"mcpServers":{"Modes":{"command":"x"}}}' })],
    [
      'F_SAME_NAME',
      '~/.claude.json',
      (tree) => put(tree, { '~/.claude.json': JSON.stringify({ projects: { [tree.root]: { mcpServers: { modes: {} } } } }) }),
    ],
    [
      'F_SCHEDULED_COMMAND',
      '.claude/scheduled_tasks.json',
      (tree) => put(tree, { '.claude/scheduled_tasks.json': task('/modes:trust abc') }),
    ],
    [
      'F_SCHEDULED_COMMAND',
      '.claude/scheduled_tasks.json',
      (tree) => put(tree, { '.claude/scheduled_tasks.json': task('be kind\n  /modes:mode idle') }),
    ],
    [
      'F_SCHEDULED_COMMAND',
      '.claude/scheduled_tasks.json',
      (tree) => put(tree, { '.claude/scheduled_tasks.json': '{"tasks": broken "/modes:trust' }),
    ],
    ['F_NESTED_PROJECT', 'packages/a/.claude/modes.yaml', (tree) => put(tree, { 'packages/a/.claude/modes.yaml': 'name: x' })],
    ['F_NESTED_PROJECT', 'a/.claude/modes.yaml', (tree) => void tree.link('a/.claude/modes.yaml', '/nowhere')],
    ['F_NESTED_PROJECT', '../../.claude/modes.yaml', (tree) => put(tree, { '../../.claude/modes.yaml': 'name: x' })],
    ['F_LINK_OUT', '.claude/modes.yaml', (tree) => void tree.link('.claude/modes.yaml', '../../elsewhere.yaml')],
    ['F_LINK_OUT', '.claude/settings.idle.json', (tree) => void tree.link('.claude/settings.idle.json', '/etc/hosts')],
    ['F_LINK_OUT', '.claude', (tree) => void tree.link('.claude', tree.top)],
    ['F_FORGED_WORKTREE', '.git', (tree) => put(tree, { '.git': `gitdir: ${tree.home}/other/.git/worktrees/x\n` })],
    [
      'F_FORGED_WORKTREE',
      '.git',
      (tree) =>
        put(tree, {
          '.git': 'gitdir: ../repository/.git/worktrees/x',
          '~/repository/.git/worktrees/x/gitdir': '/elsewhere/.git\n',
        }),
    ],
    ['F_FORGED_WORKTREE', '.git', (tree) => put(tree, { '.git': 'nonsense' })],
    [
      'F_FORGED_WORKTREE',
      '.claude/worktrees/w/.git',
      (tree) => put(tree, { '.claude/worktrees/w/.git': 'gitdir: /x/.git/worktrees/w' }),
    ],
    ...[
      'CLAUDE_CONFIG_DIR',
      'PATH',
      'NODE_OPTIONS',
      'NODE_COMPILE_CACHE',
      'OPENSSL_CONF',
      'LD_PRELOAD',
      'DYLD_INSERT_LIBRARIES',
      'HOME',
      'BASH_ENV',
      'CURL_HOME',
      'LOCPATH',
      'TZDIR',
    ].map((name): [string, string, (tree: Tree) => void] => [
      'F_ENVIRONMENT',
      '.claude/settings.json',
      (tree) => put(tree, { '.claude/settings.json': JSON.stringify({ env: { [name]: 'x' } }) }),
    ]),
    [
      'F_MOD',
      '~/.claude/plugins/cache/x/hooks/hooks.json',
      (tree) =>
        put(tree, {
          '~/.claude/plugins/installed_plugins.json': installed(tree),
          '~/.claude/plugins/cache/x/hooks/hooks.json': '{"modules":["./register.js"]}',
        }),
    ],
  ];
  test.each(rows)('%s is found in %s [s:threat.told]', (code, file, make) => {
    const tree = makeTree();
    make(tree);
    expect(find(around(tree)).map((one) => [one.code, one.file])).toEqual([[code, path.resolve(tree.root, at(tree, file))]]);
    expect(findEnding(around(tree))).toEqual([]);
  });

  test('another owner is found [s:project.owner]', () => {
    const tree = makeTree();
    const file = tree.file('.claude/modes.yaml', 'name: x');
    if (process.getuid?.() === 0) fs.chownSync(file, 12_345, 12_345);
    else vi.spyOn(process, 'getuid').mockReturnValue(12_345);
    expect(codes(tree)).toContain('F_OTHER_OWNER');
  });

  test('a worktree that its repository knows, and a submodule, are no findings', () => {
    const tree = makeTree();
    put(tree, {
      '.git': `gitdir: ${tree.home}/repository/.git/worktrees/x\n`,
      '~/repository/.git/worktrees/x/gitdir': `${tree.root}/.git\n`,
      '.claude/worktrees/w/.git': 'gitdir: ../../../../repository/.git/modules/w\n',
    });
    expect(codes(tree)).toEqual([]);
  });

  test('a user’s own environment is no finding', () => {
    const tree = makeTree();
    put(tree, { '~/.claude/settings.json': '{"env":{"PATH":"/x"}}' });
    expect(codes(tree)).toEqual([]);
  });

  test('modes in dependencies, in worktrees of the client, or very deep, are not searched', () => {
    const tree = makeTree();
    put(tree, {
      'node_modules/a/.claude/modes.yaml': '',
      '.claude/worktrees/w/.claude/modes.yaml': '',
      [`${'a/'.repeat(20)}.claude/modes.yaml`]: '',
    });
    expect(codes(tree)).toEqual([]);
  });

  test('thousands of folders are not all searched', () => {
    const tree = makeTree();
    for (let i = 0; i < 2_100; i++) tree.folder(`many/${i}`);
    put(tree, { 'many/999/.claude/modes.yaml': '', 'near/.claude/modes.yaml': '' });
    expect(find(around(tree)).map(({ file }) => path.relative(tree.root, file))).toEqual(['near/.claude/modes.yaml']);
  });
});

describe('findDisabled', () => {
  test.each<[string, boolean]>([
    ['{"disableAllHooks":true}', true],
    ['{"disableAllHooks":false}', false],
    ['{"disableAllHooks":"true"}', false],
    ['{"disableAllHooks":1}', false],
    ['{"x":{"disableAllHooks":true}}', false],
    ['{"disable\\u0041llHooks":true}', true],
    ['{"disableAllHooks":false,"disableAllHooks":true}', true],
    ['// c\n{"disableAllHooks":true}', true],
    ['{"disableAllHooks" : true, "broken', true],
    ['null', false],
    ['', false],
  ])('%j: %s', (text, disabled) => {
    const tree = makeTree();
    const file = tree.file('.claude/settings.local.json', text);
    expect(findDisabled(around(tree), null)).toEqual(disabled ? [file] : []);
  });

  test('checks the changed file at any place', () => {
    const tree = makeTree();
    const file = tree.file('elsewhere.json', '{"disableAllHooks":true}');
    expect(findDisabled(around(tree), null)).toEqual([]);
    expect(findDisabled(around(tree), file)).toEqual([file]);
    expect(findDisabled(around(tree), `${tree.root}/gone`)).toEqual([]);
  });
});

test('settings are searched from the most authoritative on', () => {
  const tree = makeTree();
  expect(settingsFiles(around(tree)).map(({ file }) => file.slice(tree.top.length))).toEqual([
    '/etc/claude-code/managed-settings.json',
    '/home/.claude/settings.json',
    '/home/work/.claude/settings.json',
    '/home/work/.claude/settings.local.json',
  ]);
});

test('a finding is one line for any file name', () => {
  const tree = makeTree();
  put(tree, { 'a\nb\u001b[2J/.claude/modes.yaml': '' });
  const text = findingLines(find(around(tree)));
  expect(text.split('\n')).toHaveLength(1);
  expect(text).toMatch(/F_NESTED_PROJECT .*start the client in its folder/);
  expect(text).not.toContain('\u001b');
});

test('docs/findings.md explains each code as the table does', () => {
  const rows = [...fs.readFileSync('docs/findings.md', 'utf8').matchAll(/^\| `(F_[A-Z_]+)` \| (.+) \| (.+) \|$/gm)];
  expect(rows.map(([, code, means, remedy]) => [code, means, remedy])).toEqual(
    Object.entries(kinds).map(([code, { means, remedy }]) => [code, means, remedy]),
  );
});
