// The evaluator: whatever is not a plain answer to the plain question is thrown.
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { Evaluator } from '../../../src/policy/evaluator.ts';
import { EvaluationError } from '../../../src/policy/fault.ts';
import { compileRego, newCompiler } from '../../support/compiler.ts';

const compiler = newCompiler();
let evaluator: Evaluator;

const policy = `package modes

echo := input

has_input if input

name := input.tool.name

maybe := 1 if input.yes

conflict := 1 if input.a

conflict := 2 if input.b

object := {k: v | some pair in input.pairs; k := pair[0]; v := pair[1]}

stored := data.stored

many := [x | some n in numbers.range(1, 1000); x := concat("", [input.text, format_int(n, 10)])]

matches if regex.match(input.pattern, input.text)

interpolated := $"<{input.text}>"

verdict := input.answer
`;
const rules = [
  'echo',
  'has_input',
  'name',
  'maybe',
  'conflict',
  'object',
  'stored',
  'many',
  'matches',
  'interpolated',
  'verdict',
];

beforeAll(async () => {
  evaluator = new Evaluator(
    await compileRego(
      compiler,
      { 'policy.rego': policy },
      rules.map((rule) => `modes/${rule}`),
    ),
  );
});

/** Code of what is thrown. */
function codeOf(run: () => unknown): string {
  try {
    return `no error: ${JSON.stringify(run())}`;
  } catch (error) {
    return error instanceof EvaluationError ? error.code : `another error: ${error}`;
  }
}

describe('inputs', () => {
  test.each<[string, unknown]>([
    ['null', null],
    ['0', 0],
    ['false', false],
    ['an empty text', ''],
    ['JSON as text', '{"tool":{"name":"Bash"}}'],
    ['bytes', Buffer.from('{"tool":{}}')],
    ['a list', []],
    ['nothing', undefined],
  ])('%s is not a valid input', (_, input) => {
    expect(codeOf(() => evaluator.evaluate(input as object, 'modes/has_input'))).toBe('E_POLICY_INPUT');
  });

  test.each([
    ['127 levels are handed over', 126, 'no error'],
    ['more are refused', 200, 'E_POLICY_INPUT'],
    ['so are those that exhaust the stack of JSON.stringify', 100_000, 'E_POLICY_INPUT'],
  ])('%s', (_, depth, expected) => {
    let nested: unknown = 1;
    for (let i = 0; i < depth; i++) nested = i % 2 === 0 ? [nested] : { a: nested };
    expect(codeOf(() => evaluator.evaluate({ nested }, 'modes/echo'))).toContain(expected);
    expect(evaluator.evaluate({ tool: { name: 'x' } }, 'modes/name')).toBe('x');
  });

  test.each([
    ['a lone high surrogate', '\ud800', '\ufffd'],
    ['a lone low surrogate', 'a\udfffb', 'a\ufffdb'],
    ['two in a row', '\ud800\ud800', '\ufffd\ufffd'],
    ['one after a backslash', '\\\ud800', '\\\ufffd'],
    ['the text of an escape', '\\ud800', '\\ud800'],
    ['the text of an escape after a backslash', '\\\\ud800', '\\\\ud800'],
    ['a pair', '😀', '😀'],
    ['a NUL', 'a\0b', 'a\0b'],
  ])('%s arrives well formed', (_, text, expected) => {
    expect(evaluator.evaluate({ [text]: text }, 'modes/echo')).toEqual({ [expected]: expected });
  });

  test('any JSON document arrives as it is', () => {
    const document = fc.dictionary(
      fc.string({ unit: 'binary' }),
      fc
        .jsonValue({ depthSize: 'medium', stringUnit: 'binary', noUnicodeString: false } as never)
        .map((value) => JSON.parse(JSON.stringify(value).replaceAll('-0', '0'))),
    );
    fc.assert(
      fc.property(document, (input) => {
        expect(evaluator.evaluate(input, 'modes/echo')).toEqual(JSON.parse(JSON.stringify(input)));
      }),
    );
  });

  test('a large one arrives too', () => {
    const text = 'x'.repeat(5_000_000);
    expect(evaluator.evaluate({ tool: { name: text } }, 'modes/name')).toBe(text);
  });
});

