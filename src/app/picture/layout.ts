// Positions of the boxes and arrows of a machine. Without a browser, texts are measured in columns.
import { Graph, layout } from '@dagrejs/dagre';
import { cutWidth, measureWidth } from '../../config/text.ts';
import type { Condition, Machine, PictureState, PictureTransition } from './machine.ts';

/** In pixels. `character` and `title` are the widths of one column. */
export const sizes = { line: 17, head: 22, pad: 14, character: 6.7, title: 8.4, margin: 24 } as const;
/** Limits of a picture, in pixels. Only a machine that has too many transitions for arrows can be higher. */
export const maxWidth = 1_400;
const maxHeight = 1_400;
/** Limit on the lines of one condition, of a name and of a title. */
const maxLines = 3;
/** With more arrows, a picture is unreadable. */
const maxArrows = 40;
/** From this many targets on, transitions of a mode with the same gate become lines in its box. */
const fewestBundled = 3;
/** Space between boxes without arrows, in pixels. */
const gap = 44;

export interface PictureLine {
  text: string;
  kind: Condition['kind'] | 'soft';
  holds: boolean | null;
  /** The first line of its condition. */
  begins: boolean;
}

/** Transitions with the same gate that the box of their mode lists. */
export interface Exit {
  transitions: PictureTransition[];
  /** The targets. */
  head: string[];
  lines: PictureLine[];
}

export interface Box {
  state: PictureState;
  /** Center. */
  x: number;
  y: number;
  width: number;
  height: number;
  name: string[];
  lines: string[];
  exits: Exit[];
}

export interface Arrow {
  from: string;
  to: string;
  /** All transitions between the two modes. */
  transitions: PictureTransition[];
  points: { x: number; y: number }[];
  /** Center of its text. */
  label: { x: number; y: number; width: number; height: number };
  lines: PictureLine[];
}

export interface Drawing {
  width: number;
  height: number;
  direction: Direction;
  boxes: Box[];
  arrows: Arrow[];
}

export type Direction = 'right' | 'down';

/** A form of the picture. `columns`: width of its texts. `lists`: which transitions the boxes list instead of arrows with texts. */
interface Form {
  direction: Direction;
  columns: number;
  lists: 'bundles' | 'all';
}

/**
 * Computes all positions, in the first form that fits: arrows with texts, arrows whose texts are in the boxes, boxes alone.
 * Deterministic: the same machine always gets the same layout.
 */
export function layOut(machine: Machine, direction: Direction = 'right'): Drawing {
  const other: Direction = direction === 'right' ? 'down' : 'right';
  const forms: Form[] = [
    { direction, columns: 30, lists: 'bundles' },
    { direction, columns: 22, lists: 'bundles' },
    { direction: other, columns: 30, lists: 'bundles' },
    { direction, columns: 30, lists: 'all' },
    { direction: other, columns: 30, lists: 'all' },
  ];
  for (const form of forms) {
    const parts = partsOf(machine, form);
    if (parts.arrows.length === 0 || parts.arrows.length > maxArrows) continue;
    const drawing = drawn(parts, form.direction);
    if (drawing.width <= maxWidth && drawing.height <= maxHeight) return drawing;
  }
  return inRows(partsOf(machine, { direction, columns: 30, lists: 'all' }).boxes, direction);
}

interface Parts {
  boxes: Box[];
  arrows: Omit<Arrow, 'points' | 'label'>[];
}

/** The boxes and arrows of a form, without positions. */
function partsOf({ states, ways: transitions }: Machine, { columns, lists }: Form): Parts {
  const listed = new Set<PictureTransition>();
  const boxes = states.map((state): Box => {
    const out = transitions.filter(({ from }) => from === state.name);
    const groups = groupBy(out, ({ conditions, automatic }) => JSON.stringify([conditions, automatic]));
    const bundles = groups.filter((group) => lists === 'all' || targetsOf(group).length >= fewestBundled);
    for (const transition of bundles.flat()) listed.add(transition);
    return boxOf(
      state,
      bundles.map((group) => exitOf(group, states.length, columns)),
      columns,
    );
  });
  const pairs = groupBy(
    transitions.filter((transition) => lists === 'all' || !listed.has(transition)),
    ({ from, to }) => JSON.stringify([from, to]),
  );
  const arrows = pairs.map((group) => {
    const [{ from, to }] = group as [PictureTransition];
    return { from, to, transitions: group, lines: lists === 'all' ? [] : linesOfPair(group, columns) };
  });
  return { boxes, arrows: lists === 'all' ? arrows.filter(({ transitions: group }) => !isToMany(group, boxes)) : arrows };
}

