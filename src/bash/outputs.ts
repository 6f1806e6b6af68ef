// What some commands certainly print, whatever they find: enough to know that the output is a number or no option.
import type { Script } from 'unbash';
import { ANYTHING, INTEGER, type State, textValue, type Value } from './state.ts';

/** What a substitution certainly prints. */
export function outputOf(script: Script, state: State): Value {
  if (script.commands.length !== 1) return ANYTHING;
  let c = script.commands[0]!.command;
  // `time` alone is a pipeline of nothing.
  if (c.type === 'Pipeline') c = c.commands.at(-1) ?? c;
  if (c.type !== 'Command' || c.prefix.length > 0 || !c.name || c.name.parts) return ANYTHING;
  const name = c.name.value;
  if (state.function(name) || state.doubts(name) || state.taint) return ANYTHING;
  const words: string[] = [];
  for (const s of c.suffix) {
    if (s.type === 'Word') words.push(s.parts ? DYNAMIC : s.value);
    else if (s.type === 'Redirect') {
      // Only standard error may go elsewhere.
      const fd = s.descriptor?.type === 'FileDescriptor' ? s.descriptor.value : null;
      if (s.operator !== '<' && fd !== 2) return ANYTHING;
      if (s.operator === '>&') return ANYTHING;
    } else return ANYTHING;
  }
  if (name === 'pwd' && words.length === 0 && state.cwd !== null) return textValue(state.cwd);
  return printed(name, words.join(' '));
}

const DYNAMIC = '\u0001';

/** An object name of git: one word that never begins with a dash. */
const HASH: Value = { texts: null, int: false, lead: '0', splits: false };

/** Numbers, one a line. */
const NUMBERS: Value = { ...INTEGER, splits: true };

const PRINTS: [string, RegExp, Value][] = [
  ['nproc', /^$/, INTEGER],
  ['id', /^-[ug]$/, INTEGER],
  ['seq', /^\d+(?: -?\d+){0,2}$/, NUMBERS],
  ['wc', /^-[lwc]$/, INTEGER],
  ['date', /^\+%[sYj]$/, INTEGER],
  ['git', /^merge-base (?:[A-Za-z@\u0001][\w/.~^@-]*)(?: [A-Za-z@\u0001][\w/.~^@-]*)?$/, HASH],
  ['git', /^rev-parse (?:--short |--verify |-q |--quiet )*[A-Za-z@][\w/.~^@{}-]*$/, HASH],
  ['git', /^rev-list (?:-n ?1|--max-count=1|-1) [A-Za-z@][\w/.~^@-]*$/, HASH],
  ['git', /^rev-list --count [A-Za-z@][\w/.~^@-]*$/, INTEGER],
  ['git', /^log (?:-1|-n ?1) --(?:pretty|format)=(?:format:)?%[hH]$/, HASH],
];

/** The shape of what some commands print, whatever they find. */
function printed(name: string, words: string): Value {
  return PRINTS.find(([n, pattern]) => n === name && pattern.test(words))?.[2] ?? ANYTHING;
}
