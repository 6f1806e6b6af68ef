// Allow rules that would cover a call, as a person would write them.
import { parseCommandPattern } from '../rules/command.ts';
import type { CommandFacts, Facts, PathAccess } from '../tools/types.ts';

/** More are not listed. */
const maxLines = 4;
/** A longer command is named by its first word. */
const maxCommand = 120;

/** The line or lines that would settle the call, in words. */
export function settledBy(facts: Facts, mode: string): string {
  const lines = allowLines(facts);
  const shown = lines.slice(0, maxLines).join(', ');
  const more = lines.length > maxLines ? ` and ${lines.length - maxLines} more` : '';
  return lines.length === 1
    ? `The line ${shown} under allow in settings.${mode}.json settles it.`
    : `The lines ${shown}${more} under allow in settings.${mode}.json settle it.`;
}

/** One allow rule for each part of the call that needs one; at least one. */
export function allowLines({ tool, bash, reads, writes, domains, agents, skills }: Facts): string[] {
  const isRun = tool.group !== 'read' && tool.group !== 'edit';
  const seen = reads.filter((access) => !access.implied && (!isRun || access.root === 'outside'));
  const lines = [
    ...(bash?.commands ?? []).map(commandLine),
    ...seen.filter(isOthers).map((access) => pathLine('Read', access.path)),
    ...writes.filter(isOthers).map((access) => pathLine('Write', access.path)),
    ...agents.map((name) => `Agent(${name})`),
    ...skills.map((name) => `Skill(${name})`),
    ...(bash === null ? domains.map(({ host }) => `WebFetch(domain:${host})`) : []),
  ];
  const isNamed = tool.group === 'mcp' || lines.length === 0;
  return [...new Set(isNamed ? [tool.name, ...lines] : lines)];
}

function isOthers({ own }: PathAccess): boolean {
  return own === null;
}

/** The command as it stands where a rule can say that; only a rule for all of them covers what another command runs. */
export function commandLine({ top, name, text }: CommandFacts): string {
  if (!top || name === '') return 'Bash';
  const said = text.length > maxCommand || text !== text.trim() ? { problem: null } : parseCommandPattern(text, false);
  const isExact = 'commands' in said && said.commands?.some((one) => one.form === 'exact' && one.text === text);
  return isExact ? `Bash(${text})` : `Bash(${name}:*)`;
}

/** The path, or the nearest folder above it that can be written as a pattern without escapes. */
export function pathLine(kind: 'Read' | 'Write', path: string): string {
  if (path === '.') return `${kind}(/**)`;
  if (!/[*?[\]{}\\()!#\s]/.test(path)) return `${kind}(/${path})`;
  const parts = path.split('/');
  const odd = parts.findIndex((part) => /[*?[\]{}\\()!#]|^\s|\s$/.test(part));
  return `${kind}(/${odd === -1 ? path : `${parts.slice(0, odd).join('/')}/**`})`;
}
