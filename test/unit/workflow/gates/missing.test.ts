// A gate is reported if its command needs a folder, a file, a script or a target that does not exist.
import fs from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Requirement } from '../../../../src/model/requirement.ts';
import { missingFor } from '../../../../src/workflow/gates/missing.ts';
import { forFile } from '../../../support/cleanup.ts';
import { makeTree, type Tree } from '../../../support/tree.ts';

let tree: Tree;
beforeAll(async () => {
  tree = await forFile(makeTree);
  tree.file('package.json', '{"scripts": {"build": "tsc", "test": "vitest", "test:unit": "vitest"}}');
  tree.file('packages/a/package.json', '{"scripts": {"check": "tsc"}}');
  tree.file('packages/b/Makefile', 'include ../common.mk\nall:\n');
  tree.file('packages/c/package.json', '{}');
  tree.file('packages/c/node_modules/.bin/vitest', '');
  tree.file('packages/d/package.json', '{');
  tree.file('scripts/run.sh', '');
  tree.file('test/a.py', '');
  tree.file('Makefile', 'CC := gcc\nall check: build\n\tmake $(X)\nbuild:: ; true\n.PHONY: all\n# old: x\n');
  tree.file('justfile', 'set shell := ["bash", "-c"]\n@lint arg="x":\n  eslint\ntest: lint\n  vitest\n');
});

const said = (command: string, folder: string | null) =>
  missingFor({ check: 'passes', command, in: folder } as Requirement, tree.root);

describe('is reported [w:gate.missing]', () => {
  test.each<[command: string, folder: string | null, why: string]>([
    ['npm run nosuch', null, 'package.json has no script nosuch'],
    ['npm run nosuch -- --silent', null, 'package.json has no script nosuch'],
    ['npm run --silent nosuch:*', null, 'package.json has no script nosuch'],
    ['npm run toString', null, 'package.json has no script toString'],
    ['pnpm run nosuch', null, 'package.json has no script nosuch'],
    ['yarn run nosuch', 'packages/c', 'packages/c/package.json has no script nosuch'],
    ['npm test', 'packages/a', 'packages/a/package.json has no script test'],
    ['npm test', 'packages/b', 'there is no packages/b/package.json'],
    ['npm test', 'packages/nosuch', 'there is no folder packages/nosuch'],
    ['pytest', 'packages/nosuch', 'there is no folder packages/nosuch'],
    ['pytest', 'Makefile', 'there is no folder Makefile'],
    ['./scripts/missing.sh', null, 'there is no file scripts/missing.sh'],
    ['scripts/missing.sh --all', null, 'there is no file scripts/missing.sh'],
    ['bash scripts/missing.sh', null, 'there is no file scripts/missing.sh'],
    ['bash -c scripts/missing.sh', null, 'there is no file scripts/missing.sh'],
    ['timeout 5 ./scripts/missing.sh', null, 'there is no file scripts/missing.sh'],
    ['node test/b.js', null, 'there is no file test/b.js'],
    ['python3 test/b.py', null, 'there is no file test/b.py'],
    ['make nosuch', null, 'Makefile has no target nosuch'],
    ['make -k check nosuch', null, 'Makefile has no target nosuch'],
    ['make old', null, 'Makefile has no target old'],
    ['make CC', null, 'Makefile has no target CC'],
    ['make all', 'packages/a', 'there is no packages/a/Makefile'],
    ['just nosuch', null, 'justfile has no target nosuch'],
    ['just shell', null, 'justfile has no target shell'],
  ])('%s in %s', (command, folder, why) => expect(said(command, folder)).toBe(why));
});

describe('is not reported [w:gate.missing]', () => {
  test.each<[command: string, folder: string | null]>([
    ['npm run build', null],
    ['npm run test:unit', null],
    ['npm run test:*', null],
    ['npm test', null],
    ['npm run nosuch --if-present', null],
    ['npm run nosuch --prefix packages/a', null],
    ['npm run check -w packages/a', null],
    ['npm run check', 'packages/a'],
    ['npm run build', 'packages/d'],
    ['npm run *', null],
    ['npm ci', null],
    ['yarn vitest', null],
    ['yarn run vitest', null],
    ['yarn run vitest', 'packages/c'],
    ['bun test', null],
    ['bun run test/a.py', null],
    ['pnpm vitest', null],
    ['cd packages/a && npm run check', null],
    ['./run.sh', 'scripts'],
    ['bash scripts/run.sh', null],
    ['python3 -m unittest', null],
    ['make', null],
    ['make check', null],
    ['make build', null],
    ['make scripts', null],
    ['make nosuch', 'packages/b'],
    ['make -C packages/a nosuch', null],
    ['make -f other.mk nosuch', null],
    ['make V=1 all', null],
    ['make -j 4 all', null],
    ['just lint', null],
    ['just test', null],
    ['just', null],
    ['cargo test', null],
    ['pytest test/nosuch.py', null],
  ])('%s in %s', (command, folder) => expect(said(command, folder)).toBeNull());
});

test('a pipe in place of package.json is not waited for [w:gate.missing]', () => {
  const name = `${tree.root}/packages/e`;
  fs.mkdirSync(name);
  fs.symlinkSync('/dev/zero', `${name}/package.json`);
  expect(said('npm run nosuch', 'packages/e')).toBeNull();
});
