// State of the shell at one point of the walk: working folder, variables, functions. Branches of the control flow join their
// states.
import type { Function as FunctionNode } from 'unbash';
import type { NamePart, Outline, Outlines } from '../model/command.ts';
import { Names, Numbering } from './names.ts';
import { joinOutlineLists, joinOutlines, sameOutlines } from './outline.ts';
import { among, GAP, type NameSearch, NOT_ALL, sameNames, unionNames } from './possible-names.ts';

/** The possible values of a variable. If `texts` is null, it may be anything. */
export interface Value {
  /** The possible texts, at most MAX_TEXTS, or null if not known. */
  texts: string[] | null;
  /** Certainly an integer, so it has no blanks, no globs, and no text that arithmetic would evaluate. */
  int: boolean;
  /** If the texts are not known, the beginning that all of them share ('' if they share nothing). */
  lead: string;
  /** May contain blanks or glob characters, or be empty, so an unquoted use may produce any number of words. */
  splits: boolean;
  /** May be empty even if the other fields do not allow it. Unquoted, it then produces no word. */
  vanishes?: boolean;
  /** Possible names, if the texts are not known. */
  found?: NameSearch;
  /** The certain pieces, if the texts are not known. */
  outlines?: Outlines;
  /** The unknown part contains neither a slash nor `..`. */
  confined?: true;
  /** The form of every possible text, if the texts are not known. */
  shape?: OutputForm;
  /**
   * The text consists only of the names in `found`. None of its words, as xargs separates them, is an option while none of these
   * conditions is true (as in `BashLoad`).
   */
  unless?: readonly string[];
  /** The text consists of lines, and each line is one word with this value. */
  each?: Value;
  /** The elements of an array: exact and in order, or in unknown order and number. */
  items?: Items;
  /**
   * associative: an array with subscripts that are texts and not arithmetic. key: a key that such an array certainly has.
   * readonly: later assignments may have no effect.
   */
  attribute?: 'associative' | 'key' | 'readonly';
}

/**
 * A text without blanks and globs, which may be empty. count: digits only. name: does not begin with a dash. job: the
 * number of a process that this text started.
 * Valid only while no condition in `unless` is true (`folder:/a`, `dashed:/a`, as in `BashLoad`). Each command that receives such
 * a word also receives the conditions.
 */
export interface OutputForm {
  readonly kind: 'count' | 'name' | 'job';
  readonly unless: readonly string[];
}

/** Maximum number of conditions. With more, the shape is dropped. */
const MAX_CONDITIONS = 4;

/** The form that both shapes have, or undefined if they have no common form. */
export function joinShapes(a: OutputForm | undefined, b: OutputForm | undefined): OutputForm | undefined {
  if (a === b || a === undefined || b === undefined) return a === b ? a : undefined;
  const kind = a.kind === b.kind ? a.kind : 'name';
  const more = b.unless.filter((one) => !a.unless.includes(one));
  if (kind === a.kind && more.length === 0) return a;
  const unless = [...a.unless, ...more];
  return unless.length > MAX_CONDITIONS ? undefined : { kind, unless };
}

function sameShape(a: OutputForm | undefined, b: OutputForm | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && a.kind === b.kind && a.unless.join('\n') === b.unless.join('\n'));
}

export interface Items {
  readonly values: readonly Value[];
  /** True: all elements in order. False: any number of elements, each with one of these values. */
  readonly isExact: boolean;
}

export const MAX_TEXTS = 8;

/** Maximum number of elements of an array that are followed. */
const MAX_ITEMS = 64;

export const ANYTHING: Value = { texts: null, int: false, lead: '', splits: true };
const NO_ITEMS: Items = { values: [ANYTHING], isExact: false };
/** Any value, and later assignments may have no effect. */
const READONLY: Value = { ...ANYTHING, attribute: 'readonly' };
/** A subscript of an associative array. In a shell without such arrays it is a number. */
export const KEY: Value = { ...ANYTHING, attribute: 'key' };
export const INTEGER: Value = { texts: null, int: true, lead: '', splits: false };
/** `$!`: a process that this text started. */
export const JOB: Value = { ...INTEGER, shape: { kind: 'job', unless: [] } };
/** An integer that is never negative. The lead `0` represents any digit. */
export const UNSIGNED: Value = { ...INTEGER, lead: '0' };
/** A count or an index printed by a command. Empty if the command fails. */
export const COUNT: Value = { ...INTEGER, lead: '0', vanishes: true };

