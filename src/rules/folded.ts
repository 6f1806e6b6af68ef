// Path patterns of deny and ask rules match regardless of case, as in the client on every disk.
import { fold } from '../facts/paths/keys.ts';
import type { PathPattern, Piece, Segment } from '../model/rule.ts';

/** The patterns, plus a folded copy of each pattern with capitals, to match folded names. */
export function inAnyCase(patterns: readonly PathPattern[]): PathPattern[] {
  return [...patterns, ...patterns.map(foldPattern).filter((pattern) => pattern !== null)];
}

/** Null if folding does not change the pattern. */
function foldPattern(pattern: PathPattern): PathPattern | null {
  const segments = pattern.segments.map(foldSegment);
  return segments.every((segment, at) => segment === pattern.segments[at]) ? null : { ...pattern, segments };
}

function foldSegment(segment: Segment): Segment {
  if (segment.kind === 'any-depth') return segment;
  if (segment.kind === 'literal') {
    const text = fold(segment.text);
    // A name of ignored characters alone must not become empty: an empty name would be the folder itself.
    return text === segment.text || text === '' ? segment : { kind: 'literal', text };
  }
  const pieces = segment.pieces.map(foldPiece);
  return pieces.every((piece, at) => piece === segment.pieces[at]) ? segment : { kind: 'glob', pieces };
}

function foldPiece(piece: Piece): Piece {
  if (piece.kind === 'text') {
    const text = fold(piece.text);
    return text === piece.text ? piece : { kind: 'text', text };
  }
  if (piece.kind !== 'set') return piece;
  const lower = piece.ranges.flatMap(foldRange);
  return lower.length === 0 ? piece : { ...piece, ranges: [...piece.ranges, ...lower] };
}

/** The lower-case counterparts of a range, unless the range contains them. Outside ASCII, only the ends are folded. */
function foldRange([from, to]: [number, number]): [number, number][] {
  const ascii: [number, number] = [Math.max(from, 65) + 32, Math.min(to, 90) + 32];
  const beyond: [number, number] = [foldPoint(Math.max(from, 128)), foldPoint(to)];
  return [ascii, ...(to < 128 ? [] : [beyond])].filter(([first, last]) => first <= last && !(from <= first && last <= to));
}

/** The folded code point, or the code point itself if its lower case has several. */
function foldPoint(point: number): number {
  const folded = [...fold(String.fromCodePoint(point))];
  return folded.length === 1 ? (folded[0]?.codePointAt(0) ?? point) : point;
}
