// Pictures of a state machine: what they show, and that no name or text breaks out of them.
import fs from 'node:fs';
import fc from 'fast-check';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { describe, expect, test } from 'vitest';
import { type Drawing, layOut, wrap } from '../../../../src/app/picture/layout.ts';
import { type Machine, machineOf, type PictureTransition } from '../../../../src/app/picture/machine.ts';
import { inWords, toSvg } from '../../../../src/app/picture/svg.ts';
import { toMermaid, toText } from '../../../../src/app/picture/text.ts';
import { loadConfiguration } from '../../../../src/config/load.ts';
import { measureWidth } from '../../../../src/config/text.ts';
import type { Topology } from '../../../../src/model/configuration.ts';
import { putFile, temporaryFolder } from '../../../support/files.ts';

function machine(example: string, seen: Parameters<typeof machineOf>[2] = { mode: null }): Machine {
  const { topology, settings } = loadConfiguration(`examples/${example}`);
  return machineOf(topology as Topology, settings, seen);
}

const presets = fs.readdirSync('examples').filter((name) => fs.existsSync(`examples/${name}/.claude/modes.yaml`));

/** What is wrong with a drawing: parts outside, overlapping, or missing. */
function faultsOf({ states, ways }: Machine, { boxes, arrows, width, height }: Drawing): string[] {
  const faults: string[] = [];
  if (width > 1_400) faults.push(`${width} wide`);
  const areas = [
    ...boxes.map((box) => ({ ...box, name: box.state.name })),
    ...arrows.filter(({ lines }) => lines.length > 0).map(({ from, to, label }) => ({ name: `${from} → ${to}`, ...label })),
  ];
  for (const [at, one] of areas.entries()) {
    const isInside =
      one.x - one.width / 2 >= 0 &&
      one.y - one.height / 2 >= 0 &&
      one.x + one.width / 2 <= width &&
      one.y + one.height / 2 <= height;
    if (!isInside) faults.push(`${one.name} is cut off`);
    for (const other of areas.slice(at + 1))
      if (
        Math.abs(one.x - other.x) < (one.width + other.width) / 2 - 1 &&
        Math.abs(one.y - other.y) < (one.height + other.height) / 2 - 1
      )
        faults.push(`${one.name} overlaps ${other.name}`);
  }
  for (const { points } of arrows)
    for (const { x, y } of points) if (x < 0 || y < 0 || x > width || y > height) faults.push('an arrow is cut off');
  const shown = new Set([
    ...arrows.flatMap((arrow) => arrow.transitions),
    ...boxes.flatMap(({ exits }) => exits.flatMap((one) => one.transitions)),
  ]);
  if (boxes.length !== states.length || ways.some((way) => !shown.has(way))) faults.push('a part is missing');
  return faults;
}

function machineOfText(...modes: string[]): Machine {
  const folder = temporaryFolder('modes-picture-');
  const lines = modes.map((mode) => `  ${mode}${mode.includes(':') ? '' : ':'}\n`).join('');
  putFile(`${folder}/.claude/modes.yaml`, `name: p\ndefault: a\nmodes:\n${lines}`);
  const { topology, settings } = loadConfiguration(folder);
  fs.rmSync(folder, { recursive: true });
  return machineOf(topology as Topology, settings, { mode: null });
}

