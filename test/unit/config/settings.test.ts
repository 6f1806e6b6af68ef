// settings.<mode>.json: what is accepted, how files join, and every way in which one can be wrong.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { getUnderlined, read, readProblems, TWO_MODES } from './project.ts';

const SEED_SETTINGS = `{
  "permissions": {
    "allow": [
      "Read(**)",
      "Write({test/**,**/*.test.ts,**/*.spec.ts})",
      "Bash(npm test*)"
    ],
    "deny": [
      "Write(src/**)",
      "Edit(src/**)"
    ]
  }
}
`;

function readIdle(text: string) {
  return read({ 'modes.yaml': TWO_MODES, 'settings.idle.json': text });
}

describe('a settings file that is accepted', () => {
  it('is the one of the source document', () => {
    const { settings, problems } = read({
      'modes.yaml': readFileSync('examples/tdd/.claude/modes.yaml', 'utf8'),
      'settings.test-dev.json': SEED_SETTINGS,
    });
    expect(problems.filter((problem) => problem.severity === 'error')).toEqual([]);
    expect(settings.get('test-dev')!.rules.map((rule) => [rule.effect, rule.text, rule.source.line, rule.source.column])).toEqual(
      [
        ['allow', 'Read(**)', 4, 7],
        ['allow', 'Write({test/**,**/*.test.ts,**/*.spec.ts})', 5, 7],
        ['allow', 'Bash(npm test*)', 6, 7],
        ['deny', 'Write(src/**)', 9, 7],
        ['deny', 'Edit(src/**)', 10, 7],
      ],
    );
  });

  it.each([
    ['an empty object', '{}'],
    ['empty permissions', '{"permissions": {}}'],
    ['empty lists', '{"permissions": {"allow": [], "ask": [], "deny": []}}'],
    ['a schema', '{"$schema": "x"}'],
    ['comments', '// first\n{/* second */ "permissions": {} // third\n}'],
    ['trailing commas', '{"permissions": {"deny": ["Bash",],},}'],
    ['Windows line ends', '{\r\n"permissions": {\r\n}\r\n}\r\n'],
    ...['pass', 'ask', 'deny'].map((value) => [`the default ${value}`, `{"permissions": {"default": "${value}"}}`]),
    ...['pass', 'ask', 'deny'].map((value) => [`unknownReads ${value}`, `{"permissions": {"unknownReads": "${value}"}}`]),
  ])('may contain %s', (_, text) => {
    expect(readProblems({ 'modes.yaml': TWO_MODES, 'settings.idle.json': text! })).toEqual([]);
  });

  it('makes a rule of unknownReads in each layer, so that the stricter one counts', () => {
    const { settings, problems } = read({
      'modes.yaml': TWO_MODES,
      'settings.any.json': '{"permissions": {"unknownReads": "ask"}}',
      'settings.idle.json': '{"permissions": {"unknownReads": "pass"}}',
      'settings.idle.local.json': '{"permissions": {"unknownReads": "deny"}}',
      'settings.work.json': '{}',
    });
    expect(problems).toEqual([]);
    expect(settings.get('idle')!.rules.map(({ text, effect, layer }) => [text, effect, layer])).toEqual([
      ['unknownReads: ask', 'ask', 'project'],
      ['unknownReads: deny', 'deny', 'local'],
    ]);
  });

  it('joins the rules for every mode, for the mode and for one person', () => {
    const deny = (rule: string, rest = '') => `{"permissions": {"deny": ["${rule}"]${rest}}}`;
    const { settings, problems } = read({
      'modes.yaml': TWO_MODES,
      'settings.idle.json': deny('Mode', ', "default": "ask"'),
      'settings.idle.local.json': deny('ModeLocal', ', "default": "deny"'),
      'settings.any.json': deny('Any', ', "default": "pass"'),
      'settings.any.local.json': deny('AnyLocal'),
      'settings.work.json': '{}',
    });
    expect(problems).toEqual([]);
    expect(settings.get('idle')!.rules.map(({ text, layer, source }) => [text, layer, source.file])).toEqual([
      ['Any', 'project', '.claude/settings.any.json'],
      ['AnyLocal', 'local', '.claude/settings.any.local.json'],
      ['Mode', 'project', '.claude/settings.idle.json'],
      ['ModeLocal', 'local', '.claude/settings.idle.local.json'],
    ]);
    expect(settings.get('idle')!.defaults.map(({ layer, value }) => [layer, value])).toEqual([
      ['project', 'pass'],
      ['project', 'ask'],
      ['local', 'deny'],
    ]);
    expect(settings.get('work')!.rules.map(({ text }) => text)).toEqual(['Any', 'AnyLocal']);
    expect([...settings.keys()]).toEqual(['idle', 'work']);
  });

  it('removes white space around a rule', () => {
    expect(readIdle('{"permissions": {"deny": ["  Write \\n"]}}').settings.get('idle')!.rules[0]!.text).toBe('Write');
  });
});

