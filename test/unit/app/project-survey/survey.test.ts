// What a survey finds in projects of many kinds.
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readProject, surveyLimits } from '../../../../src/app/project-survey/files.ts';
import { commandOf, surveyLines, surveyProject } from '../../../../src/app/project-survey/survey.ts';
import { putFile } from '../../../support/files.ts';
import { makeFolder } from '../../../support/folder-project.ts';
import { shapes } from './shapes.ts';

function folderWith(files: { readonly [name: string]: string }): string {
  const root = makeFolder();
  for (const [name, text] of Object.entries(files)) putFile(path.join(root, name), text);
  return root;
}

const surveyOf = (files: { readonly [name: string]: string }) => surveyProject(readProject(folderWith(files)));
const testOf = (files: { readonly [name: string]: string }) => {
  const found = commandOf(surveyOf(files), 'test');
  return found === null ? null : [found.text, found.runner];
};

test.each(Object.entries(shapes))('%s', (_, shape) => {
  const survey = surveyOf(shape.files);
  const command = commandOf(survey, 'test');
  expect({
    managers: survey.managers.map(({ name }) => name),
    test: command?.text ?? null,
    runner: command?.runner ?? null,
    others: survey.commands.filter(({ kind }) => kind !== 'test').map(({ text }) => text),
    packages: survey.workspaces.map(({ pattern }) => pattern),
    sources: survey.sources.map(({ glob }) => glob),
    tests: survey.tests.map(({ glob }) => glob),
    guarded: survey.guarded.map(({ glob }) => glob),
  }).toEqual({
    managers: shape.managers,
    test: shape.test,
    runner: shape.runner,
    others: shape.others,
    packages: shape.packages ?? [],
    sources: shape.sources,
    tests: shape.tests,
    guarded: shape.guarded ?? [],
  });
});

test('sensitive settings in code are guarded wherever they are', () => {
  const files = { Gemfile: 'gem "rails"\n', 'config/initializers/devise.rb': '', 'config/initializers/assets.rb': '' };
  expect(surveyOf(files).guarded).toEqual([
    { group: 'security', glob: '/config/initializers/devise.rb', files: ['config/initializers/devise.rb'] },
  ]);
});

describe('the test command', () => {
  const script = (text: string) => ({ 'package.json': JSON.stringify({ scripts: { test: text } }) });

  test.each<[string, { [name: string]: string }, [string, string | null] | null]>([
    ['is the script whose runner a gate can read', script('tsc && vitest run'), ['npm test', 'vitest']],
    ['is none for the script that npm writes into a new package', script('echo "Error: no test specified" && exit 1'), null],
    ['has no runner if the script starts an unknown program', script('./check.sh'), ['npm test', null]],
    ['has no runner if several runners start', script('vitest run && jest'), ['npm test', null]],
    [
      'is the runner in the root if the script runs several packages',
      { 'package.json': '{"scripts": {"test": "turbo test"}, "devDependencies": {"jest": "^30"}}' },
      ['npx jest', 'jest'],
    ],
    [
      'runs all packages if only they have scripts',
      {
        'package.json': '{"workspaces": ["a"]}',
        'pnpm-lock.yaml': '',
        'a/package.json': '{"scripts": {"test": "vitest"}}',
      },
      ['pnpm -r run test', null],
    ],
    [
      'is a target of the Makefile if nothing else is found',
      { Makefile: 'all: test\n\ntest: a.c\n\t./a\n' },
      ['make test', null],
    ],
    [
      'is a recipe of the justfile, also with parameters',
      { justfile: 'set shell := ["bash", "-c"]\nversion := "1"\n\n@test *args: build\n    cargo test {{args}}\n' },
      ['just test', null],
    ],
    [
      'is a task of the Taskfile',
      { 'Taskfile.yml': "version: '3'\ntasks:\n  build:\n    cmds: [x]\n  test:\n    cmds: [y]\n" },
      ['task test', null],
    ],
    ...(
      [
        ['Package.swift', '', 'swift test'],
        ['pubspec.yaml', 'dependencies:\n  flutter:\n    sdk: flutter\n', 'flutter test'],
        ['pubspec.yaml', 'name: a\n', 'dart test'],
        ['build.sbt', '', 'sbt test'],
        ['deps.edn', '{:aliases {:test {}}}', 'clojure -M:test'],
        ['stack.yaml', '', 'stack test'],
        ['CMakeLists.txt', 'enable_testing()\n', 'ctest --test-dir build'],
        ['meson.build', "test('a', exe)\n", 'meson test -C build'],
        ['pyproject.toml', '[tool.hatch.version]\npath = "a.py"\n', 'hatch test'],
        ['DESCRIPTION', 'Package: a\nSuggests:\n    testthat (>= 3.0.0)\n', "Rscript -e 'testthat::test_local()'"],
        ['tests/testthat/test-a.R', '', 'Rscript -e \'testthat::test_dir("tests/testthat")\''],
        ['tests/test_a.R', 'testthat::test_that("a", 1)\n', 'Rscript -e \'testthat::test_dir("tests")\''],
      ] as const
    ).map(([file, text, command]): [string, Record<string, string>, [string, null]] => [
      `is ${command} with ${file}`,
      { [file]: text },
      [command, null],
    ]),
    ['is no variable of the justfile', { justfile: 'test := "1"\n' }, null],
    ['is none in an empty folder', {}, null],
    [
      'follows what the project declares, before lock files of other managers',
      { 'package.json': '{"packageManager": "yarn@4.6.0", "scripts": {"test": "jest"}}', 'package-lock.json': '{}' },
      ['yarn test', 'jest'],
    ],
    [
      'belongs to the language with the most sources',
      { 'package.json': '{"scripts": {"test": "jest"}}', 'a.js': '', 'go.mod': '', 'a.go': '', 'b.go': '' },
      ['go test -v ./...', 'go'],
    ],
    [
      'is cargo nextest where it is set up',
      { 'Cargo.toml': '[package]\n', '.config/nextest.toml': '' },
      ['cargo nextest run', 'nextest'],
    ],
    [
      'of a package with members runs them all',
      { 'Cargo.toml': '[package]\nname = "a"\n\n[workspace]\nmembers = ["b"]\n' },
      ['cargo test --workspace', 'cargo'],
    ],
    ['is the wrapper of the project', { 'pom.xml': '', mvnw: '' }, ['./mvnw test', 'maven']],
    ['is the program without a wrapper', { 'pom.xml': '' }, ['mvn test', 'maven']],
    [
      'is that of unittest where tests use it',
      { 'setup.py': '', 'test_a.py': 'import unittest\n' },
      ['python -m unittest -v', 'unittest'],
    ],
  ])('%s', (_, files, expected) => {
    expect(testOf(files)).toEqual(expected);
  });
});

