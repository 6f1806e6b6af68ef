// modes init --harness and modes doctor --harness: what they write, what they leave, and what they prove.
import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { commandOf, planHarness, writeChanges } from '../../../../src/adapters/harnesses/setup.ts';
import { harnesses } from '../../../../src/adapters/harnesses/table.ts';
import type { Harness } from '../../../../src/adapters/harnesses/types.ts';
import { modesHere } from '../../../support/command-line.ts';
import { builtPlugin } from '../../../support/plugin.ts';
import { makeProject, type Project, run } from '../../../support/project.ts';

let plugin: string;
beforeAll(async () => {
  plugin = await builtPlugin();
}, 120_000);

const named = (name: string): Harness => harnesses.get(name) as Harness;
const launcher = "/opt/it's here/hooks/harness.sh";
const change = (root: string, name: string, undo = false, at = launcher): string[] => {
  const plan = planHarness({
    root,
    harness: named(name),
    launcher: at,
    undo,
    dataFolder: path.join(root, '../.claude/modes-data'),
  });
  if ('error' in plan) throw new Error(plan.error);
  return writeChanges(root, plan);
};
/** Every file of the project, with its content. */
function contents({ root }: Project): Record<string, string> {
  const names = fs.readdirSync(root, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => fs.statSync(path.join(root, name)).isFile());
  return Object.fromEntries(files.map((name) => [name, fs.readFileSync(path.join(root, name), 'utf8')]));
}
const registering = [...harnesses.values()].filter(({ setup }) => setup !== null).map(({ name }) => name);

describe.each(registering)('%s', (name) => {
  const { setup, needsAgentsFile } = named(name);
  const file = setup?.file as string;

  test('is registered once, and undone without a trace', () => {
    const project = makeProject();
    const before = contents(project);
    const names = [file, ...(needsAgentsFile ? ['AGENTS.md'] : [])];
    expect(change(project.root, name)).toEqual(names.map((one) => `wrote ${one}`));
    expect(change(project.root, name)).toEqual([]);
    expect(change(project.root, name, true)).toEqual(names.map((one) => `removed ${one}`));
    expect(contents(project)).toEqual(before);
    expect(change(project.root, name, true)).toEqual([]);
  });

  test('is registered again after the package moved', () => {
    const project = makeProject();
    change(project.root, name);
    expect(change(project.root, name, false, '/new/hooks/harness.sh')).toEqual([`changed ${file}`]);
    expect(project.get(file)).toContain('/new/hooks/harness.sh');
    expect(project.get(file)).not.toContain('/opt/');
    expect(change(project.root, name, true)).toContain(`removed ${file}`);
  });

  test('is not written through a link', () => {
    const project = makeProject();
    fs.mkdirSync(path.join(project.home, 'elsewhere'));
    fs.symlinkSync(path.join(project.home, 'elsewhere'), path.join(project.root, file.split('/')[0] as string));
    expect(planHarness({ root: project.root, harness: named(name), launcher, undo: false, dataFolder: project.data })).toEqual({
      error: expect.stringContaining('a link'),
    });
  });

  test('is not written over a file that changed meanwhile', () => {
    const project = makeProject();
    const plan = planHarness({ root: project.root, harness: named(name), launcher, undo: false, dataFolder: project.data });
    project.put(file, '{}');
    expect(() => writeChanges(project.root, plan as Exclude<typeof plan, { error: string }>)).toThrow('nothing was written');
    expect(project.get(file)).toBe('{}');
  });
});

