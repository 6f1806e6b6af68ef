// Runs every check of the repository, two at a time, and prints one line for each. The output of a failed check follows its line.
//
//   node scripts/check.mjs            all of them
//   node scripts/check.mjs types knip only the named ones
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const bin = (name) => join(root, 'node_modules/.bin', name);

/** `says` summarizes a tool's output in one line. Without it, the last printed line is shown. */
const steps = [
  { name: 'types', command: [bin('tsc'), '-p', '.'], says: () => `no errors in ${countTypeScript()} files` },
  {
    name: 'lint',
    command: [bin('biome'), 'check', '--error-on-warnings', '--max-diagnostics=50'],
    says: (text) => /Checked.*files/.exec(text)?.[0],
  },
  { name: 'imports', command: ['node', 'scripts/check-imports.mjs'] },
  {
    name: 'unused',
    command: [bin('knip'), '--no-progress', '--treat-config-hints-as-errors'],
    says: () => 'no unused files, exports or packages',
  },
  { name: 'patterns', command: ['node', 'scripts/check-patterns.mjs'] },
  { name: 'text', command: ['node', 'scripts/check-text.mjs'] },
  { name: 'prose', command: ['node', 'scripts/check-prose.mjs'] },
  { name: 'decisions', command: ['node', 'scripts/check-decisions.mjs'] },
  { name: 'plugin', command: ['node', 'scripts/check-plugin.mjs'] },
  { name: 'schemas', command: ['node', 'scripts/schemas.mjs', '--check'], says: () => 'schemas/ is what the sources give' },
  { name: 'semantics', command: ['node', 'scripts/semantics.mjs', '--check'] },
  { name: 'cli', command: ['node', 'scripts/cli.mjs', '--check'] },
  { name: 'messages', command: ['node', 'scripts/messages.mjs', '--check'] },
  { name: 'benchmarks', command: ['node', 'scripts/bench-page.mjs', '--check'] },
  { name: 'package', command: ['node', 'scripts/check-package.mjs'] },
  { name: 'release', command: ['node', 'scripts/check-release.mjs'] },
  { name: 'sbom', command: ['node', 'scripts/sbom.mjs', '--check'] },
  { name: 'dist', command: ['node', 'scripts/build.mjs', '--check'] },
  { name: 'notice', command: ['node', 'scripts/notice.mjs', '--check'] },
];

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !steps.some((step) => step.name === name));
if (unknown.length > 0) {
  console.error(`no such check: ${unknown.join(', ')}; there are ${steps.map(({ name }) => name).join(', ')}`);
  process.exit(64);
}

const queue = steps.filter(({ name }) => asked.length === 0 || asked.includes(name));
const total = queue.length;
let failed = 0;
await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, work));
console.log(`checks: ${total - failed} passed, ${failed} failed`);
if (failed > 0) process.exitCode = 1;

async function work() {
  for (let step = queue.shift(); step !== undefined; step = queue.shift()) {
    const started = performance.now();
    const { status, output } = await run(step.command);
    const took = `${((performance.now() - started) / 1000).toFixed(1)} s`;
    const says = (status === 0 && step.says?.(output)) || lastLine(output);
    console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${step.name.padEnd(9)} ${says} (${took})`);
    if (status !== 0) {
      failed += 1;
      console.log(output.trimEnd().replace(/^/gm, '       '));
    }
  }
}

/** Resolves with the exit status, or null for a program that could not start or was killed, and with its complete output. */
function run([program, ...args]) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, NO_COLOR: '1' } });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (output += text));
    child.on('error', (error) => resolve({ status: null, output: `${output}${error.message}\n` }));
    child.on('close', (status) => resolve({ status, output }));
  });
}

function lastLine(text) {
  return text.trimEnd().split('\n').at(-1) ?? '';
}

function countTypeScript() {
  return ['src', 'test', 'scripts']
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true }))
    .filter((name) => name.endsWith('.ts')).length;
}
