// Checks that no file of the repository names a machine it was written on, a package registry's host, or a ticket by its number:
// they mean nothing to a reader, and the first two make files differ from machine to machine.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Written in halves, so that this file does not contain them itself. */
const hosts = [
  'registry.npm' + 'js.org',
  'registry.yarn' + 'pkg.com',
  'proxy.go' + 'lang.org',
  'sum.go' + 'lang.org',
  'py' + 'pi.org',
  'static.crates' + '.io',
];

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** Forbidden texts, and the files that may contain them. */
const forbidden = [
  { name: 'the folder of this checkout', pattern: new RegExp(`${escaped(root)}(?![\\w.-])`), skip: /^$/ },
  // Tests use short homes such as /root as examples.
  {
    name: 'the home folder of this machine',
    pattern: homedir().length > 6 ? new RegExp(`${escaped(homedir())}(?![\\w.-])`) : null,
    skip: /^$/,
  },
  { name: 'a workplace folder', pattern: new RegExp(`/wo${'rk'}/(main|shared|\\.library)\\b`), skip: /^$/ },
  { name: 'a registry host', pattern: new RegExp(hosts.map(escaped).join('|'), 'i'), skip: /^$/ },
  { name: 'a ticket by number', pattern: /\bissue[ -]?#?\d+\b/i, skip: /^(NOTICE$|dist\/|opa\/go\.sum$)/ },
];

/**
 * Files of src/ that may open files themselves, with the reason. Every other file reads through src/platform/read-file.ts: a
 * clone can put a pipe or a device at the path of any project file.
 */
const openers = new Map([
  ['src/platform/read-file.ts', 'the one function'],
  ['src/config/disk.ts', 'reads the configuration, on a disk that tests replace'],
  ['src/config/survey.ts', 'lists the calls of that disk'],
  ['src/platform/data-folder.ts', 'writes'],
  ['src/platform/package.ts', 'reads the package itself'],
  ['src/workflow/context/window.ts', 'reads the end of the transcript, opened without waiting'],
  ['src/adapters/cli/dashboard.ts', 'reads the package itself'],
  ['src/adapters/cli/doctor-installation.ts', 'reads the package itself'],
  ['src/adapters/cli/doctor-run.ts', 'reads /proc'],
  ['src/adapters/hook/start.ts', 'reads the package itself'],
  ['src/adapters/cli/inside.ts', 'reads /proc'],
  ['src/adapters/cli/open.ts', 'reads what a person names, which may be a pipe, up to a limit'],
  ['src/adapters/importers/daic.ts', 'reads the package itself'],
  ['src/store/log/files.ts', 'writes, and opens without waiting'],
  ['src/store/log/lock.ts', 'writes'],
  ['src/store/log/losses.ts', 'writes'],
  ['src/policy/core.ts', 'reads the package itself'],
  ['src/policy/compiler/asset.mjs', 'reads the package itself'],
  ['src/facts/protections/without-plugin.ts', 'reads the package itself'],
  ['src/facts/disk.ts', 'reads the head of a database, opened without waiting'],
  ['src/workflow/gates/process.ts', 'reads /proc'],
  ['src/workflow/gates/sandbox.ts', 'reads /proc'],
  ['src/git/file-tree.ts', 'hashes files of any size, opened without waiting'],
  ['src/app/setup/without-plugin.ts', 'reads the package itself'],
  ['src/workflow/journal.ts', 'writes'],
  ['src/app/setup/presets.ts', 'reads the package itself'],
  ['src/app/setup/setup.ts', 'reads the package itself'],
  ['src/app/setup/statusline.ts', 'reads the package itself'],
  ['src/platform/stdin.ts', 'opens the terminal of the process, without reading it'],
]);
const opens = /\b(?:readFileSync|openSync|createReadStream|(?:fs|promises)\.readFile)\(/;

// Untracked files that are not ignored will be committed next.
const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\0')
  .filter((name) => name !== '');

let found = 0;
let read = 0;
for (const file of files) {
  const text = readText(file);
  if (text === null) continue;
  read += 1;
  if (/^src\/.*\.(ts|mjs)$/.test(file) && !openers.has(file))
    text.split('\n').forEach((line, index) => {
      if (!opens.test(line)) return;
      found += 1;
      console.error(`${file}:${index + 1} opens a file by itself; use readRegular of src/platform/read-file.ts: ${line.trim()}`);
    });
  for (const { name, pattern, skip } of forbidden) {
    if (pattern === null || skip.test(file)) continue;
    text.split('\n').forEach((line, index) => {
      const match = pattern.exec(line);
      if (match === null) return;
      found += 1;
      console.error(`${file}:${index + 1}:${match.index + 1} names ${name}: ${match[0]}`);
    });
  }
}
console.log(`${read} text files, ${found} lines against the rules`);
if (found > 0 || read === 0) process.exitCode = 1;

/** The text of a file; null for a binary file, and for one that git lists but that does not exist. */
function readText(file) {
  let bytes;
  try {
    bytes = readFileSync(join(root, file));
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'EISDIR') return null;
    throw error;
  }
  return bytes.subarray(0, 8000).includes(0) ? null : bytes.toString('utf8');
}
