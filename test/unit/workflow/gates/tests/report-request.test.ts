// The Bash call that Modes lets run in place of the agent's, so that a test runner writes a report.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { requestInCall, requestReport } from '../../../../../src/workflow/gates/tests/report-request.ts';
import { runnerOf } from '../../../../../src/workflow/gates/tests/runners.ts';

const scripts: { [name: string]: string } = {
  test: 'jest --verbose',
  first: 'mocha && eslint .',
  own: 'NODE_OPTIONS=--no-warnings node --test',
  addopts: 'PYTEST_ADDOPTS=-q pytest',
};
const searchOf = (command: string) => runnerOf(command, (name) => scripts[name] ?? null);

let dataFolder: string;
beforeEach(() => {
  dataFolder = fs.mkdtempSync(path.join(os.tmpdir(), 'report-request-'));
});
afterEach(() => fs.rmSync(dataFolder, { recursive: true, force: true }));

const place = (folder = dataFolder) => ({ dataFolder: folder, project: '/project' });
const callFor = (text: string): string | null => {
  const request = requestInCall(text, searchOf(text), place());
  return request?.call.replace(/[^\s="']*\/report-[A-Za-z0-9]{6}\//g, 'FOLDER/') ?? null;
};

test.each<[text: string, call: RegExp | null]>([
  ['npx jest', /^npx jest --json --outputFile\\=FOLDER\/report$/],
  ['npm test', /^npm test -- --json --outputFile\\=FOLDER\/report$/],
  ['npm test 2>&1', /^npm test -- --json --outputFile\\=FOLDER\/report 2>&1$/],
  ['npm test -- --bail', /^npm test -- --bail --json --outputFile\\=FOLDER\/report$/],
  ['npx vitest run', /^npx vitest run --reporter\\=default --reporter\\=json --outputFile\.json\\=FOLDER\/report$/],
  [
    'npx vitest run --reporter=verbose',
    /^npx vitest run --reporter=verbose --reporter\\=json --outputFile\.json\\=FOLDER\/report$/,
  ],
  ['npx mocha', /^npx mocha --reporter\\=FOLDER\/mocha-reporter\.cjs --reporter-option\\=output\\=FOLDER\/report$/],
  [
    'pytest -v',
    /^PYTEST_ADDOPTS="\$PYTEST_ADDOPTS "'"--junitxml=FOLDER\/report" -o junit_family=xunit1 -ra' PYTHONPYCACHEPREFIX='FOLDER\/bytecode' pytest -v$/,
  ],
  ['node --test', /^NODE_OPTIONS="\$NODE_OPTIONS "'--test-reporter=data:.*FOLDER\/report.*' node --test$/],
  ['deno test', /^deno test --junit-path\\=FOLDER\/report$/],
  ['python -m unittest', /^PYTHONPYCACHEPREFIX='FOLDER\/bytecode' python -m unittest -v$/],
  ['bundle exec rspec', /^SPEC_OPTS="\$SPEC_OPTS "'--format json --out FOLDER\/report.* --format progress' bundle exec rspec$/],
  // Its report takes the place of what the agent would read.
  ['go test ./...', null],
  // Arguments reach only the last program, and the script's own variables replace those of the call.
  ['npm run first', null],
  ['npm run own', null],
  ['npm run addopts', null],
  // It has no report in a file.
  ['cargo test', null],
  ['./run-tests', null],
])('%s', (text, call) => {
  if (call === null) expect(callFor(text)).toBeNull();
  else expect(callFor(text)).toMatch(call);
});

test('the variables reach the command with their exact value, after what they had before', () => {
  const text = 'pytest -v';
  const request = requestInCall(text, searchOf(text), place(path.join(dataFolder, "a person's data")));
  const call = request?.call.replace(/pytest -v$/, `printenv PYTEST_ADDOPTS PYTHONPYCACHEPREFIX`) ?? '';
  const { stdout } = spawnSync('bash', ['-c', call], { encoding: 'utf8', env: { ...process.env, PYTEST_ADDOPTS: '-x' } });
  const { PYTEST_ADDOPTS: options, PYTHONPYCACHEPREFIX: folder } = request?.env ?? {};
  expect(stdout).toBe(`-x ${options}\n${folder}\n`);
});

test('the engine asks for the report of `go test` too, because nobody reads its output', () => {
  expect(requestReport('go test ./...', searchOf('go test ./...'), place())).toMatchObject({ env: { GOFLAGS: '-json' } });
});
