// Functions that the host gives to a policy mean what OPA's own evaluator means by them, on any input.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makeBundle } from '../../../src/policy/bundle.ts';
import { hosted, withFinder } from '../../../src/policy/custom/build.ts';
import { BUILTINS } from '../../../src/policy/custom/builtins.mjs';
import { GuardedEvaluator, workerFile } from '../../../src/policy/custom/guard.ts';
import { EvaluationError } from '../../../src/policy/fault.ts';
import { capabilities, newCompiler, root } from '../../support/compiler.ts';

const compiler = newCompiler();

/** What a call gives for every input: by the worker, and by topdown. `undefined` where it is undefined. */
async function both(call: string, inputs: object[], beside = ''): Promise<{ ours: unknown[]; theirs: unknown[] }> {
  const { ours, theirs } = await gather([call], inputs, beside);
  return { ours: ours[0] ?? [], theirs: theirs[0] ?? [] };
}

/** The same of several calls, each with its values for every input. */
async function gather(calls: string[], inputs: object[], beside = ''): Promise<{ ours: unknown[][]; theirs: unknown[][] }> {
  const rules = calls.map((call, at) => `r${at} := {"value": x} if x := ${call}`);
  const module = `package p\n\n${[beside, ...rules].join('\n\n')}\n`;
  const entrypoints = calls.map((_, at) => `p/r${at}`);
  const built = await compiler.build({
    ...withFinder({ modules: { 'p.rego': module }, entrypoints }),
    hosted,
    capabilities,
  });
  const answer = await compiler.evaluate({ modules: { 'p.rego': module }, capabilities, entrypoint: 'p', inputs });
  if (!built.ok || !answer.ok) throw new Error(JSON.stringify([built, answer]).slice(0, 1000));
  const guarded = new GuardedEvaluator(makeBundle({ mode: 'm', wasm: built.wasm, entrypoints, data: {} }), {
    worker: workerFile(root),
    limitMs: 5_000,
  });
  const evaluate = (input: object, entrypoint: string) => {
    try {
      return guarded.evaluate(input, entrypoint);
    } catch (error) {
      if (error instanceof EvaluationError && error.code === 'E_POLICY_UNDEFINED') return undefined;
      throw error;
    }
  };
  const ours = entrypoints.map((entrypoint) => inputs.map((input) => evaluate(input, entrypoint)));
  guarded.close();
  const theirs = calls.map((_, at) =>
    answer.values.map(({ value, error }) => error ?? (value as Record<string, unknown>)[`r${at}`]),
  );
  return { ours, theirs };
}

async function agree(call: string, inputs: object[], beside = ''): Promise<unknown[]> {
  const { ours, theirs } = await both(call, inputs, beside);
  for (const [at, input] of inputs.entries()) expect(ours[at], `${call} of ${JSON.stringify(input)}`).toEqual(theirs[at]);
  return ours;
}

const word = fc.oneof(
  fc.constantFrom('', 'a', 'src/a.ts', 'a"b\\', "'", '\u0000\u0007\n\u2028\u00a0\u00ad', 'é😀', '\ufeff', '%d', '\u007f'),
  fc.string({ maxLength: 6 }),
  fc.string({ unit: 'grapheme', maxLength: 4 }),
);
const number = fc.oneof(
  fc.integer({ min: -300, max: 300 }),
  fc.constantFrom(0, 9007199254740991, 1e21, 1e20, 123456789.5, 0.00001, 1.5, -2.25, 1e-7, 12345678, 65, 0x1f600, 1114112, 55296),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const value = fc.oneof(
  { weight: 4, arbitrary: word },
  { weight: 4, arbitrary: number },
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.oneof(word, fc.integer()), { maxLength: 3 }),
  fc.dictionary(word, fc.oneof(word, fc.integer(), fc.array(word, { maxLength: 2 })), { maxKeys: 4 }),
);
const verb = fc
  .tuple(
    fc.constantFrom('', '', '', '-', '0', '-0'),
    fc.constantFrom('', '', '', '1', '5', '12'),
    fc.constantFrom('s', 'd', 'v', 'q', '%'),
  )
  .map(([flags, width, letter]) => `%${letter === 'd' ? flags : flags.replace('0', '')}${width}${letter}`);
