// Determines from the index alone the names that deny and ask rules could match. Facts include only these below a recursive
// access.

import { fold, foldedNames, hasOwnKey, keysIn, pathKey } from '../facts/paths/keys.ts';
import type { PathName, PathOutline } from '../model/facts.ts';
import { under } from '../platform/path-text.ts';
import type { PathGuard, PathTables, RulesData } from './index-data.ts';
import { couldMatchOutline, type OutlinePattern, patternOfKey, patternsOfExpression, patternWithin } from './outlines.ts';
import { toRegExp } from './regex.ts';

export interface RulePathFilter {
  /** False: no deny or ask rule is about reads, so no recursive read has to be walked. */
  hasReadRestriction: boolean;
  hasWriteRestriction: boolean;
  /** Path prefixes of these rules if they apply to one fixed place: relative to the project, or absolute. */
  readPlaces: readonly string[];
  writePlaces: readonly string[];
  /** True if a deny or ask rule matches a read of this name. */
  couldMatchRead(name: PathName): boolean;
  couldMatchWrite(name: PathName): boolean;
  /**
   * Selects the names directly in a folder that a rule could match. `folders` are all names of the folder. For many names, the
   * last component decides.
   */
  readsIn: NamesIn;
  writesIn: NamesIn;
  /**
   * True if a deny or ask rule could match an unknown name below this folder (a relative or absolute path). `anchored`: ignores
   * rules that apply at any depth.
   */
  couldMatchReadBelow(folder: string, anchored?: boolean): boolean;
  couldMatchWriteBelow(folder: string, anchored?: boolean): boolean;
  /** A deny or ask rule could match a partly known path. */
  couldMatchReadOutline(outline: PathOutline): boolean;
  couldMatchWriteOutline(outline: PathOutline): boolean;
  /** False: no deny rule is about specific reads. */
  deniesReads: boolean;
  /** The same for deny rules alone. */
  couldDenyRead(name: PathName): boolean;
  couldDenyWrite(name: PathName): boolean;
}

/** True for every name that a rule could match under one of its names, ignoring case, and for some others. */
export type NamesIn = (folders: readonly PathName[]) => (name: string) => boolean;

/** The same look-ups as in `policies/paths.rego`. Rules for every path are omitted: they match the recursive access itself. */
export function rulePathFilter(data: RulesData): RulePathFilter {
  const restricts = (id: string): boolean => data.effect[id] !== 'allow';
  const reads = new PathIndex(data.reads, restricts);
  const writes = new PathIndex(data.writes, restricts);
  const denies = (id: string): boolean => data.effect[id] === 'deny';
  const deniedReads = new PathIndex(data.reads, denies);
  const deniedWrites = new PathIndex(data.writes, denies);
  return {
    hasReadRestriction: reads.hasPaths,
    hasWriteRestriction: writes.hasPaths,
    readPlaces: reads.places,
    writePlaces: writes.places,
    couldMatchRead: (name) => reads.matches(name),
    couldMatchWrite: (name) => writes.matches(name),
    readsIn: (folders) => reads.namesIn(folders),
    writesIn: (folders) => writes.namesIn(folders),
    couldMatchReadBelow: (folder, anchored) => reads.matchesBelow(folder, anchored),
    couldMatchWriteBelow: (folder, anchored) => writes.matchesBelow(folder, anchored),
    couldMatchReadOutline: (outline) => reads.matchesOutline(outline),
    couldMatchWriteOutline: (outline) => writes.matchesOutline(outline),
    deniesReads: deniedReads.hasPaths,
    couldDenyRead: (name) => deniedReads.matches(name),
    couldDenyWrite: (name) => deniedWrites.matches(name),
  };
}

type MatchingIds = (id: string) => boolean;

/** Maximum number of steps to compare one partly known path with all rules. Beyond it, the path counts as a possible match. */
const MOST_STEPS = 2_000_000;

type NameTest = (name: string) => boolean;

const anyName: NameTest = () => true;
const noName: NameTest = () => false;

interface Guard {
  has: string;
  expression: RegExp;
}

class PathIndex {
  private readonly keys: Set<string>;
  private readonly within: Map<string, Set<string>>;
  private readonly guarded: Map<string, Guard[]>;
  /** The keys that can start a look-up. */
  private readonly heads: Set<string>;
  /** By folder: the names in it that a rule names with the complete path. */
  private readonly named = new Map<string, Set<string>>();
  readonly places: readonly string[];
  private patterns: readonly OutlinePattern[] | null = null;

