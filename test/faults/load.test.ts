// The server under load, in the small; `make faults` does the same at its full size and writes what it took.
import { expect, test } from 'vitest';
import { maxConnections } from '../../src/adapters/socket/socket.ts';
import { crowd, endure } from './load.ts';

test('every decision of eight clients is answered', async () => {
  expect((await endure(2_000)).decisions).toBe(2_000);
});

test('a thousand idle connections and fifty slow ones delay no decision, and their number is limited', async () => {
  const { answered, held, kept } = await crowd(1_000, 50, 50);
  expect(answered).toBe(50);
  expect(held).toBe(1_050);
  expect(kept).toBeLessThanOrEqual(maxConnections);
});
