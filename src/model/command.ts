// What the analyser says of a command text.

/** read-only: changes nothing; writes: only to the targets named; runs: project code or a program of the project; unknown: not understood. */
export type BashClass = 'read-only' | 'writes' | 'runs' | 'unknown';

/** secrets: prints credentials, or may. */
export type CommandTag = 'secrets';

/** Why a class was given, in words, with the position in the command text (UTF-16 offsets, end exclusive). */
export interface Why {
  text: string;
  pos: number;
  end: number;
}

/** One simple command, at any depth. */
export interface BashCommand {
  /** The command word as written after quoting; '' when it is dynamic. */
  name: string;
  /** Words after quoting, wrappers and assignments stripped; null is a word whose value is not known. */
  argv: (string | null)[];
  /**
   * The command as Bash rules see it: words joined by one space, a static word as its value (shell-quoted where it holds
   * white space or shell characters), a dynamic word as its source.
   */
  text: string;
  /**
   * Other spellings that deny and ask rules are tried on too: with wrappers kept, with the basename of the command word,
   * without any quoting. Without `text` itself, no duplicates.
   */
  spellings: string[];
  /** What stands before the first word whose value is not known, in spellings that leave words of `argv` out. */
  open?: string[];
  /**
   * A part that an allow rule may name: a top-level command after the client's own wrappers and safe assignments were stripped.
   * False inside substitutions, `sh -c`, functions, behind other wrappers or other assignments.
   */
  top: boolean;
  class: BashClass;
  network: boolean;
  /** What a rule may name beside the class; independent of it. */
  tags?: readonly CommandTag[];
  why: Why[];
  /** Words and texts that it may run, or hands to what may: which of them is a program is not known. */
  opaque?: string[];
  /** Absolute paths that its words may name, where it may write anywhere. */
  named?: string[];
  /** The folders that the shell may be in, absolute, if that is not the one that the text begins in; empty: not known. */
  cwds?: readonly string[];
  /** The class holds only while none of these is there: a file of the project may name a program that the command loads. */
  loads?: BashLoad[];
  /** Of git: where it works, absolute, if that is not the folder that the text begins in; empty: not known. */
  folders?: readonly string[];
}

/** Files that make a command run code of the project. */
export interface BashLoad {
  /**
   * `a` or `a/b`: in one of the folders or above it; `~/a`: in the home folder; `a#b.c`: a JSON file with that key;
   * `@a`: the program that goes by the command's name lies below a folder `a`; `git:a`: the repository of a folder has an active hook `a`;
   * `missing:a`: the command makes the file a, which is missing;
   * `nested:/a`: a folder below /a is a repository; `python:`: a file of the folder may be taken for a module of Python.
   */
  files: readonly string[];
  /** Where the command may run, absolute. */
  folders: readonly string[];
}

/** A path that a command reads or writes. */
export interface BashTarget {
  /** Absolute, not normalised (`..` and links are the tools layer's): cwd or the `cd` in force joined with the word. */
  path: string;
  /** one: this path; deep: and everything below; glob: `path` holds unquoted `* ? [` that Bash would expand. */
  extent: 'one' | 'deep' | 'glob';
  /** How, in a few words: `sed -i`, `>`, `rm -r`. */
  via: string;
  /** Index into `commands`. */
  command: number;
  /** True when only names below it are listed, not contents read (reads only). */
  listing?: boolean;
  /** True when a folder of that name is read with what lies in it, though a file is usual (reads only). */
  within?: boolean;
  /** What a search leaves out of what lies below (reads only). */
  skips?: Skips;
  /** Links below a folder are followed (reads only). */
  follows?: true;
  /**
   * A database: where it keeps a write-ahead log, reading makes `-wal` and `-shm` beside it (reads only); written: and brings the log into
   * the database at the end.
   */
  database?: true | 'written';
  /** Nothing that lies there is touched but by what arrives: what lies below the command's sources, or names that are not known (writes only). */
  arrives?: true;
  /** What was there is shown, or goes on under another name: for rules that narrow, a read as well (writes only). */
  keeps?: true;
  /** What lies below is named one by one to a program, which follows the symbolic links among it. */
  opens?: true;
  /** A copy of this source is what is written: the source itself is met only where links in it lead there (writes only). */
  copied?: string;
  /** The path is where a symbolic link of this name will lead, with this text: a second name for it (writes only). */
  link?: { name: string; text: string };
  /** Symbolic links may appear at this path or below it (writes only). */
  brings?: Brings;
}

