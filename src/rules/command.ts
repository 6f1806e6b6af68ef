// The pattern of a Bash rule: `npm test`, `npm test:*`, `npm test *`, `npm*`, `git * main`.
import type { CommandPattern } from './types.ts';

export interface CommandProblem {
  message: string;
  remedy: string;
  at: number;
}

/** `command: null` is every command (`*`). */
export type ParsedCommand = { command: CommandPattern | null; doubts: CommandProblem[] } | { problem: CommandProblem };

/**
 * Reads the pattern of one simple command. `:*` and ` *` at the end mean the words so far, alone or with more after them; other
 * stars stand for any text, spaces included. What joins commands (`&&`, `|`, `>`) can meet no simple command and is refused.
 */
export function parseCommandPattern(inner: string): ParsedCommand {
  const text = joinWords(inner.trim());
  if (text === '*') return { command: null, doubts: [] };
  const join = findJoin(text);
  if (join !== null) return { problem: { message: `${join.text} joins commands or redirects, and a rule is about one simple command`, remedy: join.remedy, at: join.at } };
  const boundary = /(?::\*| \*)$/.test(text);
  const head = boundary ? text.slice(0, -2).trimEnd() : text;
  if (head === '') return { problem: { message: 'there is no command before the *', remedy: 'Write Bash alone for every command.', at: 0 } };
  const doubts: CommandProblem[] = [];
  if (head.includes(':*')) {
    doubts.push({ message: ':* has its meaning only at the end; here it is a colon and any text', remedy: 'Write a space before the *, or move :* to the end.', at: head.indexOf(':*') });
  }
  if (!head.includes('*')) return { command: { form: boundary ? 'prefix' : 'exact', text: head }, doubts };
  return { command: { form: 'glob', pieces: head.split(/\*+/), boundary }, doubts };
}

/** Runs of white space outside quotes become one space, as in the texts that rules are tried on. */
function joinWords(text: string): string {
  let out = '';
  let quote = '';
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string;
    if (quote === '' && /[ \t]/.test(char)) {
      if (!out.endsWith(' ')) out += ' ';
      continue;
    }
    out += char;
    if (char === '\\' && quote !== "'") out += text[++at] ?? '';
    else if (quote === '' ? char === '"' || char === "'" : char === quote) quote = quote === '' ? char : '';
  }
  return out;
}

const oneEach = 'Write one rule for each command.';
const joins: readonly [RegExp, string][] = [
  [/^(?:&&|\|\||\|&|;|\||\n)/, oneEach],
  [/^&(?!\d)/, oneEach],
  [/^(?:\d*>{1,2}[|&]?|<)/, 'Leave redirections out of the rule; Write(…) and Read(…) rules are about their files.'],
];

function findJoin(text: string): { text: string; remedy: string; at: number } | null {
  let quote = '';
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string;
    if (char === '\\' && quote !== "'") {
      at++;
      continue;
    }
    if (quote !== '') {
      if (char === quote) quote = '';
      continue;
    }
    if ((char === '"' || char === "'") && text.indexOf(char, at + 1) !== -1) {
      quote = char;
      continue;
    }
    if (/\d/.test(char) && at > 0 && text[at - 1] !== ' ') continue;
    for (const [form, remedy] of joins) {
      const found = form.exec(text.slice(at));
      if (found) return { text: found[0], remedy, at };
    }
  }
  return null;
}
