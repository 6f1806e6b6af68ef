// Which allow rules name what they allow, so that they answer for what it may write unseen.
import type { CommandPattern, Rule } from '../model/rule.ts';

/** A literal tool, server, agent or skill, tools of a literal server, a class that is uncertain, or a command that begins with a literal word. */
export function isNaming(rule: Rule): boolean {
  switch (rule.kind) {
    case 'tool':
      return rule.name !== 'Bash' && rule.name !== 'Skill';
    case 'server':
    case 'agent':
    // In allow a pattern of tools names its whole server, as `mcp__server__*` does, and reaches less.
    case 'tool-glob':
      return true;
    case 'skill':
      return rule.name.pieces.length === 1;
    case 'bash':
      return rule.commands.every((command) => firstWord(command) !== null);
    case 'bash-class':
      return rule.class === 'runs' || rule.class === 'unknown';
    default:
      return false;
  }
}

/** Whether a rule, as written, meets what a call reads: `Read`, `Read(…)`, `@read`. */
export function isAboutReads(text: string): boolean {
  return text.startsWith('@read') || text === 'Read' || (text.startsWith('Read') && !isWordAt(text, 4));
}

function isWordAt(text: string, at: number): boolean {
  return /\w/.test(text[at] as string);
}

/** The command word where it is literal and whole, else null. */
export function firstWord(command: CommandPattern): string | null {
  const text = command.form === 'glob' ? (command.pieces[0] as string) : command.text;
  const end = text.indexOf(' ');
  if (end !== -1) return text.slice(0, end) || null;
  return command.form === 'glob' ? null : text;
}