/**
 * Which symbolic links appear at a path. made: one whose target is a write of its own; sources: those of the command's sources, which
 * count from their new folder; tracked: those that git tracks there; any: not known.
 */
export type Brings = 'made' | 'sources' | 'tracked' | 'any';

/** Contents of tracked files that git prints or writes elsewhere, as far as the words of the command say which. */
export interface GitView {
  /** Absolute folder in which git runs. */
  folder: string;
  via: string;
  /** Index into `commands`. */
  command: number;
  /** Pathspecs as git would get them. */
  paths: readonly string[];
  /** Pathspecs where a file of that name exists, otherwise revisions. */
  words: readonly string[];
  /** What is printed without a pathspec: the whole repository, or the folder in which git runs. */
  without: 'top' | 'here';
  /** Objects that are printed whatever the pathspecs exclude: paths behind `HEAD:` and object names in hexadecimal. */
  objects: readonly string[];
  /** A path of `objects` stands for everything below it, too. */
  isDeep: boolean;
  /** `objects` are all that is printed. */
  isOnlyObjects: boolean;
  /** Without a revision, only files that differ from the index are printed. */
  isWorktree: boolean;
  /** A word that is not known, or an option, makes git print more than the pathspecs say. */
  isOpen: boolean;
}

/** Files below a folder that a search leaves out. What is not said is searched. */
export interface Skips {
  /** How names and patterns are compared, and which of them count. git: what it tracks, and what is not ignored. */
  style: 'rg' | 'grep' | 'git';
  /** Names that begin with a dot. */
  hidden: boolean;
  /** What .gitignore, .git/info/exclude, and but for git .ignore and .rgignore leave out. */
  ignored: boolean;
  /** Patterns in order; the last that meets a name decides. */
  globs: { text: string; skip: boolean; of: 'file' | 'folder' | 'any' }[];
  /** Types of files as ripgrep calls them; empty: all. */
  types: string[];
  /** The folder that patterns with a slash count from; null when it is not known. */
  base: string | null;
}

/** A path of which only parts are known before the command runs. */
export interface BashOpenTarget {
  kind: 'read' | 'write';
  /**
   * The pieces that are certain, in order, with any text between two of them: `['', '/secret/key']` ends in `/secret/key`, and
   * `['/w/src/', '']` begins with `/w/src/`. Absolute where the first is not empty.
   */
  outline: Outline;
  /** What is not known lies below the folder that the first piece names: it has no `..` in it. */
  confined?: true;
  /** How, in a few words. */
  via: string;
  /** Index into `commands`. */
  command: number;
}

export interface BashFacts {
  class: BashClass;
  network: boolean;
  /** Hosts that are known; empty with `network: true` means not known. */
  hosts: string[];
  commands: BashCommand[];
  writes: BashTarget[];
  reads: BashTarget[];
  /** Targets that are only known in part. What is written there makes its command unknown as well. */
  open: BashOpenTarget[];
  /** It rests on what the disk holds now. */
  isOfDisk?: true;
  /** What git commands print of tracked files. */
  views?: readonly GitView[];
  /** True when a command changes which files git tracks. */
  tracks?: boolean;
  /**
   * Parts that may write anywhere: of class runs or unknown, or with an unknown write target. Empty for read-only and writes.
   * `anything`: its text is not known or not understood, so that it may do what any command does.
   */
  uncertain: { command: number | null; class: BashClass; why: string; anything?: true }[];
  /** More than is judged: why the text as a whole must not run. */
  beyond: string | null;
  why: Why[];
}

