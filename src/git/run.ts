// The git queries of gates: the branch, and uncommitted changes. They never start a program that the repository names.

import fs from 'node:fs';
import path from 'node:path';
import { readDataFile } from '../platform/data-folder.ts';
import { readRegularText } from '../platform/read-file.ts';
import { statOf } from '../platform/stat.ts';
import { commandEnvironment } from './environment.ts';

/** A file named .git contains one short line. */
const maxGitFileBytes = 8_192;

const limitMs = 10_000;

/** Git cannot give the requested information. */
export class GitError extends Error {}

/**
 * The branch that is checked out; null if HEAD is detached. Starts no process.
 * @throws {GitError} outside a repository
 */
export function currentBranch(root: string): string | null {
  return branchIn(repositoryOf(root).git);
}

/** The same for git's own folder of a repository. */
export function branchIn(git: string): string | null {
  const head = readHead(git);
  const match = /^ref: refs\/heads\/(.+)$/.exec(head.trim());
  return match?.[1] ?? null;
}

/** The commit that is checked out; null if there is no commit yet. Throws GitError. */
export async function headOf(root: string): Promise<string | null> {
  const name = (await git(root, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], [1])).trim();
  return name === '' ? null : name;
}

const diffing = [
  'diff',
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--no-renames',
  '--relative',
  '--ignore-submodules=dirty',
];

/** Tracked files below the root that differ from a commit; null: from the empty tree. Throws GitError. */
export async function changedFiles(root: string, base: string | null): Promise<string[]> {
  return split(await git(root, [...diffing, '--name-only', '-z', base ?? (await emptyTree(root)), '--']));
}

/** The diff of these files against the commit. `asText`: even if git treats them as binary. Throws GitError. */
export function diffOf(root: string, base: string | null, names: readonly string[], asText = false): Promise<string> {
  return differ(root, base, names, ['--unified=10', ...(asText ? ['--text'] : [])]);
}

/** Those files whose diff git does not show, because of their content or an attribute. Throws GitError. */
export async function binaryOf(root: string, base: string | null, names: readonly string[]): Promise<string[]> {
  const lines = split(await differ(root, base, names, ['--numstat', '-z']));
  return lines.flatMap((line) => /^-\t-\t(.+)$/s.exec(line)?.[1] ?? []);
}

async function differ(root: string, base: string | null, names: readonly string[], how: readonly string[]): Promise<string> {
  const from = base ?? (await emptyTree(root));
  const parts: string[] = [];
  for (let at = 0; at < names.length; at += perCall)
    parts.push(await git(root, ['--literal-pathspecs', ...diffing, ...how, from, '--', ...names.slice(at, at + perCall)]));
  return parts.join('');
}

/** Maximum number of names in one call, to stay below the system's limit for arguments. */
export const perCall = 200;

/** Files below the root that git neither tracks nor ignores. Throws GitError. */
export async function untracked(root: string): Promise<string[]> {
  return split(await git(root, ['ls-files', '-z', '--others', '--exclude-standard']));
}

/**
 * Uncommitted ignore files that hide something below the root from git. A reviewer would see neither the ignore file nor the
 * hidden files. Paths are relative to the repository's top. Throws GitError.
 */
export async function uncommittedIgnores(root: string): Promise<string[]> {
  const how = [
    '--porcelain=v1',
    '-z',
    '--no-renames',
    '--untracked-files=normal',
    '--ignored=matching',
    '--ignore-submodules=all',
  ];
  const prefix = (await git(root, ['rev-parse', '--show-prefix'])).trim();
  const ignoredLines = split(await git(root, ['status', ...how, '--', '.'])).filter((line) => line.startsWith(`!! ${prefix}`));
  if (ignoredLines.length === 0) return [];
  const names = ignoredLines.map((line) => line.slice(3 + prefix.length));
  // Four fields each: the source of the pattern, its line, the pattern, the name.
  const fields = (await git(root, ['check-ignore', '-v', '-z', '--stdin'], [1], names.join('\0'))).split('\0');
  // The user's own ignore file for all repositories has an absolute name.
  const sources = new Set(fields.filter((name, at) => at % 4 === 0 && name !== '' && !path.isAbsolute(name)));
  const pathspecs = [...sources].map((name) => `:(top,literal)${name}`);
  const tracked: string[] = [];
  for (let at = 0; at < pathspecs.length; at += perCall)
    tracked.push(...split(await git(root, ['ls-files', '-z', '--full-name', '--', ...pathspecs.slice(at, at + perCall)])));
  return [...sources].filter((name) => !tracked.includes(name));
}

