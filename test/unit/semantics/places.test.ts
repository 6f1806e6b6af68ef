// What a call reaches: extents, names of paths, and what is protected in every mode.
import { describe, expect, test } from 'vitest';
import type { Tree } from '../../support/tree.ts';
import { ask, bash, type Call, edit, grep, type Row, read, useCore, write } from './fixture.ts';

useCore();

const guarded = { deny: ['Write(src/**)'] };

const extents: Row[] = [
  ['rm -rf [s:extent.kinds] [s:extent.narrow]', guarded, bash('rm -rf packages'), 'deny'],
  ['git restore [s:extent.kinds]', guarded, bash('git restore .'), 'deny'],
  ['Grep over a folder [s:extent.kinds] [s:extent.narrow]', { deny: ['Read(docs/**)'] }, grep(), 'deny'],
  ['unpacking [s:extent.kinds]', { deny: ['Write(/src/**)'] }, bash('tar xf a.tar -C src'), 'deny'],
  ['nothing denied lies there [s:extent.narrow]', guarded, bash('rm -rf lib'), 'pass'],
  [
    'an allow of a part [s:extent.allow]',
    { allow: ['Bash(rm:*)', 'Write(packages/app/src/**)'] },
    bash('rm -rf packages'),
    'pass',
  ],
  ['an allow of the whole [s:extent.allow]', { allow: ['Bash(rm:*)', 'Write(packages)'] }, bash('rm -rf packages'), 'allow'],
  [
    'a dependency folder, by a name in it [s:extent.dependency]',
    { deny: ['Write(*.json)', 'Write(node_modules)'] },
    bash('rm -rf node_modules'),
    'pass',
  ],
  [
    'a dependency folder, by its rooted name [s:extent.dependency]',
    { deny: ['Write(/node_modules)'] },
    bash('rm -rf node_modules'),
    'deny',
  ],
  [
    'a protected name in a dependency folder [s:extent.dependency-builtin]',
    { ready: (tree) => void tree.file('node_modules/x/.claude/settings.json') },
    bash('rm -rf node_modules'),
    'pass',
  ],
  [
    'the same name elsewhere [s:extent.dependency-builtin]',
    { ready: (tree) => void tree.file('x/.claude/settings.json') },
    bash('rm -rf x'),
    'deny',
  ],
  ['a denied file that is there [s:extent.read]', { deny: ['Read(.env)'] }, bash('grep -r x .'), 'deny'],
  ['a denied file that is not there [s:extent.read]', { deny: ['Read(.env)'] }, bash('grep -r x src'), 'pass'],
  ['listing [s:extent.listing]', { deny: ['Read(.env)', 'Read(docs/**)'] }, bash('ls -a . docs'), 'pass'],
  ['listing below [s:extent.listing]', { deny: ['Read(.env)'] }, ['Glob', { pattern: '**/*' }], 'pass'],
  ...[
    'git switch main',
    'git checkout main',
    'git pull',
    'git merge x',
    'git rebase main',
    'git stash',
    'git reset --hard',
  ].flatMap((text): Row[] => [
    [`${text} meets no protection [s:git.protection]`, {}, bash(text), 'pass'],
    [`${text} may write anywhere [s:git.rules]`, guarded, bash(text), 'ask'],
  ]),
  ...['git cherry-pick x', 'git revert HEAD'].flatMap((text): Row[] => [
    [`${text} meets no protection [s:git.protection]`, {}, bash(text), 'pass'],
    [`${text} may write anywhere [s:git.rules]`, guarded, bash(text), 'ask'],
  ]),
];

