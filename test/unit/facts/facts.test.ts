// The accesses of each tool of the client.
import { beforeEach, describe, expect, test } from 'vitest';
import { MalformedInput, mainArgument, tools } from '../../../src/facts/table.ts';
import type { Facts } from '../../../src/model/facts.ts';
import { callOf, factsOf } from '../../support/call.ts';
import { judge } from '../../support/judge.ts';
import type { Settings } from '../../support/policy.ts';
import { makeTree, type Tree } from '../../support/tree.ts';

function facts(tool: string, input: Record<string, unknown>): Facts {
  const tree = makeTree();
  return factsOf(callOf(tool, input, tree.root), tree.place());
}
const brief = (found: Facts) => ({
  reads: found.reads.map((access) => `${access.path}${access.deep ? '/**' : ''}${access.implied ? ' implied' : ''}`),
  writes: found.writes.map((access) => `${access.path}${access.deep ? '/**' : ''}`),
  hosts: found.domains.map(({ host }) => host),
});

describe('the accesses of a tool', () => {
  const rows: [string, Record<string, unknown>, Partial<ReturnType<typeof brief>>][] = [
    ['Read', { file_path: 'a' }, { reads: ['a'] }],
    ['Read', { file_path: '/etc/passwd' }, { reads: ['/etc/passwd'] }],
    ['Write', { file_path: 'a', content: 'x' }, { writes: ['a'], reads: ['a implied'] }],
    ['Edit', { file_path: 'src/../a' }, { writes: ['a'], reads: ['a implied'] }],
    ['MultiEdit', { file_path: 'a', edits: [] }, { writes: ['a'] }],
    ['NotebookEdit', { notebook_path: 'n.ipynb', new_source: 'x' }, { writes: ['n.ipynb'] }],
    ['ApplyPatch', { patch: '*** Begin Patch\n*** Add File: a\n+x\n*** Delete File: b\n*** End Patch' }, { writes: ['a', 'b'] }],
    ['Glob', { pattern: '**/*.ts' }, { reads: ['.'] }],
    ['Glob', { pattern: 'src/**' }, { reads: ['src'] }],
    ['Glob', { pattern: '*.ts', path: 'src' }, { reads: ['src'] }],
    ['Glob', { pattern: '../x/*' }, { reads: [expect.stringMatching(/\/home\/x$/) as unknown as string] }],
    ['Glob', { pattern: '/etc/*.conf' }, { reads: ['/etc'] }],
    ['Glob', { pattern: '/*' }, { reads: ['/'] }],
    ['Glob', { pattern: 'src/*/../../x/*' }, { reads: ['/'] }],
    ['Glob', { pattern: 'src/{a,../x}/*' }, { reads: ['/'] }],
    ['Glob', { pattern: '{src,/etc}/*' }, { reads: ['/'] }],
    ['Glob', { pattern: 'src/*/..a/b..' }, { reads: ['src'] }],
    ['Grep', { pattern: 'x', path: ' src\n' }, { reads: [' src\n/**', 'src/**'] }],
    ['Read', { file_path: 'cafe\u0301' }, { reads: ['cafe\u0301', 'café'] }],
    ['Grep', { pattern: 'x' }, { reads: ['./**'] }],
    ['Grep', { pattern: 'x', path: 'src' }, { reads: ['src/**'] }],
    ['LSP', { operation: 'hover', filePath: 'a.ts' }, { reads: ['a.ts'] }],
    ['LSP', { operation: 'hover', filePath: 'a.ts', file_path: 'b.ts' }, { reads: ['a.ts', 'b.ts'] }],
    ['WebFetch', { url: 'https://Example.COM./x', prompt: 'p' }, { hosts: ['example.com'] }],
    ['WebFetch', { url: 'example.com/x', prompt: 'p' }, { hosts: ['example.com'] }],
    ['WebFetch', { url: 'example.com:443/x', prompt: 'p' }, { hosts: ['example.com'] }],
    ['WebFetch', { url: 'https://good.com@evil.com/', prompt: 'p' }, { hosts: ['evil.com'] }],
    ['WebFetch', { url: 'HTTPS://EVIL.com', prompt: 'p' }, { hosts: ['evil.com'] }],
    ['WebFetch', { url: 'https://evil.com\\@good.com/', prompt: 'p' }, { hosts: ['evil.com'] }],
    ['WebFetch', { url: 'https://bücher.example/', prompt: 'p' }, { hosts: ['xn--bcher-kva.example'] }],
    ['Monitor', { description: 'x', ws: { url: 'wss://live.example.com/x' } }, { hosts: ['live.example.com'] }],
    ['SendUserFile', { files: ['a', 'b'], file_path: 'c' }, { reads: ['c', 'a', 'b'] }],
    ['SendUserFile', { files: '["a"]' }, { reads: ['["a"]/**', 'a'] }],
    ['SendUserFile', { files: ['/usr'] }, { reads: ['/usr/**'] }],
    ['SendUserMessage', { message: 'x', attachments: ['a', { file_uuid: 'u', file_name: 'b' }] }, { reads: ['a implied'] }],
    ['SendFile', { to: 'other', files: ['a', 'b'] }, { reads: ['a', 'b'] }],
    ['SendFile', { to: 'other', files: 'a' }, { reads: ['a'] }],
    ['Artifact', { action: 'publish', file_path: 'a' }, { reads: ['a'] }],
    ['Artifact', { action: 'upload_asset', file_paths: ['a', 'b'] }, { reads: ['a', 'b'] }],
    ['Artifact', { action: 'read_asset', asset_id: 'x', out_dir: 'out' }, { writes: ['out/**'] }],
    ['Projects', { method: 'project_write', path: 'claude/x', local_path: 'a' }, { reads: ['a'] }],
    ['ReadMcpResourceTool', { server: 'fs', uri: 'file:///etc/a%20b' }, { reads: ['/etc/a b'] }],
    ['ReadMcpResourceDirTool', { server: 'fs', uri: 'FILE:///etc' }, { reads: ['/etc'] }],
    ['ReadMcpResourceTool', { server: 'fs', uri: 'file:a' }, { reads: ['/a', 'a'] }],
    ['ReadMcpResourceTool', { server: 'fs', uri: 'a/b' }, { reads: ['a/b implied'] }],
    ['ReadMcpResourceTool', { server: 'docs', uri: 'docs://a' }, { reads: [] }],
    ['Workflow', { scriptPath: 'a.js' }, {}],
    ['RemoteTrigger', { action: 'run', trigger_id: 'x' }, {}],
    ['PublishPlugin', { path: 'plugin' }, { reads: ['plugin'], writes: ['plugin/**'] }],
    ['SendToProject', { project_name: 'x' }, {}],
    ['BashOutput', { bash_id: '1' }, { reads: [] }],
    ['TodoWrite', { todos: [] }, {}],
    ['ExitPlanMode', { plan: 'x' }, {}],
  ];
  test.each(rows)('%s %j', (tool, input, expected) => {
    const found = brief(facts(tool, input));
    expect(found).toMatchObject(expected);
    if (expected.writes === undefined) expect(found.writes).toEqual([]);
  });

  test('a home-relative path is in the home folder', () => {
    const tree = makeTree();
    expect(factsOf(callOf('Read', { file_path: '~/x' }, tree.root), tree.place()).reads[0]?.real).toBe(`${tree.home}/x`);
  });

  test('labels of a host are its suffixes', () => {
    expect(facts('WebFetch', { url: 'https://api.github.com' }).domains).toEqual([
      { host: 'api.github.com', labels: ['api.github.com', 'github.com', 'com'] },
    ]);
  });
});