const INT = /^-?(?:0|[1-9]\d{0,14})$/;

export function textValue(text: string): Value {
  const empty = text === '';
  return { texts: [text], int: INT.test(text), lead: text, splits: /[\s*?[\]\\]/.test(text), ...(empty && { vanishes: true }) };
}

function commonLead(a: string, b: string): string {
  let i = 0;
  while (i < a.length && a[i] === b[i]) i++;
  return a.slice(0, i);
}

/** An array with these elements. Without a subscript, Bash reads its first element and zsh reads all of them. */
export function arrayValue(values: readonly Value[], isExact: boolean): Value {
  const elements = values.slice(0, MAX_ITEMS);
  const items: Items = { values: elements, isExact: isExact && elements.length === values.length };
  if (items.isExact && elements.length === 1) return { ...elements[0]!, items };
  const any = elements.length === 0 ? ANYTHING : elements.reduce(joinValues);
  return { ...ANYTHING, found: namesOf(any) ?? undefined, items };
}

/** Any element of an array. For a scalar, the value itself. */
export function anyItem({ items, ...value }: Value): Value {
  return items === undefined || items.values.length === 0 ? value : items.values.reduce(joinValues);
}

function joinItems(a: Value, b: Value): Items | undefined {
  if (a.items === undefined && b.items === undefined) return undefined;
  // An element from one path remains possible after the join.
  const [mine, theirs] = [a.items ?? NO_ITEMS, b.items ?? NO_ITEMS];
  return sameItems(mine, theirs) ? mine : anyItems([...mine.values, ...theirs.values]);
}

/** Any number of elements, each with one of these values. */
export function anyItems(values: readonly Value[]): Items {
  return { values: values.length === 0 ? values : [values.reduce(joinValues)], isExact: false };
}

function joinParameters(a: Items | null, b: Items | null): Items | null {
  if (a === null || b === null) return null;
  return sameItems(a, b) ? a : anyItems([...a.values, ...b.values]);
}

function sameItems(a: Items | undefined, b: Items | undefined): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined || a.isExact !== b.isExact || a.values.length !== b.values.length) return false;
  return a.values.every((value, i) => sameValue(value, b.values[i]!));
}

export function joinValues(a: Value, b: Value): Value {
  if (a === b) return a;
  if (a.attribute === 'readonly' || b.attribute === 'readonly') {
    const found = joinNames(a, b);
    return a.attribute === 'readonly' && found === a.found ? a : readonlyValue({ ...ANYTHING, found });
  }
  const texts = a.texts && b.texts ? joinTexts(a.texts, b.texts) : null;
  const int = a.int && b.int;
  const lead = int ? (texts === null && isUnsigned(a) && isUnsigned(b) ? '0' : '') : commonLead(a.lead, b.lead);
  const shape = texts === null ? joinShapes(a.shape, b.shape) : undefined;
  const each = texts === null && a.each === b.each ? a.each : undefined;
  const splits = a.splits || b.splits;
  const vanishes = a.vanishes || b.vanishes;
  const names = texts === null ? joinNames(a, b) : undefined;
  const confined = texts === null && isConfined(a) && isConfined(b);
  const outlines = texts === null ? joinOutlines(outlinesOf(a), outlinesOf(b)) : undefined;
  const items = joinItems(a, b);
  const attribute = a.attribute === 'associative' && b.attribute === 'associative' ? 'associative' : undefined;
  return texts === a.texts &&
    int === a.int &&
    lead === a.lead &&
    splits === a.splits &&
    vanishes === a.vanishes &&
    names === a.found &&
    outlines === a.outlines &&
    confined === (a.confined ?? false) &&
    shape === a.shape &&
    a.unless === undefined &&
    each === a.each &&
    attribute === a.attribute &&
    sameItems(items, a.items)
    ? a
    : {
        texts,
        int,
        lead,
        splits,
        vanishes,
        found: names,
        outlines,
        ...(shape && { shape }),
        ...(each && { each }),
        ...(confined && { confined }),
        ...(attribute && { attribute }),
        ...(items && { items }),
      };
}

