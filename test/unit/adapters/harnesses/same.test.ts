// One decision for one action: each call of a harness is decided as the client's own tool with the same access.
import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { answerHook } from '../../../../src/adapters/harnesses/hook.ts';
import { harnesses } from '../../../../src/adapters/harnesses/table.ts';
import type { Harness } from '../../../../src/adapters/harnesses/types.ts';
import { answerText, hookAnswer } from '../../../../src/engine/answer.ts';
import { prepare } from '../../../../src/engine/prepare.ts';
import { type Project as Opened, openProject } from '../../../../src/workflow/project.ts';
import { forFile } from '../../../support/cleanup.ts';
import { repository } from '../../../support/plugin.ts';
import { makeProject, type Project } from '../../../support/project.ts';

/** An action of an agent. `in`: the folder of a command, relative to the project. */
type Action =
  | { do: 'write' | 'edit' | 'read' | 'list' | 'search' | 'fetch' | 'agent' | 'patch' | 'mcp'; of: string }
  | { do: 'shell'; of: string; in?: string };

type Call = [tool: string, input: unknown, more?: Record<string, unknown>];
type Spell = (of: string, action: Action) => Call | null;

const envelope = (...lines: string[]) => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');
let root = '';
const folderOf = (action: Action) => path.join(root, (action.do === 'shell' && action.in) || '.');

/** The call of the client for each action. */
const client: Readonly<Record<Action['do'], Spell>> = {
  write: (file_path) => ['Write', { file_path, content: 'x' }],
  edit: (file_path) => ['Edit', { file_path, old_string: 'x', new_string: 'y' }],
  read: (file_path) => ['Read', { file_path }],
  list: (of) => ['Glob', { pattern: '*', path: of }],
  search: (of) => ['Grep', { pattern: 'x', path: of }],
  fetch: (url) => ['WebFetch', { url, prompt: 'x' }],
  agent: (subagent_type) => ['Agent', { description: 'd', prompt: 'p', subagent_type }],
  patch: (patch) => ['ApplyPatch', { patch }],
  mcp: (of) => ['mcp__files__write', { path: of }],
  shell: (command) => ['Bash', { command }],
};

