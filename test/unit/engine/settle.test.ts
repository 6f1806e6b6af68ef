// An ask by default names the lines that would settle it, and these lines do.
import { describe, expect, test } from 'vitest';
import { hookAnswer } from '../../../src/engine/answer.ts';
import { decide } from '../../../src/engine/decide.ts';
import type { ModePolicy } from '../../../src/engine/policies.ts';
import { allowLines } from '../../../src/engine/settle.ts';
import { callOf, noInterest } from '../../support/call.ts';
import { judge, judged } from '../../support/judge.ts';
import { makeTree } from '../../support/tree.ts';

const asking = { defaults: { project: 'ask' as const } };

describe('the suggested lines', () => {
  const rows: [string, Record<string, unknown>, string[]][] = [
    ['Write', { file_path: 'src/a.ts', content: 'x' }, ['Write(/src/a.ts)']],
    ['Edit', { file_path: 'a.ts', old_string: 'a', new_string: 'b' }, ['Write(/a.ts)']],
    ['Edit', { file_path: 'app/[id]/page.ts', old_string: 'a', new_string: 'b' }, ['Write(/app/**)']],
    ['Read', { file_path: '/srv/x/a.ts' }, ['Read(//srv/x/a.ts)']],
    ['Read', { file_path: 'a.ts' }, ['Read(/a.ts)']],
    ['Grep', { pattern: 'x', path: 'src' }, ['Read(/src)']],
    ['Grep', { pattern: 'x' }, ['Read(/**)']],
    ['Bash', { command: 'ls -l' }, ['Bash(ls -l)']],
    ['Bash', { command: 'npm test && git status' }, ['Bash(npm test)', 'Bash(git status)']],
    ['Bash', { command: 'echo x > out.txt' }, ['Bash(echo x)', 'Write(/out.txt)']],
    ['Bash', { command: 'cat /etc/hosts' }, ['Bash(cat /etc/hosts)', 'Read(//etc/hosts)']],
    ['Bash', { command: 'find . -name "*.ts"' }, ['Bash(find . -name \\*.ts)']],
    ['Bash', { command: 'bash -c "ls"' }, ['Bash(bash -c ls)', 'Bash(@read-only)']],
    ['Bash', { command: 'curl -s https://a.example/x' }, ['Bash(curl -s https://a.example/x)']],
    ['Bash', { command: 'env' }, ['Bash(env)']],
    ['WebFetch', { url: 'https://a.example/x', prompt: 'p' }, ['WebFetch(domain:a.example)']],
    ['WebSearch', { query: 'x' }, ['WebSearch']],
    ['Agent', { subagent_type: 'Explore', prompt: 'x', description: 'x' }, ['Agent(Explore)']],
    ['mcp__db__query', { sql: 'x' }, ['mcp__db__query']],
  ];
  test.each(rows)('%s %j [s:headless.reason-default]', (tool, input, lines) => {
    const tree = makeTree();
    tree.folder('src');
    const { said, facts } = judged(tree, asking, tool, input);
    expect(said).toBe('ask default');
    expect(allowLines(facts)).toEqual(lines);
    expect(judge(tree, { ...asking, allow: lines }, tool, input)).toBe('allow rule');
  });
});

test('a headless session gets them in the answer [s:headless.reason-default]', () => {
  const tree = makeTree();
  const policy: ModePolicy = {
    bundle: 'b',
    evaluate: () => ({ verdict: 'ask', by: 'default', hits: [], unnamed: [], protections: [], policies: [] }),
    rule: () => null,
  };
  const facts = {
    place: tree.place(),
    pathFilter: noInterest,
    mode: 'm',
    state: { since: null, enteredBy: null },
    wantsInput: false,
    commands: [],
  };
  const told = (command: string) => {
    const fixture = { mode: 'm', degraded: null, policy, remaining: [], facts, remedy: '' };
    return hookAnswer(
      decide(callOf('Bash', { command }, tree.root), fixture, () => 'id'),
      true,
    );
  };
  expect(told('npm test')).toEqual({
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason:
        'No rule of m allows this call and its default is ask. This session is not interactive, so no one can approve the call. To allow this call, add Bash(npm test) under allow in settings.m.json.',
    },
  });
  const many = told('a; b; c; d; e; f').hookSpecificOutput?.permissionDecisionReason;
  expect(many).toMatch(
    /To allow this call, add Bash\(a\), Bash\(b\), Bash\(c\), Bash\(d\) and 2 more under allow in settings\.m\.json\.$/,
  );
});
