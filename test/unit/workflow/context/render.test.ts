// What the model is told of the mode.
import { describe, expect, test } from 'vitest';
import { targets } from '../../../../src/config/targets.ts';
import type { Effect, ModeSettings } from '../../../../src/model/configuration.ts';
import { maxContext, renderContext, renderLine, type Situation } from '../../../../src/workflow/context/render.ts';
import { topologyOf } from '../../../support/topology.ts';

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

/** As it stands in the mode's own file. */
const written = (text: string) => [{ name: '.claude/CLAUDE.idle.md', text }];

function situation(changes: Partial<Situation> = {}, name = 'idle'): Situation {
  const shown = changes.topology ?? topology;
  return {
    topology: shown,
    mode: shown.modes.get(name) as Situation['mode'],
    settings: settings([
      ['allow', 'Read(**)'],
      ['deny', '@edit'],
    ]),
    instructions: written('Be idle.'),
    trusted: true,
    notices: [],
    subagent: false,
    plan: null,
    ...changes,
  };
}

describe('the plan', () => {
  const plan = { whole: '1. one\n2. two', line: 'Plan: 1 of 2 done, approved.' };

  test('has a section in the whole context and a sentence in the line', () => {
    expect(renderContext(situation({ plan }))).toContain('\n\nPLAN:\n1. one\n2. two\n\n');
    expect(renderLine(situation({ plan }))).toMatch(/Transitions: .*\. Plan: 1 of 2 done, approved\.$/);
    expect(renderContext(situation())).not.toContain('PLAN');
  });
});