describe('invalid inputs are refused', () => {
  test.each<[string, Record<string, unknown>]>([
    ['Read', {}],
    ['Read', { file_path: 1 }],
    ['Read', { file_path: null }],
    ['Read', { file_path: ['a'] }],
    ['Read', { file_path: 'a\0b' }],
    ['Write', { content: 'x' }],
    ['Write', { path: 'src/a' }],
    ['NotebookEdit', { file_path: 'a' }],
    ['Bash', {}],
    ['Bash', { command: ['ls'] }],
    ['Glob', { path: 'src' }],
    ['Grep', { pattern: 'x', path: 7 }],
    ['WebFetch', { prompt: 'x' }],
    ['WebFetch', { url: '' }],
    ['WebFetch', { url: 'file:///etc/passwd' }],
    ['WebFetch', { url: 'http://' }],
    ['Monitor', { description: 'x' }],
    ['Monitor', { description: 'x', ws: 'wss://x' }],
    ['Monitor', { description: 'x', command: 'true', ws: { url: 'wss://x' } }],
    ['Monitor', { description: 'x', command: '', ws: { url: 'wss://x' } }],
    ['Skill', {}],
    ['Skill', { skill: 3 }],
    ['Agent', { subagent_type: {} }],
    ['SendUserFile', { files: [1] }],
    ['Artifact', { file_path: ['a', {}] }],
    ['ReadMcpResourceTool', { server: 'fs', uri: 'file://elsewhere/a' }],
  ])('%s %j', (tool, input) => {
    expect(() => facts(tool, input)).toThrow(MalformedInput);
  });

  test('a field of the prototype is ignored', () => {
    expect(() => facts('Read', Object.create({ file_path: 'a' }))).toThrow(MalformedInput);
  });
});

