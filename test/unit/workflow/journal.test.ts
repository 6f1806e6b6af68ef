// The hash-chained journal: what is acknowledged is there, and what was touched is noticed.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Journal } from '../../../src/workflow/journal.ts';
import { change, makeFolder } from '../../support/folder-project.ts';

interface Written {
  folder: string;
  file(number: number): string;
  read(): ReturnType<Journal['read']>;
}

function written(count: number): Written {
  const folder = path.join(makeFolder(), 'journal');
  const journal = new Journal(folder, '/root');
  for (let i = 0; i < count; i++) {
    const evidence = i === 1 ? [{ check: 'fails: npm test', toolUse: 'toolu_1', exitCode: 1 }] : undefined;
    expect(journal.append(change(`m${i}`, `m${i + 1}`, { ...(evidence && { evidence }) }), new Date(i))).not.toBeNull();
  }
  return {
    folder,
    file: (number) => path.join(folder, `${String(number).padStart(8, '0')}.json`),
    read: () => new Journal(folder, '/root').read(),
  };
}
const rewrite = (file: string, edit: (entry: Record<string, unknown>) => unknown) =>
  fs.writeFileSync(file, JSON.stringify(edit(JSON.parse(fs.readFileSync(file, 'utf8')))));

/** Three kinds of entries, as they were written first. */
const early = [
  '{"version":1,"number":1,"timestamp":"2026-01-01T00:00:00.000Z","previous":"94a6b447580330f9f2b609422537b04239ff3a39df9137e32efd559f1a2935cb","kind":"transition","from":"idle","to":"one","actor":"model","session":"session-1","permissionMode":"default","explanation":"e","hash":"5bcccf545cc135426a1ddbcb2cbb7c6dc2f56a7bcdef6b912a388d4f2e10785e"}',
  '{"version":1,"number":2,"timestamp":"2026-01-01T00:00:00.000Z","previous":"5bcccf545cc135426a1ddbcb2cbb7c6dc2f56a7bcdef6b912a388d4f2e10785e","kind":"plan","from":"one","to":"one","actor":"model","session":"session-1","permissionMode":"default","explanation":"p","work":{"did":"close"},"hash":"f4ca4f67cf81d82bed3cdaeb6fe5988ef66b2b1cedb195921d43f1b65c88c97e"}',
  '{"version":1,"number":3,"timestamp":"2026-01-01T00:00:00.000Z","previous":"f4ca4f67cf81d82bed3cdaeb6fe5988ef66b2b1cedb195921d43f1b65c88c97e","kind":"authority","from":"one","to":"one","actor":"person","session":"session-1","permissionMode":"default","explanation":"g","authority":{"did":"on"},"hash":"9705c01d8ed4e2b0ef3750102e9ae8e800009740648ad987a5a56033f4726aed"}',
];

