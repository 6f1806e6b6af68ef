// Writes schemas/*.json from src/config/schema.ts and src/policy/schemas.ts. With --check it writes nothing and fails if one is not up to date.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const check = process.argv.includes('--check');

const { outputFiles } = await build({
  absWorkingDir: root,
  stdin: {
    contents: `export { SCHEMAS } from './src/config/schema.ts'; export { POLICY_SCHEMAS } from './src/policy/schemas.ts';`,
    resolveDir: root,
  },
  bundle: true,
  write: false,
  format: 'esm',
  platform: 'node',
  target: 'node20',
});
const { SCHEMAS, POLICY_SCHEMAS } = await import(
  `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`
);

function readText(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return null;
  }
}

let stale = 0;
mkdirSync(`${root}schemas`, { recursive: true });
for (const [name, schema] of [...SCHEMAS, ...POLICY_SCHEMAS]) {
  const path = `${root}schemas/${name}`;
  const text = `${JSON.stringify(schema, null, 2)}\n`;
  if (readText(path) === text) continue;
  if (check) {
    console.error(`schemas/${name} is not up to date: run node scripts/schemas.mjs`);
    stale++;
  } else writeFileSync(path, text);
}
process.exitCode = stale > 0 ? 1 : 0;
