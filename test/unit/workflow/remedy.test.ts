// What a refusal about a whole folder says of other modes, each of which looks at every name below.

import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { openProject, type Project } from '../../../src/workflow/project.ts';
import { putFile } from '../../support/files.ts';
import { makeFolder } from '../../support/folder-project.ts';
import { prepare } from '../../support/prepare.ts';

const packageRoot = fileURLToPath(new URL('../../..', import.meta.url));

afterEach(() => vi.restoreAllMocks());

/** `idle` may write nothing; of the others, by name, each denies one path. */
async function open(others: Record<string, string>, files: readonly string[]): Promise<Project> {
  const base = makeFolder();
  const root = path.join(base, 'project');
  const put = (name: string, text: string): void => {
    putFile(path.join(root, name), text);
  };
  const names = Object.keys(others);
  const ways = names.map((name) => `      - to: ${name}\n`).join('');
  put(
    '.claude/modes.yaml',
    `name: t\ndefault: idle\nmodes:\n  idle:\n    transitions:\n${ways}${names.map((name) => `  ${name}:\n`).join('')}`,
  );
  put('.claude/settings.idle.json', '{"permissions":{"deny":["Write"]}}');
  for (const name of names)
    put(`.claude/settings.${name}.json`, JSON.stringify({ permissions: { deny: [`Write(${others[name]})`] } }));
  for (const file of files) put(file, '');
  const project = openProject({ start: root, env: { HOME: base, PATH: process.env.PATH }, packageRoot, prepare });
  if (project === null) throw new Error('not governed');
  await project.ready();
  return project;
}

function remedyOf(project: Project, command: string): string {
  const event = { hook_event_name: 'PreToolUse', cwd: project.root, tool_name: 'Bash', tool_input: { command } };
  const { decision, remedy } = project.decideText(JSON.stringify(event));
  expect(decision).toBe('deny');
  return remedy;
}

describe('a mode is named only if nothing below denies the call there', () => {
  test.each([
    ['mv big moved', 'big/*.lock', 'other'],
    ['mv big moved', 'moved/**', 'other'],
    ['mv big moved', '/moved/a/*.lock', 'other'],
    ['rm -r big', '*.lock', 'other'],
    ['mv big moved', '*.key', 'first'],
    ['rm -r big', '/moved/**', 'first'],
  ])('%s where the first denies %s: %s', async (command, denied, mode) => {
    const project = await open({ first: denied, other: '/elsewhere/*.lock' }, ['big/a/x.lock', 'big/y.lock']);
    expect(remedyOf(project, command)).toMatch(new RegExp(`^It is allowed in ${mode}\\b`));
  });
});

test('each folder is read once for the mode, and once for all others', async () => {
  const modes = Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`m${at}`, `*.n${at}`]));
  const project = await open(
    modes,
    Array.from({ length: 8 }, (_, at) => `big/d${at}/x.n${at}`),
  );
  const reads = vi.spyOn(fs, 'readdirSync');
  expect(remedyOf(project, 'mv big moved')).not.toContain('It is allowed');
  const folders = reads.mock.calls.map(([folder]) => String(folder)).filter((folder) => folder.includes('/big/d'));
  expect(new Set(folders).size).toBe(8);
  expect(folders).toHaveLength(16);
});

test.each([
  [10, true],
  [1_200, false],
])(
  'all modes together check no more names than a call may name: %d names below, the last mode named: %s',
  async (names, isNamed) => {
    const closed = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`m${at}`, '*.lock']));
    const files = Array.from({ length: names }, (_, at) => `big/f${at}.txt`);
    const project = await open({ ...closed, last: '*.key' }, [...files, 'big/x.lock']);
    expect(remedyOf(project, 'mv big moved').startsWith('It is allowed in last')).toBe(isNamed);
  },
);
