// What one policy does wrong never weakens what another says, whichever comes first, and is told with its file and line.
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { configure } from '../../../src/app/dry-run.ts';
import type { Decision } from '../../../src/model/decision.ts';
import { root } from '../../support/compiler.ts';
import { makeFolder } from '../../support/folder-project.ts';
import { contentOf } from './content.ts';

const home = makeFolder();

/** The decision on a Write in a project with these policies, by name. */
async function decided(policies: Record<string, string>): Promise<Decision> {
  const files = Object.entries(policies).map(([name, text]) => ({
    name: `.claude/policies/${name}.rego`,
    text: `package modes.policy.${name}\n\n${text}\n`,
  }));
  const content = contentOf([
    { name: '.claude/modes.yaml', text: 'name: x\ndefault: m\nmodes:\n  m:\n' },
    { name: '.claude/settings.m.json', text: '{"permissions":{"allow":["Write(**)"]}}' },
    ...files,
  ]);
  const env = { HOME: home, PATH: process.env.PATH };
  const configured = await configure(content, { root: path.join(home, 'p'), trusted: true, env, packageRoot: root });
  expect(configured.problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  const call = { tool: 'Write', input: { file_path: path.join(home, 'p/a.ts'), content: '' }, cwd: path.join(home, 'p') };
  return configured.decide({ ...call, sessionId: null, agentId: null, agentType: null, permissionMode: null } as never, null);
}

const SAYS = {
  deny: 'deny contains "no"',
  ask: 'ask contains "sure?"',
  allow: 'allow contains "yes"',
  context: 'context contains "x"',
};

/** Each is a deny that names the policy, its file and its line. */
const FAULTS: [what: string, rego: string, said: RegExp][] = [
  ['a number', 'allow contains 1 if input.mode', /allow of the policy NAME .*NAME\.rego:3/],
  ['an object without a reason', 'ask contains {"remedy": "x"}', /ask of the policy NAME .*NAME\.rego:3/],
  ['a reason that is none', 'allow contains {"reason": ["x"]}', /allow of the policy NAME .*NAME\.rego:3/],
  ['a key too many', 'ask contains {"reason": "x", "effect": "allow"}', /ask of the policy NAME .*NAME\.rego:3/],
  ['a remedy that is none', 'ask contains {"reason": "x", "remedy": 1}', /ask of the policy NAME .*NAME\.rego:3/],
  ['two values for one rule', 'x := 1\n\nx := 2 if input.mode\n\nallow contains "x" if x', /NAME\.rego:5/],
  [
    'a format that only shows when it runs',
    'allow contains sprintf(concat("", ["%", "x"]), [1])',
    /policy NAME stopped: sprintf does not support "%x"/,
  ],
  [
    'no end',
    'allow contains "x" if {\n\tn := numbers.range(1, 3000)\n\tcount([1 | some a in n; some b in n; some c in n; a + b == c]) == 0\n}',
    /policy NAME takes longer than 250 ms/,
  ],
];

describe.each(FAULTS)('%s', (_, rego, said) => {
  test.each(['a_fault', 'z_fault'])('as %s beside each effect is a deny', async (name) => {
    for (const [effect, other] of Object.entries(SAYS)) {
      const { decision, reason, policies } = await decided({ [name]: rego, m_other: other });
      expect(decision, effect).toBe('deny');
      const reasons = [reason, ...policies.map((one) => `${one.reason} (${one.file}:${one.line})`)].join('\n');
      expect(reasons, effect).toMatch(new RegExp(said.source.replaceAll('NAME', name)));
    }
  });
});

test('the strictest of valid policies counts, in any order', async () => {
  const order = ['deny', 'ask', 'allow', 'context'] as const;
  for (const [at, first] of order.entries()) {
    for (const second of order.slice(at)) {
      const expected = first === 'context' ? 'allow' : first;
      expect((await decided({ a: SAYS[first], b: SAYS[second] })).decision, `${first} ${second}`).toBe(expected);
      expect((await decided({ a: SAYS[second], b: SAYS[first] })).decision, `${second} ${first}`).toBe(expected);
    }
  }
});

test('a policy with long texts is no fault', async () => {
  const hosts = 'h'.repeat(900_000);
  const { decision, reason } = await decided({
    long: `hosts := "${hosts}"\n\nask contains "sure?" if not contains(hosts, input.tool.name)`,
  });
  expect(decision, reason).toBe('ask');
});
