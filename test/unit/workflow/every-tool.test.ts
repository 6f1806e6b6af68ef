// Every tool of the table in every mode of presets of each kind: one verdict, whoever asks and by whatever way.

import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { answerControl } from '../../../src/adapters/sdk/control.ts';
import { Places } from '../../../src/adapters/sdk/places.ts';
import { explainCall } from '../../../src/app/log/explain.ts';
import { toolCall } from '../../../src/facts/call.ts';
import { nobody, type Project as Opened, openProject } from '../../../src/workflow/project.ts';
import { preToolUse, Session } from '../../support/mcp-session.ts';
import { builtPlugin, repository } from '../../support/plugin.ts';
import { prepare } from '../../support/prepare.ts';
import { makeProject, type Project, run } from '../../support/project.ts';
import { ask } from '../../support/server.ts';
import { calls, places } from './every-call.ts';

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
    informedSessions: new Set<string>(),
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
  const explained = await explainCall(toolCall(event), null, project.for(nobody));
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
