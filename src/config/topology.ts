// Reads modes.yaml: its modes and transitions, and every problem in it.

import type { ConfigFile, Mode, OwnCommand, ToolArguments, Topology, Transition } from '../model/configuration.ts';
import type { Problem } from '../model/problem.ts';
import type { FolderLayer } from '../platform/layer-folders.ts';
import { nearest } from '../platform/nearest-name.ts';
import { foldedAgent } from './agent-names.ts';
import { checkSchema } from './check.ts';
import { basesOf } from './inherit.ts';
import { readCi, readHeadless, readModeKeys } from './mode-keys.ts';
import { getEntry, getItems, getText, type MapEntry, type Node } from './node.ts';
import { openFindings, type Report } from './report.ts';
import { readRequirement } from './requirements.ts';
import { serverKinds } from './server-kinds.ts';
import { locate, openText, quote, type SourceText } from './text.ts';
import { clientName } from './tool-names.ts';
import { ARGUMENT_ROLES, COMMAND_CLASSES, SCOPES, TOOL_PATTERN, TOPOLOGY } from './topology-schema.ts';
import { readProtected, readProtocols } from './work.ts';
import { parseYaml } from './yaml.ts';

export interface TopologyReading {
  /** Null if there is any error. */
  topology: Topology | null;
  /** The readable part, also with errors. It is used to find more problems and never applies. */
  draft: Topology | null;
  /** Names of all modes that could be read, also with errors. Null if not even the names are known. */
  names: ReadonlySet<string> | null;
  problems: Problem[];
}

/** Reads modes.yaml. Never throws. */
export function readTopology(file: ConfigFile, layer: FolderLayer = 'project'): TopologyReading {
  const source = openText(file.name, file.text);
  const { problems, report, isBroken } = openFindings(source);
  const node = parseYaml(source, report);
  if (node === null) return { topology: null, draft: null, names: null, problems };
  checkSchema(node, TOPOLOGY, report);
  const modes = readModes(node, source, layer, report);
  const names = getEntry(node, 'modes')?.value.kind === 'map' ? new Set(modes.keys()) : null;
  if (names !== null) checkReferences(node, names, report);
  for (const item of getItems(node, 'commands')) checkCommand(item, report);
  for (const { value } of getEntries(node, 'servers')) checkServer(value, report);
  const ci = getEntry(node, 'ci');
  if (ci !== null && layer === 'project') {
    const remedy = 'Write it into ~/.claude/modes.yaml, or into that of the organization.';
    report('E_CI_LAYER', 'A project cannot weaken its own rules in CI.', remedy, ci.keySpan);
  }
  const headless = getEntry(node, 'headless');
  if (headless !== null && layer === 'project') {
    const remedy = 'Write it into ~/.claude/modes.yaml, or into that of the organization.';
    const message = 'A project cannot weaken its own rules in sessions without a person to ask.';
    report('E_HEADLESS_LAYER', message, remedy, headless.keySpan);
  }
  checkExtends(node, modes, report);
  const protocols = readProtocols(node, source, report);
  const broken = isBroken();
  if (!broken) checkTransitions(node, modes, report);
  const draft: Topology = {
    name: getText(node, 'name') ?? '',
    default: getText(node, 'default') ?? '',
    modes,
    scope: SCOPES.find((scope) => scope === getText(node, 'scope')) ?? 'project',
    ci: readCi(node),
    headless: readHeadless(node),
    stop: readStop(getEntry(node, 'stop')?.value ?? null),
    protocols,
    protectedBranches: readProtected(node),
    commands: getItems(node, 'commands').map(readCommand),
    arguments: [...getEntries(node, 'arguments').map(readArguments), ...getEntries(node, 'servers').flatMap(readServer)],
  };
  return { topology: broken ? null : draft, draft, names, problems };
}

function readStop(node: Node | null): Topology['stop'] {
  if (node?.kind !== 'map') return null;
  const phrases = getItems(node, 'phrases').flatMap((item) => (item.kind === 'text' ? [item.value.trim()] : []));
  return { phrases, to: getText(node, 'to') };
}

/** Each mode has its own policy, which must be compiled before the first call is decided. */
const MAX_MODES = 200;

