// Loads a TypeScript module of src/ into a script: bundled into .cache/ with esbuild, without npm packages.
import { randomBytes } from 'node:crypto';
import { mkdirSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** Folder for files that can always be created again. */
export const cacheFolder = join(root, '.cache');

/**
 * @param {string} source relative to the root, for example `src/policy/compiler/compiler.ts`
 * @returns {Promise<any>} its exports
 */
export async function loadSource(source) {
  mkdirSync(cacheFolder, { recursive: true });
  const made = join(cacheFolder, `${source.replaceAll('/', '-').replace(/\.ts$/, '')}.mjs`);
  const temporary = made.replace(/\.mjs$/, `.${randomBytes(4).toString('hex')}.mjs`);
  await build({
    absWorkingDir: root,
    entryPoints: [source],
    outfile: temporary,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.11',
    packages: 'external',
    sourcemap: 'inline',
    logLevel: 'warning',
  });
  // Renamed, so that two scripts that run at the same time never read an incomplete file.
  renameSync(temporary, made);
  return import(pathToFileURL(made).href);
}
