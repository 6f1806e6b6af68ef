// What a rule is about, call by call.
import { describe, expect, test } from 'vitest';
import { ask, bash, type Call, edit, fetched, type Given, grep, type Row, read, useCore, write } from './fixture.ts';

useCore();

const mcp = (tool: string, input: Record<string, unknown> = {}): Call => [tool, input];
const notebook = (notebook_path: string): Call => ['NotebookEdit', { notebook_path, new_source: 'x' }];
const monitor = (command: string): Call => ['Monitor', { description: 'd', command }];
const skill = (name: string): Call => ['Skill', { skill: name }];
const agent = (input: Record<string, unknown>): Call => ['Agent', { description: 'd', prompt: 'p', ...input }];
const declared = [
  {
    tool: 'mcp__x__do',
    roles: [
      { argument: 'line', role: 'command' as const },
      { argument: 'from', role: 'read' as const },
      { argument: 'to', role: 'write' as const },
    ],
    trusted: true,
  },
];

/** `servers: {db: {reads: [list_tables, "get_*"]}}` */
const servers = ['list_tables', 'get_*'].map((tool) => ({
  tool: `mcp__db__${tool}`,
  roles: [],
  readsOnly: true as const,
  trusted: true,
}));

/** A tool of a database, and one that writes the file it names. */
const sql = [
  { tool: 'mcp__pg__query', roles: [], readsOnly: true as const, query: 'sql', trusted: true },
  { tool: 'mcp__fs__put', roles: [{ argument: 'path', role: 'write' as const }], trusted: true },
];

const names: Row[] = [
  ['a tool alone [s:name.tool]', { deny: ['WebSearch'] }, ['WebSearch', { query: 'x' }], 'deny'],
  ['a tool with a star [s:name.tool]', { deny: ['WebSearch(*)'] }, ['WebSearch', { query: 'x' }], 'deny'],
  ['another tool [s:name.tool]', { deny: ['WebSearch'] }, fetched('https://a.org'), 'pass'],
  ['a server [s:name.server]', { deny: ['mcp__db'] }, mcp('mcp__db__query'), 'deny'],
  ['a server with a star [s:name.server]', { deny: ['mcp__db__*'] }, mcp('mcp__db__query'), 'deny'],
  ['a server whose name begins alike [s:name.server]', { deny: ['mcp__db', 'mcp__db__*'] }, mcp('mcp__dbx__query'), 'pass'],
  ['one tool of a server [s:name.mcp-tool]', { deny: ['mcp__db__query'] }, mcp('mcp__db__query'), 'deny'],
  ['its neighbour [s:name.mcp-tool]', { deny: ['mcp__db__query'] }, mcp('mcp__db__queryx'), 'pass'],
  ['every tool by a star [s:name.glob]', { ask: ['*'] }, ['WebSearch', { query: 'x' }], 'ask'],
  ['tools by a pattern [s:name.glob]', { deny: ['Web*'] }, fetched('https://a.org'), 'deny'],
  ['other tools [s:name.glob]', { deny: ['Web*'] }, read('src/a.ts'), 'pass'],
  ['writes where a pattern meets Read [s:name.glob-bare]', { deny: ['R*'] }, edit('src/a.ts'), 'deny'],
  ['writes by a command where it meets Edit [s:name.glob-bare]', { ask: ['*Edit'] }, bash('touch src/a.ts'), 'ask'],
  ['Monitor where it meets Bash [s:name.glob-bare]', { ask: ['B*'] }, monitor('npm test'), 'ask'],
  ['but no reads where it meets Write [s:name.glob-bare]', { deny: ['W*'] }, read('src/a.ts'), 'pass'],
  ['a pattern of servers [s:name.glob]', { deny: ['mcp__*__delete_*'] }, mcp('mcp__db__delete_all'), 'deny'],
  ['a group of readers [s:group.members]', { allow: ['@read'] }, grep('src'), 'allow'],
  ['a group of writers [s:group.members]', { allow: ['@edit'] }, notebook('n.ipynb'), 'allow'],
  ['a group of shells [s:group.members]', { deny: ['@command'] }, monitor('ls'), 'deny'],
  ['a group of the web [s:group.members]', { deny: ['@web'] }, ['WebSearch', { query: 'x' }], 'deny'],
  ['a group of servers [s:group.members]', { deny: ['@mcp'] }, mcp('mcp__db__query'), 'deny'],
  ['a group of agents [s:group.members]', { deny: ['@agent'] }, skill('commit'), 'deny'],
  ['a parameter [s:rules.param]', { deny: ['Agent(model:opus)'] }, agent({ subagent_type: 'x', model: 'opus' }), 'deny'],
  ['a parameter by a star [s:rules.param]', { deny: ['Agent(model:o*)'] }, agent({ subagent_type: 'x', model: 'opus' }), 'deny'],
  ['a command called as a parameter [s:rules.param-command]', { deny: ['Bash(timeout:*)'] }, bash('timeout 5 npm test'), 'deny'],
  [
    'the parameter called so [s:rules.param-command]',
    { ask: ['Bash(timeout:*)'] },
    ['Bash', { command: 'ls', timeout: 5000 }],
    'ask',
  ],
  ['and left out [s:rules.param-command]', { deny: ['Bash(timeout:*)'] }, bash('ls'), 'pass'],
  [
    'no parameter in allow [s:rules.param-command]',
    { allow: ['Bash(timeout:*)'] },
    ['Bash', { command: 'make', timeout: 5000 }],
    'pass',
  ],
  ['another value [s:rules.param]', { deny: ['Agent(model:opus)'] }, agent({ subagent_type: 'x', model: 'haiku' }), 'pass'],
  ['a parameter left out [s:rules.param]', { deny: ['Agent(model:*)'] }, agent({ subagent_type: 'x' }), 'pass'],
  ['an agent [s:rules.agent]', { deny: ['Agent(Explore)'] }, agent({ subagent_type: 'Explore' }), 'deny'],
  ['another agent [s:rules.agent]', { deny: ['Agent(Explore)'] }, agent({ subagent_type: 'Plan' }), 'pass'],
  ['an agent in lower case [s:rules.agent]', { deny: ['Agent(Explore)'] }, agent({ subagent_type: 'explore' }), 'deny'],
  ['an agent with blanks [s:rules.agent]', { ask: ['Agent(Explore)'] }, agent({ subagent_type: ' Ex plore\n' }), 'ask'],
  ['an agent in wide letters [s:rules.agent]', { deny: ['Agent(Explore)'] }, agent({ subagent_type: 'Ｅxplore' }), 'deny'],
  ['an agent with other dashes [s:rules.agent]', { deny: ['Agent(code-*)'] }, agent({ subagent_type: 'Code_Writer' }), 'deny'],
  ['an agent without a name [s:rules.agent]', { deny: ['Agent(general-purpose)'] }, agent({ subagent_type: ' ' }), 'deny'],
  [
    'an agent without a name allowed [s:rules.agent]',
    { allow: ['Agent(general-purpose)'] },
    agent({ subagent_type: '' }),
    'pass',
  ],
  ['an agent left out [s:rules.agent]', { deny: ['Agent(General_Purpose)'] }, agent({}), 'deny'],
  ['a spelling that is not allowed [s:rules.agent]', { allow: ['Agent(Explore)'] }, agent({ subagent_type: 'explore' }), 'pass'],
  ['an agent allowed [s:rules.agent]', { allow: ['Agent(Explore)'] }, agent({ subagent_type: 'Explore' }), 'allow'],
  ['a skill [s:rules.skill]', { deny: ['Skill(deploy)'] }, skill('deploy'), 'deny'],
  ['a skill as it is typed [s:rules.skill]', { deny: ['Skill(deploy)'] }, skill('/deploy'), 'deny'],
  ['a skill with blanks [s:rules.skill]', { deny: ['Skill(deploy)'] }, skill(' /deploy\n'), 'deny'],
  ['another skill [s:rules.skill]', { deny: ['Skill(deploy)'] }, skill('commit'), 'pass'],
  ['a skill by its parameter [s:rules.skill]', { deny: ['Skill(skill:deploy)'] }, skill(' /deploy'), 'deny'],
  ['skills of a plugin [s:rules.skill-begins]', { deny: ['Skill(ops:*)'] }, skill('ops:ship'), 'deny'],
  ['skills that begin so [s:rules.skill-begins]', { ask: ['Skill(dep *)'] }, skill('deploy'), 'ask'],
  ['skills that begin otherwise [s:rules.skill-begins]', { deny: ['Skill(ops:*)'] }, skill('web:deploy'), 'pass'],
  ["a plugin's skills, one by its short name [s:rules.skill-star]", { deny: ['Skill(ops:*)'] }, skill('deploy'), 'deny'],
  ['a star over the end of a plugin [s:rules.skill-star]', { ask: ['Skill(op*)'] }, skill('deploy'), 'ask'],
  [
    'a star over the end of a plugin, and another name [s:rules.skill-star]',
    { ask: ['Skill(op*ship)'] },
    skill('deploy'),
    'pass',
  ],
  ['an allow of a name, not of what begins so [s:rules.skill-begins]', { allow: ['Skill(dep:*)'] }, skill('deploy'), 'pass'],
  ["a plugin's skill by its short name [s:rules.skill-short]", { deny: ['Skill(ops:ship)'] }, skill('ship'), 'deny'],
  ["a plugin's skill by its whole name [s:rules.skill-short]", { deny: ['Skill(ship)'] }, skill('/ops:ship'), 'deny'],
  ['a skill of another plugin [s:rules.skill-short]', { deny: ['Skill(ops:ship)'] }, skill('web:ship'), 'pass'],
  ['an allow of a short name [s:rules.skill-short]', { allow: ['Skill(ship)'] }, skill('ops:ship'), 'pass'],
  [
    'an agent by its parameter [s:rules.agent]',
    { deny: ['Agent(subagent_type:Explore)'] },
    agent({ subagent_type: ' explore' }),
    'deny',
  ],
  [
    'a parameter of Bash by a star [s:rules.param]',
    { deny: ['Bash(run_in_background:*)'] },
    ['Bash', { command: 'ls', run_in_background: true }],
    'deny',
  ],
];

