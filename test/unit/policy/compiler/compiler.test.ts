// The compiler in its child process: what it answers, and that nothing it does can hold us up.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Problem } from '../../../../src/model/problem.ts';
import capabilities from '../../../../src/policy/compiler/capabilities.json' with { type: 'json' };
import { Compiler, compile } from '../../../../src/policy/compiler/compiler.ts';
import { compilerFiles } from '../../../../src/policy/compiler/files.ts';
import type { Modules } from '../../../../src/policy/compiler/types.ts';

const root = resolve(import.meta.dirname, '../../../..');
const files = compilerFiles(root);
const cacheFolder = join(root, '.cache');
let compiler: Compiler;
let folder: string;

beforeAll(() => {
  compiler = new Compiler({ files, cacheFolder });
  folder = mkdtempSync(join(tmpdir(), 'modes-compiler-'));
});
afterAll(() => {
  compiler.close();
  rmSync(folder, { recursive: true, force: true });
});

const policy = 'package modes\n\nverdict := {"tool": input.tool.name}\n';

async function problemsOf(modules: Modules, entrypoints = ['modes/verdict']): Promise<Problem[]> {
  const result = await compiler.build({ modules, entrypoints, capabilities });
  return result.ok ? [] : result.problems;
}

describe('building', () => {
  test('returns WASM and describes the modules', async () => {
    const modules = {
      'a.rego':
        '# METADATA\n# title: A\n# scope: package\npackage modes\n\nverdict := 1\n\nhits contains x if some x in [1]\n\nf(x) := x\n\no[k] := 1 if some k in ["a"]\n',
    };
    const built = await compiler.build({ modules, entrypoints: ['modes/verdict'], capabilities });
    if (!built.ok) throw new Error(JSON.stringify(built.problems));
    expect([...built.wasm.subarray(0, 4)]).toEqual([0, 0x61, 0x73, 0x6d]);
    expect(built.modules).toHaveLength(1);
    const [module] = built.modules;
    expect(module).toMatchObject({ file: 'a.rego', package: ['modes'], row: 4, tool_input: false });
    expect(module?.rules.map(({ name, kind, row }) => [name, kind, row])).toEqual([
      ['verdict', 'complete', 6],
      ['hits', 'set', 8],
      ['f', 'function', 10],
      ['o[k]', 'object', 12],
    ]);
    expect(module?.annotations).toMatchObject([{ row: 1, col: 1, block: { scope: 'package', title: 'A' } }]);
  });

  test('the same sources give the same bytes, whatever their order', async () => {
    const [a, b] = ['package modes\n\nverdict := data.modes.b.x\n', 'package modes.b\n\nx := input.y\n'];
    const one = await compiler.build({ modules: { 'a.rego': a, 'b.rego': b }, entrypoints: ['modes/verdict'] });
    const other = await compiler.build({ modules: { 'b.rego': b, 'a.rego': a }, entrypoints: ['modes/verdict'] });
    if (!one.ok || !other.ok) throw new Error('does not compile');
    expect(Buffer.from(one.wasm).equals(Buffer.from(other.wasm))).toBe(true);
  });

  test('answers several simultaneous requests correctly', async () => {
    const names = ['one', 'two', 'three'];
    const answers = await Promise.all(names.map((name) => compiler.inspect({ [`${name}.rego`]: `package ${name}\n` })));
    expect(answers.map((answer) => answer.ok && answer.modules[0]?.file)).toEqual(names.map((name) => `${name}.rego`));
  });

  test('works for a single request too', async () => {
    const built = await compile({ modules: { 'a.rego': policy }, entrypoints: ['modes/verdict'] }, { files, cacheFolder });
    expect(built.ok).toBe(true);
  });
});

