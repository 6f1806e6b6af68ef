// What of a repository's files is in no commit, also where git does not look: it goes by marks and times, which anybody can set.

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { attempt } from '../platform/look-at-disk.ts';
import { readRegular } from '../platform/read-file.ts';
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

/** Largest tracked file whose text is compared; a larger one counts as changed. */
const maxBytes = 67_108_864;

/**
 * Names of what is changed or not tracked, in the whole repository, of what git takes for unchanged and is not, and of what hides
 * files from it.
 * @throws {GitError} when git cannot say
 */
export async function uncommitted(root: string): Promise<string[]> {
  const { top } = repositoryOf(root);
  const how = ['--porcelain=v1', '-z', '--no-renames', '--untracked-files=normal', '--ignore-submodules=dirty'];
  const told = split(await git(top, ['status', ...how])).map((line) => line.slice(3));
  // The repository's own list is a person's: no tool of the agent writes it.
  const hiding = (await uncommittedIgnores(top)).filter((name) => !/(^|\/)\.git\//.test(name));
  return [
    ...new Set([
      ...told,
      ...hiding,
      ...(await hiddenChanges(top)),
      ...(await otherIds(top)),
      ...(await otherTexts(top)),
      ...(await uncommittedBelow(top)),
    ]),
  ];
}

/** Tracked files below the root with more in an `$Id$` than the hash that git writes there, which it does not show. Throws GitError. */
export async function otherIds(root: string): Promise<string[]> {
  return (await identFiles(root)).filter((name) => {
    const text = attempt(() => readRegular(path.join(root, name), maxBytes).toString('latin1'));
    return text === null || /\$Id:(?! [0-9a-f]{40,64} \$)[^$\n]*\$/.test(text);
  });
}

/**
 * Tracked files below the root that are written otherwise than git would write the text that it shows: in an encoding such as UTF-7
 * one text can be written in many ways, and what reads the file knows nothing of it. Throws GitError.
 */
export async function otherTexts(root: string): Promise<string[]> {
  const left: string[] = [];
  for (const { name, encoding } of await encodedFiles(root)) {
    const file = path.join(root, name);
    // A link is encoded in no way, and of one that is gone git tells itself.
    if (ONE_WAY.test(encoding) || !kindOf(file).startsWith('100')) continue;
    const text = attempt(() => readRegular(file, maxBytes).toString('latin1'));
    if (text === null || withoutReturns(text) !== withoutReturns(await checkedOut(root, name))) left.push(name);
  }
  return left;
}

/** Encodings in which what is ASCII can be written in one way alone. */
const ONE_WAY =
  /^(utf-?(8|16|32)|ucs-?[24]|iso[-_]?8859|latin|(cp|windows)-?125|s(hift)?[-_]?jis|euc|gb(k|18030|2312)|big-?5|koi8)[-_:\w]*$/i;

/** How lines end is for other attributes to say. */
function withoutReturns(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/** The same of the submodules below the root, which git is not let into: it would go by their settings. Throws GitError. */
export async function uncommittedBelow(root: string): Promise<string[]> {
  const links = split(await git(root, ['ls-files', '-s', '-z'])).filter((line) => line.startsWith('160000 '));
  const left: string[] = [];
  for (const name of links.map((line) => line.slice(line.indexOf('\t') + 1))) {
    const below = path.join(root, name);
    // Without a repository of its own nothing of it is checked out, and its folder is empty.
    if (look(path.join(below, '.git'), fs.lstatSync) === undefined) left.push(...(isFilled(below) ? [`${name}/`] : []));
    else left.push(...(await uncommitted(below)).map((inner) => `${name}/${inner}`));
  }
  return left;
}

/** A tracked file as the index has it. Times in nanoseconds since 1970. */
interface Indexed {
  /** As `git ls-files -v` has it: in lower case what is taken for unchanged, S what is left out of the checkout. */
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
 * Tracked files below the root that git takes for unchanged, and that are not: by a mark (`git update-index`), or since their size and
 * times are as they were to the second. Throws GitError.
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
    const said = (await git(root, ['config', '--type=bool', '--get', name], [1])).trim();
    return said === '' ? absent : said === 'true';
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
    // Absent files of a sparse checkout are no change where its patterns leave them out. Elsewhere the mark hides that they were removed.
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

/** What `git ls-files --debug` prints of a file, of which two times are asked for. */
const printed =
  /(\S) (\d{6}) ([0-9a-f]+) \d\t([^\0]+)\0 {2}ctime: (\d+):(\d+)\n {2}mtime: (\d+):(\d+)\n {2}dev: \d+\tino: \d+\n {2}uid: \d+\tgid: \d+\n {2}size: (\d+)\tflags: [0-9a-f]+\n/y;

/** Throws GitError. */
function readIndexed(text: string): Indexed[] {
  const files: Indexed[] = [];
  let end = 0;
  printed.lastIndex = 0;
  for (let found = printed.exec(text); found !== null; found = printed.exec(text)) {
    end = printed.lastIndex;
    const [, tag, mode, object, name, ...numbers] = found as unknown as [string, string, string, string, string, ...string[]];
    const [changed = 0n, changedNs = 0n, modified = 0n, modifiedNs = 0n, size = 0n] = numbers.map(BigInt);
    if (mode === SUBMODULE) continue;
    files.push({
      ...{ tag, mode, object, name, size },
      changed: changed * SECOND + changedNs,
      modified: modified * SECOND + modifiedNs,
    });
  }
  if (end !== text.length) throw new GitError('git tells of its index in a form that is not known');
  return files;
}

const SECOND = 1_000_000_000n;
/** Nanoseconds: the coarsest clock of a file system that has parts of a second. */
const GRAIN = 20_000_000n;

/**
 * True where git takes a file for unchanged by its size and whole seconds, and it was changed in that second or may have been.
 * `index`: the file that git wrote them to.
 */
function isTimed(file: string, { changed, modified, size }: Indexed, index: fs.BigIntStats): boolean {
  // What is as new as the index git reads itself.
  if (modified / SECOND >= index.mtimeNs / SECOND) return false;
  const stat = look(file, (name) => fs.lstatSync(name, { bigint: true, throwIfNoEntry: false }));
  if (stat === undefined || BigInt.asUintN(32, stat.size) !== size) return false;
  if (stat.ctimeNs / SECOND !== changed / SECOND || stat.mtimeNs / SECOND !== modified / SECOND) return false;
  const grain = stat.ctimeNs % SECOND === 0n ? 2n * SECOND : GRAIN;
  return stat.ctimeNs !== changed || stat.mtimeNs !== modified || changed + grain > index.ctimeNs;
}

/** The mode that the index would have for it; '' where there is none. Throws GitError. */
function kindOf(file: string): string {
  const stat = look(file, (name, how) => fs.lstatSync(name, how));
  if (stat === undefined) return '';
  if (stat.isSymbolicLink()) return LINK;
  if (!stat.isFile()) return 'other';
  return stat.mode & 0o100 ? '100755' : '100644';
}

/** The object of where a link leads, by the same hash as another one. */
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
    throw new GitError(`what the sparse checkout leaves out cannot be read: ${(error as Error).message}`);
  }
}

function isFilled(folder: string): boolean {
  try {
    return fs.readdirSync(folder).length > 0;
  } catch (error) {
    // Absent, or a file: git tells of that itself.
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw new GitError(`${folder} cannot be looked at: ${(error as Error).message}`);
  }
}
