// Which of several answers counts.
import { describe, expect, test } from 'vitest';
import { ask, bash, type Call, edit, fetched, grep, type Row, read, useCore, write } from './fixture.ts';

useCore();

const guarded = { deny: ['Write(src/**)'] };
const remote: Call = ['Agent', { description: 'd', prompt: 'p', subagent_type: 'x', isolation: 'remote' }];

const order: Row[] = [
  [
    'a deny over an ask and an allow [s:order.deny-first]',
    { deny: ['Write(src/**)'], ask: ['Write'], allow: ['Write(**)'] },
    edit('src/a.ts'),
    'deny',
  ],
  [
    'a deny over an ask of the built-in protection [s:order.deny-first]',
    { deny: ['Write(CLAUDE.md)'] },
    write('CLAUDE.md'),
    'deny',
  ],
  ['an ask over an allow [s:order.ask-over-allow]', { ask: ['Bash(git push:*)'], allow: ['Bash'] }, bash('git push'), 'ask'],
  [
    'an allow over uncertainty [s:order.allow-over-builtin-ask]',
    { ...guarded, allow: ['Bash(npm test:*)'] },
    bash('npm test'),
    'allow',
  ],
  ['an allow over a built-in ask [s:order.allow-over-builtin-ask]', { allow: ['Write(CLAUDE.md)'] }, write('CLAUDE.md'), 'allow'],
  ['uncertainty over a default that passes [s:order.builtin-ask-over-default]', guarded, bash('npm test'), 'ask'],
  [
    'a built-in ask over a default that asks [s:order.builtin-ask-over-default]',
    { defaults: { project: 'ask' } },
    write('CLAUDE.md'),
    'ask',
  ],
  [
    'uncertainty under default deny [s:order.deny-default]',
    { ...guarded, defaults: { project: 'deny' } },
    bash('npm test'),
    'deny',
  ],
  ['a built-in ask under default deny [s:order.deny-default]', { defaults: { user: 'deny' } }, write('CLAUDE.md'), 'deny'],
  [
    'a broad deny and an exact allow [s:order.specific]',
    { deny: ['Write'], allow: ['Write(src/a.ts)'] },
    edit('src/a.ts'),
    'deny',
  ],
  ['a broad ask and an exact allow [s:order.specific]', { ask: ['Bash'], allow: ['Bash(ls -l)'] }, bash('ls -l'), 'ask'],
  ['one of two parts allowed [s:order.every-access]', { allow: ['Bash(ls:*)'] }, bash('ls; pwd'), 'pass'],
  [
    'one of two writes allowed [s:order.every-access]',
    { allow: ['Bash(touch:*)', 'Write(src/**)'] },
    bash('touch src/x docs/x'),
    'pass',
  ],
];

const running: Row[] = [
  ['running [s:order.bash-run]', { allow: ['Bash(npm test:*)'] }, bash('npm test'), 'allow'],
  ['reads inside the project [s:order.bash-reads]', { allow: ['Bash(cat:*)'] }, bash('cat docs/a.md'), 'allow'],
  ['reads in the temporary folder [s:order.bash-reads]', { allow: ['Bash(cat:*)'] }, bash('cat TREE/tmp/x'), 'allow'],
  ['reads outside [s:order.bash-reads]', { allow: ['Bash(cat:*)'] }, bash('cat TREE/other/x'), 'pass'],
  [
    'reads through a link that leads out [s:order.bash-reads]',
    { allow: ['Bash(cat:*)'], ready: (tree) => void tree.link('out', `${tree.top}/other`) },
    bash('cat out/x'),
    'pass',
  ],
  ['hosts it names [s:order.bash-hosts]', { allow: ['Bash(curl:*)'] }, bash('curl https://a.org/x'), 'allow'],
  ['a write needs more than the command [s:order.bash-write]', { allow: ['Bash(touch:*)'] }, bash('touch docs/x'), 'pass'],
  ['a write needs more than the path [s:order.bash-write]', { allow: ['Write(docs/**)'] }, bash('touch docs/x'), 'pass'],
  ['a write with both [s:order.bash-write]', { allow: ['Write(docs/**)', 'Bash(touch:*)'] }, bash('touch docs/x'), 'allow'],
];