const linked = { ready: (tree: { link(name: string, target: string): string }) => void tree.link('safe', 'src') };
const paths: Row[] = [
  ['from the folder of the event [s:paths.cwd]', guarded, ['Bash', { command: 'touch a.ts' }, { cwd: 'ROOT/src' }], 'deny'],
  ['from another folder [s:paths.cwd]', guarded, ['Bash', { command: 'touch a.ts' }, { cwd: 'ROOT/docs' }], 'pass'],
  ['dots [s:paths.settled]', guarded, write('docs/../src/a.ts'), 'deny'],
  ['doubled slashes [s:paths.settled]', guarded, write('ROOT//src///a.ts'), 'deny'],
  [
    'dots after a link go up from its target [s:paths.settled]',
    { ...guarded, ready: (tree) => void tree.link('up', 'src/deep') },
    write('up/../a.ts'),
    'deny',
  ],
  ['the real path is denied [s:paths.narrow-all]', { ...guarded, ...linked }, write('safe/a.ts'), 'deny'],
  ['the written path is denied [s:paths.narrow-all]', { deny: ['Write(safe/**)'], ...linked }, write('safe/a.ts'), 'deny'],
  [
    'a link on the way is denied [s:paths.narrow-all]',
    {
      deny: ['Write(middle/**)'],
      ready: (tree) => {
        tree.link('middle', 'src');
        tree.link('first', 'middle');
      },
    },
    write('first/a.ts'),
    'deny',
  ],
  ...(
    [
      ['Write(/safe/**)', write('src/a.ts'), 'deny'],
      ['Write(/safe)', write('src/a.ts'), 'deny'],
      ['Write(/safe/a.ts)', write('src/a.ts'), 'deny'],
      ['Write(/safe/new/*.ts)', write('src/new/a.ts'), 'deny'],
      ['Write(/safe/new/*.ts)', write('src/new/a.js'), 'pass'],
      ['Write(/safe/**)', write('docs/a.md'), 'pass'],
      ['Write(//TREE/home/work/safe/**)', write('src/a.ts'), 'deny'],
      ['Read(/safe/**)', read('src/a.ts'), 'deny'],
      ['Read(/safe/**)', read('SRC/A.ts'), 'deny'],
      ['Read(/safe)', bash('cat Src'), 'deny'],
      ['Read(/safe/a.ts)', grep('src'), 'deny'],
      ['Write(/safe/**)', bash('rm -rf src'), 'deny'],
      ['Write(/safe/a.ts)', bash('rm src/*.ts'), 'deny'],
      ['Write(/safe/x.ts)', bash('tar xf x.tar -C src'), 'ask'],
    ] as [string, Call, Row[3]][]
  ).map(
    ([rule, call, decision]): Row => [
      `${rule} names a link: ${JSON.stringify(call[1])} [s:paths.narrow-link]`,
      { deny: [rule], ...linked },
      call,
      decision,
    ],
  ),
  [
    'by another link below it [s:paths.narrow-link]',
    {
      deny: ['Write(/safe/**)'],
      ready: (tree) => {
        tree.link('safe', 'src');
        tree.link('src/up', '../docs');
      },
    },
    write('src/up/a.md'),
    'deny',
  ],
  [
    'an allow need not know of it [s:paths.narrow-link]',
    { allow: ['Write(src/**)'], deny: ['Write(/safe/*.key)'], ...linked },
    write('src/a.ts'),
    'allow',
  ],
  ['only the written path is allowed [s:paths.allow-all]', { allow: ['Write(safe/**)'], ...linked }, write('safe/a.ts'), 'pass'],
  [
    'all of its paths are allowed [s:paths.allow-all]',
    { allow: ['Write(safe/**)', 'Write(src/**)'], ...linked },
    write('safe/a.ts'),
    'allow',
  ],
  ['ln writes the old name [s:paths.hard-link]', guarded, bash('ln src/a.ts docs/x'), 'deny'],
  ['ln writes the new name [s:paths.hard-link]', guarded, bash('ln docs/a.md src/x'), 'deny'],
  ['cp -l writes the old name [s:paths.hard-link]', guarded, bash('cp -l src/a.ts docs/x'), 'deny'],
  [
    'relative to the root, wherever one stands [s:paths.root]',
    { deny: ['Write(/src/a.ts)'] },
    ['Edit', { file_path: '../src/a.ts', old_string: 'a', new_string: 'b' }, { cwd: 'ROOT/docs' }],
    'deny',
  ],
];

const place = { pathFolders: ['TREE/bin', 'ROOT/tools'], pluginRoot: 'TREE/plugins/modes' };
/** Denied whatever is allowed: each by a tool and by a command. */
const closed: [tags: string, ...paths: string[]][] = [
  [
    '[s:protect.claude]',
    '.claude/modes.yaml',
    'packages/a/.claude/settings.json',
    'HOME/.claude/settings.json',
    'HOME/.claude.json',
  ],
  ['[s:protect.data]', 'HOME/.claude/modes-data/x', 'TREE/etc/claude-code/managed-settings.json'],
  ['[s:protect.plugin]', 'TREE/plugins/modes/hooks/client.sh'],
  ['[s:protect.mcp-json]', '.mcp.json'],
  ['[s:protect.harness]', '.codex/hooks.json'],
  ['[s:protect.git]', 'sub/.git', '.git/config', '.git/hooks/pre-commit', '.git/info/exclude'],
  [
    '[s:protect.shell]',
    'HOME/.bashrc',
    'HOME/.zshenv',
    'HOME/.profile',
    'HOME/.curlrc',
    'HOME/.gitconfig',
    'HOME/.vimrc',
    'HOME/.ssh/config',
  ],
  ['[s:protect.path]', 'TREE/bin/tool'],
];
const all = { allow: ['Write(//**)', 'Write(**)', '@edit', 'Bash', '@command'] };
const denied: Row[] = closed.flatMap(([tags, ...names]) =>
  names.flatMap((name): Row[] => [
    [`Write of ${name} ${tags} [s:protect.no-allow]`, { ...all, place }, write(name), 'deny'],
    [`a command that writes ${name} ${tags}`, { ...all, place }, bash(`echo x > ${name}`), 'deny'],
  ]),
);

