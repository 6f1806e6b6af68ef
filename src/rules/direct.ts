// A second matcher for rules, without an index. It is slow and short, and tests compare the look-ups with it.

import { agentParam, foldedAgent } from '../config/agent-names.ts';
import { otherRules } from '../config/skill-names.ts';
import { serverKey, serversIn } from '../facts/mcp-names.ts';
import type { CommandFacts, Facts, PathAccess, PathName } from '../model/facts.ts';
import type {
  BashRule,
  CharSet,
  CommandPattern,
  EveryRule,
  OutsideRule,
  PathPattern,
  PathRule,
  Piece,
  Rule,
  Segment,
  TextGlob,
} from '../model/rule.ts';
import { matchesOptions } from '../shell/option-sets.ts';
import { inAnyCase } from './folded.ts';

/** One part of a call that a rule may match. */
export type Access =
  | { kind: 'tool' }
  | { kind: 'read' | 'write'; access: PathAccess; name: PathName }
  | { kind: 'command'; command: CommandFacts }
  /** A part of a command text without any known command. */
  | { kind: 'part'; class: string }
  | { kind: 'domain'; domain: Facts['domains'][number] }
  | { kind: 'agent' | 'skill'; name: string }
  | { kind: 'param'; name: string; value: string; cut: boolean };

/** All parts of a call that a rule may match. Only for deny and ask: names below a recursive access, and reads of a write. */
export function accessesOf(facts: Facts, restricts: boolean): Access[] {
  const paths = (kind: 'read' | 'write', accesses: PathAccess[]): Access[] =>
    accesses.flatMap((access) =>
      (restricts ? [...access.names, ...access.below] : inReadings(access)).map((name) => ({ kind, access, name })),
    );
  return [
    { kind: 'tool' },
    ...paths('read', restricts ? facts.reads : facts.reads.filter(({ implied }) => !implied)),
    ...paths('write', facts.writes),
    ...(facts.bash?.commands ?? []).map((command): Access => ({ kind: 'command', command })),
    ...(restricts ? (facts.may_write_anywhere ?? []) : []).flatMap((part): Access[] =>
      part.kind === 'command' && part.command === null ? [{ kind: 'part', class: part.class }] : [],
    ),
    ...facts.domains.map((domain): Access => ({ kind: 'domain', domain })),
    ...facts.agents.map((name): Access => ({ kind: 'agent', name })),
    ...facts.skills.map((name): Access => ({ kind: 'skill', name })),
    ...Object.entries(facts.tool.params).map(
      ([name, value]): Access => ({ kind: 'param', name, value, cut: facts.tool.cut?.includes(name) ?? false }),
    ),
  ];
}

function inReadings({ names, readings }: PathAccess): PathName[] {
  return names.filter((_, at) => readings.some((reading) => reading.includes(at)));
}

