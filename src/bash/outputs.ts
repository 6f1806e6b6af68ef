// What some commands certainly print, whatever they find: enough to know that the output is a number or no option.
import type { Script, SyntaxNode } from 'unbash';
import { ANYTHING, COUNT, INTEGER, type State, textValue, type Value } from './state.ts';

/** What a substitution certainly prints. */
export function outputOf(script: Script, state: State): Value {
  if (script.commands.length !== 1) return ANYTHING;
  const c = script.commands[0]!.command;
  const parts = c.type === 'Pipeline' ? c.commands : [c];
  // `time` alone is a pipeline of nothing.
  const last = wordsOf(parts.at(-1) ?? c, state);
  if (last === null) return ANYTHING;
  const { name, words } = last;
  if (name === 'pwd' && words === '' && state.cwd !== null) return textValue(state.cwd);
  if (/^(?:echo|printf)$/.test(name) && parts.length === 1 && SAID.test(last.bare)) return textValue(last.bare);
  if (name !== 'head' || parts.length !== 2 || !/^(?:-1|-n ?1)$/.test(words)) return printed(PRINTS, name, words);
  const first = wordsOf(parts[0]!, state);
  return first ? printed(LINES, first.name, first.words) : ANYTHING;
}

/** The words of a command that is what it is called, joined by blanks; null where they are not known or its output goes elsewhere. */
function wordsOf(c: SyntaxNode, state: State): { name: string; words: string; bare: string } | null {
  if (c.type !== 'Command' || c.prefix.length > 0 || !c.name || c.name.parts) return null;
  const name = c.name.value;
  if (state.function(name) || state.doubts(name) || state.taint) return null;
  const words: string[] = [];
  const bare: string[] = [];
  for (const s of c.suffix) {
    if (s.type === 'Word') {
      words.push(s.parts ? DYNAMIC : s.value);
      // A text to be translated is none of its own.
      bare.push(s.text.includes('$"') ? DYNAMIC : s.value);
    } else if (s.type === 'Redirect') {
      // Only standard error may go elsewhere.
      const fd = s.descriptor?.type === 'FileDescriptor' ? s.descriptor.value : null;
      if (s.operator !== '<' && fd !== 2) return null;
      if (s.operator === '>&') return null;
    } else return null;
  }
  return { name, words: words.join(' '), bare: bare.join(' ') };
}

type Shape = [name: string, words: RegExp, prints: Value];

const DYNAMIC = '\u0001';

/** One word without quotes that `echo` and `printf` repeat as it is: nothing in it is expanded. */
const SAID = /^[\w./][\w./@+,-]*$/;

/** An object name of git: one word that never begins with a dash, or nothing where there is none. */
export const HASH: Value = { texts: null, int: false, lead: '0', splits: false, vanishes: true };

/** Numbers, one a line. */
const NUMBERS: Value = { ...INTEGER, splits: true };

const REVISION = '[A-Za-z@][\\w/.~^@-]*';
/** Options of `git log` that change which commits it lists, and nothing of what it prints of one. */
const WHICH =
  '(?:--(?:all|no-merges|merges|first-parent|reverse|follow|since=[\\w.:-]+|until=[\\w.:-]+|author=[\\w.@-]+|diff-filter=[A-Z]+) )*';
const OF = `(?: ${REVISION})?(?: -- .+)?$`;
const NAMES = '--(?:pretty|format)=(?:t?format:)?%[hH]';

/** What each line is, to be cut down to one of them. */
const LINES: Shape[] = [
  ['git', new RegExp(`^log ${WHICH}(?:-n ?\\d+ |-\\d+ )?${NAMES}(?: -n ?\\d+| -\\d+)?${OF}`), HASH],
  ['git', new RegExp(`^rev-list (?:-n ?\\d+ |-\\d+ |--max-count=\\d+ )?${REVISION}(?: -- .+)?$`), HASH],
  ['docker', /^ps (?:-a |-l |-n \d+ )*(?:-a?q|--quiet|-aq)(?: -a| -l| (?:-f|--filter) [\w=.:/-]+)*$/, HASH],
  ['pgrep', /^(?:-[fioux]+ )*[\w./][\w./-]*$/, COUNT],
];

const PRINTS: Shape[] = [
  ['nproc', /^$/, COUNT],
  ['id', /^-[ug]$/, COUNT],
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

/** The shape of what some commands print, whatever they find. */
function printed(shapes: readonly Shape[], name: string, words: string): Value {
  return shapes.find(([n, pattern]) => n === name && pattern.test(words))?.[2] ?? ANYTHING;
}