describe('an untouched journal', () => {
  test('that was never written is empty', () => {
    const journal = new Journal(path.join(makeFolder(), 'none'), '/root');
    expect(journal.read()).toEqual({ entries: [], broken: null });
  });

  test('returns the appended entries, numbered and chained [w:state.journal] [w:history.entry]', () => {
    const { entries, broken } = written(3).read();
    expect(broken).toBeNull();
    expect(entries.map(({ number, from, to }) => [number, from, to])).toEqual([
      [1, 'm0', 'm1'],
      [2, 'm1', 'm2'],
      [3, 'm2', 'm3'],
    ]);
    expect(entries[1]?.previous).toBe(entries[0]?.hash);
    expect(Math.abs(os.uptime() - (entries[2]?.uptime ?? 0))).toBeLessThan(60);
    expect(entries[0]).toMatchObject({
      version: 1,
      kind: 'transition',
      actor: 'model',
      session: 'session-1',
      timestamp: '1970-01-01T00:00:00.000Z',
    });
  });

  test('is readable only by its owner', () => {
    const { folder, file } = written(1);
    expect(fs.statSync(file(1)).mode & 0o777).toBe(0o600);
    expect(fs.statSync(folder).mode & 0o777).toBe(0o700);
  });

  test('shows a reader the entries of another writer', () => {
    const { folder, read } = written(1);
    const one = new Journal(folder, '/root');
    const other = new Journal(folder, '/root');
    one.read();
    other.read();
    other.append(change('m1', 'm2'), new Date());
    other.append(change('m2', 'm3'), new Date());
    expect(one.read().entries).toHaveLength(3);
    expect(read().entries).toHaveLength(3);
  });

  test('accepts one of two writers of the same number, and the other reads again', () => {
    const { folder } = written(1);
    const one = new Journal(folder, '/root');
    const other = new Journal(folder, '/root');
    one.read();
    other.read();
    expect(one.append(change('m1', 'a'), new Date())).not.toBeNull();
    expect(other.append(change('m1', 'b'), new Date())).toBeNull();
    expect(other.read().entries.at(-1)?.to).toBe('a');
    expect(other.append(change('a', 'b'), new Date())?.number).toBe(3);
    expect(fs.readdirSync(folder).filter((name) => !name.endsWith('.json'))).toEqual(['newest']);
  });

  test('stores any text completely', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (explanation) => {
        const folder = path.join(makeFolder(), 'journal');
        new Journal(folder, '/root').append(change(null, 'a', { explanation }), new Date(0));
        const { entries, broken } = new Journal(folder, '/root').read();
        expect(broken).toBeNull();
        expect(entries[0]?.explanation).toBe(explanation);
      }),
      { numRuns: 30 },
    );
  });

  test('of entries without evidence can be read and continued [w:state.version]', () => {
    const folder = path.join(makeFolder(), 'journal');
    fs.mkdirSync(folder);
    for (const [at, text] of early.entries()) fs.writeFileSync(path.join(folder, `0000000${at + 1}.json`), `${text}\n`);
    const journal = new Journal(folder, '/root');
    expect(journal.read()).toMatchObject({
      broken: null,
      entries: [{ to: 'one' }, { work: { did: 'close' } }, { kind: 'authority' }],
    });
    const evidence = [{ check: 'changed: test/**', files: ['test/a.js'], more: 3 }];
    journal.append(change('one', 'two', { evidence }), new Date(0));
    expect(new Journal(folder, '/root').read()).toMatchObject({ broken: null, entries: [{}, {}, {}, { evidence }] });
  });

  test('keeps fields of a later version in the chain [w:state.version]', () => {
    const folder = path.join(makeFolder(), 'journal');
    const more = { reviewers: ['anna', 'bert'], weather: { sky: 'blue' } };
    new Journal(folder, '/root').append({ ...change(null, 'a'), ...more }, new Date(0));
    expect(new Journal(folder, '/root').read()).toMatchObject({ broken: null, entries: [more] });
    rewrite(path.join(folder, '00000001.json'), (entry) => ({ ...entry, reviewers: ['bert'] }));
    expect(new Journal(folder, '/root').read().broken).toMatch(/does not follow/);
  });

  test('ignores temporary files of dead writers', () => {
    const { folder, read } = written(2);
    fs.writeFileSync(path.join(folder, '.123.456.new'), '{"half');
    expect(read()).toMatchObject({ broken: null, entries: { length: 2 } });
  });

  test('removes temporary files of dead writers once they are old enough', () => {
    const { folder } = written(1);
    const past = new Date(Date.now() - 120_000);
    for (const name of ['.1.2.new', '.3.4.new', 'kept.new']) fs.writeFileSync(path.join(folder, name), '{');
    for (const name of ['.1.2.new', 'kept.new']) fs.utimesSync(path.join(folder, name), past, past);
    const record = path.join(path.dirname(folder), 'trust.json.1.2.new');
    fs.writeFileSync(record, '{');
    fs.utimesSync(record, past, past);
    const journal = new Journal(folder, '/root');
    journal.read();
    expect(journal.append(change('m1', 'm2'), new Date(1))).not.toBeNull();
    expect(fs.readdirSync(folder).sort()).toEqual(['.3.4.new', '00000001.json', '00000002.json', 'kept.new', 'newest']);
    expect(fs.existsSync(record)).toBe(false);
  });

  test('does not block on a FIFO in place of one of its files', () => {
    for (const name of ['newest', '00000002.json']) {
      const { folder, read } = written(2);
      fs.rmSync(path.join(folder, name));
      spawnSync('mkfifo', [path.join(folder, name)]);
      expect(read().broken === null).toBe(name === 'newest');
      if (name !== 'newest') continue;
      const journal = new Journal(folder, '/root');
      journal.read();
      expect(journal.append(change('m2', 'm3'), new Date(2))?.number).toBe(3);
    }
  });
});

