// What a person reads in a dialog about a change of mode, what the record says about it afterwards, and what the model receives.
import { beforeAll, describe, expect, test } from 'vitest';
import { readJournals } from '../../../../src/workflow/journal.ts';
import { type Dialog, Session, tick } from '../../../support/mcp-session.ts';
import { builtPlugin } from '../../../support/plugin.ts';
import { makeProject, type Project } from '../../../support/project.ts';

beforeAll(async () => void (await builtPlugin()), 120_000);

const server = '{"name":"plugin:modes:modes","source":"plugin"}';

async function start(put: (project: Project) => void, dialog: Dialog = tick): Promise<Session> {
  const project = makeProject({ example: null });
  put(project);
  project.trust();
  const session = await Session.start(project, { dialog });
  // The first event of a session records the files of the first mode.
  await session.event('UserPromptSubmit', { prompt: 'hello', source: '' });
  return session;
}

/** The question of the last dialog, and the rows that the person reads before the checkbox, each section as one text. */
function asked(session: Session): { message: string; label: string; details: Record<string, string> } {
  const { message, requestedSchema } = session.questions.at(-1) as {
    message: string;
    requestedSchema: { properties: { [name: string]: { title: string; default: string; description: string } } };
  };
  const { confirm, ...rows } = requestedSchema.properties;
  const details: Record<string, string> = {};
  for (const { title, default: row, description } of Object.values(rows))
    details[title] = `${details[title] ?? ''} ${row} ${description}`.trim();
  return { message, label: confirm?.title ?? '', details };
}

async function propose(session: Session, id: string, items: string[]): Promise<void> {
  const input = { title: 'Add a cache', items };
  await session.decide('mcp__plugin_modes_modes__plan_propose', input, { tool_use_id: id, mcp_server: server });
  await session.tool('plan_propose', input, id);
}

const entries = (session: Session) => readJournals(session.project.data, session.project.root)[0]?.entries ?? [];

describe('a trigger of a transition that needs an approved plan', () => {
  const modes = `name: daic
default: talk
modes:
  talk:
    transitions:
      - {to: build, constraint: The plan was discussed., require: [{plan: approved}, {file: notes.md}], triggers: [yert]}
  build:
    transitions: [{to: talk}]
`;
  const put = (project: Project) => project.put('.claude/modes.yaml', modes);
  const say = async (session: Session) => {
    const { answer } = await session.event('UserPromptSubmit', { prompt: 'yert', source: '' });
    return (answer as { hookSpecificOutput: { additionalContext: string } }).hookSpecificOutput.additionalContext;
  };

  test('shows the list in one dialog; accepting approves exactly that list and changes the mode [w:trigger.plan]', async () => {
    const session = await start((project) => {
      put(project);
      project.put('notes.md', 'x');
    });
    await propose(session, 'toolu_1', ['Write the cache', 'Test the cache']);
    expect(await say(session)).toContain('The person approved the plan and changed the mode to build.');
    expect(session.questions).toHaveLength(1);
    const { message, label, details } = asked(session);
    expect(message).toBe('"yert" approves the plan below and requests the change from talk to build. Do both?');
    expect(label).toBe('Yes, approve this list, to build');
    expect(details).toEqual({
      Plan: 'Add a cache [ ] 1. Write the cache [ ] 2. Test the cache',
      Gate: 'Constraint: The plan was discussed. ✓ file: notes.md',
    });
    expect(await session.mode()).toBe('build');
    const { plan } = (await session.tool('plan_status')).value as { plan: { approved: boolean } };
    expect(plan.approved).toBe(true);
    const approval = entries(session).find(({ work }) => work?.did === 'approve');
    expect(approval).toMatchObject({ actor: 'person', work: { hash: expect.stringMatching(/^[0-9a-f]{64}$/) } });
  });

  test('approves nothing if the list changes during the dialog', async () => {
    let during: (() => Promise<void>) | null = null;
    const session = await start(put, async (params) => {
      await during?.();
      return tick(params);
    });
    await propose(session, 'toolu_1', ['Write the cache']);
    during = () => propose(session, 'toolu_2', ['Remove the cache']);
    expect(await say(session)).toContain('The mode stays talk: Nothing was approved: the plan has changed in the meantime.');
    expect(((await session.tool('plan_status')).value as { plan: { approved: boolean } }).plan.approved).toBe(false);
  });

  test('approves the plan and leaves the mode if the rest of the gate is not satisfied', async () => {
    const session = await start(put);
    await propose(session, 'toolu_1', ['Write the cache']);
    expect(await say(session)).toMatch(/The person approved the plan\. The mode stays talk: .*notes\.md does not exist/);
    expect(asked(session).details.Gate).toContain('✗ file: notes.md');
  });

  test('asks nothing without a plan', async () => {
    const session = await start(put);
    expect(await say(session)).toContain('The mode stays talk: there is no plan to approve.');
    expect(session.questions).toEqual([]);
  });
});

