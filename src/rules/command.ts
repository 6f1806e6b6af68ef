// The pattern of a Bash rule: `npm test`, `npm test:*`, `npm test *`, `npm*`, `git * main`.

import type { CommandPattern, OptionRule } from '../model/rule.ts';
import { quote } from '../shell/arg.ts';
import { isPrefix, optionRule, optionRulesFrom } from '../shell/option-sets.ts';
import { scriptRule } from '../shell/scripts.ts';
import { maxWildcards } from './reading.ts';
import { isEscaped } from './rule-text.ts';

/** Maximum length of one pattern, in characters. */
const maxLength = 1_000;

export interface CommandProblem {
  message: string;
  remedy: string;
  at: number;
}

/** `commands: null` matches every command (`*`). `isLiteral`: in deny and ask, only this spelling of its options matches. */
export type ParsedCommand =
  | { commands: CommandPattern[] | null; options?: OptionRule[]; isLiteral?: boolean; warnings: CommandProblem[] }
  | { problem: CommandProblem };

/** One character of a command text, or a star of the rule that matches any text. */
interface Unit {
  char: string;
  isStar: boolean;
  /** Offset in the content of the rule. */
  at: number;
}

/** The content of a rule, parsed as Claude Code matches it with the text of a command. `boundary`: further words may follow. */
interface ClientPattern {
  form: 'exact' | 'prefix' | 'wildcard';
  units: Unit[];
  boundary: boolean;
}

/**
 * Parses the pattern of one simple command as Claude Code does. `:*` at the end makes the text before it a prefix, and a star in
 * that prefix is a literal character. Otherwise stars match any text, `\*` is a literal star and `\\` a backslash. Without a
 * star, the content is the exact text. The text is then parsed as the shell does and written as the analyser writes commands, so
 * quoting makes no difference. In deny and ask (`narrow`) the words without quotes match as well. Text that joins commands (`&&`,
 * `|`, `>`) can match no simple command and is refused.
 */
export function parseCommandPattern(inner: string, restricts: boolean): ParsedCommand {
  if (inner.trim() === '*') return { commands: null, warnings: [] };
  const empty = { message: 'there is no command before the *', remedy: 'Write Bash alone for every command.', at: 0 };
  if (inner.trim() === ':*') return { problem: empty };
  const pattern = readClientPattern(inner, restricts);
  const join = findJoin(pattern.units.map(({ char }) => char).join(''));
  if (join !== null) {
    return {
      problem: {
        message: `${join.text} joins commands or redirects, but a rule names one simple command`,
        remedy: join.remedy,
        at: pattern.units[join.at]?.at ?? 0,
      },
    };
  }
  if (pattern.units.every(({ char }) => char.trim() === '')) return { problem: empty };
  if (inner.length > maxLength)
    return {
      problem: { message: `the command has more than ${maxLength} characters`, remedy: 'Write a shorter pattern.', at: 0 },
    };
  const patterns = restricts ? [pattern, ...widened(pattern)] : [pattern];
  const commands = patterns.flatMap(({ units, boundary }) =>
    spellings(units, restricts).map((pieces) => patternOf(pieces, boundary)),
  );
  if (commands.some((one) => one.form === 'glob' && one.pieces.length - 1 > maxWildcards))
    return { problem: { message: `the command has more than ${maxWildcards} stars`, remedy: 'Write several rules.', at: 0 } };
  const warnings = warningsOf(inner, pattern, restricts);
  const set = restricts ? optionsOf(pattern) : null;
  if (set === null) return { commands: unique(commands), warnings };
  if (set === 'literal') return { commands: unique(commands), isLiteral: true, warnings };
  return { commands: unique(commands), options: set, warnings };
}

