// What git, scripts and editors do to a configuration while a session runs, seen on every channel: pipe, socket, one-shot, hook client.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { Session, tick } from '../../support/mcp-session.ts';
import { builtPlugin } from '../../support/plugin.ts';
import { makeProject, type Project, run } from '../../support/project.ts';
import { ask } from '../../support/server.ts';

let plugin: string;
beforeAll(async () => {
  plugin = await builtPlugin();
}, 120_000);

const strict = '{"permissions":{"deny":["Write(src/**)"],"allow":["Write(docs/**)"]}}';
const loose = '{"permissions":{"allow":["Write"]}}';
const settings = '.claude/settings.idle.json';

function git(at: string, ...args: string[]): string {
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@localhost', '-c', 'init.defaultBranch=main'];
  return execFileSync('git', [...identity, ...args], { cwd: at, encoding: 'utf8', env: { PATH: process.env.PATH, HOME: at } });
}

/** A repository with the strict settings committed, and a branch `old` from before there were modes. */
function repository(): Project {
  const project = makeProject({ trusted: false });
  git(project.root, 'init', '-q');
  project.put('README.md', 'x\n');
  git(project.root, 'add', 'README.md');
  git(project.root, 'commit', '-qm', 'before modes');
  git(project.root, 'branch', 'old');
  project.put('.gitignore', '.claude/mode-state.json\n.claude/mode.sock*\n');
  project.put(settings, strict);
  git(project.root, 'add', '.');
  git(project.root, 'commit', '-qm', 'modes');
  project.trust();
  return project;
}

const eventOf = (project: Project, name: string, session = 'session-1') =>
  JSON.stringify({
    hook_event_name: 'PreToolUse',
    session_id: session,
    cwd: project.root,
    tool_name: 'Write',
    tool_input: { file_path: path.join(project.root, name), content: 'x' },
    tool_use_id: 't',
  });
const saidBy = ({ code, out, err }: Awaited<ReturnType<typeof run>>): string =>
  code === 0 ? effectOf(out) : `exit ${code}: ${err}`;
const effectOf = (text: string): string => JSON.parse(text).hookSpecificOutput?.permissionDecision ?? 'pass';

/** The verdict on a write by each channel, for a session of the server that is given. */
async function byEveryChannel(session: Session, name: string): Promise<Record<string, string>> {
  const { project } = session;
  const body = eventOf(project, name);
  const client = await run('/bin/sh', [path.join(plugin, 'hooks/client.sh'), 'PreToolUse'], {
    cwd: project.root,
    env: project.env({ CLAUDE_PID: String(process.pid), CLAUDE_CODE_SESSION_ID: 'session-1' }),
    stdin: body,
  });
  const oneShot = await run(process.execPath, [path.join(plugin, 'dist/hook.cjs'), 'PreToolUse', project.root], {
    cwd: '/',
    env: project.env(),
    stdin: body,
  });
  // Where the folder of the socket is gone, nobody asks there.
  const hasSocket = fs.existsSync(path.join(project.root, '.claude/mode.sock'));
  const socket = hasSocket ? await ask(path.join(project.root, '.claude'), 'POST', '/check-tool', { body }) : null;
  return {
    pipe: await session.decide('Write', { file_path: path.join(project.root, name), content: 'x' }),
    client: saidBy(client),
    oneShot: saidBy(oneShot),
    ...(socket === null ? {} : { socket: effectOf(socket.text) }),
  };
}

const all = (verdict: string, channels: Record<string, string>) =>
  Object.fromEntries(Object.keys(channels).map((name) => [name, verdict]));

/** What a server makes in the folder meanwhile is removed too. */
const removal = { recursive: true, maxRetries: 10 };
type Row = [what: string, change: (project: Project) => void];
const changes: Row[] = [
  ['git checkout of a branch without modes', ({ root }) => void git(root, 'checkout', '-q', 'old')],
  [
    'git checkout of a branch with looser settings',
    (project) => {
      git(project.root, 'checkout', '-qb', 'loose');
      project.put(settings, loose);
      git(project.root, 'commit', '-qam', 'loose');
      git(project.root, 'checkout', '-q', 'main');
      git(project.root, 'checkout', '-q', 'loose');
    },
  ],
  [
    'git pull that loosens',
    ({ root, home }) => {
      const other = path.join(home, 'other');
      git(home, 'clone', '-q', root, other);
      fs.writeFileSync(path.join(other, settings), loose);
      git(other, 'commit', '-qam', 'loose');
      git(root, 'pull', '-q', other, 'main');
    },
  ],
  [
    'a script that rewrites settings',
    (project) =>
      void execFileSync(process.execPath, [
        '-e',
        `require('fs').writeFileSync(process.argv[1], process.argv[2])`,
        path.join(project.root, settings),
        loose,
      ]),
  ],
  ['a script that removes .claude', ({ root }) => fs.rmSync(path.join(root, '.claude'), removal)],
  ['an editor that saves halfway', (project) => void project.put(settings, strict.slice(0, 30))],
  ['an editor that has emptied the file', (project) => void project.put('.claude/modes.yaml', '')],
];

