// modes suggest --project: what init would find and write.
import fs from 'node:fs';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { modesHere } from '../../../support/command-line.ts';
import { builtPlugin } from '../../../support/plugin.ts';
import { makeProject, type Project } from '../../../support/project.ts';

beforeAll(async () => void (await builtPlugin()), 120_000);

let project: Project;
beforeEach(() => {
  project = makeProject({ example: null });
});

const suggest = (...args: string[]) =>
  modesHere(['suggest', '--project', ...args], { cwd: project.root, env: { HOME: project.home, PATH: '/usr/bin:/bin' } });

test('shows the survey and the files, writes nothing, and names the command that writes', async () => {
  project.put('go.mod', 'module a\n');
  project.put('internal/a.go', '');
  const { code, out } = await suggest();
  expect(code).toBe(0);
  expect(out).toMatch(/^Found in this project:\n {2}package manager {2}go {2}\(go\.mod\)\n/);
  expect(out).toContain('\n    + Write(internal/**)\n');
  expect(out).toContain(
    '\n+ .claude/modes.yaml  (from the preset tdd-checked, fitted to this project): the modes, their transitions and gates\n',
  );
  expect(out).toMatch(/\nTo write them: modes init --preset tdd-checked\n$/);
  expect(fs.readdirSync(project.root).sort()).toEqual(['go.mod', 'internal']);
});

test('takes the preset with gates in words if no runner was found', async () => {
  project.put('README.md', '');
  expect(JSON.parse((await suggest('--json')).out)).toMatchObject({ preset: 'tdd-words', notes: [], instead: null });
  expect(JSON.parse((await suggest('--json', '--preset', 'tdd-checked')).out)).toMatchObject({
    preset: 'tdd-checked',
    notes: [expect.stringContaining('No test command was found')],
    instead: 'tdd-words',
  });
});

test('has everything as JSON', async () => {
  project.put('package.json', '{"workspaces": ["packages/*"], "scripts": {"test": "vitest", "lint": "eslint ."}}');
  project.put('packages/a/src/auth.ts', '');
  project.put('packages/a/src/auth.test.ts', '');
  expect(JSON.parse((await suggest('--json')).out)).toMatchObject({
    version: 1,
    project: project.root,
    preset: 'tdd-checked',
    found: {
      managers: [{ name: 'npm', from: 'package.json' }],
      commands: [
        { kind: 'test', text: 'npm test', runner: 'vitest', why: null, from: 'package.json' },
        { kind: 'lint', text: 'npm run lint', runner: null, why: null, from: 'package.json' },
      ],
      packages: [{ pattern: 'packages/*', folders: ['packages/a'] }],
      sources: ['packages/*/src/**'],
      tests: [{ glob: '*.test.*', kind: 'beside' }],
      sensitive: [{ glob: '/packages/a/src/auth.ts', group: 'security' }],
      complete: true,
    },
    fitted: { commands: [], added: [{ file: '.claude/settings.feature-dev.json', texts: ['Write(packages/*/src/**)'] }] },
  });
});

test('shows the survey of a project with modes, and that its modes stay', async () => {
  project.put('go.mod', 'module a\n');
  project.put('.claude/modes.yaml', 'default: a\nmodes: {a: {}}\n');
  expect((await suggest()).out).toMatch(
    /This project has modes already \(\.claude\/modes\.yaml\)\.\nA setup would still write:\n\+ /,
  );
});

test('a folder after --project is the project whose log is read', async () => {
  expect(await suggest(project.root)).toMatchObject({ code: 64, err: expect.stringContaining('no .claude/modes.yaml') });
});