const withSkill = (text: string) => ({
  ready: (tree: { file(name: string, text: string): string }) => void tree.file('.claude/skills/s/SKILL.md', text),
});
const named = '---\nname: "other" # as it is called\ndescription: x\n---\n';
const skills: Row[] = [
  ['a command denied [s:rules.skill-commands]', { ...withSkill('!`git push`'), deny: ['Bash(git push:*)'] }, skill('s'), 'deny'],
  ['a write denied [s:rules.skill-commands]', { ...withSkill('!`cp x src/a.ts`'), deny: ['Write(src/**)'] }, skill('s'), 'deny'],
  ['a read denied [s:rules.skill-commands]', { ...withSkill('!`cat .env`'), deny: ['Read(.env)'] }, skill('s'), 'deny'],
  [
    'text that only speaks of it [s:rules.skill-commands]',
    { ...withSkill('git push'), deny: ['Bash(git push:*)'] },
    skill('s'),
    'pass',
  ],
  [
    "a plugin's skills, and the project's own [s:rules.skill-star]",
    { ...withSkill('hi'), deny: ['Skill(ops:*)'] },
    skill('s'),
    'pass',
  ],
  ['by its folder [s:rules.skill-own]', { ...withSkill(named), deny: ['Skill(s)'] }, skill('other'), 'deny'],
  ['by the name in its file [s:rules.skill-own]', { ...withSkill(named), ask: ['Skill(oth *)'] }, skill('s'), 'ask'],
  ['by another name than it has [s:rules.skill-own]', { ...withSkill(named), deny: ['Skill(third)'] }, skill('other'), 'pass'],
  ['an allow of its folder [s:rules.skill-own]', { ...withSkill(named), allow: ['Skill(s)'] }, skill('other'), 'pass'],
  [
    'its commands, by the name in its file [s:rules.skill-commands]',
    { ...withSkill(`${named}!\`git push\``), deny: ['Bash(git push:*)'] },
    skill('other'),
    'deny',
  ],
  ["the project's own of a short name [s:rules.skill-short]", { ...withSkill('hi'), deny: ['Skill(ops:s)'] }, skill('s'), 'pass'],
  ['one not found [s:rules.skill-unknown]', { deny: ['Write(src/**)'] }, skill('gone'), 'ask'],
  ['one not found, named [s:rules.skill-unknown]', { deny: ['Write(src/**)'], allow: ['Skill(gone)'] }, skill('gone'), 'allow'],
];

