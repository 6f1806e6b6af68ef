// Runs the benchmarks of test/bench one after the other and writes docs/benchmarks.md.
//
//   node scripts/bench.mjs                     all of them
//   node scripts/bench.mjs evaluation size     those named; docs/benchmarks.md stays as it is
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

Written by \`make bench\`. Programs that are compared take turns in one run; trust the ratios, since absolute times are those of one
machine and of what else it did, and their budget holds "here" or "not here".

"At the usual speed" is no absolute time: beside what is measured, at the same moments, a small policy of fixed size is evaluated by the
OPA SDK ([yardstick](../test/bench/yardstick.ts)). It takes 7.5 µs on the machine that the budgets were written for; where it takes twice
as long, so has what is measured, and the budget is held against half of it. One that is held as measured and not so, because this
machine evaluates policies quicker than it does all else, holds "here".

${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${availableParallelism()} cores, ${gigabytes} GB, ${type()} ${release()}, Node ${process.version}

${table}
`,
  );
}
if (rows.some(({ holds, absolute }) => holds === false && !absolute)) {
  console.error('some budgets do not hold');
  process.exitCode = 1;
}
