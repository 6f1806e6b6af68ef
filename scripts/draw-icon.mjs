// Draws .claude-plugin/icon.png: angle brackets around a dot on a dark rounded square, as distance fields, without a library.
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateSync } from 'node:zlib';

const size = 512;
const ink = { ground: [22, 25, 37], outer: [94, 106, 150], inner: [236, 239, 250], dot: [255, 176, 59] };

/**
 * Each shape: its color and a function for the distance in pixels from its edge, negative
 * inside. Later shapes cover earlier ones.
 */
const shapes = [
  { colour: ink.ground, distance: (x, y) => roundedSquare(x, y, 244, 104) },
  ...[-1, 1].flatMap((side) => [
    { colour: ink.outer, distance: (x, y) => bracket(side * x, y, { tip: 196, open: 116, height: 124, stroke: 17 }) },
    { colour: ink.inner, distance: (x, y) => bracket(side * x, y, { tip: 128, open: 56, height: 112, stroke: 20 }) },
  ]),
  { colour: ink.dot, distance: (x, y) => Math.hypot(x, y) - 36 },
];

function roundedSquare(x, y, half, radius) {
  const dx = Math.max(Math.abs(x) - half + radius, 0);
  const dy = Math.max(Math.abs(y) - half + radius, 0);
  return Math.hypot(dx, dy) - radius;
}

/** A `>` of two strokes with round ends: its tip at x = tip, its ends at x = open, y = ±height. */
function bracket(x, y, { tip, open, height, stroke }) {
  return toSegment(x, Math.abs(y), tip, 0, open, height) - stroke;
}

function toSegment(px, py, ax, ay, bx, by) {
  const along = ((px - ax) * (bx - ax) + (py - ay) * (by - ay)) / ((bx - ax) ** 2 + (by - ay) ** 2);
  const t = Math.min(1, Math.max(0, along));
  return Math.hypot(px - ax - t * (bx - ax), py - ay - t * (by - ay));
}

/** RGBA rows, each after its filter byte 0. */
function paint() {
  const rows = Buffer.alloc(size * (size * 4 + 1));
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      let [red, green, blue, alpha] = [0, 0, 0, 0];
      for (const { colour, distance } of shapes) {
        const cover = Math.min(1, Math.max(0, 0.5 - distance(column + 0.5 - size / 2, row + 0.5 - size / 2)));
        if (cover === 0) continue;
        const under = alpha * (1 - cover);
        const mix = (below, above) => (below * under + above * cover) / (under + cover);
        [red, green, blue] = [mix(red, colour[0]), mix(green, colour[1]), mix(blue, colour[2])];
        alpha = under + cover;
      }
      const at = row * (size * 4 + 1) + 1 + column * 4;
      rows.set([red, green, blue, alpha * 255].map(Math.round), at);
    }
  }
  return rows;
}

function crc32(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  const check = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

const header = Buffer.alloc(13);
header.writeUInt32BE(size, 0);
header.writeUInt32BE(size, 4);
header.set([8, 6, 0, 0, 0], 8); // 8 bits a channel, RGBA

const png = Buffer.concat([
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  chunk('IHDR', header),
  chunk('IDAT', deflateSync(paint(), { level: 9 })),
  chunk('IEND', Buffer.alloc(0)),
]);
const root = dirname(dirname(fileURLToPath(import.meta.url)));
writeFileSync(join(root, '.claude-plugin/icon.png'), png);
