// What is asked of a repository without git.
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { currentBranch } from '../../../../src/git/run.ts';
import { pipe } from '../../../support/pipe.ts';
import { makeTree } from '../../../support/tree.ts';

test('a HEAD that is a pipe does not block, and names no branch', () => {
  const tree = makeTree();
  tree.file('.git/HEAD', 'ref: refs/heads/main\n');
  expect(currentBranch(tree.root)).toBe('main');
  fs.rmSync(path.join(tree.root, '.git/HEAD'));
  pipe(path.join(tree.root, '.git/HEAD'), 'ref: refs/heads/other\n');
  expect(currentBranch(tree.root)).toBe(null);
});
