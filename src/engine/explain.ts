// What a decision says to a person: why, by which rule and line, and what helps.

import { fold } from '../facts/paths/keys.ts';
import type { DecidingRule } from '../model/decision.ts';
import type { Facts, PathAccess } from '../model/facts.ts';
import type { Verdict } from '../model/verdict.ts';
import { exclusion } from './exclude.ts';
import { meets, spelledOn } from './hits.ts';
import { addLines, commandLine, settledBy, shorten } from './settle.ts';

/** The mode whose policy said it, and where the call would be right: other modes are asked for that, so only what shows it does. */
interface Telling {
  mode: string;
  remedy(): string;
  /** Parts of the call that no allow covers: the lines that would, commands that no line can say, and the parts in words. */
  lacking(): { lines: string[]; unsaid: string[]; what: string[] };
}

interface Said {
  reason: string;
  remedy: string;
}

/** @param rules those that decided, the first of which is named */
export function explain(verdict: Verdict, rules: readonly DecidingRule[], facts: Facts, telling: Telling): Said {
  const said = explained(verdict, rules, facts, telling);
  // A policy's author writes lines; what a file is called makes none.
  return verdict.by === 'policy' ? said : { reason: inLine(said.reason), remedy: inLine(said.remedy) };
}

/** Ends of lines as JSON writes them: a name that somebody chose is no line of its own. */
const inLine = (text: string): string =>
  /[\n\r]/.test(text) ? text.replace(/[\n\r]/g, (end) => JSON.stringify(end).slice(1, -1)) : text;

function explained(verdict: Verdict, rules: readonly DecidingRule[], facts: Facts, { mode, remedy, lacking }: Telling): Said {
  if (verdict.verdict === 'pass') return { reason: '', remedy: '' };
  const first = rules[0];
  const said = { deny: 'is denied', ask: "needs a person's yes", allow: 'is allowed' }[verdict.verdict];
  switch (verdict.by) {
    case 'rule':
    case 'open': {
      if (first === undefined) return { reason: `The call ${said} in ${mode}.`, remedy: remedy() };
      const { file, line } = first.source;
      const { id, matched } = first;
      const hit = verdict.hits.find((one) => one.id === id && (one.on === matched || one.on === fold(matched)));
      const open = hit?.via === 'an unknown word' ? 'a word whose value is not known could complete it' : openReason(hit, facts);
      const how = verdict.by === 'open' ? open : doing(hit, facts);
      const read = hit && verdict.by === 'rule' ? facts.reads.find((access) => meets(access, hit)) : undefined;
      const without = hit ? exclusion(first.text, spelledOn(hit, read), read, facts) : '';
      const where = first.note === undefined ? `${file}:${line}` : `${file}:${line}, ${first.note}`;
      const settles = verdict.verdict === 'ask' ? `No allow lifts an ask: the line ${file}:${line} is what asks.` : remedy();
      return {
        reason: `${first.text} (${where}) ${said} in ${mode}: ${how}.`,
        remedy: [without, settles].filter((part) => part !== '').join(' '),
      };
    }
    case 'policy': {
      const policy = verdict.policies.find((one) => one.effect === verdict.verdict) ?? verdict.policies[0];
      return policy
        ? { reason: `${policy.reason} (${policy.file}:${policy.line})`, remedy: policy.remedy || remedy() }
        : { reason: `A policy decided: the call ${said} in ${mode}.`, remedy: remedy() };
    }
    case 'protection': {
      const met = verdict.protections.find((one) => one.effect === verdict.verdict) ?? verdict.protections[0];
      if (met === undefined) return { reason: `A built-in protection: the call ${said}.`, remedy: remedy() };
      const guard = facts.protections.find((one) => one.name === met.name && one.effect === met.effect);
      if (guard !== undefined) return { reason: `${guard.name} ${said} in every mode: ${guard.reason}.`, remedy: met.remedy };
      const unknown = partlyKnown(facts.writes, met.on);
      if (unknown !== undefined)
        return {
          reason: `${unknown.via} writes ${met.on}, a path of which only this part is known before the call runs. It could be a protected file: the call ${said} in every mode.`,
          remedy: met.remedy,
        };
      return {
        reason: `${met.on === '.' ? "The project's root" : met.on} is protected in every mode (${met.name}): the call ${said}.`,
        remedy: met.remedy,
      };
    }
    case 'uncertainty': {
      const part = facts.may_write_anywhere?.[verdict.unnamed[0] ?? 0];
      const open = verdict.unnamed.map((at) => facts.may_write_anywhere?.[at]).find((one) => one?.anything);
      if (open)
        return {
          reason: `Part of the call could do anything (${open.why}): the call ${said} in every mode.`,
          remedy: 'Write the command out as literal text, or split the call.',
        };
      const text = part?.command == null ? part?.name : facts.bash?.commands[part.command]?.text;
      const name = part === undefined ? 'the call' : shorten(text || 'the command');
      const elsewhere = remedy();
      const adds = part?.kind === 'tool' ? addLines([toolLine(part.name, facts)], [], mode) : addCommand(part, facts, mode);
      return {
        reason: `${uncertainty(name, part, mode)}: the call ${said}.`,
        remedy: [elsewhere, adds].filter((text) => text !== '').join(' '),
      };
    }
    default: {
      const line = first?.id === 'default' ? ` (${first.source.file}:${first.source.line})` : '';
      if (verdict.verdict === 'ask')
        return {
          reason: `No rule of ${mode} allows this call and its default is ask${line}.`,
          remedy: [remedy(), settledBy(facts, mode)].filter((part) => part !== '').join(' '),
        };
      const { lines, unsaid, what } = lacking();
      const parts =
        what.length > maxNamed ? `${what.slice(0, maxNamed).join(', ')} and ${what.length - maxNamed} more` : what.join(', ');
      return {
        reason:
          parts === ''
            ? `No rule of ${mode} allows this call and its default is ${verdict.verdict}${line}.`
            : `No allow rule of ${mode} covers ${parts}, and its default is ${verdict.verdict}${line}.`,
        remedy: [remedy(), addLines(lines, unsaid, mode)].filter((part) => part !== '').join(' '),
      };
    }
  }
}