function readModes(node: Node, source: SourceText, layer: FolderLayer, report: Report): Map<string, Mode> {
  const modes = new Map<string, Mode>();
  const body = getEntry(node, 'modes')?.value;
  if (body?.kind !== 'map') return modes;
  const beyond = body.entries[MAX_MODES];
  if (beyond !== undefined)
    report('E_TOO_MANY_MODES', `There are more than ${MAX_MODES} modes.`, 'Remove or combine modes.', beyond.keySpan);
  for (const { key, keySpan, value } of body.entries.slice(0, MAX_MODES)) {
    modes.set(key, {
      name: key,
      ...readModeKeys(value, source, layer, report),
      transitions: getItems(value, 'transitions').map((item) => readTransition(item, source, report)),
      source: locate(source, keySpan.start),
    });
  }
  return modes;
}

function readTransition(item: Node, source: SourceText, report: Report): Transition {
  return {
    to: getText(item, 'to') ?? '',
    constraint: getText(item, 'constraint'),
    require: getItems(item, 'require').flatMap((one) => readRequirement(one, source, report) ?? []),
    approve: getText(item, 'approve') === 'human' ? 'human' : null,
    triggers: getItems(item, 'triggers').flatMap((one) => (one.kind === 'text' ? [one.value.trim()] : [])),
    source: locate(source, item.span.start),
  };
}

function readCommand(item: Node): OwnCommand {
  const network = getEntry(item, 'network')?.value;
  return {
    match: (getText(item, 'match') ?? '').split(/\s+/).join(' '),
    class: COMMAND_CLASSES.find((one) => one === getText(item, 'class')) ?? 'unknown',
    ...readOperands(item, 'reads'),
    ...readOperands(item, 'writes'),
    ...(network?.kind === 'boolean' ? { network: network.shown === 'true' } : {}),
  };
}

function getEntries(node: Node, key: string): MapEntry[] {
  const value = getEntry(node, key)?.value;
  return value?.kind === 'map' ? value.entries : [];
}

function readArguments({ key, value }: MapEntry): ToolArguments {
  const entries = value.kind === 'map' ? value.entries : [];
  return {
    tool: clientName(key),
    roles: entries.flatMap((entry) => {
      const role = ARGUMENT_ROLES.find((one) => entry.value.kind === 'text' && one === entry.value.value);
      return role === undefined ? [] : [{ argument: entry.key, role }];
    }),
  };
}

/** The tools of a server that only read, or that only write the files that their arguments name. */
function readServer({ key, value }: MapEntry): ToolArguments[] {
  const kind = getText(value, 'kind') ?? '';
  const named = getItems(value, 'reads').flatMap((item) => (item.kind === 'text' ? [item.value.trim()] : []));
  const known = Object.hasOwn(serverKinds, kind) ? serverKinds[kind]! : [];
  const server = `mcp__${clientName(key)}__`;
  const reader = (tool: string): ToolArguments => ({
    tool: server + tool.split('*').map(clientName).join('*'),
    roles: [],
    readsOnly: true,
  });
  const listed = known.map((one): ToolArguments => {
    const [, tool = '', query, names = '', writes] = /^([^!?>]+)(?:\?(\w+))?((?:!\w+)*)(?:>([\w,]+))?$/.exec(one)!;
    const listedBy = { server: key, kind };
    if (writes !== undefined)
      return { tool: reader(tool).tool, roles: writes.split(',').map((argument) => ({ argument, role: 'write' })), listedBy };
    const unless = names.split('!').filter(Boolean);
    return {
      ...reader(tool),
      listedBy,
      ...(query !== undefined && { query }),
      ...(unless.length > 0 && { unless }),
    };
  });
  return [...listed, ...named.map(reader)];
}

function readOperands<K extends 'reads' | 'writes'>(item: Node, key: K): Partial<Pick<OwnCommand, K>> {
  const value = getEntry(item, key)?.value;
  if (value?.kind === 'text') return { [key]: 'all' } as Partial<Pick<OwnCommand, K>>;
  if (value?.kind !== 'list') return {};
  return { [key]: value.items.map((one) => (one.kind === 'number' ? Number(one.shown) : 0)) } as Partial<Pick<OwnCommand, K>>;
}

function checkServer(server: Node, report: Report): void {
  for (const item of getItems(server, 'reads')) {
    if (item.kind !== 'text' || TOOL_PATTERN.test(item.value)) continue;
    const remedy = 'Write it as the server does: letters, digits, _, - and dots; * stands for any part of it.';
    report('E_SERVER_NAME', `${quote(item.value)} is not the name of a tool.`, remedy, item.span);
  }
}

