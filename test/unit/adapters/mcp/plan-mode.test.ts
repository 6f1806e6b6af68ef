// The client's own plans over the private pipe: when a yes to its plan mode approves, and how its lists are followed.
import { execFileSync } from 'node:child_process';
import { beforeAll, describe, expect, test } from 'vitest';
import { Session, type SessionOptions, tick } from '../../../support/mcp-session.ts';
import { twoModes } from '../../../support/plan-project.ts';
import { builtPlugin } from '../../../support/plugin.ts';
import { makeProject } from '../../../support/project.ts';

beforeAll(async () => void (await builtPlugin()), 120_000);

const markdown = '# A plan\n\n1. one\n2. two\n';

async function start(options: SessionOptions = {}, modes = twoModes, files: Record<string, string> = {}): Promise<Session> {
  const project = makeProject({ example: null });
  project.put('.claude/modes.yaml', modes);
  for (const [name, text] of Object.entries(files)) project.put(name, text);
  // A review reads the changes from git.
  execFileSync('git', ['init', '-q'], { cwd: project.root });
  project.trust();
  return Session.start(project, options);
}

let calls = 0;
interface Leaving {
  permission_mode?: string;
  agent_id?: string;
  plan?: string;
  /** What the client then says that was approved. */
  approved?: string;
}
/** ExitPlanMode as the client tells of it when a person said yes. */
async function leave(session: Session, { plan = markdown, approved = plan, ...fields }: Leaving = {}) {
  const call = { tool_name: 'ExitPlanMode', tool_use_id: `toolu_leave_${++calls}`, permission_mode: 'plan', ...fields };
  const before = await session.event('PreToolUse', {
    ...call,
    tool_input: JSON.stringify({ plan, planFilePath: '/x' }),
    mcp_server: '',
  });
  const { permissionDecisionReason: refused = null } = (before.answer?.hookSpecificOutput ?? {}) as Record<string, string | null>;
  if (refused !== null) return { refused, told: null };
  const after = await session.event('PostToolUse', {
    ...call,
    permission_mode: 'auto',
    tool_input: '{}',
    tool_response: JSON.stringify({ plan: approved, isAgent: false }),
  });
  const { additionalContext: told = null } = (after.answer?.hookSpecificOutput ?? {}) as Record<string, string | null>;
  return { refused, told };
}
const plan = async (session: Session) => (await session.tool('plan_status')).value.plan;

describe('leaving plan mode', () => {
  test('approves the plan, and its items are the list [w:plan.exit-approves]', async () => {
    const session = await start();
    expect(await leave(session)).toEqual({ refused: null, told: expect.stringContaining('approved this plan of 2 items') });
    expect(await plan(session)).toMatchObject({ title: 'A plan', approved: true, items: [{ text: 'one' }, { text: 'two' }] });
    expect(await session.transition('implementation')).toMatchObject({ success: true });
  });

  const hook = (matcher: string) =>
    JSON.stringify({ hooks: { PermissionRequest: [{ matcher, hooks: [{ type: 'command', command: 'true' }] }] } });

  test.each<[string, SessionOptions, Leaving, Record<string, string>, RegExp]>([
    ['the client was in another mode', {}, { permission_mode: 'default' }, {}, /not in its plan mode/],
    ['nobody can be asked', { env: { CLAUDE_CODE_ENTRYPOINT: 'sdk-cli' } }, {}, {}, /not interactive/],
    ['another plan was approved', {}, { approved: '# Other\n- x' }, {}, /changed during the dialog/],
    ['a hook could say yes', {}, {}, { '.claude/settings.json': hook('*') }, /settings\.json could answer/],
  ])('records the plan without approval if %s [w:plan.exit-approves]', async (_, options, leaving, files, why) => {
    const session = await start(options, twoModes, files);
    expect((await leave(session, leaving)).told).toMatch(why);
    expect(await plan(session)).toMatchObject({ approved: false });
    expect(await session.transition('implementation')).toMatchObject({ success: false });
  });

  test('a hook for other tools does not matter', async () => {
    const session = await start({}, twoModes, { '.claude/settings.json': hook('Bash') });
    await leave(session);
    expect(await plan(session)).toMatchObject({ approved: true });
  });

  test.each<[string, Leaving]>([
    ['by a subagent', { agent_id: 'agent-1' }],
    ['with nothing', { plan: ' ' }],
  ])('%s records no plan', async (_, leaving) => {
    const session = await start();
    await leave(session, leaving);
    expect(await plan(session)).toBeNull();
  });

  test('records no plan if it was announced twice with different texts', async () => {
    const session = await start();
    const call = { tool_name: 'ExitPlanMode', tool_use_id: 'toolu_twice', permission_mode: 'plan', mcp_server: '' };
    for (const text of [markdown, '# Other\n- x'])
      await session.event('PreToolUse', { ...call, tool_input: JSON.stringify({ plan: text }) });
    await session.event('PostToolUse', { ...call, tool_input: '{}', tool_response: JSON.stringify({ plan: markdown }) });
    expect(await plan(session)).toBeNull();
  });

  test('is left to the client if nothing requires plans', async () => {
    const session = await start({}, 'name: t\ndefault: a\nmodes:\n  a: {}\n');
    expect(await leave(session)).toEqual({ refused: null, told: null });
    expect(await plan(session)).toBeNull();
  });
});

