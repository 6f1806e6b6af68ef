// Roo Code's modes as ours, and back.
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { exportRoo } from '../../../../src/adapters/importers/roo-export.ts';
import { importRoo } from '../../../../src/adapters/importers/roo-import.ts';
import type { RooGroup, RooMode } from '../../../../src/adapters/importers/roo-modes.ts';
import { readRoo } from '../../../../src/adapters/importers/roo-read.ts';
import type { Transfer } from '../../../../src/adapters/importers/types.ts';
import { loadConfiguration } from '../../../../src/config/load.ts';
import { makeProject } from '../../../support/project.ts';
import { leftOf, projectWith, type TakenOver, takeOver, textOf } from './project.ts';

const ROOMODES = `\ufeffcustomModes:
  - slug: test
    name: 🧪 Test
    roleDefinition: |
      You are a specialist for tests.
      You write them first.
    whenToUse: Tests are to be written.
    groups:
      - read
      - browser
      - command
      - edit:
          fileRegex: (__tests__/.*|__mocks__/.*|\\.test\\.(ts|tsx|js|jsx)$|/test/.*|vitest\\.config\\.(js|ts)$)
          description: Test files, mocks, and Vitest configuration
    customInstructions: |
      Always use describe and it.
  - slug: docs
    name: Docs
    roleDefinition: You write documentation.
    description: Markdown only.
    groups:
      - read
      - - edit
        - fileRegex: '^docs/.*\\.mdx?$'
          description: documentation
  - slug: fixer
    name: Fixer
    roleDefinition: You mend.
    groups: [read, edit, command, mcp, modes]
  - slug: ask
    name: Ask, and run
    roleDefinition: You answer.
    groups: [read, command]
  - slug: 2nd
    name: Second
    roleDefinition: You come second.
    groups: [read]
  - slug: any
    name: Any
    roleDefinition: You do anything.
    groups: [read]
`;

const FILES: Record<string, string> = {
  '.roomodes': ROOMODES,
  '.roo/rules-test/b.md': 'B\n',
  '.roo/rules-test/a.md': 'A\n',
  '.roo/rules-docs/deep/one.txt': 'deep\n',
  '.roo/rules-docs/deep/two.md': 'two\n',
  '.roo/rules-docs/.DS_Store': 'x',
  '.roo/rules/all.md': 'for all\n',
  '.roorules-fixer': 'old\n',
  '.clinerules-fixer': 'older\n',
  '.rooignore': '# secrets\n.env*\n!.env.example\n/private/\n{a,b}.txt\n',
};

