// /modes:grant, grants, off, on and triggers over the private pipe; what was granted, through every channel.
import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { forFile } from '../../../support/cleanup.ts';
import { type Dialog, Session, tick } from '../../../support/mcp-session.ts';
import { builtPlugin } from '../../../support/plugin.ts';
import { makeProject, type Project, run } from '../../../support/project.ts';
import { ask as askSocket } from '../../../support/server.ts';

let plugin: string;
beforeAll(async () => {
  plugin = await builtPlugin();
}, 120_000);

const modes = `name: t
default: one
stop: {phrases: [SILENCE, finito], to: one}
modes:
  one:
    transitions:
      - {to: two, constraint: A person says so., approve: human, triggers: [yert, SHIP IT, "mek:", "start^"]}
      - {to: three, require: [{file: ready.txt}], triggers: [go on]}
  two: {transitions: [{to: one}]}
  three: {transitions: [{to: one}]}
`;

async function begin({ dialog = tick as Dialog | null, env = {}, trusted = true } = {}) {
  const project = makeProject({ example: null });
  project.put('.claude/modes.yaml', modes);
  project.put('.claude/settings.one.json', '{"permissions":{"deny":["Write(src/**)","Bash(git push:*)"]}}');
  if (trusted) project.trust();
  const session = await Session.start(project, { dialog, env });
  return { project, session, write: writeOf(project) };
}
const writeOf = (project: Project, name = 'src/a.ts') => ({ file_path: path.join(project.root, name), content: 'x' });
const prompt = async (session: Session, text: string, fields = {}) =>
  (await session.event('UserPromptSubmit', { prompt: text, source: '', ...fields })).answer as {
    hookSpecificOutput: { additionalContext: string };
    systemMessage?: string;
  };

/** The journal's entries about authority. */
function acts(project: Project): Record<string, unknown>[] {
  const projects = path.join(project.data, 'projects');
  return fs
    .readdirSync(projects)
    .map((name) => path.join(projects, name, 'journal'))
    .filter((folder) => fs.existsSync(folder))
    .flatMap((folder) =>
      fs
        .readdirSync(folder)
        .filter((name) => name.endsWith('.json'))
        .sort()
        .map((name) => path.join(folder, name)),
    )
    .map((file) => JSON.parse(fs.readFileSync(file, 'utf8')) as Record<string, unknown>)
    .filter(({ kind }) => kind === 'authority');
}

const event = (project: Project, toolUse: string) =>
  JSON.stringify({
    hook_event_name: 'PreToolUse',
    session_id: 'session-1',
    cwd: project.root,
    permission_mode: 'default',
    tool_name: 'Write',
    tool_input: writeOf(project),
    tool_use_id: toolUse,
  });
const effectOf = (text: string) =>
  (JSON.parse(text) as { hookSpecificOutput?: { permissionDecision: string } }).hookSpecificOutput?.permissionDecision ?? 'pass';
/** One call by each of the channels that decide. */
const byPipe = (session: Session, toolUse: string) => session.decide('Write', writeOf(session.project), { tool_use_id: toolUse });
const bySocket = async (project: Project, toolUse: string) =>
  effectOf((await askSocket(path.join(project.root, '.claude'), 'POST', '/check-tool', { body: event(project, toolUse) })).text);
const byOneShot = async (project: Project, toolUse: string) =>
  effectOf(
    (
      await run(process.execPath, [path.join(plugin, 'dist/hook.cjs'), 'PreToolUse', project.root], {
        cwd: '/',
        env: project.env(),
        stdin: event(project, toolUse),
      })
    ).out,
  );

