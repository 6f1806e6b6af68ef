// Which runner a command starts. A command whose runner is unknown is no evidence by its printed output.

import { describe, expect, test } from 'vitest';
import { runnerNames } from '../../../../../src/workflow/gates/tests/result.ts';
import { runnerOf, runners } from '../../../../../src/workflow/gates/tests/runners.ts';

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
  'packages/a test': 'vitest run',
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
    ['npm test', 'node:test', ['--']],
    ['npm t', 'node:test', ['--']],
    ['npm test -- --test-only', 'node:test', []],
    ['pnpm test', 'node:test', []],
    ['yarn test', 'node:test', []],
    ['bun run test', 'node:test', []],
    ['npm --silent run test', 'node:test', ['--']],
  ])('%s: %s', (command, runner, before) => {
    expect(runnerOf(command, readScript)).toEqual({ runner, before });
  });

  test.each<[string, RegExp]>([
    ['npm run lint', /starts no test runner/],
    ['npm run none', /the script `none` is unknown/],
    ['npm run loop', /calls too many others/],
    ['npm test --workspaces', /several packages/],
    ['pnpm -r test', /several packages/],
    ['pytest && go test ./...', /several test runners/],
    ['$(cat command)', /./],
    ['make test', /starts no test runner/],
    ['echo pytest', /starts no test runner/],
    ['node test.js', /starts no test runner/],
    ['', /starts no test runner/],
  ])('%s has no runner that is known', (command, why) => {
    expect(runnerOf(command, readScript)).toEqual({ runner: null, why: expect.stringMatching(why) });
  });
});

describe('the table', () => {
  test('has runners with names of their own, and files that each of them guards', () => {
    const names = runners.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(runnerNames).toEqual(expect.arrayContaining(names));
    for (const { guarded, remedy } of runners) {
      expect(guarded.length).toBeGreaterThan(0);
      expect(remedy).toMatch(/^[A-Z].*\.$/);
    }
  });

  test('asks for reports only outside of the project', () => {
    for (const { name, ask } of runners) {
      const request = ask?.('/tmp/the report');
      if (request?.from !== 'file') continue;
      const text = JSON.stringify([request.env, request.args]);
      expect(`${name}: ${text}`).toContain('/tmp/the report');
    }
  });
});
