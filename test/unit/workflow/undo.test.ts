// The status line that setting up brings, and taking a setup back: nothing that somebody had, or wrote since, is lost.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { planSetup, runSetup, setupQuestion } from '../../../src/app/setup/setup.ts';
import { placeScript, refreshScript } from '../../../src/app/setup/statusline.ts';
import { endedBy, planUndo, runUndo, undoText } from '../../../src/app/setup/undo.ts';
import { projectFolder } from '../../../src/platform/data-folder.ts';
import { putFile } from '../../support/files.ts';
import { makeFolder } from '../../support/folder-project.ts';

const packageRoot = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../..');

function fixture({ config = 'home/.claude' } = {}) {
  const top = fs.realpathSync(makeFolder());
  const home = path.join(top, 'home');
  const root = path.join(home, 'project');
  const configFolder = path.join(top, config);
  const data = path.join(configFolder, 'modes-data');
  fs.mkdirSync(root, { recursive: true });
  const at = (name: string) => path.resolve(root, name);
  const plan = (statusLine?: boolean) => {
    const made = planSetup({
      root,
      preset: 'tdd',
      packageRoot,
      configFolder,
      home,
      ...(statusLine === undefined ? {} : { statusLine }),
    });
    if ('error' in made) throw new Error(made.error);
    return made;
  };
  return {
    home,
    root,
    data,
    configFolder,
    plan,
    put(name: string, text: string) {
      putFile(at(name), text);
    },
    get: (name: string) => fs.readFileSync(at(name), 'utf8'),
    has: (name: string) => fs.existsSync(at(name)),
    setUp: () => runSetup(plan(), data, new Date(0)),
    undo() {
      const undone = planUndo(data, root);
      if ('error' in undone) throw new Error(undone.error);
      return runUndo(undone, data);
    },
    statusLine: () => JSON.parse(fs.readFileSync(at('.claude/settings.local.json'), 'utf8')).statusLine,
    /** Every file of the project with its text. */
    tree: () =>
      Object.fromEntries(
        (fs.readdirSync(root, { recursive: true, encoding: 'utf8' }) as string[])
          .sort()
          .map((name) => [name, fs.statSync(at(name)).isFile() ? fs.readFileSync(at(name), 'utf8') : null]),
      ),
  };
}
const local = '.claude/settings.local.json';
const command = (text: string) => JSON.stringify({ statusLine: { type: 'command', command: text, padding: 2 } });

