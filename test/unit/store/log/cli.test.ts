// modes log and modes explain as they are built, on what the plugin's own processes logged.

import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { timeOf } from '../../../../src/adapters/cli/log.ts';
import type { Explanation } from '../../../../src/app/log/explain.ts';
import { type LogEvent, readEvent } from '../../../../src/store/log/event.ts';
import { LogFiles, logFolder } from '../../../../src/store/log/files.ts';
import { modesHere } from '../../../support/command-line.ts';
import { putFile } from '../../../support/files.ts';
import { Session } from '../../../support/mcp-session.ts';
import { builtPlugin } from '../../../support/plugin.ts';
import { makeProject, type Project, run } from '../../../support/project.ts';

let plugin: string;
beforeAll(async () => {
  plugin = await builtPlugin();
}, 120_000);

let project: Project;
beforeEach(() => {
  project = makeProject();
});

const env = () => ({ HOME: project.home, PATH: '/usr/bin:/bin' });
const modes = (...args: string[]) => modesHere(args, { cwd: project.root, env: env() });
const files = () => new LogFiles(logFolder(project.data, project.root));
const events = (): LogEvent[] =>
  files()
    .numbers()
    .flatMap((number) => files().lines(number))
    .map((line) => readEvent(line)!);
const call = (tool: string, input: object, id: string, more: object = {}) =>
  JSON.stringify({
    hook_event_name: 'PreToolUse',
    session_id: 'session-1',
    cwd: project.root,
    tool_name: tool,
    tool_input: input,
    tool_use_id: id,
    permission_mode: 'default',
    ...more,
  });
const oneShot = (text: string) =>
  run(process.execPath, [path.join(plugin, 'dist/hook.cjs'), 'PreToolUse', project.root], {
    cwd: '/',
    env: project.env(),
    stdin: text,
  });
const write = (name: string) => ({ file_path: path.join(project.root, name), content: 'x' });

/** A curl on the socket, as by hand. */
const onSocket = (text: string, query = '') =>
  spawnSync('curl', ['-s', '--unix-socket', 'mode.sock', '--data-binary', '@-', `http://modes/check-tool${query}`], {
    cwd: path.join(project.root, '.claude'),
    input: text,
    encoding: 'utf8',
  }).stdout;

describe('a call is logged once', () => {
  const privately = (session: Session, id: string) =>
    session.event('PreToolUse', {
      tool_name: 'Write',
      tool_input: JSON.stringify(write('src/a.js')),
      tool_use_id: id,
      transcript_path: '',
    });
  const ids = () => events().map(({ labels }) => labels.tool_use_id);

  test('by the socket and the private pipe of one server; without an id each time; dry runs never', async () => {
    const session = await Session.start(project);
    await session.tool('status');
    onSocket(call('Write', write('src/a.js'), 't-1'));
    await privately(session, 't-1');
    onSocket(call('Write', write('src/a.js'), ''));
    onSocket(call('Write', write('src/a.js'), ''));
    expect(JSON.parse(onSocket(call('Write', write('src/a.js'), 't-2'), '?explain=1'))).toMatchObject({ decision: 'deny' });
    await modes('check', 'Write(src/a.js)');
    await modes('explain', 'Write(src/a.js)');
    expect(await session.end()).toBe(0);
    expect(ids()).toEqual(['t-1', undefined, undefined]);
    expect(events().map(({ requested_by }) => requested_by)).toEqual(['socket', 'socket', 'socket']);
  });

  test('by the one-shot process and the private pipe, whichever was first', async () => {
    const session = await Session.start(project);
    await session.tool('status');
    const text = (id: string) => call('Write', write('src/a.js'), id);
    await oneShot(text('t-1'));
    await privately(session, 't-1');
    await privately(session, 't-2');
    await expect.poll(ids).toEqual(['t-1', 't-2']);
    await oneShot(text('t-2'));
    await Promise.all([oneShot(text('t-3')), privately(session, 't-3')]);
    await session.end();
    expect(ids()).toEqual(['t-1', 't-2', 't-3']);
  });

  test('and waiting lines are written when the server ends', async () => {
    const session = await Session.start(project);
    await session.tool('status');
    for (let i = 0; i < 20; i++) void privately(session, `t-${i}`);
    await privately(session, 't-20');
    session.child.kill('SIGTERM');
    await expect.poll(() => ids().length).toBe(21);
  });

  test('and nothing is logged without modes', async () => {
    project = makeProject({ example: null });
    expect(await oneShot(call('Write', write('a'), 't-1'))).toMatchObject({ code: 0, out: '{}\n' });
    expect(fs.existsSync(path.join(project.data, 'projects'))).toBe(false);
  });
});