/** Tracked files below the root where git expands `$Id$`, so that it does not show other text there. Throws GitError. */
export async function identFiles(root: string): Promise<string[]> {
  return split(await git(root, ['ls-files', '-z', '--', ':(attr:ident)']));
}

/** Tracked files below the root that git converts because of `working-tree-encoding`, with the encoding. Throws GitError. */
export async function encodedFiles(root: string): Promise<{ name: string; encoding: string }[]> {
  const names = await git(root, ['ls-files', '-z', '--', '.', ':(exclude,attr:!working-tree-encoding)']);
  if (names === '') return [];
  // Three fields each: the name, the attribute, its value.
  const fields = (await git(root, ['check-attr', '-z', '--stdin', 'working-tree-encoding'], [], names)).split('\0');
  return split(names).map((name, at) => ({ name, encoding: fields[at * 3 + 2] ?? '' }));
}

/** The content that git would write to a tracked file on checkout, one character per byte. Throws GitError. */
export function checkedOut(root: string, name: string): Promise<string> {
  return git(root, ['cat-file', '--filters', `:./${name}`], [], '', 'latin1');
}

async function emptyTree(root: string): Promise<string> {
  return (await git(root, ['hash-object', '-t', 'tree', '/dev/null'])).trim();
}

export function split(text: string): string[] {
  return text.split('\0').filter((line) => line !== '');
}

const safeFlags = [
  '--no-pager',
  // A replacement object could show any content in place of a commit.
  '--no-replace-objects',
  ...[
    '-c',
    'core.fsmonitor=false',
    '-c',
    'core.hooksPath=/dev/null',
    '-c',
    'core.untrackedCache=false',
    // Otherwise git checks fewer of a file's times.
    '-c',
    'core.trustctime=true',
    '-c',
    'core.checkStat=default',
    '-c',
    'core.quotePath=false',
  ],
];

/** Starts git in such a way that it starts no other program. `fine`: exit codes other than 0 that are valid results. */
export async function git(
  root: string,
  args: string[],
  fine: readonly number[] = [],
  input = '',
  encoding: BufferEncoding = 'utf8',
): Promise<string> {
  const lines = split(await start(root, [...safeFlags, 'config', '--includes', '-z', '--list'], fine));
  const settings = new Map(lines.map((line) => readSetting(line)));
  const names = [...settings.keys()];
  if (names.includes('core.worktree')) await checkTop(root);
  const repository = gitFolder(root);
  const corrections =
    repository === null
      ? []
      : await disbelieved(settings, repository, async () =>
          split(await start(repository.top, [...safeFlags, 'ls-files', '-z'], [])),
        );
  const filters = new Set(names.flatMap((name) => /^filter\.(.+)\.(?:clean|smudge|process|required)$/s.exec(name)?.[1] ?? []));
  // A filter is a program that the repository chooses. Without it, a file that the filter would change counts as changed.
  const unfiltered = [...filters].flatMap((name) => [
    ...['clean', 'smudge', 'process'].flatMap((key) => ['-c', `filter.${name}.${key}=`]),
    '-c',
    `filter.${name}.required=false`,
  ]);
  return start(root, [...safeFlags, ...corrections.flatMap((one) => ['-c', one]), ...unfiltered, ...args], fine, input, encoding);
}

