// What custom policies tell the model.
import { describe, expect, test } from 'vitest';
import { readContexts } from '../../../src/engine/policies.ts';

const said = (value: unknown, name = 'p') => ({ name, value, file: `${name}.rego`, line: 3 });

describe('contexts of policies', () => {
  test('are their texts, each once, in a fixed order', () => {
    expect(readContexts([said('b'), said('a'), said('b', 'q'), said(' ')])).toEqual(['a', 'b']);
    expect(readContexts([])).toEqual([]);
  });

  test('that are not texts are reported', () => {
    expect(readContexts([said({ reason: 'x' })])).toEqual(['A context of the policy p (p.rego:3) is not a string.']);
  });

  test('are bounded, each and together', () => {
    expect(readContexts([said('x'.repeat(5_000))])).toEqual([`${'x'.repeat(1_000)}…`]);
    const many = readContexts(Array.from({ length: 50 }, (_, at) => said(`${at} ${'y'.repeat(200)}`)));
    expect(many.join('').length).toBeLessThan(2_100);
    expect(many.at(-1)).toBe('(More contexts of policies do not fit here.)');
  });

  test('of an unknown form are an error', () => {
    expect(() => readContexts({})).toThrow('not a list');
  });
});
