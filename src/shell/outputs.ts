// Outputs that are certain for some commands, independent of the results. This is enough to know that an output is a number, or
// is not an option.
import type { Script, SyntaxNode, Word } from 'unbash';
import { DASHED, FOLDER } from './loads.ts';
import { ANYTHING, COUNT, INTEGER, type ShellState, textValue, UNSIGNED, type Value } from './state.ts';
import { absolute } from './targets.ts';

/** The certain output of a substitution. */
export function outputOf(script: Script, state: ShellState): Value {
  if (script.commands.length !== 1) return ANYTHING;
  const c = script.commands[0]!.command;
  const parts = c.type === 'Pipeline' ? c.commands : [c];
  // `time` alone is a pipeline without commands.
  const last = wordsOf(parts.at(-1) ?? c, state);
  if (last === null) return ANYTHING;
  const { name, words } = last;
  if (name === 'pwd' && words === '' && state.cwd !== null) return textValue(state.cwd);
  if (/^(?:echo|printf)$/.test(name) && parts.length === 1 && PLAIN_WORD.test(last.bare)) return textValue(last.bare);
  const one = printed(PRINTS, last, state, parts.length > 1);
  if (one !== null) return one;
  const line = lineOf(parts, state);
  return line === null ? ANYTHING : line.isOne ? line.value : { ...ANYTHING, lead: line.value.lead, each: line.value };
}

/** True if each line that the commands of a pipeline print is an object name. */
export function printsObjects(parts: readonly SyntaxNode[], state: ShellState): boolean {
  return lineOf(parts, state)?.value === HASH;
}

/** The value of each line of a pipeline, or null if not known. `isOne`: at most one line. */
function lineOf(parts: readonly SyntaxNode[], state: ShellState): { value: Value; isOne: boolean } | null {
  if (parts.length > MAX_PARTS) return null;
  const [first, ...filters] = parts.map((part) => wordsOf(part, state));
  if (!first || filters.includes(null)) return null;
  let value = printed(LINES, first, state, false);
  let isOne = false;
  if (value === null) {
    value = printed(PRINTS, first, state, false);
    isOne = value !== null;
  }
  if (value === null) return null;
  for (const filter of filters as Words[]) {
    const command = `${filter.name} ${filter.words}`.trimEnd();
    if (FIRST_LINE.test(command)) isOne = true;
    else if (value === COUNTED_LINE && FIRST_WORD.test(command)) value = COUNT;
    else if (value === NUMBERED_LINE || value.shape?.kind === 'count' || value.int) {
      if (value !== NUMBERED_LINE || !FIRST_FIELD.test(command)) {
        if (!SAME_LINES.test(command)) return null;
        continue;
      }
      value = countUnless(first, state) ?? ANYTHING;
    } else if (!SAME_LINES.test(command)) return null;
  }
  // If no branch is checked out, `git branch` prints a message of several words.
  if (value === NUMBERED_LINE || value === COUNTED_LINE || (isOne && /^branch -/.test(first.words) && value.shape)) return null;
  return { value, isOne };
}

/** Each part of a pipeline is looked at together with the parts before it. */
const MAX_PARTS = 20;
const FIRST_LINE = /^(?:head|tail) (?:-1|-n ?1)$/;
/** Prints its input lines: in another order, or only some of them. */
const SAME_LINES =
  /^(?:(?:head|tail) (?:-\d+|-n ?\d+)|sort(?: -[rnuVf]+)*|uniq|tac|cat|grep (?:-[vEFiwx]+ )*[^\u0001 -][^\u0001 ]*|tr -d (?:\u00a0|\[:space:\]))$/;
const FIRST_FIELD = /^cut -d: -f1$/;
const FIRST_WORD = /^(?:cut -f1|awk \{\s*print\s*\$1;?\s*\})$/;

interface Words {
  name: string;
  /** With a mark for each unknown word, and a no-break space for each blank inside a word. */
  words: string;
  bare: string;
  /** Standard input is a named file. */
  isFed: boolean;
}

/**
 * The words of a command that certainly runs under its own name, joined by blanks. Null if they are not known or its output goes
 * elsewhere.
 */
