// The part of the facts that the core policy reads, as one plain object. Each path has keys for all its folders under each of its names.
// Only the keys of some rule are kept, so that a call with many paths does not fill the memory of every policy that is asked about it.
import type { CommandFacts, Facts, PathAccess, PathName } from '../model/facts.ts';
import type { OutsideTable, PathTables, RulesData } from './index-data.ts';

/** The verdict on this object is the verdict on the facts. Custom modules may read anything, so they get the facts. */
export type CoreInput = Record<string, unknown>;

/** Returns a function that reduces facts to what the core can read with these rules. */
export function coreInput(rules: RulesData): (facts: Facts) => CoreInput {
  const { reads: readTables, writes: writeTables, outside = [], commands, allowed } = rules;
  const readKeys = new PathKeys(readTables);
  const writeKeys = new PathKeys(writeTables, ...outside);
  const toRefuse = keysOf(commands.keys, commands.guarded);
  const toAllow = keysOf(allowed.keys, allowed.guarded);
  const open = keysOf(commands.open);
  const inputOf = (command: CommandFacts, isShown: boolean): object => {
    const { name, top, text, spellings, open_prefixes: prefixes } = command;
    const keys = command.keys.filter((key) => toRefuse.has(key));
    const allowKeys = command.allow_keys.filter((key) => toAllow.has(key));
    if (keys.length > 0 || allowKeys.length > 0 || prefixes.some((prefix) => open.has(prefix)))
      return { name, top, text, keys, allow_keys: allowKeys, spellings, open_prefixes: prefixes };
    return isShown ? { text } : {};
  };
  return ({ tool, reads, writes, may_write_anywhere: parts, bash, domains, agents, skills, protections, granted }) => {
    // A rule that could match such a part is displayed with the text of its command.
    const shown = new Set(parts?.map(({ anything, command }) => (anything ? command : null)));
    return {
      tool: toolInput(tool, rules.params),
      reads: reads.map((access) => accessInput(access, readKeys, readTables.scratch !== undefined)),
      writes: writes.map((access) => accessInput(access, writeKeys, outside.length > 0 || writeTables.scratch !== undefined)),
      may_write_anywhere: parts?.map(({ kind, command, class: given, anything }) => ({ kind, command, class: given, anything })),
      bash: bash === null ? undefined : { commands: bash.commands.map((command, at) => inputOf(command, shown.has(at))) },
      domains,
      agents,
      skills,
      protections,
      granted,
    };
  };
}

/** Without parameters that no rule for this tool names. The tool's whole input is for custom modules only. */
function toolInput(
  { name, group, keys, narrow_keys, extra, params, cut = [] }: Facts['tool'],
  rules: RulesData['params'],
): object {
  const named = keysOf(...[...keys, ...(narrow_keys ?? [])].map((key) => rules?.[key]));
  return {
    name,
    group,
    keys,
    narrow_keys,
    extra,
    params: Object.fromEntries(Object.entries(params).filter(([param]) => named.has(param))),
    cut: cut.filter((param) => named.has(param)),
  };
}

/**
 * With `isWhole`, each name is kept. Rules for scratch files and for all other paths are not found by a key, and their reasons show
 * the name.
 */
function accessInput(access: PathAccess, keys: PathKeys, isWhole: boolean): object {
  return Object.assign({}, access, {
    real: undefined,
    // The first name is displayed with a rule for every path. A recursive access is also looked up by its path.
    names: access.names.map(
      (name, at) => nameInput(name, keys) ?? (isWhole || access.deep || at === 0 ? { path: name.path } : {}),
    ),
    below: access.below.map((name) => nameInput(name, keys)).filter((name) => name !== null),
  });
}

/** Null if no rule has a key of the name. */
function nameInput({ path, keys }: PathName, known: PathKeys): PathName | null {
  const ruleKeys = keys.filter((key) => known.has(key));
  return ruleKeys.length === 0 ? null : { path, keys: ruleKeys };
}

/** The keys of rules about paths. First character and length rule most keys out, so that many rules cost no more than few. */
class PathKeys {
  readonly #keys: ReadonlySet<string>;
  readonly #shapes: ReadonlySet<number>;

  constructor(...tables: (PathTables | OutsideTable)[]) {
    this.#keys = keysOf(...tables.flatMap(({ keys, guarded, within = {} }) => [keys, guarded, within, ...Object.values(within)]));
    this.#shapes = new Set([...this.#keys].map(shapeOf));
  }

  has(key: string): boolean {
    return this.#shapes.has(shapeOf(key)) && this.#keys.has(key);
  }
}

/** Equal keys have the same number. */
function shapeOf(key: string): number {
  return key.length * 128 + (key.charCodeAt(0) % 128);
}

function keysOf(...tables: readonly (object | undefined)[]): Set<string> {
  return new Set(tables.flatMap((table = {}) => Object.keys(table)));
}
