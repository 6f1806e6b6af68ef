// Which runner a command starts. A command whose runner is unknown is no evidence by its printed output.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { globScope } from '../../../../../src/workflow/gates/globs.ts';
import { filesOf, programScope } from '../../../../../src/workflow/gates/tests/guarded-files.ts';
import { type RunnerName, runnerNames } from '../../../../../src/workflow/gates/tests/result.ts';
import {
  type Runner,
  type RunnerInvocation,
  runnerNamed,
  runnerOf,
  runners,
  withArguments,
} from '../../../../../src/workflow/gates/tests/runners.ts';
import { scriptReader } from '../../../../../src/workflow/gates/tests/scripts.ts';
import { putFile, temporaryFolder } from '../../../../support/files.ts';

const scripts: { [name: string]: string } = {
  test: 'node --test',
  unit: 'tsc && vitest run',
  both: 'npm run unit && npm test',
  piped: 'jest | cat',
  first: 'mocha && eslint .',
  nested: 'npm run unit',
  ci: 'cross-env NODE_ENV=test pnpm run unit',
  loop: 'npm run loop',
  lint: 'eslint .',
  turbo: 'turbo run test',
  'packages/a test': 'vitest run',
  'make check': 'ruff check . && pytest -q',
};
const readScript = (name: string, workspace: string | null): string | null =>
  scripts[workspace === null ? name : `${workspace} ${name}`] ?? null;

describe('a command', () => {
  test.each<[string, string, string[] | null]>([
    ['node --test', 'node:test', []],
    ['node --import tsx --test "test/**/*.ts"', 'node:test', []],
    ['NODE_ENV=test node --test', 'node:test', []],
    ['pytest', 'pytest', []],
    ['python -m pytest tests', 'pytest', []],
    ['python3.12 -X dev -m pytest', 'pytest', []],
    ['uv run --with x pytest -q', 'pytest', []],
    ['env-cmd -f conf/test.env mocha', 'mocha', []],
    ['dotenv -e conf/test.env -- jest --ci', 'jest', []],
    ['dotenvx run -f .env.test -- vitest run', 'vitest', []],
    ['xvfb-run -a playwright test', 'playwright', []],
    ['poetry run python -m pytest', 'pytest', []],
    ['.venv/bin/pytest -x', 'pytest', []],
    ['coverage run -m pytest', 'pytest', []],
    ['timeout -k 5 60 pytest', 'pytest', []],
    ['pytest 2>&1', 'pytest', []],
    ['python -m unittest discover', 'unittest', []],
    ['python manage.py test', 'unittest', []],
    ['go test ./...', 'go', []],
    ['cd api && go test ./...', 'go', []],
    ['cargo test --workspace', 'cargo', []],
    ['cargo +nightly test', 'cargo', []],
    ['cargo nextest run', 'nextest', []],
    ['npx vitest run', 'vitest', []],
    ['npx --yes vitest', 'vitest', []],
    ['./node_modules/.bin/jest --coverage', 'jest', []],
    ['node --experimental-vm-modules node_modules/jest/bin/jest.js', 'jest', []],
    ['c8 mocha', 'mocha', []],
    ['pnpm exec vitest', 'vitest', []],
    ['pnpm vitest run', 'vitest', []],
    ['yarn jest', 'jest', []],
    ['bunx vitest', 'vitest', []],
    ['bun test', 'bun', []],
    ['deno test -A', 'deno', []],
    ['npx playwright test', 'playwright', []],
    ['./mvnw -B test', 'maven', []],
    ['mvn verify', 'maven', []],
    ['./gradlew :app:test', 'gradle', []],
    ['dotnet test', 'dotnet', []],
    ['bundle exec rspec', 'rspec', []],
    ['bin/rails test', 'minitest', []],
    ['ruby -Itest test/cart_test.rb', 'minitest', []],
    ['vendor/bin/phpunit', 'phpunit', []],
    ['php artisan test', 'phpunit', []],
    ['mix test', 'exunit', []],
    ['npm run unit', 'vitest', ['--']],
    ['npm run nested', 'vitest', ['--', '--']],
    ['pnpm run nested', 'vitest', ['--']],
    ['npm run ci', 'vitest', ['--']],
    ['npm test -w packages/a', 'vitest', ['--']],
    ['npm test --workspace=packages/a', 'vitest', ['--']],
    ['cd packages/a && npm test', 'vitest', ['--']],
    ['yarn workspace packages/a test', 'vitest', []],
    ['npm run piped', 'jest', null],
    ['npm run first', 'mocha', null],
    ['npm test', 'node:test', ['--']],
    ['npm t', 'node:test', ['--']],
    ['npm test -- --test-only', 'node:test', []],
    ['pnpm test', 'node:test', []],
    ['yarn test', 'node:test', []],
    ['bun run test', 'node:test', []],
    ['npm --silent run test', 'node:test', ['--']],
  ])('%s: %s', (command, runner, before) => {
    expect(runnerOf(command, readScript)).toMatchObject({ runner, before });
  });

  test.each<[string, RegExp]>([
    ['npm run lint', /starts no test runner/],
    ['npm run none', /the script `none` is unknown/],
    ['npm run both', /several test runners/],
    ['npm run loop', /calls too many others/],
    ['npm test --workspaces', /several packages/],
    ['pnpm -r test', /several packages/],
    ['npx turbo run test', /several packages/],
    ['nx run-many -t test', /several packages/],
    ['pytest && go test ./...', /several test runners/],
    ['$(cat command)', /./],
    ['make test', /starts no test runner/],
    ['echo pytest', /starts no test runner/],
    ['node test.js', /starts no test runner/],
    ['', /starts no test runner/],
  ])('%s has no runner that is known', (command, why) => {
    expect(runnerOf(command, readScript)).toMatchObject({ runner: null, why: expect.stringMatching(why) });
  });

  test('of make has the runner of its recipe, which no argument reaches', () => {
    expect(runnerOf('make check', readScript)).toMatchObject({ runner: 'pytest', before: null });
  });

  test.each([
    ['npx turbo run test --filter=a', 'turbo'],
    ['npm run turbo', 'turbo'],
    ['yarn turbo test', 'turbo'],
    ['nx affected --target=test', 'nx'],
    ['pnpm --recursive run test', 'pnpm'],
    ['yarn workspaces foreach -A run test', 'yarn'],
    ['npm test --workspaces', 'npm'],
    ['npm run both', 'npm'],
    ['make test', 'npm'],
  ])('%s shows its output as %s does', (command, name) => {
    expect(runnerOf(command, readScript)).toMatchObject({ runner: null, tool: { name } });
  });

  test('a tool that builds before the tests does not hide their runner', () => {
    expect(runnerOf('turbo run build && npm test', readScript)).toMatchObject({ runner: 'node:test' });
  });
});