/** True if the rule matches this access of this call. */
export function matches(rule: Rule, access: Access, facts: Facts): boolean {
  const restricts = rule.effect !== 'allow';
  switch (rule.kind) {
    case 'tool':
      if (access.kind === 'command') return rule.name === 'Bash';
      return (
        access.kind === 'tool' &&
        matchingIdsByName(facts, restricts ? rule.name : null) &&
        keysOf(facts, restricts).some((key) => toolsOf(rule.name).includes(key))
      );
    case 'server':
      return (
        access.kind === 'tool' &&
        matchingIdsByName(facts, restricts ? rule.server : null) &&
        keysOf(facts, restricts).includes(serverKey(rule.server.slice('mcp__'.length)))
      );
    case 'tool-glob':
      return (
        (access.kind === 'tool' &&
          matchingIdsByName(facts, null) &&
          matchesGlob(rule.glob, facts.tool.name) &&
          (restricts ||
            serversIn(rule.glob.pieces[0] as string).some((server) => facts.tool.keys.includes(serverKey(server))))) ||
        rule.bare.some(([tool, kind]) => matchesEvery({ access: kind, tool, group: null }, access, facts))
      );
    case 'group':
      return access.kind === 'tool' && matchingIdsByName(facts, null) && facts.tool.group === rule.group;
    case 'every':
      return matchesEvery(rule, access, facts);
    case 'read':
    case 'write':
      return (
        access.kind === rule.kind &&
        isFor(rule.only, facts, restricts) &&
        mayMatch(rule, access.access) &&
        (restricts
          ? inAnyCase(rule.paths).some((path) => matchesPath(path, access.name.path)) && !isExcepted(rule, access.name.path)
          : rule.paths.some((path) => matchesPath(path, access.name.path) || coversAll(path, access)))
      );
    case 'outside':
      return (
        access.kind === 'write' &&
        access.access.own === null &&
        access.access.root !== 'temp' &&
        access.name === access.access.names[0] &&
        isOutside(rule, access.access)
      );
    case 'scratch':
      return (
        access.kind === rule.access && access.access.root === 'temp' && !access.access.projects && access.access.own === null
      );
    case 'unknown-read':
      return access.kind === 'read' && access.access.unknown === true && access.name === access.access.names[0];
    case 'bash':
      if (access.kind === 'param') return access.name === rule.param && keysOf(facts, true).includes('Bash');
      return (
        access.kind === 'command' &&
        isFor(rule.only, facts, restricts) &&
        (restricts
          ? access.command.spellings.some((text) => matchesAny(rule.commands, text)) || hasOptionsOf(rule, access.command)
          : mayAllow(access.command) && matchesAny(rule.commands, access.command.text))
      );
    case 'bash-class':
      if (access.kind === 'part') return restricts && rule.class === access.class;
      return (
        access.kind === 'command' &&
        (restricts ? classesOf(access.command).includes(rule.class) : classesToAllow(access.command).includes(rule.class))
      );
    case 'domain':
      return access.kind === 'domain' && matchesDomain(rule.form, rule.host, access.domain.host);
    case 'agent':
      if (access.kind === 'param')
        return (
          restricts &&
          access.name === agentParam &&
          facts.tool.keys.includes('Agent') &&
          matchesGlob({ pieces: rule.name.pieces.map(foldedAgent) }, access.value)
        );
      return access.kind === rule.kind && matchesGlob(rule.name, access.name);
    case 'skill':
      if (access.kind === 'param')
        return (
          restricts &&
          facts.tool.keys.includes('Skill') &&
          otherRules(rule.name.pieces).some(({ param, pieces }) => access.name === param && matchesGlob({ pieces }, access.value))
        );
      return access.kind === rule.kind && matchesGlob(rule.name, access.name);
    case 'param':
      return (
        access.kind === 'param' &&
        keysOf(facts, true).includes(rule.tool) &&
        access.name === rule.param &&
        (matchesGlob(rule.value, access.value) ||
          (access.cut && rule.value.pieces.length > 1 && access.value.startsWith(rule.value.pieces[0] as string)))
      );
    default:
      throw new Error(`unknown rule ${JSON.stringify(rule satisfies never)}`);
  }
}

function matchesEvery(rule: Pick<EveryRule, 'access' | 'tool' | 'group'>, access: Access, facts: Facts): boolean {
  if (access.kind === 'tool')
    return (
      matchingIdsByName(facts, rule.tool) &&
      ((rule.tool !== null && facts.tool.keys.some((key) => toolsOf(rule.tool as string).includes(key))) ||
        (rule.tool === 'Bash' && facts.tool.name === 'PowerShell') ||
        facts.tool.group === rule.group)
    );
  if (access.kind === 'part') return rule.access === 'command';
  if (access.kind !== rule.access) return false;
  return access.kind === 'command' || ((access.kind === 'read' || access.kind === 'write') && access.access.own === null);
}

/** Ids of the rules that match a call. */
export function matchingIds(rules: readonly Rule[], facts: Facts): string[] {
  return rules
    .filter((rule) => accessesOf(facts, rule.effect !== 'allow').some((access) => matches(rule, access, facts)))
    .map(({ id }) => id);
}

