// modes policy coverage: what never decided anything, in every form.
import { expect, test } from 'vitest';
import { makePolicies, PUSH, policy, policyProgram } from './policies.ts';

const MORE = `${PUSH}
deny contains "never met" if input.tool.name == "WebFetch"

ask contains "met by a test alone" if input.tool.name == "WebSearch"
`;
const FILES = {
  'push.rego': MORE,
  'push_test.rego':
    'package modes.policy.no_force_push_test\n\ntest_ask if count(data.modes.policy.no_force_push.ask) == 1 with input as {"tool": {"name": "WebSearch"}}\n',
  'push.cases.yaml':
    '- {call: Bash(git push --force), mode: feature-dev, expect: deny}\n- {call: Write(src/<a>.js), mode: test-dev, expect: deny}\n',
};

test('rules of settings count if they decided a case, rules of Rego if they were true in a test or case', async () => {
  const project = makePolicies(FILES);
  const program = await policyProgram();
  const { code, out } = await program(project, 'coverage', '--json');
  expect(code).toBe(0);
  const { rules, files, percent } = JSON.parse(out) as {
    rules: { file: string; line: number; text: string; decided: number; kind: string }[];
    files: Record<string, { covered: number[]; missed: number[] }>;
    percent: number;
  };
  const rego = rules.filter(({ kind }) => kind === 'rego').map(({ line, text, decided }) => [line, text, decided]);
  expect(rego).toEqual([
    [6, 'deny', 1],
    [13, 'deny', 0],
    [15, 'ask', 1],
  ]);
  expect(files['.claude/policies/push.rego']).toMatchObject({ missed: [13] });
  const settings = rules.filter(({ kind, decided }) => kind === 'settings' && decided > 0);
  expect(settings.map(({ text, decided }) => [text, decided])).toContainEqual(['Write(src/**)', 1]);
  expect(percent).toBeGreaterThan(0);
  expect(percent).toBeLessThan(50);
});

test('as a table, LCOV and a page; a missed threshold fails', async () => {
  const project = makePolicies(FILES);
  const table = await policy(project, 'coverage', '--threshold', '99');
  expect(table.code).toBe(1);
  expect(table.out).toContain('never: .claude/policies/push.rego:13 deny');
  expect(table.out).not.toContain('never: .claude/policies/push.rego:15');
  const lcov = (await policy(project, 'coverage', '--format', 'lcov')).out;
  expect(lcov).toMatch(/SF:\.claude\/policies\/push\.rego\n(DA:\d+,[01]\n)+LF:7\nLH:6\nend_of_record/);
  await policy(project, 'coverage', '--format', 'html', '-o', 'out/coverage.html');
  const html = project.get('out/coverage.html');
  expect(html).toContain('<span class="never"><i>13</i>deny contains &quot;never met&quot;');
  expect(html).not.toMatch(/<(script|link|img|iframe)|<a>/);
  expect((await policy(project, 'coverage', '--threshold', 'x')).code).toBe(64);
  expect((await policy(project, 'coverage', '--format', 'x')).code).toBe(64);
});
