// A tool call and its facts: all accesses of the call, worked out before any rule is looked at.
import type { BashClass, CommandTag } from './command.ts';

/** A tool call as the client sends it, from whatever channel. */
export interface ToolCall {
  event: string;
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

/** What a declared argument of an MCP tool is (`arguments:` of modes.yaml). */
export type ArgumentRole = 'command' | 'read' | 'write';

/** What `Bash(@…)` names. */
export type CommandClass = 'read-only' | 'writes' | 'runs' | 'unknown' | 'network' | CommandTag;

/**
 * One name a path goes by, with its look-up keys. Inside a root: relative to it, `''` is the root itself.
 * Outside: absolute, and then there are no keys by component, because relative patterns never match there.
 */
export interface PathName {
  /** `src/a.test.ts` or `/etc/passwd` */
  path: string;
  /**
   * `=` and the path; `<` and each strict ancestor, nearest first; `/` and each component; `>` and each component but the last;
   * every dotted suffix of every component.
   */
  keys: string[];
}

/** A path of which only parts are known before the call runs. */
export interface PathOutline {
  /** The certain pieces in order, with any text between two of them. */
  pieces: readonly string[];
  /** How it begins: below the project's root or a worktree's, at the root of the file system, or anywhere. */
  head: 'relative' | 'absolute' | 'unknown';
}

export interface PathAccess {
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
  protection: { effect: 'deny' | 'ask'; name: string; remedy: string; firm?: boolean } | null;
  /** A read that a write brings with it (Edit reads its file): deny and ask see it, allow does not need it. */
  implied: boolean;
  /** The absolute folder of the session's own plan, memory, scratchpad or task files that this lies in: met only by a rule whose path names that folder. Else null. */
  own: string | null;
  /** Removal of a whole dependency folder: met by no user pattern without leading slash. */
  dependency: boolean;
}

/** A simple command as the policy sees it. */
export interface CommandFacts {
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

/** A part of the call that may write anywhere. `name` is what an allow rule must name: command word, tool or server. */
export interface UncertainPart {
  kind: 'command' | 'tool';
  /** Index into bash.commands for kind command. */
  command: number | null;
  name: string;
  class: 'runs' | 'unknown';
  why: string;
  /** Its text is not known or not understood: it may do what any command does, and asks whatever is allowed. */
  anything?: true;
}

/** The input document of the policy. `version` 1. */
export interface Facts {
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
  bash: { class: BashClass; network: boolean; commands: CommandFacts[] } | null;
  /** Hosts, lower case, without trailing dot, cut into label suffixes: `['api.github.com','github.com','com']`. */
  domains: { host: string; labels: string[] }[];
  /** Agent type started, skill named. */
  agents: string[];
  skills: string[];
  /** Built-in protection that is not a path: own tools, client programs, `modes` verbs, schedulers. `none` prints nothing, whatever the default. */
  protections: { effect: 'deny' | 'ask' | 'allow' | 'none'; name: string; reason: string; remedy: string }[];
  agent: { id: string | null; type: string | null };
  session: { id: string | null; permission_mode: string | null };
  state: { since: string | null; entered_by: string | null; plan: PlanFacts | null; task: TaskFacts | null };
  context: { used_percent: number | null };
  /** Absent where a person granted nothing of the call. */
  granted?: Granted;
}

/** The plan that is worked on. */
export interface PlanFacts {
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
export interface TaskFacts {
  name: string;
  /** null: any. */
  branch: string | null;
  /** What is checked out in the project; null: no branch. */
  current_branch: string | null;
  scope: string[];
}

/** What of a call a person granted: indices into the lists of the facts. */
export interface Granted {
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