export interface BashContext {
  /** Absolute working folder. */
  cwd: string;
  /** Absolute home folder, for `~`. */
  home: string;
  /** Where programs put temporary files: TMPDIR of the environment; `/tmp` unless given. */
  temp?: string;
  /** A folder whose repository is as well known as the working folder's, which is elsewhere. */
  known?: string;
  /** The caller looks on the disk afterwards (`settleLoads`), so what only a look can tell is left open. */
  looks?: boolean;
  /** The project's own commands, in order of precedence. */
  commands?: readonly DeclaredCommand[];
  /** What may be asked of the disk; nothing when absent. */
  disk?: Disk;
}

/** A command that modes.yaml declares under `commands:`. */
export interface DeclaredCommand {
  /** Words of a command line; `*` stands for one word, at the end for any further words. */
  match: string;
  class: BashClass;
  /** Which operands (words that do not begin with a dash, behind the literal words of `match`, from 1) are files read or written. */
  reads?: readonly number[] | 'all';
  writes?: readonly number[] | 'all';
  network?: boolean;
  /** What it says may replace what is known; otherwise it can only make the class stricter. */
  trusted: boolean;
}

/** one: this name; glob: what it finds; deep: anything at or below it, but for what the listing leaves out. */
export interface FoundName {
  /** A word, as it would be written in the folder in force. */
  text: string;
  how: 'one' | 'glob' | 'deep';
  skips?: Skips | null;
  /** No folder is among them. */
  files?: boolean;
  /** No link is among them. */
  isWithoutLinks?: boolean;
}

/** Standard input as far as it is known; the text of a file is a part of what comes, and so are names that are listed. */
export type Stdin =
  | { kind: 'inherit' }
  | ({ kind: 'text'; text: string } & Whole)
  | ({ kind: 'file'; text?: string; names?: readonly FoundName[] } & Whole)
  | ({ kind: 'pipe'; text?: string; names?: readonly FoundName[] } & Whole);

interface Whole {
  /** The text or the names are all that comes. */
  isAll?: boolean;
}

/** `NAME=value` in front of a command. */
export interface PrefixAssignment {
  name: string;
  text: string;
  /** May be stripped before an allow rule is looked at. */
  safe: boolean;
  /** Known to do no harm all the same. */
  known: boolean;
}

/**
 * opens: as of a target; deep: and everything below; within: the same where it turns out to be a folder; listing: only names; follows: what links below lead
 * to as well, which is so unless it is said otherwise.
 */
export interface HowRead {
  follows?: boolean;
  deep?: boolean;
  within?: boolean;
  listing?: boolean;
  skips?: Skips | null;
  database?: boolean | 'written';
  opens?: boolean;
}

/** deep: and everything below; node: the name itself; arrives: nothing there is touched but by what comes; opens, link, brings: as of a target. */
export interface HowWritten {
  deep?: boolean;
  why?: string;
  node?: boolean;
  arrives?: boolean;
  keeps?: boolean;
  opens?: boolean;
  link?: BashTarget['link'];
  brings?: Brings;
}

/** Questions about the disk as it is before the call runs. Answers hold only while the call changes nothing that they rest on. */
export interface Disk {
  /** The text of a small regular file of the project; null for anything else. */
  text(path: string): string | null;
  /** The path without links; null where nothing is there. */
  real(path: string): string | null;
  /** The top folder of the git working tree that a folder lies in; null where there is none. */
  repository(folder: string): string | null;
}

/** Pieces that are certain, in order. Any text may stand between two of them: the first is the beginning, the last the end. */
export type Outline = readonly string[];

/** The outlines of one value. `undefined`: nothing is known; an empty list: more than are kept, which no later value undoes. */
export type Outlines = readonly Outline[] | undefined;
