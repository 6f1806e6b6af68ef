// modes hook EVENT --harness NAME, and the launcher around it: each harness gets its own answer, and every failure denies.
import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { answerHook, forTerminal, type RunOneShot } from '../../../../src/adapters/harnesses/hook.ts';
import { harnesses } from '../../../../src/adapters/harnesses/table.ts';
import type { Harness } from '../../../../src/adapters/harnesses/types.ts';
import { readEvent } from '../../../../src/store/log/event.ts';
import { logFolder } from '../../../../src/store/log/files.ts';
import { builtPlugin, repository } from '../../../support/plugin.ts';
import { makeProject, type Project, run } from '../../../support/project.ts';

let plugin: string;
beforeAll(async () => {
  plugin = await builtPlugin();
}, 120_000);

const env = (project: Project) => ({ HOME: project.home, PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin` });
const hook = (project: Project, name: string, event: string, stdin: string) =>
  run(process.execPath, [path.join(plugin, 'dist/modes.mjs'), 'hook', event, '--harness', name], {
    ...{ cwd: project.root, env: env(project), stdin },
  });
const launch = (project: Project, args: string[], stdin: string, from = plugin) =>
  run('/bin/sh', [path.join(from, 'hooks/harness.sh'), ...args], { cwd: project.root, env: env(project), stdin });

/** A project in which src/ is closed, closed.txt asks and open.txt is allowed. */
function ruled(): Project {
  const project = makeProject({ example: null });
  project.put('.claude/modes.yaml', 'name: ruled\ndefault: one\nmodes: {one: {}}\n');
  project.put(
    '.claude/settings.one.json',
    JSON.stringify({ permissions: { deny: ['Write(src/**)'], ask: ['Write(closed.txt)'], allow: ['Write(open.txt)'] } }),
  );
  project.trust();
  return project;
}

interface Sample {
  event: string;
  /** The event of a write of this file. */
  write(project: Project, file: string): unknown;
  denied: { code: number; out: unknown };
  asked: { code: number; out: unknown };
  allowed: { code: number; out: unknown };
}
const reason = expect.stringContaining('src/**');
const question = expect.stringContaining('closed.txt');
const patchOf = (file: string) => `*** Begin Patch\n*** Add File: ${file}\n+x\n*** End Patch`;
const ofCodex = (permissionDecisionReason: unknown) => ({
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason },
});
const samples: Readonly<Record<string, Sample>> = {
  codex: {
    event: 'PreToolUse',
    write: ({ root: cwd }, file) => ({
      ...{ session_id: 's', turn_id: 't', transcript_path: null, cwd, hook_event_name: 'PreToolUse', model: 'm' },
      ...{ permission_mode: 'default', tool_name: 'apply_patch', tool_input: { command: patchOf(file) }, tool_use_id: 'u' },
    }),
    denied: { code: 2, out: ofCodex(reason) },
    asked: { code: 2, out: ofCodex(expect.stringMatching(/closed\.txt.*OpenAI Codex CLI cannot ask.*Ask the user/)) },
    allowed: { code: 0, out: null },
  },
  gemini: {
    event: 'BeforeTool',
    write: ({ root: cwd }, file_path) => ({
      ...{ session_id: 's', transcript_path: '', cwd, hook_event_name: 'BeforeTool', timestamp: '2026-11-28T00:00:00Z' },
      ...{ tool_name: 'write_file', tool_input: { file_path, content: 'x' } },
    }),
    denied: { code: 0, out: { decision: 'deny', reason } },
    // The tests have no terminal.
    asked: { code: 0, out: { decision: 'deny', reason: expect.stringContaining('Gemini CLI cannot ask') } },
    allowed: { code: 0, out: { decision: 'allow' } },
  },
  cursor: {
    event: 'preToolUse',
    write: ({ root }, file_path) => ({
      ...{ conversation_id: 's', generation_id: 'g', workspace_roots: [root], hook_event_name: 'preToolUse' },
      ...{ tool_name: 'Write', tool_input: { file_path, content: 'x' } },
    }),
    denied: { code: 2, out: { permission: 'deny', user_message: reason, agent_message: reason } },
    asked: {
      code: 2,
      out: { permission: 'deny', user_message: question, agent_message: expect.stringContaining('Cursor cannot ask') },
    },
    allowed: { code: 0, out: { permission: 'allow' } },
  },
  opencode: {
    event: 'tool.execute.before',
    write: ({ root: directory }, filePath) => ({
      ...{ hook_event_name: 'tool.execute.before', sessionID: 's', callID: 'u', directory },
      ...{ tool: 'write', args: { filePath, content: 'x' } },
    }),
    denied: { code: 2, out: { decision: 'deny', reason } },
    asked: { code: 2, out: { decision: 'deny', reason: expect.stringContaining('OpenCode cannot ask') } },
    allowed: { code: 0, out: { decision: 'allow', reason: expect.any(String) } },
  },
  copilot: {
    event: 'preToolUse',
    write: ({ root }, file) => ({
      ...{ sessionId: 's', timestamp: 1, cwd: root, toolName: 'create' },
      toolArgs: JSON.stringify({ path: path.join(root, file), file_text: 'x' }),
    }),
    denied: { code: 0, out: { permissionDecision: 'deny', permissionDecisionReason: reason } },
    asked: { code: 0, out: { permissionDecision: 'deny', permissionDecisionReason: question } },
    allowed: { code: 0, out: { permissionDecision: 'allow' } },
  },
  generic: {
    event: 'before-tool',
    write: ({ root: cwd }, file_path) => ({ session_id: 's', cwd, tool_name: 'Write', tool_input: { file_path, content: 'x' } }),
    denied: { code: 2, out: { decision: 'deny', reason } },
    asked: { code: 2, out: { decision: 'ask', reason: question } },
    allowed: { code: 0, out: { decision: 'allow', reason: expect.any(String) } },
  },
};
const loggedIn = ({ data, root }: Project): string[] => {
  const folder = logFolder(data, root);
  const files = fs.readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  return files.flatMap((name) => fs.readFileSync(path.join(folder, name), 'utf8').trim().split('\n'));
};
const answer = (harness: Harness, name: string, read: () => string | null, run: RunOneShot) =>
  answerHook(harness, { name, read, folder: () => '/w', hasTerminal: () => false, run });
const jsonOf = (out: string): unknown => (out === '' ? null : JSON.parse(out));

describe.each(Object.entries(samples))('%s', (name, sample) => {
  test('gets a deny, a question and an allow in its own form', async () => {
    const project = ruled();
    for (const [file, expected] of [
      ['src/a.js', sample.denied],
      ['closed.txt', sample.asked],
      ['open.txt', sample.allowed],
    ] as const) {
      const { code, out, err } = await hook(project, name, sample.event, JSON.stringify(sample.write(project, file)));
      expect({ code, out: jsonOf(out) }, err).toEqual(expected);
      // A harness that reads only the exit code shows this text as the reason.
      if (code === 2) expect(err.trim(), file).not.toBe('');
      expect(`${out}${err}`).not.toContain('/modes:');
    }
    const lines = loggedIn(project);
    expect(lines.map((line) => readEvent(line)?.labels)).toEqual(
      [1, 2, 3].map(() => expect.objectContaining({ harness: name, session: `${name}-s` })),
    );
  });

  const garbage = ['', 'x', '[]', '{}', '{"cwd":', JSON.stringify({ tool_name: 'Read', cwd: 'relative', tool_input: {} })];
  test('gets a deny for input that cannot be read, for unknown events and for failures', () => {
    const harness = harnesses.get(name) as Harness;
    const isDenied = (printed: { out: string; err: string; code: number }): void => {
      expect(JSON.stringify(printed.out)).toContain('deny');
      expect(printed.code === 2 || sample.denied.code === 0, JSON.stringify(printed)).toBe(true);
      expect(printed.err).not.toBe('');
    };
    const never: RunOneShot = () => '{}';
    for (const text of garbage) isDenied(answer(harness, sample.event, () => text, never));
    const text = JSON.stringify(sample.write({ root: '/w' } as Project, 'a'));
    expect(answer(harness, sample.event, () => text, never).code).toBe(0);
    isDenied(answer(harness, 'new-event', () => text, never));
    isDenied(answer(harness, '__proto__', () => text, never));
    isDenied(answer(harness, sample.event, () => null, never));
    const failures: RunOneShot[] = [
      () => {
        throw new Error('ENOENT');
      },
      () => '',
      () => '{"hookSpecificOutput":{}}',
      () => '{"hookSpecificOutput":{"permissionDecision":"maybe","permissionDecisionReason":"x"}}',
      () => '{"hookSpecificOutput":{"permissionDecision":"allow"}}',
      () => '{"other":1}',
      () => 'null',
      () => '{}{}',
    ];
    for (const failing of failures) isDenied(answer(harness, sample.event, () => text, failing));
    expect(() => answer(harness, sample.event, () => JSON.parse('{'), never)).not.toThrow();
  });

  test('gets nothing for an event that Modes ignores, even if it cannot be read', () => {
    const harness = harnesses.get(name) as Harness;
    const others = [...harness.events].filter(([, { kind }]) => kind !== 'before').map(([event]) => event);
    for (const event of others)
      expect(
        answer(
          harness,
          event,
          () => 'garbage',
          () => '{}',
        ),
      ).toEqual({ out: '', err: '', code: 0 });
  });
});

describe('context', () => {
  const rows: [string, string, (text: string) => unknown][] = [
    ['codex', 'SessionStart', (text) => ({ hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: text } })],
    [
      'codex',
      'UserPromptSubmit',
      (text) => ({ hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: text } }),
    ],
    ['gemini', 'BeforeAgent', (text) => ({ hookSpecificOutput: { hookEventName: 'BeforeAgent', additionalContext: text } })],
    ['cursor', 'sessionStart', (text) => ({ additional_context: text })],
    ['copilot', 'userPromptSubmitted', (text) => ({ additionalContext: text })],
    ['copilot', 'SessionStart', (text) => ({ additionalContext: text })],
    ['generic', 'session-start', (text) => ({ context: text })],
  ];
  test.each(rows)('%s gets the mode at %s, with what a person can do outside of the client', async (name, event, form) => {
    const project = makeProject();
    const { root } = project;
    const stdin = JSON.stringify({ session_id: 's', sessionId: 's', conversation_id: 's', cwd: root, workspace_roots: [root] });
    const { code, out } = await hook(project, name, event, stdin);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual(form(expect.stringMatching(/MODE: idle[\s\S]*test-dev/) as unknown as string));
    expect(out).not.toMatch(/\/modes:|mcp__|transition tool/);
  });
});

test('no text of a decision or a gate names a command that only the client has', () => {
  const sections = fs.readFileSync(path.join(repository, 'docs/messages.md'), 'utf8').split('\n### src/');
  // These texts are answers to what a person types in the client, or are shown to a person by another verb.
  const others = /^(?:adapters|app|workflow\/(?:grant-text|findings)|config\/|engine\/lint)/;
  const lines = sections.filter((section) => !others.test(section)).flatMap((section) => section.split('\n'));
  const named = lines.filter((line) => line.includes('/modes:') && !line.includes('a line starting /modes:'));
  expect(named.length).toBeGreaterThan(20);
  const left = named.map(forTerminal).filter((line) => line.replaceAll(/\/modes:[\w ]+ in Claude Code/g, '').includes('/modes:'));
  expect(left).toEqual([]);
});

test('a reason goes on after the sentence about a grant', () => {
  const grant = 'A person can allow it once: /modes:grant Bash(a /modes:b 1x) 1x.';
  expect(forTerminal(`No. ${grant} More follows.`)).toBe('No. More follows.');
  expect(forTerminal(`No. ${grant}`)).toBe('No.');
});

test('commands of the client are replaced by commands of the terminal', () => {
  expect(
    forTerminal('Denied. A person can change the mode with /modes:mode NAME. A person can allow it once: /modes:grant X 1x.'),
  ).toBe('Denied. A person can change the mode with modes mode NAME in a terminal.');
});

test.each([
  ['gemini', 'decision'],
  ['copilot', 'permissionDecision'],
])('%s asks if it has a terminal', (name, key) => {
  const text = JSON.stringify(samples[name]?.write({ root: '/w' } as Project, 'a'));
  const run: RunOneShot = () => '{"hookSpecificOutput":{"permissionDecision":"ask","permissionDecisionReason":"why"}}';
  const hook = { name: samples[name]?.event as string, read: () => text, folder: () => '/w', run };
  const asked = (has: boolean) =>
    JSON.parse(answerHook(harnesses.get(name) as Harness, { ...hook, hasTerminal: () => has }).out)[key];
  expect([asked(true), asked(false)]).toEqual(['ask', 'deny']);
});

test('an unknown harness denies', async () => {
  const { code, out, err } = await hook(ruled(), 'toString', 'PreToolUse', '{}');
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toContain('is not a harness that Modes knows');
});

test('the strictest decision on the parts of one call applies', async () => {
  const project = ruled();
  project.put('.claude/settings.one.json', '{"permissions":{"deny":["Read(secrets/**)"]}}');
  project.put('secrets/key', 'x');
  project.trust();
  const event = (include: string[]) =>
    JSON.stringify({ session_id: 's', cwd: project.root, tool_name: 'read_many_files', tool_input: { include } });
  const decided = async (include: string[]) =>
    JSON.parse((await hook(project, 'gemini', 'BeforeTool', event(include))).out).decision;
  expect(await decided(['a', 'secrets/key'])).toBe('deny');
  expect(await decided(['**/*.txt'])).toBe('deny');
  expect(await decided(['a', 'b'])).toBeUndefined();
});

test('an agent may run the verb that AGENTS.md names', async () => {
  const project = ruled();
  const event = (command: string) => ({ sessionID: 's', callID: 'u', directory: project.root, tool: 'bash', args: { command } });
  for (const [command, code] of [
    ['modes status', 0],
    ['modes mode two', 2],
  ] as const)
    expect((await hook(project, 'opencode', 'tool.execute.before', JSON.stringify(event(command)))).code).toBe(code);
});

test('a patch is denied if one of its files is', async () => {
  const project = ruled();
  const event = (command: string) =>
    JSON.stringify({ session_id: 's', cwd: project.root, tool_name: 'apply_patch', tool_input: { command } });
  const lines = (...changes: string[]) => event(['*** Begin Patch', ...changes, '*** End Patch'].join('\n'));
  const decided = async (stdin: string) => (await hook(project, 'codex', 'PreToolUse', stdin)).code;
  expect(await decided(lines('*** Add File: open.txt', '+x'))).toBe(0);
  expect(await decided(lines('*** Add File: open.txt', '+x', '*** Delete File: src/a.js'))).toBe(2);
  expect(await decided(lines('*** Update File: open.txt', '*** Move to: src/a.js', '@@', '+x'))).toBe(2);
  expect(await decided(event('*** Begin Patch\n*** Frobnicate: open.txt\n*** End Patch'))).toBe(2);
});

test('a command in a folder that the event does not name may not write a relative path', async () => {
  const project = ruled();
  const decided = async (command: string) => {
    const event = { sessionId: 's', cwd: project.root, toolName: 'bash', toolArgs: JSON.stringify({ command, shellId: '1' }) };
    return JSON.parse((await hook(project, 'copilot', 'preToolUse', JSON.stringify(event))).out).permissionDecision;
  };
  expect(await decided('echo x > a.js')).toBe('deny');
  expect(await decided(`echo x > ${project.root}/src/a.js`)).toBe('deny');
  expect(await decided(`echo x > ${project.root}/open.txt`)).toBeUndefined();
  expect(await decided('ls -l && cat a')).toBeUndefined();
});

test('a command of Codex runs in the folder of its event, in the project where the session started', async () => {
  const project = ruled();
  project.put('src/b/c.js', 'x');
  const decided = async (command: string, cwd: string) => {
    const event = { session_id: 's', cwd, tool_name: 'Bash', tool_input: { command } };
    return (await hook(project, 'codex', 'PreToolUse', JSON.stringify(event))).code;
  };
  expect(await decided('echo x > a.js', project.root)).toBe(0);
  expect(await decided('echo x > a.js', `${project.root}/src/b`)).toBe(2);
  expect(await decided('echo x > ../../a.js', `${project.root}/src/b`)).toBe(0);
  // Outside of the project, a write asks.
  expect(await decided('echo x > a.js', '/usr')).toBe(2);
  expect(await decided(`echo x > ${project.root}/src/a.js`, '/')).toBe(2);
});

describe('the launcher', () => {
  const event = (project: Project, file: string) => JSON.stringify(samples.gemini?.write(project, file));

  test('passes the answer on', async () => {
    const project = ruled();
    const denied = await launch(project, ['gemini', 'BeforeTool'], event(project, 'src/a.js'));
    expect([denied.code, JSON.parse(denied.out)]).toEqual([0, { decision: 'deny', reason }]);
    const allowed = await launch(project, ['gemini', 'BeforeTool'], event(project, 'open.txt'));
    expect([allowed.code, JSON.parse(allowed.out), allowed.err]).toEqual([0, { decision: 'allow' }, '']);
  });

  const copyOf = (project: Project): string => {
    const from = path.join(project.home, 'package');
    fs.cpSync(plugin, from, { recursive: true });
    return from;
  };
  const faults: [string, (from: string, project: Project) => void, RegExp][] = [
    ['a program that crashes', (from) => fs.writeFileSync(path.join(from, 'dist/modes.mjs'), 'throw 1'), /exit 1/],
    ['a program that is gone', (from) => fs.rmSync(path.join(from, 'dist/modes.mjs')), /exit 1/],
    [
      'a program that is killed',
      (from) => fs.writeFileSync(path.join(from, 'dist/modes.mjs'), 'process.kill(process.pid, 9)'),
      /exit 137/,
    ],
    ['a program that is empty', (from) => fs.writeFileSync(path.join(from, 'dist/modes.mjs'), ''), /exit 0/],
    [
      'a program that prints another text',
      (from) => fs.writeFileSync(path.join(from, 'dist/modes.mjs'), "console.log('{}')"),
      /exit 0/,
    ],
    [
      'a program that ends like a deny, without a reason',
      (from) => fs.writeFileSync(path.join(from, 'dist/modes.mjs'), 'process.exit(2)'),
      /exit 2/,
    ],
    ['a one-shot process that is empty', (from) => fs.writeFileSync(path.join(from, 'dist/hook.cjs'), ''), /E_HOOK_CHECK/],
    [
      'a one-shot process that is gone',
      (from) => fs.rmSync(path.join(from, 'dist/hook.cjs')),
      /the check did not finish \(exit 1\)/,
    ],
    [
      'a Node that fails',
      (_, project) => {
        fs.writeFileSync(path.join(project.data, 'node'), '/bin/false\n');
      },
      /exit 1/,
    ],
    [
      'a program that is late',
      (from) => {
        fs.writeFileSync(path.join(from, 'dist/modes.mjs'), 'setInterval(() => {}, 1000)');
        const launcher = path.join(from, 'hooks/harness.sh');
        fs.writeFileSync(launcher, fs.readFileSync(launcher, 'utf8').replace('limit=25', 'limit=1'));
      },
      /within 1 seconds/,
    ],
  ];
  test.each(faults)('denies with exit code 2 and a reason: %s', async (_, breakIt, why) => {
    const project = ruled();
    const from = copyOf(project);
    breakIt(from, project);
    const { code, out, err } = await launch(project, ['gemini', 'BeforeTool'], event(project, 'open.txt'), from);
    expect(err).toMatch(why);
    // Without JSON, Gemini CLI denies by this exit code.
    if (out === '') expect(code).toBe(2);
    else expect(JSON.parse(out)).toMatchObject({ decision: 'deny' });
  });

  // Copilot CLI drops the reason if the exit code is not 0.
  test.each(faults)('denies in JSON with the reason in Copilot CLI: %s', async (_, breakIt, why) => {
    const project = ruled();
    const from = copyOf(project);
    breakIt(from, project);
    const stdin = JSON.stringify(samples.copilot?.write(project, 'open.txt'));
    const { code, out } = await launch(project, ['copilot', 'preToolUse'], stdin, from);
    expect([code, JSON.parse(out)]).toEqual([
      0,
      { permissionDecision: 'deny', permissionDecisionReason: expect.stringMatching(why) },
    ]);
    expect((await launch(project, ['copilot', 'PreToolUse'], stdin, from)).out).toContain('"permissionDecision":"deny"');
    expect((await launch(project, ['copilot', 'sessionStart'], stdin, from)).out).toBe('');
  });

  test('denies with exit code 2 if nobody reads the JSON', async () => {
    const project = ruled();
    const stdin = JSON.stringify(samples.copilot?.write(project, 'src/a.js'));
    const command = `exec '${path.join(plugin, 'hooks/harness.sh')}' copilot preToolUse >&-`;
    const { code, err } = await run('/bin/sh', ['-c', command], { cwd: project.root, env: env(project), stdin });
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('E_HOOK_CHECK') });
  });

  test('answers in JSON without stderr', async () => {
    const project = ruled();
    for (const [file, decision] of [
      ['src/a.js', 'deny'],
      ['open.txt', 'allow'],
    ] as const) {
      const command = `exec '${path.join(plugin, 'hooks/harness.sh')}' gemini BeforeTool 2>&-`;
      const { code, out } = await run('/bin/sh', ['-c', command], {
        cwd: project.root,
        env: env(project),
        stdin: event(project, file),
      });
      expect([code, JSON.parse(out).decision]).toEqual([0, decision]);
    }
  });

  test('denies without arguments', async () => {
    expect(await launch(ruled(), ['gemini'], '')).toMatchObject({ code: 2, err: expect.stringContaining('E_HOOK_CHECK') });
  });
});
