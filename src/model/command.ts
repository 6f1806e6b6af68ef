// The types that describe the analysis of a command text.

/** read-only: changes nothing; writes: only known targets; runs: code or a program of the project; unknown: not understood. */
export type BashClass = 'read-only' | 'writes' | 'runs' | 'unknown';

/** Properties of a command that do not depend on its class, with their meaning. */
export const commandTags = {
  secrets: 'prints credentials, or may print them',
  environment: 'prints the environment of a process, a container or a service, or may print it',
  'network-read': 'queries a service and changes nothing there',
  'network-send': 'uses the network in any other way, except requests to this machine',
  database: 'changes a database',
  deploy: 'changes something published, deployed or running elsewhere',
  checks: 'runs code of the project to test, check or describe it, without the network except to query',
  files: 'changes nothing but the files that it names',
} as const;

export type CommandTag = keyof typeof commandTags;

/** The reason for a class, in words, with its position in the command text (UTF-16 offsets, end exclusive). */
export interface Why {
  text: string;
  pos: number;
  end: number;
}

/** One simple command, at any depth. */
export interface BashCommand {
  /** The command word after quote removal; '' when it is dynamic. */
  name: string;
  /** Words after quote removal, without wrappers and assignments. null is a word with an unknown value. */
  argv: (string | null)[];
  /**
   * The command as Bash rules see it: words joined by one space. A static word appears as its value, shell-quoted if it contains
   * white space or shell characters. A dynamic word appears as its source.
   */
  text: string;
  /**
   * Other spellings that deny and ask rules are matched against: with wrappers, with the basename of the command word,
   * without any quoting. Does not include `text` and has no duplicates.
   */
  spellings: string[];
  /** The words with each wrapper that was removed, if there are options among them: `sudo rm -rf x`. */
  wrapped?: (string | null)[][];
  /** The text before the first word with an unknown value, in spellings that omit words of `argv`. */
  open?: string[];
  /**
   * True for a part that an allow rule may name: a top-level command, after removing the client's own wrappers and safe
   * assignments. False inside substitutions, `sh -c` and functions, and after any other wrapper or assignment.
   */
  top: boolean;
  class: BashClass;
  network: boolean;
  /** Whether every host that it names is this machine. Absent: it names no host. */
  local?: boolean;
  /** Properties that a rule can name in addition to the class. */
  tags?: readonly CommandTag[];
  why: Why[];
  /** Words and texts that the command may run or pass to a program that runs them. It is unknown which one is a program. */
  opaque?: string[];
  /** Absolute paths that the command's words may name, if the command may write anywhere. */
  named?: string[];
  /** The known text on its standard input, if the command may write anywhere. */
  input?: string;
  /** Absolute folders that the shell may be in, if not the text's start folder. Empty: unknown. */
  cwds?: readonly string[];
  /** The class is valid only if none of these exists: a file of the project may name a program that the command loads. */
  loads?: BashLoad[];
  /** Names that the text gives to other paths, as links, copies or new places. Many copies need time, so they are found on demand. */
  renamed?: () => readonly Renamed[];
  /** For git: the absolute folders where it works, if not the text's start folder. Empty: unknown. */
  folders?: readonly string[];
}

/** A path and its name before. null: not known. */
export interface Renamed {
  name: string;
  path: string | null;
}

/** Files that make a command run code from the project. */
export interface BashLoad {
  /**
   * `a` or `a/b`: in one of the folders or above it; `~/a`: in the home folder; `a#b.c`: a JSON file with that key;
   * `@a`: the program with the command's name is below a folder `a`; `git:a`: the repository of a folder has an active hook `a`;
   * `missing:a`: the command creates the file a, which does not exist;
   * `nested:/a`: a folder below /a is a repository; `python:`: Python may import a file of the folder as a module.
   */
  files: readonly string[];
  /** Absolute folders where the command may run. */
  folders: readonly string[];
}

/** A path that a command reads or writes. */
export type BashTarget = BashRead | BashWrite;

interface BashPath {
  /** Absolute: the `cd` in force, or cwd, joined with the word. Not normalized: src/facts resolves `..` and links. */
  path: string;
  /** The kind of access, in a few words: `sed -i`, `>`, `rm -r`. */
  via: string;
  /** Index into `commands`. */
  command: number;
  /** The files below it are passed one by one to a program, which follows the symbolic links among them. */
  opens?: true;
  /** The target is a copy of this source. The target reaches the source itself only through links in the source. */
  copied?: string;
}

