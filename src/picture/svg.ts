// The machine as SVG: one file without fonts, scripts or links, which any program turns into a PNG.
import { type Arrow, type Box, type Direction, type Drawing, type Line, layOut, sizes } from './layout.ts';
import type { Machine } from './machine.ts';

export type Theme = 'light' | 'dark' | 'auto';

interface Colours {
  ground: string;
  box: string;
  edge: string;
  text: string;
  soft: string;
  now: string;
  nowBox: string;
  met: string;
  unmet: string;
}

/** Every text has a contrast of at least 4.5 to what it stands on. */
const palettes: Record<'light' | 'dark', Colours> = {
  light: {
    ground: '#ffffff',
    box: '#f6f8fa',
    edge: '#57606a',
    text: '#1f2328',
    soft: '#57606a',
    now: '#0550ae',
    nowBox: '#ddf4ff',
    met: '#116329',
    unmet: '#a40e26',
  },
  dark: {
    ground: '#0d1117',
    box: '#161b22',
    edge: '#8b949e',
    text: '#e6edf3',
    soft: '#9da7b3',
    now: '#79c0ff',
    nowBox: '#12263f',
    met: '#56d364',
    unmet: '#ff7b72',
  },
};

/** `auto` follows the viewer's own setting, where it has one; a file for a PNG is made light or dark. */
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
    ...drawing.arrows.map(pathOf),
    ...drawing.arrows.map(labelOf),
    ...drawing.boxes.map(boxOf),
    '</svg>',
    '',
  ].join('\n');
}

function styles(theme: Theme): string {
  const rules = ({ ground, box, edge, text, soft, now, nowBox, met, unmet }: Colours) =>
    [
      `.ground{fill:${ground}}`,
      `.box{fill:${box};stroke:${edge}}`,
      `.now .box{fill:${nowBox};stroke:${now};stroke-width:2.5}`,
      `.name{fill:${text};font-weight:600;font-size:14px}`,
      `.now .name{fill:${now}}`,
      `.soft{fill:${soft}}`,
      `.way{fill:none;stroke:${edge};stroke-width:1.3}`,
      '.self{stroke-dasharray:5 3}',
      `.tip{fill:${edge}}`,
      `.plate{fill:${ground}}`,
      `.check,.person{fill:${text}}`,
      `.check{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:11px}`,
      `.prose{fill:${soft};font-style:italic}`,
      `.met{fill:${met}}`,
      `.unmet{fill:${unmet}}`,
    ].join('');
  if (theme !== 'auto') return rules(palettes[theme]);
  return `${rules(palettes.light)}@media(prefers-color-scheme:dark){${rules(palettes.dark)}}`;
}

function boxOf({ state, x, y, width, height, lines }: Box): string {
  const left = round(x - width / 2);
  const top = round(y - height / 2);
  const said = [state.title, state.description].filter((text) => text !== null).join('. ');
  const rows = lines.map(
    (line, at) =>
      `<text class="soft" x="${round(x)}" y="${round(top + sizes.head + 16 + at * sizes.line)}" text-anchor="middle">${xml(line)}</text>`,
  );
  const start = state.initial
    ? `<circle class="tip" cx="${left}" cy="${top}" r="5"><title>a project begins here</title></circle>`
    : '';
  return `<g class="state${state.present ? ' now' : ''}" data-mode="${xml(state.name)}">${said === '' ? '' : `<title>${xml(said)}</title>`}<rect class="box" x="${left}" y="${top}" width="${round(width)}" height="${round(height)}" rx="8"/>${start}<text class="name" x="${round(x)}" y="${round(top + 20)}" text-anchor="middle">${xml(state.name)}</text>${rows.join('')}</g>`;
}

function pathOf({ way, points }: Arrow): string {
  return `<path class="way${way.automatic ? ' self' : ''}" data-from="${xml(way.from)}" data-to="${xml(way.to)}" d="${curve(points)}" marker-end="url(#modes-tip)"/>`;
}

/** Through the middles of the pieces, so that corners are round. */
function curve(points: Drawing['arrows'][number]['points']): string {
  const [first, ...rest] = points as [{ x: number; y: number }, ...{ x: number; y: number }[]];
  const at = ({ x, y }: { x: number; y: number }) => `${round(x)} ${round(y)}`;
  if (rest.length < 2) return `M${at(first)}${rest.map((point) => `L${at(point)}`).join('')}`;
  const bends = rest.slice(0, -1).map((point, index) => {
    const next = rest[index + 1] as { x: number; y: number };
    const isLast = index === rest.length - 2;
    return `Q${at(point)} ${at(isLast ? next : { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 })}`;
  });
  return `M${at(first)}${bends.join('')}`;
}

function labelOf({ way, label, lines }: Arrow): string {
  if (lines.length === 0) return '';
  const height = lines.length * sizes.line;
  const left = round(label.x - label.width / 2 + 6);
  const top = round(label.y - height / 2);
  const rows = lines.map((line, at) => lineOf(line, left, round(top + 13 + at * sizes.line)));
  const whole = way.conditions.map(({ text }) => text).join('\n');
  return `<g class="gate" data-from="${xml(way.from)}" data-to="${xml(way.to)}"><title>${xml(whole)}</title><rect class="plate" x="${left - 2}" y="${top}" width="${round(label.width - 8)}" height="${height}" rx="4"/>${rows.join('')}</g>`;
}

const signs = { met: '✓', unmet: '✗', unknown: '·' } as const;

function lineOf({ text, kind, holds, begins }: Line, x: number, y: number): string {
  const seen = holds === null ? 'unknown' : holds ? 'met' : 'unmet';
  const sign =
    !begins || kind === 'prose'
      ? ''
      : `<text class="${seen === 'unknown' ? 'soft' : seen}" x="${x}" y="${y}">${signs[seen]}</text>`;
  return `${sign}<text class="${kind}" x="${x + 12}" y="${y}">${xml(text)}</text>`;
}

/** For those who do not see it. */
export function inWords({ states, ways }: Machine): string {
  const present = states.find((state) => state.present);
  return [
    `${states.length} modes: ${states.map(({ name }) => name).join(', ')}.`,
    ...(present === undefined ? [] : [`Now in ${present.name}.`]),
    ...ways.map(({ from, to, conditions, automatic }) => {
      const asks = conditions.map(({ text, holds }) => `${text}${holds === null ? '' : holds ? ' (holds)' : ' (does not hold)'}`);
      return `From ${from} to ${to}${automatic ? ' by itself' : ''}${asks.length === 0 ? '' : `: ${asks.join('; ')}`}.`;
    }),
  ].join(' ');
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** For a text or an attribute; characters that XML has no place for are left out. */
export function xml(text: string): string {
  const allowed = text.replace(
    /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/gu,
    '',
  );
  return allowed.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}
