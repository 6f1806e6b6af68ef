// Setting a project up: nothing is overwritten, what is changed is kept, only what was written here is trusted.

import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { listPresets, planSetup, runSetup, type SetupPlan, setupText } from '../../../src/app/setup/setup.ts';
import { loadConfiguration } from '../../../src/config/load.ts';
import { governedMarker } from '../../../src/platform/data-folder.ts';
import { isTrusted } from '../../../src/store/trust.ts';
import { putFile } from '../../support/files.ts';
import { makeFolder } from '../../support/folder-project.ts';

const packageRoot = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../..');
const preset = path.join(packageRoot, 'examples/tdd/.claude');

interface Fixture {
  root: string;
  data: string;
  put(name: string, text: string): void;
  get(name: string): string;
  plan(name?: string): ReturnType<typeof planSetup>;
  run(): string[];
}

function fixture(): Fixture {
  const top = makeFolder();
  const root = path.join(top, 'home/project');
  const data = path.join(top, 'home/.claude/modes-data');
  fs.mkdirSync(root, { recursive: true });
  const plan = (name = 'tdd') =>
    planSetup({ root, preset: name, packageRoot, configFolder: path.join(top, 'home/.claude'), home: path.join(top, 'home') });
  return {
    root,
    data,
    put(name, text) {
      putFile(path.join(root, name), text);
    },
    get: (name) => fs.readFileSync(path.join(root, name), 'utf8'),
    plan,
    run: () => runSetup(wholePlan(plan()), data, new Date(0)),
  };
}
function wholePlan(plan: ReturnType<typeof planSetup>): SetupPlan {
  if ('error' in plan) throw new Error(plan.error);
  return plan;
}
const trusted = ({ root, data }: Fixture) => isTrusted(data, root, loadConfiguration(root).hash);

