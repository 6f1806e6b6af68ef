// Checks the package's exports from the view of a program that installs it: the entries (publint), and that each kind of import
// gets matching types (attw).
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = mkdtempSync(join(tmpdir(), 'modes-package-'));
try {
  // Packing the rest of the package takes long, and no export is in it.
  for (const name of ['package.json', 'bin', 'schemas']) cpSync(join(root, name), join(folder, name), { recursive: true });
  for (const name of readdirSync(join(root, 'dist')).filter((one) => /^(library|sdk)\./.test(one)))
    cpSync(join(root, 'dist', name), join(folder, 'dist', name));
  run('publint', ['run', '.', '--strict', '--pack', 'false']);
  run('attw', ['--pack', '.', '--profile', 'node16', '--format', 'ascii', '--no-emoji', '--no-definitely-typed']);
  if (process.exitCode === undefined) console.log('package: what is exported is found by ESM and CommonJS, with types');
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function run(program, words) {
  const { status, stdout, stderr, error } = spawnSync(join(root, 'node_modules/.bin', program), words, {
    cwd: folder,
    encoding: 'utf8',
  });
  if (status === 0) return;
  console.error(`${program}: ${error?.message ?? `${stdout}${stderr}`}`);
  process.exitCode = 1;
}
