// The machine as SVG: one file without fonts, scripts or links, which any program can turn into a PNG.
import { showUnseen } from '../../config/text.ts';
import {
  type Arrow,
  type Box,
  type Direction,
  type Drawing,
  type Exit,
  exitGap,
  layOut,
  type PictureLine,
  sizes,
} from './layout.ts';
import type { Machine, PictureTransition } from './machine.ts';

export type Theme = 'light' | 'dark' | 'auto';

interface Colours {
  background: string;
  box: string;
  stroke: string;
  text: string;
  soft: string;
  now: string;
  nowBox: string;
  met: string;
  unmet: string;
}

/** Every text has a contrast of at least 4.5 to its background. */
const palettes: Record<'light' | 'dark', Colours> = {
  light: {
    background: '#ffffff',
    box: '#f6f8fa',
    stroke: '#57606a',
    text: '#1f2328',
    soft: '#57606a',
    now: '#0550ae',
    nowBox: '#ddf4ff',
    met: '#116329',
    unmet: '#a40e26',
  },
  dark: {
    background: '#0d1117',
    box: '#161b22',
    stroke: '#8b949e',
    text: '#e6edf3',
    soft: '#9da7b3',
    now: '#79c0ff',
    nowBox: '#12263f',
    met: '#56d364',
    unmet: '#ff7b72',
  },
};

