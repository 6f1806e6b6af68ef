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
declare interface DecidingRule {
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
/** Who gave a verdict: the server, this machine, or both of them; `note`: why not the server, or that they differ. */
declare interface Evaluated {
    by: 'opa' | 'local' | 'both';
    server: string;
    note?: string;
}
/** The input document of the policy. `version` 1. */
declare interface Facts {
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
/** read-only: changes nothing; writes: only to the targets named; runs: project code or a program of the project; unknown: not understood. */
declare type BashClass = 'read-only' | 'writes' | 'runs' | 'unknown';
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
/** secrets: prints credentials, or may. */
declare type CommandTag = 'secrets';
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
export declare type HookOutput = HookAnswer | {
    hookSpecificOutput: {
        hookEventName: 'UserPromptSubmit' | 'SubagentStart';
        additionalContext: string;
    };
};
/** `{}` lets the client's own rules decide. */
declare type HookAnswer = Record<string, never> | {
    hookSpecificOutput: {
        hookEventName: 'PreToolUse';
        permissionDecision: 'allow' | 'deny' | 'ask';
        permissionDecisionReason: string;
    };
};
export declare type PermissionMode = 'default' | 'acceptEdits' | 'bypassPermissions' | 'plan' | 'dontAsk' | 'auto';
/** A change of the client's own permissions, as it suggests them and takes them back. */
export declare type PermissionUpdate = {
    type: 'addRules' | 'replaceRules' | 'removeRules';
    rules: {
        toolName: string;
        ruleContent?: string;
    }[];
    behavior: 'allow' | 'deny' | 'ask';
    destination: UpdateDestination;
} | {
    type: 'setMode';
    mode: PermissionMode;
    destination: UpdateDestination;
} | {
    type: 'addDirectories' | 'removeDirectories';
    directories: string[];
    destination: UpdateDestination;
};
declare type UpdateDestination = 'userSettings' | 'projectSettings' | 'localSettings' | 'session' | 'cliArg';
/** What of the SDK's `canUseTool` options is looked at. */
export declare interface Asked {
    signal: AbortSignal;
    toolUseID: string;
    agentID?: string;
    blockedPath?: string;
    suggestions?: PermissionUpdate[];
    mcpServer?: {
        name: string;
        source: string;
    };
    matchedAskRule?: object;
    /** Not in the SDK's types, but told. */
    decisionReasonType?: string;
    requiresUserInteraction?: boolean;
}
export declare type HookCallback = (input: {
    hook_event_name: string;
}, toolUseId: string | undefined, options: {
    signal: AbortSignal;
}) => Promise<HookOutput>;
export declare interface HookMatcher {
    hooks: HookCallback[];
    /** Seconds. */
    timeout: number;
    onFailure: 'block' | 'continue';
}
export declare interface Modes {
    /** Absolute real path of the governed project. */
    readonly root: string;
    /** The mode that the project is in now; null: not known. */
    mode(): Promise<string | null>;
    /**
     * For `options.canUseTool`. What is neither allowed nor denied goes to `fallback`, with what it was asked with; without one it is denied.
     */
    canUseTool(): Permit<Asked, PermissionAnswer>;
    canUseTool<Options extends Asked, Result>(fallback: Permit<Options, Result>): Permit<Options, Result | PermissionAnswer>;
    /** For `options.hooks`, where the plugin is not loaded: every call is decided, and the model is told of its mode. */
    hooks(options?: {
        asks?: boolean;
    }): Record<'PreToolUse' | 'UserPromptSubmit' | 'SubagentStart', HookMatcher[]>;
    /**
     * For `options.permissionMode` and `query.setPermissionMode()`: the wanted mode where the mode of the project grants it, else what it
     * names itself, else `default`. Without a wish, what it names.
     */
    permissionMode(wanted?: PermissionMode): Promise<PermissionMode>;
    /** Decides a call without logging it. */
    decide(call: {
        tool: string;
        input: Record<string, unknown>;
        cwd?: string;
    }): Promise<Decision>;
}
/** `CanUseTool` of the SDK. */
export declare type Permit<Options, Result> = (tool: string, input: Record<string, unknown>, options: Options) => Promise<Result>;
/** `PermissionResult` of the client. Names in camelCase; `updatedInput` is always an object. */
export declare type PermissionAnswer = {
    behavior: 'allow';
    updatedInput: Record<string, unknown>;
    updatedPermissions?: PermissionUpdate[];
} | {
    behavior: 'deny';
    message: string;
    interrupt?: boolean;
};
export declare interface OpenOptions {
    /** The session whose mode, grants and content count; without one, what a session that begins now would get. */
    session?: string;
    /** What is read of the environment: HOME, PATH, CLAUDE_CONFIG_DIR, CI, TMPDIR. `process.env` when absent. */
    env?: Readonly<Record<string, string | undefined>>;
    /** The package's own folder, where it is not found from its code. */
    packageRoot?: string;
}
/**
 * The modes of a folder, for one session of the Agent SDK; null where none govern it. `options.session` is the session's id, where the
 * SDK is given one. Throws where there is no such folder.
 */
export declare function openModes(folder: string, options?: OpenOptions): Promise<Modes | null>;
export {};
