// What the core policy needs of the facts: keys that no rule has, and what it never looks at, are left out before it is asked.
import { pathKey } from '../tools/keys.ts';
import type { CommandFacts, Facts, PathAccess, PathName } from '../tools/types.ts';
import type { CommandTables, PathTables, RulesData } from './index-data.ts';

/** A part of the facts, in their own form, that gives the same verdict. */
export type CoreInput = Record<string, unknown>;

/**
 * Makes the function that cuts facts down to what the core can be decided by with these rules. For policies without custom
 * modules, which may look at anything. Reading the input is most of what a verdict costs.
 */
export function coreInput(data: RulesData): (facts: Facts) => CoreInput {
  const reads = wantedNames(data.reads);
  const writes = (data.outside ?? []).map(wantedNames).reduce(joinWanted, wantedNames(data.writes));
  const refused = new Set(commandKeys(data.commands));
  const allowed = new Set(commandKeys(data.allowed));
  const { params } = data;
  const hasDomains = data.domains !== undefined;

  return (facts) => {
    const { tool, bash } = facts;
    const input: CoreInput = {
      tool: {
        name: tool.name,
        group: tool.group,
        keys: tool.keys,
        ...(tool.narrow_keys && { narrow_keys: tool.narrow_keys }),
        ...(tool.extra.length > 0 && { extra: tool.extra }),
        ...(params !== undefined && askedParams(tool, params)),
      },
    };
    if (facts.reads.length > 0) input.reads = facts.reads.map((access) => leanAccess(access, reads));
    if (facts.writes.length > 0) input.writes = facts.writes.map((access) => leanAccess(access, writes));
    if (facts.may_write_anywhere !== null) {
      input.may_write_anywhere = facts.may_write_anywhere.map((part) => ({
        kind: part.kind,
        command: part.command,
        class: part.class,
      }));
    }
    if (bash !== null) input.bash = { commands: bash.commands.map((command) => leanCommand(command, refused, allowed)) };
    if (facts.domains.length > 0) input.domains = hasDomains ? facts.domains : facts.domains.map(({ host }) => ({ host }));
    if (facts.agents.length > 0) input.agents = facts.agents;
    if (facts.skills.length > 0) input.skills = facts.skills;
    if (facts.protections.length > 0) input.protections = facts.protections;
    if (facts.granted !== undefined) input.granted = facts.granted;
    return input;
  };
}

/** The parameters that some rule for this tool is about. */
function askedParams(
  { keys, narrow_keys = [], params, cut = [] }: Facts['tool'],
  rules: NonNullable<RulesData['params']>,
): CoreInput {
  const asked = [...keys, ...narrow_keys]
    .flatMap((key) => Object.keys(rules[key] ?? {}))
    .filter((name) => Object.hasOwn(params, name));
  return {
    params: Object.fromEntries(asked.map((name) => [name, params[name]])),
    ...(cut.length > 0 && { cut: cut.filter((name) => asked.includes(name)) }),
  };
}

/** What is looked up of a path. */
interface Wanted {
  keys: ReadonlySet<string>;
  /** Rules for every path are shown with the first name. */
  first: boolean;
}

function wantedNames({ keys = {}, within = {}, guarded = {}, every }: PathTables): Wanted {
  const inner = Object.entries(within).flatMap(([folder, table]) => [folder, ...Object.keys(table)]);
  return { keys: new Set([...Object.keys(keys), ...inner, ...Object.keys(guarded)]), first: every !== undefined };
}

/** The first name is what a rule about all other files is shown with; expressions are tried on every relative name. */
function joinWanted({ keys }: Wanted, more: Wanted): Wanted {
  return { keys: new Set([...keys, ...more.keys, pathKey.under('')]), first: true };
}

function commandKeys({ keys = {}, guarded = {} }: CommandTables): string[] {
  return [...Object.keys(keys), ...Object.keys(guarded)];
}

/** Names without a key that a rule has are dropped; a reading left without a name is one that nothing covers. */
function leanAccess(access: PathAccess, { keys: wanted, first }: Wanted): CoreInput {
  const kept: (number | null)[] = [];
  const names: PathName[] = [];
  access.names.forEach(({ path, keys }, at) => {
    const useful = keys.filter((key) => wanted.has(key));
    // An extent is looked up by its path too.
    const isKept = useful.length > 0 || access.deep || (first && at === 0);
    kept.push(isKept ? names.push({ path, keys: useful }) - 1 : null);
  });
  const lean: CoreInput = {
    path: access.path,
    root: access.root,
    names,
    readings: access.readings.map((reading) => reading.map((at) => kept[at]).filter((at) => at !== null)),
    below: access.below.map(({ path, keys }) => ({ path, keys: keys.filter((key) => wanted.has(key)) })),
    via: access.via,
    command: access.command,
  };
  if (access.deep) lean.deep = true;
  if (access.implied) lean.implied = true;
  if (access.dependency) lean.dependency = true;
  if (access.unseen) lean.unseen = true;
  if (access.unnamed) lean.unnamed = true;
  if (access.own !== null) lean.own = access.own;
  if (access.protection !== null) lean.protection = access.protection;
  return lean;
}

/** What no rule and no unknown word is about is there, and nothing more. */
function leanCommand(command: CommandFacts, refused: ReadonlySet<string>, allowed: ReadonlySet<string>): CoreInput {
  const keys = command.keys.filter((key) => refused.has(key));
  const allowKeys = command.allow_keys.filter((key) => allowed.has(key));
  const isOpen = command.open_prefixes.length > 0;
  if (keys.length === 0 && allowKeys.length === 0 && !isOpen) return {};
  const lean: CoreInput = { text: command.text };
  if (keys.length > 0) Object.assign(lean, { keys, spellings: command.spellings });
  if (allowKeys.length > 0) {
    lean.allow_keys = allowKeys;
    if (command.top && command.name !== '') Object.assign(lean, { top: true, name: command.name });
  }
  if (isOpen) lean.open_prefixes = command.open_prefixes;
  return lean;
}
