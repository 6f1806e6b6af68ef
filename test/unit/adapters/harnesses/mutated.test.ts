// Events of other harnesses that are changed in every way that a program or a model could change them. A write of a closed file is never
// open, and the answer has a reason and the form of the harness.
import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { answerHook, type RunOneShot } from '../../../../src/adapters/harnesses/hook.ts';
import { harnesses } from '../../../../src/adapters/harnesses/table.ts';
import type { Harness } from '../../../../src/adapters/harnesses/types.ts';
import { answerText, hookAnswer } from '../../../../src/engine/answer.ts';
import { prepare } from '../../../../src/engine/prepare.ts';
import { maxEventBytes } from '../../../../src/facts/call.ts';
import { type Project as Opened, openProject } from '../../../../src/workflow/project.ts';
import { forFile } from '../../../support/cleanup.ts';
import { builtPlugin, repository } from '../../../support/plugin.ts';
import { makeProject, type Project, run as runProgram } from '../../../support/project.ts';

let project: Project;
let opened: Opened;
let plugin: string;
beforeAll(async () => {
  plugin = await builtPlugin();
  project = await forFile(async () => {
    const made = makeProject({ example: null });
    made.put('.claude/modes.yaml', 'name: ruled\ndefault: one\nmodes: {one: {}}\n');
    const permissions = { deny: ['Write(src/**)', 'Read(secret/**)'], allow: ['Bash(ls)'] };
    made.put('.claude/settings.one.json', JSON.stringify({ permissions }));
    made.put('src/a.js', 'x\n');
    made.put('secret/key', 'x\n');
    made.put('notes.md', 'x\n');
    made.trust();
    return made;
  });
  const env = { HOME: project.home, PATH: '/usr/bin:/bin' };
  opened = openProject({ start: project.root, env, packageRoot: repository, prepare }) as Opened;
  await opened.ready(null);
}, 120_000);

/** The decision in this process. */
const decide: RunOneShot = (_, __, input) => answerText(hookAnswer(opened.decideText(input), false));

