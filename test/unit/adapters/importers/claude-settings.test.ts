// The client's own permissions as the rules of a mode.
import { beforeAll, describe, expect, test } from 'vitest';
import { importClaudeSettings } from '../../../../src/adapters/importers/claude-settings.ts';
import type { Transfer } from '../../../../src/adapters/importers/types.ts';
import { leftOf, projectWith, type TakenOver, takeOver, textOf } from './project.ts';

const take = (mode: string, modes: readonly string[] | null) => (root: string) =>
  importClaudeSettings({ root, mode, home: '/home/none', modes, isWideToo: true });

const SETTINGS = {
  permissions: {
    allow: [
      ...[
        'Bash(npm test:*)',
        'Bash(git log *)',
        'Edit(docs/**)',
        'Read(src/**)',
        'WebFetch(domain:example.org)',
        'mcp__db__query',
        'Glob',
      ],
      ...[
        'Write(src/**)',
        'Bash(@read-only)',
        '@edit',
        'Edit({a,b}.md)',
        'mcp__fs__write_file(path: x)',
        'mcp__plugin_modes_modes__status',
        'Cd(/tmp)',
        7,
      ],
    ],
    deny: ['Read(.env)', 'Write(secret/**)', 'Bash(curl:*)', 'WebSearch(!', 'Fly(x', 'Cd(/etc)'],
    ask: ['Bash(git push:*)'],
    defaultMode: 'dontAsk',
    additionalDirectories: ['../other'],
    disableBypassPermissionsMode: 'disable',
  },
  hooks: {},
};

describe('a project with permissions', () => {
  let taken: TakenOver;
  beforeAll(async () => {
    const files = {
      '.claude/settings.json': `// mine\n${JSON.stringify(SETTINGS)}`,
      '.claude/settings.local.json': '{"permissions": {"allow": ["Bash(make:*)"]}}',
    };
    taken = await takeOver(projectWith(files), take('work', null));
  });

  test('is a configuration without a problem', () => expect(taken.problems).toEqual([]));

  // As the client answers under dontAsk: what no rule allows is refused. `ask` there is a refusal too where nobody is asked.
  test.each<[call: string, decision: string]>([
    ['Bash(npm test -- a)', 'allow'],
    ['Bash(git log -1)', 'allow'],
    ['Bash(make all)', 'allow'],
    ['Bash(git push)', 'deny'],
    ['Bash(rm a)', 'deny'],
    ['Bash(npm test && rm a)', 'deny'],
    ['Bash(curl https://example.org)', 'deny'],
    ['Edit(docs/a.md)', 'allow'],
    ['Edit(src/a.md)', 'deny'],
    ['Read(src/a.ts)', 'allow'],
    ['Read(.env)', 'deny'],
    ['Read(other/a.ts)', 'deny'],
    ['Write(src/a.ts)', 'deny'],
    ['Write(secret/a)', 'deny'],
    ['Write(a.md)', 'deny'],
    ['WebFetch(https://example.org/a)', 'allow'],
    ['WebFetch(https://other.org/a)', 'deny'],
    ['mcp__db__query({})', 'allow'],
    ['mcp__fs__write_file({"path": "x"})', 'deny'],
  ])('%s is %s', (call, decision) => expect(taken.decide(call, 'work')).toBe(decision));

  test('lists the parts that could not be imported', () => {
    const left = leftOf(taken.transfer).join('\n');
    for (const part of [
      'allow Write(src/**): the client ignores a path in a rule for this tool',
      'allow Bash(@read-only): in the client @… is literal text',
      'allow @edit: ',
      'allow Edit({a,b}.md): in the client braces are literal characters',
      'allow mcp__fs__write_file(path: x)',
      'allow 7: it is not a string',
      'deny WebSearch(!: the rule does not end with ). It was replaced with deny WebSearch, which covers the whole tool.',
      'deny Fly(x',
      'additionalDirectories: ["../other"]',
      'disableBypassPermissionsMode: "disable". It still applies in the client',
      '.claude/settings.json: it is unchanged',
    ])
      expect(left).toContain(part);
    expect(left).not.toContain('mcp__plugin_modes');
  });
});

