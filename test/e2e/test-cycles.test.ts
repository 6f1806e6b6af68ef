// The honest cycle of a failing test and its fix, in projects of several shapes, with real runners in the real client.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { approve } from './approve.ts';
import { pluginFolder, SYSTEM_PATH, session } from './client.ts';
import { go } from './mode.ts';
import { bash, type Turn } from './model.ts';
import { makePlace, type Place } from './place.ts';
import {
  answers,
  apply,
  cache,
  cargo,
  changed,
  gatesFor,
  golang,
  hasGradle,
  installed,
  mavenProject,
  python,
  rustEnvironment,
  type Suite,
} from './test-suites.ts';

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

const nodeFolder = path.dirname(process.execPath);
const addJs = (result: string): string => `exports.add = (a, b) => ${result};\n`;
const jestTest = "const { add } = require('../src/add.js');\ntest('adds one', () => expect(add(1, 1)).toBe(2));\n";
const jestBase = "test('is there', () => expect(1).toBe(1));\n";
const mochaTest =
  "const assert = require('node:assert');\nconst { add } = require('../src/add.js');\nit('adds one', () => assert.equal(add(1, 1), 2));\n";
const nodeTest = (from: string): string =>
  `const test = require('node:test');\nconst assert = require('node:assert');\nconst { add } = require('${from}');\ntest('adds one', () => assert.equal(add(1, 1), 2));\n`;
const manifest = (name: string, script: string): string =>
  `{"name":"${name}","version":"1.0.0","scripts":{"test":"${script}"}}\n`;
const crate = (name: string): string => `[package]\nname = "${name}"\nversion = "0.1.0"\nedition = "2021"\n`;
const rust = (result: string): string => `pub fn add(a: i32, b: i32) -> i32 { ${result} }\n`;
const rustTest = '#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds_one() { assert_eq!(super::add(1, 1), 2); }\n}\n';

const javaSource = (result: string): string =>
  `package a;\npublic class A { public static int add(int a, int b) { return ${result}; } }\n`;
const javaTest = (name: string, test: string, values: string): string =>
  `package a;\nimport org.junit.jupiter.api.*;\nclass ${name} { @Test void ${test}() { Assertions.assertEquals(${values}); } }\n`;

const workspace = {
  'package.json': '{"name":"all","private":true,"workspaces":["packages/*"]}\n',
  'packages/a/package.json': manifest('a', 'node --test'),
  'packages/b/package.json': manifest('b', 'node --test'),
  'packages/b/test/b.test.js': "require('node:test').test('is there', () => undefined);\n",
  'packages/a/src/add.js': addJs('0'),
};

const junit4 = (name: string, test: string, values: string): string =>
  `package a;\nimport org.junit.*;\npublic class ${name} { @Test public void ${test}() { Assert.assertEquals(${values}); } }\n`;

interface Shape extends Suite {
  shape: string;
  /** False: its runner is not on this machine. */
  isHere?: boolean;
  /** `modes init` would choose another command. */
  isOnlyCycle?: boolean;
  /** A package of npm that is the runner. */
  needs?: [name: string, version: string];
}