describe('whether a module sees input.tool.input', () => {
  test.each([
    ['x := input.tool.input.file', true],
    ['x := input.tool["input"]', true],
    ['x := input.tool', true],
    ['x := input', true],
    ['x := input.tool[y] if y := "input"', true],
    ['x := input[k] if some k in ["tool"]', true],
    ['x := count(input.tool.input)', true],
    ['f(t) := t.input\n\nx := f(input.tool)', true],
    ['x if some _, v in input\n', true],
    ['x := {"a": [input.tool.input.b]}', true],
    ['x := data.y[input.tool.input.z]', true],
    ['x := input.tool.name', false],
    ['x := input.tool.inputs', false],
    ['x := input.reads', false],
    ['x := input["mode"]', false],
    ['x := data.y[input.tool.name]', false],
    ['x := data.input.tool.input', false],
    ['x if data.y with input.tool.input as 1', false],
    ['x if data.y with input as {"tool": {"input": 1}}', false],
    ['x if data.y with data.z as input.tool.input', true],
    ['x := "input.tool.input" # input.tool.input', false],
  ])('%s → %s', async (rule, expected) => {
    const answer = await compiler.inspect({ 'a.rego': `package p\n\n${rule}\n` });
    if (!answer.ok) throw new Error(JSON.stringify(answer.problems));
    expect(answer.modules[0]?.tool_input).toBe(expected);
  });

  test.each([
    ['import input.tool', true],
    ['import input.tool.input as body', true],
    ['import input.reads', false],
  ])('%s → %s', async (line, expected) => {
    const answer = await compiler.inspect({ 'a.rego': `package p\n\n${line}\n\nx := 1\n` });
    if (!answer.ok) throw new Error(JSON.stringify(answer.problems));
    expect(answer.modules[0]?.tool_input).toBe(expected);
  });
});

describe('errors have useful places', () => {
  test.each<[string, string, Partial<Problem>]>([
    [
      'a broken line',
      'package modes\n\nverdict := {"a" 1}\n',
      { code: 'E_REGO_PARSE', line: 3, column: 17, lineText: 'verdict := {"a" 1}' },
    ],
    ['an unsafe variable', 'package modes\n\nverdict := x if not y == 1\n', { code: 'E_REGO_UNSAFE_VAR', line: 3 }],
    [
      'a type error',
      'package modes\n\nverdict := 1 + "a"\n',
      { code: 'E_REGO_TYPE', line: 3, column: 12, lineText: 'verdict := 1 + "a"' },
    ],
    ['a circle', 'package modes\n\nverdict if verdict\n', { code: 'E_REGO_RECURSION', line: 3, column: 1 }],
    [
      'a missing builtin',
      'package modes\n\nverdict := http.send({})\n',
      { code: 'E_REGO_BUILTIN', line: 3, column: 12, length: 'http.send({})'.length, message: 'undefined function http.send' },
    ],
    ['an unknown function', 'package modes\n\nverdict := foo(1)\n', { code: 'E_REGO_BUILTIN', line: 3, column: 12 }],
    ['Windows line ends', 'package modes\r\n\r\nverdict := foo(1)\r\n', { line: 3, lineText: 'verdict := foo(1)' }],
    ['old Rego', 'package modes\n\nverdict { input.x }\n', { code: 'E_REGO_PARSE', line: 3 }],
    ['no entry point', 'package modes\n\nother := 1\n', { code: 'E_REGO_ENTRYPOINT' }],
  ])('%s', async (_, text, expected) => {
    const problems = await problemsOf({ 'p.rego': text });
    expect(problems[0]).toMatchObject({ severity: 'error', ...expected });
    expect(problems[0]?.remedy).not.toBe('');
    if (expected.line !== undefined) expect(problems[0]?.file).toBe('p.rego');
  });

  test('columns count characters, as editors do', async () => {
    const [problem] = await problemsOf({ 'p.rego': 'package modes\n\nverdict := ["äé", foo(1)]\n' });
    expect(problem).toMatchObject({ line: 3, column: 19 });
  });

  test('all of them at once, of all files', async () => {
    const parse = await problemsOf({ 'a.rego': 'package a\n\nx := \n', 'b.rego': 'package b\n\ny = = 1\n' });
    expect(new Set(parse.map(({ file }) => file))).toEqual(new Set(['a.rego', 'b.rego']));
    const wrong = Array.from({ length: 30 }, (_, i) => `x${i} := foo${i}(1)`).join('\n');
    expect(await problemsOf({ 'a.rego': `package modes\n\nverdict := 1\n\n${wrong}\n` })).toHaveLength(30);
  });

  test('an empty file is a problem of that file', async () => {
    expect(await problemsOf({ 'a.rego': policy, 'empty.rego': '' })).toMatchObject([
      { code: 'E_REGO_PARSE', file: 'empty.rego' },
    ]);
  });

  test('a field that is not in the schema of the input is an error', async () => {
    const inputSchema = { type: 'object', properties: { mode: { type: 'string' } }, additionalProperties: false };
    const check = (text: string) => compiler.check({ modules: { 'a.rego': text }, capabilities, inputSchema });
    expect((await check('package a\n\nx := input.mode\n')).ok).toBe(true);
    expect(await check('package a\n\nx := input.modee\n')).toMatchObject({
      problems: [
        {
          code: 'E_REGO_TYPE',
          line: 3,
          column: 6,
          message: 'undefined ref: input.modee; have: "modee"; want (one of): ["mode"]',
        },
      ],
    });
  });

  test('strict checking reports unused names', async () => {
    const request = { modules: { 'a.rego': 'package a\n\nimport data.unused\n\nx if y := 1\n' }, capabilities };
    expect((await compiler.check(request)).ok).toBe(true);
    const strict = await compiler.check({ ...request, strict: true });
    expect(strict.ok && strict.warnings.map(({ line }) => line)).toEqual([3, 5]);
  });
});

