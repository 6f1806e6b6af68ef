// Positions of the boxes and arrows of a machine. Without a browser, texts are measured in columns.
import { Graph, layout } from '@dagrejs/dagre';
import { cutWidth, measureWidth } from '../../config/text.ts';
import type { Condition, Machine, PictureState, PictureTransition } from './machine.ts';

/** In pixels. `character` and `title` are the widths of one column. */
export const sizes = { line: 17, head: 22, pad: 14, character: 6.7, title: 8.4, margin: 24 } as const;
/** Columns in a line of a gate, and the limit on the lines of one condition. */
const width = 30;
const maxLines = 3;

export interface Line {
  text: string;
  kind: Condition['kind'];
  holds: boolean | null;
  /** The first line of its condition. */
  begins: boolean;
}

export interface Box {
  state: PictureState;
  /** Center. */
  x: number;
  y: number;
  width: number;
  height: number;
  lines: string[];
}

export interface Arrow {
  way: PictureTransition;
  points: { x: number; y: number }[];
  /** Center of its text. */
  label: { x: number; y: number; width: number; height: number };
  lines: Line[];
}

export interface Drawing {
  width: number;
  height: number;
  boxes: Box[];
  arrows: Arrow[];
}

export type Direction = 'right' | 'down';

/** Computes all positions. Deterministic: the same machine always gets the same layout. */
export function layOut(machine: Machine, direction: Direction = 'right'): Drawing {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({
    rankdir: direction === 'right' ? 'LR' : 'TB',
    nodesep: 44,
    edgesep: 26,
    ranksep: 46,
    marginx: sizes.margin,
    marginy: sizes.margin,
  });
  const texts = new Map(machine.states.map((state) => [state.name, linesOf(state)]));
  // Use numbers as ids: a mode may have a name that the library reserves.
  const ids = new Map(machine.states.map(({ name }, at) => [name, String(at)]));
  const idOf = (name: string) => ids.get(name) as string;
  for (const { name } of machine.states) graph.setNode(idOf(name), boxSize(name, texts.get(name) as string[]));
  machine.ways.forEach((way, at) => {
    const lines = labelLines(way);
    const longest = Math.max(1, ...lines.map(({ text }) => measureWidth(text)));
    graph.setEdge(
      idOf(way.from),
      idOf(way.to),
      { width: longest * sizes.character + 24, height: Math.max(1, lines.length) * sizes.line + 4, labelpos: 'c' },
      String(at),
    );
  });
  layout(graph);
  const boxes = machine.states.map((state): Box => {
    const { x, y, width, height } = graph.node(idOf(state.name)) as Box;
    return { state, x, y, width, height, lines: texts.get(state.name) as string[] };
  });
  const arrows = machine.ways.map((way, at): Arrow => {
    const { x, y, width, height, points } = graph.edge({
      v: idOf(way.from),
      w: idOf(way.to),
      name: String(at),
    }) as Arrow['label'] & Arrow;
    return { way, points, label: { x, y, width, height }, lines: labelLines(way) };
  });
  const { width: wide = 0, height: high = 0 } = graph.graph() as { width?: number; height?: number };
  return { width: Math.ceil(wide), height: Math.ceil(high), boxes, arrows };
}

function boxSize(name: string, lines: readonly string[]): { width: number; height: number } {
  const longest = Math.max(measureWidth(name) * sizes.title, ...lines.map((line) => measureWidth(line) * sizes.character));
  return { width: longest + 2 * sizes.pad, height: sizes.head + lines.length * sizes.line + sizes.pad + 2 };
}

/** The lines below the name. */
function linesOf({ title, rules, otherwise }: PictureState): string[] {
  const counts = (['allow', 'ask', 'deny'] as const)
    .filter((effect) => rules[effect] > 0)
    .map((effect) => `${effect} ${rules[effect]}`);
  const kinds = [...counts, ...(otherwise === null ? [] : [`else ${otherwise}`])];
  return [...(title === null ? [] : wrap(title, width, 1)), kinds.length === 0 ? 'no rules' : kinds.join(' · ')];
}

function labelLines({ conditions, automatic }: PictureTransition): Line[] {
  const lines = conditions.flatMap(({ text, kind, holds }) =>
    wrap(text, width, maxLines).map((part, at): Line => ({ text: part, kind, holds, begins: at === 0 })),
  );
  return automatic ? [{ text: 'by itself', kind: 'prose', holds: null, begins: true }, ...lines] : lines;
}

/**
 * Breaks a text into lines of at most `columns`, between words and inside longer words. More than `most` lines end in an
 * ellipsis.
 */
export function wrap(text: string, columns: number, most: number): string[] {
  const lines: string[] = [];
  let line = '';
  const pieces = text.split(/\s+/).flatMap((word) => piecesOf(word, columns));
  for (const piece of pieces) {
    const longer = line === '' ? piece : `${line} ${piece}`;
    if (measureWidth(longer) <= columns) {
      line = longer;
      continue;
    }
    lines.push(line);
    line = piece;
  }
  if (line !== '') lines.push(line);
  if (lines.length <= most) return lines;
  return [...lines.slice(0, most - 1), cutWidth(`${lines[most - 1]}…`, columns)];
}

/** A word in pieces of at most `columns`. */
function piecesOf(word: string, columns: number): string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const character of word) {
    if (measureWidth(piece + character) > columns) {
      pieces.push(piece);
      piece = '';
    }
    piece += character;
  }
  return piece === '' ? pieces : [...pieces, piece];
}
