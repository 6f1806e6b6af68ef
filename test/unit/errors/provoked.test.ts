// Every code that a person can meet, provoked through the real thing: cause, place and remedy, as docs/errors.md has them.
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { asked } from './called.ts';
import { compiled } from './compiled.ts';
import { configured } from './configured.ts';
import { kept } from './kept.ts';
import { published } from './published.ts';
import { ruled } from './ruled.ts';
import { placeOf, type Way } from './way.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const rows = fs.readFileSync(path.join(root, 'docs/errors.md'), 'utf8').matchAll(/^\| `([EW]_[A-Z_]+)` \| (.+) \| (.+) \|$/gm);
const documented = new Map([...rows].map(([, code = '', , remedy = '']) => [code, remedy.replaceAll('`', '')]));

const tables = { configured, ruled, compiled, published, kept, asked };
const ways = Object.values(tables).flatMap((table): [string, Way][] => Object.entries(table));

test('every code can be provoked, and every provoked code is documented', () => {
  expect(ways.map(([code]) => code).sort()).toEqual([...documented.keys()].sort());
});

describe.each(Object.entries(tables))('%s', (_, table) => {
  test.each(Object.entries(table).map(([code, way]) => [code, way.what, way] as const))('%s: %s', async (code, _what, way) => {
    const met = (await way.meets()).find((one) => one.code === code);
    expect(met, code).toBeDefined();
    const { message, remedy } = met!;
    expect(message.length).toBeGreaterThan(1);
    expect(placeOf(met!)).toEqual(way.at);
    const advice = new RegExp(way.advice.source.replaceAll('`', '`?'), way.advice.flags);
    expect(remedy).toMatch(advice);
    expect(documented.get(code)).toMatch(advice);
  });
});
