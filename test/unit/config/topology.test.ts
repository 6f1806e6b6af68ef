// modes.yaml: what is accepted, and every way in which it can be wrong.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { getUnderlined, read, readProblems, TWO_MODES } from './project.ts';

const modes = (body: string) => `name: n\ndefault: a\nmodes:\n${body}`;

describe('a modes.yaml that is accepted', () => {
  it('is the one of the source document, byte for byte', () => {
    const text = readFileSync('examples/tdd/.claude/modes.yaml', 'utf8');
    const { topology, problems } = read({ 'modes.yaml': text });
    expect(problems.filter((problem) => problem.severity === 'error')).toEqual([]);
    expect([...topology!.modes.keys()]).toEqual(['idle', 'test-dev', 'feature-dev']);
    expect(topology).toMatchObject({ name: 'tdd', default: 'idle', scope: 'project' });
    expect(topology!.modes.get('test-dev')!.transitions).toEqual([
      {
        to: 'feature-dev',
        constraint: 'A test exists that targets the bug/feature.\nThe test has been executed and is currently failing.',
        require: [],
        approve: null,
        triggers: [],
        source: { file: '.claude/modes.yaml', line: 12, column: 9 },
      },
    ]);
  });

  it.each([
    ['a mode without a body', modes('  a:\n')],
    ['a mode with an empty body', modes('  a: {}\n')],
    ['transitions with nothing behind them', modes('  a:\n    transitions:\n')],
    ['an empty list of transitions', modes('  a:\n    transitions: []\n')],
    ['a transition without constraint', modes('  a:\n    transitions: [{to: b}]\n  b:\n    transitions: [{to: a}]\n')],
    ['a constraint with nothing behind it', modes('  a:\n    transitions:\n      - to: b\n        constraint:\n  b:\n')],
    ['a transition to every mode', modes('  a:\n    transitions: [{to: "*"}]\n  b:\n  c:\n')],
    [
      'every key that this version knows',
      modes('  a:\n    title: t\n    description: d\n    role: r\n    whenToUse: w\n    promptPrefix: p\n    transitions: []\n'),
    ],
    ['approval by a person', modes('  a:\n    transitions: [{to: b, approve: human}]\n  b:\n')],
    ['a scope', `scope: session\n${modes('  a:\n')}`],
    ['comments, quotes and a document start', `# modes\n---\n${modes('  "a": # first\n')}...\n`],
    ['names with digits, hyphens and underscores', 'name: n\ndefault: A1-b_c\nmodes:\n  A1-b_c:\n'],
    ['words that YAML 1.1 took for true and false', 'name: yes\ndefault: on\nmodes:\n  on:\n    transitions: [{to: y}]\n  y:\n'],
    [
      'names that objects inherit',
      'name: n\ndefault: constructor\nmodes:\n  constructor:\n    transitions: [{to: toString}]\n  toString:\n  hasOwnProperty:\n    transitions: [{to: constructor}]\n'.replace(
        '{to: toString}',
        '{to: toString}, {to: hasOwnProperty}',
      ),
    ],
    ['Windows line ends', TWO_MODES.replaceAll('\n', '\r\n')],
  ])('may contain %s', (_, text) => {
    expect(readProblems({ 'modes.yaml': text })).toEqual([]);
  });

  it('returns every field of a mode', () => {
    const text = modes(
      '  a:\n    title: " T\\nMODE: b "\n    description: "D\\n\\nE"\n    role: R\n    whenToUse: W\n    promptPrefix: P\n    transitions: [{to: "*", constraint: " C\\n", approve: human}]\n',
    );
    expect(read({ 'modes.yaml': text }).topology!.modes.get('a')).toMatchObject({
      title: 'T MODE: b',
      description: 'D E',
      role: 'R',
      whenToUse: 'W',
      promptPrefix: 'P',
      transitions: [{ to: '*', constraint: 'C', approve: 'human' }],
    });
  });
});

describe('stop', () => {
  it('is read as written', () => {
    const text = modes('  a:\n').replace('modes:', 'stop: {phrases: [SILENCE, halt it], to: a}\nmodes:');
    expect(read({ 'modes.yaml': text }).topology!.stop).toEqual({ phrases: ['SILENCE', 'halt it'], to: 'a' });
    expect(read({ 'modes.yaml': modes('  a:\n') }).topology!.stop).toBeNull();
  });

  it('leads to a mode that exists', () => {
    const text = modes('  a:\n').replace('modes:', 'stop: {phrases: [SILENCE], to: b}\nmodes:');
    expect(readProblems({ 'modes.yaml': text })).toMatchObject([{ code: 'E_UNKNOWN_MODE' }]);
  });
});

