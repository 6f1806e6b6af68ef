// Custom policies: what their files must look like, how their decisions are collected, what they cost when they go wrong.
import { describe, expect, test } from 'vitest';
import type { Facts } from '../../../src/model/facts.ts';
import type { Modules } from '../../../src/policy/compiler/types.ts';
import { buildPolicy, joinModules } from '../../../src/policy/custom/build.ts';
import { GENERATED_FILE, writeAggregation } from '../../../src/policy/custom/modules.ts';
import { CONTEXT_ENTRYPOINT, Evaluator, GATE_ENTRYPOINT } from '../../../src/policy/evaluator.ts';
import { CORE, capabilities, newCompiler } from '../../support/compiler.ts';

const compiler = newCompiler();

const PUSH = `# METADATA
# title: No force push
# description: Rewriting published history needs a person.
# scope: package
package modes.policy.no_force_push

deny contains {"reason": "no force push", "remedy": "push a new commit"} if "--force" in input.tool.params.argv
`;
const QUIET = `package modes.policy.quiet

ask contains $"write {input.tool.params.path}?" if startswith(input.tool.params.path, "infra/")

allow contains "docs" if startswith(input.tool.params.path, "docs/")

context contains "Mind the infra folder." if input.tool.params.path

gate contains {"name": "review", "met": false, "missing": "a review"} if input.tool.params.path
`;

async function build(custom: Modules) {
  const built = await buildPolicy(CORE, custom, compiler, capabilities);
  if (!built.ok) throw new Error(JSON.stringify(built.problems));
  return { built, evaluator: new Evaluator(built.wasm) };
}
/** Parameters of a tool may have any name. */
const given = ({ mode = '', ...params }: { mode?: string; [name: string]: unknown }) =>
  ({ mode, tool: { params } }) as unknown as Facts;
const verdictOf = (evaluator: Evaluator, params: Parameters<typeof given>[0]) => evaluator.evaluateVerdict(given(params));

async function problemsOf(custom: Modules) {
  const built = await buildPolicy(CORE, custom, compiler, capabilities);
  return built.ok ? [] : built.problems;
}