const asked: [tag: string, ...paths: string[]][] = [
  [
    '[s:protect.ask-claude]',
    '.claude/skills/s/SKILL.md',
    '.claude/commands/c.md',
    '.claude/agents/a.md',
    '.claude/rules/r.md',
    '.claude/tasks/t.md',
  ],
  ['[s:protect.ask-claude-md]', 'CLAUDE.md', 'CLAUDE.local.md', 'docs/CLAUDE.md'],
  ['[s:protect.ask-starts]', '.envrc', 'sub/mise.toml', '.tool-versions', '.volta/hooks.json', '.vscode/tasks.json', '.pdbrc'],
  ['[s:protect.ask-path]', 'tools/x'],
  ['[s:protect.ask-outside]', 'TREE/other/x', '../sibling/x'],
];
const asking: Row[] = asked.flatMap(([tag, ...names]) =>
  names.flatMap((name): Row[] => [
    [`${name} ${tag}`, { place }, edit(name), 'ask'],
    [`${name} by a command ${tag}`, { place }, bash(`echo x > ${name}`), 'ask'],
  ]),
);

const more: Row[] = [
  ['git config [s:protect.git]', { allow: ['Bash'] }, bash('git config core.hooksPath x'), 'deny'],
  ['git add and its bookkeeping [s:protect.git-bookkeeping]', {}, bash('git add src/a.ts'), 'pass'],
  ['the index itself [s:protect.git-bookkeeping]', {}, write('.git/index'), 'pass'],
  ['by a link [s:protect.real]', { ready: (tree) => void tree.link('l', '.claude') }, write('l/modes.yaml'), 'deny'],
  ['by the target of a link [s:protect.real]', { place: { linkTargets: ['ROOT/conf'] } }, write('conf/modes.yaml'), 'deny'],
  ['outside by // [s:protect.ask-outside]', { allow: ['Write(/TREE/other/**)'] }, write('TREE/other/x'), 'allow'],
  ['outside by a bare name [s:protect.ask-outside]', { allow: ['Write', 'Write(**)'] }, write('TREE/other/x'), 'ask'],
  ['the temporary folder [s:protect.ask-outside]', {}, write('TREE/tmp/x'), 'pass'],
  ['a plugin that is the project [s:protect.ask-plugin]', { place: { pluginRoot: 'ROOT' } }, write('src/a.ts'), 'ask'],
  ['a worktree of the client [s:protect.worktree]', {}, write('.claude/worktrees/w/src/a.ts'), 'pass'],
  ['protected names in it [s:protect.worktree]', {}, write('.claude/worktrees/w/.claude/modes.yaml'), 'deny'],
];

const clients = [
  'claude -p x',
  '/usr/local/bin/claude',
  'npx @anthropic-ai/claude-code',
  'npm exec @anthropic-ai/claude-code',
  'pnpm dlx @anthropic-ai/claude-code',
  'yarn dlx @anthropic-ai/claude-code',
  'bunx @anthropic-ai/claude-code',
  'npx "$P"',
  'sh -c "claude -p x"',
];
const verbs = ['modes trust', 'modes init', 'npx modes trust', './bin/modes trust'];
const later: Call[] = [
  ['CronCreate', { cron: '* * * * *', prompt: 'x\n/modes:mode open' }],
  ['ScheduleWakeup', { delaySeconds: 1, reason: 'r', prompt: '/modes:mode open' }],
  ['SendMessage', { to: 'x', message: '/modes:trust' }],
  ['Workflow', { script: 'x("/modes:trust")' }],
  ['RemoteTrigger', { action: 'run', trigger_id: 'x', body: { events: ['/modes:trust'] } }],
  ['ObserverReport', { report: '/modes:trust' }],
  ['SendToProject', { project_name: 'x', proposal: { summary: '/modes:trust' } }],
  ['REPL', { code: 'x("/modes:trust")' }],
];
const leaving: [tool: string, input: Record<string, unknown>][] = [
  ['Agent', { description: 'd', prompt: 'p', subagent_type: 'x', isolation: 'remote' }],
  ['RemoteTrigger', { action: 'run', trigger_id: 'x' }],
  ['CronCreate', { cron: '* * * * *', prompt: 'x', durable: true }],
];

