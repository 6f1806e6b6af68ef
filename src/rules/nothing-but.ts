// Decides whether a Bash call is exactly the command of a check.

import { analyse } from '../shell/analyse.ts';
import { parseCommandPattern } from './command.ts';
import { matchesCommand } from './direct.ts';

/** Characters with a special meaning to a shell, outside quotes. */
const SPECIAL = /[;&|<>()$`\n\r!{}[\]*?~#=\\]/;
/** A simple command with variables before it and with globs: `CLAUDECODE=0 bun test`, `node --test test/*.test.js`. */
const SIMPLE = /^(?:[A-Za-z_]\w*=[^\s;&|<>()$`!{}[\]*?~#\\'"]* +)*[\w./@-]+(?:[ \t]+[^\s;&|<>()$`!{}#\\]+)*$/;

/**
 * True if the text is one simple command that matches the pattern of a Bash rule, with nothing before, after or around it.
 * Ignores a trailing `2>&1`. The pattern itself is such a text if it is a simple command.
 */
export function isNothingBut(text: string, pattern: string, home: string): boolean {
  if (isExactly(text, pattern)) return true;
  const bare = withoutBlanks(text);
  const words = plainWords(bare);
  if (words === null) return false;
  const parsed = parseCommandPattern(pattern, false);
  if ('problem' in parsed || parsed.commands === null) return false;
  const { commands } = analyse(bare, { cwd: '/', home });
  const [only] = commands;
  if (only === undefined || commands.length > 1) return false;
  if (only.argv.length !== words.length || only.argv.some((word, at) => word !== words[at])) return false;
  return parsed.commands.some((command) => matchesCommand(command, only.text));
}

/** True if the text is the command, and one simple command. Its `*` is that of the shell. */
export function isExactly(text: string, command: string): boolean {
  const bare = withoutBlanks(text);
  return bare === command.trim() && SIMPLE.test(bare);
}

/** Removes only blanks of the shell, and `2>&1`. `trim` would remove other kinds of space, which are part of a word. */
function withoutBlanks(text: string): string {
  return text.replace(/^[ \t\n]+|(?<![ \t\n])[ \t\n]+$/g, '').replace(/(?<![ \t])[ \t]+2>&1$/, '');
}

/**
 * The words of a text in which only quotes have a special meaning; null for any other text. A `=` inside any word but the first
 * is plain text.
 */
function plainWords(text: string): string[] | null {
  const words: string[] = [];
  let word: string | null = null;
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string;
    if (char === "'" || char === '"') {
      const end = text.indexOf(char, at + 1);
      const inner = text.slice(at + 1, end);
      if (end === -1 || (char === '"' && /[$`\\!]/.test(inner))) return null;
      word = (word ?? '') + inner;
      at = end;
    } else if (char === ' ' || char === '\t') {
      if (word !== null) words.push(word);
      word = null;
    } else if (SPECIAL.test(char) && !(char === '=' && words.length > 0 && word !== null && word !== '')) return null;
    else word = (word ?? '') + char;
  }
  if (word !== null) words.push(word);
  return words.length === 0 ? null : words;
}
