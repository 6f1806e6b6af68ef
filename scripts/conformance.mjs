// Compares the shipped policy with a stock OPA. `opa fmt`, `opa check` and `opa test` must accept our Rego. `opa run --server`
// must give the verdicts of the shipped WASM, for the core on generated rules and calls, and for bundles
// of the examples on their cases.
//
//   node scripts/conformance.mjs [--runs N]
//
// The stock OPA is built with Go (stock-opa.mjs). Without Go it says loudly that nothing was compared and exits 0. Tests that
// need no Go are in test/unit/policy.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import fc from 'fast-check';
import { compareSigning } from './conformance-signing.mjs';
import { cacheFolder, loadSource, root } from './load-source.mjs';
import { readModules } from './rego-files.mjs';
import { keptOpa, stockOpa, VERSION } from './stock-opa.mjs';

let passed = 0;
let failures = 0;
function check(name, holds, detail = '') {
  if (holds) passed += 1;
  else failures += 1;
  console.log(`${holds ? 'ok  ' : 'FAIL'} ${name}${holds || detail === '' ? '' : `\n${detail}`}`);
}

function runs(opa, name, args) {
  const { status, stdout, stderr } = spawnSync(opa, args, {
    cwd: root,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: tmpdir() },
  });
  check(name, status === 0, `${stdout}${stderr}`.slice(0, 4000));
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Runs `opa run --server` until `use` has finished. */
async function serving(opa, args, use) {
  const url = `http://127.0.0.1:${await freePort()}`;
  const child = spawn(opa, ['run', '--server', '--log-level', 'error', '--addr', url.slice('http://'.length), ...args], {
    cwd: root,
    stdio: 'ignore',
  });
  try {
    for (let tries = 0; ; tries++) {
      if (child.exitCode !== null || tries > 300) throw new Error('opa run --server does not come up');
      const up = await fetch(`${url}/health?bundles`).then(
        (answer) => answer.ok,
        () => false,
      );
      if (up) break;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    await use(url);
  } finally {
    child.kill('SIGKILL');
  }
}

async function send(url, method, body) {
  const answer = await fetch(url, { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });
  if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${await answer.text()}`);
  return answer.status === 204 ? null : answer.json();
}

/** Asks the served OPA and the WASM; returns the first difference. */
async function compare(url, evaluator, inputs, readVerdict) {
  for (const input of inputs) {
    const { result } = await send(`${url}/v1/data/modes/verdict`, 'POST', { input });
    const [theirs, ours] = [readVerdict(result), evaluator.evaluateVerdict(input)];
    if (!isDeepStrictEqual(theirs, ours)) return JSON.stringify({ input, theirs, ours }, null, 1);
  }
  return null;
}

async function compareCore(opa, count, { readVerdict, Evaluator }) {
  const { facts, settings } = await loadSource('test/support/generate-rules.ts');
  const { dataOf, rulesOf } = await loadSource('test/support/policy.ts');
  const isUnderstood = (given) => {
    try {
      rulesOf(given);
      return true;
    } catch {
      return false;
    }
  };
  const evaluator = new Evaluator(readFileSync(join(root, 'dist/core.wasm')));
  const samples = fc.sample(fc.tuple(settings.filter(isUnderstood), fc.array(facts, { minLength: 20, maxLength: 20 })), count);
  const core = Object.keys(readModules(['policies'], { tests: false }));
  await serving(opa, core, async (url) => {
    let different = null;
    for (const [given, inputs] of samples) {
      const data = { rules: dataOf(given) };
      evaluator.setData(data);
      await send(`${url}/v1/data/rules`, 'PUT', data.rules);
      different ??= await compare(url, evaluator, inputs, readVerdict);
    }
    check(`opa run --server and the WASM on ${count} sets of rules with 20 calls each`, different === null, different ?? '');
  });
}

async function compareBundles(opa, { readVerdict }) {
  const { openSuite } = await loadSource('src/adapters/cli/policy-suite.ts');
  const { configure } = await loadSource('src/app/dry-run.ts');
  const { callOfCase } = await loadSource('src/adapters/cli/policy-cases.ts');
  const { stockBundle, wholeBundle } = await loadSource('src/adapters/cli/policy-build.ts');
  const env = { PATH: process.env.PATH, HOME: join(cacheFolder, 'home') };
  const made = mkdtempSync(join(tmpdir(), 'modes-conformance-'));
  try {
    const names = readdirSync(join(root, 'examples/policies'), { withFileTypes: true }).flatMap((one) =>
      one.isDirectory() ? [one.name] : [],
    );
    for (const name of names) {
      const suite = openSuite(join(root, 'examples/policies', name), { env, packageRoot: root });
      const configured = await configure(suite.content, { root: suite.root, trusted: true, env, packageRoot: root });
      const [mode, bundle] = [...configured.bundles()][0];
      const file = join(made, `${name}.tar.gz`);
      writeFileSync(file, await stockBundle(configured, await wholeBundle(configured, bundle)));
      // As in real decisions: custom policies are evaluated separately, and the core receives their decisions.
      const policy = configured.config.policies.of(mode);
      const evaluator = { evaluateVerdict: (input) => policy.evaluate(input) };
      const inputs = suite.cases.map((one) => configured.decide(callOfCase(one, suite.root), mode).facts);
      await serving(opa, ['-b', file], async (url) => {
        const different = await compare(url, evaluator, inputs, readVerdict);
        check(
          `the bundle of ${name}, served by opa run --server, on ${inputs.length} cases`,
          different === null,
          different ?? '',
        );
      });
    }
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

/** Some unit tests need an existing stock OPA. If this run has just built it, they have not run yet, so they run here. */
function asEvaluator() {
  const args = ['node_modules/vitest/vitest.mjs', 'run', 'test/unit/teams/opa-server.test.ts'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  check('opa run --server as evaluator', status === 0, `${stdout}${stderr}`.slice(-4000));
}

async function main() {
  const { values } = parseArgs({ options: { runs: { type: 'string', default: '40' } } });
  const isKept = keptOpa() !== null;
  const opa = stockOpa();
  if (opa === null) {
    console.error(`NOT CHECKED: nothing was compared with a stock opa ${VERSION}, which needs Go to be built here`);
    return;
  }
  const version = execFileSync(opa, ['version'], { encoding: 'utf8' }).split('\n')[0];
  check(version, version === `Version: ${VERSION}`);
  const { readVerdict } = await loadSource('src/policy/verdict.ts');
  const { Evaluator } = await loadSource('src/policy/evaluator.ts');
  const folders = ['policies', 'examples/policies'];
  runs(opa, 'opa fmt has nothing to change', ['fmt', '--list', '--fail', ...folders]);
  runs(opa, 'opa check --strict with our capabilities', [
    'check',
    '--strict',
    '--capabilities',
    'src/policy/compiler/capabilities.json',
    ...folders,
  ]);
  runs(opa, 'opa test of the core and the examples', ['test', '--ignore', '*.yaml', ...folders]);
  await compareCore(opa, Number(values.runs), { readVerdict, Evaluator });
  await compareBundles(opa, { readVerdict });
  await compareSigning(opa, check);
  if (!isKept) asEvaluator();
  console.log(`${passed} passed, ${failures} failed`);
  if (failures > 0) process.exitCode = 1;
}

await main();