/** A number that is certainly not negative. */
export function isUnsigned({ int, texts, lead }: Value): boolean {
  return int && (texts === null ? lead === '0' : texts.every((text) => !text.startsWith('-')));
}

/** The certain pieces of a value. If its texts are known, each text is one piece. */
export function outlinesOf({ texts, outlines }: Value): Outlines {
  return texts === null ? outlines : texts.map((text) => [text]);
}

/** True if the unknown part of a value is part of a single file name. */
export function isConfined({ texts, int, confined }: Value): boolean {
  return texts !== null || int || confined === true;
}

/** Possible names of a value. Known texts are such names. */
export function namesOf({ found, texts }: Value): NameSearch | null {
  return found ?? (texts && { names: texts.map((text) => ({ text, how: 'one' })), isAll: true });
}

/** The value may be this one, or any other. */
export function uncertain(value: Value): Value {
  const names = namesOf(value);
  return names === null ? ANYTHING : { ...ANYTHING, found: { names: names.names, isAll: false } };
}

/** The value of a variable to which later assignments may have no effect. */
export const readonlyValue = (value: Value): Value => ({ ...READONLY, found: uncertain(value).found });

function joinNames(a: Value, b: Value): NameSearch | undefined {
  const [here, there] = [namesOf(a), namesOf(b)];
  return here || there ? unionNames(here ?? NOT_ALL, there ?? NOT_ALL) : undefined;
}

function joinTexts(a: string[], b: string[]): string[] | null {
  const more = b.filter((text) => !a.includes(text));
  if (more.length === 0) return a;
  return a.length + more.length > MAX_TEXTS ? null : [...a, ...more];
}

// Shared until the first write, so that a typical command allocates none of them.
const NO_VARS = new Names<Value>();
const NO_FUNCTIONS = new Names<FunctionNode>();
const NO_NAMES = new Names<true>();

/** Maximum number of variables, and of functions, that are followed. Each join compares all of them. */
const MAX_NAMES = 100;

/** `NAME=value` before a command. */
export interface PrefixAssignment {
  name: string;
  text: string;
  /** May be stripped before an allow rule is looked at. */
  safe: boolean;
  /** Known to do no harm, though it may not be stripped. */
  known: boolean;
  value: Value;
}

interface Numberings {
  ofVariables: Numbering;
  ofFunctions: Numbering;
}

/** The state of the shell at one point of the text. Copies are cheap, because the names are shared until one side writes. */
export class ShellState {
  /** Absolute folders that the shell may be in, or null if not known. */
  private known: readonly string[] | null;
  /** If the folder is not known, some of the folders that the shell may be in. The list is never complete. */
  private possible: readonly Outline[] = NO_OUTLINES;
  private readonly numberings: Numberings;
  private vars = NO_VARS;
  private functions = NO_FUNCTIONS;
  /** Functions that some path may have defined differently. */
  private doubtful = NO_NAMES;
  /** Positional parameters, or null if not known. */
  positional: Items | null = null;
  /** `$0`, or null if not known. */
  shellName: Value | null = null;
  /** Reason why command names may no longer run the usual programs (PATH, aliases, hash). */
  taint: string | null = null;
  /** Reason why the environment of external programs is not trusted. */
  envTaint: string | null = null;
  /** More names were set than are followed, so any name may be a variable with any value, or a function. */
  private crowded = false;
  private sharesVars = true;
  private sharesFunctions = true;

  constructor(
    cwds: readonly string[] | null,
    numberings: Numberings = { ofVariables: new Numbering(), ofFunctions: new Numbering() },
  ) {
    this.known = cwds;
    this.numberings = numberings;
  }

  get cwds(): readonly string[] | null {
    return this.known;
  }

  /** Enters a folder. If it is not known, the shell may still be where it was. */
  set cwds(folders: readonly string[] | null) {
    this.possible = folders === null ? this.candidateFolders : NO_OUTLINES;
    this.known = folders;
  }

  /** Folders that the shell may be in: all of them if `cwds` are known, otherwise some. Each is a path, a pattern, or a path with gaps. */
  get candidateFolders(): readonly Outline[] {
    return this.known === null ? this.possible : outlinesOfFolders(this.known);
  }

