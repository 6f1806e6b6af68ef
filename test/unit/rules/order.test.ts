// The order: deny, ask by rule, allow, ask by uncertainty or protection, default.
import { beforeAll, describe, expect, test } from 'vitest';
import type { ArgumentRole, Facts } from '../../../src/model/facts.ts';
import type { Evaluator } from '../../../src/policy/evaluator.ts';
import { access, bash, call, command, edit, fetch, grep, read, write } from '../../support/facts.ts';
import { ask, loadCore, type Settings } from '../../support/policy.ts';

let core: Evaluator;
beforeAll(async () => {
  core = await loadCore();
}, 60_000);

function outcome(settings: Settings, facts: Facts): string {
  const { verdict, by } = ask(core, settings, facts);
  return `${verdict} ${by}`;
}

type Row = [what: string, settings: Settings, facts: Facts, expected: string];
const rows = (name: string, table: Row[]): void => {
  describe(name, () => {
    test.each(table)('%s', (_, settings, facts, expected) => {
      expect(outcome(settings, facts)).toBe(expected);
    });
  });
};

const npmTest = bash([command('npm test', { class: 'runs' })]);
const sed = bash([command('sed -i s/a/b/ src/a.ts', { class: 'writes' })], {
  writes: [access('src/a.ts', { command: 0, via: 'sed -i' })],
});
const cat = (path: string): Facts => bash([command(`cat ${path}`)], { reads: [access(path, { command: 0, via: 'cat' })] });
const curl = bash([command('curl https://a.org', { network: true })], { domains: fetch('a.org').domains });
const guarded: Settings = { deny: ['Write(src/**)'] };
const outside = { effect: 'ask' as const, name: 'a path outside the project', remedy: 'r' };

rows('rules', [
  [
    'a deny beats an allow that says more',
    { deny: ['Write(src/**)'], allow: ['Write(src/a.ts)'] },
    write('src/a.ts'),
    'deny rule',
  ],
  ['a deny beats an ask', { deny: ['Write(a.ts)'], ask: ['Write(a.ts)'] }, write('a.ts'), 'deny rule'],
  ['an ask beats an allow', { ask: ['Write(src/**)'], allow: ['Write(src/a.ts)'] }, write('src/a.ts'), 'ask rule'],
  ['no rule leaves it to the client', {}, write('a.ts'), 'pass default'],
  [
    'deny of any layer counts',
    { layers: { managed: { deny: ['Write(a.ts)'] } }, allow: ['Write(a.ts)'] },
    write('a.ts'),
    'deny rule',
  ],
  ['a read denied is an edit denied', { deny: ['Read(a.ts)'] }, edit('a.ts'), 'deny rule'],
  ['a write denied is no read denied', { deny: ['Write(a.ts)'] }, read('a.ts'), 'pass default'],
  ['an edit needs no allow for the read in it', { allow: ['Edit(a.ts)'] }, edit('a.ts'), 'allow rule'],
  ['Write(p) allows every writing tool', { allow: ['Write(a.ts)'] }, edit('a.ts'), 'allow rule'],
  ['Read(p) allows every reading tool', { allow: ['Read(src/**)'] }, grep('src/sub'), 'allow rule'],
  ['Grep(p) allows Grep alone', { allow: ['Grep(src/**)'] }, read('src/a.ts'), 'pass default'],
  ['Grep(p) allows Grep', { allow: ['Grep(src/**)'] }, grep('src/sub'), 'allow rule'],
  ['a tool allowed by name', { allow: ['Write'] }, write('a.ts'), 'allow rule'],
  ['a tool allowed by name does not allow another', { allow: ['Write'] }, edit('a.ts'), 'pass default'],
  ['a group allowed', { allow: ['@edit'] }, edit('a.ts'), 'allow rule'],
  [
    'a parameter denied',
    { deny: ['Agent(model:opus)'] },
    call('Agent', 'agent', { agents: ['x'], tool: { params: { model: 'opus' } } }),
    'deny rule',
  ],
  ['a parameter left out is not met', { deny: ['Agent(model:*)'] }, call('Agent', 'agent', { agents: ['x'] }), 'pass default'],
]);

