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

/** How frequent three characters are. Marks are so between words everywhere. */
const weight = (part: string): number =>
  [...part].reduce((sum, one) => sum + (frequency.includes(one) ? frequency.indexOf(one) : 18), 0);

function mark(hint: string): void {
  const parts = Array.from({ length: Math.max(1, hint.length - 2) }, (_, at) => hint.slice(at, at + 3));
  const [rarest = hint] = parts.sort((one, other) => weight(one) - weight(other));
  const bits = [...rarest].reduce((all, one) => (all << 5) | (symbols[one.charCodeAt(0)] as number), 0);
  // Of a shorter hint, whatever stands before it.
  const open = 3 - rarest.length;
  for (let before = 0; before < 2 ** (5 * open); before++) suspects[(before << (5 * rarest.length)) | bits] = 1;
}

for (const { hints } of secretPatterns) for (const hint of hints) mark(hint);
