// Rules → index data: each pattern becomes the cheapest exact look-up, so that cost does not grow with the number of rules.

import { agentParam, foldedAgent } from '../config/agent-names.ts';
import { otherRules } from '../config/skill-names.ts';
import { serverKey, serversIn } from '../facts/mcp-names.ts';
import { commandKey, maxPrefixWords } from '../facts/paths/keys.ts';
import type { Default, Layer } from '../model/configuration.ts';
import type { BashRule, CommandPattern, EveryRule, PathRule, Rule, TextGlob } from '../model/rule.ts';
import { openWords, optionRuleKey } from '../shell/option-sets.ts';
import { SCRIPT, UNKNOWN_SCRIPT } from '../shell/scripts.ts';
import { inAnyCase } from './folded.ts';
import type {
  CommandTables,
  DomainTables,
  Ids,
  NameTables,
  ParamTables,
  PathTables,
  RulesData,
  TextGuard,
} from './index-data.ts';
import { strengths } from './index-data.ts';
import { addPath, literalFolder, lowerOutside } from './lower-paths.ts';
import { firstWord, isNaming } from './naming.ts';
import { anyExpression, pathExpression, textExpression, toRegExp } from './regex.ts';
import { dictionary, push } from './tables.ts';

export interface LowerOptions {
  /** `permissions.default` of each layer that sets it. */
  defaults: readonly { layer: Layer; value: Default }[];
  /** False: allow rules of project and local yield pass, and override only the defaults of their own layer. */
  trusted: boolean;
}

/** Maximum number of rules under one key of `open` and in `sample`: enough to name, and small enough for a decision. */
const maxSample = 8;

/** The index data of the rules of one mode. Pure. The order of rules determines the order of ids within a table. */
export function lowerRules(rules: readonly Rule[], { defaults, trusted }: LowerOptions): RulesData {
  const data = emptyData(trusted);
  for (const { layer, value } of defaults) addDefault(data, layer, value);
  for (const rule of rules) {
    data.effect[rule.id] = rule.effect;
    data.layer[rule.id] = rule.layer;
    if (rule.effect === 'allow') {
      data.strength[rule.id] = strengthOf(rule.layer, trusted);
      if (isNaming(rule)) data.naming[rule.id] = true;
    } else if (rule.layer !== 'builtin' && isAboutWrites(rule)) {
      data.guards_writes = Math.max(data.guards_writes ?? 0, isOfProject(rule.layer) ? strengths.untrusted : strengths.project);
    }
    addRule(data, rule);
  }
  addSample(data.reads, rules, 'read');
  addSample(data.writes, rules, 'write');
  const { open } = data.commands;
  if (open) for (const [key, ids] of Object.entries(open)) open[key] = sampleOf(ids, data);
  return data;
}

function emptyData(trusted: boolean): RulesData {
  return {
    version: 1,
    effect: dictionary(),
    layer: dictionary(),
    strength: dictionary(),
    naming: dictionary(),
    only: dictionary(),
    bases: dictionary(),
    loose: dictionary(),
    default: {},
    lifts: {},
    trusted,
    reads: {},
    writes: {},
    commands: {},
    allowed: {},
    tools: {},
  };
}

function isOfProject(layer: Layer): boolean {
  return layer === 'project' || layer === 'local' || layer === 'builtin';
}

/** The strength of an allow of a layer. */
export function strengthOf(layer: Layer, trusted: boolean): number {
  if (layer === 'managed' || layer === 'user') return strengths[layer];
  return trusted || layer === 'builtin' ? strengths.project : strengths.untrusted;
}

const breadth: readonly Default[] = ['pass', 'ask', 'deny'];

function addDefault(data: RulesData, layer: Layer, value: Default): void {
  const before = data.default[layer] ?? 'pass';
  data.default[layer] = breadth[Math.max(breadth.indexOf(before), breadth.indexOf(value))] as Default;
  if (value === 'pass') return;
  // The project's own allow rule overrides the project's default even while the project is not trusted.
  const needed = isOfProject(layer) ? strengths.untrusted : strengths[layer as 'user' | 'managed'];
  data.lifts[value] = Math.max(data.lifts[value] ?? 0, needed);
}

/** True for a rule that can match writes of any tool. A rule for one tool's argument is not included. */
function isAboutWrites(rule: Rule): boolean {
  if (rule.kind === 'write') return rule.only === null;
  if (rule.kind === 'outside') return true;
  if (rule.kind === 'tool-glob') return rule.bare.some(([, access]) => access === 'write');
  return (rule.kind === 'every' && rule.access === 'write') || (rule.kind === 'bash-class' && rule.class === 'writes');
}

