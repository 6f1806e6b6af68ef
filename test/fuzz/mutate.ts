// Makes a text from others: by cutting, joining, doubling, swapping and putting pieces in that mean something.
import { random } from '../unit/shell/generator.ts';

export { random };
export type Pick = (below: number) => number;

const ODD = [
  '\0',
  '\n',
  '\r',
  '\t',
  ' ',
  '"',
  "'",
  '\\',
  '`',
  '$',
  '*',
  '?',
  '/',
  '..',
  '\u202e',
  '\ud800',
  '\ufeff',
  'é',
  '😀',
  '%00',
  '__proto__',
];
const LONGEST = 20_000;

/** A text made from one of the corpus by one to six changes. */
export function mutate(corpus: readonly string[], words: readonly string[], pick: Pick): string {
  let text = corpus[pick(corpus.length)] ?? '';
  for (let changes = 1 + pick(pick(4) === 0 ? 6 : 2); changes > 0; changes--) text = change(text, corpus, words, pick);
  return text.slice(0, LONGEST);
}

function change(text: string, corpus: readonly string[], words: readonly string[], pick: Pick): string {
  const at = pick(text.length + 1);
  const length = 1 + pick(pick(3) === 0 ? 40 : 4);
  const put = (piece: string, over = 0) => text.slice(0, at) + piece + text.slice(at + over);
  const other = () => corpus[pick(corpus.length)] ?? '';
  switch (pick(12)) {
    case 0:
      return put('', length);
    case 1:
      return put(ODD[pick(ODD.length)]!);
    case 2:
    case 3:
      return put(words[pick(words.length)] ?? '');
    case 4:
      return put(words[pick(words.length)] ?? '', length);
    case 5:
      return put(text.slice(at, at + length));
    case 6:
      return put(String.fromCharCode(32 + pick(95)), 1);
    case 7:
      return text.slice(0, at) + other().slice(pick(20));
    case 8: {
      const given = other();
      const from = pick(given.length + 1);
      return put(given.slice(from, from + length));
    }
    case 9: {
      const lines = text.split('\n');
      const line = pick(lines.length);
      lines.splice(line, 1, ...(pick(2) ? [] : [lines[line]!, lines[pick(lines.length)]!]));
      return lines.join('\n');
    }
    case 10:
      return put(text.slice(at, at + length).repeat(1 + pick(pick(20) === 0 ? 500 : 3)), length);
    default:
      return put(String(pick(3) === 0 ? 2 ** pick(64) : pick(9)), pick(2));
  }
}

/** The shortest text that is found to be wrong still, by leaving pieces out. */
export async function minimise(text: string, isWrong: (text: string) => Promise<boolean>, most = 2_000): Promise<string> {
  let best = text;
  let tries = most;
  for (let size = Math.ceil(best.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let at = 0; at < best.length && tries > 0; tries--) {
      const shorter = best.slice(0, at) + best.slice(at + size);
      if (shorter !== best && (await isWrong(shorter))) best = shorter;
      else at += size;
    }
  }
  return best;
}