const reads: Row[] = [
  ['Grep with blanks around the path [s:paths.cleaned]', { deny: ['Read(.env)'] }, grep(' .env\n'), 'deny'],
  ['Grep of a folder with blanks [s:paths.cleaned]', { deny: ['Read(src/a.ts)'] }, grep('\tsrc '), 'deny'],
  ['an allow needs both [s:paths.cleaned]', { allow: ['Read(\\ src/**)'] }, grep(' src'), 'pass'],
  ['Read [s:read.narrow]', { deny: ['Read(.env)'] }, read('.env'), 'deny'],
  ['Grep [s:read.narrow]', { deny: ['Read(.env)'] }, grep('.env'), 'deny'],
  ['Glob of the folder itself [s:read.narrow]', { deny: ['Read(/docs)'] }, ['Glob', { pattern: '*.md', path: 'docs' }], 'deny'],
  ['Bash [s:read.narrow]', { deny: ['Read(.env)'] }, bash('cat .env'), 'deny'],
  ['Bash by redirection [s:read.narrow]', { deny: ['Read(.env)'] }, bash('wc -l < .env'), 'deny'],
  ['by the folder of a process [s:read.narrow]', { deny: ['Read(.env)'] }, read('/proc/self/cwd/.env'), 'deny'],
  ['by the folder of another process [s:read.narrow]', { deny: ['Read(.env)'] }, read('/proc/1/cwd/.env'), 'deny'],
  ['by the folder of a process not there yet [s:read.narrow]', { deny: ['Read(.env)'] }, read('/proc/4999999/cwd/.env'), 'deny'],
  ['by the root of a process [s:read.narrow]', { deny: ['Read(.env)'] }, read('/proc/1/rootROOT/.env'), 'deny'],
  ['by both [s:read.narrow]', { deny: ['Read(.env)'] }, read('/proc/thread-self/root/proc/self/task/1/cwd/.env'), 'deny'],
  [
    'by a link to the folder of a process [s:read.narrow]',
    { deny: ['Read(.env)'], ready: (tree) => tree.link('l', '/proc/self/cwd') },
    read('l/.env'),
    'deny',
  ],
  ['Grep by the folder of a process [s:read.narrow]', { deny: ['Read(.env)'] }, grep('/proc/self/cwd'), 'deny'],
  ['Bash by the folder of a thread [s:read.narrow]', { deny: ['Read(.env)'] }, bash('cat /proc/self/task/1/cwd/.env'), 'deny'],
  ['Bash by a descriptor of a folder [s:read.narrow]', { deny: ['Read(.env)'] }, bash('cat /dev/fd/3/.env 3<.'), 'deny'],
  ['Bash by its input [s:read.narrow]', { deny: ['Bash(@unknown)'] }, bash('cat /proc/self/fd/0/.env <.'), 'deny'],
  ['another file by the folder of a process [s:read.narrow]', { deny: ['Read(.env)'] }, read('/proc/self/cwd/docs/a.md'), 'pass'],
  ['Edit [s:read.edit]', { deny: ['Read(.env)'] }, edit('.env'), 'deny'],
  ['an edit that asks [s:read.edit]', { ask: ['Read(.env)'] }, edit('.env'), 'ask'],
  ...[
    'mv .env x',
    'git mv .env x',
    'ln .env x',
    'cd docs; ln ../.env',
    'cp -l .env x',
    'gzip .env',
    "sed -i -n 'w /dev/stdout' .env",
    'sed -i.bak p .env',
  ].map((text): Row => [`Bash: ${text} [s:read.keeps]`, { deny: ['Read(.env)'] }, bash(text), 'deny']),
  ['Bash: a folder is moved with it [s:read.keeps]', { deny: ['Read(*.md)'] }, bash('mv docs papers'), 'deny'],
  ...['mv docs/a.md docs/b.md', 'cp docs/a.md .env', 'rm .env', 'echo x >> .env', 'sed -i s/a/b/ docs/a.md'].map(
    (text): Row => [`Bash: ${text} shows nothing of it [s:read.keeps]`, { deny: ['Read(.env)'] }, bash(text), 'pass'],
  ),
  [
    'a declared argument [s:read.mcp] [s:args.read]',
    { deny: ['Read(.env)'], declared },
    mcp('mcp__x__do', { from: '.env' }),
    'deny',
  ],
  ['an allow for Read [s:read.allow]', { allow: ['Read(src/**)'] }, read('src/a.ts'), 'allow'],
  ['an allow for Grep [s:read.allow]', { allow: ['Read(src/**)'] }, grep('src'), 'allow'],
  ['an allow is none to edit [s:read.allow]', { allow: ['Read(src/**)'] }, edit('src/a.ts'), 'pass'],
  ['Read alone meets every reader [s:bare.read]', { deny: ['Read'] }, bash('cat docs/a.md'), 'deny'],
  ['@read alone meets every reader [s:bare.read]', { deny: ['@read'] }, grep('docs'), 'deny'],
  ['Read alone meets paths outside [s:bare.read]', { ask: ['Read'] }, bash('cat /etc/hostname'), 'ask'],
];

const everyWrite: [string, Call][] = [
  ['Write', write('src/a.ts')],
  ['Edit', edit('src/a.ts')],
  ['MultiEdit', ['MultiEdit', { file_path: 'src/a.ts', edits: [] }]],
  ['NotebookEdit', notebook('src/n.ipynb')],
];
const bashWrites = [
  'echo x > src/a.ts',
  'sed -i s/a/b/ src/a.ts',
  'tee src/a.ts',
  'cp docs/a.md src/a.ts',
  'mv src/a.ts x',
  'rm src/a.ts',
];
const spellings = ['Write(src/**)', 'Edit(src/**)', 'MultiEdit(src/**)', 'NotebookEdit(src/**)'];
const writes: Row[] = [
  ...spellings.flatMap((rule) =>
    everyWrite.map(([tool, call]): Row => [`${rule} and ${tool} [s:write.narrow]`, { deny: [rule] }, call, 'deny']),
  ),
  ['a write by whatever tool [s:write.narrow]', { ask: ['Write(src/**)'] }, notebook('src/n.ipynb'), 'ask'],
  ['a path beside [s:write.narrow]', { deny: ['Write(src/**)'] }, edit('docs/a.md'), 'pass'],
  [
    'a declared argument [s:write.mcp] [s:args.write]',
    { deny: ['Write(src/**)'], declared },
    mcp('mcp__x__do', { to: 'src/a.ts' }),
    'deny',
  ],
  ['another place of it [s:args.write]', { deny: ['Write(src/**)'], declared }, mcp('mcp__x__do', { to: 'docs/a.md' }), 'pass'],
  ['Edit(p) allows Write [s:write.allow-tools]', { allow: ['Edit(src/**)'] }, write('src/a.ts'), 'allow'],
  ['Write(p) allows NotebookEdit [s:write.allow-tools]', { allow: ['Write(src/**)'] }, notebook('src/n.ipynb'), 'allow'],
  ['NotebookEdit(p) allows Edit [s:write.allow-tools]', { allow: ['NotebookEdit(src/**)'] }, edit('src/a.ts'), 'allow'],
  ['the writing half [s:write.allow-bash]', { allow: ['Write(src/**)', 'Bash(cp:*)'] }, bash('cp docs/a.md src/b.md'), 'allow'],
  ['without the running half [s:write.allow-bash]', { allow: ['Write(src/**)'] }, bash('cp docs/a.md src/b.md'), 'pass'],
  ['Write alone [s:bare.write]', { deny: ['Write'] }, bash('touch x'), 'deny'],
  ['Edit alone [s:bare.write]', { deny: ['Edit'] }, notebook('n.ipynb'), 'deny'],
  ['@edit alone [s:bare.write]', { deny: ['@edit'], declared }, mcp('mcp__x__do', { to: 'x' }), 'deny'],
  ['Write alone, and a read [s:bare.write]', { deny: ['Write'] }, bash('cat docs/a.md'), 'pass'],
];

