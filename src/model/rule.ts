// A rule, understood: one kind for each thing a rule can be about.

import type { Effect, Layer } from './configuration.ts';
import type { CommandClass, ToolGroup } from './facts.ts';
import type { Source } from './problem.ts';

/** What a rule says of options: a command that has them and begins with the operands; where it is exact, nothing else. */
export interface OptionRule {
  words: string;
  options: string[];
  operands: string[];
  isExact: boolean;
}

/** What every rule carries. `id` is `r0`, `r1`, … in the order of the lists. */
export interface RuleHead {
  id: string;
  /** As written. */
  text: string;
  effect: Effect;
  layer: Layer;
  source: Source;
  /** Said with the rule wherever it decides. */
  note?: string;
}

/** `Grep`, `mcp__s__t`; in allow also `Read`, `Write` and their kin without a path. */
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
  /** Tools among those called so whose bare name says more in deny and ask: each counts as if it were named. Empty in allow. */
  bare: readonly (readonly [tool: string, access: EveryRule['access']])[];
}

/** `@web`: every tool of a group. */
export interface GroupRule extends RuleHead {
  kind: 'group';
  group: ToolGroup;
}

/** Bare `Read`, `Write`, `Edit`, `Bash` and `@read`, `@edit`, `@command` in deny and ask: every read, write or command by whatever tool. */
export interface EveryRule extends RuleHead {
  kind: 'every';
  access: 'read' | 'write' | 'command';
  /** The tool or group named: its calls are met even when they show no access. */
  tool: string | null;
  group: ToolGroup | null;
}

/** `Read(p)`, `Write(p)` and their kin. */
export interface PathRule extends RuleHead {
  kind: 'read' | 'write';
  /** One for each alternative of the braces. */
  paths: PathPattern[];
  /** Counts only in calls of this tool (a key of `facts.tool.keys`), or null. */
  only: string | null;
}

/** `unknownReads` of the settings: reads of a path that could be any file, since only the running command knows it. */
export interface UnknownReadRule extends RuleHead {
  kind: 'unknown-read';
}

/** Every write but those of some files, of which a path must be one by every reading, as in allow. Deny and ask only. */
export interface OutsideRule extends RuleHead {
  kind: 'outside';
  paths: PathPattern[];
  /** RE2, looked for in paths below a root, as they were written down. */
  expressions: string[];
}

/** `Bash(npm test:*)` */
export interface BashRule extends RuleHead {
  kind: 'bash';
  /** Ways to spell the one command that is meant, as the analyser does first; never empty. */
  commands: CommandPattern[];
  /** Deny and ask: the same options in any spelling. */
  options?: OptionRule;
  only: string | null;
  /** A parameter of Bash that is called as the command is: calls that set it are met as well. Deny and ask only. */
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

/** `Agent(name)`, `Skill(name)`; `*` stands for any text. */
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

/**
 * exact: this command text. prefix: this text, alone or followed by a space. glob: `*` anywhere; `boundary` as in prefix.
 */
export type CommandPattern =
  | { form: 'exact'; text: string }
  | { form: 'prefix'; text: string }
  | { form: 'glob'; pieces: string[]; boundary: boolean };

/** A path pattern without braces. It meets a path when its segments are the path's components or an ancestor's. */
export interface PathPattern {
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

export type Segment = { kind: 'literal'; text: string } | { kind: 'any-depth' } | { kind: 'glob'; pieces: Piece[] };

/** A stretch of one path component. */
export type Piece = { kind: 'text'; text: string } | { kind: 'star' } | { kind: 'one' } | CharSet;

/** `[a-z]`; ranges of code points, both ends included; never meets `/`. */
export interface CharSet {
  kind: 'set';
  negated: boolean;
  ranges: [number, number][];
}
