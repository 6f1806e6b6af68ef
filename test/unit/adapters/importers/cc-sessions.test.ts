// cc-sessions as the modes of the preset daic.
import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { importCcSessions } from '../../../../src/adapters/importers/cc-sessions.ts';
import type { Transfer } from '../../../../src/adapters/importers/types.ts';
import { readTask } from '../../../../src/workflow/tasks.ts';
import { repository } from '../../../support/plugin.ts';
import { leftOf, projectWith, type TakenOver, takeOver, textOf } from './project.ts';

const CONFIG = {
  trigger_phrases: {
    implementation_mode: ['yert', 'run that'],
    discussion_mode: ['SILENCE', 'HALT'],
    task_creation: ['mek:'],
    task_startup: [],
    task_completion: ['finito', 'yert'],
    context_compaction: ['squish', ''],
  },
  blocked_actions: {
    implementation_only_tools: ['Edit', 'Write', 'MultiEdit', 'WebSearch', 'mcp__fs__write_file', 'not a tool'],
    bash_read_patterns: ['ourtool', 'rm', 'sudo', 'cat', 'docker ps'],
    bash_write_patterns: ['grep -o', 'deploy', 'a;b'],
    extrasafe: false,
  },
  features: {
    branch_enforcement: false,
    auto_ultrathink: true,
    icon_style: 'ascii',
    context_warnings: { warn_85: false, warn_90: true },
  },
  git_preferences: { default_branch: 'trunk', auto_push: true },
};
const STATE = {
  mode: 'implementation',
  flags: { bypass_mode: true },
  active_protocol: 'task-startup',
  current_task: { name: 'h-fix-form', branch: 'fix/form' },
  todos: {
    active: [
      { content: 'write it', status: 'pending' },
      { content: 'read it', status: 'completed' },
    ],
    stashed: [{ content: 'later', status: 'pending' }],
  },
};
const TASK = '---\nname: h-fix-form\nbranch: fix/form\nstatus: in-progress\ncreated: 2025-10-01\n---\n\n# Fix the form\n';
const FILES = {
  'sessions/sessions-config.json': JSON.stringify(CONFIG),
  'sessions/sessions-state.json': JSON.stringify(STATE),
  'sessions/tasks/h-fix-form.md': TASK,
  'sessions/tasks/big/README.md': TASK.replace('h-fix-form', 'big'),
  'sessions/tasks/big/01-first.md': TASK.replace('h-fix-form', '01-first'),
  'sessions/tasks/done/old.md': TASK,
  'sessions/tasks/TEMPLATE.md': TASK,
  'sessions/tasks/notes.md': 'no front matter\n',
};
const take = (root: string) => importCcSessions(root, repository);