  constructor(
    private readonly tables: PathTables,
    private readonly counts: MatchingIds,
  ) {
    const countedKeys = (table: Record<string, string[]> = {}): Set<string> =>
      new Set(Object.keys(table).filter((key) => (table[key] as string[]).some(counts)));
    this.keys = countedKeys(tables.keys);
    this.within = nonEmpty(Object.entries(tables.within ?? {}).map(([folder, table]) => [folder, countedKeys(table)]));
    this.guarded = nonEmpty(Object.entries(tables.guarded ?? {}).map(([folder, guards]) => [folder, compile(guards, counts)]));
    this.heads = new Set([...this.keys, ...this.within.keys(), ...this.guarded.keys()]);
    for (const key of this.heads) {
      if (!key.startsWith(pathKey.whole(''))) continue;
      const slash = key.lastIndexOf('/');
      const folder = slash === -1 ? '' : key.slice(1, slash) || '/';
      const names = this.named.get(folder) ?? new Set();
      this.named.set(folder, names.add(key.slice(Math.max(1, slash + 1))));
    }
    const placed = [...this.heads].filter((key) => /^[=<]./.test(key)).map((key) => key.slice(1));
    this.places = [...new Set(placed)].filter((place) => place !== '/');
  }

  get hasPaths(): boolean {
    return this.heads.size > 0;
  }

  matches({ path, keys }: PathName): boolean {
    return keys.some((key) => {
      if (this.keys.has(key)) return true;
      const within = this.within.get(key);
      if (within !== undefined && keys.some((other) => within.has(other))) return true;
      return this.guarded.get(key)?.some((guard) => isGuarded(path, guard)) ?? false;
    });
  }

  namesIn(folders: readonly PathName[]): (name: string) => boolean {
    const tests = [...folders, ...foldedNames(folders)].flatMap((folder) => this.namesInOne(folder) ?? []);
    if (tests.length === 0) return noName;
    const [only] = tests;
    const couldMatch = tests.length === 1 ? (only as NameTest) : (name: string) => tests.some((ask) => ask(name));
    return (name) => {
      if (couldMatch(name)) return true;
      const folded = fold(name);
      return folded !== name && couldMatch(folded);
    };
  }

  /** null: no name directly in this folder can match. */
  private namesInOne(folder: PathName): NameTest | null {
    const shared = keysIn(folder);
    const within = shared.flatMap((key) => this.within.get(key) ?? []);
    const guards = shared.flatMap((key) => this.guarded.get(key) ?? []);
    const matchesKey = (key: string): boolean => this.keys.has(key) || within.some((keys) => keys.has(key));
    // The folder may contain the root of a worktree, whose relative name is empty.
    if (shared.some(matchesKey) || this.heads.has(pathKey.whole(''))) return anyName;
    const named = this.named.get(folder.path);
    // Absolute names have no keys by component.
    const counts = folder.path.startsWith('/') ? null : [this.heads, ...within];
    if (named === undefined && counts === null && guards.length === 0) return null;
    const mayMatchKey = (key: string): boolean => counts?.some((keys) => keys.has(key)) ?? false;
    return (name) => {
      if (named?.has(name) || (counts !== null && hasOwnKey(name, mayMatchKey))) return true;
      if (guards.length === 0) return false;
      const path = under(folder.path, name);
      return guards.some((guard) => isGuarded(path, guard));
    };
  }

  matchesOutline(outline: PathOutline): boolean {
    this.patterns ??= this.outlinePatterns();
    const steps = { left: MOST_STEPS };
    return this.patterns.some((pattern) => couldMatchOutline(outline, pattern, steps));
  }

  private outlinePatterns(): OutlinePattern[] {
    const isWhole = (path: string): boolean => this.keys.has(pathKey.whole(path));
    return [
      ...[...this.keys].flatMap((key) => patternOfKey(key, isWhole) ?? []),
      ...[...this.within].flatMap(([folder, keys]) => [...keys].flatMap((key) => patternWithin(folder, key))),
      ...Object.values(this.tables.guarded ?? {}).flatMap((guards) =>
        guards.filter(({ id }) => this.counts(id)).flatMap(({ expression }) => patternsOfExpression(expression)),
      ),
    ];
  }

  /** Uses only the literal places: a pattern counts as matching anything at or below its first wildcard. */
  matchesBelow(folder: string, anchored = false): boolean {
    const isAbsolute = folder.startsWith('/');
    const names = [folder, fold(folder)];
    return [...this.heads].some((key) => {
      if (key[0] !== '=' && key[0] !== '<') return !isAbsolute && !anchored;
      const place = key.slice(1);
      if (place.startsWith('/') !== isAbsolute) return false;
      return names.some((name) => isWithin(place, name) || (key[0] === '<' && isWithin(name, place)));
    });
  }
}

function isGuarded(path: string, { has, expression }: Guard): boolean {
  return path.includes(has) && expression.test(path);
}

function isWithin(path: string, folder: string): boolean {
  return folder === '' || folder === '/' || path === folder || path.startsWith(`${folder}/`);
}

function nonEmpty<T extends { size: number } | { length: number }>(entries: [string, T][]): Map<string, T> {
  return new Map(entries.filter(([, value]) => ('size' in value ? value.size : value.length) > 0));
}

function compile(guards: PathGuard[], counts: MatchingIds): Guard[] {
  return guards.filter(({ id }) => counts(id)).map(({ has, expression }) => ({ has, expression: toRegExp(expression) }));
}
