// The command by which a person can allow a denied call. It is suggested only if it would work.

import type { Place } from '../facts/paths/place.ts';
import { grantableProtection } from '../facts/protections/paths.ts';
import type { Effect } from '../model/configuration.ts';
import type { CommandFacts, Facts, Granted, PathAccess } from '../model/facts.ts';
import type { Hit, Verdict } from '../model/verdict.ts';
import { isAboutReads } from '../rules/naming.ts';
import { hasMarks, unmarked } from './grants.ts';
import { Accesses } from './matched-accesses.ts';
import { commandLine, pathLine } from './settle.ts';

/** More rules than this are not suggested, since a person would not type them in one line. */
const maxRules = 4;

/**
 * Returns a sentence that names the command. Returns '' if no command of a person in this session would allow the call: rules of
 * the organization, Modes' own data, and protections of a whole call.
 */
export function liftedBy(verdict: Verdict, facts: Facts, { place, policy }: OverrideRequest): string {
  if (verdict.verdict !== 'deny' || facts.tool.group === 'own') return '';
  const before = facts.granted ?? unmarked;
  const opens = (granted: Granted): boolean => policy.evaluate(Object.assign({}, facts, { granted })).verdict !== 'deny';
  const { matched, isSure } = overrideMatch(verdict, facts, place, policy);
  const whole = (): Granted => wholeOf(facts, place);
  for (const make of [() => matched, whole, () => ({ ...matched, tool: true }), () => ({ ...whole(), tool: true })]) {
    const marks = make();
    if (!hasMarks(marks) || !((marks === matched && isSure) || opens(joined(before, marks)))) continue;
    // No rule can name a path that is unknown until the call runs.
    if (hasUnknownPath(marks, facts)) return 'A person can allow it only if it names its paths as literal text.';
    const rules = rulesFor(marks, facts);
    // A grant of every command would be far wider than the call.
    if (rules.includes('Bash')) return 'A person can allow it only if no command is inside sh -c or another text.';
    // A rule with a line end cannot be typed in one line.
    if (rules.length <= maxRules && !rules.some((rule) => /[\n\r]/.test(rule)))
      return `A person can allow it once: /modes:grant ${rules.join(' ')} 1x.`;
    break;
  }
  return opens({ ...before, off: true }) ? 'A person can switch these rules off for a while: /modes:off 10m.' : '';
}

function hasUnknownPath({ reads, writes }: Granted, facts: Facts): boolean {
  const accesses = [...reads.map((at) => facts.reads[at]), ...writes.map((at) => facts.writes[at])];
  return accesses.some((access) => access?.names[0]?.keys.length === 0);
}

/** The context of the decision. */
interface OverrideRequest {
  place: Place;
  policy: Liftable;
}

/** The part of a policy that is needed to find out whether a grant overrides it. */
interface Liftable {
  evaluate(facts: Facts): Verdict;
  rule(id: string): { effect: Effect; text: string } | null;
  lifting?: { isLiftable(id: string): boolean; deniesByDefault: boolean };
}

interface OverrideMatch {
  matched: Granted;
  /** Nothing else denies the call, so no second evaluation is needed to know that a grant would allow it. */
  isSure: boolean;
}