function toolsOf(name: string): string[] {
  return name === 'Bash' ? ['Bash', 'Monitor'] : [name];
}

/** Modes' own tools match only by full name. A call that accesses only the session's own files matches no name. */

function matchingIdsByName({ tool, reads, writes }: Facts, fullName: string | null): boolean {
  if (tool.group === 'own') return fullName === tool.name;
  const accesses = [...reads, ...writes];
  return !((tool.group === 'read' || tool.group === 'edit') && accesses.length > 0 && accesses.every(({ own }) => own !== null));
}

function isFor(only: string | null, facts: Facts, restricts: boolean): boolean {
  return only === null || keysOf(facts, restricts).includes(only);
}

/** A tool whose server is uncertain may belong to several. For deny and ask it belongs to each of them. */
function keysOf({ tool }: Facts, restricts: boolean): string[] {
  return restricts ? [...tool.keys, ...(tool.narrow_keys ?? [])] : tool.keys;
}

function hasOptionsOf({ options = [] }: BashRule, { argv, contained = [] }: CommandFacts): boolean {
  return options.some((one) => [argv, ...contained].some((words) => matchesOptions(one, words)));
}

/** True if, for some reading of the path, none of the names is one of the files. */
export function isOutside({ paths, expressions }: Pick<OutsideRule, 'paths' | 'expressions'>, access: PathAccess): boolean {
  const isFolder = (path: PathPattern, name: PathName): boolean =>
    !access.deep &&
    path.strict &&
    path.base === 'root' &&
    path.segments.length > 0 &&
    matchesPath({ ...path, strict: false }, name.path);
  const isInside = (name: PathName): boolean =>
    paths.some(
      (path) => matchesPath(path, name.path) || isFolder(path, name) || coversAll(path, { kind: 'write', access, name }),
    ) ||
    (!access.deep && /^[^/]/s.test(name.path) && expressions.some((one) => toSearch(one).test(name.path)));
  return access.readings.some((reading) => !reading.some((at) => isInside(access.names[at] as PathName)));
}

/** These expressions differ between RE2 and JavaScript only in their flags. */
function toSearch(expression: string): RegExp {
  return new RegExp(expression, 'u');
}

/** Only some rules match the session's own files and whole dependency folders. */
function mayMatch({ paths, effect }: PathRule, { own, dependency }: PathAccess): boolean {
  if (own !== null) return paths.some((path) => path.base === 'absolute' && isBelow(literalFolder(path), own));
  return !dependency || effect === 'allow' || paths.some(({ rooted }) => rooted);
}

/** True if the rule has an exception for this name. */
export function isExcepted({ except = [] }: PathRule, path: string): boolean {
  return except.some((pattern) => matchesPath(pattern, path));
}

/** `folder/**` also covers a recursive read of the folder. For writes only the root, which cannot be written itself. */
function coversAll(pattern: PathPattern, { kind, access, name }: Extract<Access, { kind: 'read' | 'write' }>): boolean {
  const isFolder = !pattern.floating && pattern.segments.every((segment) => segment.kind === 'literal');
  if (!isFolder || !access.deep || (kind === 'write' && name.path !== '')) return false;
  return name.path === (pattern.base === 'absolute' ? literalFolder(pattern) : literalFolder(pattern).slice(1));
}

