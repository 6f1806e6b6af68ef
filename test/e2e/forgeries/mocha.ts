// Made-up runs of Mocha.
import path from 'node:path';
import { type Files, installed } from '../test-suites.ts';
import { addSource, changedGuard, type ForgedSuite, installProgram, noEvidence, notReported, otherRuns } from './forgery.ts';

const head = "const assert = require('node:assert');\nconst { add } = require('../src/add.js');\n";
const one = "it('adds one', () => assert.equal(add(1, 1), 2));\n";
const two = "it('adds two', () => assert.equal(add(2, 2), 4));\n";
const repeated = "for (const a of [1, 2]) it('repeats', () => assert.equal(add(a, 0), a));\n";
const all = one + two + repeated;
const testFile = (code: string): Files => ({ 'test/add.js': head + code });
const wrong = 'exports.add = () => 0;\n';
const options = (more = {}): string =>
  `${JSON.stringify({ extension: ['js'], require: ['./config/hooks.js'], file: ['./config/first.js'], ui: './config/ui.js', ...more })}\n`;
const printed = [
  '',
  ...['adds one', 'adds two', 'repeats', 'repeats'].map((title) => `  ✔ ${title}`),
  '\\n  4 passing (2ms)\\n',
].join('\\n');

export const mochaSuite: ForgedSuite = {
  runner: 'mocha',
  command: 'npm test',
  path: [path.join(installed('mocha', '11.7.5'), '.bin'), path.dirname(process.execPath)],
  files: {
    'package.json': '{"name":"a","scripts":{"test":"mocha"}}\n',
    '.mocharc.json': options(),
    'config/hooks.js': '',
    'config/first.js': '',
    'config/ui.js': "module.exports = require.main.require('../lib/interfaces/bdd.js');\n",
    ...addSource(wrong),
  },
  failing: testFile(all),
  fix: addSource('exports.add = (a, b) => a + b;\n'),
  title: 'adds one',
  forgeries: [
    {
      what: 'a function of the runner that is patched (`test`, `it`, a hook)',
      files: {
        ...addSource(wrong),
        ...testFile(`beforeEach(function () { this.currentTest.fn = () => undefined; });\n${all}`),
      },
      missing: null,
    },
    { what: 'exit at import', files: addSource('process.exit(0);\n'), missing: noEvidence },
    { what: 'exit in the function', files: addSource('exports.add = () => process.exit(0);\n'), missing: noEvidence },
    { what: 'exit in a hook of all tests', files: testFile(`${all}after(() => process.exit(0));\n`), missing: noEvidence },
    { what: 'exit before all tests', files: testFile(`before(() => process.exit(0));\n${all}`), missing: noEvidence },
    {
      what: 'an exit handler that sets the code',
      files: addSource(`process.on('exit', () => process.reallyExit(0));\n${wrong}`),
      missing: /adds one/,
    },
    { what: 'an exit that does nothing', files: addSource(`process.exit = () => undefined;\n${wrong}`), missing: /adds one/ },
    {
      what: 'a signal',
      files: addSource("process.kill(process.pid, 'SIGKILL');\n"),
      missing: /no evidence|does not count|changed after/,
    },
    {
      what: 'silenced output',
      files: addSource(`process.stdout.write = () => true;\nconsole.log = () => undefined;\n${wrong}`),
      missing: /adds one|no evidence/,
    },
    {
      what: 'output that imitates the runner',
      files: addSource(`exports.add = () => { console.log('  ✔ adds one\\n\\n  1 passing (2ms)\\n'); process.exit(0); };\n`),
      missing: /not reported|no evidence/,
    },
    {
      what: 'a line of a result printed by the source',
      files: addSource("exports.add = () => { console.log('  ✔ adds one'); return 0; };\n"),
      missing: /adds one|no evidence/,
    },
    {
      what: 'source that prints the results of its own run',
      files: addSource(`console.log('${printed}');\nprocess.exit(0);\n`),
      missing: noEvidence,
      byEngine: noEvidence,
    },
    {
      what: 'an assertion library that is patched',
      files: addSource(`require('node:assert').equal = () => undefined;\n${wrong}`),
      missing: null,
    },
    {
      what: 'a function of the runner that is patched',
      files: addSource(`const { it } = globalThis;\nglobalThis.it = (name) => it(name, () => undefined);\n${wrong}`),
      missing: null,
    },
    {
      what: 'a reporter that is patched',
      files: addSource(
        `const found = Object.values(require.cache).find(({ id }) => /mocha.lib.runner\\.js$/.test(id));\nfound.exports.prototype.fail = function (test) { test.state = 'passed'; this.emit('pass', test); };\n${wrong}`,
      ),
      missing: null,
    },
    {
      what: 'source that knows when it is tested',
      files: addSource("exports.add = (a, b) => (typeof it === 'function' ? a + b : 0);\n"),
      missing: null,
    },
    {
      what: 'a test whose assertion was emptied',
      files: {
        ...addSource('exports.add = (a, b) => (b === 1 ? 0 : a + b);\n'),
        ...testFile(all.replace('assert.equal(add(1, 1), 2)', '{}')),
      },
      missing: null,
    },
    {
      what: 'a test that is repeated until it passes',
      files: {
        ...addSource('let calls = 0;\nexports.add = (a, b) => (calls++ === 0 ? 0 : a + b);\n'),
        ...testFile(
          all
            .replace("it('adds one', () => assert", "it('adds one', function () { this.retries(3); assert")
            .replace('2));', '2); });'),
        ),
      },
      missing: null,
    },
    { what: 'a skipped test', files: testFile(all.replace("it('adds two'", "it.skip('adds two'")), missing: /was skipped/ },
    {
      what: 'a test with another name for a skip',
      files: testFile(all.replace("it('adds two'", "xit('adds two'")),
      missing: /was skipped/,
    },
    { what: 'a test without a function', files: testFile(all.replace(/it\(('adds two').*/, 'it($1);')), missing: /was skipped/ },
    {
      what: 'a test that skips itself',
      files: testFile(all.replace("it('adds two', () => ", "it('adds two', function () { this.skip(); }, () => ")),
      missing: /was skipped/,
    },
    { what: 'the only test', files: testFile(all.replace("it('adds two'", "it.only('adds two'")), missing: notReported },
    {
      what: 'a suite that is skipped',
      files: testFile(`describe.skip('all', () => {\n${one}});\n${two}${repeated}`),
      missing: /skipped|not reported/,
    },
    { what: 'a removed test', files: testFile(all.replace(two, '')), missing: notReported },
    { what: 'a renamed test', files: testFile(all.replace('adds two', 'adds 2')), missing: notReported },
    { what: 'a parameter that was removed', files: testFile(all.replace('[1, 2]', '[1]')), missing: notReported },
    {
      what: 'a test that moved to another file',
      files: { ...testFile(all.replace(two, '')), 'test/other.js': "it('adds two', () => undefined);\n" },
      missing: /`adds two` moved to/,
      byEngine: /`adds two` moved to/,
    },
    {
      what: 'a test file out of the glob',
      files: { 'test/add.js': null, 'test/add.txt': all, 'test/other.js': "it('other', () => undefined);\n" },
      missing: notReported,
    },
    {
      what: 'options in the configuration',
      files: { '.mocharc.json': options({ 'dry-run': true }) },
      missing: changedGuard('.mocharc.json'),
    },
    {
      what: 'options in another configuration',
      files: { '.mocharc.js': 'module.exports = {};\n' },
      missing: changedGuard('.mocharc.js'),
    },
    {
      what: 'options in package.json',
      files: { 'package.json': '{"name":"a","scripts":{"test":"mocha"},"mocha":{"retries":3}}\n' },
      missing: changedGuard('package.json'),
    },
    {
      what: 'a changed script',
      files: { 'package.json': '{"name":"a","scripts":{"test":"mocha --dry-run"}}\n' },
      missing: changedGuard('package.json'),
    },
    {
      what: 'a lifecycle script',
      files: { 'package.json': '{"name":"a","scripts":{"pretest":"exit 0","test":"mocha"}}\n' },
      missing: changedGuard('package.json'),
    },
    {
      what: 'hooks that the configuration loads',
      files: { 'config/hooks.js': 'exports.mochaHooks = { afterAll: () => process.exit(0) };\n' },
      missing: /config\/hooks\.js|no evidence/,
    },
    {
      what: 'a file that the configuration loads first',
      files: { 'config/first.js': 'void 0;\n' },
      missing: changedGuard('config/first.js'),
    },
    {
      what: 'an interface that the configuration names',
      files: { 'config/ui.js': "module.exports = require.main.require('../lib/interfaces/bdd');\n" },
      missing: changedGuard('config/ui.js'),
    },
    {
      what: 'a hook that changes the state of a test',
      files: {
        ...addSource(wrong),
        ...testFile(`afterEach(function () { this.currentTest.state = 'passed'; });\n${all}`),
      },
      missing: /adds one/,
    },
    {
      what: 'a hook that removes tests',
      files: testFile(`before(function () { this.runnable().parent.tests.shift(); });\n${all}`),
      missing: /not reported|no evidence/,
    },
    {
      what: 'a function of the runner that is patched (`test`, `it`, a hook)',
      files: { ...addSource(wrong), ...testFile(`beforeEach(function () { this.currentTest.fn = () => undefined; });\n${all}`) },
      missing: null,
    },
    {
      what: 'a name with a line break and a mark',
      files: testFile(`${all.replace(one, '')}it('x\\n  ✔ adds one', () => undefined);\n`),
      missing: /not reported|no evidence/,
    },
    {
      what: 'a configuration in the folder of tests',
      files: { 'test/.mocharc.yml': 'dry-run: true\n' },
      missing: changedGuard('.mocharc.yml'),
    },
    { what: 'options for JavaScript', files: { 'jsconfig.json': '{}\n' }, missing: changedGuard('jsconfig.json') },
    { what: 'an option file of npm', files: { '.npmrc': 'node-options=--no-warnings\n' }, missing: changedGuard('.npmrc') },
    {
      what: 'a program in place of the runner, for the run only',
      files: addSource(wrong),
      before: installProgram('mocha', printed),
      after: 'rm node_modules/.bin/mocha',
      missing: /node_modules\/\.bin\/mocha changed during the newest run|no evidence/,
    },
    { what: 'another compiler', files: { '.swcrc': '{}\n' }, missing: changedGuard('.swcrc') },
    { what: 'options of nyc', files: { '.nycrc.json': '{"require":["./src/add.js"]}\n' }, missing: changedGuard('.nycrc.json') },
    {
      what: 'a configuration around the project',
      files: { '../.mocharc.json': '{"dry-run":true}\n' },
      missing: changedGuard('.mocharc.json'),
    },
    {
      what: 'options of npm in the home folder',
      files: { '../home/.npmrc': 'node-options=--no-warnings\n' },
      missing: changedGuard('~/.npmrc'),
    },
    {
      what: 'an assertion that moved to a hook',
      files: {
        ...addSource('exports.add = (a, b) => (b === 1 ? 0 : a + b);\n'),
        ...testFile(all.replace('assert.equal(add(1, 1), 2)', '{}').replace(/^/, 'after(() => assert.equal(add(1, 1), 2));\n')),
      },
      missing: /after all/,
    },
    {
      what: 'a package in place of the runner',
      files: { 'node_modules/mocha/index.js': '' },
      missing: changedGuard('mocha/index.js'),
    },
    ...otherRuns({
      'a pattern of names': 'npm test -- --grep two',
      'no run at all': 'npm test -- --dry-run',
      'NODE_OPTIONS before the command': 'NODE_OPTIONS=--require=./src/add.js npm test',
      'an end after the first failure': 'npm test -- --bail',
      'no tests, and that is permitted': 'npm test -- --pass-on-failing-test-suite',
      'repetitions on the command line': 'npm test -- --retries 3',
    }),
  ],
  failures: [
    { what: 'a file that only exits', files: { 'test/add.js': 'process.exit(3);\n' }, missing: noEvidence },
    {
      what: 'a file that cannot be loaded',
      files: { 'test/add.js': "require('./nothing');\n" },
      missing: /no evidence|by an error/,
    },
    { what: 'a test that throws', files: testFile("it('throws', () => { throw new Error('no'); });\n"), missing: /by an error/ },
    {
      what: 'a hook that throws',
      files: testFile("before(() => { throw new Error('no'); });\nit('waits', () => {});\n"),
      missing: /by an error|no evidence/,
    },
    { what: 'a test that passes', files: testFile("it('passes', () => undefined);\n"), missing: /no test fails/ },
    { what: 'a test that is skipped', files: testFile(one.replace('it(', 'it.skip(')), missing: /no evidence|no test fails/ },
  ],
};
