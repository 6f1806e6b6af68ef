// Custom policies under a time limit: an overrun is said, named, and over.
import fs from 'node:fs';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Facts } from '../../../src/model/facts.ts';
import { type Bundle, makeBundle, openBundle } from '../../../src/policy/bundle.ts';
import { buildPolicy } from '../../../src/policy/custom/build.ts';
import { GuardedEvaluator, workerFile } from '../../../src/policy/custom/guard.ts';
import { EvaluationError } from '../../../src/policy/fault.ts';
import { CORE, capabilities, newCompiler, root } from '../../support/compiler.ts';

const compiler = newCompiler();
const worker = workerFile(root);
let bundle: Bundle;
let guarded: GuardedEvaluator;

beforeAll(async () => {
  const custom = {
    'quick.rego': 'package modes.policy.quick\n\ndeny contains $"no {data.rules.only.word}" if input.tool.params.quick\n',
    'slow.rego':
      'package modes.policy.slow\n\nask contains "slow" if {\n\tinput.tool.params.slow\n\tn := numbers.range(1, 3000)\n\tcount([1 | some a in n; some b in n; some c in n; a + b == c]) == 0\n}\n',
    'conflict.rego':
      'package modes.policy.conflict\n\nx := 1 if input.tool.params.conflict\n\nx := 2 if input.tool.params.conflict\n\nallow contains "x" if x\n',
  };
  const built = await buildPolicy(CORE, custom, compiler, capabilities);
  if (!built.ok) throw new Error(JSON.stringify(built.problems));
  bundle = makeBundle({
    mode: 'm',
    wasm: built.wasm,
    entrypoints: built.entrypoints,
    data: { rules: { only: { word: 'way' } } },
    policies: built.policies,
  });
});
afterEach(() => guarded?.close());

/** Parameters of a tool may have any name. */
const facts = (params: object) => ({ tool: { params } }) as unknown as Facts;

/** The same policy with other data. */
const withWord = (word: string): Bundle => {
  const { mode, policies } = bundle.manifest.metadata;
  const entrypoints = bundle.manifest.wasm.map(({ entrypoint }) => entrypoint);
  return makeBundle({ mode, wasm: bundle.wasm, entrypoints, data: { rules: { only: { word } } }, policies });
};