describe('capabilities', () => {
  const native = new Set(capabilities.builtins.map(({ name }) => name));

  test.each([
    'http.send',
    'glob.match',
    'yaml.marshal',
    'regex.split',
    'indexof_n',
    'opa.runtime',
    'io.jwt.decode',
    'rand.intn',
    'json.unmarshal',
    'json.marshal',
    'base64.decode',
    'time.weekday',
  ])('%s cannot be compiled', (name) => expect(native.has(name)).toBe(false));

  test.each([
    'startswith',
    'regex.match',
    'object.get',
    'concat',
    'count',
    'walk',
    'sprintf',
    'regex.replace',
    'object.subset',
    'strings.any_prefix_match',
    'semver.compare',
    'time.now_ns',
    'strings.replace_n',
    'net.cidr_contains',
  ])('%s can', (name) => expect(native.has(name)).toBe(true));

  test('string interpolation and print compile', async () => {
    expect(await problemsOf({ 'p.rego': 'package modes\n\nverdict := $"a {input.x}" if print("x")\n' })).toEqual([]);
  });
});

describe('the other verbs', () => {
  test('format lays out Rego and names what does not parse', async () => {
    expect(await compiler.format({ 'a.rego': 'package a\nx:=1' })).toEqual({
      ok: true,
      sources: { 'a.rego': 'package a\n\nx := 1\n' },
    });
    const broken = await compiler.format({ 'a.rego': 'package a\n', 'b.rego': 'x' });
    expect(!broken.ok && broken.problems[0]?.file).toBe('b.rego');
  });

  test('test runs topdown and reports which lines were reached', async () => {
    const modules = {
      'a.rego': 'package a\n\nx if input.a == 1\n\ny if input.b\n',
      'a_test.rego':
        'package a_test\n\ntest_x if data.a.x with input as {"a": 1}\n\ntest_data if data.d == 2\n\ntest_no if false\n',
    };
    const result = await compiler.test({ modules, data: { d: 2 } });
    if (!result.ok) throw new Error(JSON.stringify(result.problems));
    expect(result.tests.map(({ name, fail }) => [name, fail]).sort()).toEqual([
      ['test_data', false],
      ['test_no', true],
      ['test_x', false],
    ]);
    expect(result.tests.find(({ name }) => name === 'test_no')).toMatchObject({ file: 'a_test.rego', row: 7 });
    expect(new Set(result.coverage.files['a.rego']?.not_covered?.map(({ start }) => start.row))).toEqual(new Set([5]));
  });
});

describe('evaluating by topdown', () => {
  test('gives a value, nothing or an error for every input', async () => {
    const modules = { 'a.rego': 'package a\n\nx := 1 if input.one\n\nx := data.d if input.two\n' };
    const inputs = [{ one: true }, { two: true }, {}, { one: true, two: true }];
    const result = await compiler.evaluate({ modules, entrypoint: 'a/x', inputs, data: { d: [2] } });
    if (!result.ok) throw new Error(JSON.stringify(result.problems));
    expect(result.values.slice(0, 3)).toEqual([{ defined: true, value: 1 }, { defined: true, value: [2] }, { defined: false }]);
    expect(result.values[3]?.error).toContain('a.rego:3');
  });
});