function wordsOf(c: SyntaxNode, state: ShellState): Words | null {
  if (c.type !== 'Command' || c.prefix.length > 0 || !c.name || c.name.parts) return null;
  const name = c.name.value;
  if (state.function(name) || state.isUncertainFunction(name) || state.taint) return null;
  const words: string[] = [];
  const bare: string[] = [];
  let isFed = false;
  for (const s of c.suffix) {
    if (s.type === 'Word') {
      words.push(isDynamic(s) ? DYNAMIC : s.value.replaceAll(/\s/g, '\u00a0'));
      // The translation of a `$"…"` text may differ from the text itself.
      bare.push(s.text.includes('$"') ? DYNAMIC : s.value);
    } else if (s.type === 'Redirect') {
      // Only standard error may go elsewhere.
      const fd = s.descriptor?.type === 'FileDescriptor' ? s.descriptor.value : null;
      if (s.operator !== '<' && fd !== 2) return null;
      if (s.operator === '>&') return null;
      if (s.operator === '<') isFed = true;
    } else return null;
  }
  return { name, words: words.join(' '), bare: bare.join(' '), isFed };
}

function isDynamic({ parts }: Word): boolean {
  return parts?.some(({ type }) => type !== 'SingleQuoted' && type !== 'Literal' && !isStaticQuote(type, parts)) ?? false;
}

function isStaticQuote(type: string, parts: NonNullable<Word['parts']>): boolean {
  return (
    type === 'DoubleQuoted' &&
    parts.every((part) => part.type !== 'DoubleQuoted' || part.parts.every((one) => one.type === 'Literal'))
  );
}

type PrintedForm = [
  name: string,
  words: RegExp,
  prints: Value | ((words: Words, state: ShellState, isPiped: boolean) => Value | null),
];

const DYNAMIC = '\u0001';

/** An unquoted word that `echo` and `printf` print unchanged, because nothing in it is expanded. */
const PLAIN_WORD = /^[\w./][\w./@+,-]*$/;

/** An object name of git: one word that never begins with a dash, or nothing if no object is found. */
export const HASH: Value = {
  texts: null,
  int: false,
  lead: '0',
  splits: false,
  vanishes: true,
  shape: { kind: 'name', unless: [] },
};

/** Numbers, one per line. */
const NUMBERS: Value = { ...INTEGER, splits: true, each: INTEGER };
const UNSIGNED_NUMBERS: Value = { ...INTEGER, splits: true, each: UNSIGNED };

/** A line with its line number at the beginning. */
const NUMBERED_LINE: Value = { ...ANYTHING };

/** A line with a number, and a file name after a tab or a blank. */
const COUNTED_LINE: Value = { ...ANYTHING };

const REVISION = '[A-Za-z@][\\w/.~^@-]*';
/** Options of `git log` that select commits without a change to the output for each commit. */
const WHICH =
  '(?:--(?:all|no-merges|merges|first-parent|reverse|follow|since=[\\w.:-]+|until=[\\w.:-]+|author=[\\w.@-]+|diff-filter=[A-Z]+) )*';
const OF = `(?: ${REVISION})?(?: -- .+)?$`;
const NAMES = '--(?:pretty|format)=(?:t?format:)?%[hH]';

/** The value of each line, for a later reduction to one line. */
const LINES: PrintedForm[] = [
  ['git', new RegExp(`^log ${WHICH}(?:-n ?\\d+ |-\\d+ )?${NAMES}(?: -n ?\\d+| -\\d+)?${OF}`), HASH],
  ['git', new RegExp(`^rev-list (?:-n ?\\d+ |-\\d+ |--max-count=\\d+ )?${REVISION}(?: -- .+)?$`), HASH],
  ['docker', /^ps (?:-a |-l |-n \d+ )*(?:-[al]*q[al]*|--quiet)(?: -a| -l| (?:-f|--filter) [\w=.:/-]+)*$/, HASH],
  ['docker', /^container ls -a?q$/, HASH],
  ['pgrep', /^(?:-[fioux]+ )*[\w./][\w./-]*$/, COUNT],
  [
    'grep',
    /^-[iEFwxv]*n[iEFwxv]* (?![\u0001-])\S+(?: [\w./][\w./@+-]*)?$/,
    (words, state, isPiped) => (countUnless(words, state, isPiped) ? NUMBERED_LINE : null),
  ],
  [
    'git',
    /^(?:branch|for-each-ref)(?: --(?:all|sort|merged|no-merged|count|contains)(?:[= ][\w:./-]+)?| -r| -a)* --format=%\(refname:short\)(?: refs\/[\w./-]+)*$/,
    refName,
  ],
  [
    'git',
    /^(?:branch|for-each-ref) --format=%\(refname:short\)(?: --(?:all|sort|merged|no-merged|count|contains)(?:[= ][\w:./-]+)?| refs\/[\w./-]+)*$/,
    refName,
  ],
  ['git', /^tag(?: -l| --list| --sort=[\w:-]+| --(?:no-)?merged(?: [A-Za-z][\w./-]*)?| [\w*.]+)*$/, refName],
];