/** A declared command must begin with a literal word. If its class is `writes`, it must name what it writes. */
function checkCommand(item: Node, report: Report): void {
  const match = getEntry(item, 'match');
  const text = getText(item, 'match');
  if (match && text !== null && !/^[^\s*]+(\s+(\*|[^\s*]+))*$/.test(text)) {
    report(
      'E_COMMAND_MATCH',
      `${quote(text)} does not name a command.`,
      'Write words, the first one literal; "*" matches a whole word.',
      match.value.span,
    );
  }
  const kind = getEntry(item, 'class');
  const writes = getEntry(item, 'writes');
  if (kind && getText(item, 'class') === 'writes' && writes === null) {
    report(
      'E_COMMAND_TARGETS',
      'The class is "writes", but no operand is declared as written.',
      'Add "writes", or use the class "unknown".',
      kind.value.span,
    );
  }
  if (writes && getText(item, 'class') === 'read-only') {
    report(
      'E_COMMAND_TARGETS',
      'The class is "read-only", but operands are declared as written.',
      'Use the class "writes".',
      writes.keySpan,
    );
  }
}

/** Every named mode must exist, and a mode has at most one transition to another. */
function checkReferences(node: Node, names: ReadonlySet<string>, report: Report): void {
  checkName(getEntry(node, 'default')?.value, (name) => `The default mode ${name} does not exist.`, names, report);
  const stop = getEntry(getEntry(node, 'stop')?.value, 'to')?.value;
  checkName(stop, (name) => `The target ${name} of a stop phrase does not exist.`, names, report);
  for (const { key, value } of getEntries(node, 'protocols')) {
    const its = getEntry(value, 'mode')?.value;
    checkName(its, (name) => `The mode ${name} of the protocol ${quote(key)} does not exist.`, names, report);
  }
  const body = getEntry(node, 'modes')?.value;
  for (const mode of body?.kind === 'map' ? body.entries : []) {
    const bases = getEntry(mode.value, 'extends')?.value;
    for (const base of bases?.kind === 'list' ? bases.items : [bases])
      checkName(base, (name) => `${quote(mode.key)} extends ${name}, which does not exist.`, names, report);
    const exit = getEntry(getEntry(mode.value, 'exit_when')?.value, 'to')?.value;
    checkName(exit, (name) => `${quote(mode.key)} ends in ${name}, which does not exist.`, names, report);
    const types = new Map<string, string>();
    for (const agent of getEntries(mode.value, 'agents')) {
      const same = types.get(foldedAgent(agent.key));
      if (same !== undefined) {
        const message = `${quote(agent.key)} and ${quote(same)} are the same type to the client, so both entries apply to it.`;
        report('W_AGENT_NAME', message, 'Combine both into one.', agent.keySpan);
      } else types.set(foldedAgent(agent.key), agent.key);
      const its = getEntry(agent.value, 'mode')?.value;
      checkName(its, (name) => `The mode ${name} of ${quote(agent.key)} does not exist.`, names, report);
    }
    checkTriggers(mode, report);
    const taken = new Set<string>();
    for (const item of getItems(mode.value, 'transitions')) {
      const target = getEntry(item, 'to')?.value;
      const name = getText(item, 'to');
      if (!target || name === null) continue;
      if (name !== '*' && !names.has(name)) {
        const message = `A transition from ${quote(mode.key)} leads to ${quote(name)}, which does not exist.`;
        report('E_UNKNOWN_MODE', message, adviseMode(name, names), target.span);
      }
      if (taken.has(name)) {
        const message = `${quote(mode.key)} has a second transition to ${quote(name)}: it is unclear which constraint counts.`;
        report('E_DUPLICATE_TRANSITION', message, 'Combine both into one that has all conditions.', target.span);
      }
      taken.add(name);
    }
  }
}

function checkName(node: Node | undefined, say: (name: string) => string, names: ReadonlySet<string>, report: Report): void {
  const name = node?.kind === 'text' ? node.value.trim() : '';
  if (node === undefined || name === '' || names.has(name)) return;
  report('E_UNKNOWN_MODE', say(quote(name)), adviseMode(name, names), node.span);
}

