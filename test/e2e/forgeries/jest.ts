// Made-up runs of Jest.
import path from 'node:path';
import { type Files, installed } from '../test-suites.ts';
import { addSource, addTest, changedGuard, type ForgedSuite, noEvidence, notReported, otherRuns } from './forgery.ts';

const head = "const { add } = require('../src/add.js');\n";
const one = "test('adds one', () => expect(add(1, 1)).toBe(2));\n";
const two = "test('adds two', () => expect(add(2, 2)).toBe(4));\n";
const sums = "test.each([[1, 2], [2, 3]])('sums %i', (a, sum) => expect(add(a, 1)).toBe(sum));\n";
const repeated = "test.each([1, 2])('repeats', (a) => expect(add(a, 0)).toBe(a));\n";
const stored = "test('is stored', () => expect(add(1, 2)).toMatchSnapshot());\n";
const all = one + two + sums + repeated + stored;
const testFile = (code: string): Files => addTest(head + code);
const snapshot = (value: number): Files => ({
  'test/__snapshots__/add.test.js.snap': `// Jest Snapshot v1, https://jestjs.io/docs/snapshot-testing\n\nexports[\`is stored 1\`] = \`${value}\`;\n`,
});
const wrong = 'exports.add = () => 0;\n';
const config = (more = ''): string =>
  `module.exports = { ...require('./config/base.js'), globalSetup: './config/start.js', moduleNameMapper: { '^db$': '<rootDir>/config/db.js' }, ${more} };\n`;
const command = 'jest --verbose --reporters=default';
const printed = [
  'PASS test/add.test.js',
  ...['adds one', 'adds two', 'sums 1', 'sums 2', 'repeats', 'repeats', 'is stored'].map((title) => `  ✓ ${title} (1 ms)`),
  '\\nTest Suites: 1 passed, 1 total\\nTests:       7 passed, 7 total\\nSnapshots:   1 passed, 1 total\\nTime:        0.2 s\\n',
].join('\\n');

