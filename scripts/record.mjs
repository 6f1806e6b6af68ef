// Creates the picture of a terminal in the README: runs the demo in a new terminal and draws its output, line by line.
//
//   node scripts/record.mjs           run it and write docs/pictures/demo.svg
//   node scripts/record.mjs --check   run it, and check that the picture shows its output (exit 1)
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const picture = join(root, 'docs/pictures/demo.svg');
const columns = 112;
const rows = 34;
/** Pixels. */
const size = { line: 18, character: 7.83, pad: 16, font: 13 };
/** Seconds between two lines, and seconds that the last screen stays. */
const pace = { line: 0.32, end: 6 };
const colours = { 31: '#ff7b72', 32: '#56d364', 33: '#e3b341', 36: '#79c0ff', 1: '#ffffff', 2: '#9da7b3' };

/** The demo's output, with colors, without parts that differ from run to run. */
function play() {
  const demo = spawnSync('script', ['-qec', `${process.execPath} scripts/demo.mjs`, '/dev/null'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: undefined, TERM: 'xterm-256color' },
    input: '',
  });
  process.stdout.write(demo.stdout);
  if (demo.status !== 0) throw new Error(`the demo ended with ${demo.status}`);
  return demo.stdout
    .replaceAll('\r', '')
    .replace(/sha256:[0-9a-f]+/g, 'sha256:…')
    .replace(/, \d+ ms/g, '')
    .trim()
    .split('\n');
}

/** Pieces of one color. */
function piecesOf(line) {
  const pieces = [];
  let colour = null;
  for (const [, code, text] of line.matchAll(/\x1b\[([\d;]*)m|([^\x1b]+)/g)) {
    if (text === undefined) colour = colours[code] ?? null;
    else pieces.push({ text, colour });
  }
  return pieces;
}

/** Lines of at most `columns` characters; continuation lines are indented. */
function wrap(pieces) {
  const lines = [[]];
  let at = 0;
  for (const { text, colour } of pieces)
    for (const part of text.split(/(?<= )/)) {
      if (at + part.length > columns && at > 8) {
        lines.push([{ text: '        ', colour: null }]);
        at = 8;
      }
      lines.at(-1).push({ text: part, colour });
      at += part.length;
    }
  return lines;
}

const xml = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The lines scroll as they are printed. With reduced motion, only the end is shown. */
function draw(lines) {
  const shown = lines.flatMap((line) => wrap(piecesOf(line)));
  const width = Math.ceil(columns * size.character + 2 * size.pad);
  const height = rows * size.line + 2 * size.pad;
  const total = shown.length * pace.line + pace.end;
  const percent = (seconds) => `${((seconds / total) * 100).toFixed(2)}%`;
  const rolls = shown.map(
    (_, at) => `${percent(at * pace.line)}{transform:translateY(${-Math.max(0, at + 1 - rows) * size.line}px)}`,
  );
  const rollEnd = `100%{transform:translateY(${-Math.max(0, shown.length - rows) * size.line}px)}`;
  const texts = shown.map((pieces, at) => {
    const spans = pieces
      .map(({ text, colour }) => (colour ? `<tspan fill="${colour}">${xml(text)}</tspan>` : xml(text)))
      .join('');
    return `<text y="${(at + 1) * size.line}" style="animation-delay:${(at * pace.line).toFixed(2)}s" xml:space="preserve">${spans}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="demo-title">
<title id="demo-title">make demo: a session in three modes, call by call</title>
<style>text{font:${size.font}px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:#e6edf3;white-space:pre}@media(prefers-reduced-motion:no-preference){.roll{animation:roll ${total.toFixed(1)}s steps(1) infinite}text{opacity:0;animation:line ${total.toFixed(1)}s steps(1) infinite}}.roll{transform:translateY(${-Math.max(0, shown.length - rows) * size.line}px)}@keyframes line{0%{opacity:1}100%{opacity:1}}@keyframes roll{${rolls.join('')}${rollEnd}}</style>
<rect width="${width}" height="${height}" rx="8" fill="#0d1117"/>
<svg x="${size.pad}" y="${size.pad}" width="${width - 2 * size.pad}" height="${rows * size.line + 4}"><g class="roll">
${texts.join('\n')}
</g></svg>
</svg>
`;
}

const drawn = draw(play());
if (process.argv.includes('--check')) {
  if (readFileSync(picture, 'utf8') !== drawn) {
    console.error('docs/pictures/demo.svg does not show what the demo prints: node scripts/record.mjs draws it anew');
    process.exitCode = 1;
  } else console.log('docs/pictures/demo.svg shows what the demo prints.');
} else {
  writeFileSync(picture, drawn);
  console.log(`wrote ${picture.slice(root.length + 1)}`);
}