describe('/modes:grant', () => {
  test('after an approval allows the named calls, and reports them [w:grant.lifts] [w:authority.record]', async () => {
    const { session, write, project } = await begin();
    expect(await session.decide('Write', write)).toBe('deny');
    const told = await session.type('/modes:grant Write(src/a.ts) 10m 3x because it is release day');
    expect(told).toBe(
      'Granted (g1): Write(src/a.ts), 10 min, 3 calls. It ends with one or the session. To end it now: /modes:grants back g1.',
    );
    expect(session.questions).toEqual([
      expect.objectContaining({ message: 'Allow Write(src/a.ts) in one, for 10 min, 3 calls?' }),
    ]);
    expect(await session.decide('Write', write)).toBe('pass');
    expect(await session.decide('Write', writeOf(project, 'src/b.ts'))).toBe('deny');
    expect(acts(project)[0]).toMatchObject({
      actor: 'person',
      session: 'session-1',
      permissionMode: 'default',
      explanation: 'it is release day',
    });
  });

  const refusals: [string, Dialog | null, RegExp][] = [
    ['declined', () => ({ action: 'decline' }), /declined/],
    ['cancelled', () => ({ action: 'cancel' }), /nobody answered/],
    ['accepted without the tick', () => ({ action: 'accept', content: { confirm: false } }), /declined/],
    ['asked of a client without dialogs', null, /no dialogs/],
  ];
  test.each(refusals)('%s, nothing is granted or recorded [w:authority.refused]', async (_, dialog, why) => {
    const { session, write, project } = await begin({ dialog });
    for (const typed of ['/modes:grant Write(src/a.ts)', '/modes:off']) expect(await session.type(typed)).toMatch(why);
    expect(await session.decide('Write', write)).toBe('deny');
    expect(acts(project)).toEqual([]);
  });

  test('asks no question in a headless session, and names the remedy [w:authority.headless]', async () => {
    const { session, write, project } = await begin({ env: { CLAUDE_CODE_ENTRYPOINT: 'sdk-cli' } });
    expect(await session.type('/modes:grant Write(src/a.ts)')).toBe(
      'Nothing was granted: this session is not interactive. The line Write(src/a.ts) under allow in settings.one.json, approved with modes trust in a terminal, works without a person.',
    );
    expect(await session.type('/modes:off')).toContain('not interactive');
    expect(await session.type('/modes:mode two')).toContain('Type it in a session on a terminal.');
    expect(await session.type('/modes:approve two')).toContain('Type it in a session on a terminal.');
    expect(await session.decide('Write', write)).toBe('deny');
    expect([session.questions, acts(project)]).toEqual([[], []]);
  });

  test('is refused if a hook could have answered the dialog [w:authority.refused]', async () => {
    const { session, project, write } = await begin();
    project.put('.claude/settings.local.json', '{"hooks":{"Elicitation":[]}}');
    expect(await session.type('/modes:grant Write(src/a.ts)')).toContain('settings.local.json');
    expect(await session.decide('Write', write)).toBe('deny');
  });

  test('is void if the mode changed during the dialog', async () => {
    const { session, project } = await begin();
    session.dialog = async () => {
      await session.type('/modes:mode three');
      return { action: 'accept', content: { confirm: true } };
    };
    const first = session.dialog;
    session.dialog = async (params) => {
      session.dialog = tick;
      return first(params);
    };
    expect(await session.type('/modes:grant Write(src/a.ts)')).toContain('the mode changed during the dialog');
    expect(acts(project)).toEqual([]);
  });

  test('asks no question about rules that cannot be parsed', async () => {
    const { session } = await begin();
    expect(await session.type('/modes:grant Wriet(src/a.ts)')).toContain('Did you mean Write?');
    expect(session.questions).toEqual([]);
  });
});

