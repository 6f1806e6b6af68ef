// Creates the picture of a session in the README: the real client in a terminal with a scripted model, refused and then allowed.
//
//   node scripts/record-client.mjs    play it and write docs/pictures/session.svg (needs tmux; installs the client once)
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadSource, root } from './load-source.mjs';

const columns = 104;
const rows = 34;
/** Pixels. */
const size = { line: 17, character: 7.83, pad: 16, font: 13 };
const BACKGROUND = '#0d1117';
const TEXT = '#e6edf3';
const DIM = '#9da7b3';
const BASIC = ['#484f58', '#ff7b72', '#56d364', '#e3b341', '#79c0ff', '#d2a8ff', '#39c5cf', '#b1bac4'];
const PICTURE = join(root, 'docs/pictures/session.svg');

/** A color of the table of 256. */
function indexed(number) {
  if (number < 16) return BASIC[number % 8];
  if (number > 231) return hex([0, 0, 0].fill(8 + (number - 232) * 10));
  const level = (step) => (step === 0 ? 0 : 55 + step * 40);
  const at = number - 16;
  return hex([level(Math.floor(at / 36)), level(Math.floor(at / 6) % 6), level(at % 6)]);
}

const hex = (parts) => `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;

/** The style after an escape sequence. */
function styled(style, codes) {
  const next = { ...style };
  const given = codes.split(';').map(Number);
  for (let at = 0; at < given.length; at++) {
    const code = given[at];
    if (code === 0) Object.assign(next, { color: null, back: null, isBold: false, isDim: false, isReversed: false });
    else if (code === 1) next.isBold = true;
    else if (code === 2) next.isDim = true;
    else if (code === 7) next.isReversed = true;
    else if (code >= 30 && code <= 37) next.color = BASIC[code - 30];
    else if (code >= 90 && code <= 97) next.color = BASIC[code - 90];
    else if (code === 39) next.color = null;
    else if (code === 49) next.back = null;
    else if (code === 38 || code === 48) {
      next[code === 38 ? 'color' : 'back'] = indexed(given[at + 2]);
      at += 2;
    }
  }
  return next;
}

/** Text of one style, with its column. */
function runsOf(screen) {
  let style = styled({}, '0');
  return screen.split('\n').map((line) => {
    const runs = [];
    let column = 0;
    for (const [, codes, text] of line.matchAll(/\x1b\[([\d;]*)m|([^\x1b]+)/g)) {
      if (text === undefined) style = styled(style, codes || '0');
      else {
        runs.push({ text, column, style });
        column += [...text].length;
      }
    }
    return runs;
  });
}

const plain = (screen) => screen.replace(/\x1b\[[\d;]*m/g, '');
const xml = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The screens on which the conversation differs from the one before. The spinner and the footer do not count. */
function scenes(frames) {
  const conversation = (screen) =>
    plain(screen)
      .split('\n')
      .filter(
        (line) => !/^[✢✳✶✻✽·*] |[▐▛▜▝▘█▗▟▄]|esc to interrupt|\/effort|⎿ {2}(Tip|\$)|[Rr]unning|[Cc]alling|[Rr]eading/.test(line),
      )
      .map((line) => line.replace('●', ' ').replace(/ · \d+s$/, ''))
      .join('\n')
      .replace(/\n+─[\s\S]*$/, '');
  const kept = [];
  for (const frame of frames) {
    if (kept.length > 0 && conversation(kept.at(-1).screen) === conversation(frame.screen)) kept[kept.length - 1] = frame;
    else kept.push(frame);
  }
  const wordsOf = (screen) => conversation(screen).split(/\s+/).length;
  return kept.map((frame, at) => {
    const fresh = at === 0 ? 0 : Math.abs(wordsOf(frame.screen) - wordsOf(kept[at - 1].screen));
    return { screen: frame.screen, seconds: at === kept.length - 1 ? 6 : Math.min(6, 1.2 + fresh * 0.11) };
  });
}

function drawRow(runs, y) {
  const texts = runs.map(({ text, column, style }) => {
    const [front, back] = style.isReversed ? [BACKGROUND, style.color ?? TEXT] : [style.color, style.back];
    const x = (column * size.character).toFixed(1);
    const width = ([...text].length * size.character).toFixed(1);
    const fill = back ? `<rect x="${x}" y="${y - size.line + 4}" width="${width}" height="${size.line}" fill="${back}"/>` : '';
    if (text.trim() === '') return fill;
    const color = front ?? (style.isDim ? DIM : null);
    const look = [color ? `fill:${color}` : '', style.isBold ? 'font-weight:bold' : ''].filter((one) => one !== '').join(';');
    return `${fill}<text x="${x}" y="${y}"${look === '' ? '' : ` style="${look}"`}>${xml(text.trimEnd())}</text>`;
  });
  return texts.join('');
}

/** One group for each scene, shown after the other. With reduced motion, only the last is shown. */
function draw(shown) {
  const width = Math.ceil(columns * size.character + 2 * size.pad);
  const height = rows * size.line + 2 * size.pad;
  const total = shown.reduce((sum, { seconds }) => sum + seconds, 0);
  const percent = (seconds) => `${((seconds / total) * 100).toFixed(2)}%`;
  let at = 0;
  const styles = [];
  const groups = shown.map(({ screen, seconds }, number) => {
    const [from, to] = [at, at + seconds];
    at = to;
    styles.push(
      `@keyframes s${number}{0%{opacity:${from === 0 ? 1 : 0}}${percent(from)}{opacity:1}${percent(to)}{opacity:${number === shown.length - 1 ? 1 : 0}}100%{opacity:${number === shown.length - 1 ? 1 : 0}}}`,
      `.s${number}{animation:s${number} ${total.toFixed(1)}s steps(1) infinite}`,
    );
    const drawn = runsOf(screen).map((runs, row) => drawRow(runs, (row + 1) * size.line));
    return `<g class="scene s${number}">${drawn.join('')}</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="session-title">
<title id="session-title">Claude Code with Modes: an edit of the source is refused, a test is written and fails, then the same edit is allowed</title>
<style>text{font:${size.font}px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:${TEXT};white-space:pre}.scene{opacity:0}.scene:last-of-type{opacity:1}@media(prefers-reduced-motion:no-preference){${styles.filter((one) => one.startsWith('.')).join('')}}${styles.filter((one) => one.startsWith('@')).join('')}</style>
<rect width="${width}" height="${height}" rx="8" fill="${BACKGROUND}"/>
<svg x="${size.pad}" y="${size.pad}" width="${width - 2 * size.pad}" height="${rows * size.line + 4}">
${groups.join('\n')}
</svg>
</svg>
`;
}

// The bundled recorder cannot find the repository by its own place.
process.env.MODES_E2E_PLUGIN ??= root;
const { recordSession } = await loadSource('test/e2e/recording.ts');
const frames = await recordSession(columns, rows);
const homeless = frames.map(({ screen, ...rest }) => ({ ...rest, screen: screen.replace(/\/\S*\/modes-e2e-[^/\s]*\//g, '~/') }));
const shown = scenes(homeless);
writeFileSync(PICTURE, draw(shown));
console.log(`wrote docs/pictures/session.svg: ${shown.length} screens`);
