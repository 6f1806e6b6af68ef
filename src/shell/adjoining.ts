// Process substitutions inside words. The parser ends a word before `<(`, and after digits it takes `<(` for plain text. Bash
// does neither: `--list=<(cmd)` and `2<(cmd)` are one word each, and cmd runs.
import { type Assignment, type Command, parse, type Redirection, type Word, type WordPart } from 'unbash';

const OPENS = /(?<!\\)[<>]\(/;

/** The word with every process substitution in it as a part of its own. Null if such a word is not understood. */
export function wholeWord(word: Word): Word | null {
  if (!OPENS.test(word.text)) return word;
  const parts = (word.parts ?? [literalOf(word)]).map((part) => (part.type === 'Literal' ? splitLiteral(part) : [part]));
  return parts.includes(null) ? null : { ...copyOf(word), parts: parts.flatMap((all) => all!) };
}

/** A literal that may contain process substitutions, as its pieces. */
function splitLiteral(part: Extract<WordPart, { type: 'Literal' }>): WordPart[] | null {
  const at = part.text.search(OPENS);
  if (at === -1) return [part];
  const from = part.pos + at;
  const rest = part.text.slice(at);
  // The blanks keep the positions.
  const script = parse(`${' '.repeat(from)}${rest}`);
  const command = script.commands[0]?.command;
  if (script.commands.length !== 1 || command?.type !== 'Command' || command.prefix.length > 0 || script.errors?.length)
    return null;
  const words = command.suffix.filter((one): one is Word => one.type === 'Word');
  if (command.name === undefined || words.length !== command.suffix.length) return null;
  const all = [command.name, ...words];
  const isOne = all.every(({ pos }, i) => pos === (i === 0 ? from : all[i - 1]!.end)) && all.at(-1)!.end === from + rest.length;
  const whole = isOne ? all.map(wholeWord) : [null];
  if (whole.includes(null)) return null;
  const head = part.text.slice(0, at);
  const lead: WordPart = { type: 'Literal', text: head, value: head.replace(/\\(.)/gs, '$1'), pos: part.pos, end: from };
  return [...(at === 0 ? [] : [lead]), ...whole.flatMap((one) => partsOf(one!))];
}

/** The command with each process substitution joined to the word, or the assignment, that it directly follows. */
export function withWholeWords(command: Command): Command {
  const { name, prefix, suffix } = command;
  const last = prefix.at(-1);
  const isValue = last?.type === 'Assignment' && adjoins(last, name);
  const words: readonly Part[] = name === undefined ? suffix : [name, ...suffix];
  if (!isValue && !words.some((one, i) => i > 0 && adjoins(words[i - 1], one))) return command;
  const joined: Part[] = isValue ? [last] : [];
  for (const one of words) {
    const previous = joined.at(-1);
    if (adjoins(previous, one)) joined[joined.length - 1] = extended(previous as Word | Assignment, one as Word);
    else joined.push(one);
  }
  const before: (Assignment | Redirection)[] = [...prefix];
  if (isValue) before.splice(-1, 1, joined.shift() as Assignment);
  // The parser did not look for further assignments and redirections before the command word.
  while (isValue && joined.length > 0) {
    const first = joined[0]!;
    const one = first.type === 'Word' ? assignmentOf(first) : first;
    if (one === null) break;
    before.push(one);
    joined.shift();
  }
  const at = name === undefined ? -1 : joined.findIndex(({ type }) => type === 'Word');
  return {
    ...command,
    prefix: before,
    name: joined[at] as Word | undefined,
    suffix: at === -1 ? joined : joined.toSpliced(at, 1),
  };
}

/** A word that is an assignment if it comes before the command word. */
function assignmentOf(word: Word): Assignment | null {
  const head = /^([A-Za-z_]\w*)(\+?)=/.exec(word.text);
  const [first, ...rest] = partsOf(word);
  if (head === null || first?.type !== 'Literal' || first.text.length < head[0].length) return null;
  const { length } = head[0];
  const lead = { ...first, text: first.text.slice(length), value: first.value.slice(length), pos: first.pos + length };
  const { pos, end, text } = word;
  const value: Word = {
    type: 'Word',
    text: text.slice(length),
    value: word.value.slice(length),
    pos: pos + length,
    end,
    parts: [...(lead.text === '' ? [] : [lead]), ...rest],
  };
  return {
    type: 'Assignment',
    pos,
    end,
    text,
    name: head[1]!,
    value,
    append: head[2] === '+' ? true : undefined,
    index: undefined,
  };
}

type Part = Command['suffix'][number];

/** True if two parts of a command are one word in Bash. */
function adjoins(before: Part | undefined, after: Part | undefined): boolean {
  return after?.type === 'Word' && before?.end === after.pos && (before.type === 'Word' || before.type === 'Assignment');
}

function extended<T extends Word | Assignment>(before: T, after: Word): T {
  const { text } = before;
  const { end } = after;
  const more = { end, text: text + after.text };
  if (before.type === 'Assignment')
    return { ...copyOf(before), ...more, value: before.value.type === 'Word' ? extended(before.value, after) : before.value };
  return {
    ...copyOf(before),
    ...more,
    value: (before as Word).value + after.value,
    parts: [...partsOf(before as Word), ...partsOf(after)],
  };
}

/** A copy of a node, with the fields that the parser derives on first use. */
function copyOf<T extends Word | Assignment>(node: T): T {
  if (node.type === 'Assignment') {
    const { type, pos, end, text, name, value, append, index } = node;
    return { type, pos, end, text, name, value, append, index } as T;
  }
  const { type, pos, end, text, value, parts } = node;
  return { type, pos, end, text, value, parts } as T;
}

function partsOf(word: Word): readonly WordPart[] {
  return word.parts ?? (word.text === '' ? [] : [literalOf(word)]);
}

function literalOf({ text, value, pos, end }: Word): Extract<WordPart, { type: 'Literal' }> {
  return { type: 'Literal', text, value, pos, end };
}
