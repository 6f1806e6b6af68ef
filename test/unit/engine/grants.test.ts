// What a person granted, in a decision: what it lifts and what it leaves, and which command a refusal names.
import { describe, expect, test } from 'vitest';
import { ask, bash, type Call, edit, fetched, type Given, grep, read, useCore, write } from '../semantics/fixture.ts';

useCore();

type Row = [what: string, given: Given, call: Call, decision: string];
const table = (title: string, rows: Row[]) =>
  describe(title, () => {
    test.each(rows)('%s', (_, given, call, decision) => {
      expect(ask(given, call).decision).toBe(decision);
    });
  });

const closed: Given = { deny: ['Write(src/**)', 'Read(.env)', 'Bash(git push:*)'] };

table('a grant', [
  ['opens the path it names [w:grant.access]', { ...closed, grant: 'Write(src/a.ts)' }, write('src/a.ts'), 'pass'],
  ['and no other [w:grant.access]', { ...closed, grant: 'Write(src/a.ts)' }, write('src/deep/b.ts'), 'deny'],
  ['for whatever tool [w:grant.access]', { ...closed, grant: 'Write(src/a.ts)' }, bash('sed -i s/a/b/ src/a.ts'), 'pass'],
  ['whatever the call does besides', { ...closed, grant: 'Write(src/a.ts)' }, bash('sed -i s/a/b/ src/a.ts && git push'), 'deny'],
  ['for both with both', { ...closed, grant: 'Write(src/a.ts) Bash(git push)' }, bash('touch src/a.ts && git push'), 'pass'],
  ['of the tool opens what it does', { ...closed, grant: 'Write' }, write('src/a.ts'), 'pass'],
  ['of the tool opens no write outside', { deny: ['Write(//opt/**)'], grant: 'Write' }, write('/opt/x'), 'deny'],
  ['of a command opens the command', { ...closed, grant: 'Bash(git push)' }, bash('git push'), 'pass'],
  ['and no longer one', { ...closed, grant: 'Bash(git push)' }, bash('git push --force'), 'deny'],
  ['nor what it reads', { ...closed, grant: 'Bash(cat .env)' }, bash('cat .env'), 'deny'],
  ['of a read opens the read', { ...closed, grant: 'Read(.env)' }, bash('cat .env'), 'pass'],
  ['and not the write of it', { deny: ['Write(.env)'], grant: 'Read(.env)' }, write('.env'), 'deny'],
  ['of an edit lifts no rule about reading', { ...closed, grant: 'Edit(.env)' }, edit('.env'), 'deny'],
  ['of both does', { ...closed, grant: 'Edit(.env) Read(.env)' }, edit('.env'), 'pass'],
  ['covers all of a folder', { ...closed, grant: 'Write(src/**)' }, bash('rm -rf src/deep'), 'pass'],
  ['not more than it names', { ...closed, grant: 'Write(src/deep/**)' }, bash('rm -rf src'), 'deny'],
  ['of a host', { deny: ['WebFetch(domain:x.org)'], grant: 'WebFetch(domain:x.org)' }, fetched('https://x.org/'), 'pass'],
  ['lifts an ask [w:grant.lifts]', { ask: ['Write(src/**)'], grant: 'Write(src/a.ts)' }, write('src/a.ts'), 'pass'],
  ['lifts a default [w:grant.lifts]', { defaults: { project: 'deny' }, grant: 'Write(src/a.ts)' }, write('src/a.ts'), 'pass'],
  [
    'yields no allow [w:grant.pass]',
    { allow: ['Write'], deny: ['Write(src/a.ts)'], grant: 'Write(src/a.ts)' },
    write('src/a.ts'),
    'pass',
  ],
  ['leaves an allow that needs none', { allow: ['Write(src/**)'], grant: 'Write(src/a.ts)' }, write('src/a.ts'), 'allow'],
  [
    'opens a link and what it leads to only by both',
    { ...closed, grant: 'Write(lib/l.ts)', ready: link },
    write('lib/link.ts'),
    'deny',
  ],
  ['and opens it so', { ...closed, grant: 'Write(lib/link.ts) Write(src/a.ts)', ready: link }, write('lib/link.ts'), 'pass'],
  [
    'of another layer’s rules [w:grant.lifts]',
    { layers: { user: { deny: ['Write(src/**)'] } }, grant: 'Write(src/a.ts)' },
    write('src/a.ts'),
    'pass',
  ],
]);