const everyShape: Shape[] = [
  {
    shape: 'Jest',
    runner: 'Jest',
    command: 'npm test',
    path: [nodeFolder],
    needs: ['jest', '30.5.2'],
    files: {
      'package.json': manifest('a', 'jest --verbose --reporters=default'),
      'src/add.js': addJs('0'),
      'test/base.test.js': jestBase,
    },
    failing: { 'test/add.test.js': jestTest },
    fix: { 'src/add.js': addJs('a + b') },
    title: 'adds one',
  },
  {
    shape: 'Mocha',
    runner: 'Mocha',
    command: 'npm test',
    path: [nodeFolder],
    needs: ['mocha', '11.7.5'],
    files: {
      'package.json': manifest('a', 'mocha'),
      'src/add.js': addJs('0'),
      'test/base.js': "it('is there', () => undefined);\n",
    },
    failing: { 'test/add.js': mochaTest },
    fix: { 'src/add.js': addJs('a + b') },
    title: 'adds one',
  },
  {
    shape: 'an npm workspace, from its root',
    runner: 'node:test',
    command: 'npm test -w packages/a',
    path: [nodeFolder],
    files: workspace,
    failing: { 'packages/a/test/add.test.js': nodeTest('../src/add.js') },
    fix: { 'packages/a/src/add.js': addJs('a + b') },
    title: 'adds one',
  },
  {
    shape: 'an npm workspace, in the folder of a package',
    runner: 'node:test',
    command: 'npm test',
    folder: 'packages/a',
    path: [nodeFolder],
    files: workspace,
    failing: { 'packages/a/test/add.test.js': nodeTest('../src/add.js') },
    fix: { 'packages/a/src/add.js': addJs('a + b') },
    title: 'adds one',
  },
  {
    shape: 'a pnpm workspace, all packages at once',
    runner: 'node:test',
    command: 'pnpm -r --no-bail test',
    isOnlyCycle: true,
    path: [nodeFolder, path.join(installed('pnpm', '9.15.9'), '.bin')],
    files: { ...workspace, 'pnpm-workspace.yaml': 'packages:\n  - packages/*\n' },
    failing: { 'packages/a/test/add.test.js': nodeTest('../src/add.js') },
    fix: { 'packages/a/src/add.js': addJs('a + b') },
    title: 'adds one',
  },
  {
    shape: 'a command with a variable and a glob',
    runner: 'node:test',
    command: 'CI=1 node --test test/*.test.js',
    isOnlyCycle: true,
    path: [nodeFolder],
    files: { 'src/add.js': addJs('0'), 'test/base.test.js': "require('node:test').test('is there', () => undefined);\n" },
    failing: { 'test/add.test.js': nodeTest('../src/add.js') },
    fix: { 'src/add.js': addJs('a + b') },
    title: 'adds one',
  },
  {
    shape: 'a Makefile, and a crate without a lockfile',
    runner: 'cargo test',
    command: 'make test',
    isOnlyCycle: true,
    path: [path.dirname(cargo)],
    env: rustEnvironment,
    files: {
      Makefile: 'test:\n\tcargo test --offline\n',
      'Cargo.toml': crate('cart'),
      'src/lib.rs': rust('0 * (a + b)'),
    },
    failing: { 'tests/cart.rs': '#[test]\nfn adds_two() { assert_eq!(cart::add(1, 1), 2); }\n' },
    fix: { 'src/lib.rs': rust('a + b') },
    title: 'adds_two',
  },
  {
    shape: 'Python with a src folder',
    runner: 'pytest',
    command: `${python} -m pytest -v`,
    env: { PYTHONDONTWRITEBYTECODE: '1' },
    files: {
      'pyproject.toml':
        '[project]\nname = "shop"\nversion = "1"\n[tool.pytest.ini_options]\npythonpath = ["src"]\ntestpaths = ["tests"]\n',
      'src/shop/__init__.py': '',
      'src/shop/cart.py': 'def add(a, b):\n    return 0\n',
    },
    failing: {
      'tests/test_cart.py':
        'import pytest\nfrom shop.cart import add\n\n@pytest.mark.parametrize("n", [1, 2])\ndef test_adds(n):\n    assert add(n, 1) == n + 1\n',
    },
    fix: { 'src/shop/cart.py': 'def add(a, b):\n    return a + b\n' },
    title: 'test_adds[1]',
  },
  {
    shape: 'a Go module with packages',
    runner: 'go test',
    command: 'go test -v ./...',
    path: [path.join(golang, 'bin')],
    env: { GOFLAGS: '-mod=mod', GOTOOLCHAIN: 'local' },
    files: {
      'go.mod': 'module example.com/shop\n\ngo 1.21\n',
      'main.go': 'package main\n\nfunc main() {}\n',
      'cart/cart.go': 'package cart\n\nfunc Add(a, b int) int { return 0 }\n',
      'tax/tax.go': 'package tax\n\nfunc Rate() int { return 19 }\n',
      'tax/tax_test.go':
        'package tax\n\nimport "testing"\n\nfunc TestRate(t *testing.T) {\n\tif Rate() != 19 {\n\t\tt.Fatal("rate")\n\t}\n}\n',
    },
    failing: {
      'cart/cart_test.go':
        'package cart\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {\n\tt.Run("one", func(t *testing.T) {\n\t\tif Add(1, 1) != 2 {\n\t\t\tt.Fatal("sum")\n\t\t}\n\t})\n}\n',
    },
    fix: { 'cart/cart.go': 'package cart\n\nfunc Add(a, b int) int { return a + b }\n' },
    title: 'one',
  },
  {
    shape: 'a Rust workspace',
    runner: 'cargo test',
    command: 'cargo test --offline --workspace',
    path: [path.dirname(cargo)],
    env: rustEnvironment,
    files: {
      'Cargo.toml': '[workspace]\nresolver = "2"\nmembers = ["crates/cart", "crates/tax"]\n',
      'Cargo.lock':
        '# This file is automatically @generated by Cargo.\n# It is not intended for manual editing.\nversion = 4\n\n[[package]]\nname = "cart"\nversion = "0.1.0"\n\n[[package]]\nname = "tax"\nversion = "0.1.0"\n',
      'crates/cart/Cargo.toml': crate('cart'),
      'crates/cart/src/lib.rs': rust('0 * (a + b)'),
      'crates/tax/Cargo.toml': crate('tax'),
      'crates/tax/src/lib.rs': rust('a + b') + rustTest,
    },
    failing: { 'crates/cart/tests/cart.rs': '#[test]\nfn adds_two() { assert_eq!(cart::add(1, 1), 2); }\n' },
    fix: { 'crates/cart/src/lib.rs': rust('a + b') },
    title: 'adds_two',
  },
  {
    shape: 'Maven',
    runner: 'Maven',
    command: 'mvn test',
    env: { MAVEN_OPTS: `-Dmaven.repo.local=${path.join(cache, 'maven')}` },
    files: {
      'pom.xml': mavenProject(),
      'src/main/java/a/A.java': javaSource('0'),
      'src/test/java/a/BaseTest.java': javaTest('BaseTest', 'isThere', '1, 1'),
    },
    failing: { 'src/test/java/a/ATest.java': javaTest('ATest', 'addsOne', '2, A.add(1, 1)') },
    fix: { 'src/main/java/a/A.java': javaSource('a + b') },
    title: 'addsOne',
  },
  {
    shape: 'Gradle with two projects',
    runner: 'Gradle',
    isHere: hasGradle,
    command: 'gradle cleanTest test',
    env: { GRADLE_USER_HOME: path.join(cache, 'gradle') },
    files: {
      'settings.gradle': "include 'cart', 'tax'\n",
      'build.gradle':
        "subprojects {\n  apply plugin: 'java'\n  repositories { flatDir { dirs '/usr/share/java' } }\n  dependencies { testCompile ':junit4', ':hamcrest-core' }\n}\n",
      'cart/src/main/java/a/A.java': javaSource('0'),
      'tax/src/test/java/a/BaseTest.java': junit4('BaseTest', 'isThere', '1, 1'),
    },
    failing: { 'cart/src/test/java/a/ATest.java': junit4('ATest', 'addsOne', '2, A.add(1, 1)') },
    fix: { 'cart/src/main/java/a/A.java': javaSource('a + b') },
    title: 'addsOne',
  },
  {
    shape: 'a Rakefile with Minitest',
    runner: 'Minitest',
    isHere: fs.existsSync('/usr/bin/rake'),
    isOnlyCycle: true,
    command: 'rake test TESTOPTS=-v',
    files: {
      Rakefile: "require 'rake/testtask'\nRake::TestTask.new { |t| t.pattern = 'test/*_test.rb' }\n",
      'lib/add.rb': 'def add(a, b) = 0\n',
      'test/base_test.rb':
        "require 'minitest/autorun'\nclass BaseTest < Minitest::Test\n  def test_is_there = assert(true)\nend\n",
    },
    failing: {
      'test/add_test.rb':
        "require 'minitest/autorun'\nrequire_relative '../lib/add'\nclass AddTest < Minitest::Test\n  def test_adds_one = assert_equal(2, add(1, 1))\nend\n",
    },
    fix: { 'lib/add.rb': 'def add(a, b) = a + b\n' },
    title: 'test_adds_one',
  },
];
const shapes = everyShape.filter(({ isHere = true }) => isHere);