test('in an existing mode, rules and comments stay', async () => {
  const files = {
    '.claude/modes.yaml': 'name: x\ndefault: a\nmodes:\n  a: {transitions: [{to: b}]}\n  b: {transitions: [{to: a}]}\n',
    '.claude/settings.b.json': '{\n  // kept\n  "permissions": { "deny": ["Write(src/**)"] }\n}\n',
    '.claude/settings.json':
      '{"permissions": {"allow": ["Write", "Bash(ls:*)"], "deny": ["Write(notes !draft)"], "defaultMode": "plan"}}',
  };
  const taken = await takeOver(projectWith(files), take('b', ['a', 'b']));
  expect(taken.problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(taken.transfer.files.map(({ name }) => name)).toEqual(['.claude/settings.b.json']);
  expect(textOf(taken.transfer, '.claude/settings.b.json')).toContain('// kept');
  expect(taken.decide('Write(src/a)', 'b')).toBe('deny');
  expect(taken.decide('Write(a)', 'b')).toBe('allow');
  // In the client, ` !` is part of a name.
  expect(taken.decide('Write(notes !draft)', 'b')).toBe('deny');
  expect(taken.decide('Write(notes)', 'b')).toBe('allow');
  // As in the client, where the name of one tool allows no other.
  expect(taken.decide('Edit(a)', 'b')).toBe('pass');
  expect(taken.decide('Write(a)', 'a')).toBe('pass');
  expect(leftOf(taken.transfer).join()).toContain('defaultMode plan. Write permissionMode: plan under b');
});

test.each<[what: string, files: Record<string, string>, why: RegExp]>([
  ['no settings', {}, /There is no .claude\/settings.json/],
  ['no JSON', { '.claude/settings.json': '{' }, /not a JSON object/],
  ['no permissions', { '.claude/settings.json': '{"model": "x"}' }, /no permissions/],
])('%s: refused', (_, files, why) =>
  expect(take('work', null)(projectWith(files).root)).toEqual({ error: expect.stringMatching(why) }),
);

test('a missing mode is refused', () => {
  const { root } = projectWith({ '.claude/settings.json': '{}' });
  expect(take('c', ['a', 'b'])(root)).toEqual({ error: 'There is no mode "c". Modes: a, b.' });
});

test('an unreadable file is reported, and the other is imported', () => {
  const { root } = projectWith({
    '.claude/settings.json': '{',
    '.claude/settings.local.json': '{"permissions": {"deny": ["Bash"]}}',
  });
  const taken = take('work', null)(root) as Transfer;
  expect(taken.faults).toEqual([{ at: '.claude/settings.json', what: 'it is not a JSON object' }]);
  expect(textOf(taken, '.claude/settings.work.local.json')).toContain('"Bash"');
});

test('an unknown default mode is listed, and the rest is imported', () => {
  const permissions = { deny: ['Bash'], defaultMode: { toString: 1 } };
  const taken = take('work', null)(projectWith({ '.claude/settings.json': JSON.stringify({ permissions }) }).root) as Transfer;
  expect(textOf(taken, '.claude/settings.work.json')).toContain('"Bash"');
  expect(leftOf(taken).join()).toContain('defaultMode: {"toString":1}');
});

test.each<[present: string, wrong: string]>([
  ['{"permissions": {"deny": "Write(mine)"}}', 'E_WRONG_TYPE'],
  ['{"permissions": "Write(mine)"}', 'E_WRONG_TYPE'],
  ['{"permissions": ["Write(mine)"]}', 'E_WRONG_TYPE'],
  ['{"permissions": null}', 'E_'],
  ['["Write(mine)"]', 'E_'],
  ['{"permissions": {"deny": ["Write(mine)"', 'E_JSON_SYNTAX'],
])('settings with %s stay unchanged, and their error is reported', async (present, wrong) => {
  const files = {
    '.claude/modes.yaml': 'name: p\ndefault: a\nmodes: {a: }\n',
    '.claude/settings.a.json': present,
    '.claude/settings.json': '{"permissions": {"deny": ["Write(src/**)"], "defaultMode": "dontAsk"}}',
  };
  const taken = await takeOver(projectWith(files), take('a', ['a']));
  expect(textOf(taken.transfer, '.claude/settings.a.json')).toBe(present);
  const errors = taken.problems.filter(({ severity }) => severity === 'error').map(({ code }) => code);
  expect(errors.join()).toContain(wrong);
});

test.each([
  ['pass', 'deny'],
  ['ask', 'deny'],
  ['deny', 'deny'],
])('a default of %s beside dontAsk becomes %s', (present, expected) => {
  const files = {
    '.claude/settings.a.json': JSON.stringify({ permissions: { default: present } }),
    '.claude/settings.json': '{"permissions": {"deny": ["Bash"], "defaultMode": "dontAsk"}}',
  };
  const taken = take('a', ['a'])(projectWith(files).root) as Transfer;
  const { permissions } = JSON.parse(textOf(taken, '.claude/settings.a.json')) as { permissions: { default: string } };
  expect(permissions.default).toBe(expected);
});

test('a rule with invisible characters allows nothing, denies its whole tool, and affects no other rule', async () => {
  const permissions = { allow: ['Bash(ls\u202e)', 'Bash(pwd)'], deny: ['Read(a\0)'] };
  const taken = await takeOver(projectWith({ '.claude/settings.json': JSON.stringify({ permissions }) }), take('work', null));
  expect(taken.problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  const { permissions: found } = JSON.parse(textOf(taken.transfer, '.claude/settings.work.json')) as { permissions: object };
  expect(found).toEqual({ allow: ['Bash(pwd)'], deny: ['Read'] });
  expect(leftOf(taken.transfer).join('\n')).toContain('it contains invisible characters');
});

test('a deny with braces covers both meanings of the braces', async () => {
  const permissions = { deny: ['Read(a.{key,pem})'] };
  const taken = await takeOver(projectWith({ '.claude/settings.json': JSON.stringify({ permissions }) }), take('work', null));
  expect(['a.key', 'a.pem', 'a.{key,pem}', 'a.txt'].map((name) => taken.decide(`Read(${name})`, 'work'))).toEqual([
    'deny',
    'deny',
    'deny',
    'pass',
  ]);
});