describe('the status line', () => {
  test('is set for this project and this person, with its script in a place that updates keep', () => {
    const at = fixture();
    expect(setupQuestion(at.plan())).toContain('with a status line for you');
    at.setUp();
    expect(at.statusLine()).toEqual({
      type: 'command',
      command: '/bin/sh "$HOME"/.claude/modes-data/statusline.sh',
      refreshInterval: 5,
    });
    expect(fs.readFileSync(path.join(at.data, 'statusline.sh'), 'utf8')).toBe(
      fs.readFileSync(path.join(packageRoot, 'hooks/statusline.sh'), 'utf8'),
    );
    expect(at.get('.gitignore').split('\n')).toContain(local);
    expect(at.has('../.claude/settings.json')).toBe(false);
  });

  test('is left out if it is not wanted', () => {
    const at = fixture();
    const plan = at.plan(false);
    expect(setupQuestion(plan)).not.toContain('status line');
    runSetup(plan, at.data, new Date(0));
    expect(at.has(local)).toBe(false);
    expect(fs.existsSync(path.join(at.data, 'statusline.sh'))).toBe(false);
  });

  test.each([
    ['of this project and person', local],
    ['of this project', '.claude/settings.json'],
    ['of the person', '../.claude/settings.json'],
  ])('from before, %s, is run by ours and keeps its other settings', (_, name) => {
    const at = fixture();
    at.put(name, command(`echo 'it is' "$PWD"`));
    at.setUp();
    expect(at.statusLine()).toEqual({
      type: 'command',
      command: `/bin/sh "$HOME"/.claude/modes-data/statusline.sh "echo 'it is' \\"\\$PWD\\""`,
      padding: 2,
      refreshInterval: 5,
    });
    const ran = spawnSync('/bin/sh', ['-c', at.statusLine().command], {
      cwd: at.root,
      encoding: 'utf8',
      input: '{}',
      env: { PATH: '/usr/bin:/bin', HOME: at.home, NO_COLOR: '1' },
    });
    expect(ran.stdout).toBe(`⟪?⟫ server down, /mcp reconnects it\nit is ${at.root}\n`);
  });

  test('the nearest of several counts', () => {
    const at = fixture();
    at.put('.claude/settings.json', command('near'));
    at.put('../.claude/settings.json', command('far'));
    at.setUp();
    expect(at.statusLine().command).toMatch(/ near$/);
  });

  test('is named in full if the client’s folder is not in the home folder', () => {
    const at = fixture({ config: 'else where/config' });
    at.setUp();
    expect(at.statusLine().command).toBe(`/bin/sh '${at.data}/statusline.sh'`);
  });

  test('is not set twice', () => {
    const at = fixture();
    at.put(local, command('mine'));
    at.setUp();
    expect(at.plan().steps).toEqual([]);
  });

  test.each(['{"statusLine":{"type":"other"}}', '{"statusLine":"x"}', '{"statusLine":{"type":"command"}}'])(
    'of a kind that cannot be run stays as it is: %s',
    (text) => {
      const at = fixture();
      at.put(local, text);
      at.setUp();
      expect(at.get(local)).toBe(text);
    },
  );

  test('settings that are not JSON stop everything', () => {
    const at = fixture();
    at.put(local, '{');
    expect(() => at.plan()).toThrow(/settings\.local\.json is not a JSON object; fix it first/);
    expect(at.plan(false).steps).not.toEqual([]);
  });

  test('comments and other settings stay', () => {
    const at = fixture();
    at.put(local, '{\n  // mine\n  "model": "opus",\n}\n');
    at.setUp();
    expect(at.get(local)).toMatch(/^\{\n {2}\/\/ mine\n {2}"model": "opus",\n {2}"statusLine": \{/);
  });

  test('a newer version refreshes the script if there is one', () => {
    const at = fixture();
    const script = path.join(at.data, 'statusline.sh');
    refreshScript(at.data, packageRoot, at.root);
    expect(fs.existsSync(script)).toBe(false);
    placeScript(at.data, packageRoot);
    fs.writeFileSync(script, 'old');
    refreshScript(at.data, packageRoot, at.root);
    expect(fs.readFileSync(script, 'utf8')).toContain('The status line');
  });

  test('a project that was set up under another home gets the script', () => {
    const at = fixture();
    const script = path.join(at.data, 'statusline.sh');
    at.setUp();
    fs.rmSync(script);
    refreshScript(at.data, packageRoot, at.root);
    expect(fs.readFileSync(script, 'utf8')).toContain('The status line');
  });
});

describe('undoing a setup', () => {
  test('restores the project', () => {
    const at = fixture();
    at.put('.gitignore', 'a/\n');
    at.put('.claude/settings.json', '{"model":"opus"}');
    at.put(local, command('mine'));
    const before = at.tree();
    at.setUp();
    const done = at.undo();
    expect(done).toEqual(expect.arrayContaining(['removed .claude/modes.yaml', 'restored .gitignore', `restored ${local}`]));
    expect(at.tree()).toEqual(before);
  });

  test('removes the state file if the modes are removed', () => {
    const at = fixture();
    at.setUp();
    at.put('.claude/mode-state.json', '{}');
    expect(at.undo()).toContain('removed .claude/mode-state.json');
    expect(at.tree()).toEqual({});
    at.put('.claude/modes.yaml', 'name: mine\n');
    at.put('.claude/mode-state.json', '{}');
    at.setUp();
    expect(at.undo()).not.toContain('removed .claude/mode-state.json');
    expect(at.has('.claude/mode-state.json')).toBe(true);
  });

  test('removes folders that become empty', () => {
    const at = fixture();
    at.setUp();
    at.undo();
    expect(at.tree()).toEqual({});
  });

  test('goes back one setup at a time', () => {
    const at = fixture();
    runSetup(at.plan(false), at.data, new Date(0));
    const first = at.tree();
    at.setUp();
    expect(at.has(local)).toBe(true);
    at.undo();
    expect(at.tree()).toEqual(first);
    at.undo();
    expect(at.tree()).toEqual({});
    expect(planUndo(at.data, at.root)).toEqual({ error: expect.stringContaining('Nothing to undo') });
  });

  test('keeps a copy of files that changed since, and announces it', () => {
    const at = fixture();
    at.put(local, '{}');
    at.setUp();
    at.put(local, '{"mine":1}');
    at.put('.claude/modes.yaml', '# mine\n');
    const plan = planUndo(at.data, at.root);
    if ('error' in plan) throw new Error(plan.error);
    expect(undoText(plan).split('\n')).toEqual(
      expect.arrayContaining([
        '- .claude/modes.yaml  changed since; a copy is kept',
        `~ ${local}  (as in settings.local.json.before-modes)  changed since; a copy is kept`,
      ]),
    );
    runUndo(plan, at.data);
    expect(at.get(local)).toBe('{}');
    expect(at.get(`${local}.before-undo`)).toBe('{"mine":1}');
    expect(at.get('.claude/modes.yaml.before-undo')).toBe('# mine\n');
    expect(at.has('.claude/modes.yaml')).toBe(false);
    expect(endedBy(plan)).toBe(true);
  });

  test('accepts files that were removed since', () => {
    const at = fixture();
    at.put(local, '{}');
    at.setUp();
    fs.rmSync(path.join(at.root, '.claude/modes.yaml'));
    fs.rmSync(path.join(at.root, local));
    expect(at.undo()).toContain(`restored ${local}`);
    expect(at.get(local)).toBe('{}');
  });

  test.each<[string, (root: string) => void, RegExp]>([
    [
      'its copy is missing',
      (root) => fs.rmSync(path.join(root, '.gitignore.before-modes')),
      /\.before-modes is missing or has changed/,
    ],
    [
      'its copy was changed',
      (root) => fs.writeFileSync(path.join(root, '.gitignore.before-modes'), 'b/\n'),
      /is missing or has changed/,
    ],
    [
      'a link is in its place',
      (root) => {
        fs.rmSync(path.join(root, '.gitignore'));
        fs.symlinkSync('/etc/passwd', path.join(root, '.gitignore'));
      },
      /\.gitignore is not a file but a link/,
    ],
    [
      'a link is in place of its copy',
      (root) => {
        fs.rmSync(path.join(root, '.gitignore.before-modes'));
        fs.symlinkSync('/etc/passwd', path.join(root, '.gitignore.before-modes'));
      },
      /before-modes is not a file but a link/,
    ],
  ])('does nothing if for one file %s', (_, spoil, error) => {
    const at = fixture();
    at.put('.gitignore', 'a/\n');
    at.setUp();
    spoil(at.root);
    expect(planUndo(at.data, at.root)).toEqual({ error: expect.stringMatching(error) });
  });

  test('a setup that failed half way can be undone', () => {
    const at = fixture();
    at.put('.gitignore', 'a/\n');
    const plan = at.plan();
    const last = plan.steps.at(-1)!;
    Object.defineProperty(last, 'text', {
      get() {
        throw new Error('the disk is full');
      },
    });
    expect(() => runSetup(plan, at.data, new Date(0))).toThrow('the disk is full');
    expect(at.has('.claude/modes.yaml')).toBe(true);
    at.undo();
    expect(at.has('.claude/modes.yaml')).toBe(false);
    expect(at.get('.gitignore')).toBe('a/\n');
  });

  test('a damaged record is named', () => {
    const at = fixture();
    at.setUp();
    const [folder] = fs.readdirSync(path.join(at.data, 'projects'));
    fs.writeFileSync(path.join(at.data, 'projects', folder!, 'setups.json'), '{}');
    expect(() => planUndo(at.data, at.root)).toThrow(/setups\.json is damaged/);
  });

  test.each(['{}', '{"version":2,"setups":[]}'])('a setup that the record %s cannot store writes nothing', (record) => {
    const at = fixture();
    const file = path.join(projectFolder(at.data, fs.realpathSync(at.root)), 'setups.json');
    putFile(file, record);
    expect(() => at.setUp()).toThrow(file);
    expect(at.has('.claude/modes.yaml')).toBe(false);
    expect(fs.readFileSync(file, 'utf8')).toBe(record);
  });
});
