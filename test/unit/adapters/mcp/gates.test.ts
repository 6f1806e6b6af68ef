// The gates of examples/tdd-checked over the private pipe: what the client tells opens them, what the model says does not.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { Session } from '../../../support/mcp-session.ts';
import { builtPlugin } from '../../../support/plugin.ts';
import { gateByExitCodes, makeProject } from '../../../support/project.ts';

beforeAll(async () => void (await builtPlugin()), 120_000);

let calls = 0;
/** A Bash call as the client tells of it: announced, then ended with this exit code. */
async function run(
  session: Session,
  code: number,
  command = 'npm test',
  happens: () => void = () => undefined,
  cwd = session.project.root,
  session_id = 'session-1',
) {
  calls += 1;
  const call = { session_id, tool_name: 'Bash', tool_input: JSON.stringify({ command }), tool_use_id: `toolu_run_${calls}`, cwd };
  await session.event('PreToolUse', { ...call, mcp_server: '' });
  happens();
  if (code === 0) await session.event('PostToolUse', { ...call, tool_response: '{"stdout":"","stderr":"","interrupted":false}' });
  else await session.event('PostToolUseFailure', { ...call, error: `Exit code ${code}\n1 failing`, is_interrupt: 'false' });
}

async function start() {
  const project = makeProject({ example: 'tdd-checked' });
  gateByExitCodes(project);
  const session = await Session.start(project);
  const { root, put } = project;
  put('src/sum.js', 'exports.sum = () => 0;');
  put('test/old.test.js', 'old');
  return { session, put, root };
}
const unmet = (result: Record<string, unknown>) => (result.unmet as { check: string; missing: string; how: string }[]) ?? [];

describe('the transition from test-dev', () => {
  test('is closed regardless of the explanation, and names the unmet requirements with remedies [w:transition.unmet] [w:transition.explanation]', async () => {
    const { session } = await start();
    await session.transition('test-dev');
    const result = await session.transition('feature-dev', 'The test exists and fails, I promise.');
    expect(result).toMatchObject({ success: false, reason: expect.stringContaining("from 'test-dev' to 'feature-dev'") });
    expect(unmet(result)).toEqual([
      { check: 'changed: test files', missing: expect.any(String), how: expect.any(String) },
      {
        check: 'fails: npm test',
        missing: 'npm test has not been run in this mode',
        how: "Run npm test alone, in the foreground, at the project's root.",
      },
    ]);
    expect(await session.mode()).toBe('test-dev');
  });

  test('opens once a test was written and was seen to fail [w:evidence.fails] [w:files.changed]', async () => {
    const { session, put } = await start();
    await session.transition('test-dev');
    put('test/sum.test.js', 'new');
    expect(unmet(await session.transition('feature-dev')).map(({ check }) => check)).toEqual(['fails: npm test']);
    await run(session, 1);
    expect(await session.transition('feature-dev')).toMatchObject({ success: true, new_state: 'feature-dev' });
  });

  test.each<[string, (session: Session, put: (name: string, text: string) => void) => Promise<void>]>([
    ['the run passed', (session) => run(session, 0)],
    ['the run was of something else', (session) => run(session, 1, 'npm test; false')],
    ['the program was not found', (session) => run(session, 127)],
    [
      'the run is older than a change',
      async (session, put) => {
        await run(session, 1);
        put('src/other.js', 'x');
      },
    ],
    ['a file changed during the run', (session, put) => run(session, 1, 'npm test', () => put('src/other.js', 'x'))],
  ])('stays closed if %s', async (_, act) => {
    const { session, put } = await start();
    await session.transition('test-dev');
    put('test/sum.test.js', 'new');
    await act(session, put);
    expect(unmet(await session.transition('feature-dev')).map(({ check }) => check)).toEqual(['fails: npm test']);
  });

  test('a run in a folder that became a link to the root does not count [w:evidence.folder]', async () => {
    const { session, put, root } = await start();
    put('.gitignore', 'out/\n');
    await session.transition('test-dev');
    put('test/sum.test.js', 'new');
    const folder = path.join(root, 'out/other');
    fs.mkdirSync(folder, { recursive: true });
    await run(session, 1, 'npm test', undefined, folder);
    fs.rmdirSync(folder);
    fs.symlinkSync(root, folder);
    expect(unmet(await session.transition('feature-dev'))).toMatchObject([{ missing: 'npm test ran in another folder' }]);
  });

  test('a run in another mode does not count [w:evidence.mode]', async () => {
    const { session, put } = await start();
    await run(session, 1);
    await session.transition('test-dev');
    put('test/sum.test.js', 'new');
    expect(unmet(await session.transition('feature-dev'))).toHaveLength(1);
  });
});

describe('the transition from feature-dev', () => {
  const there = async () => {
    const started = await start();
    await started.session.transition('test-dev');
    started.put('test/sum.test.js', 'new');
    await run(started.session, 1);
    await started.session.transition('feature-dev');
    return started;
  };

  test('opens once all tests pass and none was changed [w:evidence.passes] [w:files.unchanged]', async () => {
    const { session, put } = await there();
    put('src/sum.js', 'exports.sum = (a, b) => a + b;');
    expect(unmet(await session.transition('idle')).map(({ check }) => check)).toEqual(['passes: npm test']);
    await run(session, 0);
    expect(await session.transition('idle')).toMatchObject({ success: true, new_state: 'idle' });
  });

  test('is closed if a test was changed by any means, until it is restored [w:files.unchanged] [w:files.hash]', async () => {
    const { session, put, root } = await there();
    put('test/sum.test.js', 'easier');
    await run(session, 0);
    expect(unmet(await session.transition('idle'))).toMatchObject([
      {
        check: expect.stringContaining('unchanged'),
        missing: expect.stringContaining('test/sum.test.js'),
        how: expect.stringMatching(/^Restore .* \/modes:mode NAME\.$/),
      },
    ]);
    fs.rmSync(path.join(root, 'test/sum.test.js'));
    put('test/sum.test.js', 'new');
    await run(session, 0);
    expect(await session.transition('idle')).toMatchObject({ success: true });
  });
});

