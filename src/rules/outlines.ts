// Whether a partly known path could match the pattern of a rule.
import { pathKey } from '../facts/paths/keys.ts';
import type { PathOutline } from '../model/facts.ts';

/** One character, `?` any but a slash, `*` any number of these, `**` any text. */
type Token = { char: string } | '?' | '*' | '**';

/** A pattern of a rule, without the part that includes everything below a match. */
export interface OutlinePattern {
  isAbsolute: boolean;
  /** Matches at any depth. */
  isFloating: boolean;
  tokens: readonly Token[];
  /** The longest text without wildcards in it, which every match contains. */
  fixed: string;
}

type Place = 'absolute' | 'floating' | 'relative';

function outlinePattern(place: Place, tokens: readonly Token[]): OutlinePattern {
  const fixed = tokens
    .map((token) => (typeof token === 'string' ? '\0' : token.char))
    .join('')
    .split('\0')
    .reduce((longest, one) => (one.length > longest.length ? one : longest));
  return { isAbsolute: place === 'absolute', isFloating: place === 'floating', tokens, fixed };
}

const chars = (text: string): Token[] => Array.from(text, (char) => ({ char }));
const below: Token[] = [{ char: '/' }, '**'];

/** The pattern that a look-up key represents; null if another key of the same rule represents more. */
export function patternOfKey(key: string, isWhole: (path: string) => boolean): OutlinePattern | null {
  const text = key.slice(1);
  const placed = (tokens: Token[]): OutlinePattern => outlinePattern(text.startsWith('/') ? 'absolute' : 'relative', tokens);
  switch (key[0]) {
    case '=':
      return placed(chars(text));
    case '<':
      return isWhole(text) ? null : placed([...chars(text), ...(text === '' || text === '/' ? (['**'] as const) : below)]);
    case '/':
      return outlinePattern('floating', chars(text));
    case '>':
      return outlinePattern('floating', [...chars(text), ...below]);
    default:
      return outlinePattern('floating', ['*', ...chars(key)]);
  }
}

/** The patterns of a key that applies below a folder. */
export function patternWithin(folder: string, key: string): OutlinePattern[] {
  const { tokens } = patternOfKey(key, () => false)!;
  const head = chars(`${folder.slice(1)}/`);
  const place = folder.startsWith(pathKey.under('/')) ? 'absolute' : 'relative';
  return [tokens, ['**', { char: '/' }, ...tokens] as Token[]].map((rest) => outlinePattern(place, [...head, ...rest]));
}

const FLOATS = ['(?:[^\\/].*\\/)?', '(?:.*\\/)?'];

/** The patterns of an anchored expression as `pathExpression` writes it, with and without every optional folder. */
export function patternsOfExpression(expression: string): OutlinePattern[] {
  let text = expression.slice('(?s)^'.length, -1);
  const isAbsolute = text.startsWith('\\/');
  const lead: Token[] = isAbsolute ? [{ char: '/' }] : [];
  if (isAbsolute) text = text.slice(2);
  const float = FLOATS.find((one) => text.startsWith(one));
  if (float !== undefined) text = text.slice(float.length);
  text = text.endsWith('(?:\\/.*)?') ? text.slice(0, -'(?:\\/.*)?'.length) : text;
  let all: Token[][] = [lead];
  const add = (...tokens: Token[]): void => {
    all = all.map((one) => [...one, ...tokens]);
  };
  const piece = /\(\?:\.\*\\\/\)\?|\(\?:\\b\\B\)|\[(?:\\.|[^\]\\])*\][*+]?|\.[*+]|\\x[0-9a-f]{2}|\\.|./gsu;
  for (const [one] of text.matchAll(piece)) {
    if (one === '(?:.*\\/)?')
      all = all.length > 8 ? all.map((t) => [...t, '**']) : all.flatMap((t) => [t, [...t, '**', { char: '/' }]]);
    else if (one === '.*' || one === '.+') add('**');
    else if (one.startsWith('[')) add(one.endsWith('*') || one.endsWith('+') ? '*' : '?');
    else if (one === '(?:\\b\\B)') add('?');
    else if (/^\\x/.test(one)) add({ char: String.fromCharCode(Number.parseInt(one.slice(2), 16)) });
    else add({ char: one.startsWith('\\') ? one.slice(1) : one });
  }
  const floating = isAbsolute ? 'relative' : 'floating';
  const place = float !== undefined ? floating : isAbsolute ? 'absolute' : 'relative';
  return all.map((tokens) => outlinePattern(place, tokens));
}

/** A budget of steps for all patterns of one query. Beyond it, every pattern counts as a possible match. */
export interface Steps {
  left: number;
}

/**
 * True if a known part of the path suggests that the pattern matches: its end could be the end of a match, one of its folders
 * could match with everything below, or its start leads to the pattern's place.
 */
