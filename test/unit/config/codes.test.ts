// Every code is explained to people, and nothing is explained that does not exist.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CODES } from '../../../src/model/problem-codes.ts';

/** As an identifier of its own: constants such as `fs.constants.W_OK` are none. */
const CODE = /(?<![.\w])[EW]_[A-Z][A-Z_]+\b/g;
const TABLE = 'src/model/problem-codes.ts';

function collectCodes(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const name of readdirSync('src', { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts')) continue;
    for (const [code] of readFileSync(join('src', name), 'utf8').matchAll(CODE)) {
      found.set(code, (found.get(code) ?? new Set()).add(join('src', name)));
    }
  }
  return found;
}

const used = collectCodes();
const rows = [...readFileSync('docs/errors.md', 'utf8').matchAll(/^\| `([EW]_[A-Z_]+)` \| (.+) \| (.+) \|$/gm)];

describe('docs/errors.md', () => {
  it('explains every code of src', () => {
    expect([...used.keys()].sort().filter((code) => !rows.some((row) => row[1] === code))).toEqual([]);
  });

  it('explains no code that is not in src', () => {
    expect(rows.map((row) => row[1]!).filter((code) => !used.has(code))).toEqual([]);
  });

  it('explains each once, with cause and remedy', () => {
    expect(rows.length).toBeGreaterThan(30);
    expect(new Set(rows.map((row) => row[1])).size).toBe(rows.length);
    for (const [, code, cause, remedy] of rows)
      expect([code, cause!.length > 10, remedy!.length > 5]).toEqual([code, true, true]);
  });
});

describe('the table of codes', () => {
  it('has every code of the configuration, and only reported ones', () => {
    for (const code of Object.keys(CODES))
      expect([code, [...(used.get(code) ?? [])].filter((file) => file !== TABLE)]).not.toEqual([code, []]);
  });
});
