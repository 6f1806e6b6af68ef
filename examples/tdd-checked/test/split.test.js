import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitBill } from '../src/split.js';

test('a bill that divides evenly is split evenly', () => {
  assert.deepEqual(splitBill(900, 3), [300, 300, 300]);
});

test('one person pays everything', () => {
  assert.deepEqual(splitBill(1234, 1), [1234]);
});

// The test for a bill that does not divide evenly would go here.