const defaults: Row[] = [
  ['nothing said [s:default.absent]', {}, edit('src/a.ts'), 'pass'],
  ['the narrowest of two [s:default.narrowest]', { defaults: { user: 'ask', project: 'deny' } }, edit('src/a.ts'), 'deny'],
  ['and the other way round [s:default.narrowest]', { defaults: { managed: 'deny', project: 'pass' } }, edit('src/a.ts'), 'deny'],
  ['its own allow [s:default.own-allow]', { defaults: { project: 'deny' }, allow: ['Write(src/**)'] }, edit('src/a.ts'), 'allow'],
  [
    "a user's allow over a project's default [s:default.stronger-allow]",
    { defaults: { project: 'deny' }, layers: { user: { allow: ['Write(/ROOT/src/**)'] } } },
    edit('src/a.ts'),
    'allow',
  ],
  [
    "a project's allow under a user's default [s:default.stronger-allow]",
    { defaults: { user: 'deny' }, allow: ['Write(src/**)'] },
    edit('src/a.ts'),
    'deny',
  ],
  [
    "a user's allow under a managed default [s:default.stronger-allow]",
    { defaults: { managed: 'ask' }, layers: { user: { allow: ['Write(/ROOT/src/**)'] } } },
    edit('src/a.ts'),
    'ask',
  ],
  [
    "a local allow and a project's default [s:default.local]",
    { defaults: { project: 'deny' }, layers: { local: { allow: ['Write(src/**)'] } } },
    edit('src/a.ts'),
    'allow',
  ],
  [
    "a project's allow and a local default [s:default.local]",
    { defaults: { local: 'deny' }, allow: ['Write(src/**)'] },
    edit('src/a.ts'),
    'allow',
  ],
  [
    'local without trust [s:default.local-trust]',
    { trusted: false, layers: { local: { allow: ['Write(src/**)'] } } },
    edit('src/a.ts'),
    'pass',
  ],
  [
    'local with trust [s:default.local-trust]',
    { trusted: true, layers: { local: { allow: ['Write(src/**)'] } } },
    edit('src/a.ts'),
    'allow',
  ],
];

