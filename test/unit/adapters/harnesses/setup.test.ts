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
  const plan = planHarness({ root, harness: named(name), launcher: at, undo });
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

  test('is registered anew when the package moved', () => {
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
    expect(planHarness({ root: project.root, harness: named(name), launcher, undo: false })).toEqual({
      error: expect.stringContaining('a link'),
    });
  });

  test('is not written over a file that changed meanwhile', () => {
    const project = makeProject();
    const plan = planHarness({ root: project.root, harness: named(name), launcher, undo: false });
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
    project.put('.codex/hooks.json', theirs);
    change(project.root, 'codex');
    const text = project.get('.codex/hooks.json');
    expect(text).toContain('// mine');
    expect(text).toContain('"command": "mine"');
    expect(text.match(/harness\.sh/g)).toHaveLength(4);
    change(project.root, 'codex', true);
    const left = project.get('.codex/hooks.json');
    expect(JSON.parse(left.replace('// mine', ''))).toEqual(JSON.parse(theirs.replace('// mine', '')));
    expect(left).toContain('// mine');
  });

  test.each(['[]', '{"hooks": []}', '{"hooks": {"PreToolUse": {}}}', '{'])('that is broken is refused: %s', (text) => {
    const project = makeProject();
    project.put('.codex/hooks.json', text);
    for (const undo of [false, true])
      expect(planHarness({ root: project.root, harness: named('codex'), launcher, undo })).toEqual({
        error: expect.stringContaining('.codex/hooks.json'),
      });
  });

  test('that has its own plugin of this name is refused, and never removed', () => {
    const project = makeProject();
    project.put('.opencode/plugin/modes.js', 'export const Mine = 1;\n');
    expect(planHarness({ root: project.root, harness: named('opencode'), launcher, undo: false })).toEqual({
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

  test('keeps the text around the section', () => {
    const project = makeProject();
    project.put('AGENTS.md', 'a\n<!-- modes:begin: old -->\nold\n<!-- modes:end -->\nb\n');
    change(project.root, 'cursor');
    expect(project.get('AGENTS.md')).toMatch(/^a\n<!-- modes:begin[\s\S]*modes mode NAME[\s\S]*<!-- modes:end -->\nb\n$/);
    expect(project.get('AGENTS.md')).not.toContain('old');
    change(project.root, 'cursor', true);
    expect(project.get('AGENTS.md')).toBe('a\nb\n');
  });

  test('with a broken section is refused', () => {
    const project = makeProject();
    project.put('AGENTS.md', '<!-- modes:begin\n');
    expect(planHarness({ root: project.root, harness: named('cursor'), launcher, undo: false })).toEqual({
      error: expect.stringContaining('modes:end'),
    });
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

  test('shows what it will write, asks, writes and says what is left to do', async () => {
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
  });
});