describe('a compiler that fails', () => {
  /** A child process that does something else. */
  function impostor(name: string, code: string): Compiler {
    const child = join(folder, `${name}.mjs`);
    writeFileSync(child, code);
    return new Compiler({ files: { ...files, child }, cacheFolder: null, timeoutMs: 2_000 });
  }
  const frame = (text: string) =>
    `const b = Buffer.from(${JSON.stringify(text)}); const h = Buffer.alloc(4); h.writeUInt32LE(b.length); process.stdout.write(Buffer.concat([h, b]));`;
  const onRequest = (code: string) => `process.stdin.once('data', () => { ${code} });`;

  test.each([
    ['ends without a word', onRequest('process.exit(7)'), 'E_COMPILER_CRASH', 'status 7'],
    ['dies before it is asked', 'process.exit(1)', 'E_COMPILER_CRASH', 'status 1'],
    ['is killed', onRequest('process.kill(process.pid, "SIGSEGV")'), 'E_COMPILER_CRASH', 'SIGSEGV'],
    [
      'complains and ends',
      onRequest('process.stderr.write("out of memory", () => process.exit(1))'),
      'E_COMPILER_CRASH',
      'out of memory',
    ],
    [
      'answers half a frame',
      onRequest('process.stdout.write("\\x20\\x00\\x00\\x00{", () => process.exit(0))'),
      'E_COMPILER_CRASH',
      '',
    ],
    [
      'answers text without a frame',
      onRequest('process.stdout.write("panic: something went wrong\\n")'),
      'E_COMPILER_ANSWER',
      '',
    ],
    ['answers more than its frame', onRequest('process.stdout.write("\\x02\\x00\\x00\\x00{}{}")'), 'E_COMPILER_ANSWER', ''],
    ['answers a frame that is no JSON', onRequest(frame('hello')), 'E_COMPILER_ANSWER', ''],
    ['answers a list', onRequest(frame('[]')), 'E_COMPILER_ANSWER', ''],
    ['answers nothing', onRequest(frame('{}')), 'E_COMPILER_ANSWER', 'returned no policy'],
    ['reports that it cannot work', onRequest(frame('{"fatal":"no file"}')), 'E_COMPILER_START', 'no file'],
    ['never answers', onRequest('setInterval(() => {}, 1000)'), 'E_COMPILER_TIMEOUT', '2000 ms'],
    ['spins', onRequest('for (;;);'), 'E_COMPILER_TIMEOUT', '2000 ms'],
  ])('%s', async (name, code, expected, message) => {
    const wrong = impostor(name.replaceAll(' ', '-'), code);
    const result = await wrong.build({ modules: { 'a.rego': policy }, entrypoints: ['modes/verdict'] });
    wrong.close();
    expect(!result.ok && result.problems).toMatchObject([{ code: expected, severity: 'error' }]);
    expect(!result.ok && result.problems[0]?.message).toContain(message);
  });

  test('is replaced by a new one for the next request', async () => {
    const counter = join(folder, 'count');
    const wrong = impostor(
      'once',
      `import { existsSync, writeFileSync } from 'node:fs';
       if (!existsSync(${JSON.stringify(counter)})) { writeFileSync(${JSON.stringify(counter)}, ''); process.exit(1); }
       ${onRequest(frame('{"sources":{"a":"b"}}'))}`,
    );
    expect((await wrong.format({})).ok).toBe(false);
    expect(await wrong.format({})).toEqual({ ok: true, sources: { a: 'b' } });
    wrong.close();
  });

  test('a pending request fails when the compiler is closed', async () => {
    const slow = impostor('slow', onRequest('setInterval(() => {}, 1000)'));
    const asked = slow.format({});
    await new Promise((proceed) => setImmediate(proceed));
    slow.close();
    expect(await asked).toMatchObject({ ok: false, problems: [{ code: 'E_COMPILER_CLOSED' }] });
  });

  test('a real compile that takes too long is stopped', async () => {
    const hasty = new Compiler({ files, cacheFolder, timeoutMs: 20 });
    const result = await hasty.build({ modules: { 'a.rego': policy }, entrypoints: ['modes/verdict'] });
    hasty.close();
    expect(!result.ok && result.problems[0]?.code).toBe('E_COMPILER_TIMEOUT');
  });

  test('a missing node, compiler or checksum is reported', async () => {
    const ask = async (options: Partial<ConstructorParameters<typeof Compiler>[0]>) => {
      const broken = new Compiler({ files, cacheFolder: null, ...options });
      const result = await broken.format({});
      broken.close();
      return result.ok ? null : result.problems[0]?.code;
    };
    expect(await ask({ node: join(folder, 'no-node') })).toBe('E_COMPILER_START');
    expect(await ask({ files: { ...files, asset: join(folder, 'none.br') } })).toBe('E_COMPILER_START');
    expect(await ask({ files: { ...files, checksum: join(folder, 'none') } })).toBe('E_COMPILER_START');
  });

  test('sources too large to be policies are not sent to the compiler', async () => {
    expect(await problemsOf({ 'a.rego': `package a\n# ${'x'.repeat(9 * 1024 * 1024)}\n` })).toMatchObject([
      { code: 'E_REGO_TOO_BIG' },
    ]);
  });
});
