// What every call goes through makes no hidden classes: each goes straight to where only a full collection takes it back.
import v8 from 'node:v8';
import vm from 'node:vm';
import { expect, test } from 'vitest';
import { answerText, hookAnswer } from '../../../src/engine/answer.ts';
import { eventOf, makeFixture } from '../../bench/fixture.ts';
import { mix } from '../../bench/mix.ts';
import { afterTest } from '../../support/cleanup.ts';

/** Calls before anything is counted, so that their code is compiled, and in each count. */
const WARM = 1_500;
const COUNTED = 1_000;
/**
 * Bytes of the old generation that one call may take before a full collection. A call takes 300 to 1,250 and a full collection frees
 * all of them, so no cache or leak grows; a hidden class for each call takes more than this bound.
 */
const MOST = 1_600;

v8.setFlagsFromString('--expose-gc');
const collect: () => void = vm.runInNewContext('gc');
const held = () => v8.getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')!.space_used_size;

/** Bytes that stay of one call, by the least of some counts: what else runs in this process counts as well. */
function keptOf(call: () => void): number {
  for (let turn = 0; turn < WARM; turn++) call();
  let least = Infinity;
  for (let count = 0; count < 5 && least > MOST; count++) {
    collect();
    const before = held();
    for (let turn = 0; turn < COUNTED; turn++) call();
    least = Math.min(least, (held() - before) / COUNTED);
  }
  return least;
}

test('the test itself counts one class for each call', () => {
  let made = 0;
  let last: object = {};
  const kept = keptOf(() => {
    last = Object.fromEntries(Array.from({ length: 40 }, () => [`c${made++}`, made]));
  });
  expect(Object.keys(last)).toHaveLength(40);
  expect(kept).toBeGreaterThan(MOST);
});

test('a decision adds none', async () => {
  const fixture = makeFixture();
  afterTest(() => fixture.remove());
  const project = await fixture.open();
  for (const { tool, input } of mix) {
    // What is remembered of a text stays as well: each call is about the same.
    const text = eventOf(fixture.root, tool, input(fixture.root, 0));
    const kept = keptOf(() => void answerText(hookAnswer(project.decideText(text), false)));
    expect(kept, `${tool}: ${text}`).toBeLessThan(MOST);
  }
});
