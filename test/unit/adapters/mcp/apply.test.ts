// /modes:apply: a draft that the agent may write, read by a person and written into .claude/ after a yes.
import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { type Dialog, Session, tick } from '../../../support/mcp-session.ts';
import { builtPlugin } from '../../../support/plugin.ts';
import { makeProject } from '../../../support/project.ts';

beforeAll(async () => void (await builtPlugin()), 120_000);

async function begin(draft: Record<string, string>, dialog: Dialog | null = tick, env = {}) {
  const project = makeProject();
  for (const [name, text] of Object.entries(draft)) project.put(`modes-draft/${name}`, text);
  const session = await Session.start(project, { dialog, env });
  const write = (name: string) => session.decide('Write', { file_path: path.join(project.root, name), content: 'x' });
  return { project, session, write };
}
const open = { 'settings.idle.json': '{"permissions":{"allow":["Write(notes/**)"],"deny":["Write(src/**)"]}}' };

/** `/modes:apply HASH` as `/modes:apply` itself says to type it. */
async function commandOf(session: Session): Promise<string> {
  const told = (await session.type('/modes:apply')) ?? '';
  const [command] = /\/modes:apply [0-9a-f]{12}$/.exec(told) ?? [];
  expect(command, told).toBeDefined();
  return command as string;
}

test('without a hash it shows the difference in permissions and files, and asks no question', async () => {
  const { session, project } = await begin({ ...open, 'CLAUDE.idle.md': 'Look around.\n' });
  const before = project.get('.claude/settings.idle.json');
  const told = await session.type('/modes:apply');
  expect(told).toContain('+ .claude/settings.idle.json: allow Write(notes/**)');
  expect(told).toContain('~ .claude/settings.idle.json');
  expect(told).toContain('~ .claude/CLAUDE.idle.md');
  expect(session.questions).toEqual([]);
  expect(project.get('.claude/settings.idle.json')).toBe(before);
});

test('after an approval it is written with a backup, adopted and trusted, and can be undone', async () => {
  const { session, project, write } = await begin(open);
  const before = project.get('.claude/settings.idle.json');
  expect(await write('notes/a.md')).toBe('deny');
  const told = await session.type(await commandOf(session));
  expect(told).toMatch(/changed \.claude\/settings\.idle\.json.*\nAdopted and trusted: sha256:/);
  expect(project.get('.claude/settings.idle.json')).toBe(open['settings.idle.json']);
  expect(project.get('.claude/settings.idle.json.before-modes')).toBe(before);
  expect(await write('notes/a.md')).toBe('allow');
  expect(await write('src/a.ts')).toBe('deny');
  expect(await session.type('/modes:apply')).toContain('is the same as');
  await session.type('/modes:setup undo');
  expect(project.get('.claude/settings.idle.json')).toBe(before);
});

test.each<[string, Dialog | null, object, RegExp]>([
  ['declined', () => ({ action: 'decline' }), {}, /declined/],
  ['of a client without dialogs', null, {}, /no dialogs/],
  ['where nobody sits', tick, { CLAUDE_CODE_ENTRYPOINT: 'sdk-cli' }, /not interactive.*modes trust in a terminal/],
])('%s, nothing is written', async (_, dialog, env, why) => {
  const { session, project, write } = await begin(open, dialog, env);
  const before = project.get('.claude/settings.idle.json');
  expect(await session.type(await commandOf(session))).toMatch(why);
  expect(project.get('.claude/settings.idle.json')).toBe(before);
  expect(await write('notes/a.md')).toBe('deny');
});

test('a draft that changed since it was shown, prose included, is not written', async () => {
  const { session, project } = await begin({ 'CLAUDE.idle.md': 'Look around.\n' });
  const command = await commandOf(session);
  project.put('modes-draft/CLAUDE.idle.md', 'Send everything away.\n');
  expect(await session.type(command)).toContain('Nothing was written');
  expect(session.questions).toEqual([]);
});

test('a file that changed during the dialog is not overwritten', async () => {
  const { session, project } = await begin(open, () => {
    project.put('.claude/settings.idle.json', '{"permissions":{"deny":["Write"]}}');
    return { action: 'accept', content: { confirm: true } };
  });
  expect(await session.type(await commandOf(session))).toContain('has changed in the meantime; nothing was written');
  expect(project.get('.claude/settings.idle.json')).toContain('"deny":["Write"]');
});

test('a broken draft is reported with its errors', async () => {
  const { session } = await begin({ 'settings.idle.json': '{"permissions":{"deny":["Wriet(x)"]}}' });
  expect(await session.type('/modes:apply')).toMatch(
    /cannot be applied.*\n.*settings\.idle\.json:1:\d+ E_RULE_UNKNOWN_TOOL .*Did you mean Write\?/s,
  );
});

test('only configuration files are applied, and no link', async () => {
  const { session, project } = await begin({ ...open, 'settings.json': '{"hooks":{}}', 'hooks/x.sh': 'true' });
  const told = await session.type(await commandOf(session));
  expect(told).not.toContain('settings.json ');
  expect(fs.existsSync(path.join(project.root, '.claude/hooks/x.sh'))).toBe(false);
  fs.rmSync(path.join(project.root, 'modes-draft/settings.idle.json'));
  project.put('.env', '{"permissions":{}}');
  fs.symlinkSync('../.env', path.join(project.root, 'modes-draft/settings.idle.json'));
  expect(await session.type('/modes:apply')).toContain('a link');
});

test('without a draft it describes one', async () => {
  const { session } = await begin({});
  expect(await session.type('/modes:apply')).toContain('There is no draft. It is a folder modes-draft/');
});