interface Spelling {
  harness: string;
  event: string;
  make(tool: string, input: unknown, action: Action): Record<string, unknown>;
  /** null: the harness has no such tool. */
  calls: Readonly<Record<Action['do'], Spell>>;
  /** Whether an allow and a pass look the same. */
  open?: true;
}
const none = () => null;
const absolute = (file: string) => path.resolve(root, file);
const spellings: Readonly<Record<string, Spelling>> = {
  codex: {
    harness: 'codex',
    event: 'PreToolUse',
    make: (tool_name, tool_input, action) => ({
      ...{ session_id: 's', turn_id: 't', transcript_path: null, cwd: folderOf(action), hook_event_name: 'PreToolUse' },
      ...{ model: 'm', permission_mode: 'default', tool_name, tool_input, tool_use_id: 'u' },
    }),
    calls: {
      write: none,
      edit: none,
      read: (path) => ['view_image', { path }],
      list: none,
      search: none,
      fetch: none,
      agent: (agent_type) => ['collaborationspawn_agent', { agent_type, message: 'p', task_name: 't', fork_turns: 'none' }],
      patch: (command) => ['apply_patch', { command }],
      mcp: (of) => ['mcp__files__write', { path: of }],
      shell: (command) => ['Bash', { command }],
    },
    open: true,
  },
  gemini: {
    harness: 'gemini',
    event: 'BeforeTool',
    make: (tool_name, tool_input) => ({
      ...{
        session_id: 's',
        transcript_path: '',
        cwd: root,
        hook_event_name: 'BeforeTool',
        timestamp: 'x',
        tool_name,
        tool_input,
      },
    }),
    calls: {
      write: (file_path) => ['write_file', { file_path, content: 'x' }],
      // A relative path of a file that does not exist may be another file.
      edit: (file) =>
        file.startsWith('~') ? null : ['replace', { file_path: absolute(file), instruction: 'i', old_string: 'x' }],
      read: (file_path) => ['read_file', { file_path, start_line: 1 }],
      list: (dir_path) => ['list_directory', { dir_path }],
      search: (dir_path) => ['grep_search', { pattern: 'x', dir_path }],
      fetch: (url) => ['web_fetch', { prompt: `summarize ${url} please` }],
      agent: (agent_name) => ['invoke_agent', { agent_name, prompt: 'p' }],
      patch: none,
      mcp: (of) => ['mcp_files_write', { path: of }, { mcp_context: { server_name: 'files', tool_name: 'write' } }],
      shell: (command, action) => [
        'run_shell_command',
        { command, description: 'd', is_background: false, dir_path: folderOf(action), wait_for_previous: true },
      ],
    },
  },
  cursor: {
    harness: 'cursor',
    event: 'preToolUse',
    make: (tool_name, tool_input) => ({
      ...{ conversation_id: 's', generation_id: 'g', workspace_roots: [root], hook_event_name: 'preToolUse' },
      ...{ tool_name, tool_input },
    }),
    calls: {
      write: (file_path) => ['Write', { file_path, content: 'x' }],
      edit: (file_path) => ['Edit', { file_path, old_string: 'x', new_string: 'y' }],
      read: (file_path) => ['Read', { file_path }],
      list: none,
      search: (of) => ['Grep', { pattern: 'x', path: of }],
      fetch: none,
      agent: none,
      patch: none,
      mcp: none,
      shell: (command, action) => ['Shell', { command, cwd: folderOf(action) }],
    },
  },
  opencode: {
    harness: 'opencode',
    event: 'tool.execute.before',
    make: (tool, args) => ({
      ...{ hook_event_name: 'tool.execute.before', sessionID: 's', callID: 'u', directory: root, tool, args },
    }),
    calls: {
      write: (filePath) => ['write', { filePath, content: 'x' }],
      edit: (filePath) => ['edit', { filePath, oldString: 'x', newString: 'y' }],
      read: (filePath) => ['read', { filePath, offset: 1 }],
      list: (of) => ['list', { path: of }],
      search: (of) => ['grep', { pattern: 'x', path: of }],
      fetch: (url) => ['webfetch', { url, format: 'markdown' }],
      agent: (subagent_type) => ['task', { subagent_type, prompt: 'p', description: 'd' }],
      patch: (patchText) => ['apply_patch', { patchText }],
      mcp: none,
      shell: (command, action) => ['bash', { command, description: 'd', workdir: folderOf(action) }],
    },
  },
  copilot: {
    harness: 'copilot',
    event: 'preToolUse',
    make: (toolName, toolArgs, action) => ({ sessionId: 's', timestamp: 1, cwd: folderOf(action), toolName, toolArgs }),
    calls: {
      write: (file) => ['create', { path: file, file_text: 'x' }],
      edit: (file) => ['edit', { path: file, old_str: 'x', new_str: 'y' }],
      read: (file) => ['view', { path: file, view_range: [1, 2] }],
      list: (paths) => ['glob', { pattern: '*', paths }],
      search: (paths) => ['grep', { pattern: 'x', paths: [paths] }],
      fetch: (url) => ['web_fetch', { url }],
      agent: (agent_type) => ['task', { agent_type, prompt: 'p', description: 'd', name: 'n' }],
      patch: (input) => ['apply_patch', input],
      mcp: none,
      shell: (command) => ['bash', { command, description: 'd', mode: 'sync', initial_wait: 30 }],
    },
  },
  'copilot in capitals': {
    harness: 'copilot',
    event: 'PreToolUse',
    make: (tool_name, tool_input, action) => ({
      ...{ hook_event_name: 'PreToolUse', session_id: 's', timestamp: 'x', cwd: folderOf(action), tool_name, tool_input },
    }),
    calls: {
      write: (file) => ['Write', { path: file, file_text: 'x' }],
      edit: (file) => ['Edit', { path: file, old_str: 'x', new_str: 'y' }],
      read: (file) => ['Read', { path: file }],
      list: (paths) => ['Glob', { pattern: '*', paths }],
      search: (paths) => ['Grep', { pattern: 'x', paths: [paths] }],
      fetch: (url) => ['WebFetch', { url }],
      agent: (agent_type) => ['Agent', { agent_type, prompt: 'p', description: 'd', name: 'n' }],
      patch: (input) => ['Edit', { input }],
      mcp: none,
      shell: (command) => ['Bash', { command, description: 'd' }],
    },
  },
  generic: {
    harness: 'generic',
    event: 'before-tool',
    make: (tool_name, tool_input, action) => ({ session_id: 's', cwd: folderOf(action), tool_name, tool_input }),
    calls: client,
  },
};

