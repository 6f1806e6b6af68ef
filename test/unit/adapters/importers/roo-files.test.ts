// Files beside .roomodes that are called, or lie, as nobody expects.
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { importRoo } from '../../../../src/adapters/importers/roo-import.ts';
import type { Transfer } from '../../../../src/adapters/importers/types.ts';
import { leftOf, projectWith, takeOver } from './project.ts';

const ROOMODES = 'customModes: [{slug: code, name: Code, roleDefinition: You write., groups: [read, edit, command, mcp]}]\n';
const take = (root: string): Transfer => importRoo(root) as Transfer;

test.each([['.roo'], ['.roo/rules-code']])('%s is a link: nothing below it is read, and it is reported', (name) => {
  const { root, home } = projectWith({ '.roomodes': ROOMODES });
  const folder = path.join(home, 'else');
  const rules = name === '.roo' ? path.join(folder, 'rules-code') : folder;
  fs.mkdirSync(rules, { recursive: true });
  fs.writeFileSync(path.join(rules, 'a.md'), 'secret\n');
  fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
  fs.symlinkSync(folder, path.join(root, name));
  const transfer = take(root);
  expect(JSON.stringify(transfer.files)).not.toContain('secret');
  expect(leftOf(transfer)).toContain(
    '.roo/rules-code: it is a symbolic link, which could lead anywhere. Nothing in it was read.',
  );
});

test('a file that a person names may be a link', () => {
  const { root, home } = projectWith({});
  fs.mkdirSync(path.join(home, 'else'));
  fs.writeFileSync(path.join(home, 'else/all.yaml'), ROOMODES);
  fs.symlinkSync('../else', path.join(root, 'shared'));
  expect(importRoo(root, 'shared/all.yaml')).toMatchObject({ sources: ['shared/all.yaml'], faults: [] });
});

test('rules beyond the limit are reported', () => {
  const names = Array.from({ length: 502 }, (_, at) => `.roo/rules-code/${String(at).padStart(3, '0')}.md`);
  const { root } = projectWith({ '.roomodes': ROOMODES, ...Object.fromEntries(names.map((name) => [name, 'rule\n'])) });
  expect(leftOf(take(root))).toContain('.roo/rules-code: it contains more than 500 files. The last 2 were left out.');
});

test('a name that is too long for a file is cut, and its order stays', async () => {
  const long = (letter: string): string => `.roo/rules-code/${letter.repeat(200)}/${'ü'.repeat(120)}.md`;
  const project = projectWith({ '.roomodes': ROOMODES, [long('b')]: 'second\n', [long('a')]: 'first\n' });
  const { transfer } = await takeOver(project, take);
  const rules = transfer.files.filter(({ name }) => name.startsWith('.claude/modes/code/'));
  expect(rules.map(({ text }) => text)).toEqual(['first\n', 'second\n']);
  expect([...rules.map(({ name }) => name)].sort()).toEqual(rules.map(({ name }) => name));
});

test('an invisible character in .rooignore matches any character', async () => {
  const project = projectWith({ '.roomodes': ROOMODES, '.rooignore': 'a\u202eb\n' });
  const { problems, decide } = await takeOver(project, take);
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(['a\u202eb', 'ab'].map((name) => decide(`Read(${name})`, 'code'))).toEqual(['deny', 'pass']);
});

test('a space in front of a line of .rooignore belongs to the name', async () => {
  const project = projectWith({ '.roomodes': ROOMODES, '.rooignore': ' secret\n\ttabbed\n' });
  const { problems, decide } = await takeOver(project, take);
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect([' secret', '\ttabbed', 'secret'].map((name) => decide(`Read(${JSON.stringify({ file_path: name })})`, 'code'))).toEqual(
    ['deny', 'deny', 'pass'],
  );
});