const ignored = '__pycache__/\n.pytest_cache/\ntarget/\nnode_modules/\n.gradle/\nbuild/\n';

/** Writes the project and its gates. Only build results are ignored, so that everything else is watched. */
function prepare({ command, folder, files, needs }: Shape): void {
  place.write('.claude/modes.yaml', gatesFor(command, folder === undefined ? '' : `, in: ${folder}`));
  const allow = JSON.stringify({ permissions: { allow: ['Bash(**)'] } });
  for (const mode of ['red', 'green', 'done']) place.write(`.claude/settings.${mode}.json`, allow);
  place.write('.gitignore', ignored);
  if (needs) fs.symlinkSync(installed(...needs), path.join(place.project, 'node_modules'));
  apply(place, files);
}

describe.each(shapes)('$shape', (shape) => {
  test('a failing test opens the first gate and its fix the second, with one more run [w:tests.cycle]', async () => {
    const { command, folder, path: programs = [], env = {}, failing, fix, title } = shape;
    prepare(shape);
    const run = bash(command, { timeout: 110_000 });
    const enter = folder === undefined ? [] : [bash(`cd ${folder}`)];
    const ask = (mode: string): Turn => go(mode)[0] as Turn;
    const { calls } = await session({
      ...place,
      env: { PATH: [...programs, SYSTEM_PATH].join(':'), ...env },
      turns: [...enter, run, changed(place, failing, run), ask('green'), run, ask('done'), changed(place, fix, run), ask('done')],
      args: ['--allowedTools', 'Bash'],
      limit: 200_000,
    });
    const [red, unfixed, fixed] = answers(calls);
    expect([red, fixed]).toEqual(['', '']);
    expect(unfixed).toContain(title);
  }, 280_000);
});