rows('Bash', [
  ['running is not writing', { allow: ['Bash(sed:*)'] }, sed, 'pass default'],
  ['writing is not running', { allow: ['Write(src/**)'] }, sed, 'pass default'],
  ['both together', { allow: ['Bash(sed:*)', 'Write(src/**)'] }, sed, 'allow rule'],
  ['Write by name is for the tool Write', { allow: ['Bash(sed:*)', 'Write'] }, sed, 'pass default'],
  ['a class allows running', { allow: ['Bash(@writes)', 'Write(src/**)'] }, sed, 'allow rule'],
  ['its reads inside the project go with it', { allow: ['Bash(cat:*)'] }, cat('docs/a.md'), 'allow rule'],
  ['its reads in the temporary folder go with it', { allow: ['Bash(cat:*)'] }, cat('/tmp/a'), 'allow rule'],
  ['its reads outside do not', { allow: ['Bash(cat:*)'] }, cat('/etc/passwd'), 'pass default'],
  ['its reads outside take a Read allow', { allow: ['Bash(cat:*)', 'Read(//etc/passwd)'] }, cat('/etc/passwd'), 'allow rule'],
  [
    'by real path',
    { allow: ['Bash(cat:*)'] },
    bash([command('cat link')], { reads: [access('link', { also: ['/etc/passwd'], command: 0, via: 'cat' })] }),
    'pass default',
  ],
  ['the hosts it names go with it', { allow: ['Bash(curl:*)'] }, curl, 'allow rule'],
  ['read-only is not for the network', { allow: ['Bash(@read-only)'] }, curl, 'pass default'],
  ['network is', { allow: ['Bash(@network)'] }, curl, 'allow rule'],
  [
    'network does not cover what runs code',
    { allow: ['Bash(@network)'] },
    bash([command('npm install', { class: 'runs', network: true })]),
    'pass default',
  ],
  ['a class denied', { deny: ['Bash(@network)'], allow: ['Bash'] }, curl, 'deny rule'],
  [
    'a class denied at any depth',
    { deny: ['Bash(@runs)'] },
    bash([command('echo'), command('npm x', { class: 'runs', top: false })]),
    'deny rule',
  ],
  [
    'a part inside another takes a class',
    { allow: ['Bash(echo:*)', 'Bash(date:*)'] },
    bash([command('echo'), command('date', { top: false })]),
    'pass default',
  ],
  [
    'and has it by one',
    { allow: ['Bash(echo:*)', 'Bash(@read-only)'] },
    bash([command('echo'), command('date', { top: false })]),
    'allow rule',
  ],
  [
    'a command whose word is not known is allowed by no text',
    { allow: ['Bash($X:*)'] },
    bash([{ ...command('$X a', { class: 'unknown' }), name: '' }]),
    'pass default',
  ],
  ['nor by a pattern', { allow: ['Bash(*a)'] }, bash([{ ...command('$X a', { class: 'unknown' }), name: '' }]), 'pass default'],
]);

rows('a word whose value is not known', [
  ['could complete a deny', { deny: ['Bash(git push:*)'], allow: ['Bash'] }, bash([command('git $X')]), 'ask open'],
  ['could be the command itself', { deny: ['Bash(rm:*)'], allow: ['Bash'] }, bash([command('$X -rf')]), 'ask open'],
  ['by the basename', { deny: ['Bash(git push:*)'] }, bash([command('/usr/bin/git $X')]), 'ask open'],
  ['could complete a pattern', { deny: ['Bash(git * --force)'] }, bash([command('git push $X')]), 'ask open'],
  ['could complete a pattern that begins with a star', { deny: ['Bash(*rm*)'] }, bash([command('echo $X')]), 'ask open'],
  ['could complete half a word', { deny: ['Bash(git pu*)'] }, bash([command('git $X')]), 'ask open'],
  ['stands after all that the deny says', { deny: ['Bash(git push:*)'] }, bash([command('git push $X')]), 'deny rule'],
  ['is in another command', { deny: ['Bash(git push:*)'] }, bash([command('echo $X')]), 'pass default'],
  [
    'comes after a word that the deny does not have',
    { deny: ['Bash(git push:*)'] },
    bash([command('git pull $X')]),
    'pass default',
  ],
]);

