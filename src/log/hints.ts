// Three characters of each hint of a secret, as bits of a table: a text is looked at for them while it is written.
import { secretPatterns } from './secrets.ts';

/** By character below 128, in five bits: letters without their case, and what else stands in hints; 0 is everything else. */
export const symbols = new Uint8Array(128);
for (let code = 0; code < 26; code++) {
  symbols[97 + code] = code + 1;
  symbols[65 + code] = code + 1;
}
for (const [index, mark] of [...'_-./:'].entries()) symbols[mark.charCodeAt(0)] = 27 + index;
symbols['='.charCodeAt(0)] = symbols[':'.charCodeAt(0)] as number;

/** The three characters read last, five bits each. */
export const window = 0x7fff;

/** 1 where these three characters begin to look like a hint. */
export const suspects = new Uint8Array(window + 1);

/** From rare to frequent in commands, paths and sentences. */
const frequency = 'qzjxkvwbypgfmhudclnroiaste';

/** By symbol, how frequent it is. Marks are so between words everywhere. */
const weights = new Uint8Array(32).fill(18);
for (let at = 0; at < frequency.length; at++) weights[symbols[frequency.charCodeAt(at)] as number] = at;

/** An option of one letter: it stands behind what is no symbol. */
const option = /^-[a-z]$/;

/** The rarest three characters of a hint begin to look like it, of equals the last; of a shorter one, whatever stands before it. */
function mark(hint: string): void {
  const size = Math.min(hint.length, 3);
  let rarest = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let from = 0; from + size <= hint.length; from++) {
    let bits = 0;
    let weight = 0;
    for (let at = from; at < from + size; at++) {
      const symbol = symbols[hint.charCodeAt(at)] as number;
      bits = (bits << 5) | symbol;
      weight += weights[symbol] as number;
    }
    if (weight > least) continue;
    rarest = bits;
    least = weight;
  }
  const befores = option.test(hint) ? 1 : 2 ** (5 * (3 - size));
  for (let before = 0; before < befores; before++) suspects[(before << (5 * size)) | rarest] = 1;
}

for (const { hints } of secretPatterns) for (const hint of hints) mark(hint);
