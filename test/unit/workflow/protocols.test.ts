// Protocols: which prompts begin one, and what its instructions say.
import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { readTopology } from '../../../src/config/topology.ts';
import { defaultBranch } from '../../../src/git/run.ts';
import type { Protocol } from '../../../src/model/configuration.ts';
import { noWork } from '../../../src/workflow/plan/work.ts';
import { instructionsOf, startedProtocol } from '../../../src/workflow/protocols.ts';
import { makePlace } from '../../support/plan-project.ts';

const source = { file: '.claude/modes.yaml', line: 3, column: 1 };
const protocol = (changes: Partial<Protocol> = {}): Protocol => ({
  name: 'creation',
  triggers: ['mek:'],
  instructions: null,
  items: [{ text: 'one', files: [] }],
  mode: null,
  source,
  ...changes,
});

describe('a protocol', () => {
  test.each<[string, string[], string | null]>([
    ['mek:', ['mek:'], ''],
    ['  Mek: a form  ', ['mek:'], 'a form'],
    ['mek:a form', ['mek:'], null],
    ['please mek: a form', ['mek:'], null],
    ['start^ form', ['mek:', 'start^'], 'form'],
    ['infinito', ['finito'], null],
    ['finitox', ['finito'], null],
    ['finito', ['finito'], ''],
    ['squish', ['SQUISH'], null],
    ['SQUISH now', ['SQUISH'], 'now'],
    ['', [''], null],
    ['anything', [''], null],
  ])('%j with %j is started: %j', (prompt, triggers, rest) => {
    expect(startedProtocol(prompt, '', [protocol({ triggers })])?.rest ?? null).toBe(rest);
  });

  test.each<[string, boolean]>([
    ['yert', true],
    [' YERT ', true],
    ['yert now', false],
    ['please do not yert yet', false],
    ['"yert"', false],
  ])('with a mode is started by nothing but its phrase: %j %j', (prompt, isBegun) => {
    expect(startedProtocol(prompt, '', [protocol({ triggers: ['yert'], mode: 'work' })]) !== null).toBe(isBegun);
  });

  test.each<[string, string]>([
    ['mek:', 'schedule_wakeup'],
    ['mek: <task-notification>', ''],
  ])('is not started by an agent: %j from %j', (prompt, from) => {
    expect(startedProtocol(prompt, from, [protocol()])).toBeNull();
  });
});

describe('instructions', () => {
  const git = (root: string, ...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: root, stdio: 'pipe' });

  test('are filled [w:plan.protocol]', () => {
    const { root } = makePlace();
    git(root, 'init', '-q', '-b', 'main');
    git(root, 'commit', '-q', '--allow-empty', '-m', 'x');
    git(root, 'switch', '-q', '-c', 'feature/form');
    const instructions = '{{task}} on {{ branch }}, from {{default_branch}}:\n{{plan}}';
    const work = { ...noWork, task: { name: 'form', branch: 'feature/form', scope: [] } };
    expect(instructionsOf(protocol({ instructions, items: [{ text: 'one', files: ['a/**'] }] }), work, root)).toBe(
      'form on feature/form, from main:\n1. one (files: a/**)',
    );
  });

  test('note a missing task or repository', () => {
    const { root } = makePlace();
    expect(instructionsOf(protocol({ instructions: '{{task}}, {{branch}}, {{default_branch}}' }), noWork, root)).toBe(
      'no task, no branch, no branch',
    );
  });

  test('that are long are cut at a paragraph, and the file is named', () => {
    const { root } = makePlace();
    const text = instructionsOf(protocol({ instructions: 'word\n\n'.repeat(2_000) }), noWork, root);
    expect(text.length).toBeLessThan(4_200);
    expect(text).toMatch(/word\n\n\(The rest of these instructions is in \.claude\/modes\.yaml, line 3; Read shows it\.\)$/);
  });

  test('the default branch is what the remote calls its own', () => {
    const { root, put } = makePlace();
    git(root, 'init', '-q', '-b', 'main');
    put('.git/refs/remotes/origin/HEAD', 'ref: refs/remotes/origin/trunk\n');
    expect(defaultBranch(root)).toBe('trunk');
  });
});

describe('the key in modes.yaml', () => {
  const read = (text: string) =>
    readTopology({ name: '.claude/modes.yaml', text: `name: t\ndefault: a\nmodes:\n  a: {}\n${text}` });

  test('is read', () => {
    const { topology, problems } = read(
      'protocols:\n  creation:\n    triggers: ["mek:"]\n    instructions: "{{plan}}"\n    plan: [one, {text: two, files: ["src/**"]}]\n    mode: a\ntasks: {protected: [main, "release/*"]}\n',
    );
    expect(problems).toEqual([]);
    expect(topology?.protocols.get('creation')).toMatchObject({
      triggers: ['mek:'],
      items: [
        { text: 'one', files: [] },
        { text: 'two', files: ['src/**'] },
      ],
      mode: 'a',
    });
    expect(topology?.protectedBranches).toEqual(['main', 'release/*']);
  });

  test.each<[string, string, string]>([
    ['an unknown mode', 'protocols: {p: {triggers: [x], plan: [a], mode: b}}', 'E_UNKNOWN_MODE'],
    ['no plan', 'protocols: {p: {triggers: [x]}}', 'E_MISSING_KEY'],
    ['no trigger', 'protocols: {p: {plan: [a]}}', 'E_MISSING_KEY'],
    ['another variable', 'protocols: {p: {triggers: [x], plan: [a], instructions: "{{todos}}"}}', 'E_UNKNOWN_VALUE'],
    ['a phrase twice', 'protocols: {p: {triggers: [x], plan: [a]}, q: {triggers: [X], plan: [a]}}', 'E_DUPLICATE_KEY'],
    ['a name with a space', 'protocols: {"p q": {triggers: [x], plan: [a]}}', 'E_PROTOCOL_NAME'],
    ['another key', 'protocols: {p: {triggers: [x], plan: [a], todos: [b]}}', 'E_UNKNOWN_KEY'],
    ['tasks without branches', 'tasks: {}', 'E_MISSING_KEY'],
  ])('%s is an error', (_, text, code) => {
    expect(read(text).problems.map((problem) => problem.code)).toContain(code);
  });
});
