// The configuration that a user writes, after reading and before rules are parsed.

import type { FolderLayer } from '../platform/layer-folders.ts';
import type { OpaPin } from './opa-pin.ts';
import type { Problem, Source } from './problem.ts';
import type { Requirement } from './requirement.ts';

/** Authority increases: `builtin < local = project < user < managed`. Deny and ask rules of all layers apply together. */
export type Layer = 'builtin' | 'managed' | 'user' | 'project' | 'local';
export type Effect = 'allow' | 'ask' | 'deny';
export type Default = 'pass' | 'ask' | 'deny';

/** The enforcement of a layer's rules in a mode: as written, with every deny as an ask, or as advice only. */
export type Enforcement = 'enforce' | 'ask' | 'advise';

/** A text from a file, with its place. */
export interface Located {
  text: string;
  source: Source;
}

/** Files selected by path patterns, or by a regular expression (RE2) that is searched for in the path relative to the project. */
export interface FileSet {
  globs: Located[];
  expressions: Located[];
}

/** One line of a permission list, not yet parsed. */
export interface RuleText {
  text: string;
  effect: Effect;
  layer: Layer;
  source: Source;
  /** Shown with the rule whenever it decides. */
  note?: string;
  /** The rule covers every write except to these files. `text` describes it in words. */
  outside?: FileSet;
  /** The rule comes from the key `unknownReads`. */
  unknownReads?: true;
}

export type GroupName = 'read' | 'edit' | 'command' | 'web' | 'mcp' | 'agent';

/** `groups:` of a mode or agent: groups that are not listed are denied. */
export interface Groups {
  listed: GroupName[];
  /** For the group edit: the only files that may be written. */
  edit: { files: FileSet; description: string | null; source: Source } | null;
  source: Source;
}

/** The limits that one entry of `agents:` puts on a subagent of this type. */
export interface AgentLimits {
  type: string;
  /** The layer of the file that contains the entry. */
  layer: Layer;
  /** A mode whose rules apply as well. */
  mode: string | null;
  groups: Groups | null;
  canEdit: FileSet | null;
  cannotEdit: Located[];
  rules: (Located & { effect: 'ask' | 'deny' })[];
  source: Source;
}

/** A plan that starts when a person uses one of its phrases. */
export interface Protocol {
  name: string;
  triggers: string[];
  /** `{{…}}` placeholders are not replaced yet. null: no instructions. */
  instructions: string | null;
  items: { text: string; files: string[] }[];
  /** The plan's mode. null: any mode. */
  mode: string | null;
  source: Source;
}

export interface Transition {
  /** A mode name, or `*` for every other mode. */
  to: string;
  /** Prose for the model, trimmed; null when the file gives none. */
  constraint: string | null;
  /** Requirements that are checked by machine. All must be satisfied. */
  require: Requirement[];
  /** `human`: a confirmed /modes:approve is needed. */
  approve: 'human' | null;
  /** A person requests the transition with one of these phrases. Trimmed. */
  triggers: string[];
  source: Source;
}

export interface Mode {
  name: string;
  title: string | null;
  description: string | null;
  /** The role that the agent has in this mode, for the model. */
  role: string | null;
  /** When a transition to this mode is right, for the model. */
  whenToUse: string | null;
  /** Sent with every prompt in this mode. */
  promptPrefix: string | null;
  /** This mode inherits the rules and instructions of these modes. */
  extends: string[];
  enforcement: Enforcement;
  groups: Groups | null;
  agents: AgentLimits[];
  /** The client's own permission mode that fits this one. It is only displayed, because no hook can set it. */
  permissionMode: string | null;
  /** The automatic transition, and its condition. */
  exitWhen: { plan: 'complete'; to: string } | null;
  /** Warn when the context window is this full. `window` is in tokens; null: inferred from the model. */
  context: { warn: number[]; window: number | null };
  transitions: Transition[];
  source: Source;
}

/** A command of the project, as modes.yaml declares it for the analyser of Bash. */
export interface OwnCommand {
  /** Words. `*` is any one word; at the end it is any further words. */
  match: string;
  class: 'read-only' | 'writes' | 'runs' | 'unknown';
  /** Operands, numbered from 1, that are files read or written. */
  reads?: number[] | 'all';
  writes?: number[] | 'all';
  network?: boolean;
}