describe('unknown tools', () => {
  test.each<[string, Record<string, unknown>, string]>([
    ['NewTool', {}, 'NewTool'],
    ['constructor', {}, 'constructor'],
    ['__proto__', {}, '__proto__'],
    ['mcp__fs__write_file', { path: 'src/a' }, 'mcp__fs__write_file'],
    ['mcp__', {}, 'mcp__'],
    ['PowerShell', { command: 'ls' }, 'PowerShell'],
    ['Workflow', { script: 'x' }, 'Workflow'],
    ['RunWorkflow', { script: 'x' }, 'Workflow'],
    ['AppifactRepl', { code: 'x' }, 'AppifactRepl'],
    ['REPL', { code: 'x' }, 'REPL'],
    ['Eval', { code: 'x' }, 'REPL'],
  ])('%s may write anywhere', (tool, input, name) => {
    expect(facts(tool, input).may_write_anywhere).toEqual([expect.objectContaining({ kind: 'tool', name, class: 'unknown' })]);
  });

  test.each([...tools.keys()].filter((tool) => !['PowerShell', 'Workflow', 'Skill', 'AppifactRepl', 'REPL'].includes(tool)))(
    '%s of the table may not',
    (tool) => {
      const input = {
        file_path: 'a',
        notebook_path: 'a',
        command: 'ls',
        pattern: '*',
        url: 'https://a.example',
        prompt: 'x',
        subagent_type: 'Explore',
        patch: '*** Begin Patch\n*** Delete File: a\n*** End Patch',
      };
      expect(facts(tool, input).may_write_anywhere).toBeNull();
    },
  );
});