const patterns: Row[] = [
  ['from the root of the file system [s:pattern.absolute]', { deny: ['Write(/ROOT/docs/**)'] }, edit('docs/a.md'), 'deny'],
  ['and outside [s:pattern.absolute]', { deny: ['Read(/TREE/other/**)'] }, read('TREE/other/x'), 'deny'],
  ['with a leading slash [s:pattern.rooted]', { deny: ['Write(/src/**)'] }, edit('src/a.ts'), 'deny'],
  ['with a leading slash, deeper [s:pattern.rooted]', { deny: ['Write(/src/**)'] }, edit('packages/app/src/c.ts'), 'pass'],
  ['a folder denied at any depth [s:pattern.dir-narrow]', { deny: ['Write(src/**)'] }, edit('packages/app/src/c.ts'), 'deny'],
  ['a folder allowed at the root [s:pattern.dir-allow]', { allow: ['Write(src/**)'] }, edit('src/a.ts'), 'allow'],
  ['a folder allowed, deeper [s:pattern.dir-allow]', { allow: ['Write(src/**)'] }, edit('packages/app/src/c.ts'), 'pass'],
  ['a name outside [s:pattern.inside]', { deny: ['Read(x)', 'Read(**/x)'] }, read('TREE/other/x'), 'pass'],
  ['a part of a name [s:pattern.anchored]', { deny: ['Write(src/**)'] }, write('mysrc/a.ts'), 'pass'],
  ['a longer ending [s:pattern.anchored]', { deny: ['Write(*.ts)'] }, write('src/a.tsx'), 'pass'],
  ['a braced name [s:pattern.braces]', { deny: ['Write({src,lib}/**)'] }, edit('lib/l.ts'), 'deny'],
  ['a name beside the braces [s:pattern.braces]', { deny: ['Write({src,lib}/**)'] }, edit('docs/a.md'), 'pass'],
];

const keys = { deny: ['Read(*.pem !**/{fixtures,testdata}/**)'] };
const auth = { deny: ['Write(auth/** !docs/** !*.test.*)'] };
const withFiles = (given: Given, ...names: string[]): Given => ({
  ...given,
  ready: (tree) => {
    for (const name of names) tree.file(name, 'x');
  },
});
const key = withFiles(keys, 'deploy/a.pem', 'test/fixtures/b.pem');
const linked = (given: Given, target: string, name: string): Given => ({
  ...given,
  ready: (tree) => {
    given.ready?.(tree);
    tree.link(name, `${tree.root}/${target}`);
  },
});

const exceptions: Row[] = [
  ['the file', keys, read('test/a.pem'), 'deny'],
  ['an exception', keys, read('test/fixtures/a.pem'), 'pass'],
  ['another exception in braces', keys, read('test/testdata/x/a.pem'), 'pass'],
  ['a name like an exception', keys, read('test/fixtures.pem'), 'deny'],
  ['an exception in another case', keys, read('test/Fixtures/a.pem'), 'deny'],
  ['a path that leaves the exception', key, read('test/fixtures/../../deploy/a.pem'), 'deny'],
  ['a file outside of the project', keys, read('TREE/other/a.pem'), 'pass'],
  ['by a command', key, bash('cat test/fixtures/b.pem'), 'pass'],
  ['by a command, from its folder', key, bash('cd test/fixtures && cat b.pem'), 'pass'],
  ['both by a command', key, bash('cat test/fixtures/b.pem deploy/a.pem'), 'deny'],
  ['a folder with both', key, grep('test'), 'pass'],
  ['a folder with a denied file', key, grep('.'), 'deny'],
  ['moving a denied file there', key, bash('mv deploy/a.pem test/fixtures/c.pem'), 'deny'],
  ['moving its folder there', key, bash('mv deploy test/fixtures/deploy'), 'deny'],
  ['moving it with git', key, bash('git mv deploy/a.pem test/fixtures/c.pem'), 'deny'],
  ['copying it there', key, bash('cp deploy/* test/fixtures/'), 'deny'],
  ['copying it there from inside', key, bash('cd test/fixtures && cp ../../deploy/a.pem .'), 'deny'],
  ['linking it there', key, bash('ln deploy/a.pem test/fixtures/c.pem'), 'deny'],
  ['linking it and reading the link', key, bash('ln -s ../../deploy/a.pem test/fixtures/c.pem; cat test/fixtures/c.pem'), 'deny'],
  ['a link there to a denied file', linked(key, 'deploy/a.pem', 'test/fixtures/c.pem'), read('test/fixtures/c.pem'), 'deny'],
  ['a link there to its folder', linked(key, 'deploy', 'test/fixtures/d'), read('test/fixtures/d/a.pem'), 'deny'],
  ['a link from outside of the exception', linked(key, 'test/fixtures/b.pem', 'deploy/c.pem'), read('deploy/c.pem'), 'deny'],
  ['a name that is partly known', key, bash('cat test/fixtures/$X.pem'), 'ask'],
  ['the file of a folder', auth, write('src/auth/a.ts'), 'deny'],
  ['the first of two exceptions', auth, write('docs/auth/a.md'), 'pass'],
  ['an exception at the root only', auth, write('src/docs/auth/a.md'), 'deny'],
  ['the second of two exceptions', auth, write('src/auth/a.test.ts'), 'pass'],
  ['moving an exempt file to a denied place', withFiles(auth, 'docs/auth/a.md'), bash('mv docs/auth/a.md src/auth/a.ts'), 'deny'],
  ['moving the denied folder away', withFiles(auth, 'src/auth/a.ts'), bash('mv src/auth docs/auth'), 'deny'],
  ['removing a folder with both', withFiles(auth, 'src/auth/a.ts', 'src/auth/a.test.ts'), bash('rm -r src'), 'deny'],
  ['removing a folder with the exempt alone', withFiles(auth, 'docs/auth/a.md'), bash('rm -r docs'), 'pass'],
  ['another rule for the same file', { deny: [...keys.deny, 'Read(b.*)'] }, read('test/fixtures/b.pem'), 'deny'],
  ['an ask', { ask: keys.deny }, read('test/a.pem'), 'ask'],
  ['the exception of an ask', { ask: keys.deny }, read('test/fixtures/a.pem'), 'pass'],
  ['a deny without the exception of an allow', { allow: ['Read(**)'], ...keys }, read('test/a.pem'), 'deny'],
  ['a name with a ! in it', { deny: ['Read(a\\ !b)'] }, read('a !b'), 'deny'],
];