function literalFolder({ floating, segments }: PathPattern): string {
  const wild = floating ? 0 : segments.findIndex(({ kind }) => kind !== 'literal');
  return `/${segments
    .slice(0, wild === -1 ? undefined : wild)
    .map((segment) => (segment as { text: string }).text)
    .join('/')}`;
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

function mayAllow({ top, name }: CommandFacts): boolean {
  return top && name !== '';
}

export function classesOf(command: Pick<CommandFacts, 'class' | 'network' | 'tags'>): string[] {
  return [command.class, ...(command.network ? ['network'] : []), ...(command.tags ?? [])];
}

function classesToAllow({ class: given, network, tags }: CommandFacts): string[] {
  const mayQuery = !network || tags?.includes('network-read');
  if (given === 'runs' && mayQuery && tags?.includes('checks')) return [given, 'checks'];
  if (given === 'writes' && !network && tags?.includes('files')) return [given, 'files'];
  if (!network || !['read-only', 'writes'].includes(given)) return [given];
  return ['network', ...(tags ?? []).filter((tag) => tag === 'network-read')];
}

/** True if the pattern matches the path or one of its ancestors: a gitignore pattern includes everything below a match. */
export function matchesPath(pattern: PathPattern, path: string): boolean {
  if (path.startsWith('/') !== (pattern.base === 'absolute')) return false;
  const parts = path.split('/').filter((part) => part !== '');
  const lengths = Array.from({ length: parts.length + 1 }, (_, length) => length);
  return lengths.some((length) => {
    if (pattern.strict && length === parts.length) return false;
    const head = parts.slice(0, length);
    const starts = pattern.floating ? lengths.slice(0, length + 1) : [0];
    return starts.some((start) => matchesSegments(pattern.segments, head.slice(start)));
  });
}

function matchesSegments([segment, ...rest]: Segment[], parts: string[]): boolean {
  if (segment === undefined) return parts.length === 0;
  if (segment.kind === 'any-depth')
    return parts.some((_, at) => matchesSegments(rest, parts.slice(at))) || matchesSegments(rest, []);
  const [part, ...others] = parts;
  if (part === undefined) return false;
  const isMatch = segment.kind === 'literal' ? part === segment.text : matchesPieces(segment.pieces, [...part]);
  return isMatch && matchesSegments(rest, others);
}

function matchesPieces([piece, ...rest]: Piece[], chars: string[]): boolean {
  if (piece === undefined) return chars.length === 0;
  switch (piece.kind) {
    case 'text': {
      const text = [...piece.text];
      return text.every((char, at) => chars[at] === char) && matchesPieces(rest, chars.slice(text.length));
    }
    case 'star':
      return Array.from({ length: chars.length + 1 }, (_, at) => at).some((at) => matchesPieces(rest, chars.slice(at)));
    case 'one':
      return chars.length > 0 && matchesPieces(rest, chars.slice(1));
    case 'set':
      return chars.length > 0 && matchesSet(piece, chars[0] as string) && matchesPieces(rest, chars.slice(1));
    default:
      throw new Error(`unknown piece ${JSON.stringify(piece satisfies never)}`);
  }
}

function matchesSet({ negated, ranges }: CharSet, char: string): boolean {
  const code = char.codePointAt(0) as number;
  return ranges.some(([from, to]) => from <= code && code <= to) !== negated;
}

function matchesAny(commands: CommandPattern[], text: string): boolean {
  return commands.some((command) => matchesCommand(command, text));
}

/** True if the pattern of a Bash rule matches this text. */
export function matchesCommand(command: CommandPattern, text: string): boolean {
  if (command.form === 'exact') return text === command.text;
  if (command.form === 'prefix') return text === command.text || text.startsWith(`${command.text} `);
  return (
    matchesGlob(command, text) ||
    (command.boundary && matchesGlob({ pieces: [...command.pieces.slice(0, -1), `${command.pieces.at(-1)} `, ''] }, text))
  );
}

function matchesGlob({ pieces }: TextGlob, text: string): boolean {
  const [head = '', ...rest] = pieces;
  if (!text.startsWith(head)) return false;
  const left = text.slice(head.length);
  if (rest.length === 0) return left === '';
  return Array.from({ length: left.length + 1 }, (_, at) => left.slice(at)).some((tail) => matchesGlob({ pieces: rest }, tail));
}

function matchesDomain(form: 'exact' | 'below' | 'any', host: string, requestedHost: string): boolean {
  if (form === 'any') return true;
  return form === 'exact' ? requestedHost === host : requestedHost.endsWith(`.${host}`);
}