function link(tree: { link(name: string, target: string): unknown; root: string }): void {
  tree.link('lib/link.ts', `${tree.root}/src/a.ts`);
}

const managed = { layers: { managed: { deny: ['Write(src/**)', 'Bash(git push:*)'], ask: ['Read(docs/**)'] } } };
table('what the organisation says stays', [
  ['under a grant [w:grant.never]', { ...managed, grant: 'Write(src/a.ts)' }, write('src/a.ts'), 'deny'],
  ['of a command', { ...managed, grant: 'Bash(git push)' }, bash('git push'), 'deny'],
  ['when it asks', { ...managed, grant: 'Read(docs/a.md)' }, read('docs/a.md'), 'ask'],
  ['by its default [w:grant.never]', { defaults: { managed: 'deny' }, grant: 'Write(src/a.ts)' }, write('src/a.ts'), 'deny'],
  ['when rules are off [w:off.passes]', { ...managed, off: true }, write('src/a.ts'), 'deny'],
  ['and its default then', { defaults: { managed: 'deny' }, off: true }, write('src/a.ts'), 'deny'],
]);

const guarded: Given = { deny: ['Write(src/**)'] };
table('what may write anywhere', [
  ['asks', guarded, bash('make all'), 'ask'],
  ['passes when a grant names it', { ...guarded, grant: 'Bash(make:*)' }, bash('make all'), 'pass'],
  ['or its class', { ...guarded, grant: 'Bash(@runs)' }, bash('make all'), 'pass'],
  ['not when one names every command', { ...guarded, grant: 'Bash' }, bash('make all'), 'ask'],
  ['nor when one part is left', { ...guarded, grant: 'Bash(make:*)' }, bash('make all && npm test'), 'ask'],
  [
    'passes by an allow and a grant',
    { ...guarded, allow: ['Bash(npm:*)'], grant: 'Bash(make:*)' },
    bash('make all && npm test'),
    'pass',
  ],
  ['passes for a tool of a server', { ...guarded, grant: 'mcp__s__t' }, ['mcp__s__t', {}], 'pass'],
]);

describe('built-in protection', () => {
  const rows: [string, Given, Call, string][] = [
    ['holds without a grant', {}, write('.claude/settings.one.json'), 'deny'],
    [
      'is lifted for the path that a grant names [w:grant.lifts]',
      { grant: 'Write(.claude/settings.one.json)' },
      write('.claude/settings.one.json'),
      'pass',
    ],
    ['and for what lies in a folder that it names', { grant: 'Write(.claude/**)' }, write('.claude/settings.one.json'), 'pass'],
    ['not by a pattern that only happens to meet it', { grant: 'Write(**/*.json)' }, write('.claude/settings.one.json'), 'deny'],
    ['nor by one for everything', { grant: 'Write(/**)' }, write('.claude/settings.one.json'), 'deny'],
    ['nor by the name of the tool', { grant: 'Write' }, write('.claude/settings.one.json'), 'deny'],
    ['nor by one for the folder above', { grant: 'Write(packages/**)' }, write('packages/app/.mcp.json'), 'deny'],
    ['is lifted for a name at any depth', { grant: 'Write(.mcp.json)' }, write('packages/app/.mcp.json'), 'pass'],
    ['is lifted for a file in the home folder', { grant: 'Write(/HOME/.bashrc)' }, write('HOME/.bashrc'), 'pass'],
    ['not for all of the home folder', { grant: 'Write(/HOME/**)' }, write('HOME/.bashrc'), 'deny'],
    ['is lifted outside the project', { grant: 'Write(//opt/x/**)' }, write('/opt/x/y'), 'pass'],
    [
      'is never lifted for the data folder [w:grant.never]',
      { grant: 'Write(/HOME/.claude/modes-data/**)' },
      write('HOME/.claude/modes-data/trust/x'),
      'deny',
    ],
    ['nor for what holds it', { grant: 'Write(/HOME/.claude)' }, bash('rm -rf HOME/.claude'), 'deny'],
    [
      'nor for keys that approve [w:grant.never]',
      { grant: 'Write(/HOME/.claude/**)' },
      write('HOME/.claude/modes.keys.pem'),
      'deny',
    ],
    [
      'nor for the organisation’s folder',
      { grant: 'Write(//etc/claude-code/**)', place: { managedFolders: ['/etc/claude-code'] } },
      write('/etc/claude-code/modes/modes.yaml'),
      'deny',
    ],
    ['stays when rules are off [w:off.passes]', { off: true }, write('.claude/settings.one.json'), 'deny'],
    ['of a call is never lifted', { grant: 'Bash(claude:*)' }, bash('claude -p x'), 'deny'],
  ];
  test.each(rows)('%s [s:protect.grant]', (_, given, call, decision) => {
    expect(ask(given, call).decision).toBe(decision);
  });
});

