// Every tool of the table in every mode of presets of each kind: one verdict, whoever asks and by whatever way.
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { answerControl } from '../../../src/interop/control.ts';
import { Places } from '../../../src/interop/places.ts';
import { explainCall } from '../../../src/log/explain.ts';
import { toolCall } from '../../../src/tools/call.ts';
import { aliases, tools } from '../../../src/tools/table.ts';
import { type Project as Opened, openProject } from '../../../src/workflow/project.ts';
import { preToolUse, Session } from '../mcp/session.ts';
import { prepare } from '../patient.ts';
import { builtPlugin, repository } from '../plugin/plugin.ts';
import { makeProject, type Project, run } from '../plugin/project.ts';
import { ask } from '../server/ground.ts';

/** What a call says at least; the other tools take a call that says nothing. */
const inputs: Readonly<Record<string, readonly Record<string, unknown>[]>> = {
  Read: [{ file_path: 'src/a.js' }, { file_path: '.env' }],
  LSP: [{ operation: 'hover', filePath: 'src/a.js', line: 1, character: 1 }],
  Glob: [{ pattern: '**/*.js' }],
  Grep: [{ pattern: 'x', path: 'src' }, { pattern: 'x' }],
  Write: ['src/a.js', 'test/a.test.js', 'docs/a.md', 'package.json', '.claude/modes.yaml'].map((file_path) => ({
    file_path,
    content: '',
  })),
  Edit: ['src/a.js', 'test/a.test.js'].map((file_path) => ({ file_path, old_string: 'a', new_string: 'b' })),
  MultiEdit: [{ file_path: 'src/a.js', edits: [] }],
  NotebookEdit: [{ notebook_path: 'src/n.ipynb', new_source: '' }],
  Bash: [
    'ls',
    'npm test',
    'git status',
    'git push',
    'echo x > src/a.js',
    'sed -i s/a/b/ test/a.test.js',
    'curl https://example.com',
    'unheard-of',
    'cat .env',
    'claude -p x',
  ].map((command) => ({ command })),
  Monitor: [{ command: 'tail -f log', description: 'x' }, { ws: { url: 'wss://example.com/x' } }],
  PowerShell: [{ command: 'Get-ChildItem' }],
  WebFetch: [{ url: 'https://example.com/a', prompt: 'x' }],
  WebSearch: [{ query: 'x' }],
  Agent: [
    { description: 'x', prompt: 'x', subagent_type: 'Explore' },
    { description: 'x', prompt: 'x', isolation: 'remote' },
  ],
  Skill: [{ skill: 'unheard-of' }, { skill: 'modes:mode' }],
  ReadMcpResourceTool: [{ server: 'x', uri: 'file:///etc/hosts' }],
  Artifact: [{ action: 'publish', file_path: 'src/a.js' }],
  SendUserFile: [{ files: ['src/a.js'] }],
  SendFile: [{ path: 'src/a.js' }],
  Workflow: [{ script: 'x' }],
  CronCreate: [
    { cron: '* * * * *', prompt: 'x' },
    { cron: '* * * * *', prompt: '/modes:mode code', durable: true },
  ],
  ScheduleWakeup: [{ delaySeconds: 60, prompt: 'x', reason: 'x' }],
  SendMessage: [
    { to: 'x', message: 'x' },
    { to: 'x', message: '/modes:off' },
  ],
  mcp__files__write: [{ path: 'src/a.js' }],
  Unheard: [{ file_path: 'src/a.js' }],
};

const names = [...tools.keys(), ...aliases.keys(), 'mcp__files__write', 'Unheard'];
const todays = (name: string) => inputs[name] ?? inputs[aliases.get(name) ?? ''] ?? [{}];
const calls = names.flatMap((tool) => todays(tool).map((input) => ({ tool, input })));

let plugin: string;
beforeAll(async () => {
  plugin = await builtPlugin();
}, 120_000);

/** A project of a preset that begins in this mode, approved. */
function beginning(preset: string, mode: string): Project {
  const project = makeProject({ example: preset, trusted: false });
  project.put('.claude/modes.yaml', project.get('.claude/modes.yaml').replace(/^default: .*$/m, `default: ${mode}`));
  for (const file of ['src/a.js', 'test/a.test.js', 'docs/a.md', 'package.json', '.env']) project.put(file, '');
  project.trust();
  return project;
}

async function open(project: Project): Promise<Opened> {
  const opened = openProject({ start: project.root, env: project.env(), packageRoot: repository, prepare, session: 'session-1' });
  if (opened === null) throw new Error('not governed');
  await opened.ready('session-1');
  return opened;
}

