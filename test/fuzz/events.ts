// Hook events, from their text to the answer. The model: what is no event is denied, and so is every plain write to what is closed.
import fs from 'node:fs';
import path from 'node:path';
import { answerText, hookAnswer } from '../../src/engine/answer.ts';
import { eventOf, type Fixture, makeFixture } from '../bench/fixture.ts';
import type { Target } from './target.ts';

const DECISIONS = ['deny', 'ask', 'allow', 'pass'];
const WHOLE =
  /^(?:\{\}|\{"hookSpecificOutput":\{"hookEventName":"PreToolUse","permissionDecision":"(?:deny|ask|allow)","permissionDecisionReason":"(?:[^"\\\u0000-\u001f\u007f]|\\u[0-9a-f]{4})*"\}\})$/;

export const eventSeeds = (root: string): string[] =>
  [
    ['Write', { file_path: `${root}/src/a.ts`, content: 'x' }],
    ['Write', { file_path: `${root}/test/a.test.ts`, content: 'x' }],
    ['Edit', { file_path: `${root}/src/../src/a.ts`, old_string: 'a', new_string: 'b', replace_all: true }],
    ['NotebookEdit', { notebook_path: `${root}/src/n.ipynb`, cell_id: 'c', new_source: 'x', edit_mode: 'insert' }],
    ['Read', { file_path: `${root}/src/a.ts`, offset: 1, limit: 5 }],
    ['Grep', { pattern: 'a', path: `${root}/src`, glob: '*.ts', output_mode: 'content', '-n': true }],
    ['Glob', { pattern: '**/*.ts', path: root }],
    ['Bash', { command: 'sed -i s/a/b/ src/a.ts && npm test', description: 'x', run_in_background: true, timeout: 5 }],
    ['Bash', { command: 'rm -rf src' }],
    ['Bash', { command: `mv ${Array.from({ length: 20 }, (_, at) => `f${at}`).join(' ')} d` }],
    ['Bash', { command: `sed -i.old s/a/b/ ${'n '.repeat(2_000)}` }],
    ['Bash', { command: 'git status', dangerouslyDisableSandbox: true }],
    ['Monitor', { command: 'tail -f log', description: 'x', timeout_ms: 5 }],
    ['WebFetch', { url: 'https://a.example.org:8443/x?y#z', prompt: 'x' }],
    ['Agent', { description: 'x', prompt: 'y', subagent_type: 'Explore', isolation: 'remote' }],
    ['Skill', { skill: 'x', args: 'y' }],
    ['CronCreate', { cron: '* * * * *', prompt: '/modes:mode idle', durable: true }],
    ['TodoWrite', { todos: [{ content: 'x', status: 'pending', activeForm: 'y' }] }],
    ['mcp__filesystem__write_file', { path: `${root}/src/a.ts`, content: 'x' }],
    ['mcp__plugin_modes_modes__transition', { target: 'feature-dev', explanation: 'x' }],
    ['Workflow', { script: 'x' }],
    ['Unheard', { anything: [{ deep: { deeper: null } }] }],
  ].map(([tool, input]) => eventOf(root, tool as string, input as object));

export const eventWords = (root: string): string[] => [
  ...[
    '"tool_name":"Write"',
    '"tool_name":"Bash"',
    '"tool_input":{}',
    '"tool_input":null',
    '"cwd":"/"',
    '"agent_id":"a"',
    '"file_path":',
  ],
  ...[
    '"hook_event_name":"PreToolUse"',
    '"mcp_server":{"name":"plugin:modes:modes","source":"plugin"}',
    '"__proto__":',
    '"constructor":',
    '\\u0000',
    '\\ud800',
  ],
  ...[
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '""',
    'null',
    'true',
    '1e999',
    '-0',
    '/src/',
    '../',
    '/proc/self/cwd/',
    '/.claude/settings.json',
    root,
    `${root}/src/a.ts`,
  ],
  ...[
    'command',
    'Write',
    'Edit',
    'NotebookEdit',
    'MultiEdit',
    'Bash',
    'write',
    'file_path',
    'notebook_path',
    'rm -rf src; ',
    '> src/a.ts',
  ],
];

/** What must be denied in test-dev, told without looking at rules, links or commands. */
export function mustBeDenied(text: string, root: string): boolean {
  let event: Record<string, unknown>;
  try {
    event = JSON.parse(text);
  } catch {
    return true;
  }
  if (typeof event !== 'object' || event === null) return true;
  const { tool_name: tool, tool_input: input, cwd } = event;
  if (typeof tool !== 'string' || typeof cwd !== 'string' || typeof input !== 'object' || input === null) return true;
  const field = { Write: 'file_path', Edit: 'file_path', NotebookEdit: 'notebook_path' }[tool];
  const file = field === undefined ? undefined : (input as Record<string, unknown>)[field];
  if (typeof file !== 'string') return false;
  const at = path.resolve(cwd, file);
  return at.startsWith(`${root}/src/`) || at.startsWith(`${root}/.claude/settings`);
}

/**
 * Folders outside of this one are seen empty: a call about a whole folder looks at every name below it, and what lies around the
 * project is the machine's. Gives back what undoes it.
 */
function confine(base: string): () => void {
  const list = fs.readdirSync;
  const within = (folder: fs.PathLike) => `${path.resolve(String(folder))}/`.startsWith(`${base}/`);
  fs.readdirSync = ((...args: Parameters<typeof list>) => (within(args[0]) ? list(...args) : [])) as typeof list;
  return () => {
    fs.readdirSync = list;
  };
}

export async function eventTarget(fixture: Fixture = makeFixture()): Promise<Target> {
  const project = await fixture.open();
  const { root } = fixture;
  const release = confine(path.dirname(root));
  return {
    name: 'events',
    seeds: eventSeeds(root),
    words: eventWords(root),
    check(text) {
      const decision = project.decideText(text);
      if (!DECISIONS.includes(decision.decision)) return `is decided ${decision.decision}`;
      if (decision.decision !== 'deny' && mustBeDenied(text, root)) return `is ${decision.decision}, and must be denied`;
      const answer = answerText(hookAnswer(decision, text.length % 2 === 0));
      return WHOLE.test(answer) ? null : `has an answer that the hook would not take: ${answer.slice(0, 200)}`;
    },
    close() {
      release();
      fixture.remove();
    },
  };
}