rows('defaults', [
  ['deny', { defaults: { project: 'deny' } }, write('a.ts'), 'deny default'],
  ['ask', { defaults: { project: 'ask' } }, write('a.ts'), 'ask default'],
  ['the narrowest of several layers', { defaults: { project: 'ask', user: 'deny' } }, write('a.ts'), 'deny default'],
  ['lifted by an allow of its own layer', { defaults: { project: 'deny' }, allow: ['Write(**)'] }, write('a.ts'), 'allow rule'],
  [
    'lifted by a more authoritative layer',
    { defaults: { project: 'deny' }, layers: { user: { allow: ['Write(**)'] } } },
    write('a.ts'),
    'allow rule',
  ],
  [
    'local and project are one',
    { defaults: { project: 'deny' }, layers: { local: { allow: ['Write(**)'] } } },
    write('a.ts'),
    'allow rule',
  ],
  ['not lifted by a less authoritative one', { defaults: { user: 'deny' }, allow: ['Write(**)'] }, write('a.ts'), 'deny default'],
  ["the other layer's stays", { defaults: { user: 'ask', project: 'deny' }, allow: ['Write(**)'] }, write('a.ts'), 'ask default'],
  [
    'every part must lift it',
    { defaults: { user: 'deny' }, layers: { user: { allow: ['Bash(sed:*)'] } }, allow: ['Write(**)'] },
    sed,
    'deny default',
  ],
  ['tools that only ask and list stay open', { defaults: { managed: 'deny' } }, call('ToolSearch', 'meta'), 'pass default'],
  ['unless denied by name', { deny: ['ToolSearch'] }, call('ToolSearch', 'meta'), 'deny rule'],
]);