export interface BashRead extends BashPath {
  extent: ReadExtent | 'glob';
  /** Absent: the contents. */
  what?: Exclude<ReadPart, 'contents'>;
  /** The files below the path that a search skips. */
  skips?: Skips;
  /** The command follows links below a folder. */
  follows?: true;
  /**
   * It is not certain that the path is read: it is the path in one of the shell's possible folders, or a program that may do
   * anything is given its name.
   */
  possible?: true;
}

export interface BashWrite extends BashPath {
  /** one: this path; deep: also everything below it; glob: `path` contains unquoted `* ? [` that Bash would expand. */
  extent: 'one' | 'deep' | 'glob';
  /** Absent: it is lost. */
  old?: OldContent;
  links?: NewLinks;
}

/** one: this path; deep: also everything below it; within: usually a file, but a folder is read with everything in it. */
export type ReadExtent = 'one' | 'deep' | 'within';

/**
 * The part that is read. names: only the names below the path. database: the file, and if it has a write-ahead log, `-wal` and
 * `-shm` files are created beside it. written database: it is also written, and at the end the log is merged into it.
 */
export type ReadPart = 'contents' | 'names' | 'database' | 'written database';

/**
 * The old content of a written path. kept: it is shown, or kept under another name, so restrictive rules also treat the write as
 * a read. untouched: only new entries are written, with names below the command's sources or unknown names.
 */
export type OldContent = 'kept' | 'untouched';

/** Symbolic links that a write makes: at or below the written path, or one elsewhere that leads to it. */
export type NewLinks = LinksBelow | LinkTo;

/**
 * The symbolic links that may appear at a path. made: one link, with a separate write for its target; sources: links among the
 * command's sources, resolved from their new folder; tracked: links that git tracks there; any: unknown.
 */
export type LinksBelow = 'made' | 'sources' | 'tracked' | 'any';

/** A link with this name and text gives the written path a second name. */
export interface LinkTo {
  name: string;
  text: string;
}

/** Contents of tracked files that git prints or writes elsewhere, as far as the words of the command determine them. */
export interface GitView {
  /** Absolute path of the folder where git runs. */
  folder: string;
  via: string;
  /** Index into `commands`. */
  command: number;
  /** Pathspecs as git receives them. */
  paths: readonly string[];
  /** Words that are pathspecs if a file with that name exists, and revisions otherwise. */
  words: readonly string[];
  /** The scope without a pathspec: the whole repository, or the folder where git runs. */
  without: 'top' | 'here';
  /** Objects that git prints even if the pathspecs exclude them: paths after `HEAD:`, and hexadecimal object names. */
  objects: readonly string[];
  /** A path in `objects` also includes everything below it. */
  isDeep: boolean;
  /** Git prints `objects` and nothing else. */
  isOnlyObjects: boolean;
  /** Without a revision, only files that differ from the index are printed. */
  isWorktree: boolean;
  /** Git prints the contents of submodules, too. */
  hasSubmodules: boolean;
  /** Only files that are missing from the working tree count. They leave the index. */
  isMissing: boolean;
  /** An unknown word, or an option, makes git print more than the pathspecs select. */
  isOpen: boolean;
}

/** Files below a folder that a search skips. Anything not listed here is searched. */
export interface Skips {
  /** The rules of comparison. git: searches tracked files, and untracked files that are not ignored. */
  style: 'rg' | 'grep' | 'git';
  /** Names that start with a dot. */
  hidden: boolean;
  /** Files that .gitignore and .git/info/exclude ignore, and, except in git style, .ignore and .rgignore. */
  ignored: boolean;
  /** Patterns in order. The last pattern that matches a name decides. */
  globs: { text: string; skip: boolean; of: 'file' | 'folder' | 'any' }[];
  /** File types by ripgrep's names. Empty: all types. */
  types: string[];
  /** Patterns with a slash are relative to this folder. null: unknown. */
  base: string | null;
}

/** A path that is only partly known before the command runs. */
export interface BashOpenTarget {
  kind: 'read' | 'write';
  /**
   * The known pieces in order, with any text between two of them: `['', '/secret/key']` ends in `/secret/key`, and
   * `['/w/src/', '']` begins with `/w/src/`. Absolute if the first piece is not empty.
   */
  outline: Outline;
  /** The unknown part is below the folder that the first piece names, because it contains no `..`. */
  confined?: true;
  /** The kind of access, in a few words. */
  via: string;
  /** Index into `commands`. */
  command: number;
}

