// A tool call → its facts: every access of the call, before any rule is matched.
import fs from 'node:fs';
import path from 'node:path';
import { agentParam, defaultAgent, foldedAgent } from '../config/agent-names.ts';
import { otherNames, ownParams } from '../config/skill-names.ts';
import { clientName } from '../config/tool-names.ts';
import { repositoryOf } from '../git/repository.ts';
import type { BashFacts, BashTarget, DeclaredCommand, GitView } from '../model/command.ts';
import type {
  Facts,
  PathAccess,
  PathProtection,
  PlanFacts,
  TaskFacts,
  ToolCall,
  ToolGroup,
  UncertainPart,
} from '../model/facts.ts';
import { inside } from '../platform/path-text.ts';
import { realOr } from '../platform/stat.ts';
import { everything } from '../shell/commands/git/views.ts';
import { resolveLoads } from '../shell/loads.ts';
import { analysed } from './analysed.ts';
import { type DeclaredTool, declaredTouches } from './arguments.ts';
import { diskOf, logsBeside } from './disk.ts';
import { submodulesOf } from './git-view.ts';
import { domainOf, hostOf } from './host.ts';
import { filesOf, Input, MalformedInput, stringsOf, type ToolRow, type Touch, unpacked } from './input.ts';
import { CallLimits, checkName, maxPath } from './limits.ts';
import { loadFinder } from './loads.ts';
import { readOnlyKey, serverKey, serversIn } from './mcp-names.ts';
import { pathAccesses, readAccess, writeAccess } from './paths/access.ts';
import { arrivalsIn } from './paths/arrivals.ts';
import { listingOnce, maxNames } from './paths/below.ts';
import { resolveCopies } from './paths/copies.ts';
import { commandFacts } from './paths/keys.ts';
import { linkTargetsIn } from './paths/link-targets.ts';
import { linkedOnce } from './paths/linked.ts';
import { existingAt, mentionedFiles, type NamedPaths, namesInCode, partsOf } from './paths/mentioned.ts';
import { outlineRead, outlineWrite, unnamedRead } from './paths/outlines.ts';
import type { Place } from './paths/place.ts';
import type { AccessContext, AccessRequest, ReadRequest, WriteRequest } from './paths/request.ts';
import { diskLinks, lookingOnce, resolveNames } from './paths/resolve.ts';
import { splitNames } from './paths/split-names.ts';
import { holdsProject, mirrored, restrictTo, touchesProject } from './paths/within-project.ts';
import { otherCheckoutsOf, placesIn } from './paths/worktrees.ts';
import { commandProtections, modesToolProtections, namedProtections, promptProtections } from './protections/commands.ts';
import { protectionNamed } from './protections/paths.ts';
import { typedCommands } from './protections/registered.ts';
import { type SessionFolders, sessionFolders } from './protections/session-files.ts';
import { commandArguments, runsElsewhere } from './servers.ts';
import { namesBeside, skillCommands } from './skills.ts';
import { aliases, tools } from './table.ts';

export interface FactsContext extends Omit<AccessContext, 'own'> {
  mode: string;
  /** Commands that the project declares. */
  commands: readonly DeclaredCommand[];
  /** Arguments of MCP tools that modes.yaml declares. */
  arguments?: readonly DeclaredTool[];
  state: { since: string | null; enteredBy: string | null; plan?: PlanFacts | null; task?: TaskFacts | null };
  /** True when a policy refers to input.tool.input. */
  wantsInput: boolean;
  /** Record only accesses to the project, because the call is made from elsewhere. */
  within?: boolean;
  /** Names that may still be checked below folders, if several calls share the limit. If absent, one call has the whole limit. */
  below?: { left: number };
}

/**
 * For each Bash command, by its number, the folders that it may run in and, if it may write anywhere, the paths that it names. An
 * entry is empty if these are unknown.
 */
export type WorkedIn = (readonly string[])[];

type Context = FactsContext & { own: SessionFolders; limits: CallLimits; workedIn: WorkedIn };

/**
 * Longest parameter text that `Tool(param:value)` rules are matched against, in characters. A rule is always shorter, so no
 * complete value is missed.
 */
const maxParam = 65_536;

/** Longest argument text that may be a path, in characters. */
const maxArgument = 4_096;

/**
 * All accesses of one call. Throws `MalformedInput` for an input that the tool does not accept.
 * @param workedIn the folders of its commands are added to this list
 */