function addRule(data: RulesData, rule: Rule): void {
  const commands = rule.effect === 'allow' ? data.allowed : data.commands;
  switch (rule.kind) {
    case 'tool':
      addTool(data, rule.name, rule.id);
      if (rule.name === 'Bash') push(commands, 'keys', commandKey.every, rule.id);
      return;
    case 'server':
      push(data.tools, 'exact', serverKey(rule.server.slice('mcp__'.length)), rule.id);
      return;
    case 'tool-glob':
      addNameGlob(data.tools, rule.glob, rule.id);
      for (const [tool, access] of rule.bare) addEvery(data, { id: rule.id, access, tool, group: null });
      return;
    case 'group':
      push(data.tools, 'group', rule.group, rule.id);
      return;
    case 'every':
      addEvery(data, rule);
      return;
    case 'read':
    case 'write':
      addPaths(data, rule.kind === 'read' ? data.reads : data.writes, rule);
      return;
    case 'scratch': {
      const tables = rule.access === 'read' ? data.reads : data.writes;
      tables.scratch ??= [];
      tables.scratch.push(rule.id);
      return;
    }
    case 'outside':
      data.outside ??= [];
      data.outside.push(lowerOutside(rule));
      return;
    case 'unknown-read':
      data.reads.unknown ??= [];
      data.reads.unknown.push(rule.id);
      return;
    case 'bash':
      addCommand(commands, rule);
      if (rule.only !== null) data.only[rule.id] = rule.only;
      if (rule.param !== undefined) addParam(data, 'Bash', rule.param, { pieces: ['', ''] }, rule.id);
      return;
    case 'bash-class':
      push(commands, 'keys', commandKey.class(rule.class), rule.id);
      return;
    case 'domain':
      data.domains ??= {};
      addDomain(data.domains, rule.form, rule.host, rule.id);
      return;
    case 'agent':
    case 'skill': {
      const table = `${rule.kind}s` as const;
      data[table] ??= {};
      addNameGlob(data[table], rule.name, rule.id);
      // An allow rule matches only the exact name, because another agent may have the folded one.
      if (rule.kind === 'agent' && rule.effect !== 'allow')
        addParam(data, 'Agent', agentParam, { pieces: rule.name.pieces.map(foldedAgent) }, rule.id);
      if (rule.kind === 'skill' && rule.effect !== 'allow')
        for (const { param, pieces } of otherRules(rule.name.pieces)) addParam(data, 'Skill', param, { pieces }, rule.id);
      return;
    }
    case 'param':
      addParam(data, rule.tool, rule.param, rule.value, rule.id);
      return;
    default:
      throw new Error(`unknown rule ${JSON.stringify(rule satisfies never)}`);
  }
}

/** Bash rules also apply to Monitor. */
function addTool(data: RulesData, name: string, id: string): void {
  for (const tool of name === 'Bash' ? ['Bash', 'Monitor'] : [name]) push(data.tools, 'exact', tool, id);
}

function addEvery(data: RulesData, rule: Pick<EveryRule, 'id' | 'access' | 'tool' | 'group'>): void {
  if (rule.access === 'command') push(data.commands, 'keys', commandKey.every, rule.id);
  else {
    const tables = rule.access === 'read' ? data.reads : data.writes;
    tables.every ??= [];
    tables.every.push(rule.id);
  }
  if (rule.group !== null) push(data.tools, 'group', rule.group, rule.id);
  if (rule.tool !== null) addTool(data, rule.tool, rule.id);
  // PowerShell is not analyzed, but it also runs commands.
  if (rule.tool === 'Bash') addTool(data, 'PowerShell', rule.id);
}

function addPaths(data: RulesData, tables: PathTables, rule: PathRule): void {
  for (const pattern of rule.effect === 'allow' ? rule.paths : inAnyCase(rule.paths)) addPath(tables, pattern, rule.id);
  const bases = rule.paths.filter(({ base }) => base === 'absolute').map(literalFolder);
  if (bases.length > 0) data.bases[rule.id] = bases;
  if (!rule.paths.some(({ rooted }) => rooted)) data.loose[rule.id] = true;
  if (rule.only !== null) data.only[rule.id] = rule.only;
  if (rule.except !== undefined) {
    data.except ??= dictionary();
    data.except[rule.id] = anyExpression(rule.except.map(pathExpression));
  }
}

