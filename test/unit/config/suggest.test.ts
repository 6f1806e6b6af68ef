// "Did you mean": near enough to help, never far enough to confuse.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countEdits, nearest } from '../../../src/platform/nearest-name.ts';

/** Optimal string alignment by its definition, without a table. */
function countSlowly(left: string, right: string): number {
  if (left === '' || right === '') return left.length + right.length;
  const [a, b] = [left.slice(0, -1), right.slice(0, -1)];
  const [x, y] = [left.at(-1), right.at(-1)];
  const ways = [countSlowly(a, right) + 1, countSlowly(left, b) + 1, countSlowly(a, b) + (x === y ? 0 : 1)];
  if (left.length > 1 && right.length > 1 && x === b.at(-1) && y === a.at(-1))
    ways.push(countSlowly(a.slice(0, -1), b.slice(0, -1)) + 1);
  return Math.min(...ways);
}

describe('the number of edits between two names', () => {
  it.each([
    ['', '', 0],
    ['deny', 'deny', 0],
    ['', 'deny', 4],
    ['dney', 'deny', 1],
    ['den', 'deny', 1],
    ['denny', 'deny', 1],
    ['demy', 'deny', 1],
    ['allow', 'ask', 4],
  ])('from %j to %j is %i', (left, right, edits) => {
    expect(countEdits(left, right)).toBe(edits);
    expect(countEdits(right, left)).toBe(edits);
  });

  it('matches the definition', () => {
    const name = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 5 });
    fc.assert(
      fc.property(name, name, (left, right) => {
        expect(countEdits(left, right)).toBe(countSlowly(left, right));
      }),
    );
  });

  it('is the same up to a limit, and more than that beyond it', () => {
    const name = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 7 });
    fc.assert(
      fc.property(name, name, fc.nat(4), (left, right, most) => {
        const edits = countEdits(left, right);
        const counted = countEdits(left, right, most);
        if (edits <= most) expect(counted).toBe(edits);
        else expect(counted).toBeGreaterThan(most);
      }),
    );
  });
});

describe('the nearest name', () => {
  const keys = ['to', 'constraint', 'approve', 'allow', 'ask', 'deny', 'default', 'transitions', 'test-dev'];
  it.each([
    ['constrain', 'constraint'],
    ['contraint', 'constraint'],
    ['Constraint', 'constraint'],
    ['TRANSITION', 'transitions'],
    ['transtions', 'transitions'],
    ['testdev', 'test-dev'],
    ['test_dev', 'test-dev'],
    ['defualt', 'default'],
    ['alow', 'allow'],
    ['aks', 'ask'],
    ['too', 'to'],
    ['DENY', 'deny'],
  ])('to %s is %s', (name, expected) => {
    expect(nearest(name, keys)).toBe(expected);
  });

  it.each(['', 'x', 'hooks', 'permissions', 'zzzzzzzzzz', 'constructor', 'a'.repeat(10_000)])('to %s is none', (name) => {
    expect(nearest(name, keys)).toBeNull();
  });

  it('is none without candidates, or if all of them are too long', () => {
    expect(nearest('deny', [])).toBeNull();
    expect(nearest('deny', ['d'.repeat(10_000)])).toBeNull();
  });

  it('is the first of those that are equally near, and the same whatever their case', () => {
    expect(nearest('bat', ['cat', 'rat'])).toBe('cat');
    expect(nearest('idle', ['Idle'])).toBe('Idle');
  });

  it('is always one of the candidates', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string()), (name, candidates) => {
        const found = nearest(name, candidates);
        expect(found === null || candidates.includes(found)).toBe(true);
      }),
    );
  });
});