const files = [
  ...[
    'src/a.js',
    'docs/a.md',
    'open.txt',
    'other.txt',
    'secret/key',
    'new/deep/x.js',
    'src',
    '.',
    '../outside.txt',
    '/etc/passwd',
  ],
  ...['.claude/settings.json', '.claude/modes.yaml', '.codex/hooks.json', '.github/hooks/modes.json', '.git/hooks/pre-commit'],
  ...[
    'x/../src/a.js',
    './open.txt',
    'src//a.js',
    'link/a.js',
    'SRC/a.js',
    'open.txt ',
    'a b.txt',
    "it's.txt",
    'ünï/ß.txt',
    '~/x.txt',
  ],
  ...['file:///etc/passwd', 'C:\\src\\a.js', 'src\\a.js', 'a\nb', '$HOME/x', '*', 'src/*.js', '[ab].txt', '{open,src}.txt', '-x'],
];
const commands = [
  ...[
    'ls',
    'cat open.txt',
    'cat secret/key',
    'grep -r x .',
    'git status',
    'git log -p',
    'echo x > src/a.js',
    'echo x > open.txt',
  ],
  ...['rm -rf src', 'rm other.txt', 'cp open.txt src/b.js', 'mv src/a.js other.txt', 'ln -s src l', 'tee docs/a.md < open.txt'],
  ...['npm test', 'npm run build', './x.sh', 'python3 -c "print(1)"', 'bash', 'bash -lc "rm src/a.js"', 'curl https://a.example'],
  ...[
    'git apply p.patch',
    'patch -p1 < p.patch',
    'sed -i s/a/b/ src/a.js',
    'find . -delete',
    'cd src && touch b.js',
    '(',
    'if',
    '',
  ],
  ...[
    'modes mode two',
    'x=$(cat secret/key); echo $x',
    'eval "$X"',
    'sudo ls',
    'nohup npm test &',
    'make',
    'touch ../outside.txt',
  ],
  ...[
    `apply_patch <<'E'\n${envelope('*** Delete File: src/a.js')}\nE`,
    'cat <<E > src/a.js\nx\nE',
    'echo > .git/hooks/pre-commit',
  ],
];
const urls = ['https://a.example/x', 'http://evil.example', 'https://b.example:8443/?q=1', 'HTTPS://A.EXAMPLE'];
const patches = [
  envelope('*** Add File: open.txt', '+x'),
  envelope('*** Add File: other.txt', '+x', '*** Delete File: src/a.js'),
  envelope('*** Update File: open.txt', '*** Move to: docs/b.md', '@@', '-x', '+y'),
  envelope('*** Add File: ~/x.txt', '+x'),
  envelope('*** Update File: .claude/modes.yaml', '@@', '-x', '+y'),
  'diff --git a/open.txt b/src/b.js\nsimilarity index 100%\nrename from open.txt\nrename to src/b.js\n',
  '--- /dev/null\n+++ "b/\\303\\274.txt"\n@@ -0,0 +1 @@\n+x\n',
  '--- a/open.txt\n+++ b/open.txt\n@@ -1 +1 @@\n-x\n+y\n',
  'garbage',
];

const actions: Action[] = [
  ...files.flatMap((of) =>
    (['write', 'edit', 'read', 'list', 'search', 'mcp'] as const).map((verb): Action => ({ do: verb, of })),
  ),
  ...commands.flatMap((of) => ['', 'src', '..'].map((folder): Action => ({ do: 'shell', of, in: folder }))),
  ...urls.map((of): Action => ({ do: 'fetch', of })),
  ...['explore', 'builder', 'general-purpose'].map((of): Action => ({ do: 'agent', of })),
  ...patches.map((of): Action => ({ do: 'patch', of })),
];

