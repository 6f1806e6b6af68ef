// The order of decisions in plain TypeScript from the typed rules. The compiled policy is compared with it.

import type { CommandFacts, Facts, PathAccess, UncertainPart } from '../../src/model/facts.ts';
import type { Rule } from '../../src/model/rule.ts';
import type { Verdict } from '../../src/model/verdict.ts';
import { type Access, accessesOf, matches } from '../../src/rules/direct.ts';
import { rulesOf, type Settings } from './policy.ts';

type Outcome = Pick<Verdict, 'verdict' | 'by'>;
const authority = { untrusted: 1, project: 2, user: 3, managed: 4 };

/** The verdict that the semantics give, without index, keys or Rego. */
export function decideDirectly(settings: Settings, facts: Facts): Outcome {
  return decideByRules(rulesOf(settings), settings, facts);
}

/** The same of rules that were read already. */
export function decideByRules(rules: Rule[], settings: Pick<Settings, 'defaults' | 'trusted'>, facts: Facts): Outcome {
  const met = (rule: Rule): boolean =>
    accessesOf(facts, rule.effect !== 'allow').some((access) => matches(rule, access, facts)) ||
    meetsMarked(rule, facts, 'unseen');
  const narrow = (effect: 'deny' | 'ask'): boolean => rules.some((rule) => rule.effect === effect && met(rule));
  if (narrow('deny')) return { verdict: 'deny', by: 'rule' };
  const protections = [...facts.protections, ...facts.writes.flatMap(({ protection }) => protection ?? [])];
  if (protections.some(({ effect }) => effect === 'deny')) return { verdict: 'deny', by: 'protection' };
  const without = withoutAsks(rules, settings, facts, met);
  if (without.verdict === 'deny') return without;
  if (narrow('ask')) return { verdict: 'ask', by: 'rule' };
  if (rules.some((rule) => rule.effect !== 'allow' && (couldComplete(rule, facts) || meetsMarked(rule, facts, 'unnamed'))))
    return { verdict: 'ask', by: 'open' };
  return without;
}

/** The outcome if no deny and no ask matched the call. */
function withoutAsks(
  rules: Rule[],
  settings: Pick<Settings, 'defaults' | 'trusted'>,
  facts: Facts,
  met: (rule: Rule) => boolean,
): Outcome {
  if (facts.tool.group === 'own')
    return { verdict: facts.protections.some(({ effect }) => effect === 'allow') ? 'allow' : 'pass', by: 'protection' };

  const strength = (rule: Rule): number => {
    if (rule.layer === 'user' || rule.layer === 'managed') return authority[rule.layer];
    return (settings.trusted ?? true) ? authority.project : authority.untrusted;
  };
  const allows = (least: number): Rule[] => rules.filter((rule) => rule.effect === 'allow' && strength(rule) >= least);
  const isAllowed = (least: number): boolean =>
    rules.some((rule) => rule.effect === 'allow' && met(rule)) && isCovered(allows(least), facts);

  const lifts = (value: 'ask' | 'deny'): boolean =>
    Object.entries(settings.defaults ?? {}).every(([layer, given]) => {
      if (given !== value) return true;
      const needed = layer === 'user' || layer === 'managed' ? authority[layer] : authority.untrusted;
      return isAllowed(needed);
    });
  const isExempt = facts.tool.group === 'meta' || touchesOnlyOwnFiles(facts);
  const fallback = isExempt ? 'pass' : !lifts('deny') ? 'deny' : !lifts('ask') ? 'ask' : 'pass';

  const guards = rules.filter((rule) => rule.effect !== 'allow' && guardsWrites(rule));
  const needed =
    guards.length === 0
      ? 0
      : guards.some(({ layer }) => layer === 'user' || layer === 'managed')
        ? authority.project
        : authority.untrusted;
  const unnamed =
    needed > 0 && (facts.may_write_anywhere ?? []).some((part) => !allows(needed).some((rule) => names(rule, part, facts)));
  const asks =
    facts.protections.some(({ effect }) => effect === 'ask') &&
    !allows(authority.project).some((rule) => isLiteral(rule) && coversCall([rule], facts))
      ? true
      : facts.writes.some(
          (write) =>
            write.protection?.effect === 'ask' &&
            (write.protection.firm || !coversWrite(allows(authority.project), write, facts)),
        );

  if (isAllowed(authority.project) && !unnamed && !asks && fallback === 'pass')
    return { verdict: facts.tool.extra.length > 0 ? 'pass' : 'allow', by: 'rule' };
  const careful = fallback === 'deny' ? 'deny' : 'ask';
  if (unnamed) return { verdict: careful, by: 'uncertainty' };
  if (asks) return { verdict: careful, by: 'protection' };
  return { verdict: fallback, by: 'default' };
}

/** An extent that was not seen whole counts as holding what a path rule means; one that takes names which are not known could. */
function meetsMarked(rule: Rule, facts: Facts, mark: 'unseen' | 'unnamed'): boolean {
  if (rule.effect === 'allow' || (rule.kind !== 'read' && rule.kind !== 'write')) return false;
  const keys = facts.tool.keys;
  return (rule.kind === 'read' ? facts.reads : facts.writes).some(
    (access) =>
      access[mark] &&
      (rule.only === null || keys.includes(rule.only)) &&
      (!access.dependency || rule.paths.some(({ rooted }) => rooted)) &&
      access.own === null,
  );
}

