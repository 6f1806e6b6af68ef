// Explains a decision to a person: the reason, the rule with its line, and the remedy.

import { fold } from '../facts/paths/keys.ts';
import type { DecidingRule } from '../model/decision.ts';
import type { Facts, PathAccess } from '../model/facts.ts';
import type { Verdict } from '../model/verdict.ts';
import { anyFile } from '../shell/written.ts';
import { matchesHit, spelledOn } from './matched-accesses.ts';
import { addLines, commandLine, settledBy, shorten } from './settle.ts';

/**
 * The mode of the policy, and a function that finds the mode in which the call would be allowed. Finding it evaluates other
 * modes, so it is called only if the text is shown.
 */
interface ExplainContext {
  mode: string;
  remedy(): string;
  /**
   * Parts of the call that no allow rule covers: lines that would allow them, commands that no rule can name exactly, and the
   * parts in words.
   */
  lacking(): { lines: string[]; unsaid: string[]; what: string[] };
}

interface ExplainedReason {
  reason: string;
  remedy: string;
}

/** @param rules the rules that decided; the first one is named */
export function explain(
  verdict: Verdict,
  rules: readonly DecidingRule[],
  facts: Facts,
  telling: ExplainContext,
): ExplainedReason {
  const explanation = explained(verdict, rules, facts, telling);
  // The author of a policy may write several lines. The name of a file must not begin a line.
  return verdict.by === 'policy' ? explanation : { reason: inLine(explanation.reason), remedy: inLine(explanation.remedy) };
}

/** Writes line ends as JSON does, so that a name that somebody chose cannot begin a line of its own. */
const inLine = (text: string): string =>
  /[\n\r]/.test(text) ? text.replace(/[\n\r]/g, (end) => JSON.stringify(end).slice(1, -1)) : text;