describe('a counted grant', () => {
  test('is used once by a call, however many channels decide it, in whatever order [w:grant.count]', async () => {
    const { session, project } = await begin();
    await session.type('/modes:grant Write(src/a.ts) 2x');
    const spent = () => acts(project).filter(({ authority }) => (authority as { did: string }).did === 'spend').length;
    // Before the pipe has heard of the call, and after.
    expect(await bySocket(project, 't1')).toBe('pass');
    expect(spent()).toBe(0);
    expect(await byPipe(session, 't1')).toBe('pass');
    expect(await bySocket(project, 't1')).toBe('pass');
    expect(await byOneShot(project, 't1')).toBe('pass');
    expect(await byPipe(session, 't1')).toBe('pass');
    expect(spent()).toBe(1);
    expect(await byPipe(session, 't2')).toBe('pass');
    expect(spent()).toBe(2);
    for (const by of [bySocket(project, 't3'), byOneShot(project, 't3'), byPipe(session, 't3')]) expect(await by).toBe('deny');
    expect(await bySocket(project, 't2')).toBe('pass');
    expect(spent()).toBe(2);
  });

  test('is not used by a call that needs no grant or is refused anyway', async () => {
    const { session, project } = await begin();
    await session.type('/modes:grant Write(src/a.ts) Write(docs/**) 1x');
    expect(await session.decide('Write', writeOf(project, 'docs/a.md'))).toBe('pass');
    expect(await session.decide('Bash', { command: 'touch src/a.ts && git push' })).toBe('deny');
    expect(await session.type('/modes:grants')).toContain('1 of 1 calls left');
  });

  test('has no effect once the counting server is gone; a timed grant still does', async () => {
    const { session, project } = await begin();
    await session.type('/modes:grant Write(src/a.ts) 1x');
    expect(await byOneShot(project, 't1')).toBe('pass');
    session.child.kill('SIGKILL');
    await expect.poll(() => byOneShot(project, 't1')).toBe('deny');
  });

  test('with a time limit applies from the files alone, until a new server of the session ends it', async () => {
    const { session, project } = await begin();
    await session.type('/modes:grant Write(src/a.ts) 10m');
    session.child.kill('SIGKILL');
    expect(await byOneShot(project, 't1')).toBe('pass');
    const next = await Session.start(project, { dialog: tick });
    await prompt(next, 'go on');
    expect(await byOneShot(project, 't2')).toBe('deny');
    expect(await byPipe(next, 't3')).toBe('deny');
  });
});

describe('/modes:grants', () => {
  test('lists active grants, and gives them back without a question [w:grant.list] [w:authority.free]', async () => {
    const { session, write } = await begin();
    expect(await session.type('/modes:grants')).toBe('Nothing is granted in this session.');
    await session.type('/modes:grant Write(src/a.ts)');
    await session.type('/modes:grant Bash(git push) Read(.env) 10m 3x');
    const listed = (await session.type('/modes:grants')) ?? '';
    expect(listed).toMatch(
      /^g1 {2}Write\(src\/a\.ts\) {2}\(until the mode or the session ends\)\ng2 {2}Bash\(git push\) Read\(\.env\) {2}\(10 min left, 3 of 3 calls left\)$/,
    );
    const asked = session.questions.length;
    expect(await session.type('/modes:grants back g7')).toContain('Name one: /modes:grants back g1 g2.');
    expect(await session.type('/modes:grants back g1')).toBe('Given back: g1.');
    expect(await session.decide('Write', write)).toBe('deny');
    expect(await session.type('/modes:grants back all')).toBe('Given back: g2.');
    expect(session.questions).toHaveLength(asked);
  });
});

describe('/modes:off', () => {
  test('suspends rules, across changes of mode, until /modes:on [w:off.lasts]', async () => {
    const { session, write } = await begin();
    expect(await session.type('/modes:off 30m')).toBe('Rules are off for 30 min. To switch them on: /modes:on.');
    expect(await session.decide('Write', write)).toBe('pass');
    expect(await session.type('/modes:grants')).toBe('Rules are off for 30 min. To switch them on: /modes:on.');
    await session.type('/modes:mode three');
    await session.type('/modes:mode one');
    expect(await session.decide('Write', write)).toBe('pass');
    const asked = session.questions.length;
    expect(await session.type('/modes:on')).toBe('The rules are on again.');
    expect(await session.decide('Write', write)).toBe('deny');
    expect(session.questions).toHaveLength(asked);
  });

  test('leaves built-in protection active [w:off.passes]', async () => {
    const { session, project } = await begin();
    await session.type('/modes:off');
    expect(await session.decide('Write', writeOf(project, '.claude/settings.one.json'))).toBe('deny');
    expect(await session.decide('Bash', { command: 'claude -p x' })).toBe('deny');
  });
});

test('the emergency stop ends grants and /modes:off permanently [w:stop.clears]', async () => {
  const { session, write, project } = await begin();
  await session.type('/modes:grant Write(src/a.ts)');
  await session.type('/modes:off');
  expect((await prompt(session, 'That is enough. SILENCE!')).systemMessage).toContain('Stopped by SILENCE');
  expect(await session.decide('Write', write)).toBe('deny');
  await session.type('/modes:mode one');
  expect(await session.mode()).toBe('one');
  expect(await session.decide('Write', write)).toBe('deny');
  expect(await session.type('/modes:grants')).toBe('Nothing is granted in this session.');
  expect(acts(project)).toHaveLength(2);
});

