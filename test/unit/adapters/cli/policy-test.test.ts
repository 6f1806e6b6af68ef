// modes policy test: Rego tests and cases, their outcomes and exit codes, JSON and JUnit.
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readCases } from '../../../../src/adapters/cli/policy-cases.ts';
import { makePolicies, PUSH, policy, policyProgram } from './policies.ts';

const TESTS = `package modes.policy.no_force_push_test

import data.modes.policy.no_force_push

pushing := {"bash": {"commands": [{"name": "git", "argv": ["git", "push", "--force"]}]}}

test_force if count(no_force_push.deny) == 1 with input as pushing

test_verdict if data.modes.verdict.verdict == "deny" with input as object.union(pushing, {"tool": {"group": "command"}})

todo_test_later if false
`;
const CASES = `- call: Bash(git push --force)
  mode: feature-dev
  expect: deny
  rule: no_force_push
  reason: published history
- {call: Bash(git push), mode: feature-dev, expect: pass}
- call: Write(src/a.js)
  mode: test-dev
  expect: deny
  rule: Write(src/**)
- call: 'Write({"file_path": "test/a.test.js", "content": ""})'
  mode: test-dev
  expect: allow
- call: Write(test/a.test.js)
  mode: test-dev
  trusted: false
  expect: pass
`;