function adviseMode(name: string, names: ReadonlySet<string>): string {
  const guess = nearest(name, names);
  if (guess !== null) return `Did you mean ${quote(guess)}?`;
  if (names.size === 0) return 'Add a mode under "modes".';
  const shown = [...names].slice(0, 10).map(quote).join(', ');
  return `Add the mode, or name one of these: ${shown}${names.size > 10 ? ', …' : '.'}`;
}

/** No mode may extend itself, directly or through others. */
function checkExtends(node: Node, modes: ReadonlyMap<string, Mode>, report: Report): void {
  for (const { key, value } of getEntries(node, 'modes')) {
    if (!basesOf(key, modes).includes(key)) continue;
    const entry = getEntry(value, 'extends');
    if (entry !== null)
      report(
        'E_EXTENDS_CYCLE',
        `${quote(key)} extends itself, directly or through others.`,
        'Remove one of the names.',
        entry.value.span,
      );
  }
}

/** Each trigger must lead from one mode to exactly one other mode. */
function checkTriggers(mode: MapEntry, report: Report): void {
  const taken = new Set<string>();
  for (const item of getItems(mode.value, 'transitions')) {
    for (const phrase of getItems(item, 'triggers')) {
      if (phrase.kind !== 'text') continue;
      const key = phrase.value.trim().toLowerCase();
      if (getText(item, 'to') === '*')
        report(
          'E_TRIGGER',
          `A trigger beside to: "*" names no single mode.`,
          'Write a transition that names its mode.',
          phrase.span,
        );
      else if (taken.has(key))
        report('E_TRIGGER', `${quote(phrase.value)} is a trigger twice in ${quote(mode.key)}.`, 'Remove one.', phrase.span);
      taken.add(key);
    }
  }
}

/** Reports valid entries that are probably mistakes. */
function checkTransitions(node: Node, modes: ReadonlyMap<string, Mode>, report: Report): void {
  const body = getEntry(node, 'modes')?.value;
  const reachable = findReachable(getText(node, 'default') ?? '', modes);
  // A mode that only others extend needs no transition to it.
  for (const name of modes.keys()) for (const base of basesOf(name, modes)) reachable.add(base);
  const folded = new Map<string, string>();
  for (const { key, keySpan, value } of body?.kind === 'map' ? body.entries : []) {
    if (!reachable.has(key)) {
      const remedy = 'Add a transition to it, or leave it if only a person should enter it with /modes:mode.';
      report('W_UNREACHABLE_MODE', `${quote(key)} cannot be reached from the default mode.`, remedy, keySpan);
    }
    const twin = folded.get(key.toLowerCase());
    if (twin !== undefined) {
      const message = `${quote(key)} and ${quote(twin)} differ only by upper and lower case.`;
      report('W_MODE_CASE', message, 'Rename one: some file systems give both the same settings file.', keySpan);
    }
    folded.set(key.toLowerCase(), key);
    checkExit(key, value, modes, report);
    for (const item of getItems(value, 'transitions')) {
      const target = getEntry(item, 'to');
      if (target === null || getText(item, 'to') !== key) continue;
      report(
        'W_SELF_TRANSITION',
        `This transition leads from ${quote(key)} to itself.`,
        'Remove it: the mode is already active.',
        target.value.span,
      );
    }
  }
}

/** The end of a mode is a transition like any other, so the mode must have it. */
function checkExit(key: string, body: Node, modes: ReadonlyMap<string, Mode>, report: Report): void {
  const { exitWhen = null, transitions = [] } = modes.get(key) ?? {};
  const at = getEntry(getEntry(body, 'exit_when')?.value, 'to')?.value;
  if (exitWhen === null || at === undefined || transitions.some(({ to }) => to === exitWhen.to || to === '*')) return;
  const message = `No transition leads from ${quote(key)} to ${quote(exitWhen.to)}, so it cannot end there.`;
  report('W_EXIT_EDGE', message, 'Add the transition.', at.span);
}

/** Names of all modes that can be reached by transitions from this one, itself included. */
export function findReachable(start: string, modes: ReadonlyMap<string, Mode>): Set<string> {
  const reached = new Set<string>();
  const waiting = modes.has(start) ? [start] : [];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (reached.has(name)) continue;
    reached.add(name);
    const targets = (modes.get(name)?.transitions ?? []).map((transition) => transition.to);
    if (targets.includes('*')) return new Set(modes.keys());
    for (const target of targets) waiting.push(target);
  }
  return reached;
}