  /** Loses track of the folder, which may be one of these. Returns false if the list is too long to keep. */
  loseFolder(candidates: readonly Outline[]): boolean {
    const all = joinOutlineLists(NO_OUTLINES, candidates);
    const isAll = all.length <= MAX_CANDIDATES;
    this.known = null;
    this.possible = nearest(all);
    return isAll;
  }

  /** The folder of the shell, if there is only one possible folder. */
  get cwd(): string | null {
    return this.cwds?.length === 1 ? this.cwds[0]! : null;
  }

  copy(): ShellState {
    const s = new ShellState(this.known, this.numberings);
    this.sharesVars = true;
    this.sharesFunctions = true;
    s.assign(this);
    return s;
  }

  private assign(other: ShellState): void {
    this.known = other.known;
    this.possible = other.possible;
    this.vars = other.vars;
    this.functions = other.functions;
    this.doubtful = other.doubtful;
    this.positional = other.positional;
    this.shellName = other.shellName;
    this.taint = other.taint;
    this.envTaint = other.envTaint;
    this.crowded = other.crowded;
    this.sharesVars = true;
    this.sharesFunctions = true;
  }

  /** Takes over the content of another state. If the other state is used again, both share their names until one writes. */
  become(other: ShellState): void {
    if (other === this) return;
    other.sharesVars = true;
    other.sharesFunctions = true;
    this.assign(other);
  }

  private ownVars(): void {
    if (!this.sharesVars) return;
    this.vars = this.vars.copy();
    this.sharesVars = false;
  }

  private ownFunctions(): void {
    if (!this.sharesFunctions) return;
    this.functions = this.functions.copy();
    this.doubtful = this.doubtful.copy();
    this.sharesFunctions = false;
  }

  /** True if a variable was set, or may have been. */
  has(name: string): boolean {
    return this.crowded || this.vars.get(this.numberings.ofVariables.find(name)) !== undefined;
  }

  get(name: string): Value {
    return this.vars.get(this.numberings.ofVariables.find(name)) ?? ANYTHING;
  }

  set(name: string, value: Value): void {
    this.put(this.numberings.ofVariables.give(name), SET_BY_SHELLS.has(name) ? ANYTHING : value);
  }

  private put(number: number, value: Value): void {
    const before = this.vars.get(number);
    if (before === value || before?.attribute === 'readonly') return;
    if (before === undefined && this.vars.size >= MAX_NAMES) {
      this.crowded = true;
      return;
    }
    this.ownVars();
    this.vars.set(number, value);
  }

  /** Assignments before a function or a builtin apply inside it and are passed to the programs that it starts. */
  assigned(prefix: readonly PrefixAssignment[]): void {
    for (const { name, safe, known, value } of prefix) {
      this.set(name, doubtful(value));
      if (!safe && !known) this.envTaint ??= `${name} is exported to other programs`;
    }
  }

  /** The function that a name certainly refers to. */
  function(name: string): FunctionNode | undefined {
    return this.functions.get(this.numberings.ofFunctions.find(name));
  }

  /** True if only some paths define a function with that name, or if they define it differently. */
  differs(name: string): boolean {
    return this.doubtful.get(this.numberings.ofFunctions.find(name)) !== undefined;
  }

  /** True if it is uncertain whether a function with this name exists. */
  isUncertainFunction(name: string): boolean {
    return this.differs(name) || (this.crowded && this.function(name) === undefined);
  }

  define(name: string, fn: FunctionNode): void {
    const number = this.numberings.ofFunctions.give(name);
    if (this.functions.get(number) === fn) return;
    if (this.functions.size >= MAX_NAMES) {
      this.mistrust(number);
      this.crowded = true;
      return;
    }
    this.ownFunctions();
    this.functions.set(number, fn);
    this.doubtful.delete(number);
  }

  /** Some path defines a function with that name, or removes it. */
  doubt(name: string): void {
    this.mistrust(this.numberings.ofFunctions.give(name));
  }

  private mistrust(number: number): void {
    if (this.doubtful.get(number) !== undefined && this.functions.get(number) === undefined) return;
    this.ownFunctions();
    this.functions.delete(number);
    if (this.doubtful.size >= MAX_NAMES) this.crowded = true;
    else this.doubtful.set(number, true);
  }