rows('uncertainty', [
  ['asks where some rule is about writes', guarded, npmTest, 'ask uncertainty'],
  ['does not where none is', { deny: ['Read(.env)'] }, npmTest, 'pass default'],
  ['is settled by a rule that names the command', { ...guarded, allow: ['Bash(npm test:*)'] }, npmTest, 'allow rule'],
  ['is settled by the exact command', { ...guarded, allow: ['Bash(npm test)'] }, npmTest, 'allow rule'],
  ['is settled by its class', { ...guarded, allow: ['Bash(@runs)'] }, npmTest, 'allow rule'],
  ['is not settled by another class', { ...guarded, allow: ['Bash(@unknown)'] }, npmTest, 'ask uncertainty'],
  ['is not settled by Bash', { ...guarded, allow: ['Bash'] }, npmTest, 'ask uncertainty'],
  ['is not settled by Bash(*)', { ...guarded, allow: ['Bash(*)'] }, npmTest, 'ask uncertainty'],
  ['is not settled by the group', { ...guarded, allow: ['@command'] }, npmTest, 'ask uncertainty'],
  ['is not settled by a pattern for the word', { ...guarded, allow: ['Bash(np*)'] }, npmTest, 'ask uncertainty'],
  ['is not settled by a rule for another command', { ...guarded, allow: ['Bash(npm run:*)'] }, npmTest, 'ask uncertainty'],
  [
    'counts for every part',
    { ...guarded, allow: ['Bash(npm test:*)'] },
    bash([command('npm test', { class: 'runs' }), command('make', { class: 'runs' })]),
    'ask uncertainty',
  ],
  ['is a deny under a default of deny', { ...guarded, defaults: { project: 'deny' } }, npmTest, 'deny uncertainty'],
  ['is for writes asked too', { ask: ['Write(src/**)'] }, npmTest, 'ask uncertainty'],
  [
    'a known target still needs its own allow',
    { ...guarded, allow: ['Bash(npm test:*)'] },
    bash([command('npm test', { class: 'runs' })], { writes: [access('lib/x', { command: 0 })] }),
    'pass default',
  ],
  ['built-in rules are not counted', { layers: { builtin: { deny: ['Write(x)'] } } }, npmTest, 'pass default'],
  [
    "a rule for one tool's argument is not counted",
    { deny: ['mcp__fs__w(path: x)'], arguments: new Map([['mcp__fs__w', new Map([['path', 'write' as const]])]]) },
    npmTest,
    'pass default',
  ],
  ['an MCP tool asks', guarded, undeclared(), 'ask uncertainty'],
  ['an MCP tool is named', { ...guarded, allow: ['mcp__db__query'] }, undeclared(), 'allow rule'],
  ['a server is named', { ...guarded, allow: ['mcp__db'] }, undeclared(), 'allow rule'],
  ['a pattern within a server names its tools', { ...guarded, allow: ['mcp__db__q*'] }, undeclared(), 'allow rule'],
  ['a group names none', { ...guarded, allow: ['@mcp'] }, undeclared(), 'ask uncertainty'],
  ['a skill not found is named by its name', { ...guarded, allow: ['Skill(x)'] }, skill(), 'allow rule'],
  ['and not by Skill', { ...guarded, allow: ['Skill'] }, skill(), 'ask uncertainty'],
]);

function undeclared(): Facts {
  return call('mcp__db__query', 'mcp', {
    may_write_anywhere: [{ kind: 'tool', command: null, name: 'mcp__db__query', class: 'unknown', why: 'not declared' }],
  });
}

function skill(): Facts {
  return call('Skill', 'agent', {
    skills: ['x'],
    may_write_anywhere: [{ kind: 'tool', command: null, name: 'x', class: 'unknown', why: 'not found' }],
  });
}

rows('an untrusted project', [
  ['its allow is a pass', { trusted: false, allow: ['Write(**)'] }, write('a.ts'), 'pass default'],
  ['its deny counts', { trusted: false, deny: ['Write(**)'] }, write('a.ts'), 'deny rule'],
  [
    'its allow lifts its own default',
    { trusted: false, defaults: { project: 'deny' }, allow: ['Write(**)'] },
    write('a.ts'),
    'pass default',
  ],
  [
    "its allow does not lift another's",
    { trusted: false, defaults: { user: 'deny' }, allow: ['Write(**)'] },
    write('a.ts'),
    'deny default',
  ],
  ['its allow names parts for its own rules', { ...guarded, trusted: false, allow: ['Bash(npm:*)'] }, npmTest, 'pass default'],
  [
    "but not for another layer's",
    { trusted: false, allow: ['Bash(npm:*)'], layers: { user: guarded } },
    npmTest,
    'ask uncertainty',
  ],
  [
    "a person's own allow still counts",
    { trusted: false, layers: { user: { allow: ['Write(**)'] } } },
    write('a.ts'),
    'allow rule',
  ],
  [
    'its allow lifts no protection',
    { trusted: false, allow: ['Write(//opt/**)'] },
    write('/opt/x', { protection: outside }),
    'ask protection',
  ],
]);