const commands: Row[] = [
  ['what is not valid Bash [s:bash.class]', { deny: ['Bash(@unknown)'] }, bash('if'), 'deny'],
  ['what is not valid behind what is [s:bash.class]', { ask: ['Bash(@unknown)'], allow: ['Bash'] }, bash('ls "'), 'ask'],
  ['what is not valid in an argument [s:args.command]', { deny: ['Bash'], declared }, mcp('mcp__x__do', { line: 'if' }), 'deny'],
  ['an exact text [s:bash.forms]', { deny: ['Bash(git push)'] }, bash('git push'), 'deny'],
  ['an exact text with more [s:bash.forms]', { deny: ['Bash(git push)'] }, bash('git push origin'), 'pass'],
  ['words [s:bash.forms]', { deny: ['Bash(git push:*)'] }, bash('git push origin'), 'deny'],
  ['words alone [s:bash.forms]', { deny: ['Bash(git push *)'] }, bash('git push'), 'deny'],
  ['a longer word [s:bash.forms]', { deny: ['Bash(git pu:*)'] }, bash('git push'), 'pass'],
  ['a star inside [s:bash.forms]', { deny: ['Bash(git * --force)'] }, bash('git push origin --force'), 'deny'],
  ...[
    'env X=1 git push',
    'timeout 5 git push',
    'sudo -n git push',
    'sudo -p word A=1 git push',
    'setarch x86_64 git push',
    'xargs git push',
    'sh -c "git push"',
    'find . -exec git push \\;',
    'echo $(git push)',
    'ls && git push',
    'ls | while read x; do git push; done',
    '(cd src; git push)',
    'bash <<< "git push"',
    'noglob env git push',
    'env -S \'git "push"\'',
    'nocorrect git push',
  ].map((text): Row => [`within ${text} [s:bash.narrow-depth]`, { deny: ['Bash(git push:*)'] }, bash(text), 'deny']),
  ...['timeout --unheard 5 word git push', 'sudo --unheard word git push'].map(
    (text): Row => [
      `behind what is not known, ${text} [s:bash.narrow-depth]`,
      { deny: ['Bash(git push:*)'] },
      bash(text),
      'deny',
    ],
  ),
  ['however deep [s:bash.narrow-depth]', { deny: ['Bash(git push:*)'] }, bash('sh -c "env bash -c \'git push\'"'), 'deny'],
  [
    'behind options of git [s:bash.narrow-spelling]',
    { deny: ['Bash(git push:*)'] },
    bash('git -C . -c a.b=c push origin'),
    'deny',
  ],
  ['behind an option nobody knows [s:bash.narrow-spelling]', { deny: ['Bash(git push:*)'] }, bash('git --new x push'), 'deny'],
  ['behind options of npm [s:bash.narrow-spelling]', { ask: ['Bash(npm publish:*)'] }, bash('npm --prefix lib publish'), 'ask'],
  ['behind options of aws [s:bash.narrow-spelling]', { deny: ['Bash(aws s3 rm:*)'] }, bash('aws --profile x s3 rm y'), 'deny'],
  ['a value that only looks so [s:bash.narrow-spelling]', { deny: ['Bash(git push:*)'] }, bash('git -C push status'), 'pass'],
  ...['git -C . $X', 'git -C "$D" "$X" main', 'xargs git -C .'].map(
    (text): Row => [`behind options, ${text} [s:uncertain.dynamic]`, { deny: ['Bash(git push:*)'] }, bash(text), 'ask'],
  ),
  ['behind options of npm [s:uncertain.dynamic]', { deny: ['Bash(npm publish:*)'] }, bash('npm --prefix lib $X'), 'ask'],
  ['another subcommand [s:uncertain.dynamic]', { deny: ['Bash(git push:*)'] }, bash('git -C . log "main$X"'), 'pass'],
  ['no allow goes by it [s:bash.narrow-spelling]', { allow: ['Bash(npm publish:*)'] }, bash('npm --prefix lib publish'), 'pass'],
  ['with the time it takes [s:bash.narrow-spelling]', { deny: ['Bash(time npm:*)'] }, bash('time npm test | cat'), 'deny'],
  ['and only then [s:bash.narrow-spelling]', { deny: ['Bash(time npm:*)'] }, bash('npm test'), 'pass'],
  ['an allow without it [s:bash.allow-wrappers]', { allow: ['Bash(ls:*)'] }, bash('time ls'), 'allow'],
  ['by its basename [s:bash.narrow-spelling]', { deny: ['Bash(git push:*)'] }, bash('/usr/bin/git push'), 'deny'],
  ['with quotes in it [s:bash.narrow-spelling]', { deny: ['Bash(git push:*)'] }, bash('g"i"t \'push\''), 'deny'],
  ['an allow and a substitution [s:bash.allow-top]', { allow: ['Bash(echo:*)', 'Bash(date:*)'] }, bash('echo $(date)'), 'pass'],
  ['an allow and sh -c [s:bash.allow-top]', { allow: ['Bash(date:*)'] }, bash('sh -c date'), 'pass'],
  ['an allow behind a wrapper [s:bash.allow-wrappers]', { allow: ['Bash(ls:*)'] }, bash('timeout 5 ls'), 'allow'],
  [
    'an allow behind a harmless assignment [s:bash.allow-wrappers]',
    { allow: ['Bash(npm test)'] },
    bash('NODE_ENV=test npm test'),
    'allow',
  ],
  ['an allow behind another assignment [s:bash.allow-wrappers]', { allow: ['Bash(ls:*)'] }, bash('LD_PRELOAD=x ls'), 'pass'],
  [
    'an allow of these words and more [s:bash.allow-appended]',
    { allow: ['Bash(npm test)', 'Bash(cat:*)'] },
    bash('cat y | xargs npm test'),
    'pass',
  ],
  [
    'an allow of whatever follows [s:bash.allow-appended]',
    { allow: ['Bash(npm test:*)', 'Bash(cat:*)'] },
    bash('cat y | xargs npm test'),
    'allow',
  ],
  ['a deny of these words [s:bash.allow-appended]', { deny: ['Bash(npm test)'] }, bash('xargs npm test'), 'deny'],
  ['every part allowed [s:bash.allow-every]', { allow: ['Bash(ls:*)', 'Bash(pwd)'] }, bash('ls && pwd'), 'allow'],
  ['one part not allowed [s:bash.allow-every]', { allow: ['Bash(ls:*)'] }, bash('ls && pwd'), 'pass'],
  ['Monitor denied [s:bash.monitor]', { deny: ['Bash(git push:*)'] }, monitor('git push'), 'deny'],
  ['Monitor allowed [s:bash.monitor]', { allow: ['Bash(ls:*)'] }, monitor('ls'), 'allow'],
  ['what only reads [s:bash.class]', { allow: ['Bash(@read-only)'] }, bash('ls | wc -l'), 'allow'],
  ['what writes [s:bash.class]', { deny: ['Bash(@writes)'] }, bash('touch x'), 'deny'],
  ['what runs [s:bash.class]', { deny: ['Bash(@runs)'] }, bash('npm test'), 'deny'],
  ['what uses the network [s:bash.class]', { deny: ['Bash(@network)'] }, bash('curl https://a.org'), 'deny'],
  ['what prints credentials [s:bash.secrets]', { deny: ['Bash(@secrets)'] }, bash('kubectl get secret x -o yaml'), 'deny'],
  ['what prints credentials, inside [s:bash.secrets]', { ask: ['Bash(@secrets)'] }, bash('x=$(vault kv get a); echo 1'), 'ask'],
  [
    'what prints credentials and is allowed by class [s:bash.secrets]',
    { ask: ['Bash(@secrets)'], allow: ['Bash(@network)', 'Bash(@read-only)'] },
    bash('kubectl get secret x -o yaml'),
    'ask',
  ],
  [
    'an allow of the class without an ask [s:bash.secrets]',
    { allow: ['Bash(@network)'] },
    bash('kubectl get secret x -o yaml'),
    'allow',
  ],
  ['what prints no credentials [s:bash.secrets]', { deny: ['Bash(@secrets)'] }, bash('kubectl get secrets -o name'), 'pass'],
  ['what prints an environment [s:bash.environment]', { deny: ['Bash(@environment)'] }, bash('kubectl describe pod x'), 'deny'],
  [
    'what prints an environment, inside, and is allowed by class [s:bash.environment]',
    { ask: ['Bash(@environment)'], allow: ['Bash(@read-only)'] },
    bash('x=$(env | sort); echo 1'),
    'ask',
  ],
  ['what prints one variable [s:bash.environment]', { deny: ['Bash(@environment)'] }, bash('printenv PATH'), 'pass'],
  ['a query of a service [s:bash.network-read]', { allow: ['Bash(@network-read)'] }, bash('gh pr view 1'), 'allow'],
  ['a GET of an API is one', { allow: ['Bash(@network-read)'] }, bash('gh api repos/a/b/pulls/1/comments'), 'allow'],
  ['a POST is none', { ask: ['Bash(@network-send)'] }, bash('gh api repos/a/b/pulls -f title=x'), 'ask'],
  ['another host is none', { ask: ['Bash(@network-send)'] }, bash('gh api https://h.test/a'), 'ask'],
  ['npx that installs nothing uses no network', { ask: ['Bash(@network-send)'] }, bash('npx --no-install tsc --version'), 'pass'],
  ['npx that may install does', { ask: ['Bash(@network-send)'] }, bash('npx --yes cowsay --version'), 'ask'],
  ...['aws ec2 describe-instances', 'gcloud projects list', 'az vm show -n x -g y', 'gsutil ls gs://b'].map(
    (text): Row => [`the query ${text} [s:bash.network-read]`, { allow: ['Bash(@network-read)'] }, bash(text), 'allow'],
  ),
  ...['aws ec2 run-instances', 'aws s3 ls --endpoint-url http://x', 'gcloud projects list --log-http', 'az login'].map(
    (text): Row => [`no query, ${text} [s:bash.network-read]`, { allow: ['Bash(@network-read)'] }, bash(text), 'pass'],
  ),
  ['a fetch [s:bash.network-read]', { allow: ['Bash(@network-read)'] }, bash('git fetch origin'), 'allow'],
  ['a query denied [s:bash.network-read]', { deny: ['Bash(@network-read)'] }, bash('npm view x version'), 'deny'],
  [
    'a query that is only a part [s:bash.network-read]',
    { allow: ['Bash(@network-read)'] },
    bash('npm ping; curl https://a.org'),
    'pass',
  ],
  ['a request to any host [s:bash.network-read]', { allow: ['Bash(@network-read)'] }, bash('curl https://a.org'), 'pass'],
  ['a change of a service [s:bash.network-read]', { allow: ['Bash(@network-read)'] }, bash('gh pr create'), 'pass'],
  ['a push [s:bash.network-read]', { allow: ['Bash(@network-read)'] }, bash('git push'), 'pass'],
  [
    'a fetch from an address [s:bash.network-read]',
    { allow: ['Bash(@network-read)'] },
    bash('git fetch https://a.org/x'),
    'pass',
  ],
  ['a test run [s:bash.checks]', { allow: ['Bash(@checks)'] }, bash('npm test'), 'allow'],
  ['a linter [s:bash.checks]', { deny: ['Bash(@checks)'] }, bash('cargo clippy'), 'deny'],
  ['a linter that rewrites [s:bash.checks]', { allow: ['Bash(@checks)'] }, bash('eslint --fix src'), 'pass'],
  ['a check that is fetched first [s:bash.checks]', { allow: ['Bash(@checks)'] }, bash('npx biome check'), 'pass'],
  ['a well-known check that is not installed [s:bash.checks]', { allow: ['Bash(@checks)'] }, bash('npx jest'), 'allow'],
  [
    'a well-known check from another registry [s:bash.checks]',
    { allow: ['Bash(@checks)'] },
    bash('npm_config_registry=http://a.org npx jest'),
    'pass',
  ],
  ['another program [s:bash.checks]', { allow: ['Bash(@checks)'] }, bash('node a.js'), 'pass'],
  ['a query of this machine', { allow: ['Bash(@network-read)'] }, bash('curl http://localhost:1/x'), 'allow'],
  ['a request to another machine [s:bash.network-send]', { ask: ['Bash(@network-send)'] }, bash('curl https://a.org'), 'ask'],
  ['a push to another machine [s:bash.network-send]', { ask: ['Bash(@network-send)'] }, bash('git push'), 'ask'],
  [
    'a request to this machine [s:bash.network-send]',
    { ask: ['Bash(@network-send)'] },
    bash('curl http://localhost:3000/x'),
    'pass',
  ],
  [
    'a request to this machine and another [s:bash.network-send]',
    { ask: ['Bash(@network-send)'] },
    bash('curl http://127.0.0.1:3000 https://a.org'),
    'ask',
  ],
  [
    'a request to this machine through a proxy [s:bash.network-send]',
    { ask: ['Bash(@network-send)'] },
    bash('curl -x http://a.org http://localhost'),
    'ask',
  ],
  [
    'a name that only begins like it [s:bash.network-send]',
    { ask: ['Bash(@network-send)'] },
    bash('curl http://localhost.a.org'),
    'ask',
  ],
  ['a query [s:bash.network-send]', { ask: ['Bash(@network-send)'] }, bash('gh issue list'), 'pass'],
  ['a migration [s:bash.purpose]', { deny: ['Bash(@database)'] }, bash('npm run db:migrate'), 'deny'],
  [
    'a migration, inside [s:bash.purpose]',
    { deny: ['Bash(@database)'] },
    bash('timeout 60 sh -c "npx prisma migrate deploy"'),
    'deny',
  ],
  ['a client of a database [s:bash.purpose]', { ask: ['Bash(@database)'] }, bash('PGPASSWORD=x psql -c "drop table a"'), 'ask'],
  ['a migration that is only written [s:bash.purpose]', { deny: ['Bash(@database)'] }, bash('alembic revision -m add'), 'pass'],
  ['a file of a database that is read [s:bash.purpose]', { deny: ['Bash(@database)'] }, bash('cat db/schema.sql'), 'pass'],
  ['a publication [s:bash.purpose]', { deny: ['Bash(@deploy)'] }, bash('npm publish'), 'deny'],
  ['a deployment by name [s:bash.purpose]', { deny: ['Bash(@deploy)'] }, bash('./scripts/deploy.sh'), 'deny'],
  ...['./gradlew publishPlugins', 'sbt publishSigned', './gradlew jib', 'git push https://a.b/c.git HEAD'].map(
    (text): Row => [`${text} publishes [s:bash.purpose]`, { deny: ['Bash(@deploy)'] }, bash(text), 'deny'],
  ),
  ...['dotnet build -c Release', 'swift build -c release', 'cargo run --release --bin a'].map(
    (text): Row => [`${text} builds [s:bash.purpose]`, { deny: ['Bash(@deploy)'] }, bash(text), 'pass'],
  ),
  ['a build [s:bash.purpose]', { deny: ['Bash(@deploy)', 'Bash(@database)'] }, bash('npm run build'), 'pass'],
  ['what is not understood [s:bash.class]', { deny: ['Bash(@unknown)'] }, bash('no-such-tool x'), 'deny'],
  [
    'what only reads is none of them [s:bash.class]',
    { deny: ['Bash(@writes)', 'Bash(@runs)', 'Bash(@unknown)'] },
    bash('ls'),
    'pass',
  ],
];