describe('answers', () => {
  test.each<[string, string, object, string]>([
    ['an undefined rule', 'modes/maybe', {}, 'E_POLICY_UNDEFINED'],
    ['an unknown entry point', 'modes/none', {}, 'E_POLICY_ENTRYPOINT'],
    ['a name from the prototype', 'constructor', {}, 'E_POLICY_ENTRYPOINT'],
    ['a conflict of rules', 'modes/conflict', { a: 1, b: 1 }, 'E_POLICY_ABORT'],
    [
      'a conflict of keys',
      'modes/object',
      {
        pairs: [
          ['x', 1],
          ['x', 2],
        ],
      },
      'E_POLICY_ABORT',
    ],
    ['more memory than there is', 'modes/many', { text: 'x'.repeat(10_000_000) }, 'E_POLICY_ABORT'],
    ['a wrong pattern', 'modes/matches', { pattern: '(', text: '(' }, 'E_POLICY_UNDEFINED'],
  ])('%s is thrown', (_, entrypoint, input, expected) => {
    expect(codeOf(() => evaluator.evaluate(input, entrypoint))).toBe(expected);
  });

  test('a conflict names its place', () => {
    try {
      evaluator.evaluate({ a: 1, b: 1 }, 'modes/conflict');
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ code: 'E_POLICY_ABORT', file: 'policy.rego', line: expect.any(Number) });
    }
  });

  test('false and empty values are answers', () => {
    for (const answer of [false, 0, '', null, [], {}]) expect(evaluator.evaluate({ answer }, 'modes/verdict')).toEqual(answer);
  });

  test('after an exception, the same data and policy still answer', () => {
    evaluator.setData({ stored: { deep: [1] } });
    for (let i = 0; i < 50; i++) {
      expect(codeOf(() => evaluator.evaluate({ a: 1, b: 1 }, 'modes/conflict'))).toBe('E_POLICY_ABORT');
      expect(evaluator.evaluate({}, 'modes/stored')).toEqual({ deep: [1] });
    }
  });

  test('string interpolation works', () => {
    expect(evaluator.evaluate({ text: 'a' }, 'modes/interpolated')).toBe('<a>');
  });
});

describe('data', () => {
  test('replaces the earlier data', () => {
    evaluator.setData({ stored: 1, other: 2 });
    evaluator.setData({ stored: 2 });
    expect(evaluator.evaluate({}, 'modes/stored')).toBe(2);
    evaluator.setData({});
    expect(codeOf(() => evaluator.evaluate({}, 'modes/stored'))).toBe('E_POLICY_UNDEFINED');
  });

  test('that is not JSON gives no answer, not even the old one', () => {
    evaluator.setData({ stored: 1 });
    expect(codeOf(() => evaluator.setDataBytes(new TextEncoder().encode('{"stored":')))).toBe('E_POLICY_ABORT');
    expect(codeOf(() => evaluator.evaluate({}, 'modes/stored'))).toBe('E_POLICY_ABORT');
    evaluator.setData({ stored: 3 });
    expect(evaluator.evaluate({}, 'modes/stored')).toBe(3);
  });

  test('memory does not grow with the number of evaluations', () => {
    evaluator.setData({ stored: 1 });
    const before = process.memoryUsage().external;
    for (let i = 0; i < 20_000; i++) evaluator.evaluate({ i, text: 'x'.repeat(1000) }, 'modes/echo');
    expect(process.memoryUsage().external - before).toBeLessThan(50_000_000);
  });
});

describe('policies', () => {
  test.each([
    ['bytes that are none', Buffer.from('hello')],
    ['an empty module', Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0])],
    ['no bytes', new Uint8Array()],
  ])('%s are refused', (_, bytes) => {
    expect(codeOf(() => new Evaluator(bytes))).toBe('E_POLICY_LOAD');
  });

  test.each(['sprintf("%v", [1])', 'yaml.marshal({})', 'http.send({"url": "x", "method": "get"})', 'time.now_ns()'])(
    'one that calls %s is refused when loaded, not when called',
    async (call) => {
      const wasm = await compileRego(
        compiler,
        { 'a.rego': `package modes\n\nverdict := x if x := ${call}\n` },
        ['modes/verdict'],
        { restricted: false },
      );
      expect(() => new Evaluator(wasm)).toThrow(/unknown builtins/);
    },
  );

  test('a damaged one is refused or stops', async () => {
    const wasm = await compileRego(compiler, { 'a.rego': 'package modes\n\nverdict := 1\n' }, ['modes/verdict']);
    expect(codeOf(() => new Evaluator(wasm.slice(0, -1000)))).toBe('E_POLICY_LOAD');
  });
});