/** `auto` follows the viewer's setting, if there is one. For a PNG, choose light or dark. */
export function toSvg(
  machine: Machine,
  { theme = 'light', direction = 'right' }: { theme?: Theme; direction?: Direction } = {},
): string {
  const drawing = layOut(machine, direction);
  const { width, height } = drawing;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="modes-title modes-desc" font-family="ui-sans-serif, system-ui, 'Segoe UI', Helvetica, Arial, sans-serif" font-size="12">`,
    `<title id="modes-title">${xml(`Modes of ${machine.name}`)}</title>`,
    `<desc id="modes-desc">${xml(inWords(machine))}</desc>`,
    `<style>${styles(theme)}</style>`,
    '<defs><marker id="modes-tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path class="tip" d="M0 0 10 5 0 10z"/></marker></defs>',
    `<rect class="ground" width="${width}" height="${height}"/>`,
    ...drawing.arrows.map((arrow) => pathOf(arrow, drawing.direction)),
    ...drawing.arrows.map(labelOf),
    ...drawing.boxes.map(boxOf),
    '</svg>',
    '',
  ].join('\n');
}

function styles(theme: Theme): string {
  const rules = ({ background, box, stroke, text, soft, now, nowBox, met, unmet }: Colours) =>
    [
      `.ground{fill:${background}}`,
      `.box{fill:${box};stroke:${stroke}}`,
      `.now .box{fill:${nowBox};stroke:${now};stroke-width:2.5}`,
      `.name{fill:${text};font-weight:600;font-size:14px}`,
      `.now .name{fill:${now}}`,
      `.soft{fill:${soft}}`,
      `.way{fill:none;stroke:${stroke};stroke-width:1.3}`,
      '.self{stroke-dasharray:5 3}',
      `.tip{fill:${stroke}}`,
      `.plate{fill:${background}}`,
      `.check,.person{fill:${text}}`,
      `.check{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:11px}`,
      `.prose{fill:${soft};font-style:italic}`,
      `.met{fill:${met}}`,
      `.unmet{fill:${unmet}}`,
    ].join('');
  if (theme !== 'auto') return rules(palettes[theme]);
  return `${rules(palettes.light)}@media(prefers-color-scheme:dark){${rules(palettes.dark)}}`;
}

function boxOf({ state, x, y, width, height, name, lines, exits }: Box): string {
  const left = round(x - width / 2);
  const top = round(y - height / 2);
  const tooltip = [state.title, state.description].filter((text) => text !== null).join('. ');
  const center = (kind: string, text: string, at: number) =>
    `<text class="${kind}" x="${round(x)}" y="${round(at)}" text-anchor="middle">${xml(text)}</text>`;
  const below = top + 20 + Math.max(0, name.length - 1) * sizes.line;
  const names = name.map((line, at) => center('name', line, top + 20 + at * sizes.line));
  const rows = lines.map((line, at) => center('soft', line, below + 18 + at * sizes.line));
  const start = state.initial
    ? `<circle class="tip" cx="${left}" cy="${top}" r="5"><title>a project begins here</title></circle>`
    : '';
  let at = below + 18 + lines.length * sizes.line;
  const gates = exits.map((exit) => {
    const drawn = exitOf(exit, left + sizes.pad, at + exitGap);
    at += exitGap + (exit.head.length + exit.lines.length) * sizes.line;
    return drawn;
  });
  return `<g class="state${state.present ? ' now' : ''}" data-mode="${xml(state.name)}">${tooltip === '' ? '' : `<title>${xml(tooltip)}</title>`}<rect class="box" x="${left}" y="${top}" width="${round(width)}" height="${round(height)}" rx="8"/>${start}${names.join('')}${rows.join('')}${gates.join('')}</g>`;
}

/** Transitions that the box lists, from this first baseline on. */
function exitOf({ transitions, head, lines }: Exit, x: number, y: number): string {
  const heads = head.map(
    (text, at) => `<text class="person" x="${round(x)}" y="${round(y + at * sizes.line)}">${xml(text)}</text>`,
  );
  const rows = lines.map((line, at) => lineOf(line, x, round(y + (head.length + at) * sizes.line)));
  return `<g class="gate">${titleOf(transitions.slice(0, 1))}${heads.join('')}${rows.join('')}</g>`;
}

/** The whole texts of the gates, which the picture may cut. */
function titleOf(transitions: readonly PictureTransition[]): string {
  return `<title>${xml(transitions.flatMap(({ conditions }) => conditions.map(({ text }) => text)).join('\n'))}</title>`;
}

function pathOf({ from, to, transitions, points }: Arrow, direction: Direction): string {
  const isAutomatic = transitions.every(({ automatic }) => automatic);
  return `<path class="way${isAutomatic ? ' self' : ''}" data-from="${xml(from)}" data-to="${xml(to)}" d="${curve(points, direction)}" marker-end="url(#modes-tip)"/>`;
}

/**
 * A curve through all points, including the center of the label, that never overshoots them: cubic pieces with Steffen's slopes
 * (Astronomy and Astrophysics 239, 1990), along the direction of the drawing.
 */
function curve(points: readonly Point[], direction: Direction): string {
  const turned = ({ x, y }: Point): Point => (direction === 'right' ? { x, y } : { x: y, y: x });
  const text = (point: Point): string => `${round(turned(point).x)} ${round(turned(point).y)}`;
  const along = points.map(turned);
  const slopes = slopesOf(along);
  const pieces = along.slice(1).map((to, at) => {
    const from = along[at] as Point;
    const third = (to.x - from.x) / 3;
    const out = { x: from.x + third, y: from.y + third * (slopes[at] as number) };
    const into = { x: to.x - third, y: to.y - third * (slopes[at + 1] as number) };
    return `C${text(out)} ${text(into)} ${text(to)}`;
  });
  return `M${text(along[0] as Point)}${pieces.join('')}`;
}

type Point = Drawing['arrows'][number]['points'][number];

/** The slope of the curve at each point. */
function slopesOf(points: readonly Point[]): number[] {
  const rises = points.slice(1).map(({ x, y }, at) => {
    const from = points[at] as Point;
    return { over: x - from.x, is: x === from.x ? 0 : (y - from.y) / (x - from.x) };
  });
  const between = rises.slice(1).map((after, at) => {
    const before = rises[at] as (typeof rises)[number];
    const mean = (before.is * after.over + after.is * before.over) / (before.over + after.over || 1);
    return (Math.sign(before.is) + Math.sign(after.is)) * Math.min(Math.abs(before.is), Math.abs(after.is), Math.abs(mean) / 2);
  });
  const ends = (rise: { is: number } | undefined, next: number | undefined): number =>
    rise === undefined ? 0 : next === undefined ? rise.is : (3 * rise.is - next) / 2;
  return [ends(rises[0], between[0]), ...between, ...(rises.length === 0 ? [] : [ends(rises.at(-1), between.at(-1))])];
}

function labelOf({ from, to, transitions, label, lines }: Arrow): string {
  if (lines.length === 0) return '';
  const height = lines.length * sizes.line;
  const left = round(label.x - label.width / 2 + 6);
  const top = round(label.y - height / 2);
  const rows = lines.map((line, at) => lineOf(line, left, round(top + 13 + at * sizes.line)));
  return `<g class="gate" data-from="${xml(from)}" data-to="${xml(to)}">${titleOf(transitions)}<rect class="plate" x="${left - 2}" y="${top}" width="${round(label.width - 8)}" height="${height}" rx="4"/>${rows.join('')}</g>`;
}

const signs = { met: '✓', unmet: '✗', unknown: '·' } as const;

function lineOf({ text, kind, holds, begins }: PictureLine, x: number, y: number): string {
  const status = holds === null ? 'unknown' : holds ? 'met' : 'unmet';
  const sign =
    !begins || kind === 'prose' || kind === 'soft'
      ? ''
      : `<text class="${status === 'unknown' ? 'soft' : status}" x="${x}" y="${y}">${signs[status]}</text>`;
  return `${sign}<text class="${kind}" x="${x + 12}" y="${y}">${xml(text)}</text>`;
}

/** A description for people who cannot see the picture. */
export function inWords({ states, ways: transitions }: Machine): string {
  const present = states.find((state) => state.present);
  return [
    `${states.length} modes: ${states.map(({ name }) => name).join(', ')}.`,
    ...(present === undefined ? [] : [`Now in ${present.name}.`]),
    ...transitions.map(({ from, to, conditions, automatic }) => {
      const asks = conditions.map(({ text, holds }) => `${text}${holds === null ? '' : holds ? ' (holds)' : ' (does not hold)'}`);
      return `From ${from} to ${to}${automatic ? ' by itself' : ''}${asks.length === 0 ? '' : `: ${asks.join('; ')}`}.`;
    }),
  ].join(' ');
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Escapes a text or an attribute. Characters that are invisible or that XML does not permit become their numbers. */
export function xml(text: string): string {
  return showUnseen(text).replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}
