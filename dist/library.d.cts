export declare interface BashFacts {
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
    uncertain: {
        command: number | null;
        class: BashClass;
        why: string;
        anything?: true;
    }[];
    /** The text exceeds a limit of the analysis: the reason why the whole text must not run. */
    beyond: string | null;
    why: Why[];
}
/** read-only: changes nothing; writes: only known targets; runs: code or a program of the project; unknown: not understood. */
declare type BashClass = 'read-only' | 'writes' | 'runs' | 'unknown';
/** One simple command, at any depth. */
declare interface BashCommand {
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
declare type CommandTag = keyof typeof commandTags;
/** Properties of a command that do not depend on its class, with their meaning. */
declare const commandTags: {
    readonly secrets: 'prints credentials, or may print them';
    readonly environment: 'prints the environment of a process, a container or a service, or may print it';
    readonly 'network-read': 'queries a service and changes nothing there';
    readonly 'network-send': 'uses the network in any other way, except requests to this machine';
    readonly database: 'changes a database';
    readonly deploy: 'changes something published, deployed or running elsewhere';
    readonly checks: 'runs code of the project to test, check or describe it, without the network except to query';
    readonly files: 'changes nothing but the files that it names';
};
/** The reason for a class, in words, with its position in the command text (UTF-16 offsets, end exclusive). */
declare interface Why {
    text: string;
    pos: number;
    end: number;
}
/** Files that make a command run code from the project. */
declare interface BashLoad {
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
/** A path and its name before. null: not known. */
declare interface Renamed {
    name: string;
    path: string | null;
}
declare interface BashWrite extends BashPath {
    /** one: this path; deep: also everything below it; glob: `path` contains unquoted `* ? [` that Bash would expand. */
    extent: 'one' | 'deep' | 'glob';
    /** Absent: it is lost. */
    old?: OldContent;
    links?: NewLinks;
}
declare interface BashPath {
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
/**
 * The old content of a written path. kept: it is shown, or kept under another name, so restrictive rules also treat the write as
 * a read. untouched: only new entries are written, with names below the command's sources or unknown names.
 */
declare type OldContent = 'kept' | 'untouched';
/** Symbolic links that a write makes: at or below the written path, or one elsewhere that leads to it. */
declare type NewLinks = LinksBelow | LinkTo;
/**
 * The symbolic links that may appear at a path. made: one link, with a separate write for its target; sources: links among the
 * command's sources, resolved from their new folder; tracked: links that git tracks there; any: unknown.
 */
declare type LinksBelow = 'made' | 'sources' | 'tracked' | 'any';
/** A link with this name and text gives the written path a second name. */
declare interface LinkTo {
    name: string;
    text: string;
}
declare interface BashRead extends BashPath {
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
/** one: this path; deep: also everything below it; within: usually a file, but a folder is read with everything in it. */
declare type ReadExtent = 'one' | 'deep' | 'within';
/**
 * The part that is read. names: only the names below the path. database: the file, and if it has a write-ahead log, `-wal` and
 * `-shm` files are created beside it. written database: it is also written, and at the end the log is merged into it.
 */
declare type ReadPart = 'contents' | 'names' | 'database' | 'written database';
/** Files below a folder that a search skips. Anything not listed here is searched. */
declare interface Skips {
    /** The rules of comparison. git: searches tracked files, and untracked files that are not ignored. */
    style: 'rg' | 'grep' | 'git';
    /** Names that start with a dot. */
    hidden: boolean;
    /** Files that .gitignore and .git/info/exclude ignore, and, except in git style, .ignore and .rgignore. */
    ignored: boolean;
    /** Patterns in order. The last pattern that matches a name decides. */
    globs: {
        text: string;
        skip: boolean;
        of: 'file' | 'folder' | 'any';
    }[];
    /** File types by ripgrep's names. Empty: all types. */
    types: string[];
    /** Patterns with a slash are relative to this folder. null: unknown. */
    base: string | null;
}
/** A path that is only partly known before the command runs. */
declare interface BashOpenTarget {
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
/** Known pieces in order, with any text between two of them: the first is the start, the last is the end. */
declare type Outline = readonly string[];
/** Contents of tracked files that git prints or writes elsewhere, as far as the words of the command determine them. */
declare interface GitView {
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
export declare interface DecidingRule {
    id: string;
    effect: Effect;
    text: string;
    matched: string;
    source: Source;
    /** Shown with the rule: the meaning of its files, or the agents that it is for. */
    note?: string;
}
declare type Effect = 'allow' | 'ask' | 'deny';
/** A place in a file. `file` is as shown to a person: relative to the project root, else absolute. Counts start at 1. */
declare interface Source {
    file: string;
    line: number;
    column: number;
}
export declare interface Decision {
    decision_id: string;
    decision: DecisionEffect;
    mode: string | null;
    tool: string;
    by: DecidedBy;
    /** The deciding rules, and the lines of a default or of rules that guard writes. */
    rules: DecidingRule[];
    /** Rules that matched but did not decide. */
    also: DecidingRule[];
    /** Results of custom policies, of any effect. */
    policies: Pick<Verdict['policies'][number], 'name' | 'effect' | 'file' | 'line' | 'reason'>[];
    /** Built-in protections with the effect of the decision. `on` is the path or text that matched. */
    protections: {
        name: string;
        on: string;
    }[];
    reason: string;
    remedy: string;
    /**
     * Only with an ask: the mode lets the call run if the files that it guards are compared afterwards, with this decision. A host
     * that cannot compare asks.
     */
    verifiable?: 'allow' | 'pass';
    /** Objections of rules that only advise, if the call goes on. Absent without objections. */
    advice?: string;
    /** Grants that the call needed. `counted`: the call uses one of the grant's uses. Absent if it needed no grant. */
    grants?: readonly {
        id: string;
        counted: boolean;
    }[];
    /** If teams.yaml names an OPA server: the evaluator that gave the verdict. */
    evaluator?: Evaluated;
    facts: Facts | null;
    bundle: string | null;
    /** Duration in microseconds. */
    took_us: number;
}
/** pass: the call is left to the client's own rules. */
declare type DecisionEffect = 'deny' | 'ask' | 'allow' | 'pass';
/**
 * The step of the order that decided. `bound`: a plan or a task; `trouble`: the mode or configuration is unknown; `call`: the
 * event itself; `fault`: a policy failed; `verified`: the guarded files are compared after the run; `granted`: a person granted
 * exactly this call.
 */
declare type DecidedBy = Verdict['by'] | 'bound' | 'trouble' | 'call' | 'fault' | 'verified' | 'granted';
/** The object at the entrypoint `modes/verdict`. Sets arrive in any order and are sorted before they are returned. */
declare interface Verdict {
    verdict: 'deny' | 'ask' | 'allow' | 'pass';
    /** The step of "The order" that decided. */
    by: 'rule' | 'protection' | 'uncertainty' | 'default' | 'open' | 'policy';
    /** Every rule that matched, of any effect. */
    hits: Hit[];
    /** Indices into facts.may_write_anywhere that no allow rule names, if some rule guards writes. */
    unnamed: number[];
    /** Built-in protections that matched, with name and remedy as in the facts. */
    protections: {
        effect: 'deny' | 'ask';
        name: string;
        on: string;
        remedy: string;
    }[];
    /** Decisions of custom policies. */
    policies: {
        name: string;
        effect: 'deny' | 'ask' | 'allow';
        reason: string;
        remedy: string | null;
        file: string;
        line: number;
    }[];
}
/** One rule that matched, and the text that it matched. */
declare interface Hit {
    /** Rule id of the index data. */
    id: string;
    /** The matched text: a path, a command text, a tool name, a host. */
    on: string;
    /** Index into bash.commands if a command did it, else null. */
    command: number | null;
    /** The kind of access (`sed -i`, `Write`); '' if that adds nothing. */
    via: string;
}
/** The evaluator of a verdict: the server, this machine, or both. `note`: why the server did not decide, or that they differ. */
declare interface Evaluated {
    by: 'opa' | 'local' | 'both';
    server: string;
    note?: string;
}
/** The input document of the policy. `version` 1. */
export declare interface Facts {
    version: 1;
    mode: string;
    event: HookEvent;
    tool: {
        name: string;
        group: ToolGroup;
        server: string | null;
        /** Filled only if a custom policy refers to input.tool.input. */
        input: Record<string, unknown>;
        /**
         * Top-level parameters other than the content fields, as strings, for `Tool(param:value)`. For built-in tools only the scalar
         * ones. If the call starts an agent, `agent` is its type as the client compares it.
         */
        params: Record<string, string>;
        /** Names of parameters that were shortened to the limit. A rule is treated as matching if it fits the start of the value. */
        cut?: string[];
        /** Parameters that are not in the tool's table, or that turn an allow into a pass. */
        extra: string[];
        known: boolean;
        /** Look-up keys for tool rules: the name, and for MCP also the server's key (`serverKey`). */
        keys: string[];
        /** Additional keys for deny and ask: every server that the name could belong to. */
        narrow_keys?: string[];
    };
    reads: ReadAccess[];
    writes: WriteAccess[];
    /** null when nothing may write anywhere. */
    may_write_anywhere: UncertainPart[] | null;
    bash: {
        class: BashClass;
        network: boolean;
        commands: CommandFacts[];
    } | null;
    /** Hosts in lower case, without a trailing dot, with their label suffixes: `['api.github.com','github.com','com']`. */
    domains: {
        host: string;
        labels: string[];
    }[];
    /** The agent types that the call starts. */
    agents: string[];
    skills: string[];
    /**
     * Built-in protections that are not paths: Modes' own tools, client programs, `modes` commands, schedulers. `none` prints
     * nothing, regardless of the default.
     */
    protections: {
        effect: 'deny' | 'ask' | 'allow' | 'none';
        name: string;
        reason: string;
        remedy: string;
    }[];
    agent: {
        id: string | null;
        type: string | null;
    };
    session: {
        id: string | null;
        permission_mode: string | null;
    };
    state: {
        since: string | null;
        entered_by: string | null;
        plan: PlanFacts | null;
        task: TaskFacts | null;
    };
    context: {
        used_percent: number | null;
    };
    /** Absent if no grant covers any part of the call. */
    granted?: Granted;
}
/** Hook events with facts. At `UserPromptSubmit` only the `context` rules of policies are evaluated. */
declare type HookEvent = 'PreToolUse' | 'UserPromptSubmit';
declare type ToolGroup = 'read' | 'edit' | 'command' | 'web' | 'mcp' | 'agent' | 'meta' | 'own' | 'other';
declare type ReadAccess = AccessedPath & AccessExtent & {
    /** Part of a write (Edit reads its file). Deny and ask rules see it; no allow rule needs to cover it. */
    implied: boolean;
    /** It could be a read of any file: its path, or the end of its path, is unknown. */
    unknown?: true;
    own: SessionFolder | null;
    protection: null;
    dependency: false;
};
declare interface AccessedPath {
    /** As shown to a person: relative inside the project, else absolute. */
    path: string;
    real: string;
    root: 'project' | 'worktree' | 'temp' | 'outside';
    /** The written, the real and each link's name, relative and absolute, also in lower case. Deny and ask match any of them. */
    names: PathName[];
    /** Indices into `names`, one group for each spelling. Allow rules must cover at least one name in every group. */
    readings: number[][];
    /** Unknown names are accessed, and some deny or ask rule could match one of them. */
    unnamed?: true;
    /** In the temporary folder: a repository or a governed project may be below the path. */
    projects?: true;
    /** The kind of access: `Write`, `sed -i`, … */
    via: string;
    /** Index into `bash.commands`, if a command does it. */
    command: number | null;
}
/**
 * One name of a path, with its look-up keys. Inside a root it is relative to it, and `''` is the root itself.
 * Outside it is absolute and has no keys by component, because relative patterns never match there.
 */
declare interface PathName {
    /** `src/a.test.ts` or `/etc/passwd` */
    path: string;
    /**
     * `=` and the path; `<` and each strict ancestor, nearest first; `/` and each component; `>` and each component except the
     * last; every dotted suffix of every component.
     */
    keys: string[];
}
/**
 * The path alone, or everything below it too. `below`: existing paths below that some deny or ask rule could match. `unseen`:
 * there is more below than the limit, so deny and ask rules with a path are treated as matching.
 */
declare type AccessExtent = {
    deep: false;
    below: [];
    unseen?: undefined;
} | {
    deep: true;
    below: PathName[];
    unseen?: true;
};
/**
 * The absolute folder of the session's own plan, memory, scratchpad or task files that contains the path. Only a rule whose path
 * names that folder matches the access.
 */
declare type SessionFolder = string;
declare type WriteAccess = AccessedPath & AccessExtent & {
    implied: false;
    unknown?: undefined;
} & ({
    own: null;
    /** The built-in protection that matches this write. */
    protection: PathProtection | null;
    /** Removal of a whole dependency folder. No user pattern without a leading slash matches it. */
    dependency: boolean;
} | {
    own: SessionFolder;
    protection: null;
    dependency: false;
});
/** A built-in protection of a path. No allow rule overrides one that is `firm`. */
declare type PathProtection = {
    /** The name as displayed: `.claude/`, `shell start file`. */
    name: string;
    remedy: string;
} & ({
    effect: 'deny';
} | {
    effect: 'ask';
    firm?: true;
});
/** A part of the call that may write anywhere. `name` is the name that an allow rule must have: command word, tool or server. */
declare interface UncertainPart {
    kind: 'command' | 'tool';
    /** Index into bash.commands for kind command. */
    command: number | null;
    name: string;
    class: 'runs' | 'unknown';
    why: string;
    /** Its text is unknown or not understood. It may do anything that a command can do, and it asks despite any allow rule. */
    anything?: true;
}
/** A simple command as the policy sees it. */
declare interface CommandFacts {
    name: string;
    argv: (string | null)[];
    text: string;
    /** All spellings that deny and ask rules are matched against, `text` first. */
    spellings: string[];
    /**
     * Look-up keys for deny and ask: `=` and each spelling; `>` and each word prefix of each (longest first, at most 8 words); `@`
     * and the class, `@network`, `@secrets`; `*`.
     */
    keys: string[];
    /**
     * Look-up keys for allow: `=` and `>` for `text` alone, and only of a top-level command with a known command word; `@` and the
     * class that a class rule must name to allow it (`@network` if the command would otherwise be read-only or writes); `*`.
     */
    allow_keys: string[];
    /**
     * The static words before the first dynamic word, joined by one space, by written name and by basename. `''` if the command
     * word itself is dynamic. Empty if every word is static.
     */
    open_prefixes: string[];
    top: boolean;
    class: BashClass;
    network: boolean;
    /** Properties that a rule can name in addition to the class, and that do not depend on it. */
    tags?: readonly CommandTag[];
    /** Words of the commands in a program text, in the words of a program that is not understood, or with the wrapper around them. */
    contained?: (string | null)[][];
    why: string[];
    /** For git: the absolute folders where it works, if not the folder of the call. Empty: unknown. */
    folders?: readonly string[];
}
/** The current plan. */
declare interface PlanFacts {
    title: string;
    approved: boolean;
    /** According to the agent. */
    complete: boolean;
    done: number;
    of: number;
    /** Globs of the open items. */
    files: string[];
}
/** The current task. */
declare interface TaskFacts {
    name: string;
    /** null: any branch. */
    branch: string | null;
    /** The branch that is checked out in the project; null: no branch. */
    current_branch: string | null;
    scope: string[];
}
/** The parts of a call that grants cover: indices into the lists of the facts. */
declare interface Granted {
    /** The rules of user, project and local are switched off. */
    off: boolean;
    /** A grant names the tool, agent or skill. */
    tool: boolean;
    reads: number[];
    writes: number[];
    commands: number[];
    domains: number[];
    /** Indices into may_write_anywhere: the parts that a grant names. */
    parts: number[];
    /** Indices into writes: a grant names the path, which overrides the built-in protection. */
    paths: number[];
}
export declare interface Problem {
    /** Stable code, documented in docs/errors.md, e.g. `E_UNKNOWN_KEY`. */
    code: string;
    severity: 'error' | 'warning';
    message: string;
    /** The action that a person can take. */
    remedy: string;
    file?: string;
    line?: number;
    column?: number;
    /** Number of characters that the caret underlines; 1 if absent. */
    length?: number;
    /** The text of the line, to print above the caret. */
    lineText?: string;
}
export declare type Rule = ToolRule | ServerRule | ToolGlobRule | GroupRule | EveryRule | PathRule | OutsideRule | ScratchRule | UnknownReadRule | BashRule | BashClassRule | DomainRule | NamedRule | ParamRule;
/** `Grep`, `mcp__s__t`; in allow also `Read`, `Write` and similar tools without a path. */
declare interface ToolRule extends RuleHead {
    kind: 'tool';
    name: string;
}
/** The fields of every rule. `id` is `r0`, `r1`, … in the order of the lists. */
declare interface RuleHead {
    id: string;
    /** As written. */
    text: string;
    effect: Effect;
    layer: Layer;
    source: Source;
    /** Shown with the rule whenever it decides. */
    note?: string;
}
/** Authority increases: `builtin < local = project < user < managed`. Deny and ask rules of all layers apply together. */
declare type Layer = 'builtin' | 'managed' | 'user' | 'project' | 'local';
/** `mcp__s`, `mcp__s__*`: every tool of a server. */
declare interface ServerRule extends RuleHead {
    kind: 'server';
    /** `mcp__s` */
    server: string;
}
/** `mcp__s__get_*`; in deny and ask also `*` and any other pattern of tool names. */
declare interface ToolGlobRule extends RuleHead {
    kind: 'tool-glob';
    glob: TextGlob;
    /** Matching tools whose bare name means more in deny and ask: each is treated as if the rule named it. Empty in allow. */
    bare: readonly (readonly [tool: string, access: EveryRule['access']])[];
}
/** Text with `*` for any run of characters: the pieces between the stars. One piece is a literal. */
declare interface TextGlob {
    pieces: string[];
}
/** Bare `Read`, `Write`, `Edit`, `Bash` and `@read`, `@edit`, `@command` in deny and ask: every such access by any tool. */
declare interface EveryRule extends RuleHead {
    kind: 'every';
    access: 'read' | 'write' | 'command';
    /** The named tool or group: the rule matches its calls even if they show no access. */
    tool: string | null;
    group: ToolGroup | null;
}
/** `@web`: every tool of a group. */
declare interface GroupRule extends RuleHead {
    kind: 'group';
    group: ToolGroup;
}
/** `Read(p)`, `Write(p)` and similar rules. */
declare interface PathRule extends RuleHead {
    kind: 'read' | 'write';
    /** One for each alternative of the braces. */
    paths: PathPattern[];
    /** Deny and ask: a name that one of these matches does not match the rule. Absent if there are none. */
    except?: PathPattern[];
    /** The rule applies only to calls of this tool (a key of `facts.tool.keys`), unless null. */
    only: string | null;
}
/** A path pattern without braces. It matches a path if its segments match the components of the path or of an ancestor. */
declare interface PathPattern {
    /** The text after brace expansion. */
    text: string;
    /** Relative to the root of project or worktree, or absolute (`//`, `~/`). */
    base: 'root' | 'absolute';
    /** May begin at any depth below the base. */
    floating: boolean;
    /** Matches only paths below a match, never the match itself (`dir/`, `dir/**`). */
    strict: boolean;
    /** Written with a leading `/`, `//` or `~/`. */
    rooted: boolean;
    segments: Segment[];
}
declare type Segment = {
    kind: 'literal';
    text: string;
} | {
    kind: 'any-depth';
} | {
    kind: 'glob';
    pieces: Piece[];
};
/** A part of one path component. */
declare type Piece = {
    kind: 'text';
    text: string;
} | {
    kind: 'star';
} | {
    kind: 'one';
} | CharSet;
/** `[a-z]`; ranges of code points, both ends included; never matches `/`. */
declare interface CharSet {
    kind: 'set';
    negated: boolean;
    ranges: [number, number][];
}
/** Every write except to some files. A path is exempt if every reading of it matches one of them. Deny and ask only. */
declare interface OutsideRule extends RuleHead {
    kind: 'outside';
    paths: PathPattern[];
    /** RE2, as written, searched for in paths below a root. */
    expressions: string[];
}
/** `Read(@scratch)`, `Write(@scratch)`: files in the temporary folder that are in no repository and no governed project. Allow only. */
declare interface ScratchRule extends RuleHead {
    kind: 'scratch';
    access: 'read' | 'write';
}
/** `unknownReads` of the settings: reads of a path that could be any file, because it is known only when the command runs. */
declare interface UnknownReadRule extends RuleHead {
    kind: 'unknown-read';
}
/** `Bash(npm test:*)` */
declare interface BashRule extends RuleHead {
    kind: 'bash';
    /** Ways to spell the same command, normalized as the analyser does; never empty. */
    commands: CommandPattern[];
    /** Deny and ask: the same options in any spelling. */
    options?: OptionRule[];
    only: string | null;
    /** A Bash parameter that has the same name as the command: the rule also matches calls that set it. Deny and ask only. */
    param?: string;
}
/** exact: this command text. prefix: this text, alone or followed by a space. glob: `*` anywhere; `boundary` as in prefix. */
declare type CommandPattern = {
    form: 'exact';
    text: string;
} | {
    form: 'prefix';
    text: string;
} | {
    form: 'glob';
    pieces: string[];
    boundary: boolean;
};
/** Matches a command that has the options and begins with the operands. If exact, the command must have nothing else. */
declare interface OptionRule {
    words: string;
    options: string[];
    operands: string[];
    isExact: boolean;
    /** The table does not have these options. They are compared as written, and the words include the operands. */
    isPlain: boolean;
}
/** `Bash(@read-only)` */
declare interface BashClassRule extends RuleHead {
    kind: 'bash-class';
    class: CommandClass;
}
/** The values that `Bash(@…)` can name. */
declare type CommandClass = 'read-only' | 'writes' | 'runs' | 'unknown' | 'network' | CommandTag;
/** `WebFetch(domain:*.example.org)` */
declare interface DomainRule extends RuleHead {
    kind: 'domain';
    /** exact: this host; below: every host under it; any: every host. `host` is '' for any. */
    form: 'exact' | 'below' | 'any';
    host: string;
}
/** `Agent(name)`, `Skill(name)`; `*` is any text. */
declare interface NamedRule extends RuleHead {
    kind: 'agent' | 'skill';
    name: TextGlob;
}
/** `Tool(param:value)`, deny and ask only. */
declare interface ParamRule extends RuleHead {
    kind: 'param';
    /** A key of `facts.tool.keys`. */
    tool: string;
    param: string;
    value: TextGlob;
}
/** Explains what a Bash command would do, part by part. Runs nothing and never throws. */
export declare function analyseBash(command: string, { cwd, home }?: BashPlace): BashFacts;
/** The assumed place of a command. Default: the working folder and home of this process. */
export declare interface BashPlace {
    cwd?: string;
    home?: string;
}
/** A tool call; unknown fields are omitted. */
export declare interface Call {
    tool: string;
    /** As the client sends it: `{"command": …}`, `{"file_path": …}`. */
    input: Record<string, unknown>;
    /** Folder against which relative names are resolved; the project's folder if absent. */
    cwd?: string;
    agentType?: string;
    agentId?: string;
}
/**
 * Decides a call as the hooks do: a `Call`, or one as a person writes it, `Bash(git push)`. It is decided in the current mode, or
 * as if in `mode`. Nothing is run and nothing is logged. Throws if the call is malformed or there is no such mode.
 */
export declare function decide(call: Call | string, project: LoadedProject, mode?: string): Decision;
/** The modes that govern a folder. */
export declare interface LoadedProject {
    /** Absolute real path of the project's root. */
    readonly root: string;
    /** The current mode; null if it is unknown, and then only reading is allowed. */
    readonly mode: string | null;
    readonly modes: readonly string[];
    /** All problems of the configuration. */
    readonly problems: readonly Problem[];
    /** Checks whether files or the mode changed. Decisions during the check still use the previous state. */
    refresh(): Promise<void>;
    /** As `decide()`. */
    decide(call: Call | string, mode?: string): Decision;
}
export declare interface OpenOptions {
    /** The session whose mode, grants and content count. Without one: those that a new session would get now. */
    session?: string;
    /** Environment variables that are read: HOME, PATH, CLAUDE_CONFIG_DIR, CI, TMPDIR. Default: `process.env`. */
    env?: Readonly<Record<string, string | undefined>>;
    /** The package's own folder, if it cannot be found from its code. */
    packageRoot?: string;
}
/** Parses a rule such as `Bash(npm test:*)` as a line of allow, ask or deny. `home` replaces `~/`. Never throws. */
export declare function parseRule(text: string, effect: Effect, { home }?: {
    home?: string;
}): ReadRule;
/** A rule with its warnings, or the problem that makes it invalid. Columns of problems count from 1 in the text. */
export declare type ReadRule = {
    rule: Rule;
    warnings: Problem[];
} | {
    problem: Problem;
};
/** The modes of a folder or of its nearest governed parent; null if no modes govern it. Throws if there is no such folder. */
export declare function loadProject(folder: string, options?: OpenOptions): Promise<LoadedProject | null>;
export {};