/** Up to twelve modes with long names and gates, stars, and several transitions between the same two modes. */
const largeMachine: fc.Arbitrary<Machine> = fc
  .record({
    count: fc.integer({ min: 1, max: 12 }),
    long: fc.boolean(),
    stars: fc.nat(12),
    pairs: fc.array(fc.tuple(fc.nat(11), fc.nat(11), fc.nat(5), fc.boolean()), { maxLength: 40 }),
  })
  .map(({ count, long, stars, pairs }) => {
    const nameOf = (at: number) => `mode-${at}${long ? '-with-a-name-that-is-longer-than-any-name-should-ever-be' : ''}`;
    const gateOf = (many: number): PictureTransition['conditions'] =>
      Array.from({ length: many }, (_, at) => ({
        text: `condition ${at} ${'is written with many words '.repeat(at * 2)}`,
        kind: at % 2 === 0 ? ('prose' as const) : ('check' as const),
        holds: null,
      }));
    return {
      name: 'm',
      states: Array.from({ length: count }, (_, at) => ({
        ...{ name: nameOf(at), title: long ? 'A title with quite a number of words in it' : null, description: null },
        ...{ present: at === 0, initial: at === 0, rules: { allow: 9, ask: 9, deny: 9 }, otherwise: 'deny' as const },
      })),
      ways: [
        ...Array.from({ length: Math.min(stars, count) }, (_, from) =>
          Array.from({ length: count }, (_, to) => ({
            from: nameOf(from),
            to: nameOf(to),
            automatic: false,
            conditions: gateOf(2),
          })),
        )
          .flat()
          .filter(({ from, to }) => from !== to),
        ...pairs
          .filter(([from, to]) => from < count && to < count && from !== to)
          .map(([from, to, many, automatic]) => ({ from: nameOf(from), to: nameOf(to), automatic, conditions: gateOf(many) })),
      ],
    };
  });

describe('the machine', () => {
  test('contains every mode with its rules and every transition with its gate', () => {
    const { states, ways } = machine('daic', { mode: 'discussion', unmet: new Map([['implementation', ['plan: approved']]]) });
    expect(states.map(({ name, present, initial, otherwise }) => [name, present, initial, otherwise])).toEqual([
      ['discussion', true, true, 'deny'],
      ['implementation', false, false, null],
    ]);
    expect(states[0]?.rules.allow).toBeGreaterThan(0);
    expect(ways.map(({ from, to, automatic }) => [from, to, automatic])).toEqual([
      ['discussion', 'implementation', false],
      ['implementation', 'discussion', false],
      ['implementation', 'discussion', true],
    ]);
    expect(ways[0]?.conditions).toEqual([
      { text: expect.stringContaining('The work was discussed'), kind: 'prose', holds: null },
      { text: 'plan: approved', kind: 'check', holds: false },
    ]);
  });

  test('shows only checked requirements of a gate', () => {
    const { ways } = machine('tdd-checked', {
      mode: 'test-dev',
      unmet: new Map([['feature-dev', ['tests: npm test, failing: new']]]),
    });
    const seen = ways.map(({ conditions }) => conditions.filter(({ kind }) => kind === 'check').map(({ holds }) => holds));
    expect(seen).toEqual([[], [true, false], [null, null]]);
  });
});

