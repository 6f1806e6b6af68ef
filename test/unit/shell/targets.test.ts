// Commands that are said to write only what they name are really run: nothing else may have changed.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BashTarget } from '../../../src/model/command.ts';
import { analyse } from '../../../src/shell/analyse.ts';
import { putFile } from '../../support/files.ts';
import { readTexts } from './corpora.ts';
import { type Fixture, runIn } from './fixture.ts';

const files: Record<string, string> = {
  'work/a.txt': 'seed alpha\nbeta 2\ngamma 3\n',
  'work/b.txt': 'beta 2\nseed b\n',
  'work/c.log': 'error one\n',
  'work/data.json': '{"k": 1}\n',
  'work/nums.txt': '3\n1\n2\n',
  'work/src/app.js': 'seed\n',
  'work/src/util.ts': 'export const x = 1;\n',
  'work/docs/guide.md': '# Guide\n',
  'work/-delete': 'a name that looks like an option\n',
  'work/script.sh': '#!/bin/sh\n',
  'home/.keep': '',
};

let folder: string;
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'modes-targets-'));
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

let made = 0;
function makeTree(): Fixture {
  const root = path.join(folder, String(made++));
  for (const [name, text] of Object.entries(files)) {
    putFile(path.join(root, name), text);
  }
  return {
    root,
    cwd: path.join(root, 'work'),
    home: path.join(root, 'home'),
    remove: () => fs.rmSync(root, { recursive: true }),
  };
}

/** What stands below a folder: kind, mode and contents of each name. */
function contents(root: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const name of fs.readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    const full = path.join(root, name);
    const stat = fs.lstatSync(full);
    const held = stat.isSymbolicLink() ? fs.readlinkSync(full) : stat.isFile() ? fs.readFileSync(full, 'latin1') : '';
    found.set(full, `${stat.mode} ${held}`);
  }
  return found;
}

function changes(before: Map<string, string>, after: Map<string, string>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter((name) => before.get(name) !== after.get(name));
}

/** The glob, and everything below what it finds. */
function globOf(text: string): RegExp {
  const source = text
    .replace(/[.+^$()|{}\\]/g, '\\$&')
    .replace(/\*/g, '[^/]*')
    .replace(/\?/g, '[^/]');
  return new RegExp(`^${source}(?:/.*)?$`, 's');
}

/** Folders above a target are made where they are missing. */
function isNamed(name: string, isNew: boolean, { path: written, extent }: BashTarget): boolean {
  const target = path.normalize(written).replace(/(.)\/$/, '$1');
  if (isNew && target.startsWith(`${name}/`)) return true;
  if (extent === 'glob') return globOf(target).test(name);
  return name === target || (extent === 'deep' && name.startsWith(`${target}/`));
}

describe('a command writes the named target', () => {
  test.each(readTexts('written.jsonl'))('%j', (command) => {
    const tree = makeTree();
    const facts = analyse(command, { cwd: tree.cwd, home: tree.home });
    // What is not understood may write anywhere, and is not run.
    if (facts.class !== 'writes' && facts.class !== 'read-only') return expect(facts.class).toMatch(/^(?:runs|unknown)$/);
    const before = contents(tree.root);
    runIn(tree, command);
    const changed = changes(before, contents(tree.root));
    expect(changed.filter((name) => !facts.writes.some((target) => isNamed(name, !before.has(name), target)))).toEqual([]);
    tree.remove();
  });
});
