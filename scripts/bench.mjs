// Runs the benchmarks of test/bench one after the other and writes docs/benchmarks.md.
//
//   node scripts/bench.mjs                     all of them
//   node scripts/bench.mjs evaluation size     only the named ones; docs/benchmarks.md is not changed
import { writeFileSync } from 'node:fs';
import { availableParallelism, cpus, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { loadSource, root } from './load-source.mjs';

const benches = [
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

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !benches.includes(name));
if (unknown.length > 0) {
  console.error(`no such benchmark: ${unknown.join(', ')}; there are ${benches.join(', ')}`);
  process.exit(64);
}

process.chdir(root);
const rows = [];
for (const name of benches.filter((bench) => asked.length === 0 || asked.includes(bench))) {
  const { measure } = await loadSource(`test/bench/${name}.ts`);
  rows.push(...(await measure((text) => console.error(`${name}: ${text} …`))));
}

const verdict = ({ holds, absolute }) => {
  if (holds === null) return '';
  if (absolute) return holds ? 'here' : 'not here';
  return holds ? 'yes' : '**no**';
};
const lines = rows.map((row) => `| ${row.what} | ${row.budget} | ${row.measured} | ${verdict(row)} |`);
const table = ['| what | budget | measured | holds |', '|---|---|---|---|', ...lines].join('\n');
console.log(table);

if (asked.length === 0) {
  const gigabytes = (totalmem() / 2 ** 30).toFixed(0);
  writeFileSync(
    join(root, 'docs/benchmarks.md'),
    `# Benchmarks

\`make bench\` writes this page. Programs that are compared take turns in one run. Trust the ratios: absolute times depend on one machine and
its other load, so their budget holds "here" or "not here".

"At the usual speed" is a scaled time. During each measurement, the OPA SDK also evaluates a small policy of fixed size
([yardstick](../test/bench/yardstick.ts)). It takes 7.5 µs on the machine that the budgets were written for. If it takes twice as long, half of
the measured time is compared with the budget. A budget holds "here" if only the time as measured keeps it, because this machine evaluates
policies faster than it does everything else.

${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${availableParallelism()} cores, ${gigabytes} GB, ${type()} ${release()}, Node ${process.version}

${table}
`,
  );
}
if (rows.some(({ holds, absolute }) => holds === false && !absolute)) {
  console.error('some budgets do not hold');
  process.exitCode = 1;
}