/** Arguments of one tool of an MCP server, by name. Dots select members of objects and lists. */
export interface ToolArguments {
  /** `mcp__server__tool`. With `readsOnly`, `*` matches any part of the tool's own name. */
  tool: string;
  /** The tool changes nothing. */
  readsOnly?: true;
  /** Arguments with which it may write a file. */
  unless?: readonly string[];
  /** An argument with SQL: the tool only reads if that is one plain query. */
  query?: string;
  /** Set if the tool is in the table of this kind of server: what a person wrote is the server and its kind. */
  listedBy?: { server: string; kind: string };
  roles: { argument: string; role: 'command' | 'read' | 'write' }[];
}

/** modes.yaml */
export interface Topology {
  name: string;
  /** The default mode. */
  default: string;
  /** By name. A Map, so that no name is ever looked up on a prototype. */
  modes: Map<string, Mode>;
  scope: 'project' | 'worktree' | 'session';
  /** The enforcement if CI runs the client. Only the managed and the user layer can set it. */
  ci: Enforcement | 'off' | null;
  /** The outcome of a call that no rule matches if no person can be asked. Only the managed and the user layer can set it. */
  headless: { pass: 'allow' | 'deny' } | null;
  /** The emergency stop. null: no phrase stops the agent. */
  stop: { phrases: string[]; to: string | null } | null;
  /** Plans that start with a phrase of a person, by name. */
  protocols: Map<string, Protocol>;
  /** Branches where all writes are denied. `*` is any text. */
  protectedBranches: string[];
  commands: OwnCommand[];
  arguments: ToolArguments[];
}

/** The permissions of one mode from all layers: `settings.any.json`, `settings.<mode>.json`, `settings.<mode>.local.json`. */
export interface ModeSettings {
  rules: RuleText[];
  /** `permissions.default` of each layer that sets it, with its place. */
  defaults: { layer: Layer; value: Default; source: Source }[];
  /** `permissions.uncertain` of each layer that sets it, with its place. */
  uncertain?: { layer: Layer; value: Uncertain; source: Source }[];
}

/**
 * The effect for a call that may write what the mode guards, because a program in it may write any file. `verify`: the call runs,
 * and the guarded files are compared afterwards.
 */
export type Uncertain = 'ask' | 'verify' | 'deny';

/** A configuration file that was read: its name as shown to a person, and its content. */
export interface ConfigFile {
  name: string;
  text: string;
}

/** Whether the project's own layer is approved. `always`: approved in a way that the organization cannot prohibit. */
export type Trust = boolean | 'always';

/** The entire configuration of Modes, read once. Problems of severity `error` make it broken. */
export interface Configuration {
  /** Absolute real path of the project's root. */
  root: string;
  topology: Topology | null;
  /** The layer that defines the modes and transitions; null if no layer does. */
  topologyLayer: FolderLayer | null;
  /**
   * By mode name. Every mode of the topology has an entry. If the topology is broken, it has the readable settings of each mode,
   * and `any` has the settings of every mode. A file with an error contributes only its deny and ask lines.
   */
  settings: Map<string, ModeSettings>;
  /** The settings that become policies, by `policyKeys`: `settings` after `enforcement:`, `agents:` and CI are applied. */
  enforced: Map<string, ModeSettings>;
  /** By mode name: CLAUDE.<mode>.md and modes/<mode>/*.md in order, after those of extended modes. No entry without files. */
  instructions: Map<string, ConfigFile[]>;
  /** Declarations of every layer, most authoritative first. An untrusted declaration can only restrict. */
  commands: (OwnCommand & { trusted: boolean })[];
  arguments: (ToolArguments & { trusted: boolean })[];
  /** `headless.pass` of the organization, else of the user, else deny. */
  headlessPass: 'allow' | 'deny';
  /** The organization lets a person approve and adopt the project's own layer. */
  approvable: boolean;
  /** A server that evaluates the policies; null: this machine. */
  opa: OpaPin | null;
  /** `policies/**\/*.rego` of every layer, except tests. */
  policies: (ConfigFile & { layer: FolderLayer; stale?: true })[];
  /** The project's own layer is treated as approved. */
  trusted: boolean;
  /** All files read, by layer and name, including prose. */
  files: ConfigFile[];
  /**
   * `sha256:…` of everything in the project's own layer that can extend permissions (not prose), by name and content. A person
   * trusts this.
   */
  hash: string;
  problems: Problem[];
}