/** The name and value of a setting. A setting without a value is true. */
function readSetting(line: string): [name: string, value: string] {
  const end = line.indexOf('\n');
  return end === -1 ? [line, 'true'] : [line.slice(0, end), line.slice(end + 1)];
}

/** Throws GitError if `core.worktree` makes git use a work tree other than the folder that contains the repository. */
async function checkTop(root: string): Promise<void> {
  const named = (await start(root, [...safeFlags, 'rev-parse', '--show-toplevel'], [])).replace(/\n$/, '');
  const { top } = repositoryOf(root);
  if (fs.realpathSync.native(top) !== named)
    throw new GitError(`git uses ${named} instead of ${top} because of its setting core.worktree`);
}

async function start(
  root: string,
  args: string[],
  fine: readonly number[],
  input = '',
  encoding: BufferEncoding = 'utf8',
): Promise<string> {
  // Imported only here, because a process for a single decision never needs it.
  const { execFile } = await import('node:child_process');
  return new Promise((resolve, reject) => {
    const child = execFile(
      'git',
      args,
      {
        cwd: root,
        // Without GIT_*, and with a PATH that contains no folder of the project.
        env: {
          ...commandEnvironment(process.env, root),
          GIT_OPTIONAL_LOCKS: '0',
          GIT_TERMINAL_PROMPT: '0',
          GIT_NO_LAZY_FETCH: '1',
        },
        encoding,
        timeout: limitMs,
        maxBuffer: 128 * 1_048_576,
      },
      (error, stdout, stderr) => {
        if (error === null || fine.includes(error.code as unknown as number)) resolve(stdout);
        else reject(new GitError((stderr || error.message).trim().split('\n')[0] ?? 'git failed'));
      },
    );
    if (input === '') child.stdin?.end();
    else child.stdin?.on('error', (error) => reject(new GitError(error.message))).end(input);
  });
}

/** The bytes of an object; null if git does not have it. */
export async function readBlob(root: string, id: string): Promise<Buffer | null> {
  try {
    return Buffer.from(await git(root, ['cat-file', 'blob', id], [], '', 'latin1'), 'latin1');
  } catch (error) {
    if (error instanceof GitError) return null;
    throw error;
  }
}

/** The top folder of a repository, and git's own folder. */
interface QueriedRepository {
  top: string;
  git: string;
}

/** @throws {GitError} outside a repository */
export function repositoryOf(root: string): QueriedRepository {
  const repository = gitFolder(root);
  if (repository === null) throw new GitError('this is not a git repository');
  return repository;
}

function readHead(folder: string): string {
  try {
    return readDataFile(path.join(folder, 'HEAD'));
  } catch (error) {
    throw new GitError(`HEAD cannot be read: ${(error as Error).message}`);
  }
}

/** The commit that is checked out, read from files; null if they do not contain it. Starts no process. */
export function headCommit(root: string): string | null {
  const repository = gitFolder(root);
  if (repository === null) return null;
  const { git } = repository;
  const head = readName(path.join(git, 'HEAD'));
  const ref = /^ref: (\S+)$/.exec(head)?.[1];
  if (ref === undefined) return commitIn(head);
  const common = commonFolder(git);
  const packed = readName(path.join(common, 'packed-refs')).split('\n');
  const listed = packed.find((line) => line.endsWith(` ${ref}`))?.slice(0, -ref.length - 1) ?? '';
  return commitIn(readName(path.join(git, ref))) ?? commitIn(readName(path.join(common, ref))) ?? commitIn(listed);
}

