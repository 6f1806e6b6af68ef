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

const circles = findRoomCircles(modules);
for (const circle of circles) console.error(`no-circle-of-rooms: ${circle.join(' → ')}`);

// A parser that reads no TypeScript finds no violation either.
const read = new Map(modules.map(({ source, dependencies }) => [source, dependencies.length]));
const unread = readdirSync(join(root, 'src'), { recursive: true })
  .map((name) => `src/${name.replaceAll('\\', '/')}`)

  .filter((name) => /\.(ts|mjs)$/.test(name) && !read.has(name));
for (const name of unread) console.error(`not read: ${name}`);

const links = modules.reduce((sum, { dependencies }) => sum + dependencies.length, 0);
if (modules.length === 0 || links === 0) console.error('dependency-cruiser read nothing: is @swc/core installed?');

console.log(`${modules.length} modules, ${links} imports, ${summary.violations.length + circles.length} against the rules`);
if (summary.violations.length + circles.length > 0 || unread.length > 0 || links === 0) process.exitCode = 1;

/** Rooms that need each other are one room. The words they share, the types.ts of a room, do not count. */
function findRoomCircles(cruised) {
  const roomOf = (file) => /^src\/([^/]+)\//.exec(file)?.[1];
  const needs = new Map();
  for (const { source, dependencies } of cruised) {
    for (const { resolved } of dependencies) {
      const [from, to] = [roomOf(source), roomOf(resolved)];
      if (from === undefined || to === undefined || from === to || resolved.endsWith('/types.ts')) continue;
      needs.set(from, (needs.get(from) ?? new Set()).add(to));
    }
  }
  const found = new Map();
  const walk = (path) => {
    for (const next of needs.get(path.at(-1)) ?? []) {
      const at = path.indexOf(next);
      if (at === -1) walk([...path, next]);
      else found.set([...path.slice(at)].sort().join(), [...path.slice(at), next]);
    }
  };
  for (const room of needs.keys()) walk([room]);
  return [...found.values()];
}