describe('the table', () => {
  test('has an entry for each runner, with a remedy and with files to guard', () => {
    expect(runners.map(({ name }) => name).sort()).toEqual([...runnerNames].sort());
    for (const { name, guarded, remedy } of runners) {
      expect(name === 'junit' || guarded.length > 0).toBe(true);
      expect(remedy).toMatch(/^[A-Z].*\.$/);
    }
  });

  test('requests reports only outside of the project', () => {
    for (const { name, ask } of runners) {
      const request = ask?.('/the folder/report');
      if (request?.from !== 'file') continue;
      const text = JSON.stringify([request.env, request.args]);
      expect(`${name}: ${text}`).toContain('/the folder');
    }
  });

  test('counts the reporters of a command of node:test, because each needs a destination', () => {
    const asked = (command: string) => {
      const { words } = runnerOf(command, readScript) as RunnerInvocation;
      const options = runnerNamed('node:test')?.ask?.('/r', words).env.NODE_OPTIONS ?? '';
      return options.split(' ').map((option) => option.replace(/=data:.*/, '=data').replace('--test-reporter', ''));
    };
    expect(asked('npm test')).toEqual(['=data', '-destination=/r', '=spec', '-destination=stdout']);
    expect(asked('npm test -- --test-reporter=dot')).toEqual(['=data', '-destination=/r', '-destination=stdout']);
    expect(asked('node --test --test-reporter=dot')).toEqual(['=data', '-destination=/r', '-destination=stdout']);
    expect(asked('node --test --test-reporter tap --test-reporter-destination=x')).toEqual(['=data', '-destination=/r']);
  });
});

describe('arguments', () => {
  test.each([
    ['vitest run', ['--a b'], "vitest run '--a b'"],
    ['npm run unit', ['--a'], 'npm run unit -- --a'],
    ['npm run nested', ['--a'], 'npm run nested -- -- --a'],
    ['npm run first', ['--a'], null],
    ['npm run first', [], 'npm run first'],
  ])('%s with %j: %s', (command, args, expected) => {
    expect(withArguments(command, runnerOf(command, readScript) as RunnerInvocation, args)).toBe(expected);
  });
});