const hosts: Row[] = [
  ['a host [s:domain.labels]', { deny: ['WebFetch(domain:github.com)'] }, fetched('https://github.com/x'), 'deny'],
  ['a host below [s:domain.labels]', { deny: ['WebFetch(domain:*.github.com)'] }, fetched('https://api.github.com/x'), 'deny'],
  [
    'a host that ends alike [s:domain.labels]',
    { deny: ['WebFetch(domain:*.github.com)'] },
    fetched('https://evilgithub.com/x'),
    'pass',
  ],
  [
    'a host in capitals with a dot [s:domain.folded]',
    { deny: ['WebFetch(domain:github.com)'] },
    fetched('https://GitHub.COM./x'),
    'deny',
  ],
  ['a rule in capitals [s:domain.folded]', { deny: ['WebFetch(domain:GitHub.com.)'] }, fetched('https://github.com/x'), 'deny'],
  [
    'a command that reaches it [s:domain.commands]',
    { deny: ['WebFetch(domain:github.com)'] },
    bash('curl https://github.com/x'),
    'deny',
  ],
  [
    'a host in wide letters [s:domain.folded]',
    { deny: ['WebFetch(domain:github.com)'] },
    fetched('https://ｇithub。com/x'),
    'deny',
  ],
  [
    'an IPv4 address written as an IPv6 one [s:domain.folded]',
    { deny: ['WebFetch(domain:127.0.0.1)'] },
    fetched('http://[::ffff:7f00:1]/'),
    'deny',
  ],
  ['a rule that writes it so [s:domain.folded]', { deny: ['WebFetch(domain:[::ffff:127.0.0.1])'] }, bash('curl 127.1'), 'deny'],
  ...['0x7f.1', 'http://2130706433/x', 'http://0177.0.0.1'].map(
    (url): Row => [
      `an address in numbers, by a command: ${url} [s:domain.folded] [s:domain.commands]`,
      { deny: ['WebFetch(domain:127.0.0.1)'] },
      bash(`curl ${url}`),
      'deny',
    ],
  ),
  ...['BÜCHER.example', 'https://xn--bcher-kva.example', 'https://b%C3%BCcher.example/x'].map(
    (url): Row => [
      `a host beyond ASCII, by a command: ${url} [s:domain.folded] [s:domain.commands]`,
      { deny: ['WebFetch(domain:bücher.example)'] },
      bash(`curl ${url}`),
      'deny',
    ],
  ),
  [
    'a command that reaches another [s:domain.commands]',
    { deny: ['WebFetch(domain:github.com)'] },
    bash('curl https://a.org'),
    'pass',
  ],
];

