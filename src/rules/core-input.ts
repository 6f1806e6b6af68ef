// The part of the facts that the core policy needs. Keys that no rule has, and values that it never reads, are removed first.
import type { CommandFacts, Facts, PathAccess, PathName } from '../model/facts.ts';
import type { CommandTables, DomainTables, OutsideTable, PathTables, RulesData, Table, TextGuard } from './index-data.ts';
import { type CanonicalRequest, leftOpen } from './question.ts';

/** A part of the facts, in the same form, that gives the same verdict. */
export type CoreInput = Record<string, unknown>;

/**
 * Returns a function that reduces facts to the part that can influence the core's decision with these rules. Only for policies
 * without custom modules, because these may read anything.
 */
export function coreInput(data: RulesData): (facts: Facts) => CoreInput {
  const wanted = wantedOf(data);
  return (facts) => JSON.parse(inputJson(facts, wanted, new Spelled())) as CoreInput;
}

/**
 * The same as a canonical request for caching. A text that no rule inspects, and that is only returned with a match, becomes a
 * placeholder. Items that differ only in such texts are merged. So calls that cannot differ in outcome have the same request.
 * Written directly as JSON, because objects would only be serialized.
 */
export function coreQuestion(data: RulesData): (facts: Facts) => CanonicalRequest {
  const wanted = wantedOf(data);
  return (facts) => {
    const said = new Left();
    return { input: inputJson(facts, wanted, said), texts: said.texts };
  };
}

/** The request together with the decisions of custom policies. */
export function withCustom({ input, texts }: CanonicalRequest, decisions: unknown[]): CanonicalRequest {
  return { input: `${input.slice(0, -1)},"custom":${JSON.stringify(decisions)}}`, texts };
}

/** How to write a text that no rule inspects. */
interface Saying {
  say(text: string): string;
  /** Each item as JSON. Items that differ only in placeholders may be merged. */
  list<T>(items: readonly T[], json: (item: T) => string): string;
  /** True if parts that are only displayed are included. */
  isWhole: boolean;
}

class Spelled implements Saying {
  readonly isWhole = true;
  say(text: string): string {
    return quoted(text);
  }
  list<T>(items: readonly T[], json: (item: T) => string): string {
    return list(items, json);
  }
}

class Left implements Saying {
  readonly isWhole = false;
  texts: string[][] = [];
  say(text: string): string {
    this.texts.push([text]);
    return leftOpen;
  }
  list<T>(items: readonly T[], json: (item: T) => string): string {
    if (items.length < 2) return list(items, json);
    const all = this.texts;
    const known = new Map<string, string[][]>();
    let whole = '';
    for (const item of items) {
      this.texts = [];
      const one = json(item);
      if (one === '') continue;
      const same = known.get(one);
      if (same === undefined) {
        known.set(one, this.texts);
        all.push(...this.texts);
        whole += whole === '' ? one : `,${one}`;
      } else for (const [at, texts] of this.texts.entries()) same[at]?.push(...texts);
    }
    this.texts = all;
    return `[${whole}]`;
  }
}

/** The keys and texts that the rules look up. */
interface Wanted {
  reads: WantedNames;
  /** For reads that are part of a write. No allow rule matches these. */
  impliedReads: WantedNames;
  writes: WantedNames;
  refused: WantedCommands;
  allowed: WantedCommands;
  domains: DomainTables | null;
  params: NonNullable<RulesData['params']> | null;
}

/** Kinds, lengths and last characters of keys. They rule out most keys without a look-up, however many rules there are. */
class Shapes {
  readonly #known = new Int32Array(kinds * lengths);

  constructor(keys: Iterable<string>) {
    for (const key of keys) this.#known[shapeOf(key)]! |= 1 << key.charCodeAt(key.length - 1);
  }

