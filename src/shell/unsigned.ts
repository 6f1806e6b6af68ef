// Arithmetic with a result that is certainly not negative, so that a command cannot read it as an option.
import type { ArithmeticExpression } from 'unbash';
import { isUnsigned, type ShellState } from './state.ts';

const NAME = /^[A-Za-z_]\w*$/;
/** Only numbers up to this size may be added. A sum that grows faster may exceed 64 bits and become negative. */
const SMALL = /^\d{1,6}$/;

/**
 * True if the result is certainly not negative: a small number, a variable that is not negative, or such a variable that only
 * grows.
 */
export function isUnsignedExpression(e: ArithmeticExpression, state: ShellState): boolean {
  if (e.type === 'ArithmeticGroup') return isUnsignedExpression(e.expression, state);
  if (e.type === 'ArithmeticUnary') return e.operator === '++' && isUnsignedExpression(e.operand, state);
  if (e.type === 'ArithmeticWord')
    return !e.parts && (SMALL.test(e.value.trim()) || (NAME.test(e.value.trim()) && isUnsigned(state.get(e.value.trim()))));
  if (e.type !== 'ArithmeticBinary') return false;
  if (e.operator === '=') return isUnsignedExpression(e.right, state);
  if (!/^(?:\+=?|[/%])$/.test(e.operator) || !isUnsignedExpression(e.left, state)) return false;
  return e.right.type === 'ArithmeticWord' && SMALL.test(e.right.value.trim());
}