const uncertainty: Row[] = [
  ['a part that runs [s:uncertain.class] [s:uncertain.asks]', guarded, bash('ls && npm run build'), 'ask'],
  ['a part that is not understood [s:uncertain.class] [s:uncertain.asks]', guarded, bash('ls && no-such-tool'), 'ask'],
  ['no such part [s:uncertain.class]', guarded, bash('ls && cat docs/a.md'), 'pass'],
  ['a target that is not known [s:uncertain.target]', guarded, bash('cp docs/a.md "$WHERE"'), 'ask'],
  ['PowerShell [s:uncertain.tools]', guarded, ['PowerShell', { command: 'ls' }], 'ask'],
  ['a tool of a server [s:uncertain.tools]', guarded, ['mcp__db__query', {}], 'ask'],
  ['a workflow [s:uncertain.tools]', guarded, ['Workflow', { script: 'x' }], 'ask'],
  ['a tool that is not known [s:uncertain.tools]', guarded, ['BrandNew', {}], 'ask'],
  ['a rule that asks for writes [s:uncertain.asks]', { ask: ['Write(src/**)'] }, bash('npm test'), 'ask'],
  ['a rule of another layer [s:uncertain.asks]', { layers: { managed: { deny: ['Write(/x)'] } } }, bash('npm test'), 'ask'],
  ['no rule about writes [s:uncertain.builtin]', { deny: ['Read(.env)'] }, bash('npm test'), 'pass'],
  [
    'every part named [s:uncertain.named]',
    { ...guarded, allow: ['Bash(npm:*)', 'Bash(make:*)'] },
    bash('npm test && make'),
    'allow',
  ],
  ['one part not named [s:uncertain.named]', { ...guarded, allow: ['Bash(npm:*)', 'Bash'] }, bash('npm test && make'), 'ask'],
  [
    'an untrusted name, its own rule [s:uncertain.untrusted]',
    { ...guarded, trusted: false, allow: ['Bash(npm:*)'] },
    bash('npm test'),
    'pass',
  ],
  [
    "an untrusted name, a user's rule [s:uncertain.untrusted]",
    { trusted: false, allow: ['Bash(npm:*)'], layers: { user: guarded } },
    bash('npm test'),
    'ask',
  ],
  ['the class runs [s:uncertain.name-class]', { ...guarded, allow: ['Bash(@runs)'] }, bash('npm test'), 'allow'],
  ['checks [s:uncertain.name-class]', { ...guarded, allow: ['Bash(@checks)'] }, bash('npm test'), 'allow'],
  ['no check [s:uncertain.name-class]', { ...guarded, allow: ['Bash(@checks)'] }, bash('npm start'), 'ask'],
  ['the class unknown [s:uncertain.name-class]', { ...guarded, allow: ['Bash(@unknown)'] }, bash('no-such-tool'), 'allow'],
  ['the other class [s:uncertain.name-class]', { ...guarded, allow: ['Bash(@unknown)'] }, bash('npm test'), 'ask'],
  ['the word of the command [s:uncertain.name-word]', { ...guarded, allow: ['Bash(npm run *)'] }, bash('npm run build'), 'allow'],
  ['half the word [s:uncertain.name-word]', { ...guarded, allow: ['Bash(np*)'] }, bash('npm run build'), 'ask'],
  ['a tool by name [s:uncertain.name-tool]', { ...guarded, allow: ['mcp__db__query'] }, ['mcp__db__query', {}], 'allow'],
  ['a server by name [s:uncertain.name-tool]', { ...guarded, allow: ['mcp__db'] }, ['mcp__db__query', {}], 'allow'],
  ...['Bash', 'Bash(*)', '@command'].map(
    (rule): Row => [`${rule} names nothing [s:uncertain.name-broad]`, { ...guarded, allow: [rule] }, bash('npm test'), 'ask'],
  ),
  ['a group names no tool [s:uncertain.name-broad]', { ...guarded, allow: ['@mcp'] }, ['mcp__db__query', {}], 'ask'],
  ['tools of a server [s:uncertain.name-tool]', { ...guarded, allow: ['mcp__db__q*'] }, ['mcp__db__query', {}], 'allow'],
  ['other tools of it [s:uncertain.name-tool]', { ...guarded, allow: ['mcp__db__q*'] }, ['mcp__db__write', {}], 'ask'],
  ['a known target [s:uncertain.known-target]', { ...guarded, allow: ['Bash(npm:*)'] }, bash('npm test > docs/log'), 'pass'],
  [
    'a known target, allowed [s:uncertain.known-target]',
    { ...guarded, allow: ['Bash(npm:*)', 'Write(docs/**)'] },
    bash('npm test > docs/log'),
    'allow',
  ],
  [
    'a word that could complete a deny [s:uncertain.dynamic]',
    { deny: ['Bash(git push:*)'], allow: ['Bash'] },
    bash('git "$X"'),
    'ask',
  ],
  ['a word that could be the command [s:uncertain.dynamic]', { deny: ['Bash(rm:*)'], allow: ['Bash'] }, bash('$X a'), 'ask'],
  ['a word that could not [s:uncertain.dynamic]', { deny: ['Bash(git push:*)'] }, bash('echo "$X"'), 'pass'],
  ...[
    'echo y > "$U/docs/a"',
    'cd "$d" && echo y > docs/a',
    'cp docs/a.md $(dirname "$f")/hooks/pre-commit',
    'cd "$d" && echo y > .claude/settings.m.json',
    'echo y > "$(cat docs/a.md)"',
    'echo y > docs/../$x',
    'tee -a "$U"',
    'rm -rf "$U/x"',
    'f=$(date); echo y > "out-$f"',
  ].flatMap((command): Row[] => [
    [`${command}, no rule [s:uncertain.write-outline]`, {}, bash(command), 'ask'],
    [`${command}, only reads denied [s:uncertain.write-outline]`, { deny: ['Read(/nowhere)'] }, bash(command), 'ask'],
    [`${command}, untrusted [s:uncertain.write-outline]`, { trusted: false, allow: ['Bash', 'Write'] }, bash(command), 'ask'],
    [
      `${command}, allowed [s:uncertain.write-outline] [s:uncertain.known-target]`,
      {
        allow: [
          'Bash(echo:*)',
          'Bash(cp:*)',
          'Bash(tee:*)',
          'Bash(rm:*)',
          'Bash(cd:*)',
          'Bash(@read-only)',
          'Write(/**)',
          'Write(//**)',
        ],
      },
      bash(command),
      'ask',
    ],
    [`${command}, every write denied [s:uncertain.write-outline]`, { deny: ['Write'] }, bash(command), 'deny'],
  ]),
  ['a number in the name of a target [s:uncertain.write-outline]', {}, bash('echo y > out/$RANDOM.txt'), 'pass'],
  ['a number below .claude [s:uncertain.write-outline]', {}, bash('echo y > .claude/$RANDOM.txt'), 'ask'],
  ...[
    'cat "$U/.env"',
    'cat ${U}.env',
    'cd "$d" && cat .env',
    'grep x "$U/.env"',

    'f="$U/.env"; cat "$f"',
  ].flatMap((command): Row[] => [
    [`${command}, denied [s:uncertain.read-outline]`, { deny: ['Read(.env)'] }, bash(command), 'ask'],
    [`${command}, asked [s:uncertain.read-outline]`, { ask: ['Read(.env)'], allow: ['Bash'] }, bash(command), 'ask'],
    [`${command}, every read denied [s:uncertain.read-outline]`, { deny: ['Read'] }, bash(command), 'deny'],
    [`${command}, another denied [s:uncertain.read-outline]`, { deny: ['Read(*.pem)'] }, bash(command), 'pass'],
  ]),
  ...[
    'cat "$f"',
    'cat src/$f',
    'grep -r x "$d"',
    'cd "$d" && grep -r x',
    'while read f; do cat "$f"; done < /etc/services',
    'xargs cat < ROOT/none',
    'cat $(echo a | rev)',
    'sort --files0-from=none',
    'f=docs/a.md; read f; cat "$f"',
  ].flatMap((command): Row[] => [
    [`${command}, unknownReads: ask [s:uncertain.unknown-reads]`, { unknownReads: 'ask', allow: ['Bash'] }, bash(command), 'ask'],
    [`${command}, unknownReads: deny [s:uncertain.unknown-reads]`, { unknownReads: 'deny' }, bash(command), 'deny'],
    // `cd ""` stays in the folder that holds the denied file.
    [
      `${command}, no such key [s:uncertain.unknown-reads]`,
      { deny: ['Read(.env)'] },
      bash(command),
      command.startsWith('cd ') ? 'ask' : 'pass',
    ],
  ]),
  ...[
    'cat docs/a.md',
    'cat docs/*.md',
    'ls "$d"',
    'for f in src/*; do cat "$f"; done',
    'find src -name "*.ts" | xargs cat',
    'git ls-files | head -3 | xargs cat',
    'ls docs | while read -r f; do cat "docs/$f"; done',
    'cat "$d/README.md"',
    'echo docs/a.md | xargs cat',
  ].map((command): Row => [`${command} is known [s:uncertain.unknown-reads]`, { unknownReads: 'ask' }, bash(command), 'pass']),
  ['a read that is not known [s:uncertain.reads]', { deny: ['Read(.env)'] }, bash('npm test'), 'pass'],
  ['a tool of a server and a read [s:uncertain.reads]', { deny: ['Read(.env)', 'Read'] }, ['mcp__db__query', {}], 'pass'],
];