/** The accesses that the refusal is about. */
function overrideMatch(
  { by, hits: all, protections, policies }: Verdict,
  facts: Facts,
  place: Place,
  policy: Liftable,
): OverrideMatch {
  if (by !== 'rule' && by !== 'protection') return { matched: unmarked, isSure: false };
  const hits: Hit[] = [];
  const onReads: Hit[] = [];
  const onWrites: Hit[] = [];
  const refused: number[] = [];
  for (const hit of all) {
    const rule = policy.rule(hit.id);
    if (rule?.effect !== 'deny') continue;
    hits.push(hit);
    (isAboutReads(rule.text) ? onReads : onWrites).push(hit);
    if (isOnCommand(hit, facts) && !refused.includes(hit.command as number)) refused.push(hit.command as number);
  }
  const { lifting } = policy;
  const isSure =
    lifting?.deniesByDefault === false &&
    by === 'rule' &&
    // A rule may also have matched the call by the tool's name.
    hits.every((hit) => (hit.via !== '' || hit.command !== null) && lifting.isLiftable(hit.id)) &&
    protections.every(({ effect }) => effect !== 'deny') &&
    policies.every(({ effect }) => effect !== 'deny');
  const denied = new Accesses(facts.writes).all(onWrites);
  const writes = protections.length === 0 ? denied : withProtected(denied, facts.writes, protections);
  const matched: Granted = {
    off: false,
    tool: false,
    reads: new Accesses(facts.reads).all(onReads),
    writes,
    commands: refused.sort((one, other) => one - other),
    domains: indices(facts.domains, ({ host }) => hits.some((hit) => hit.command === null && hit.on === host)),
    parts: [],
    paths: writes.filter((at) => isGrantable(facts.writes[at] as PathAccess, place)),
  };
  return { matched, isSure };
}

/** The denied writes, and the writes to protected paths. */
function withProtected(denied: readonly number[], writes: Facts['writes'], protections: Verdict['protections']): number[] {
  const [known, protectedPaths] = [new Set(denied), new Set(protections.map(({ on }) => on))];
  return indices(writes, ({ protection, path }, at) => known.has(at) || (protection !== null && protectedPaths.has(path)));
}

/** True if the hit is about the command itself, not about its reads or writes. */
function isOnCommand({ command, on, via }: Hit, { bash }: Facts): boolean {
  return command !== null && via === '' && bash?.commands[command]?.text === on;
}

/** Marks for every access of the call. */
function wholeOf(facts: Facts, place: Place): Granted {
  const { tool, bash, agents, skills } = facts;
  const isKnown = tool.group === 'read' || tool.group === 'edit' || (bash?.commands.length ?? 0) > 0 || tool.name === 'WebFetch';
  const runs = tool.group !== 'read' && tool.group !== 'edit';
  const writes = indices(facts.writes, ({ own }) => own === null);
  return {
    off: false,
    tool: !isKnown || agents.length + skills.length > 0,
    reads: indices(facts.reads, ({ own, implied, root }) => own === null && !implied && (!runs || root === 'outside')),
    writes,
    commands: indices(bash?.commands ?? [], () => true),
    domains: bash === null ? indices(facts.domains, () => true) : [],
    parts: indices(facts.may_write_anywhere ?? [], () => true),
    paths: writes.filter((at) => isGrantable(facts.writes[at] as PathAccess, place)),
  };
}

/** True if a rule for exactly this path overrides its protection. */
function isGrantable({ protection, deep, names }: PathAccess, place: Place): boolean {
  if (protection === null || deep) return false;
  const absolutes = names.map(({ path }) => path).filter((path) => path.startsWith('/'));
  return absolutes.length > 0 && absolutes.every((path) => grantableProtection(path, place) === protection.name);
}

function indices<T>(list: readonly T[], holds: (item: T, at: number) => boolean): number[] {
  const found: number[] = [];
  for (let at = 0; at < list.length; at++) if (holds(list[at] as T, at)) found.push(at);
  return found;
}

function joined(one: Granted, other: Granted): Granted {
  const both = (key: 'reads' | 'writes' | 'commands' | 'domains' | 'parts' | 'paths') => [
    ...new Set([...one[key], ...other[key]]),
  ];
  return {
    off: one.off,
    tool: one.tool || other.tool,
    reads: both('reads'),
    writes: both('writes'),
    commands: both('commands'),
    domains: both('domains'),
    parts: both('parts'),
    paths: both('paths'),
  };
}

