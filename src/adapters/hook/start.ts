// Starts the one-shot process from compiled code that an earlier one stored in the data folder, because compiling takes longer
// than deciding. Stored code counts only with a valid hash, and only for exactly this source, this Node and this machine's V8.
import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import vm from 'node:vm';

/** A file of dist/ that runs from its cached compiled code. */
interface Part {
  /** Name of the cache file. */
  name: string;
  exports: unknown;
  script: vm.Script;
  /** The cache had no valid code. */
  isFresh: boolean;
  /** Kinds of calls that the cached code was compiled for. */
  kinds: string[];
}

/**
 * Cached code begins with its hash and the kinds of calls, padded to this size. A multiple of 8: V8
 * copies data that is not aligned.
 */
const headBytes = 512;
const hashBytes = 32;
/** After this many kinds, the cache contains nearly all code that ever runs. */
const maxKinds = 12;
/** Maximum number of files of other versions and parts that are kept. */
const maxOthers = 5;

const before = '(function (exports, require, module, __filename, __dirname) {';
const after = '\n})';
const folder = path.join(configFolder(), 'modes-data/cache');
const hashOf = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();
const parts = new Map<string, Part>();

const { main } = load('hook-main.cjs') as typeof import('./hook.ts');
void main().then((kinds) => {
  // After the answer, when all code that this call needed is compiled.
  if (!process.exitCode) for (const [file, part] of parts) keepCompiled(part, kinds[file] ?? '');
  // Exit at once: a tidy teardown of the heap only costs time.
  process.exit();
});

/** Runs a file of dist/ as `require` does. The build writes only ASCII into it. */
function load(file: string): unknown {
  const known = parts.get(file);
  if (known !== undefined) return known.exports;
  const at = path.join(__dirname, file);
  const source = readSource(at);
  const name = `code-${hashOf(source).toString('hex').slice(0, 16)}-${process.version}-${process.arch}`;
  const compiled = readCompiled(name);
  const script = new vm.Script(source.toString('latin1'), {
    filename: at,
    ...(compiled !== null && { cachedData: compiled.data }),
  });
  const isFresh = compiled === null || script.cachedDataRejected === true;
  const module = { exports: {} };
  // This file is in the same folder.
  const requireCached = (specifier: string): unknown => (specifier === './bash.cjs' ? load('bash.cjs') : require(specifier));
  script.runInThisContext()(module.exports, requireCached, module, at, __dirname);
  parts.set(file, { name, exports: module.exports, script, isFresh, kinds: isFresh ? [] : compiled.kinds });
  return module.exports;
}

/**
 * The file inside the function wrapper that `require` adds. It is joined as bytes, because strings of
 * this size fill V8's young heap.
 */
function readSource(file: string): Buffer {
  const handle = fs.openSync(file, 'r');
  try {
    const { size } = fs.fstatSync(handle);
    const end = before.length + size;
    const bytes = Buffer.allocUnsafeSlow(end + after.length);
    bytes.write(before, 'latin1');
    if (fs.readSync(handle, bytes, before.length, size, 0) !== size) throw new Error(`${file} is cut off`);
    bytes.write(after, end, 'latin1');
    return bytes;
  } finally {
    fs.closeSync(handle);
  }
}

/** The client's own folder, found as everywhere else: by its variable or in the home folder. */
function configFolder(): string {
  const { CLAUDE_CONFIG_DIR: named, HOME: home } = process.env;
  const isSteady = (name: string): boolean => path.isAbsolute(name) && !name.includes('/proc/');
  if (named && isSteady(named) && !named.includes('${')) return path.resolve(named);
  return path.join(home && isSteady(home) ? path.resolve(home) : os.userInfo().homedir, '.claude');
}

/** null if there is no valid code. A file of another user, or one that others may write, is not valid. */
function readCompiled(name: string): { data: Buffer; kinds: string[] } | null {
  let handle: number | null = null;
  try {
    handle = fs.openSync(
      path.join(folder, name),
      fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | (fs.constants.O_NONBLOCK ?? 0),
    );
    const stat = fs.fstatSync(handle);
    if (!stat.isFile() || stat.uid !== process.getuid?.() || (stat.mode & 0o022) !== 0) return null;
    const bytes = fs.readFileSync(handle);
    if (bytes.length <= headBytes || !hashOf(bytes.subarray(hashBytes)).equals(bytes.subarray(0, hashBytes))) return null;
    return { data: bytes.subarray(headBytes), kinds: bytes.toString('latin1', hashBytes, headBytes).trimEnd().split('\n') };
  } catch (error) {
    if (typeof (error as NodeJS.ErrnoException).code === 'string') return null;
    throw error;
  } finally {
    if (handle !== null) fs.closeSync(handle);
  }
}

/**
 * Writes only into an existing data folder, and only for a new kind of call. If the write fails, the next call just takes longer.
 */
function keepCompiled({ name, script, isFresh, kinds }: Part, kind: string): void {
  const learnt = kinds.includes(kind) ? kinds : [...kinds, kind];
  const head = learnt.join('\n').padEnd(headBytes - hashBytes);
  if (!isFresh && (learnt === kinds || learnt.length > maxKinds || head.length > headBytes - hashBytes)) return;
  const content = Buffer.concat([Buffer.from(head.slice(0, headBytes - hashBytes), 'latin1'), script.createCachedData()]);
  const temporary = path.join(folder, `${name}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    fs.writeFileSync(temporary, Buffer.concat([hashOf(content), content]), { mode: 0o600, flag: 'wx' });
    fs.renameSync(temporary, path.join(folder, name));
    const age = (one: string): number => fs.statSync(path.join(folder, one), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    const others = fs.readdirSync(folder).filter((one) => one.startsWith('code-') && one !== name);
    if (others.length <= maxOthers) return;
    const newestFirst = others.map((one) => ({ one, at: age(one) })).sort((a, b) => b.at - a.at);
    for (const { one } of newestFirst.slice(maxOthers)) fs.rmSync(path.join(folder, one), { force: true });
  } catch (error) {
    if (typeof (error as NodeJS.ErrnoException).code !== 'string') throw error;
  }
}
