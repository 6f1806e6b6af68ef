// What the model is told of the mode.
import { describe, expect, test } from 'vitest';
import type { Effect, ModeSettings } from '../../../src/config/types.ts';
import { maxContext, renderContext, renderLine, type Situation, targets } from '../../../src/context/render.ts';
import { topologyOf } from '../workflow/changes.ts';

const source = { file: 'f', line: 1, column: 1 };
const settings = (rules: [Effect, string][], value: 'pass' | 'ask' | 'deny' | null = null): ModeSettings => ({
  rules: rules.map(([effect, text]) => ({ effect, text, layer: 'project', source })),
  defaults: value === null ? [] : [{ layer: 'project', value, source }],
});
const topology = topologyOf({
  idle: [
    { to: 'test-dev', constraint: 'A bug\nis described' },
    { to: 'live', approve: 'human' },
  ],
  'test-dev': ['idle'],
  live: [],
});

function situation(changes: Partial<Situation> = {}, name = 'idle'): Situation {
  const shown = changes.topology ?? topology;
  return {
    topology: shown,
    mode: shown.modes.get(name) as Situation['mode'],
    settings: settings([
      ['allow', 'Read(**)'],
      ['deny', '@edit'],
    ]),
    instructions: 'Be idle.',
    instructionsFile: '.claude/CLAUDE.idle.md',
    trusted: true,
    notices: [],
    subagent: false,
    ...changes,
  };
}

describe('the whole context', () => {
  test('has the sections of the source document, in order', () => {
    const text = renderContext(situation());
    const sections = [
      'MODE: idle',
      'INSTRUCTIONS:\nBe idle.',
      'PERMISSIONS:\nAllowed: Read(**)\nDenied: @edit',
      'AVAILABLE TRANSITIONS:\n→ test-dev\n  Constraint: A bug\n  is described\n→ live\n  A person approves it.',
      'MODE GUIDANCE:',
    ];
    const places = sections.map((section) => text.indexOf(section));
    expect(places).not.toContain(-1);
    expect([...places].sort((a, b) => a - b)).toEqual(places);
  });

  test('names title and description where there are some', () => {
    const base = situation();
    expect(renderContext({ ...base, mode: { ...base.mode, title: 'Idle', description: 'Nothing is done.' } })).toMatch(
      /^MODE: idle \(Idle\)\nNothing is done\.\n/,
    );
  });

  test('leaves out instructions that are not there', () => {
    expect(renderContext(situation({ instructions: null }))).not.toContain('INSTRUCTIONS');
    expect(renderContext(situation({ instructions: '' }))).not.toContain('INSTRUCTIONS');
  });

  test('says when there are no rules and no ways out', () => {
    expect(renderContext(situation({ settings: null }, 'live'))).toMatch(
      /No rules in this mode\.[\s\S]*AVAILABLE TRANSITIONS:\nNone\./,
    );
  });

  test.each([
    ['pass', "the client's own rules"],
    ['ask', 'asked'],
    ['deny', 'denied'],
  ] as const)('names the default %s', (value, words) => {
    expect(renderContext(situation({ settings: settings([], value) }))).toContain(`Everything else: ${words}`);
  });

  test('says that an untrusted allow does not count yet', () => {
    expect(renderContext(situation({ trusted: false }))).toContain('Allowed (once a person trusts this configuration): Read(**)');
  });

  test('carries notices', () => {
    expect(renderContext(situation({ notices: ['one', 'two'] }))).toMatch(/NOTICE: one\n\nNOTICE: two$/);
  });

  test('tells a subagent of no way out', () => {
    const text = renderContext(situation({ subagent: true }));
    expect(text).not.toContain('AVAILABLE TRANSITIONS');
    expect(text).not.toContain('/modes:mode');
  });
});

describe('what is too long', () => {
  const paragraphs = Array.from({ length: 400 }, (_, i) => `Paragraph ${i} of the instructions.`).join('\n\n');
  const many = settings(
    Array.from({ length: 300 }, (_, i) => ['deny', `Write(some/rather/long/folder/name/number/${i}/and/further/down/**)`]),
  );
  const ways = topologyOf(
    Object.fromEntries([
      ['idle', Array.from({ length: 60 }, (_, i) => ({ to: `mode-${i}`, constraint: 'x '.repeat(400) }))],
      ...Array.from({ length: 60 }, (_, i) => [`mode-${i}`, []]),
    ]),
  );

  test('instructions are cut at a paragraph and the file is named', () => {
    const text = renderContext(situation({ instructions: paragraphs }));
    expect(text.length).toBeLessThanOrEqual(maxContext);
    expect(text).toMatch(
      /Paragraph \d+ of the instructions\.\n\n\(The rest of the instructions is in \.claude\/CLAUDE\.idle\.md; Read shows it\.\)\n\nPERMISSIONS/,
    );
    expect(text).toContain('MODE GUIDANCE');
  });

  test('instructions that just fit are whole', () => {
    const room = maxContext - renderContext(situation({ instructions: null })).length - 'INSTRUCTIONS:\n\n\n'.length;
    expect(renderContext(situation({ instructions: 'x'.repeat(room - 10) }))).toContain(
      `INSTRUCTIONS:\n${'x'.repeat(room - 10)}\n\nPERMISSIONS`,
    );
  });

  test('rules, ways out and a description are cut, each with a word that there is more, and every section stays', () => {
    const base = situation({ instructions: paragraphs, settings: many, topology: ways, notices: ['a notice'] });
    const text = renderContext({ ...base, mode: { ...base.mode, description: 'd'.repeat(9_000) } });
    expect(text.length).toBeLessThanOrEqual(maxContext);
    for (const section of [
      'MODE: idle',
      'INSTRUCTIONS:\nParagraph 0',
      'PERMISSIONS:',
      'More rules hold than fit here',
      'AVAILABLE TRANSITIONS:\n→ mode-0',
      'More than fits here',
      'The transition tool',
      'MODE GUIDANCE',
      'NOTICE: a notice',
    ])
      expect(text).toContain(section);
  });

  test('a long list of notices does not go over either', () => {
    const text = renderContext(situation({ notices: ['n'.repeat(20_000)] }));
    expect(text.length).toBeLessThanOrEqual(maxContext);
    expect(text).toContain('Cut here');
  });
});

describe('the line', () => {
  test('names mode, ways out and gates that a person holds', () => {
    expect(renderLine(situation())).toBe('MODE: idle. Ways out: test-dev, live (a person approves it).');
    expect(renderLine(situation({}, 'live'))).toBe('MODE: live. Ways out: none.');
    expect(renderLine(situation({ notices: ['look'] }))).toMatch(/\nNOTICE: look$/);
  });
});

describe('targets', () => {
  test('a star is every other mode that is not named', () => {
    const all = topologyOf({
      a: [
        { to: '*', constraint: 'c' },
        { to: 'b', approve: 'human' },
      ],
      b: [],
      constructor: [],
    });
    const mode = all.modes.get('a') as Situation['mode'];
    expect(targets(mode, all)).toEqual([
      { to: 'constructor', constraint: 'c', require: [], approve: null },
      { to: 'b', constraint: null, require: [], approve: 'human' },
    ]);
  });
});