rows('extents', [
  ['a denied name below', { deny: ['Write(src/**)'] }, removal('packages', ['packages/src/a.ts']), 'deny rule'],
  ['no denied name below', { deny: ['Write(src/**)'] }, removal('packages', ['packages/lib/a.ts']), 'pass default'],
  ['a folder that is denied itself', { deny: ['Write(packages)'] }, removal('packages/a', []), 'deny rule'],
  ['more than was looked at', { deny: ['Write(src/**)'] }, removal('packages', [], { unseen: true }), 'deny rule'],
  ['allow must cover all: the folder', { allow: ['Bash(rm:*)', 'Write(packages)'] }, removal('packages', []), 'allow rule'],
  [
    'allow must cover all: a folder above',
    { allow: ['Bash(rm:*)', 'Write(packages/**)'] },
    removal('packages/a', []),
    'allow rule',
  ],
  [
    'allow of what lies below is not enough',
    { allow: ['Bash(rm:*)', 'Write(packages/**)'] },
    removal('packages', []),
    'pass default',
  ],
  [
    'allow of some files below is not enough',
    { allow: ['Bash(rm:*)', 'Write(*.ts)'] },
    removal('packages', ['packages/a.ts']),
    'pass default',
  ],
  [
    'allow of a name below is not enough',
    { allow: ['Bash(rm:*)', 'Write(a.ts)'] },
    removal('packages', ['packages/a.ts']),
    'pass default',
  ],
  ['the whole root', { allow: ['Bash(rm:*)', 'Write(**)'] }, removal('', ['a.ts']), 'allow rule'],
  ['Grep over a folder', { allow: ['Read(src/**)'] }, grep('src'), 'allow rule'],
  ['Grep over a folder without the content that is denied', { deny: ['Read(/src/**)'] }, grep('src'), 'pass default'],
  ['the root without the content that is denied', { deny: ['Write(/**)'] }, removal('', []), 'pass default'],
  ['Grep over everything', { allow: ['Read(**)'] }, grep(''), 'allow rule'],
  ['Grep over more than is allowed', { allow: ['Read(src/**)'] }, grep(''), 'pass default'],
  ['Grep that would read a denied file', { allow: ['Read(**)'], deny: ['Read(.env)'] }, grep('', ['config/.env']), 'deny rule'],
  [
    'a whole dependency folder meets no pattern at any depth',
    { deny: ['Write(*.json)', 'Write(dist/**)'] },
    removal('node_modules', ['node_modules/x/package.json', 'node_modules/x/dist/a.js'], { dependency: true }),
    'pass default',
  ],
  [
    'and is allowed by any',
    { allow: ['Bash(rm:*)', 'Write(node_modules)'] },
    removal('node_modules', ['node_modules/x'], { dependency: true }),
    'allow rule',
  ],
  [
    'but one with a leading slash',
    { deny: ['Write(/node_modules/**)'] },
    removal('node_modules', ['node_modules/x'], { dependency: true }),
    'deny rule',
  ],
  ['and a bare name', { deny: ['Write'] }, removal('node_modules', [], { dependency: true }), 'deny rule'],
]);

function removal(path: string, below: string[], options: { unseen?: boolean; dependency?: boolean } = {}): Facts {
  return bash([command(`rm -rf ${path || '.'}`, { class: 'writes' })], {
    writes: [access(path, { deep: true, below, command: 0, via: 'rm -rf', ...options })],
  });
}