test('status and context name the checks [w:transition.status]', async () => {
  const { session } = await start();
  await session.transition('test-dev');
  const { available_transitions: ways } = (await session.tool('status')).value as {
    available_transitions: { require: string[] }[];
  };
  expect(ways[0]?.require).toEqual(['changed: test files', 'fails: npm test']);
  const { answer } = (await session.event('UserPromptSubmit', { prompt: 'go', source: 'user' })) as unknown as {
    answer: { hookSpecificOutput: { additionalContext: string } };
  };
  expect(answer.hookSpecificOutput.additionalContext).toContain('not met: changed: test files; fails: npm test');
});

/** Commits all that is there; gives a worktree of it, where the client makes them. */
function commitWithTree(root: string): string {
  const tree = path.join(root, '.claude/worktrees/fix');
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: root, stdio: 'pipe' });
  git('init', '-q');
  git('add', '.');
  git('commit', '-q', '-m', 'x');
  git('worktree', 'add', '-q', tree);
  return tree;
}

describe('of a worktree with a mode of its own', () => {
  const there = async () => {
    const project = makeProject({ example: 'tdd-checked' });
    gateByExitCodes(project);
    const { root, put } = project;
    put('.claude/modes.yaml', `scope: worktree\n${project.get('.claude/modes.yaml')}`);
    put('src/sum.js', 'one');
    project.trust();
    const tree = commitWithTree(root);
    const session = await Session.start(project);
    const inTree = (target: string) => session.transition(target, 'because', { cwd: tree });
    await inTree('test-dev');
    return {
      session,
      put,
      root,
      tree,
      inTree,
      write: (name: string, text: string) => put(`.claude/worktrees/fix/${name}`, text),
    };
  };

  test('check that tree: no file and no run of the project opens them [w:evidence.worktree]', async () => {
    const { session, put, root, tree, inTree, write } = await there();
    put('test/sum.test.js', 'new');
    await run(session, 1, 'npm test', undefined, root);
    expect(unmet(await inTree('feature-dev')).map(({ check }) => check)).toEqual(['changed: test files', 'fails: npm test']);
    write('test/sum.test.js', 'new');
    await run(session, 1, 'npm test', undefined, tree);
    put('src/other.js', 'of the project');
    expect(await inTree('feature-dev')).toMatchObject({ success: true });
    write('src/sum.js', 'two');
    await run(session, 0, 'npm test', undefined, root);
    expect(unmet(await inTree('idle')).map(({ check, how }) => [check, how])).toEqual([
      ['passes: npm test', `Run npm test alone, in the foreground, at the root of the worktree, ${tree}.`],
    ]);
    await run(session, 0, 'npm test', undefined, tree);
    write('src/sum.js', 'three');
    expect(unmet(await inTree('idle'))).toMatchObject([{ missing: 'src/sum.js changed after the newest run of npm test' }]);
    await run(session, 0, 'npm test', undefined, tree);
    write('test/sum.test.js', 'easier');
    expect(unmet(await inTree('idle')).map(({ missing }) => missing)).toEqual([
      expect.stringContaining('test/sum.test.js changed although the mode guards it'),
      'test/sum.test.js changed after the newest run of npm test',
      'test/sum.test.js changed since you entered this mode',
    ]);
    write('test/sum.test.js', 'new');
    await run(session, 0, 'npm test', undefined, tree);
    expect(await inTree('idle')).toMatchObject({ success: true });
  });
});

describe('of a first mode', () => {
  const yaml = `name: first
default: one
modes:
  one: {transitions: [{to: two, require: [{changed: src/**}, {unchanged: test/**}, {passes: npm test}]}]}
  two: {}
`;
  const there = async (scope: string) => {
    const project = makeProject({ example: null });
    const { root, put } = project;
    put('.claude/modes.yaml', `scope: ${scope}\n${yaml}`);
    put('.gitignore', 'coverage/\n.claude/worktrees/\n');
    put('src/sum.js', 'one');
    put('test/sum.test.js', 'old');
    project.trust();
    commitWithTree(root);
    return { put, root, session: await Session.start(project) };
  };

  test.each([
    ['session', '', 'session-2'],
    ['worktree', '.claude/worktrees/fix', 'session-1'],
  ])(
    '%s: the files are recorded at the first event, and ignored files are not watched [w:files.record]',
    async (scope, folder, id) => {
      const { put, root, session } = await there(scope);
      const cwd = path.join(root, folder);
      const write = (name: string, text: string) => put(path.join(folder, name), text);
      await session.event('UserPromptSubmit', { session_id: id, cwd, prompt: 'go', source: 'user' });
      write('src/sum.js', 'two');
      write('test/sum.test.js', 'easier');
      const tested = () => run(session, 0, 'npm test', () => write('coverage/all', String(calls)), cwd, id);
      await tested();
      expect(unmet(await session.transition('two', 'because', { cwd, session: id }))).toMatchObject([
        { missing: 'test/sum.test.js changed since you entered this mode' },
      ]);
      write('test/sum.test.js', 'old');
      await tested();
      expect(await session.transition('two', 'because', { cwd, session: id })).toMatchObject({ success: true });
    },
  );
});
