// Arithmetic. Bash evaluates the values of variables, including commands in subscripts, so every name must be a known integer.
import type { ArithmeticExpression, Word, WordPart } from 'unbash';
import { checkAssignment } from './assignments.ts';
import { anyItem, INTEGER, type ShellState, textValue, UNSIGNED, type Value } from './state.ts';
import { isUnsignedExpression } from './unsigned.ts';
import type { WordHost } from './words.ts';
import { wordValue } from './words.ts';

const NUMBER = /^(?:\d+|0[xX][0-9a-fA-F]+|\d+#[0-9a-zA-Z@_]+)$/;
const NAME = /^[A-Za-z_]\w*$/;
const ASSIGN = /^(?:=|[-+*/%&|^]=|<<=|>>=)$/;

function known(name: string, state: ShellState): boolean {
  return state.get(name).int || ((name === 'RANDOM' || name === 'SECONDS' || name === 'LINENO') && !state.has(name));
}

/** Reports each part of an expression that may evaluate something other than a number, and applies its assignments. */
export function checkArithmetic(e: ArithmeticExpression, state: ShellState, host: WordHost): void {
  switch (e.type) {
    case 'ArithmeticBinary':
      if (ASSIGN.test(e.operator)) {
        checkArithmetic(e.right, state, host);
        if (e.left.type === 'ArithmeticWord' && !e.left.parts && NAME.test(e.left.value)) {
          if (e.operator !== '=' && !known(e.left.value, state)) bad(e.left.value, e, host, textValue(e.left.value), state);
          assign(e.left.value, e, state, host, isUnsignedExpression(e, state));
        } else {
          checkArithmetic(e.left, state, host);
          bad('an assignment', e, host, textValue(''), state);
        }
        return;
      }
      checkArithmetic(e.left, state, host);
      checkArithmetic(e.right, state, host);
      return;
    case 'ArithmeticUnary':
      checkArithmetic(e.operand, state, host);
      if ((e.operator === '++' || e.operator === '--') && e.operand.type === 'ArithmeticWord')
        assign(e.operand.value, e, state, host, isUnsignedExpression(e, state));
      return;
    case 'ArithmeticTernary':
      checkArithmetic(e.test, state, host);
      checkArithmetic(e.consequent, state, host);
      checkArithmetic(e.alternate, state, host);
      return;
    case 'ArithmeticGroup':
      checkArithmetic(e.expression, state, host);
      return;
    case 'ArithmeticCommandExpansion': {
      const part = { type: 'CommandExpansion', text: e.text, script: e.script, pos: e.pos, end: e.end } as Extract<
        WordPart,
        { type: 'CommandExpansion' }
      >;
      const printed = host.substitution(part, state);
      if (!printed.int) bad('the output of a command', e, host, printed, state);
      return;
    }
    case 'ArithmeticWord': {
      if (!e.parts) {
        const v = e.value.trim();
        if (NUMBER.test(v) || (NAME.test(v) && known(v, state))) return;
        bad(v, e, host, textValue(v), state);
        return;
      }
      const word: Word = { type: 'Word', text: e.value, value: e.value, pos: e.pos, end: e.end, parts: e.parts };
      const v = wordValue(word, state, host, true);
      if (!v.int && !v.texts?.every((t) => NUMBER.test(t))) bad(e.value, e, host, v, state);
    }
  }
}

/** Text that Bash reads as arithmetic outside of `$(( ))`: offsets, subscripts, `-eq`. */
export function checkArithmeticText(v: Value, word: Word, state: ShellState, host: WordHost, what: string): void {
  if (v.int) return;
  const fine = (t: string) =>
    t
      .trim()
      .split(/\s*[-+*/%]\s*|\s+/)
      .every((x) => x === '' || NUMBER.test(x) || (NAME.test(x) && known(x, state)));
  if (v.texts?.every(fine)) return;
  host.evaluated(`${what} evaluates text as arithmetic`, v, word, state);
}

function assign(name: string, e: ArithmeticExpression, state: ShellState, host: WordHost, isNotNegative: boolean): void {
  if (!/^[A-Za-z_]\w*$/.test(name) || checkAssignment(name, INTEGER, 'plain').taint) bad(name, e, host, textValue(name), state);
  else state.set(name, isNotNegative ? UNSIGNED : INTEGER);
}

function bad(what: string, e: { pos: number; end: number }, host: WordHost, value: Value, state: ShellState): void {
  host.evaluated(`arithmetic evaluates what ${what} holds`, value, e, state);
}

/** Maximum number of texts that are followed from one variable to the next. */
const MAX_TEXTS = 32;

/**
 * All texts that Bash evaluates when it reads a text as arithmetic. Bash evaluates the value of each named variable in turn, so a
 * command in a subscript can be several variables away.
 */
export function evaluatedTexts(texts: readonly string[], state: ShellState): string[] {
  const all = new Set(texts);
  for (const text of all)
    for (const [name] of text.matchAll(/[A-Za-z_]\w*|(?<=\$\{?)\d+/g))
      if (all.size < MAX_TEXTS) for (const nested of textsOfVariable(name, state)) all.add(nested);
  return [...all];
}

function textsOfVariable(name: string, state: ShellState): readonly string[] {
  const value = /^\d/.test(name) ? state.positional?.values[Number(name) - 1] : state.has(name) ? state.get(name) : undefined;
  return value === undefined ? [] : textsOrNames(anyItem(value));
}

/** The texts of a value. If they are not known, its possible names. */
export function textsOrNames({ texts, found }: Value): readonly string[] {
  return texts ?? found?.names.map(({ text }) => text) ?? [];
}
