// Runs random commands that the Bash analyser calls read-only in a throw-away folder, and lists those that change it.
//
//   node scripts/fuzz-bash.mjs [COUNT] [SEED]
import { loadSource, root } from './load-source.mjs';

const [count = 2000, seed = 1 + Math.floor(Math.random() * 1e9)] = process.argv.slice(2).map(Number);
if (!Number.isInteger(count) || count < 1 || !Number.isInteger(seed) || seed < 1) {
  console.error('usage: make fuzz-bash N=2000 SEED=7, both positive whole numbers');
  process.exit(64);
}

process.chdir(root);
const { hunt } = await loadSource('test/unit/shell/hunt.ts');
const { showProgress } = await loadSource('src/adapters/cli/progress.ts');
const progress = showProgress('running commands');
const guilty = hunt(count, seed, (ran) => progress.at(ran, count));
progress.end();
for (const command of guilty) console.log(`changes something: ${JSON.stringify(command)}`);
console.log(
  `${count} commands that are called read-only, from seed ${seed}: ${guilty.length === 0 ? 'none' : guilty.length} changed anything`,
);
if (guilty.length > 0) process.exitCode = 1;
