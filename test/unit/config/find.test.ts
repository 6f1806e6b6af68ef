// Which project a session is in, and whether it is governed.

import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { governedMarker } from '../../../src/platform/data-folder.ts';
import { findProject, type SearchContext } from '../../../src/store/find-project.ts';
import { putFile, temporaryFolder } from '../../support/files.ts';

const made: string[] = [];
afterEach(() => {
  for (const folder of made.splice(0)) fs.rmSync(folder, { recursive: true, force: true });
});

interface Fixture {
  top: string;
  home: string;
  around: SearchContext;
  put(name: string): string;
  find(start: string): { root: string; layer: string; vanished: boolean } | null;
}

function fixture(): Fixture {
  const top = temporaryFolder('modes-find-');
  made.push(top);
  const home = path.join(top, 'home/ann');
  fs.mkdirSync(home, { recursive: true });
  const around = {
    home,
    configFolder: path.join(home, '.claude'),
    dataFolder: path.join(home, '.claude/modes-data'),
    managedFolders: [path.join(top, 'etc')],
  };
  const at = (name: string) => path.join(top, name);
  return {
    top,
    home,
    around,
    put(name) {
      putFile(at(name), '');
      return at(name);
    },
    find(start) {
      const found = findProject(at(start), around);
      return found && { root: found.root.slice(top.length + 1), layer: found.layer, vanished: found.vanished };
    },
  };
}
const govern = ({ around }: Fixture, root: string) => {
  const marker = governedMarker(around.dataFolder, root);
  putFile(marker, '');
};

describe('findProject', () => {
  test('nothing anywhere: not governed', () => {
    const at = fixture();
    fs.mkdirSync(`${at.home}/work`);
    expect(at.find('home/ann/work')).toBeNull();
    expect(at.find('home/ann/gone')).toBeNull();
  });

  test('the folder itself, and the nearest one upwards, through a repository of its own [s:project.nearest] [s:project.git]', () => {
    const at = fixture();
    at.put('home/ann/work/.claude/modes.yaml');
    at.put('home/ann/work/sub/.git/config');
    at.put('home/ann/work/sub/inner/.claude/modes.yaml');
    const project = { layer: 'project', vanished: false };
    expect(at.find('home/ann/work')).toEqual({ root: 'home/ann/work', ...project });
    expect(at.find('home/ann/work/sub')).toEqual({ root: 'home/ann/work', ...project });
    expect(at.find('home/ann/work/sub/gone/deep')).toEqual({ root: 'home/ann/work', ...project });
    fs.mkdirSync(`${at.home}/work/sub/inner/x`);
    expect(at.find('home/ann/work/sub/inner/x')).toEqual({ root: 'home/ann/work/sub/inner', ...project });
  });

  test('the home folder is no project, but a folder above it may be [s:project.home]', () => {
    const at = fixture();
    at.put('home/.claude/modes.yaml');
    fs.mkdirSync(`${at.home}/work`);
    expect(at.find('home/ann/work')).toMatchObject({ root: 'home', layer: 'project' });
    fs.rmSync(`${at.top}/home/.claude`, { recursive: true });
    at.put('home/ann/.claude/modes.yaml');
    expect(at.find('home/ann/work')).toEqual({ root: 'home/ann/work', layer: 'user', vanished: false });
    expect(at.find('home/ann')).toMatchObject({ layer: 'user' });
  });

  test('a project outside the home folder, and one whose own folder is a link', () => {
    const at = fixture();
    at.put('srv/work/.claude/modes.yaml');
    fs.symlinkSync(`${at.top}/srv/work`, `${at.home}/link`);
    expect(at.find('srv/work')).toMatchObject({ root: 'srv/work' });
    expect(at.find('home/ann/link')).toMatchObject({ root: 'srv/work' });
  });

  test.each(['a folder', 'a link to nothing', 'a link'])('modes.yaml being %s governs as well', (what) => {
    const at = fixture();
    const file = `${at.home}/work/.claude/modes.yaml`;
    fs.mkdirSync(path.dirname(file), { recursive: true });
    if (what === 'a folder') fs.mkdirSync(file);
    else fs.symlinkSync(what === 'a link' ? at.put('real.yaml') : 'gone', file);
    expect(at.find('home/ann/work')).toMatchObject({ root: 'home/ann/work', vanished: false });
  });

  test('a folder that was governed before stays so, even when it is gone [s:project.governed-before]', () => {
    const at = fixture();
    govern(at, `${at.home}/work`);
    expect(at.find('home/ann/work/sub')).toEqual({ root: 'home/ann/work', layer: 'project', vanished: true });
    at.put('home/ann/work/sub/.claude/modes.yaml');
    expect(at.find('home/ann/work/sub')).toMatchObject({ root: 'home/ann/work/sub', vanished: false });
  });

  test('a file called .claude on the way is no project and no crash', () => {
    const at = fixture();
    at.put('home/ann/work/.claude');
    at.put('home/ann/.claude');
    expect(at.find('home/ann/work')).toBeNull();
    at.put('home/.claude/modes.yaml');
    expect(at.find('home/ann/work')).toMatchObject({ root: 'home' });
  });

  test('the organization comes before the user, a project before both [s:project.governed]', () => {
    const at = fixture();
    at.put('home/ann/.claude/modes.yaml');
    at.put('etc/modes/modes.yaml');
    fs.mkdirSync(`${at.home}/work`);
    expect(at.find('home/ann/work')).toMatchObject({ layer: 'managed' });
    at.put('home/ann/work/.claude/modes.yaml');
    expect(at.find('home/ann/work')).toMatchObject({ layer: 'project' });
  });

  test.each(["it's", 'a "b"', 'new\nline', '$HOME `x`', 'x'.repeat(200)])('a folder called %j', (name) => {
    const at = fixture();
    at.put(`home/ann/${name}/.claude/modes.yaml`);
    expect(at.find(`home/ann/${name}`)).toMatchObject({ root: `home/ann/${name}` });
  });

  test('a session stays in its project until the project is no longer governed [s:project.first-event]', () => {
    const at = fixture();
    const begun = { root: `${at.home}/work`, folder: `${at.home}/work/.claude`, layer: 'project' } as const;
    at.put('home/ann/work/.claude/modes.yaml');
    at.put('home/ann/work/near/.claude/modes.yaml');
    const find = (from: string) => findProject(`${at.home}/${from}`, at.around, begun)?.root.slice(at.home.length + 1) ?? null;
    expect([find('work/near'), find('work')]).toEqual(['work', 'work']);
    fs.rmSync(`${at.home}/work/.claude/modes.yaml`);
    expect([find('work/near'), find('work')]).toEqual(['work/near', null]);
    govern(at, `${at.home}/work`);
    expect([find('work/near'), find('work')]).toEqual(['work', 'work']);
    expect(find('elsewhere')).toBeNull();
  });

  test('a folder of another owner is reported [s:project.owner]', () => {
    const at = fixture();
    at.put('home/ann/work/.claude/modes.yaml');
    const find = () => findProject(`${at.home}/work`, at.around);
    expect(find()?.foreign).toBe(false);
    if (process.getuid?.() !== 0) return;
    // Only root can give a folder away.
    fs.chownSync(`${at.home}/work/.claude`, 12345, 12345);
    expect(find()?.foreign).toBe(true);
  });
});