describe('a configuration of the user', () => {
  const theirs = `{
  // mine
  "theme": "dark",
  "hooks": {
    "PreToolUse": [{ "matcher": "Bash", "hooks": [{ "type": "command", "command": "mine" }] }],
    "Stop": [{ "hooks": [] }]
  }
}
`;

  test('keeps everything that Modes did not write', () => {
    const project = makeProject();
    project.put('.gemini/settings.json', theirs);
    change(project.root, 'gemini');
    const text = project.get('.gemini/settings.json');
    expect(text).toContain('// mine');
    expect(text).toContain('"command": "mine"');
    expect(text.match(/harness\.sh/g)).toHaveLength(3);
    change(project.root, 'gemini', true);
    expect(project.get('.gemini/settings.json')).toBe(theirs);
  });

  const group = '{ "matcher": "x", "hooks": [{ "type": "command", "command": "mine" }] }';
  const cases: Record<string, string> = {
    'a comment after the last entry': `{\n  "hooks": {\n    "BeforeTool": [\n      ${group} // mine\n      // the end\n    ]\n  }\n}\n`,
    'comments in the list': `{\n  "hooks": {\n    "BeforeTool": [\n      // first\n      ${group},\n      /* second */ ${group}\n    ]\n  }\n}\n`,
    CRLF: `{\r\n  "hooks": {\r\n    "BeforeTool": [\r\n      ${group}\r\n    ]\r\n  },\r\n  "theme": "dark"\r\n}\r\n`,
    tabs: `{\n\t"hooks": {\n\t\t"BeforeTool": [\n\t\t\t${group}\n\t\t]\n\t}\n}`,
    'a byte order mark': `\ufeff{\n  "theme": "dark"\n}\n`,
    'only a comment': '{\n  // mine\n}\n',
    'other events': '{\n  "hooks": {\n    "AfterTool": [],\n    "Own": [1, 2]\n  }\n}\n',
  };
  test.each(Object.entries(cases))('with %s is the same after --undo', (_, text) => {
    const project = makeProject();
    project.put('.gemini/settings.json', text);
    change(project.root, 'gemini');
    const written = project.get('.gemini/settings.json');
    expect(written.match(/harness\.sh/g)).toHaveLength(3);
    expect(/\r\n/.test(written)).toBe(/\r\n/.test(text));
    if (/\r\n/.test(text)) expect(written.replaceAll('\r\n', '')).not.toContain('\n');
    expect(change(project.root, 'gemini')).toEqual([]);
    change(project.root, 'gemini', true);
    expect(project.get('.gemini/settings.json')).toBe(text);
  });

  test('keeps what a person wrote into the entries of Modes', () => {
    const project = makeProject();
    change(project.root, 'gemini');
    const text = project.get('.gemini/settings.json');
    const own = '"hooks": [';
    project.put(
      '.gemini/settings.json',
      text.replace(own, `${own}\n          // mine\n          { "type": "command", "command": "mine" },`),
    );
    expect(change(project.root, 'gemini')).toEqual(['changed .gemini/settings.json']);
    change(project.root, 'gemini', true);
    const left = project.get('.gemini/settings.json');
    expect(left).toContain('"command": "mine"');
    expect(left).toContain('// mine');
    expect(left).not.toContain('harness.sh');
  });

  test.each([
    ['codex', '.codex/hooks.json', '{"theme": "dark" /* mine */}'],
    ['copilot', '.github/hooks/modes.json', '{"version": 1, /* mine */ "hooks": {}}'],
    ['cursor', '.cursor/hooks.json', '{"version": 1,}'],
    ['gemini', '.gemini/settings.json', '{"theme": "dark",}'],
    ['gemini', '.gemini/settings.json', '{"hooks": {"BeforeTool": []}, "hooks": {}}'],
  ])('of %s that it may not read as Modes does is refused, and stays: %s %s', (name, file, text) => {
    const project = makeProject();
    project.put(file, text);
    expect(planHarness({ root: project.root, harness: named(name), launcher, undo: false, dataFolder: project.data })).toEqual({
      error: expect.stringMatching(/Remove them first|Fix it first/),
    });
    expect(project.get(file)).toBe(text);
  });

  test.each(registering)('of %s that is read-only is refused, and a mode of its own stays', (name) => {
    const project = makeProject();
    change(project.root, name);
    const file = path.join(project.root, named(name).setup?.file as string);
    fs.chmodSync(file, 0o440);
    for (const undo of [false, true])
      expect(
        planHarness({ root: project.root, harness: named(name), launcher: '/new/harness.sh', undo, dataFolder: project.data }),
      ).toEqual({
        error: expect.stringContaining('read-only'),
      });
    fs.chmodSync(file, 0o640);
    change(project.root, name, false, '/new/hooks/harness.sh');
    expect(fs.statSync(file).mode & 0o777).toBe(0o640);
  });

  test.each(['[]', '{"hooks": []}', `{"hooks": {"PreToolUse": {"x": "/hooks/harness.sh' codex x"}}}`, '{'])(
    'that is broken is refused: %s',
    (text) => {
      const project = makeProject();
      project.put('.codex/hooks.json', text);
      for (const undo of [false, true])
        expect(planHarness({ root: project.root, harness: named('codex'), launcher, undo, dataFolder: project.data })).toEqual({
          error: expect.stringContaining('.codex/hooks.json'),
        });
    },
  );

  test('that edited the plugin of Modes gets a copy of it', () => {
    const project = makeProject();
    const file = '.opencode/plugin/modes.js';
    change(project.root, 'opencode');
    expect(change(project.root, 'opencode', false, '/new/hooks/harness.sh')).toEqual([`changed ${file}`]);
    const edited = `${project.get(file)}// mine\n`;
    project.put(file, edited);
    expect(change(project.root, 'opencode')).toEqual([`kept a copy of ${file} as modes.js.before-modes`, `changed ${file}`]);
    project.put(file, edited);
    expect(change(project.root, 'opencode', true)).toContain(`kept a copy of ${file} as modes.js.before-undo`);
    for (const suffix of ['before-modes', 'before-undo']) expect(project.get(`${file}.${suffix}`)).toBe(edited);
  });

  test('that has its own plugin of this name is refused, and never removed', () => {
    const project = makeProject();
    project.put('.opencode/plugin/modes.js', 'export const Mine = 1;\n');
    expect(
      planHarness({ root: project.root, harness: named('opencode'), launcher, undo: false, dataFolder: project.data }),
    ).toEqual({
      error: expect.stringContaining('Move it first'),
    });
    expect(change(project.root, 'opencode', true)).toEqual([]);
  });
});