/** The options that the rule names, as a set. Without options, they may come between its words. null: the text is enough. */
function optionsOf({ form, units, boundary }: ClientPattern): OptionRule[] | 'literal' | null {
  const words = readWords(joinWords(units));
  if (words === null) return 'literal';
  // A star on its own matches any words, so the words may appear anywhere between the others.
  const fixed = words.filter(({ stretches }) => stretches.some((one) => one !== star));
  const hasOptions = fixed.slice(1).some(({ stretches }) => stretches[0] === '-' && stretches.length > 1);
  const last = fixed.at(-1)?.stretches ?? [];
  // `git push --force*`
  if (hasOptions && last[0] === '-' && last.length > 2 && last.indexOf(star) === last.length - 1) {
    const isPlain = fixed.every(({ stretches, isDynamic }) => !isDynamic && (stretches === last || !stretches.includes(star)));
    const rules = isPlain ? optionRulesFrom(fixed.map(({ stretches }) => stretches.filter((one) => one !== star).join(''))) : [];
    return rules.length > 0 ? rules : 'literal';
  }
  // `rm -rf /*`: an operand that begins so.
  if (hasOptions && last[0] !== '-' && last.length > 1 && last.indexOf(star) === last.length - 1) {
    const texts = fixed.map(({ stretches }) => stretches.map((one) => (one === star ? '*' : one)).join(''));
    const isPlain = fixed.every(({ stretches, isDynamic }) => stretches === last || !(isDynamic || stretches.includes(star)));
    const rule = isPlain && isPrefix(last.slice(0, -1).join('')) ? optionRule(texts, false) : null;
    return rule === null || rule.isPlain ? 'literal' : [rule];
  }
  const isKnown = fixed.every(({ stretches, isDynamic }) => !isDynamic && !stretches.includes(star));
  if (!isKnown || (!hasOptions && fixed.length < words.length)) return hasOptions ? 'literal' : null;
  const isExact = form === 'exact' && !boundary;
  const argv = fixed.map(({ stretches }) => stretches.join(''));
  const rule = optionRule(argv, isExact);
  if (rule === null && hasOptions) return 'literal';
  const script = scriptRule(argv);
  const rules = [rule, script === null ? null : optionRule(script, isExact)].filter((one) => one !== null);
  return rules.length === 0 ? null : rules;
}

function readClientPattern(content: string, restricts: boolean): ClientPattern {
  const prefix = /^(.+):\*$/s.exec(content)?.[1];
  if (prefix !== undefined) return { form: 'prefix', units: literal(trimFor(restricts, prefix), content), boundary: true };
  if (!hasStar(content)) return { form: 'exact', units: literal(trimFor(restricts, content), content), boundary: false };
  const units: Unit[] = [];
  const start = content.length - content.trimStart().length;
  const end = content.trimEnd().length;
  for (let at = start; at < end; at++) {
    const char = content[at] as string;
    const isEscape = char === '\\' && /[\\*]/.test(content[at + 1] ?? '');
    units.push({ char: isEscape ? (content[at + 1] as string) : char, isStar: char === '*', at });
    if (isEscape) at++;
  }
  const stars = units.filter(({ isStar }) => isStar).length;
  const [before, last] = units.slice(-2);
  // In allow, the space before a final star may be missing only if there is no other star.
  const boundary = last?.isStar === true && before?.char === ' ' && (stars === 1 || restricts);
  return { form: 'wildcard', units: boundary ? units.slice(0, -2) : units, boundary };
}

function hasStar(content: string): boolean {
  return [...content.matchAll(/\*/g)].some(({ index }) => !isEscaped(content, index));
}

/** Claude Code compares with a command without surrounding blanks. So an allow rule with such blanks must not match more. */
function trimFor(restricts: boolean, text: string): string {
  return restricts ? text.trim() : text;
}

function literal(text: string, content: string): Unit[] {
  const start = content.indexOf(text);
  return Array.from(text, (char) => char).reduce<Unit[]>((units, char) => {
    const before = units.at(-1);
    units.push({ char, isStar: false, at: before === undefined ? start : before.at + before.char.length });
    return units;
  }, []);
}

/** Additional readings for deny and ask: stars before `:*` as wildcards, and `a/**` + `/b` also without folders between them. */
function widened({ form, units, boundary }: ClientPattern): ClientPattern[] {
  if (form === 'prefix' && units.some(({ char }) => char === '*'))
    return [{ form, units: units.map((unit) => ({ ...unit, isStar: unit.char === '*' })), boundary }];
  if (form !== 'wildcard') return [];
  const deep = units.flatMap((_, at) => (isDeep(units, at) ? [at] : []));
  const few = deep.slice(0, maxDepth);
  // To limit the number of readings, any further `/**` + `/` only loses its second slash, which matches more.
  const loose = new Set(deep.slice(maxDepth).map((at) => at + 3));
  const subsets = few.reduce<number[][]>((all, at) => all.flatMap((one) => [one, [...one, at]]), [[]]);
  return subsets
    .filter((gone) => gone.length > 0 || loose.size > 0)
    .map((gone) => ({
      form,
      units: units.filter((_, at) => !loose.has(at) && !gone.some((start) => start <= at && at < start + 3)),
      boundary,
    }));
}

const maxDepth = 3;

