// A .rego file in .claude/policies takes effect through the same code as settings, compiled together with the real core.

import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ChangedPolicies, watch } from '../../../src/adapters/mcp/watch.ts';
import type { Prepare } from '../../../src/engine/prepared.ts';
import { nobody, openProject, type Project } from '../../../src/workflow/project.ts';
import { temporaryFolder } from '../../support/files.ts';
import { prepare } from '../../support/prepare.ts';

const packageRoot = fileURLToPath(new URL('../../..', import.meta.url));
const noForcePush = `package modes.policy.no_force_push

deny contains {"reason": "No force push.", "remedy": "Push a new commit."} if {
	some command in input.bash.commands
	command.argv[0] == "git"
	command.argv[1] == "push"
	"--force" in command.argv
}
`;
const infra = `package modes.policy.infra

ask contains $"{write.path} is infrastructure" if {
	some write in input.writes
	startswith(write.path, "infra/")
}
`;
let base: string;

beforeEach(() => {
  base = temporaryFolder('modes-policies-');
});
afterEach(() => fs.rmSync(base, { recursive: true, force: true }));

async function open(policies: Record<string, string>, preparing: Prepare = prepare): Promise<Project> {
  const root = path.join(base, 'project');
  fs.mkdirSync(path.join(root, '.claude/policies'), { recursive: true });
  fs.writeFileSync(path.join(root, '.claude/modes.yaml'), 'name: t\ndefault: one\nmodes:\n  one:\n  two:\n');
  for (const mode of ['one', 'two'])
    fs.writeFileSync(path.join(root, `.claude/settings.${mode}.json`), '{"permissions":{"deny":["Write(src/**)"]}}');
  for (const [name, text] of Object.entries(policies)) fs.writeFileSync(path.join(root, '.claude/policies', name), text);
  const project = openProject({ start: root, env: { HOME: base, PATH: process.env.PATH }, packageRoot, prepare: preparing });
  if (project === null) throw new Error('not governed');
  await project.ready();
  return project;
}

function decide(project: Project, tool: string, input: Record<string, unknown>) {
  return project.decideText(
    JSON.stringify({ hook_event_name: 'PreToolUse', cwd: project.root, tool_name: tool, tool_input: input }),
  );
}

test('its remedy is a sentence of its own, with or without a full stop', async () => {
  const project = await open({ 'push.rego': noForcePush.replace('Push a new commit.', 'Push a new commit') });
  expect(decide(project, 'Bash', { command: 'git push --force' })).toMatchObject({
    remedy: expect.stringMatching(/^Push a new commit\. A person can allow it once: /),
  });
});

test('its decisions count beside the rules, and name file and line', async () => {
  const project = await open({ 'push.rego': noForcePush, 'infra.rego': infra });
  expect(
    project
      .for(nobody)
      .problems()
      .filter(({ severity }) => severity === 'error'),
  ).toEqual([]);
  expect(decide(project, 'Bash', { command: 'git push --force' })).toMatchObject({
    decision: 'deny',
    reason: 'No force push. (.claude/policies/push.rego:3)',
    remedy: expect.stringMatching(/^Push a new commit\. A person can allow it once: \/modes:grant /),
    policies: [{ name: 'no_force_push', file: '.claude/policies/push.rego', line: 3 }],
  });
  expect(decide(project, 'Bash', { command: 'git push' }).decision).toBe('pass');
  const file = (name: string) => ({ file_path: path.join(project.root, name), content: '' });
  expect(decide(project, 'Write', file('infra/a.tf'))).toMatchObject({
    decision: 'ask',
    reason: expect.stringContaining('infra/a.tf is infrastructure'),
  });
  expect(decide(project, 'Write', file('src/a.ts'))).toMatchObject({ decision: 'deny', rules: [{ text: 'Write(src/**)' }] });
  expect(decide(project, 'Write', file('docs/a.md')).decision).toBe('pass');
});

test('one that does not compile denies everything except reading, with file, line and column, until it is fixed', async () => {
  const broken = await open({ 'push.rego': noForcePush.replace('input.bash', 'inptu.bash') });
  const denied = decide(broken, 'Write', { file_path: path.join(broken.root, 'docs/a.md'), content: '' });
  expect(denied).toMatchObject({ decision: 'deny', reason: expect.stringContaining('.claude/policies/push.rego:4:2') });
  expect(decide(broken, 'Read', { file_path: path.join(broken.root, 'docs/a.md') }).decision).toBe('pass');
  const mended = await open({ 'push.rego': noForcePush });
  expect(decide(mended, 'Write', { file_path: path.join(mended.root, 'docs/a.md'), content: '' }).decision).toBe('pass');
});

test('a second process uses the result of the first one', async () => {
  await open({ 'push.rego': noForcePush });
  const second = openProject({
    start: path.join(base, 'project'),
    env: { HOME: base, PATH: process.env.PATH },
    packageRoot,
    prepare: async () => {
      throw new Error('made anew');
    },
  });
  await second?.ready();
  expect(decide(second as Project, 'Bash', { command: 'git push --force' }).decision).toBe('deny');
});

test('a policy that is saved during a load applies to later requests', async () => {
  let hold: Promise<void> | null = null;
  const project = await open({}, async (content, build) => {
    const made = await prepare(content, build);
    await hold;
    return made;
  });
  const file = path.join(project.folder, 'policies/infra.rego');
  const write = () => decide(project, 'Write', { file_path: path.join(project.root, 'infra/a.tf'), content: '' }).decision;
  let release!: () => void;
  hold = new Promise((resolve) => {
    release = resolve;
  });
  fs.writeFileSync(file, noForcePush.replace('no_force_push', 'infra'));
  project.touch();
  const before = project.ready();
  fs.writeFileSync(file, infra);
  project.touch();
  const after = project.ready();
  release();
  await Promise.all([before, after]);
  expect(write()).toBe('ask');
});

test('a watched policy is compiled on save without a request, and the compiler starts at the first event', async () => {
  const project = await open({});
  const folder = path.join(project.folder, 'policies');
  const notes: string[] = [];
  const signs: string[] = [];
  const note = (text: string): void => {
    notes.push(text);
  };
  const policies = new ChangedPolicies(project, () => signs.push('policy'), note);
  const watchers = watch(project.for(nobody), (file) => policies.changed(file), note);
  try {
    fs.writeFileSync(path.join(folder, 'notes.txt'), '');
    fs.writeFileSync(path.join(project.folder, 'infra.rego'), '');
    fs.writeFileSync(path.join(folder, '.infra.rego.swp'), '');
    await expect.poll(() => signs).toContain('policy');
    fs.writeFileSync(path.join(folder, 'infra.rego'), infra);
    const write = () => decide(project, 'Write', { file_path: path.join(project.root, 'infra/a.tf'), content: '' }).decision;
    await expect.poll(write, { timeout: 20_000 }).toBe('ask');
    expect(notes.filter((note) => !note.includes('modes'))).toEqual([]);
  } finally {
    for (const watcher of watchers) watcher.close();
  }
});
