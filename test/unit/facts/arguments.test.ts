// What the declared arguments of MCP tools touch, and what the rules then say.
import { describe, expect, test } from 'vitest';
import type { DeclaredTool } from '../../../src/facts/arguments.ts';
import type { ArgumentRole, Facts } from '../../../src/model/facts.ts';
import { rolesOf } from '../../../src/rules/reading.ts';
import { callOf, factsOf } from '../../support/call.ts';
import { judge } from '../../support/judge.ts';
import type { Settings } from '../../support/policy.ts';
import { makeTree } from '../../support/tree.ts';

const declare = (tool: string, roles: Record<string, ArgumentRole>, trusted = true): DeclaredTool => ({
  tool,
  roles: Object.entries(roles).map(([argument, role]) => ({ argument, role })),
  trusted,
});
const junior = declare('mcp__modagent__junior-r', { bash_cmd: 'command', filepaths: 'read' });
const put = declare('mcp__x__put', { path: 'write' });
const many = declare('mcp__x__many', { 'files.path': 'write' });

function facts(tool: string, input: Record<string, unknown>, ...declared: DeclaredTool[]): Facts {
  const tree = makeTree();
  tree.file('dir/a');
  return factsOf(callOf(tool, input, tree.root), tree.place(), { arguments: declared });
}
const brief = (found: Facts) => ({
  reads: found.reads.filter(({ implied }) => !implied).map(({ path, deep }) => `${path}${deep ? '/**' : ''}`),
  writes: found.writes.map(({ path, deep }) => `${path}${deep ? '/**' : ''}`),
  commands: found.bash?.commands.map(({ text }) => text) ?? [],
  uncertain: found.may_write_anywhere !== null,
});
const nothing = { reads: [], writes: [], commands: [], uncertain: false };

describe('a declared argument', () => {
  test.each<[string, DeclaredTool, Record<string, unknown>, Partial<typeof nothing> | Record<string, unknown>]>([
    ['a text', put, { path: 'src/a' }, { writes: ['src/a'] }],
    ['a list of texts', put, { path: ['src/a', './b/../c'] }, { writes: ['src/a', 'c'] }],
    ['an absolute path', put, { path: '/etc/x' }, { writes: ['/etc/x'] }],
    ['a file URI', put, { path: 'file:///etc/a%20b' }, { writes: ['/etc/a b'] }],
    ['an existing folder, with everything below', put, { path: 'dir' }, { writes: ['dir/**'] }],
    ['a pattern that nothing is called by', put, { path: 'dir/*' }, { writes: ['dir/*/**'] }],
    ['nothing', put, {}, {}],
    ['null', put, { path: null }, {}],
    ['another argument', put, { paths: 'a' }, {}],
    [
      'a command and its files',
      junior,
      { bash_cmd: 'cat a > b', filepaths: ['c'] },
      { reads: ['a', 'c'], writes: ['b'], commands: ['cat a'] },
    ],
    ['a place in a list of objects', many, { files: [{ path: 'a' }, { path: 'b', x: 1 }] }, { writes: ['a', 'b'] }],
    ['a place in an object', many, { files: { path: 'a' } }, { writes: ['a'] }],
    ['the same written with a dot', many, { 'files.path': 'a' }, { writes: ['a'] }],
    ['a text where objects are declared', many, { files: ['a'] }, { writes: ['a'] }],
    [
      'a name with a dot on the way',
      declare('mcp__x__p', { 'a.b.c': 'write' }),
      { 'a.b': { c: 'x' }, a: { 'b.c': 'y' } },
      { writes: ['y', 'x'] },
    ],
    ['a file URI without a slash', put, { path: 'file:src/a' }, { writes: ['/src/a', 'src/a'] }],
    ['the JSON of a list', put, { path: '["a", "b"]' }, { writes: ['["a", "b"]/**', 'a', 'b'] }],
  ])('%s', (_, declared, input, expected) => {
    expect(brief(facts(declared.tool, input, declared))).toEqual({ ...nothing, ...expected });
  });

  test.each<[unknown, string[]]>([
    [7, ['7']],
    [true, ['true']],
    [{ a: 'src/a', b: ['c'] }, ['src/a', 'c']],
    [[['a']], ['a']],
    [
      ['a', 1],
      ['a', '1'],
    ],
  ])('of another kind (%j) is examined, and the tool may write elsewhere', (value, writes) => {
    expect(brief(facts('mcp__x__put', { path: value }, put))).toEqual({ ...nothing, writes, uncertain: true });
  });

  test.each<[unknown, Record<string, unknown>, string[]]>([
    ['git push', {}, ['git push']],
    [['git', 'push'], {}, ['git push']],
    [['git', 'commit', '-m', 'a b'], {}, expect.arrayContaining(["git commit -m 'a b'"]) as unknown as string[]],
    [['ls', '|', 'tee', 'x'], {}, expect.arrayContaining(['tee x']) as unknown as string[]],
    [['ls', 'rm -rf x'], {}, expect.arrayContaining(['rm -rf x']) as unknown as string[]],
    ['["rm", "x"]', {}, expect.arrayContaining(['rm x']) as unknown as string[]],
  ])('that is the command %j', (command, more, texts) => {
    const declared = declare('mcp__sh__run', { cmd: 'command' });
    expect(brief(facts('mcp__sh__run', { cmd: command, ...more }, declared)).commands).toEqual(texts);
  });

  test('a command is analyzed in the folder that the call names, too', () => {
    const declared = declare('mcp__sh__run', { cmd: 'command' });
    expect(brief(facts('mcp__sh__run', { cmd: 'echo > a', workdir: 'dir' }, declared)).writes).toEqual(['a', 'dir/a']);
  });

  describe('that is relative is also resolved from the start folder of the client', () => {
    const found = (declared: DeclaredTool, input: Record<string, unknown>) => {
      const tree = makeTree();
      const call = callOf(declared.tool, input, `${tree.root}/docs`);
      return brief(factsOf(call, tree.place({ start: `${tree.root}/app` }), { arguments: [declared] }));
    };
    const run = declare('mcp__sh__run', { cmd: 'command' });
    test.each<[string, DeclaredTool, Record<string, unknown>, string[]]>([
      ['a path', put, { path: 'a' }, ['docs/a', 'app/a']],
      ['an absolute path', put, { path: '/no-such-folder/a' }, ['/no-such-folder/a']],
      ['a command', run, { cmd: 'echo > a' }, ['docs/a', 'app/a']],
      ['the folder of a command', run, { cmd: 'echo > a', cwd: 'x' }, ['docs/a', 'docs/x/a', 'app/a', 'app/x/a']],
    ])('%s [s:args.relative]', (_, declared, input, writes) => {
      expect(new Set(found(declared, input).writes)).toEqual(new Set(writes));
    });
  });

  test('a path with a NUL is refused', () => {
    expect(() => facts('mcp__x__put', { path: 'a\0b' }, put)).toThrow('NUL');
  });

  test('an argument of the prototype is ignored', () => {
    expect(
      brief(
        facts(
          'mcp__x__p',
          {},
          declare(
            'mcp__x__p',
            Object.fromEntries([
              ['constructor', 'write'],
              ['a.toString', 'write'],
            ]),
          ),
        ),
      ),
    ).toEqual(nothing);
  });
});

