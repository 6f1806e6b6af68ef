// Extents with more below them than is looked through; the limit is lowered, for making so many files takes long.
import { expect, test, vi } from 'vitest';
import { pathAccess } from '../../../src/facts/paths/access.ts';
import { noInterest } from '../../support/call.ts';
import { makeTree } from '../../support/tree.ts';

vi.mock('../../../src/facts/paths/below.ts', async (load) => ({
  ...(await load<typeof import('../../../src/facts/paths/below.ts')>()),
  maxNames: 10,
}));

const rows: [count: number, kind: 'read' | 'write', path: string, extent: 'deep' | 'glob', unseen: boolean][] = [
  [10, 'write', 'p', 'deep', false],
  [11, 'write', 'p', 'deep', true],
  [10, 'read', 'p', 'deep', false],
  [11, 'read', 'p', 'deep', true],
  [4, 'write', '*', 'glob', false],
  [11, 'write', '*', 'glob', true],
  [11, 'read', '*', 'glob', true],
];

test.each(rows)(
  '%s names below, a %s of %s (%s): as if a rule matched: %s [s:extent.many]',
  (count, kind, name, extent, unseen) => {
    const tree = makeTree();
    for (let i = 0; i < count; i++) tree.file(`p/${i}`);
    const access = pathAccess(
      { kind, path: `${tree.root}/${name}`, extent, via: 'Grep', command: null, implied: false },
      {
        place: tree.place(),
        pathFilter: { ...noInterest, hasReadRestriction: true, hasWriteRestriction: true },
        own: { read: [], write: [] },
      },
    );
    expect(access.unseen ?? false).toBe(unseen);
    expect(access.protection?.effect ?? null).toBe(unseen && kind === 'write' ? 'deny' : null);
  },
);
