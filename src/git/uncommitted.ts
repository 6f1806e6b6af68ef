// Finds uncommitted files of a repository, including changes that git overlooks: git relies on flags and times, which anyone can
// set.

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { readRegular } from '../platform/read-file.ts';
import { attempt } from '../platform/stat.ts';
import {
  checkedOut,
  encodedFiles,
  GitError,
  git,
  identFiles,
  look,
  perCall,
  repositoryOf,
  split,
  uncommittedIgnores,
} from './run.ts';
import { type InCheckout, sparseCheckout } from './sparse.ts';

/** Largest tracked file whose text is compared, in bytes. A larger one counts as changed. */
const maxBytes = 67_108_864;

/**
 * Names of changed and untracked files in the whole repository, of files that git wrongly treats as unchanged, and of files that
 * hide others from git.
 * @throws {GitError} if git cannot report them
 */
export async function uncommitted(root: string): Promise<string[]> {
  const { top } = repositoryOf(root);
  const how = ['--porcelain=v1', '-z', '--no-renames', '--untracked-files=normal', '--ignore-submodules=dirty'];
  const changedNames = split(await git(top, ['status', ...how])).map((line) => line.slice(3));
  // Ignore rules in .git belong to the user: no tool of the agent can write them.
  const hiding = (await uncommittedIgnores(top)).filter((name) => !/(^|\/)\.git\//.test(name));
  return [
    ...new Set([
      ...changedNames,
      ...hiding,
      ...(await hiddenChanges(top)),
      ...(await otherIds(top)),
      ...(await otherTexts(top)),
      ...(await uncommittedBelow(top)),
    ]),
  ];
}

/** Tracked files below the root with an `$Id$` that contains more than git's hash, which git does not show. Throws GitError. */
export async function otherIds(root: string): Promise<string[]> {
  return (await identFiles(root)).filter((name) => {
    const text = attempt(() => readRegular(path.join(root, name), maxBytes).toString('latin1'));
    return text === null || /\$Id:(?! [0-9a-f]{40,64} \$)[^$\n]*\$/.test(text);
  });
}

/**
 * Tracked files below the root whose bytes differ from those that git would write. In an encoding such as UTF-7, one text has
 * several encodings, and programs that read the file may not know the encoding. Throws GitError.
 */
export async function otherTexts(root: string): Promise<string[]> {
  const left: string[] = [];
  for (const { name, encoding } of await encodedFiles(root)) {
    const file = path.join(root, name);
    // A link has no encoding, and git itself reports a missing file.
    if (UNIQUE_ENCODING.test(encoding) || !kindOf(file).startsWith('100')) continue;
    const text = attempt(() => readRegular(file, maxBytes).toString('latin1'));
    if (text === null || withoutReturns(text) !== withoutReturns(await checkedOut(root, name))) left.push(name);
  }
  return left;
}

/** Encodings with only one representation of ASCII text. */
const UNIQUE_ENCODING =
  /^(utf-?(8|16|32)|ucs-?[24]|iso[-_]?8859|latin|(cp|windows)-?125|s(hift)?[-_]?jis|euc|gb(k|18030|2312)|big-?5|koi8)[-_:\w]*$/i;

/** Ignores line ends, because other attributes control them. */
function withoutReturns(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/** The same for submodules below the root. Git itself may not enter them: it would use their settings. Throws GitError. */
export async function uncommittedBelow(root: string): Promise<string[]> {
  const links = split(await git(root, ['ls-files', '-s', '-z'])).filter((line) => line.startsWith('160000 '));
  const left: string[] = [];
  for (const name of links.map((line) => line.slice(line.indexOf('\t') + 1))) {
    const below = path.join(root, name);
    // Without a repository, nothing of the submodule is checked out, so its folder must be empty.
    if (look(path.join(below, '.git'), fs.lstatSync) === undefined) left.push(...(isFilled(below) ? [`${name}/`] : []));
    else left.push(...(await uncommitted(below)).map((inner) => `${name}/${inner}`));
  }
  return left;
}

/** A tracked file according to the index. Times are in nanoseconds since 1970. */
interface Indexed {
  /** The tag of `git ls-files -v`: a lower-case tag is assumed unchanged, S is not in the sparse checkout. */
  tag: string;
  /** `100644`, `100755`, `120000`. */
  mode: string;
  object: string;
  name: string;
  changed: bigint;
  modified: bigint;
  size: bigint;
}

/**
 * Changed files below the root that git treats as unchanged: because of a flag (`git update-index`), or because their size and
 * their times in whole seconds are the same. Throws GitError.
 */
export async function hiddenChanges(root: string): Promise<string[]> {
  const { top, git: own } = repositoryOf(root);
  const files = readIndexed(await git(root, ['ls-files', '-v', '-s', '-z', '--debug']));
  const written = look(path.join(own, 'index'), (name) => fs.statSync(name, { bigint: true, throwIfNoEntry: false }));
  const suspects = files.filter(
    (file) => MARKED.test(file.tag) || (written !== undefined && isTimed(path.join(root, file.name), file, written)),
  );
  if (suspects.length === 0) return [];
  const flag = async (name: string, absent: boolean): Promise<boolean> => {
    const value = (await git(root, ['config', '--type=bool', '--get', name], [1])).trim();
    return value === '' ? absent : value === 'true';
  };
  const hasModes = await flag('core.fileMode', true);
  const belongs: InCheckout = (await flag('core.sparseCheckout', false))
    ? inCheckout(own, await flag('core.sparseCheckoutCone', false))
    : () => true;
  const inner = path.relative(top, root);
  const changed: string[] = [];
  const plain: Indexed[] = [];
  for (const file of suspects) {
    const { name, tag, mode, object } = file;
    const kind = kindOf(path.join(root, name));
    // A missing file is no change if the sparse checkout excludes it. Otherwise the flag hides its removal.
    if (kind === '' && tag === 'S' && !belongs(path.posix.join(inner, name))) continue;
    const isKind = hasModes ? kind === mode : kind.slice(0, 2) === mode.slice(0, 2);
    if (!isKind) changed.push(name);
    else if (kind !== LINK) plain.push(file);
    else if (linkObject(path.join(root, name), object) !== object) changed.push(name);
  }
  for (let at = 0; at < plain.length; at += perCall) {
    const some = plain.slice(at, at + perCall);
    const present = (await git(root, ['hash-object', '--', ...some.map(({ name }) => name)])).trim().split('\n');
    changed.push(...some.filter(({ object }, index) => object !== present[index]).map(({ name }) => name));
  }
  return changed;
}

const MARKED = /^[a-zS]$/;
const LINK = '120000';
const SUBMODULE = '160000';

/** The output of `git ls-files --debug` for one file. */
const printed =
  /(\S) (\d{6}) ([0-9a-f]+) \d\t([^\0]+)\0 {2}ctime: (\d+):(\d+)\n {2}mtime: (\d+):(\d+)\n {2}dev: \d+\tino: \d+\n {2}uid: \d+\tgid: \d+\n {2}size: (\d+)\tflags: [0-9a-f]+\n/y;

/** Throws GitError. */
function readIndexed(text: string): Indexed[] {
  const files: Indexed[] = [];
  let end = 0;
  printed.lastIndex = 0;
  for (let match = printed.exec(text); match !== null; match = printed.exec(text)) {
    end = printed.lastIndex;
    const [, tag, mode, object, name, ...numbers] = match as unknown as [string, string, string, string, string, ...string[]];
    const [changed = 0n, changedNs = 0n, modified = 0n, modifiedNs = 0n, size = 0n] = numbers.map(BigInt);
    if (mode === SUBMODULE) continue;
    files.push({
      ...{ tag, mode, object, name, size },
      changed: changed * SECOND + changedNs,
      modified: modified * SECOND + modifiedNs,
    });
  }
  if (end !== text.length) throw new GitError('git prints its index in an unknown form');
  return files;
}

const SECOND = 1_000_000_000n;
/** The coarsest clock resolution of a file system with fractions of a second, in nanoseconds. */
const GRAIN = 20_000_000n;

/**
 * True if git treats a file as unchanged because of its size and times in whole seconds, but it changed, or may have changed,
 * within that second. `index`: the index file that contains these values.
 */
function isTimed(file: string, { changed, modified, size }: Indexed, index: fs.BigIntStats): boolean {
  // Git itself reads a file that is as new as the index.
  if (modified / SECOND >= index.mtimeNs / SECOND) return false;
  const stat = look(file, (name) => fs.lstatSync(name, { bigint: true, throwIfNoEntry: false }));
  if (stat === undefined || BigInt.asUintN(32, stat.size) !== size) return false;
  if (stat.ctimeNs / SECOND !== changed / SECOND || stat.mtimeNs / SECOND !== modified / SECOND) return false;
  const grain = stat.ctimeNs % SECOND === 0n ? 2n * SECOND : GRAIN;
  return stat.ctimeNs !== changed || stat.mtimeNs !== modified || changed + grain > index.ctimeNs;
}

/** The mode that the index would have for the file; '' if it does not exist. Throws GitError. */
function kindOf(file: string): string {
  const stat = look(file, (name, how) => fs.lstatSync(name, how));
  if (stat === undefined) return '';
  if (stat.isSymbolicLink()) return LINK;
  if (!stat.isFile()) return 'other';
  return stat.mode & 0o100 ? '100755' : '100644';
}

/** The object name of a link's text, with the same hash algorithm as another object name. */
function linkObject(file: string, like: string): string {
  const target = fs.readlinkSync(file, 'buffer');
  return createHash(like.length === 40 ? 'sha1' : 'sha256')
    .update(`blob ${target.length}\0`)
    .update(target)
    .digest('hex');
}

/** Throws GitError. */
function inCheckout(own: string, isCone: boolean): InCheckout {
  try {
    return sparseCheckout(own, isCone);
  } catch (error) {
    throw new GitError(`the files outside the sparse checkout cannot be read: ${(error as Error).message}`);
  }
}

function isFilled(folder: string): boolean {
  try {
    return fs.readdirSync(folder).length > 0;
  } catch (error) {
    // The folder is missing, or is a file: git itself reports that.
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw new GitError(`${folder} cannot be read: ${(error as Error).message}`);
  }
}
