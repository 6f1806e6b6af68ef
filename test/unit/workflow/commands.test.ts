// Commands that a project declares: what they say counts for widening only once a person trusts them.

import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { dataFolderOf } from '../../../src/facts/paths/place.ts';
import { recordTrust } from '../../../src/store/trust.ts';
import { nobody, openProject } from '../../../src/workflow/project.ts';
import { temporaryFolder } from '../../support/files.ts';
import { prepare } from '../../support/prepare.ts';

const packageRoot = fileURLToPath(new URL('../../..', import.meta.url));
let base: string;

beforeEach(() => {
  base = temporaryFolder('modes-commands-');
});
afterEach(() => fs.rmSync(base, { recursive: true, force: true }));

/** Decisions on commands in a mode where writing src is denied. */
async function decide(trusted: boolean, ...commands: string[]): Promise<string[]> {
  const root = path.join(base, 'project');
  const env = { HOME: base, PATH: process.env.PATH };
  fs.mkdirSync(path.join(root, '.claude'), { recursive: true });
  fs.writeFileSync(
    path.join(root, '.claude/modes.yaml'),
    'name: t\ndefault: one\ncommands:\n  - {match: "mytool show *", class: read-only}\n  - {match: "mytool make *", class: writes, writes: [1]}\n  - {match: "ls", class: unknown}\nmodes:\n  one:\n',
  );
  fs.writeFileSync(path.join(root, '.claude/settings.one.json'), '{"permissions":{"deny":["Write(src/**)"]}}');
  const open = async () => {
    const project = openProject({ start: root, env, packageRoot, prepare });
    if (project === null) throw new Error('not governed');
    await project.ready();
    return project;
  };
  let project = await open();
  if (trusted) {
    recordTrust(dataFolderOf(env), project.root, project.for(nobody).describe().configuration.hash, 'terminal', new Date());
    project = await open();
  }
  return commands.map((command) => {
    const event = { hook_event_name: 'PreToolUse', cwd: project.root, tool_name: 'Bash', tool_input: { command } };
    return project.decideText(JSON.stringify(event)).decision;
  });
}

test('trusted: a declared reader passes, a declared writer is decided by its writes', async () => {
  expect(await decide(true, 'mytool show a b', 'mytool make src/a', 'mytool make docs/a', 'mytool drop')).toEqual([
    'pass',
    'deny',
    'pass',
    'ask',
  ]);
});

test('untrusted: a declaration can only restrict', async () => {
  expect(await decide(false, 'mytool show a b', 'mytool make src/a')).toEqual(['ask', 'deny']);
  expect(await decide(false, 'ls')).toEqual(['ask']);
});
