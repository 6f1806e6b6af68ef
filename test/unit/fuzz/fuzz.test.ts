// A short run of `make fuzz`, the same texts each time; a longer one, from another seed, finds more.
import { expect, onTestFinished, test } from 'vitest';
import { minimise, mutate, random } from '../../fuzz/mutate.ts';
import { Sandbox } from '../../fuzz/sandbox.ts';
import { harm } from '../../fuzz/sequences.ts';
import type { Target } from '../../fuzz/target.ts';
import { fuzz, targets } from '../../fuzz/targets.ts';

/** Milliseconds: what goes on without end is found beside whatever else the machine does; `make fuzz` asks for less. */
const longestMs = 1_000;
/** Texts each, so that all together take some ten seconds. */
const counts = { bash: 6_000, config: 400, events: 1_500, reads: 500, rules: 1_500, sequences: 60, socket: 400 };

test('every target has its share', () => {
  expect([...targets.keys()].sort()).toEqual(Object.keys(counts).sort());
});

test.each(Object.entries(counts))('%s: no crash, no long call, nothing that the model denies', async (name, count) => {
  const report = await fuzz(await targets.get(name)!(), { count, seed: 20, longestMs });
  expect(report.faults).toEqual([]);
  expect(report.ran).toBe(count);
});

test('a change of denied files by a sequence is detected and reverted', async () => {
  const sandbox = await Sandbox.open({ files: { 'src/a': 'first\n', 'test/a': '' }, permissions: { deny: ['Write(/src/**)'] } });
  onTestFinished(() => sandbox.close());
  expect(sandbox.decide('echo taken > src/a').decision).toBe('deny');
  expect(await sandbox.run('cd test; echo taken > ../src/a; ln -s b l; mkdir -p ../src/n; touch ../src/n/x')).toBe(
    `${sandbox.root}/test`,
  );
  const now = sandbox.picture();
  expect(harm(sandbox.before, now)).toEqual(['project/src/a', 'project/src/n', 'project/src/n/x']);
  sandbox.reset(now, true);
  expect(sandbox.picture()).toEqual(sandbox.before);
});

const fallBehind = (text: string) => {
  throw new Error('fell behind', { cause: text });
};

/** Something that falls for one text. */
const falling = (check: Target['check']): Target => ({ name: 'falling', seeds: ['one two'], words: ['fall'], check });

test('a fault is found, shortened and reported once', async () => {
  const check = (text: string) => {
    if (text.includes('fall')) throw new Error('fell');
    return null;
  };
  const { faults } = await fuzz(falling(check), { count: 2_000, seed: 1 });
  expect(faults).toEqual([{ what: 'threw Error: fell', text: 'fall' }]);
});

test('a slow call is found, shortened and reported once', async () => {
  const spin = (text: string) => {
    const until = text.includes('fall') ? process.cpuUsage().user + 60_000 : 0;
    while (process.cpuUsage().user < until);
    return null;
  };
  const { faults } = await fuzz({ ...falling(spin), seeds: ['one', 'falls'] }, { count: 2, seed: 1 });
  expect(faults).toEqual([{ what: expect.stringMatching(/^took \d+ ms$/), text: 'fall' }]);
});

test('an answer that contradicts the model is a fault too', async () => {
  const { faults } = await fuzz(
    falling((text) => (text.startsWith('fall') ? 'is allowed' : null)),
    { count: 2_000, seed: 1 },
  );
  expect(faults).toEqual([{ what: 'is allowed', text: 'fall' }]);
});

test('a fault is reported when it is found, and one that stops the run has its report', async () => {
  const stopping = new AbortController();
  const told: unknown[] = [];
  const check = (text: string) => (text.includes('fall') ? 'fell' : null);
  const report = await fuzz(falling(check), {
    count: 1_000_000,
    seed: 1,
    tell: (fault) => {
      told.push(fault);
      setTimeout(() => stopping.abort());
    },
    stop: stopping.signal,
  });
  expect(told).toEqual(report.faults);
  expect(report.faults).toHaveLength(1);
  expect(report.ran).toBeLessThan(1_000_000);
});

test('an exception after a call is found', async () => {
  const check = (text: string) => {
    if (text.includes('fall')) setImmediate(() => fallBehind(text));
    return null;
  };
  const { faults } = await fuzz(falling(check), { count: 2_000, seed: 1 });
  expect(faults).toHaveLength(1);
  expect(faults[0]?.what).toBe('thrown outside of the call: Error: fell behind');
});

test('the same seed makes the same texts', () => {
  const made = () => {
    const pick = random(5);
    return Array.from({ length: 50 }, () => mutate(['a b', 'c'], ['d'], pick));
  };
  expect(made()).toEqual(made());
});

test('the shortest failing text is found', async () => {
  expect(await minimise(`${'x'.repeat(99)}a${'y'.repeat(99)}b`, async (text) => /a.*b/.test(text))).toBe('ab');
});