const extra: Row[] = [
  [
    'without a sandbox [s:extra.sandbox]',
    { allow: ['Bash(ls:*)'] },
    ['Bash', { command: 'ls', dangerouslyDisableSandbox: true }],
    'pass',
  ],
  [
    'with it [s:extra.sandbox]',
    { allow: ['Bash(ls:*)'] },
    ['Bash', { command: 'ls', dangerouslyDisableSandbox: false }],
    'allow',
  ],
  ['elsewhere [s:extra.remote]', { allow: ['Agent'] }, remote, 'pass'],
  [
    'a parameter that is new [s:extra.unknown]',
    { allow: ['Write(src/**)'] },
    ['Write', { file_path: 'src/a.ts', content: '', brandNew: 1 }],
    'pass',
  ],
  [
    'a deny stays [s:extra.unknown]',
    { deny: ['Write(src/**)'] },
    ['Write', { file_path: 'src/a.ts', content: '', brandNew: 1 }],
    'deny',
  ],
];

const untrusted: Row[] = [
  ['its allow [s:untrusted.allow]', { trusted: false, allow: ['Write(src/**)'] }, edit('src/a.ts'), 'pass'],
  ['its deny [s:untrusted.counts]', { trusted: false, deny: ['Write(src/**)'] }, edit('src/a.ts'), 'deny'],
  ['its ask [s:untrusted.counts]', { trusted: false, ask: ['Write(src/**)'] }, edit('src/a.ts'), 'ask'],
  ['its default [s:untrusted.counts]', { trusted: false, defaults: { project: 'deny' } }, edit('src/a.ts'), 'deny'],
  [
    'its arguments that add a write [s:untrusted.counts]',
    {
      trusted: false,
      layers: { user: guarded },
      declared: [{ tool: 'mcp__x__do', roles: [{ argument: 'to', role: 'write' }], trusted: false }],
    },
    ['mcp__x__do', { to: 'src/a.ts' }],
    'deny',
  ],
  [
    'its arguments that would take uncertainty away [s:untrusted.narrow]',
    {
      trusted: false,
      layers: { user: guarded },
      declared: [{ tool: 'mcp__x__do', roles: [{ argument: 'to', role: 'read' }], trusted: false }],
    },
    ['mcp__x__do', { to: 'docs/a.md' }],
    'ask',
  ],
  [
    'its allow, its default [s:untrusted.lifts]',
    { trusted: false, defaults: { project: 'deny' }, allow: ['Write(src/**)'] },
    edit('src/a.ts'),
    'pass',
  ],
  [
    "its allow, a user's default [s:untrusted.lifts]",
    { trusted: false, defaults: { user: 'deny' }, allow: ['Write(src/**)'] },
    edit('src/a.ts'),
    'deny',
  ],
  [
    'its allow of all [s:untrusted.narrow]',
    { trusted: false, allow: ['Bash', 'Write(//**)', '@mcp'], layers: { user: guarded } },
    bash('npm test'),
    'ask',
  ],
];

