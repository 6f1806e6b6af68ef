// What the compiler tells of a module beside its WASM: names it compares with, what made a test fail, what an input reaches.
import { describe, expect, test } from 'vitest';
import { newCompiler } from '../../../support/compiler.ts';

const compiler = newCompiler();

describe('names that parts of the input are compared with', () => {
  test.each<[string, [string, string][]]>([
    ['x if input.mode == "idle"', [['mode', 'idle']]],
    ['x if "Bash" == input.tool.name', [['tool.name', 'Bash']]],
    ['x if input.mode = "idle"', [['mode', 'idle']]],
    ['x if not input.mode != "idle"', [['mode', 'idle']]],
    [
      'x if input.mode in {"a", "b"}',
      [
        ['mode', 'a'],
        ['mode', 'b'],
      ],
    ],
    ['x if input.mode in ["a", input.event]', [['mode', 'a']]],
    ['x := input.tool["name"] == "Bash"', [['tool.name', 'Bash']]],
    ['x contains y if some y in [z | z := 1; input.mode == "a"]', [['mode', 'a']]],
    ['x if input.reads[_].root == "temp"', [['reads.[].root', 'temp']]],
    ['x if data.mode == "a"', []],
    ['x if input.mode == 3', []],
    ['x if data.y with input as {"mode": "a"}', []],
    ['x if startswith(input.mode, "a")', []],
  ])('%s', async (rule, expected) => {
    const found = await compiler.inspect({ 'a.rego': `package a\n\n${rule}\n` });
    const mentions = found.ok ? (found.modules[0]?.mentions ?? []) : null;
    expect(mentions?.map(({ path, text }) => [path.join('.'), text])).toEqual(expected);
    for (const { row, col, text } of mentions ?? []) {
      expect(row).toBe(3);
      expect(rule.slice(col - 1)).toMatch(new RegExp(`^"${text}"`));
    }
  });
});

describe('a test that fails', () => {
  const explain = async (body: string) => {
    const answer = await compiler.test({
      modules: { 'a_test.rego': `package a_test\n\nitems := ["a", "b"]\n\ntest_x if {\n${body}\n}\n` },
      explain: true,
    });
    if (!answer.ok) throw new Error(JSON.stringify(answer.problems));
    return answer.tests[0]!;
  };

  test.each<[string, number, string[]]>([
    ['\tcount(items) == 3', 6, ['count(items) == 3', '2', '["a", "b"]']],
    ['\tsome x in items\n\tx == "c"', 7, ['x == "c"', '"b"']],
    ['\tevery x in items { x == "a" }', 6, ['x == "a"', '"b"']],
    ['\tcount(items) == 2\n\tnot items[0]', 7, ['not items[0]']],
  ])('%j shows the expression and its values', async (body, row, texts) => {
    const { fail, failed } = await explain(body);
    expect(fail).toBe(true);
    expect(failed).toMatchObject({ file: 'a_test.rego', row });
    for (const text of texts) expect(failed?.text).toContain(text);
  });

  test('shows what it printed', async () => {
    expect((await explain('\tprint("seen", items[0])\n\tfalse')).output).toBe('seen a\n');
  });

  test('is not explained unless requested', async () => {
    const answer = await compiler.test({ modules: { 'a_test.rego': 'package a_test\n\ntest_x if 1 == 2\n' } });
    expect(answer.ok && answer.tests[0]).not.toHaveProperty('failed');
  });
});

test('coverage is reported to the column, and only on request', async () => {
  const request = {
    modules: { 'a.rego': 'package a\n\nx contains 1 if input.a == 1\n\nx contains 2 if input.a == 2\n' },
    entrypoint: 'a',
    inputs: [{ a: 1 }, { a: 3 }],
  };
  const plain = await compiler.evaluate(request);
  expect(plain.ok && plain.coverage).toBeNull();
  const answer = await compiler.evaluate({ ...request, cover: true });
  expect(answer.ok && answer.coverage?.files['a.rego']).toMatchObject({
    covered: [{ start: { row: 3, col: 1 } }, { start: { row: 3, col: 17 } }],
    not_covered: [{ start: { row: 5, col: 1 } }, { start: { row: 5, col: 17 } }],
  });
});