table('with rules off', [
  ['a deny passes [w:off.passes]', { ...closed, off: true }, write('src/a.ts'), 'pass'],
  ['an ask passes', { ask: ['Write'], off: true }, write('src/a.ts'), 'pass'],
  ['an allow passes and is none', { allow: ['Write'], off: true }, write('src/a.ts'), 'pass'],
  ['a default passes [w:off.passes]', { defaults: { user: 'deny' }, off: true }, write('src/a.ts'), 'pass'],
  ['what may write anywhere passes [w:off.passes]', { ...guarded, off: true }, bash('make all'), 'pass'],
]);

test('a grant allows nothing that the organization’s default denies, whether an ask matches or not', () => {
  const given: Given = { ask: ['Write(src/**)'], defaults: { managed: 'deny' } };
  for (const more of [{}, { grant: 'Write(src/a.ts)' }, { off: true }])
    for (const asks of [given.ask, []]) expect(ask({ ...given, ask: asks, ...more }, write('src/a.ts')).decision).toBe('deny');
});

describe('a decision', () => {
  const grants = (given: Given, call: Call) => ask(given, call).grants;
  test('names the grant that it needed, and whether it uses the grant up', () => {
    expect(grants({ ...closed, grant: 'Write(src/a.ts) 1x' }, write('src/a.ts'))).toEqual([{ id: 'g1', counted: true }]);
    expect(grants({ ...closed, grant: 'Write(src/a.ts)' }, write('src/a.ts'))).toEqual([{ id: 'g1', counted: false }]);
  });

  test('needs no grant if rules allow the call, if the grant does not match, or if it does not help', () => {
    expect(grants({ ...closed, grant: 'Write(docs/**) 1x' }, write('docs/a.md'))).toBeUndefined();
    expect(grants({ ...closed, grant: 'Write(docs/**) 1x' }, write('src/a.ts'))).toBeUndefined();
    expect(grants({ ...managed, grant: 'Write(src/**) 1x' }, write('src/a.ts'))).toBeUndefined();
    expect(grants({ ...closed, grant: 'Write(src/a.ts) 1x' }, bash('touch src/a.ts && git push'))).toBeUndefined();
  });

  test('that still refuses names the remaining reason', () => {
    const { reason } = ask({ ...closed, grant: 'Write(src/a.ts)' }, bash('touch src/a.ts && git push'));
    expect(reason).toContain('Bash(git push:*)');
    expect(reason).not.toContain('Write(src/**)');
  });
});

