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
declare interface DecidingRule {
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
/** The evaluator of a verdict: the server, this machine, or both. `note`: why the server did not decide, or that they differ. */
declare interface Evaluated {
    by: 'opa' | 'local' | 'both';
    server: string;
    note?: string;
}
/** The input document of the policy. `version` 1. */
declare interface Facts {
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
/** read-only: changes nothing; writes: only known targets; runs: code or a program of the project; unknown: not understood. */
declare type BashClass = 'read-only' | 'writes' | 'runs' | 'unknown';
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
/** A change of the client's own permissions, in the client's own format. */
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
/** The fields of the SDK's `canUseTool` options that are used. */
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
    /** Not in the SDK's types, but sent by it. */
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
    /** The current mode of the project; null if it is unknown. */
    mode(): Promise<string | null>;
    /**
     * For `options.canUseTool`. A call that is neither allowed nor denied goes to `fallback` with the same arguments. Without a
     * `fallback` it is denied.
     */
    canUseTool(): Permit<Asked, PermissionAnswer>;
    canUseTool<Options extends Asked, Result>(fallback: Permit<Options, Result>): Permit<Options, Result | PermissionAnswer>;
    /** For `options.hooks`, if the plugin is not loaded: every call is decided, and the model is informed of its mode. */
    hooks(options?: {
        asks?: boolean;
    }): Record<'PreToolUse' | 'UserPromptSubmit' | 'SubagentStart', HookMatcher[]>;
    /**
     * For `options.permissionMode` and `query.setPermissionMode()`: the wanted permission mode if the mode of the project grants
     * it. Otherwise the one that the mode names, else `default`. Without `wanted`: the one that the mode names.
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
    /** The session whose mode, grants and content count. Without one: those that a new session would get now. */
    session?: string;
    /** Environment variables that are read: HOME, PATH, CLAUDE_CONFIG_DIR, CI, TMPDIR. Default: `process.env`. */
    env?: Readonly<Record<string, string | undefined>>;
    /** The package's own folder, if it cannot be found from its code. */
    packageRoot?: string;
}
/**
 * The modes of a folder, for one session of the Agent SDK; null if no modes govern it. `options.session` is the session's id, if
 * the SDK receives one. Throws if there is no such folder.
 */
export declare function openModes(folder: string, options?: OpenOptions): Promise<Modes | null>;
export {};