describe('the list of files', () => {
  test('leaves out links, packages of others and generated files', () => {
    const outside = folderWith({ 'secret.test.js': '' });
    const root = folderWith({
      'a.js': '',
      'node_modules/x/a.test.js': '',
      'vendor/a.js': '',
      'target/a.rs': '',
      '.venv/lib/a.py': '',
      '.git/config': '',
      '.github/workflows/ci.yml': '',
    });
    fs.symlinkSync(outside, path.join(root, 'linked'));
    fs.symlinkSync(path.join(outside, 'secret.test.js'), path.join(root, 'linked.test.js'));
    expect(readProject(root).names).toEqual(['a.js', '.github/workflows/ci.yml']);
    expect(readProject(root).text('linked.test.js')).toBeNull();
  });

  test.each([
    ['entries', { entries: 3 }],
    ['folders', { folders: 2 }],
    ['depth', { depth: 1 }],
  ])('ends at its limit of %s, and reports it', (_, limit) => {
    const root = folderWith({ 'a.js': '', 'b/c/d.js': '', 'b/c/e.js': '', 'b/c/f/g.js': '' });
    const cut = readProject(root, { ...surveyLimits, ...limit });
    expect(cut.isCut).toBe(true);
    expect(cut.names).toContain('a.js');
    expect(cut.names).not.toContain('b/c/f/g.js');
    expect(surveyLines(surveyProject(cut)).at(-1)).toMatch(/^not complete +the project has more files/);
    expect(readProject(root).isCut).toBe(false);
  });

  test('reads no text above the limit', () => {
    const root = folderWith({ 'package.json': '{}' });
    expect(readProject(root, { ...surveyLimits, bytes: 1 }).text('package.json')).toBeNull();
  });
});

test('damaged manifests are read as empty ones', () => {
  const survey = surveyOf({
    'package.json': '{"scripts": {"test": 1}, "workspaces": 7',
    'pnpm-workspace.yaml': 'packages: [a\n',
    'Cargo.toml': '[workspace\nmembers = "',
    'go.work': 'use',
    'tests/a.js': '',
  });
  expect(survey.managers.map(({ name }) => name)).toEqual(['pnpm', 'go', 'cargo']);
  expect(survey.workspaces).toEqual([]);
});

test('the lines name each thing with the file that shows it', () => {
  const lines = surveyLines(surveyOf((shapes['pnpm monorepo with a script in the root'] as (typeof shapes)[string]).files));
  expect(lines).toEqual([
    'package manager  pnpm  (package.json)',
    'packages         apps/*  (1), libs/ui  (1)',
    'tests            pnpm test  (vitest, package.json)',
    'lint             pnpm run lint  (package.json)',
    'type check       pnpm run typecheck  (package.json)',
    'sources          apps/*/app/**, libs/ui/src/**',
    'test files       **/e2e/**, *.spec.*',
  ]);
});
