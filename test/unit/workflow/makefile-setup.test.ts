// The target that setup adds to a Makefile. It changes nothing else in the file, and creates no Makefile.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { makefileStep } from '../../../src/app/setup/setup.ts';
import { makeFolder } from '../../support/folder-project.ts';

/** What make would run for `policy-test`. */
const made = (root: string) =>
  execFileSync('make', ['-n', 'policy-test', 'MODES=/bin/modes'], { cwd: root, encoding: 'utf8' }).trim().split('\n').at(-1);

test.each([
  ['an empty one', ''],
  ['targets', 'all:\n\techo all\n'],
  ['no line end', 'all:\n\techo all'],
  ['a line that goes on', 'SOURCES = a \\\n  b \\'],
  [
    'the word elsewhere',
    '.PHONY: policy-test\n# policy-test: a comment\nall: policy-test\npolicy-test := x\npolicy-tests:\n\techo no\n',
  ],
])('with %s the target is added, and make finds it', (_, before) => {
  const root = makeFolder();
  fs.writeFileSync(path.join(root, 'Makefile'), before);
  const step = makefileStep(root)!;
  expect(step).toMatchObject({ before, kind: 'change', file: path.join(root, 'Makefile') });
  expect(step.text.startsWith(before)).toBe(true);
  fs.writeFileSync(step.file, step.text);
  expect(made(root)).toBe('/bin/modes policy test');
  expect(makefileStep(root)).toBeNull();
});

test.each(['policy-test:\n\techo mine\n', 'a policy-test b: c\n\techo mine\n', 'policy-test :: c\n', 'policy-test: x = 1\n'])(
  'a target of that name is left alone: %j',
  (text) => {
    const root = makeFolder();
    fs.writeFileSync(path.join(root, 'Makefile'), text);
    expect(makefileStep(root)).toBeNull();
  },
);

test('a project without a Makefile gets none', () => expect(makefileStep(makeFolder())).toBeNull());

test('the file that make itself uses is changed', () => {
  const root = makeFolder();
  fs.writeFileSync(path.join(root, 'Makefile'), 'a:\n');
  fs.writeFileSync(path.join(root, 'GNUmakefile'), 'b:\n');
  expect(makefileStep(root)?.file).toBe(path.join(root, 'GNUmakefile'));
});

test('a Makefile that is a link, or a folder, is not written', () => {
  const root = makeFolder();
  fs.symlinkSync('/nonexistent/Makefile', path.join(root, 'Makefile'));
  expect(makefileStep(root)).toBeNull();
  fs.rmSync(path.join(root, 'Makefile'));
  fs.mkdirSync(path.join(root, 'Makefile'));
  expect(makefileStep(root)).toBeNull();
});
