// Tests of policies: pass means true, and nothing that is no pass goes unseen.
import { describe, expect, test } from 'vitest';
import { workerFile } from '../../../src/policy/custom/guard.ts';
import { runSuite } from '../../../src/policy/custom/tester.ts';
import { CORE, capabilities, newCompiler, root } from '../../support/compiler.ts';

const compiler = newCompiler();

const CUSTOM = { 'p.rego': 'package modes.policy.p\n\ndeny contains "no" if input.bad\n' };

async function run(text: string, custom = {}, filter: RegExp | null = null) {
  const result = await runSuite(
    { core: CORE, custom, tests: { 'p_test.rego': text } },
    { compiler, capabilities, worker: workerFile(root), filter },
  );
  if (!result.ok) throw new Error(result.problems.map(({ code, file, line }) => `${code} ${file}:${line}`).join());
  return result.tests;
}

const ENDLESS =
  'deny contains input.text if {\n\tn := numbers.range(1, 5000)\n\tcount([1 | some a in n; some b in n; some c in n; a * b * c == 7]) > 9\n}';

describe('outcomes', () => {
  test.each([
    ['test_x if 1 == 1', 'pass'],
    ['test_x if 1 == 2', 'fail'],
    ['test_x := false', 'fail'],
    ['test_x := "true"', 'fail'],
    ['test_x := 1', 'fail'],
    ['test_x := {}', 'fail'],
    ['default test_x := false\n\ntest_x if 1 == 1', 'pass'],
    ['x := 1\n\nx := 2\n\ntest_x if x', 'error'],
    ['todo_test_x if 1 == 2', 'skip'],
  ])('%s → %s', async (rule, outcome) => {
    const tests = await run(`package p_test\n\n${rule}\n`);
    expect(tests.map((one) => one.outcome)).toEqual([outcome]);
    expect(tests[0]).toMatchObject({ file: 'p_test.rego', line: expect.any(Number) });
    expect(tests[0]?.message === '').toBe(outcome === 'pass');
  });

  test('tests of one name run separately, with the names of OPA', async () => {
    const text = 'package p_test\n\ntest_x if 1 == 1\n\ntest_x if 1 == 2\n\ntest_x_1 if true\n\ntest_x := 2\n';
    const tests = await run(text);
    expect(tests.map(({ name, line, outcome }) => [name, line, outcome])).toEqual([
      ['p_test.test_x', 3, 'pass'],
      ['p_test.test_x#01', 5, 'fail'],
      ['p_test.test_x_1', 7, 'pass'],
      ['p_test.test_x#02', 9, 'fail'],
    ]);
    expect(tests[1]?.message).toContain('1 == 2');
    expect((await run(text, {}, /#01$/)).map(({ outcome }) => outcome)).toEqual(['fail']);
  });

  test('are found anywhere: beside the rules of a policy, and in a test package of any file', async () => {
    const custom = {
      'p.rego': `${CUSTOM['p.rego']}\ntest_beside if count(deny) == 1 with input as {"bad": true}\n`,
      'checks.rego': 'package checks_test\n\ntest_apart if data.modes.policy.p.deny == set()\n',
    };
    const tests = await run('package p_test\n\ntest_x if true\n', custom);
    expect(tests.map(({ name, outcome }) => [name, outcome])).toEqual([
      ['checks_test.test_apart', 'pass'],
      ['modes.policy.p.test_beside', 'pass'],
      ['p_test.test_x', 'pass'],
    ]);
  });

  test('a custom policy is tested alone and through the verdict', async () => {
    const tests = await run(
      `package modes.policy.p_test

test_rule if data.modes.policy.p.deny == {"no"} with input as {"bad": true}

test_verdict if data.modes.verdict.verdict == "deny" with input as {"bad": true}

test_mock if data.modes.verdict.verdict == "pass" with data.modes.custom.decisions as set()
`,
      CUSTOM,
    );
    expect(tests.map(({ name, outcome }) => [name, outcome])).toEqual([
      ['modes.policy.p_test.test_rule', 'pass'],
      ['modes.policy.p_test.test_verdict', 'pass'],
      ['modes.policy.p_test.test_mock', 'pass'],
    ]);
  });

  test('a custom policy that never ends is an error of its test alone', async () => {
    const custom = { 'p.rego': `package modes.policy.p\n\n${ENDLESS}\n` };
    const text =
      'package p_test\n\ntest_hangs if count(data.modes.policy.p.deny) == 1 with input as {"text": "a"}\n\ntest_other if true\n';
    expect((await run(text, custom)).map(({ name, outcome }) => [name, outcome])).toEqual([
      ['p_test.test_hangs', 'error'],
      ['p_test.test_other', 'pass'],
    ]);
  });

  test('a filter selects by package and name', async () => {
    const text = 'package p_test\n\ntest_a if true\n\ntest_b if true\n';
    expect((await run(text, {}, /p_test\.test_b$/)).map(({ name }) => name)).toEqual(['p_test.test_b']);
    expect(await run(text, {}, /nothing/)).toEqual([]);
  });
});

describe('untestable policies are reported', () => {
  test.each([
    ['a test with parameters', 'package p_test\n\ntest_x[name] if some name in ["a"]\n', 'E_TEST_SHAPE', 3],
    ['a test that is a set', 'package p_test\n\ntest_x contains 1 if true\n', 'E_TEST_SHAPE', 3],
    ['a test that is a function', 'package p_test\n\ntest_x(y) if y\n', 'E_TEST_SHAPE', 3],
    ['a decision that is never in force', 'package p_test\n\ndeny contains "x" if input.mode\n', 'E_POLICY_NEVER', 3],
    ['a syntax error', 'package p_test\n\ntest_x if {\n', 'E_REGO_PARSE', 4],
    ['a builtin that is not there', 'package p_test\n\ntest_x if http.send({})\n', 'E_REGO_BUILTIN', 3],
  ])('%s', async (_, text, code, line) => {
    await expect(run(text)).rejects.toThrow(`${code} p_test.rego:${line}`);
  });

  test('a policy that does not compile fails its tests', async () => {
    await expect(run('package p_test\n\ntest_x if true\n', { 'p.rego': 'package wrong\n' })).rejects.toThrow(
      'E_POLICY_PACKAGE p.rego:1',
    );
  });
});
