// Feeds the socket, hook events, rules, the Bash analyser and configurations with texts that nobody would write.
//
//   node scripts/fuzz.mjs [COUNT] [SEED] [TARGET…]
import { loadSource, root } from './load-source.mjs';

const numbers = process.argv.slice(2).filter((word) => /^\d+$/.test(word));
const names = process.argv.slice(2).filter((word) => !/^\d+$/.test(word));
const [count = 100_000, seed = 1 + Math.floor(Math.random() * 1e9)] = numbers.map(Number);

process.chdir(root);
const { fuzz, targets } = await loadSource('test/fuzz/targets.ts');
const { showProgress } = await loadSource('src/cli/progress.ts');
const unknown = names.filter((name) => !targets.has(name));
if (unknown.length > 0 || count < 1 || seed < 1) {
  console.error(`usage: make fuzz N=100000 SEED=7 TARGETS="${[...targets.keys()].join(' ')}"`);
  process.exit(64);
}

for (const [name, open] of targets) {
  if (names.length > 0 && !names.includes(name)) continue;
  const progress = showProgress(name);
  const report = await fuzz(await open(), {
    count,
    seed,
    guidedBy: (url) => url.includes('test-fuzz-targets'),
    say: (done, of) => progress.at(done, of),
  });
  progress.end();
  const { ran, kept, branches, slowestMs, faults } = report;
  const found = faults.length === 0 ? 'nothing found' : `${faults.length} found`;
  console.log(
    `${name}: ${ran} texts from seed ${seed}, ${kept} kept, ${branches} branches, slowest ${slowestMs.toFixed(1)} ms: ${found}`,
  );
  for (const { what, text } of faults) console.log(`  ${what}\n    ${JSON.stringify(text.slice(0, 20_000))}`);
  if (faults.length > 0) process.exitCode = 1;
}
process.exit();
