// When a server that failed is asked again.
import { expect, test } from 'vitest';
import { Breaker } from '../../../src/policy/remote/breaker.ts';

/** Opened at this time, by failures in a row. */
function opened(random: number, now = 0): Breaker {
  const breaker = new Breaker(() => random);
  for (let i = 0; i < 3; i++) breaker.failed(now, 'it answers 500');
  return breaker;
}

test('three failures in a row open it, and a success among them resets the count', () => {
  const breaker = new Breaker(() => 0);
  expect([breaker.failed(0, 'it answers 500'), breaker.failed(0, 'it answers 500')]).toEqual([false, false]);
  breaker.succeeded();
  expect([breaker.failed(0, 'it answers 500'), breaker.failed(0, 'it answers 500'), breaker.state(0)]).toEqual([
    false,
    false,
    'closed',
  ]);
  expect([breaker.failed(0, 'it answers 500'), breaker.state(0)]).toEqual([true, 'open']);
});

test.each([
  [0, 500],
  [0.5, 750],
  [1, 1_000],
])('with the random number %d a test is due after %d ms, for one request', (chance, ms) => {
  const breaker = opened(chance);
  expect([breaker.state(ms - 1), breaker.state(ms)]).toEqual(['open', 'due']);
  breaker.try(ms);
  expect(breaker.state(ms)).toBe('trying');
  breaker.succeeded();
  expect(breaker.state(ms)).toBe('closed');
});

test('each failed test doubles the pause, up to a minute', () => {
  const breaker = opened(1);
  let now = 0;
  const pauses: number[] = [];
  for (let round = 0; round < 8; round++) {
    const since = now;
    while (breaker.state(now) === 'open') now += 500;
    pauses.push(now - since);
    breaker.try(now);
    expect(breaker.failed(now, 'it answers 500')).toBe(true);
  }
  expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
});

test('a late failure of an earlier request does not extend the pause', () => {
  const breaker = opened(1);
  expect([breaker.failed(999, 'it answers 500'), breaker.state(1_000)]).toEqual([false, 'due']);
});

test('the next request replaces a test without an answer', () => {
  const breaker = opened(0);
  breaker.try(600);
  expect([breaker.state(5_599), breaker.state(5_600)]).toEqual(['trying', 'due']);
});
