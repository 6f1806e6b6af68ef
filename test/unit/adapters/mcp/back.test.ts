// What a person approved is the person's to take back: a change of mode, and trust.
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { trustFile } from '../../../../src/store/trust.ts';
import { Session } from '../../../support/mcp-session.ts';
import { builtPlugin } from '../../../support/plugin.ts';
import { makeProject, run } from '../../../support/project.ts';

const yes = () => ({ action: 'accept', content: { confirm: true } });
const modes = 'name: b\ndefault: one\nmodes:\n  one:\n    transitions: [{to: two, approve: human}]\n  two:\n';

async function start() {
  const project = makeProject({ example: null });
  project.put('.claude/modes.yaml', modes);
  project.put('.claude/settings.one.json', '{"permissions": {"allow": ["Write(a.txt)"]}}');
  project.trust();
  return Session.start(project, { dialog: yes });
}

test('an approved change is listed, and is not made after its revocation', async () => {
  const session = await start();
  expect(await session.type('/modes:approve back two')).toContain('No change to two is approved.');
  expect(await session.type('/modes:approve two')).toContain('To take it back: /modes:approve back two');
  expect(await session.type('/modes:grants')).toContain('One change to two is approved');
  expect(await session.type('/modes:approve back two')).toContain('Taken back');
  expect(await session.type('/modes:grants')).toBe('Nothing is granted in this session.');
  expect(await session.transition('two')).toMatchObject({ success: false, unmet: [{ check: 'approve: human' }] });
  await session.type('/modes:approve two');
  expect(await session.transition('two')).toMatchObject({ success: true });
  expect(await session.type('/modes:grants')).toBe('Nothing is granted in this session.');
});

test('revoked trust ends the effect of allow rules, and is recorded', async () => {
  const session = await start();
  const { root } = session.project;
  const write = () => session.decide('Write', { file_path: `${root}/a.txt`, content: '' });
  expect(await write()).toBe('allow');
  expect(await session.type('/modes:trust')).toContain('/modes:trust back');
  expect(await session.type('/modes:trust back')).toContain('Taken back: one configuration is no longer trusted.');
  expect(await write()).toBe('pass');
  expect((await session.tool('status')).value).toMatchObject({ trusted: false });
  expect(await session.type('/modes:trust back')).toBe('No configuration of this project is trusted.');
  const shown = await session.type('/modes:trust');
  await session.type(/\/modes:trust ([0-9a-f]{12})/.exec(shown ?? '')?.[0] ?? '');
  expect(await write()).toBe('allow');
});

test('approvals of a later version are reported with a remedy, wherever a text says that nothing is trusted', async () => {
  const session = await start();
  const { root, data } = session.project;
  const write = () => session.decide('Write', { file_path: `${root}/a.txt`, content: '' });
  fs.writeFileSync(trustFile(data, root), '{"version":2}');
  await expect.poll(write).toBe('pass');
  const named = `${trustFile(data, root)} was written by a later version of Modes. Use that version, or move the file.`;
  expect(await session.type('/modes:mode status')).toContain(named);
  const plugin = await builtPlugin();
  for (const verb of ['status', 'validate']) {
    const { out } = await run(process.execPath, [path.join(plugin, 'dist/modes.mjs'), verb], {
      cwd: root,
      env: session.project.env(),
    });
    expect(out).toContain(named);
  }
});