describe('a project of cc-sessions', () => {
  let taken: TakenOver;
  beforeAll(async () => {
    taken = await takeOver(projectWith(FILES), take);
  });

  test('is a configuration without a problem', () => expect(taken.problems).toEqual([]));

  test('has its phrases, each once', () => {
    const { topology } = taken.configuration;
    expect(topology?.default).toBe('discussion');
    expect(topology?.stop).toEqual({ phrases: ['SILENCE', 'HALT'], to: 'discussion' });
    expect(topology?.modes.get('discussion')?.transitions).toMatchObject([
      { to: 'implementation', triggers: ['yert', 'run that'], require: [{ check: 'plan' }] },
    ]);
    expect([...(topology?.protocols ?? [])].map(([name, { triggers }]) => [name, triggers])).toEqual([
      ['task-creation', ['mek:']],
      ['task-completion', ['finito']],
      ['context-compaction', ['squish']],
    ]);
    expect(topology?.modes.get('implementation')).toMatchObject({ context: { warn: [90] }, promptPrefix: '[[ ultrathink ]]' });
  });

  // As cc-sessions answers, extrasafe on where it is off: what is not known is careful.
  test.each<[mode: string, call: string, decision: string]>([
    ['discussion', 'Write(src/a.ts)', 'deny'],
    ['discussion', 'Edit(src/a.ts)', 'deny'],
    ['discussion', 'NotebookEdit(a.ipynb)', 'deny'],
    ['discussion', 'Read(src/a.ts)', 'pass'],
    ['discussion', 'Bash(cat a.ts | grep b)', 'pass'],
    ['discussion', 'Bash(ourtool list)', 'pass'],
    ['discussion', 'Bash(ourtool list > src/a.ts)', 'deny'],
    ['discussion', 'Bash(ourtool)', 'pass'],
    ['discussion', 'Bash(rm a)', 'deny'],
    ['discussion', 'Bash(sudo ls)', 'deny'],
    ['discussion', 'Bash(grep -n x a)', 'pass'],
    ['discussion', 'Bash(grep -o x a)', 'deny'],
    ['discussion', 'Bash(deploy)', 'deny'],
    ['discussion', 'Bash(nobodyknows)', 'deny'],
    ['discussion', 'Bash(rm -rf src # sessions ok)', 'deny'],
    ['discussion', 'WebSearch(x)', 'deny'],
    ['discussion', 'WebFetch(https://example.org/)', 'pass'],
    ['discussion', 'mcp__fs__write_file({"path": "a"})', 'deny'],
    ['discussion', 'mcp__db__query({})', 'ask'],
    ['discussion', 'Agent(Explore)', 'pass'],
    ['discussion', 'Bash(git switch -c x)', 'deny'],
    ['discussion', 'Write(.claude/tasks/a.md)', 'deny'],
    ['discussion', 'Write(sessions/sessions-state.json)', 'deny'],
    ['implementation', 'Write(src/a.ts)', 'pass'],
    ['implementation', 'Edit(src/a.ts)', 'pass'],
    ['implementation', 'Write(.claude/tasks/a.md)', 'ask'],
    ['implementation', 'Bash(git push)', 'ask'],
    ['implementation', 'Bash(deploy)', 'ask'],
  ])('%s: %s is %s', (mode, call, decision) => expect(taken.decide(call, mode)).toBe(decision));

  test('lists the parts that could not be imported', () => {
    const left = leftOf(taken.transfer).join('\n');
    for (const part of [
      'yert is also listed under implementation_mode',
      'an empty phrase, which matches every prompt',
      'NotebookEdit is not blocked in discussion. It is denied here',
      '"not a tool" is not the name of a tool',
      '"rm" has the class writes here',
      '"sudo" starts other programs',
      '"docker ps" is not a single word',
      '"a;b" is not a command',
      'extrasafe is off',
      'branch_enforcement is off',
      'features.icon_style: "ascii"',
      'git_preferences.default_branch: "trunk"',
      'the mode is implementation. Work starts in discussion.',
      'bypass_mode is on',
      'open todos: write it.',
      'stashed todos: later.',
      'the current task is h-fix-form. Start it here with /modes:task start h-fix-form',
      'sessions/tasks/notes.md: it has no front matter',
    ])
      expect(left).toContain(part);
  });
});

test('tasks can still be started', async () => {
  const { project, transfer } = await takeOver(projectWith(FILES), take);
  for (const name of ['h-fix-form', 'big', 'big/01-first'])
    expect(readTask(project.root, project.home, name)).toMatchObject({
      task: { name, branch: 'fix/form', status: 'in-progress' },
    });
  expect(transfer.files.filter(({ name }) => /old|TEMPLATE|notes/.test(name))).toEqual([]);
});

test('the initial configuration of cc-sessions has no problem and no empty list of phrases', async () => {
  const empty = { trigger_phrases: Object.fromEntries(Object.keys(CONFIG.trigger_phrases).map((key) => [key, []])) };
  for (const config of [{}, empty]) {
    const taken = await takeOver(projectWith({ 'sessions/sessions-config.json': JSON.stringify(config) }), take);
    expect(taken.problems).toEqual([]);
    expect(taken.decide('Write(a)', 'discussion')).toBe('deny');
    expect(taken.configuration.topology?.stop?.phrases).toEqual(['SILENCE']);
  }
});

test.each<[what: string, files: Record<string, string>, why: RegExp]>([
  ['no files', {}, /There is no sessions/],
  ['no JSON', { 'sessions/sessions-config.json': '{' }, /cannot be read/],
  ['a list', { 'sessions/sessions-config.json': '[]' }, /not a JSON object/],
])('%s is refused', (_, files, why) => expect(take(projectWith(files).root)).toEqual({ error: expect.stringMatching(why) }));

test('a broken state is reported, and the rest is imported', () => {
  const taken = take(projectWith({ ...FILES, 'sessions/sessions-state.json': 'null' }).root) as Transfer;
  expect(taken.faults).toEqual([{ at: 'sessions/sessions-state.json', what: 'it is not a JSON object' }]);
  expect(textOf(taken, '.claude/modes.yaml')).toContain('HALT');
});