const format = fc
  .array(
    fc.oneof(
      verb,
      verb,
      word.map((text) => text.replaceAll('%', '%%')),
    ),
    { maxLength: 5 },
  )
  .map((p) => p.join(''));

describe('sprintf', () => {
  test('of any values', async () => {
    const inputs = fc.sample(fc.record({ f: format, l: fc.array(value, { maxLength: 4 }) }), { numRuns: 1500, seed: 4 });
    const said = await agree('sprintf(input.f, input.l)', inputs);
    expect(said.filter((one) => one !== undefined)).toHaveLength(inputs.length);
  });

  test('of sets, and of keys that are no texts, in the order that OPA has', async () => {
    const terms =
      '{"o": {1: true, null: "x", [1]: {}}, "set": {3, "b", "a", -1, 2.5, {1}, [2], {"a": 1}, true, null}, "e": set()}';
    await agree(`sprintf("%v %s %q", [${terms}, {input.a, input.b, input.c}, {"é", "z", "😀"}])`, [
      { a: 'x', b: 'a', c: 7 },
      { a: [2, 1], b: [2], c: { b: 1 } },
      { a: 10, b: 9, c: 1.5 },
    ]);
  });

  test('of integers of any size, and of numbers that were computed', async () => {
    const calls = [
      '123456789012345678901234567890',
      '9223372036854775807',
      '-9223372036854775808',
      '9223372036854775808',
      '-0',
      '1.0',
      '1e3',
      '7 / 2',
      '8 / 2',
      '1 / 4',
    ];
    for (const call of calls) await agree(`sprintf("%v|%d|%s|%q|%30d|%030d|%-30v|", [${Array(7).fill(call).join(', ')}])`, [{}]);
    await agree('sprintf("%v", [123456789012345678901234567890, 1.5, "x", 9])', [{}]);
  });

  test.each(['%x', '%5.2f', '%+v', '%#v', '%05s', '%[1]d', '%*d', '%.3s', '%T', '%99999d'])(
    'of a format that is only known when it runs, with %s in it, is a fault that says so',
    async (verbs) => {
      await expect(both('sprintf(input.f, [1])', [{ f: verbs }])).rejects.toThrow(/sprintf does not support/);
    },
  );
});

test('regex.replace', async () => {
  const patterns = [
    'a',
    'a*',
    'a*?',
    '',
    'b|',
    '|b',
    '\\b',
    '^',
    '$',
    '(?m)^',
    '(?m)$',
    '(a)(b)?',
    '(?P<x>a+)',
    '(?i)A',
    '.',
    '(?s).',
    '[^a]+',
    '\\bab',
    '(a|ab)(c|bcd)',
    '\\d+',
    '(?:aab)?',
    '^a|b*',
    '(',
    ')(',
    'a)|(b',
    '[',
    '\\Q(\\E',
    '[(]',
    '[[:alpha:]]',
    '\\pL+',
    'é',
    '(?U)a+',
    'a{2}',
    '(?<n>b)',
  ];
  const texts = ['', 'a', 'aaaa', 'baaac', 'aab aaab', 'foobar foo', 'a\nb\n', 'éa😀é', 'abcd', 'AbaB12', '(x)[y]', '  '];
  const by = ['', 'x', '$0', '<$1>', '${1}2', '$1x', '${x}$x', '$n-$2', '$$', '$', '${', '${9}', '$é', '\\1', '${n'];
  const every = patterns.flatMap((p) => texts.flatMap((t) => by.slice(0, 5).map((b) => ({ p, t, b }))));
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', 'é', '😀', '1'), maxLength: 12 });
  const some = fc.sample(fc.record({ p: fc.constantFrom(...patterns), t: letters, b: fc.constantFrom(...by) }), {
    numRuns: 1500,
    seed: 8,
  });
  await agree('regex.replace(input.t, input.p, input.b)', [
    ...every,
    ...some,
    { p: 1, t: 'a', b: 'x' },
    { p: 'a', t: null, b: 'x' },
  ]);
}, 180_000);