const saidBy = (text: string): string => JSON.parse(text).hookSpecificOutput?.permissionDecision ?? 'pass';

/** What is said of a verdict where nobody can be asked, and where a host hands the question back to a person. */
const headlessOf = (decision: string) => ({
  pipe: decision === 'ask' ? 'deny' : decision,
  canUse: decision === 'ask' || decision === 'pass' ? 'asked' : decision,
  prompt: decision === 'allow' ? 'allow' : 'deny',
});

interface Call {
  tool: string;
  input: Record<string, unknown>;
}

async function hosted(project: Opened, request: object): Promise<Record<string, unknown>> {
  const line = JSON.stringify({ type: 'control_request', request_id: 'r', request });
  const place = { cwd: project.root, session: 'session-1' };
  const host = {
    project,
    log: null,
    headless: false,
    told: new Set<string>(),
    handsBack: true,
    places: new Places(place),
    ...place,
  };
  const reply = await answerControl(line, host);
  if (!('line' in reply)) throw new Error(JSON.stringify(reply));
  return JSON.parse(reply.line);
}

/** The verdict by each way in; those of a permission's two answers by themselves. */
async function everyWay(session: Session, project: Opened, { tool, input }: Call, isAlone: boolean) {
  const event = preToolUse(project.root, tool, input);
  const body = JSON.stringify(event);
  const socket = await ask(path.join(project.root, '.claude'), 'POST', '/check-tool', {
    body,
    headers: { 'x-modes-entrypoint': 'cli' },
  });
  const callback = await hosted(project, { subtype: 'hook_callback', callback_id: 'c', input: event, tool_use_id: 't' });
  const canUse = await hosted(project, { subtype: 'can_use_tool', tool_name: tool, input, tool_use_id: 't' });
  const prompt = await session.tool('permission_prompt', { tool_name: tool, input, tool_use_id: 'unannounced' });
  const { decision } = project.decideText(body);
  const explained = await explainCall(toolCall(event), null, project);
  const alone = isAlone
    ? await run(process.execPath, [path.join(plugin, 'dist/hook.cjs'), 'PreToolUse', project.root], {
        cwd: '/',
        env: session.project.env(),
        stdin: body,
      })
    : null;
  const answered = (canUse.response as { response?: { behavior?: string } } | undefined)?.response?.behavior ?? 'asked';
  return {
    decision,
    verdicts: {
      socket: saidBy(socket.text),
      explained: explained.decision.decision,
      callback: saidBy(JSON.stringify((callback.response as { response: object }).response)),
      ...(alone && { alone: alone.code === 0 ? saidBy(alone.out) : alone.err }),
    },
    headless: { pipe: await session.decide(tool, input), canUse: answered, prompt: prompt.value.behavior },
  };
}

const places = Object.entries({
  tdd: ['idle', 'test-dev', 'feature-dev'],
  roo: ['architect', 'code', 'ask', 'orchestrator'],
  'security-sensitive': ['work', 'sensitive', 'audit'],
}).flatMap(([preset, modes]) => modes.map((mode) => [preset, mode] as const));

describe('every tool', () => {
  test.each(places)(
    'in %s, mode %s, has one verdict',
    async (preset, mode) => {
      const made = beginning(preset, mode);
      const project = await open(made);
      const session = await Session.start(made, { env: { CLAUDE_CODE_ENTRYPOINT: 'sdk-cli' } });
      await session.decide('Read', { file_path: 'src/a.js' });
      const turn = places.findIndex(([one, other]) => one === preset && other === mode);
      const different: string[] = [];
      for (const [at, call] of calls.entries()) {
        // A process takes long to start: each call has one in one of the modes.
        const { decision, verdicts, headless } = await everyWay(session, project, call, at % places.length === turn);
        const isOne = Object.values(verdicts).every((verdict) => verdict === decision);
        if (!isOne || !isDeepStrictEqual(headless, headlessOf(decision)))
          different.push(JSON.stringify({ ...call, decision, ...verdicts, ...headless }));
      }
      expect(different).toEqual([]);
    },
    120_000,
  );

  test('is a call that is understood', async () => {
    const project = await open(beginning('tdd', 'idle'));
    const unclear = calls.filter(
      ({ tool, input }) => project.decideText(JSON.stringify(preToolUse(project.root, tool, input))).by === 'call',
    );
    expect(unclear).toEqual([]);
  });
});