describe('a log that cannot be written', () => {
  test('changes no decision and is reported by status, the typed status and log', async () => {
    const { folder } = files();
    putFile(folder, '');
    const { code, out, err } = await oneShot(call('Write', write('src/a.js'), 't-1'));
    expect([code, JSON.parse(out).hookSpecificOutput.permissionDecision, err]).toEqual([0, 'deny', '']);
    const session = await Session.start(project);
    expect(await session.decide('Write', write('src/a.js'), { tool_use_id: 't-2' })).toBe('deny');
    const said = /Decisions are not logged \(.*\): .* is not a folder\. 2 decisions were not logged, the last at /;
    await expect.poll(() => session.type('/modes:mode status')).toMatch(said);
    expect((await modes('status')).out).toMatch(said);
    expect(JSON.parse((await modes('status', '--json')).out).log).toMatchObject({ lost: 2, folder });
    const shown = await modes('log');
    expect([shown.code, shown.out]).toEqual([1, '']);
    expect(shown.err).toMatch(said);
  });
});

describe('modes log', () => {
  /** What the one-shot processes wrote in one project: the others have the same, about their own folder. */
  let written: { home: string; text: string } | null = null;
  beforeEach(async () => {
    if (written !== null) {
      fs.mkdirSync(files().folder, { recursive: true });
      fs.writeFileSync(files().file(1), written.text.replaceAll(written.home, project.home));
      return;
    }
    await oneShot(call('Write', write('src/a.js'), 't-1'));
    await oneShot(call('Read', { file_path: path.join(project.root, 'README.md') }, 't-2', { session_id: 'other' }));
    await oneShot(call('Bash', { command: 'sed -i s/a/b/ src/a.js\nTOKEN=hunter2hunter2 true' }, 't-3'));
    written = { home: project.home, text: fs.readFileSync(files().file(1), 'utf8') };
  });

  test('shows a table, without colors in a pipe, without terminal control characters', async () => {
    const { code, out, err } = await modes('log');
    expect([code, err]).toEqual([0, '']);
    const lines = out.trimEnd().split('\n');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(
      /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}[0-9a-f]{8} {2}deny {3}idle {9}Write {3}src\/a\.js +@edit {2}\.claude\/settings\.idle\.json:\d+$/,
    );
    expect(lines[1]).toMatch(/ {2}allow {2}idle {9}Read {4}README\.md +Read\S* {2}\.claude\/settings\.\w+\.json:\d+$/);
    expect(out).not.toMatch(/\x1b|hunter2/);
  });

  test.each<[string[], string[]]>([
    [
      ['--mode', 'idle'],
      ['t-1', 't-2', 't-3'],
    ],
    [['--mode', 'test-dev'], []],
    [['--tool', 'Bash'], ['t-3']],
    [['--decision', 'allow'], ['t-2']],
    [
      ['--rule', '@edit'],
      ['t-1', 't-3'],
    ],
    [['--rule', 'Write(none)'], []],
    [['--session', 'oth'], ['t-2']],
    [
      ['--since', '10m'],
      ['t-1', 't-2', 't-3'],
    ],
    [['--since', '2099-01-01'], []],
    [['--until', '10m'], []],
    [['--limit', '1'], ['t-3']],
    [['--decision', 'deny', '--limit', '1'], ['t-3']],
  ])('%j', async (args, expected) => {
    const { code, out } = await modes('log', '--json', ...args);
    expect(code).toBe(0);
    const shown = out.split('\n').filter((line) => line !== '');
    expect(shown.map((line) => readEvent(line)?.labels.tool_use_id)).toEqual(expected);
  });

  test.each([['log'], ['suggest'], ['replay', '--policy', '.']])(
    '%s names a mode and a tool that no decision has',
    async (...verb) => {
      const said = async (...args: string[]) => (await modes(...verb, ...args)).err;
      expect(await said('--mode', 'idel')).toMatch(/^modes: no decision of the mode "idel" is logged; did you mean idle\?$/m);
      expect(await said('--mode', 'test-dev')).toMatch(/^modes: no decision of the mode "test-dev" is logged; there are: idle$/m);
      if (verb[0] !== 'suggest')
        expect(await said('--tool', 'bash')).toMatch(/^modes: no decision of the tool "bash" is logged; did you mean Bash\?$/m);
      expect(await said('--mode', 'idle')).not.toContain('no decision');
      expect(await said('--since', '0s')).not.toContain('no decision of');
    },
  );

  test('--rule accepts the place of the rule, also by the end of its file name', async () => {
    const [{ result }] = events() as [LogEvent];
    const { file, line } = result.rules[0]!.source;
    for (const place of [`${file}:${line}`, `${path.basename(file)}:${line}`])
      expect((await modes('log', '--rule', place)).out.split('\n')).toHaveLength(3);
  });

  test.each([
    ['--decision', 'maybe'],
    ['--since', 'yesterday'],
    ['--until', '10x'],
    ['--limit', '0'],
    ['--limit', 'x'],
    ['--nope'],
  ])('%s %s is wrong usage', async (...args) => {
    expect(await modes('log', ...args)).toMatchObject({ code: 64, out: '' });
  });

  const now = Date.parse('2026-05-02T00:00Z');
  test.each<[string, string | null]>([
    ['10m', '2026-05-01T23:50:00.000Z'],
    ['2026-05-01', '2026-05-01T00:00:00.000Z'],
    // As the table shows it.
    ['2026-05-01 23:50:01', '2026-05-01T23:50:01.000Z'],
    ['2026-05-01T23:50', '2026-05-01T23:50:00.000Z'],
    ['2026-05-01T23:50:01.5Z', '2026-05-01T23:50:01.500Z'],
    ['2026-05-01T23:50+02:00', '2026-05-01T21:50:00.000Z'],
    ['2026-05-01T25:00', null],
    ['2026-13-01', null],
    ['2026-02-31', null],
    ['2028-02-29', '2028-02-29T00:00:00.000Z'],
    ['2026-05-01 (noon)', null],
    ['', null],
  ])('reads the time %j, the same in every time zone', (text, time) => {
    const zone = process.env.TZ;
    process.env.TZ = 'America/New_York';
    try {
      if (time === null) expect(() => timeOf(text, now)).toThrow(/is not a time/);
      else expect(new Date(timeOf(text, now)).toISOString()).toBe(time);
    } finally {
      if (zone === undefined) delete process.env.TZ;
      else process.env.TZ = zone;
    }
  });

  test('is wrong usage without modes', async () => {
    project = makeProject({ example: null });
    expect(await modes('log')).toMatchObject({ code: 64, err: expect.stringContaining('no .claude/modes.yaml') });
  });

  test('reports the number of unreadable lines', async () => {
    fs.appendFileSync(files().file(1), 'torn\n{"half\n');
    const { code, out, err } = await modes('log');
    expect([code, out.trimEnd().split('\n').length]).toEqual([0, 3]);
    expect(err).toMatch(/2 lines of .* cannot be read/);
  });

  test('--follow shows new lines, after a new file was started too, and ends when it is interrupted', async () => {
    const child = spawn(
      process.execPath,
      [path.join(plugin, 'dist/modes.mjs'), 'log', '--follow', '--limit', '1', '--json', '--tool', 'Write'],
      {
        cwd: project.root,
        env: env(),
      },
    );
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      out += text;
    });
    const shown = () => out.split('\n').flatMap((line) => readEvent(line)?.labels.tool_use_id ?? []);
    await expect.poll(shown, { timeout: 20_000 }).toEqual(['t-1']);
    await oneShot(call('Write', write('src/a.js'), 't-4'));
    await expect.poll(shown, { timeout: 20_000 }).toEqual(['t-1', 't-4']);
    const line = (id: string) => JSON.stringify({ ...events()[0], decision_id: id, labels: { tool_use_id: id } });
    fs.writeFileSync(files().file(2), `${line('t-5')}\n`);
    await expect.poll(shown, { timeout: 20_000 }).toEqual(['t-1', 't-4', 't-5']);
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGINT');
    expect(await ended).toBe(0);
  });
});