/** True if the glob matches the branch. `*` is any text. */
export function fits(glob: string, branch: string): boolean {
  const [first = '', ...rest] = glob.split('*');
  const last = rest.pop();
  if (last === undefined) return branch === first;
  if (!branch.startsWith(first)) return false;
  let at = first.length;
  for (const piece of rest) {
    const found = branch.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return branch.length - last.length >= at && branch.endsWith(last);
}

/** The folder that all worktrees of a repository share, with its branches and objects. */
export function commonFolder(git: string): string {
  return path.resolve(git, readName(path.join(git, 'commondir')) || '.');
}

/** The default branch of the remote, else main or master if it exists; null: unknown. Starts no process. */
export function defaultBranch(root: string): string | null {
  const repository = gitFolder(root);
  if (repository === null) return null;
  const common = commonFolder(repository.git);
  const named = /^ref: refs\/remotes\/origin\/(.+)$/.exec(readName(path.join(common, 'refs/remotes/origin/HEAD')))?.[1];
  if (named !== undefined) return named;
  const packed = readName(path.join(common, 'packed-refs')).split('\n');
  const isThere = (name: string): boolean =>
    fs.existsSync(path.join(common, 'refs/heads', name)) || packed.some((line) => line.endsWith(` refs/heads/${name}`));
  return ['main', 'master'].find(isThere) ?? null;
}

function commitIn(text: string): string | null {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text) ? text : null;
}

/** '' if the file does not exist. */
function readName(file: string): string {
  try {
    return readDataFile(file).trim();
  } catch {
    // The file is absent, or refs are not stored in files. The caller relies on later output of git.
    return '';
  }
}

/** The status of a path; undefined if it does not exist, also if a parent is a file. Throws GitError. */
export function look<Stat = fs.Stats>(
  file: string,
  stat: (file: string, how: { throwIfNoEntry: false }) => Stat | undefined,
): Stat | undefined {
  try {
    return stat(file, { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
    throw new GitError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

/**
 * The repository that contains a folder or file, else null.
 * @throws {GitError} if that cannot be determined
 */
export function gitFolder(root: string): QueriedRepository | null {
  for (let top = root; ; top = path.dirname(top)) {
    const git = path.join(top, '.git');
    const stat = look(git, fs.statSync);
    if (stat?.isDirectory()) return { top, git };
    if (stat?.isFile()) {
      const named = /^gitdir: (.+)$/m.exec(readRegularText(git, maxGitFileBytes))?.[1];
      if (named !== undefined) return { top, git: path.resolve(top, named.trim()) };
    }
    if (top === path.dirname(top)) return null;
  }
}

/** The settings that override them. */
const corrected = { fileMode: 'core.fileMode=true', symlinks: 'core.symlinks=true', ignoreCase: 'core.ignoreCase=false' };

/**
 * The overrides to start git with, because the repository has settings (names in lower case) that hide a change.
 * @param tracked names of the tracked files below the top; called only if needed
 */
async function disbelieved(
  settings: ReadonlyMap<string, string>,
  { top, git }: { top: string; git: string },
  tracked: () => Promise<string[]>,
): Promise<string[]> {
  const says = (name: string, value: boolean): boolean => settings.has(name) && isTrue(settings.get(name) as string) === value;
  return [
    ...(says('core.symlinks', false) ? [corrected.symlinks] : []),
    ...(says('core.ignorecase', true) && !hasOneCase(top) ? [corrected.ignoreCase] : []),
    ...(says('core.filemode', false) && holdsModes(top, git, await tracked()) ? [corrected.fileMode] : []),
  ];
}

/** Parses a boolean value as git does. */
function isTrue(value: string): boolean {
  return !/^(false|no|off|0*|)$/i.test(value);
}

/** True if another spelling of a name is the same file. */
function hasOneCase(top: string): boolean {
  const [one, other] = ['.git', '.GIT'].map((name) => statOf(path.join(top, name)));
  return one?.ino !== undefined && one.ino === other?.ino;
}

/** If all files are executable, or none is, the file system may not support the executable bit. */
function holdsModes(top: string, git: string, tracked: readonly string[]): boolean {
  const canRun = (file: string): boolean => {
    const stat = statOf(file);
    return stat?.isFile() === true && (stat.mode & 0o111) !== 0;
  };
  return !canRun(path.join(git, 'index')) && tracked.some((name) => canRun(path.join(top, name)));
}
