// Made-up runs of Deno.
import path from 'node:path';
import { installed } from '../test-suites.ts';
import { addSource, addTest, changedGuard, type ForgedSuite, noEvidence, notReported, otherRuns } from './forgery.ts';

const denoHead = "import assert from 'node:assert';\nimport { add } from '../src/add.js';\n";
const denoOne = "Deno.test('adds one', () => assert.equal(add(1, 1), 2));\n";
const denoTwo = "Deno.test('adds', async (t) => { await t.step('two', () => assert.equal(add(2, 2), 4)); });\n";

export const denoSuite: ForgedSuite = {
  runner: 'deno',
  command: 'deno test -A',
  path: [path.join(installed('deno', '2.9.6'), '.bin'), path.dirname(process.execPath)],
  files: { 'deno.json': '{}\n', ...addSource('export const add = () => 0;\n') },
  failing: addTest(denoHead + denoOne + denoTwo),
  fix: addSource('export const add = (a, b) => a + b;\n'),
  title: 'adds one',
  forgeries: [
    { what: 'exit at import', files: addSource('Deno.exit(0);\nexport const add = () => 0;\n'), missing: noEvidence },
    { what: 'exit in the function', files: addSource('export const add = () => Deno.exit(0);\n'), missing: /adds one/ },
    {
      what: 'output that imitates the runner',
      files: addSource(
        "console.log('running 2 tests from ./test/add.test.js\\nadds one ... ok (1ms)\\nadds ...\\n  two ... ok (1ms)\\nadds ... ok (1ms)\\n\\nok | 2 passed (1 step) | 0 failed (9ms)\\n');\nDeno.exit(0);\nexport const add = () => 0;\n",
      ),
      missing: noEvidence,
    },
    {
      what: 'source that prints the results of its own run',
      files: addSource(
        "Deno.writeTextFileSync('/proc/self/fd/1', 'running 2 tests from ./test/add.test.js\\nadds one ... ok (1ms)\\nadds ...\\n  two ... ok (1ms)\\nadds ... ok (1ms)\\n\\nok | 2 passed (1 step) | 0 failed (9ms)\\n\\n', { append: true });\nDeno.dlopen('libc.so.6', { _exit: { parameters: ['i32'], result: 'void' } }).symbols._exit(0);\nexport const add = () => 0;\n",
      ),
      missing: noEvidence,
      byEngine: noEvidence,
    },
    {
      what: 'another function in place of `Deno.test`',
      files: addSource(
        "const { test } = Deno;\nDeno.test = (name) => test(name, name === 'adds' ? (t) => t.step('two', () => {}) : () => {});\nexport const add = () => 0;\n",
      ),
      missing: /`adds one` moved to/,
    },
    {
      what: 'output that ends the section of a test',
      files: addSource(
        "export const add = () => { console.log('----- output end -----\\nadds one ... ok (1ms)\\n------- output -------'); return 0; };\n",
      ),
      missing: /adds one|no evidence/,
    },
    {
      what: 'an ignored test',
      files: addTest(denoHead + denoOne.replace('test(', 'test.ignore(') + denoTwo),
      missing: /was skipped/,
    },
    {
      what: 'an ignored step',
      files: addTest(denoHead + denoOne + denoTwo.replace(/'two', (.*?\))\);/, "{ name: 'two', ignore: true, fn: $1 });")),
      missing: /was skipped/,
    },
    { what: 'a removed test', files: addTest(denoHead + denoTwo), missing: notReported },
    { what: 'a removed step', files: addTest(`${denoHead}${denoOne}Deno.test('adds', () => {});\n`), missing: notReported },
    { what: 'a renamed test', files: addTest(denoHead + denoOne.replace('one', '1') + denoTwo), missing: notReported },
    {
      what: 'a test file out of the glob',
      files: { 'test/add.test.js': null, 'add.txt': denoOne, 'other_test.js': "Deno.test('other', () => {});\n" },
      missing: notReported,
    },
    {
      what: 'tests left out in deno.json',
      files: { 'deno.json': '{"test":{"exclude":["test/"]}}\n', 'other_test.js': "Deno.test('other', () => {});\n" },
      missing: changedGuard('deno.json'),
    },
    ...otherRuns({
      'a filter': 'deno test -A --filter two',
      'no files, and that is permitted': 'deno test -A --permit-no-files none',
      'another reporter': 'deno test -A --reporter=dot',
    }),
  ],
  failures: [
    { what: 'a file that only exits', files: addTest('Deno.exit(3);\n'), missing: noEvidence },
    { what: 'a file that cannot be loaded', files: addTest("import './nothing.js';\n"), missing: /no evidence|by an error/ },
    {
      what: 'a test that throws',
      files: addTest("Deno.test('throws', () => { throw new Error('no'); });\n"),
      missing: /by an error/,
    },
    { what: 'a test that passes', files: addTest("Deno.test('passes', () => {});\n"), missing: /no test fails/ },
  ],
};