const PRINTS: PrintedForm[] = [
  ['du', /^-(?=[bkms]*s)[bkms]+ [\w./][\w./@+-]*$/, COUNTED_LINE],
  ['wc', /^-[lwc] [\w./][\w./@+-]*$/, COUNTED_LINE],
  ['nproc', /^$/, COUNT],
  ['id', /^-[ug]$/, COUNT],
  ['seq', /^\d+(?: \d+){0,2}$/, UNSIGNED_NUMBERS],
  ['stat', /^(?:(?:-c ?|--format=|--printf=)%[sYXZWugbhi]|-f%[zm]) [\w./][\w./@+-]*$/, COUNT],
  ['jq', /^(?:-r )?(?:[^\u0001|-][^\u0001]*\|\u00a0?)?length(?: [\w./][\w./@+-]*)?$/, UNSIGNED_NUMBERS],
  ['grep', /^-[iEFwxv]*c[iEFwxv]* (?![\u0001-])\S+(?: [\w./][\w./@+-]*)?$/, countUnless],
  ['git', /^describe(?: --tags| --always| --abbrev=\d+| --long| --exact-match| --match=[\w.*]+| HEAD)*$/, refName],
  ['git', /^branch --show-current$/, refName],
  ['git', /^(?:symbolic-ref (?:-q )?--short|rev-parse --abbrev-ref) HEAD$/, refName],
  ['git', /^rev-parse --abbrev-ref --symbolic-full-name @\{u(?:pstream)?\}$/, refName],
  [
    'gh',
    /^(?:pr|run|issue) (?:list|view) (?:[\w=:./-]+ )*--json\u00a0?[ =](?:number|databaseId) (?:--jq|-q) \.(?:\[0\]\.)?(?:number|databaseId)$/,
    HASH,
  ],
  ['seq', /^\d+(?: -?\d+){0,2}$/, NUMBERS],
  ['wc', /^-[lwc]$/, COUNT],
  ['date', /^\+%[sYj]$/, COUNT],
  ['git', /^merge-base (?:[A-Za-z@\u0001][\w/.~^@-]*)(?: [A-Za-z@\u0001][\w/.~^@-]*)?$/, HASH],
  ['git', /^rev-parse (?:--short |--verify |-q |--quiet )*[A-Za-z@][\w/.~^@{}-]*$/, HASH],
  ['git', /^rev-list (?:-n ?1|--max-count=1|-1) [A-Za-z@][\w/.~^@-]*$/, HASH],
  ['git', /^rev-list --count [A-Za-z@][\w/.~^@-]*$/, COUNT],
  ['pgrep', /^(?:-[fix]+ )*-[fix]*[no] (?:-[fix]+ )*[\w./][\w./-]*$/, COUNT],
  ['git', new RegExp(`^log ${WHICH}(?:-1|-n ?1) ${WHICH}${NAMES}${OF}`), HASH],
  ['git', new RegExp(`^log ${WHICH}${NAMES} (?:-1|-n ?1)${OF}`), HASH],
];

/**
 * The name of a branch or a tag. git refuses a dash at the beginning, but a repository from another source may contain such a
 * name.
 */
function refName(_: Words, { cwds }: ShellState): Value | null {
  if (cwds === null) return null;
  return { ...ANYTHING, splits: false, vanishes: true, shape: { kind: 'name', unless: cwds.map((folder) => DASHED + folder) } };
}

/** For a folder, some versions of grep also print the names of its files. */
function countUnless({ words, isFed }: Words, { cwds }: ShellState, isPiped = false): Value | null {
  const file = words.split(' ')[2];
  if (file === undefined) return isPiped || isFed ? COUNT : null;
  const paths = absolute(file, cwds);
  return (
    paths && { ...ANYTHING, splits: false, vanishes: true, shape: { kind: 'count', unless: paths.map((path) => FOLDER + path) } }
  );
}

/** The form of the output of some commands, which is the same for all results. */
function printed(shapes: readonly PrintedForm[], words: Words, state: ShellState, isPiped: boolean): Value | null {
  const prints = shapes.find(([name, pattern]) => name === words.name && pattern.test(words.words))?.[2];
  return (typeof prints === 'function' ? prints(words, state, isPiped) : prints) ?? null;
}