interface Shape {
  /** If it is not the key. */
  harness?: string;
  event: string;
  /** An event about one tool. */
  make(tool: string, input: unknown): Record<string, unknown>;
  /** A call that writes this file. */
  write(file: string): [string, Record<string, unknown>];
  /** A call that reads this file. */
  read?(file: string): [string, Record<string, unknown>];
  /** A shell command. */
  shell(command: unknown): [string, Record<string, unknown>];
  /** The same in a folder. */
  shellIn?(command: string, folder: string): [string, Record<string, unknown>];
  patch?(text: string): [string, unknown];
  powerShell?: string;
  /** Names of src/a.js that only this harness understands. */
  names?: string[];
  mcp: [string, Record<string, unknown>, Record<string, unknown>?][];
  /** Whether this is a deny or an ask. */
  isClosed(printed: { out: string; err: string; code: number | null }): boolean;
  reasonOf(printed: { out: string; err: string }): string;
}
const jsonOf = (out: string) => (out === '' ? {} : JSON.parse(out));
const shapes: Readonly<Record<string, Shape>> = {
  codex: {
    event: 'PreToolUse',
    make: (tool_name, tool_input) => ({
      ...{
        session_id: 's',
        turn_id: 't',
        cwd: project.root,
        hook_event_name: 'PreToolUse',
        model: 'm',
        permission_mode: 'default',
      },
      ...{ tool_name, tool_input, tool_use_id: 'u' },
    }),
    write: (file) => ['apply_patch', { command: `*** Begin Patch\n*** Add File: ${file}\n+x\n*** End Patch` }],
    read: (path) => ['view_image', { path }],
    shell: (command) => ['Bash', { command }],
    patch: (command) => ['apply_patch', { command }],
    powerShell: 'PowerShell',
    mcp: [['mcp__files__write', { path: 'src/a.js' }]],
    isClosed: ({ code, out }) => code === 2 && jsonOf(out).hookSpecificOutput?.permissionDecision === 'deny',
    reasonOf: ({ out }) => jsonOf(out).hookSpecificOutput?.permissionDecisionReason,
  },
  gemini: {
    event: 'BeforeTool',
    make: (tool_name, tool_input) => ({
      ...{ session_id: 's', transcript_path: '', cwd: project.root, hook_event_name: 'BeforeTool', timestamp: 'x' },
      ...{ tool_name, tool_input },
    }),
    write: (file_path) => ['write_file', { file_path, content: 'x' }],
    read: (file_path) => ['read_file', { file_path }],
    shell: (command) => ['run_shell_command', { command }],
    shellIn: (command, dir_path) => ['run_shell_command', { command, dir_path }],
    names: ['@src/a.js', '@/src/a.js', 'sr%63/a.js', 'sr\0c/a.js', 'x%2f..%2fsrc/a.js', '@sr%63/a.js', '%2e/src/a.js'],
    mcp: [
      ['mcp_files_write', { path: 'src/a.js' }, { mcp_context: { server_name: 'files', tool_name: 'write' } }],
      ['mcp_files_write', { path: 'src/a.js' }, { mcp_context: 'files' }],
      ['write_file', { file_path: 'src/a.js', content: 'x' }, { mcp_context: { server_name: 'files', tool_name: 'write' } }],
    ],
    isClosed: ({ code, out }) => code === 0 && jsonOf(out).decision === 'deny',
    reasonOf: ({ out }) => jsonOf(out).reason,
  },
  cursor: {
    event: 'preToolUse',
    make: (tool_name, tool_input) => ({
      ...{ conversation_id: 's', generation_id: 'g', workspace_roots: [project.root], hook_event_name: 'preToolUse' },
      ...{ tool_name, tool_input },
    }),
    write: (file_path) => ['Write', { file_path, content: 'x' }],
    read: (file_path) => ['Read', { file_path }],
    shell: (command) => ['Shell', { command, cwd: project.root }],
    shellIn: (command, cwd) => ['Shell', { command, cwd }],
    mcp: [['MCP:write', { path: 'src/a.js' }]],
    isClosed: ({ code, out }) => code === 2 && jsonOf(out).permission === 'deny',
    reasonOf: ({ out }) => jsonOf(out).agent_message,
  },
  opencode: {
    event: 'tool.execute.before',
    make: (tool, args) => ({
      ...{ hook_event_name: 'tool.execute.before', sessionID: 's', callID: 'u', directory: project.root },
      ...{ tool, args },
    }),
    write: (filePath) => ['write', { filePath, content: 'x' }],
    read: (filePath) => ['read', { filePath }],
    shell: (command) => ['bash', { command, description: 'd' }],
    shellIn: (command, workdir) => ['bash', { command, workdir, description: 'd' }],
    patch: (patchText) => ['apply_patch', { patchText }],
    mcp: [['files_write', { path: 'src/a.js' }]],
    isClosed: ({ code, out }) => code === 2 && jsonOf(out).decision === 'deny',
    reasonOf: ({ out }) => jsonOf(out).reason,
  },
  copilot: {
    event: 'preToolUse',
    make: (toolName, input) => ({
      ...{ sessionId: 's', timestamp: 1, cwd: project.root, toolName },
      toolArgs: typeof input === 'string' ? input : JSON.stringify(input),
    }),
    write: (file) => ['create', { path: file, file_text: 'x' }],
    read: (file) => ['view', { path: file }],
    shell: (command) => ['bash', { command, description: 'd' }],
    patch: (text) => ['apply_patch', text],
    powerShell: 'powershell',
    mcp: [['files-write', { path: 'src/a.js' }]],
    isClosed: ({ code, out }) => code === 0 && jsonOf(out).permissionDecision === 'deny',
    reasonOf: ({ out }) => jsonOf(out).permissionDecisionReason,
  },
  'copilot in capitals': {
    harness: 'copilot',
    event: 'PreToolUse',
    make: (tool_name, tool_input) => ({
      ...{ hook_event_name: 'PreToolUse', session_id: 's', timestamp: 'x', cwd: project.root, tool_name, tool_input },
    }),
    write: (file) => ['Write', { path: file, file_text: 'x' }],
    read: (file) => ['Read', { path: file }],
    shell: (command) => ['Bash', { command, description: 'd' }],
    patch: (input) => ['Edit', { input }],
    mcp: [['files-write', { path: 'src/a.js' }]],
    isClosed: ({ code, out }) => code === 0 && jsonOf(out).permissionDecision === 'deny',
    reasonOf: ({ out }) => jsonOf(out).permissionDecisionReason,
  },
  generic: {
    event: 'before-tool',
    make: (tool_name, tool_input) => ({ session_id: 's', cwd: project.root, tool_name, tool_input }),
    write: (file_path) => ['Write', { file_path, content: 'x' }],
    read: (file_path) => ['Read', { file_path }],
    shell: (command) => ['Bash', { command }],
    patch: (patch) => ['ApplyPatch', { patch }],
    powerShell: 'PowerShell',
    mcp: [['mcp__files__write', { path: 'src/a.js' }]],
    isClosed: ({ code, out }) => code === 2 && ['deny', 'ask'].includes(jsonOf(out).decision),
    reasonOf: ({ out }) => jsonOf(out).reason,
  },
};

