// The control protocol: requests as the client writes them, answers as it takes them, word for word.
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { control } from '../../../../src/adapters/cli/control.ts';
import { answerControl, type ControlHost } from '../../../../src/adapters/sdk/control.ts';
import type { Opened } from '../../../../src/adapters/sdk/open.ts';
import { Places } from '../../../../src/adapters/sdk/places.ts';
import { hostedProject, openHosted, removeProjects } from './fixture.ts';

let opened: Opened;
let passing: Opened;
beforeAll(async () => {
  opened = await openHosted(hostedProject());
  passing = await openHosted(hostedProject({ user: 'headless: {pass: allow}' }));
});

afterAll(removeProjects);

const host = (changes: Partial<ControlHost> = {}): ControlHost => ({
  project: opened.project,
  log: null,
  headless: true,
  informedSessions: new Set(),
  cwd: opened.start,
  session: null,
  handsBack: false,
  places: new Places({ cwd: opened.start, session: null }),
  ...changes,
});
const id = 'req_1769536533672486000_6ccb9e9b619fb3c1';
const asking = (request: object): string => JSON.stringify({ type: 'control_request', request_id: id, request });
const canUse = (tool_name: string, input: unknown, more: object = {}) =>
  asking({
    subtype: 'can_use_tool',
    tool_name,
    input,
    tool_use_id: 't1',
    permission_suggestions: [],
    blocked_path: null,
    ...more,
  });
/** The line that is written, or what is said of one that is not answered. */
const answer = async (line: string, changes: Partial<ControlHost> = {}): Promise<string> => {
  const reply = await answerControl(line, host(changes));
  return 'line' in reply ? reply.line : JSON.stringify(reply);
};
const success = (response: object) => ({ type: 'control_response', response: { subtype: 'success', request_id: id, response } });

describe('can_use_tool', () => {
  const input = { file_path: 'notes/b.md', content: 'x\n' };

  test('is answered, when allowed, by an input that is an object and the same, in camelCase', async () => {
    const line = await answer(canUse('Write', input));
    expect(line).toBe(
      `{"type":"control_response","response":{"subtype":"success","request_id":"${id}","response":{"behavior":"allow","updatedInput":{"file_path":"notes/b.md","content":"x\\n"}}}}`,
    );
  });

  test('is answered, when denied, by a message', async () => {
    const line = await answer(canUse('Write', { ...input, file_path: 'src/a.ts' }));
    expect(JSON.parse(line)).toEqual(success({ behavior: 'deny', message: expect.stringContaining('Write(src/**)') }));
  });

  // null for the input, snake_case, and no input at all are what the client refuses.
  test('has no null, no snake_case below the envelope and always the input, for every request', async () => {
    const inputs = [input, { ...input, content: null }, { ...input, old_name: 'x' }, null, [], 'text', 3, undefined];
    for (const given of inputs) {
      const { response } = JSON.parse(await answer(canUse('Write', given))).response as { response: Record<string, unknown> };
      expect(Object.keys(response)).toEqual(
        response.behavior === 'allow' ? ['behavior', 'updatedInput'] : ['behavior', 'message'],
      );
      if (response.behavior === 'allow') expect(response.updatedInput).toEqual(given);
      else expect(response.message).not.toBe('');
    }
  });

  test('keeps an input with any keys', async () => {
    const line = asking({ subtype: 'can_use_tool', tool_name: 'Write', input: 0 }).replace(
      '"input":0',
      '"input":{"file_path":"notes/b.md","content":"x","__proto__":{"a":1},"constructor":"\\u2028"}',
    );
    const places = new Places({ cwd: passing.start, session: null });
    expect(await answer(line, { project: passing.project, cwd: passing.start, places })).toContain(
      '"__proto__":{"a":1},"constructor":"\u2028"}',
    );
  });

  test('is returned unchanged if it needs a person and the host has one, and is denied otherwise', async () => {
    const undecided = canUse('Bash', { command: 'npm --version' });
    expect(await answer(undecided, { handsBack: true })).toBe(undecided);
    expect(JSON.parse(await answer(undecided))).toEqual(
      success({ behavior: 'deny', message: expect.stringContaining('no one can approve') }),
    );
  });

  test.each([
    ['a rule of the client asks', { decision_reason_type: 'rule' }],
    ['a rule of the client asks beside another reason', { matched_ask_rule: { source: 'userSettings', tool_name: 'Write' } }],
    ['the tool is answered by a person', { requires_user_interaction: true }],
    ['the client says so in another way', { requires_user_interaction: 'yes' }],
  ])('needs a person if %s', async (_, more) => {
    const line = canUse('Write', input, more);
    expect(await answer(line, { handsBack: true })).toBe(line);
  });

  test.each(['agent_id', 'blocked_path', 'tool_use_id', 'tool_name'])('is denied if %s is not a text', async (name) => {
    const { response } = JSON.parse(await answer(canUse('Write', input, { [name]: ['x'] }), { handsBack: true })).response;
    expect(response).toEqual({ behavior: 'deny', message: expect.stringContaining(`${name} of the request is not a string`) });
  });

  test('is decided for the folder and the agent that PreToolUse announced', async () => {
    const places = new Places({ cwd: opened.start, session: null });
    const event = { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'touch a' } };
    const callback = asking({
      subtype: 'hook_callback',
      callback_id: 'c',
      tool_use_id: 't1',
      input: { ...event, cwd: `${opened.start}/src`, session_id: 's' },
    });
    const told = JSON.parse(await answer(callback, { places }));
    expect(told.response.response.hookSpecificOutput).toMatchObject({ permissionDecision: 'deny' });
    const asked = (tool_use_id: string) => canUse('Write', { file_path: 'a', content: '' }, { tool_use_id });
    expect(JSON.parse(await answer(asked('t1'), { places })).response.response.message).toContain('Write(src/**)');
    expect(JSON.parse(await answer(asked('t2'), { places })).response.response.message).toContain('No rule of idle');
  });
});

