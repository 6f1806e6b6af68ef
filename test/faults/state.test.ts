// State under fire, in the small; `make faults` does the same at its full size.
import { expect, test } from 'vitest';
import { crowd, massacre } from './state.ts';

test('eight parallel processes lose no acknowledged change, and one wins each number [w:transition.race]', async () => {
  expect(await crowd(8, 40)).toEqual({ acknowledged: 320, entries: 320, kills: 0, wrong: [] });
});

test('processes killed while they change the mode leave nothing torn, lost or locked [w:state.atomic]', async () => {
  const seed = Math.floor(Math.random() * 2 ** 32);
  const { kills, entries, acknowledged, wrong } = await massacre(60, seed);
  expect(wrong, `seed ${seed}`).toEqual([]);
  expect(kills).toBe(60);
  expect(acknowledged).toBeGreaterThan(60);
  expect(entries).toBeGreaterThanOrEqual(acknowledged);
});