describe('damage', () => {
  const kinds: [string, (at: Written) => void, number, RegExp][] = [
    [
      'an explanation changed',
      ({ file }) => rewrite(file(2), (entry) => ({ ...entry, explanation: 'other' })),
      1,
      /does not follow/,
    ],
    ['a mode changed', ({ file }) => rewrite(file(2), (entry) => ({ ...entry, to: 'x' })), 1, /does not follow/],
    ['an actor changed', ({ file }) => rewrite(file(1), (entry) => ({ ...entry, actor: 'person' })), 0, /does not follow/],
    ['a kind changed', ({ file }) => rewrite(file(1), (entry) => ({ ...entry, kind: 'force' })), 0, /does not follow/],
    [
      'a time changed',
      ({ file }) => rewrite(file(3), (entry) => ({ ...entry, timestamp: '2001-01-01T00:00:00.000Z' })),
      2,
      /does not follow/,
    ],
    ['a session changed', ({ file }) => rewrite(file(3), (entry) => ({ ...entry, session: null })), 2, /does not follow/],
    [
      'the evidence changed',
      ({ file }) => rewrite(file(2), (entry) => ({ ...entry, evidence: [{ check: 'fails: npm test', toolUse: 'toolu_2' }] })),
      1,
      /does not follow/,
    ],
    ['the evidence taken out', ({ file }) => rewrite(file(2), ({ evidence: _, ...entry }) => entry), 1, /does not follow/],
    ['a field added', ({ file }) => rewrite(file(2), (entry) => ({ ...entry, approvedBy: 'anna' })), 1, /does not follow/],
    ['the last missing', ({ file }) => fs.rmSync(file(3)), 2, /00000003\.json is missing/],
    ['all but the first missing', ({ file }) => fs.rmSync(file(3)) ?? fs.rmSync(file(2)), 1, /00000002\.json is missing/],
    ['all missing', ({ file }) => fs.rmSync(file(1)) ?? fs.rmSync(file(2)) ?? fs.rmSync(file(3)), 0, /00000001\.json is missing/],
    ['one added behind', ({ file }) => fs.copyFileSync(file(3), file(4)), 3, /00000004\.json does not follow/],
    ['one added before', ({ file }) => moveUp(file) ?? fs.copyFileSync(file(2), file(1)), 1, /00000002\.json does not follow/],
    [
      'written anew from the beginning',
      ({ file, folder }) => rewritten(folder, file),
      3,
      /00000003\.json differs from the entry/,
    ],
    ['the first missing', ({ file }) => fs.rmSync(file(1)), 0, /missing/],
    ['one in the middle missing', ({ file }) => fs.rmSync(file(2)), 1, /missing/],
    ['truncated', ({ file }) => fs.truncateSync(file(2), 40), 1, /damaged/],
    ['empty', ({ file }) => fs.truncateSync(file(3), 0), 2, /damaged/],
    ['not JSON', ({ file }) => fs.writeFileSync(file(2), 'not json'), 1, /damaged/],
    ['null', ({ file }) => fs.writeFileSync(file(2), 'null'), 1, /damaged/],
    ['a list', ({ file }) => fs.writeFileSync(file(2), '[]'), 1, /damaged/],
    [
      'another version [w:state.version]',
      ({ file }) => rewrite(file(2), (entry) => ({ ...entry, version: 2 })),
      1,
      /later version/,
    ],
    ['a field of another type', ({ file }) => rewrite(file(2), (entry) => ({ ...entry, to: 5 })), 1, /damaged/],
    ['two changed places', ({ file }) => swap(file(1), file(2)), 0, /does not follow/],
    ['an entry twice', ({ file }) => fs.copyFileSync(file(2), file(3)), 2, /does not follow/],
    ['an entry of another project', ({ file }) => fs.copyFileSync(foreign(), file(1)), 0, /does not follow/],
    ['a folder in its place', ({ file }) => fs.rmSync(file(2)) ?? fs.mkdirSync(file(2)), 1, /cannot be read/],
    ['a link to nothing, with more behind it', ({ file }) => fs.rmSync(file(2)) ?? fs.symlinkSync('gone', file(2)), 1, /missing/],
    ['a number skipped', ({ file }) => fs.renameSync(file(3), file(9)), 2, /missing/],
  ];
  const swap = (one: string, other: string) => {
    fs.renameSync(one, `${one}.x`);
    fs.renameSync(other, one);
    fs.renameSync(`${one}.x`, other);
  };
  /** The same number of entries, each following from the one before. */
  const rewritten = (folder: string, file: (number: number) => string) => {
    const other = path.join(folder, '../other');
    const journal = new Journal(other, '/root');
    for (const to of ['x', 'y', 'z']) journal.append(change(null, to), new Date(0));
    for (const number of [1, 2, 3]) fs.renameSync(path.join(other, path.basename(file(number))), file(number));
  };
  const moveUp = (file: (number: number) => string) => {
    for (const number of [3, 2, 1]) fs.renameSync(file(number), file(number + 1));
  };
  const foreign = () => {
    const folder = path.join(makeFolder(), 'journal');
    new Journal(folder, '/other').append(change('m0', 'm1'), new Date(0));
    return path.join(folder, '00000001.json');
  };

  test.each(kinds)(
    '%s: the chain is broken there, and what is before it is still known [w:state.chain] [w:history.tampering]',
    (_, damage, whole, message) => {
      const at = written(3);
      damage(at);
      const { entries, broken } = at.read();
      expect(broken).toMatch(message);
      expect(entries).toHaveLength(whole);
    },
  );

  test('any changed byte is detected, or has no effect [s:threat.chained]', () => {
    const at = written(2);
    const before = at.read().entries;
    const text = fs.readFileSync(at.file(1));
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.integer({ min: 0, max: 255 }), (place, byte) => {
        const changed = Buffer.from(text);
        changed[place] = byte;
        fs.writeFileSync(at.file(1), changed);
        const { entries, broken } = at.read();
        if (broken === null) expect(entries).toEqual(before);
      }),
    );
  });

  test('a journal whose folder is a file cannot be read', () => {
    const folder = path.join(makeFolder(), 'journal');
    fs.writeFileSync(folder, '');
    expect(new Journal(folder, '/root').read().broken).toMatch(/cannot be read/);
  });

  test('a removed or restarted journal is detected by readers of the old one', () => {
    const { folder } = written(3);
    const knowing = new Journal(folder, '/root');
    expect(knowing.read().entries).toHaveLength(3);
    fs.renameSync(folder, `${folder}.aside`);
    expect(knowing.read().entries).toEqual([]);
    new Journal(folder, '/root').append(change(null, 'new'), new Date());
    expect(knowing.read()).toMatchObject({ broken: null, entries: [{ to: 'new' }] });
  });
});