describe('a review of the plan', () => {
  // The review reads modes.yaml as well, as a file that git does not know yet: the pattern does not meet itself.
  const reviewedBy = (command: string) => twoModes.replace('{plan: approved}', `{plan: approved}, {review: "${command}"}`);
  /** A person approved the files that say the class of the command. */
  const trusted = async (command: string) => {
    const session = await start({ dialog: tick }, reviewedBy(command));
    const [typed = ''] = /\/modes:trust [0-9a-f]{12}/.exec((await session.type('/modes:trust')) ?? '') ?? [];
    expect(await session.type(typed)).toContain('Trusted');
    return session;
  };

  test('refuses a plan that fails, with the reason [w:plan.exit]', async () => {
    const session = await trusted('grep -q writ[e].tests');
    const { refused } = await leave(session);
    expect(refused).toMatch(/^Revise the plan; this is missing:\n- review: grep -q writ\[e\]\.tests: /);
    expect(await plan(session)).toBeNull();
  });

  test('accepts a plan that passes, even if other requirements of the gate are unmet', async () => {
    const session = await trusted('grep -q writ[e].tests');
    expect(await leave(session, { plan: '# P\n- write tests' })).toMatchObject({ refused: null });
    expect(await plan(session)).toMatchObject({ approved: true, items: [{ text: 'write tests' }] });
  });

  test('that takes long is requested again', async () => {
    const session = await trusted('sleep 9');
    expect((await leave(session)).refused).toContain('still being checked');
    let answer = await leave(session);
    while (answer.refused?.includes('still')) answer = await leave(session);
    expect(answer).toMatchObject({ refused: null });
    expect(await plan(session)).toMatchObject({ approved: true });
  }, 60_000);
});

/** A call of a tool that the client allowed and made. */
async function make(session: Session, tool: string, input: Record<string, unknown>, response: unknown = {}, agent = '') {
  const call = { tool_name: tool, tool_use_id: `toolu_made_${++calls}`, agent_id: agent };
  const tool_input = JSON.stringify(input);
  await session.event('PreToolUse', { ...call, tool_input, mcp_server: '' });
  const { answer } = await session.event('PostToolUse', { ...call, tool_input, tool_response: JSON.stringify(response) });
  return ((answer?.hookSpecificOutput ?? {}) as { additionalContext?: string }).additionalContext ?? null;
}
const todos = (...list: [string, string][]) => ({
  todos: list.map(([content, status]) => ({ content, status, activeForm: 'x' })),
});

describe("the client's lists", () => {
  test('of TodoWrite are the plan, and completed items are checked off [w:plan.todo]', async () => {
    const session = await start();
    await make(session, 'TodoWrite', todos(['one', 'in_progress'], ['two', 'pending']));
    expect(await plan(session)).toMatchObject({ done: '0 of 2, according to the agent', approved: false });
    await make(session, 'TodoWrite', todos(['one', 'completed'], ['two', 'pending']));
    expect(await plan(session)).toMatchObject({ done: '1 of 2, according to the agent' });
  });

  test('that differ from the approved plan end the mode, and the last item too', async () => {
    const session = await start();
    await leave(session);
    await session.transition('implementation');
    const told = await make(session, 'TodoWrite', todos(['one', 'pending'], ['everything', 'pending']));
    expect(told).toMatch(/− 2\. two\n\+ 2\. everything/);
    expect(told).toContain('MODE: discussion');
    expect(await session.mode()).toBe('discussion');
    await leave(session);
    await session.transition('implementation');
    expect(await make(session, 'TodoWrite', todos(['one', 'completed'], ['two', 'completed']))).toContain('The plan is complete');
    expect(await session.mode()).toBe('discussion');
  });

  test('of a subagent are its own', async () => {
    const session = await start();
    await make(session, 'TodoWrite', todos(['one', 'pending']), {}, 'agent-1');
    expect(await plan(session)).toBeNull();
  });

  test('of tasks check off the items with their texts [w:plan.todo]', async () => {
    const session = await start();
    await leave(session);
    const create = (id: string, subject: string) =>
      make(session, 'TaskCreate', { subject, description: 'd' }, { task: { id, subject } });
    await create('1', 'two');
    await create('2', 'something else');
    for (const taskId of ['1', '2', '3'])
      await make(session, 'TaskUpdate', { taskId, status: 'completed' }, { success: true, taskId });
    expect(await plan(session)).toMatchObject({ items: [{ done: false }, { done: true }], approved: true });
  });
});