test.each<[string, string[], string[]]>([
  [
    'pytest',
    [
      '.pytest.toml',
      '.venv/bin/pytest',
      'sub/conftest.py',
      '.venv/lib/x.pth',
      'x.egg-info/entry_points.txt',
      'pytest.py',
      'lib/pluggy/__init__.py',
      'traceback.py',
      'json/__init__.py',
      'heapq.pyc',
      'base64.cpython-312-x86_64-linux-gnu.so',
      '.venv/lib/python3.12/site-packages/sitecustomize/__init__.py',
    ],
    ['src/types.py', 'tests/unittest/test_a.py', 'tests/test_pprint.py', 'test/__init__.py', 'statistics.py'],
  ],
  ['vitest', ['vitest.projects.ts', 'a/vitest.setup.ts'], ['src/projects.ts']],
  ['jest', ['src/setupTests.js', '.swcrc'], ['src/setup.js']],
  ['mocha', ['.mocharc', 'test/mocha.opts'], ['test/a.js']],
  ['go', ['go.work.sum'], ['work.go']],
  ['unittest', ['unittest.py', 'lib/unittest/__init__.py', 'pprint.py', 'sitecustomize.py'], ['src/pprint.py', 'add.py']],
  [
    'maven',
    [
      'src/test/resources/junit-platform.properties',
      'src/main/resources/META-INF/services/org.junit.jupiter.api.extension.Extension',
    ],
    ['src/main/resources/META-INF/services/a.Shop'],
  ],
  ['gradle', ['buildSrc/src/main/java/A.java'], ['src/main/java/A.java']],
])('%s: files that change what a run means are guarded, and others are not [w:tests.guarded]', (name, guarded, free) => {
  const scope = filesOf(runnerNamed(name as RunnerName) as Runner, ['.'], '/home/a');
  expect([...guarded, ...free].filter((file) => scope.file(file))).toEqual(guarded);
});

test.each<RunnerName>(['pytest', 'unittest'])('a run of %s by the engine uses no stored bytecode [w:tests.source]', (name) => {
  expect(runnerNamed(name)?.ask?.('/place/report').env).toMatchObject({ PYTHONPYCACHEPREFIX: '/place/bytecode' });
});

test('the option that names the tests has a value for Django', () => {
  const argsOf = (...words: string[]) => runnerNamed('unittest')?.ask?.('/r', words).args;
  expect(argsOf('manage.py', 'test', '-v', '2')).toEqual(['-v', '2']);
  expect(argsOf('unittest', 'discover')).toEqual(['-v']);
});

test('the programs of a runner are guarded, and no other package is entered [w:tests.guarded]', () => {
  const scope = programScope([runnerNamed('vitest')?.packages as RegExp]);
  const guarded = [
    'node_modules/.bin/vitest',
    'node_modules/vitest/dist/a.js',
    'packages/a/node_modules/@vitest/runner/dist/a.js',
    'node_modules/.pnpm/@vitest+runner@3.0.0/node_modules/@vitest/runner/a.js',
  ];
  const free = ['src/vitest/a.js', 'node_modules/lodash/a.js', 'node_modules/.pnpm/lodash@4.0.0/node_modules/lodash/a.js'];
  expect([...guarded, ...free].filter((file) => scope.file(file))).toEqual(guarded);
  const folders = guarded
    .flatMap((file) => file.split('/').map((_, at, parts) => parts.slice(0, at).join('/')))
    .filter((one) => one !== '');
  expect(folders.filter((folder) => !scope.folder(folder))).toEqual([]);
  expect(['node_modules/lodash', 'node_modules/.pnpm/lodash@4.0.0', 'node_modules/.cache'].filter(scope.folder)).toEqual([]);
});

test.each<[string, string[], string[]]>([
  ['/node_modules/x/**', ['node_modules', 'node_modules/x', 'node_modules/x/y'], ['node_modules/z', 'src']],
  ['src/*/deep/a.js', ['src', 'src/b', 'src/b/deep'], ['test', 'src/b/other']],
  ['**/a.js', ['src', 'src/b'], []],
])('%s: only folders that can contain a match are entered', (glob, entered, others) => {
  const { folder } = globScope([glob], true, '/home/a');
  expect([...entered, ...others].filter(folder)).toEqual(entered);
});

test('the scripts of a project are those of package.json and the recipes of its Makefile', () => {
  const root = temporaryFolder('scripts-');
  try {
    putFile(path.join(root, 'package.json'), '{"scripts":{"test":"vitest run"}}');
    putFile(path.join(root, 'Makefile'), '.PHONY: test\ntest: build\n\t@pytest -q\nbuild:\n\t-ruff check .\n');
    putFile(path.join(root, 'sub/Makefile'), 'include go.mk\nGO = go\n');
    putFile(path.join(root, 'sub/go.mk'), 'all:\n\t$(GO) test ./...\n');
    const read = scriptReader(root, null);
    expect(['test', 'none', 'make test', 'make none', 'just test'].map((name) => read(name, null))).toEqual([
      'vitest run',
      null,
      'pytest -q && ruff check .',
      null,
      null,
    ]);
    expect([runnerOf('make test', read).runner, runnerOf('make', scriptReader(root, 'sub')).runner]).toEqual(['pytest', 'go']);
  } finally {
    fs.rmSync(root, { recursive: true, force: true });
  }
});