const answerTo = (name: string, text: string | null, event = shapes[name]?.event as string) =>
  answerHook(harnesses.get(shapes[name]?.harness ?? name) as Harness, {
    ...{ name: event, read: () => text, folder: () => project.root, hasTerminal: () => false, run: decide },
  });

describe.each(Object.entries(shapes))('%s', (name, shape) => {
  /** What of these events is open, or has no reason that a person can act on. */
  const open = (events: Record<string, unknown>): unknown[] =>
    Object.entries(events).flatMap(([what, event]) => {
      const text = typeof event === 'string' ? event : JSON.stringify(event);
      const printed = answerTo(name, text);
      if (!shape.isClosed(printed)) return [[what, printed]];
      const reason = shape.reasonOf(printed);
      return /\w{3,} \w+ /.test(reason) && !/undefined|\[object|\n\s+at /.test(reason) ? [] : [[what, reason]];
    });
  const of = ([tool, input]: readonly [string, unknown, ...unknown[]]) => shape.make(tool, input);

  test('is open for a write that no rule denies, and closed for one that a rule denies', () => {
    expect(shape.isClosed(answerTo(name, JSON.stringify(of(shape.write('notes.md')))))).toBe(false);
    expect(shape.isClosed(answerTo(name, JSON.stringify(of(shape.shell('ls')))))).toBe(false);
    expect(open({ write: of(shape.write('src/a.js')), shell: of(shape.shell('rm src/a.js')) })).toEqual([]);
  });

  test('tools and fields that are not known', () => {
    const [tool, input] = shape.write('notes.md');
    const others = [tool.toUpperCase(), tool.toLowerCase(), ` ${tool}`, `${tool} `, `${tool}2`, `x${tool}`].filter(
      (one) => one !== tool,
    );
    const events: Record<string, unknown> = {};
    for (const other of ['brand_new', '__proto__', 'constructor', ...others]) events[`tool ${other}`] = shape.make(other, input);
    for (const value of ['', 1, null, true, [], {}, [tool]])
      events[`tool ${JSON.stringify(value)}`] = shape.make(value as string, input);
    events['another field'] = shape.make(tool, { ...input, newField: 'x' });
    events['another field __proto__'] = JSON.stringify(of([tool, { ...input, zzz: 1 }])).replaceAll('zzz', '__proto__');
    for (const field of Object.keys(input)) {
      if (/^(?:content|file_text)$/.test(field)) continue;
      const { [field]: _, ...less } = input;
      events[`without ${field}`] = shape.make(tool, less);
      for (const value of [1, true, {}, [input[field]], [], null])
        events[`${field}: ${JSON.stringify(value)}`] = shape.make(tool, { ...input, [field]: value });
      events[`${field} in capitals`] = shape.make(tool, { ...less, [field.toUpperCase()]: input[field] });
    }
    for (const whole of [null, 1, true, [], [input]]) events[`input ${JSON.stringify(whole)}`] = shape.make(tool, whole);
    expect(open(events)).toEqual([]);
  });

  test('fields of the event that are missing or of another type', () => {
    const event = of(shape.write('src/a.js'));
    const events: Record<string, unknown> = {};
    for (const field of Object.keys(event)) {
      const { [field]: _, ...less } = event;
      events[`without ${field}`] = less;
      for (const value of [null, 1, {}, [], '', '../..', 'relative'])
        events[`${field}: ${JSON.stringify(value)}`] = { ...event, [field]: value };
    }
    events['another field'] = { ...event, newField: { a: 1 } };
    events['two tools'] = JSON.stringify(event).replace('{', '{"tool_name":"Read","tool":"read","toolName":"view",');
    const text = JSON.stringify(event);
    for (const [what, one] of [
      ['nothing', ''],
      ['half', text.slice(0, -9)],
      ['two', text + text],
      ['a list', `[${text}]`],
      ['a text', JSON.stringify(text)],
      ['NUL', `${text}\0`],
      ['deep', text.replace(/\}$/, `,"x":${'['.repeat(5_000)}${']'.repeat(5_000)}}`)],
    ] as const)
      events[what] = one;
    expect(open(events)).toEqual([]);
    expect(shape.isClosed(answerTo(name, null))).toBe(true);
    for (const other of ['new-event', '', 'constructor', shape.event.toUpperCase(), ` ${shape.event}`])
      expect(shape.isClosed(answerTo(name, text, other)), other).toBe(true);
  });

  test('other spellings of a path', () => {
    const { root, home } = project;
    const names = [
      './src/a.js',
      'src/./a.js',
      'src//a.js',
      'x/../src/a.js',
      'src/x/../a.js',
      `${root}/src/a.js`,
      `${root}/x/../src/new.js`,
    ];
    names.push(
      `~/${path.relative(home, root)}/src/a.js`,
      `$HOME/${path.relative(home, root)}/src/a.js`,
      `file://${root}/src/a.js`,
      `file:${root}/src/a.js`,
    );
    names.push(`file://localhost${root}/src/a.js`, ' src/a.js', 'src/a.js ', 'src/a.js\n', ...(shape.names ?? []));
    const events: Record<string, unknown> = {};
    for (const file of names) events[file] = of(shape.write(file));
    expect(open(events).map((one) => (one as unknown[])[0])).toEqual([]);
  });

  test('shell commands in every wrapper, and a list instead of a text', () => {
    const { root } = project;
    const commands = [
      'bash -lc "rm src/a.js"',
      "bash -lc 'cd src && rm a.js'",
      'sh -c "echo x > src/a.js"',
      `cd ${root}/src && touch b.js`,
      'pwsh -c "Remove-Item src/a.js"',
    ];
    commands.push(
      'powershell.exe -Command "Set-Content src/a.js x"',
      'cat <<E > src/a.js\nx\nE',
      `apply_patch <<'E'\n*** Begin Patch\n*** Delete File: src/a.js\n*** End Patch\nE`,
      'echo x | tee src/a.js',
    );
    commands.push(
      'git apply p.patch',
      'bash',
      'python3 -i',
      'env bash -lc "rm src/a.js"',
      'zsh -lc "rm src/a.js"',
      '(rm src/a.js)',
      'r\\m src/a.js',
    );
    const events: Record<string, unknown> = {};
    for (const command of commands) events[command] = of(shape.shell(command));
    for (const command of [['bash', '-lc', 'rm src/a.js'], ['rm', 'src/a.js'], ['ls;', 'x'], [], [1], { cmd: 'ls' }, 1, null])
      events[JSON.stringify(command)] = of(shape.shell(command));
    if (shape.shellIn !== undefined)
      for (const folder of [
        'src',
        './src',
        `${root}/src`,
        `~/${path.relative(project.home, root)}/src`,
        `file://${root}/src`,
        'x/../src',
      ])
        events[`in ${folder}`] = of(shape.shellIn('touch b.js', folder));
    if (shape.shellIn !== undefined)
      for (const folder of [1, ['src'], {}]) events[`in ${JSON.stringify(folder)}`] = of(shape.shellIn('ls', folder as string));
    for (const command of ['Remove-Item src/a.js', 'Set-Content -Path src/a.js x', 'ls > src/a.js', 'iex $x', ['ls']])
      if (shape.powerShell !== undefined) events[`PowerShell ${command}`] = shape.make(shape.powerShell, { command });
    expect(open(events)).toEqual([]);
  });

  test('patches', () => {
    if (shape.patch === undefined) return;
    const envelope = (...lines: string[]) => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');
    const patches = {
      add: envelope('*** Add File: src/b.js', '+x'),
      delete: envelope('*** Delete File: src/a.js'),
      'rename into': envelope('*** Update File: notes.md', '*** Move to: src/b.js', '@@', '-x', '+y'),
      'rename out of': envelope('*** Update File: src/a.js', '*** Move to: notes2.md', '@@', '-x', '+y'),
      several: envelope('*** Add File: one.md', '+x', '*** Update File: notes.md', '@@', '-x', '+y', '*** Delete File: src/a.js'),
      'blanks around': envelope('  *** Delete File:   src/a.js  '),
      capitals: envelope('*** delete file: src/a.js'),
      absolute: envelope(`*** Delete File: ${project.root}/src/a.js`),
      'without an end': '*** Begin Patch\n*** Delete File: src/a.js',
      'without a beginning': '*** Delete File: src/a.js\n*** End Patch',
      CRLF: envelope('*** Delete File: src/a.js').replaceAll('\n', '\r\n'),
      'other line ends': envelope('*** Delete File: src/a.js').replaceAll('\n', '\r'),
      unified: '--- a/src/a.js\n+++ b/src/a.js\n@@ -1 +1 @@\n-x\n+y\n',
      'git rename': 'diff --git a/notes.md b/src/b.js\nsimilarity index 100%\nrename from notes.md\nrename to src/b.js\n',
      'git delete':
        'diff --git a/src/a.js b/src/a.js\ndeleted file mode 100644\n--- a/src/a.js\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n',
      binary:
        'diff --git a/src/a.bin b/src/a.bin\nnew file mode 100644\nindex 0000000..1111111\nGIT binary patch\nliteral 1\nIcmZPo000310RR91\n\n',
      link: 'diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+src\n\\ No newline at end of file\n',
      'quoted name': '--- /dev/null\n+++ "b/sr\\143/\\303\\244.js"\n@@ -0,0 +1 @@\n+x\n',
      'copy into': 'diff --git a/notes.md b/src/b.js\nsimilarity index 100%\ncopy from notes.md\ncopy to src/b.js\n',
      'mode only': 'diff --git a/src/a.js b/src/a.js\nold mode 100644\nnew mode 100755\n',
      'next line': envelope('*** Delete File: src/a.js\u0085'),
      'byte order mark': envelope('*** Delete File: \ufeffsrc/a.js'),
      'blanks in front': envelope('*** Delete File:   src/a.js'),
      'envelope in a diff': `--- src/a.js\n+++ src/a.js\n@@ -1,3 +1,4 @@\n *** Begin Patch\n *** Add File: notes.md\n *** End Patch\n+x\n`,
      heredoc: `apply_patch <<'EOF'\n${envelope('*** Delete File: src/a.js')}\nEOF`,
      'unknown line': envelope('*** Frobnicate: notes.md'),
      empty: '',
      prose: 'please change src/a.js',
    };
    const patch = shape.patch;
    const events = Object.fromEntries(Object.entries(patches).map(([what, text]) => [what, of(patch(text))]));
    expect(open(events)).toEqual([]);
  });

  test('MCP tools in the spelling of the harness', () => {
    const events = Object.fromEntries(
      shape.mcp.map(([tool, input, more], at) => [`${tool} ${at}`, { ...shape.make(tool, input), ...more }]),
    );
    expect(open(events)).toEqual([]);
  });

  test('reads of a hidden file', () => {
    if (shape.read === undefined) return;
    const read = shape.read;
    const names = [
      'secret/key',
      './secret/key',
      'src/../secret/key',
      `${project.root}/secret/key`,
      `file://${project.root}/secret/key`,
    ];
    expect(open(Object.fromEntries(names.map((file) => [file, of(read(file))]))).map((one) => (one as unknown[])[0])).toEqual([]);
  });
});

