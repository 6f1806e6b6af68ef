// Texts written to break the reader: none may throw, take memory without bound or be believed.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_FILE_BYTES, MAX_MODES_BYTES } from '../../../src/config/disk.ts';
import { listProblems, renderProblems } from '../../../src/config/render.ts';
import { entriesOf } from '../../../src/config/rule-quota.ts';
import { read, readProblems, TWO_MODES } from './project.ts';

const errorsOf = (files: Record<string, string>) => readProblems(files).filter((problem) => problem.severity === 'error');
/** A quarter of the limit shows the same as the whole of it, in a quarter of the time. */
const fill = (piece: string, bytes = MAX_MODES_BYTES / 4) => piece.repeat(Math.floor(bytes / Buffer.byteLength(piece)));

describe('a hostile modes.yaml', () => {
  it('with a billion-laughs expansion is refused at its aliases', () => {
    const lines = ['name: &a [x, x, x, x, x, x, x, x, x]'];
    for (let level = 1; level < 12; level++) {
      const before = String.fromCharCode(96 + level);
      lines.push(`k${level}: &${String.fromCharCode(97 + level)} [${Array(9).fill(`*${before}`).join(', ')}]`);
    }
    const errors = errorsOf({ 'modes.yaml': lines.join('\n') });
    expect(errors.filter((problem) => problem.code === 'E_YAML_FEATURE').length).toBeGreaterThan(90);
  });

  it.each([
    ['flow lists', fill('['), 'E_TOO_DEEP'],
    ['flow mappings', fill('{'), 'E_TOO_DEEP'],
    ['flow mappings with keys', fill('{a: '), 'E_TOO_DEEP'],
    ['block lists', fill('- '), 'E_TOO_DEEP'],
    ['explicit keys', fill('? '), 'E_TOO_DEEP'],
    ['block mappings', Array.from({ length: 400 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n'), 'E_TOO_DEEP'],
    ['thirty levels that are well formed', `${'['.repeat(30)}${']'.repeat(30)}`, 'E_TOO_DEEP'],
    ['closing brackets', fill(']'), 'E_YAML_SYNTAX'],
    ['commas in a list', `a: [${fill(',')}`, 'E_YAML_SYNTAX'],
    ['colons', fill(': '), 'E_TOO_DEEP'],
    ['directives', fill('%A\n'), 'E_YAML_SYNTAX'],
    ['documents', fill('---\n'), 'E_YAML_SYNTAX'],
    ['anchors', fill('&a '), 'E_YAML_SYNTAX'],
    ['tags', `a: ${fill('!a ')}`, 'E_YAML_SYNTAX'],
    ['keys', Array.from({ length: 5_000 }, (_, index) => `k${index}:`).join('\n'), 'E_TOO_MANY_PROBLEMS'],
    [
      'wrong names of modes with wrong keys',
      `modes: {${Array.from({ length: 40_000 }, (_, index) => `"${index}":{a: 1}`).join(',')}}`,
      'E_TOO_MANY_PROBLEMS',
    ],
    ['the same key', fill('a:\n'), 'E_TOO_MANY_PROBLEMS'],
    ['spaces', fill(' '), 'E_WRONG_TYPE'],
    ['line ends', fill('\n'), 'E_WRONG_TYPE'],
    ['comments', fill('#\n'), 'E_WRONG_TYPE'],
    ['tabs', fill('\t'), 'E_WRONG_TYPE'],
    ['one long word', fill('x'), 'E_WRONG_TYPE'],
    ['digits', fill('1'), 'E_WRONG_TYPE'],
    ['an open quote', `a: "${fill('\\')}`, 'E_YAML_SYNTAX'],
  ])('of nothing but %s is refused', (_, text, code) => {
    const problems = read({ 'modes.yaml': text }).problems;
    expect(problems.map((problem) => problem.code)).toContain(code);
    expect(problems.length).toBeLessThan(250);
    expect(JSON.stringify(listProblems(problems)).length).toBeLessThan(200_000);
    expect(renderProblems(problems)).not.toContain('undefined');
  });

  it.each(['\0', '\x02', '\x18', '\x1f', '\x1b', '\x7f', '\x85', '\u200b\u202e', '\ufffe', '\u2028'])(
    'with the character %j is refused',
    (character) => {
      const errors = errorsOf({ 'modes.yaml': `${TWO_MODES}# ${character}\n` });
      expect(errors.map((problem) => problem.code)).toEqual(['E_CONTROL_CHARACTER']);
    },
  );

  it.each([
    [200, []],
    [4000, ['E_TOO_MANY_MODES']],
  ])('with %i modes reports %j', (count, codes) => {
    const names = Array.from({ length: count }, (_, index) => `m${index}`);
    const text = `name: n\ndefault: m0\nmodes:\n  m0: {transitions: [{to: "*"}]}\n${names
      .slice(1)
      .map((name) => `  ${name}:\n`)
      .join('')}`;
    const { topology, problems } = read({ 'modes.yaml': text, 'settings.any.json': '{}' });
    expect(problems.map(({ code }) => code)).toEqual(codes);
    expect(topology?.modes.size ?? 200).toBe(200);
  });

  it.each(['__proto__', 'constructor', 'hasOwnProperty', 'toString', 'valueOf'])(
    'with %s in every place changes no object',
    (name) => {
      const text = `name: ${name}\ndefault: ${name}\n${name}: {polluted: yes}\nmodes:\n  ${name}:\n    ${name}: {polluted: yes}\n    transitions:\n      - ${name}: x\n        to: ${name}\n`;
      const { problems } = read({ 'modes.yaml': text, 'settings.any.json': `{"${name}": {"polluted": true}}` });
      expect(problems.filter((problem) => problem.code === 'E_UNKNOWN_KEY')).toHaveLength(4);
      expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    },
  );
});

describe('a hostile settings file', () => {
  const settings = (text: string) => read({ 'modes.yaml': TWO_MODES, 'settings.idle.json': text });

  it.each([
    ['open lists', fill('[', MAX_FILE_BYTES / 2), 'E_TOO_DEEP'],
    ['open objects', fill('{"a":', MAX_FILE_BYTES / 2), 'E_TOO_DEEP'],
    ['fifty levels that are well formed', `${'['.repeat(50)}${']'.repeat(50)}`, 'E_TOO_DEEP'],
    ['words', fill('x ', MAX_FILE_BYTES / 2), 'E_JSON_SYNTAX'],
    ['commas', `[${fill(',', MAX_FILE_BYTES / 2)}`, 'E_JSON_SYNTAX'],
    ['open comments', fill('/*', MAX_FILE_BYTES / 2), 'E_JSON_SYNTAX'],
    ['comments', fill('//\n', MAX_FILE_BYTES / 2), 'E_JSON_SYNTAX'],
    ['keys', `{${Array.from({ length: 20_000 }, (_, index) => `"k${index}":1`).join(',')}}`, 'E_TOO_MANY_PROBLEMS'],
    ['numbers as rules', `{"permissions":{"deny":[${fill('1,', MAX_FILE_BYTES / 4)}]}}`, 'E_TOO_MANY_PROBLEMS'],
    [
      'numbers as rules of every effect',
      `{"permissions":{${['deny', 'ask', 'allow'].map((effect) => `"${effect}":[${fill('1,', MAX_FILE_BYTES / 12)}]`).join(',')}}}`,
      'E_TOO_MANY_PROBLEMS',
    ],
    ['NUL', '\0', 'E_JSON_SYNTAX'],
  ])('of nothing but %s is refused', (_, text, code) => {
    const { problems } = settings(text);
    expect(problems.map((problem) => problem.code)).toContain(code);
    expect(problems.length).toBeLessThan(250);
    expect(JSON.stringify(listProblems(problems)).length).toBeLessThan(200_000);
  });

  it('with fifty thousand rules is read', () => {
    const rules = Array.from({ length: 50_000 }, (_, index) => `"R(${index})"`).join(',');
    const { settings: found } = settings(`{"permissions":{"deny":[${rules}]}}`);
    expect(found.get('idle')!.rules).toHaveLength(50_000);
  });
});

describe('rules beyond the limit', () => {
  const deny = (count: number, write: (at: number) => string) =>
    JSON.stringify({ permissions: { deny: Array.from({ length: count }, (_, at) => write(at)) } });
  const modes = (count: number) =>
    `name: n\ndefault: m0\nmodes:\n${Array.from({ length: count }, (_, at) => `  m${at}: {transitions: [{to: "*"}]}\n`).join('')}`;
  const entries = (found: ReturnType<typeof read>) =>
    [...found.enforced.values()].flatMap(({ rules }) => rules).reduce((sum, rule) => sum + entriesOf(rule), 0);

  it.each([
    ['ten thousand in one mode', { 'modes.yaml': modes(1), 'settings.any.json': deny(10_000, (at) => `Write(f${at})`) }, []],
    ['ten thousand in five modes', { 'modes.yaml': modes(5), 'settings.any.json': deny(10_000, (at) => `Write(f${at})`) }, []],
    [
      'three hundred in all of many modes',
      { 'modes.yaml': modes(150), 'settings.any.json': deny(300, (at) => `Write(f${at})`) },
      [],
    ],
    [
      'ten thousand in all of many modes',
      { 'modes.yaml': modes(150), 'settings.any.json': deny(10_000, (at) => `Write(f${at})`) },
      ['E_TOO_MANY_RULES'],
    ],
    [
      'braces in braces',
      { 'modes.yaml': modes(1), 'settings.any.json': deny(300, (at) => `Write(f${at}{a,{b,c}}${'{a,b}'.repeat(7)})`) },
      ['E_TOO_MANY_RULES'],
    ],
    [
      'braces that are refused by themselves',
      { 'modes.yaml': modes(1), 'settings.any.json': deny(300, (at) => `Write(f${at}${'{a,b}'.repeat(30)})`) },
      [],
    ],
    [
      'entries of agents',
      {
        'modes.yaml': `name: n\ndefault: m\nmodes:\n  m:\n    agents:\n${Array.from({ length: 3_000 }, (_, at) => `      a${at}: {groups: [read]}\n`).join('')}`,
        'settings.any.json': '{}',
      },
      ['E_TOO_MANY_RULES'],
    ],
  ])('%s are bounded', (_, files, codes) => {
    const found = read(files);
    expect(found.problems.map(({ code }) => code)).toEqual(codes);
    expect(entries(found)).toBeLessThanOrEqual(60_000 + found.enforced.size);
    expect(found.enforced.size).toBeLessThanOrEqual(600);
  });

  it('deny reading if a deny rule is left out', () => {
    const many = deny(70_000, (at) => `Read(${at})`);
    const { enforced, problems } = read({ 'modes.yaml': modes(2), 'settings.m0.json': many, 'settings.m1.json': many });
    expect(problems).toMatchObject([{ code: 'E_TOO_MANY_RULES', file: '.claude/settings.m0.json' }]);
    for (const mode of ['m0', 'm1']) expect(enforced.get(mode)!.rules.at(-1)).toMatchObject({ text: 'Read', effect: 'deny' });
    const allowed = read({ 'modes.yaml': modes(1), 'settings.m0.json': many.replace('deny', 'allow') });
    expect(allowed.enforced.get('m0')!.rules.every(({ effect }) => effect === 'allow')).toBe(true);
  });
});

describe('any files', () => {
  const piece = fc.constantFrom(
    'name',
    'default',
    'modes',
    'transitions',
    'to',
    'approve',
    'idle',
    'work',
    '__proto__',
    ': ',
    ':',
    '\n',
    '\n  ',
    '\n    - ',
    '- ',
    '[',
    ']',
    '{',
    '}',
    ',',
    '"',
    "'",
    '&a',
    '*a',
    '!x',
    '|',
    '>',
    '#',
    '%',
    '---',
    '\t',
    '\r',
    '\0',
    '\ufeff',
    '\ud800',
    '~',
    '1',
    'true',
    '"permissions"',
    '"deny"',
    '"Write"',
    '/*',
    '//',
    '\\',
    '\\u0000',
  );
  const text = fc.oneof(
    fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join('')),
    fc.string({ unit: 'binary' }),
  );

  it('reading throws nothing, and every error can be shown', () => {
    fc.assert(
      fc.property(text, text, text, (first, second, third) => {
        const { problems, topology } = read({ 'modes.yaml': first, 'settings.idle.json': second, 'settings.any.json': third });
        if (topology === null) expect(problems.some((problem) => problem.severity === 'error')).toBe(true);
        for (const problem of problems) {
          expect(problem.remedy).not.toBe('');
          if (problem.line !== undefined)
            expect(Math.min(problem.line, problem.column!, problem.length!)).toBeGreaterThanOrEqual(1);
        }
        expect(renderProblems(problems)).not.toMatch(/undefined|[\x00-\x09\x0b-\x1f]/);
      }),
      { numRuns: 300 },
    );
  });

  it('a changed character in a valid file is reported or changes only text', () => {
    const good = read({ 'modes.yaml': TWO_MODES }).topology!;
    const shape = (found: typeof good) => [...found.modes].map(([name, mode]) => [name, mode.transitions.map((edge) => edge.to)]);
    fc.assert(
      fc.property(
        fc.nat({ max: TWO_MODES.length - 1 }),
        fc.constantFrom('x', ':', '\n', '#', '"', '-', '&', '*', '!', '\t', '%'),
        (at, character) => {
          const { topology, problems } = read({ 'modes.yaml': TWO_MODES.slice(0, at) + character + TWO_MODES.slice(at + 1) });
          if (topology === null) expect(problems.some((problem) => problem.severity === 'error')).toBe(true);
          else expect(shape(topology).length).toBeGreaterThan(0);
        },
      ),
      { numRuns: 500 },
    );
  });
});
