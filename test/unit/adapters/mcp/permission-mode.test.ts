// A client's request for permission to use our tool for its permission mode: what is set, and what is left to a person.
import { expect, test } from 'vitest';
import { Session } from '../../../support/mcp-session.ts';
import { makeProject } from '../../../support/project.ts';

const own = 'mcp__plugin_modes_modes__permission_mode';
const plugin = { name: 'plugin:modes:modes', source: 'plugin' };

async function start(idle: string, env: NodeJS.ProcessEnv = {}) {
  const project = makeProject({ example: null });
  project.put('.claude/modes.yaml', `name: p\ndefault: idle\nmodes:\n  idle:\n    ${idle}\n`);
  project.trust();
  return Session.start(project, { env });
}

async function asked(session: Session, permissionMode: string, fields: Record<string, unknown> = {}): Promise<string | null> {
  const { answer, error } = await session.event('PermissionRequest', {
    tool_name: own,
    tool_input: '{}',
    mcp_server: JSON.stringify(plugin),
    permission_mode: permissionMode,
    ...fields,
  });
  if (error !== null) return `error: ${error}`;
  const output = answer?.hookSpecificOutput as { decision: Record<string, unknown> } | undefined;
  if (output === undefined) return null;
  const { behavior, updatedPermissions, message } = output.decision;
  return behavior === 'deny' ? `deny: ${message}` : `allow ${JSON.stringify(updatedPermissions)}`;
}

const set = (mode: string) => `allow [{"type":"setMode","mode":"${mode}","destination":"session"}]`;

test('a stricter mode is set; only a person changes a stricter or unknown one', async () => {
  const session = await start('permissionMode: default');
  for (const from of ['default', 'acceptEdits', 'auto', 'bypassPermissions'])
    expect([from, await asked(session, from)]).toEqual([from, set('default')]);
  for (const from of ['plan', 'dontAsk', 'a-mode-of-tomorrow', ''])
    expect([from, await asked(session, from)]).toEqual([
      from,
      expect.stringMatching(/^deny: .*default lets more happen without asking/),
    ]);
});

test('a request for another tool, another server or a subagent gets no answer', async () => {
  const session = await start('permissionMode: plan');
  for (const fields of [
    { tool_name: 'mcp__plugin_modes_modes__transition' },
    { tool_name: 'Write', tool_input: '{"file_path":"/a","content":""}', mcp_server: '' },
    { mcp_server: '' },
    { mcp_server: '{"name":"plugin_modes_modes","source":"project"}' },
    { agent_id: 'agent-1' },
  ])
    expect([fields, await asked(session, 'default', fields)]).toEqual([fields, null]);
});

test('a headless session does not enter plan mode', async () => {
  const session = await start('permissionMode: plan', { CLAUDE_CODE_ENTRYPOINT: 'sdk-cli' });
  expect(await asked(session, 'default')).toMatch(/^deny: .*this session is not interactive, so no one can end the plan mode/);
});

test('the tool reports the result once', async () => {
  const session = await start('permissionMode: plan');
  const call = async () => {
    const id = `toolu_${Math.random()}`;
    await session.decide(own, {}, { tool_use_id: id, mcp_server: JSON.stringify(plugin) });
    return (await session.tool('permission_mode', {}, id)).value;
  };
  expect(await call()).toMatchObject({ success: false, reason: expect.stringContaining('it did not ask') });
  expect(await asked(session, 'default')).toBe(set('plan'));
  expect(await call()).toEqual({ success: true, permission_mode: 'plan' });
  expect(await call()).toMatchObject({ success: false });
});

test('a mode without a permission mode sets none', async () => {
  const session = await start('title: Idle');
  expect(await asked(session, 'default')).toMatch(/^deny: The mode names no valid permission mode/);
});