function guardsWrites(rule: Rule): boolean {
  if (rule.kind === 'write') return rule.only === null;
  if (rule.kind === 'outside') return true;
  if (rule.kind === 'tool-glob') return rule.bare.some(([, access]) => access === 'write');
  return (rule.kind === 'every' && rule.access === 'write') || (rule.kind === 'bash-class' && rule.class === 'writes');
}

function touchesOnlyOwnFiles({ tool, reads, writes }: Facts): boolean {
  const accesses = [...reads, ...writes];
  return (tool.group === 'read' || tool.group === 'edit') && accesses.length > 0 && accesses.every(({ own }) => own !== null);
}

/** A word whose value is not known stands where the rule goes on. */
function couldComplete(rule: Rule, facts: Facts): boolean {
  if (rule.kind !== 'bash' || (rule.only !== null && !facts.tool.keys.includes(rule.only))) return false;
  const prefixes = (facts.bash?.commands ?? []).flatMap((one) => one.open_prefixes);
  return rule.commands.some((command) => {
    const head = command.form === 'glob' ? (command.pieces[0] as string) : command.text;
    return prefixes.some(
      (prefix) => prefix === '' || head.startsWith(`${prefix} `) || (command.form === 'glob' && prefix.startsWith(head)),
    );
  });
}

function isCovered(rules: Rule[], facts: Facts): boolean {
  const { tool, bash } = facts;
  const commands = bash?.commands ?? [];
  const accesses = [...facts.reads.filter(({ implied }) => !implied), ...facts.writes];
  const known =
    ((tool.group === 'read' || tool.group === 'edit') && accesses.length > 0) ||
    (tool.group === 'command' && commands.length > 0) ||
    (tool.name === 'WebFetch' && facts.domains.length > 0);
  if (!known && !coversCall(rules, facts)) return false;
  if (!commands.every((command) => coversCommand(rules, command, facts))) return false;
  const loose = (facts.may_write_anywhere ?? []).filter((part) => part.kind === 'command' && part.command === null);
  if (!loose.every((part) => coversClass(rules, part.class) || coversAllCommands(rules, facts))) return false;
  if (!facts.writes.every((write) => (write.own !== null && write.command !== null) || coversWrite(rules, write, facts)))
    return false;
  if (!facts.reads.every((read) => read.implied || coversRead(rules, read, facts))) return false;
  return (
    bash !== null ||
    facts.domains.every(
      (domain) => coversCall(rules, facts) || rules.some((rule) => matches(rule, { kind: 'domain', domain }, facts)),
    )
  );
}

/** By the names in the call: tool, group, server, agent, skill. */
function coversCall(rules: Rule[], facts: Facts): boolean {
  const subjects: Access[] = [
    { kind: 'tool' },
    ...facts.agents.map((name): Access => ({ kind: 'agent', name })),
    ...facts.skills.map((name): Access => ({ kind: 'skill', name })),
  ];
  return rules.some((rule) => subjects.some((subject) => matches(rule, subject, facts)));
}

function coversAllCommands(rules: Rule[], facts: Facts): boolean {
  return (
    rules.some((rule) => rule.kind === 'tool' && rule.name === 'Bash') ||
    (facts.tool.group === 'command' && coversCall(rules, facts))
  );
}

function coversClass(rules: Rule[], name: string): boolean {
  return rules.some((rule) => rule.kind === 'bash-class' && rule.class === name);
}

function coversCommand(rules: Rule[], command: CommandFacts, facts: Facts): boolean {
  return (
    rules.some((rule) => matches(rule, { kind: 'command', command }, facts)) ||
    (facts.tool.group === 'command' && coversCall(rules, facts))
  );
}

const isRun = (access: PathAccess, facts: Facts): boolean => access.command !== null || facts.tool.group === 'mcp';

function coversPath(rules: Rule[], kind: 'read' | 'write', access: PathAccess, facts: Facts): boolean {
  return access.readings.every((reading) =>
    reading.some((at) => rules.some((rule) => matches(rule, { kind, access, name: access.names[at] as never }, facts))),
  );
}

function coversWrite(rules: Rule[], access: PathAccess, facts: Facts): boolean {
  if (coversPath(rules, 'write', access, facts)) return true;
  return access.root !== 'outside' && !isRun(access, facts) && coversCall(rules, facts);
}

function coversRead(rules: Rule[], access: PathAccess, facts: Facts): boolean {
  if (isRun(access, facts) && (access.root !== 'outside' || access.own !== null)) return true;
  if (coversPath(rules, 'read', access, facts)) return true;
  return !isRun(access, facts) && coversCall(rules, facts);
}

/** A literal tool, server, agent or skill. */
function isLiteral(rule: Rule): boolean {
  if (rule.kind === 'tool') return rule.name !== 'Bash' && rule.name !== 'Skill';
  return rule.kind === 'server' || rule.kind === 'agent' || (rule.kind === 'skill' && rule.name.pieces.length === 1);
}

function names(rule: Rule, part: UncertainPart, facts: Facts): boolean {
  if (part.kind === 'tool') return isLiteral(rule) && coversCall([rule], facts);
  if (rule.kind === 'bash-class' && (rule.class === 'runs' || rule.class === 'unknown') && rule.class === part.class) return true;
  const command = part.command === null ? undefined : facts.bash?.commands[part.command];
  if (command === undefined || !matches(rule, { kind: 'command', command }, facts)) return false;
  if (rule.kind === 'bash-class') return rule.class === 'runs' || rule.class === 'unknown';
  if (rule.kind !== 'bash') return false;
  return rule.commands.every((one) => one.form !== 'glob' || (one.pieces[0] as string).includes(' '));
}
