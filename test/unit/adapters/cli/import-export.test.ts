// modes import and modes export: shown first, written when said so, taken back.
import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { runDetached } from '../../../support/detached.ts';
import { builtPlugin } from '../../../support/plugin.ts';
import { type Ended, makeProject, type Project } from '../../../support/project.ts';
import { filesIn } from '../importers/project.ts';

let program: string;
beforeAll(async () => {
  program = path.join(await builtPlugin(), 'dist/modes.mjs');
}, 120_000);

const modes = (project: Project, env: NodeJS.ProcessEnv, ...args: string[]): Promise<Ended> =>
  runDetached([process.execPath, program, ...args], {
    cwd: project.root,
    env: { HOME: project.home, PATH: '/usr/bin:/bin', ...env },
  });

const ROOMODES =
  "customModes:\n  - {slug: docs, name: Docs, roleDefinition: You write., groups: [read, [edit, {fileRegex: '\\.md$'}]]}\n";
const MINE = 'name: mine\ndefault: a\nmodes: {a: }\n';

test('an import is shown, written with backups, not approved, and can be undone', async () => {
  const project = makeProject({ example: null });
  project.put('.roomodes', ROOMODES);
  project.put('.claude/modes.yaml', MINE);
  const before = filesIn(project.root);

  const shown = await modes(project, {}, 'import', 'roo');
  expect(shown).toMatchObject({ code: 0, err: 'Nothing was written: add --write, as in modes import roo --write.\n' });
  expect(shown.out).toContain('--- .claude/modes.yaml\n+++ .claude/modes.yaml\n');
  expect(shown.out).toContain('-name: mine\n');
  expect(shown.out).toContain('--- /dev/null\n+++ .claude/settings.any.json\n');
  expect(filesIn(project.root)).toEqual(before);

  const inside = await modes(project, { CLAUDECODE: '1' }, 'import', 'roo', '--write');
  expect([inside.code, inside.err]).toEqual([1, expect.stringContaining('in their own terminal, but')]);
  expect(filesIn(project.root)).toEqual(before);

  const written = await modes(project, {}, 'import', 'roo', '--write');
  expect(written.code).toBe(0);
  expect(written.out).toContain('changed .claude/modes.yaml (before: modes.yaml.before-modes)');
  expect(written.err).toBe('Review and approve it with modes trust. To undo it: modes init --undo.\n');
  expect(project.get('.claude/modes.yaml.before-modes')).toBe(MINE);
  expect(JSON.parse((await modes(project, {}, 'validate', '--json')).out)).toMatchObject({ ok: true, trusted: false });
  expect((await modes(project, {}, 'import', 'roo', '--write')).out).toContain('Everything already exists.');

  expect((await modes(project, {}, 'init', '--undo', '--yes')).code).toBe(0);
  expect(filesIn(project.root)).toEqual(before);
  expect(project.get('.claude/modes.yaml')).toBe(MINE);
});

test('a result with an error, a link in the way, and a folder that is no project: nothing is written', async () => {
  const project = makeProject({ example: null });
  project.put('.roomodes', ROOMODES);
  project.put('.claude/settings.docs.json', '{"permissions": {"deny": ["Write("]}}');
  const broken = await modes(project, {}, 'import', 'roo', '--write');
  expect([broken.code, broken.err]).toEqual([1, expect.stringContaining('.claude/settings.docs.json:1')]);
  fs.rmSync(path.join(project.root, '.claude'), { recursive: true });
  fs.symlinkSync(project.home, path.join(project.root, '.claude'));
  expect((await modes(project, {}, 'import', 'roo', '--write')).err).toContain('E_LEAVES_PROJECT');
  expect(fs.existsSync(path.join(project.home, 'modes.yaml'))).toBe(false);
  fs.rmSync(path.join(project.root, '.claude'));
  project.put('any.json', '{}');
  fs.mkdirSync(path.join(project.root, '.claude'));
  fs.symlinkSync('../any.json', path.join(project.root, '.claude/settings.any.json'));
  expect((await modes(project, {}, 'import', 'roo', '--write')).err).toContain('settings.any.json is not a file but a link');
  expect(project.get('any.json')).toBe('{}');
  fs.copyFileSync(path.join(project.root, '.roomodes'), path.join(project.home, '.roomodes'));
  expect((await modes(project, {}, 'import', 'roo', '--write', '--project', project.home)).err).toContain('is not a project');
});

test('an export is written and can be undone, and terminal control characters are not printed', async () => {
  const project = makeProject();
  project.put('.roomodes', 'customModes: [{slug: "\u202e", name: x}]\n');
  const shown = await modes(project, {}, 'export', 'roo');
  expect(shown.code).toBe(0);
  expect(shown.out).not.toContain('\u202e');
  const written = await modes(project, {}, 'export', 'roo', '--write', '--json');
  expect(JSON.parse(written.out).done).toContain('changed .roomodes (before: .roomodes.before-modes)');
  expect(project.get('.roomodes')).toContain('slug: test-dev');
  expect((await modes(project, {}, 'init', '--undo', '--yes')).code).toBe(0);
  expect(project.get('.roomodes')).toContain('\u202e');
});
