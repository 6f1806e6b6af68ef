// A zone of time that is no file: the server starts all the same.
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { dropOddZone } from '../../../../src/platform/time-zone.ts';
import { Session } from '../../../support/mcp-session.ts';
import { makeProject } from '../../../support/project.ts';
import { makeTree, type Tree } from '../../../support/tree.ts';

const pipe = (file: string): string => {
  execFileSync('mkfifo', [file]);
  return file;
};

test('a server whose zone is a pipe answers', async () => {
  const project = makeProject();
  const session = await Session.start(project, { env: { TZ: `:${pipe(path.join(project.home, 'zone'))}` } });
  expect(await session.decide('Read', { file_path: path.join(project.root, 'a.ts') })).toMatch(/^(pass|allow)$/);
});

test.each<[string, (tree: Tree) => NodeJS.ProcessEnv]>([
  ['a pipe', ({ root }) => ({ TZ: pipe(`${root}/zone`) })],
  ['a pipe by its other form', ({ root }) => ({ TZ: `:${pipe(`${root}/zone`)}` })],
  ['a pipe in a folder of its own', ({ root }) => ({ TZ: path.basename(pipe(`${root}/zone`)), TZDIR: root })],
  ['nothing, with a pipe for it', ({ root }) => ({ TZ: '', TZDIR: path.dirname(pipe(`${root}/Universal`)) })],
  ['a rule, with a pipe for it', ({ root }) => ({ TZ: 'CET-1CEST', TZDIR: path.dirname(pipe(`${root}/posixrules`)) })],
  ['a device', () => ({ TZ: '/dev/zero' })],
  ['a folder', ({ root }) => ({ TZ: root })],
])('%s is removed', (_, of) => {
  const env = of(makeTree());
  dropOddZone(env);
  expect(env).toEqual({});
});

test.each<NodeJS.ProcessEnv>([
  {},
  { TZ: '' },
  { TZ: 'Europe/Berlin' },
  { TZ: ':Europe/Berlin' },
  { TZ: 'CET-1CEST' },
  { TZ: 'nowhere' },
])('%j stays', (env) => {
  const before = { ...env };
  dropOddZone(env);
  expect(env).toEqual(before);
});