export function couldMatchOutline({ pieces, head }: PathOutline, pattern: OutlinePattern, steps: Steps): boolean {
  if (head === 'relative' ? pattern.isAbsolute : head === 'absolute' && !pattern.isAbsolute) return false;
  const forms = formsOf(pattern, head);
  const matchesAnyForm = (path: readonly Token[]): boolean => forms.some((form) => intersects(path, form, steps));
  // A path that is known completely contains the fixed text of each pattern that matches it.
  const matchesPath = (known: readonly string[]): boolean =>
    (known.length > 1 || known[0]!.includes(pattern.fixed)) && matchesAnyForm(tokensOf(known));
  const last = pieces.at(-1)!;
  if (pieces.length === 1 || last !== '') {
    if (matchesPath(pieces)) return true;
  } else {
    const before = pieces.at(-2)!;
    const name = before.slice(before.lastIndexOf('/') + 1);
    const known = pieces.slice(0, -1);
    if (name !== '') {
      const named: Token[] = [...tokensOf(known), '*'];
      if (matchesAnyForm(named) || matchesAnyForm([...named, ...below])) return true;
    } else if (before !== '' && !pattern.isFloating && head !== 'unknown' && matchesAnyForm([...tokensOf(known), '**']))
      return true;
  }
  return pieces.some((piece, at) => {
    const slash = piece.lastIndexOf('/');
    if (slash <= 0) return false;
    const isIn = (end: number): boolean => matchesPath([...pieces.slice(0, at), piece.slice(0, end)]);
    return isIn(slash) || isIn(slash + 1);
  });
}

/** A floating pattern at the top and below any folder; if the start of the path is unknown, a relative one below any folder. */
function formsOf({ isAbsolute, isFloating, tokens }: OutlinePattern, head: PathOutline['head']): (readonly Token[])[] {
  const deeper: Token[] = ['**', { char: '/' }, ...tokens];
  if (isAbsolute) return [tokens];
  if (head === 'unknown') return [deeper];
  return isFloating ? [tokens, deeper] : [tokens];
}

function tokensOf(pieces: readonly string[]): Token[] {
  return pieces.flatMap((piece, at): Token[] => (at === 0 ? chars(piece) : ['**', ...chars(piece)]));
}

const isWild = (token: Token | undefined): token is '*' | '**' => token === '*' || token === '**';

function produces(token: Token, char: string): boolean {
  return token === '**' || (typeof token === 'string' ? char !== '/' : token.char === char);
}

/** True if some text matches both. Compares exactly. Callers also pass folded copies, because deny and ask rules ignore case. */
function intersects(path: readonly Token[], pattern: readonly Token[], steps: Steps): boolean {
  const least = Math.min(path.length, pattern.length);
  let start = 0;
  while (start < least && isSame(path[start]!, pattern[start]!)) start++;
  let end = 0;
  while (end < least - start && isSame(path.at(-1 - end)!, pattern.at(-1 - end)!)) end++;
  const [mine, other] = [path.slice(start, path.length - end), pattern.slice(start, pattern.length - end)];
  if (differ(mine[0], other[0]) || differ(mine.at(-1), other.at(-1))) return false;
  return shareText(mine, other, steps);
}

/** The same. Callers remove the equal characters at both ends, because most paths differ from most patterns there. */
function shareText(path: readonly Token[], pattern: readonly Token[], steps: Steps): boolean {
  steps.left -= (path.length + 1) * (pattern.length + 1);
  if (steps.left < 0) return true;
  // Dynamic programming from the end: whether the rests from (i, j) on have a text in common, one row per token of the path.
  let after: boolean[] = [];
  for (let i = path.length; i >= 0; i--) {
    const row = new Array<boolean>(pattern.length + 1);
    for (let j = pattern.length; j >= 0; j--) {
      const [mine, other] = [path[i], pattern[j]];
      let isMatch = mine === undefined && other === undefined;
      if (isWild(mine)) isMatch ||= after[j]! || (other !== undefined && canFollow(mine, other) && row[j + 1]!);
      if (!isMatch && isWild(other)) isMatch = row[j + 1]! || (mine !== undefined && canFollow(other, mine) && after[j]!);
      if (!isMatch && mine !== undefined && other !== undefined && !isWild(mine) && !isWild(other))
        isMatch =
          (typeof mine === 'string' ? typeof other === 'string' || other.char !== '/' : produces(other, mine.char)) &&
          after[j + 1]!;
      row[j] = isMatch;
    }
    after = row;
  }
  return after[0]!;
}

function isSame(mine: Token, other: Token): boolean {
  return typeof mine === 'object' && typeof other === 'object' && mine.char === other.char;
}

function differ(mine: Token | undefined, other: Token | undefined): boolean {
  return typeof mine === 'object' && typeof other === 'object' && mine.char !== other.char;
}

/** True if the wildcard may match this token of the other side. */
function canFollow(wild: '*' | '**', token: Token): boolean {
  return wild === '**' || token === '*' || token === '?' || (token !== '**' && token.char !== '/');
}
