// Gates checked by machine, in the real client: real runs of npm test open them, and nothing else that could be typed does.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Call, pluginFolder, session } from './client.ts';
import { go } from './mode.ts';
import { type Block, bash, mcp, use } from './model.ts';
import type { Place } from './place.ts';
import { plainProject } from './project.ts';

let place: Place;
beforeEach(() => {
  place = plainProject({ copy: path.join(pluginFolder(), 'examples/tdd-checked') });
  place.write('package.json', '{"name":"sum","scripts":{"test":"node --test test"}}\n');
  place.write('src/sum.js', 'exports.sum = () => 0;\n');
});
afterEach(() => place.remove());

const json = (call: Call | undefined) => {
  const text = call?.result ?? 'null';
  return JSON.parse(text.startsWith('[') ? (JSON.parse(text) as { text: string }[])[0]!.text : text);
};
const failing = `const { test } = require('node:test');
test('sum', () => require('node:assert').equal(require('../src/sum.js').sum(1, 2), 3));
`;
const writeTest = (): Block[] => use('Write', { file_path: `${place.project}/test/sum.test.js`, content: failing });
const fix = (): Block[] =>
  use('Write', { file_path: `${place.project}/src/sum.js`, content: 'exports.sum = (a, b) => a + b;\n' });
const transitions = (calls: Call[]) =>
  calls
    .filter(({ name }) => name.endsWith('__transition'))
    .map((call) => {
      const { success, unmet = [] } = json(call) as { success: boolean; unmet?: { check: string }[] };
      return success ? true : unmet.map(({ check }) => check.split(':')[0]);
    });

describe('test first, checked by machine', () => {
  test('the whole cycle [w:tests.cycle]', async () => {
    const { calls } = await session({
      ...place,
      turns: [
        ...go('test-dev', 'feature-dev'),
        writeTest(),
        ...go('feature-dev'),
        bash('npm test'),
        ...go('feature-dev', 'idle'),
        fix(),
        ...go('idle'),
        bash('npm test'),
        ...go('idle'),
        mcp('status'),
      ],
    });
    expect(transitions(calls)).toEqual([true, ['changed', 'tests'], ['tests'], true, ['tests'], ['tests'], true]);
    expect(json(calls.at(-1)).current_mode).toBe('idle');
  });

  test('in a worktree with its own mode, runs in the main project open no gate [w:evidence.worktree]', async () => {
    const { project } = place;
    place.write('.claude/modes.yaml', `scope: worktree\n${fs.readFileSync(`${project}/.claude/modes.yaml`, 'utf8')}`);
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: project, stdio: 'pipe' });
    place.write('test/old.test.js', "require('node:test').test('old', () => undefined);\n");
    git('init', '-q', '-b', 'main');
    git('add', '.');
    git('commit', '-q', '-m', 'x');
    const tree = `${project}/.claude/worktrees/side`;
    const { calls } = await session({
      ...place,
      turns: [
        use('EnterWorktree', { name: 'side' }),
        ...go('test-dev'),
        use('Write', { file_path: `${tree}/test/sum.test.js`, content: failing }),
        ...go('feature-dev'),
        bash('npm test'),
        ...go('feature-dev'),
        use('Write', { file_path: `${tree}/src/sum.js`, content: 'exports.sum = () => 3;\n' }),
        use('ExitWorktree', { action: 'keep' }),
        ...go('test-dev'),
        bash('npm test'),
        use('EnterWorktree', { path: tree }),
        ...go('idle'),
        bash('npm test'),
        ...go('idle'),
      ],
    });
    expect(calls.filter(({ name }) => name === 'Bash').map(({ refused }) => refused === true)).toEqual([true, false, false]);
    expect(transitions(calls)).toEqual([true, ['tests'], true, true, ['tests'], true]);
  });

  test('other commands do not count as a failing run of npm test [w:evidence.wrapped] [w:evidence.foreground]', async () => {
    const others = [
      'npm test || true',
      'npm test; false',
      "sh -c 'npm test'",
      'npm test | cat',
      'timeout 1 npm test',
      'cd test && npm test',
      'npm tset',
      'npm test -- --test-name-pattern=none; exit 3',
    ];
    const { calls } = await session({
      ...place,
      turns: [
        ...go('test-dev'),
        writeTest(),
        ...others.map((command) => bash(command)),
        use('Bash', { command: 'npm test', description: 'x', run_in_background: true }),
        ...go('feature-dev'),
      ],
      args: ['--allowedTools', 'Bash'],
    });
    expect(transitions(calls)).toEqual([true, ['tests']]);
  });

  test('a test that a program changed in feature-dev closes the gate [w:files.unchanged]', async () => {
    const { calls } = await session({
      ...place,
      turns: [
        ...go('test-dev'),
        writeTest(),
        bash('npm test'),
        ...go('feature-dev'),
        bash('npm test'),
        use('Write', {
          file_path: `${place.project}/src/sum.js`,
          content: `require('fs').writeFileSync('${place.project}/test/sum.test.js', '');\n`,
        }),
        bash('npm test'),
        bash('npm test'),
        ...go('idle'),
      ],
    });
    expect(transitions(calls)).toEqual([true, true, ['tests', 'unchanged']]);
    expect(json(calls.at(-1)).reason).toContain('test/sum.test.js');
  });
});
