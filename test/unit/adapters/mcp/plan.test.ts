// The plan tools and /modes:approve plan, spoken to as the client does.
import { beforeAll, describe, expect, test } from 'vitest';
import { Session, type SessionOptions, tick } from '../../../support/mcp-session.ts';
import { twoModes } from '../../../support/plan-project.ts';
import { builtPlugin } from '../../../support/plugin.ts';
import { makeProject } from '../../../support/project.ts';

beforeAll(async () => void (await builtPlugin()), 120_000);

async function start(options: SessionOptions = {}, modes = twoModes): Promise<Session> {
  const project = makeProject({ example: null });
  project.put('.claude/modes.yaml', modes);
  project.trust();
  return Session.start(project, options);
}

let calls = 0;
const server = '{"name":"plugin:modes:modes","source":"plugin"}';
/** Announces a call of a plan tool as the client does, and makes it. */
async function call(session: Session, name: string, input: Record<string, unknown> = {}, agent = '') {
  const id = `toolu_plan_${++calls}`;
  const decision = await session.decide(`mcp__plugin_modes_modes__${name}`, input, {
    tool_use_id: id,
    agent_id: agent,
    mcp_server: server,
  });
  return { decision, ...(await session.tool(name, input, id)) };
}
const approve = (session: Session) => session.type('/modes:approve plan');

describe('a plan tool', () => {
  test('is allowed in the main thread; in a subagent only the reading one is [w:plan.tools] [w:subagent.never]', async () => {
    const session = await start();
    const calls: [string, Record<string, unknown>][] = [
      ['plan_propose', { items: ['one'] }],
      ['plan_check', { item: 1 }],
      ['plan_done', { explanation: 'x' }],
    ];
    for (const [name, input] of calls) {
      expect([name, await call(session, name, input, 'agent-1')]).toEqual([
        name,
        expect.objectContaining({ decision: 'deny', failed: true }),
      ]);
      expect((await session.tool('plan_status')).value).toMatchObject({ plan: null });
    }
    expect(await call(session, 'plan_status', {}, 'agent-1')).toMatchObject({ decision: 'allow', failed: false });
    for (const [name, input] of calls)
      expect(await call(session, name, input)).toMatchObject({ decision: 'allow', failed: false });
  });

  test('that was not announced changes nothing', async () => {
    const session = await start();
    for (const id of [null, 'toolu_unheard'])
      expect(await session.tool('plan_propose', { items: ['one'] }, id)).toMatchObject({ failed: true });
    expect((await session.tool('plan_status')).value).toMatchObject({ success: true, plan: null });
  });

  test('returns the context of the new mode if it ends the mode', async () => {
    const session = await start({ dialog: tick });
    await call(session, 'plan_propose', { items: ['one'] });
    await approve(session);
    await session.transition('implementation');
    const { value } = await call(session, 'plan_check', { item: 1 });
    expect(value).toMatchObject({ success: true, mode: 'discussion', context: expect.stringContaining('MODE: discussion') });
    expect(await session.mode()).toBe('discussion');
  });

  test('is shown by status and in the context, with its progress in the line [w:plan.tools]', async () => {
    const session = await start();
    await call(session, 'plan_propose', { title: 'A plan', items: ['one', { text: 'two', files: ['src/**'] }] });
    await call(session, 'plan_check', { item: 1 });
    expect((await session.tool('status')).value).toMatchObject({
      plan: { title: 'A plan', done: '1 of 2, according to the agent' },
    });
    const told = async () => {
      const { answer } = await session.event('UserPromptSubmit', { prompt: 'hello', source: '' });
      return (answer as { hookSpecificOutput: { additionalContext: string } }).hookSpecificOutput.additionalContext;
    };
    expect(await told()).toMatch(/PLAN:\nA plan\n1\. one\n2\. two \(files: src\/\*\*\)\nThis list is not approved yet/);
    expect(await told()).toMatch(/Plan: 1 of 2 done, not approved\.$/);
  });
});

describe('/modes:approve plan', () => {
  test('shows the whole list in one dialog, and an approval covers exactly that list [w:approve.plan]', async () => {
    const session = await start({ dialog: tick });
    await call(session, 'plan_propose', { title: 'A plan', items: ['one', { text: 'two', files: ['src/**'] }] });
    expect(await approve(session)).toContain('Approved: 2 items');
    expect(session.questions).toHaveLength(1);
    const shown = JSON.stringify(session.questions[0]);
    for (const line of ['A plan', '[ ] 1. one', '[ ] 2. two (files: src/**)']) expect(shown).toContain(line);
    expect((await session.tool('plan_status')).value).toMatchObject({ plan: { approved: true } });
    expect(await session.type('/modes:approve plan')).toContain('already approved');
  });

  test.each<[string, SessionOptions['dialog']]>([
    ['it is declined', () => ({ action: 'decline' })],
    ['it is not ticked', () => ({ action: 'accept', content: { confirm: false } })],
    ['nobody answers', () => ({ action: 'cancel' })],
    ['the client has no dialogs', null],
  ])('approves nothing if %s', async (_, dialog) => {
    const session = await start({ dialog });
    await call(session, 'plan_propose', { items: ['one'] });
    expect(await approve(session)).toContain('Nothing was approved');
    expect((await session.tool('plan_status')).value).toMatchObject({ plan: { approved: false } });
  });

  test('approves nothing if the list changed during the dialog', async () => {
    const session = await start();
    await call(session, 'plan_propose', { items: ['one'] });
    session.dialog = async () => {
      await call(session, 'plan_propose', { items: ['other'] });
      return { action: 'accept', content: { confirm: true } };
    };
    expect(await approve(session)).toContain('the plan has changed in the meantime');
    expect((await session.tool('plan_status')).value).toMatchObject({ plan: { approved: false } });
  });

  test('of another hash, or without a plan, asks nothing', async () => {
    const session = await start({ dialog: tick });
    expect(await session.type('/modes:approve plan')).toContain('no plan');
    await call(session, 'plan_propose', { items: ['one'] });
    for (const typed of ['abc', '000000000000', 'yes'])
      expect(await session.type(`/modes:approve plan ${typed}`)).toContain('Nothing was approved');
    expect(session.questions).toEqual([]);
  });

  test('a mode called plan is approved by its name', async () => {
    const session = await start(
      { dialog: tick },
      'name: t\ndefault: a\nmodes:\n  a:\n    transitions: [{to: plan, approve: human}]\n  plan:\n    transitions: [{to: a}]\n',
    );
    expect(await session.type('/modes:approve plan')).toContain('may change to plan once');
    expect(await session.transition('plan')).toMatchObject({ success: true });
  });
});