test('a runner that prints no names: the engine runs the command itself [w:tests.cycle]', async () => {
  const shape = shapes.find(({ runner }) => runner === 'pytest') as Shape;
  const quiet = { ...shape, command: `${python} -m pytest -q` };
  prepare(quiet);
  await approve(place);
  const ask = (mode: string): Turn => go(mode)[0] as Turn;
  const { calls } = await session({
    ...place,
    env: { PATH: SYSTEM_PATH, ...shape.env },
    turns: [changed(place, shape.failing, ask('green')), ask('done'), changed(place, shape.fix, ask('done'))],
    args: ['--allowedTools', 'Bash'],
    limit: 200_000,
  });
  const [red, unfixed, fixed] = answers(calls);
  expect([red, fixed]).toEqual(['', '']);
  expect(unfixed).toContain(shape.title);
}, 280_000);

describe.each(shapes.filter(({ folder, isOnlyCycle = false }) => folder === undefined && !isOnlyCycle))(
  '$shape, set up by modes init',
  (shape) => {
    test('the gates name its own command, and the cycle runs without a question', async () => {
      const { path: programs = [], env = {}, files, failing, fix, needs, title } = shape;
      place.write('.gitignore', ignored);
      if (needs) fs.symlinkSync(installed(...needs), path.join(place.project, 'node_modules'));
      apply(place, files);
      spawnSync('git', ['init', '-q'], { cwd: place.project });
      const variables = { PATH: [...programs, path.dirname(python), SYSTEM_PATH].join(':'), ...env };
      const modes = path.join(pluginFolder(), 'dist/modes.mjs');
      const setup = spawnSync(process.execPath, [modes, 'init', '--preset', 'tdd-checked', '--yes'], {
        cwd: place.project,
        env: { HOME: place.home, ...variables },
        encoding: 'utf8',
      });
      expect([setup.status, setup.stdout], setup.stderr).toEqual([0, expect.stringContaining('rusted')]);
      const [, command] = /tests: \{command: ([^,]+),/.exec(place.read('.claude/modes.yaml') as string) ?? [];
      expect(command).toBeDefined();
      const run = bash(command as string, { timeout: 110_000 });
      const ask = (mode: string): Turn => go(mode)[0] as Turn;
      const { calls } = await session({
        ...place,
        env: variables,
        turns: [
          ask('test-dev'),
          changed(place, failing, run),
          ask('feature-dev'),
          run,
          ask('idle'),
          changed(place, fix, run),
          ask('idle'),
        ],
        limit: 250_000,
      });
      expect(calls.filter(({ name, refused, result }) => name === 'Bash' && refused && !/Exit code/.test(result ?? ''))).toEqual(
        [],
      );
      if (process.env.SHOW) console.log(calls.map((c) => `${c.name}: ${c.result}`).join('\n=====\n'));
      const [started, red, unfixed, fixed] = answers(calls);
      expect({ command, started, red, fixed }).toEqual({ command, started: '', red: '', fixed: '' });
      expect(unfixed).toContain(title);
    }, 280_000);
  },
);