describe('a declaration', () => {
  test('of an untrusted project adds accesses and removes no uncertainty', () => {
    const untrusted = declare('mcp__x__put', { path: 'write' }, false);
    expect(brief(facts('mcp__x__put', { path: 'a' }, untrusted))).toEqual({ ...nothing, writes: ['a'], uncertain: true });
  });

  test('without arguments declares that the tool touches nothing', () => {
    expect(brief(facts('mcp__x__get', { path: 'a' }, declare('mcp__x__get', {})))).toEqual(nothing);
    expect(brief(facts('mcp__x__get', { path: 'a' }, declare('mcp__x__get', {}, false))).uncertain).toBe(true);
  });

  test('of several layers adds up', () => {
    const found = facts('mcp__x__put', { path: 'a', to: 'b' }, put, declare('mcp__x__put', { to: 'write' }, false));
    expect(brief(found)).toEqual({ ...nothing, writes: ['a', 'b'] });
  });
});

describe('well-known servers come declared [s:args.shipped]', () => {
  test.each<[string, Record<string, unknown>, Partial<typeof nothing> | Record<string, unknown>]>([
    ['read_text_file', { path: 'a' }, { reads: ['a'] }],
    ['read_multiple_files', { paths: ['a', 'b'] }, { reads: ['a', 'b'] }],
    ['write_file', { path: 'a', content: 'x' }, { writes: ['a'] }],
    ['edit_file', { path: 'a', edits: [] }, { writes: ['a'] }],
    ['move_file', { source: 'dir', destination: 'b' }, { writes: ['dir/**', 'b'] }],
    ['directory_tree', { path: 'dir' }, { reads: ['dir'] }],
    ['shell_execute', { command: ['rm', 'a'] }, { writes: ['a'], commands: ['rm a'] }],
    ['run_command', { command: 'echo > b', workdir: 'dir' }, { writes: ['b', 'dir/b'], commands: ['echo', 'echo'] }],
    ['execute_command', { command: 'cat a' }, { reads: ['a'], commands: ['cat a'] }],
    ['git_commit', { repo_path: '.', message: 'x' }, { reads: ['.'] }],
  ])('%s %j', (tool, input, expected) => {
    for (const server of ['fs', 'any-name_at-all'])
      expect(brief(facts(`mcp__${server}__${tool}`, input))).toEqual({ ...nothing, ...expected, uncertain: true });
  });

  test('a name does not make a server safe: only a trusted declaration does', () => {
    const input = { path: 'a', content: 'x' };
    expect(brief(facts('mcp__fs__write_file', input)).uncertain).toBe(true);
    const own = declare('mcp__fs__write_file', { path: 'write' });
    expect(brief(facts('mcp__fs__write_file', input, own))).toEqual({ ...nothing, writes: ['a'] });
  });

  test('a trusted declaration replaces the shipped one', () => {
    const found = facts('mcp__db__execute_command', { command: 'drop table' }, declare('mcp__db__execute_command', {}));
    expect(brief(found)).toEqual(nothing);
  });
});