/** Words that order or urge; a model reads them as somebody's will, and may take them for an attack. */
const orders =
  /\b(?:you (?:must|should)|must not|never|always|important|warning|required to|please|make sure|remember)\b|!|(?:^|[.:;] )(?:do not|don't)\b/im;

test.each([false, true])('states facts and gives no orders; subagent: %s [w:context.facts]', (subagent) => {
  const plan = { whole: '1. one', line: 'Plan: 0 of 1 done.' };
  for (const name of topology.modes.keys()) {
    const shown = situation({ subagent, plan, instructions: [], trusted: false }, name);
    for (const text of [renderContext(shown), renderLine(shown)]) expect(text).not.toMatch(orders);
  }
});

describe('the whole context', () => {
  test('has the sections of the source document, in order [w:context.sections]', () => {
    const text = renderContext(situation());
    const sections = [
      'MODE: idle',
      'INSTRUCTIONS:\nBe idle.',
      'PERMISSIONS:\nAllowed: Read(**)\nDenied: @edit',
      "AVAILABLE TRANSITIONS:\n→ test-dev\n  Constraint: A bug\n  is described\n→ live\n  Needs a person's approval.",
      'MODE GUIDANCE:',
    ];
    const places = sections.map((section) => text.indexOf(section));
    expect(places).not.toContain(-1);
    expect([...places].sort((a, b) => a - b)).toEqual(places);
  });

  test('names title and description if they exist', () => {
    const base = situation();
    expect(renderContext({ ...base, mode: { ...base.mode, title: 'Idle', description: 'Nothing is done.' } })).toMatch(
      /^MODE: idle \(Idle\)\nNothing is done\.\n/,
    );
  });

  test('leaves out missing instructions', () => {
    expect(renderContext(situation({ instructions: [] }))).not.toContain('INSTRUCTIONS');
    expect(renderContext(situation({ instructions: written('') }))).not.toContain('INSTRUCTIONS');
  });

  test('reports missing rules and transitions', () => {
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

  test('notes that an untrusted allow has no effect yet', () => {
    expect(renderContext(situation({ trusted: false }))).toContain('Allowed (once a person trusts this configuration): Read(**)');
  });

  test('contains notices', () => {
    expect(renderContext(situation({ notices: ['one', 'two'] }))).toMatch(/NOTICE: one\n\nNOTICE: two$/);
  });

  test('shows a subagent no transition', () => {
    const text = renderContext(situation({ subagent: true }));
    expect(text).not.toContain('AVAILABLE TRANSITIONS');
    expect(text).not.toContain('/modes:mode');
  });
});

describe('keys of a mode', () => {
  const base = situation();
  const keyed = (keys: Partial<Situation['mode']>, changes: Partial<Situation> = {}) =>
    renderContext({ ...base, ...changes, mode: { ...base.mode, ...keys } });

  test('the role comes before the instructions', () => {
    expect(keyed({ role: 'You test.' })).toContain('INSTRUCTIONS:\nYou test.\n\nBe idle.\n\nPERMISSIONS');
  });

  test("the client's permission mode is shown", () => {
    expect(keyed({ permissionMode: 'plan' })).toMatch(
      /^MODE: idle\nThe client's own permission mode for it: plan; the permission_mode tool asks for a stricter one\.\n/,
    );
  });

  test('modes are listed with whenToUse as soon as one has it', () => {
    const modes = new Map(topology.modes);
    const add = (name: string, keys: Partial<Situation['mode']>) =>
      modes.set(name, { ...(modes.get(name) as Situation['mode']), ...keys });
    add('live', { description: 'Runs live.' });
    expect(renderContext(situation({ topology: { ...topology, modes } }))).not.toContain('MODES:');
    add('idle', { title: 'Idle', whenToUse: 'Between\n tasks.' });
    expect(renderContext(situation({ topology: { ...topology, modes } }))).toContain(
      '\n\nMODES:\n- idle (Idle), now: Between tasks.\n- live: Runs live.\n\n',
    );
  });

  test.each([
    ['enforce', undefined],
    ['ask', 'Enforcement: ask.'],
    ['advise', 'Enforcement: advise.'],
  ] as const)('enforcement %s', (enforcement, words) => {
    if (words === undefined) expect(keyed({ enforcement })).not.toContain('Enforcement');
    else expect(keyed({ enforcement })).toContain(words);
    expect(keyed({ enforcement }, { trusted: false }), 'without trust nothing is weaker').not.toContain('Enforcement');
  });

  test('the description of files follows the rule', () => {
    const rule = { effect: 'deny', layer: 'project', source } as const;
    const rules: ModeSettings['rules'] = [
      { ...rule, text: 'Write outside test/**', note: 'tests only', outside: { globs: [], expressions: [] } },
      { ...rule, text: '@web', note: 'the groups here do not include web' },
    ];
    expect(keyed({}, { settings: { rules, defaults: [] } })).toContain('Denied: Write outside test/** (tests only), @web\n');
  });
});

describe('long texts', () => {
  const paragraphs = Array.from({ length: 400 }, (_, i) => `Paragraph ${i} of the instructions.`).join('\n\n');
  const many = settings(
    Array.from({ length: 300 }, (_, i) => ['deny', `Write(some/rather/long/folder/name/number/${i}/and/further/down/**)`]),
  );
  const ways = topologyOf(
    Object.fromEntries([
      ['idle', Array.from({ length: 60 }, (_, i) => ({ to: `mode-${i}`, constraint: `${i} ${'x '.repeat(400)}` }))],
      ...Array.from({ length: 60 }, (_, i) => [`mode-${i}`, []]),
    ]),
  );

  test('instructions are cut at a paragraph and the file is named [w:context.limit]', () => {
    const text = renderContext(situation({ instructions: written(paragraphs) }));
    expect(text.length).toBeLessThanOrEqual(maxContext);
    expect(text).toMatch(
      /Paragraph \d+ of the instructions\.\n\n\(The rest of the instructions is in \.claude\/CLAUDE\.idle\.md; Read shows it\.\)\n\nPERMISSIONS/,
    );
    expect(text).toContain('MODE GUIDANCE');
  });

  test('every incomplete file is named, and no other', () => {
    const files = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => ({ name: `.claude/${name}.md`, text: `${name} `.repeat(1_000) }));
    const text = renderContext(situation({ instructions: files }));
    expect(text.length).toBeLessThanOrEqual(maxContext);
    const whole = files.filter((file) => text.includes(file.text)).length;
    const rest = files.slice(whole).map(({ name }) => name);
    expect(whole).toBeGreaterThan(1);
    expect(text).toContain(`(The rest of the instructions is in ${rest.join(', ')}; Read shows it.)`);
  });

  test('a long list of files is shortened', () => {
    const files = Array.from({ length: 40 }, (_, at) => ({ name: `.claude/modes/idle/${at}.md`, text: 'x '.repeat(2_000) }));
    expect(renderContext(situation({ instructions: files }))).toMatch(/idle\/\d+\.md and \d+ more; Read shows it/);
  });

  test('a list of many modes is cut', () => {
    const modes = new Map([...ways.modes].map(([name, mode]) => [name, { ...mode, whenToUse: 'w '.repeat(50) }]));
    const text = renderContext(situation({ topology: { ...ways, modes } }));
    expect(text.length).toBeLessThanOrEqual(maxContext);
    expect(text).toContain('There are more modes');
  });

  test('instructions that just fit are complete', () => {
    const room = maxContext - renderContext(situation({ instructions: [] })).length - 'INSTRUCTIONS:\n\n\n'.length;
    expect(renderContext(situation({ instructions: written('x'.repeat(room - 10)) }))).toContain(
      `INSTRUCTIONS:\n${'x'.repeat(room - 10)}\n\nPERMISSIONS`,
    );
  });

  test('rules, transitions and a description are cut with a note, and every section stays', () => {
    const base = situation({ instructions: written(paragraphs), settings: many, topology: ways, notices: ['a notice'] });
    const text = renderContext({ ...base, mode: { ...base.mode, description: 'd'.repeat(9_000) } });
    expect(text.length).toBeLessThanOrEqual(maxContext);
    for (const section of [
      'MODE: idle',
      'INSTRUCTIONS:\nParagraph 0',
      'PERMISSIONS:',
      'and 298 more',
      'AVAILABLE TRANSITIONS:\n→ mode-0',
      'More than fits here',
      'mcp__plugin_modes_modes__transition takes the target mode',
      'MODE GUIDANCE',
      'NOTICE: a notice',
    ])
      expect(text).toContain(section);
  });

  test('a long list of notices stays within the limit too', () => {
    const text = renderContext(situation({ notices: ['n'.repeat(20_000)] }));
    expect(text.length).toBeLessThanOrEqual(maxContext);
    expect(text).toContain('Cut here');
  });
});

describe('the line', () => {
  test('names the mode, transitions and gates that need a person [w:context.line]', () => {
    expect(renderLine(situation())).toBe("MODE: idle. Transitions: test-dev, live (a person's approval).");
    expect(renderLine(situation({}, 'live'))).toBe('MODE: live. Transitions: none.');
    expect(renderLine(situation({ notices: ['look'] }))).toMatch(/\nNOTICE: look$/);
  });

  test('names the unmet requirements of the gates [w:context.line]', () => {
    const unmet = new Map([
      ['test-dev', ['fails: npm test', 'changed: test/**']],
      ['live', []],
    ]);
    expect(renderLine(situation(), unmet)).toBe(
      'MODE: idle. Transitions: test-dev (not met: fails: npm test; changed: test/**), live.',
    );
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
      { to: 'constructor', constraint: 'c', require: [], approve: null, triggers: [] },
      { to: 'b', constraint: null, require: [], approve: 'human', triggers: [] },
    ]);
  });
});
