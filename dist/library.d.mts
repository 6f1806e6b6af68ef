export declare interface BashFacts {
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
    uncertain: {
        command: number | null;
        class: BashClass;
        why: string;
        anything?: true;
    }[];
    /** More than is judged: why the text as a whole must not run. */
    beyond: string | null;
    why: Why[];
}
/** read-only: changes nothing; writes: only to the targets named; runs: project code or a program of the project; unknown: not understood. */
declare type BashClass = 'read-only' | 'writes' | 'runs' | 'unknown';
/** One simple command, at any depth. */
declare interface BashCommand {
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
/** secrets: prints credentials, or may. */
declare type CommandTag = 'secrets';
/** Why a class was given, in words, with the position in the command text (UTF-16 offsets, end exclusive). */
declare interface Why {
    text: string;
    pos: number;
    end: number;
}
/** Files that make a command run code of the project. */
declare interface BashLoad {
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
declare interface BashTarget {
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
    link?: {
        name: string;
        text: string;
    };
    /** Symbolic links may appear at this path or below it (writes only). */
    brings?: Brings;
}
/** Files below a folder that a search leaves out. What is not said is searched. */
declare interface Skips {
    /** How names and patterns are compared, and which of them count. git: what it tracks, and what is not ignored. */
    style: 'rg' | 'grep' | 'git';
    /** Names that begin with a dot. */
    hidden: boolean;
    /** What .gitignore, .git/info/exclude, and but for git .ignore and .rgignore leave out. */
    ignored: boolean;
    /** Patterns in order; the last that meets a name decides. */
    globs: {
        text: string;
        skip: boolean;
        of: 'file' | 'folder' | 'any';
    }[];
    /** Types of files as ripgrep calls them; empty: all. */
    types: string[];
    /** The folder that patterns with a slash count from; null when it is not known. */
    base: string | null;
}
/**
 * Which symbolic links appear at a path. made: one whose target is a write of its own; sources: those of the command's sources, which
 * count from their new folder; tracked: those that git tracks there; any: not known.
 */
declare type Brings = 'made' | 'sources' | 'tracked' | 'any';
/** A path of which only parts are known before the command runs. */
declare interface BashOpenTarget {
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
/** Pieces that are certain, in order. Any text may stand between two of them: the first is the beginning, the last the end. */
declare type Outline = readonly string[];
/** Contents of tracked files that git prints or writes elsewhere, as far as the words of the command say which. */
declare interface GitView {
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
export declare interface DecidingRule {
    id: string;
    effect: Effect;
    text: string;
    matched: string;
    source: Source;
    /** Said with the rule: what its files are, whom it is for. */
    note?: string;
}
declare type Effect = 'allow' | 'ask' | 'deny';
/** Where something stands: file as shown to a person (relative to the project root, else absolute), line and column from 1. */
declare interface Source {
    file: string;
    line: number;
    column: number;
}
export declare interface Decision {
    decision_id: string;
    decision: 'deny' | 'ask' | 'allow' | 'pass';
    mode: string | null;
    tool: string;
    by: DecidedBy;
    /** What decided: rules, and the lines of a default or of what guards writes. */
    rules: DecidingRule[];
    /** Rules that matched and did not decide. */
    also: DecidingRule[];
    /** What custom policies said, of whatever effect. */
    policies: Pick<Verdict['policies'][number], 'name' | 'effect' | 'file' | 'line' | 'reason'>[];
    /** Built-in protections of the effect that was decided; `on` is what met them. */
    protections: {
        name: string;
        on: string;
    }[];
    reason: string;
    remedy: string;
    /** What rules that only advise say against a call that goes on; absent where they say nothing. */
    advice?: string;
    /** Grants that it needed; `counted`: it uses them up by one. Absent where there were none. */
    grants?: readonly {
        id: string;
        counted: boolean;
    }[];
    /** Where teams.yaml names an OPA server: who gave the verdict. */
    evaluator?: Evaluated;
    facts: Facts | null;
    bundle: string | null;
    /** Microseconds. */
    took_us: number;
}
/**
 * The step of the order that decided; `bound`: a plan or a task, `trouble`: the mode or configuration is not known, `call`: the event
 * itself, `fault`: a policy failed.
 */
declare type DecidedBy = Verdict['by'] | 'bound' | 'trouble' | 'call' | 'fault';
/** The object at entrypoint `modes/verdict`. Sets arrive in any order and are sorted before they leave us. */
declare interface Verdict<On = string> {
    verdict: 'deny' | 'ask' | 'allow' | 'pass';
    /** Which step of "The order" decided. */
    by: 'rule' | 'protection' | 'uncertainty' | 'default' | 'open' | 'policy';
    /** Every rule that matched, of any effect. */
    hits: Hit<On>[];
    /** Indices into facts.may_write_anywhere that no allow names, when some rule guards writes. */
    unnamed: number[];
    /** Built-in protection met: name and remedy as in the facts. */
    protections: {
        effect: 'deny' | 'ask';
        name: string;
        on: On;
        remedy: string;
    }[];
    /** Custom policies' decisions. */
    policies: {
        name: string;
        effect: 'deny' | 'ask' | 'allow';
        reason: string;
        remedy: string | null;
        file: string;
        line: number;
    }[];
}
/** One rule that matched, and what it matched. `On`: a text, or the number of one left open. */
declare interface Hit<On = string> {
    /** Rule id of the index data. */
    id: string;
    /** What the rule met: a path, a command text, a tool name, a host. */
    on: On;
    /** Index into bash.commands where a command did it, else null. */
    command: number | null;
    /** How the access came about (`sed -i`, `Write`), '' where that says nothing. */
    via: string;
}
/** Who gave a verdict: the server, this machine, or both of them; `note`: why not the server, or that they differ. */
declare interface Evaluated {
    by: 'opa' | 'local' | 'both';
    server: string;
    note?: string;
}
/** The input document of the policy. `version` 1. */
export declare interface Facts {
    version: 1;
    mode: string;
    event: string;
    tool: {
        name: string;
        group: ToolGroup;
        server: string | null;
        /** Only filled when a custom policy refers to input.tool.input. */
        input: Record<string, unknown>;
        /**
         * Top-level parameters outside the content fields, as strings, of built-in tools the scalar ones: for `Tool(param:value)`. Where
         * an agent is started, `agent` is its type as the client compares it.
         */
        params: Record<string, string>;
        /** Those of them that are longer than what is kept: rules count as met where the beginning fits. */
        cut?: string[];
        /** Parameters outside the tool's table, or that turn an allow into a pass. */
        extra: string[];
        known: boolean;
        /** Keys tool rules are looked up by: the name, for MCP also the server's (`serverKey`). */
        keys: string[];
        /** Further keys for deny and ask: every server that the name could belong to. */
        narrow_keys?: string[];
    };
    reads: PathAccess[];
    writes: PathAccess[];
    /** null when nothing may write anywhere. */
    may_write_anywhere: UncertainPart[] | null;
    bash: {
        class: BashClass;
        network: boolean;
        commands: CommandFacts[];
    } | null;
    /** Hosts, lower case, without trailing dot, cut into label suffixes: `['api.github.com','github.com','com']`. */
    domains: {
        host: string;
        labels: string[];
    }[];
    /** Agent type started, skill named. */
    agents: string[];
    skills: string[];
    /** Built-in protection that is not a path: own tools, client programs, `modes` verbs, schedulers. `none` prints nothing, whatever the default. */
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
    /** Absent where a person granted nothing of the call. */
    granted?: Granted;
}
declare type ToolGroup = 'read' | 'edit' | 'command' | 'web' | 'mcp' | 'agent' | 'meta' | 'own' | 'other';
declare interface PathAccess {
    /** As shown to a person: relative inside the project, else absolute. */
    path: string;
    real: string;
    root: 'project' | 'worktree' | 'temp' | 'outside';
    /** The path and everything below it. */
    deep: boolean;
    /** Written, real and every link's name, relative and absolute, and those with capitals in small letters; deny and ask take any. */
    names: PathName[];
    /** Indices into `names`, a group for each spelling: allow needs, in every group, one name that an allow rule covers. */
    readings: number[][];
    /** For extents: existing paths below that some deny or ask rule could match (witnesses). */
    below: PathName[];
    /** An extent with more below it than was looked at: deny and ask rules with a path count as if they met it. */
    unseen?: boolean;
    /** Names that are not known are touched, one of which some deny or ask rule could match. */
    unnamed?: boolean;
    /** A read that could be of any file: nothing is known of its path, or its end is not. */
    unknown?: boolean;
    /** How: `Write`, `sed -i`, … */
    via: string;
    /** Index into `bash.commands`, when a command does it. */
    command: number | null;
    /** Built-in protection that this write meets. */
    protection: {
        effect: 'deny' | 'ask';
        name: string;
        remedy: string;
        firm?: boolean;
    } | null;
    /** A read that a write brings with it (Edit reads its file): deny and ask see it, allow does not need it. */
    implied: boolean;
    /** The absolute folder of the session's own plan, memory, scratchpad or task files that this lies in: met only by a rule whose path names that folder. Else null. */
    own: string | null;
    /** Removal of a whole dependency folder: met by no user pattern without leading slash. */
    dependency: boolean;
}
/**
 * One name a path goes by, with its look-up keys. Inside a root: relative to it, `''` is the root itself.
 * Outside: absolute, and then there are no keys by component, because relative patterns never match there.
 */
declare interface PathName {
    /** `src/a.test.ts` or `/etc/passwd` */
    path: string;
    /**
     * `=` and the path; `<` and each strict ancestor, nearest first; `/` and each component; `>` and each component but the last;
     * every dotted suffix of every component.
     */
    keys: string[];
}
/** A part of the call that may write anywhere. `name` is what an allow rule must name: command word, tool or server. */
declare interface UncertainPart {
    kind: 'command' | 'tool';
    /** Index into bash.commands for kind command. */
    command: number | null;
    name: string;
    class: 'runs' | 'unknown';
    why: string;
    /** Its text is not known or not understood: it may do what any command does, and asks whatever is allowed. */
    anything?: true;
}
/** A simple command as the policy sees it. */
declare interface CommandFacts {
    name: string;
    argv: (string | null)[];
    text: string;
    /** All spellings deny and ask are tried on, `text` first. */
    spellings: string[];
    /**
     * Look-up keys for deny and ask: `=` and each spelling; `>` and each word prefix of each (longest first, at most 8 words); `@` and the
     * class, `@network`, `@secrets`; `*`.
     */
    keys: string[];
    /**
     * Look-up keys for allow: `=` and `>` for `text` alone, and only of a top-level command whose word is known; `@` and what a class rule
     * must say to allow it (`@network` for what else would be read-only or writes); `*`.
     */
    allow_keys: string[];
    /**
     * The static words before the first dynamic word, joined by one space, by written name and by basename; `''` when the command word
     * itself is dynamic. Empty when every word is static.
     */
    open_prefixes: string[];
    top: boolean;
    class: BashClass;
    network: boolean;
    /** What a rule may name beside the class; independent of it. */
    tags?: readonly CommandTag[];
    why: string[];
    /** Of git: where it works, absolute, if that is not the folder of the call; empty: not known. */
    folders?: readonly string[];
}
/** The plan that is worked on. */
declare interface PlanFacts {
    title: string;
    approved: boolean;
    /** As the agent says. */
    complete: boolean;
    done: number;
    of: number;
    /** Globs of the items that are open. */
    files: string[];
}
/** The task that work is done for. */
declare interface TaskFacts {
    name: string;
    /** null: any. */
    branch: string | null;
    /** What is checked out in the project; null: no branch. */
    current_branch: string | null;
    scope: string[];
}
/** What of a call a person granted: indices into the lists of the facts. */
declare interface Granted {
    /** The rules of user, project and local are switched off. */
    off: boolean;
    /** The tool, agent or skill is granted by its name. */
    tool: boolean;
    reads: number[];
    writes: number[];
    commands: number[];
    domains: number[];
    /** Of may_write_anywhere: parts that a grant names. */
    parts: number[];
    /** Of writes: those whose built-in protection is lifted, since a grant names the path. */
    paths: number[];
}
export declare interface Problem {
    /** Stable code, documented in docs/errors.md, e.g. `E_UNKNOWN_KEY`. */
    code: string;
    severity: 'error' | 'warning';
    message: string;
    /** What a person can do about it. */
    remedy: string;
    file?: string;
    line?: number;
    column?: number;
    /** How many characters the caret underlines; 1 when absent. */
    length?: number;
    /** The text of the line, for the caret. */
    lineText?: string;
}
export declare type Rule = ToolRule | ServerRule | ToolGlobRule | GroupRule | EveryRule | PathRule | OutsideRule | UnknownReadRule | BashRule | BashClassRule | DomainRule | NamedRule | ParamRule;
/** `Grep`, `mcp__s__t`; in allow also `Read`, `Write` and their kin without a path. */
declare interface ToolRule extends RuleHead {
    kind: 'tool';
    name: string;
}
/** What every rule carries. `id` is `r0`, `r1`, … in the order of the lists. */
declare interface RuleHead {
    id: string;
    /** As written. */
    text: string;
    effect: Effect;
    layer: Layer;
    source: Source;
    /** Said with the rule wherever it decides. */
    note?: string;
}
/** Most authoritative last in `builtin < local = project < user < managed`; deny and ask add up over all of them. */
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
    /** Tools among those called so whose bare name says more in deny and ask: each counts as if it were named. Empty in allow. */
    bare: readonly (readonly [tool: string, access: EveryRule['access']])[];
}
/** Text with `*` for any run of characters: the pieces between the stars. One piece is a literal. */
declare interface TextGlob {
    pieces: string[];
}
/** Bare `Read`, `Write`, `Edit`, `Bash` and `@read`, `@edit`, `@command` in deny and ask: every read, write or command by whatever tool. */
declare interface EveryRule extends RuleHead {
    kind: 'every';
    access: 'read' | 'write' | 'command';
    /** The tool or group named: its calls are met even when they show no access. */
    tool: string | null;
    group: ToolGroup | null;
}
/** `@web`: every tool of a group. */
declare interface GroupRule extends RuleHead {
    kind: 'group';
    group: ToolGroup;
}
/** `Read(p)`, `Write(p)` and their kin. */
declare interface PathRule extends RuleHead {
    kind: 'read' | 'write';
    /** One for each alternative of the braces. */
    paths: PathPattern[];
    /** Counts only in calls of this tool (a key of `facts.tool.keys`), or null. */
    only: string | null;
}
/** A path pattern without braces. It meets a path when its segments are the path's components or an ancestor's. */
declare interface PathPattern {
    /** After the braces were expanded. */
    text: string;
    /** Relative to the root of project or worktree, or absolute (`//`, `~/`). */
    base: 'root' | 'absolute';
    /** May begin at any depth below the base. */
    floating: boolean;
    /** Only what lies below a match, never the match itself (`dir/`, `dir/**`). */
    strict: boolean;
    /** Written with `/`, `//` or `~/` in front. */
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
/** A stretch of one path component. */
declare type Piece = {
    kind: 'text';
    text: string;
} | {
    kind: 'star';
} | {
    kind: 'one';
} | CharSet;
/** `[a-z]`; ranges of code points, both ends included; never meets `/`. */
declare interface CharSet {
    kind: 'set';
    negated: boolean;
    ranges: [number, number][];
}
/** Every write but those of some files, of which a path must be one by every reading, as in allow. Deny and ask only. */
declare interface OutsideRule extends RuleHead {
    kind: 'outside';
    paths: PathPattern[];
    /** RE2, looked for in paths below a root, as they were written down. */
    expressions: string[];
}
/** `unknownReads` of the settings: reads of a path that could be any file, since only the running command knows it. */
declare interface UnknownReadRule extends RuleHead {
    kind: 'unknown-read';
}
/** `Bash(npm test:*)` */
declare interface BashRule extends RuleHead {
    kind: 'bash';
    /** Ways to spell the one command that is meant, as the analyser does first; never empty. */
    commands: CommandPattern[];
    /** Deny and ask: the same options in any spelling. */
    options?: OptionRule;
    only: string | null;
    /** A parameter of Bash that is called as the command is: calls that set it are met as well. Deny and ask only. */
    param?: string;
}
/**
 * exact: this command text. prefix: this text, alone or followed by a space. glob: `*` anywhere; `boundary` as in prefix.
 */
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
/** What a rule says of options: a command that has them and begins with the operands; where it is exact, nothing else. */
declare interface OptionRule {
    words: string;
    options: string[];
    operands: string[];
    isExact: boolean;
}
/** `Bash(@read-only)` */
declare interface BashClassRule extends RuleHead {
    kind: 'bash-class';
    class: CommandClass;
}
/** What `Bash(@…)` names. */
declare type CommandClass = 'read-only' | 'writes' | 'runs' | 'unknown' | 'network' | CommandTag;
/** `WebFetch(domain:*.example.org)` */
declare interface DomainRule extends RuleHead {
    kind: 'domain';
    /** exact: this host; below: every host under it; any: every host. `host` is '' for any. */
    form: 'exact' | 'below' | 'any';
    host: string;
}
/** `Agent(name)`, `Skill(name)`; `*` stands for any text. */
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
/** What a Bash command text would do, part by part. Nothing is run; never throws. */
export declare function analyseBash(command: string, { cwd, home }?: BashPlace): BashFacts;
/** Where a command text is thought to run; absent: the working folder and home of this process. */
export declare interface BashPlace {
    cwd?: string;
    home?: string;
}
/** A tool call; what is not known is left out. */
export declare interface Call {
    tool: string;
    /** As the client sends it: `{"command": …}`, `{"file_path": …}`. */
    input: Record<string, unknown>;
    /** Where relative names count from; the project's folder when absent. */
    cwd?: string;
    agentType?: string;
    agentId?: string;
}
/**
 * Decides a call as the hooks do: a `Call`, or one as a person writes it, `Bash(git push)`. In the present mode, or as if in the named
 * one. Nothing is run and nothing is logged. Throws where the call is malformed or there is no such mode.
 */
export declare function decide(call: Call | string, project: LoadedProject, mode?: string): Decision;
/** The modes that govern a folder. */
export declare interface LoadedProject {
    /** Absolute real path of the project's root. */
    readonly root: string;
    /** The present mode; null: not known, and then only reading is open. */
    readonly mode: string | null;
    readonly modes: readonly string[];
    /** Everything wrong with the configuration. */
    readonly problems: readonly Problem[];
    /** Looks whether files or the mode changed; what is decided meanwhile is decided by what was there before. */
    refresh(): Promise<void>;
    /** As `decide()`. */
    decide(call: Call | string, mode?: string): Decision;
}
export declare interface OpenOptions {
    /** The session whose mode, grants and content count; without one, what a session that begins now would get. */
    session?: string;
    /** What is read of the environment: HOME, PATH, CLAUDE_CONFIG_DIR, CI, TMPDIR. `process.env` when absent. */
    env?: Readonly<Record<string, string | undefined>>;
    /** The package's own folder, where it is not found from its code. */
    packageRoot?: string;
}
/** Reads a rule such as `Bash(npm test:*)` as a line of allow, ask or deny; `home` stands for `~/`. Never throws. */
export declare function parseRule(text: string, effect: Effect, { home }?: {
    home?: string;
}): ReadRule;
/** A rule, and what is to be said of it all the same; or why it is none. Columns of problems count from 1 in the text. */
export declare type ReadRule = {
    rule: Rule;
    warnings: Problem[];
} | {
    problem: Problem;
};
/** The modes of a folder or of the nearest one above it; null where none govern it. Throws where there is no such folder. */
export declare function loadProject(folder: string, options?: OpenOptions): Promise<LoadedProject | null>;
export {};