  /**
   * The start state of a new shell process. It inherits the folder and the taints. The value of a variable stays possible,
   * because the variable may be exported. `prefix`: assignments before the command that starts the shell.
   */
  fresh(cwds: readonly string[] | null, prefix: readonly PrefixAssignment[] = NO_PREFIX): ShellState {
    const s = new ShellState(cwds, this.numberings);
    if (cwds === null) s.possible = this.candidateFolders;
    this.sharesVars = true;
    s.vars = this.vars;
    s.taint = this.taint;
    s.envTaint = this.envTaint;
    s.crowded = this.crowded;
    s.forgetVariables();
    // A shell sets these when it starts and ignores the environment.
    for (const name of ['IFS', 'PWD']) s.vars.delete(this.numberings.ofVariables.give(name));
    for (const { name, value } of prefix) if (name !== 'IFS' && name !== 'PWD') s.set(name, doubtful(value));
    return s;
  }

  /** Marks every variable as doubtful, because any of them may have been assigned. Its former value stays possible. */
  forgetVariables(): void {
    // These names have a special meaning while they are unset, so they must not count as unset.
    for (const name of SPECIAL_UNSET) this.forget(this.numberings.ofVariables.give(name));
    this.forgetAssigned();
  }

  /** Marks the assigned variables as doubtful. A loop may assign them again, and it assigns no others. */
  forgetAssigned(): void {
    for (let number = 0; number < this.vars.end; number++) if (this.vars.get(number) !== undefined) this.forget(number);
    this.positional = null;
  }

  private forget(number: number): void {
    const before = this.vars.get(number);
    if (before === ANYTHING) return;
    this.ownVars();
    this.vars.set(number, before === undefined ? ANYTHING : doubtful(before));
  }

  /** Number of variables and functions that a join compares. */
  get breadth(): number {
    return this.vars.end + this.functions.end;
  }

  /** Changes this state so that it covers both paths. */
  join(other: ShellState): void {
    if (other === this) return;
    const folders = joinFolders(this.known, other.known);
    if (folders === null) {
      this.possible = nearest(joinOutlineLists(this.candidateFolders, other.candidateFolders));
    }
    this.known = folders;
    this.positional = joinParameters(this.positional, other.positional);
    if (this.shellName !== other.shellName) this.shellName = joinValues(this.shellName ?? ANYTHING, other.shellName ?? ANYTHING);
    this.taint ??= other.taint;
    this.envTaint ??= other.envTaint;
    this.crowded ||= other.crowded;
    if (this.vars !== other.vars) this.joinVariables(other.vars);
    if (this.functions !== other.functions) {
      const end = Math.max(this.functions.end, other.functions.end);
      for (let number = 0; number < end; number++)
        if (this.functions.get(number) !== other.functions.get(number)) this.mistrust(number);
    }
    if (this.doubtful !== other.doubtful) {
      for (let number = 0; number < other.doubtful.end; number++)
        if (other.doubtful.get(number) !== undefined) this.mistrust(number);
    }
  }

  private joinVariables(others: Names<Value>): void {
    const end = Math.max(this.vars.end, others.end);
    for (let number = 0; number < end; number++) {
      const mine = this.vars.get(number);
      const theirs = others.get(number);
      if (mine === theirs) continue;
      // A value from one path remains possible if the other path does not set the variable. A text of several words is not kept,
      // because it costs too much.
      if (mine === undefined) this.put(number, theirs!.texts && theirs!.splits ? ANYTHING : joinValues(ANYTHING, theirs!));
      else {
        const joined = joinValues(mine, theirs ?? ANYTHING);
        if (joined === mine) continue;
        this.ownVars();
        this.vars.set(number, joined);
      }
    }
  }

  /** True if this state allows everything that `other` allows, so that a second walk from `other` would find nothing new. */
  covers(other: ShellState): boolean {
    if (this.taint !== other.taint || this.envTaint !== other.envTaint || this.crowded !== other.crowded) return false;
    if (this.positional !== null && !sameItems(this.positional, other.positional ?? undefined)) return false;
    if (this.known !== null && (other.known === null || other.known.some((c) => !this.known!.includes(c)))) return false;
    if (this.known === null && joinOutlineLists(this.possible, other.candidateFolders) !== this.possible) return false;
    if (this.vars !== other.vars) {
      for (let number = 0; number < other.vars.end; number++) {
        const value = other.vars.get(number);
        if (value !== undefined && !sameValue(this.vars.get(number), value)) return false;
      }
    }
    if (this.functions !== other.functions && this.functions.size !== other.functions.size) return false;
    return this.doubtful.size === other.doubtful.size;
  }
}