const lists = {
  deny: ['Write(src/**)', 'Read(secret/**)', 'WebFetch(domain:evil.example)', 'Agent(builder)', 'Bash(npm run build)'],
  ask: ['Write(docs/**)', 'Bash(make)', 'mcp__files'],
  allow: ['Write(open.txt)', 'Read(**)', 'Bash(ls)', 'Bash(npm test)', 'WebFetch(domain:a.example)', 'Agent(explore)'],
};
const settings: Readonly<Record<string, object>> = {
  'a default of the client': { permissions: lists },
  'a default that denies': { permissions: { ...lists, default: 'deny' } },
  'a default that asks': { permissions: { ...lists, default: 'ask' } },
  'no write rules': { permissions: { deny: ['Read(secret/**)', 'Agent(builder)'] } },
};

const effectOf = (text: string): string =>
  (JSON.parse(text) as { hookSpecificOutput?: { permissionDecision?: string } }).hookSpecificOutput?.permissionDecision ?? 'pass';

/** The effect that the harness sees. An ask that it cannot show is a deny that says so. */
function seen(out: string): string {
  if (out === '' || out === '{}') return 'pass';
  const { hookSpecificOutput: nested, ...flat } = JSON.parse(out);
  const { decision, permission, permissionDecision = decision ?? permission } = nested ?? flat;
  return permissionDecision === 'deny' && out.includes(' cannot ask about this call') ? 'ask' : permissionDecision;
}

describe.each(Object.entries(settings))('with %s', (_, setting) => {
  let project: Project;
  let opened: Opened;
  beforeAll(async () => {
    project = await forFile(async () => {
      const made = makeProject({ example: null });
      made.put('.claude/modes.yaml', 'name: ruled\ndefault: one\nmodes: {one: {}}\n');
      made.put('.claude/settings.one.json', JSON.stringify(setting));
      for (const file of ['src/a.js', 'docs/a.md', 'open.txt', 'other.txt', 'secret/key', 'a b.txt', "it's.txt"])
        made.put(file, 'x\n');
      fs.symlinkSync('src', path.join(made.root, 'link'));
      made.trust();
      return made;
    });
    root = project.root;
    const env = { HOME: project.home, PATH: '/usr/bin:/bin' };
    opened = openProject({ start: root, env, packageRoot: repository, prepare }) as Opened;
    await opened.ready(null);
  }, 120_000);

  const decide = (event: string): string => answerText(hookAnswer(opened.decideText(event), false));
  const known = new Map<Action, string>();
  const ofClient = (action: Action): string => {
    const [tool_name, tool_input] = client[action.do](action.of, action) as Call;
    const event = { hook_event_name: 'PreToolUse', cwd: folderOf(action), tool_name, tool_input };
    const effect = known.get(action) ?? effectOf(decide(JSON.stringify(event)));
    known.set(action, effect);
    return effect;
  };

  test.each(Object.entries(spellings))(
    '%s gives the decision of the client [w:harness.same]',
    (__, { harness, event, make, calls, open }) => {
      const effects = new Set<string>();
      const different = actions.flatMap((action) => {
        const call = calls[action.do](action.of, action);
        if (call === null) return [];
        const expected = ofClient(action);
        effects.add(expected);
        const text = JSON.stringify({ ...make(call[0], call[1], action), ...call[2] });
        const { out } = answerHook(harnesses.get(harness) as Harness, {
          ...{ name: event, read: () => text, folder: () => root, hasTerminal: () => true },
          run: (___, ____, input) => decide(input),
        });
        const found = seen(out);
        const isSame = found === expected || (open && found === 'pass' && expected === 'allow');
        return isSame ? [] : [{ ...action, expected, found, out: out.slice(0, 200) }];
      });
      expect(different).toEqual([]);
      expect(effects.size).toBeGreaterThan(1);
    },
  );
});
