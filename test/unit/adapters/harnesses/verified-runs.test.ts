// Verified runs where no server is: real processes of modes hook record the files before an allowed program runs, and the next call, the
// next prompt and the next gate compare them.
import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { modesHere } from '../../../support/command-line.ts';
import { builtPlugin } from '../../../support/plugin.ts';
import { makeProject, type Project, run } from '../../../support/project.ts';

let plugin: string;
beforeAll(async () => {
  plugin = await builtPlugin();
}, 120_000);

const modes = (project: Project, args: string[], types?: string) =>
  modesHere(args, { cwd: project.root, env: { HOME: project.home, PATH: '/usr/bin:/bin' }, types });
const env = (project: Project) => ({ HOME: project.home, PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin` });

/** An event of Codex, answered by `modes hook`. */
async function codex(project: Project, event: string, fields: object) {
  const stdin = JSON.stringify({ session_id: 's', turn_id: 't', cwd: project.root, hook_event_name: event, ...fields });
  const hook = [path.join(plugin, 'dist/modes.mjs'), 'hook', event, '--harness', 'codex'];
  const { code, out, err } = await run(process.execPath, hook, { cwd: project.root, env: env(project), stdin });
  return { isOpen: code === 0 && out === '', out, err };
}
const shell = (project: Project, command: string) =>
  codex(project, 'PreToolUse', { tool_name: 'Bash', tool_input: { command }, tool_use_id: command });
const patch = (project: Project, file: string, text = 'x') => {
  const command = `*** Begin Patch\n*** Add File: ${file}\n+${text}\n*** End Patch`;
  return codex(project, 'PreToolUse', { tool_name: 'apply_patch', tool_input: { command }, tool_use_id: file });
};
const prompt = async (project: Project) => (await codex(project, 'UserPromptSubmit', { prompt: 'go on' })).out;
const gate = async (project: Project) => JSON.parse((await modes(project, ['gates', '--json'])).out);
const status = async (project: Project) => JSON.parse((await modes(project, ['status', '--json'])).out);

/** src/ is closed, ask.txt asks and make is allowed. */
function guarded({ uncertain = 'verify' } = {}): Project {
  const project = makeProject({ example: null });
  project.put(
    '.claude/modes.yaml',
    'name: guarded\ndefault: work\nmodes: {work: {transitions: [{to: done, require: [{file: Makefile}]}]}, done: {}}\n',
  );
  const permissions = { deny: ['Write(src/**)'], ask: ['Write(ask.txt)'], allow: ['Bash(make)', 'Bash(make -C a)'], uncertain };
  project.put('.claude/settings.work.json', JSON.stringify({ permissions }));
  project.put('.claude/settings.done.json', '{}');
  project.put('src/a.js', 'one\n');
  project.put('Makefile', 'all:\n\techo\n');
  project.trust();
  return project;
}
/** The allowed program runs, and writes a guarded file. */
async function runs(project: Project, text = 'two\n'): Promise<void> {
  expect((await shell(project, 'make')).isOpen).toBe(true);
  project.put('src/a.js', text);
}

test('the next call sees what an allowed program changed, and the log has it [w:verified.once]', async () => {
  const project = guarded();
  await runs(project);
  const next = await patch(project, 'src/b.js');
  expect(next.isOpen).toBe(false);
  for (const part of ['src/a.js was changed', 'Write(src/**)', '"make"', 'modes accept']) expect(next.err).toContain(part);
  // Each violation is reported once with a call, and with each prompt until it is settled.
  expect((await patch(project, 'src/b.js')).err).not.toContain('src/a.js');
  expect(await prompt(project)).toContain('src/a.js was changed');
  const { out } = await modes(project, ['log', '--json', '--decision', 'deny']);
  const seen = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ result }) => result.by === 'verified');
  expect(seen).toEqual([expect.objectContaining({ requested_by: 'one-shot' })]);
  project.put('src/a.js', 'one\n');
  expect(await prompt(project)).not.toContain('src/a.js');
}, 60_000);

test('the gate sees it although no call follows, until a person settles it in a terminal [w:verified.once]', async () => {
  const project = guarded();
  await runs(project);
  expect(JSON.stringify(await gate(project))).toContain('src/a.js changed');
  const moved = await modes(project, ['mode', 'done'], 'n');
  expect(moved).toMatchObject({ code: 1 });
  expect((await status(project)).current_mode).toBe('work');
  expect(await modes(project, ['restore'])).toMatchObject({ code: 1, err: expect.stringContaining('E_NOBODY') });
  expect(await modes(project, ['restore'], 'n')).toMatchObject({ code: 1, err: expect.stringContaining('+two') });
  expect(project.get('src/a.js')).toBe('two\n');
  expect(JSON.parse((await modes(project, ['restore', '--json'], 'y')).out)).toMatchObject({ files: ['src/a.js'] });
  expect(project.get('src/a.js')).toBe('one\n');
  await runs(project);
  expect((await modes(project, ['accept'], 'y')).out).toContain('Accepted: src/a.js');
  expect(await modes(project, ['accept'], 'y')).toMatchObject({ code: 0, out: expect.stringContaining('No program') });
  expect(JSON.stringify(await gate(project))).not.toContain('src/a.js changed');
  expect((await modes(project, ['mode', 'done'], 'y')).code).toBe(0);
}, 60_000);

test("a permitted call's own writes are no violation, those of a refused one are [w:verified.once]", async () => {
  const project = guarded();
  await runs(project, 'one\n');
  // Guarded, and granted once.
  expect((await patch(project, 'ask.txt')).isOpen).toBe(false);
  expect((await modes(project, ['grant'], 'y')).code).toBe(0);
  expect((await patch(project, 'ask.txt')).isOpen).toBe(true);
  project.put('ask.txt', 'x\n');
  expect((await patch(project, 'src/b.js')).err).not.toContain('ask.txt was');
  // The same file again, and a file that no permitted call writes.
  project.put('ask.txt', 'y\n');
  project.put('src/b.js', 'x\n');
  const { err } = await patch(project, 'src/c.js');
  expect(err).toContain('ask.txt was changed');
  expect(err).toContain('src/b.js was created');
}, 60_000);

test.each(['ask', 'deny'])('without verify (%s), an allowed program runs without a comparison', async (uncertain) => {
  const project = guarded({ uncertain });
  await runs(project);
  expect((await patch(project, 'src/b.js')).err).not.toContain('src/a.js');
});

test('an allowed program asks if the files cannot be recorded, and a program that no rule allows asks anyway [w:verified.once]', async () => {
  const project = guarded();
  expect((await shell(project, 'make other')).isOpen).toBe(false);
  const folder = fs
    .readdirSync(path.join(project.data, 'projects'))
    .map((name) => path.join(project.data, 'projects', name))[0] as string;
  fs.mkdirSync(path.join(folder, 'verified.json'));
  const refused = await shell(project, 'make');
  expect(refused.isOpen).toBe(false);
  expect(refused.err).toContain('cannot be recorded before the run');
  fs.rmdirSync(path.join(folder, 'verified.json'));
  expect((await shell(project, 'make')).isOpen).toBe(true);
});