describe('names and parameters', () => {
  test.each([
    ['Task', 'Agent'],
    ['KillBash', 'TaskStop'],
    ['Brief', 'SendUserMessage'],
  ])('%s is an older name of %s', (old, name) => {
    const found = facts(old, {});
    expect(found.tool).toMatchObject({ name, known: true });
    expect(found.tool.keys).toEqual([name, old]);
  });

  test.each([
    ['mcp__fs__write_file', 'fs', ['mcp__fs__write_file', 'mcp__fs']],
    ['mcp__my-server__a-b', 'my-server', ['mcp__my-server__a-b', 'mcp__my-server']],
    ['mcp__plugin_x_y__a__b', 'plugin_x_y', ['mcp__plugin_x_y__a__b']],
    ['mcp__lone', 'lone', ['mcp__lone', 'mcp__lone']],
  ])('%s is a tool of the server %s', (tool, server, keys) => {
    expect(facts(tool, {}).tool).toMatchObject({ server, group: 'mcp', keys });
  });

  test('scalar parameters are kept as text, long ones by their beginning', () => {
    const { params } = facts('Agent', {
      subagent_type: 'Explore',
      model: 'opus',
      prompt: 'secret',
      max_turns: 3,
      run_in_background: false,
      name: 'x'.repeat(70_000),
      isolation: null,
    }).tool;
    expect(params).toEqual({
      subagent_type: 'Explore',
      model: 'opus',
      prompt: 'secret',
      max_turns: '3',
      run_in_background: 'false',
      name: 'x'.repeat(65_536),
      agent: 'explore',
    });
    expect(facts('Agent', { name: 'x'.repeat(65_537), model: 'y'.repeat(65_536) }).tool.cut).toEqual(['name']);
  });

  test('a parameter called __proto__ poisons nothing', () => {
    const found = facts('mcp__x__y', JSON.parse('{"__proto__": "a", "constructor": "b"}'));
    expect(Object.getPrototypeOf(found.tool.params)).toBe(Object.prototype);
    expect(found.tool.params).toEqual({ constructor: 'b' });
  });

  test.each<[string, Record<string, unknown>, string[]]>([
    ['Bash', { command: 'ls', timeout: 1 }, []],
    ['Bash', { command: 'ls', dangerouslyDisableSandbox: true }, ['dangerouslyDisableSandbox']],
    ['Bash', { command: 'ls', dangerouslyDisableSandbox: false }, []],
    ['Bash', { command: 'ls', sudo: true }, ['sudo']],
    ['Agent', { prompt: 'x', isolation: 'remote' }, ['isolation']],
    ['Agent', { prompt: 'x', isolation: 'worktree' }, []],
    ['Agent', { prompt: 'x', mode: 'bypassPermissions' }, ['mode']],
    ['Agent', { prompt: 'x', mode: 'plan' }, []],
    ['Write', { file_path: 'a', content: 'x', mode: '777' }, ['mode']],
    ['Write', JSON.parse('{"file_path":"a","__proto__":1}'), ['__proto__']],
    ['mcp__x__y', { anything: 1 }, []],
  ])('%s %j has extra parameters %j', (tool, input, extra) => {
    expect(facts(tool, input).tool.extra).toEqual(extra);
  });

  test('a call to a server has the server as a key', () => {
    expect(facts('ReadMcpResourceTool', { server: 'plugin:my.docs:x', uri: 'a:b' }).tool.keys).toContain('mcp__plugin_my_docs_x');
    expect(facts('ListMcpResourcesTool', {}).tool.keys).toEqual(['ListMcpResourcesTool']);
  });

  test('every parameter of a tool without a row counts; of a known tool, all except its subject [s:rules.param]', () => {
    const input = { path: 'a', content: 'x', url: 'u', command: 'c', edits: [], n: 1 };
    expect(facts('mcp__x__y', input).tool.params).toEqual({ path: 'a', content: 'x', url: 'u', command: 'c', edits: '', n: '1' });
    const made = { role: ['rwx'], more: ['a', ['b', 1]], none: null, deep: { a: [1] } };
    expect(facts('mcp__x__y', made).tool.params).toEqual({
      role: 'rwx',
      more: 'a,b,1',
      none: 'null',
      deep: '{"a":[1]}',
    });
    expect(facts('Write', { file_path: 'a', content: 'x' }).tool.params).toEqual({});
    expect(facts('Bash', { command: 'ls', timeout: 1 }).tool.params).toEqual({ timeout: '1' });
  });

  test('the facts contain the input only if a policy needs it', () => {
    const tree = makeTree();
    const call = callOf('Write', { file_path: 'a', content: 'text' }, tree.root);
    expect(factsOf(call, tree.place()).tool.input).toEqual({});
    expect(factsOf(call, tree.place(), { wantsInput: true }).tool.input).toEqual(call.input);
  });

  test.each<[string, string | null]>([
    ['Bash', 'command'],
    ['Write', 'file_path'],
    ['NotebookEdit', 'notebook_path'],
    ['Task', 'subagent_type'],
    ['WebFetch', 'url'],
    ['TodoWrite', null],
    ['mcp__x__y', null],
  ])('the main argument of %s is %s', (tool, name) => {
    expect(mainArgument(tool)).toBe(name);
  });
});

describe('PowerShell', () => {
  test('a long script is judged as a short one, and without work that grows with its square', () => {
    const tree = makeTree();
    tree.file('secret/key');
    const said = (command: string) => judge(tree, { deny: ['Read(secret/**)'] }, 'PowerShell', { command });
    for (const piece of ['Get-ChildItem; ', ' \n', '" + "', "' . '", '{{', '${', '../', 'x | ']) {
      const script = piece.repeat(150_000 / piece.length);
      expect(said(script)).toMatch(/^(?:ask|pass)/);
      expect(said(`Get-Content secret/key\n${script}`)).toMatch(/^(?:ask|deny)/);
    }
  });

  test('is a command like any other where all of them are denied, and no part of an allow of Bash', () => {
    const said = (settings: Settings) => judge(makeTree(), settings, 'PowerShell', { command: 'ls' });
    expect(said({ deny: ['Bash'] })).toBe('deny rule');
    expect(said({ deny: ['@command'] })).toBe('deny rule');
    expect(said({ deny: ['Bash(ls:*)'] })).toBe('deny rule');
    expect(said({ deny: ['Bash(rm:*)'] })).toBe('pass default');
    expect(said({ allow: ['Bash'] })).toBe('pass default');
    expect(said({ allow: ['Bash(ls:*)', 'Bash(pwsh:*)', 'Bash(@runs)', 'Bash(@unknown)'] })).toBe('pass default');
    expect(said({ allow: ['PowerShell'] })).toBe('allow rule');
  });
});

