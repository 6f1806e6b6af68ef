// A stock OPA of the version that the compiler is built from, built from the Go module proxy into a cache folder outside of the
// project, once.
//
//   node scripts/stock-opa.mjs     prints its path, or nothing where it cannot be had
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './load-source.mjs';

export const VERSION = readFileSync(join(root, 'opa/go.mod'), 'utf8').match(/open-policy-agent\/opa v(\S+)/)[1];

const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'claude-modes', `opa-${VERSION}`);
const binary = join(folder, 'opa');

/** Path of the program where it was built before; null: it was not. */
export const keptOpa = () => (existsSync(binary) ? binary : null);

/** Path of the program; null where it cannot be had. */
export function stockOpa() {
  if (existsSync(binary)) return binary;
  if (spawnSync('go', ['version']).status !== 0) return null;
  console.error(`building opa ${VERSION} into ${folder}, which takes some minutes once …`);
  mkdirSync(folder, { recursive: true });
  // Its verdicts are compared, so what makes it quick, and what fetches images from registries, need not be built.
  const lean = ['-tags=opa_no_oci', '-gcflags=all=-N -l', '-ldflags=-s -w'];
  const made = spawnSync('go', ['install', ...lean, `github.com/open-policy-agent/opa@v${VERSION}`], {
    cwd: tmpdir(),
    env: { ...process.env, GOBIN: folder, GOFLAGS: '' },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return made.status === 0 ? binary : null;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const opa = stockOpa();
  if (opa !== null) console.log(opa);
}
