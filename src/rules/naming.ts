// Determines which allow rules name a specific subject, so that they also allow its unknown writes.
import type { CommandPattern, Rule } from '../model/rule.ts';

/**
 * True for a literal tool, server, agent or skill, for tools of a literal server, for a class of uncertain commands, and for a command that
 * starts with a literal word.
 */
export function isNaming(rule: Rule): boolean {
  switch (rule.kind) {
    case 'tool':
      return rule.name !== 'Bash' && rule.name !== 'Skill';
    case 'server':
    case 'agent':
    // In allow, a pattern of tools names its whole server, like `mcp__server__*`, and allows less.
    case 'tool-glob':
      return true;
    case 'skill':
      return rule.name.pieces.length === 1;
    case 'bash':
      return rule.commands.every((command) => firstWord(command) !== null);
    case 'bash-class':
      return rule.class === 'runs' || rule.class === 'unknown' || rule.class === 'checks';
    default:
      return false;
  }
}

/** True if a rule, as written, is about reads: `Read`, `Read(…)`, `@read`. */
export function isAboutReads(text: string): boolean {
  return text.startsWith('@read') || text === 'Read' || (text.startsWith('Read') && !isWordAt(text, 4));
}

function isWordAt(text: string, at: number): boolean {
  return /\w/.test(text[at] as string);
}

/** The command word if it is literal and complete, else null. */
export function firstWord(command: CommandPattern): string | null {
  const text = command.form === 'glob' ? (command.pieces[0] as string) : command.text;
  const end = text.indexOf(' ');
  if (end !== -1) return text.slice(0, end) || null;
  return command.form === 'glob' ? null : text;
}