describe('a project of Roo', () => {
  let taken: TakenOver;
  beforeAll(async () => {
    taken = await takeOver(projectWith(FILES), importRoo);
  });

  test('is a configuration without a problem', () => expect(taken.problems).toEqual([]));

  test('has exactly the modes of its file, and begins in the first', () => {
    const { topology } = taken.configuration;
    expect(topology?.default).toBe('test');
    expect([...(topology?.modes.keys() ?? [])]).toEqual(['test', 'docs', 'fixer', 'ask', 'mode-2nd', 'mode-any']);
    expect(topology?.modes.get('test')).toMatchObject({
      title: '🧪 Test',
      role: 'You are a specialist for tests.\nYou write them first.',
      whenToUse: 'Tests are to be written.',
      transitions: [{ to: '*', approve: 'human' }],
    });
  });

  test('gives each mode the instructions of Roo, in the same order', () => {
    const told = (mode: string) => taken.configuration.instructions.get(mode)?.map(({ text }) => text);
    expect(told('test')).toEqual(['Always use describe and it.', 'A', 'B']);
    expect(told('docs')).toEqual(['deep', 'two']);
    expect(told('fixer')).toEqual(['old']);
    expect(told('ask')).toBeUndefined();
  });

  // The column says what Roo 3.52 lets a mode do, by its own groups and expressions.
  test.each<[mode: string, call: string, decision: string]>([
    ['test', 'Write(src/__tests__/a.ts)', 'pass'],
    ['test', 'Write(src/a.test.ts)', 'pass'],
    ['test', 'Write(vitest.config.ts)', 'pass'],
    ['test', 'Write(src/a.ts)', 'deny'],
    ['test', 'Edit(src/a.ts)', 'deny'],
    ['test', 'Read(src/a.ts)', 'pass'],
    ['test', 'Bash(npm test)', 'ask'],
    ['test', 'Bash(ls)', 'pass'],
    ['test', 'WebFetch(https://example.org/)', 'deny'],
    ['test', 'mcp__db__query({})', 'deny'],
    ['docs', 'Write(docs/a.md)', 'pass'],
    ['docs', 'Write(docs/a.mdx)', 'pass'],
    ['docs', 'Write(docs/a.ts)', 'deny'],
    ['docs', 'Write(src/docs/a.md)', 'deny'],
    ['docs', 'Bash(ls)', 'deny'],
    ['fixer', 'Write(src/a.ts)', 'pass'],
    // What may write anywhere could write what Roo protects, which it asks about.
    ['fixer', 'Bash(make)', 'ask'],
    ['fixer', 'mcp__db__query({})', 'ask'],
    ['fixer', 'Agent(Explore)', 'pass'],
    ['ask', 'Write(src/a.ts)', 'deny'],
    ['ask', 'Bash(ls)', 'pass'],
    ['fixer', 'Write(.roomodes)', 'ask'],
    ['fixer', 'Write(.roo/rules/all.md)', 'ask'],
    ['fixer', 'Read(.env)', 'deny'],
    ['fixer', 'Write(.env.local)', 'deny'],
    ['fixer', 'Bash(cat .env)', 'deny'],
    ['fixer', 'Read(private/key)', 'deny'],
    ['fixer', 'Read(src/private/key)', 'pass'],
    ['fixer', 'Read(a.txt)', 'pass'],
    ['fixer', 'Read({"file_path": "{a,b}.txt"})', 'deny'],
    ['fixer', 'Bash(git status)', 'pass'],
    ['mode-2nd', 'Write(a.md)', 'deny'],
    // Roo reads the path as it was written; here it is the file that counts.
    ['test', 'Write(src/test/../a.ts)', 'deny'],
    // Roo holds no command to the expression.
    ['test', 'Bash(sed -i s/a/b/ src/a.ts)', 'deny'],
  ])('%s: %s is %s', (mode, call, decision) => expect(taken.decide(call, mode)).toBe(decision));

  test('lists the parts that could not be imported', () => {
    const left = leftOf(taken.transfer).join('\n');
    for (const part of [
      'test: browser: Roo no longer has a browser tool',
      '2nd: this is not a valid name for a mode. It was renamed to mode-2nd.',
      'any: this is not a valid name for a mode. It was renamed to mode-any.',
      '.rooignore: !.env.example is an exception',
      '.roo/rules/all.md: it applies in every mode. To give it to the model in every mode, add @.roo/rules/all.md to CLAUDE.md.',
      'docs: the rules file deep/one.txt was moved or renamed. It is now .claude/modes/docs/deep--one.txt.md.',
      "Roo's built-in modes are not in it: architect, code, debug, orchestrator. They were left out",
    ])
      expect(left).toContain(part);
    expect(taken.transfer.faults).toEqual([]);
  });
});