describe('modes explain', () => {
  const json = async (...args: string[]): Promise<Explanation> => JSON.parse((await modes('explain', '--json', ...args)).out);

  test('reports an empty log', async () => {
    expect(await modes('explain')).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(
        /^No decision was logged yet\. To explain a call that was not made, run modes explain 'Bash\(…\)'\. \(E_NOT_FOUND\)\n$/,
      ),
    });
  });

  test('names another source for a decision without a rule', async () => {
    const said = (await modes('explain', 'Bash(modes trust)')).out;
    expect(said).toMatch(/^Decided by\n {2}built-in protection /m);
    await modes('stop');
    expect((await modes('explain', 'Write(src/a.js)')).out).toMatch(
      /^Decided by\n {2}the mode or the configuration is not known$/m,
    );
  });

  test('explains the last refused call, else the last one', async () => {
    const read = { file_path: path.join(project.root, 'README.md') };
    await oneShot(call('Read', read, 't-1'));
    expect((await json()).decision).toMatchObject({ decision: 'allow', tool: 'Read' });
    await oneShot(call('Write', write('src/a.js'), 't-2'));
    await oneShot(call('Read', read, 't-3'));
    expect((await json()).decision).toMatchObject({ decision: 'deny', tool: 'Write' });
  });

  test('explains why a call that passes has no reason', async () => {
    const { out } = await modes('explain', 'WebSearch(x)');
    expect(out).toMatch(
      /^pass {2}WebSearch {2}in idle {2}\(dry run\)\n {2}No rule of idle decides it: it is left to the client's own rules\.$/m,
    );
  });

  test('shows the call, what the command does and where, the rule with a caret, and where it is open', async () => {
    await oneShot(call('Bash', { command: 'cd src && sed -i s/a/b/ a.js' }, 't-1'));
    const { out } = await modes('explain', events()[0]!.decision_id.slice(0, 8));
    const lines = out.split('\n');
    const below = (part: string) => lines[lines.findIndex((line) => line.includes(part)) + 1];
    expect(lines[0]).toMatch(/^deny {2}Bash {2}in idle {2}at \d{4}-.* {2}id [0-9a-f-]{36} {2}session session-1$/);
    expect(out).toContain('command: cd src && sed -i s/a/b/ a.js');
    expect(out).toMatch(/writes {2}.*\/work\/src\/a\.js {2}\[sed -i\]/);
    expect(out).toMatch(/ {2}\.claude\/settings\.idle\.json:\d+:\d+ deny @edit {2}matched src\/a\.js {2}decided/);
    const marked = below('deny @edit  matched')!;
    const carets = lines[lines.indexOf(marked) + 1]!;
    expect(marked.slice(carets.indexOf('^'), carets.lastIndexOf('^') + 1)).toBe('@edit');
    expect(out).not.toContain('\x1b');
  });

  test('of a call in a named mode starts from there', async () => {
    const { decision, at, open, rules } = await json('Write(src/a.js)', '--mode', 'test-dev');
    expect([decision.decision, decision.mode, at]).toEqual(['deny', 'test-dev', null]);
    expect(rules.filter(({ decided }) => decided).map(({ text }) => text)).toContain('Write(src/**)');
    expect(open).toEqual([
      { mode: 'feature-dev', decision: 'allow', way: ['feature-dev'], constraint: expect.stringContaining('failing'), unmet: [] },
    ]);
  });

  test('names the unmet requirements of the gate', async () => {
    project.put(
      '.claude/modes.yaml',
      'name: t\ndefault: one\nmodes:\n  one:\n    transitions:\n      - to: two\n        require: [{fails: npm test}]\n        approve: human\n  two:\n    transitions: []\n  three:\n    transitions: []\n',
    );
    for (const mode of ['one', 'two', 'three'])
      project.put(
        `.claude/settings.${mode}.json`,
        JSON.stringify({ permissions: { deny: mode === 'one' ? ['Write(src/**)'] : [] } }),
      );
    project.trust();
    const { open } = await json('Write(src/a.js)');
    expect(open?.map(({ mode, way }) => [mode, way])).toEqual([
      ['two', ['two']],
      ['three', ['three']],
    ]);
    expect(open?.[0]?.unmet.map(({ check }) => check)).toEqual(['approve: human', expect.stringContaining('npm test')]);
    expect(open?.[1]?.unmet[0]).toMatchObject({ missing: 'no transition leads there' });
    expect((await modes('explain', 'Write(src/a.js)')).out).toMatch(/two: .*The gate to two needs:\n {4}approve: human: /);
  });

  test('does not point at another line if the line of a rule changed since', async () => {
    await oneShot(call('Write', write('src/a.js'), 't-1'));
    project.put('.claude/settings.idle.json', `\n${project.get('.claude/settings.idle.json')}`);
    project.trust();
    expect((await json()).rules[0]?.line).toBeNull();
    expect((await modes('explain')).out).toContain('that line has changed since');
  });

  test.each<[string[], number]>([
    [['--mode', 'idle'], 64],
    [['Write(src/a.js)', '--mode', 'nope'], 64],
    [['no call'], 64],
    [['00000000-0000'], 1],
  ])('%j exits %d', async (args, code) => {
    expect(await modes('explain', ...args)).toMatchObject({ code, out: '' });
  });
});