test('regex.replace with a match inside a character is a fault with that reason', async () => {
  await expect(both('regex.replace("é", input.p, "x")', [{ p: 'a|\\B' }])).rejects.toThrow(/has no \\B/);
});

test('strings.any_prefix_match and any_suffix_match', async () => {
  const texts = fc.oneof(word, fc.array(word, { maxLength: 3 }), fc.constantFrom(1, null, ['a', 1], {}, { a: 1 }));
  const inputs = fc.sample(fc.record({ a: texts, b: texts }), { numRuns: 400, seed: 5 });
  for (const name of ['prefix', 'suffix']) {
    const said = await agree(`strings.any_${name}_match(input.a, input.b)`, inputs);
    expect(new Set(said.map((one) => JSON.stringify(one)))).toEqual(new Set([undefined, '{"value":true}', '{"value":false}']));
    await agree(`strings.any_${name}_match({x | some x in input.a}, {x | some x in input.b})`, inputs);
  }
});

test('object.subset', async () => {
  const small: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
    any: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom('a', 'b', 1, 2, null, true),
      fc.array(tie('any'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('any'), { maxKeys: 3 }),
    ),
  })).any;
  const inputs = fc.sample(fc.record({ a: small, b: small }), { numRuns: 1500, seed: 6 });
  await agree('object.subset(input.a, input.b)', inputs);
  const sets = fc.sample(fc.record({ a: fc.array(small, { maxLength: 4 }), b: fc.array(small, { maxLength: 3 }) }), {
    numRuns: 300,
    seed: 7,
  });
  await agree('object.subset({x | some x in input.a}, {x | some x in input.b})', sets);
  await agree('object.subset(input.a, {x | some x in input.b})', sets);
  await agree('object.subset({"k": {x | some x in input.a}}, {"k": {x | some x in input.b}})', sets);
  await agree('object.subset({x: 1 | some x in input.a}, {x: 1 | some x in input.b})', sets);
});

test('semver.compare and semver.is_valid', async () => {
  const part = fc.constantFrom('0', '1', '2', '10', '01', '', '9223372036854775807', '9223372036854775808', 'x', '-1');
  const pre = fc.constantFrom(
    '',
    '-',
    '-a',
    '-a.1',
    '-a.b',
    '-1',
    '-2',
    '-10',
    '-01',
    '-a.',
    '-99999999999999999999',
    '-99999999999999999998',
    '-a.b.c',
    '--',
    '-0',
    '-a-b',
  );
  const version = fc
    .tuple(
      fc.constantFrom('', '', 'v', 'V'),
      part,
      part,
      part,
      pre,
      fc.constantFrom('', '', '+1', '+', '+a.b', '+a+b', '+01', '\n'),
    )
    .map(([v, a, b, c, p, m]) => `${v}${a}.${b}.${c}${p}${m}`);
  const near = fc.tuple(fc.constantFrom('1.2.3', '1.2.4', '1.10.0'), pre).map((both) => both.join(''));
  const one = fc.oneof(version, near, near, fc.constantFrom<unknown>('1.2', '1.2.3.4', '', 1, null));
  const inputs = fc.sample(fc.record({ a: one, b: one }), { numRuns: 2000, seed: 9 });
  await agree('semver.compare(input.a, input.b)', inputs);
  await agree('semver.is_valid(input.a)', inputs);
});

