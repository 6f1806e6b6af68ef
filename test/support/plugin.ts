// The plugin as it is installed, built once from the present sources into its own folder.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const repository = path.join(path.dirname(fileURLToPath(import.meta.url)), '../..');
const copied = ['.claude-plugin', 'bin', 'commands', 'examples', 'hooks', 'policies', 'package.json'];
const sources = ['src', 'scripts', 'opa/opa.wasm.sha256', ...copied];

let built: Promise<string> | null = null;

/** Absolute path of the plugin's root: in one file of tests always the same. */
export function builtPlugin(): Promise<string> {
  built ??= buildOnce();
  return built;
}

async function buildOnce(): Promise<string> {
  const cache = path.join(repository, '.cache/test-plugin');
  for (;;) {
    const state = fingerprint();
    const folder = path.join(cache, state);
    if (fs.existsSync(folder)) return folder;
    fs.mkdirSync(cache, { recursive: true });
    const fresh = fs.mkdtempSync(path.join(cache, 'new-'));
    await build(fresh);
    // Somebody may have edited a source meanwhile: then this is a build of neither state.
    if (fingerprint() === state) {
      keep(fresh, folder);
      sweep(cache, folder);
      return folder;
    }
    fs.rmSync(fresh, { recursive: true, force: true });
  }
}

async function build(folder: string): Promise<void> {
  for (const name of copied) fs.cpSync(path.join(repository, name), path.join(folder, name), { recursive: true });
  fs.mkdirSync(path.join(folder, 'opa'));
  for (const name of ['opa.wasm.br', 'opa.wasm.sha256'])
    fs.linkSync(path.join(repository, 'opa', name), path.join(folder, 'opa', name));
  fs.mkdirSync(path.join(folder, 'dist'));
  const { bundleSources } = await load<{ bundleSources(): Promise<{ files: Map<string, Buffer> }> }>('scripts/build.mjs');
  const { buildCore } = await load<{ buildCore(): Promise<Map<string, Buffer>> }>('scripts/build-core.mjs');
  const { files } = await bundleSources();
  for (const [name, bytes] of [...files, ...(await buildCore())]) fs.writeFileSync(path.join(folder, 'dist', name), bytes);
  fs.writeFileSync(path.join(folder, 'dist/build'), 'test-build\n');
}

/** Puts the new folder in its place, unless another test was faster. */
function keep(fresh: string, folder: string): void {
  try {
    fs.renameSync(fresh, folder);
  } catch (error) {
    if (!fs.existsSync(folder)) throw error;
    fs.rmSync(fresh, { recursive: true, force: true });
  }
}

/** Removes what was built from earlier sources. */
function sweep(cache: string, folder: string): void {
  const anHourAgo = Date.now() - 3_600_000;
  for (const name of fs.readdirSync(cache)) {
    const other = path.join(cache, name);
    if (other !== folder && (fs.statSync(other, { throwIfNoEntry: false })?.mtimeMs ?? anHourAgo) < anHourAgo)
      fs.rmSync(other, { recursive: true, force: true });
  }
}

/** Changes when any file that goes into the plugin does. */
function fingerprint(): string {
  const hash = createHash('sha256');
  for (const source of sources) {
    const top = path.join(repository, source);
    const names = fs.statSync(top).isDirectory()
      ? (fs.readdirSync(top, { recursive: true, encoding: 'utf8' }) as string[]).sort()
      : [''];
    for (const name of names) {
      const file = path.join(top, name);
      if (fs.statSync(file).isFile()) hash.update(`${source}/${name}\0`).update(fs.readFileSync(file));
    }
  }
  return hash.digest('hex').slice(0, 16);
}

function load<T>(script: string): Promise<T> {
  return import(/* @vite-ignore */ pathToFileURL(path.join(repository, script)).href) as Promise<T>;
}