const layers: Row[] = (['managed', 'user', 'project', 'local'] as const).flatMap((layer): Row[] => [
  [
    `a deny of ${layer} counts beside an allow of all others [s:layers.add-up]`,
    { layers: { ...allOf('allow', 'Write(/ROOT/src/**)'), [layer]: { deny: ['Write(src/**)'] } } },
    edit('src/a.ts'),
    'deny',
  ],
  [
    `an ask of ${layer} counts beside an allow of all others [s:layers.add-up]`,
    { layers: { ...allOf('allow', 'Write(/ROOT/src/**)'), [layer]: { ask: ['Write(src/**)'] } } },
    edit('src/a.ts'),
    'ask',
  ],
]);

function allOf(effect: 'allow', rule: string) {
  return Object.fromEntries((['managed', 'user', 'project', 'local'] as const).map((layer) => [layer, { [effect]: [rule] }]));
}

const event = { sessionId: 'session-1', transcriptPath: 'HOME/.claude/projects/-work/session-1.jsonl' };
const inSession = ([tool, input]: Call): Call => [tool, input, event];
const plans = 'HOME/.claude/plans/p.md';
const results = 'HOME/.claude/projects/-work/session-1/tool-results/r.txt';
const own: Row[] = [
  ['a plan is written [s:own-files.which]', { defaults: { managed: 'deny' } }, inSession(write(plans)), 'pass'],
  [
    'memory is written [s:own-files.which]',
    { defaults: { managed: 'deny' } },
    inSession(write('HOME/.claude/projects/-work/memory/m.md')),
    'pass',
  ],
  ['a result of a tool is read [s:own-files.which]', { defaults: { managed: 'deny' } }, inSession(read(results)), 'pass'],
  ['and not written [s:own-files.which]', {}, inSession(write(results)), 'deny'],
  [
    'those of another session are closed [s:own-files.which]',
    { deny: ['Read'] },
    inSession(read(results.replace('session-1/', 'session-2/'))),
    'deny',
  ],
  [
    'no bare name, group or ** meets them [s:own-files.rules]',
    { deny: ['Write', 'Edit', '@edit', '*', 'Write(**)', 'Write(//**)'] },
    inSession(write(plans)),
    'pass',
  ],
  [
    'a path of their folder does [s:own-files.rules]',
    { deny: ['Write(/HOME/.claude/plans/**)'] },
    inSession(write(plans)),
    'deny',
  ],
];