test('time.parse_rfc3339_ns', async () => {
  const date = fc
    .date({ min: new Date('1600-01-01'), max: new Date('2300-01-01'), noInvalidDate: true })
    .map((d) => d.toISOString().slice(0, -1));
  const zone = fc.constantFrom('Z', '+00:00', '-07:30', '+23:59', '+24:00', '+25:00', '+01:60', '', 'z', '+0100');
  const made = fc.tuple(date, zone).map((both) => both.join(''));
  const fixed = [
    '2024-02-29T00:00:00Z',
    '2023-02-29T00:00:00Z',
    '2023-13-01T00:00:00Z',
    '2023-00-01T00:00:00Z',
    '2023-01-00T00:00:00Z',
    '2023-01-01T24:00:00Z',
    '2023-01-01T23:60:00Z',
    '2023-01-01T23:59:60Z',
    '2023-01-01T23:59:59.123456789Z',
    '2023-01-01T23:59:59.1234567891Z',
    '2023-01-01T23:59:59,5Z',
    '2023-01-01T23:59:59.Z',
    '2023-01-01 23:59:59Z',
    '2023-1-01T23:59:59Z',
    '2023-01-01T3:59:59Z',
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
    '1677-09-21T00:12:43Z',
    '1677-09-21T00:12:44Z',
    '2262-04-11T23:47:16Z',
    '2262-04-11T23:47:16.9Z',
    '2262-04-11T23:47:17Z',
    '',
    'x',
    5,
  ];
  const inputs = [...fc.sample(made, { numRuns: 500, seed: 10 }), ...fixed].map((t) => ({ t }));
  const { ours, theirs } = await both('sprintf("%d", [time.parse_rfc3339_ns(input.t)])', inputs);
  for (const [at, input] of inputs.entries()) expect(ours[at], JSON.stringify(input)).toEqual(theirs[at]);
});

test('time.now_ns is the time of the evaluation, and constant during it', async () => {
  const before = Date.now();
  const { ours } = await both(
    '[time.now_ns(), [time.now_ns() | some i in numbers.range(1, 2000)][1999], time.now_ns() > time.parse_rfc3339_ns("2020-01-01T00:00:00Z")]',
    [{}],
  );
  const [{ value }] = ours as [{ value: [number, number, boolean] }];
  expect(value[0]).toBe(value[1]);
  expect(value[2]).toBe(true);
  expect(value[0] / 1e6).toBeGreaterThanOrEqual(before - 1);
  expect(value[0] / 1e6).toBeLessThanOrEqual(Date.now() + 1);
});