export interface BashFacts {
  class: BashClass;
  network: boolean;
  /** Known hosts. Empty together with `network: true` means that the hosts are unknown. */
  hosts: string[];
  commands: BashCommand[];
  writes: BashWrite[];
  reads: BashRead[];
  /** Targets that are only partly known. Such a write also makes its command unknown. */
  open: BashOpenTarget[];
  /** The analysis depends on the present state of the disk. */
  isOfDisk?: true;
  /** Contents of tracked files that git commands print. */
  views?: readonly GitView[];
  /** True if a command changes which files git tracks. */
  tracks?: boolean;
  /**
   * Parts that may write anywhere: of class runs or unknown, or with an unknown write target. Empty for read-only and writes.
   * `anything`: the text of the part is unknown or not understood, so it may do anything that a command can do.
   */
  uncertain: { command: number | null; class: BashClass; why: string; anything?: true }[];
  /** The text exceeds a limit of the analysis: the reason why the whole text must not run. */
  beyond: string | null;
  why: Why[];
}

export interface BashContext {
  /** Absolute working folder. */
  cwd: string;
  /** Absolute home folder, for `~`. */
  home: string;
  /** The folder where programs put temporary files: TMPDIR of the environment. `/tmp` if absent. */
  temp?: string;
  /** Folders elsewhere, such as the project's root and its worktrees. Their repository is treated like that of the working folder. */
  known?: readonly string[];
  /** The caller checks the disk afterwards (`settleLoads`), so anything that depends on the disk is left undecided. */
  looks?: boolean;
  /** The project's own commands, in order of precedence. */
  commands?: readonly DeclaredCommand[];
  /** Queries that the analysis may make of the disk. If absent, it makes none. */
  disk?: ShellDisk;
}

/** A command that modes.yaml declares under `commands:`. */
export interface DeclaredCommand {
  /** Words of a command line. `*` is any one word; at the end it is any further words. */
  match: string;
  class: BashClass;
  /** Operands, from 1, that are files read or written: words without a leading dash after the literal words of `match`. */
  reads?: readonly number[] | 'all';
  writes?: readonly number[] | 'all';
  network?: boolean;
  /** A trusted declaration may replace the known class. An untrusted one can only make the class stricter. */
  trusted: boolean;
}

/** one: this name; glob: the names that it matches; deep: anything at or below it, except for what the listing skips. */
export interface NamePart {
  /** A word, as a command in the current folder would spell it. `GAP` represents unknown parts. */
  text: string;
  how: 'one' | 'glob' | 'deep';
  skips?: Skips | null;
  /** The names include no folder. */
  files?: boolean;
  /** The names include no link. */
  isWithoutLinks?: boolean;
}

/** Standard input, as far as known. The text of a file and the listed names are a part of the input. */
export type Stdin =
  | { kind: 'inherit' }
  | ({ kind: 'text'; text: string } & Whole)
  | ({ kind: 'file'; text?: string; names?: readonly NamePart[] } & Whole)
  | ({ kind: 'pipe'; text?: string; names?: readonly NamePart[] } & Whole);

interface Whole {
  /** The text or the names are the entire input. */
  isAll?: boolean;
  /** Conditions under which a word of the names is an option. */
  unless?: readonly string[];
  /** Every line is the name of an object, such as a commit: one word that is never an option. */
  hasObjects?: boolean;
}

/** The kind of a read by a command. `follows`: also the targets of links below, which is the default. */
export type HowRead = { what?: ReadPart; skips?: Skips | null } & (
  | { extent?: 'one' }
  | { extent: 'deep' | 'within'; follows?: boolean; opens?: boolean }
);

/** The kind of a write by a command. entry: it changes the entry itself, so that even /dev/null counts. */
export type HowWritten = { extent?: 'one' | 'deep'; why?: string } & (
  | { what?: 'contents'; old?: OldContent; opens?: boolean; links?: NewLinks }
  | { what: 'entry'; old?: 'kept'; opens?: boolean; links?: LinksBelow }
);

/** Queries about the disk before the call. An answer is valid only until the call changes the files that it depends on. */
export interface ShellDisk {
  /** The text of a small regular file of the project; null for anything else. */
  text(path: string): string | null;
  /** The path with all links resolved; null if nothing exists there. */
  real(path: string): string | null;
  /** The top folder of the git working tree that contains the folder; null if it is not in one. */
  repository(folder: string): string | null;
  /**
   * The possible expansions of a git alias in a folder. Null if that is not known, for example if a program has the same name.
   */
  gitAlias(name: string, folder: string): readonly string[] | null;
}

/** Known pieces in order, with any text between two of them: the first is the start, the last is the end. */
export type Outline = readonly string[];

/** The outlines of one value. `undefined`: nothing is known. Empty: more than the limit, and no later value changes that. */
export type Outlines = readonly Outline[] | undefined;
