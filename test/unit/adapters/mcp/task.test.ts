// /modes:task: beginning a task narrows and asks nobody; leaving one is asked.
import { execFileSync } from 'node:child_process';
import { beforeAll, expect, test } from 'vitest';
import { Session, type SessionOptions, tick } from '../../../support/mcp-session.ts';
import { builtPlugin } from '../../../support/plugin.ts';
import { makeProject } from '../../../support/project.ts';

beforeAll(async () => void (await builtPlugin()), 120_000);

async function start(options: SessionOptions = {}): Promise<Session> {
  const project = makeProject({ example: null });
  project.put('.claude/modes.yaml', 'name: t\ndefault: a\ntasks: {protected: [main]}\nmodes:\n  a: {}\n');
  project.put('.claude/tasks/form.md', '---\nname: form\nbranch: feature/form\nstatus: pending\n---\n');
  project.put('.claude/tasks/big/README.md', '---\nbranch: feature/big\n---\n');
  project.put('.claude/tasks/big/01-first.md', '---\nstatus: pending\n---\n');
  project.put('.claude/tasks/wrong.md', '---\nbranch: main\n---\n');
  execFileSync('git', ['init', '-q', '-b', 'feature/form'], { cwd: project.root });
  project.trust();
  return Session.start(project, options);
}
const write = (session: Session) => session.decide('Write', { file_path: `${session.project.root}/a.ts`, content: 'x' });
const head = (session: Session, branch: string) => session.project.put('.git/HEAD', `ref: refs/heads/${branch}\n`);

test('shows the tasks', async () => {
  const session = await start();
  expect(await session.type('/modes:task')).toBe(
    'No task.\nTasks: big, big/01-first, form, wrong\n/modes:task start NAME, /modes:task done NAME',
  );
  expect(await session.type('/modes:task begin form')).toBe('/modes:task start NAME, /modes:task done NAME');
});

test('start limits writes to the branch, without a question, and is announced [w:task.start]', async () => {
  const session = await start();
  expect(await session.type('/modes:task start form')).toBe('Task: form (writes only on feature/form)');
  expect(session.questions).toEqual([]);
  expect(session.project.get('.claude/tasks/form.md')).toContain('status: in-progress');
  expect(await write(session)).toBe('pass');
  head(session, 'other');
  expect(await write(session)).toBe('deny');
  expect((await session.tool('status')).value).toMatchObject({ task: { name: 'form', branch: 'feature/form' } });
  const { answer } = await session.event('UserPromptSubmit', { prompt: 'hello', source: '' });
  expect(JSON.stringify(answer)).toContain('Task: form (writes only on its branch, feature/form)');
});

test('start refuses a protected branch and an unknown task', async () => {
  const session = await start();
  expect(await session.type('/modes:task start wrong')).toContain('main is protected');
  expect(await session.type('/modes:task start nothing')).toContain('Tasks: ');
});

test('done asks, names open subtasks, and frees the branch [w:task.start]', async () => {
  const session = await start({ dialog: tick });
  await session.type('/modes:task start big');
  expect(await write(session)).toBe('deny');
  expect(await session.type('/modes:task done other')).toContain('The task is big');
  expect(await session.type('/modes:task done big')).toBe('Done: big.');
  expect(JSON.stringify(session.questions)).toContain('Open subtasks: big/01-first');
  expect(session.project.get('.claude/tasks/big/README.md')).toContain('status: completed');
  expect(await write(session)).toBe('pass');
});

test.each<[string, SessionOptions]>([
  ['it is declined', { dialog: () => ({ action: 'decline' }) }],
  ['nobody can be asked', { dialog: tick, env: { CLAUDE_CODE_ENTRYPOINT: 'sdk-cli' } }],
])('a task is not left if %s', async (_, options) => {
  const session = await start(options);
  await session.type('/modes:task start big');
  for (const typed of ['/modes:task done', '/modes:task start form']) await session.type(typed);
  expect(await write(session)).toBe('deny');
  expect(await session.type('/modes:task')).toContain('Task: big (writes only on feature/big)');
});

test('another task replaces it after an approval', async () => {
  const session = await start({ dialog: tick });
  await session.type('/modes:task start big');
  expect(await session.type('/modes:task start form')).toContain('Task: form');
  expect(session.questions).toHaveLength(1);
});

test('the same task with another branch in its file replaces it only after an approval', async () => {
  let tell: { action: string } = { action: 'decline' };
  const session = await start({ dialog: (question) => (tell.action === 'decline' ? { action: 'decline' } : tick(question)) });
  await session.type('/modes:task start big');
  expect(await session.type('/modes:task start big')).toContain('Task: big (writes only on feature/big)');
  expect(session.questions).toEqual([]);
  session.project.put('.claude/tasks/big/README.md', '---\nbranch: feature/form\n---\n');
  expect(await session.type('/modes:task start big')).toContain('The task stays big (writes only on feature/big)');
  expect(await write(session)).toBe('deny');
  tell = { action: 'accept' };
  expect(await session.type('/modes:task start big')).toContain('Task: big (writes only on feature/form)');
  expect(JSON.stringify(session.questions.at(-1))).toContain('big (writes only on feature/form)');
});
