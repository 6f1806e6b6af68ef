// Offers a git hook that checks the subject of each commit (scripts/check-commits.mjs) in this clone.
//
//   node scripts/commit-hook.mjs offer     run by `make setup`: asks in a terminal, else prints the command
//   node scripts/commit-hook.mjs install
//   node scripts/commit-hook.mjs remove
//
// It never replaces a hook that exists, and never writes to a folder that core.hooksPath names: those are the user's.
import { spawnSync } from 'node:child_process';
import { lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const HOOK = `#!/bin/sh
# Checks the commit subject. Installed by \`make setup\`; remove it with: node scripts/commit-hook.mjs remove
# A branch without the script commits unchecked.
script=$(git rev-parse --show-toplevel)/scripts/check-commits.mjs
[ -f "$script" ] || exit 0
exec node "$script" --message "$1"
`;
const CALL = 'node scripts/check-commits.mjs --message "$1"';

function git(folder, ...args) {
  const { status, stdout } = spawnSync('git', args, { cwd: folder, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}

/** Returns where the hook belongs and what is there: 'free', 'ours', 'taken', 'redirected' (core.hooksPath), or 'no git'. */
export function hookState(folder) {
  const hooks = git(folder, 'rev-parse', '--git-path', 'hooks');
  if (hooks === null) return { state: 'no git', file: '' };
  const file = join(resolve(folder, hooks), 'commit-msg');
  if (git(folder, 'config', '--get', 'core.hooksPath') !== null) return { state: 'redirected', file };
  // lstat: a dangling symbolic link is somebody's hook, too.
  const entry = lstatSync(file, { throwIfNoEntry: false });
  if (entry === undefined) return { state: 'free', file };
  return { state: entry.isFile() && readFileSync(file, 'utf8') === HOOK ? 'ours' : 'taken', file };
}

/** Installs the hook if none exists. Returns the line to print and whether the hook is in place now. */
export function install(folder) {
  const { state, file } = hookState(folder);
  if (state === 'free') {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, HOOK, { flag: 'wx', mode: 0o755 });
    return { done: true, says: `installed ${file}. To remove it: node scripts/commit-hook.mjs remove` };
  }
  if (state === 'ours') return { done: true, says: `${file} is installed already` };
  if (state === 'no git') return { done: false, says: 'This is not a git repository, so there is no hook to install.' };
  const what = state === 'taken' ? `${file} exists` : 'core.hooksPath is set';
  return {
    done: false,
    says: `${what}, so nothing was changed. To check subjects, call this from your own commit-msg hook: ${CALL}`,
  };
}

/** Removes the hook if it is the one that `install` wrote, byte for byte. */
export function remove(folder) {
  const { state, file } = hookState(folder);
  if (state === 'ours') {
    rmSync(file);
    return { done: true, says: `removed ${file}` };
  }
  if (state === 'taken') return { done: false, says: `${file} is not the hook that \`make setup\` installs; remove it yourself` };
  return { done: true, says: 'The hook is not installed.' };
}

async function offer(folder) {
  const { state } = hookState(folder);
  if (state === 'ours' || state === 'no git' || process.env.CI) return;
  if (state !== 'free' || !process.stdin.isTTY || !process.stdout.isTTY) {
    const next = state === 'free' ? 'node scripts/commit-hook.mjs install' : `call from your own commit-msg hook: ${CALL}`;
    console.log(`To check commit subjects as CI does: ${next}`);
    return;
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question('Install a git hook that checks commit subjects in this clone, as CI does? [y/N] ');
  terminal.close();
  if (/^y(es)?$/i.test(answer.trim())) console.log(install(folder).says);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  const [verb, ...more] = process.argv.slice(2);
  const run = { install, remove }[verb];
  if (more.length === 0 && verb === 'offer') await offer(root);
  else if (more.length === 0 && run !== undefined) {
    const { done, says } = run(root);
    console.log(says);
    if (!done) process.exitCode = 1;
  } else {
    console.error('usage: node scripts/commit-hook.mjs offer|install|remove');
    process.exitCode = 64;
  }
}
