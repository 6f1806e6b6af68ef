// modes graph: what it writes where, and that it shows what holds now.
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { modesHere } from '../../../support/command-line.ts';
import { makeProject, type Project } from '../../../support/project.ts';

const graph = (project: Project, ...args: string[]) =>
  modesHere(['graph', ...args], { cwd: project.root, env: { HOME: project.home, PATH: '/usr/bin:/bin' } });

test('shows the machine with the present state of the gates, and without it', async () => {
  const project = makeProject({ example: 'daic' });
  const shown = await graph(project);
  expect(shown).toMatchObject({ code: 0, err: '' });
  expect(shown.out).toContain('● discussion');
  expect(shown.out).toContain('✗ plan: approved');
  expect(shown.out).not.toContain('\u001b');
  expect((await graph(project, '--no-now')).out).toContain('· plan: approved');
  const { states, ways } = JSON.parse((await graph(project, '--json')).out);
  expect(states.map(({ name }: { name: string }) => name)).toEqual(['discussion', 'implementation']);
  expect(ways).toHaveLength(3);
});

test('writes the format of the file extension', async () => {
  const project = makeProject({ example: 'daic' });
  expect(await graph(project, '-o', 'm.svg', '--theme', 'auto', '--down')).toMatchObject({
    code: 0,
    out: '',
    err: 'wrote m.svg\n',
  });
  expect(fs.readFileSync(path.join(project.root, 'm.svg'), 'utf8')).toMatch(/^<svg .*prefers-color-scheme:dark.*<\/svg>\n$/s);
  await graph(project, '-o', 'm.mmd');
  expect(fs.readFileSync(path.join(project.root, 'm.mmd'), 'utf8')).toMatch(/^stateDiagram-v2\n/);
  await graph(project, '-o', 'm.json');
  expect(JSON.parse(fs.readFileSync(path.join(project.root, 'm.json'), 'utf8')).states).toHaveLength(2);
});

test.each([
  ['--json', 'm.svg'],
  ['--svg', 'm.JSON'],
  ['--mermaid', 'm.svg'],
])('%s does not match the extension of %s', async (option, file) => {
  const project = makeProject({ example: 'daic' });
  const ended = await graph(project, option, '-o', file);
  expect(ended.code).toBe(64);
  expect(ended.out + ended.err).toContain(`${option} does not match the extension of ${file}`);
  expect(fs.existsSync(path.join(project.root, file))).toBe(false);
});

test('refuses an unknown extension unless an option sets the format', async () => {
  const project = makeProject({ example: 'daic' });
  expect(await graph(project, '-o', 'm.png')).toMatchObject({
    code: 64,
    out: '',
    err: expect.stringContaining('m.png must end in .svg, .mmd, .json or .txt'),
  });
  expect(fs.existsSync(path.join(project.root, 'm.png'))).toBe(false);
  expect(await graph(project, '--svg', '-o', 'm.xml')).toMatchObject({ code: 0 });
  expect(await graph(project, '-o', 'm.txt')).toMatchObject({ code: 0 });
  expect(fs.readFileSync(path.join(project.root, 'm.txt'), 'utf8')).toContain('● discussion');
});

test('writes no file inside the client, or in a place that cannot have one', async () => {
  const project = makeProject({ example: 'daic' });
  const env = { HOME: project.home, PATH: '/usr/bin:/bin' };
  const modes = path.join(project.root, '.claude/modes.yaml');
  const before = fs.readFileSync(modes, 'utf8');
  const inside = await modesHere(['graph', '--mermaid', '-o', modes], { cwd: project.root, env: { ...env, CLAUDECODE: '1' } });
  expect(inside).toMatchObject({ code: 64, out: '', err: expect.stringMatching(/E_INSIDE_CLIENT/) });
  expect(fs.readFileSync(modes, 'utf8')).toBe(before);
  const shown = await modesHere(['graph'], { cwd: project.root, env: { ...env, CLAUDECODE: '1' } });
  expect(shown.code).toBe(0);
  expect(await graph(project, '-o', '.claude')).toMatchObject({
    code: 64,
    err: expect.stringMatching(/cannot be written.*E_USAGE/),
  });
});

test('reports a wrong option, and a machine that cannot be drawn', async () => {
  const project = makeProject({ example: 'daic' });
  expect(await graph(project, '--svg', '--mermaid')).toMatchObject({
    code: 64,
    err: expect.stringContaining('cannot be combined'),
  });
  expect(await graph(project, '--svg', '--theme', 'red')).toMatchObject({
    code: 64,
    err: expect.stringContaining('light, dark, auto'),
  });
  project.put('.claude/modes.yaml', 'name: [');
  expect(await graph(project)).toMatchObject({ code: 1, err: expect.stringContaining('modes validate shows where') });
});

test('the picture in the docs matches the preset', async () => {
  const shown = fs.readFileSync('docs/pictures/tdd-checked.svg', 'utf8');
  const { out } = await graph(makeProject({ example: 'tdd-checked' }), '--svg', '--no-now', '--theme', 'auto');
  expect(out).toBe(shown);
});
