// Keys of a mode: what they become, what they take over from other modes and layers, and what is wrong with them.
import { describe, expect, it } from 'vitest';
import { policyKeys } from '../../../src/config/policy-keys.ts';
import { readConfiguration } from '../../../src/config/read.ts';
import type { Configuration } from '../../../src/model/configuration.ts';
import { getUnderlined, read, readProblems } from './project.ts';

const modes = (body: string) => `name: n\ndefault: a\nmodes:\n${body}`;
const settings = (permissions: object) => JSON.stringify({ permissions });
const rules = ({ settings: all }: Configuration, mode = 'a') =>
  all.get(mode)!.rules.map(({ effect, text }) => `${effect} ${text}`);

/** The rules of every policy that is made, in short. */
const enforced = ({ enforced: all }: Configuration) =>
  Object.fromEntries(
    [...all].map(([key, one]) => [
      key,
      [...one.rules.map(({ effect, text }) => `${effect} ${text}`), ...one.defaults.map(({ value }) => `default ${value}`)],
    ]),
  );

describe('groups', () => {
  const denied = (groups: string) => rules(read({ 'modes.yaml': modes(`  a:\n    groups: ${groups}\n`) }));

  it.each([
    ['[]', ['@read', '@edit', '@command', '@web', '@mcp', '@agent']],
    ['[read, edit, command, web, mcp, agent]', []],
    ['[read, {edit: }, [command], [web, {description: the web}]]', ['@mcp', '@agent']],
    ['[read, edit, command, mcp, browser, modes]', []],
  ])('%s denies the groups that are not listed', (groups, expected) => {
    expect(denied(groups)).toEqual(expected.map((text) => `deny ${text}`));
  });

  it.each([
    ['[edit, {files: "test/**"}]', 'Write outside test/**'],
    ['{edit: {files: ["test/**", "*.md"]}}', 'Write outside test/**, *.md'],
    ['[edit, {fileRegex: "\\\\.md$"}]', 'Write outside /\\.md$/'],
    ['{edit: {fileRegex: ^docs/}}', 'Write outside /^docs//'],
  ])('%s denies every write outside of the files', (edit, expected) => {
    expect(denied(`[read, command, web, mcp, agent, ${edit}]`)).toEqual([`deny ${expected}`]);
  });

  it('are reported at their lines, with their description', () => {
    const text = modes(
      '  a:\n    groups:\n      - read\n      - edit:\n          files: "test/**"\n          description: tests only\n',
    );
    const found = read({ 'modes.yaml': text }).settings.get('a')!.rules;
    expect(found.map(({ text, note, source }) => [text, note, source.line])).toEqual([
      ['@command', 'the groups here do not include command', 5],
      ['@web', 'the groups here do not include web', 5],
      ['@mcp', 'the groups here do not include mcp', 5],
      ['@agent', 'the groups here do not include agent', 5],
      ['Write outside test/**', 'tests only', 8],
    ]);
  });

  it.each([
    ['[reed]', 'E_UNKNOWN_VALUE', 'reed', 'Did you mean "read"?'],
    ['[{reed: }]', 'E_UNKNOWN_KEY', 'reed', 'Did you mean "read"?'],
    ['[[reed]]', 'E_UNKNOWN_VALUE', 'reed', 'Did you mean "read"?'],
    ['[[edit, {fileRegexp: x}]]', 'E_UNKNOWN_KEY', 'fileRegexp', 'Did you mean "fileRegex"?'],
    ['[read, read]', 'E_GROUP_FORM', 'read', 'Combine'],
    ['[web, browser]', 'E_GROUP_FORM', 'browser', 'Combine'],
    ['[{read: , edit: }]', 'E_GROUP_FORM', '{read: , edit: }', '[NAME'],
    ['[[edit, {files: a}, {files: b}]]', 'E_GROUP_FORM', '[edit, {files: a}, {files: b}]', '[NAME'],
    ['[[]]', 'E_GROUP_FORM', '[]', '[NAME'],
    ['[[read, {files: a}]]', 'E_GROUP_FORM', 'files', 'beside "edit"'],
    ['[[edit, {files: a, fileRegex: b}]]', 'E_GROUP_FORM', 'fileRegex', 'Keep one'],
    ['[[edit, {files: []}]]', 'E_GROUP_FORM', 'files', 'remove "edit"'],
    ['[[edit, {fileRegex: ""}]]', 'E_EMPTY_VALUE', '""', 'Write a value'],
    ['', 'E_WRONG_TYPE', '', 'Write a list'],
    ['read', 'E_WRONG_TYPE', 'read', 'Write a list'],
  ])('%j is wrong', (groups, code, underlined, remedy) => {
    const problems = readProblems({ 'modes.yaml': modes(`  a:\n    groups: ${groups}\n`) });
    const problem = problems.find((one) => one.code === code);
    expect(problem).toMatchObject({ severity: 'error', remedy: expect.stringContaining(remedy) });
    if (underlined !== '') expect(getUnderlined(problem!)).toBe(underlined);
  });
});