describe('a project', () => {
  test('whose tests and cases pass', { timeout: 120_000 }, async () => {
    const project = makePolicies({ 'push.rego': PUSH, 'push_test.rego': TESTS, 'below/push.cases.yaml': CASES });
    const program = await policyProgram();
    const ended = await program(project, 'test', '-v');
    expect(ended).toMatchObject({ code: 0, err: '' });
    expect(ended.out).toContain('.claude/policies/below/push.cases.yaml: 5 passed');
    expect(ended.out).toContain('PASS modes.policy.no_force_push_test.test_verdict (.claude/policies/push_test.rego:9)');
    expect(ended.out).toMatch(/SKIP .*todo_test_later/);
    expect(ended.out).toMatch(/^7 passed, 0 failed, 1 skipped$/m);
  });

  test('a failing test shows its expression and the values in it', async () => {
    const text = `${TESTS}\ntest_wrong if {\n\tprint("seen")\n\tcount(no_force_push.deny) == 2 with input as pushing\n}\n`;
    const ended = await policy(makePolicies({ 'push.rego': PUSH, 'push_test.rego': text }), 'test');
    expect(ended.code).toBe(1);
    expect(ended.out).toMatch(/FAIL modes\.policy\.no_force_push_test\.test_wrong \(\.claude\/policies\/push_test\.rego:13\)/);
    expect(ended.out).toContain('.claude/policies/push_test.rego:15');
    expect(ended.out).toContain('count(no_force_push.deny) == 2');
    expect(ended.out).toContain('published history is not rewritten');
    expect(ended.out).toContain('printed:');
  });

  test.each<[string, string, RegExp]>([
    ['another answer', '- {call: Bash(git push --force), expect: allow}', /expected allow, got deny: published history/],
    [
      'another rule',
      '- {call: Bash(git push --force), expect: deny, rule: Bash(git push)}',
      /expected Bash\(git push\) to decide, no_force_push did/,
    ],
    ['another reason', '- {call: Bash(git push --force), expect: deny, reason: secret}', /expected "secret" in the reason/],
    [
      'a policy that said something else',
      '- {call: Write(src/a.js), mode: test-dev, expect: deny, rule: writes_are_asked}',
      /expected writes_are_asked to decide, Write\(src\/\*\*\), /,
    ],
    ['a call that is none', '- {call: Bash, expect: deny}', /ERROR Bash[\s\S]*The call is malformed/],
    [
      'an unknown mode',
      '- {call: Read(a), mode: test-dve, expect: pass}',
      /there is no mode "test-dve"\. Did you mean test-dev\?/,
    ],
  ])('a case fails on %s', async (_, text, message) => {
    const asked = 'package modes.policy.writes_are_asked\n\nask contains "sure?" if input.tool.name == "Write"\n';
    const ended = await policy(makePolicies({ 'push.rego': PUSH, 'asked.rego': asked, 'p.cases.yaml': `${text}\n` }), 'test');
    expect(ended.code).toBe(1);
    expect(ended.out).toMatch(/p\.cases\.yaml:1/);
    expect(ended.out).toMatch(message);
  });

  test('JSON and JUnit have the same results', async () => {
    const project = makePolicies({
      'push.rego': PUSH,
      'p.cases.yaml': '- {call: "Bash(ls <&>)", name: "a <b> & \\"c\\"", expect: deny}\n',
    });
    const program = await policyProgram();
    const ended = await program(project, 'test', '--json', '--junit', 'out.xml');
    expect(ended.code).toBe(1);
    const { tests, ...counts } = JSON.parse(ended.out);
    expect(counts).toEqual({ passed: 0, failed: 1, skipped: 0, problems: [] });
    expect(tests).toMatchObject([{ kind: 'case', file: '.claude/policies/p.cases.yaml', line: 1, outcome: 'fail' }]);
    const xml = project.get('out.xml');
    expect(xml).toContain('<testcase name="a &lt;b&gt; &amp; &quot;c&quot;"');
    expect(xml).toContain('<testsuite name=".claude/policies/p.cases.yaml" tests="1" failures="1"');
  });

  test('-r selects tests and cases, and the others do not count', async () => {
    const project = makePolicies({ 'push.rego': PUSH, 'push_test.rego': TESTS, 'push.cases.yaml': CASES });
    expect((await policy(project, 'test', '-r', 'test_force$')).out).toMatch(/^1 passed, 0 failed$/m);
    expect((await policy(project, 'test', '-r', 'Write')).out).toMatch(/^3 passed, 0 failed$/m);
    const none = await policy(project, 'test', '-r', 'nothing');
    expect([none.code, none.err]).toEqual([
      0,
      'nothing matches /nothing/: a test is named package.test_name, a case file:line call\n',
    ]);
    expect((await policy(project, 'test', '-r', 'nothing', '--fail-on-empty')).code).toBe(1);
    expect((await policy(project, 'test', '-r', '(')).code).toBe(64);
  });

  test('a policy that does not compile fails both, each once, with its place', async () => {
    const files = { 'push.rego': `${PUSH}\nask contains x if true\n`, 'push_test.rego': TESTS, 'push.cases.yaml': CASES };
    const ended = await policy(makePolicies(files), 'test');
    expect(ended.code).toBe(1);
    expect(ended.err.match(/E_REGO_UNSAFE_VAR/g)).toHaveLength(1);
    expect(ended.err).toContain('.claude/policies/push.rego:13:');
  });

  test('single files and folders may be named; a standalone folder needs no project', async () => {
    const project = makePolicies({ 'push.rego': PUSH, 'push_test.rego': TESTS, 'push.cases.yaml': CASES });
    expect((await policy(project, 'test', '.claude/policies/push.cases.yaml')).out).toMatch(/^5 passed, 0 failed$/m);
    expect((await policy(project, 'test', '.claude/policies')).out).toMatch(/^7 passed, 0 failed/m);
    project.put('test/policy/more.cases.yaml', '- {call: Bash(git push --force), mode: feature-dev, expect: deny}\n');
    expect((await policy(project, 'test', 'test/policy')).out).toBe(
      'test/policy/more.cases.yaml: 1 passed\n1 passed, 0 failed\n',
    );
    fs.mkdirSync(path.join(project.home, 'alone'));
    fs.writeFileSync(path.join(project.home, 'alone/push.rego'), PUSH);
    fs.writeFileSync(
      path.join(project.home, 'alone/push.cases.yaml'),
      '- {call: Bash(git push --force), mode: anything, expect: deny, rule: no_force_push}\n',
    );
    const alone = await policy(project, 'test', '../alone', '-v');
    expect(alone).toMatchObject({ code: 0, err: '' });
    expect(alone.out).toContain('../alone/push.cases.yaml: 1 passed');
    expect((await policy(project, 'test', 'nowhere')).code).toBe(64);
  });
});

describe('a file of cases', () => {
  test.each<[string, string, string, number]>([
    ['no list', 'call: Bash(ls)\n', 'E_WRONG_TYPE', 1],
    ['an unknown key', '- {call: Bash(ls), expect: deny, mod: x}\n', 'E_UNKNOWN_KEY', 1],
    ['a missing call', '- expect: deny\n', 'E_MISSING_KEY', 1],
    ['an unknown answer', '- call: Bash(ls)\n  expect: refuse\n', 'E_UNKNOWN_VALUE', 2],
    ['what is no call', '- expect: deny\n  call: "git push!"\n', 'E_WRONG_TYPE', 2],
    ['a call that is no JSON', '- expect: deny\n  call: "Bash({x)"\n', 'E_WRONG_TYPE', 2],
    ['broken YAML', '- call: "Bash(ls)\n', 'E_YAML_SYNTAX', 2],
  ])('with %s is refused at its place', (_, text, code, line) => {
    const { cases, problems } = readCases('p.cases.yaml', text);
    expect(cases).toEqual([]);
    expect(problems).toMatchObject([{ code, file: 'p.cases.yaml', line }]);
  });
});
