// Made-up runs of node:test.
import path from 'node:path';
import {
  addSource,
  addTest,
  changedGuard,
  type ForgedSuite,
  installProgram,
  noEvidence,
  notReported,
  otherRuns,
} from './forgery.ts';

const nodeHead =
  "const test = require('node:test');\nconst assert = require('node:assert');\nconst { add } = require('../src/add.js');\n";
const nodeOne = "test('adds one', () => assert.equal(add(1, 1), 2));\n";
const nodeTwo = "test('adds two', () => require('check').equal(add(2, 2), 4));\n";

export const nodeSuite: ForgedSuite = {
  runner: 'node:test',
  command: 'npm test',
  path: [path.dirname(process.execPath)],
  files: {
    'node_modules/check/index.js': "exports.equal = require('node:assert').equal;\n",
    'package.json': '{"name":"a","scripts":{"test":"node --test"}}\n',
    ...addSource('exports.add = () => 0;\n'),
  },
  failing: addTest(nodeHead + nodeOne + nodeTwo),
  fix: addSource('exports.add = (a, b) => a + b;\n'),
  title: 'adds one',
  forgeries: [
    { what: 'exit at import', files: addSource('process.exit(0);\n'), missing: noEvidence },
    { what: 'exit in the function', files: addSource('exports.add = () => process.exit(0);\n'), missing: noEvidence },
    {
      what: 'exit when the event loop is empty',
      files: addSource("process.once('beforeExit', () => process.exit(0));\nexports.add = () => 0;\n"),
      missing: /adds one/,
    },
    {
      what: 'an exit handler that sets the code',
      files: addSource("process.on('exit', () => { process.exitCode = 0; });\nexports.add = () => 0;\n"),
      missing: /adds one/,
    },
    {
      what: 'a signal',
      files: addSource("process.kill(process.pid, 'SIGKILL');\n"),
      missing: /no evidence|does not count|changed after/,
    },
    {
      what: 'silenced output',
      files: addSource('process.stdout.write = () => true;\nexports.add = () => process.exit(0);\n'),
      missing: noEvidence,
    },
    {
      what: 'output that imitates the runner',
      files: addSource("console.log('ok 1 - adds one\\nok 2 - adds two\\n1..2\\n# tests 2\\n# pass 2');\nprocess.exit(0);\n"),
      missing: noEvidence,
    },
    {
      what: 'another program in place of the process',
      files: addSource("require('node:child_process').execFileSync('true');\nprocess.reallyExit(0);\n"),
      missing: noEvidence,
    },
    {
      what: 'a skipped test',
      files: addTest(nodeHead + nodeOne + nodeTwo.replace('test(', 'test.skip(')),
      missing: /was skipped/,
    },
    {
      what: 'a test to be done',
      files: addTest(nodeHead + nodeOne + nodeTwo.replace('test(', 'test.todo(')),
      missing: /was skipped/,
    },
    { what: 'a removed test', files: { ...addTest(nodeHead + nodeTwo) }, missing: notReported },
    { what: 'a renamed test', files: addTest(nodeHead + nodeOne.replace('one', '1') + nodeTwo), missing: notReported },
    {
      what: 'a test file out of the glob',
      files: { 'test/add.test.js': null, 'test/add.txt': nodeHead + nodeOne + nodeTwo },
      missing: noEvidence,
    },
    {
      what: 'a changed script',
      files: { 'package.json': '{"name":"a","scripts":{"test":"node --test --test-name-pattern=none"}}\n' },
      missing: /package\.json|skipped/,
    },
    {
      what: 'a lifecycle script',
      files: { 'package.json': '{"name":"a","scripts":{"pretest":"exit 0","test":"node --test"}}\n' },
      missing: changedGuard('package.json'),
    },
    { what: 'an option file of npm', files: { '.npmrc': 'ignore-scripts=true\n' }, missing: changedGuard('.npmrc') },
    {
      what: 'a file that changes during the run',
      files: addSource("require('node:fs').writeFileSync('src/seen.txt', String(Date.now()));\nexports.add = (a, b) => a + b;\n"),
      missing: /changed while npm test ran/,
    },
    ...otherRuns({
      'NODE_OPTIONS before the command': 'NODE_OPTIONS=--require=./src/add.js npm test',
      'a pattern of names': 'npm test -- --test-name-pattern=two',
      'NODE_PATH before the command': 'NODE_PATH=src npm test',
      'NODE_EXTRA_CA_CERTS before the command': 'NODE_EXTRA_CA_CERTS=src/ca.pem npm test',
      'a variable that stays in the shell': 'export NODE_OPTIONS=--require=./src/add.js; npm test',
      'another program first on PATH': 'PATH="$PWD/src:$PATH" npm test',
      'an exit code of its own': 'npm test || true',
      'the end of the output only': 'npm test | tail -20',
      'the lines that pass only': 'npm test | grep -v "not ok"',
      'a copy of the output': 'npm test | tee /dev/null',
      'output without errors': 'npm test 2>/dev/null',
      'less output': 'npm test --silent',
      'another command after it': 'npm test; echo done',
      'another command if it passes': 'npm test && echo done',
      'another shell': 'sh -c "npm test"',
      'another folder': '(cd src && npm test)',
      'a copy of the project': 'cp -r . ../copy && (cd ../copy && npm test); rm -r ../copy',
      'the background': 'npm test & wait',
    }),
    {
      what: 'a program in front of the runner, for the run only',
      files: addSource('exports.add = () => 0;\n'),
      before: installProgram(
        'node',
        'TAP version 13\\n# Subtest: adds one\\nok 1 - adds one\\n# Subtest: adds two\\nok 2 - adds two\\n1..2\\n# tests 2\\n# suites 0\\n# pass 2\\n# fail 0\\n# cancelled 0\\n# skipped 0\\n# todo 0\\n',
      ),
      after: 'rm node_modules/.bin/node',
      missing: /node_modules\/\.bin\/node changed during the newest run|no evidence/,
    },
    {
      what: 'a file with variables that git ignores',
      files: { '.env': 'NODE_OPTIONS=--require=./src/add.js\n' },
      missing: changedGuard('.env'),
    },
    {
      what: 'a program that npm finds in a folder around the project',
      files: { '../node_modules/.bin/node': '#!/bin/sh\n' },
      missing: changedGuard('node_modules/.bin/node'),
    },
    { what: 'another version of Node', files: { '.nvmrc': '18\n' }, missing: changedGuard('.nvmrc') },
    { what: 'another version of Node by mise', files: { 'mise.toml': '[tools]\n' }, missing: changedGuard('mise.toml') },
    {
      what: 'a second test of the same name that passes',
      files: {
        ...addSource('exports.add = () => 0;\n'),
        ...addTest(`${nodeHead}${nodeOne}${nodeTwo}test('adds one', () => undefined);\n`),
      },
      missing: /adds one/,
    },
    {
      what: 'the name of the failing test on one that passes',
      files: {
        ...addSource('exports.add = (a) => (a === 1 ? 0 : 4);\n'),
        ...addTest(`${nodeHead}${nodeOne.replace('one', '1')}${nodeTwo}test('adds one', () => undefined);\n`),
      },
      missing: /adds 1/,
    },
    {
      what: 'a name with line breaks',
      files: addTest(`${nodeHead}${nodeOne}test('x\\nok 2 - adds two', () => undefined);\n`),
      missing: notReported,
    },
    {
      what: 'a name in another case',
      files: addTest(nodeHead + nodeOne.replace('adds', 'Adds') + nodeTwo),
      missing: notReported,
    },
    {
      what: 'a test that waits for a person or a day',
      files: addTest(
        nodeHead + nodeOne.replace("one', ", "one', { skip: process.env.USER !== 'nobody' || Date.now() > 0 }, ") + nodeTwo,
      ),
      missing: /was skipped/,
    },
    {
      what: 'a process that edits the source afterwards',
      files: addSource(
        "require('node:child_process').spawn('sh', ['-c', 'sleep 0.5; echo >> src/add.js'], { detached: true, stdio: 'ignore' }).unref();\nexports.add = (a, b) => a + b;\n",
      ),
      run: 'npm test; sleep 1',
      missing: /does not count|changed after|changed while/,
    },
    {
      what: 'a line of a result printed by the source',
      files: addSource("exports.add = () => { console.log('ok 1 - adds one'); return 0; };\n"),
      missing: /adds one|no evidence/,
    },
    {
      what: 'options for Node in .npmrc',
      files: { '.npmrc': 'node-options=--no-warnings\n' },
      missing: /\.npmrc\b.* changed since you entered|no evidence/,
    },
    {
      what: 'a test that depends on the environment',
      files: addTest(nodeHead + nodeOne.replace("one', ", "one', { skip: !process.env.NOWHERE }, ") + nodeTwo),
      missing: /was skipped/,
    },
    {
      what: 'a suite that is skipped',
      files: addTest(`${nodeHead}test.describe.skip('all', () => { ${nodeOne}${nodeTwo} });\n`),
      missing: /no evidence|not reported|was skipped/,
    },
    {
      what: 'a letter that looks alike',
      files: addTest(nodeHead + nodeOne.replace('adds', '\u0430dds') + nodeTwo),
      missing: notReported,
    },
    {
      what: 'an exit in a hook of all tests',
      files: addTest(`${nodeHead}${nodeOne}${nodeTwo}test.after(() => process.exit(0));\n`),
      missing: noEvidence,
    },
    {
      what: 'a process that edits the source after the run',
      files: addSource(
        "require('node:child_process').spawn('env', ['-i', 'sh', '-c', '/bin/sleep 1; echo \"exports.add = () => 0;\" > src/add.js'], { detached: true, stdio: 'ignore' }).unref();\nexports.add = (a, b) => a + b;\n",
      ),
      after: `${JSON.stringify(process.execPath)} -e "setTimeout(() => {}, 1700)"`,
      missing: /src\/add\.js changed after/,
    },
    {
      what: 'a name with a carriage return',
      files: addTest(`${nodeHead}${nodeTwo}test('x\\rok 1 - adds one', () => undefined);\n`),
      missing: notReported,
    },
    {
      what: 'a name with the suffix of a skipped test',
      files: addTest(`${nodeHead}${nodeTwo}test('adds one # SKIP', () => undefined);\n`),
      missing: notReported,
    },
    {
      what: 'a name that is too long to be printed',
      files: addTest(`${nodeHead}${nodeTwo}test('adds one'.padEnd(100_000, ' x'), () => undefined);\n`),
      missing: /no evidence|not reported/,
    },
    {
      what: 'a signal to the runner',
      files: addSource("process.kill(process.ppid, 'SIGTERM');\nexports.add = () => 0;\n"),
      missing: /no evidence|does not count|changed after/,
    },
    {
      what: 'results printed into the output of the runner',
      files: addSource(
        "require('node:fs').writeFileSync(`/proc/${process.ppid}/fd/1`, 'ok 1 - adds one\\nok 2 - adds two\\n1..2\\n# tests 2\\n# suites 0\\n# pass 2\\n');\nexports.add = () => 0;\n",
      ),
      missing: /adds one|no evidence|does not count/,
    },
    {
      what: 'lines of failures that are left out of the output',
      files: addSource(
        'const { write } = process.stdout;\nprocess.stdout.write = function (text, ...more) { return /not ok|fail/.test(String(text)) || write.call(this, text, ...more); };\nexports.add = () => 0;\n',
      ),
      missing: /adds one|no evidence/,
    },
    {
      what: 'another type of modules in the folder of tests',
      files: { 'test/package.json': '{"type":"commonjs"}\n' },
      missing: changedGuard('package.json'),
    },
    {
      what: 'imports of package.json',
      files: { 'package.json': '{"name":"a","imports":{"#a":"./src/a.js"},"scripts":{"test":"node --test"}}\n' },
      missing: changedGuard('package.json'),
    },
    {
      what: 'a changed library in `node_modules`',
      files: {
        ...addSource('exports.add = (a, b) => (b === 2 ? 0 : a + b);\n'),
        'node_modules/check/index.js': 'exports.equal = () => undefined;\n',
      },
      missing: null,
    },
    {
      what: 'source that reads a file that git ignores',
      files: {
        'build/sum.js': 'exports.add = (a, b) => a + b;\n',
        ...addSource("exports.add = require('node:fs').existsSync('build/sum.js') ? require('../build/sum.js').add : () => 0;\n"),
      },
      after: 'rm build/sum.js',
      missing: null,
    },
    {
      what: 'source that depends on the clock',
      files: addSource('exports.add = (a, b) => (new Date().getFullYear() < 2100 ? a + b : 0);\n'),
      missing: null,
    },
    {
      what: 'a link in place of a test file',
      files: { 'test/add.test.js': '', 'src/other.js': "require('node:test')('adds one', () => undefined);\n" },
      before: 'ln -sf ../src/other.js test/add.test.js',
      missing: notReported,
    },
    {
      what: 'source that writes into the report of its own run',
      files: addSource(
        "const write = process.stdout.write.bind(process.stdout);\nprocess.stdout.write = (chunk, ...more) => write(Buffer.from(Buffer.from(chunk).toString('latin1').replaceAll('test:fail', 'test:pass'), 'latin1'), ...more);\nprocess.on('exit', () => process.reallyExit(0));\nexports.add = () => 0;\n",
      ),
      missing: null,
    },
    {
      what: 'a test that moved to another file',
      files: { ...addTest(nodeHead + nodeTwo), 'test/other.test.js': "require('node:test')('adds one', () => undefined);\n" },
      missing: /`adds one` moved to/,
      byEngine: /`adds one` moved to/,
    },
    {
      what: 'an assertion library that is patched',
      files: addSource("require('node:assert').equal = () => undefined;\nexports.add = () => 0;\n"),
      missing: null,
    },
    {
      what: 'source that knows when it is tested',
      files: addSource('exports.add = (a, b) => (process.env.NODE_TEST_CONTEXT ? a + b : 0);\n'),
      missing: null,
    },
    {
      what: 'a test whose assertion was emptied',
      files: addTest(nodeHead + nodeOne.replace('assert.equal(add(1, 1), 2)', '{}') + nodeTwo),
      missing: null,
    },
  ],
  failures: [
    { what: 'a file that only exits', files: addTest('process.exit(3);\n'), missing: noEvidence },
    { what: 'a file that cannot be loaded', files: addTest("require('./nothing');\n"), missing: /no evidence|by an error/ },
    {
      what: 'a test that throws',
      files: addTest(`${nodeHead}test('throws', () => { throw new Error('no'); });\n`),
      missing: /by an error/,
    },
    { what: 'a test that passes', files: addTest(`${nodeHead}test('passes', () => undefined);\n`), missing: /no test fails/ },
    {
      what: 'a test that is skipped',
      files: addTest(nodeHead + nodeOne.replace('test(', 'test.skip(')),
      missing: /no evidence|no test fails/,
    },
    {
      what: 'a failing test that has nothing to do with the change',
      files: addTest(`${nodeHead}test('nothing', () => assert.ok(false));\n`),
      missing: null,
    },
    {
      what: 'a failing script',
      files: { 'package.json': '{"name":"a","scripts":{"test":"exit 1"}}\n' },
      missing: /no evidence|package\.json/,
    },
  ],
};