function addSample(tables: PathTables, rules: readonly Rule[], kind: 'read' | 'write'): void {
  const restricts = rules.filter((rule): rule is PathRule => rule.kind === kind && rule.effect !== 'allow');
  const ids = [...restricts.filter(({ effect }) => effect === 'deny'), ...restricts.filter(({ effect }) => effect === 'ask')].map(
    ({ id }) => id,
  );
  if (ids.length > 0) tables.sample = ids.slice(0, maxSample);
}

function sampleOf(ids: Ids, data: RulesData): Ids {
  if (ids.length <= maxSample) return ids;
  const order = (id: string): number => (data.only[id] === undefined ? 0 : 2) + (data.effect[id] === 'deny' ? 0 : 1);
  return [...ids].sort((a, b) => order(a) - order(b)).slice(0, maxSample);
}

function addCommand(tables: CommandTables, { commands, options = [], effect, id }: BashRule): void {
  for (const one of options) {
    push(tables, 'keys', commandKey.options(optionRuleKey(one)), id);
    if (!one.isPlain) push(tables, 'open', one.words, id);
    else if (one.options.length > 0) push(tables, 'open', openWords(one.words), id);
    if (one.words.startsWith(`${SCRIPT} `)) push(tables, 'open', UNKNOWN_SCRIPT, id);
  }
  for (const command of commands) {
    addSpelling(tables, command, id);
    if (effect !== 'allow') addOpen(tables, command, id);
  }
}

function addSpelling(tables: CommandTables, command: CommandPattern, id: string): void {
  if (command.form === 'exact') push(tables, 'keys', commandKey.whole(command.text), id);
  else if (command.form === 'prefix' && command.text.split(' ').length <= maxPrefixWords)
    push(tables, 'keys', commandKey.prefix(command.text), id);
  else {
    const word = firstWord(command);
    pushGuard(tables, word === null ? commandKey.every : commandKey.prefix(word), commandGuard(command, id));
  }
}

function pushGuard(tables: { guarded?: Record<string, TextGuard[]> }, key: string, guard: TextGuard): void {
  tables.guarded ??= dictionary();
  tables.guarded[key] ??= [];
  (tables.guarded[key] as TextGuard[]).push(guard);
}

function commandGuard(command: Exclude<CommandPattern, { form: 'exact' }>, id: string): TextGuard {
  if (command.form === 'prefix') return { id, head: command.text, expression: textExpression([command.text], true) };
  return textGuard(command.pieces, command.boundary, id);
}

function textGuard(pieces: string[], boundary: boolean, id: string): TextGuard {
  const head = pieces[0] as string;
  // The head alone decides for `head*`. The same is true of `head* ` with a boundary.
  const expression = pieces.length === 2 && pieces[1] === '' && !boundary ? '' : textExpression(pieces, boundary);
  if (expression !== '') toRegExp(expression);
  return { id, head, expression };
}

/** Adds the rule under every word prefix that an unknown word could complete to its command. */
function addOpen(tables: CommandTables, command: CommandPattern, id: string): void {
  const text = command.form === 'glob' ? (command.pieces[0] as string) : command.text;
  push(tables, 'open', '', id);
  for (let at = text.indexOf(' '); at !== -1; at = text.indexOf(' ', at + 1)) push(tables, 'open', text.slice(0, at), id);
}

function addNameGlob(tables: NameTables, { pieces }: TextGlob, id: string): void {
  if (pieces.length === 1) push(tables, 'exact', pieces[0] as string, id);
  else {
    const keys = serversIn(pieces[0] as string).map(serverKey);
    for (const key of keys.length > 0 ? keys : ['*']) pushGuard(tables, key, textGuard(pieces, false, id));
  }
}

function addDomain(tables: DomainTables, form: 'exact' | 'below' | 'any', host: string, id: string): void {
  if (form === 'any') {
    tables.any ??= [];
    tables.any.push(id);
  } else push(tables, form, host, id);
}

function addParam(data: RulesData, tool: string, param: string, { pieces }: TextGlob, id: string): void {
  data.params ??= dictionary();
  data.params[tool] ??= dictionary();
  const params = data.params[tool] as Record<string, ParamTables>;
  params[param] ??= {};
  const tables = params[param] as ParamTables;
  if (pieces.length === 1) push(tables, 'exact', pieces[0] as string, id);
  else {
    tables.guarded ??= [];
    tables.guarded.push(textGuard(pieces, false, id));
  }
}
