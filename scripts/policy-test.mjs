// Runs the tests of policies/, and tests and cases of every example, through the shipped evaluator.
//
//   node scripts/policy-test.mjs [-v] [-r REGEX] [--json]
//
// Exit 1 if a test fails, if something does not compile, if there is no test at all, or if the cases of a preset leave out more than
// 5 % of its rules.
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { cacheFolder, loadSource, root } from './load-source.mjs';
import { readModules } from './rego-files.mjs';

const { Compiler } = await loadSource('src/policy/compiler/compiler.ts');
const { sourceFiles } = await loadSource('src/policy/compiler/files.ts');
const { runSuite } = await loadSource('src/policy/custom/tester.ts');
const { openSuite } = await loadSource('src/adapters/cli/policy-suite.ts');
const { runPolicies } = await loadSource('src/adapters/cli/policy-run.ts');
const { coverSuite, percentOf } = await loadSource('src/adapters/cli/policy-covered.ts');
const { countOutcomes, describeOutcomes, describeProblems } = await loadSource('src/adapters/cli/policy-report.ts');

/** Projects with their own policies, and every standalone policy in examples/policies. */
function exampleFolders() {
  const below = (folder) =>
    (existsSync(join(root, folder)) ? readdirSync(join(root, folder), { withFileTypes: true }) : []).flatMap((entry) =>
      entry.isDirectory() ? [`${folder}/${entry.name}`] : [],
    );
  const projects = below('examples').filter((folder) => existsSync(join(root, folder, '.claude/policies')));
  const alone = below('examples/policies').filter((folder) =>
    readdirSync(join(root, folder)).some((name) => name.endsWith('.rego')),
  );
  return [...projects, ...alone];
}

/** In any mode, no file in the package may be written, so an example is copied to a place where a person would have it. */
function copied(folder) {
  if (!existsSync(join(root, folder, '.claude'))) return folder;
  const copy = join(places, folder);
  cpSync(join(root, folder), copy, { recursive: true });
  return copy;
}

/** Share of a preset's rules that decide something in its cases, in percent. */
const leastCovered = 95;

const places = mkdtempSync(join(realpathSync(tmpdir()), 'modes-examples-'));
process.on('exit', () => rmSync(places, { recursive: true, force: true }));

async function testCore(options) {
  const core = readModules(['policies'], { tests: false });
  const all = readModules(['policies'], { tests: true });
  const tests = Object.fromEntries(Object.entries(all).filter(([name]) => name.endsWith('_test.rego')));
  const result = await runSuite({ core, custom: {}, tests }, options);
  return result.ok ? { outcomes: result.tests, problems: [] } : { outcomes: [], problems: result.problems };
}

async function main() {
  const { values } = parseArgs({
    options: { verbose: { type: 'boolean', short: 'v' }, run: { type: 'string', short: 'r' }, json: { type: 'boolean' } },
  });
  process.chdir(root);
  const filter = values.run === undefined ? null : new RegExp(values.run);
  const capabilities = JSON.parse(readFileSync(join(root, 'src/policy/compiler/capabilities.json'), 'utf8'));
  const compiler = new Compiler({ files: sourceFiles(root), cacheFolder, timeoutMs: 60_000 });
  // The configuration of this machine must not have any effect.
  const env = { PATH: process.env.PATH, HOME: join(cacheFolder, 'home') };
  const outcomes = [];
  const problems = [];
  const uncovered = [];
  const add = (ran) => {
    outcomes.push(...ran.outcomes);
    problems.push(...ran.problems);
  };
  try {
    add(await testCore({ compiler, capabilities, worker: join(root, 'src/policy/custom/worker.mjs'), filter }));
    for (const folder of exampleFolders()) {
      const suite = openSuite(copied(folder), { env, packageRoot: root });
      const ran = await runPolicies(suite, { compiler, env, packageRoot: root, filter });
      add(ran);
      if (filter !== null || !existsSync(join(root, folder, '.claude/modes.yaml'))) continue;
      const { rules } = await coverSuite(suite, ran, compiler, root);
      const untried = rules.filter(({ decided }) => decided === 0).map(({ file, line, text }) => `${file}:${line} ${text}`);
      if (percentOf(rules) < leastCovered) uncovered.push([folder, percentOf(rules), untried]);
    }
  } finally {
    compiler.close();
  }
  const counts = countOutcomes(outcomes);
  if (values.json) console.log(JSON.stringify({ ...counts, tests: outcomes, problems }, null, 2));
  else {
    if (problems.length > 0) console.error(describeProblems(problems, false));
    if (outcomes.length === 0 && problems.length === 0) console.error('no tests found');
    console.log(describeOutcomes(outcomes, { verbose: values.verbose }));
  }
  for (const [folder, percent, untried] of uncovered)
    console.error(
      `${folder}: its cases try ${percent} % of its rules, at least ${leastCovered} % is required:\n  ${untried.join('\n  ')}`,
    );
  const broken = problems.some(({ severity }) => severity === 'error');
  if (counts.failed > 0 || broken || counts.passed === 0 || uncovered.length > 0) process.exitCode = 1;
}

await main();
