// What a person reads before trusting: what it opens, or what it changes.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { longestAnswer } from '../../../../src/adapters/mcp/typed/dialogs.ts';
import { readConfiguration } from '../../../../src/config/read.ts';
import { type ConfigSnapshot, snapshotId } from '../../../../src/store/snapshots.ts';
import { differences, type TrustedContent, trustText } from '../../../../src/workflow/context/trust.ts';

const presets = readdirSync('examples').filter((name) => existsSync(`examples/${name}/.claude/modes.yaml`));

const modes = (edge = '{to: two}', more = '') =>
  `name: t\ndefault: one\n${more}modes:\n  one:\n    transitions: [${edge}]\n  two:\n`;

function told(files: Record<string, string>): TrustedContent {
  const content = [
    {
      layer: 'project' as const,
      shown: '.claude/',
      vanished: false,
      signature: '',
      root: '/p',
      files: Object.entries({ 'modes.yaml': modes(), ...files }).map(([name, text]) => ({ name: `.claude/${name}`, text })),
      faults: [],
      strays: [],
    },
  ] satisfies ConfigSnapshot;
  const { policies, ...configuration } = readConfiguration(content);
  return { content, known: { ...configuration, policies: policies.map(({ name }) => name) } };
}

const rules = (given: object) => JSON.stringify({ permissions: given });
const base = { 'settings.one.json': rules({ allow: ['Write(a)'], deny: ['Bash(rm:*)'] }) };

describe('differences', () => {
  type Row = [what: string, files: Record<string, string>, lines: string[]];
  test.each<Row>([
    ['of nothing', base, ['Only wording and comments differ.']],
    ['of a comment', { 'settings.one.json': `// x\n${base['settings.one.json']}` }, ['Only wording and comments differ.']],
    [
      'of rules',
      { 'settings.one.json': rules({ allow: ['Write(a)', 'Write(b)'] }) },
      ['- .claude/settings.one.json: deny Bash(rm:*)', '+ .claude/settings.one.json: allow Write(b)'],
    ],
    [
      'of a rule for every mode, once',
      { ...base, 'settings.any.json': rules({ allow: ['Read'], default: 'ask' }) },
      ['+ .claude/settings.any.json: allow Read', '+ .claude/settings.any.json: default ask'],
    ],
    [
      'of an edge',
      { ...base, 'modes.yaml': modes('{to: two, constraint: c, approve: human}') },
      ['- .claude/modes.yaml: one → two', '+ .claude/modes.yaml: one → two {constraint: c, approve: human}'],
    ],
    [
      'of a mode, the scope, a command',
      { ...base, 'modes.yaml': `${modes('{to: two}', 'scope: session\ncommands: [{match: x, class: read-only}]\n')}  three:\n` },
      [
        '- .claude/modes.yaml: scope project',
        '+ .claude/modes.yaml: scope session',
        '+ commands: {match: x, class: read-only}',
        '+ .claude/modes.yaml: mode three',
      ],
    ],
    [
      'of keys of a mode, groups by their rules',
      {
        ...base,
        'modes.yaml': `${modes()}    enforcement: advise\n    groups: [read, edit, command, web, mcp]\n    extends: one\n    context: {warn: [85]}\n`,
      },
      [
        '+ .claude/modes.yaml: two deny @agent',
        '+ .claude/modes.yaml: two enforcement advise',
        '+ .claude/modes.yaml: two extends [one]',
      ],
    ],
    ['of a policy', { ...base, 'policies/p.rego': 'package modes.policy.p' }, ['+ .claude/policies/p.rego: policy HASH']],
  ])('%s', (_, files, lines) => {
    const found = differences(told(base), told(files)).map((line) => line.replace(/(policy )[0-9a-f]{64}$/, '$1HASH'));
    expect(new Set(found)).toEqual(new Set(lines));
  });

  test('are bounded, in lines and in their length', () => {
    const many = told({
      'settings.one.json': rules({ allow: Array.from({ length: 500 }, (_, at) => `Write(${'x'.repeat(at)}/y)`) }),
    });
    const lines = differences(told({}), many);
    expect(lines.length).toBe(81);
    expect(lines.at(-1)).toBe('… and 420 more lines');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(250);
  });

  test('of two contents with different effects are never reported as wording only', () => {
    const changes: Record<string, string>[] = [
      { 'settings.one.json': rules({ allow: ['Write(a)'] }) },
      { 'settings.one.json': rules({ ask: ['Write(a)'], deny: ['Bash(rm:*)'] }) },
      { ...base, 'settings.two.json': rules({ default: 'deny' }) },
      { ...base, 'modes.yaml': modes('{to: "*"}') },
      { 'settings.one.json': rules({ allow: ['Write(a)'], deny: ['Bash(rm:*)', 'Bash(a  b)'] }) },
      { 'settings.one.json': rules({ allow: ['Write(a)'], deny: ['Bash(rm:*)', 'Bash(a b)'] }) },
    ];
    const all = [base, ...changes];
    for (const [at, files] of all.entries())
      for (const other of all.slice(0, at)) {
        expect(snapshotId(told(files).content)).not.toBe(snapshotId(told(other).content));
        expect(differences(told(other), told(files))[0]).not.toMatch(/^Only wording/);
      }
  });

  test('of groups that two modes exchange are reported for each', () => {
    const grouped = (one: string, two: string) =>
      told({ 'modes.yaml': `name: t\ndefault: one\nmodes:\n  one:\n    groups: [${one}]\n  two:\n    groups: [${two}]\n` });
    const without = 'read, command, web, mcp, agent';
    expect(new Set(differences(grouped(without, `${without}, edit`), grouped(`${without}, edit`, without)))).toEqual(
      new Set(['- .claude/modes.yaml: one deny @edit', '+ .claude/modes.yaml: two deny @edit']),
    );
  });
});