test('an edit of Gemini CLI by the end of a path', () => {
  const shape = shapes.gemini as Shape;
  const edit = (file_path: string) =>
    shape.isClosed(
      answerTo(
        'gemini',
        JSON.stringify(shape.make('replace', { file_path, instruction: 'x', old_string: 'x', new_string: 'y' })),
      ),
    );
  // There is no such file, so Gemini CLI would take src/a.js.
  expect(edit('a.js')).toBe(true);
  expect(edit('notes.md')).toBe(false);
  expect(edit('@notes.md')).toBe(false);
});

describe('events of Cursor about one kind of call', () => {
  const closed = (event: string, fields: object) => {
    const whole = {
      conversation_id: 's',
      generation_id: 'g',
      workspace_roots: [project.root],
      hook_event_name: event,
      ...fields,
    };
    const { out, code } = answerTo('cursor', JSON.stringify(whole), event);
    return [jsonOf(out).permission, code];
  };
  test.each<[string, object, [string | undefined, number]]>([
    ['beforeShellExecution', { command: 'rm src/a.js', cwd: '' }, ['ask', 0]],
    ['beforeShellExecution', { command: 'rm src/a.js', cwd: 1 }, ['deny', 2]],
    ['beforeShellExecution', { command: ['rm', 'src/a.js'] }, ['ask', 0]],
    ['beforeShellExecution', { command: { text: 'rm src/a.js' } }, ['deny', 2]],
    ['beforeShellExecution', {}, ['deny', 2]],
    ['beforeMCPExecution', { tool_name: 'write', tool_input: '{"path":"src/a.js"}', url: 'x' }, ['ask', 0]],
    ['beforeMCPExecution', { tool_name: 'write', tool_input: '{"path":' }, ['ask', 0]],
    ['beforeMCPExecution', { tool_input: {} }, ['deny', 2]],
    ['beforeReadFile', { file_path: 'secret/key', content: 'x', attachments: [] }, ['deny', 2]],
    ['beforeReadFile', { content: 'x' }, ['deny', 2]],
    ['beforeTabFileRead', { file_path: ['secret/key'], content: 'x' }, ['deny', 2]],
  ])('%s %j', (event, fields, expected) => expect(closed(event, fields)).toEqual(expected));
});