export const jestSuite: ForgedSuite = {
  runner: 'jest',
  command,
  path: [path.join(installed('jest', '30.5.2'), '.bin'), path.dirname(process.execPath)],
  files: {
    'package.json': '{"name":"a","babel":{"plugins":["./config/plugin.js"]}}\n',
    'config/plugin.js': 'module.exports = () => ({});\n',
    'jest.config.js': config(),
    'config/base.js': "module.exports = { setupFilesAfterEnv: ['<rootDir>/config/all.js'] };\n",
    'config/all.js': '',
    'config/start.js': 'module.exports = () => undefined;\n',
    'config/db.js': '',
    ...addSource(wrong),
  },
  failing: { ...testFile(all), ...snapshot(3) },
  fix: addSource('exports.add = (a, b) => a + b;\n'),
  title: 'adds one',
  forgeries: [
    {
      what: 'a plugin of Babel that package.json names',
      files: { 'config/plugin.js': 'module.exports = () => ({ visitor: {} });\n' },
      missing: changedGuard('config/plugin.js'),
    },
    { what: 'exit at import', files: addSource('process.exit(0);\n'), missing: noEvidence },
    { what: 'exit in the function', files: addSource('exports.add = () => process.exit(0);\n'), missing: noEvidence },
    {
      what: 'exit past the handlers of the runner',
      files: addSource('exports.add = () => process.reallyExit(0);\n'),
      missing: noEvidence,
    },
    { what: 'exit in afterAll', files: testFile(`${all}afterAll(() => process.exit(0));\n`), missing: noEvidence },
    { what: 'exit in beforeAll', files: testFile(`beforeAll(() => process.exit(0));\n${all}`), missing: noEvidence },
    {
      what: 'an exit handler that sets the code',
      files: addSource(`process.on('exit', () => { process.exitCode = 0; });\n${wrong}`),
      missing: /adds one/,
    },
    { what: 'an exit that does nothing', files: addSource(`process.exit = () => undefined;\n${wrong}`), missing: /adds one/ },
    {
      what: 'a signal',
      files: addSource("process.kill(process.pid, 'SIGKILL');\n"),
      missing: /no evidence|does not count|changed after/,
    },
    {
      what: 'another program in place of the process',
      files: addSource("require('node:child_process').execFileSync('true');\nprocess.reallyExit(0);\n"),
      missing: noEvidence,
    },
    {
      what: 'silenced output',
      files: addSource(`process.stdout.write = process.stderr.write = () => true;\n${wrong}`),
      missing: /adds one|no evidence/,
    },
    {
      what: 'output that imitates the runner',
      files: addSource(`console.log('${printed}');\nprocess.exit(0);\n`),
      missing: noEvidence,
    },
    {
      what: 'source that prints the results of its own run',
      files: addSource(`require('node:fs').writeSync(1, '${printed}');\nprocess.reallyExit(0);\n`),
      missing: noEvidence,
      byEngine: noEvidence,
    },
    {
      what: 'an assertion library that is patched',
      files: addSource(
        `const { expect } = globalThis;\nglobalThis.expect = () => ({ toBe() {}, toMatchSnapshot: () => expect(3).toMatchSnapshot() });\n${wrong}`,
      ),
      missing: null,
    },
    {
      what: 'a function of the runner that is patched',
      files: addSource(
        `const { test } = globalThis;\nglobalThis.test = Object.assign((name, body) => test(name, name === 'is stored' ? () => expect(3).toMatchSnapshot() : () => {}), { each: (rows) => (name) => test.each(rows)(name, () => {}) });\n${wrong}`,
      ),
      missing: null,
    },
    {
      what: 'a plugin or an extension that a test file loads',
      files: {
        ...addSource('exports.add = (a, b) => (b === 2 ? 3 : 0);\n'),
        ...addTest(`/** @jest-environment ./src/other.js */\n${head}${all}`),
        'src/other.js':
          "const { TestEnvironment } = require.main.require('jest-environment-node');\nmodule.exports = class extends TestEnvironment { handleTestEvent({ name, test }) { if (/^test_(?:fn_failure|done)$/.test(name)) test.errors = []; } };\n",
      },
      missing: null,
    },
    {
      what: 'source that knows when it is tested',
      files: addSource('exports.add = (a, b) => (process.env.JEST_WORKER_ID ? a + b : 0);\n'),
      missing: null,
    },
    {
      what: 'a stored snapshot that was rewritten',
      files: { ...addSource('exports.add = (a, b) => (b === 2 && a === 1 ? 12 : a + b);\n'), ...snapshot(12) },
      missing: null,
    },
    {
      what: 'a test whose assertion was emptied',
      files: {
        ...addSource('exports.add = (a, b) => (a === 1 && b === 1 ? 0 : a + b);\n'),
        ...testFile(all.replace(/expect\(add\(1, 1\)\)\.toBe\(2\)/, '{}').replace('[1, 2], ', '[1, 0], ')),
      },
      missing: null,
    },
    {
      what: 'a test that mocks the source',
      files: { ...addSource(wrong), ...testFile(`jest.mock('../src/add.js', () => ({ add: (a, b) => a + b }));\n${all}`) },
      missing: null,
    },
    {
      what: 'a test that is expected to fail',
      files: {
        ...addSource('exports.add = (a, b) => (a === 2 && b === 2 ? 0 : a + b);\n'),
        ...testFile(all.replace("test('adds two'", "test.failing('adds two'")),
      },
      missing: null,
    },
    {
      what: 'a test that is repeated until it passes',
      files: {
        ...addSource('let calls = 0;\nexports.add = (a, b) => (calls++ === 0 ? 0 : a + b);\n'),
        ...testFile(`jest.retryTimes(3);\n${all}`),
      },
      missing: null,
    },
    { what: 'a skipped test', files: testFile(all.replace("test('adds two'", "test.skip('adds two'")), missing: /was skipped/ },
    {
      what: 'a test with another name for a skip',
      files: testFile(all.replace("test('adds two'", "xit('adds two'")),
      missing: /was skipped/,
    },
    { what: 'the only test', files: testFile(all.replace("test('adds two'", "test.only('adds two'")), missing: /skipped/ },
    { what: 'a test to be done', files: testFile(all.replace(/test\(('adds two').*/, 'test.todo($1);')), missing: /was skipped/ },
    {
      what: 'a suite that is skipped',
      files: testFile(`describe.skip('all', () => {\n${one}});\n${all.replace(one, '')}`),
      missing: /skipped|not reported/,
    },
    {
      what: 'a test that depends on the environment',
      files: testFile(all.replace("test('adds two'", "(process.env.NOWHERE ? test : test.skip)('adds two'")),
      missing: /was skipped/,
    },
    { what: 'a removed test', files: testFile(all.replace(two, '')), missing: notReported },
    { what: 'a renamed test', files: testFile(all.replace('adds two', 'adds 2')), missing: notReported },
    { what: 'a parameter that was removed', files: testFile(all.replace(', [2, 3]', '')), missing: notReported },
    {
      what: 'a parameter that was removed, with one name for all',
      files: testFile(all.replace('[1, 2])(', '[1])(')),
      missing: notReported,
    },
    {
      what: 'a test that moved to another file',
      files: { ...testFile(all.replace(two, '')), 'test/other.test.js': "test('adds two', () => {});\n" },
      missing: /moved to test\/other\.test\.js/,
    },
    {
      what: 'a test file out of the glob',
      files: { 'test/add.test.js': null, 'test/add.txt': all, 'test/other.test.js': "test('other', () => {});\n" },
      missing: notReported,
    },
    {
      what: 'a changed configuration',
      files: { 'jest.config.js': config('testTimeout: 1') },
      missing: changedGuard('jest.config.js'),
    },
    {
      what: 'a module that the configuration loads',
      files: { 'config/base.js': 'module.exports = {};\n' },
      missing: changedGuard('config/base.js'),
    },
    {
      what: 'a setup file that the configuration names',
      files: { 'config/all.js': 'expect.extend({});\n' },
      missing: changedGuard('config/all.js'),
    },
    {
      what: 'a global setup',
      files: { 'config/start.js': 'module.exports = () => 1;\n' },
      missing: changedGuard('config/start.js'),
    },
    {
      what: 'a module in place of another',
      files: { 'config/db.js': 'exports.db = 1;\n' },
      missing: changedGuard('config/db.js'),
    },
    { what: 'a mock of a module', files: { 'src/__mocks__/add.js': '' }, missing: changedGuard('add.js') },
    {
      what: 'options in package.json',
      files: { 'package.json': '{"name":"a","jest":{"bail":1}}\n' },
      missing: /package\.json|no evidence/,
    },
    {
      what: 'another compiler for tests',
      files: { 'babel.config.js': 'module.exports = {};\n' },
      missing: changedGuard('babel.config.js'),
    },
    {
      what: 'tests of a file that skips all',
      files: testFile(
        `globalThis.test = (name) => it.skip(name, () => undefined);\n${all.replaceAll('test(', 'globalThis.test(')}`,
      ),
      missing: /not reported|skipped|no evidence/,
    },
    {
      what: 'a name with a line break and a mark',
      files: testFile(`${all.replace(one, '')}test('x\\n  ✓ adds one (1 ms)', () => undefined);\n`),
      missing: /not reported|no evidence/,
    },
    {
      what: 'lines of results on the error output',
      files: addSource(
        `require('node:fs').writeSync(2, 'PASS test/add.test.js\\n  ✓ adds one (1 ms)\\n  ✓ adds two (1 ms)\\n\\n');\n${wrong}`,
      ),
      missing: /adds one|no evidence/,
    },
    {
      what: 'options of Babel in a folder',
      files: { 'src/.babelrc.json': '{}\n' },
      missing: changedGuard('.babelrc.json'),
    },
    { what: 'an option file of npm', files: { '.npmrc': 'node-options=--no-warnings\n' }, missing: changedGuard('.npmrc') },
    {
      what: 'another program for the runner',
      files: { 'node_modules/.bin/jest': '#!/bin/sh\n' },
      missing: changedGuard('node_modules/.bin/jest'),
    },
    {
      what: 'a package in place of one of the runner',
      files: { 'node_modules/jest-circus/index.js': '' },
      missing: changedGuard('jest-circus/index.js'),
    },
    ...otherRuns({
      'passWithNoTests on the command line': `${command} --passWithNoTests none`,
      'a pattern of names': `${command} -t two`,
      'a pattern of files': `${command} --testPathPatterns two`,
      'NODE_OPTIONS before the command': `NODE_OPTIONS=--require=./src/add.js ${command}`,
      'snapshots that are updated': `${command} -u`,
      'snapshots that are not written': `${command} --ci`,
      'an end after the first failure': `${command} --bail`,
      'only changed files': `${command} --onlyChanged`,
      'a part of the tests': `${command} --shard=1/2`,
      'another configuration': `${command} --config '{}'`,
    }),
  ],
  failures: [
    { what: 'a file that only exits', files: { 'test/add.test.js': 'process.exit(3);\n' }, missing: noEvidence },
    {
      what: 'a file that cannot be loaded',
      files: { 'test/add.test.js': "require('./nothing');\n" },
      missing: /no evidence|by an error/,
    },
    {
      what: 'a test that throws',
      files: testFile("test('throws', () => { throw new Error('no'); });\n"),
      missing: /by an error/,
    },
    {
      what: 'a hook that throws',
      files: testFile("beforeAll(() => { throw new Error('no'); });\ntest('waits', () => {});\n"),
      missing: /by an error/,
    },
    { what: 'a test that passes', files: testFile("test('passes', () => {});\n"), missing: /no test fails/ },
    { what: 'a test that is expected to fail', files: testFile(one.replace('test(', 'test.failing(')), missing: /no test fails/ },
    { what: 'a test that is skipped', files: testFile(one.replace('test(', 'test.skip(')), missing: /no evidence|no test fails/ },
  ],
};
