// What a user writes, after reading and before any rule is understood.

import type { FolderLayer } from '../platform/layer-folders.ts';
import type { OpaPin } from './opa-pin.ts';
import type { Problem, Source } from './problem.ts';
import type { Requirement } from './requirement.ts';

/** Most authoritative last in `builtin < local = project < user < managed`; deny and ask add up over all of them. */
export type Layer = 'builtin' | 'managed' | 'user' | 'project' | 'local';
export type Effect = 'allow' | 'ask' | 'deny';
export type Default = 'pass' | 'ask' | 'deny';

/** How much the rules of a layer weigh in a mode: as written, every deny as an ask, or a note alone. */
export type Enforcement = 'enforce' | 'ask' | 'advise';

/** A text of a file, with its place. */
export interface Located {
  text: string;
  source: Source;
}

/** Files by patterns of paths, or by an expression (RE2) that is looked for in a path relative to the project. */
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
  /** Said with the rule wherever it decides. */
  note?: string;
  /** The rule is about every write but those of these files; `text` says so in words. */
  outside?: FileSet;
  /** It stands for the key `unknownReads`. */
  unknownReads?: true;
}

export type GroupName = 'read' | 'edit' | 'command' | 'web' | 'mcp' | 'agent';

/** `groups:` of a mode or agent: what is not listed is denied. */
export interface Groups {
  listed: GroupName[];
  /** Of the group edit: the only files that may be written. */
  edit: { files: FileSet; description: string | null; source: Source } | null;
  source: Source;
}

/** What one entry of `agents:` takes from a subagent of this type. */
export interface AgentLimits {
  type: string;
  /** Whose file this stands in. */
  layer: Layer;
  /** A mode whose rules hold as well. */
  mode: string | null;
  groups: Groups | null;
  canEdit: FileSet | null;
  cannotEdit: Located[];
  rules: (Located & { effect: 'ask' | 'deny' })[];
  source: Source;
}

/** A plan that a phrase of a person brings. */
export interface Protocol {
  name: string;
  triggers: string[];
  /** With `{{…}}` as written; null: none. */
  instructions: string | null;
  items: { text: string; files: string[] }[];
  /** The mode that it is worked on in; null: whichever it is. */
  mode: string | null;
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
  /** Phrases by which a person asks for it, trimmed. */
  triggers: string[];
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
  /** Modes whose rules and instructions this one takes over. */
  extends: string[];
  enforcement: Enforcement;
  groups: Groups | null;
  agents: AgentLimits[];
  /** The client's own mode that goes with this one; shown, since no hook can set it. */
  permissionMode: string | null;
  /** Where to go by itself, and when. */
  exitWhen: { plan: 'complete'; to: string } | null;
  /** When to tell how full the context window is; `window` in tokens, null: by what is seen of the model. */
  context: { warn: number[]; window: number | null };
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
  /** What holds where CI runs the client; only of the managed and the user layer. */
  ci: Enforcement | 'off' | null;
  /** What becomes of a call that no rule is about where nobody can be asked; only of the managed and the user layer. */
  headless: { pass: 'allow' | 'deny' } | null;
  /** The emergency stop; null: no phrase stops. */
  stop: { phrases: string[]; to: string | null } | null;
  /** Plans that a phrase of a person brings, by name. */
  protocols: Map<string, Protocol>;
  /** Branches on which nothing is written; `*` stands for any text. */
  protectedBranches: string[];
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

/** Whether what a project's own layer holds is approved: by a person; or in a way that the organisation cannot forbid people, `always`. */
export type Trust = boolean | 'always';

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
  /** What is made into policies, by `policyKeys`: as `settings`, with what `enforcement:`, `agents:` and CI make of it. */
  enforced: Map<string, ModeSettings>;
  /** By mode name: CLAUDE.<mode>.md and modes/<mode>/*.md in order, behind those of modes that it extends; absent when there is none. */
  instructions: Map<string, ConfigFile[]>;
  /** What every layer declares, most authoritative first; an untrusted one can only narrow. */
  commands: (OwnCommand & { trusted: boolean })[];
  arguments: (ToolArguments & { trusted: boolean })[];
  /** `headless.pass` of the organisation, else of the user; else deny. */
  headlessPass: 'allow' | 'deny';
  /** A person may approve and adopt what the project's own layer holds: the organisation lets them. */
  approvable: boolean;
  /** A server that gives the verdicts; null: this machine. */
  opa: OpaPin | null;
  /** `policies/**\/*.rego` of every layer without tests. */
  policies: (ConfigFile & { layer: FolderLayer; stale?: true })[];
  /** What the project's own layer holds counts as approved. */
  trusted: boolean;
  /** All files read, by layer and name, prose too. */
  files: ConfigFile[];
  /** `sha256:…` over names and contents of what can widen (prose aside) in the project's own layer: what a person trusts. */
  hash: string;
  problems: Problem[];
}
