// Conditions as a command: `[ … ]` and `test`.
import type { Arg } from '../arg.ts';
import type { CommandCall } from '../call.ts';

const COMPARES = /^-(?:eq|ne|lt|le|gt|ge)$/;

/**
 * `[ … ]` and `test`. Danger: -v evaluates subscripts, and zsh reads the operands of -t, -eq, and similar operators as
 * arithmetic.
 */
export function test(call: CommandCall) {
  const words = call.name === '[' ? call.rest.slice(0, -1) : call.rest;
  const integer = (a: Arg | undefined) =>
    a !== undefined && (a.int || a.shape?.kind === 'count' || /^-?\d+$/.test(a.literal ?? ''));
  words.forEach((arg, i) => {
    const next = words[i + 1];
    if (arg.literal === '-v' || arg.literal === '-R') {
      if (next && (next.literal === null || !/^\w+$/.test(next.literal)))
        call.evaluates('test -v evaluates a subscript in its operand', next);
    } else if (arg.literal === '-t') {
      if (next && !integer(next)) call.unknown('some shells evaluate the descriptor of test -t as arithmetic', arg);
    } else if (COMPARES.test(arg.literal ?? '')) {
      // With only one other word, nothing is compared.
      if (words.length > 2 && !(integer(words[i - 1]) && integer(next)))
        call.unknown(`some shells evaluate what test ${arg.literal} compares`, arg);
    } else if (arg.literal === null && !arg.int && arg.lead === '') {
      // It may expand to -v or -eq.
      if (arg.many || arg.pattern) call.unknown('an unquoted expansion inside [ ] may become -v', arg);
      else if (next && (next.literal === null || /[[(`$]/.test(next.literal)) && !integer(next))
        call.unknown('a word that is not known may become -v', arg);
    }
  });
}