describe('a refusal that a person can override', () => {
  const command = (remedy: string) => /(\/modes:(?:grant .* 1x|off 10m))\./.exec(remedy)?.[1] ?? null;
  const rows: [Given, Call, string][] = [
    [closed, write('src/a.ts'), '/modes:grant Write(src/a.ts) 1x'],
    [closed, bash('sed -i s/a/b/ src/a.ts'), '/modes:grant Write(src/a.ts) 1x'],
    [closed, bash('git push'), '/modes:grant Bash(git push) 1x'],
    [closed, bash('git push "$x"'), '/modes:grant Bash(git push "$x") 1x'],
    [closed, bash('git push "(a)"'), "/modes:grant Bash(git push '(a)') 1x"],
    [closed, bash('git push "("'), "/modes:grant Bash(git push '\\(') 1x"],
    [closed, read('.env'), '/modes:grant Read(/.env) 1x'],
    [closed, grep('.env'), '/modes:grant Read(/.env) 1x'],
    [closed, edit('.env'), '/modes:grant Read(/.env) 1x'],
    [closed, bash('git push && touch src/a.ts'), '/modes:grant Bash(git push) Write(src/a.ts) 1x'],
    [{ deny: ['Write'] }, write('src/a.ts'), '/modes:grant Write(src/a.ts) 1x'],
    [{ deny: ['Bash'] }, bash('ls'), '/modes:grant Bash(ls) 1x'],
    [{ deny: ['*'] }, read('docs/a.md'), '/modes:grant Read(docs/a.md) 1x'],
    [{ deny: ['mcp__s'] }, ['mcp__s__t', {}], '/modes:grant mcp__s__t 1x'],
    [{ deny: ['WebSearch'] }, ['WebSearch', { query: 'x' }], '/modes:grant WebSearch 1x'],
    [{ deny: ['WebFetch(domain:x.org)'] }, fetched('https://x.org/a'), '/modes:grant WebFetch(domain:x.org) 1x'],
    [{ defaults: { project: 'deny' } }, bash('npm test'), '/modes:grant Bash(npm test) 1x'],
    [
      { defaults: { project: 'deny' } },
      bash('sort -o src/a.ts docs/a.md'),
      '/modes:grant Bash(sort -o src/a.ts docs/a.md) Write(src/a.ts) 1x',
    ],
    [{ ...guarded, defaults: { project: 'deny' } }, bash('make all'), '/modes:grant Bash(make all) 1x'],
    [{}, write('.claude/settings.one.json'), '/modes:grant Write(.claude/settings.one.json) 1x'],
    [{}, write('.mcp.json'), '/modes:grant Write(/.mcp.json) 1x'],
    [{ deny: ['Write(packages/**)'] }, bash('touch packages/a packages/b packages/c packages/d packages/e'), '/modes:off 10m'],
  ];
  test.each(rows)('%j for %j: %s [w:authority.named]', (given, call, expected) => {
    const { decision, remedy } = ask(given, call);
    expect(decision).toBe('deny');
    expect(command(remedy), remedy).toBe(expected);
    const typed = expected.startsWith('/modes:grant ') ? { grant: expected.slice('/modes:grant '.length) } : { off: true };
    expect(ask({ ...given, ...typed }, call).decision, 'after the command was typed').toBe('pass');
  });

  const never: [string, Given, Call][] = [
    ['a command inside a text, which only all of Bash would cover', closed, bash("sh -c 'git push'")],
    ['a path that is not known', { deny: ['Write'] }, bash('cat a > "$X/y"')],
    ['rules of the organisation', managed, write('src/a.ts')],
    ['its default', { defaults: { managed: 'deny' } }, write('src/a.ts')],
    ['the organisation beside the project', { ...managed, deny: ['Write(src/**)'] }, write('src/a.ts')],
    ['the data folder', {}, write('HOME/.claude/modes-data/trust/x')],
    ['keys that approve', {}, write('HOME/.claude/modes.keys.pem')],
    ['a second client', {}, bash('claude -p x')],
    ['a verb that trusts', {}, bash('modes trust')],
    ['a scheduled command', {}, ['CronCreate', { cron: '* * * * *', prompt: '/modes:off' }]],
    ['a home folder removed', {}, bash('rm -rf HOME')],
  ];
  test.each(never)('names no command for %s [w:authority.named]', (_, given, call) => {
    const { decision, remedy } = ask(given, call);
    expect(decision).toBe('deny');
    expect(remedy).not.toMatch(/\/modes:(grant|off)/);
  });

  test('is a deny: an ask names no command', () => {
    expect(ask({ ask: ['Write(src/**)'] }, write('src/a.ts')).remedy).not.toContain('/modes:grant');
  });
});