describe('hook_callback', () => {
  const callback = (input: unknown) => asking({ subtype: 'hook_callback', callback_id: 'c', input });
  const event = { session_id: 's', cwd: '/' };

  test('sends the mode with the first prompt in full, then in one line', async () => {
    const told = new Set<string>();
    const prompt = callback({ ...event, hook_event_name: 'UserPromptSubmit', prompt: 'go' });
    const [whole, line] = [
      await answer(prompt, { informedSessions: told }),
      await answer(prompt, { informedSessions: told }),
    ].map((text) => JSON.parse(text).response.response.hookSpecificOutput.additionalContext as string);
    expect(whole).toContain('idle');
    expect((line as string).length).toBeLessThan((whole as string).length);
  });

  test.each([
    ['an event that says nothing of modes', { ...event, hook_event_name: 'Stop' }, {}],
    ['no event', null, { hookSpecificOutput: expect.objectContaining({ permissionDecision: 'deny' }) }],
    [
      'a call without input',
      { ...event, hook_event_name: 'PreToolUse', tool_name: 'Write' },
      { hookSpecificOutput: expect.objectContaining({ permissionDecision: 'deny' }) },
    ],
  ])('of %s', async (_, input, expected) => {
    expect(JSON.parse(await answer(callback(input)))).toEqual(success(expected));
  });

  test.each([undefined, null, '', 1, ['PreToolUse']])(
    'denies a call that claims to be %j, as on every channel',
    async (hook_event_name) => {
      const call = { ...event, hook_event_name, tool_name: 'Write', tool_input: { file_path: 'src/a', content: '' } };
      const denied = { hookSpecificOutput: expect.objectContaining({ permissionDecision: 'deny' }) };
      expect(JSON.parse(await answer(callback(call)))).toEqual(success(denied));
    },
  );
});

describe('set_permission_mode', () => {
  const wanting = (mode: unknown) => asking({ subtype: 'set_permission_mode', mode });
  test.each(['plan', 'dontAsk', 'default'])('of %s is granted by a mode that names none', async (mode) => {
    expect(JSON.parse(await answer(wanting(mode)))).toEqual(success({ mode }));
  });
  test.each(['acceptEdits', 'auto', 'bypassPermissions', 'yolo', null])('of %s is not', async (mode) => {
    expect(JSON.parse(await answer(wanting(mode))).response).toEqual({
      subtype: 'error',
      request_id: id,
      error: expect.stringContaining('is not granted'),
    });
  });
});

describe('other lines', () => {
  test.each([
    ['of another type', '{"type":"assistant","message":{}}', '{"ignored":true}'],
    ['with a request that is not ours', asking({ subtype: 'interrupt' }), 'modes control does not answer'],
    [
      'with a request that is none',
      JSON.stringify({ type: 'control_request', request_id: id, request: null }),
      'does not answer',
    ],
    ['with the name of a prototype', asking({ subtype: 'constructor' }), 'does not answer'],
    ['with a name that is no text', asking({ subtype: { toString: 1 } }), 'does not answer'],
    ['that are no JSON', '{"type":', 'is not JSON'],
    ['that are no object', '[]', 'not a JSON object'],
    ['without an id', '{"type":"control_request","request":{"subtype":"can_use_tool"}}', 'no request_id'],
  ])('%s', async (_, line, expected) => {
    expect(await answer(line)).toContain(expected);
  });
});

test('modes control answers line by line, in order, and ends with 1 if a line could not be answered', async () => {
  const project = hostedProject();
  const lines = [
    canUse('Write', { file_path: 'notes/b.md', content: '' }),
    '',
    'oops',
    canUse('Write', { file_path: 'src/a', content: '' }),
  ];
  const printed = { out: [] as string[], err: [] as string[] };
  const terminal = {
    out: (text: string) => void printed.out.push(text),
    err: (text: string) => void printed.err.push(text),
    colour: false,
    ask: async () => null,
  };
  const before = { HOME: process.env.HOME, CLAUDE_CONFIG_DIR: process.env.CLAUDE_CONFIG_DIR };
  try {
    process.env.HOME = project.home;
    delete process.env.CLAUDE_CONFIG_DIR;
    // In pieces, since a pipe cuts where it likes.
    const text = lines.join('\n');
    const input = Readable.from([text.slice(0, 30), text.slice(30, 200), text.slice(200)]);
    expect(await control({ project: project.root }, terminal, input)).toBe(1);
  } finally {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
  expect(printed.out.map((line) => JSON.parse(line).response.response.behavior)).toEqual(['allow', 'deny']);
  expect(printed.err).toEqual([expect.stringContaining('not JSON')]);
});
