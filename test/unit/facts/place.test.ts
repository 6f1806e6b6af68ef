// The folders that a call is judged against, worked out from the environment and the disk.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { configFolderOf, dataFolderOf, placeOf } from '../../../src/facts/paths/place.ts';
import { grantableProtection, protectionOf } from '../../../src/facts/protections/paths.ts';
import { callOf, factsOf, metBy } from '../../support/call.ts';
import { makeTree, type Tree } from '../../support/tree.ts';

const place = (tree: Tree, env: NodeJS.ProcessEnv = {}, root = tree.root, plugin: string | null = null) =>
  placeOf(root, { HOME: tree.home, ...env }, plugin);

describe('the client’s folders', () => {
  test.each<[NodeJS.ProcessEnv, string]>([
    [{ HOME: '/home/ann' }, '/home/ann/.claude'],
    [{ HOME: '/home/ann/' }, '/home/ann/.claude'],
    [{ HOME: '/home/ann', CLAUDE_CONFIG_DIR: '/cfg' }, '/cfg'],
    [{ HOME: '/home/ann', CLAUDE_CONFIG_DIR: '/cfg//x/' }, '/cfg/x'],
    [{ HOME: '/home/ann', CLAUDE_CONFIG_DIR: 'relative' }, '/home/ann/.claude'],
    [{ HOME: '/home/ann', CLAUDE_CONFIG_DIR: '' }, '/home/ann/.claude'],
    [{ HOME: '/home/ann', CLAUDE_CONFIG_DIR: '${CLAUDE_CONFIG_DIR}' }, '/home/ann/.claude'],
    [{ HOME: '/home/ann', CLAUDE_CONFIG_DIR: '/x/${HOME}' }, '/home/ann/.claude'],
    [{ HOME: '/home/ann', CLAUDE_CONFIG_DIR: '/proc/self/cwd/.claude' }, '/home/ann/.claude'],
  ])('%j: %s', (env, folder) => {
    expect(configFolderOf(env)).toBe(folder);
    expect(dataFolderOf(env)).toBe(`${folder}/modes-data`);
  });

  test.each(['', '.', 'home', '/proc/self/cwd', '//proc/self/cwd'])(
    'with the home %j they are in the home folder of the system',
    (HOME) => {
      vi.stubEnv('HOME', HOME);
      onTestFinished(() => void vi.unstubAllEnvs());
      expect(configFolderOf({ HOME })).toBe(path.join(os.userInfo().homedir, '.claude'));
    },
  );

  test('a configuration folder written with a trailing slash is protected', () => {
    const tree = makeTree();
    expect(protectionOf(`${tree.home}/cfg/settings.json`, place(tree, { CLAUDE_CONFIG_DIR: `${tree.home}/cfg/` }))?.effect).toBe(
      'deny',
    );
  });

  test('if the client’s folder is a link, its real path is protected too', () => {
    const tree = makeTree();
    tree.folder('dotfiles/claude');
    fs.symlinkSync(`${tree.root}/dotfiles/claude`, `${tree.home}/.claude`);
    expect(protectionOf(`${tree.root}/dotfiles/claude/settings.json`, place(tree))?.effect).toBe('deny');
  });
});

