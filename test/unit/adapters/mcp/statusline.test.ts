// What the server keeps ready for the status line, and setting the line up and back by typed commands.
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Dialog, Session } from '../../../support/mcp-session.ts';
import { makeProject, type Project, run } from '../../../support/project.ts';

const tick: Dialog = () => ({ action: 'accept', content: { confirm: true } });
const modes = `name: gates
default: work
modes:
  work:
    transitions:
      - to: free
      - {to: far, require: [{passes: npm test}, {file: absent.txt}, {file: none.txt}]}
      - {to: near, require: [{passes: npm test}, {changed: "src/**"}], approve: human}
  free: {transitions: [{to: work}]}
  far: {}
  near: {}
`;

const fileOf = ({ child, project }: Session) => path.join(project.data, `status/${child.pid}`);
const ready = (session: Session): string[] => {
  const file = fileOf(session);
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trimEnd().split('\n').slice(1) : [];
};
const expectReady = (session: Session) => expect.poll(() => ready(session), { timeout: 10_000 });

async function runs(session: Session, command: string): Promise<void> {
  const fields = { tool_name: 'Bash', tool_input: JSON.stringify({ command }), tool_use_id: `toolu_${command}`, mcp_server: '' };
  await session.event('PreToolUse', fields);
  await session.event('PostToolUse', {
    ...fields,
    tool_response: '{"stdout":"","stderr":"","interrupted":false}',
    duration_ms: '1',
  });
}

function gated(): Project {
  const project = makeProject({ example: null });
  project.put('.claude/modes.yaml', modes);
  project.put('src/a.ts', '1');
  project.trust();
  return project;
}

describe('the server stores', () => {
  test('the mode, for its owner alone, in the form that the script reads', async () => {
    const session = await Session.start(makeProject());
    await expectReady(session).toEqual(['mode=idle']);
    expect(fs.readFileSync(fileOf(session), 'utf8')).toBe('modes-status 1\nmode=idle\n');
    expect(fs.statSync(fileOf(session)).mode & 0o777).toBe(0o600);
    expect(fs.statSync(path.dirname(fileOf(session))).mode & 0o777).toBe(0o700);
    await session.transition('test-dev');
    await expectReady(session).toEqual(['mode=test-dev']);
  });

  test('gates of the transition with the fewest unmet requirements', async () => {
    const session = await Session.start(gated());
    await expectReady(session).toEqual(['mode=work', 'gates=0/3']);
    await runs(session, 'npm test');
    await expectReady(session).toEqual(['mode=work', 'gates=1/3']);
    session.project.put('src/a.ts', '2');
    await session.event('Stop');
    await runs(session, 'npm  test');
    await expectReady(session).toEqual(['mode=work', 'gates=2/3']);
    await session.transition('free');
    await expectReady(session).toEqual(['mode=free']);
  });

  test('gates without running their commands', async () => {
    const project = gated();
    project.put(
      '.claude/modes.yaml',
      'name: gates\ndefault: work\nmodes:\n  work:\n    transitions:\n      - {to: free, require: [{run: touch ran}, {file: src/a.ts}]}\n  free: {}\n',
    );
    project.trust();
    const session = await Session.start(project);
    await expectReady(session).toEqual(['mode=work', 'gates=1/2']);
    expect(fs.existsSync(path.join(project.root, 'ran'))).toBe(false);
  });

  test('the plan with its progress', async () => {
    const session = await Session.start(makeProject());
    const call = async (name: string, input: Record<string, unknown>) => {
      await session.event('PreToolUse', {
        tool_name: `mcp__plugin_modes_modes__${name}`,
        tool_input: JSON.stringify(input),
        tool_use_id: `toolu_${name}`,
        mcp_server: '{"name":"plugin:modes:modes","source":"plugin"}',
      });
      expect(await session.tool(name, input, `toolu_${name}`)).toMatchObject({ failed: false });
    };
    await call('plan_propose', { items: ['one', 'two', 'three'] });
    await call('plan_check', { item: 1 });
    await expectReady(session).toEqual(['mode=idle', 'plan=1/3']);
  });

  test('that a person switched the modes off', async () => {
    const session = await Session.start(makeProject(), { dialog: tick });
    await session.type('/modes:off');
    await expectReady(session).toContainEqual(expect.stringMatching(/^alarm=off: /));
    await session.type('/modes:on');
    await expectReady(session).toEqual(['mode=idle']);
  });

  test('a mode that another session changed', async () => {
    const session = await Session.start(makeProject());
    const other = await Session.start(session.project, { env: { CLAUDE_CODE_SESSION_ID: 'session-2' } });
    await expectReady(session).toEqual(['mode=idle']);
    await other.transition('test-dev');
    await expectReady(session).toEqual(['mode=test-dev']);
    await expectReady(other).toEqual(['mode=test-dev']);
  });

  test('the first error of a broken configuration, and its fix', async () => {
    const session = await Session.start(makeProject());
    await expectReady(session).toEqual(['mode=idle']);
    const text = session.project.get('.claude/settings.idle.json');
    session.project.put('.claude/settings.idle.json', '{\n  "permissions": {\n    "allow": [Bash]\n  }\n}\n');
    await expectReady(session).toContainEqual('alarm=config broken: .claude/settings.idle.json:3');
    session.project.put('.claude/settings.idle.json', text);
    await expectReady(session).toEqual(['mode=idle']);
  });

  test('that a configuration waits for trust', async () => {
    const session = await Session.start(makeProject({ trusted: false }));
    await expectReady(session).toEqual(['mode=idle', 'note=not trusted: /modes:trust']);
  });

  test('the emergency stop', async () => {
    const session = await Session.start(
      (() => {
        const project = gated();
        project.put('.claude/modes.yaml', `stop: {phrases: [SILENCE], to: free}\n${modes}`);
        project.trust();
        return project;
      })(),
    );
    await session.event('UserPromptSubmit', { prompt: 'SILENCE', source: 'user' });
    await expectReady(session).toEqual(['mode=free', 'alarm=stopped: /modes:mode NAME resumes']);
  });

  test('nothing after its end, and removes the files of killed servers', async () => {
    const project = makeProject();
    const killed = await Session.start(project);
    await expectReady(killed).toEqual(['mode=idle']);
    killed.child.kill('SIGKILL');
    await expect.poll(() => killed.child.signalCode).toBe('SIGKILL');
    expect(ready(killed)).toEqual(['mode=idle']);
    const session = await Session.start(project);
    await expectReady(session).toEqual(['mode=idle']);
    expect(fs.readdirSync(path.join(project.data, 'status'))).toEqual([String(session.child.pid)]);
    await session.end();
    expect(fs.readdirSync(path.join(project.data, 'status'))).toEqual([]);
  });

  test('nothing without modes', async () => {
    const session = await Session.start(makeProject({ example: null }));
    await session.event('Stop');
    await session.mode();
    await session.end();
    expect(fs.existsSync(path.join(session.project.data, 'status'))).toBe(false);
  });
});

