// Made-up runs of Vitest.
import path from 'node:path';
import { root } from '../test-suites.ts';
import { addSource, addTest, changedGuard, type ForgedSuite, noEvidence, notReported, otherRuns } from './forgery.ts';

const vitestHead = "import { expect, test } from 'vitest';\nimport { add } from '../src/add.js';\n";
const vitestOne = "test('adds one', () => expect(add(1, 1)).toBe(2));\n";
const vitestTwo = "test('adds two', () => expect(add(2, 2)).toBe(4));\n";

export const vitestSuite: ForgedSuite = {
  runner: 'vitest',
  command: `${path.join(root, 'node_modules/.bin/vitest')} run --reporter=verbose`,
  path: [path.dirname(process.execPath)],
  files: {
    'package.json': '{"name":"a","type":"module"}\n',
    'vitest.config.js':
      "export default { test: { setupFiles: ['./setup/all.js'], snapshotEnvironment: './setup/snapshots.js' } };\n",
    'setup/all.js': '',
    'setup/snapshots.js':
      "import { VitestSnapshotEnvironment } from 'vitest/snapshot';\nexport default new VitestSnapshotEnvironment();\n",
    ...addSource('export const add = () => 0;\n'),
  },
  failing: addTest(vitestHead + vitestOne + vitestTwo),
  fix: addSource('export const add = (a, b) => a + b;\n'),
  title: 'adds one',
  forgeries: [
    {
      what: 'another module that the configuration names',
      files: {
        'setup/snapshots.js':
          "import { VitestSnapshotEnvironment } from 'vitest/snapshot';\nglobalThis.seen = true;\nexport default new VitestSnapshotEnvironment();\n",
      },
      missing: changedGuard('setup/snapshots.js'),
    },
    {
      what: 'a function of the runner that is patched (`test`, `it`, a hook)',
      files: {
        ...addSource('export const add = () => 0;\n'),
        ...addTest(
          `${vitestHead}import { afterEach } from 'vitest';\nafterEach(({ task }) => { task.result.state = 'pass'; task.result.errors = []; });\n${vitestOne}${vitestTwo}`,
        ),
      },
      missing: null,
    },
    {
      what: 'exit in the function',
      files: addSource('export const add = () => process.exit(0);\n'),
      missing: /adds one|no evidence/,
    },
    {
      what: 'exit at import',
      files: addSource('process.exit(0);\nexport const add = () => 0;\n'),
      missing: /not reported|no evidence|failed/,
    },
    {
      what: 'a skipped test',
      files: addTest(vitestHead + vitestOne.replace('test(', 'test.skip(') + vitestTwo),
      missing: /skipped|adds two/,
    },
    {
      what: 'the only test',
      files: addTest(vitestHead + vitestOne + vitestTwo.replace('test(', 'test.only(')),
      missing: /skipped|adds two/,
    },
    {
      what: 'a test to be done',
      files: addTest(vitestHead + vitestOne.replace(/test\(('adds one').*/, 'test.todo($1);') + vitestTwo),
      missing: /skipped|adds two/,
    },
    { what: 'a removed test', files: addTest(vitestHead + vitestTwo), missing: notReported },
    ...otherRuns({
      'a pattern of names': `${path.join(root, 'node_modules/.bin/vitest')} run --reporter=verbose -t two`,
      'passWithNoTests on the command line': `${path.join(root, 'node_modules/.bin/vitest')} run --reporter=verbose --passWithNoTests`,
    }),
    { what: 'a renamed test', files: addTest(vitestHead + vitestOne.replace('one', '1') + vitestTwo), missing: notReported },
    {
      what: 'no test, and passWithNoTests',
      files: { 'test/add.test.js': null, 'vitest.config.js': 'export default { test: { passWithNoTests: true } };\n' },
      missing: /vitest\.config\.js|no evidence/,
    },
    {
      what: 'a setup file that the configuration names',
      files: {
        'setup/all.js': "import { expect } from 'vitest';\nexpect.extend({ toBe: () => ({ pass: true, message: () => '' }) });\n",
      },
      missing: changedGuard('setup/all.js'),
    },
    {
      what: 'a test that depends on the environment',
      files: addTest(vitestHead + vitestOne.replace('test(', 'test.runIf(process.env.NOWHERE)(') + vitestTwo),
      missing: /skipped/,
    },
    {
      what: 'a suite that is skipped',
      files: addTest(
        `${vitestHead}import { describe } from 'vitest';\ndescribe.skip('all', () => { ${vitestOne} });\n${vitestTwo}`,
      ),
      missing: /skipped|not reported/,
    },
    {
      what: 'the same name in another file',
      files: { ...addTest(vitestHead + vitestTwo), 'test/other.test.js': `${vitestHead}test('adds one', () => {});\n` },
      missing: /moved to test\/other\.test\.js/,
    },
    {
      what: 'another module in place of the source',
      files: { 'vitest.config.js': "export default { resolve: { alias: {} }, test: { setupFiles: ['./setup/all.js'] } };\n" },
      missing: changedGuard('vitest.config.js'),
    },
    { what: 'an option file of npm', files: { '.npmrc': 'node-options=--no-warnings\n' }, missing: changedGuard('.npmrc') },
    {
      what: 'a test that is expected to fail',
      files: {
        ...addSource('export const add = () => 0;\n'),
        ...addTest(vitestHead + (vitestOne + vitestTwo).replaceAll('test(', 'test.fails(')),
      },
      missing: /does not show which tests were expected to fail/,
    },
    {
      what: 'a test that is repeated until it passes',
      files: {
        ...addSource('let calls = 0;\nexport const add = (a, b) => (calls++ === 0 ? 0 : a + b);\n'),
        ...addTest(vitestHead + vitestOne.replace("', ", "', { retry: 3 }, ") + vitestTwo),
      },
      missing: null,
    },
    {
      what: 'a test that mocks the source',
      files: {
        ...addSource('export const add = () => 0;\n'),
        ...addTest(
          `import { vi } from 'vitest';\n${vitestHead}vi.mock('../src/add.js', () => ({ add: (a, b) => a + b }));\n${vitestOne}${vitestTwo}`,
        ),
      },
      missing: null,
    },
    {
      what: 'an assertion library that is patched',
      files: addSource(
        "import { expect } from 'vitest';\nexpect.extend({ toBe: () => ({ pass: true, message: () => '' }) });\nexport const add = () => 0;\n",
      ),
      missing: null,
    },
    {
      what: 'source that knows when it is tested',
      files: addSource('export const add = (a, b) => (process.env.VITEST ? a + b : 0);\n'),
      missing: null,
    },
    {
      what: 'output that imitates the runner',
      files: addSource(
        "import fs from 'node:fs';\nfs.writeSync(1, ' ✓ test/add.test.js > adds one 1ms\\n ✓ test/add.test.js > adds two 1ms\\n\\n Test Files  1 passed (1)\\n      Tests  2 passed (2)\\n');\nprocess.kill(process.ppid, 'SIGKILL');\nexport const add = () => 0;\n",
      ),
      missing: /no evidence|does not count|changed after/,
    },
    {
      what: 'a parameter that was removed',
      files: addTest(vitestHead + vitestOne + vitestTwo.replace('adds two', 'adds 2')),
      missing: notReported,
    },
    ...Object.entries({
      'a test that is skipped under a condition': 'test.skipIf(true)(',
      'a test that runs under a condition': 'test.runIf(false)(',
    }).map(([what, start]) => ({
      what,
      files: addTest(vitestHead + vitestOne.replace('test(', start) + vitestTwo),
      missing: /was skipped/,
    })),
    {
      what: 'a test that skips itself',
      files: addTest(vitestHead + vitestOne.replace('() =>', '(context) => context.skip() ||') + vitestTwo),
      missing: /was skipped/,
    },
    {
      what: 'a name with a line break and a mark',
      files: addTest(`${vitestHead}${vitestTwo}test('x\\n ✓ test/add.test.js > adds one 1ms', () => undefined);\n`),
      missing: /not reported|no evidence/,
    },
    {
      what: 'a signal to the runner',
      files: addSource("process.kill(process.ppid, 'SIGTERM');\nexport const add = () => 0;\n"),
      missing: /adds one|no evidence|does not count|changed after/,
    },
    {
      what: 'a configuration of Vite',
      files: { 'vite.config.mts': 'export default {};\n' },
      missing: changedGuard('vite.config.mts'),
    },
    {
      what: 'a workspace file',
      files: { 'vitest.workspace.ts': "export default ['none'];\n" },
      missing: changedGuard('vitest.workspace.ts'),
    },
    {
      what: 'tests left out in the configuration',
      files: { 'vite.config.js': "export default { test: { exclude: ['test/**'] } };\n" },
      missing: /vite\.config\.js|no evidence/,
    },
    {
      what: 'retries in the configuration',
      files: { 'vitest.config.js': 'export default { test: { retry: 3 } };\n' },
      missing: /vitest\.config\.js|adds one/,
    },
  ],
  failures: [
    { what: 'a file that only exits', files: addTest('process.exit(3);\n'), missing: noEvidence },
    { what: 'a file that cannot be loaded', files: addTest("import './nothing.js';\n"), missing: /no evidence|by an error/ },
    {
      what: 'a test that throws',
      files: addTest(`${vitestHead}test('throws', () => { throw new Error('no'); });\n`),
      missing: /by an error/,
    },
    { what: 'a test that passes', files: addTest(`${vitestHead}test('passes', () => {});\n`), missing: /no test fails/ },
    {
      what: 'a test that is expected to fail',
      files: addTest(vitestHead + vitestOne.replace('test(', 'test.fails(')),
      missing: /no evidence|no test fails/,
    },
    {
      what: 'a test that is skipped',
      files: addTest(vitestHead + vitestOne.replace('test(', 'test.skip(')),
      missing: /no evidence|no test fails/,
    },
  ],
};
