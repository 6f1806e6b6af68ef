// Runs the tests of policies/ and of every example through the evaluator that is shipped.
//
//   node scripts/policy-test.mjs [-v] [-r REGEX] [--json]
//
// Exit 1 when a test does not pass, when something does not compile, and when there is no test at all.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { cacheFolder, loadSource, root } from './load-source.mjs';
import { readModules } from './rego-files.mjs';

const { Compiler } = await loadSource('src/rego/compiler.ts');
const { sourceFiles } = await loadSource('src/rego/files.ts');
const { formatProblem, runSuite } = await loadSource('src/policy/tester.ts');

/** The core with its tests, and every `policies` folder below examples/. */
function findSuites() {
  const core = readModules(['policies'], { tests: false });
  const suites = [{ name: 'policies', core, custom: {}, tests: testsOf('policies') }];
  for (const folder of policyFolders('examples')) {
    suites.push({ name: folder, core, custom: readModules([folder], { tests: false }), tests: testsOf(folder) });
  }
  return suites.filter(({ tests }) => Object.keys(tests).length > 0);
}

function testsOf(folder) {
  return Object.fromEntries(
    Object.entries(readModules([folder], { tests: true })).filter(([name]) => name.endsWith('_test.rego')),
  );
}

function policyFolders(folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap((entry) => {
      const name = `${folder}/${entry.name}`;
      return entry.name === 'policies' ? [name] : policyFolders(name);
    });
}

function printFiles(tests, verbose) {
  for (const file of [...new Set(tests.map((test) => test.file))].sort()) {
    const ofFile = tests.filter((test) => test.file === file);
    const count = (outcome) => ofFile.filter((test) => test.outcome === outcome).length;
    const failed = count('fail') + count('error');
    console.log(
      `${file}: ${count('pass')} passed${failed ? `, ${failed} failed` : ''}${count('skip') ? `, ${count('skip')} skipped` : ''}`,
    );
    for (const { outcome, name, line, message } of ofFile) {
      if (outcome === 'pass' && verbose) console.log(`  PASS ${name}`);
      if (outcome !== 'pass') console.log(`  ${outcome.toUpperCase()} ${name} (${file}:${line}): ${message}`);
    }
  }
}

async function main() {
  const { values } = parseArgs({
    options: { verbose: { type: 'boolean', short: 'v' }, run: { type: 'string', short: 'r' }, json: { type: 'boolean' } },
  });
  const filter = values.run === undefined ? null : new RegExp(values.run);
  const capabilities = JSON.parse(readFileSync(join(root, 'src/rego/capabilities.json'), 'utf8'));
  const compiler = new Compiler({ files: sourceFiles(root), cacheFolder, timeoutMs: 60_000 });
  const options = { compiler, capabilities, worker: join(root, 'src/policy/worker.mjs'), filter };
  const tests = [];
  const problems = [];
  try {
    for (const suite of findSuites()) {
      const result = await runSuite(suite, options);
      if (result.ok) tests.push(...result.tests);
      else problems.push(...result.problems);
    }
  } finally {
    compiler.close();
  }
  const passed = tests.filter(({ outcome }) => outcome === 'pass').length;
  const failed = tests.filter(({ outcome }) => outcome === 'fail' || outcome === 'error').length;
  if (values.json) {
    console.log(JSON.stringify({ passed, failed, tests, problems }, null, 2));
  } else {
    printFiles(tests, values.verbose);
    for (const problem of problems) console.error(formatProblem(problem));
    if (tests.length === 0 && problems.length === 0) console.error('no tests found');
    console.log(`${passed} passed, ${failed} failed`);
  }
  if (failed > 0 || problems.length > 0 || passed === 0) process.exitCode = 1;
}

await main();