describe('Bash', () => {
  test('has its commands, its targets and the reasons for uncertainty', () => {
    const found = facts('Bash', { command: 'cat a | tee b && ./run.sh' });
    expect(brief(found)).toMatchObject({ reads: ['a'], writes: ['b'] });
    expect(found.writes[0]).toMatchObject({ via: 'tee', command: 1 });
    expect(found.bash?.commands.map(({ name }) => name)).toEqual(['cat', 'tee', './run.sh']);
    expect(found.may_write_anywhere).toEqual([expect.objectContaining({ kind: 'command', command: 2, name: './run.sh' })]);
  });

  test('Monitor with a command is decided like Bash', () => {
    expect(brief(facts('Monitor', { description: 'x', command: 'echo x > b' })).writes).toEqual(['b']);
  });

  test('a text that cannot be parsed may write anywhere', () => {
    expect(facts('Bash', { command: 'echo "' }).may_write_anywhere).not.toBeNull();
  });

  test('an empty command is harmless and causes no crash', () => {
    expect(brief(facts('Bash', { command: '' }))).toEqual({ reads: [], writes: [], hosts: [] });
  });
});

describe('the server of an MCP tool', () => {
  let tree: Tree;
  beforeEach(() => {
    tree = makeTree();
  });
  const keysOf = (tool: string, mcpServer: { name: string; source: string } | null = null) => {
    const { keys, narrow_keys } = factsOf(callOf(tool, {}, tree.root, { mcpServer }), tree.place()).tool;
    return { keys, narrow_keys };
  };

  test('is known from the name if only one is possible [s:name.server]', () => {
    expect(keysOf('mcp__a__t')).toEqual({ keys: ['mcp__a__t', 'mcp__a'], narrow_keys: undefined });
    expect(keysOf('mcp__a_b__t')).toEqual({ keys: ['mcp__a_b__t', 'mcp__a_b'], narrow_keys: undefined });
  });

  test('is every possible one for deny and ask, and none for allow, if both names may contain the underscores [s:name.server]', () => {
    expect(keysOf('mcp__a__b__t')).toEqual({
      keys: ['mcp__a__b__t'],
      narrow_keys: ['mcp__a', 'mcp__a__b', 'mcp__a__b__*'],
    });
    expect(keysOf('mcp__a___t').narrow_keys).toEqual(['mcp__a', 'mcp__a_']);
  });

  test('is the one that the client names', () => {
    expect(keysOf('mcp__a__b__t', { name: 'a__b', source: 'user' })).toEqual({
      keys: ['mcp__a__b__t', 'mcp__a__b__*'],
      narrow_keys: ['mcp__a', 'mcp__a__b'],
    });
    expect(keysOf('mcp__a__b__t', { name: 'a', source: 'user' }).keys).toEqual(['mcp__a__b__t', 'mcp__a']);
    expect(keysOf('mcp__a__b__t', { name: 'c', source: 'user' }).keys).toEqual(['mcp__a__b__t']);
  });

  test('is spelled as in the client, regardless of the host [s:name.dot]', () => {
    expect(keysOf('mcp__do.t__get.all')).toEqual({ keys: ['mcp__do_t__get_all', 'mcp__do_t'], narrow_keys: undefined });
    expect(keysOf('mcp__do_t__get_all', { name: 'do.t', source: 'user' }).keys).toEqual(['mcp__do_t__get_all', 'mcp__do_t']);
  });

  test('adds the accesses of every possible well-known server', () => {
    const facts = factsOf(callOf('mcp__my__fs__read_file', { path: 'a.ts' }, tree.root), tree.place());
    expect(facts.reads.map((read) => read.path)).toEqual(['a.ts']);
  });
});