describe('a modes.yaml that is wrong', () => {
  /** Title, text, and the problems as `line:column code`, with what is underlined and a part of the remedy. */
  it.each<[string, string, [place: string, code: string, underlined: string, remedy: string][]]>([
    ['an unknown key at the top', `${TWO_MODES}defalt: idle\n`, [['10:1', 'E_UNKNOWN_KEY', 'defalt', 'Did you mean "default"?']]],
    ['an unknown key in a mode', modes('  a:\n    trasitions: []\n'), [['5:5', 'E_UNKNOWN_KEY', 'trasitions', '"transitions"']]],
    [
      'an unknown key in a transition',
      modes('  a:\n    transitions:\n      - to: b\n        constraints: x\n  b:\n'),
      [['7:9', 'E_UNKNOWN_KEY', 'constraints', '"constraint"']],
    ],
    [
      'a key of another tool',
      'name: n\ndefault: a\nstates:\n  a:\n',
      [
        ['1:1', 'E_MISSING_KEY', 'name: n', '"modes"'],
        ['3:1', 'E_UNKNOWN_KEY', 'states', 'Use "modes".'],
      ],
    ],
    ['a merge key', modes('  a:\n    <<: {title: x}\n'), [['5:5', 'E_UNKNOWN_KEY', '<<', 'Possible']]],
    ['a missing name', 'default: a\nmodes:\n  a:\n', [['1:1', 'E_MISSING_KEY', 'default: a', 'Add "name"']]],
    ['a missing default', 'name: n\nmodes:\n  a:\n', [['1:1', 'E_MISSING_KEY', 'name: n', 'Add "default"']]],
    [
      'a transition without target',
      modes('  a:\n    transitions:\n      - constraint: x\n'),
      [['6:9', 'E_MISSING_KEY', 'constraint: x', 'Add "to"']],
    ],
    ['an empty name', 'name: ""\ndefault: a\nmodes:\n  a:\n', [['1:7', 'E_EMPTY_VALUE', '""', 'Write a value']]],
    ['a blank target', modes('  a:\n    transitions: [{to: " "}]\n'), [['5:24', 'E_EMPTY_VALUE', '" "', 'Write a value']]],
    [
      'a default that does not exist',
      'name: n\ndefault: idel\nmodes:\n  idle:\n',
      [['2:10', 'E_UNKNOWN_MODE', 'idel', 'Did you mean "idle"?']],
    ],
    [
      'a default that only objects inherit',
      'name: n\ndefault: constructor\nmodes:\n  a:\n',
      [['2:10', 'E_UNKNOWN_MODE', 'constructor', 'name one of these: "a"']],
    ],
    ['a star as default', 'name: n\ndefault: "*"\nmodes:\n  a:\n', [['2:10', 'E_UNKNOWN_MODE', '"*"', '"a"']]],
    [
      'a target that does not exist',
      modes('  a:\n    transitions: [{to: bb}]\n  bbb:\n'),
      [['5:24', 'E_UNKNOWN_MODE', 'bb', 'Did you mean "bbb"?']],
    ],
    [
      'a target that only objects inherit',
      modes('  a:\n    transitions: [{to: __proto__}, {to: toString}]\n'),
      [
        ['5:24', 'E_UNKNOWN_MODE', '__proto__', '"a"'],
        ['5:41', 'E_UNKNOWN_MODE', 'toString', '"a"'],
      ],
    ],
    [
      'two transitions to one mode',
      modes('  a:\n    transitions: [{to: b}, {to: b, constraint: x}]\n  b:\n'),
      [['5:33', 'E_DUPLICATE_TRANSITION', 'b', 'Combine both']],
    ],
    [
      'a trigger that leads to two modes',
      modes('  a:\n    transitions: [{to: b, triggers: [Go]}, {to: c, triggers: [" go "]}]\n  b:\n  c:\n'),
      [['5:63', 'E_TRIGGER', '" go "', 'Remove one']],
    ],
    [
      'a trigger that leads anywhere',
      modes('  a:\n    transitions: [{to: "*", triggers: [go]}]\n  b:\n'),
      [['5:40', 'E_TRIGGER', 'go', 'names its mode']],
    ],
    ['a number as name', 'name: 1\ndefault: a\nmodes:\n  a:\n', [['1:7', 'E_WRONG_TYPE', '1', 'quote it']]],
    ['a number as target', modes('  a:\n    transitions: [{to: 1}]\n'), [['5:24', 'E_WRONG_TYPE', '1', 'quote it']]],
    [
      'a number as mode',
      modes('  a:\n  1:\n'),
      [
        ['5:3', 'E_KEY_NOT_TEXT', '1', 'in quotes'],
        ['5:3', 'E_MODE_NAME', '1', 'starts with a letter'],
      ],
    ],
    ['true as mode', modes('  a:\n  true:\n'), [['5:3', 'E_KEY_NOT_TEXT', 'true', '"true"']]],
    ['null as mode', modes('  a:\n  null:\n'), [['5:3', 'E_KEY_NOT_TEXT', 'null', '"null"']]],
    [
      'a collection as key',
      modes('  a:\n  [x, y]: {}\n'),
      [
        ['5:3', 'E_KEY_NOT_TEXT', '[x, y]', 'one word'],
        ['5:3', 'E_MODE_NAME', '[x, y]', 'starts with a letter'],
      ],
    ],
    ['modes as a list', 'name: n\ndefault: a\nmodes:\n  - a\n', [['4:3', 'E_WRONG_TYPE', '- a', 'each name']]],
    ['modes with nothing behind them', 'name: n\ndefault: a\nmodes:\n', [['3:1', 'E_WRONG_TYPE', 'modes', 'each name']]],
    ['no mode at all', 'name: n\ndefault: a\nmodes: {}\n', [['2:10', 'E_UNKNOWN_MODE', 'a', 'Add a mode']]],
    ['a mode that is a text', modes('  a: x\n'), [['4:6', 'E_WRONG_TYPE', 'x', 'keys']]],
    [
      'transitions as a mapping',
      modes('  a:\n    transitions: {to: b}\n  b:\n'),
      [['5:18', 'E_WRONG_TYPE', '{to: b}', 'a list']],
    ],
    ['a transition that is a text', modes('  a:\n    transitions: [b]\n  b:\n'), [['5:19', 'E_WRONG_TYPE', 'b', 'keys']]],
    ['a transition that is empty', modes('  a:\n    transitions:\n      -\n'), [['6:8', 'E_WRONG_TYPE', '', 'keys']]],
    [
      'a constraint that is a list',
      modes('  a:\n    transitions: [{to: b, constraint: [x]}]\n  b:\n'),
      [['5:39', 'E_WRONG_TYPE', '[x]', 'Write a string']],
    ],
    [
      'approval with nothing behind it',
      modes('  a:\n    transitions:\n      - to: b\n        approve:\n  b:\n'),
      [['7:9', 'E_WRONG_TYPE', 'approve', 'Write a string']],
    ],
    [
      'approval by somebody else',
      modes('  a:\n    transitions: [{to: b, approve: model}]\n  b:\n'),
      [['5:36', 'E_UNKNOWN_VALUE', 'model', 'Write one of: human']],
    ],
    [
      'approval that is true',
      modes('  a:\n    transitions: [{to: b, approve: true}]\n  b:\n'),
      [['5:36', 'E_WRONG_TYPE', 'true', 'Write a string']],
    ],
    ['an unknown scope', `${TWO_MODES}scope: sesion\n`, [['10:8', 'E_UNKNOWN_VALUE', 'sesion', 'Did you mean "session"?']]],
    ['a name with a space', modes('  a:\n  test dev:\n'), [['5:3', 'E_MODE_NAME', 'test dev', '"test-dev"']]],
    ['a name that begins with a digit', modes('  a:\n  1st:\n'), [['5:3', 'E_MODE_NAME', '1st', '"st"']]],
    ['a name with a slash', modes('  a:\n  ../b:\n'), [['5:3', 'E_MODE_NAME', '../b', '"b"']]],
    ['a name with a dot', modes('  a:\n  a.local:\n'), [['5:3', 'E_MODE_NAME', 'a.local', '"a-local"']]],
    ['an empty name of a mode', modes('  a:\n  "":\n'), [['5:3', 'E_MODE_NAME', '""', 'starts with a letter']]],
    ['a letter that is not ASCII', modes('  a:\n  ändern:\n'), [['5:3', 'E_MODE_NAME', 'ändern', '"ndern"']]],
    ['__proto__ as mode', modes('  a:\n  __proto__:\n'), [['5:3', 'E_MODE_NAME', '__proto__', '"proto__"']]],
    [
      'a wrong name with an error in its mode',
      modes('  a:\n  1st:\n    titel: x\n'),
      [
        ['5:3', 'E_MODE_NAME', '1st', '"st"'],
        ['6:5', 'E_UNKNOWN_KEY', 'titel', 'title'],
      ],
    ],
    ['a line end in a name', modes('  a:\n  "b\\n":\n'), [['5:3', 'E_MODE_NAME', '"b\\n"', '"b"']]],
    ['the same mode twice', modes('  a:\n  a:\n'), [['5:3', 'E_DUPLICATE_KEY', 'a', 'Combine both']]],
    ['the same key twice', modes('  a:\n    title: x\n    title: y\n'), [['6:5', 'E_DUPLICATE_KEY', 'title', 'Combine both']]],
    [
      'the same key twice, once in quotes',
      `name: n\n"name": m\ndefault: a\nmodes:\n  a:\n`,
      [['2:1', 'E_DUPLICATE_KEY', '"name"', 'Combine both']],
    ],
    [
      'an alias',
      'name: &n n\ndefault: *n\nmodes:\n  n:\n',
      [
        ['1:10', 'E_YAML_FEATURE', 'n', 'Remove &n.'],
        ['2:10', 'E_YAML_FEATURE', '*n', 'write the value out'],
        ['1:1', 'E_MISSING_KEY', 'name: &n n', '"default"'],
      ],
    ],
    ['a tag', modes('  a:\n    title: !x y\n'), [['5:15', 'E_YAML_FEATURE', 'y', 'Remove the tag']]],
    ['a tag of YAML', modes('  a:\n    title: !!str 1\n'), [['5:18', 'E_YAML_FEATURE', '1', 'Remove the tag']]],
    ['a tag without its name', modes('  a:\n    title: !x! y\n'), [['5:12', 'E_YAML_FEATURE', '!x!', 'Remove the tag']]],
    ['another version of YAML', `%YAML 1.1\n---\n${TWO_MODES}`, [['1:1', 'E_YAML_FEATURE', '%YAML 1.1', 'YAML 1.2']]],
    [
      'a tag directive',
      `%TAG ! tag:example.com,2000:\n---\n${TWO_MODES}`,
      [['1:1', 'E_YAML_FEATURE', '%TAG ! tag:example.com,2000:', 'YAML 1.2']],
    ],
    ['an unknown directive', `%MODES x\n---\n${TWO_MODES}`, [['1:1', 'E_YAML_FEATURE', '%MODES x', 'YAML 1.2']]],
    ['a second document', `${TWO_MODES}---\nname: other\n`, [['10:1', 'E_YAML_SYNTAX', '-', 'one document']]],
    ['a tab as indentation', modes('  a:\n\t\ttitle: x\n'), [['5:1', 'E_YAML_SYNTAX', '\t\t', 'Indent with spaces']]],
    ['a bracket that is not closed', modes('  a:\n    transitions: [{to: b}\n'), [['6:1', 'E_YAML_SYNTAX', '', 'close every']]],
    ['a colon in a text without quotes', modes('  a:\n    title: this: that\n'), [['5:12', 'E_YAML_SYNTAX', 't', 'quotes']]],
    [
      'a character that cannot be seen',
      modes('  a:\n    title: x\u202ey\n'),
      [['5:13', 'E_CONTROL_CHARACTER', '\u202e', 'Remove the character']],
    ],
    [
      'an escape for NUL',
      modes('  a:\n    title: "x\\0"\n'),
      [['5:12', 'E_CONTROL_CHARACTER', '"x\\0"', 'Remove the character or its escape']],
    ],
    [
      'half a character',
      modes('  a:\n    title: "\\ud800"\n'),
      [['5:12', 'E_CONTROL_CHARACTER', '"\\ud800"', 'Remove the character or its escape']],
    ],
  ])('%s', (_, text, expected) => {
    const problems = readProblems({ 'modes.yaml': text });
    const found = problems.map((problem) => [`${problem.line}:${problem.column}`, problem.code, getUnderlined(problem)]);
    for (const [place, code, underlined, remedy] of expected) {
      expect(found).toContainEqual([place, code, underlined]);
      const problem = problems.find((other) => other.code === code && `${other.line}:${other.column}` === place)!;
      expect(problem.remedy).toContain(remedy);
    }
    expect(new Set(found.map(([, code]) => code))).toEqual(new Set(expected.map(([, code]) => code)));
    expect(read({ 'modes.yaml': text }).topology).toBeNull();
  });

  it.each(['local', 'any', 'status', 'reset', 'help', 'Local', 'ANY'])('the reserved name %s', (name) => {
    const [problem, ...more] = readProblems({ 'modes.yaml': modes(`  a:\n    transitions: [{to: "*"}]\n  ${name}:\n`) });
    expect(problem).toMatchObject({ code: 'E_MODE_RESERVED', line: 6, column: 3, length: name.length });
    expect(more).toEqual([]);
  });

  const later = {
    top: ['plan'],
    mode: ['plan'],
    transition: [] as string[],
  };
  it.each([
    ...later.top.map((key) => [key, `${key}: x\n${modes('  a:\n')}`]),
    ...later.mode.map((key) => [key, modes(`  a:\n    ${key}: x\n`)]),
    ...later.transition.map((key) => [key, modes(`  a:\n    transitions: [{to: b, ${key}: []}]\n  b:\n`)]),
  ])('the key "%s", which is known but not supported', (key, text) => {
    const [problem, ...more] = readProblems({ 'modes.yaml': text! });
    expect(problem).toMatchObject({ code: 'E_UNSUPPORTED_KEY', severity: 'error', length: key!.length });
    expect(getUnderlined(problem!)).toBe(key);
    expect(more).toEqual([]);
    expect(read({ 'modes.yaml': text! }).topology).toBeNull();
  });

  it.each(['', '\n', '# nothing\n', '---\n', '~\n', '- a\n', 'text\n', '42\n', '\ufeff'])('a file that contains %j', (text) => {
    const problems = readProblems({ 'modes.yaml': text });
    expect(problems.length).toBeGreaterThan(0);
    for (const problem of problems)
      expect(problem).toMatchObject({ severity: 'error', line: expect.any(Number), column: expect.any(Number) });
  });

  it('reports everything at once', () => {
    const problems = readProblems({
      'modes.yaml': 'name: 1\nscope: x\nmodes:\n  a:\n    transitions: [{to: zzzz, when: y}]\n  reset:\n',
      'settings.a.json': '{"permission": 1}',
    });
    expect(problems.map((problem) => problem.code).sort()).toEqual([
      'E_MISSING_KEY',
      'E_MODE_RESERVED',
      'E_UNKNOWN_KEY',
      'E_UNKNOWN_KEY',
      'E_UNKNOWN_MODE',
      'E_UNKNOWN_VALUE',
      'E_WRONG_TYPE',
    ]);
  });
});

describe('a modes.yaml that is probably a mistake', () => {
  it('has an unreachable mode', () => {
    const [problem, ...more] = readProblems({
      'modes.yaml': modes('  a:\n    transitions: [{to: b}]\n  b:\n  c:\n    transitions: [{to: a}]\n'),
    });
    expect(problem).toMatchObject({ code: 'W_UNREACHABLE_MODE', severity: 'warning', line: 7, column: 3, lineText: '  c:' });
    expect(more).toEqual([]);
  });

  it('has a transition to its own mode', () => {
    const [problem, ...more] = readProblems({ 'modes.yaml': modes('  a:\n    transitions: [{to: a}]\n') });
    expect(problem).toMatchObject({ code: 'W_SELF_TRANSITION', line: 5, column: 24 });
    expect(more).toEqual([]);
  });

  it('has two modes that differ only by case', () => {
    const [problem, ...more] = readProblems({ 'modes.yaml': modes('  a:\n    transitions: [{to: A}]\n  A:\n') });
    expect(problem).toMatchObject({ code: 'W_MODE_CASE', line: 6, column: 3 });
    expect(more).toEqual([]);
  });
});