describe('a settings file that is wrong', () => {
  it.each<[string, string, [place: string, code: string, underlined: string, remedy: string][]]>([
    ['a misspelt key', '{"permission": {}}', [['1:2', 'E_UNKNOWN_KEY', '"permission"', 'Did you mean "permissions"?']]],
    ['a misspelt list', '{"permissions": {"dney": ["Write"]}}', [['1:18', 'E_UNKNOWN_KEY', '"dney"', 'Did you mean "deny"?']]],
    ['lists at the top', '{"deny": ["Write"]}', [['1:2', 'E_UNKNOWN_KEY', '"deny"', 'under "permissions"']]],
    [
      "the client's default mode",
      '{"permissions": {"defaultMode": "plan"}}',
      [['1:18', 'E_UNKNOWN_KEY', '"defaultMode"', 'settings.json']],
    ],
    ["the client's hooks", '{"hooks": {}}', [['1:2', 'E_UNKNOWN_KEY', '"hooks"', 'settings.json']]],
    [
      'a name that objects inherit',
      '{"constructor": {}, "__proto__": {"permissions": {}}}',
      [
        ['1:2', 'E_UNKNOWN_KEY', '"constructor"', 'permissions'],
        ['1:21', 'E_UNKNOWN_KEY', '"__proto__"', 'permissions'],
      ],
    ],
    [
      'a key that stands twice',
      '{"permissions": {"deny": ["A"], "deny": []}}',
      [['1:33', 'E_DUPLICATE_KEY', '"deny"', 'Combine both']],
    ],
    [
      'a key that stands twice, with an error in the second value',
      '{"permissions": {"deny": ["A"], "deny": [1]}}',
      [
        ['1:33', 'E_DUPLICATE_KEY', '"deny"', 'Combine both'],
        ['1:42', 'E_WRONG_TYPE', '1', 'Write a string'],
      ],
    ],
    [
      'permissions that stand twice',
      '{"permissions": {}, "permissions": {}}',
      [['1:21', 'E_DUPLICATE_KEY', '"permissions"', 'Combine both']],
    ],
    [
      'an escape that hides a second key',
      '{"permissions": {"deny": [], "d\\u0065ny": []}}',
      [['1:30', 'E_DUPLICATE_KEY', '"d\\u0065ny"', 'Combine both']],
    ],
    ['a list instead of an object', '[]', [['1:1', 'E_WRONG_TYPE', '[]', 'keys']]],
    ['null', 'null', [['1:1', 'E_WRONG_TYPE', 'null', 'keys']]],
    ['permissions that are null', '{"permissions": null}', [['1:17', 'E_WRONG_TYPE', 'null', 'keys']]],
    ['a list that is null', '{"permissions": {"deny": null}}', [['1:26', 'E_WRONG_TYPE', 'null', 'a list']]],
    ['a list that is a text', '{"permissions": {"deny": "Write"}}', [['1:26', 'E_WRONG_TYPE', '"Write"', 'a list']]],
    ['a rule that is a number', '{"permissions": {"deny": ["A", 1]}}', [['1:32', 'E_WRONG_TYPE', '1', 'a string']]],
    [
      'a rule that is an object',
      '{"permissions": {"deny": [{"tool": "Write"}]}}',
      [['1:27', 'E_WRONG_TYPE', '{"tool": "Write"}', 'a string']],
    ],
    ['an empty rule', '{"permissions": {"deny": [""]}}', [['1:27', 'E_EMPTY_VALUE', '""', 'remove the line']]],
    ['a blank rule', '{"permissions": {"deny": [" \\t"]}}', [['1:27', 'E_EMPTY_VALUE', '" \\t"', 'remove the line']]],
    [
      'an unknown default',
      '{"permissions": {"default": "block"}}',
      [['1:29', 'E_UNKNOWN_VALUE', '"block"', 'Write one of: pass, ask, deny']],
    ],
    [
      'a default in upper case',
      '{"permissions": {"default": "DENY"}}',
      [['1:29', 'E_UNKNOWN_VALUE', '"DENY"', 'Did you mean "deny"?']],
    ],
    ['a default that is a list', '{"permissions": {"default": ["deny"]}}', [['1:29', 'E_WRONG_TYPE', '["deny"]', 'a string']]],
    ['an empty file', '', [['1:1', 'E_JSON_SYNTAX', '', 'Write the value']]],
    ['a comment alone', '// nothing', [['1:11', 'E_JSON_SYNTAX', '', 'Write the value']]],
    ['a missing comma', '{"permissions": {"deny": ["A" "B"]}}', [['1:31', 'E_JSON_SYNTAX', '"B"', 'a comma']]],
    ['two commas', '{"permissions": {"deny": ["A",, "B"]}}', [['1:31', 'E_JSON_SYNTAX', ',', 'remove the key or comma']]],
    ['a missing colon', '{"permissions" {}}', [['1:16', 'E_JSON_SYNTAX', '{', 'a colon']]],
    ['a missing brace', '{"permissions": {}', [['1:19', 'E_JSON_SYNTAX', '', 'Close the object']]],
    ['single quotes', `{'permissions': {}}`, [['1:2', 'E_JSON_SYNTAX', `'permissions'`, 'double quotes']]],
    ['a key without quotes', '{permissions: {}}', [['1:2', 'E_JSON_SYNTAX', 'permissions', 'double quotes']]],
    ['something behind the object', '{} x', [['1:4', 'E_JSON_SYNTAX', 'x', 'double quotes']]],
    ['a second object', '{}{}', [['1:3', 'E_JSON_SYNTAX', '{', 'remove everything after']]],
    ['a text that goes over a line end', '{"$schema": "a\nb"}', [['1:13', 'E_JSON_SYNTAX', '"a', 'Close it']]],
    ['a comment that is not closed', '{} /* x', [['1:4', 'E_JSON_SYNTAX', '/* x', 'Close it']]],
    ['an escape that does not exist', '{"$schema": "\\x"}', [['1:13', 'E_JSON_SYNTAX', '"\\x"', 'backslash']]],
    [
      'an escape for NUL',
      '{"permissions": {"deny": ["Wri\\u0000te"]}}',
      [['1:27', 'E_CONTROL_CHARACTER', '"Wri\\u0000te"', 'Remove the character']],
    ],
    [
      'half a character',
      '{"permissions": {"deny": ["\\ud800"]}}',
      [['1:27', 'E_CONTROL_CHARACTER', '"\\ud800"', 'Remove the character']],
    ],
    [
      'a turned direction of writing',
      '{"permissions": {"allow": ["Read(\u202e)"]}}',
      [['1:28', 'E_CONTROL_CHARACTER', '"Read(\u202e)"', 'Remove the character']],
    ],
  ])('%s', (_, text, expected) => {
    const problems = readProblems({ 'modes.yaml': TWO_MODES, 'settings.idle.json': text });
    const found = problems.map((problem) => [`${problem.line}:${problem.column}`, problem.code, getUnderlined(problem)]);
    for (const [place, code, underlined, remedy] of expected) {
      expect(found).toContainEqual([place, code, underlined]);
      const problem = problems.find((other) => other.code === code && `${other.line}:${other.column}` === place)!;
      expect(problem).toMatchObject({ severity: 'error', file: '.claude/settings.idle.json' });
      expect(problem.remedy).toContain(remedy);
    }
    expect(new Set(found.map(([, code]) => code))).toEqual(new Set(expected.map(([, code]) => code)));
  });

  it('still restricts: its deny and ask lines and its more restrictive default are kept, its allow lines are not', () => {
    const { settings } = readIdle(
      '{"permissions": {"allow": ["Bash"], "ask": ["Read"], "deny": ["Write"], "default": "deny"}, "typo": 1}',
    );
    expect(settings.get('idle')!.rules.map((rule) => rule.effect)).toEqual(['ask', 'deny']);
    expect(settings.get('idle')!.defaults.map(({ value }) => value)).toEqual(['deny']);
    expect(readIdle('{"permissions": {"default": "pass"}, "typo": 1}').settings.get('idle')!.defaults).toEqual([]);
  });

  it('does not affect the lines of another file', () => {
    const { settings } = read({
      'modes.yaml': TWO_MODES,
      'settings.idle.json': '{',
      'settings.idle.local.json': '{"permissions": {"allow": ["Bash"], "deny": ["Write"]}}',
    });
    expect(settings.get('idle')!.rules.map((rule) => rule.text)).toEqual(['Bash', 'Write']);
  });
});

describe('a duplicate rule', () => {
  it('in one list is reported and counts once', () => {
    const { settings, problems } = readIdle('{"permissions": {"deny": [\n"Write",\n"Write "]}}');
    expect(problems.filter((problem) => problem.code !== 'W_NO_SETTINGS')).toMatchObject([
      { code: 'W_DUPLICATE_RULE', severity: 'warning', line: 3, column: 1, length: 8 },
    ]);
    expect(settings.get('idle')!.rules).toHaveLength(1);
  });

  it('in two lists or files is no mistake', () => {
    const text = '{"permissions": {"ask": ["Write"], "deny": ["Write"]}}';
    const { problems } = read({
      'modes.yaml': TWO_MODES,
      'settings.any.json': text,
      'settings.idle.json': text,
      'settings.work.json': '{}',
    });
    expect(problems).toEqual([]);
  });
});
