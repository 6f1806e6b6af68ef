// Starts the one-shot process from compiled code that an earlier one left in the data folder: compiling it anew takes longer than
// deciding. What is kept counts only with its own hash, for exactly this source, this Node and this machine's V8.
import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import vm from 'node:vm';

/** The build writes nothing but ASCII into it. */
const file = path.join(__dirname, 'hook-main.cjs');
const source = fs.readFileSync(file);
const hashOf = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();
const hashBytes = 32;
/** Files of other versions that are left. */
const kept = 3;

const folder = path.join(configFolder(), 'modes-data/cache');
const name = `code-${hashOf(source).toString('hex').slice(0, 16)}-${process.version}-${process.arch}`;

const compiled = readCompiled();
const script = new vm.Script(`(function (exports, require, module, __filename, __dirname) {${source.toString('latin1')}\n})`, {
  filename: file,
  ...(compiled === null ? {} : { cachedData: compiled }),
});
const isFresh = compiled === null || script.cachedDataRejected === true;
const main = { exports: {} as { main(): Promise<void> } };
script.runInThisContext()(main.exports, createRequire(file), main, file, __dirname);
void main.exports.main();
// Behind the answer, when everything that this call needed is compiled.
if (isFresh) process.once('exit', (code) => code === 0 && keepCompiled(script.createCachedData()));

/** As everywhere: the client's own folder, by its name or in the home folder. */
function configFolder(): string {
  const { CLAUDE_CONFIG_DIR: named, HOME: home } = process.env;
  if (named && path.isAbsolute(named) && !named.includes('${')) return path.resolve(named);
  return path.join(home && path.isAbsolute(home) ? path.resolve(home) : os.homedir(), '.claude');
}

/** null: nothing that counts is there. Another user's file, and one that others may write, is none. */
function readCompiled(): Buffer | null {
  let handle: number | null = null;
  try {
    handle = fs.openSync(
      path.join(folder, name),
      fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | (fs.constants.O_NONBLOCK ?? 0),
    );
    const { uid, mode } = fs.fstatSync(handle);
    if (uid !== process.getuid?.() || (mode & 0o022) !== 0) return null;
    const bytes = fs.readFileSync(handle);
    const data = bytes.subarray(hashBytes);
    return data.length > 0 && hashOf(data).equals(bytes.subarray(0, hashBytes)) ? data : null;
  } catch (error) {
    if (typeof (error as NodeJS.ErrnoException).code === 'string') return null;
    throw error;
  } finally {
    if (handle !== null) fs.closeSync(handle);
  }
}

/** Only into a data folder that is there. What the disk refuses costs the next call its time, and nothing else. */
function keepCompiled(data: Buffer): void {
  const temporary = path.join(folder, `${name}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    fs.writeFileSync(temporary, Buffer.concat([hashOf(data), data]), { mode: 0o600, flag: 'wx' });
    fs.renameSync(temporary, path.join(folder, name));
    const others = fs.readdirSync(folder).filter((one) => one.startsWith('code-') && one !== name);
    for (const one of others.sort().slice(0, -kept)) fs.rmSync(path.join(folder, one), { force: true });
  } catch (error) {
    if (typeof (error as NodeJS.ErrnoException).code !== 'string') throw error;
  }
}
