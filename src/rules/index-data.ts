// `data.rules` of the policy: rules as look-up tables. An empty table is omitted, so that no look-up happens in it.
import type { Default, Effect, Layer } from '../model/configuration.ts';

export type Ids = string[];
/** Key → the rules under it. */
export type Table = Record<string, Ids>;

/** A path pattern that no key can express. Its expression is evaluated only if the guards are satisfied. */
export interface PathGuard {
  id: string;
  /** Text that every match contains; '' if there is none. */
  has: string;
  /** Anchored, RE2. */
  expression: string;
}

/** Rules about paths: deny and ask rules for any tool, allow rules for the tools that they name. */
export interface PathTables {
  /** By a key of `PathName.keys`. */
  keys?: Table;
  /** By the key of an ancestor, then by another key: matches at any depth below a literal folder. */
  within?: Record<string, Table>;
  /** By the key of the folder before the first wildcard. */
  guarded?: Record<string, PathGuard[]>;
  /** Rules that match every path. */
  every?: Ids;
  /** Allow rules for single files of the temporary folder. */
  scratch?: Ids;
  /** Rules that match reads whose path could be any file. */
  unknown?: Ids;
  /** A few deny and ask rules with a path, deny first: a recursive access that was not checked completely may match them. */
  sample?: Ids;
}

/** A rule about every write except to these files. A path is one of them if a table matches it with the rule `id`. */
export interface OutsideTable extends Pick<PathTables, 'keys' | 'within' | 'guarded'> {
  id: string;
  /** RE2, searched for in relative paths. Does not apply to paths below a match. */
  expressions?: string[];
}

/** A text pattern that no key can express. */
export interface TextGuard {
  id: string;
  /** The start of every match. */
  head: string;
  /** Anchored, RE2; '' if the head alone decides. */
  expression: string;
}

export interface CommandTables {
  /** By a key of `CommandFacts.keys`, or of `allow_keys` in `allowed`. */
  keys?: Table;
  /** By the key of the first word if it is literal, else by `*`. */
  guarded?: Record<string, TextGuard[]>;
  /** By the text before an unknown word: deny and ask rules that the word could complete (a few for each text, deny first). */
  open?: Table;
}

export interface NameTables {
  exact?: Table;
  /** For tools by `mcp__server` if the pattern starts with one, else by `*`. */
  guarded?: Record<string, TextGuard[]>;
}

export interface ToolTables extends NameTables {
  group?: Table;
}

export interface DomainTables {
  exact?: Table;
  /** Hosts under this one. */
  below?: Table;
  any?: Ids;
}

export interface ParamTables {
  exact?: Table;
  guarded?: TextGuard[];
}

/** The strength of an allow: higher is more authoritative. */
export const strengths = { untrusted: 1, project: 2, user: 3, managed: 4 } as const;

export interface RulesData {
  version: 1;
  effect: Record<string, Effect>;
  layer: Record<string, Layer>;
  /** Strength of allow rules: 1 untrusted project, 2 project, 3 user, 4 managed. */
  strength: Record<string, number>;
  /** Allow rules that name a specific subject: no group, no pattern of names, no bare Bash. */
  naming: Record<string, true>;
  /** Rules that apply only to calls of one tool: the tool's key. */
  only: Record<string, string>;
  /** For rules with absolute paths: the folders before the first wildcard. */
  bases: Record<string, string[]>;
  /** Path rules without any pattern that starts with `/`, `//` or `~/`. */
  loose: Record<string, true>;
  /** Path rules with exceptions: an expression (RE2) for the names that they do not match. */
  except?: Record<string, string>;
  /** The most restrictive default of each layer. */
  default: Partial<Record<Layer, Default>>;
  /** The minimum strength of an allow that overrides a default with this value; absent if no layer has such a default. */
  lifts: { ask?: number; deny?: number };
  /** Strength of each custom policy's allow, by its name; absent if there are none. */
  policies?: Record<string, number>;
  /** True if allow rules of project and local are effective. */
  trusted: boolean;
  /** The minimum strength of an allow rule for a part that may write anywhere; absent if no rule is about writes. */
  guards_writes?: number;
  reads: PathTables;
  writes: PathTables;
  /** Rules that list the only files that may be written; absent if there are none. */
  outside?: OutsideTable[];
  /** Deny and ask. */
  commands: CommandTables;
  /** Allow. */
  allowed: CommandTables;
  tools: ToolTables;
  agents?: NameTables;
  skills?: NameTables;
  domains?: DomainTables;
  /** By tool key, then parameter. */
  params?: Record<string, Record<string, ParamTables>>;
}