/** More parts are not named in a reason. */
const maxNamed = 3;

/** Why a part that may write anywhere is not let through. */
function uncertainty(name: string, part: NonNullable<Facts['may_write_anywhere']>[number] | undefined, mode: string): string {
  const why = part?.why ?? 'it is not understood';
  return part?.class === 'runs'
    ? `${name} may write files that ${mode} guards (${why})`
    : `${name} is not known to leave alone the files that ${mode} guards (${why})`;
}

/** The line for the command that a part is. */
function addCommand(part: NonNullable<Facts['may_write_anywhere']>[number] | undefined, { bash }: Facts, mode: string): string {
  const command = part?.command == null ? undefined : bash?.commands[part.command];
  if (command === undefined) return '';
  // Of a read-only command that is uncertain, only a rule that names it says that it may run.
  const line = commandLine(command);
  return line === null || line.startsWith('Bash(@') ? addLines([], [command.text], mode) : addLines([line], [], mode);
}

/** Why a rule could match what a call touches under names that only the running call knows. */
function openReason(hit: Verdict['hits'][number] | undefined, { reads, writes }: Facts): string {
  if (partlyKnown(reads, hit?.on) !== undefined)
    return `${hit?.via} reads ${hit?.on}, a path of which only this part is known before the call runs`;
  if (partlyKnown(writes, hit?.on) !== undefined)
    return `${hit?.via} writes ${hit?.on}, a path of which only this part is known before the call runs`;
  return `${hit?.via} writes names that are not known before`;
}

/** The access that is shown so, if only parts of its path are known. */
function partlyKnown(accesses: readonly PathAccess[], on: string | undefined): PathAccess | undefined {
  return accesses.find(({ path, names }) => path === on && names[0]?.keys.length === 0);
}

/** The rule that names a part of kind tool. */
function toolLine(name: string, { skills }: Facts): string {
  return skills.includes(name) ? `Skill(${name})` : name;
}

function doing(hit: Verdict['hits'][number] | undefined, facts: Facts): string {
  if (hit === undefined) return 'the call meets it';
  const write = facts.writes.find((access) => meets(access, hit));
  if (write !== undefined) return `${hit.via} would change ${display(spelledOn(hit, write), write)}`;
  const read = facts.reads.find((access) => meets(access, hit));
  if (read !== undefined) return `${hit.via} would read ${display(spelledOn(hit, read), read)}`;
  return `the call is ${hit.on}`;
}

/** The name that a person knows: relative where there is one. */
function display(name: string, access: PathAccess): string {
  if (name === '') return "the project's root";
  if (!name.startsWith('/')) return name;
  const own = access.names.some((one) => one.path === name);
  if (own) return access.path === '.' ? "the project's root" : access.path;
  const below = access.below.find((one) => !one.path.startsWith('/') && name.endsWith(`/${one.path}`));
  return below?.path ?? name;
}