describe('collecting', () => {
  test('decisions of all packages arrive with name, effect, file and line', async () => {
    const { built, evaluator } = await build({ 'p/push.rego': PUSH, 'p/quiet.rego': QUIET });
    expect(verdictOf(evaluator, { argv: ['--force'], path: 'docs/a' }).policies).toEqual([
      { name: 'no_force_push', effect: 'deny', reason: 'no force push', remedy: null, file: 'p/push.rego', line: 7 },
      { name: 'quiet', effect: 'allow', reason: 'docs', remedy: null, file: 'p/quiet.rego', line: 5 },
    ]);
    expect(verdictOf(evaluator, { argv: [] }).policies).toEqual([]);
    expect(built.policies).toMatchObject([
      { name: 'no_force_push', title: 'No force push', description: 'Rewriting published history needs a person.', modes: null },
      { name: 'quiet', title: null, files: ['p/quiet.rego'] },
    ]);
  });

  test('texts for the model and gates have separate entry points', async () => {
    const { evaluator } = await build({ 'p/quiet.rego': QUIET, 'p/push.rego': PUSH });
    expect(evaluator.evaluate(given({ path: 'x' }), CONTEXT_ENTRYPOINT)).toEqual([
      { name: 'quiet', value: 'Mind the infra folder.', file: 'p/quiet.rego', line: 7 },
    ]);
    expect(evaluator.evaluate(given({ path: 'x' }), GATE_ENTRYPOINT)).toMatchObject([
      { name: 'quiet', value: { name: 'review', met: false } },
    ]);
    expect(evaluator.evaluate(given({}), GATE_ENTRYPOINT)).toEqual([]);
  });

  test('a package may be spread over files; its place is the first rule’s', async () => {
    const { built, evaluator } = await build({
      'a.rego': 'package modes.policy.both\n\ndeny contains "a" if input.tool.params.a\n',
      'b.rego':
        'package modes.policy.both\n\ndeny contains "b" if input.tool.params.b\n\nask contains "c" if input.tool.params.b\n',
    });
    expect(built.policies).toMatchObject([
      { files: ['a.rego', 'b.rego'], rules: { deny: { file: 'a.rego', line: 3 }, ask: { file: 'b.rego', line: 5 } } },
    ]);
    expect(verdictOf(evaluator, { b: 1 }).policies.map(({ reason }) => reason)).toEqual(['c', 'b']);
  });

  test('a policy limited to modes decides in no other', async () => {
    const { built, evaluator } = await build({
      'a.rego':
        '# METADATA\n# scope: package\n# custom:\n#   modes: [test-dev, feature-dev]\npackage modes.policy.limited\n\ndeny contains "no" if true\n',
    });
    expect(built.policies[0]?.modes).toEqual(['test-dev', 'feature-dev']);
    for (const [mode, verdict] of [
      ['test-dev', 'deny'],
      ['feature-dev', 'deny'],
      ['other', 'pass'],
    ]) {
      expect(verdictOf(evaluator, { mode }).verdict).toBe(verdict);
    }
    expect(verdictOf(evaluator, {}).verdict).toBe('pass');
  });

  test('a remedy in METADATA applies to decisions without one', async () => {
    const custom = {
      'a.rego': `# METADATA
# scope: package
# custom: {remedy: Ask first.}
package modes.policy.a

deny contains "text" if input.tool.params.x

deny contains {"reason": "bare"} if input.tool.params.x

ask contains {"reason": "own", "remedy": "Wait."} if input.tool.params.x

allow contains 3 if input.tool.params.x

context contains "said" if input.tool.params.x
`,
    };
    const joined = await joinModules(CORE, custom, compiler);
    if (!joined.ok) throw new Error(JSON.stringify(joined.problems));
    const answer = await compiler.evaluate({ modules: joined.modules, entrypoint: 'modes/custom', inputs: [given({ x: 1 })] });
    if (!answer.ok) throw new Error(JSON.stringify(answer.problems));
    const { decisions, contexts } = answer.values[0]!.value as Record<string, { value: unknown }[]>;
    expect(decisions?.map(({ value }) => value)).toEqual(
      expect.arrayContaining([
        { reason: 'text', remedy: 'Ask first.' },
        { reason: 'bare', remedy: 'Ask first.' },
        { reason: 'own', remedy: 'Wait.' },
        3,
      ]),
    );
    expect(contexts).toMatchObject([{ value: 'said' }]);
  });

  test.each(['quote"s', 'with-dash', 'if', 'ünïcode', 'a b', 'deny', 'back\\slash', '\\u0041'])(
    'a package may be called %s',
    async (name) => {
      const { evaluator } = await build({
        'a.rego': `package modes.policy[${JSON.stringify(name)}]\n\ndeny contains "no" if input.tool.params.x\n`,
      });
      expect(verdictOf(evaluator, { x: 1 }).policies).toMatchObject([{ name }]);
    },
  );

  test('a malformed decision is a deny that hides no other', async () => {
    const { evaluator } = await build({
      'push.rego': PUSH,
      'odd.rego': 'package modes.policy.odd\n\nallow contains 42 if true\n',
    });
    const verdict = verdictOf(evaluator, { argv: ['--force'] });
    expect(verdict.verdict).toBe('deny');
    expect(verdict.policies).toMatchObject([
      { name: 'no_force_push', effect: 'deny', reason: 'no force push' },
      { name: 'odd', effect: 'deny', reason: 'malformed', file: 'odd.rego', line: 3 },
    ]);
  });

  test('detects whether the tool’s input is needed', async () => {
    expect((await build({ 'push.rego': PUSH })).built.needsToolInput).toBe(false);
    expect(
      (await build({ 'a.rego': 'package modes.policy.a\n\ndeny contains "x" if input.tool.input.x\n' })).built.needsToolInput,
    ).toBe(true);
  });

  test('tests are not compiled into policies', async () => {
    const { built } = await build({
      'push.rego': PUSH,
      'push_test.rego': 'package modes.policy.no_force_push_test\n\ntest_x if http.send({}).x\n',
    });
    expect(built.policies.map(({ name }) => name)).toEqual(['no_force_push']);
  });

  test('a test may mock the verdict’s parts without a cycle', async () => {
    const { evaluator } = await build({ 'push.rego': PUSH });
    expect(evaluator.entrypoints).toContain('modes/verdict');
    const text = writeAggregation([]);
    expect(text).not.toContain('data.modes.policy[');
  });

  test('the generated module never refers to the whole tree', async () => {
    const { built } = await build({ 'push.rego': PUSH, 'quiet.rego': QUIET });
    const references = writeAggregation(built.policies).match(/data\.modes\.policy\S*/g);
    expect(references).toHaveLength(5);
    for (const reference of references ?? [])
      expect(reference).toMatch(/^data\.modes\.policy\["\w+"\]\.(deny|ask|allow|context|gate)$/);
  });

  test('no custom module at all is a valid policy', async () => {
    const { evaluator } = await build({});
    expect(verdictOf(evaluator, {}).verdict).toBe('pass');
  });
});