const unpacked = { deny: ['Write(src/**)', 'Write(package.json)', 'Read(*.pem)'] };
const withLink = { ...unpacked, ready: (tree: Tree) => void tree.link(`${tree.top}/tmp/x/l`, `${tree.root}/src`) };
const withProject = { ...unpacked, ready: (tree: Tree) => void tree.file(`${tree.top}/tmp/x/p/.claude/modes.yaml`) };

const unpacking: Row[] = [
  ['into a new folder', unpacked, bash('tar -xzf a.tgz -C TREE/tmp/x'), 'pass'],
  ['into a folder that the call creates', unpacked, bash('mkdir -p TREE/tmp/x && tar -xzf a.tgz -C TREE/tmp/x'), 'pass'],
  ['from inside the folder', unpacked, bash('cd TREE/tmp && mkdir x && cd x && unzip ROOT/a.zip'), 'pass'],
  ['and listing it', unpacked, bash('tar -xzf a.tgz -C TREE/tmp/x && ls -R TREE/tmp/x'), 'pass'],
  ['and reading what is elsewhere', unpacked, bash('tar -xzf a.tgz -C TREE/tmp/x && cat docs/a.md'), 'pass'],
  ['and reading it', unpacked, bash('tar -xzf a.tgz -C TREE/tmp/x && cat TREE/tmp/x/a'), 'ask'],
  ['and reading all of it', unpacked, bash('tar -xzf a.tgz -C TREE/tmp/x; grep -r x TREE/tmp'), 'ask'],
  ['and reading an unknown part of it', unpacked, bash('tar -xzf a.tgz -C TREE/tmp/x; cat TREE/tmp/x/$F'), 'ask'],
  ['and writing below it', unpacked, bash('tar -xzf a.tgz -C TREE/tmp/x; echo x > TREE/tmp/x/a/b'), 'ask'],
  ['and copying below it', unpacked, bash('tar -xzf a.tgz -C TREE/tmp/x; cp -r docs TREE/tmp/x'), 'ask'],
  ['into a folder with a link', withLink, bash('unzip a.zip -d TREE/tmp/x'), 'ask'],
  ['into a folder with a project', withProject, bash('tar -xzf a.tgz -C TREE/tmp/x'), 'ask'],
  ['into the temporary folder itself', unpacked, bash('tar -xzf a.tgz -C TREE/tmp'), 'ask'],
  ['into the project', unpacked, bash('tar -xzf a.tgz -C docs'), 'ask'],
  ['a checkout, which belongs to the project', unpacked, bash('git worktree add TREE/tmp/x'), 'ask'],
];

describe.each<[string, Row[]]>([
  ['extents', extents],
  ['an archive in the temporary folder [s:paths.link-unknown]', unpacking],
  ['names of paths', paths],
  ['denied in every mode', denied],
  ['asked in every mode', asking],
  ['protection', more],
])('%s', (_, rows) => {
  test.each(rows)('%s', (_what, given, call, expected) => {
    expect(ask(given, call).decision).toBe(expected);
  });
});