/** Keeps the folders with the shortest names, because a loop that enters folders makes longer and longer ones. */
function nearest(folders: readonly Outline[]): readonly Outline[] {
  if (folders.length <= MAX_CANDIDATES) return folders;
  const lengthOf = (folder: Outline): number => folder.reduce((length, piece) => length + piece.length, 0);
  return [...folders].sort((a, b) => lengthOf(a) - lengthOf(b)).slice(0, MAX_CANDIDATES);
}

const OUTLINES = new WeakMap<readonly string[], readonly Outline[]>();

function outlinesOfFolders(folders: readonly string[]): readonly Outline[] {
  let outlines = OUTLINES.get(folders);
  if (outlines === undefined) {
    outlines = folders.map((folder) => [folder]);
    OUTLINES.set(folders, outlines);
  }
  return outlines;
}

/** A value that may have changed. A text of several words is not kept, because that costs too much. */
function doubtful(value: Value): Value {
  const { texts, splits, int, lead, found, items } = value;
  if (int) return ANYTHING;
  const { shape, each, confined } = value;
  const isOpen = texts === null && lead === '' && splits && found?.isAll !== true;
  const isDoubtful = isOpen && items === undefined && shape === undefined && each === undefined && confined === undefined;
  const outlines = joinOutlines(value.outlines, undefined);
  if (isDoubtful && outlines === value.outlines) return value;
  const names = texts !== null && splits ? null : namesOf(value.items === undefined ? value : anyItem(value));
  if (names === null && outlines === undefined) return ANYTHING;
  return { ...ANYTHING, ...(names !== null && { found: { names: names.names, isAll: false } }), outlines };
}

/** The value of a variable that contains the name of one of these folders, or anything else. */
export function folderValue(folders: readonly Outline[]): Value {
  const names = folders.map((folder): NamePart => ({ text: folder.join(GAP), how: howNamed(folder.join(GAP)) }));
  return { ...ANYTHING, found: among(names) ?? undefined };
}

/** A folder is a pattern if the shell entered it by a word with wildcards. */
export function howNamed(folder: string): 'one' | 'glob' {
  return /[*?[]/.test(folder) ? 'glob' : 'one';
}

/** Variables that Bash or zsh sets itself, regardless of assignments. `$_` is the last word of the previous command. */
const SET_BY_SHELLS = new Set('_ FUNCNAME PIPESTATUS GROUPS MATCH MBEGIN MEND match mbegin mend funcstack'.split(' '));

const SPECIAL_UNSET = ['HOME', 'PWD', 'IFS'];

function sameValue(a: Value | undefined, b: Value): boolean {
  if (a === b) return true;
  if (
    !a ||
    a.int !== b.int ||
    a.splits !== b.splits ||
    a.lead !== b.lead ||
    a.vanishes !== b.vanishes ||
    !sameNames(a.found, b.found) ||
    a.confined !== b.confined ||
    !sameShape(a.shape, b.shape) ||
    a.each !== b.each ||
    a.attribute !== b.attribute ||
    !sameOutlines(a.outlines, b.outlines) ||
    !sameItems(a.items, b.items)
  )
    return false;
  if (!a.texts || !b.texts) return a.texts === b.texts;
  return a.texts.length === b.texts.length && a.texts.every((t, i) => t === b.texts![i]);
}

const MAX_FOLDERS = 6;
/** So many folders are followed that the shell may be in where its folder is not known. */
const MAX_CANDIDATES = 16;
const NO_OUTLINES: readonly Outline[] = [];
const NO_PREFIX: readonly PrefixAssignment[] = [];

export function joinFolders(a: readonly string[] | null, b: readonly string[] | null): readonly string[] | null {
  if (a === b) return a;
  if (!a || !b) return null;
  const more = b.filter((folder) => !a.includes(folder));
  if (more.length === 0 && a.every((folder, i) => a.indexOf(folder) === i)) return a;
  const all = [...a, ...more].filter((folder, at, list) => list.indexOf(folder) === at);
  return all.length > MAX_FOLDERS ? null : all;
}