export function collectFacts(originalCall: ToolCall, given: FactsContext, workedIn: WorkedIn = []): Facts {
  // Other hosts may keep characters that the client replaces by _.
  const call = originalCall.tool.startsWith('mcp__') ? { ...originalCall, tool: clientName(originalCall.tool) } : originalCall;
  const limits = new CallLimits(given.below);
  const links = given.links ?? diskLinks;
  const context: Context = Object.assign({}, given, {
    own: sessionFolders(call, given.place),
    links: lookingOnce(links, limits),
    linked: linkedOnce(given.pathFilter, given.place, links),
    list: given.list ?? listingOnce(),
    limits,
    workedIn,
  });
  const name = aliases.get(call.tool) ?? call.tool;
  const row = tools.get(name) ?? null;
  const mcp = serverOf(call);
  const facts: Facts = {
    version: 1,
    mode: context.mode,
    event: call.event,
    tool: {
      name,
      group: groupOf(row, mcp),
      server: mcp?.shown ?? null,
      input: context.wantsInput ? call.input : {},
      params: {},
      extra: extraParams(call.input, row),
      known: row !== null,
      keys: [],
    },
    reads: [],
    writes: [],
    may_write_anywhere: null,
    bash: null,
    domains: [],
    agents: [],
    skills: [],
    protections: [],
    agent: { id: call.agentId, type: call.agentType },
    session: { id: call.sessionId, permission_mode: call.permissionMode },
    state: {
      since: context.state.since,
      entered_by: context.state.enteredBy,
      plan: context.state.plan ?? null,
      task: context.state.task ?? null,
    },
    context: { used_percent: null },
  };
  addParams(facts, call.input, row);
  facts.tool.keys = [name, ...(mcp?.key ? [mcp.key] : []), ...(name === call.tool ? [] : [call.tool])];
  addRestrictedKeys(facts, mcp?.possible ?? []);
  const uncertain: UncertainPart[] = [];
  if (row !== null) {
    const touches = row.touches(new Input(name, call.input));
    if (row.group === 'mcp') {
      addServerTouches(facts, uncertain, touches, call, context);
      addNamedReads(facts, call, context);
    } else for (const touch of touches) addTouch(facts, uncertain, touch, call, context);
    if (isOpaque(touches)) addNamed(facts, call, context);
  } else if (mcp !== null) {
    const own = modesToolProtections(originalCall, context.place);
    if (own === null) {
      const { touches, isCovered, isReadOnly } = declaredTouches(call, context.arguments ?? [], mcp.known);
      if (isReadOnly) facts.tool.keys.push(readOnlyKey(null), readOnlyKey(mcp.known));
      addServerTouches(facts, uncertain, touches, call, context);
      if (!isCovered) {
        uncertain.push(anywhere(name, `the writes of ${name} are not declared`));
        addNamedProtections(facts, pathsNamedIn(withoutExcluded(call), context.place), call, context);
      }
      addNamedReads(facts, call, context);
      for (const named of [pathsListedIn(call), pathsInCode(call, context.place)]) addExisting(facts, named, call, context);
    } else {
      facts.tool.group = 'own';
      facts.protections.push(...own);
    }
  } else {
    uncertain.push(anywhere(name, `${name} is not a tool that this version knows`));
    for (const argument of commandArguments) {
      const text = Object.hasOwn(call.input, argument) ? call.input[argument] : null;
      if (typeof text === 'string') addCommand(facts, [], text, call.cwd, context);
    }
    addNamed(facts, call, context);
  }
  if (uncertain.length > 0) facts.may_write_anywhere = uncertain;
  return context.within ? restrictTo(context.place, facts, context.workedIn) : facts;
}

/** True if the tool may do anything that its arguments do not show. */
const isOpaque = (touches: readonly Touch[]): boolean => touches.some(({ kind }) => kind === 'anywhere');

/** True if any argument of the call may name a file: of a server's tool, an unknown tool, or one that runs code. */
export function mayNameFiles({ tool, input }: ToolCall): boolean {
  const name = aliases.get(tool) ?? tool;
  const row = tools.get(name);
  return row === undefined || row.group === 'mcp' || isOpaque(row.touches(new Input(name, input)));
}

/**
 * What is known about a tool that may do anything: it may read the files that its arguments or the code in them name, and write the
 * protected ones.
 */
function addNamed(facts: Facts, call: ToolCall, context: Context): void {
  const inCode = namesInCode(stringsOf(call.input), [call.cwd], context.place.home);
  addNamedProtections(facts, [...pathsNamedIn(call, context.place), ...inCode.names], call, context);
  addNamedReads(facts, call, context);
  addExisting(facts, inCode, call, context);
}

/** It is not certain that the files are read. */
function addExisting(facts: Facts, { names, areAll }: NamedPaths, { tool, cwd }: ToolCall, context: Context): void {
  if (!context.pathFilter.hasReadRestriction) return;
  const request = { kind: 'read', extent: 'one', via: tool, command: null, implied: true } as const;
  for (const path of new Set(names.flatMap(existingAt)))
    if (path.length <= maxPath) addPossible(facts, { ...request, path }, context);
  if (!areAll) addUnnamed(facts, { ...request, path: cwd }, context);
}