describe('/modes:approve NAME', () => {
  const modes = `name: design
default: design
modes:
  design:
    transitions:
      - to: build
        constraint: The design was discussed.
        require: [{changed: "docs/**"}, {file: docs/decision.md}]
        approve: human
  build:
    transitions: [{to: design}]
`;

  test('names the constraint, each requirement, the changed files and the scope of an approval [w:approve.question]', async () => {
    const session = await start((project) => {
      project.put('.claude/modes.yaml', modes);
      project.put('src/a.js', 'one');
      project.put('src/b.js', 'one');
    });
    session.project.put('docs/design.md', 'new');
    session.project.put('src/a.js', 'two');
    expect(await session.type('/modes:approve build')).toContain('Approved');
    expect(asked(session).details).toEqual({
      Gate: 'Constraint: The design was discussed. ✓ changed: docs/** ✗ file: docs/decision.md docs/decision.md does not exist Write docs/decision.md.',
      Files: 'Changed since design was entered: docs/design.md, src/a.js.',
      Yes: 'Your approval covers one change to build, with the files and the plan as they are now. If one of them changes, you must approve again.',
    });
  });

  test('counts the changes since the mode was entered, and reports if there are none', async () => {
    const session = await start((project) => project.put('.claude/modes.yaml', modes));
    session.project.put('src/a.js', 'one');
    await session.type('/modes:mode build');
    await session.type('/modes:mode design');
    await session.type('/modes:approve build');
    expect(asked(session).details.Files).toBe('No file has changed since design was entered.');
  });
});

describe('a change of mode without its gate', () => {
  const modes = `name: t
default: a
modes:
  a:
    transitions:
      - {to: b, constraint: It is ready., require: [{file: ready.txt}, {file: .claude/modes.yaml}]}
  b:
    transitions: [{to: a}]
  c: {}
`;
  const put = (project: Project) => project.put('.claude/modes.yaml', modes);

  test('/modes:mode names the skipped requirements, and records the reason and who confirmed [w:authority.forced]', async () => {
    const session = await start(put);
    expect(await session.type('/modes:mode b because the demo is at noon')).toContain('Mode: b');
    expect(asked(session).details).toEqual({
      Gate: 'Skipped constraint: It is ready. Skipped requirements: ✗ file: ready.txt ready.txt does not exist Write ready.txt.',
    });
    expect(entries(session).at(-1)).toMatchObject({
      kind: 'force',
      explanation: 'the demo is at noon',
      confirmed: 'dialog',
      session: 'session-1',
    });
    expect(await session.type('/modes:mode status')).toContain(
      'person, forced, confirmed by a person in a dialog of Modes: the demo is at noon',
    );
    await session.type('/modes:mode c');
    expect(asked(session).details.Gate).toContain('No transition of the present mode leads there, so no gate is checked.');
  });

  test('/modes:mode changes nothing if the mode changed during the dialog [w:authority.forced]', async () => {
    const session = await start(put);
    session.dialog = async () => {
      session.dialog = tick;
      await session.type('/modes:mode c');
      return { action: 'accept', content: { confirm: true } };
    };
    expect(await session.type('/modes:mode b')).toContain('The mode has changed in the meantime');
    expect(await session.mode()).toBe('c');
  });

  test('force_transition: the explanation and who confirmed it are recorded [w:authority.force]', async () => {
    const session = await start(put);
    const input = { target: 'b', explanation: 'The user asked for it.' };
    await session.event('PreToolUse', {
      tool_name: 'mcp__plugin_modes_modes__force_transition',
      tool_input: JSON.stringify(input),
      tool_use_id: 'toolu_force',
      mcp_server: server,
    });
    expect((await session.tool('force_transition', input, 'toolu_force')).value).toMatchObject({ success: true, new_mode: 'b' });
    expect((await session.tool('status')).value.history).toMatchObject([
      {
        explanation: 'The user asked for it.',
        forced: true,
        actor: 'person',
        confirmed: "confirmed by a person in the client's dialog",
      },
    ]);
  });
});