const openTools: [string, Record<string, unknown>][] = [
  ['ToolSearch', { query: 'x' }],
  ['AskUserQuestion', { questions: [] }],
  ['EnterPlanMode', {}],
  ['ExitPlanMode', { plan: 'x' }],
  ['TodoWrite', { todos: [] }],
  ['TaskCreate', { subject: 's', description: 'd' }],
  ['TaskGet', { taskId: '1' }],
  ['TaskList', {}],
  ['TaskUpdate', { taskId: '1', status: 'done' }],
  ['TaskStop', { task_id: '1' }],
  ['SubagentHandback', { message: 'm' }],
  ['WaitForMcpServers', { servers: [] }],
  ['SendUserMessage', { message: 'm' }],
  ['ReadNotifications', {}],
  ['ListAgents', {}],
  ['BashOutput', { bash_id: '1' }],
  ['TaskOutput', { task_id: '1' }],
  ['DeferredToolPlaceholder', {}],
  ['FetchInboxMessage', { file_id: '1' }],
  ['GetGoal', {}],
  ['GetTask', { taskId: '1' }],
  ['ListConnectors', {}],
  ['ListPlugins', {}],
  ['ListSkills', {}],
  ['McpTaskCheck', { task_id: '1' }],
  ['Poll', {}],
  ['ReadWidgetContext', {}],
  ['SendToProjectContext', {}],
  ['StructuredOutput', {}],
  ['WrapUp', { recap: 'r' }],
  ['Yield', {}],
  ['memory_list', {}],
  ['memory_read', { store: 's', path: '/a' }],
];

describe.each<[string, Row[]]>([
  ['the order', order],
  ['an allowed command', running],
  ['defaults', defaults],
  ['uncertainty', uncertainty],
  ['extra parameters', extra],
  ['an untrusted project', untrusted],
  ['layers', layers],
  ["the session's own files", own],
])('%s', (_, rows) => {
  test.each(rows)('%s', (_what, given, call, expected) => {
    expect(ask(given, call).decision).toBe(expected);
  });
});

describe('tools that only ask, list and plan', () => {
  test.each(openTools)('%s is allowed under default deny [s:meta.open]', (tool, input) => {
    expect(ask({ defaults: { managed: 'deny', project: 'deny' } }, [tool, input]).decision).toBe('pass');
  });

  test.each(openTools)('%s is denied by its name [s:meta.deny]', (tool, input) => {
    expect(ask({ deny: [tool] }, [tool, input]).decision).toBe('deny');
  });

  test('others are denied', () => {
    expect(ask({ defaults: { project: 'deny' } }, fetched('https://a.org')).decision).toBe('deny');
    expect(ask({ defaults: { project: 'deny' } }, grep()).decision).toBe('deny');
    expect(ask({ defaults: { project: 'deny' } }, read('docs/a.md')).decision).toBe('deny');
  });
});