function explained(
  verdict: Verdict,
  rules: readonly DecidingRule[],
  facts: Facts,
  { mode, remedy, lacking }: ExplainContext,
): ExplainedReason {
  if (verdict.verdict === 'pass') return { reason: '', remedy: '' };
  const first = rules[0];
  const outcome = { deny: 'is denied', ask: "needs a person's approval", allow: 'is allowed' }[verdict.verdict];
  switch (verdict.by) {
    case 'rule':
    case 'open': {
      if (first === undefined) return { reason: `The call ${outcome} in ${mode}.`, remedy: remedy() };
      const { file, line } = first.source;
      const { id, matched } = first;
      const hit = verdict.hits.find((one) => one.id === id && (one.on === matched || one.on === fold(matched)));
      const open =
        hit?.via === 'an unknown word'
          ? `${shorten(hit.on)} may run what the rule names, because ${unknownPart(hit, facts)}`
          : openReason(hit, facts);
      const how = verdict.by === 'open' ? open : doing(hit, facts);
      const read = hit && verdict.by === 'rule' ? facts.reads.find((access) => matchesHit(access, hit)) : undefined;
      const without = hit ? exclusion(first.text, spelledOn(hit, read), read, facts) : '';
      const where = first.note === undefined ? `${file}:${line}` : `${file}:${line}, ${first.note}`;
      const settles =
        verdict.verdict === 'ask'
          ? `An allow rule does not override an ask. To stop the question, change ${file}:${line}.`
          : remedy();
      return {
        reason: `${shorten(first.text)} (${where}) ${outcome} in ${mode}: ${how}.`,
        remedy: [without, verdict.by === 'open' ? 'Write the call without unknown parts.' : '', settles]
          .filter((part) => part !== '')
          .join(' '),
      };
    }
    case 'policy': {
      const policy = verdict.policies.find((one) => one.effect === verdict.verdict) ?? verdict.policies[0];
      return policy
        ? { reason: `${policy.reason} (${policy.file}:${policy.line})`, remedy: policy.remedy || remedy() }
        : { reason: `A policy decided: the call ${outcome} in ${mode}.`, remedy: remedy() };
    }
    case 'protection': {
      const protection = verdict.protections.find((one) => one.effect === verdict.verdict) ?? verdict.protections[0];
      if (protection === undefined) return { reason: `A built-in protection: the call ${outcome}.`, remedy: remedy() };
      const guard = facts.protections.find((one) => one.name === protection.name && one.effect === protection.effect);
      if (guard !== undefined)
        return { reason: `${guard.name} ${outcome} in every mode: ${guard.reason}.`, remedy: protection.remedy };
      const unknown = partlyKnown(facts.writes, protection.on);
      if (unknown !== undefined)
        return {
          reason: `${unknown.via} writes ${protection.on}, and the rest of that path is unknown until the call runs. It could be a protected file: the call ${outcome} in every mode.`,
          remedy: protection.remedy,
        };
      return {
        reason: `${protection.on === '.' ? "The project's root" : protection.on} is protected in every mode (${protection.name}): the call ${outcome}.`,
        remedy: protection.remedy,
      };
    }
    case 'uncertainty': {
      const part = facts.may_write_anywhere?.[verdict.unnamed[0] ?? 0];
      const open = verdict.unnamed.map((at) => facts.may_write_anywhere?.[at]).find((one) => one?.anything);
      if (open)
        return {
          reason: `Part of the call could do anything (${open.why}): the call ${outcome} in every mode.`,
          remedy: 'Write the command out as literal text, or split the call.',
        };
      const text = part?.command == null ? part?.name : facts.bash?.commands[part.command]?.text;
      const name = part === undefined ? 'the call' : shorten(text || 'the command');
      const elsewhere = remedy();
      const adds = part?.kind === 'tool' ? addLines([toolLine(part.name, facts)], [], mode) : addCommand(part, facts, mode);
      return {
        reason: `${uncertainty(name, part, mode)}: the call ${outcome}.`,
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
      const { lines, unsaid, what: texts } = lacking();
      const what = texts.map((text) => (usesNetwork(text, facts) ? `${text} (which uses the network)` : text));
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

/** Why the text of a command is not known. */
function unknownPart({ command }: Verdict['hits'][number], facts: Facts): string {
  const part = facts.may_write_anywhere?.find((one) => one.anything && one.command === command);
  return part?.why ?? 'part of it is unknown until the call runs';
}

/** Most parts that a reason names. */
const maxNamed = 3;

/** Why a part that may write anywhere is not allowed. */
function uncertainty(name: string, part: NonNullable<Facts['may_write_anywhere']>[number] | undefined, mode: string): string {
  const why = part?.why ?? 'it is not understood';
  return part?.class === 'runs'
    ? `${name} may write files that ${mode} guards (${why})`
    : `Modes cannot tell whether ${name} writes files that ${mode} guards (${why})`;
}

/** The line to add for the command of this part. */
function addCommand(part: NonNullable<Facts['may_write_anywhere']>[number] | undefined, { bash }: Facts, mode: string): string {
  const command = part?.command == null ? undefined : bash?.commands[part.command];
  if (command === undefined) return '';
  // An uncertain read-only command is allowed only by a rule that names it, not by one for its class.
  const line = commandLine(command);
  return line === null || line.startsWith('Bash(@') ? addLines([], [command.text], mode) : addLines([line], [], mode);
}

/** Why a rule may match names that are known only while the call runs. */
function openReason(hit: Verdict['hits'][number] | undefined, { reads, writes }: Facts): string {
  if (partlyKnown(reads, hit?.on) !== undefined)
    return `${hit?.via} reads ${hit?.on}, and the rest of that path is unknown until the call runs`;
  if (partlyKnown(writes, hit?.on) !== undefined)
    return `${hit?.via} writes ${hit?.on}, and the rest of that path is unknown until the call runs`;
  return `${hit?.via} writes names that are unknown until the call runs`;
}

/** The access with this shown path, if only parts of its path are known. */
function partlyKnown(accesses: readonly PathAccess[], on: string | undefined): PathAccess | undefined {
  return accesses.find(({ path, names }) => path === on && names[0]?.keys.length === 0);
}

/** The rule that names a part of kind `tool`. */
function toolLine(name: string, { skills }: Facts): string {
  return skills.includes(name) ? `Skill(${name})` : name;
}

function doing(hit: Verdict['hits'][number] | undefined, facts: Facts): string {
  if (hit === undefined) return 'the call matches it';
  const write = facts.writes.find((access) => matchesHit(access, hit));
  if (write !== undefined) return `${hit.via} would change ${display(spelledOn(hit, write), write)}`;
  const read = facts.reads.find((access) => matchesHit(access, hit));
  if (read !== undefined) return `${hit.via} would read ${display(spelledOn(hit, read), read)}`;
  return usesNetwork(hit.on, facts) ? `${hit.on} uses the network` : `the call is ${hit.on}`;
}

const usesNetwork = (text: string, { bash }: Facts): boolean =>
  bash?.commands.some((command) => command.network && command.text === text) ?? false;

/** The name that a person knows: the relative one if it exists. Names that stand for others are told in words. */
function display(name: string, access: PathAccess): string {
  if (name === '') return "the project's root";
  if (name === '…') return 'a file whose name is unknown until the call runs';
  if (name.startsWith('…/')) return `${name.slice(2)} in a folder that is unknown until the call runs`;
  if (name === anyFile) return "any file in the project's root";
  if (name.endsWith(`/${anyFile}`)) return `any file in ${name.slice(0, -anyFile.length - 1)}`;
  if (!name.startsWith('/')) return name;
  const own = access.names.some((one) => one.path === name);
  if (own) return access.path === '.' ? "the project's root" : access.path;
  const below = access.below.find((one) => !one.path.startsWith('/') && name.endsWith(`/${one.path}`));
  return below?.path ?? name;
}

/** The options with which each search tool excludes a file and a folder. */
const forms: ReadonlyMap<string, { file: (name: string) => string; folder: (name: string) => string }> = new Map([
  ...['grep', 'egrep', 'fgrep', 'rgrep'].map(
    (name) =>
      [
        name,
        { file: (one: string) => `--exclude=${quoted(one)}`, folder: (one: string) => `--exclude-dir=${quoted(one)}` },
      ] as const,
  ),
  ['rg', { file: (name) => `-g '!${name}'`, folder: (name) => `-g '!${name}'` }],
  ['Grep', { file: (name) => `glob "!${name}"`, folder: (name) => `glob "!${name}"` }],
]);

/**
 * Returns what to add to a search that was denied because of a file below its folder. Returns '' if the read is not such a
 * search, or if the denied file is the one that the search named.
 * @param rule the text of the rule that matched
 * @param on the name that it matched
 */
export function exclusion(rule: string, on: string, access: PathAccess | undefined, facts: Facts): string {
  const { tool } = facts;
  if (access !== undefined && takesPathspecs.test(access.via)) return excludedByGit(rule, on, access, facts);
  const form = access?.deep ? forms.get(access.command === null ? tool.name : access.via) : undefined;
  if (form === undefined || !access?.below.some((name) => name.path === on)) return '';
  const parts = on.split('/');
  const folder = folderOf(rule, parts);
  const name = folder ?? (parts.at(-1) as string);
  return /^[\w.@+ -]+$/.test(name) ? `Leave it out: ${folder === null ? form.file(name) : form.folder(name)}.` : '';
}

/** Git commands that print contents and accept pathspecs. */
const takesPathspecs =
  /^git (?:log|show|diff|diff-tree|diff-index|diff-files|whatchanged|reflog|range-diff|format-patch|archive|grep|fast-export|difftool)$/;

/** The pathspec that excludes a tracked file from the output of git. */
function excludedByGit(rule: string, on: string, access: PathAccess, { bash }: Facts): string {
  if (!access.implied || on.startsWith('/') || !access.below.some((name) => name.path === on)) return '';
  const parts = on.split('/');
  const folder = folderOf(rule, parts);
  const name = folder === null ? on : parts.slice(0, parts.indexOf(folder) + 1).join('/');
  if (!/^[\w.@+ /-]+$/.test(name)) return '';
  const spec = access.path === '.' ? `':!${name}'` : `':(top,exclude)${name}'`;
  const isDashed = bash?.commands[access.command ?? -1]?.argv.includes('--') ?? false;
  return isDashed ? `Leave it out: add the pathspec ${spec}.` : `Leave it out: add -- . ${spec}.`;
}

/** The folder that a rule covers whole (`secrets/`, `secrets/**`), if its name is literal. */
function folderOf(rule: string, parts: string[]): string | null {
  const inner = /\((.*)\)$/s.exec(rule)?.[1] ?? '';
  const last = /(?<![^/*?[\]{}])([^/*?[\]{}]+)\/(?:\*\*?(?:\/\*)?)?$/.exec(inner)?.[1];
  return last !== undefined && parts.slice(0, -1).includes(last) ? last : null;
}

function quoted(name: string): string {
  return /\s/.test(name) ? `'${name}'` : name;
}
