// Suggests allow rules that would cover a call, as a person would write them. Each covers exactly one command or file, never a
// whole program.

import type { CommandFacts, Facts, PathAccess } from '../model/facts.ts';
import { parseCommandPattern } from '../rules/command.ts';
import { writeRuleText } from '../rules/rule-text.ts';

/** At most this many rules are listed. */
const maxLines = 4;
/** A longer command is not suggested as a rule, since a person would not check it. */
const maxCommand = 200;

/** Returns a sentence with the rules that would make the mode allow the call. */
export function settledBy(facts: Facts, mode: string): string {
  return addLines(allowLines(facts), unsayable(facts), mode);
}

/** @param unsaid commands that no rule can name exactly */
export function addLines(lines: readonly string[], unsaid: readonly string[], mode: string): string {
  const shown = lines.slice(0, maxLines).join(', ');
  const more = lines.length > maxLines ? ` and ${lines.length - maxLines} more` : '';
  const adds = lines.length === 0 ? '' : `To allow this call, add ${shown}${more} under allow in settings.${mode}.json.`;
  const [first] = unsaid;
  const cannot =
    first === undefined
      ? ''
      : `No allow rule can match exactly ${JSON.stringify(shorten(first))}: run it as a separate, short command.`;
  return [adds, cannot].filter((part) => part !== '').join(' ');
}

export const shorten = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

/** One allow rule for each part of the call that needs a rule and that a rule can name. */
export function allowLines({ tool, bash, reads, writes, domains, agents, skills }: Facts): string[] {
  const isRun = tool.group !== 'read' && tool.group !== 'edit';
  const readsToAllow = reads.filter((access) => !access.implied && (!isRun || access.root === 'outside'));
  const commands = bash?.commands ?? [];
  const lines = [
    ...commands.flatMap((command) => commandLine(command) ?? []),
    ...readsToAllow.filter(isOthers).map((access) => pathLine('Read', access.path)),
    ...writes.filter(isOthers).map((access) => pathLine('Write', access.path)),
    ...agents.map((name) => `Agent(${name})`),
    ...skills.map((name) => `Skill(${name})`),
    ...(bash === null ? domains.map(({ host }) => `WebFetch(domain:${host})`) : []),
  ];
  const isNamed = tool.group === 'mcp' || (lines.length === 0 && commands.length === 0);
  return [...new Set(isNamed ? [tool.name, ...lines] : lines)];
}

/**
 * Commands of the call that no rule can name exactly. It includes commands that ask in spite of allow rules, since they can do
 * what any command does.
 */
export function unsayable({ bash, may_write_anywhere: parts }: Facts): string[] {
  const open = new Set(parts?.filter(({ anything }) => anything).map(({ command }) => command));
  return (bash?.commands ?? []).filter((command, at) => open.has(at) || commandLine(command) === null).map(({ text }) => text);
}

function isOthers({ own }: PathAccess): boolean {
  return own === null;
}

/**
 * Returns the rule for exactly this command, or for its class if that is read-only. Null if neither is possible. Never suggests a
 * wildcard: the same program with other options may write or run anything.
 */
export function commandLine({ top, name, argv, text, class: found, network }: CommandFacts): string | null {
  const exact = top && name !== '' ? exactLine(argv, text) : null;
  return exact ?? (found === 'read-only' && !network ? 'Bash(@read-only)' : null);
}

function exactLine(argv: readonly (string | null)[], text: string): string | null {
  if (text.length > maxCommand || text !== text.trim() || /[\n\r]/.test(text)) return null;
  const isStatic = argv.every((word): word is string => word !== null);
  const escaped = isStatic ? argv.map((word) => word.replace(/[^\w@%+=:,./-]/g, '\\$&')).join(' ') : text;
  for (const written of [text, escaped]) {
    const parsed = parseCommandPattern(written, false);
    const [only, ...more] = 'commands' in parsed ? (parsed.commands ?? []) : [];
    const isExact = only?.form === 'exact' && only.text === text && more.length === 0;
    if (isExact) return writeRuleText('Bash', written);
  }
  return null;
}

/** The path, or the nearest folder above it, that can be written as a pattern without escapes. */
export function pathLine(kind: 'Read' | 'Write', path: string): string {
  if (path === '.') return `${kind}(/**)`;
  if (!/[*?[\]{}\\()!#\s]/.test(path)) return `${kind}(/${path})`;
  const parts = path.split('/');
  const odd = parts.findIndex((part) => /[*?[\]{}\\()!#]|^\s|\s$/.test(part));
  return `${kind}(/${odd === -1 ? path : `${parts.slice(0, odd).join('/')}/**`})`;
}
