// A call of every tool, and modes to make it in.
import { aliases, tools } from '../../../src/facts/table.ts';

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
  ApplyPatch: ['src/a.js', 'test/a.test.js'].map((file) => ({
    patch: `*** Begin Patch\n*** Update File: ${file}\n@@\n-a\n+b\n*** End Patch\n`,
  })),
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
/** At least one call of every tool, by each name that it has. */
export const calls = names.flatMap((tool) => todays(tool).map((input) => ({ tool, input })));

/** Modes of presets of each kind. */
export const places = Object.entries({
  tdd: ['idle', 'test-dev', 'feature-dev'],
  roo: ['architect', 'code', 'ask', 'orchestrator'],
  'security-sensitive': ['work', 'sensitive', 'audit'],
}).flatMap(([preset, modes]) => modes.map((mode) => [preset, mode] as const));