const args: Row[] = [
  [
    'a command denied [s:args.command]',
    { deny: ['Bash(git push:*)'], declared },
    mcp('mcp__x__do', { line: 'ls; git push' }),
    'deny',
  ],
  [
    'a command allowed with its tool [s:args.command]',
    { allow: ['mcp__x', 'Bash(ls:*)'], declared },
    mcp('mcp__x__do', { line: 'ls' }),
    'allow',
  ],
  ['a command not allowed [s:args.command]', { allow: ['mcp__x'], declared }, mcp('mcp__x__do', { line: 'ls' }), 'pass'],
  ['a tool that reads [s:servers.reads]', { deny: ['Write(src/**)'], declared: servers }, mcp('mcp__db__list_tables'), 'pass'],
  [
    'a pattern of tools that read [s:servers.reads]',
    { deny: ['Write(src/**)'], declared: servers },
    mcp('mcp__db__get_row'),
    'pass',
  ],
  [
    'another tool of the server [s:servers.reads]',
    { deny: ['Write(src/**)'], declared: servers },
    mcp('mcp__db__drop_table'),
    'ask',
  ],
  [
    'a tool of another server [s:servers.reads]',
    { deny: ['Write(src/**)'], declared: servers },
    mcp('mcp__dbx__list_tables'),
    'ask',
  ],
  ...(
    [
      [{ sql: 'select id from t' }, 'pass'],
      [{ sql: 'commit; drop table t' }, 'ask'],
      [{ sql: 'select f()' }, 'ask'],
      [{ sql: ['select 1'] }, 'ask'],
      [{}, 'ask'],
    ] as const
  ).map(
    ([input, expected]): Row => [
      `a tool of a database with ${JSON.stringify(input)} [s:servers.reads]`,
      { deny: ['Write(src/**)'], declared: sql },
      mcp('mcp__pg__query', input),
      expected,
    ],
  ),
  [
    'a tool that writes what it names [s:servers.reads]',
    { deny: ['Write(src/**)'], declared: sql },
    mcp('mcp__fs__put', { path: 'docs/a' }),
    'pass',
  ],
  [
    'a tool that writes a denied file [s:servers.reads]',
    { deny: ['Write(src/**)'], declared: sql },
    mcp('mcp__fs__put', { path: 'src/a' }),
    'deny',
  ],
  ['a name of two servers [s:servers.reads]', { deny: ['Write(src/**)'], declared: servers }, mcp('mcp__db__get_x__y'), 'ask'],
  [
    'a file that it names [s:servers.reads]',
    { deny: ['Read(.env)'], declared: servers },
    mcp('mcp__db__get_row', { path: '.env' }),
    'deny',
  ],
  [
    'of a project that no person approved [s:servers.reads]',
    { deny: ['Write(src/**)'], declared: servers.map((one) => ({ ...one, trusted: false })) },
    mcp('mcp__db__list_tables'),
    'ask',
  ],
  [
    'its tools that read, allowed [s:servers.rule]',
    { allow: ['mcp__db(@read-only)'], declared: servers },
    mcp('mcp__db__list_tables'),
    'allow',
  ],
  [
    'its other tools, not allowed [s:servers.rule]',
    { allow: ['mcp__db(@read-only)'], declared: servers },
    mcp('mcp__db__drop_table'),
    'pass',
  ],
  [
    'those of every server [s:servers.rule]',
    { allow: ['mcp__*(@read-only)'], declared: servers },
    mcp('mcp__db__get_row'),
    'allow',
  ],
  [
    'those of another server [s:servers.rule]',
    { allow: ['mcp__x(@read-only)'], declared: servers },
    mcp('mcp__db__get_row'),
    'pass',
  ],
  ['those that nobody listed [s:servers.rule]', { allow: ['mcp__*(@read-only)'] }, mcp('mcp__db__get_row'), 'pass'],
  ['denied [s:servers.rule]', { deny: ['mcp__*(@read-only)'], declared: servers }, mcp('mcp__db__get_row'), 'deny'],
  [
    'a rule for the argument [s:args.rule]',
    { deny: ['mcp__x__do(to: src/**)'], declared },
    mcp('mcp__x__do', { to: 'src/a.ts' }),
    'deny',
  ],
  ['and no other tool [s:args.rule]', { deny: ['mcp__x__do(to: src/**)'], declared }, edit('src/a.ts'), 'pass'],
  [
    'a file server that is known [s:args.shipped]',
    { deny: ['Write(src/**)'] },
    mcp('mcp__fs__write_file', { path: 'src/a.ts' }),
    'deny',
  ],
  [
    'a shell server that is known [s:args.shipped]',
    { deny: ['Bash(git push:*)'] },
    mcp('mcp__sh__run_command', { command: 'git push' }),
    'deny',
  ],
];