describe('verdicts', () => {
  const whole = {
    verdict: 'deny',
    by: 'rule',
    hits: [
      { id: 'b', on: 'x', command: null, via: '' },
      { id: 'a', on: 'y', command: 1, via: 'sed -i' },
      { id: 'a', on: 'y', command: 0, via: 'sed -i' },
    ],
    unnamed: [2, 0],
    protections: [{ effect: 'ask', name: 'git', on: '.git', remedy: '' }],
    policies: [
      { name: 'q', effect: 'ask', reason: 'r', remedy: null, file: 'f', line: 1 },
      { name: 'p', effect: 'deny', reason: 'r', remedy: 's', file: 'f', line: 1 },
    ],
  };
  const ask = (answer: unknown) => evaluator.evaluateVerdict({ answer } as never);

  test('are read completely, sets in a fixed order', () => {
    const verdict = ask(whole);
    expect(verdict).toMatchObject({ verdict: 'deny', by: 'rule', unnamed: [0, 2] });
    expect(verdict.hits.map(({ id, command }) => [id, command])).toEqual([
      ['a', 0],
      ['a', 1],
      ['b', null],
    ]);
    expect(verdict.policies.map(({ name }) => name)).toEqual(['p', 'q']);
  });

  test('are the same for any order of the sets', () => {
    fc.assert(
      fc.property(
        fc.shuffledSubarray(whole.hits, { minLength: 3 }),
        fc.shuffledSubarray(whole.policies, { minLength: 2 }),
        (hits, policies) => {
          expect(ask({ ...whole, hits, policies })).toEqual(ask(whole));
        },
      ),
    );
  });

  test.each<[string, unknown]>([
    ['no object', 'allow'],
    ['a list', [whole]],
    ['empty', {}],
    ['an unknown verdict', { ...whole, verdict: 'maybe' }],
    ['a verdict from the prototype', { ...whole, verdict: 'constructor' }],
    ['an unknown step', { ...whole, by: 'mood' }],
    ['no hits', { ...whole, hits: null }],
    ['hits as an object', { ...whole, hits: {} }],
    ['a hit without an id', { ...whole, hits: [{ on: 'x', command: null, via: '' }] }],
    ['a hit on a number', { ...whole, hits: [{ id: 'a', on: 0, command: null, via: '' }] }],
    ['a hit with half a command', { ...whole, hits: [{ id: 'a', on: 'x', command: 0.5, via: '' }] }],
    ['a negative index', { ...whole, unnamed: [-1] }],
    ['a protection that allows', { ...whole, protections: [{ ...whole.protections[0], effect: 'allow' }] }],
    ['a policy that passes', { ...whole, policies: [{ ...whole.policies[0], effect: 'pass' }] }],
    ['a policy without a line', { ...whole, policies: [{ ...whole.policies[0], line: null }] }],
  ])('%s is thrown', (_, answer) => {
    expect(codeOf(() => ask(answer))).toBe('E_POLICY_VERDICT');
  });

  test('every field is needed', () => {
    for (const field of Object.keys(whole)) {
      expect(codeOf(() => ask({ ...whole, [field]: undefined }))).toBe('E_POLICY_VERDICT');
    }
  });
});

test('a cached verdict is returned only for the same input and the same data', async () => {
  const text = `package modes\n\nverdict := {"verdict": data.say, "by": "rule", "hits": {}, "unnamed": set(), "protections": input.met, "policies": []}\n`;
  const wasm = await compileRego(compiler, { 'policies/verdict.rego': text.replace('{}', '[]') }, ['modes/verdict']);
  const one = new Evaluator(wasm);
  const met = (name: string) => ({ met: [{ effect: 'deny', name, on: 'x', remedy: '' }] });
  const asked = (): unknown[] => ['a', 'b', 'a'].map((name) => one.evaluateVerdict(met(name)));
  for (const say of ['deny', 'ask', 'deny']) {
    one.setData({ say });
    expect(asked()).toMatchObject(['a', 'b', 'a'].map((name) => ({ verdict: say, protections: [{ name }] })));
  }
});