test('a fault affects only its mode, and a group without limits there is closed here', async () => {
  const text = stringify({
    customModes: [
      { slug: 'ok', name: 'Ok', roleDefinition: 'You are.', groups: ['read'] },
      { slug: 'ok', name: 'Twice', roleDefinition: 'You are.', groups: ['edit'] },
      { slug: 'no name', name: 'x', roleDefinition: 'x', groups: [] },
      { name: 'x', roleDefinition: 'x', groups: [] },
      { slug: 'norole', name: 'x', groups: [] },
      { slug: 'nogroups', name: 'x', roleDefinition: 'x', groups: 'read' },
      'mode',
      {
        slug: 'odd',
        name: 'Odd',
        roleDefinition: 'You are.',
        groups: ['read', ['edit', { fileRegexp: '\\.md$' }], 'command', 'command', 'fly', ['mcp', 7], { edit: {}, read: {} }],
        color: 'red',
      },
      { slug: 'ahead', name: 'x', roleDefinition: 'x', groups: [['edit', { fileRegex: '^(?!src/).*$' }]] },
      {
        slug: 'broken',
        name: 'x',
        roleDefinition: 'x',
        groups: [
          ['edit', { fileRegex: '(' }],
          ['read', { fileRegex: 'x' }],
        ],
      },
      { slug: 'empty', name: 'x', roleDefinition: 'x', groups: ['read', ['edit', { fileRegex: '' }]] },
      { slug: 'blind', name: 'x', roleDefinition: 'x', groups: ['edit'] },
    ],
  });
  const taken = await takeOver(projectWith({ '.roomodes': text }), importRoo);
  expect(taken.transfer.faults).toEqual([
    { at: '.roomodes, mode 2 (ok)', what: 'another mode has the same slug' },
    { at: '.roomodes, mode 3', what: 'slug "no name" has characters other than letters, digits and -' },
    { at: '.roomodes, mode 4', what: 'slug is missing' },
    { at: '.roomodes, mode 5 (norole)', what: 'roleDefinition is missing' },
    { at: '.roomodes, mode 6 (nogroups)', what: 'groups is not a list' },
    { at: '.roomodes, mode 7', what: 'it is not a mapping' },
  ]);
  expect(taken.problems).toEqual([]);
  const open = (mode: string) =>
    ['Read(a)', 'Write(a.md)', 'Bash(ls)', 'mcp__a__b({})'].filter((call) => taken.decide(call, mode) !== 'deny');
  expect(open('ok')).toEqual(['Read(a)']);
  expect(open('odd')).toEqual(['Read(a)']);
  expect(open('ahead')).toEqual([]);
  expect(open('broken')).toEqual(['Read(a)']);
  expect(open('empty')).toEqual(['Read(a)', 'Write(a.md)']);
  expect(open('blind')).toEqual([]);
  const left = leftOf(taken.transfer).join('\n');
  for (const part of [
    'fileRegexp of edit',
    'color: Roo has no such key',
    '"fly" is not a group',
    'command is in groups twice',
    'RE2 has no lookahead',
  ])
    expect(left).toContain(part);
});

test.each<[what: string, text: string, why: RegExp]>([
  ['no mode at all', 'customModes: 7', /customModes is missing/],
  ['no YAML', 'customModes: [', /no mode can be read/],
  ['an alias bomb', `a: &a [x,x]\nb: &b [*a,*a]\ncustomModes: [${'*b,'.repeat(200)}]`, /no mode can be read/],
])('%s is refused', (_, text, why) => {
  const project = projectWith({ '.roomodes': text });
  expect(importRoo(project.root)).toEqual({ error: expect.stringMatching(why) });
});

test('JSON is read too, and a file that Roo exported with the rules in it', () => {
  const mode = { slug: 'a', name: 'A', roleDefinition: 'You are.', groups: ['read'] };
  expect(readRoo(JSON.stringify({ customModes: [mode] }), 'x').modes).toHaveLength(1);
  const rulesFiles = [
    { relativePath: 'rules-a/one.md', content: 'one' },
    { relativePath: '../../../etc/passwd', content: 'no' },
    { relativePath: '/etc/passwd', content: 'no' },
  ];
  const project = projectWith({ 'mode.yaml': stringify({ customModes: [{ ...mode, rulesFiles }] }) });
  const taken = importRoo(project.root, 'mode.yaml') as Transfer;
  expect(textOf(taken, '.claude/modes/a/one.md')).toBe('one\n');
  expect(taken.files.filter(({ name }) => /passwd|\.\./.test(name))).toEqual([]);
  expect(leftOf(taken).filter((line) => line.includes('rulesFiles'))).toHaveLength(2);
});

const ONE = 'customModes: [{slug: code, name: Code, roleDefinition: You write., groups: [read]}]';

test('rules of a mode that the file does not have are named', () => {
  const files = {
    '.roomodes': ONE,
    '.roo/rules-ask/deep/a.md': 'x\n',
    '.clinerules-debug': 'x\n',
    '.roo/rules-code/a.md': 'x\n',
  };
  const left = leftOf(importRoo(projectWith(files).root) as Transfer).filter((line) => line.includes('rules for the mode'));
  expect(left.map((line) => line.split(':')[0])).toEqual(['.roo/rules-ask', '.clinerules-debug']);
});

