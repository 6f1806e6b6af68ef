// What a user writes, after reading and before any rule is understood.
import type { FolderLayer } from './layers.ts';
import type { Problem, Source } from './problem.ts';
import type { Requirement } from './requirements.ts';

/** Most authoritative last in `builtin < local = project < user < managed`; deny and ask add up over all of them. */
export type Layer = 'builtin' | 'managed' | 'user' | 'project' | 'local';
export type Effect = 'allow' | 'ask' | 'deny';
export type Default = 'pass' | 'ask' | 'deny';

/** One line of a permission list, not yet parsed. */
export interface RuleText {
  text: string;
  effect: Effect;
  layer: Layer;
  source: Source;
}

export interface Transition {
  /** A mode name, or `*` for every other mode. */
  to: string;
  /** Prose for the model, trimmed; null when the file gives none. */
  constraint: string | null;
  /** What a machine checks; all of it must hold. */
  require: Requirement[];
  /** `human`: a confirmed /modes:approve is needed. */
  approve: 'human' | null;
  source: Source;
}

export interface Mode {
  name: string;
  title: string | null;
  description: string | null;
  /** Who the agent is in this mode, for the model. */
  role: string | null;
  /** When a transition to this mode is right, for the model. */
  whenToUse: string | null;
  /** Goes out with every prompt in this mode. */
  promptPrefix: string | null;
  transitions: Transition[];
  source: Source;
}

/** A command of the project, as modes.yaml declares it for the analyser of Bash. */
export interface OwnCommand {
  /** Words; `*` stands for one word, at the end for any further words. */
  match: string;
  class: 'read-only' | 'writes' | 'runs' | 'unknown';
  /** Operands, from 1, that are files read or written. */
  reads?: number[] | 'all';
  writes?: number[] | 'all';
  network?: boolean;
}

/** Arguments of one tool of an MCP server, by name; dots lead into objects and lists. */
export interface ToolArguments {
  tool: string;
  roles: { argument: string; role: 'command' | 'read' | 'write' }[];
}

/** modes.yaml */
export interface Topology {
  name: string;
  /** The default mode. */
  default: string;
  /** By name; a Map, so that no name is ever looked up through a prototype. */
  modes: Map<string, Mode>;
  scope: 'project' | 'worktree' | 'session';
  /** In order of precedence. */
  /** The emergency stop; null: no phrase stops. */
  stop: { phrases: string[]; to: string | null } | null;
  commands: OwnCommand[];
  arguments: ToolArguments[];
}

/** permissions of one mode, all layers joined: rules of `settings.any.json`, `settings.<mode>.json`, `settings.<mode>.local.json`. */
export interface ModeSettings {
  rules: RuleText[];
  /** `permissions.default` of each layer that gives one, with where. */
  defaults: { layer: Layer; value: Default; source: Source }[];
}

/** A file of the configuration that was read: its name as shown to a person and its content. */
export interface ConfigFile {
  name: string;
  text: string;
}

/** Everything that configures modes, read once. Problems of severity `error` make it broken. */
export interface Configuration {
  /** Absolute real path of the project's root. */
  root: string;
  topology: Topology | null;
  /** Whose modes and edges these are; null where no layer has any. */
  topologyLayer: FolderLayer | null;
  /**
   * By mode name. Every mode of the topology has an entry. When the topology is broken: what could be read for each mode, and
   * under `any` what holds in every mode. Of a file with an error only deny and ask lines are here.
   */
  settings: Map<string, ModeSettings>;
  /** By mode name: text of CLAUDE.<mode>.md and modes/<mode>/*.md in order; absent when there is none. */
  instructions: Map<string, string>;
  /** What every layer declares, most authoritative first; an untrusted one can only narrow. */
  commands: (OwnCommand & { trusted: boolean })[];
  arguments: (ToolArguments & { trusted: boolean })[];
  /** `policies/**\/*.rego` of every layer without tests. */
  policies: (ConfigFile & { layer: FolderLayer })[];
  /** All files read, by layer and name, prose too. */
  files: ConfigFile[];
  /** `sha256:…` over names and contents of what can widen (prose aside) in the project's own layer: what a person trusts. */
  hash: string;
  problems: Problem[];
}