describe('the whole context', () => {
  const modes = `name: t
default: a
modes:
  a:
    transitions: [{to: b, constraint: It is ready.}]
  b:
    transitions: [{to: a}]
`;

  test('is sent once: after a transition, the next prompt gets the line [w:context.whole]', async () => {
    const session = await start((project) => project.put('.claude/modes.yaml', modes));
    const told = async () => {
      const { answer } = await session.event('UserPromptSubmit', { prompt: 'hello', source: '' });
      return (answer as { hookSpecificOutput: { additionalContext: string } }).hookSpecificOutput.additionalContext;
    };
    expect(await session.transition('b')).toMatchObject({ context: expect.stringContaining('MODE: b\n\nPERMISSIONS') });
    expect(await told()).toBe('MODE: b. Transitions: a.');
    // The person's answer does not reach the model, so the next prompt has to.
    await session.type('/modes:mode a');
    expect(await told()).toContain('MODE: a\n\nPERMISSIONS');
    expect(await told()).toBe('MODE: a. Transitions: b.');
  });
});

describe('after an emergency stop', () => {
  const modes = `name: t
default: a
stop: {phrases: [HALT]}
modes:
  a:
    transitions: [{to: b}]
  b:
    transitions: [{to: a}]
`;
  const names = 'A person must set the mode with /modes:mode NAME and confirm it. Modes: a, b.';

  test('every text names the modes and the command [w:stop.names]', async () => {
    const session = await start((project) => project.put('.claude/modes.yaml', modes));
    const { answer } = await session.event('UserPromptSubmit', { prompt: 'HALT', source: '' });
    expect(answer).toMatchObject({
      systemMessage: expect.stringContaining('set a mode with /modes:mode NAME. Modes: a, b.'),
      hookSpecificOutput: { additionalContext: expect.stringContaining(names) },
    });
    expect(await session.type('/modes:mode')).toBe(`Stopped in a: the work was stopped (HALT in a prompt).\n${names}`);
    expect((await session.tool('status')).value).toMatchObject({ current_mode: null, remedy: names });
    await session.type('/modes:mode b');
    expect(asked(session).message).toBe('Stopped in a: the work was stopped (HALT in a prompt). Set it to b?');
    expect(await session.mode()).toBe('b');
  });

  test('a mode that modes.yaml no longer defines is named with those that it defines', async () => {
    const session = await start((project) => project.put('.claude/modes.yaml', modes));
    await session.transition('b');
    session.project.put('.claude/modes.yaml', modes.replaceAll('b:', 'c:').replace('to: b', 'to: c'));
    session.project.trust();
    const next = await Session.start(session.project, { dialog: tick, env: { CLAUDE_CODE_SESSION_ID: 'session-2' } });
    const told = await next.type('/modes:mode', { session_id: 'session-2' });
    expect(told).toMatch(/^The mode is unknown: .*"b".*\nA person must .*Modes: a, c\.$/);
  });
});