describe('a function that the evaluator has itself', () => {
  /** Without an end, or without a value, for some of these. */
  const LEFT_OUT = /^(and|or|assign|eq|print|walk|numbers\.range|bits\.lsh|time\.now_ns|internal\..*|rego\..*)$/;
  const UNORDERED = /^(object\.keys|graph\.reachable|union|intersection)$/;
  const ODD = [0, -1, 1.5, 2 ** 40, 1e20, '', 'a', 'é/1', '10.0.0.0/8', [], ['a', 'é'], [[]], {}, { a: 1 }, null, true];
  const inputs = ODD.flatMap((a0, i) => ODD.map((a1, j) => ({ a0, a1, a2: ODD[(i + j) % ODD.length] })));

  test('returns the same as OPA, for unsupported values too', async () => {
    const functions = (capabilities as unknown as { builtins: { name: string; infix?: string; decl: { args?: unknown[] } }[] })
      .builtins;
    const chosen = functions.filter(({ name }) => !LEFT_OUT.test(name));
    const calls = chosen.map(({ name, infix, decl }) => {
      const given = (decl.args ?? []).map((_, at) => `input.a${at}`);
      return infix === undefined ? `${name}(${given.join(', ')})` : given.join(` ${infix} `);
    });
    const found = await gather(calls, inputs);
    expect(chosen.length).toBeGreaterThan(70);
    // JSON has one zero.
    const plain = (value: unknown) => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));
    const inOrder = ({ value }: { value: unknown }) => (Array.isArray(value) ? [...value].sort() : value);
    for (const [at, { name }] of chosen.entries())
      for (const [i, input] of inputs.entries()) {
        const [own, opa] = [found.ours[at]?.[i], found.theirs[at]?.[i]].map((one) =>
          one !== undefined && UNORDERED.test(name) ? inOrder(one as { value: unknown }) : plain(one),
        );
        expect(own, `${calls[at]} of ${JSON.stringify(input)}`).toEqual(opa);
      }
  }, 60_000);

  test.each<[call: string, inputs: object[]]>([
    [
      'format_int(input.n, input.b)',
      [0, -7, 255.9, -255.9, 2 ** 32, 2 ** 53, 1e20, 1e300, -1e300, 1e-9, 0.1].flatMap((n) =>
        [2, 8, 10, 16, 3].map((b) => ({ n, b })),
      ),
    ],
    ['format_int(123456789012345678901234567890, 16)', [{}]],
    ['format_int(12345678901234567890.5, 10)', [{}]],
    ['format_int(4503599627370495.99999999999999999999, 10)', [{}]],
    ['input.n / input.by', [0, 1, -3, 2.5].flatMap((n) => [0, -0, 2, 0.5].map((by) => ({ n, by })))],
    ['[x | some y in input.l; x := 1 / y]', [{ l: [0, 1, 2] }]],
    [
      'concat(input.by, {x | some x in input.l})',
      [
        { by: ', ', l: ['b', 'z', 'a', 'é', '10', '9', '😀'] },
        { by: '', l: [] },
        { by: ',', l: [1] },
      ],
    ],
    [
      'indexof(input.t, input.p)',
      [
        { t: 'é😀b', p: 'b' },
        { t: 'a', p: '' },
        { t: 'a', p: 'b' },
      ],
    ],
    [
      'replace(input.t, input.p, input.b)',
      [
        { t: 'abc', p: '', b: '-' },
        { t: 'aaa', p: 'aa', b: '$&' },
        { t: '', p: '', b: 'x' },
      ],
    ],
    [
      'object.union_n(input.l)',
      [
        { l: [] },
        { l: [{ a: { b: 2 } }, { a: 4 }, { a: { c: 3 } }] },
        { l: [{ a: { b: 1 } }, { a: { c: { d: 2 } }, e: [1] }] },
        { l: [{ a: 1 }, 2] },
      ],
    ],
    ['object.union_n([{1: {2}, [3]: null}, {"x": set(), 1: {"é\\u0007": 1.50}}])[1]', [{}]],
    [
      'bits.rsh(input.n, input.by)',
      [
        { n: 255, by: 4 },
        { n: -1, by: 1e18 },
        { n: 5, by: 1e18 },
        { n: 1.5, by: 1 },
        { n: 1, by: -1 },
      ],
    ],
    [
      'bits.lsh(input.n, input.by)',
      [
        { n: 255, by: 4 },
        { n: 1, by: 200 },
        { n: 1.5, by: 1 },
        { n: 1, by: -1 },
      ],
    ],
  ])('%s', async (call, given) => {
    await agree(call, given);
  });

  test('can be mocked, and hidden by a rule of its name', async () => {
    await agree('format_int(1, 10)', [{}]);
    await agree(
      'mocked',
      [{}],
      'twice(n, _) := sprintf("%v", [n * 2])\n\nmocked := y if y := format_int(4, 10) with format_int as twice',
    );
    await agree('concat("a", ["b"])', [{}], 'concat(x, y) := [x, y]');
    await agree('indexof("a", "")', [{}], 'indexof(_, _) := 7');
  });
});

test('the worker provides exactly the functions that a policy may use', () => {
  const usable = new Set(capabilities.builtins.map(({ name }) => name));
  expect(Object.keys(BUILTINS).filter((name) => !usable.has(name))).toEqual([]);
});
