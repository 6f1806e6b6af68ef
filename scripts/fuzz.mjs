// Feeds unusual texts to the socket, hook events, rules, the Bash analyser and configurations, and runs sequences of commands in
// a sandbox.
//
//   node scripts/fuzz.mjs [COUNT] [SEED] [TARGET…]
//
// Findings are printed immediately. If it is interrupted (Ctrl-C, SIGTERM), it prints its progress and exits with 130.
import { loadSource, root } from './load-source.mjs';

const numbers = process.argv.slice(2).filter((word) => /^\d+$/.test(word));
const names = process.argv.slice(2).filter((word) => !/^\d+$/.test(word));
const [count = 100_000, seed = 1 + Math.floor(Math.random() * 1e9)] = numbers.map(Number);

process.chdir(root);
const { fuzz, targets } = await loadSource('test/fuzz/targets.ts');
const { showProgress } = await loadSource('src/adapters/cli/progress.ts');
const unknown = names.filter((name) => !targets.has(name));
if (unknown.length > 0 || count < 1 || seed < 1) {
  console.error(`usage: make fuzz N=100000 SEED=7 TARGETS="${[...targets.keys()].join(' ')}"`);
  process.exit(64);
}

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stopping.abort());

for (const [name, open] of targets) {
  if (stopping.signal.aborted) break;
  if (names.length > 0 && !names.includes(name)) continue;
  const progress = showProgress(name);
  const report = await fuzz(await open(), {
    count,
    seed,
    guidedBy: (url) => url.includes('test-fuzz-targets'),
    say: (done, of) => progress.at(done, of),
    tell: ({ what, text }) => {
      progress.end();
      console.log(`${name}: ${what}\n    ${JSON.stringify(text.slice(0, 20_000))}`);
    },
    stop: stopping.signal,
  });
  progress.end();
  const { ran, kept, branches, slowestMs, faults, told } = report;
  const found = faults.length === 0 ? 'nothing found' : `${faults.length} found`;
  const far = stopping.signal.aborted ? `${ran} of ${count}` : ran;
  console.log(
    `${name}: ${far} texts from seed ${seed}, ${told || `${kept} kept, ${branches} branches`}, slowest ${slowestMs.toFixed(1)} ms: ${found}`,
  );
  if (faults.length > 0) process.exitCode = 1;
}
process.exit(stopping.signal.aborted ? 130 : process.exitCode);
