// Calls about many files, commands and hosts: what each of them takes, all of them take together, and no more.
import { createRequire } from 'node:module';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Facts, Granted } from '../../../src/model/facts.ts';
import type { Verdict } from '../../../src/model/verdict.ts';
import type { Evaluator } from '../../../src/policy/evaluator.ts';
import { coreInput } from '../../../src/rules/core-input.ts';
import { access, bash, command, fetch } from '../../support/facts.ts';
import { dataOf, loadCore, type Settings } from '../../support/policy.ts';

interface Loaded {
  dataHeapPtr: number;
  wasmInstance: { exports: { opa_heap_ptr_get(): number } };
  setData(data: object): void;
  evaluate(input: object): unknown[];
}
const { loadPolicySync } = createRequire(import.meta.url)('@open-policy-agent/opa-wasm') as {
  loadPolicySync(wasm: WebAssembly.Module, memory: WebAssembly.MemoryDescriptor): Loaded;
};

let core: Evaluator;
let loaded: Loaded;
beforeAll(async () => {
  core = await loadCore();
  loaded = loadPolicySync(core.module, { initial: 5, maximum: 4096 });
}, 60_000);

const each = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const granted = (marks: Partial<Granted>): Granted => ({
  ...{ off: false, tool: false, reads: [], writes: [], commands: [], domains: [], parts: [], paths: [] },
  ...marks,
});
const files = (kind: 'reads' | 'writes', count: number, name: (at: number) => string, via = 'mv'): Partial<Facts> => ({
  [kind]: each(count, (at) => access(name(at), { command: 0, via })),
});
const shell = (parts: Partial<Facts>): Facts => bash([command('mv many', { class: 'writes' })], parts as never);

const cases: [string, Settings, (count: number) => Facts, Partial<Verdict>, (count: number) => number][] = [
  [
    'files that are allowed',
    { allow: ['Write(test/**)', 'Bash(mv:*)'] },
    (count) => shell(files('writes', count, (at) => `test/${at}.ts`)),
    { verdict: 'allow', by: 'rule' },
    (count) => count + 1,
  ],
  [
    'files of which the last is not allowed',
    { allow: ['Write(test/**)', 'Bash(mv:*)'] },
    (count) => shell(files('writes', count, (at) => (at < count - 1 ? `test/${at}.ts` : 'src/a.ts'))),
    { verdict: 'pass', by: 'default' },
    (count) => count,
  ],
  [
    'files of which the last is denied',
    { allow: ['Write(test/**)', 'Bash(mv:*)'], deny: ['Write(src/**)'] },
    (count) => shell(files('writes', count, (at) => (at < count - 1 ? `test/${at}.ts` : 'src/a.ts'))),
    { verdict: 'deny', by: 'rule' },
    (count) => count + 1,
  ],
  [
    'files that are all denied',
    { deny: ['Write(src/**)', 'Edit(src/**)'] },
    (count) => shell(files('writes', count, (at) => `src/${at}.ts`)),
    { verdict: 'deny', by: 'rule' },
    (count) => 2 * count,
  ],
  [
    'files outside that are read',
    { allow: ['Read(//etc/**)', 'Bash(mv:*)'] },
    (count) => shell(files('reads', count, (at) => `/etc/${at}`)),
    { verdict: 'allow', by: 'rule' },
    (count) => count + 1,
  ],
  [
    'protected files that are allowed',
    { allow: ['Write(.claude/**)', 'Bash(mv:*)'] },
    (count) =>
      shell({
        writes: each(count, (at) =>
          access(`.claude/${at}`, { command: 0, protection: { effect: 'ask', name: '.claude/', remedy: '' } }),
        ),
      }),
    { verdict: 'allow', by: 'rule', protections: [] },
    (count) => count + 1,
  ],
  [
    'commands that are allowed',
    { allow: ['Bash(npm test*)'] },
    (count) => bash(each(count, (at) => command(`npm test ${at}`))),
    { verdict: 'allow', by: 'rule' },
    (count) => count,
  ],
  [
    'commands that run code and are named',
    { allow: ['Bash(make:*)'], deny: ['Write(src/**)'] },
    (count) => bash(each(count, (at) => command(`make ${at}`, { class: 'runs' }))),
    { verdict: 'allow', by: 'rule', unnamed: [] },
    (count) => count,
  ],
  [
    'hosts that are allowed',
    { allow: ['WebFetch(domain:*.example.org)'] },
    (count) => fetch(...each(count, (at) => `${at}.example.org`)),
    { verdict: 'allow', by: 'rule' },
    (count) => count,
  ],
  [
    'files that are denied and granted',
    { deny: ['Write(src/**)'], allow: ['Bash(mv:*)'] },
    (count) =>
      shell({ ...files('writes', count, (at) => `src/${at}.ts`), granted: granted({ writes: each(count, (at) => at) }) }),
    { verdict: 'pass', by: 'rule' },
    () => 1,
  ],
  [
    'files that are denied, of which all but the first are granted',
    { deny: ['Write(src/**)'] },
    (count) =>
      shell({ ...files('writes', count, (at) => `src/${at}.ts`), granted: granted({ writes: each(count - 1, (at) => at + 1) }) }),
    { verdict: 'deny', by: 'rule' },
    () => 1,
  ],
];

describe.each(cases)('%s', (_, settings, make, expected, hits) => {
  test.each([1, 2, 400])('%i of them', (count) => {
    const data = dataOf(settings);
    core.setData({ rules: data });
    const facts = make(count);
    const whole = core.evaluateVerdict(facts);
    expect(whole).toMatchObject(expected);
    expect(whole.hits).toHaveLength(hits(count));
    expect(core.evaluateVerdict(coreInput(data)(facts))).toEqual(whole);
  });

  test('four times as many take four times the memory', () => {
    const data = dataOf(settings);
    loaded.setData({ rules: data });
    const bytesOf = (count: number): number => {
      expect(loaded.evaluate(coreInput(data)(make(count)))).toHaveLength(1);
      return loaded.wasmInstance.exports.opa_heap_ptr_get() - loaded.dataHeapPtr;
    };
    expect(bytesOf(400)).toBeLessThan(4.4 * bytesOf(100));
  });
});

test('a file that is named twice is matched once, and every file by its own name', () => {
  const settings: Settings = { deny: ['Write(src/**)'] };
  const data = dataOf(settings);
  core.setData({ rules: data });
  const inputOf = coreInput(data);
  const named = (...paths: string[]): string[] =>
    core
      .evaluateVerdict(inputOf(shell({ writes: paths.map((path) => access(path, { command: 0, via: 'rm' })) })))
      .hits.map(({ on }) => on);
  expect(named('src/b', 'src/a')).toEqual(['src/a', 'src/b']);
  expect(named('src/c', 'src/c')).toEqual(['src/c']);
  expect(named('src/a', 'src/b')).toEqual(['src/a', 'src/b']);
  expect(named('src/\ud800', 'src/é')).toEqual(['src/é', 'src/\ufffd']);
});
