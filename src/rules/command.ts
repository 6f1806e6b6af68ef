// The pattern of a Bash rule: `npm test`, `npm test:*`, `npm test *`, `npm*`, `git * main`.
import { quote } from '../bash/arg.ts';
import { maxWildcards } from './reading.ts';
import type { CommandPattern } from './types.ts';

/** Characters of one pattern. */
const maxLength = 1_000;

export interface CommandProblem {
  message: string;
  remedy: string;
  at: number;
}

/** `commands: null` is every command (`*`). */
export type ParsedCommand = { commands: CommandPattern[] | null; doubts: CommandProblem[] } | { problem: CommandProblem };

/**
 * Reads the pattern of one simple command. `:*` and ` *` at the end mean the words so far, alone or with more after them; other
 * stars stand for any text, spaces included. What joins commands (`&&`, `|`, `>`) can meet no simple command and is refused.
 * Quotes are read as the analyser writes them; in deny and ask (`narrow`) the words count without quotes as well.
 */
export function parseCommandPattern(inner: string, narrow: boolean): ParsedCommand {
  const text = joinWords(inner.trim());
  if (text === '*') return { commands: null, doubts: [] };
  const join = findJoin(text);
  if (join !== null) {
    return {
      problem: {
        message: `${join.text} joins commands or redirects, and a rule is about one simple command`,
        remedy: join.remedy,
        at: join.at,
      },
    };
  }
  const boundary = /(?::\*| \*)$/.test(text);
  const head = boundary ? text.slice(0, -2).trimEnd() : text;
  if (head === '')
    return { problem: { message: 'there is no command before the *', remedy: 'Write Bash alone for every command.', at: 0 } };
  if (text.length > maxLength)
    return {
      problem: { message: `the command has more than ${maxLength} characters`, remedy: 'Write a shorter pattern.', at: 0 },
    };
  const commands = spellings(head, narrow);
  if (commands.some((pieces) => pieces.length - 1 > maxWildcards)) {
    return { problem: { message: `the command has more than ${maxWildcards} stars`, remedy: 'Write several rules.', at: 0 } };
  }
  const doubts: CommandProblem[] = [];
  if (head.includes(':*')) {
    doubts.push({
      message: ':* has its meaning only at the end; here it is a colon and any text',
      remedy: 'Write a space before the *, or move :* to the end.',
      at: head.indexOf(':*'),
    });
  }
  if (head.startsWith('^')) {
    doubts.push({
      message: '^ belongs to the command: a rule is no regular expression',
      remedy: 'Remove it; * stands for any text.',
      at: 0,
    });
  }
  for (const { found, what } of doubts.length === 0 ? expressions : []) {
    const at = found.exec(head);
    if (at === null) continue;
    doubts.push({
      message: `${at[0]} belongs to the command, ${what}: a rule is no regular expression`,
      remedy: 'Remove it; * stands for any text, and :* at the end for any further words.',
      at: at.index,
    });
    break;
  }
  return { commands: commands.map((pieces) => patternOf(pieces, boundary)), doubts };
}

/** Text of regular expressions that no command has by itself. */
const expressions: readonly { found: RegExp; what: string }[] = [
  { found: /(?<=^\S+)\.[*+](?=\s|$)/, what: 'with the dot' },
  {
    found: /(?<=^(?:npm|pnpm|yarn|bun|npx|git|gh|docker|kubectl|cargo|go|make|just|pip|uv|poetry|terraform)(?: [\w:-]+)+)\.\*/,
    what: 'with the dot',
  },
  { found: /\\[bswdBSWD](?![\w])[*+]?/, what: 'without the \\' },
  { found: /(?<=\w)\$$/, what: 'with the $' },
  { found: /\[(?:a-z|A-Z|0-9|\^)[^\]]*\][*+]/, what: 'as written' },
];

function patternOf(pieces: string[], boundary: boolean): CommandPattern {
  if (pieces.length > 1) return { form: 'glob', pieces, boundary };
  return { form: boundary ? 'prefix' : 'exact', text: pieces[0] as string };
}

const star = Symbol('any text');
type Stretch = string | typeof star;

/** A word of a rule: its text without quotes, stars apart. */
interface RuleWord {
  source: string;
  stretches: Stretch[];
  isQuoted: boolean;
}

/** The pieces between the stars: as the analyser spells the words, and where that differs and is wanted also without quotes. */
function spellings(head: string, narrow: boolean): string[][] {
  if (!/['"\\]/.test(head)) return [head.split(/\*+/)];
  const words = readWords(head);
  if (words === null) return [head.split(/\*+/)];
  const written = piecesOf(words.map(writtenLike));
  const bare = piecesOf(words.map(({ stretches }) => stretches));
  return narrow && bare.join('\0') !== written.join('\0') ? [written, bare] : [written];
}

/** A static word as its value, quoted where it must be; an expansion as its source. */
function writtenLike({ source, stretches, isQuoted }: RuleWord): Stretch[] {
  if (/[$`]/.test(source)) return source.split(/(\*+)/).map((part) => (part.startsWith('*') ? star : part));
  if (!stretches.includes(star)) return [quote(stretches.join(''))];
  return isQuoted ? ["'", ...stretches, "'"] : stretches;
}

function piecesOf(words: Stretch[][]): string[] {
  const pieces = [''];
  words.forEach((stretches, at) => {
    if (at > 0) pieces.push(`${pieces.pop()} `);
    for (const stretch of stretches) {
      if (stretch !== star) pieces.push(pieces.pop() + stretch);
      else if (pieces.length === 1 || pieces.at(-1) !== '') pieces.push('');
    }
  });
  return pieces;
}

/** Words as a shell reads quotes and backslashes; an escaped star is text. Null when a quote is not closed. */
function readWords(head: string): RuleWord[] | null {
  const words: RuleWord[] = [];
  let word: RuleWord = { source: '', stretches: [], isQuoted: false };
  let open = '';
  for (let at = 0; at < head.length; at++) {
    const char = head[at] as string;
    if (open === '' && char === ' ') {
      words.push(word);
      word = { source: '', stretches: [], isQuoted: false };
      continue;
    }
    word.source += char;
    if (open === '' ? char === '"' || char === "'" : char === open) {
      open = open === '' ? char : '';
      word.isQuoted = true;
    } else if (char === '\\' && open !== "'" && at + 1 < head.length) {
      const next = head[++at] as string;
      word.source += next;
      word.stretches.push(open === '"' && !/["\\$`]/.test(next) ? `\\${next}` : next);
    } else word.stretches.push(char === '*' ? star : char);
  }
  words.push(word);
  return open === '' ? words : null;
}

/** Runs of white space outside quotes become one space, as in the texts that rules are tried on. */
function joinWords(text: string): string {
  let out = '';
  let open = '';
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string;
    if (open === '' && /[ \t]/.test(char)) {
      if (!out.endsWith(' ')) out += ' ';
      continue;
    }
    out += char;
    if (char === '\\' && open !== "'") out += text[++at] ?? '';
    else if (open === '' ? char === '"' || char === "'" : char === open) open = open === '' ? char : '';
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
  let open = '';
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string;
    if (char === '\\' && open !== "'") {
      at++;
      continue;
    }
    if (open !== '') {
      if (char === open) open = '';
      continue;
    }
    if ((char === '"' || char === "'") && text.includes(char, at + 1)) {
      open = char;
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