rows('built-in protection', [
  [
    'a deny beats every rule',
    { allow: ['Write(**)'] },
    write('.claude/x', { protection: { effect: 'deny', name: '.claude/', remedy: 'r' } }),
    'deny protection',
  ],
  [
    'a rule is named first',
    { deny: ['Write(**)'] },
    write('.claude/x', { protection: { effect: 'deny', name: '.claude/', remedy: 'r' } }),
    'deny rule',
  ],
  ['an ask', {}, write('CLAUDE.md', { protection: { effect: 'ask', name: 'CLAUDE.md', remedy: 'r' } }), 'ask protection'],
  [
    'an ask under a default of deny',
    { defaults: { user: 'deny' } },
    write('CLAUDE.md', { protection: { effect: 'ask', name: 'CLAUDE.md', remedy: 'r' } }),
    'deny protection',
  ],
  [
    'an ask that an allow settles',
    { allow: ['Write(CLAUDE.md)'] },
    write('CLAUDE.md', { protection: { effect: 'ask', name: 'CLAUDE.md', remedy: 'r' } }),
    'allow rule',
  ],
  ['outside the project takes a path', { allow: ['Write'] }, write('/opt/x', { protection: outside }), 'ask protection'],
  [
    'outside the project is no matter for relative patterns',
    { allow: ['Write(**)'] },
    write('/opt/x', { protection: outside }),
    'ask protection',
  ],
  ['outside the project with //', { allow: ['Write(//opt/**)'] }, write('/opt/x', { protection: outside }), 'allow rule'],
  [
    'outside the project with ~/',
    { allow: ['Write(~/notes/**)'] },
    write('/home/ann/notes/x', { protection: outside }),
    'allow rule',
  ],
  [
    'a command that is allowed only in part is asked for its protected part alone',
    { allow: ['Write(//opt/**)'] },
    bash([command('cp a /opt/x', { class: 'writes' })], { writes: [access('/opt/x', { command: 0, protection: outside })] }),
    'pass default',
  ],
  ['a call that asks', {}, remote(), 'ask protection'],
  ['a call that asks, allowed by a group', { allow: ['@agent'] }, remote(), 'ask protection'],
  ['a call that asks, allowed by name', { allow: ['Agent'] }, remote(), 'pass rule'],
  [
    'a call that is denied',
    { allow: ['CronCreate'] },
    call('CronCreate', 'other', { protections: [{ effect: 'deny', name: '/modes:', reason: 'r', remedy: 'm' }] }),
    'deny protection',
  ],
]);

function remote(): Facts {
  return call('Agent', 'agent', {
    agents: ['x'],
    protections: [{ effect: 'ask', name: 'Agent with remote isolation', reason: 'r', remedy: 'm' }],
    tool: { extra: ['isolation'] },
  });
}

rows('extra parameters', [
  [
    'an allow becomes a pass',
    { allow: ['Bash(ls:*)'] },
    { ...bash([command('ls')]), tool: { ...bash([command('ls')]).tool, extra: ['dangerouslyDisableSandbox'] } },
    'pass rule',
  ],
  [
    'which also lifts the default',
    { allow: ['WebSearch'], defaults: { user: 'pass', project: 'deny' } },
    call('WebSearch', 'web', { tool: { extra: ['new'] } }),
    'pass rule',
  ],
  ['a deny stays', { deny: ['WebSearch'] }, call('WebSearch', 'web', { tool: { extra: ['new'] } }), 'deny rule'],
]);

const status = call('mcp__plugin_modes_modes__status', 'own', {
  protections: [{ effect: 'allow', name: 'own', reason: 'r', remedy: '' }],
});
const force = call('mcp__plugin_modes_modes__force_transition', 'own');
rows('our own tools', [
  ['follow their table', {}, status, 'allow protection'],
  ['whatever the default is', { defaults: { managed: 'deny' } }, status, 'allow protection'],
  ['a pattern does not reach them', { deny: ['*', 'mcp__*', 'mcp__plugin_modes_modes__s*'] }, status, 'allow protection'],
  [
    'their server does not reach them',
    { deny: ['mcp__plugin_modes_modes', 'mcp__plugin_modes_modes__*', '@mcp'] },
    status,
    'allow protection',
  ],
  ['their full name does', { deny: ['mcp__plugin_modes_modes__status'] }, status, 'deny rule'],
  [
    'no allow makes one out of nothing',
    { allow: ['mcp__plugin_modes_modes__force_transition'], defaults: { user: 'deny' } },
    force,
    'pass protection',
  ],
  [
    'a subagent is refused',
    {},
    call('mcp__plugin_modes_modes__transition', 'own', {
      protections: [{ effect: 'deny', name: 'own', reason: 'r', remedy: '' }],
    }),
    'deny protection',
  ],
]);