describe('/modes:why', () => {
  test('answers as modes explain does, for this session', async () => {
    const session = await Session.start(project);
    expect(await session.type('/modes:why')).toBe('No call was decided in this session yet.');
    await oneShot(call('Write', write('src/b.js'), 't-0', { session_id: 'other' }));
    await session.decide('Write', write('src/a.js'), { tool_use_id: 't-1' });
    expect(await session.type('/modes:why')).toMatch(
      /^deny {2}Write {2}in idle[\s\S]*writes src\/a\.js[\s\S]*deny @edit {2}matched src\/a\.js {2}decided/,
    );
    const other = events().find(({ labels }) => labels.session === 'other')!;
    expect(await session.type(`/modes:why ${other.decision_id.slice(0, 8)}`)).toContain('src/b.js');
    expect(await session.type('/modes:why Bash(git push)')).toMatch(/^\w+ {2}Bash {2}in idle {2}\(dry run\)/);
    expect(await session.type('/modes:why 00000000')).toBe('No decision 00000000 is in the log.');
    expect(await session.type('/modes:why no call')).toMatch(/failed: "no call" is not a call/);
    expect(events()).toHaveLength(2);
  });
});

describe('every denial names its source and place', () => {
  /** A setting for each step that can deny, and a call that meets it. */
  const rows: [string, object, string, object][] = [
    ['rule', { deny: ['Write(src/**)'] }, 'Write', { file_path: 'src/a.js', content: '' }],
    ['rule', { deny: ['Bash(git push:*)'] }, 'Bash', { command: 'git push' }],
    ['protection', {}, 'Write', { file_path: '.claude/modes.yaml', content: '' }],
    ['protection', {}, 'Bash', { command: 'echo x > .claude/settings.idle.json' }],
    ['default', { default: 'deny' }, 'Bash', { command: 'git push' }],
    ['uncertainty', { deny: ['Write(src/**)'], default: 'deny', allow: ['Read'] }, 'Bash', { command: './unknown' }],
    ['policy', {}, 'WebFetch', { url: 'https://example.org', prompt: '' }],
  ];
  test.each(rows)('%s %j', async (by, permissions, tool, input) => {
    project.put('.claude/settings.idle.json', JSON.stringify({ permissions }));
    if (by === 'policy')
      project.put(
        '.claude/policies/no_web.rego',
        'package modes.policy.no_web\n\ndeny contains "No web." if input.tool.name == "WebFetch"\n',
      );
    project.trust();
    const given = 'file_path' in input ? { ...input, file_path: path.join(project.root, String(input.file_path)) } : input;
    await oneShot(call(tool, given, 't-1'));
    const [{ result }] = events() as [LogEvent];
    expect([result.decision, result.by]).toEqual(['deny', by]);
    const places = [...result.rules.map(({ source }) => source), ...result.policies];
    if (by === 'protection')
      expect(result.protections).toEqual([{ name: expect.stringMatching(/./), on: expect.stringContaining('.claude') }]);
    else
      expect(places).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ file: expect.stringMatching(/^\.claude\//), line: expect.any(Number) }),
        ]),
      );
    const { out } = await modes('explain');
    expect(out).toMatch(by === 'protection' ? /built-in protection .*\.claude/ : /\.claude\/[\w./-]+:\d+/);
  });
});