describe('trustText', () => {
  test('names what is allowed, and by which rule, without an earlier content', () => {
    const text = trustText(told({ ...base, 'policies/p.rego': 'package x' }), null, 'sha256:0');
    expect(text.split('\n').map((line) => line.replace(/[0-9a-f]{64}$/, 'HASH'))).toEqual([
      'sha256:0',
      'one allows Write(a)',
      '.claude/modes.yaml: default one',
      '.claude/modes.yaml: scope project',
      '.claude/modes.yaml: mode one',
      '.claude/modes.yaml: one → two',
      '.claude/modes.yaml: mode two',
      '.claude/policies/p.rego: policy HASH',
    ]);
  });

  test('writes gates under the keys of modes.yaml, and joins the tools of a server that only read [s:trust.words]', () => {
    const require = '[{git: clean}, {branch: "main*"}, {file: a.md, exists: false}, {tests: {command: npm test, passing: all}}]';
    const text = trustText(
      told({ 'modes.yaml': modes(`{to: two, require: ${require}}`, 'servers: {sentry: {kind: sentry}, s: {reads: [a, b]}}\n') }),
      null,
      'sha256:0',
    );
    expect(text).toContain(
      'one → two {require: [{git: clean}, {branch: main*}, {file: a.md, exists: false}, {tests: {by: agent, command: npm test, timeout: 600 s, demand: all pass}}]}',
    );
    expect(text).not.toMatch(/"[a-zA-Z]+":/);
    expect(text.split('\n').filter((line) => /sentry|mcp__/.test(line))).toEqual([
      'servers: sentry',
      'mcp__s: these tools only read and need no question: a, b',
    ]);
  });

  type Opening = [what: string, files: Record<string, string>, line: string];
  test.each<Opening>([
    ['a weaker enforcement', { 'modes.yaml': `${modes()}    enforcement: ask\n` }, '.claude/modes.yaml: two enforcement ask'],
    [
      'a milder class of a command',
      { 'modes.yaml': modes('{to: two}', 'commands: [{match: deploy *, class: read-only}]\n') },
      'commands: {match: deploy *, class: read-only}',
    ],
    [
      'what an argument is said to be',
      { 'modes.yaml': modes('{to: two}', 'arguments: {mcp__fs__write: {path: read}}\n') },
      'arguments: mcp__fs__write: {path: read}',
    ],
    [
      'the kind of a server, once',
      { 'modes.yaml': modes('{to: two}', 'servers: {gh: {kind: github}}\n') },
      'servers: gh has the kind github',
    ],
    [
      'a tool that only reads',
      { 'modes.yaml': modes('{to: two}', 'servers: {own: {reads: [look_*]}}\n') },
      'mcp__own: these tools only read and need no question: look_*',
    ],
    [
      'a phrase, and a command that the engine runs',
      { 'modes.yaml': modes('{to: two, triggers: [go], require: [{run: make x}]}') },
      '.claude/modes.yaml: one → two {require: [{run: make x, ',
    ],
  ])('shows %s', (_, files, line) => {
    const lines = trustText(told(files), null, 'sha256:0').split('\n');
    expect(lines.filter((one) => one.startsWith(line))).toHaveLength(1);
  });

  test.each<[what: string, before: TrustedContent | null]>([
    ['without anything before', null],
    ['against what was there', told({})],
  ])('leaves nothing out and cuts nothing, %s', (_, before) => {
    const allow = Array.from({ length: 500 }, (__, at) => `Write(${'x'.repeat(at)}/y)`);
    const text = trustText(told({ 'settings.one.json': rules({ allow }) }), before, 'sha256:0');
    for (const rule of allow) expect(text).toContain(rule);
  });

  test.each(presets)('fits into one answer of the client for the preset %s', (preset) => {
    const folder = `examples/${preset}/.claude`;
    const files = readdirSync(folder).filter((name) => statSync(`${folder}/${name}`).isFile());
    const one = told(Object.fromEntries(files.map((name) => [name, readFileSync(`${folder}/${name}`, 'utf8')])));
    expect(trustText(one, null, '').length).toBeLessThan(longestAnswer / 2);
  });

  test.each<[what: string, rule: string, shown: string]>([
    ['a blank without width', 'Bash(rm\u200b:*)', 'Bash(rm\\u{200b}:*)'],
    ['marks of direction', 'Write(a\u200f/b\u061c)', 'Write(a\\u{200f}/b\\u{61c})'],
    ['a blank that is none', 'Bash(npm\u00a0test)', 'Bash(npm\\u{a0}test)'],
    ['tags', 'Write(a\u{e0061})', 'Write(a\\u{e0061})'],
    ['a line end', 'Bash(a\nb)', 'Bash(a\\u{a}b)'],
    ['a letter that looks like another', 'Write(sr\u0441/**)', 'Write(sr\\u{441}/**)'],
    ['word of another language', 'Write(код/données/コード)', 'Write(код/données/コード)'],
  ])('hides no %s', (_, rule, shown) => {
    const one = told({ 'settings.one.json': rules({ deny: [rule], allow: [rule] }) });
    expect(trustText(one, told({}), 'sha256:0')).toContain(`deny ${shown}`);
    expect(trustText(one, null, 'sha256:0')).toContain(`allows ${shown}`);
  });

  test('shows the changes otherwise', () => {
    expect(trustText(told({}), told(base), 'sha256:0').split('\n').slice(1)).toEqual([
      '- .claude/settings.one.json: allow Write(a)',
      '- .claude/settings.one.json: deny Bash(rm:*)',
    ]);
  });
});