test('a file whose name contains a line break is renamed', () => {
  const project = projectWith({ '.roomodes': ONE, '.roo/rules-code/one\n\u202etwo.md': 'x\n' });
  const { files } = importRoo(project.root) as Transfer;
  expect(files.filter(({ text }) => text === 'x\n').map(({ name }) => name)).toEqual(['.claude/modes/code/one two.md']);
});

test('a link is not followed', () => {
  const project = projectWith({ '.roomodes': ROOMODES, 'secret.md': 'secret' });
  fs.mkdirSync(path.join(project.root, '.roo/rules-test'), { recursive: true });
  fs.symlinkSync('../../secret.md', path.join(project.root, '.roo/rules-test/a.md'));
  const taken = importRoo(project.root) as Transfer;
  expect(leftOf(taken).join()).toContain('.roo/rules-test/a.md was not read: it is a symbolic link');
  expect(JSON.stringify(taken.files)).not.toContain('secret');
});

test('rules and comments of existing settings stay', () => {
  const any = '{\n  // ours\n  "permissions": { "deny": ["Read(.env)"], "ask": ["Write(.roomodes)"] }\n}\n';
  const project = projectWith({ '.roomodes': ROOMODES, '.claude/settings.any.json': any });
  const text = textOf(importRoo(project.root) as Transfer, '.claude/settings.any.json');
  expect(text).toContain('// ours');
  expect(text).toContain('"Read(.env)"');
  expect(text.match(/Write\(\.roomodes\)/g)).toHaveLength(1);
});

function exported(root: string): Transfer {
  return exportRoo({ root, home: '/home/none', configuration: loadConfiguration(root) }) as Transfer;
}

const word = fc.stringMatching(/^[a-z][a-z0-9 ,.]{0,20}[a-z]$/);
const maybe = fc.option(word, { nil: null });
const fileRegex = fc.constantFrom(null, '\\.md$', '^docs/', '(a|b)/[^/]+\\.tsx?$', '^src/\\w+-[\\w.-]*$', '\\u00e9$');
const modeOf = (slug: string): fc.Arbitrary<RooMode> =>
  fc
    .record({
      slug: fc.constant(slug),
      name: word,
      roleDefinition: word,
      whenToUse: maybe,
      description: maybe,
      customInstructions: maybe,
      groups: fc.subarray<RooGroup>(['read', 'edit', 'command', 'mcp', 'modes']),
      limit: fileRegex,
      about: maybe,
    })
    .map(({ groups, limit, about, ...mode }) => ({
      ...mode,
      groups: groups.map((name) =>
        name === 'edit' && limit !== null
          ? { name, fileRegex: limit, description: about }
          : { name, fileRegex: null, description: null },
      ),
    }));

const plainMode = ({ groups, ...mode }: RooMode): object => ({
  ...Object.fromEntries(Object.entries(mode).filter(([, value]) => value !== null)),
  groups: groups.map(({ name, fileRegex: limit, description }) =>
    limit === null ? name : [name, { fileRegex: limit, ...(description !== null && { description }) }],
  ),
});

test('an import of an export gives the same modes', () => {
  const { root, put } = makeProject({ example: null });
  const slugs = ['a-b', 'architect', 'zed'];
  fc.assert(
    fc.property(
      fc.tuple(...slugs.map(modeOf)),
      fc.record({ rule: word, hidden: fc.constantFrom('', '.env*\nprivate/\n') }),
      (modes, { rule, hidden }) => {
        fs.rmSync(root, { recursive: true });
        fs.mkdirSync(root);
        put('.roomodes', stringify({ customModes: modes.map(plainMode) }));
        put('.roo/rules-zed/one.md', `${rule}\n`);
        if (hidden !== '') put('.rooignore', hidden);
        const there = importRoo(root) as Transfer;
        for (const { name, text } of there.files) put(name, text);
        for (const name of ['.roomodes', '.rooignore']) fs.rmSync(path.join(root, name), { force: true });
        const back = exported(root);
        const read = readRoo(textOf(back, '.roomodes'), '');
        const trimmed = read.modes.map((mode) => ({ ...mode, customInstructions: mode.customInstructions?.trim() ?? null }));
        expect(trimmed).toEqual(modes);
        expect(textOf(back, '.roo/rules-zed/one.md')).toBe(`${rule}\n`);
        expect(textOf(back, '.rooignore')).toBe(hidden);
      },
    ),
    { numRuns: 15 },
  );
});

