// Protocols over the private pipe: what a phrase brings, and what a person is asked first.
import { beforeAll, describe, expect, test } from 'vitest';
import { Session, type SessionOptions, tick } from '../../../support/mcp-session.ts';
import { twoModes } from '../../../support/plan-project.ts';
import { builtPlugin } from '../../../support/plugin.ts';
import { makeProject } from '../../../support/project.ts';

beforeAll(async () => void (await builtPlugin()), 120_000);

const protocols = `${twoModes}protocols:
  creation:
    triggers: ["mek:"]
    instructions: "Write a task.\\n{{plan}}"
    plan: [ask, write]
  hurry:
    triggers: [yert]
    plan: [{text: fix, files: ["src/**"]}]
    mode: implementation
`;

async function start(options: SessionOptions = {}, trusted = true): Promise<Session> {
  const project = makeProject({ example: null });
  project.put('.claude/modes.yaml', protocols);
  if (trusted) project.trust();
  return Session.start(project, options);
}
async function say(session: Session, prompt: string, fields: Record<string, unknown> = {}) {
  const { answer } = await session.event('UserPromptSubmit', { prompt, source: '', ...fields });
  const { hookSpecificOutput, systemMessage = '' } = answer as {
    hookSpecificOutput: { additionalContext: string };
    systemMessage?: string;
  };
  return { model: hookSpecificOutput.additionalContext, person: systemMessage };
}
let calls = 0;
async function call(session: Session, name: string, input: Record<string, unknown>) {
  const id = `toolu_protocol_${++calls}`;
  const fields = { tool_use_id: id, mcp_server: '{"name":"plugin:modes:modes","source":"plugin"}' };
  await session.decide(`mcp__plugin_modes_modes__${name}`, input, fields);
  return (await session.tool(name, input, id)).value;
}
const plan = async (session: Session) => (await session.tool('plan_status')).value.plan;

describe('a phrase', () => {
  test('adds the plan and the instructions, without a question and without approval [w:plan.protocol]', async () => {
    const session = await start();
    const { model, person } = await say(session, 'mek: a login form');
    expect(person).toContain('The protocol creation started.');
    expect(model).toMatch(/^The protocol creation started\.\n\nWrite a task\.\n1\. ask\n2\. write\n\n/);
    expect(await plan(session)).toMatchObject({
      protocol: 'creation',
      approved: false,
      items: [{ text: 'ask' }, { text: 'write' }],
    });
    expect(session.questions).toEqual([]);
  });

  test('interrupts the open plan, which continues afterwards', async () => {
    const session = await start();
    await call(session, 'plan_propose', { title: 'mine', items: ['one'] });
    await say(session, 'mek:');
    expect(await call(session, 'plan_check', { item: [1, 2] })).toMatchObject({ goes_on: expect.stringContaining('mine') });
    expect(await plan(session)).toMatchObject({ title: 'mine' });
  });

  test('of a complete protocol leaves nothing behind [w:plan.protocol]', async () => {
    const session = await start();
    await say(session, 'mek:');
    expect(await call(session, 'plan_check', { item: [1, 2] })).toMatchObject({ complete: true, plan: null });
  });

  test('with a mode asks; accepting approves the plan and changes the mode', async () => {
    const session = await start({ dialog: tick });
    expect((await say(session, 'yert')).model).toContain('MODE: implementation');
    expect(session.questions).toHaveLength(1);
    expect(JSON.stringify(session.questions)).toContain('[ ] 1. fix');
    expect(await session.mode()).toBe('implementation');
    expect(await plan(session)).toMatchObject({ protocol: 'hurry', approved: true });
    expect(await session.decide('Write', { file_path: `${session.project.root}/docs/a.md`, content: '' })).toBe('deny');
    expect(await call(session, 'plan_check', { item: 1 })).toMatchObject({ mode: 'discussion', plan: null });
  });

  test.each<[string, SessionOptions, string]>([
    ['it is declined', { dialog: () => ({ action: 'decline' }) }, 'yert'],
    ['nobody can be asked', { dialog: tick, env: { CLAUDE_CODE_ENTRYPOINT: 'sdk-cli' } }, 'yert'],
    ['it is not the whole prompt', { dialog: tick }, 'please do not yert yet'],
  ])('with a mode changes nothing if %s', async (_, options, prompt) => {
    const session = await start(options);
    await say(session, prompt);
    expect(await session.mode()).toBe('discussion');
    expect(await plan(session)).toBeNull();
  });

  test('starts nothing in a text of an agent, or in an unapproved configuration', async () => {
    const session = await start({ dialog: tick });
    await say(session, 'mek:', { source: 'schedule_wakeup' });
    expect(await plan(session)).toBeNull();
    const untrusted = await start({ dialog: tick }, false);
    for (const prompt of ['mek:', 'yert']) await say(untrusted, prompt);
    expect(await plan(untrusted)).toBeNull();
    expect(untrusted.questions).toEqual([]);
  });
});
