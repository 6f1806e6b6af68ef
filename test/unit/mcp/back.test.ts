// What a person approved is the person's to take back: a change of mode, and trust.
import { expect, test } from 'vitest';
import { makeProject } from '../plugin/project.ts';
import { Session } from './session.ts';

const yes = () => ({ action: 'accept', content: { confirm: true } });
const modes = 'name: b\ndefault: one\nmodes:\n  one:\n    transitions: [{to: two, approve: human}]\n  two:\n';

async function start() {
  const project = makeProject({ example: null });
  project.put('.claude/modes.yaml', modes);
  project.put('.claude/settings.one.json', '{"permissions": {"allow": ["Write(a.txt)"]}}');
  project.trust();
  return Session.start(project, { dialog: yes });
}

test('an approved change is listed, and taken back it is not made', async () => {
  const session = await start();
  expect(await session.type('/modes:approve back two')).toContain('No change to two is approved.');
  expect(await session.type('/modes:approve two')).toContain('/modes:approve back two takes it back');
  expect(await session.type('/modes:grants')).toContain('One change to two is approved');
  expect(await session.type('/modes:approve back two')).toContain('Taken back');
  expect(await session.type('/modes:grants')).toBe('Nothing is granted in this session.');
  expect(await session.transition('two')).toMatchObject({ success: false, unmet: [{ check: 'approve: human' }] });
  await session.type('/modes:approve two');
  expect(await session.transition('two')).toMatchObject({ success: true });
  expect(await session.type('/modes:grants')).toBe('Nothing is granted in this session.');
});

test('trust taken back ends what allow rules print, and is recorded', async () => {
  const session = await start();
  const { root } = session.project;
  const write = () => session.decide('Write', { file_path: `${root}/a.txt`, content: '' });
  expect(await write()).toBe('allow');
  expect(await session.type('/modes:trust')).toContain('/modes:trust back');
  expect(await session.type('/modes:trust back')).toContain('Taken back: one configuration is not trusted any more.');
  expect(await write()).toBe('pass');
  expect((await session.tool('status')).value).toMatchObject({ trusted: false });
  expect(await session.type('/modes:trust back')).toBe('Nothing of this project is trusted.');
  const shown = await session.type('/modes:trust');
  await session.type(/\/modes:trust ([0-9a-f]{12})/.exec(shown ?? '')?.[0] ?? '');
  expect(await write()).toBe('allow');
});