describe('extends', () => {
  const files = {
    'modes.yaml': modes(
      '  a:\n    extends: [b, d]\n    transitions: [{to: e}]\n  b:\n    extends: c\n    groups: [read, edit, command, mcp, agent]\n    transitions: [{to: d}]\n  c:\n  d:\n    extends: c\n  e:\n',
    ),
    'settings.any.json': settings({ deny: ['Any'] }),
    'settings.a.json': settings({ allow: ['Own'], default: 'ask' }),
    'settings.b.json': settings({ allow: ['B'], ask: ['AskB'] }),
    'settings.c.json': settings({ deny: ['C'], default: 'deny' }),
    'settings.d.json': settings({ allow: ['D'] }),
    'CLAUDE.a.md': 'own',
    'CLAUDE.b.md': 'of b',
    'CLAUDE.c.md': 'of c',
    'modes/c/1.md': 'more of c',
  };

  it('joins lists and defaults, each mode once, those that are extended first', () => {
    const configuration = read(files);
    expect(rules(configuration)).toEqual(['deny Any', 'deny C', 'allow B', 'ask AskB', 'deny @web', 'allow D', 'allow Own']);
    expect(configuration.settings.get('a')!.defaults.map(({ value }) => value)).toEqual(['deny', 'ask']);
    expect(rules(configuration, 'c')).toEqual(['deny Any', 'deny C']);
  });

  it('puts inherited instructions first and does not inherit transitions', () => {
    const { instructions, topology } = read(files);
    const texts = (mode: string) => instructions.get(mode)!.map(({ text }) => text);
    expect(texts('a')).toEqual(['of c', 'more of c', 'of b', 'own']);
    expect(texts('d')).toEqual(['of c', 'more of c']);
    expect(topology!.modes.get('a')!.transitions.map(({ to }) => to)).toEqual(['e']);
  });

  it('gives no warning for a mode that others extend', () => {
    const found = read({ 'modes.yaml': modes('  a:\n    extends: base\n  base:\n'), 'settings.base.json': '{}' }).problems;
    expect(found).toEqual([]);
  });

  it.each([
    ['  a:\n    extends: bees\n  bee:\n', 'E_UNKNOWN_MODE', 5, 'bees', 'Did you mean "bee"?'],
    ['  a:\n    extends:\n      - b\n      - bees\n  b:\n  bee:\n', 'E_UNKNOWN_MODE', 7, 'bees', 'Did you mean "bee"?'],
    ['  a:\n    extends: a\n', 'E_EXTENDS_CYCLE', 5, 'a', 'Remove one of the names'],
    ['  a:\n    extends: b\n  b:\n    extends: c\n  c:\n    extends: b\n', 'E_EXTENDS_CYCLE', 7, 'c', 'Remove one of the names'],
  ])('%j is wrong', (body, code, line, underlined, remedy) => {
    const [problem] = readProblems({ 'modes.yaml': modes(body) }).filter(({ severity }) => severity === 'error');
    expect(problem).toMatchObject({ code, line, remedy: expect.stringContaining(remedy) });
    expect(getUnderlined(problem!)).toBe(underlined);
  });
});

