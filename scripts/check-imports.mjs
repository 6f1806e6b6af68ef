// Checks the import directions of src/ with dependency-cruiser, and that it really read the sources.
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cruise } from 'dependency-cruiser';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
process.chdir(root);
const { forbidden, options } = createRequire(import.meta.url)('../.dependency-cruiser.cjs');

const { output } = await cruise(['src'], { ...options, ruleSet: { forbidden }, validate: true });
const { modules, summary } = output;

for (const { rule, from, to, cycle } of summary.violations) {
  const way = cycle ? [from, ...cycle.map((step) => step.name ?? step)].join(' → ') : `${from} → ${to}`;
  console.error(`${rule.name}: ${way}`);
}

// A parser that cannot read TypeScript would find no violation either.
const read = new Map(modules.map(({ source, dependencies }) => [source, dependencies.length]));
const unread = readdirSync(join(root, 'src'), { recursive: true })
  .map((name) => `src/${name.replaceAll('\\', '/')}`)
  .filter((name) => /\.(ts|mjs)$/.test(name) && !read.has(name));
for (const name of unread) console.error(`not read: ${name}`);

const links = modules.reduce((sum, { dependencies }) => sum + dependencies.length, 0);
if (modules.length === 0 || links === 0) console.error('dependency-cruiser read nothing: is @swc/core installed?');

console.log(`${modules.length} modules, ${links} imports, ${summary.violations.length} against the rules`);
if (summary.violations.length > 0 || unread.length > 0 || links === 0) process.exitCode = 1;