test('a mode without tools is named, and so are other keys', async () => {
  const mode = { slug: 'orchestrator', name: 'O', roleDefinition: 'You coordinate.', groups: [] };
  const taken = await takeOver(projectWith({ '.roomodes': stringify({ customModes: [mode], theme: 'dark' }) }), importRoo);
  expect(taken.problems).toEqual([]);
  expect(taken.decide('Read(src/a.ts)', 'orchestrator')).toBe('deny');
  const left = leftOf(taken.transfer).join('\n');
  expect(left).toContain('orchestrator: it delegates work to other modes');
  expect(left).toContain('theme: Roo has no such key');
});

test('a file without a mode is refused', () => {
  const { root } = projectWith({ '.roomodes': stringify({ customModes: [] }) });
  expect(importRoo(root)).toEqual({ error: '.roomodes has no mode, so there is nothing to import.' });
});

describe('our modes in the form of Roo', () => {
  const YAML = `name: x
default: tests
modes:
  tests:
    role: You write tests.
    transitions:
      - to: locked
        require: [{fails: npm test}]
  locked:
    transitions: [{to: files}]
  files:
    groups: [read, command, {edit: {files: ["docs/**", "*.md"], description: words}}]
    transitions: [{to: tests}]
`;
  const modes = () => {
    const project = projectWith({
      '.claude/modes.yaml': YAML,
      '.claude/settings.tests.json': JSON.stringify({
        permissions: { allow: ['Write(test/**)'], deny: ['Write(src/**)', 'Bash(git push:*)'], ask: ['Write(a)'] },
      }),
      '.claude/settings.locked.json': JSON.stringify({
        permissions: { default: 'deny', allow: ['Read(**)', 'Write(notes/*.md)', 'Bash(ls)'] },
      }),
      '.claude/settings.any.json': JSON.stringify({ permissions: { deny: ['Read(.env)'] } }),
      '.claude/CLAUDE.tests.md': 'Say why.\n',
    });
    const back = exported(project.root);
    return { back, read: readRoo(textOf(back, '.roomodes'), '') };
  };

  test('a group on which Roo cannot enforce the rules is left out, and listed', () => {
    const { back, read } = modes();
    const groups = Object.fromEntries(read.modes.map((mode) => [mode.slug, mode.groups.map(({ name }) => name)]));
    expect(groups).toEqual({
      tests: ['read', 'edit', 'mcp', 'modes'],
      locked: ['read', 'edit'],
      files: ['read', 'edit', 'command'],
    });
    const left = leftOf(back).join('\n');
    for (const part of [
      'tests: deny Bash(git push:*). The group command is left out.',
      'requirements of gates',
      'files: limits on writes by commands. Roo limits only its own edits.',
      'calls that need approval',
    ])
      expect(left).toContain(part);
    expect(textOf(back, '.rooignore')).toBe('.env\n');
  });

  test.each<[mode: string, file: string, may: boolean]>([
    ['tests', 'src/a.ts', false],
    ['tests', 'lib/src/a.ts', false],
    ['tests', 'test/a.ts', true],
    ['tests', 'srcs/a.ts', true],
    ['locked', 'notes/a.md', true],
    ['locked', 'notes/deep/a.md', false],
    ['locked', 'src/a.ts', false],
    ['files', 'docs/deep/a.ts', true],
    ['files', 'deep/README.md', true],
    ['files', 'src/a.ts', false],
  ])('%s writes %s there: %s', (mode, file, may) => {
    const expression = modes()
      .read.modes.find(({ slug }) => slug === mode)
      ?.groups.find(({ name }) => name === 'edit')?.fileRegex;
    expect(new RegExp(expression ?? '').test(file)).toBe(may);
  });
});