test('/modes:setup does not adopt changes that it did not show [s:pin.setup]', async () => {
  const session = await Session.start(makeProject(), { dialog: tick });
  const write = () => session.decide('Write', { file_path: path.join(session.project.root, 'src/a.js'), content: 'x' });
  expect(await write()).toBe('deny');
  session.project.put('.claude/settings.idle.json', '{}');
  expect(await write()).toBe('deny');
  expect(await session.type('/modes:setup')).toMatch(/wrote [\s\S]*Not adopted in this session: [\s\S]*\/modes:trust/);
  expect(await write()).toBe('deny');
});

describe('/modes:setup undo', () => {
  const write = (session: Session) =>
    session.decide('Write', { file_path: path.join(session.project.root, 'src/a.js'), content: 'x' });

  test('restores the project after an approval', async () => {
    const session = await Session.start(makeProject({ example: null }), { dialog: tick });
    expect(await session.type('/modes:setup undo')).toMatch(/^Nothing to undo/);
    expect(await session.type('/modes:setup')).toContain('wrote .claude/settings.local.json');
    expect(JSON.stringify(session.questions)).toContain('with a status line for you');
    await expectReady(session).toEqual(['mode=idle']);
    expect(await write(session)).toBe('deny');
    const said = await session.type('/modes:setup undo');
    expect(said).toMatch(/removed \.claude\/modes\.yaml[\s\S]*no longer governed/);
    expect(fs.existsSync(path.join(session.project.root, '.claude/settings.local.json'))).toBe(false);
    expect(await write(session)).toBe('pass');
    await expectReady(session).toEqual([]);
  });

  test('changes nothing when it is declined', async () => {
    let answer: Dialog = tick;
    const session = await Session.start(makeProject({ example: null }), { dialog: (params) => answer(params) });
    await session.type('/modes:setup');
    answer = () => ({ action: 'decline' });
    expect(await session.type('/modes:setup undo')).toMatch(/^Nothing was changed: [\s\S]*- \.claude\/modes\.yaml/);
    expect(await write(session)).toBe('deny');
  });

  test('the line that was set up shows the session, and is red when its server is killed', async () => {
    const session = await Session.start(makeProject({ example: null }), { dialog: tick });
    await session.type('/modes:setup');
    await expectReady(session).toEqual(['mode=idle']);
    const { statusLine } = JSON.parse(session.project.get('.claude/settings.local.json'));
    const show = async () => {
      const env = { ...session.project.env(), CLAUDE_PID: String(process.pid) };
      return (await run('/bin/sh', ['-c', statusLine.command], { cwd: session.project.root, env, stdin: '{}' })).out;
    };
    expect(await show()).toBe('\u001b[1;36m⟪idle⟫\u001b[0m\n');
    session.child.kill('SIGKILL');
    await expect.poll(show).toBe('\u001b[31m⟪idle⟫\u001b[0m \u001b[31mserver down, /mcp reconnects it\u001b[0m\n');
  });
});
