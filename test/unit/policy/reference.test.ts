// The shipped evaluator against OPA's own: builtins that policies may rely on give the same on any input.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Evaluator } from '../../../src/policy/evaluator.ts';
import { capabilities, compileRego, newCompiler } from '../../support/compiler.ts';

const compiler = newCompiler();

/** Calls whose values agree, on two texts `s` and `t`, an integer `n` and a list of texts `l`. */
const CALLS = [
  'startswith(input.s, input.t)',
  'endswith(input.s, input.t)',
  'contains(input.s, input.t)',
  'split(input.s, "/")',
  'concat("/", input.l)',
  'substring(input.s, abs(input.n), 2)',
  'trim_prefix(input.s, input.t)',
  'trim_suffix(input.s, input.t)',
  'trim_space(input.s)',
  'count(input.s)',
  'count({x | some x in input.l})',
  'sort(input.l)',
  'input.t in input.l',
  'array.concat(input.l, [input.s])',
  'array.slice(input.l, 0, input.n)',
  'object.get({"a": input.s}, input.t, "none")',
  'regex.match("^[^/]*\\\\.ts$", input.s)',
  'regex.match("(?s)^src/.*$", input.s)',
  'regex.match(input.t, input.s)',
  'regex.is_valid(input.t)',
  'strings.replace_n({"a": "b"}, input.s)',
  'strings.reverse(input.s)',
  'is_string(input.n)',
  'type_name(input.l)',
  'format_int(input.n, 10)',
  'input.n + count(input.l)',
  'input.s < input.t',
  'input.s == input.t',
  '[x | some x in input.l; x != input.s]',
  '{x: i | some i, x in {y | some y in input.l}; i == x}',
  '$"<{input.s}>"',
];

test.each([...CALLS.entries()])('%i: %s', async (index) => {
  const { evaluator, reference } = await compiled;
  for (const [i, input] of inputs.entries()) {
    expect(ours(evaluator, index, input), JSON.stringify(input)).toEqual(reference[i]?.[`r${index}`]);
  }
  expect(reference.some((values) => values[`r${index}`] !== undefined)).toBe(true);
});

const words = fc.oneof(
  fc.constantFrom(
    '',
    'a',
    'src/a.ts',
    'src/',
    '.ts',
    'a\nb',
    'src/a\nb.ts',
    'x(1).ts',
    '$id',
    '[',
    '(a|b)',
    '\\d+',
    'é',
    '😀',
    ' a ',
    '/',
  ),
  fc.string({ maxLength: 8 }),
  fc.string({ unit: 'grapheme', maxLength: 5 }),
);
const inputs = fc.sample(
  fc.record({ s: words, t: words, n: fc.integer({ min: -9, max: 9 }), l: fc.array(words, { maxLength: 4 }) }),
  {
    numRuns: 300,
    seed: 20,
  },
);

const compiled = (async () => {
  const module = `package p\n\n${CALLS.map((call, i) => `r${i} := {"value": x} if x := ${call}`).join('\n\n')}\n`;
  const wasm = await compileRego(
    compiler,
    { 'p.rego': module },
    CALLS.map((_, i) => `p/r${i}`),
  );
  const answer = await compiler.evaluate({ modules: { 'p.rego': module }, capabilities, entrypoint: 'p', inputs });
  if (!answer.ok) throw new Error(JSON.stringify(answer.problems));
  return { evaluator: new Evaluator(wasm), reference: answer.values.map(({ value }) => value as Record<string, unknown>) };
})();

function ours(evaluator: Evaluator, index: number, input: object): unknown {
  try {
    return evaluator.evaluate(input, `p/r${index}`);
  } catch {
    return undefined;
  }
}