describe('start files that the environment names', () => {
  test.each<[variable: string, value: string, file: string]>([
    ['ZDOTDIR', 'dots', 'dots/.zshrc'],
    ['BASH_ENV', 'env.sh', 'env.sh'],
    ['ENV', 'env.sh', 'env.sh'],
    ['XDG_CONFIG_HOME', 'cfg', 'cfg/git/config'],
    ['XDG_CONFIG_HOME', 'cfg', 'cfg/curlrc'],
    ['CURL_HOME', 'cfg', 'cfg/.curlrc'],
    ['GIT_CONFIG_GLOBAL', 'git.cfg', 'git.cfg'],
  ])('by %s=%s, %s is denied [s:protect.start]', (variable, value, file) => {
    const tree = makeTree();
    const named = place(tree, { [variable]: `${tree.root}/${value}` });
    expect(protectionOf(`${tree.root}/${file}`, named)?.effect).toBe('deny');
    expect(protectionOf(`${tree.root}/${file}`, place(tree))).toBe(null);
  });

  test('by real path as well [s:protect.start]', () => {
    const tree = makeTree();
    tree.file('dots/env.sh');
    tree.link('env.sh', 'dots/env.sh');
    expect(protectionOf(`${tree.root}/dots/env.sh`, place(tree, { BASH_ENV: `${tree.root}/env.sh` }))?.effect).toBe('deny');
  });

  test('a relative path, or a device, does not count', () => {
    const tree = makeTree();
    expect(place(tree, { ENV: 'production', GIT_CONFIG_GLOBAL: '/dev/null', BASH_ENV: '' }).startFiles).toEqual([]);
  });

  test('a folder that contains one is not removed', () => {
    const tree = makeTree();
    tree.file('scripts/env.sh');
    const named = place(tree, { BASH_ENV: `${tree.root}/scripts/env.sh` });
    expect(metBy(factsOf(callOf('Bash', { command: 'rm -rf scripts' }, tree.root), named))).toBe('deny');
    expect(metBy(factsOf(callOf('Bash', { command: 'rm -rf scripts' }, tree.root), place(tree)))).toBe(null);
  });
});

describe('the project', () => {
  test('is its real path, and the other spelling is known', () => {
    const tree = makeTree();
    const alias = tree.link('../alias', 'work');
    expect(place(tree, {}, alias)).toMatchObject({ root: tree.root, rootAliases: [alias] });
    expect(place(tree, { CLAUDE_PROJECT_DIR: `${alias}/` })).toMatchObject({ root: tree.root, rootAliases: [alias] });
  });

  test('a start folder below it shows the spelling as well', () => {
    const tree = makeTree();
    tree.folder('packages/a');
    const alias = tree.link('../alias', 'work');
    expect(place(tree, { CLAUDE_PROJECT_DIR: `${alias}/packages/a` }).rootAliases).toEqual([alias]);
  });

  test.each(['', 'relative', '/somewhere/else', '/'])('a start folder %j elsewhere does not', (start) => {
    const tree = makeTree();
    expect(place(tree, { CLAUDE_PROJECT_DIR: start }).rootAliases).toEqual([]);
  });

  test('a missing one keeps its name', () => {
    const tree = makeTree();
    expect(place(tree, {}, `${tree.root}/gone/`).root).toBe(`${tree.root}/gone`);
  });

  test('targets of links in .claude are protected, except those that people and agents write', () => {
    const tree = makeTree();
    for (const name of ['conf/modes.yaml', 'conf/rego/a.rego', 'AGENTS.md', 'shared/skill/SKILL.md']) tree.file(name);
    tree.link('.claude/modes.yaml', '../conf/modes.yaml');
    tree.link('.claude/policies', '../conf/rego');
    tree.link('.claude/CLAUDE.md', '../AGENTS.md');
    tree.link('.claude/skills', '../shared/skill');
    tree.link('.claude/out', '/etc');
    const found = place(tree);
    for (const name of ['conf/modes.yaml', 'conf/rego/a.rego', 'conf/rego/new.rego'])
      expect(protectionOf(`${tree.root}/${name}`, found)?.effect, name).toBe('deny');
    for (const name of ['conf/other', 'AGENTS.md', 'shared/skill/SKILL.md'])
      expect(protectionOf(`${tree.root}/${name}`, found), name).toBeNull();
    expect(found.linkTargets.sort()).toEqual([`${tree.root}/conf/modes.yaml`, `${tree.root}/conf/rego`]);
  });

  test('.claude itself being a link, its target is protected', () => {
    const tree = makeTree();
    tree.file('dot/modes.yaml');
    tree.link('.claude', 'dot');
    expect(protectionOf(`${tree.root}/dot/settings.idle.json`, place(tree))?.effect).toBe('deny');
  });

  test('no grant covers the target of the data folder, or keys there [w:grant.never]', () => {
    const tree = makeTree();
    tree.folder('../dots/modes-data');
    tree.link('../.claude', 'dots');
    const found = placeOf(tree.root, { HOME: tree.home }, null);
    for (const name of ['modes-data/x', 'modes.keys.pem']) {
      expect(protectionOf(`${tree.home}/dots/${name}`, found)?.effect, name).toBe('deny');
      expect(grantableProtection(`${tree.home}/dots/${name}`, found), name).toBeNull();
    }
    expect(grantableProtection(`${tree.home}/dots/settings.json`, found)).not.toBeNull();
  });

  test('links that form a cycle or lead to the root protect nothing', () => {
    const tree = makeTree();
    tree.link('.claude/a', 'a');
    tree.link('.claude/root', '..');
    expect(place(tree).linkTargets.filter((target) => !target.startsWith(`${tree.root}/.claude`))).toEqual([]);
  });
});

