// Files of a project that make some commands load a program. If one of these files exists, such a command runs code of the
// project.

import { posix } from 'node:path';
import type { BashCommand, BashFacts, BashLoad, BashTarget, NamePart, Why } from '../model/command.ts';
import { worse } from './effects.ts';
import { absolute, isBelow, settled } from './targets.ts';

/** Prefix of the start folder of a text. Condition: no folder between it and the working folder of git is a repository. */
export const NESTED = 'nested:';

/** Prefix of a file that the command creates if it is missing. */
export const MISSING = 'missing:';

/** Prefix of a path that must not be a folder. */
export const FOLDER = 'folder:';

/** Prefix of a folder. Its repository must not contain a branch or tag with a leading dash in its name. */
export const DASHED = 'dashed:';

/**
 * Prefix of names: those below `/a/**`, and those in the folder of `/a/*` or `/a/*.ts`. Condition: none of them contains a word
 * that begins with a dash. With an ending, only files have it, because `ls` lists what is in a folder.
 */
export const NAMES = 'names:';

/** A name that is an option, or becomes one if it is split into words. */
export const LIKE_OPTION = /(?:^|[\s"'\\])-/;

/** A folder by its name, and a glob in it. */
const GLOB_IN_FOLDER = /^(?!-)((?:[\w.@+-]+\/)*)([^/]*[*?[][^/]*)$/;

/**
 * The conditions under which one of these names may be taken as an option; undefined: not known.
 * @param isListing the contents of folders with such a name are among the names
 */
export function conditionsOf(
  names: readonly NamePart[],
  cwds: readonly string[] | null,
  isListing = true,
): readonly string[] | undefined {
  const all = names.flatMap(({ text, how }): (string | null)[] => {
    if (how === 'one') return /^[\w.@+/][\w./@+:,-]*$/.test(text) ? [] : [null];
    if (how === 'deep') return absolute(text, cwds)?.map((folder) => `${NAMES}${posix.join(folder, '**')}`) ?? [null];
    const [, folder, glob] = GLOB_IN_FOLDER.exec(text) ?? [];
    const ending = /\.\w+$/.exec(glob ?? '')?.[0];
    if (glob === undefined || (isListing && ending === undefined)) return [null];
    return absolute(folder || '.', cwds)?.map((place) => `${NAMES}${posix.join(place, `*${isListing ? ending : ''}`)}`) ?? [null];
  });
  return all.includes(null) ? undefined : [...new Set(all as string[])];
}

/** Condition: no file in the folder has the name of a Python module. */
export const MODULE = 'python:';

/** Marks a command that is harmless only after a check of the disk, because such a file is usually in the project. */
export const LOOK = 'look:';

/** Entries that make a folder a repository for git. */
export const REPOSITORY_PARTS = ['.git', 'HEAD'];

/** Prefix of a hook in the git repository that contains the folder. */
export const HOOK = 'git:';

/** The condition in words, as far as the text alone determines it. */
export function condition(program: string, load: BashLoad): string {
  const hooks = load.files.filter((file) => file.startsWith(HOOK)).map((file) => file.slice(HOOK.length));
  if (hooks.length > 0) return `runs no program, unless the repository has a hook for it (${hooks.join(', ')})`;
  if (load.files.some((file) => file.startsWith(NESTED))) return 'changes nothing, unless that folder is a repository of its own';
  const made = load.files.find((file) => file.startsWith(MISSING));
  if (made !== undefined) return `changes nothing, unless ${made.slice(MISSING.length)} is missing, which it then creates`;
  const folder = load.files.find((file) => file.startsWith(FOLDER));
  if (folder !== undefined) return `evaluates only a number, unless ${folder.slice(FOLDER.length)} is a folder`;
  if (load.files.some((file) => file.startsWith(DASHED)))
    return 'takes the name of a branch or tag, unless the repository has one that begins with a dash, which may be an option';
  const names = load.files.find((file) => file.startsWith(NAMES));
  if (names !== undefined) return `takes ${names.slice(NAMES.length)} as files, unless one has a name like an option`;
  if (load.files.includes(MODULE)) return `changes nothing, unless a file here has the name of a module of Python`;
  return `changes nothing, unless a file here or above makes ${program} load a program first (${load.files
    .filter((file) => file !== LOOK)
    .map(shown)
    .join(', ')})`;
}

/** A file in words. `package.json#a.b` is the file with that key in it. `@word` describes the program itself. */
function shown(file: string): string {
  if (file.startsWith('@')) return `or it may be replaced by ${file.slice(1)}`;
  const [name, key] = file.split('#');
  return key === undefined ? file : `${name} with ${key}`;
}

/** Describes in words the file that a command loads. Null if none of the files exists. */
export type FindLoad = (load: BashLoad, program: string, command: number) => string | null;

/**
 * Returns facts with class `runs` for each command that finds a file to load, or the same object if no command does.
 * @param keepConditions keep the conditions in the facts
 */
export function resolveLoads(facts: BashFacts, find: FindLoad, keepConditions = false): BashFacts {
  let changed: BashFacts | null = null;
  const former = new Set<Why>();
  const added: Why[] = [];
  facts.commands.forEach((command, index) => {
    const found = command.loads?.flatMap((load) => {
      const text = find(load, command.name, index);
      return text === null ? [] : [{ text, load }];
    });
    if (found === undefined || found.length === 0) return;
    changed ??= { ...facts, commands: [...facts.commands], uncertain: [...facts.uncertain], writes: [...facts.writes] };
    // Code that runs may do anything. A created file is only one target.
    const runs = found.find(({ load }) => !isMade(load));
    added.push(resolveLoad(changed, command, index, runs ?? found[0]!, former, keepConditions));
  });
  if (changed === null) return facts;
  const why = [...facts.why.filter((one) => !former.has(one)), ...added];
  return { ...(changed as BashFacts), why };
}

function isMade({ files }: BashLoad): boolean {
  return files.some((file) => file.startsWith(MISSING));
}

/** The class of a command after such a file is found. */
function classOf(load: BashLoad): 'writes' | 'runs' | 'unknown' {
  if (isMade(load)) return 'writes';
  return load.files.some((file) => /^(?:nested|folder|dashed|names):/.test(file)) ? 'unknown' : 'runs';
}

interface LoadedText {
  text: string;
  load: BashLoad;
}

/** @returns the new reason; the reason that it replaces is added to `gone` */
function resolveLoad(
  facts: BashFacts,
  command: BashCommand,
  index: number,
  { text, load }: LoadedText,
  gone: Set<Why>,
  keepConditions: boolean,
): Why {
  const cls = classOf(load);
  const conditions = command.loads!.map((load) => condition(command.name, load));
  const former = command.why.find((why) => conditions.includes(why.text));
  if (former) gone.add(former);
  const why = { text, pos: former?.pos ?? 0, end: former?.end ?? 0 };
  const { loads, ...rest } = command;
  facts.commands[index] = {
    ...rest,
    ...(keepConditions && { loads }),
    class: worse(command.class, cls),
    why: [...command.why.filter((one) => one !== former), why],
  };
  facts.class = worse(facts.class, cls);
  const isOption = load.files.some((file) => file.startsWith(NAMES));
  if (cls !== 'writes') facts.uncertain.push({ command: index, class: cls, why: text, ...(isOption && { anything: true }) });
  else for (const path of madeBy(load)) facts.writes.push({ path, extent: 'one', via: command.name, command: index });
  return why;
}

/** All possible paths of the file. */
function madeBy({ files, folders }: BashLoad): string[] {
  return files.flatMap((file) => absolute(file.slice(MISSING.length), folders) ?? []);
}

/** Facts for a caller that does not examine the disk: every condition that only the disk can answer counts as found. */
export function closeUnseen(facts: BashFacts): BashFacts {
  return resolveLoads(facts, (load) => (load.files.some((file) => UNSEEN.test(file)) ? whyUnseen(load) : null), true);
}

const UNSEEN = /^(?:nested|python|missing|look|names):/;

function whyUnseen({ files }: BashLoad): string {
  if (files.some((file) => file.startsWith(NAMES))) return 'may treat the name of a file as an option';
  const made = files.find((file) => file.startsWith(MISSING));
  if (made !== undefined) return `creates ${made.slice(MISSING.length)} if it is missing`;
  if (files.some((file) => file.startsWith(NESTED)))
    return 'git runs in another folder, which may be a repository whose settings run programs';
  return 'may load code that the folder provides';
}

/** If the text itself may change one of the files, the files count as found without a check of the disk. */
export function resolveOwnWrites(facts: BashFacts): BashFacts {
  if (facts.writes.length === 0 && facts.uncertain.length === 0) return facts;
  if (!facts.commands.some((command) => command.loads !== undefined)) return facts;
  const { writes, uncertain } = facts;
  const places = writes.map(placeOf);
  const makers = new Map<string, Maker[]>();
  const resolved = resolveLoads(facts, (load, program, command) => {
    const key = [...load.files, ...load.folders].join('\0');
    let known = makers.get(key);
    if (known === undefined) {
      known = makersOf(load, places);
      makers.set(key, known);
    }
    const maker = known.find((one) => one.command !== command);
    if (maker) return `${program} may run what ${maker.via} writes`;
    return uncertain.some((one) => one.command !== command) ? `${program}${AFTER_OTHERS}` : null;
  });
  return afterChecks(resolved, uncertain);
}

const AFTER_OTHERS = ' may run a file that another part of the text writes';

/**
 * `npm test; git status`: a command that is of class `runs` only because a check ran before it counts as a check. The check could
 * run the same program by itself.
 */
function afterChecks(facts: BashFacts, uncertain: BashFacts['uncertain']): BashFacts {
  const areChecks = uncertain.every((one) => one.class === 'runs' && facts.commands[one.command ?? -1]?.tags?.includes('checks'));
  if (!areChecks || uncertain.length === 0) return facts;
  const commands = facts.commands.map((command) => {
    const { class: given, tags = [], why } = command;
    const isAfter = given === 'runs' && why.length === 1 && why[0]!.text.endsWith(AFTER_OTHERS);
    return isAfter ? { ...command, tags: [...tags, 'checks' as const] } : command;
  });
  return { ...facts, commands };
}

type Maker = Pick<BashTarget, 'command' | 'via'>;

/** The first target that may be one of the files, and the first such target of another command. */
function makersOf(load: BashLoad, places: readonly TargetPlace[]): Maker[] {
  const isHook = load.files.some((file) => file.startsWith(HOOK));
  // Any name may be a module name.
  const isAny = load.files.includes(MODULE);
  const areNames = load.files.some((file) => file.startsWith(NAMES));
  const names = load.files.flatMap((file) =>
    file.startsWith(NESTED)
      ? REPOSITORY_PARTS.map((part) => [part.toLowerCase()])
      : file.startsWith(DASHED)
        ? [['.git', 'refs', 'packed-refs', 'head']]
        : [/^(?:git:|missing:|folder:)?([^#]*)/.exec(file)![1]!.toLowerCase().split('/')],
  );
  const folders = load.folders.map(settled);
  const makers: Maker[] = [];
  for (const place of places) {
    const { target } = place;
    const isMaker = areNames ? mayLookLikeOption(place) : isAny || mayMake(place, isHook, names, folders);
    if (makers[0]?.command === target.command || !isMaker) continue;
    if (makers.push(target) === 2) break;
  }
  return makers;
}

/** A target with the values that are compared. */
interface TargetPlace {
  target: BashTarget;
  path: string;
  parts: ReadonlySet<string>;
}

function placeOf(target: BashTarget): TargetPlace {
  return { target, path: settled(target.path), parts: new Set(target.path.toLowerCase().split('/')) };
}

/** False only for a single file with a name that is no option in any part. */
function mayLookLikeOption({ target, parts }: TargetPlace): boolean {
  return target.extent !== 'one' || [...parts].some((part) => LIKE_OPTION.test(part));
}

/** False only for a single file that certainly has a different name and is not a parent of the working folder. */
function mayMake({ target, path, parts }: TargetPlace, isHook: boolean, names: string[][], folders: string[]): boolean {
  // A removed file is no longer a hook. A link may add a whole folder of hooks.
  if (isHook && /^(?:rm|rmdir|find -delete|git rm|git clean)\b/.test(target.via)) return false;
  if (target.extent !== 'one' || (isHook && target.via === 'ln')) return true;
  if (folders.some((folder) => isBelow(folder, path))) return true;
  return names.some((name) => name.some((part) => parts.has(part)));
}