describe('enforcement', () => {
  const files = (enforcement: string, more = '') => ({
    'modes.yaml': modes(`  a:\n    enforcement: ${enforcement}\n${more}`),
    'settings.a.json': settings({ allow: ['A'], ask: ['B'], deny: ['C'], default: 'deny' }),
  });
  const whole = ['allow A', 'ask B', 'deny C', 'default deny'];
  const layer = (name: 'user' | 'managed' | 'project', shown: string, given: Record<string, string>) => ({
    layer: name,
    shown,
    root: `/${name}`,
    files: Object.entries(given).map(([file, text]) => ({ name: `${shown}${file}`, text })),
  });
  const sorted = (configuration: Configuration, key = 'a') => enforced(configuration)[key]?.sort();

  it.each([
    ['enforce', [...whole], undefined],
    ['ask', ['allow A', 'ask B', 'ask C', 'default ask'], undefined],
    ['advise', ['allow A'], [...whole]],
  ])('%s', (value, counting, strict) => {
    const configuration = read(files(value));
    expect(sorted(configuration)).toEqual([...counting].sort());
    expect(sorted(configuration, policyKeys.strict('a'))).toEqual(strict?.sort());
    expect(rules(configuration).sort(), 'what is written stays').toEqual(['allow A', 'ask B', 'deny C']);
  });

  it('of an untrusted project weakens nothing', () => {
    const content = [layer('project', '.claude/', files('advise'))];
    expect(sorted(readConfiguration(content, false))).toEqual([...whole].sort());
  });

  it('weakens only rules of its own layer', () => {
    const user = layer('user', '~/.claude/', { 'settings.a.json': settings({ deny: ['User'] }) });
    const configuration = readConfiguration([layer('project', '.claude/', files('advise')), user]);
    expect(sorted(configuration)).toEqual(['allow A', 'deny User']);
    const local = readConfiguration([
      layer('project', '.claude/', { ...files('ask'), 'settings.a.local.json': settings({ deny: ['L'] }) }),
    ]);
    expect(sorted(local)).toContain('ask L');
  });

  describe('in CI', () => {
    const user = (ci: string) => layer('user', '~/.claude/', { 'modes.yaml': `name: u\ndefault: x\nci: ${ci}\nmodes:\n  x:\n` });
    const project = layer('project', '.claude/', files('enforce'));
    const managed = (more: string) =>
      layer('managed', '/etc/m/', {
        'modes.yaml': `name: m\ndefault: a\n${more}modes:\n  a:\n`,
        'settings.a.json': settings({ deny: ['Managed'] }),
      });

    it.each([
      ['off', ['allow A'], undefined],
      ['advise', ['allow A'], [...whole]],
      ['enforce', [...whole], undefined],
    ])('a user may set %s', (ci, counting, strict) => {
      const configuration = readConfiguration([user(ci), project], true, true);
      expect(sorted(configuration)).toEqual([...counting].sort());
      expect(sorted(configuration, policyKeys.strict('a'))).toEqual(strict?.sort());
      expect(sorted(readConfiguration([user(ci), project], true, false)), 'elsewhere').toEqual([...whole].sort());
    });

    it('a user setting does not affect the organization, and a setting of the organization affects all layers', () => {
      expect(sorted(readConfiguration([managed(''), user('off'), project], true, true))).toEqual(['allow A', 'deny Managed']);
      const strict = readConfiguration([managed('ci: enforce\n'), user('off'), project], true, true);
      expect(sorted(strict)).toEqual([...whole, 'deny Managed'].sort());
      expect(sorted(readConfiguration([managed('ci: off\n'), project], true, true))).toEqual(['allow A']);
    });

    it('a project may not set it', () => {
      const [problem] = readProblems({ 'modes.yaml': `ci: off\n${modes('  a:\n')}` });
      expect(problem).toMatchObject({ code: 'E_CI_LAYER', severity: 'error', line: 1 });
    });
  });
});

describe('headless', () => {
  const layer = (name: 'user' | 'managed', text: string) => ({
    layer: name,
    shown: `${name}/`,
    root: `/${name}`,
    files: [{ name: `${name}/modes.yaml`, text: `${text}${modes('  a:\n')}` }],
  });
  const project = { root: '/project', files: [{ name: '.claude/modes.yaml', text: modes('  a:\n') }] };

  it.each([
    ['nobody', '', '', 'deny'],
    ['the user', 'headless: {pass: allow}\n', '', 'allow'],
    ['the organisation', '', 'headless: {pass: allow}\n', 'allow'],
    ['the user against the organisation', 'headless: {pass: allow}\n', 'headless: {pass: deny}\n', 'deny'],
  ])('sets with %s the result of a call that no person can be asked about', (_, user, managed, expected) => {
    const layers = [layer('user', user), layer('managed', managed), project];
    expect(readConfiguration(layers).headlessPass).toBe(expected);
  });

  it('a project may not set it [s:headless.pass]', () => {
    const text = `headless: {pass: allow}\n${modes('  a:\n')}`;
    const [problem] = readProblems({ 'modes.yaml': text });
    expect(problem).toMatchObject({ code: 'E_HEADLESS_LAYER', severity: 'error', line: 1 });
    expect(read({ 'modes.yaml': text }).headlessPass).toBe('deny');
  });

  it.each([
    ['headless: allow', 'E_WRONG_TYPE'],
    ['headless: {}', 'E_MISSING_KEY'],
    ['headless: {pass: ask}', 'E_UNKNOWN_VALUE'],
    ['headless: {pass: allow, ask: allow}', 'E_UNKNOWN_KEY'],
  ])('%s is %s', (text, code) => {
    expect(readProblems({ 'modes.yaml': `${text}\n${modes('  a:\n')}` }).map((one) => one.code)).toContain(code);
  });
});