describe('invalid custom policies', () => {
  test.each<[string, string, string, number]>([
    ['another package', 'package other\n\ndeny contains "x" if true\n', 'E_POLICY_PACKAGE', 1],
    ['the core’s package', '\npackage modes\n\nverdict := {"verdict": "allow"}\n', 'E_POLICY_PACKAGE', 2],
    ['the generated package', 'package modes.custom\n\ndecisions contains 1 if true\n', 'E_POLICY_PACKAGE', 1],
    ['the parent of all policies', 'package modes.policy\n\nx := 1\n', 'E_POLICY_PACKAGE', 1],
    ['a package below a policy', 'package modes.policy.a.b\n\nx := 1\n', 'E_POLICY_PACKAGE', 1],
    ['a package without a name', 'package modes.policy[""]\n\nx := 1\n', 'E_POLICY_PACKAGE', 1],
    ['deny as a truth value', 'package modes.policy.a\n\ndeny if input.tool.params.x\n', 'E_POLICY_SHAPE', 3],
    ['deny as one text', 'package modes.policy.a\n\nx := 1\n\ndeny := "no"\n', 'E_POLICY_SHAPE', 5],
    ['deny as a whole set', 'package modes.policy.a\n\ndeny := {"no"}\n', 'E_POLICY_SHAPE', 3],
    ['deny as a function', 'package modes.policy.a\n\ndeny(x) := x\n', 'E_POLICY_SHAPE', 3],
    ['deny as an object', 'package modes.policy.a\n\ndeny[x] := 1 if some x in ["a"]\n', 'E_POLICY_SHAPE', 3],
    ['deny as a tree', 'package modes.policy.a\n\ndeny.a contains "x" if true\n', 'E_POLICY_SHAPE', 3],
    ['a default deny', 'package modes.policy.a\n\ndefault deny := set()\n', 'E_POLICY_SHAPE', 3],
    ['a gate that is none', 'package modes.policy.a\n\ngate := true\n', 'E_POLICY_SHAPE', 3],
    [
      'modes that are no list',
      '# METADATA\n# scope: package\n# custom: {modes: test-dev}\npackage modes.policy.a\n',
      'E_POLICY_METADATA',
      3,
    ],
    [
      'modes of a rule',
      'package modes.policy.a\n\n# METADATA\n# custom: {modes: [a]}\ndeny contains "x" if true\n',
      'E_POLICY_METADATA',
      4,
    ],
    ['broken METADATA', '# METADATA\n# title: [\npackage modes.policy.a\n', 'E_REGO_PARSE', 2],
    [
      'a missing builtin',
      'package modes.policy.a\n\ndeny contains "x" if glob.match("*", [], input.tool.params.path)\n',
      'E_REGO_BUILTIN',
      3,
    ],
    ['a look at the verdict', 'package modes.policy.a\n\ndeny contains "x" if data.modes.verdict\n', 'E_POLICY_NEVER', 3],
    [
      'a look at the core',
      'package modes.policy.a\n\nimport data.modes\n\ndeny contains "x" if modes.hits\n',
      'E_POLICY_NEVER',
      5,
    ],
    ['a circle', 'package modes.policy.a\n\ndeny contains "x" if x\n\nx if deny\n', 'E_REGO_RECURSION', 3],
    ['a syntax error', 'package modes.policy.a\n\ndeny contains if x\n', 'E_REGO_PARSE', 3],
  ])('%s', async (_, text, code, line) => {
    const problems = await problemsOf({ 'good.rego': PUSH, 'bad.rego': text });
    expect(problems.map((problem) => problem.code)).toContain(code);
    const problem = problems.find((one) => one.code === code);
    expect(problem).toMatchObject({ severity: 'error', file: 'bad.rego', line, remedy: expect.stringMatching(/./) });
    expect(problem?.lineText).toBe(text.split('\n')[line - 1]);
  });

  test('all problems of all files are reported at once', async () => {
    const problems = await problemsOf({ 'a.rego': 'package a\n', 'b.rego': 'package modes.policy.b\n\ndeny := 1\n\nask := 2\n' });
    expect(problems.map(({ file, line }) => `${file}:${line}`)).toEqual(['a.rego:1', 'b.rego:3', 'b.rego:5']);
  });

  test('a file cannot replace a module of the core or the generated one', async () => {
    for (const name of [...Object.keys(CORE), GENERATED_FILE]) {
      expect(await problemsOf({ [name]: PUSH })).toMatchObject([{ code: 'E_POLICY_FILE', file: name }]);
    }
  });
});
