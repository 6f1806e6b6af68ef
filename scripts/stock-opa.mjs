// A stock OPA with the version that the compiler uses. It is built once from the Go module proxy into a cache folder outside of
// the project.
//
//   node scripts/stock-opa.mjs     prints its path, or nothing if it cannot be built
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './load-source.mjs';

export const VERSION = readFileSync(join(root, 'opa/go.mod'), 'utf8').match(/open-policy-agent\/opa v(\S+)/)[1];

const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'claude-modes', `opa-${VERSION}`);
const binary = join(folder, 'opa');

/** Path of the program if it was built before; else null. */
export const keptOpa = () => (existsSync(binary) ? binary : null);

/** Path of the program; null if it cannot be built. */
export function stockOpa() {
  if (existsSync(binary)) return binary;
  if (spawnSync('go', ['version']).status !== 0) return null;
  console.error(`building opa ${VERSION} into ${folder}, which takes some minutes once …`);
  mkdirSync(folder, { recursive: true });
  // Only its verdicts are compared, so optimizations and the code for image registries are not built.
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