describe('a trigger', () => {
  const mode = (session: Session) => session.mode();
  /** Where nothing happens. */
  let calm: Session;
  beforeAll(async () => {
    calm = (await forFile(() => begin())).session;
  });

  test.each(['yert', '  YERT\n', 'SHIP IT', 'mek:', 'start^'])(
    '%j makes the transition after an approval [w:trigger.whole] [w:trigger.tokens]',
    async (text) => {
      const { session, project } = await begin();
      const { hookSpecificOutput, systemMessage } = await prompt(session, text);
      expect(systemMessage).toContain('The person changed the mode to two.');
      expect(hookSpecificOutput.additionalContext).toMatch(/^The person changed the mode to two\.\n\nMODE: two/);
      expect(session.questions).toHaveLength(1);
      expect(await mode(session)).toBe('two');
      expect(acts(project)).toMatchObject([{ authority: { did: 'approve', what: 'two' } }]);
    },
  );

  /** What the substring matching of others took for a yes. */
  const others = [
    'please do not yert yet',
    'yert yert',
    'yert.',
    '"yert"',
    '`yert`',
    '```\nyert\n```',
    '> yert',
    'What does "yert" mean?',
    'ship it',
    'start',
    'restart^',
    'smek:',
    'mek: a task',
    '',
  ];
  test.each(others)('is not %j [w:trigger.whole] [w:trigger.case]', async (text) => {
    await prompt(calm, text);
    expect(calm.questions).toEqual([]);
    expect(await mode(calm)).toBe('one');
  });

  test.each<[string, string, Record<string, string>]>([
    ['a scheduled prompt', 'yert', { source: 'schedule_wakeup' }],
    ['a prompt of the system', 'yert', { source: 'system' }],
  ])('is not %s [w:stop.agents-text]', async (_, text, fields) => {
    await prompt(calm, text, fields);
    expect(calm.questions).toEqual([]);
    expect(await mode(calm)).toBe('one');
  });

  test('declined, changes nothing and reports that', async () => {
    const { session } = await begin({ dialog: () => ({ action: 'decline' }) });
    expect((await prompt(session, 'yert')).systemMessage).toContain('The mode stays one: it was declined.');
    expect(await mode(session)).toBe('one');
  });

  test('of an unapproved project does nothing', async () => {
    const { session } = await begin({ trusted: false });
    await prompt(session, 'yert');
    expect(session.questions).toEqual([]);
    expect(await mode(session)).toBe('one');
  });

  test('in a headless session does nothing', async () => {
    const { session } = await begin({ env: { CLAUDE_CODE_ENTRYPOINT: 'sdk-cli' } });
    expect((await prompt(session, 'yert')).systemMessage).toContain('this session is not interactive');
    expect([await mode(session), session.questions]).toEqual(['one', []]);
  });

  test('replaces an approval by a person and no machine check', async () => {
    const { session, project } = await begin();
    expect((await prompt(session, 'go on')).systemMessage).toMatch(/The mode stays one: .*ready\.txt.*\/modes:mode three/);
    expect(await mode(session)).toBe('one');
    project.put('ready.txt', '');
    await prompt(session, 'go on');
    expect(await mode(session)).toBe('three');
  });

  test('that is also a stop phrase stops', async () => {
    const { session, project } = await begin();
    project.put('.claude/modes.yaml', modes.replace('triggers: [yert', 'triggers: [finito'));
    await prompt(session, 'finito');
    expect(session.questions).toEqual([]);
    expect(await mode(session)).toBeNull();
  });
});

describe('a stop phrase', () => {
  test.each<[string, boolean]>([
    ['finito', true],
    ['Finito!', true],
    ['infinito', false],
    ['finitomania', false],
    ['silence, please', false],
    ['SILENCE', true],
  ])('%j: %s [w:stop.word] [w:stop.false]', async (text, stops) => {
    const { session } = await begin();
    await prompt(session, text);
    expect((await session.mode()) === null).toBe(stops);
  });
});