/** A policy of other bytes that says the same. */
const another = (n: number): Bundle => {
  const { 'data.json': data } = bundle.manifest.metadata.files;
  const metadata = { ...bundle.manifest.metadata, files: { 'policy.wasm': `sha256:${n}`, 'data.json': data } };
  return { ...bundle, manifest: { ...bundle.manifest, metadata } };
};
function thrownBy(run: () => unknown): EvaluationError {
  try {
    run();
  } catch (error) {
    if (error instanceof EvaluationError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('a guarded policy', () => {
  test('answers as an unguarded one does', () => {
    guarded = new GuardedEvaluator(bundle, { worker });
    const plain = openBundle(bundle);
    for (const input of [{}, { quick: true }, { quick: true, text: '\ud800' }, { list: Array(10_000).fill('x'.repeat(100)) }]) {
      expect(guarded.evaluateVerdict(facts(input))).toEqual(plain.evaluateVerdict(facts(input)));
    }
    expect(guarded.evaluateVerdict(facts({ quick: true })).policies).toMatchObject([{ reason: 'no way' }]);
  });

  test('that uses the clock is evaluated each time', async () => {
    const entrypoint = 'clock/now';
    const modules = { 'clock.rego': 'package clock\n\nnow := [input.text, time.now_ns()]\n' };
    const built = await compiler.build({ modules, entrypoints: [entrypoint], capabilities });
    if (!built.ok) throw new Error(JSON.stringify(built.problems));
    const clock = makeBundle({ mode: 'm', wasm: built.wasm, entrypoints: [entrypoint], data: {} });
    guarded = new GuardedEvaluator(clock, { worker });
    const first = guarded.evaluate({ text: 'now' }, entrypoint);
    await expect.poll(() => guarded.evaluate({ text: 'now' }, entrypoint)).not.toEqual(first);
  });

  test('that depends only on its input answers from the cache, even without its thread', () => {
    guarded = new GuardedEvaluator(bundle, { worker });
    const said = guarded.evaluateVerdict(facts({ quick: true }));
    guarded.close();
    expect(guarded.evaluateVerdict(facts({ quick: true }))).toEqual(said);
    expect(guarded.evaluateVerdict(facts({ quick: false }))).not.toEqual(said);
  });

  test('that takes too long is stopped and named, and the next request is answered', () => {
    guarded = new GuardedEvaluator(bundle, { worker, limitMs: 100 });
    expect(thrownBy(() => guarded.evaluateVerdict(facts({ slow: true })))).toMatchObject({
      code: 'E_POLICY_TIME',
      message: 'policy slow takes longer than 100 ms',
      file: 'slow.rego',
      line: 3,
    });
    expect(guarded.evaluateVerdict(facts({ quick: true })).verdict).toBe('deny');
  });

  test('that stops reports the place, and the next request is answered', () => {
    guarded = new GuardedEvaluator(bundle, { worker });
    expect(thrownBy(() => guarded.evaluateVerdict(facts({ conflict: true })))).toMatchObject({
      code: 'E_POLICY_ABORT',
      file: 'conflict.rego',
    });
    expect(guarded.evaluateVerdict(facts({ quick: true })).verdict).toBe('deny');
  });

  test.each([
    ['an unknown entry point', () => guarded.evaluate({}, 'modes/none'), 'E_POLICY_ENTRYPOINT'],
    [
      'an input nested too deeply',
      () => guarded.evaluate({ a: JSON.parse('['.repeat(500) + ']'.repeat(500)) }),
      'E_POLICY_INPUT',
    ],
    ['no input', () => guarded.evaluate(null as never), 'E_POLICY_INPUT'],
  ])('%s is thrown', (_, run, code) => {
    guarded = new GuardedEvaluator(bundle, { worker });
    expect(thrownBy(run).code).toBe(code);
  });

  test('whose thread does not start is a fault, not an answer', () => {
    guarded = new GuardedEvaluator(bundle, { worker: import.meta.filename, startLimitMs: 300 });
    expect(thrownBy(() => guarded.evaluate({})).code).toBe('E_POLICY_LOAD');
  });

  test('whose thread has no script is a fault that names it, without a wait', () => {
    guarded = new GuardedEvaluator(bundle, { worker: `${worker}.gone`, startLimitMs: 2 ** 30 });
    const { code, message, remedy } = thrownBy(() => guarded.evaluate({})) as EvaluationError;
    expect({ code, message }).toEqual({ code: 'E_POLICY_LOAD', message: expect.stringContaining(`${worker}.gone is missing`) });
    expect(remedy).toContain('install the plugin again');
  });

  test('whose data is not JSON gives no answer', () => {
    guarded = new GuardedEvaluator({ ...bundle, data: new TextEncoder().encode('{"word":') }, { worker });
    expect(thrownBy(() => guarded.evaluate({})).code).toBe('E_POLICY_LOAD');
  });

  test('of many modes keeps few threads: the least recently used one ends and restarts on demand', async () => {
    const threads = () => fs.readdirSync('/proc/self/task').length;
    const many = Array.from({ length: 14 }, (_, n) => new GuardedEvaluator(another(n), { worker }));
    const before = threads();
    for (const one of many) expect(one.evaluateVerdict(facts({ quick: true })).verdict).toBe('deny');
    // Each has a few threads of V8's beside it for a while.
    await expect.poll(() => threads() - before, { timeout: 20_000 }).toBeLessThan(12);
    for (const one of [many[0]!, many[13]!]) expect(one.evaluateVerdict(facts({ quick: true })).verdict).toBe('deny');
    for (const one of many) one.close();
  });

  test('that several modes share has one thread, with separate data for each', async () => {
    const threads = () => fs.readdirSync('/proc/self/task').length;
    const words = Array.from({ length: 20 }, (_, n) => `word${n}`);
    const before = threads();
    const modes = words.map((word) => new GuardedEvaluator(withWord(word), { worker, limitMs: 100 }));
    let asked = 0;
    const reasons = () => modes.map((one) => one.evaluateVerdict(facts({ quick: true, asked: ++asked })).policies[0]?.reason);
    const said = words.map((word) => `no ${word}`);
    for (let turn = 0; turn < 2; turn += 1) expect(reasons()).toEqual(said);
    await expect.poll(() => threads() - before, { timeout: 20_000 }).toBeLessThan(10);
    // One that is stopped takes the thread with it, and the others come back with their own.
    expect(thrownBy(() => modes[3]!.evaluateVerdict(facts({ slow: true }))).code).toBe('E_POLICY_TIME');
    expect(reasons()).toEqual(said);
    for (const one of modes) one.close();
  });

  test('that is not a policy is refused', () => {
    expect(thrownBy(() => new GuardedEvaluator({ ...bundle, wasm: new Uint8Array(4) }, { worker })).code).toBe('E_POLICY_LOAD');
  });
});