describe('folders on the PATH', () => {
  test('PATH and TMPDIR come from the given environment', () => {
    expect(place(makeTree(), { PATH: '/a:/b', TMPDIR: '/t' })).toMatchObject({ search: '/a:/b', scratch: '/t' });
    expect(place(makeTree(), { PATH: undefined, TMPDIR: undefined })).toMatchObject({ search: '', scratch: '' });
  });

  test('are those that the user can write, without duplicates, by name and real path', () => {
    const tree = makeTree();
    tree.folder('../real-bin');
    tree.link('../bin', 'real-bin');
    const { pathFolders } = place(tree, { PATH: `${tree.home}/bin/:${tree.home}/bin:/usr/bin:${tree.home}/real-bin` });
    expect(pathFolders.filter((folder) => folder.startsWith(tree.home))).toEqual([`${tree.home}/bin`, `${tree.home}/real-bin`]);
    expect(protectionOf(`${tree.home}/real-bin/git`, place(tree, { PATH: `${tree.home}/bin` }))?.effect).toBe('deny');
  });

  test('a missing one counts if it could be created', () => {
    const tree = makeTree();
    expect(place(tree, { PATH: `${tree.home}/.local/bin` }).pathFolders).toEqual([`${tree.home}/.local/bin`]);
  });

  test('a relative one is in the project, and the project itself does not count', () => {
    const tree = makeTree();
    expect(place(tree, { PATH: `node_modules/.bin:.::${tree.root}` }).pathFolders).toEqual([`${tree.root}/node_modules/.bin`]);
  });

  test('no PATH, no folders', () => {
    expect(place(makeTree(), { PATH: undefined }).pathFolders).toEqual([]);
  });

  test('system folders do not count, even for root', () => {
    expect(place(makeTree(), { PATH: '/usr/bin:/bin:/sbin' }).pathFolders).toEqual([]);
  });
});

describe('temporary folders and the plugin', () => {
  test('are real paths', () => {
    const tree = makeTree();
    tree.folder('../scratch');
    const link = tree.link('../tmp-link', 'scratch');
    expect(place(tree, { CLAUDE_CODE_TMPDIR: link }).temp).toContain(`${tree.home}/scratch`);
    expect(place(tree, { CLAUDE_CODE_TMPDIR: 'relative' }).temp).not.toContain('relative');
    // Each of these would make every file, or the files of any process, a temporary one.
    for (const folder of ['/', '/..', '/proc/self/cwd', '/proc/self/root'])
      expect(place(tree, { CLAUDE_CODE_TMPDIR: folder }).temp).toEqual(place(tree).temp);
    expect(place(tree, {}, tree.root, link).pluginRoot).toBe(`${tree.home}/scratch`);
    expect(place(tree).pluginRoot).toBeNull();
  });
});
