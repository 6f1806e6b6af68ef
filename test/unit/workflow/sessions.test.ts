// Several sessions of one project, each with a server of its own: what they change, what they are told, what is left behind.
import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { readJournals } from '../../../src/workflow/journal.ts';
import { Session } from '../../support/mcp-session.ts';
import { builtPlugin } from '../../support/plugin.ts';
import { makeProject, type Project } from '../../support/project.ts';
import { addTree } from '../../support/worktree.ts';

beforeAll(async () => void (await builtPlugin()), 120_000);

/** A session with its own server, as its client speaks of it. */
class Client {
  private calls = 0;

  private constructor(
    readonly id: string,
    readonly server: Session,
    readonly cwd: string,
  ) {}

  static async start(project: Project, id: string, cwd = project.root): Promise<Client> {
    const server = await Session.start(project, { env: { CLAUDE_CODE_SESSION_ID: id } });
    return new Client(id, server, cwd);
  }

  in(cwd: string): Client {
    return new Client(this.id, this.server, cwd);
  }

  private async event(name: string, fields: Record<string, unknown>): Promise<Record<string, string>> {
    const { answer, error } = await this.server.event(name, { session_id: this.id, cwd: this.cwd, ...fields });
    if (error !== null) throw new Error(error);
    return (answer?.hookSpecificOutput ?? {}) as Record<string, string>;
  }

  /** The context that goes out with a prompt. */
  async prompt(): Promise<string> {
    return (await this.event('UserPromptSubmit', { prompt: 'go on', source: 'user' })).additionalContext ?? '';
  }

  async startAgent(agent: string): Promise<void> {
    await this.event('SubagentStart', { agent_id: agent, agent_type: 'helper' });
  }

  /** Writes a file: what is decided, and what is told with it. */
  async write(file: string, agent = ''): Promise<{ decision: string; told: string }> {
    const fields = { agent_id: agent, tool_use_id: `${this.id}-${agent}-${this.calls++}`, mcp_server: '' };
    const input = JSON.stringify({ file_path: path.join(this.cwd, file), content: 'x' });
    const answer = await this.event('PreToolUse', { ...fields, tool_name: 'Write', tool_input: input });
    return { decision: answer.permissionDecision ?? 'pass', told: (answer.additionalContext ?? '').split('\n')[0] as string };
  }

  async go(target: string): Promise<Record<string, unknown>> {
    const id = `${this.id}-go-${this.server.child.pid}-${this.calls++}-${target}`;
    const input = { target, explanation: `${this.id} goes to ${target}` };
    const tool = { tool_name: 'mcp__plugin_modes_modes__transition', tool_use_id: id, agent_id: '' };
    const mcp = '{"name":"plugin:modes:modes","source":"plugin"}';
    await this.event('PreToolUse', { ...tool, tool_input: JSON.stringify(input), mcp_server: mcp });
    return (await this.server.tool('transition', input, id)).value;
  }
}

/** The TDD example with another scope. */
function scoped(scope: string): Project {
  const project = makeProject({ trusted: false });
  project.put('.claude/modes.yaml', `scope: ${scope}\n${project.get('.claude/modes.yaml')}`);
  project.trust();
  return project;
}

const start = (project: Project, ...ids: string[]) => Promise.all(ids.map((id) => Client.start(project, id)));
const ring = ['test-dev', 'feature-dev', 'idle'];
const gates = /Already in mode|Another session changed|is not allowed/;

describe('four sessions that change the mode at once', () => {
  test('one wins each time, the others get the reason, and nothing is lost [w:transition.race]', async () => {
    const project = makeProject();
    const all = await start(project, 'a', 'b', 'c', 'd');
    const won: string[] = [];
    for (const target of [...ring, ...ring]) {
      const results = await Promise.all(all.map((one) => one.go(target)));
      const winners = all.filter((_, at) => results[at]?.success === true);
      expect(winners).toHaveLength(1);
      for (const { success, reason } of results) if (success !== true) expect(reason).toMatch(gates);
      won.push(`${winners[0]?.id} goes to ${target}`);
    }
    const [journal] = readJournals(project.data, project.root);
    expect(journal).toMatchObject({ broken: null, isShared: true });
    expect(journal?.entries.map(({ explanation }) => explanation)).toEqual(won);
    const view = JSON.parse(project.get('.claude/mode-state.json'));
    expect(view.history.map(({ explanation }: { explanation: string }) => explanation)).toEqual(won);
    const modes = await Promise.all(all.map(({ server }) => server.mode()));
    expect(modes).toEqual(['idle', 'idle', 'idle', 'idle']);
  });

  test('continue with the present state when one of them is killed', async () => {
    const project = makeProject();
    const [one, other] = (await start(project, 'a', 'b')) as [Client, Client];
    await one.go('test-dev');
    const going = one.go('feature-dev').catch(() => undefined);
    one.server.child.kill('SIGKILL');
    await Promise.race([going, new Promise((done) => one.server.child.once('close', done))]);
    const mode = await other.server.mode();
    expect(['test-dev', 'feature-dev']).toContain(mode);
    const next = mode === 'test-dev' ? 'feature-dev' : 'idle';
    expect(await other.go(next)).toMatchObject({ success: true, new_state: next });
    expect(readJournals(project.data, project.root)[0]?.broken).toBeNull();
  });
});

