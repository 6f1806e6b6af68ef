// Links that rules speak of: looked for now and then, followed for every call.
import fs from 'node:fs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { linkedOnce } from '../../../src/facts/paths/linked.ts';
import { diskLinks } from '../../../src/facts/paths/resolve.ts';
import { makeTree, type Tree } from '../../support/tree.ts';

let tree: Tree;
const places = { readPlaces: ['current', 'plain/a'], writePlaces: [] };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  tree = makeTree();
  for (const name of ['releases/1/a', 'releases/2/a', 'plain/a']) tree.file(name, 'x\n');
});
afterEach(() => {
  vi.useRealTimers();
});

/** Where the links lead, as a call finds it. */
const found = (kind: 'read' | 'write' = 'read'): string[] =>
  linkedOnce(places, tree.place(), diskLinks)(kind).map(({ name, real }) => `${name} -> ${real}`.replaceAll(tree.root, ''));

test('a link that is created later is found a second later', () => {
  expect(found()).toEqual([]);
  tree.link('current', 'releases/1');
  expect(found()).toEqual([]);
  vi.advanceTimersByTime(1_001);
  expect(found()).toEqual(['/current -> /releases/1']);
  expect(found('write')).toEqual([]);
});

test('a known link is followed by every call', () => {
  tree.link('current', 'releases/1');
  vi.advanceTimersByTime(1_001);
  expect(found()).toEqual(['/current -> /releases/1']);
  fs.rmSync(`${tree.root}/current`);
  expect(found()).toEqual([]);
  tree.link('current', 'releases/2');
  expect(found()).toEqual(['/current -> /releases/2']);
});

test('links are searched separately for each project', () => {
  expect(found()).toEqual([]);
  tree = makeTree();
  tree.file('releases/1/a', 'x\n');
  tree.link('current', 'releases/1');
  expect(found()).toEqual(['/current -> /releases/1']);
});