describe('the layout', () => {
  test.each(presets)('of %s fits, and no boxes or gates overlap', (name) => {
    for (const direction of ['right', 'down'] as const) {
      const drawn = machine(name);
      const drawing = layOut(drawn, direction);
      expect([name, direction, drawing.height <= 1_400]).toEqual([name, direction, true]);
      expect(faultsOf(drawn, drawing)).toEqual([]);
    }
  });

  test('of any machine of up to twelve modes fits, with nothing that overlaps or is cut off', () => {
    fc.assert(
      fc.property(largeMachine, fc.constantFrom('right', 'down'), (drawn, direction) => {
        expect(faultsOf(drawn, layOut(drawn, direction as 'right'))).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  test('bundles transitions with the same gate to many modes, and those between the same two modes', () => {
    const exitsOf = (...modes: string[]) =>
      layOut(machineOfText(...modes)).boxes.map(({ exits }) =>
        exits.map(({ head, transitions: ways }) => [head.join(' '), ways.length]),
      );
    expect(exitsOf('a: {transitions: [{to: "*", approve: human}]}', 'b', 'c', 'd')[0]).toEqual([['→ any other mode', 3]]);
    const mixed = 'a: {transitions: [{to: "*", approve: human}, {to: b, constraint: x}]}';
    expect(exitsOf(mixed, 'b', 'c', 'd', 'e')[0]).toEqual([['→ c, d, e', 3]]);
    const { arrows } = layOut(machineOfText(mixed, 'b', 'c', 'd', 'e'));
    expect(arrows.map(({ from, to, transitions: ways }) => [from, to, ways.length])).toEqual([['a', 'b', 1]]);
    const daic = layOut(machine('daic'));
    expect(daic.arrows.map(({ transitions: ways }) => ways.length)).toEqual([1, 2]);
    expect(daic.arrows[1]?.lines.map(({ text }) => text)).toContain('or');
  });

  test.each([
    ['one two three', 7, 5, ['one two', 'three']],
    ['one two three four', 7, 2, ['one two', 'three…']],
    ['abcdefghij k', 5, 5, ['abcde', 'fghij', 'k']],
    ['a bcdefghijk', 5, 2, ['a', 'bcde…']],
    ['日本語の文字は幅が広い', 8, 3, ['日本語の', '文字は幅', 'が広い']],
    ['日本語の文字は幅が広い', 9, 2, ['日本語の', '文字は幅…']],
    ['', 5, 5, []],
  ])('wraps %j', (text, columns, most, lines) => expect(wrap(text, columns, most)).toEqual(lines));
});

test.each(['right', 'down'] as const)('drawn %s, every line goes through its own text, and ends where it should', (direction) => {
  for (const name of ['tdd-checked', 'database-migration', 'roo']) {
    const drawn = machine(name);
    const { arrows } = layOut(drawn, direction);
    const paths = [...toSvg(drawn, { direction }).matchAll(/ d="(M[^"]*)" marker-end/g)].map(([, d]) => d as string);
    expect(paths).toHaveLength(arrows.length);
    for (const [at, { label, points }] of arrows.entries()) {
      const numbers = (paths[at] as string).split(/[MC ]/).slice(1).map(Number);
      const corners = numbers.flatMap((x, i) => (i % 6 === 0 ? [{ x, y: numbers[i + 1] as number }] : []));
      expect(numbers.every(Number.isFinite)).toBe(true);
      expect(corners).toHaveLength(points.length);
      const isThrough = ({ x, y }: { x: number; y: number }) =>
        Math.abs(x - label.x) <= label.width / 2 && Math.abs(y - label.y) <= label.height / 2;
      expect([name, at, corners.some(isThrough)]).toEqual([name, at, true]);
    }
  }
});

test('wide characters get enough space', () => {
  const text = 'テストが失敗していること';
  const wide: Machine = {
    name: 'w',
    states: ['a', 'b'].map((name) => ({
      ...{ name, title: text, description: null, present: false, initial: false },
      ...{ rules: { allow: 0, ask: 0, deny: 0 }, otherwise: null },
    })),
    ways: [{ from: 'a', to: 'b', automatic: false, conditions: [{ text, kind: 'prose', holds: null }] }],
  };
  const { boxes, arrows } = layOut(wide);
  // One column is half of a square.
  for (const { width } of [...boxes, ...arrows.map(({ label }) => label)]) expect(width).toBeGreaterThan(12 * text.length);
});

/** Anything at all, and much of what XML and Mermaid take for more than text. */
const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: fc.constantFrom(...'<>&"\'#;:{}[]()%-=/\\`|\n a'), maxLength: 20 }),
  fc.constantFrom(
    '</text><script>alert(1)</script>',
    ']]>',
    '&lt;',
    '" onload="alert(1)',
    '--> m1: x',
    'end note',
    '<!--',
    '#quot;',
  ),
);
const anyMachine = fc.uniqueArray(hostile, { minLength: 1, maxLength: 5 }).chain((names) =>
  fc.record({
    name: hostile,
    states: fc.tuple(
      ...names.map((name) =>
        fc.record({
          name: fc.constant(name),
          title: fc.option(hostile),
          description: fc.option(hostile),
          present: fc.boolean(),
          initial: fc.boolean(),
          rules: fc.record({ allow: fc.nat(9), ask: fc.nat(9), deny: fc.nat(9) }),
          otherwise: fc.constantFrom('ask', 'deny', null),
        }),
      ),
    ),
    ways: fc.array(
      fc.record({
        from: fc.constantFrom(...names),
        to: fc.constantFrom(...names),
        automatic: fc.boolean(),
        conditions: fc.array(
          fc.record({
            text: hostile,
            kind: fc.constantFrom('check', 'person', 'prose'),
            holds: fc.constantFrom(true, false, null),
          }),
          { maxLength: 3 },
        ),
      }),
      { maxLength: 5 },
    ),
  }),
) as fc.Arbitrary<Machine>;

describe('the SVG', () => {
  test('of any machine is well-formed, with one group for each mode, and starts nothing', () => {
    fc.assert(
      fc.property(anyMachine, fc.constantFrom('light', 'dark', 'auto'), (drawn, theme) => {
        const svg = toSvg(drawn, { theme: theme as 'light' });
        expect(XMLValidator.validate(svg)).toBe(true);
        const { svg: root } = new XMLParser({ ignoreAttributes: false, isArray: (name) => name === 'g' }).parse(svg);
        const groups = root.g as Record<string, unknown>[];
        expect(groups.filter((group) => '@_data-mode' in group)).toHaveLength(drawn.states.length);
        expect(
          Object.keys(root)
            .filter((name) => !name.startsWith('@_'))
            .sort(),
        ).toEqual(['defs', 'desc', 'g', ...(layOut(drawn).arrows.length > 0 ? ['path'] : []), 'rect', 'style', 'title']);
      }),
      { numRuns: 60 },
    );
  });

  test('has a description in words, and marks only the present mode', () => {
    const drawn = machine('tdd-checked', {
      mode: 'test-dev',
      unmet: new Map([['feature-dev', ['tests: npm test, failing: new']]]),
    });
    const svg = toSvg(drawn);
    expect(svg.match(/class="state now"/g)).toHaveLength(1);
    expect(svg).toContain(inWords(drawn).slice(0, 40));
    expect(inWords(drawn)).toContain('Now in test-dev.');
    expect(inWords(drawn)).toContain('tests: npm test, failing: new (does not hold)');
    expect(svg).toContain('class="unmet"');
    expect(toSvg(machine('tdd-checked'))).not.toContain('class="unmet"');
  });
});

test('Mermaid reads no text as its own language', () => {
  fc.assert(
    fc.property(anyMachine, (drawn) => {
      const lines = toMermaid(drawn).trimEnd().split('\n');
      for (const line of lines)
        expect(line).toMatch(
          /^(stateDiagram-v2| {2}\[\*\] --> m\d+| {2}state "(#\d+;|[^"\n:;<>{}[\]#])*" as m\d+| {2}m\d+ --> m\d+(: (#\d+;|<br\/>|[^"\n:;<>{}[\]#])*)?| {2}classDef now .*| {2}class m\d+ now)$/u,
        );
    }),
    { numRuns: 200 },
  );
});

test('the text for a narrow terminal stays below its mode, and nothing is lost', () => {
  const drawn = machine('tdd-checked', { mode: 'idle' });
  const lines = toText(drawn, false, 40).split('\n');
  for (const line of lines) expect([line, measureWidth(line) <= 40]).toEqual([line, true]);
  expect(lines.filter((line) => !/^[●○]|^ {2}/.test(line))).toEqual([]);
  const words = (text: string) => text.replace(/[│\s]+/g, '');
  expect(words(lines.join(''))).toBe(words(toText(drawn, false)));
});

test('the text for a terminal lists transitions below their mode, with color only on request', () => {
  const drawn = machine('daic', { mode: 'discussion', unmet: new Map([['implementation', ['plan: approved']]]) });
  expect(toText(drawn, false).split('\n').slice(0, 4)).toEqual([
    expect.stringMatching(/^● discussion — Discussion {2}\(now, default, allow \d+, ask \d+, else deny\)$/),
    '  └─► implementation',
    '        “The work was discussed, and a person approved the plan.”',
    '        ✗ plan: approved',
  ]);
  expect(toText(drawn, false)).not.toContain('\u001b');
  expect(toText(drawn, true)).toContain('\u001b[31m✗');
});

test('a picture shows characters without a glyph as their numbers', () => {
  const source = machine('tdd');
  const states = source.states.map((state) => ({ ...state, title: 'a\u200bb\u3164c' }));
  for (const text of [toSvg({ ...source, states }), toMermaid({ ...source, states })]) expect(text).not.toMatch(/[\u200b\u3164]/);
});