describe('agents', () => {
  const body = (agents: string) => modes(`  a:\n    agents:\n${agents}  b:\n`);

  it('restrict the rules of the mode for their type', () => {
    const files = {
      'modes.yaml': body(
        '      general-purpose:\n        mode: b\n        canEdit: "test/**"\n        cannotEdit: [secret, "*.key"]\n        rules: {deny: [WebSearch], ask: ["Bash(npm:*)"]}\n      "team:reader": {groups: [read, command, web, mcp, agent]}\n      Explore: {mode: b}\n',
      ),
      'settings.a.json': settings({ deny: ['Own'] }),
    };
    expect(enforced(read(files))).toEqual({
      a: ['deny Own'],
      b: [],
      'a@general-purpose': [
        'deny Own',
        'deny Write outside test/**',
        'deny Write(secret)',
        'deny Write(*.key)',
        'deny WebSearch',
        'ask Bash(npm:*)',
      ],
      'a@team:reader': ['deny Own', 'deny @edit'],
    });
    expect(
      read(files)
        .topology!.modes.get('a')!
        .agents.map(({ type, mode }) => [type, mode]),
    ).toEqual([
      ['general-purpose', 'b'],
      ['team:reader', null],
      ['Explore', 'b'],
    ]);
  });

  it('are inherited with an extended mode, and add up', () => {
    const text = modes('  a:\n    extends: b\n    agents: {x: {cannotEdit: one}}\n  b:\n    agents: {x: {cannotEdit: two}}\n');
    expect(enforced(read({ 'modes.yaml': text }))['a@x']).toEqual(['deny Write(two)', 'deny Write(one)']);
  });

  it.each([
    ['      x: {mode: bee}\n', 'E_UNKNOWN_MODE', 'bee', 'name one of these: "a", "b"'],
    ['      x: {rules: {allow: [Read]}}\n', 'E_UNKNOWN_KEY', 'allow', 'at most the permissions of its parent'],
    ['      x: {toolGroups: [read]}\n', 'E_UNKNOWN_KEY', 'toolGroups', 'Use "groups"'],
    ['      "a b": {mode: b}\n', 'E_AGENT_NAME', '"a b"', 'general-purpose'],
    ['      x: {groups: [reed]}\n', 'E_UNKNOWN_VALUE', 'reed', 'Did you mean "read"?'],
    ['      x:\n', 'E_WRONG_TYPE', '', 'Write keys'],
  ])('%j is wrong', (agents, code, underlined, remedy) => {
    const [problem] = readProblems({ 'modes.yaml': body(agents) }).filter(({ severity }) => severity === 'error');
    expect(problem).toMatchObject({ code, remedy: expect.stringContaining(remedy) });
    if (underlined !== '') expect(getUnderlined(problem!)).toBe(underlined);
  });
});

describe('the other keys', () => {
  it('are read as written', () => {
    const text = modes(
      '  a:\n    permissionMode: plan\n    exit_when: {plan: complete, to: b}\n    context: {warn: [85, 90], window: 1000000}\n    transitions: [{to: b}]\n  b:\n',
    );
    const { topology, problems } = read({ 'modes.yaml': text, 'settings.any.json': '{}' });
    expect(problems).toEqual([]);
    expect(topology!.modes.get('a')).toMatchObject({
      permissionMode: 'plan',
      exitWhen: { plan: 'complete', to: 'b' },
      context: { warn: [85, 90], window: 1_000_000 },
    });
    expect(topology!.modes.get('b')).toMatchObject({
      permissionMode: null,
      exitWhen: null,
      context: { warn: [], window: null },
      enforcement: 'enforce',
      extends: [],
      groups: null,
      agents: [],
    });
  });

  it.each([
    ['permissionMode: plann', 'E_UNKNOWN_VALUE', 'plann', 'Did you mean "plan"?'],
    ['enforcement: advice', 'E_UNKNOWN_VALUE', 'advice', 'Did you mean "advise"?'],
    ['exit_when: {plan: done, to: a}', 'E_UNKNOWN_VALUE', 'done', 'complete'],
    ['exit_when: {plan: complete, to: bee}', 'E_UNKNOWN_MODE', 'bee', 'name one of these: "a", "b"'],
    ['exit_when: {plan: complete, to: b}', 'W_EXIT_EDGE', 'b', 'Add the transition'],
    ['context: {warn: [0]}', 'E_WRONG_TYPE', '0', 'from 1 to 99'],
    ['context: {warn: 85}', 'E_WRONG_TYPE', '85', 'Write a list'],
    ['context: {warnings: [85]}', 'E_UNKNOWN_KEY', 'warnings', 'Use "warn"'],
  ])('%s is wrong', (line, code, underlined, remedy) => {
    const problems = readProblems({ 'modes.yaml': modes(`  a:\n    ${line}\n  b:\n`) });
    const problem = problems.find((one) => one.code === code);
    expect(problem).toMatchObject({ remedy: expect.stringContaining(remedy) });
    expect(getUnderlined(problem!)).toBe(underlined);
  });
});
