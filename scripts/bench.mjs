// Runs the benchmarks of test/bench one after the other. A run of all of them replaces docs/benchmarks.json and the page.
//
//   node scripts/bench.mjs                     all of them
//   node scripts/bench.mjs evaluation size     only the named ones; nothing in docs/ is changed
//   --json            prints the rows with their numbers
//   --write           replaces the rows of the named ones in docs/benchmarks.json, then writes the page and the picture
//   --turns N --calls N    fewer turns or calls in the real client than are published
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writePage } from './bench-page.mjs';
import { loadSource, root } from './load-source.mjs';

const benches = [
  'client',
  'start',
  'tokens',
  'bash',
  'evaluation',
  'policies',
  'decision',
  'extents',
  'gates',
  'process',
  'side',
  'server',
  'evaluator',
  'size',
];

const { values, positionals: asked } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean' }, write: { type: 'boolean' }, turns: { type: 'string' }, calls: { type: 'string' } },
});
const unknown = asked.filter((name) => !benches.includes(name));
if (unknown.length > 0) {
  console.error(`no such benchmark: ${unknown.join(', ')}; there are ${benches.join(', ')}`);
  process.exit(64);
}

process.chdir(root);
// The benchmark that runs ends what it started and removes its files.
const cancelled = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => cancelled.abort(new Error(`cancelled by ${name}`)));
const options = { cancel: cancelled.signal };
for (const name of ['turns', 'calls']) if (values[name] !== undefined) options[name] = Number(values[name]);

const measured = {};
try {
  for (const name of benches.filter((bench) => asked.length === 0 || asked.includes(bench))) {
    const { measure } = await loadSource(`test/bench/${name}.ts`);
    cancelled.signal.throwIfAborted();
    const [loadBefore] = loadavg();
    const rows = await measure((text) => console.error(`${name}: ${text} …`), options);
    measured[name] = { machine: machine(), date: new Date().toISOString().slice(0, 10), load: [loadBefore, loadavg()[0]], rows };
  }
} catch (error) {
  if (!cancelled.signal.aborted) throw error;
  console.error(`${cancelled.signal.reason.message}: nothing was written`);
  process.exit(130);
}

const rows = Object.values(measured).flatMap((bench) => bench.rows);
if (values.json) {
  console.log(JSON.stringify(measured, null, 2));
} else {
  const width = Math.max(...rows.map(({ what }) => what.length));
  for (const row of rows)
    console.log(
      `${row.what.padEnd(width)}  ${row.measured}${row.budget && `  (${row.budget}${row.holds === false ? ', does not hold' : ''})`}`,
    );
}

if (asked.length === 0 || values.write) {
  const file = join(root, 'docs/benchmarks.json');
  const before = JSON.parse(readFileSync(file, 'utf8'));
  const data = Object.fromEntries(
    benches.flatMap((name) => ((measured[name] ?? before[name]) ? [[name, measured[name] ?? before[name]]] : [])),
  );
  writeFileSync(file, `${JSON.stringify(data, null, 1)}\n`);
  writePage(data);
}
if (rows.some(({ holds, absolute }) => holds === false && !absolute)) {
  console.error('some budgets do not hold');
  process.exitCode = 1;
}

function machine() {
  const gigabytes = (totalmem() / 2 ** 30).toFixed(0);
  return `${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${availableParallelism()} cores, ${gigabytes} GB, ${type()} ${release()}, Node ${process.version}`;
}