test('invisible characters and values that are not strings are listed, and the rest is imported', async () => {
  const phrases = { implementation_mode: ['go\u202e', 'ship'], task_startup: ['\0'] };
  const todos = { active: [{ content: { toString: 1 }, status: 'pending' }] };
  const files = {
    'sessions/sessions-config.json': JSON.stringify({ trigger_phrases: phrases }),
    'sessions/sessions-state.json': JSON.stringify({ todos }),
  };
  const taken = await takeOver(projectWith(files), take);
  expect(taken.problems).toEqual([]);
  expect(taken.configuration.topology?.modes.get('discussion')?.transitions[0]?.triggers).toEqual(['ship']);
  const left = leftOf(taken.transfer).join('\n');
  for (const part of [
    '"go\u202e" contains invisible characters',
    '"\\u0000" contains invisible characters',
    'open todos: {"toString":1}',
  ])
    expect(left).toContain(part);
});

test('existing rules of the two modes stay', async () => {
  const own = JSON.stringify({ permissions: { deny: ['Write(mine)'] } });
  const files = {
    'sessions/sessions-config.json': '{}',
    '.claude/settings.discussion.json': own,
    '.claude/settings.implementation.json': own,
  };
  const taken = await takeOver(projectWith(files), take);
  for (const mode of ['discussion', 'implementation'])
    expect(textOf(taken.transfer, `.claude/settings.${mode}.json`)).toContain('"Write(mine)"');
  expect(taken.decide('Write(mine)', 'implementation')).toBe('deny');
});

test('a value in place of a list of texts is listed', () => {
  const config = {
    trigger_phrases: { discussion_mode: 'stop', implementation_mode: ['go', 1] },
    blocked_actions: { implementation_only_tools: 'Bash', bash_write_patterns: { a: 'rm' }, bash_read_patterns: ['ourtool'] },
  };
  const { root } = projectWith({ 'sessions/sessions-config.json': JSON.stringify(config) });
  const strange = leftOf(take(root) as Transfer).filter((line) => line.includes('is not a list of strings'));
  expect(strange).toEqual(
    [
      'trigger_phrases.discussion_mode: "stop"',
      'trigger_phrases.implementation_mode: ["go",1]',
      'blocked_actions.implementation_only_tools: "Bash"',
      'blocked_actions.bash_write_patterns.a: "rm"',
    ].map((what) => `sessions/sessions-config.json: ${what} is not a list of strings. Only its strings were imported.`),
  );
});

test('a folder that is a link is not read', () => {
  const { root, home } = projectWith({});
  fs.mkdirSync(path.join(home, 'else/tasks'), { recursive: true });
  fs.writeFileSync(path.join(home, 'else/sessions-config.json'), '{}');
  fs.writeFileSync(path.join(home, 'else/tasks/a.md'), TASK);
  fs.symlinkSync('../else', path.join(root, 'sessions'));
  expect(take(root)).toEqual({ error: expect.stringContaining('it is a symbolic link, which could lead anywhere') });
});

test('every key of a configuration is imported or named', () => {
  const config = {
    trigger_phrases: { implementation_mode: ['go'], review_mode: ['look'] },
    blocked_actions: { extrasafe: 'yes', bash_other_patterns: ['x'] },
    git_preferences: {
      add_pattern: 'ask',
      default_branch: 'main',
      commit_style: 'simple',
      auto_merge: true,
      has_submodules: false,
    },
    environment: { os: 'linux', shell: 'bash', developer_name: 'A' },
    features: {
      ...{ branch_enforcement: true, task_detection: true, auto_ultrathink: 1, use_nerd_fonts: true, icon_style: 'ascii' },
      context_warnings: { warn_85: true, warn_70: true },
    },
    later: [1],
  };
  const taken = take(projectWith({ 'sessions/sessions-config.json': JSON.stringify(config) }).root) as Transfer;
  const left = leftOf(taken).join('\n');
  for (const part of [
    'trigger_phrases.review_mode: ["look"]',
    'blocked_actions.extrasafe: "yes" is neither true nor false. It is treated as on.',
    'blocked_actions.bash_other_patterns: ["x"]',
    'git_preferences.add_pattern: "ask"',
    'git_preferences.auto_merge: true',
    'git_preferences.has_submodules: false',
    'environment.developer_name: "A"',
    'features.branch_enforcement is on. It is enforced after /modes:task start NAME.',
    'features.task_detection: true',
    'features.auto_ultrathink: 1 is neither true nor false. It is treated as off.',
    'features.use_nerd_fonts: true',
    'features.context_warnings.warn_70: true',
    'later: [1]',
  ])
    expect(left).toContain(part);
});

test('branch_enforcement that the file does not mention is on, and named', () => {
  const taken = take(projectWith({ 'sessions/sessions-config.json': '{}' }).root) as Transfer;
  expect(leftOf(taken).join('\n')).toContain('features.branch_enforcement is on.');
});