function isDeep(units: readonly Unit[], at: number): boolean {
  const [slash, one, two, end] = units.slice(at, at + 4);
  return slash?.char === '/' && one?.isStar === true && two?.isStar === true && end?.char === '/';
}

function warningsOf(inner: string, { form, units }: ClientPattern, restricts: boolean): CommandProblem[] {
  const warnings: CommandProblem[] = [];
  const colon = inner.indexOf(':*');
  if (colon !== -1 && colon !== inner.length - 2) {
    warnings.push({
      message: ':* has its meaning only at the end; here it is a colon and any text',
      remedy: 'Write a space before the *, or move :* to the end.',
      at: colon,
    });
  }
  const star = form === 'prefix' ? units.find(({ char }) => char === '*') : undefined;
  if (star !== undefined) {
    warnings.push({
      message: restricts
        ? 'before :* Claude Code reads a * as a character; here it also matches any text'
        : 'before :* a * is a character, as Claude Code reads it',
      remedy: 'Write a space and * at the end instead of :*.',
      at: star.at,
    });
  }
  if (!restricts && form !== 'wildcard' && /^\s|\s$/.test(units.map(({ char }) => char).join(''))) {
    warnings.push({
      message: 'a command never has blanks around it, so this rule matches nothing, here and in Claude Code',
      remedy: 'Remove the blanks at the beginning and the end.',
      at: 0,
    });
  }
  if (COLON.test(inner.trim())) {
    warnings.push({
      message: 'the : is part of the command, which has no program of that name',
      remedy: 'Write a space in place of the colon.',
      at: inner.indexOf(':'),
    });
  }
  const joined = JOINED.exec(inner);
  if (joined !== null) {
    warnings.push({
      message: `${joined[0].trim()} is part of the command: a rule names one command`,
      remedy: 'Write a rule for each.',
      at: joined.index,
    });
  }
  if (inner.trim().startsWith('^')) {
    warnings.push({
      message: '^ is part of the command: a rule is not a regular expression',
      remedy: 'Remove it; * matches any text.',
      at: 0,
    });
  }
  const head = units
    .map(({ char }) => char)
    .join('')
    .trim();
  for (const { found, what } of warnings.length === 0 ? expressions : []) {
    const at = found.exec(head);
    if (at === null) continue;
    warnings.push({
      message: `${at[0]} is part of the command, ${what}: a rule is not a regular expression`,
      remedy: 'Remove it; * matches any text, and :* at the end matches any further words.',
      at: units[at.index]?.at ?? 0,
    });
    break;
  }
  return warnings;
}

const PROGRAMS = 'npm|pnpm|yarn|bun|npx|git|gh|docker|kubectl|cargo|go|make|pip|uv|terraform|rm|sudo';
/** A colon between a well-known program and its subcommand, or between the words and a star. */
const COLON = new RegExp(String.raw`^(?:${PROGRAMS}):(?!\*$)|\w:\s+\*$`);

/** Between two rules or commands in one text, or words of several commands. */
const JOINED = new RegExp(String.raw`\)\s*(?:Bash|Read|Write|Edit)\(|,\s*(?=(?:${PROGRAMS})\s)|\{[\w-]+(?:,[\w-]+)+\}`);

/** Regular expression syntax that hardly occurs in commands. */
const expressions: readonly { found: RegExp; what: string }[] = [
  { found: /(?<=^\S+)\.[*+](?=\s|$)/, what: 'with the dot' },
  {
    found: /(?<=^(?:npm|pnpm|yarn|bun|npx|git|gh|docker|kubectl|cargo|go|make|just|pip|uv|poetry|terraform)(?: [\w:-]+)+)\.\*/,
    what: 'with the dot',
  },
  { found: /\\[bswdBSWD](?![\w])[*+]?/, what: 'without the \\' },
  { found: /^(?:regexp?|re|glob|cmd|prefix):|^\/[^/]+\/[gimsu]*$/, what: 'as written' },
  { found: /(?<=\w)\$$/, what: 'with the $' },
  { found: /^!(?=\s*\w)/, what: 'as written' },
  { found: /\[(?:a-z|A-Z|0-9|\^)[^\]]*\][*+]/, what: 'as written' },
];

function patternOf(pieces: string[], boundary: boolean): CommandPattern {
  if (pieces.length > 1) return { form: 'glob', pieces, boundary };
  return { form: boundary ? 'prefix' : 'exact', text: pieces[0] as string };
}

function unique(commands: CommandPattern[]): CommandPattern[] {
  const known = new Map(commands.map((one) => [JSON.stringify(one), one]));
  return [...known.values()];
}

const star = Symbol('any text');
type Stretch = string | typeof star;

