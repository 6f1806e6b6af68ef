// `data.rules` of the policy: rules as look-up tables. What is empty is absent, so that nothing is looked up in it.
import type { Default, Effect, Layer } from '../model/configuration.ts';

export type Ids = string[];
/** Key → the rules it finds. */
export type Table = Record<string, Ids>;

/** A path pattern that no key can stand for. Tried only where its guards hold. */
export interface PathGuard {
  id: string;
  /** Text that every match holds; '' when there is none. */
  has: string;
  /** Anchored, RE2. */
  expression: string;
}

/** Rules about paths: deny and ask by whatever tool, allow for the tools they are for. */
export interface PathTables {
  /** By a key of `PathName.keys`. */
  keys?: Table;
  /** By the key of an ancestor, then by another key: any depth below a literal folder. */
  within?: Record<string, Table>;
  /** By the key of the folder in front of the first wildcard. */
  guarded?: Record<string, PathGuard[]>;
  /** Rules that meet every path. */
  every?: Ids;
  /** Rules that match reads whose path could be any file. */
  unknown?: Ids;
  /** At most a few deny and ask rules with a path, deny first: what an extent that was not seen whole may hold. */
  sample?: Ids;
}

/** A rule about every write but these: a path is one of them where a table has it by one of the rules called `id`. */
export interface Outside extends Pick<PathTables, 'keys' | 'within' | 'guarded'> {
  id: string;
  /** RE2, looked for in relative paths; says nothing of what lies below. */
  expressions?: string[];
}

/** A text pattern that no key can stand for. */
export interface TextGuard {
  id: string;
  /** What every match begins with. */
  head: string;
  /** Anchored, RE2; '' when the head says it all. */
  expression: string;
}

export interface CommandTables {
  /** By a key of `CommandFacts.keys`, or of `allow_keys` in `allowed`. */
  keys?: Table;
  /** By the key of the first word where it is literal, else by `*`. */
  guarded?: Record<string, TextGuard[]>;
  /** By what stands before an unknown word: deny and ask rules that the word could complete (a few of each, deny first). */
  open?: Table;
}

export interface NameTables {
  exact?: Table;
  /** Of tools by `mcp__server` where the pattern begins with one; else by `*`. */
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

/** What an allow is worth: higher is more authoritative. */
export const strengths = { untrusted: 1, project: 2, user: 3, managed: 4 } as const;

export interface RulesData {
  version: 1;
  effect: Record<string, Effect>;
  layer: Record<string, Layer>;
  /** Of allow rules: 1 untrusted project, 2 project, 3 user, 4 managed. */
  strength: Record<string, number>;
  /** Allow rules that name what they allow: no group, no pattern of names, no bare Bash. */
  naming: Record<string, true>;
  /** Rules that count only in calls of one tool: its key. */
  only: Record<string, string>;
  /** The folders in front of the first wildcard, of rules with absolute paths. */
  bases: Record<string, string[]>;
  /** Path rules of which no pattern is held to a root by `/`, `//` or `~/`. */
  loose: Record<string, true>;
  /** The narrowest default of each layer. */
  default: Partial<Record<Layer, Default>>;
  /** How strong an allow must be to lift the default of this value; absent where no layer has it. */
  lifts: { ask?: number; deny?: number };
  /** Strength of each custom policy's allow, by its name; absent where there are none. */
  policies?: Record<string, number>;
  /** True when allow rules of project and local count. */
  trusted: boolean;
  /** How strong an allow must be that names a part which may write anywhere; absent when no rule is about writes. */
  guards_writes?: number;
  reads: PathTables;
  writes: PathTables;
  /** Rules that name the only files that may be written; absent where there are none. */
  outside?: Outside[];
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