  mayHave(key: string): boolean {
    return (this.#known[shapeOf(key)]! & (1 << key.charCodeAt(key.length - 1))) !== 0;
  }
}

const kinds = 128;
const lengths = 64;

/** The first character determines the kind. */
function shapeOf(key: string): number {
  return (key.charCodeAt(0) & (kinds - 1)) * lengths + Math.min(key.length, lengths - 1);
}

interface WantedNames {
  /** By key: a path must contain one of these texts so that a pattern under the key can match. null: the key has a rule. */
  keys: ReadonlyMap<string, readonly (string | null)[]>;
  shapes: Shapes;
  /** Rules for every path are displayed with the first name. */
  first: boolean;
  /** Expressions are matched against every relative name. */
  isRead: boolean;
}

interface WantedCommands {
  keys: ReadonlySet<string>;
  guarded: ReadonlyMap<string, readonly TextGuard[]>;
  /** The text before an unknown word. */
  open: ReadonlySet<string>;
  /** For the keys of `keys` and `guarded`. */
  shapes: Shapes;
  isEmpty: boolean;
}

function wantedOf({ reads, writes, outside = [], commands, allowed, domains, params, effect }: RulesData): Wanted {
  return {
    reads: wantedNames([reads]),
    impliedReads: wantedNames([narrowing(reads, effect)]),
    writes: wantedNames([writes, ...outside]),
    refused: wantedCommands(commands),
    allowed: wantedCommands(allowed),
    domains: domains ?? null,
    params: params ?? null,
  };
}

/** The look-ups of deny and ask rules. */
function narrowing({ keys = {}, within = {}, guarded = {}, every = [] }: PathTables, effect: RulesData['effect']): PathTables {
  const narrows = (id: string): boolean => effect[id] !== 'allow';
  const kept = <T>(table: Record<string, T[]>, idOf: (one: T) => string): Record<string, T[]> =>
    Object.fromEntries(
      Object.entries(table)
        .map(([key, all]) => [key, all.filter((one) => narrows(idOf(one)))] as const)
        .filter(([, all]) => all.length > 0),
    );
  const ids = (table: Table): Table => kept(table, (id) => id);
  const folders = Object.entries(within).map(([folder, table]) => [folder, ids(table)] as const);
  return {
    keys: ids(keys),
    within: Object.fromEntries(folders.filter(([, table]) => Object.keys(table).length > 0)),
    guarded: kept(guarded, ({ id }) => id),
    ...(every.some(narrows) && { every: every.filter(narrows) }),
  };
}

/** The first name is displayed with a rule about all other files. */
function wantedNames(tables: readonly (PathTables | OutsideTable)[]): WantedNames {
  const found = new Map<string, (string | null)[]>();
  const want = (key: string, has: string | null): void => {
    const known = found.get(key);
    if (known === undefined) found.set(key, [has]);
    else if (!known.includes(has)) known.push(has);
  };
  for (const { keys = {}, within = {}, guarded = {} } of tables) {
    for (const key of Object.keys(keys)) want(key, null);
    for (const [folder, table] of Object.entries(within)) for (const key of [folder, ...Object.keys(table)]) want(key, null);
    for (const [folder, guards] of Object.entries(guarded)) for (const { has } of guards) want(folder, has);
  }
  return {
    keys: found,
    shapes: new Shapes(found.keys()),
    first: tables.some(
      (table) => 'id' in table || table.every !== undefined || ('unknown' in table && table.unknown !== undefined),
    ),
    isRead: tables.some((table) => 'expressions' in table),
  };
}

function wantedCommands({ keys = {}, guarded = {}, open = {} }: CommandTables): WantedCommands {
  const [known, guards, before] = [keys, guarded, open].map((table) => Object.keys(table)) as [string[], string[], string[]];
  return {
    keys: new Set(known),
    guarded: new Map(Object.entries(guarded)),
    open: new Set(before),
    shapes: new Shapes([...known, ...guards]),
    isEmpty: known.length + guards.length + before.length === 0,
  };
}

function inputJson(facts: Facts, wanted: Wanted, said: Saying): string {
  const { reads, writes, may_write_anywhere: parts, bash, domains, agents, skills, protections, granted } = facts;
  // Grants refer to items by their index in these lists, so the lists must not be merged.
  const accesses = (all: PathAccess[], json: (access: PathAccess) => string): string =>
    granted === undefined ? said.list(all, json) : list(all, json);
  // The writes show that the call accesses more than the session's own files.
  const writesOthers = granted === undefined && writes.some(({ own }) => own === null);
  let json = `{"tool":${toolJson(facts.tool, wanted.params)}`;
  if (reads.length > 0) {
    const kept = accesses(reads, (access) =>
      access.implied
        ? accessJson(access, wanted.impliedReads, said, writesOthers && access.own === null)
        : accessJson(access, wanted.reads, said),
    );
    if (kept !== '[]') json += `,"reads":${kept}`;
  }
  if (writes.length > 0) json += `,"writes":${accesses(writes, (access) => accessJson(access, wanted.writes, said))}`;
  if (parts !== null) json += `,"may_write_anywhere":${list(parts, partJson)}`;
  if (bash !== null) {
    // A rule that could match such a part is displayed with the text of its command.
    const shown = new Set(parts?.map((part) => (part.anything ? part.command : null)));
    const commands = bash.commands.map((command, at) => commandJson(command, wanted, said, shown.has(at)));
    json += `,"bash":{"commands":[${commands.join(',')}]}`;
  }
  if (domains.length > 0) json += `,"domains":${list(domains, (domain) => domainJson(domain, wanted.domains, said))}`;
  if (agents.length > 0) json += `,"agents":${JSON.stringify(agents)}`;
  if (skills.length > 0) json += `,"skills":${JSON.stringify(skills)}`;
  if (protections.length > 0) json += `,"protections":${JSON.stringify(protections)}`;
  if (granted !== undefined) json += `,"granted":${JSON.stringify(granted)}`;
  return `${json}}`;
}

function toolJson(tool: Facts['tool'], params: Wanted['params']): string {
  let json = `{"name":${quoted(tool.name)},"group":"${tool.group}","keys":${quotedAll(tool.keys)}`;
  if (tool.narrow_keys) json += `,"narrow_keys":${quotedAll(tool.narrow_keys)}`;
  if (tool.extra.length > 0) json += `,"extra":${JSON.stringify(tool.extra)}`;
  if (params !== null) json += askedParams(tool, params);
  return `${json}}`;
}

/** The parameters that some rule for this tool names. */
function askedParams({ keys, narrow_keys = [], params, cut = [] }: Facts['tool'], rules: NonNullable<Wanted['params']>): string {
  const asked = [...keys, ...narrow_keys]
    .flatMap((key) => Object.keys(rules[key] ?? {}))
    .filter((name) => Object.hasOwn(params, name));
  const json = `,"params":${JSON.stringify(Object.fromEntries(asked.map((name) => [name, params[name]])))}`;
  return cut.length === 0 ? json : `${json},"cut":${JSON.stringify(cut.filter((name) => asked.includes(name)))}`;
}

function partJson({ kind, command, class: given, anything }: NonNullable<Facts['may_write_anywhere']>[number]): string {
  return `{"kind":"${kind}","command":${command},"class":"${given}"${anything ? ',"anything":true' : ''}}`;
}

/**
 * Removes names that have no key of any rule. A reading without a remaining name is not covered by any rule. Returns '' for an
 * access that no rule matches, if `mayGo`.
 */
function accessJson(access: PathAccess, wanted: WantedNames, said: Saying, mayGo = false): string {
  const { names, readings, below, via, command, deep, protection, own } = access;
  /** The index of each name among the kept ones; -1 if it is removed. */
  const places: number[] = [];
  let kept = 0;
  let namesJson = '';
  for (let at = 0; at < names.length; at++) {
    const json = nameJson(names[at] as PathName, wanted, said, { isDeep: deep, isKept: wanted.first && at === 0 });
    places.push(json === '' ? -1 : kept);
    if (json !== '') namesJson += kept++ === 0 ? json : `,${json}`;
  }
  const belowJson = said.list(below, (name) => nameJson(name, wanted, said, { isDeep: false, isKept: false }));
  const isShown = access.unseen === true || access.unnamed === true || access.unknown === true;
  if (mayGo && !isShown && kept === 0 && belowJson === '[]') return '';
  let json = `{"root":"${access.root}","names":[${namesJson}],"readings":${readingsJson(readings, places)},"below":${belowJson},"command":${command}`;
  // The kind of access is displayed with the match.
  if (said.isWhole || isShown || kept > 0 || belowJson !== '[]') json += `,"via":${quoted(via)}`;
  if (said.isWhole || isShown || protection !== null) json += `,"path":${said.say(access.path)}`;
  if (deep) json += ',"deep":true';
  if (access.implied) json += ',"implied":true';
  if (access.dependency) json += ',"dependency":true';
  if (access.unseen) json += ',"unseen":true';
  if (access.unnamed) json += ',"unnamed":true';
  if (access.unknown) json += ',"unknown":true';
  if (own !== null) json += `,"own":${quoted(own)}`;
  if (protection !== null) json += `,"protection":${JSON.stringify(protection)}`;
  return `${json}}`;
}

function readingsJson(readings: PathAccess['readings'], places: readonly number[]): string {
  let json = '';
  for (const reading of readings) {
    let kept = '';
    for (const at of reading) if (places[at] !== -1) kept += kept === '' ? places[at] : `,${places[at]}`;
    json += json === '' ? `[${kept}]` : `,[${kept}]`;
  }
  return `[${json}]`;
}

/** '' if no rule looks it up. */
function nameJson(
  { path, keys }: PathName,
  wanted: WantedNames,
  said: Saying,
  { isDeep, isKept }: { isDeep: boolean; isKept: boolean },
): string {
  const useful: string[] = [];
  let isRead = wanted.isRead && path !== '' && !path.startsWith('/');
  for (const key of keys) {
    const found = wanted.shapes.mayHave(key) ? wanted.keys.get(key) : undefined;
    if (found === undefined) continue;
    const isTried = found.some((has) => has !== null && path.includes(has));
    if (isTried) isRead = true;
    if (isTried || found.includes(null)) useful.push(key);
  }
  // A recursive access is also looked up by its path.
  if (isDeep && wanted.keys.has(`<${path}`)) isRead = true;
  if (!isRead && !isKept && useful.length === 0) return '';
  return `{"path":${isRead ? quoted(path) : said.say(path)},"keys":${quotedAll(useful)}}`;
}

/** An empty object for a command that no rule can match and that is not displayed. */
function commandJson(command: CommandFacts, { refused, allowed }: Wanted, said: Saying, isShown: boolean): string {
  const narrows = refused.isEmpty ? null : refusedOf(command, refused);
  const text = command.top && command.name !== '' ? command.text : null;
  const allows = allowed.isEmpty ? [] : usefulKeys(command.allow_keys, allowed, (head) => text?.startsWith(head) ?? false);
  const isAllowRead = allows.some((key) => allowed.guarded.has(key));
  if (narrows === null && allows.length === 0 && !isShown) return '{}';
  let json = `{"text":${isAllowRead ? quoted(command.text) : said.say(command.text)}`;
  if (narrows !== null) json += narrows;
  if (allows.length > 0) json += `,"allow_keys":${quotedAll(allows)}`;
  if (isAllowRead && text !== null) json += `,"top":true,"name":${quoted(command.name)}`;
  return `${json}}`;
}

function refusedOf({ keys, spellings, open_prefixes: prefixes }: CommandFacts, refused: WantedCommands): string | null {
  const starts = (head: string): boolean =>
    spellings.some((text) => text.startsWith(head)) || prefixes.some((prefix) => prefix.startsWith(head));
  const useful = usefulKeys(keys, refused, starts);
  const isRead = useful.some((key) => refused.guarded.has(key));
  const open = prefixes.filter((prefix) => isRead || refused.open.has(prefix));
  if (useful.length === 0 && open.length === 0) return null;
  let json = '';
  if (useful.length > 0) json += `,"keys":${quotedAll(useful)}`;
  if (isRead) json += `,"spellings":${quotedAll(spellings)}`;
  if (open.length > 0) json += `,"open_prefixes":${quotedAll(open)}`;
  return json;
}

/** Keys of rules, and of patterns with the same start as the command. */
function usefulKeys(keys: readonly string[], wanted: WantedCommands, starts: (head: string) => boolean): string[] {
  const useful: string[] = [];
  for (const key of keys) {
    if (!wanted.shapes.mayHave(key)) continue;
    if (wanted.keys.has(key) || wanted.guarded.get(key)?.some(({ head }) => starts(head))) useful.push(key);
  }
  return useful;
}

function domainJson({ host, labels }: Facts['domains'][number], tables: DomainTables | null, said: Saying): string {
  const isNamed = tables?.exact !== undefined && Object.hasOwn(tables.exact, host);
  const isBelow = tables?.below !== undefined && labels.some((label, at) => at > 0 && Object.hasOwn(tables.below!, label));
  return `{"host":${isNamed ? quoted(host) : said.say(host)}${isBelow ? `,"labels":${JSON.stringify(labels)}` : ''}}`;
}

/** Omits items that are ''. */
function list<T>(items: readonly T[], json: (item: T) => string): string {
  let all = '';
  for (const item of items) {
    const one = json(item);
    if (one !== '') all += all === '' ? one : `,${one}`;
  }
  return `[${all}]`;
}

/** A list of texts as JSON. */
function quotedAll(texts: readonly string[]): string {
  return list(texts, quoted);
}

const quote = 0x22;
const backslash = 0x5c;

/** A text as JSON. Most texts need no escapes, and checking that is faster than a call of JSON.stringify. */
function quoted(text: string): string {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || code > 0x7e || code === quote || code === backslash) return JSON.stringify(text);
  }
  return `"${text}"`;
}