describe('an empty project', () => {
  test('gets the preset, the allow rules and lines for git, is governed and trusted [s:trust.init]', () => {
    const at = fixture();
    const done = at.run();
    const names = (fs.readdirSync(preset, { recursive: true }) as string[]).filter((name) => name.includes('.'));
    expect(names).toContain('policies/tdd.cases.yaml');
    for (const name of names) expect(at.get(`.claude/${name}`)).toBe(fs.readFileSync(path.join(preset, name), 'utf8'));
    expect(JSON.parse(at.get('.claude/settings.json'))).toEqual({
      permissions: { allow: ['mcp__plugin_modes_modes__status', 'mcp__plugin_modes_modes__transition'] },
    });
    expect(at.get('.gitignore').split('\n')).toEqual(
      expect.arrayContaining(['.claude/mode-state.json', '.claude/mode.sock*', '.claude/settings.*.local.json']),
    );
    expect(fs.existsSync(governedMarker(at.data, at.root))).toBe(true);
    expect(trusted(at)).toBe(true);
    expect(done.at(-1)).toMatch(/^trusted sha256:/);
    expect(loadConfiguration(at.root).problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  test('set up twice has nothing left to do', () => {
    const at = fixture();
    at.run();
    expect(wholePlan(at.plan()).steps).toEqual([]);
  });

  test('shows the files before it writes them', () => {
    const text = setupText(wholePlan(fixture().plan()));
    expect(text).toContain('+ .claude/modes.yaml  (from the preset tdd)');
    expect(text).toContain('+ .gitignore');
  });
});

describe('an existing file', () => {
  test('is not overwritten: a file of the preset’s name stops the setup', () => {
    const at = fixture();
    at.put('.claude/settings.idle.json', 'mine');
    expect(at.plan()).toEqual({ error: expect.stringContaining('.claude/settings.idle.json') });
  });

  test('of settings is merged in its own format, with a backup', () => {
    const at = fixture();
    const before = '{\n  // mine\n  "model": "opus",\n  "permissions": { "allow": ["Bash(ls)"], "deny": ["Read(.env)"] }\n}\n';
    at.put('.claude/settings.json', before);
    at.run();
    const after = at.get('.claude/settings.json');
    expect(after).toContain('// mine');
    for (const kept of ['"Bash(ls)"', '"Read(.env)"', '"model": "opus"', 'mcp__plugin_modes_modes__status'])
      expect(after).toContain(kept);
    expect(at.get('.claude/settings.json.before-modes')).toBe(before);
  });

  test('of settings with a byte order mark and line ends of Windows keeps both', () => {
    const text = '\ufeff{\r\n  "permissions": {\r\n    "allow": ["WebSearch"]\r\n  }\r\n}\r\n';
    const at = fixture();
    at.put('.claude/settings.json', text);
    at.run();
    const settings = at.get('.claude/settings.json');
    expect(settings).toMatch(/^\ufeff\{\r\n {2}"permissions": \{\r\n/);
    expect(settings.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect(settings).toContain('"mcp__plugin_modes_modes__status"');
  });

  test('an earlier backup is kept as well', () => {
    const at = fixture();
    at.put('.claude/settings.json', '{"a":2}');
    at.put('.claude/settings.json.before-modes', 'older');
    const done = at.run();
    expect(at.get('.claude/settings.json.before-modes')).toBe('older');
    expect(at.get('.claude/settings.json.before-modes-2')).toBe('{"a":2}');
    expect(done.join('\n')).toContain('settings.json.before-modes-2');
  });

  test.each([
    ['not JSON', '{'],
    ['a list', '[]'],
    ['null', 'null'],
    ['empty', ''],
    ['permissions that are a list', '{"permissions":[]}'],
    ['permissions that are null', '{"permissions":null}'],
    ['an allow that is no list', '{"permissions":{"allow":"Bash"}}'],
  ])('settings that cannot be merged (%s) are unchanged', (_, text) => {
    const at = fixture();
    at.put('.claude/settings.json', text);
    expect(at.plan()).toEqual({ error: expect.stringMatching(/fix it first/) });
    expect(at.get('.claude/settings.json')).toBe(text);
  });

  const lines = [
    '.claude/mode-state.json',
    '.claude/mode.sock*',
    '.claude/settings.*.local.json',
    '.claude/settings.local.json',
    '.claude/*.before-*',
    '',
  ];
  test.each([
    ['a/\n', ['a/', ...lines].join('\n')],
    ['a/', ['a/', ...lines].join('\n')],
    ['a/\r\n', ['a/', ...lines].join('\r\n')],
    [
      '.claude/mode.sock*\n.claude/mode-state.json\n',
      ['.claude/mode.sock*', '.claude/mode-state.json', ...lines.slice(2)].join('\n'),
    ],
  ])('a .gitignore %j becomes %j', (before, after) => {
    const at = fixture();
    at.put('.gitignore', before);
    at.run();
    expect(at.get('.gitignore')).toBe(after);
    expect(at.get('.gitignore.before-modes')).toBe(before);
  });

  test('a project that has modes gets only the rest, and no trust', () => {
    const at = fixture();
    at.put('.claude/modes.yaml', 'default: a\nmodes:\n  a:\n');
    const done = at.run();
    expect(at.get('.claude/modes.yaml')).toBe('default: a\nmodes:\n  a:\n');
    expect(done.join('\n')).not.toContain('trusted');
    expect(trusted(at)).toBe(false);
  });

  test.each([
    ['.claude/policies/evil.rego', 'package modes.policy.evil\n'],
    ['.claude/settings.idle.local.json', '{"permissions":{"allow":["Bash"]}}'],
  ])('is not trusted with the written files: %s [s:trust.init]', (name, text) => {
    const at = fixture();
    at.put(name, text);
    const done = at.run();
    expect(done.at(-1)).toBe(`not trusted, because ${name} already existed; review and approve it with modes trust`);
    expect(trusted(at)).toBe(false);
  });
});

describe('what changes between the question and the answer', () => {
  test.each<[string, (at: Fixture) => void]>([
    ['a file appeared', (at) => at.put('.claude/modes.yaml', 'mine')],
    ['a file to be changed was changed', (at) => at.put('.gitignore', 'other\n')],
    ['a file to be changed is gone', (at) => fs.rmSync(path.join(at.root, '.gitignore'))],
  ])('%s: nothing is written', (_, meanwhile) => {
    const at = fixture();
    at.put('.gitignore', 'mine\n');
    const plan = wholePlan(at.plan());
    meanwhile(at);
    const before = fs.readdirSync(at.root, { recursive: true });
    expect(() => runSetup(plan, at.data, new Date())).toThrow(/has changed in the meantime; nothing was written/);
    expect(fs.readdirSync(at.root, { recursive: true })).toEqual(before);
    expect(fs.existsSync(at.data)).toBe(false);
  });
});

describe('no setup is made', () => {
  test.each(['no such', '', '../tdd', 'constructor'])('with the preset %j', (name) => {
    const plan = fixture().plan(name);
    expect(plan).toEqual({ error: expect.stringContaining('Presets: ') });
  });

  test('in the home folder, the root, or the folder of the client’s own settings', () => {
    const at = fixture();
    const home = path.dirname(at.root);
    const asked = { preset: 'tdd', packageRoot, configFolder: path.join(home, '.claude'), home };
    expect(planSetup({ ...asked, root: home })).toEqual({ error: expect.stringContaining('not a project') });
    expect(planSetup({ ...asked, root: '/' })).toEqual({ error: expect.stringContaining('not a project') });
    fs.mkdirSync(path.join(at.root, '.claude'));
    expect(planSetup({ ...asked, root: at.root, configFolder: path.join(at.root, '.claude') })).toEqual({
      error: expect.stringContaining('not a project'),
    });
    expect(planSetup({ ...asked, root: path.join(at.root, '.claude') })).toEqual({
      error: expect.stringContaining('not a project'),
    });
    expect(planSetup({ ...asked, root: at.root, configFolder: at.root })).toEqual({
      error: expect.stringContaining('not a project'),
    });
  });

  test.each([
    '.claude',
    '.claude/settings.json',
    '.claude/settings.local.json',
    '.gitignore',
    '.claude/modes.yaml',
    '.claude/settings.idle.json',
  ])('through a link in place of %s', (name) => {
    const at = fixture();
    fs.mkdirSync(path.dirname(path.join(at.root, name)), { recursive: true });
    fs.symlinkSync(path.join(at.root, '../elsewhere'), path.join(at.root, name));
    const plan = at.plan();
    expect(plan).toEqual({ error: expect.stringContaining('link') });
  });

  test('a link in place of modes.yaml with an existing target is the configuration of the project', () => {
    const at = fixture();
    at.put('.claude/mine.yaml', 'name: mine\n');
    fs.symlinkSync('mine.yaml', path.join(at.root, '.claude/modes.yaml'));
    expect(wholePlan(at.plan()).whole).toBe(false);
  });

  test.each(['.claude/settings.json', '.claude/settings.local.json'])(
    'beside %s that is nested too deeply to be read',
    (name) => {
      const at = fixture();
      at.put(name, `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`);
      expect(at.plan()).toEqual({ error: expect.stringContaining(name) });
    },
  );

  test.each(['.claude/settings.json', '.claude/settings.local.json', '.gitignore'])(
    'over %s with bytes that are not text, which would change',
    (name) => {
      const at = fixture();
      putFile(path.join(at.root, name), Buffer.from('{"a":"\xe9"}', 'latin1'));
      expect(at.plan()).toEqual({ error: expect.stringContaining(`${name} is not UTF-8 text`) });
    },
  );

  test('over a Makefile with bytes that are not text: it is unchanged', () => {
    const at = fixture();
    const file = path.join(at.root, 'Makefile');
    fs.writeFileSync(file, Buffer.from('# \xe9\n', 'latin1'));
    expect(wholePlan(at.plan()).steps.map((step) => step.file)).not.toContain(file);
  });

  test('with a file in place of .claude', () => {
    const at = fixture();
    fs.writeFileSync(path.join(at.root, '.claude'), 'mine');
    expect(at.plan()).toEqual({ error: expect.stringContaining('.claude is not a folder') });
  });

  test('with a folder in place of a file', () => {
    const at = fixture();
    fs.mkdirSync(path.join(at.root, '.gitignore'));
    expect(at.plan()).toEqual({ error: expect.stringContaining('.gitignore is not a file') });
  });
});

test('presets are the examples that have modes', () => {
  expect(listPresets(packageRoot)).toContain('tdd');
});
