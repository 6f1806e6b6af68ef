// Writes schemas/*.json and schemas/output/*.json from their sources. With --check it writes nothing. It fails if a schema is out
// of date, or if a file has no source.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadSource, root } from './load-source.mjs';

const check = process.argv.includes('--check');

const sources = ['src/config/schema.ts', 'src/policy/schemas.ts', 'src/adapters/cli/outputs/schemas.ts'];
const modules = await Promise.all(sources.map(loadSource));
const schemas = modules.flatMap(({ SCHEMAS = [], POLICY_SCHEMAS = [], OUTPUT_SCHEMAS = [] }) => [
  ...SCHEMAS,
  ...POLICY_SCHEMAS,
  ...OUTPUT_SCHEMAS,
]);

function readText(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return null;
  }
}

const folder = join(root, 'schemas');
let stale = 0;
mkdirSync(join(folder, 'output'), { recursive: true });
for (const [name, schema] of schemas) {
  const path = join(folder, name);
  const text = `${JSON.stringify(schema, null, 2)}\n`;
  if (readText(path) === text) continue;
  if (check) {
    console.error(`schemas/${name} is not up to date: run node scripts/schemas.mjs`);
    stale++;
  } else writeFileSync(path, text);
}
const known = new Set(schemas.map(([name]) => name));
for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
  if (!name.endsWith('.json') || known.has(name)) continue;
  console.error(`schemas/${name} has no source: remove it`);
  stale++;
}
process.exitCode = stale > 0 ? 1 : 0;