/** A word of a rule: its text without quotes, with stars as separate items. */
interface RuleWord {
  source: Stretch[];
  stretches: Stretch[];
  isQuoted: boolean;
  /** Contains an expansion or a glob, so the analyser shows it as written. */
  isDynamic: boolean;
}

/** The pieces between the stars, as the analyser spells the words. If `narrow` and different, also without quotes. */
function spellings(units: readonly Unit[], restricts: boolean): string[][] {
  const joined = joinWords(units);
  const raw = piecesOf([joined.map(stretchOf)]);
  if (!joined.some(({ char }) => /['"\\]/.test(char))) return [raw];
  const words = readWords(joined);
  const written = words === null ? raw : piecesOf(words.map(writtenLike));
  if (!restricts) return [written];
  const bare = words === null ? [] : [piecesOf(words.map(({ stretches }) => stretches))];
  return [written, ...bare, withoutQuotes(units)];
}

/** Equivalent to the analyser's `withoutQuotes`. */
function withoutQuotes(units: readonly Unit[]): string[] {
  const unquoted = units.filter(({ char, isStar }) => isStar || !/['"\\]/.test(char));
  const blank = ({ char }: Unit): boolean => char === ' ' || char === '\t';
  return piecesOf([
    unquoted
      .filter((unit, at) => !blank(unit) || at === 0 || !blank(unquoted[at - 1] as Unit))
      .map((unit) => (blank(unit) ? ' ' : stretchOf(unit))),
  ]);
}

function stretchOf({ char, isStar }: Unit): Stretch {
  return isStar ? star : char;
}

/** A static word as its value, quoted if necessary. An expansion or a glob as its source. */
function writtenLike({ source, stretches, isQuoted, isDynamic }: RuleWord): Stretch[] {
  if (isDynamic) return source;
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

/** Words as a shell parses quotes and backslashes. Null if a quote is not closed or an escaped character is a star. */
function readWords(units: readonly Unit[]): RuleWord[] | null {
  const words: RuleWord[] = [];
  const startWord = (): RuleWord => ({ source: [], stretches: [], isQuoted: false, isDynamic: false });
  let word = startWord();
  let open = '';
  for (let at = 0; at < units.length; at++) {
    const unit = units[at] as Unit;
    const { char, isStar } = unit;
    if (open === '' && char === ' ') {
      words.push(word);
      word = startWord();
      continue;
    }
    word.source.push(stretchOf(unit));
    if (isStar) word.stretches.push(star);
    else if (open === '' ? char === '"' || char === "'" : char === open) {
      open = open === '' ? char : '';
      word.isQuoted = true;
    } else if (char === '\\' && open !== "'" && at + 1 < units.length) {
      const next = units[++at] as Unit;
      if (next.isStar) return null;
      word.source.push(next.char);
      word.stretches.push(open === '"' && !/["\\$`]/.test(next.char) ? `\\${next.char}` : next.char);
    } else {
      if (open !== "'" && /[$`]/.test(char)) word.isDynamic = true;
      if (open === '' && /[*?[]/.test(char)) word.isDynamic = true;
      word.stretches.push(char);
    }
  }
  words.push(word);
  return open === '' ? words : null;
}

/** Collapses white space outside quotes to one space, as in the texts that rules are matched against. */
function joinWords(units: readonly Unit[]): Unit[] {
  const out: Unit[] = [];
  let open = '';
  for (let at = 0; at < units.length; at++) {
    const unit = units[at] as Unit;
    const { char, isStar } = unit;
    if (open === '' && /[ \t]/.test(char)) {
      if (out.at(-1)?.char !== ' ') out.push({ ...unit, char: ' ' });
      continue;
    }
    out.push(unit);
    if (isStar) continue;
    if (char === '\\' && open !== "'") {
      const next = units[at + 1];
      if (next !== undefined && !next.isStar) {
        out.push(next);
        at++;
      }
    } else if (open === '' ? char === '"' || char === "'" : char === open) open = open === '' ? char : '';
  }
  return out;
}

const oneEach = 'Write one rule for each command.';
const joins: readonly [RegExp, string][] = [
  [/^(?:&&|\|\||\|&|;|\||\n)/, oneEach],
  [/^&(?!\d)/, oneEach],
  [/^(?:\d*>{1,2}[|&]?|<)/, 'Leave redirections out of the rule; use Write(…) and Read(…) rules for their files.'],
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
      const match = form.exec(text.slice(at));
      if (match) return { text: match[0], remedy, at };
    }
  }
  return null;
}
