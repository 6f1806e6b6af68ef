// A tool call and its facts: all accesses of the call, determined before any rule is matched.
import type { BashClass, CommandTag } from './command.ts';

/** Hook events with facts. At `UserPromptSubmit` only the `context` rules of policies are evaluated. */
export type HookEvent = 'PreToolUse' | 'UserPromptSubmit';

/** A tool call as the client sends it, from any channel. */
export interface ToolCall {
  event: HookEvent;
  tool: string;
  input: Record<string, unknown>;
  toolUseId: string | null;
  /** Absolute; the event's cwd. */
  cwd: string;
  sessionId: string | null;
  permissionMode: string | null;
  agentId: string | null;
  agentType: string | null;
  mcpServer: { name: string; source: string } | null;
  transcriptPath: string | null;
}

export type ToolGroup = 'read' | 'edit' | 'command' | 'web' | 'mcp' | 'agent' | 'meta' | 'own' | 'other';

/** The role of a declared argument of an MCP tool (`arguments:` of modes.yaml). */
export type ArgumentRole = 'command' | 'read' | 'write';

/** The values that `Bash(@…)` can name. */
export type CommandClass = 'read-only' | 'writes' | 'runs' | 'unknown' | 'network' | CommandTag;

/**
 * One name of a path, with its look-up keys. Inside a root it is relative to it, and `''` is the root itself.
 * Outside it is absolute and has no keys by component, because relative patterns never match there.
 */
export interface PathName {
  /** `src/a.test.ts` or `/etc/passwd` */
  path: string;
  /**
   * `=` and the path; `<` and each strict ancestor, nearest first; `/` and each component; `>` and each component except the
   * last; every dotted suffix of every component.
   */
  keys: string[];
}

/** A path that is only partly known before the call runs. */
export interface PathOutline {
  /** The known pieces in order, with any text between two of them. */
  pieces: readonly string[];
  /** Its beginning: below the root of the project or a worktree, at the root of the file system, or anywhere. */
  head: 'relative' | 'absolute' | 'unknown';
}

/** A path that a call reads or writes. In the lists of the facts, each access is of the kind of its list. */
export type PathAccess = ReadAccess | WriteAccess;

export type ReadAccess = AccessedPath &
  AccessExtent & {
    /** Part of a write (Edit reads its file). Deny and ask rules see it; no allow rule needs to cover it. */
    implied: boolean;
    /** It could be a read of any file: its path, or the end of its path, is unknown. */
    unknown?: true;
    own: SessionFolder | null;
    protection: null;
    dependency: false;
  };

export type WriteAccess = AccessedPath &
  AccessExtent & { implied: false; unknown?: undefined } & (
    | {
        own: null;
        /** The built-in protection that matches this write. */
        protection: PathProtection | null;
        /** Removal of a whole dependency folder. No user pattern without a leading slash matches it. */
        dependency: boolean;
      }
    | { own: SessionFolder; protection: null; dependency: false }
  );

export interface AccessedPath {
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
 * The path alone, or everything below it too. `below`: existing paths below that some deny or ask rule could match. `unseen`:
 * there is more below than the limit, so deny and ask rules with a path are treated as matching.
 */
export type AccessExtent = { deep: false; below: []; unseen?: undefined } | { deep: true; below: PathName[]; unseen?: true };

/**
 * The absolute folder of the session's own plan, memory, scratchpad or task files that contains the path. Only a rule whose path
 * names that folder matches the access.
 */
type SessionFolder = string;

/** A built-in protection of a path. No allow rule overrides one that is `firm`. */
export type PathProtection = {
  /** The name as displayed: `.claude/`, `shell start file`. */
  name: string;
  remedy: string;
} & ({ effect: 'deny' } | { effect: 'ask'; firm?: true });

/** A simple command as the policy sees it. */
export interface CommandFacts {
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

/** A part of the call that may write anywhere. `name` is the name that an allow rule must have: command word, tool or server. */
export interface UncertainPart {
  kind: 'command' | 'tool';
  /** Index into bash.commands for kind command. */
  command: number | null;
  name: string;
  class: 'runs' | 'unknown';
  why: string;
  /** Its text is unknown or not understood. It may do anything that a command can do, and it asks despite any allow rule. */
  anything?: true;
}

/** The input document of the policy. `version` 1. */
export interface Facts {
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
  bash: { class: BashClass; network: boolean; commands: CommandFacts[] } | null;
  /** Hosts in lower case, without a trailing dot, with their label suffixes: `['api.github.com','github.com','com']`. */
  domains: { host: string; labels: string[] }[];
  /** The agent types that the call starts. */
  agents: string[];
  skills: string[];
  /**
   * Built-in protections that are not paths: Modes' own tools, client programs, `modes` commands, schedulers. `none` prints
   * nothing, regardless of the default.
   */
  protections: { effect: 'deny' | 'ask' | 'allow' | 'none'; name: string; reason: string; remedy: string }[];
  agent: { id: string | null; type: string | null };
  session: { id: string | null; permission_mode: string | null };
  state: { since: string | null; entered_by: string | null; plan: PlanFacts | null; task: TaskFacts | null };
  context: { used_percent: number | null };
  /** Absent if no grant covers any part of the call. */
  granted?: Granted;
}

/** The current plan. */
export interface PlanFacts {
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
export interface TaskFacts {
  name: string;
  /** null: any branch. */
  branch: string | null;
  /** The branch that is checked out in the project; null: no branch. */
  current_branch: string | null;
  scope: string[];
}

/** The parts of a call that grants cover: indices into the lists of the facts. */
export interface Granted {
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