describe('real processes', () => {
  const hook = (name: string, from: string, stdin: string | Buffer) =>
    runProgram(
      process.execPath,
      [path.join(plugin, 'dist/modes.mjs'), 'hook', shapes[name]?.event as string, '--harness', shapes[name]?.harness ?? name],
      {
        cwd: from,
        env: { HOME: project.home, PATH: '/usr/bin:/bin' },
        stdin: stdin as string,
      },
    );

  test.each(Object.keys(shapes))('%s: a folder outside of the project does not open it', async (name) => {
    const shape = shapes[name] as Shape;
    const elsewhere = path.join(project.home, 'elsewhere');
    fs.mkdirSync(elsewhere, { recursive: true });
    const [tool, input] = shape.write(`${project.root}/src/a.js`);
    const moved = JSON.stringify(shape.make(tool, input)).replaceAll(`"${project.root}"`, JSON.stringify(elsewhere));
    expect(moved).toContain(elsewhere);
    for (const from of [project.root, elsewhere])
      expect([from, shape.isClosed(await hook(name, from, moved))]).toEqual([from, true]);
  });

  test('an event that is not UTF-8, and one that is too large', async () => {
    const shape = shapes.gemini as Shape;
    const text = JSON.stringify(shape.make(...shape.write('sr\u00ffc/a.js')));
    expect(shape.isClosed(await hook('gemini', project.root, Buffer.from(text, 'latin1')))).toBe(true);
    const large = JSON.stringify(shape.make('write_file', { file_path: 'notes.md', content: 'x'.repeat(maxEventBytes) }));
    expect(shape.isClosed(await hook('gemini', project.root, large))).toBe(true);
  });
});
