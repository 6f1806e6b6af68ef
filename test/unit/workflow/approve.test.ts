// approve: human — a person's confirmed yes opens one edge, once.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { nobody, openProject, type Project } from '../../../src/workflow/project.ts';
import { putFile, temporaryFolder } from '../../support/files.ts';
import { prepare } from '../../support/prepare.ts';

const packageRoot = fileURLToPath(new URL('../../..', import.meta.url));
const asker = { session: 'a', permissionMode: null };
let base: string;
let project: Project;

beforeEach(async () => {
  base = temporaryFolder('modes-approve-');
  const root = path.join(base, 'project');
  fs.mkdirSync(path.join(root, '.claude'), { recursive: true });
  fs.writeFileSync(
    path.join(root, '.claude/modes.yaml'),
    'name: t\ndefault: a\nmodes:\n  a:\n    transitions: [{to: b, approve: human}, {to: c}]\n  b:\n    transitions: [{to: a}]\n  c:\n    transitions: [{to: a}]\n',
  );
  await reopen();
});

async function reopen(): Promise<void> {
  const start = path.join(base, 'project');
  const opened = openProject({ start, env: { HOME: base, PATH: process.env.PATH }, packageRoot, prepare });
  if (opened === null) throw new Error('not governed');
  project = opened;
  await project.ready();
}
afterEach(() => fs.rmSync(base, { recursive: true, force: true }));

const go = async (target: string) => await project.for(nobody).transitions.transition(target, 'because', asker);

test('without it the transition is closed, with a remedy [w:approve.human]', async () => {
  expect(await go('b')).toMatchObject({
    success: false,
    unmet: [{ check: 'approve: human', how: expect.stringContaining('/modes:approve b') }],
  });
});

test('it opens the transition once [w:approve.human] [w:approve.once]', async () => {
  expect(project.for(nobody).transitions.approve('b')).toBeNull();
  expect(await go('b')).toEqual({ success: true, new_state: 'b' });
  expect((await go('a')).success).toBe(true);
  expect((await go('b')).success).toBe(false);
});

test('a file that git ignores only since makes it void, one that it ignored before does not [w:approve.tree]', async () => {
  const put = (name: string, text: string) => {
    putFile(path.join(project.root, name), text);
  };
  execFileSync('git', ['init', '-q'], { cwd: project.root });
  put('.gitignore', 'out/\n');
  expect(project.for(nobody).transitions.approve('b')).toBeNull();
  put('out/a.js', 'x');
  put('new/.gitignore', '*\n');
  put('new/a.js', 'x');
  expect(await go('b')).toMatchObject({
    success: false,
    unmet: [{ missing: 'new/.gitignore, new/a.js changed since a person approved' }],
  });
  fs.rmSync(path.join(project.root, 'new'), { recursive: true });
  expect((await go('b')).success).toBe(true);
});

describe('an ignored file that a gate of the mode names', () => {
  test.each<[check: string, file: string, isBound: boolean]>([
    ['changed: "backups/**"', 'backups/db.dump', true],
    ['unchanged: "backups/**"', 'backups/db.dump', true],
    ['passes: npm test, watch: "backups/**"', 'backups/db.dump', true],
    ['run: npm run verify, uses: "backups/**"', 'backups/db.dump', true],
    ['file: backups/db.dump', 'backups/db.dump', true],
    ['file: node_modules/x/a.js', 'node_modules/x/a.js', true],
    ['changed: "node_modules/x/**"', 'node_modules/x/a.js', true],
    ['passes: npm test, outputs: "backups/**"', 'backups/db.dump', false],
    ['file: backups/other.dump', 'backups/db.dump', false],
    ['changed: "src/**"', 'backups/db.dump', false],
  ])('{%s} binds %s: %s [w:approve.tree]', async (check, file, isBound) => {
    const put = (name: string, text: string) => {
      putFile(path.join(project.root, name), text);
    };
    execFileSync('git', ['init', '-q'], { cwd: project.root });
    put('.gitignore', 'backups/\nnode_modules/\n');
    put(
      '.claude/modes.yaml',
      `name: t\ndefault: a\nmodes:\n  a:\n    transitions: [{to: b, approve: human}, {to: c, require: [{${check}}]}]\n  b: {}\n  c: {}\n`,
    );
    put(file, 'before');
    await reopen();
    expect(project.for(nobody).transitions.approve('b')).toBeNull();
    put(file, 'after');
    const answer = await go('b');
    expect(answer.success).toBe(!isBound);
    if (isBound) expect(answer).toMatchObject({ unmet: [{ missing: `${file} changed since a person approved` }] });
  });
});

test('an approval does not cover an earlier visit to the mode, or another plan [w:approve.edge]', async () => {
  const seen = project.for(nobody).transitions.takeApprovalSnapshot();
  expect((await go('c')).success).toBe(true);
  expect((await go('a')).success).toBe(true);
  expect(project.for(nobody).transitions.approve('b', seen)).toMatchObject({
    reason: expect.stringContaining('Nothing was approved'),
  });
  const before = project.for(nobody).transitions.takeApprovalSnapshot();
  await project.for(nobody).plans.propose({ title: 'x', items: ['y'] }, asker);
  expect(project.for(nobody).transitions.approve('b', before)).toMatchObject({
    reason: expect.stringContaining('Nothing was approved'),
  });
  expect(project.for(nobody).transitions.approve('b')).toBeNull();
});

test('another change of mode makes it void [w:approve.edge]', async () => {
  expect(project.for(nobody).transitions.approve('b')).toBeNull();
  expect((await go('c')).success).toBe(true);
  expect((await go('a')).success).toBe(true);
  expect((await go('b')).success).toBe(false);
});

test('it opens no other transition, and none that does not exist [w:approve.edge]', () => {
  expect(project.for(nobody).transitions.approve('b')).toBeNull();
  expect(project.for(nobody).transitions.approve('constructor')).toMatchObject({ success: false });
  expect(project.for(nobody).transitions.approve('a')).toMatchObject({ success: false });
});