/** Rules for exactly these marks, as a person types them. */
function rulesFor({ tool, reads, writes, commands, domains, parts }: Granted, facts: Facts): string[] {
  const rules = new Set<string>();
  const add = (rule: string): void => void rules.add(rule);
  if (tool) {
    for (const name of facts.agents) add(`Agent(${name})`);
    for (const name of facts.skills) add(`Skill(${name})`);
    if (rules.size === 0) add(facts.tool.name);
  }
  for (const at of commands) add(grantLine(facts.bash!.commands[at]!));
  for (const at of reads) pathLines('Read', facts.reads[at]!).forEach(add);
  for (const at of writes) pathLines('Write', facts.writes[at]!).forEach(add);
  for (const at of domains) add(`WebFetch(domain:${facts.domains[at]!.host})`);
  for (const at of parts) partLine(facts.may_write_anywhere![at]!, facts).forEach(add);
  return [...rules];
}

/** A grant ends soon, so it may name the whole program if no rule can name the command exactly. */
function grantLine(command: CommandFacts): string {
  const { top, name } = command;
  return commandLine(command) ?? (top && name !== '' ? `Bash(${name}:*)` : 'Bash');
}

/** Parts of the call that no allow rule covers, if the default denies such calls. Empty if they cannot be determined. */
export function lackingAllow(
  facts: Facts,
  { place, policy }: OverrideRequest,
): { lines: string[]; unsaid: string[]; what: string[] } {
  const before = facts.granted ?? unmarked;
  const opens = (granted: Granted): boolean => policy.evaluate(Object.assign({}, facts, { granted })).verdict !== 'deny';
  const whole = joined(before, wholeOf(facts, place));
  // If grants do not open the call because the organization's own default denies it, the parts without an allow rule cannot be
  // determined.
  const isOpenable = opens(whole);
  const without = (kind: 'commands' | 'reads' | 'writes' | 'domains'): number[] =>
    isOpenable
      ? whole[kind].slice(0, maxLacking).filter((at) => !opens({ ...whole, [kind]: whole[kind].filter((one) => one !== at) }))
      : [];
  const lacking: Granted = {
    ...unmarked,
    tool: isOpenable && whole.tool && !opens({ ...whole, tool: false }),
    commands: without('commands'),
    reads: without('reads'),
    writes: without('writes'),
    domains: without('domains'),
  };
  const commands = lacking.commands.map((at) => facts.bash!.commands[at]!);
  return {
    lines: rulesFor({ ...lacking, commands: [] }, facts).concat(commands.flatMap((command) => commandLine(command) ?? [])),
    unsaid: commands.filter((command) => commandLine(command) === null).map(({ text }) => text),
    what: [
      ...commands.map(({ text }) => text),
      ...lacking.reads.map((at) => `reading ${facts.reads[at]!.path}`),
      ...lacking.writes.map((at) => `writing ${facts.writes[at]!.path}`),
      ...lacking.domains.map((at) => facts.domains[at]!.host),
      ...(lacking.tool && facts.agents.length + facts.skills.length === 0
        ? [facts.tool.name]
        : [...facts.agents, ...facts.skills].filter(() => lacking.tool)),
    ],
  };
}

/** At most this many parts of one kind are evaluated one by one. */
const maxLacking = 8;

/** One line for each spelling that a rule must cover. */
function pathLines(kind: 'Read' | 'Write', { names, readings }: PathAccess): string[] {
  return readings.map(([first]) => {
    const line = pathLine(kind, names[first as number]?.path || '.');
    const within = line.slice(kind.length + 2, -1);
    const slash = within.indexOf('/');
    // A path that contains a slash starts at the root anyway.
    return slash > 0 && slash < within.length - 1 && !within.includes('*') ? `${kind}(${within})` : line;
  });
}

/** The rule that names this part, if the rule of the command does not. */
function partLine(
  { kind, command, name, class: found }: NonNullable<Facts['may_write_anywhere']>[number],
  { bash }: Facts,
): string[] {
  if (kind === 'tool') return [name];
  const own = command === null ? undefined : bash?.commands[command];
  return own?.top && own.name !== '' ? [] : [`Bash(@${found})`];
}