/** A mode that leads to every other mode needs no arrows. A line in its box replaces them. */
function isToMany([transition]: readonly PictureTransition[], boxes: readonly Box[]): boolean {
  const exits = boxes.find(({ state }) => state.name === transition?.from)?.exits ?? [];
  return exits.some(
    ({ transitions }) => transitions.includes(transition as PictureTransition) && targetsOf(transitions).length >= fewestBundled,
  );
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[][] {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return [...groups.values()];
}

const targetsOf = (transitions: readonly PictureTransition[]): string[] => [...new Set(transitions.map(({ to }) => to))];

function exitOf(transitions: PictureTransition[], modes: number, columns: number): Exit {
  const [transition] = transitions as [PictureTransition];
  const targets = targetsOf(transitions).filter((to) => to !== transition.from);
  const isEvery = targets.length > 1 && targets.length === modes - 1;
  const head = isEvery ? 'any other mode' : targetsOf(transitions).join(', ');
  return { transitions, head: wrap(`→ ${head}`, columns, maxLines), lines: labelLines(transition, columns) };
}

function boxOf(state: PictureState, exits: Exit[], columns: number): Box {
  const name = wrap(state.name, columns, maxLines);
  const lines = linesOf(state, columns);
  const inside = exits.flatMap((exit) => [...exit.head, ...exit.lines.map(({ text }) => `  ${text}`)]);
  const widest = (texts: readonly string[]) => Math.max(0, ...texts.map(measureWidth));
  const longest = Math.max(widest(name) * sizes.title, widest([...lines, ...inside]) * sizes.character);
  const rows = Math.max(0, name.length - 1) + lines.length + inside.length;
  return {
    ...{ state, name, lines, exits, x: 0, y: 0 },
    width: longest + 2 * sizes.pad,
    height: sizes.head + rows * sizes.line + exits.length * exitGap + sizes.pad + 2,
  };
}

/** Space above each exit in a box, in pixels. */
export const exitGap = 6;

/** Boxes and arrows, placed by their connections. */
function drawn({ boxes, arrows }: Parts, direction: Direction): Drawing {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({
    rankdir: direction === 'right' ? 'LR' : 'TB',
    nodesep: gap,
    edgesep: 26,
    ranksep: 46,
    marginx: sizes.margin,
    marginy: sizes.margin,
  });
  // Use numbers as ids: a mode may have a name that the library reserves.
  const ids = new Map(boxes.map(({ state }, at) => [state.name, String(at)]));
  const idOf = (name: string) => ids.get(name) as string;
  for (const { state, width, height } of boxes) graph.setNode(idOf(state.name), { width, height });
  arrows.forEach(({ from, to, lines }, at) => {
    const longest = Math.max(1, ...lines.map(({ text }) => measureWidth(text)));
    graph.setEdge(
      idOf(from),
      idOf(to),
      { width: longest * sizes.character + 24, height: Math.max(1, lines.length) * sizes.line + 4, labelpos: 'c' },
      String(at),
    );
  });
  layout(graph);
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  return {
    ...{ width: Math.ceil(width), height: Math.ceil(height), direction },
    boxes: boxes.map((box): Box => {
      const { x, y } = graph.node(idOf(box.state.name)) as Box;
      return { ...box, x, y };
    }),
    arrows: arrows.map((arrow, at): Arrow => {
      const edge = graph.edge({ v: idOf(arrow.from), w: idOf(arrow.to), name: String(at) }) as Arrow['label'] & Arrow;
      const { x, y, width, height, points } = edge;
      return { ...arrow, points, label: { x, y, width, height } };
    }),
  };
}

/** Boxes alone, in rows from the left. */
function inRows(boxes: readonly Box[], direction: Direction): Drawing {
  const widest = Math.max(0, ...boxes.map(({ width }) => width));
  const fitting = Math.floor((maxWidth - 2 * sizes.margin + gap) / (widest + gap));
  const columns = Math.max(1, Math.min(fitting, Math.ceil(Math.sqrt(boxes.length))));
  const placed: Box[] = [];
  let top: number = sizes.margin;
  for (let start = 0; start < boxes.length; start += columns) {
    const row = boxes.slice(start, start + columns);
    const height = Math.max(...row.map((box) => box.height));
    row.forEach((box, at) => {
      placed.push({ ...box, x: sizes.margin + at * (widest + gap) + widest / 2, y: top + box.height / 2 });
    });
    top += height + gap;
  }
  const width = 2 * sizes.margin + Math.min(columns, boxes.length) * (widest + gap) - gap;
  return { width: Math.ceil(width), height: Math.ceil(top - gap + sizes.margin), direction, boxes: placed, arrows: [] };
}

/** The lines below the name. */
function linesOf({ title, rules, otherwise }: PictureState, columns: number): string[] {
  const counts = (['allow', 'ask', 'deny'] as const)
    .filter((effect) => rules[effect] > 0)
    .map((effect) => `${effect} ${rules[effect]}`);
  const kinds = [...counts, ...(otherwise === null ? [] : [`else ${otherwise}`])];
  return [
    ...(title === null ? [] : wrap(title, columns, maxLines)),
    ...(kinds.length === 0 ? ['no rules'] : wrap(kinds.join(' · '), columns, maxLines)),
  ];
}

/** The texts of all transitions between two modes. */
function linesOfPair(transitions: readonly PictureTransition[], columns: number): PictureLine[] {
  const or: PictureLine = { text: 'or', kind: 'soft', holds: null, begins: false };
  return transitions.flatMap((transition, at) => [...(at === 0 ? [] : [or]), ...labelLines(transition, columns)]);
}

function labelLines({ conditions, automatic }: PictureTransition, columns: number): PictureLine[] {
  const lines = conditions.flatMap(({ text, kind, holds }) =>
    wrap(text, columns, maxLines).map((part, at): PictureLine => ({ text: part, kind, holds, begins: at === 0 })),
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