describe('a change by another session', () => {
  test('is announced at the first call after a prompt, once, and applies at once [w:state.news]', async () => {
    const [one, other] = (await start(makeProject(), 'a', 'b')) as [Client, Client];
    expect(await one.prompt()).toContain('MODE: idle');
    await other.go('test-dev');
    expect(await one.write('test/a.test.js')).toEqual({
      decision: 'allow',
      told: 'Another session changed the mode from idle to test-dev.',
    });
    expect(await one.write('src/a.js')).toEqual({ decision: 'deny', told: '' });
    expect(await other.write('src/a.js')).toEqual({ decision: 'deny', told: '' });
  });

  test('is announced to the main thread and to each of its subagents [w:state.news]', async () => {
    const [one, other] = (await start(makeProject(), 'a', 'b')) as [Client, Client];
    await one.prompt();
    await one.startAgent('agent-1');
    await other.go('test-dev');
    const news = 'Another session changed the mode from idle to test-dev.';
    expect((await one.write('test/a.test.js', 'agent-1')).told).toBe(news);
    expect((await one.write('test/a.test.js')).told).toBe(news);
    expect((await one.write('test/a.test.js', 'agent-1')).told).toBe('');
    await one.go('feature-dev');
    expect((await one.write('src/a.js')).told).toBe('');
    expect((await one.write('src/a.js', 'agent-1')).told).toBe('The main thread changed the mode from test-dev to feature-dev.');
  });

  test('that the prompt already announced is not announced again', async () => {
    const [one, other] = (await start(makeProject(), 'a', 'b')) as [Client, Client];
    await one.prompt();
    await other.go('test-dev');
    expect(await one.prompt()).toContain('MODE: test-dev');
    expect((await one.write('test/a.test.js')).told).toBe('');
    // This one found a configuration that the other had made ready and kept.
    expect(await other.prompt()).toContain('MODE: test-dev');
  });

  test('is announced after a damaged journal was replaced', async () => {
    const project = makeProject();
    const [one, other] = (await start(project, 'a', 'b')) as [Client, Client];
    await other.go('test-dev');
    await other.go('feature-dev');
    await one.prompt();
    const folder = path.join(project.data, 'projects');
    const [name] = fs.readdirSync(folder).filter((one) => fs.existsSync(path.join(folder, one, 'journal')));
    fs.truncateSync(path.join(folder, name as string, 'journal/00000001.json'), 10);
    const mender = await Session.start(project, {
      env: { CLAUDE_CODE_SESSION_ID: 'c' },
      dialog: () => ({ action: 'accept', content: { confirm: true } }),
    });
    await mender.type('/modes:mode idle', { session_id: 'c' });
    expect(await mender.mode()).toBe('idle');
    expect(await one.write('src/a.js')).toEqual({
      decision: 'deny',
      told: 'Another session changed the mode from an unknown one to idle.',
    });
  });
});

describe('scopes', () => {
  test('session: a change in one session is not announced to another, and each has its own journal [w:state.scope]', async () => {
    const project = scoped('session');
    const [one, other] = (await start(project, 'a', 'b')) as [Client, Client];
    await Promise.all([one.prompt(), other.prompt()]);
    const results = await Promise.all([one.go('test-dev'), other.go('test-dev')]);
    expect(results.map(({ success }) => success)).toEqual([true, true]);
    await one.go('feature-dev');
    expect(await other.write('test/a.test.js')).toEqual({ decision: 'allow', told: '' });
    expect(await one.write('src/a.js')).toEqual({ decision: 'allow', told: '' });
    const journals = readJournals(project.data, project.root);
    expect(journals.map(({ isShared, entries }) => [isShared, entries.map(({ session }) => session)]).sort()).toEqual([
      [false, ['a', 'a']],
      [false, ['b']],
    ]);
  });

  test('worktree: a change is announced only to sessions in the same tree [w:state.scope]', async () => {
    const project = scoped('worktree');
    const tree = addTree(project.root, 'fix');
    const [inside, beside, outside] = (await start(project, 'a', 'b', 'c')) as [Client, Client, Client];
    await Promise.all([inside.in(tree).prompt(), beside.in(tree).prompt(), outside.prompt()]);
    await inside.in(tree).go('test-dev');
    expect((await beside.in(tree).write('test/a.test.js')).told).toBe('Another session changed the mode from idle to test-dev.');
    expect((await outside.write('test/a.test.js')).told).toBe('');
    expect(await outside.server.mode()).toBe('idle');
  });

  test('worktree: a session that enters another tree is notified of the mode there [w:state.scope] [w:state.news]', async () => {
    const project = scoped('worktree');
    const tree = addTree(project.root, 'fix');
    const [one] = (await start(project, 'a')) as [Client];
    await one.prompt();
    await one.go('test-dev');
    expect(await one.in(tree).write('test/a.test.js')).toEqual({
      decision: 'deny',
      told: 'The mode is different here: idle, not test-dev.',
    });
    expect((await one.in(tree).write('test/a.test.js')).told).toBe('');
    expect((await one.write('test/a.test.js')).told).toBe('The mode is different here: test-dev, not idle.');
  });
});