describe('while a session runs', () => {
  test.each(changes)(
    '%s weakens nothing on any channel [s:pin.no-widening] [s:pin.broken]',
    async (_, change) => {
      const session = await Session.start(repository());
      const before = await byEveryChannel(session, 'src/a.js');
      expect(before).toEqual(all('deny', before));
      change(session.project);
      const after = await byEveryChannel(session, 'src/a.js');
      expect(after).toEqual(all('deny', after));
      // Nor when its server is gone.
      session.child.kill('SIGKILL');
      await once(session.child, 'close');
      const alone = await run('/bin/sh', [path.join(plugin, 'hooks/client.sh'), 'PreToolUse'], {
        cwd: session.project.root,
        env: session.project.env({ CLAUDE_PID: String(process.pid), CLAUDE_CODE_SESSION_ID: 'session-1' }),
        stdin: eventOf(session.project, 'src/a.js'),
      });
      expect(saidBy(alone)).toBe('deny');
    },
    30_000,
  );

  test.each(changes)(
    '%s weakens nothing for a session that starts after it either',
    async (_, change) => {
      const first = await Session.start(repository());
      await first.mode();
      change(first.project);
      const oneShot = await run(process.execPath, [path.join(plugin, 'dist/hook.cjs'), 'PreToolUse', first.project.root], {
        cwd: '/',
        env: first.project.env(),
        stdin: eventOf(first.project, 'src/a.js', 'session-2'),
      });
      expect(saidBy(oneShot)).toBe('deny');
    },
    30_000,
  );

  test('git stash of stricter settings that were not committed weakens nothing', async () => {
    const project = repository();
    project.put(settings, '{"permissions":{"deny":["Write"]}}');
    project.trust();
    const session = await Session.start(project);
    expect(await session.decide('Write', { file_path: path.join(project.root, 'docs/a'), content: 'x' })).toBe('deny');
    git(project.root, 'stash', '-q');
    const after = await byEveryChannel(session, 'docs/a');
    expect(after).toEqual(all('deny', after));
  });

  test('a restrictive edit applies on every channel [s:pin.live]', async () => {
    const session = await Session.start(repository());
    const before = await byEveryChannel(session, 'docs/a');
    expect(before).toEqual(all('allow', before));
    session.project.put('.claude/settings.any.local.json', '{"permissions":{"deny":["Write(docs/**)"]}}');
    await expect
      .poll(() => session.decide('Write', { file_path: path.join(session.project.root, 'docs/a'), content: 'x' }))
      .toBe('deny');
    const after = await byEveryChannel(session, 'docs/a');
    expect(after).toEqual(all('deny', after));
  });
});

describe('a person adopts the present content', () => {
  test('in the session, after the difference was shown [s:pin.setup] [s:trust.dialog]', async () => {
    const session = await Session.start(repository(), { dialog: tick });
    expect((await byEveryChannel(session, 'src/a.js')).pipe).toBe('deny');
    session.project.put(settings, loose);
    await expect.poll(() => session.type('/modes:trust')).toContain('- .claude/settings.idle.json: deny Write(src/**)');
    const shown = (await session.type('/modes:trust')) as string;
    expect(shown).toContain('+ .claude/settings.idle.json: allow Write');
    expect((await byEveryChannel(session, 'src/a.js')).socket).toBe('deny');
    const hash = /\/modes:trust ([0-9a-f]{12})$/.exec(shown)?.[1];
    expect(await session.type(`/modes:trust ${hash}`)).toMatch(/^Trusted: /);
    const after = await byEveryChannel(session, 'src/a.js');
    expect(after).toEqual(all('allow', after));
  });

  test('in a terminal, for running sessions [s:pin.cli] [s:trust.terminal]', async () => {
    const session = await Session.start(repository());
    expect((await byEveryChannel(session, 'src/a.js')).pipe).toBe('deny');
    session.project.put(settings, loose);
    const { hash } = JSON.parse(
      (
        await run(process.execPath, [path.join(plugin, 'dist/modes.mjs'), 'validate', '--json'], {
          cwd: session.project.root,
          env: session.project.env(),
        })
      ).out,
    );
    // As a child of nobody: whoever runs these tests may be a client.
    const done = path.join(session.project.home, 'done');
    const script = '( "$@" >/dev/null 2>&1 </dev/null; echo $? >"$DONE.new"; mv "$DONE.new" "$DONE" ) &';
    const args = [process.execPath, path.join(plugin, 'dist/modes.mjs'), 'trust', '--expect', hash];
    await run('/bin/sh', ['-c', script, 'sh', ...args], {
      cwd: session.project.root,
      env: { HOME: session.project.home, PATH: '/usr/bin:/bin', DONE: done },
    });
    await expect.poll(() => fs.existsSync(done) && fs.readFileSync(done, 'utf8'), { timeout: 20_000 }).toBe('0\n');
    await expect
      .poll(() => session.decide('Write', { file_path: path.join(session.project.root, 'src/a.js'), content: 'x' }))
      .toBe('allow');
    const after = await byEveryChannel(session, 'src/a.js');
    expect(after).toEqual(all('allow', after));
  });
});