describe.each<[string, Row[]]>([
  ['names of tools', names],
  ['skills', skills],
  ['reads', reads],
  ['writes', writes],
  ['path patterns', patterns],
  ['exceptions of a path pattern [s:pattern.except]', exceptions],
  ['commands', commands],
  ['hosts', hosts],
  ['arguments of servers', args],
])('%s', (_, rows) => {
  test.each(rows)('%s', (_what, given, call, expected) => {
    expect(ask(given, call).decision).toBe(expected);
  });
});

test.each(bashWrites)('Write(src/**) denies %s [s:write.bash]', (command) => {
  expect(ask({ deny: ['Write(src/**)'] }, bash(command)).decision).toBe('deny');
});

describe('invalid rules', () => {
  test.each(['*', 'Web*', 'mcp__*', 'mcp__a*', 'mcp__*__get'])(
    '%s is not a valid allow, since it would match unnamed tools [s:name.glob-allow]',
    (rule) => {
      expect(() => ask({ allow: [rule] }, read('docs/a.md'))).toThrow();
    },
  );

  test('a pattern after a complete server name is valid [s:name.glob-allow]', () => {
    expect(ask({ allow: ['mcp__db__get_*'] }, mcp('mcp__db__get_all')).decision).toBe('allow');
    expect(ask({ allow: ['mcp__db__get_*'] }, mcp('mcp__db__set_all')).decision).toBe('pass');
  });

  test.each(['Bash(ls && pwd)', 'Bash(ls; pwd)', 'Bash(ls | wc)', 'Bash(ls > x)'])(
    '%s is not one simple command [s:bash.one]',
    (rule) => {
      expect(() => ask({ deny: [rule] }, bash('ls'))).toThrow();
    },
  );

  test.each(['Wirte(src/**)', 'Read(a/../b)', 'Write(', 'Bash()', '@reed', 'Bash(@raeds)', '!Read'])(
    '%s is an error [s:rules.understood]',
    (rule) => {
      expect(() => ask({ deny: [rule] }, read('docs/a.md'))).toThrow();
    },
  );
});