describe('rules', () => {
  const rows: [string, Settings, DeclaredTool[], string, Record<string, unknown>, string][] = [
    [
      'Write denies a declared write [s:write.mcp] [s:args.write]',
      { deny: ['Write(src/**)'] },
      [put],
      'mcp__x__put',
      { path: 'src/a' },
      'deny rule',
    ],
    [
      'Read denies a declared read [s:read.mcp] [s:args.read]',
      { deny: ['Read(.env)'] },
      [junior],
      junior.tool,
      { filepaths: ['a', '.env'] },
      'deny rule',
    ],
    [
      'Read denies what a declared write would show',
      { deny: ['Read(.env)'] },
      [put],
      'mcp__x__put',
      { path: '.env' },
      'deny rule',
    ],
    [
      'Bash denies a declared command [s:args.command]',
      { deny: ['Bash(git push:*)'] },
      [junior],
      junior.tool,
      { bash_cmd: 'cd x && git push' },
      'deny rule',
    ],
    [
      'Write denies what a declared command writes',
      { deny: ['Write(src/**)'] },
      [junior],
      junior.tool,
      { bash_cmd: 'rm src/a' },
      'deny rule',
    ],
    ['another path is not met', { deny: ['Write(src/**)'] }, [put], 'mcp__x__put', { path: 'test/a' }, 'pass default'],
    ['undeclared, it may write anywhere', { deny: ['Write(src/**)'] }, [], 'mcp__x__put', { path: 'test/a' }, 'ask uncertainty'],
    [
      'an untrusted declaration does not change that',
      { deny: ['Write(src/**)'] },
      [{ ...put, trusted: false }],
      'mcp__x__put',
      { path: 'test/a' },
      'ask uncertainty',
    ],
    ['but adds to it', { deny: ['Write(src/**)'] }, [{ ...put, trusted: false }], 'mcp__x__put', { path: 'src/a' }, 'deny rule'],
    ['an allow of the tool needs one of the path', { allow: ['mcp__x'] }, [put], 'mcp__x__put', { path: 'a' }, 'pass default'],
    ['and with it is enough', { allow: ['mcp__x', 'Write(src/**)'] }, [put], 'mcp__x__put', { path: 'src/a' }, 'allow rule'],
    ['for a shipped server too', { deny: ['Write(src/**)'] }, [], 'mcp__fs__write_file', { path: 'src/a' }, 'deny rule'],
    ['a folder is denied for what lies in it', { deny: ['Write(dir/a)'] }, [put], 'mcp__x__put', { path: 'dir' }, 'deny rule'],
    ['built-in protection holds', {}, [put], 'mcp__x__put', { path: '.claude/modes.yaml' }, 'deny protection'],
    ['in every list', {}, [many], 'mcp__x__many', { files: [{ path: 'a' }, { path: '.mcp.json' }] }, 'deny protection'],
    [
      'a rule for an argument is for that tool alone [s:args.rule]',
      { deny: ['mcp__x__put(path: src/**)'] },
      [put, many],
      'mcp__x__many',
      { files: { path: 'src/a' } },
      'pass default',
    ],
    [
      'and meets it by its path, not by its text',
      { deny: ['mcp__x__put(path: src/**)'] },
      [put],
      'mcp__x__put',
      { path: 'lib/../src/a' },
      'deny rule',
    ],
    [
      'also for a shipped server',
      { deny: ['mcp__fs__write_file(path: src/**)'] },
      [],
      'mcp__fs__write_file',
      { path: './src/a' },
      'deny rule',
    ],
    ['a second client is denied', {}, [junior], junior.tool, { bash_cmd: 'claude -p x' }, 'deny protection'],
  ];
  test.each(rows)('%s', (_, settings, declared, tool, input, said) => {
    const tree = makeTree();
    tree.file('dir/a');
    const roles = { arguments: rolesOf(declared) };
    expect(judge(tree, { ...settings, ...roles }, tool, input, { context: { arguments: declared } })).toBe(said);
  });
});

test('a tool that writes a file if an argument names it reads only without that argument', () => {
  const shot: DeclaredTool = { tool: 'mcp__pw__shot', roles: [], readsOnly: true, unless: ['filename'], trusted: true };
  expect(brief(facts('mcp__pw__shot', { full: true }, shot))).toEqual(nothing);
  expect(brief(facts('mcp__pw__shot', { filename: 'src/a.png' }, shot)).uncertain).toBe(true);
});