const plans = '/home/ann/.claude/plans';
const plan = write(`${plans}/p.md`, { own: plans });
rows("the session's own files", [
  ['are met by no bare name', { deny: ['Write', 'Edit', '@edit', '*'] }, plan, 'pass default'],
  [
    'are met by no pattern above their folder',
    { deny: ['Write(//**)', 'Write(~/**)', 'Write(~/.claude/**)'] },
    plan,
    'pass default',
  ],
  ['are met by no default', { defaults: { managed: 'deny' } }, plan, 'pass default'],
  ['are met by a path in their folder', { deny: ['Write(~/.claude/plans/**)'] }, plan, 'deny rule'],
  ['are met by the folder itself', { deny: ['Write(~/.claude/plans)'] }, plan, 'deny rule'],
  ['are allowed by a path in their folder', { allow: ['Write(~/.claude/plans/*.md)'] }, plan, 'allow rule'],
  [
    'go with a command that is allowed',
    { allow: ['Bash(cat:*)'], deny: ['Read(//**)'] },
    bash([command('cat p.md')], { reads: [access(`${plans}/p.md`, { own: plans, command: 0 })] }),
    'allow rule',
  ],
  [
    'do not hide what else a call does',
    { deny: ['Write'] },
    call('Edit', 'edit', { writes: [...plan.writes, access('a.ts')] }),
    'deny rule',
  ],
]);

const declared = new Map<string, ReadonlyMap<string, ArgumentRole>>([
  ['mcp__fs__write_file', new Map<string, ArgumentRole>([['path', 'write']])],
  ['mcp__sh__run', new Map<string, ArgumentRole>([['cmd', 'command']])],
]);
const declaredWrite = call('mcp__fs__write_file', 'mcp', { writes: [access('src/a.ts', { via: 'mcp__fs__write_file' })] });
const declaredCommand = call('mcp__sh__run', 'mcp', { bash: bash([command('ls -l')]).bash });
rows('declared arguments', [
  ['a write takes the tool and the path', { allow: ['mcp__fs'] }, declaredWrite, 'pass default'],
  ['the path alone is not enough', { allow: ['Write(src/**)'] }, declaredWrite, 'pass default'],
  ['both together', { allow: ['mcp__fs', 'Write(src/**)'] }, declaredWrite, 'allow rule'],
  [
    'both in one rule and the name',
    { allow: ['mcp__fs', 'mcp__fs__write_file(path: src/**)'], arguments: declared },
    declaredWrite,
    'allow rule',
  ],
  [
    'a rule for the argument is for that tool',
    { deny: ['mcp__fs__write_file(path: src/**)'], arguments: declared },
    write('src/a.ts'),
    'pass default',
  ],
  ['a rule for the argument', { deny: ['mcp__fs__write_file(path: src/**)'], arguments: declared }, declaredWrite, 'deny rule'],
  ['a command takes the tool and the command', { allow: ['mcp__sh'] }, declaredCommand, 'pass default'],
  ['and has both', { allow: ['mcp__sh', 'Bash(ls:*)'] }, declaredCommand, 'allow rule'],
  ['a command denied', { deny: ['Bash(ls:*)'], allow: ['mcp__sh'] }, declaredCommand, 'deny rule'],
  ['a command denied for that tool', { deny: ['mcp__sh__run(cmd: ls:*)'], arguments: declared }, declaredCommand, 'deny rule'],
  ['and not for another', { deny: ['mcp__sh__run(cmd: ls:*)'], arguments: declared }, bash([command('ls -l')]), 'pass default'],
  [
    'an argument by its text',
    { deny: ['mcp__db__query(sql: *drop*)'] },
    call('mcp__db__query', 'mcp', { tool: { params: { sql: 'drop table x' } } }),
    'deny rule',
  ],
]);
