// Settings of others that would speak for us, answer our dialogs, or silence our hooks.
import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { findDisabled, findForeign, settingsFiles } from '../../../src/mcp/foreign.ts';
import { makeTree, type Tree } from '../tools/tree.ts';

const file = (tree: Tree, name: string) => name.replace('~', tree.home).replace(/^\/etc/, `${tree.top}/etc`);
const places = [
  '.claude/settings.json',
  '.claude/settings.local.json',
  '~/.claude/settings.json',
  '/etc/claude-code/managed-settings.json',
];
const dialogHook = '{"hooks":{"Elicitation":[{"hooks":[{"type":"command","command":"x"}]}]}}';

describe('findForeign', () => {
  test.each(places)('looks into %s', (name) => {
    const tree = makeTree();
    expect(findForeign(tree.place())).toEqual([]);
    const at = tree.file(file(tree, name), dialogHook);
    expect(findForeign(tree.place())).toEqual([{ file: at, what: expect.stringContaining('Elicitation') }]);
  });

  test.each<[string, number]>([
    ['{}', 0],
    ['', 0],
    ['null', 0],
    ['[]', 0],
    ['{"hooks":null}', 0],
    ['{"hooks":[]}', 0],
    ['{"permissions":{"allow":["Elicitation"]}}', 0],
    ['{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"lint"}]}]}}', 0],
    ['{"hooks":{"Elicitation":[]}}', 1],
    ['{"hooks":{"ElicitationResult":[]}}', 1],
    ['{"hooks":{"Elicit\\u0061tion":[]}}', 1],
    ['{"hooks":{"Stop":[{"hooks":[{"type":"mcp_tool","server":"plugin:modes:modes","tool":"hook"}]}]}}', 1],
    ['{"hooks":{"Stop":[{"hooks":[{"type":"mcp_tool","server":"plugin:modes:m\\u006fdes","tool":"hook"}]}]}}', 1],
    ['// a comment\n{"hooks":{"Elicitation":[]}}', 1],
    ['// a comment\n{"hooks":{"Elicit\\u0061tion":[]}}', 1],
    ['{"hooks":{"Elicitation":[],}}', 1],
    ['{"hooks":{"Elicitation":[', 1],
    ['not json "Elicitation" at all', 1],
    ['broken { plugin:modes:modes', 1],
    ['\ufeff{"hooks":{"Elicitation":[]}}', 1],
  ])('%j has %d', (text, count) => {
    const tree = makeTree();
    tree.file('.claude/settings.json', text);
    expect(findForeign(tree.place())).toHaveLength(count);
  });

  test.each<[string, (at: string) => void]>([
    ['too large', (at) => fs.writeFileSync(at, `{"x":"${'x'.repeat(1_100_000)}"}`)],
    ['a folder', (at) => fs.mkdirSync(at)],
    ['a file without end', (at) => fs.symlinkSync('/dev/zero', at)],
    ['a link in a circle', (at) => fs.symlinkSync('settings.json', at)],
  ])('settings that are %s count as foreign, since the client might read them', (_, make) => {
    const tree = makeTree();
    tree.folder('.claude');
    make(`${tree.root}/.claude/settings.json`);
    expect(findForeign(tree.place())).toEqual([expect.objectContaining({ what: expect.stringContaining('cannot be read') })]);
    expect(findDisabled(tree.place(), null)).toHaveLength(1);
  });

  test('a link to nothing and a file in the way are no settings', () => {
    const tree = makeTree();
    tree.link('.claude/settings.json', 'gone');
    tree.file(`${tree.home}/.claude`);
    expect(findForeign(tree.place())).toEqual([]);
  });
});

describe('findDisabled', () => {
  test.each<[string, boolean]>([
    ['{"disableAllHooks":true}', true],
    ['{"disableAllHooks":false}', false],
    ['{"disableAllHooks":"true"}', false],
    ['{"disableAllHooks":1}', false],
    ['{"x":{"disableAllHooks":true}}', false],
    ['{"disable\\u0041llHooks":true}', true],
    ['{"disableAllHooks":false,"disableAllHooks":true}', true],
    ['// c\n{"disableAllHooks":true}', true],
    ['{"disableAllHooks" : true, "broken', true],
    ['null', false],
    ['', false],
  ])('%j: %s', (text, disabled) => {
    const tree = makeTree();
    const at = tree.file('.claude/settings.local.json', text);
    expect(findDisabled(tree.place(), null)).toEqual(disabled ? [at] : []);
  });

  test('looks at the changed file wherever it is', () => {
    const tree = makeTree();
    const at = tree.file('elsewhere.json', '{"disableAllHooks":true}');
    expect(findDisabled(tree.place(), null)).toEqual([]);
    expect(findDisabled(tree.place(), at)).toEqual([at]);
    expect(findDisabled(tree.place(), `${tree.root}/gone`)).toEqual([]);
  });
});

test('settings are looked for from the most authoritative on', () => {
  const tree = makeTree();
  expect(settingsFiles(tree.place()).map((name) => name.slice(tree.top.length))).toEqual([
    '/etc/claude-code/managed-settings.json',
    '/home/.claude/settings.json',
    '/home/work/.claude/settings.json',
    '/home/work/.claude/settings.local.json',
  ]);
});
