// Conditions of `[[ ]]`, and the patterns in them and in `case`.
import type { TestExpression, Word, WordPart } from 'unbash';
import type { ShellState } from './state.ts';
import { type WordHost, wordValue } from './words.ts';
import { checkSubscripts } from './zsh.ts';

/** Analyzes the expression of `[[ ]]`. */
export function checkTest(e: TestExpression, state: ShellState, walk: WordHost): void {
  switch (e.type) {
    case 'TestLogical':
      for (const o of e.operands) checkTest(o, state, walk);
      return;
    case 'TestNot':
      checkTest(e.operand, state, walk);
      return;
    case 'TestGroup':
      checkTest(e.expression, state, walk);
      return;
    case 'TestUnary': {
      const v = wordValue(e.operand, state, walk);
      if (e.operator === '-v' || e.operator === '-R') {
        if (v.texts?.length !== 1 || !/^\w+$/.test(v.texts[0]!))
          walk.evaluated(`[[ ${e.operator} ]] evaluates a subscript in its operand`, v, e, state);
      } else if (e.operator === '-t') {
        if (!v.int && !v.texts?.every((t) => /^\d+$/.test(t)))
          walk.trouble('some shells evaluate the descriptor of [[ -t ]] as arithmetic', e.pos, e.end);
      } else if (!/^-[a-zA-Z]$/.test(e.operator)) walk.trouble(`[[ ${e.operator} ]] is not known`, e.pos, e.end);
      return;
    }
    case 'TestBinary': {
      patternWord(e.left, state, walk);
      patternWord(e.right, state, walk);
      if (/^-(?:eq|ne|lt|le|gt|ge)$/.test(e.operator)) {
        walk.arithmeticWord(e.left, state, `[[ ${e.operator} ]]`);
        walk.arithmeticWord(e.right, state, `[[ ${e.operator} ]]`);
      } else if (!/^(?:==?|!=|=~|<|>|-nt|-ot|-ef)$/.test(e.operator))
        walk.trouble(`[[ ${e.operator} ]] is not known`, e.pos, e.end);
      return;
    }
  }
}

/** Patterns of `case` and `[[ ]]`. Extended globs are plain Bash here. */
export function patternWord(word: Word, state: ShellState, walk: WordHost): void {
  const visit = (part: WordPart): void => {
    if (part.type === 'ExtendedGlob') {
      checkSubscripts(part.parts ?? [], state, walk);
      // zsh evaluates `(e:…:)` after a glob.
      if (/\(\s*e\s*[:'"{[]/.test(part.text)) walk.trouble('a glob qualifier that runs text', part.pos, part.end);
      part.parts?.forEach(visit);
      return;
    }
    const single: Word = { type: 'Word', text: part.text, value: '', pos: part.pos, end: part.end, parts: [part] };
    wordValue(single, state, walk, true);
  };
  if (!word.parts) return;
  checkSubscripts(word.parts, state, walk);
  word.parts.forEach(visit);
}
