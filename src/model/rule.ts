// A parsed rule: one kind for each subject of a rule.

import type { Effect, Layer } from './configuration.ts';
import type { CommandClass, ToolGroup } from './facts.ts';
import type { Source } from './problem.ts';

/** Matches a command that has the options and begins with the operands. If exact, the command must have nothing else. */
export interface OptionRule {
  words: string;
  options: string[];
  operands: string[];
  isExact: boolean;
  /** The table does not have these options. They are compared as written, and the words include the operands. */
  isPlain: boolean;
}

/** The fields of every rule. `id` is `r0`, `r1`, … in the order of the lists. */
export interface RuleHead {
  id: string;
  /** As written. */
  text: string;
  effect: Effect;
  layer: Layer;
  source: Source;
  /** Shown with the rule whenever it decides. */
  note?: string;
}

/** `Grep`, `mcp__s__t`; in allow also `Read`, `Write` and similar tools without a path. */
export interface ToolRule extends RuleHead {
  kind: 'tool';
  name: string;
}

/** `mcp__s`, `mcp__s__*`: every tool of a server. */
export interface ServerRule extends RuleHead {
  kind: 'server';
  /** `mcp__s` */
  server: string;
}

/** `mcp__s__get_*`; in deny and ask also `*` and any other pattern of tool names. */
export interface ToolGlobRule extends RuleHead {
  kind: 'tool-glob';
  glob: TextGlob;
  /** Matching tools whose bare name means more in deny and ask: each is treated as if the rule named it. Empty in allow. */
  bare: readonly (readonly [tool: string, access: EveryRule['access']])[];
}

/** `@web`: every tool of a group. */
export interface GroupRule extends RuleHead {
  kind: 'group';
  group: ToolGroup;
}

/** Bare `Read`, `Write`, `Edit`, `Bash` and `@read`, `@edit`, `@command` in deny and ask: every such access by any tool. */
export interface EveryRule extends RuleHead {
  kind: 'every';
  access: 'read' | 'write' | 'command';
  /** The named tool or group: the rule matches its calls even if they show no access. */
  tool: string | null;
  group: ToolGroup | null;
}

/** `Read(p)`, `Write(p)` and similar rules. */
export interface PathRule extends RuleHead {
  kind: 'read' | 'write';
  /** One for each alternative of the braces. */
  paths: PathPattern[];
  /** Deny and ask: a name that one of these matches does not match the rule. Absent if there are none. */
  except?: PathPattern[];
  /** The rule applies only to calls of this tool (a key of `facts.tool.keys`), unless null. */
  only: string | null;
}

/** `Read(@scratch)`, `Write(@scratch)`: files in the temporary folder that are in no repository and no governed project. Allow only. */
export interface ScratchRule extends RuleHead {
  kind: 'scratch';
  access: 'read' | 'write';
}

/** `unknownReads` of the settings: reads of a path that could be any file, because it is known only when the command runs. */
export interface UnknownReadRule extends RuleHead {
  kind: 'unknown-read';
}

/** Every write except to some files. A path is exempt if every reading of it matches one of them. Deny and ask only. */
export interface OutsideRule extends RuleHead {
  kind: 'outside';
  paths: PathPattern[];
  /** RE2, as written, searched for in paths below a root. */
  expressions: string[];
}

/** `Bash(npm test:*)` */
export interface BashRule extends RuleHead {
  kind: 'bash';
  /** Ways to spell the same command, normalized as the analyser does; never empty. */
  commands: CommandPattern[];
  /** Deny and ask: the same options in any spelling. */
  options?: OptionRule[];
  only: string | null;
  /** A Bash parameter that has the same name as the command: the rule also matches calls that set it. Deny and ask only. */
  param?: string;
}

/** `Bash(@read-only)` */
export interface BashClassRule extends RuleHead {
  kind: 'bash-class';
  class: CommandClass;
}

/** `WebFetch(domain:*.example.org)` */
export interface DomainRule extends RuleHead {
  kind: 'domain';
  /** exact: this host; below: every host under it; any: every host. `host` is '' for any. */
  form: 'exact' | 'below' | 'any';
  host: string;
}

/** `Agent(name)`, `Skill(name)`; `*` is any text. */
export interface NamedRule extends RuleHead {
  kind: 'agent' | 'skill';
  name: TextGlob;
}

/** `Tool(param:value)`, deny and ask only. */
export interface ParamRule extends RuleHead {
  kind: 'param';
  /** A key of `facts.tool.keys`. */
  tool: string;
  param: string;
  value: TextGlob;
}

export type Rule =
  | ToolRule
  | ServerRule
  | ToolGlobRule
  | GroupRule
  | EveryRule
  | PathRule
  | OutsideRule
  | ScratchRule
  | UnknownReadRule
  | BashRule
  | BashClassRule
  | DomainRule
  | NamedRule
  | ParamRule;

/** Text with `*` for any run of characters: the pieces between the stars. One piece is a literal. */
export interface TextGlob {
  pieces: string[];
}

/** exact: this command text. prefix: this text, alone or followed by a space. glob: `*` anywhere; `boundary` as in prefix. */
export type CommandPattern =
  | { form: 'exact'; text: string }
  | { form: 'prefix'; text: string }
  | { form: 'glob'; pieces: string[]; boundary: boolean };

/** A path pattern without braces. It matches a path if its segments match the components of the path or of an ancestor. */
export interface PathPattern {
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

export type Segment = { kind: 'literal'; text: string } | { kind: 'any-depth' } | { kind: 'glob'; pieces: Piece[] };

/** A part of one path component. */
export type Piece = { kind: 'text'; text: string } | { kind: 'star' } | { kind: 'one' } | CharSet;

/** `[a-z]`; ranges of code points, both ends included; never matches `/`. */
export interface CharSet {
  kind: 'set';
  negated: boolean;
  ranges: [number, number][];
}