describe('commands denied in every mode', () => {
  test.each(clients)('%s starts a client [s:protect.client] [s:headless.nested]', (command) => {
    expect(ask({ allow: ['Bash'] }, bash(command)).decision).toBe('deny');
  });

  test.each(['echo claude', 'cat docs/claude.md', 'npx vitest'])('%s starts none [s:protect.client]', (command) => {
    expect(ask({}, bash(command)).decision).toBe('pass');
  });

  test.each(["perl -e 's/a/b/' .claude/modes.yaml", 'npx prettier --check .claude/modes.yaml'])(
    '%s may write what it names [s:protect.named]',
    (command) => {
      expect(ask({}, bash(command)).decision).toBe('ask');
      const own = `Bash(${command.split(' ')[0]}:*)`;
      expect(ask({ allow: [own] }, bash(command)).decision).toBe('ask');
      expect(ask({ allow: [own, 'Write(.claude/**)'] }, bash(command)).decision).toBe('allow');
      expect(ask({ deny: ['Write(**)'] }, bash(command)).decision).toBe('deny');
    },
  );

  test.each(['git diff -- .claude/modes.yaml', 'bash .claude/hooks/a.sh', 'npx prettier --check src'])(
    '%s may not [s:protect.named]',
    (command) => {
      expect(ask({}, bash(command)).decision).toBe('pass');
    },
  );

  test.each(verbs)('%s changes state [s:protect.cli]', (command) => {
    expect(ask({ allow: ['Bash'] }, bash(command)).decision).toBe('deny');
  });

  test.each(['modes stop', 'modes status', 'modes check "Bash(ls)"'])('%s is allowed [s:protect.cli]', (command) => {
    expect(ask({}, bash(command)).decision).toBe('pass');
  });

  test('the socket takes only reads [s:protect.socket]', () => {
    const curl = (rest: string) => ask({ allow: ['Bash'] }, bash(`curl --unix-socket .claude/mode.sock ${rest}`)).decision;
    expect(curl('-X POST http://x/check-tool')).toBe('deny');
    expect(curl('http://x/status')).not.toBe('deny');
  });
});

describe('delayed and remote calls', () => {
  test('our typed commands are denied to the model as skills [s:protect.skill]', () => {
    expect(ask({ allow: ['Skill'] }, ['Skill', { skill: 'modes:mode' }]).decision).toBe('deny');
  });

  test.each(later)('%s may not contain a typed command of ours [s:protect.text]', (tool, input) => {
    expect(ask({ allow: [tool] }, [tool, input]).decision).toBe('deny');
  });

  test.each(leaving)('%s asks, unless it is allowed by name [s:protect.remote]', (tool, input) => {
    expect(ask({}, [tool, input]).decision).toBe('ask');
    expect(ask({ allow: ['@agent'] }, [tool, input]).decision).toBe('ask');
    expect(ask({ allow: [tool] }, [tool, input]).decision).not.toBe('ask');
  });
});

describe('our own tools', () => {
  const server = { name: 'plugin:modes:modes', source: 'plugin' };
  const own = (name: string, event: object = {}): Call => [
    `mcp__plugin_modes_modes__${name}`,
    {},
    { mcpServer: server, ...event },
  ];
  const closedMode = { defaults: { managed: 'deny' as const } };
  const inSubagent = { agentId: 'a1', agentType: 'x' };

  test.each<[string, Call, string]>([
    ['status [s:own.read] [s:own.recognised]', own('status'), 'allow'],
    ['status in a subagent [s:own.read]', own('status', inSubagent), 'allow'],
    ['transition [s:own.transition] [s:own.recognised]', own('transition'), 'allow'],
    ['transition in a subagent [s:own.transition]', own('transition', inSubagent), 'deny'],
    ['force_transition [s:own.force]', own('force_transition'), 'pass'],
    ['force_transition in a subagent [s:own.force]', own('force_transition', inSubagent), 'deny'],
    ['a tool that is not on the list [s:own.recognised]', own('hook'), 'deny'],
  ])('%s', (_, call, expected) => {
    expect(ask(closedMode, call).decision).toBe(expected);
  });

  test.each(['*', 'mcp__*', 'mcp__plugin_modes_modes', 'mcp__plugin_modes_modes__*', 'mcp__plugin_modes_modes__s*', '@mcp'])(
    '%s does not match them [s:own.wildcard]',
    (rule) => {
      expect(ask({ deny: [rule] }, own('status')).decision).toBe('allow');
    },
  );

  test('their full name does [s:own.deny]', () => {
    expect(ask({ deny: ['mcp__plugin_modes_modes__status'] }, own('status')).decision).toBe('deny');
  });

  test.each<[string, Call]>([
    ['called modes', ['mcp__modes__transition', {}, { mcpServer: { name: 'modes', source: 'project' } }]],
    ['of our name from another source', own('transition', { mcpServer: { name: 'plugin:modes:modes', source: 'project' } })],
    ['that is not named', own('transition', { mcpServer: null })],
  ])('a server %s is like any other [s:own.foreign] [s:own.recognised]', (_, call) => {
    expect(ask({ deny: ['@mcp'] }, call).decision).toBe('deny');
    expect(ask({ deny: ['Write(src/**)'] }, call).decision).toBe('ask');
  });
});
