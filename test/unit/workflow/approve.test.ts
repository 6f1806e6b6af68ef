// approve: human — a person's confirmed yes opens one edge, once.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openProject, type Project } from '../../../src/workflow/project.ts';
import { prepare } from '../patient.ts';

const packageRoot = fileURLToPath(new URL('../../..', import.meta.url));
const asker = { session: 'a', permissionMode: null };
let base: string;
let project: Project;

beforeEach(async () => {
  base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'modes-approve-')));
  const root = path.join(base, 'project');
  fs.mkdirSync(path.join(root, '.claude'), { recursive: true });
  fs.writeFileSync(
    path.join(root, '.claude/modes.yaml'),
    'name: t\ndefault: a\nmodes:\n  a:\n    transitions: [{to: b, approve: human}, {to: c}]\n  b:\n    transitions: [{to: a}]\n  c:\n    transitions: [{to: a}]\n',
  );
  const opened = openProject({ start: root, env: { HOME: base, PATH: process.env.PATH }, packageRoot, prepare });
  if (opened === null) throw new Error('not governed');
  project = opened;
  await project.ready();
});
afterEach(() => fs.rmSync(base, { recursive: true, force: true }));

const go = async (target: string) => await project.moves.transition(target, 'because', asker);

test('without it the edge is closed and says how to open it [w:approve.human]', async () => {
  expect(await go('b')).toMatchObject({
    success: false,
    unmet: [{ check: 'approve: human', how: expect.stringContaining('/modes:approve b') }],
  });
});

test('it opens the edge once [w:approve.human] [w:approve.once]', async () => {
  expect(project.moves.approve('b')).toBeNull();
  expect(await go('b')).toEqual({ success: true, new_state: 'b' });
  expect((await go('a')).success).toBe(true);
  expect((await go('b')).success).toBe(false);
});

test('another change of mode makes it void [w:approve.edge]', async () => {
  expect(project.moves.approve('b')).toBeNull();
  expect((await go('c')).success).toBe(true);
  expect((await go('a')).success).toBe(true);
  expect((await go('b')).success).toBe(false);
});

test('it opens no other edge, and none that does not exist [w:approve.edge]', () => {
  expect(project.moves.approve('b')).toBeNull();
  expect(project.moves.approve('constructor')).toMatchObject({ success: false });
  expect(project.moves.approve('a')).toMatchObject({ success: false });
});
