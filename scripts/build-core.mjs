// Compiles policies/ (without tests) to dist/core.wasm and dist/core.json.
//
//   node scripts/build-core.mjs            write both
//   node scripts/build-core.mjs --check    exit 1 if they do not match the sources
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cacheFolder, loadSource, root } from './load-source.mjs';
import { readModules } from './rego-files.mjs';

const { Compiler } = await loadSource('src/policy/compiler/compiler.ts');
const { sourceFiles } = await loadSource('src/policy/compiler/files.ts');
const { CORE_ENTRYPOINTS, hashSources } = await loadSource('src/policy/core.ts');
const { sha256 } = await loadSource('src/platform/hash.ts');
const { formatProblem } = await loadSource('src/policy/custom/tester.ts');

/**
 * The files of dist/ that contain the core.
 * @returns {Promise<Map<string, Buffer>>} by name
 * @throws {Error} with every compile error as file:line:column
 */
export async function buildCore() {
  const modules = readModules(['policies'], { tests: false });
  const capabilities = JSON.parse(readFileSync(join(root, 'src/policy/compiler/capabilities.json'), 'utf8'));
  const compiler = readFileSync(join(root, 'opa/opa.wasm.sha256'), 'utf8').trim();
  const host = new Compiler({ files: sourceFiles(root), cacheFolder, timeoutMs: 60_000 });
  try {
    const checked = await host.check({ modules, capabilities, strict: true });
    const built = checked.ok ? await host.build({ modules, capabilities, entrypoints: CORE_ENTRYPOINTS }) : checked;
    if (!built.ok) throw new Error(`the core does not compile\n${built.problems.map(formatProblem).join('\n')}`);
    const record = {
      wasm: sha256(built.wasm),
      sources: hashSources(modules, capabilities, compiler),
      entrypoints: CORE_ENTRYPOINTS,
      modules,
    };
    return new Map([
      ['core.wasm', Buffer.from(built.wasm)],
      ['core.json', Buffer.from(`${JSON.stringify(record)}\n`)],
    ]);
  } finally {
    host.close();
  }
}

async function main() {
  const files = await buildCore();
  mkdirSync(join(root, 'dist'), { recursive: true });
  for (const [name, bytes] of files) {
    const file = join(root, 'dist', name);
    if (!process.argv.includes('--check')) writeFileSync(file, bytes);
    else if (!readFileSync(file).equals(bytes))
      throw new Error(`dist/${name} is not what policies/ gives: run \`node scripts/build-core.mjs\``);
  }
  console.log(`core: ${[...files].map(([name, bytes]) => `dist/${name} ${Math.ceil(bytes.length / 1024)} KB`).join(', ')}`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await main().catch((error) => {
    console.error(`core: ${error.message}`);
    process.exitCode = 1;
  });
}