describe('AGENTS.md', () => {
  test('gets one section for all harnesses, which goes with the last of them', () => {
    const project = makeProject();
    project.put('AGENTS.md', '# Mine');
    expect(change(project.root, 'cursor')).toContain('changed AGENTS.md');
    expect(change(project.root, 'opencode')).toEqual(['wrote .opencode/plugin/modes.js']);
    expect(project.get('AGENTS.md')).toMatch(/^# Mine\n\n<!-- modes:begin[\s\S]*<!-- modes:end -->\n$/);
    expect(change(project.root, 'cursor', true)).toEqual(['removed .cursor/hooks.json']);
    expect(change(project.root, 'opencode', true)).toEqual(['removed .opencode/plugin/modes.js', 'changed AGENTS.md']);
    expect(project.get('AGENTS.md')).toBe('# Mine\n');
  });

  test('keeps the text around the section, and a copy of what a person wrote in it', () => {
    const project = makeProject();
    const old = 'a\n<!-- modes:begin: old -->\nold\n<!-- modes:end -->\nb\n';
    project.put('AGENTS.md', old);
    expect(change(project.root, 'cursor')).toContain('kept a copy of AGENTS.md as AGENTS.md.before-modes');
    expect(project.get('AGENTS.md.before-modes')).toBe(old);
    expect(project.get('AGENTS.md')).toMatch(/^a\n<!-- modes:begin[\s\S]*modes mode NAME[\s\S]*<!-- modes:end -->\nb\n$/);
    expect(project.get('AGENTS.md')).not.toContain('old');
    expect(change(project.root, 'cursor')).toEqual([]);
    const edited = project.get('AGENTS.md').replace('## Modes', '## Modes\nmine');
    project.put('AGENTS.md', edited);
    expect(change(project.root, 'cursor', true)).toContain('kept a copy of AGENTS.md as AGENTS.md.before-undo');
    expect(project.get('AGENTS.md')).toBe('a\nb\n');
    expect(project.get('AGENTS.md.before-undo')).toBe(edited);
  });

  test('keeps a copy if a person wrote into the mark at the end', () => {
    const project = makeProject();
    change(project.root, 'cursor');
    const edited = project.get('AGENTS.md').replace('<!-- modes:end -->', '<!-- modes:end\nmine -->');
    project.put('AGENTS.md', edited);
    change(project.root, 'cursor', true);
    expect(project.get('AGENTS.md.before-undo')).toBe(edited);
  });

  test('keeps its line ends, and has one section after all', () => {
    const project = makeProject();
    project.put('AGENTS.md', '# Mine\r\n\r\nText\r\n');
    change(project.root, 'cursor');
    expect(project.get('AGENTS.md').replaceAll('\r\n', '')).not.toContain('\n');
    const section = project.get('AGENTS.md').replace('# Mine\r\n\r\nText\r\n', '');
    project.put('AGENTS.md', `# Mine\r\n${section}between\r\n${section}`);
    expect(change(project.root, 'cursor')).toEqual(['changed AGENTS.md']);
    expect(project.get('AGENTS.md').match(/modes:begin/g)).toHaveLength(1);
    expect(project.get('AGENTS.md')).toContain('between');
    project.put('AGENTS.md', `# Mine\r\n${section}between\r\n${section}`);
    expect(change(project.root, 'cursor', true)).toContain('changed AGENTS.md');
    expect(project.get('AGENTS.md')).toBe('# Mine\r\n\r\nbetween\r\n');
  });

  test.each([
    '<!-- modes:begin\n',
    '<!-- modes:end -->\n',
    'a <!-- modes:begin x\nb\n<!-- modes:begin y -->\nc\n<!-- modes:end -->\n',
    '<!-- modes:end -->\n<!-- modes:begin -->\n',
  ])('with marks that do not belong together is refused: %j', (text) => {
    const project = makeProject();
    project.put('AGENTS.md', text);
    for (const undo of [false, true])
      expect(planHarness({ root: project.root, harness: named('cursor'), launcher, undo, dataFolder: project.data })).toEqual({
        error: expect.stringMatching(/AGENTS\.md has the mark.*in line \d/),
      });
    expect(project.get('AGENTS.md')).toBe(text);
  });
});

test('the command denies with exit code 2 if the launcher is gone, and adds no context', async () => {
  const project = makeProject();
  const ended = (event: string) =>
    run('/bin/sh', ['-c', commandOf(launcher, named('codex'), event)], { cwd: project.root, env: project.env() });
  expect(await ended('PreToolUse')).toMatchObject({ code: 2, err: expect.stringMatching(/\S/) });
  expect(await ended('SessionStart')).toMatchObject({ code: 0 });
});

describe('modes init --harness', () => {
  const init = (project: Project, args: string[], types?: string) =>
    modesHere(['init', '--harness', ...args], { cwd: project.root, env: { HOME: project.home, PATH: '/usr/bin:/bin' }, types });

  test('shows the changes, asks, writes and names the remaining steps', async () => {
    const project = makeProject();
    const asked = await init(project, ['codex'], 'n');
    expect(asked).toMatchObject({ code: 1, err: expect.stringContaining('E_DECLINED') });
    expect(asked.err).toContain('+ .codex/hooks.json');
    expect(asked.err).toContain('harness.sh');
    expect(fs.existsSync(path.join(project.root, '.codex'))).toBe(false);
    expect(await init(project, ['codex'])).toMatchObject({ code: 1, err: expect.stringContaining('E_NOBODY') });
    const written = await init(project, ['codex'], 'y');
    expect(written).toMatchObject({ code: 0, out: 'wrote .codex/hooks.json\n' });
    expect(written.err).toContain('/hooks');
    expect(await init(project, ['codex', '--yes'])).toMatchObject({ code: 0, out: 'Everything is already set up.\n' });
    expect(await init(project, ['codex', '--undo', '--yes', '--json'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('removed .codex/hooks.json'),
    });
    expect(await init(project, ['codex', '--undo', '--yes'])).toMatchObject({ code: 0, out: 'Nothing to undo.\n' });
  });

  const texts = {
    'no file': null,
    'an empty file': '',
    'a file without a line end': '# Agents',
    'blank lines at the end': '# Agents\n\n\n',
    'line ends of two kinds': 'a\r\nb\n',
    'JSON in one line': '{"a":1,"hooks":{"Stop":[],"preToolUse":[]}}',
    'an empty object': '{}',
    'an object with a version': '{"version":1}',
  };
  test.each(registering.flatMap((name) => Object.keys(texts).map((what) => [name, what as keyof typeof texts] as const)))(
    '%s: --undo restores exactly: %s',
    async (name, what) => {
      const project = makeProject();
      const { setup, needsAgentsFile } = named(name);
      const isJson = texts[what]?.startsWith('{') ?? true;
      const file = isJson ? setup?.kind === 'hooks' && setup.file : needsAgentsFile && 'AGENTS.md';
      if (file && texts[what] !== null) project.put(file, texts[what]);
      const before = contents(project);
      expect(await init(project, [name, '--yes'])).toMatchObject({ code: 0 });
      expect(contents(project)).not.toEqual(before);
      expect(await init(project, [name, '--undo', '--yes'])).toMatchObject({ code: 0 });
      expect(contents(project)).toEqual(before);
    },
  );

  test('--undo keeps what a person wrote since, also if the package moved meanwhile', async () => {
    const project = makeProject();
    project.put('AGENTS.md', '# Agents');
    change(project.root, 'cursor', false, '/old/hooks/harness.sh');
    await init(project, ['cursor', '--yes']);
    project.put('AGENTS.md', `${project.get('AGENTS.md')}more\n`);
    await init(project, ['cursor', '--undo', '--yes']);
    expect(project.get('AGENTS.md')).toMatch(/^# Agents\n\n?more\n$/);
    expect(fs.existsSync(path.join(project.root, '.cursor/hooks.json'))).toBe(false);
  });

  test('is refused without modes, for an unknown harness and together with a preset', async () => {
    expect(await init(makeProject({ example: null }), ['codex', '--yes'])).toMatchObject({
      code: 64,
      err: expect.stringContaining('E_NO_MODES'),
    });
    expect(await init(makeProject(), ['codx', '--yes'])).toMatchObject({ code: 64, err: expect.stringContaining('codex') });
    expect(await init(makeProject(), ['codex', '--preset', 'tdd'])).toMatchObject({ code: 64 });
  });
});

describe('modes doctor --harness', () => {
  const doctor = async (project: Project, name: string) => {
    fs.chmodSync(project.data, 0o700);
    const env = { HOME: project.home, PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin` };
    const args = [path.join(plugin, 'dist/modes.mjs'), 'doctor', '--harness', name, '--json'];
    const { code, out } = await run(process.execPath, args, { cwd: project.root, env });
    const { proofs, findings } = JSON.parse(out) as { proofs: { held: boolean | null }[]; findings: { code: string }[] };
    return {
      code,
      held: proofs.map(({ held }) => held),
      codes: findings.map((one) => one.code).filter((one) => /HARNESS/.test(one)),
    };
  };
  const own = () => path.join(plugin, 'hooks/harness.sh');

  test.each([...registering, 'generic'])('proves that %s denies', async (name) => {
    const project = makeProject();
    if (named(name).setup !== null) {
      expect(await doctor(project, name)).toEqual({ code: 1, held: [null, null], codes: ['F_HARNESS_ABSENT'] });
      change(project.root, name, false, own());
    }
    expect(await doctor(project, name)).toEqual({ code: 0, held: [true, true], codes: [] });
  });

  test('finds a hook that was changed, and one that is missing', async () => {
    const project = makeProject();
    change(project.root, 'gemini', false, own());
    const text = project.get('.gemini/settings.json');
    project.put('.gemini/settings.json', text.replace('BeforeTool || exit 2', 'BeforeTool || exit 0'));
    expect(await doctor(project, 'gemini')).toMatchObject({ code: 1, codes: ['F_HARNESS_ABSENT'] });
    project.put('.gemini/settings.json', text.replace('"BeforeTool"', '"BeforeTols"'));
    expect(await doctor(project, 'gemini')).toMatchObject({ code: 1, codes: ['F_HARNESS_ABSENT'] });
    // Gemini CLI reads comments, but no trailing comma.
    project.put('.gemini/settings.json', text.replace('{', '{ // mine'));
    expect(await doctor(project, 'gemini')).toMatchObject({ code: 0, codes: [] });
    project.put('.gemini/settings.json', text.replace(/\}\s*$/, ', }'));
    expect(await doctor(project, 'gemini')).toMatchObject({ code: 1, codes: ['F_HARNESS_ABSENT'] });
  });
});