/** The paths in texts that are lists of paths: with a line, or a part between commas, for each. */
function pathsListedIn({ input, cwd }: ToolCall): NamedPaths {
  const lists = stringsOf(input).flatMap((text) => (/[\n,;]/.test(text) ? [partsOf(text, /[\r\n,;]+/)] : []));
  const parts = new Set(lists.flatMap(({ names }) => names.map((name) => name.trim())));
  parts.delete('');
  return { names: [...parts].map((part) => path.resolve(cwd, part)), areAll: lists.every((list) => list.areAll) };
}

/** Fields of MCP tools with a program or the words of one, and the beginning of a query that is a program. */
const holdsCode = /^(?:cmds?|commands?|scripts?|code|sql|shell|program|args?|arguments|argv|flags?|options?)$/i;
const queries = /^\s*(?:select|copy|with|load|from|attach|import|insert)\b[\s\S]*['"]/i;
/** Longest text without a blank that is not taken for data, in characters. */
const longestWord = 300;

/** The paths in texts that are a program, or one word with a path in it: `--file=a`, `@a`, `C:\\a`. */
function pathsInCode(call: ToolCall, { home }: Place): NamedPaths {
  const { input } = withoutExcluded(call);
  const programs = Object.entries(runsElsewhere.test(call.tool) ? {} : input).flatMap(([name, value]) =>
    holdsCode.test(name) ? stringsOf({ [name]: value }) : [],
  );
  const all = stringsOf(input).filter((text) => !/^\s*https?:/i.test(text));
  const words = all.filter((text) => queries.test(text) || (text.length <= longestWord && !/\s/.test(text.trim())));
  const paths = words.flatMap((text) => [text, text.replaceAll('\\', '/').replace(/^-[a-zA-Z](?=\w)/, '')]);
  return namesInCode([...programs, ...paths], [call.cwd], home);
}

/** A protected path that a call names, and does not only read, may be written. */
function addNamedProtections(facts: Facts, paths: readonly string[], { tool }: ToolCall, context: Context): void {
  const { place } = context;
  const known = new Set([...facts.reads, ...facts.writes].map(({ real }) => real));
  for (const name of new Set(paths.map((one) => path.normalize(one)))) {
    const real = realOr(path.join(realOr(path.dirname(name)), path.basename(name)));
    const protection = protectionNamed(name, place) ?? protectionNamed(real, place);
    if (protection === null) continue;
    const access = writeAccess({ kind: 'write', path: name, extent: 'one', via: tool, command: null }, context);
    if (known.has(access.real) || (context.within && !touchesProject(access, place))) continue;
    known.add(access.real);
    // An allow of the tool does not name the path.
    const firm: PathProtection = { effect: 'ask', name: protection.name, remedy: protection.remedy, firm: true };
    facts.writes.push(access.own === null ? { ...access, protection: firm } : access);
  }
}

/** Fields of MCP tools with names that the tool leaves out. */
const leavesOut = /exclu|ignor|skip/i;

function withoutExcluded(call: ToolCall): ToolCall {
  return { ...call, input: Object.fromEntries(Object.entries(call.input).filter(([name]) => !leavesOut.test(name))) };
}

/**
 * Any argument of a server's tool, by any name, counts as a read if it is the path of a file that a rule about reads matches, or
 * of a folder of such files. Other arguments do not count as reads, so a rule about every read matches only the declared ones.
 */
function addNamedReads(facts: Facts, call: ToolCall, context: Context): void {
  const { pathFilter, place } = context;
  if (!pathFilter.hasReadRestriction) return;
  const known = new Set(facts.reads.map(({ real }) => real));
  for (const at of pathsNamedIn(call, place)) {
    const request: ReadRequest = { kind: 'read', path: at, extent: 'one', via: call.tool, command: null, implied: true };
    const access = readAccess(request, context);
    if (known.has(access.real)) continue;
    if (access.names.some((one) => pathFilter.couldMatchRead(one))) facts.reads.push(access);
    else if (/[*?]/.test(at)) addPossible(facts, { ...request, extent: 'glob' }, context);
    else {
      const below = {
        kind: 'read' as const,
        outline: [`${path.normalize(at).replace(/\/+$/, '')}/`, ''],
        via: call.tool,
        command: 0,
      };
      const folder = { ...outlineRead(below, null, context), implied: true };
      if (folder.unnamed) facts.reads.push(folder);
    }
  }
}

/** The absolute paths that the arguments of a server's tool may mean. A relative one is resolved in both possible folders. */
export function pathsNamedIn(call: ToolCall, { home, start, root }: Place): string[] {
  const folders = [...new Set([call.cwd, start ?? root])];
  const names = stringsIn(call.input).flatMap((text) => [text, ...decoded(text)].flatMap(takenFor));
  const paths = names.flatMap((name) =>
    (isFixed(name) ? [call.cwd] : folders).map((cwd) => absolute(name, { ...call, cwd }, { place: { home } })),
  );
  return [...new Set(paths)];
}

/** Texts that may be a path, at any depth. Includes field names, and the contents of a text that is a JSON list or object. */
function stringsIn(value: unknown): string[] {
  const found = new Set<string>();
  const rest = [value];
  for (let at = 0; at < rest.length; at++) {
    const one = rest[at];
    if (typeof one === 'string') {
      if (found.has(one)) continue;
      if (one.trim() !== '' && one.length <= maxArgument && !/[\0\n]/.test(one.trim())) found.add(one);
      rest.push(...unpacked(one));
    } else if (Array.isArray(one)) for (const inner of one) rest.push(inner);
    else if (typeof one === 'object' && one !== null) for (const [name, inner] of Object.entries(one)) rest.push(name, inner);
  }
  return [...found];
}

/** Addresses with a host, which are not files of this machine. */
const remoteScheme = /^\s*(?:https?|wss?|ftps?|ssh|git|mailto|data|blob):/i;

/** The path in an address with another scheme. The server decides whether it begins with a host. */
function addressedBy(text: string): string[] {
  const rest = remoteScheme.test(text) ? undefined : /^\s*[a-z][a-z0-9+.-]+:(\S.*)$/is.exec(text)?.[1];
  if (rest === undefined) return [];
  const below = rest.replace(/^\/\/[^/]*/, '');
  return [rest, rest.replace(/^\/\//, ''), below, below.replace(/^\/+/, '')];
}

/**
 * Other paths that a server may derive from a text: with `%2F` decoded, without the scheme and host of an address, and without a
 * line number or a fragment.
 */
function decoded(text: string): string[] {
  const plain = /%[0-9a-f]{2}/i.test(text) ? [text, percentDecoded(text)] : [text];
  const paths = plain.flatMap((one) => [one, ...fileOf(one), ...addressedBy(one)]);
  const ends = paths.flatMap((one) => [one, one.replace(/(?::\d+){1,2}$/, ''), one.replace(/[?#].*$/, '')]);
  return [...new Set(ends)].filter((one) => one !== text && one !== '');
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The path of a local `file:` URL. */
function fileOf(text: string): string[] {
  try {
    return filesOf(text);
  } catch {
    return [];
  }
}

/** A server resolves relative paths from its start folder, which may differ from the session's folder. */
function addServerTouches(facts: Facts, uncertain: UncertainPart[], touches: Touch[], call: ToolCall, context: Context): void {
  const { start, root } = context.place;
  const folders = [...new Set([call.cwd, start ?? root])];
  for (const touch of touches)
    for (const cwd of isRelative(touch) ? folders : [call.cwd]) addTouch(facts, uncertain, touch, { ...call, cwd }, context);
}

function isRelative(touch: Touch): boolean {
  if (touch.kind === 'command') return touch.folder === undefined || !isFixed(touch.folder);
  return (touch.kind === 'read' || touch.kind === 'write') && !isFixed(touch.path);
}

function isFixed(name: string): boolean {
  return path.isAbsolute(name) || name === '~' || name.startsWith('~/');
}

function addTouch(facts: Facts, uncertain: UncertainPart[], touch: Touch, call: ToolCall, context: Context): void {
  switch (touch.kind) {
    case 'read':
    case 'write': {
      const more =
        touch.kind === 'write'
          ? { kind: touch.kind, readModifyWrite: touch.readModifyWrite }
          : { kind: touch.kind, implied: touch.implied ?? false, skips: touch.skips };
      for (const name of takenFor(touch.path)) {
        const path = absolute(name, call, context);
        const extent = touch.extent === 'as it is' ? recursionOf(path) : touch.extent === 'deep' ? 'deep' : 'one';
        addPath(facts, { ...more, path, extent, via: call.tool, command: null }, call.cwd, context);
      }
      return;
    }
    case 'command':
      addCommand(
        facts,
        // The tool itself is the uncertain part.
        touch.isForeign ? [] : uncertain,
        touch.text,
        touch.folder === undefined ? call.cwd : absolute(touch.folder, call, context),
        context,
      );
      return;
    case 'url':
      facts.domains.push(domainOf(touch.url));
      return;
    case 'agent':
      checkName('the name of the agent', touch.name);
      facts.agents.push(touch.name);
      // An empty agent type may mean the default agent.
      facts.tool.params[agentParam] = foldedAgent(touch.name) || foldedAgent(defaultAgent);
      return;
    case 'skill':
      checkName('the name of the skill', touch.name);
      facts.skills.push(touch.name);
      addSkill(facts, uncertain, touch.name, call, context);
      return;
    case 'server':
      checkName('the name of the server', touch.name);
      facts.tool.keys.push(serverKey(clientName(touch.name)));
      addRestrictedKeys(facts, [clientName(touch.name)]);
      return;
    case 'prompt':
      facts.protections.push(...promptProtections(call.tool, touch.texts, context.place));
      return;
    case 'asks':
      facts.protections.push({
        effect: 'ask',
        name: touch.name,
        reason: touch.why,
        remedy: `To allow it, add an allow rule that names ${facts.tool.name}.`,
      });
      return;
    case 'anywhere':
      uncertain.push(anywhere(facts.tool.name, touch.why));
      return;
    default:
      throw new Error(`unknown touch ${(touch satisfies never as Touch).kind}`);
  }
}

function addPath(facts: Facts, request: AccessRequest, cwd: string, context: Context): void {
  const { written, read } = pathAccesses(request, context);
  const { root } = context.place;
  if (context.within && [written, read].some((access) => access !== null && holdsProject(access, request, root))) {
    addPath(facts, { ...request, path: root, extent: 'deep' }, cwd, context);
    return;
  }
  const counts = (access: PathAccess): boolean => !context.within || touchesProject(access, context.place);
  if (written !== null && counts(written)) facts.writes.push(written);
  if (read === null) return;
  if (counts(read)) facts.reads.push(read);
  // Only reads are mirrored, because a write there is denied in any case.
  for (const path of read.root === 'outside' ? mirrored(request.path, cwd, context.place, context.links) : []) {
    const access = readAccess({ ...request, kind: 'read', implied: read.implied, path }, context);
    if (counts(access)) facts.reads.push(access);
  }
}

/** Adds the accesses of a command text to the facts. The texts of one call are added together. */
function addCommand(facts: Facts, uncertain: UncertainPart[], text: string, cwd: string, context: Context): void {
  context.limits.command(text);
  const { home, search, scratch, root } = context.place;
  const given = {
    cwd,
    home,
    temp: scratch,
    commands: context.commands,
    disk: diskOf([root], home, search),
    looks: true,
    ...(context.within && { known: [root, ...otherCheckoutsOf(root)] }),
  };
  const { bash: analysis, commands: settled } = analysed(text, given);
  const loaded = resolveLoads(analysis, loadFinder(home, search));
  const bashFacts = resolveCopies(loaded, context.links);
  const first = facts.bash?.commands.length ?? 0;
  const views = [...(bashFacts.views ?? []), ...bashFacts.reads.flatMap(copiedObjects)];
  const mentioned = bashFacts.commands.map((command) => mentionedFiles(command, cwd, home));
  for (const [at, { cwds, folders, named }] of bashFacts.commands.entries()) {
    const viewed = views.flatMap(({ command, folder }) => (command === at ? [folder] : []));
    context.workedIn.push([...(cwds ?? [cwd]), ...(folders ?? []), ...(named ?? []), ...(mentioned[at] ?? []), ...viewed]);
  }
  const commands = loaded === analysis ? [...settled] : bashFacts.commands.map((one) => commandFacts(one, cwd));
  if (facts.bash === null) facts.bash = { class: bashFacts.class, network: bashFacts.network, commands };
  else {
    facts.bash.commands.push(...commands);
    facts.bash.network ||= bashFacts.network;
    facts.bash.class = worst(facts.bash.class, bashFacts.class);
  }
  for (const part of bashFacts.uncertain) {
    const command = part.command === null ? null : (bashFacts.commands[part.command] ?? null);
    uncertain.push({
      kind: 'command',
      command: part.command === null ? null : part.command + first,
      name: command?.argv[0] ?? command?.name ?? '',
      class: part.class === 'runs' ? 'runs' : 'unknown',
      why: part.why,
      ...(part.anything && { anything: true as const }),
    });
  }
  const arrivals = arrivalsIn(bashFacts, context.links);
  const coming = comingCheckouts(bashFacts, context);
  const linkTargets = linkTargetsIn(bashFacts, {
    links: context.links,
    list: context.list,
    budget: context.limits.names(maxNames),
  });
  for (const target of bashFacts.writes) {
    const { targets, areKnown } = linkTargets(target);
    const by = { via: target.via, command: target.command + first };
    for (const { path, extent } of targets)
      addPath(facts, { kind: 'write', path, extent, ...by, readModifyWrite: true, newLinks: 'to it', opens: true }, cwd, context);
    if (typeof target.links === 'object') continue;
    if (!areKnown && context.pathFilter.hasReadRestriction) {
      const isUnread = !readsBelow(bashFacts, target, context);
      facts.reads.push(
        readAccess(
          { kind: 'read', path: target.path, extent: 'one', ...by, implied: true, newLinks: 'unknown', isUnread },
          context,
        ),
      );
    }
    const request: WriteRequest = {
      kind: 'write',
      path: target.path,
      extent: target.extent,
      ...by,
      readModifyWrite: target.old === 'kept',
      opens: target.opens,
      ...(target.old === 'untouched' && { arrivals: arrivals(target) }),
      ...(!areKnown && { newLinks: 'unknown' }),
    };
    addPath(facts, request, cwd, context);
    for (const path of coming(target)) addPath(facts, { ...request, path }, cwd, context);
  }
  // Another part of the text may change the ignore files, or the files that git tracks.
  const isUndisturbed = bashFacts.class === 'read-only';
  for (const target of bashFacts.reads) {
    const extent = target.what === 'names' ? 'one' : target.extent === 'within' ? 'deep' : target.extent;
    const readRequest: ReadRequest = {
      kind: 'read',
      path: target.path,
      extent,
      via: target.via,
      command: target.command + first,
      implied: false,
      opens: target.opens,
      follows: target.follows,
      ...(target.skips && { skips: { ...target.skips, ignored: target.skips.ignored && isUndisturbed } }),
    };
    if (target.possible) addPossible(facts, readRequest, context);
    else {
      addPath(facts, readRequest, cwd, context);
      for (const path of coming(target)) addPath(facts, { ...readRequest, path }, cwd, context);
    }
  }
  addSplitNames(facts, bashFacts, first, { cwd, context });
  addViews(facts, bashFacts, views, first, { cwd, context });
  addMentioned(facts, bashFacts, mentioned, first, context);
  for (const target of bashFacts.reads) {
    const { via, command, what } = target;
    if (what !== 'database' && what !== 'written database') continue;
    const extent = target.extent === 'within' ? 'deep' : target.extent;
    const logs = logsBeside(target);
    if (what === 'written database' && logs.length > 0) logs.push(target.path);
    for (const path of logs) addPath(facts, { kind: 'write', path, extent, via, command: command + first }, cwd, context);
  }
  for (const target of bashFacts.open) {
    context.limits.outline();
    if (target.kind === 'read') facts.reads.push(outlineRead(target, target.command + first, context));
    else facts.writes.push(outlineWrite(target, target.command + first, context));
  }
  for (const { path, command, via, protection } of namedProtections(bashFacts, context.place)) {
    const access = writeAccess({ kind: 'write', path, extent: 'one', via, command: command + first }, context);
    if (!context.within || touchesProject(access, context.place))
      facts.writes.push(access.own === null ? { ...access, protection } : access);
  }
  if (bashFacts.beyond !== null)
    facts.protections.push({
      effect: 'deny',
      name: 'a command text that is too large to analyze',
      reason: bashFacts.beyond,
      remedy: 'Split it into several calls.',
    });
  for (const host of bashFacts.hosts) facts.domains.push(hostOf(host));
  facts.protections.push(...commandProtections(bashFacts, context.place, { cwd, links: context.links }));
}

/** A list of files with a blank, a quote or a pattern in a name also gives the program other files. */
function addSplitNames(
  facts: Facts,
  { reads, commands, class: kind }: BashFacts,
  first: number,
  { cwd, context }: { cwd: string; context: Context },
): void {
  if (!context.pathFilter.hasReadRestriction) return;
  const budget = context.limits.names(maxNames);
  for (const target of reads) {
    const { argv, cwds = [cwd] } = commands[target.command]!;
    const isList = argv.includes(null) && target.what === undefined && (target.extent === 'deep' || target.extent === 'glob');
    if (!isList) continue;
    const request = { kind: 'read' as const, via: target.via, command: target.command + first, implied: true };
    const skips = target.skips ? { ...target.skips, ignored: target.skips.ignored && kind === 'read-only' } : null;
    const names = splitNames({ ...target, skips }, cwds, { list: context.list, budget });
    if (names === null) for (const path of cwds) addPossible(facts, { ...request, path, extent: 'deep' }, context);
    else for (const name of names) addPossible(facts, { ...request, ...name }, context);
  }
}

/** A program that may do anything may open the files that its words and its program text name. */
function addMentioned(
  facts: Facts,
  { commands }: BashFacts,
  mentioned: readonly (readonly string[])[],
  first: number,
  context: Context,
): void {
  for (const [index, { name: via }] of commands.entries())
    for (const path of mentioned[index] ?? []) {
      // No file has such a name. A whole script may be one word.
      if (path.length > maxPath) continue;
      const extent = /[*?[]/.test(path) ? 'glob' : 'one';
      addPossible(facts, { kind: 'read', path, extent, via, command: index + first, implied: false }, context);
    }
}

/** A read in a folder where the shell may be asks if a rule matches it. It is not certain that the read happens. */
function addPossible(facts: Facts, request: ReadRequest, context: Context): void {
  const { pathFilter } = context;
  if (!pathFilter.hasReadRestriction) return;
  const access = readAccess(request, context);
  const isMatched = access.below.length > 0 || access.names.some((name) => pathFilter.couldMatchRead(name));
  if (isMatched || access.unnamed || access.unseen) facts.reads.push(unnamedRead(access));
}

/** A read of more than the call names. It asks if there is any rule about reads. */
function addUnnamed(facts: Facts, request: ReadRequest, context: Context): void {
  if (context.pathFilter.hasReadRestriction) facts.reads.push(unnamedRead(readAccess(request, context)));
}

/** Commands that turn a folder into a checkout of a repository, with the files that it tracks. */
const checkingOut = new Set(['git worktree add', 'git worktree move']);

/**
 * If a command of the text creates a worktree, its folder will contain the project's own files for the later commands, although
 * nothing is there yet. Returns the same places in the project for targets in such a folder.
 */
function comingCheckouts({ writes }: BashFacts, { place, links }: Context): (target: BashTarget) => string[] {
  const realOf = (path: string): string => resolveNames(path, place.root, links).real;
  const folders = writes.filter(({ via }) => checkingOut.has(via)).map(({ path }) => realOf(path));
  if (folders.length === 0) return () => [];
  return ({ path, extent, via }) =>
    checkingOut.has(via) ? [] : folders.flatMap((folder) => placesIn(realOf(path), extent !== 'one', folder, place));
}

/** Programs that copy or pack what they read. */
const copying = /^(?:g?cp|rsync|scp|g?tar|bsdtar|zip|7z|7za|7zr|pax|ditto|docker cp|podman cp|kubectl cp|aws s3|gsutil)\b/;

/** A copy of git's own folder contains every tracked file. */
function copiedObjects({ path: name, extent, via, command }: BashTarget): GitView[] {
  if (extent === 'one' || !copying.test(via)) return [];
  const folder = extent === 'glob' ? name.slice(0, name.search(/(?<![^/])[^/]*[*?[]/)) : name;
  const repository = repositoryOf(folder);
  if (repository === null) return [];
  const [at, objects] = [realOr(folder), realOr(path.join(repository.common, 'objects'))];
  const holds = extent !== 'glob' || repository.isBare ? inside(objects, at) : false;
  return holds || inside(at, objects) ? [everything(folder, via, command)] : [];
}

/** Content that git prints is read without a permission of its own: only deny and ask rules apply to it. */
function addViews(
  facts: Facts,
  bashFacts: BashFacts,
  views: readonly GitView[],
  first: number,
  { cwd, context }: { cwd: string; context: Context },
): void {
  if (!context.pathFilter.hasReadRestriction) return;
  const isIgnoringChanged = bashFacts.writes.some(
    ({ path: file, extent }) => extent !== 'one' || /\/(?:\.gitignore|exclude)$/.test(file),
  );
  const alsoCounts = bashFacts.tracks ? (isIgnoringChanged ? 'all' : 'unignored') : null;
  const { root } = context.place;
  const written = bashFacts.writes.map(({ path: file, extent }) => {
    const isGlob = extent === 'glob';
    const real = resolveNames(isGlob ? file.slice(0, file.search(/(?<![^/])[^/]*[*?[]/)) : file, root, context.links).real;
    return { real, isDeep: extent !== 'one' };
  });
  const isWritten = (file: string): boolean => written.some(({ real, isDeep }) => (isDeep ? inside(file, real) : file === real));
  const inSubmodules: GitView[] = [];
  for (const { folder, via, command, hasSubmodules } of views) {
    if (!hasSubmodules) continue;
    const { folders, areAll } = submodulesOf(folder);
    inSubmodules.push(...folders.map((one) => everything(one, via, command)));
    const rest: ReadRequest = { kind: 'read', path: folder, extent: 'one', via, command: command + first, implied: true };
    if (!areAll) addUnnamed(facts, rest, context);
  }
  for (const view of [...views, ...inSubmodules]) {
    const { folder, via } = view;
    const command = view.command + first;
    addPath(
      facts,
      { kind: 'read', path: folder, extent: 'deep', via, command, implied: true, view: { view, alsoCounts, isWritten } },
      cwd,
      context,
    );
    if (repositoryOf(folder) !== null) continue;
    // Outside a repository, git compares files and folders directly.
    for (const word of [...view.paths, ...view.words].filter((one) => one !== ''))
      addPath(
        facts,
        { kind: 'read', path: path.resolve(folder, word), extent: 'deep', via, command, implied: true },
        cwd,
        context,
      );
  }
}

function addSkill(facts: Facts, uncertain: UncertainPart[], name: string, call: ToolCall, context: Context): void {
  if (new RegExp(`^\\s*/?${typedCommands(context.place)}`, 'i').test(name)) {
    facts.protections.push({
      effect: 'deny',
      name: `Skill(${name})`,
      reason: 'only a person may type the commands of Modes',
      remedy: 'Ask the person to type it.',
    });
    return;
  }
  const args = call.input.args;
  const found = skillCommands(name, context.place, args !== undefined && args !== null && args !== '');
  const beside = namesBeside(name, context.place);
  if (beside.length > ownParams.length)
    throw new MalformedInput(`the skill ${name} has more than ${ownParams.length} other names`);
  const own = Object.fromEntries(beside.map((other, at) => [ownParams[at], other]));
  Object.assign(facts.tool.params, otherNames(name, found !== null || beside.length > 0), own);
  if (found === null)
    uncertain.push({
      ...anywhere(name, `the file of the skill ${name} was not found, so its commands are unknown`),
      kind: 'tool',
    });
  else for (const text of found) addCommand(facts, uncertain, text, call.cwd, context);
}

/** True if another command of the text may read the content of something at or below the target of a write. */
function readsBelow({ reads, open }: BashFacts, written: BashTarget, { links, place }: Context): boolean {
  const realOf = ({ path: at, extent }: BashTarget): string =>
    resolveNames(extent === 'glob' ? at.slice(0, at.search(/(?<![^/])[^/]*[*?[]/)) : at, place.root, links).real;
  const real = realOf(written);
  return (
    open.some(({ kind }) => kind === 'read') ||
    reads
      .filter(({ command, what }) => command !== written.command && what !== 'names')
      .map(realOf)
      .some((read) => inside(read, real) || inside(real, read))
  );
}

/** A tool may trim the white space around a path and normalize it to NFC before it opens the file. */
function takenFor(name: string): string[] {
  const cleaned = name.trim().normalize('NFC');
  return cleaned === name ? [name] : [name, cleaned];
}

function anywhere(name: string, why: string): UncertainPart {
  return { kind: 'tool', command: null, name, class: 'unknown', why };
}

function absolute(name: string, call: ToolCall, context: { place: Pick<Place, 'home'> }): string {
  if (name.includes('\0')) throw new MalformedInput(`${call.tool} was given a path with a NUL character`);
  if (name === '~' || name.startsWith('~/')) return context.place.home + name.slice(1);
  return path.isAbsolute(name) ? name : `${call.cwd}/${name}`;
}

/** The extent of a path that the tool leaves open: recursive for an existing folder, a pattern for a missing wildcard name. */
function recursionOf(path: string): AccessRequest['extent'] {
  try {
    const stat = fs.statSync(path, { throwIfNoEntry: false });
    if (stat !== undefined) return stat.isDirectory() ? 'deep' : 'one';
  } catch {
    // The path cannot be checked. Resolving its links hits the same error and reports it.
    return 'one';
  }
  return /[*?[]/.test(path) ? 'glob' : 'one';
}

function groupOf(row: ToolRow | null, mcp: object | null): ToolGroup {
  return row?.group ?? (mcp ? 'mcp' : 'other');
}

/**
 * The server of an MCP tool. `key`: the key for allow rules; null if several servers are possible and the client names none.
 * `possible`: deny and ask rules apply for all of these servers. null for any other tool.
 */
function serverOf({
  tool,
  mcpServer,
}: ToolCall): { shown: string; known: string | null; key: string | null; possible: string[] } | null {
  if (!tool.startsWith('mcp__')) return null;
  const possible = serversIn(tool);
  const named = mcpServer === null ? null : clientName(mcpServer.name);
  const known = named !== null && possible.includes(named) ? named : possible.length > 1 ? null : (possible[0] ?? tool.slice(5));
  return { shown: known ?? (possible[0] as string), known, key: known === null ? null : serverKey(known), possible };
}

function addRestrictedKeys({ tool }: Facts, servers: string[]): void {
  const keys = servers.flatMap((server) => [`mcp__${server}`, serverKey(server)]).filter((key) => !tool.keys.includes(key));
  if (keys.length > 0) tool.narrow_keys = [...new Set([...(tool.narrow_keys ?? []), ...keys])];
}

/**
 * Parameters as texts. A built-in tool contributes only scalar ones, without its subject and without file contents. An MCP server
 * may convert a list or null to a text in its own way, so all values of an MCP tool are converted to text.
 */
function addParams({ tool }: Facts, input: Record<string, unknown>, row: ToolRow | null): void {
  for (const [name, value] of Object.entries(input)) {
    if (row?.content?.includes(name) || name === '__proto__' || value === undefined) continue;
    const isOne = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
    if (!isOne && row !== null) continue;
    const text = isOne ? String(value) : textOfValue(value);
    tool.params[name] = text.slice(0, maxParam);
    if (text.length > maxParam) tool.cut = [...(tool.cut ?? []), name];
  }
}

function textOfValue(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOfValue).join(',');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function extraParams(input: Record<string, unknown>, row: ToolRow | null): string[] {
  if (row === null) return [];
  return Object.keys(input).filter((name) => !row.params.includes(name) || row.weakens?.get(name)?.(input[name]));
}

const classes = ['read-only', 'writes', 'runs', 'unknown'] as const;

function worst(one: BashFacts['class'], two: BashFacts['class']): BashFacts['class'] {
  return classes[Math.max(classes.indexOf(one), classes.indexOf(two))] as BashFacts['class'];
}
