// A fingerprint sees every change that loading would see.
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfiguration } from '../../../src/config/load.ts';
import { type Fingerprint, fingerprint, isUnchanged } from '../../../src/config/survey.ts';
import { makeFolder, makeProject, TWO_MODES } from './project.ts';

const FILES = {
  '.claude/modes.yaml': TWO_MODES,
  '.claude/settings.idle.json': '{}',
  '.claude/modes/idle/a.md': 'x',
  '.claude/policies/a/b.rego': 'x',
};
/** Whole seconds, so that a file can be given exactly the same time again. */
const OLD = 1_000_000_000;
/** An hour from now, so that nothing is young. */
const later = () => Date.now() + 3_600_000;

function observe(root: string, change: () => void): [before: Fingerprint, after: Fingerprint] {
  const before = fingerprint(root, fs, later);
  change();
  return [before, fingerprint(root, fs, later)];
}

describe('a fingerprint', () => {
  it('names every file that loading reads, and the missing ones', () => {
    const root = makeProject(FILES);
    const names = fingerprint(root).entries.map((entry) => entry.name);
    for (const { name } of loadConfiguration(root).files) expect(names).toContain(name);
    for (const name of ['.claude', '.claude/modes', '.claude/modes/idle', '.claude/policies', '.claude/policies/a'])
      expect(names).toContain(name);
    expect(fingerprint(makeFolder()).entries).toEqual([
      { name: '.claude', state: 'ENOENT' },
      { name: '.claude/modes.yaml', state: 'ENOENT' },
    ]);
  });

  it('stays the same while nothing changes', () => {
    const root = makeProject(FILES);
    const [before, after] = observe(root, () => {
      loadConfiguration(root);
      fs.writeFileSync(join(root, 'other.txt'), 'not of the configuration');
    });
    expect(isUnchanged(before, after)).toBe(true);
  });

  it.each<[string, (root: string) => void]>([
    ['a file that is written in place', (root) => fs.writeFileSync(join(root, '.claude/settings.idle.json'), '[]')],
    ['a file that is appended to', (root) => fs.appendFileSync(join(root, '.claude/modes.yaml'), '#')],
    [
      'a file that is replaced',
      (root) => {
        fs.writeFileSync(join(root, 'new'), '{}');
        fs.renameSync(join(root, 'new'), join(root, '.claude/settings.idle.json'));
      },
    ],
    [
      'a file that is replaced and given the old times',
      (root) => {
        const path = join(root, '.claude/settings.idle.json');
        fs.writeFileSync(path, '[]');
        fs.utimesSync(path, OLD, OLD);
      },
    ],
    ['a new settings file', (root) => fs.writeFileSync(join(root, '.claude/settings.work.json'), '{}')],
    ['a settings file that is gone', (root) => fs.rmSync(join(root, '.claude/settings.idle.json'))],
    ['new instructions', (root) => fs.writeFileSync(join(root, '.claude/modes/idle/b.md'), 'x')],
    ['a new folder of instructions', (root) => fs.mkdirSync(join(root, '.claude/modes/work'))],
    ['a policy deep down', (root) => fs.writeFileSync(join(root, '.claude/policies/a/b.rego'), 'y')],
    ['a new policy deep down', (root) => fs.writeFileSync(join(root, '.claude/policies/a/c.rego'), 'y')],
    [
      'a whole .claude that is replaced',
      (root) => {
        fs.cpSync(join(root, '.claude'), join(root, 'copy'), { recursive: true });
        fs.rmSync(join(root, '.claude'), { recursive: true });
        fs.renameSync(join(root, 'copy'), join(root, '.claude'));
      },
    ],
    ['a .claude that is gone', (root) => fs.rmSync(join(root, '.claude'), { recursive: true })],
  ])('changes with %s', (_, change) => {
    const root = makeProject(FILES);
    for (const name of Object.keys(FILES)) fs.utimesSync(join(root, name), OLD, OLD);
    const [before, after] = observe(root, () => change(root));
    expect(isUnchanged(before, after)).toBe(false);
  });

  it('changes with the target of a link', () => {
    const root = makeProject({ ...FILES, 'shared.json': '{}', 'other.json': '{}' });
    const link = join(root, '.claude/settings.work.json');
    fs.symlinkSync('../shared.json', link);
    const [before, after] = observe(root, () => fs.writeFileSync(join(root, 'shared.json'), '[]'));
    expect(isUnchanged(before, after)).toBe(false);
    const [first, second] = observe(root, () => {
      fs.rmSync(link);
      fs.symlinkSync('../other.json', link);
    });
    expect(isUnchanged(first, second)).toBe(false);
  });

  it('taken at the moment of a change is not trusted, since a second change could leave the same times', () => {
    const root = makeProject(FILES);
    const changed = Math.max(...Object.keys(FILES).map((name) => fs.statSync(join(root, name)).ctimeMs));
    const young = fingerprint(root, fs, () => changed + 5);
    const settled = fingerprint(root, fs, () => changed + 100);
    const ahead = fingerprint(root, fs, () => changed - 60_000);
    expect(isUnchanged(ahead, settled)).toBe(false);
    expect(young.entries).toEqual(settled.entries);
    expect([isUnchanged(young, settled), isUnchanged(settled, young)]).toEqual([false, true]);
  });

  it('of files with a future time detects a change, and is trusted otherwise', () => {
    const root = makeProject(FILES);
    const file = join(root, '.claude/modes.yaml');
    fs.utimesSync(file, new Date(2100, 0), new Date(2100, 0));
    const before = fingerprint(root, fs, later);
    expect(isUnchanged(before, fingerprint(root, fs, later))).toBe(true);
    fs.writeFileSync(file, fs.readFileSync(file));
    expect(isUnchanged(before, fingerprint(root, fs, later))).toBe(false);
  });

  it('of a missing project stays the same', () => {
    const root = join(makeFolder(), 'nowhere');
    expect(isUnchanged(fingerprint(root), fingerprint(root))).toBe(true);
  });
});
