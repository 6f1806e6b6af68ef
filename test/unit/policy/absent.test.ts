// What a policy decides by and that is never there is told before it runs, by whatever name the policy calls it.
import { afterAll, describe, expect, test } from 'vitest';
import type { Modules } from '../../../src/policy/compiler/types.ts';
import { checkPolicies } from '../../../src/policy/custom/check.ts';
import { capabilities, coreModules as core, newCompiler } from '../../support/compiler.ts';

const compiler = newCompiler();
afterAll(() => compiler.close());

const vocabulary = { modes: new Set(['idle', 'test-dev']), tools: new Set(['Bash', 'Write']) };
const LIBRARY =
  'package modes.policy.lib\n\nis_push if input.bash.class == "runs"\n\nhosts := {"a.b"}\n\nask contains "x" if is_push\n';
const policy = (body: string) => `package modes.policy.p\n\n${body}\n`;
async function found(body: string) {
  const custom: Modules = { 'p.rego': policy(body), 'lib.rego': LIBRARY };
  return checkPolicies({ core, custom, tests: {} }, { compiler, capabilities, vocabulary });
}

describe('a comparison with an unknown name is reported', () => {
  test.each<[what: string, body: string, line: number, column: number, said: RegExp]>([
    ['a variable', 'deny contains "x" if {\n\tname := input.tool.name\n\tname == "Bsh"\n}', 5, 10, /input\.tool\.name .*"Bsh"/],
    ['a part of a variable', 'deny contains "x" if {\n\ttool := input.tool\n\ttool.name == "Bsh"\n}', 5, 15, /"Bash"/],
    [
      'each of a list',
      'deny contains "x" if {\n\tsome write in input.writes\n\twrite.root == "projekt"\n}',
      5,
      16,
      /input\.writes\[_\]\.root .*"project"/s,
    ],
    [
      'each of a list with its index',
      'deny contains "x" if {\n\tsome i, c in input.bash.commands\n\tc.class == "run"\n\ti > 0\n}',
      5,
      13,
      /"runs"/,
    ],
    ['every one of a list', 'deny contains "x" if {\n\tevery w in input.writes { w.root == "tmp" }\n}', 4, 38, /"temp"/],
    ['any place of a list', 'deny contains "x" if input.reads[_].root == "tmp"', 3, 45, /"temp"/],
    ['a constant', 'tools := {"Bash", "Wriet"}\n\ndeny contains "x" if input.tool.name in tools', 3, 19, /"Write"/],
    ['a constant text', 'mode := "idel"\n\ndeny contains "x" if {\n\tnow := input.mode\n\tnow == mode\n}', 3, 9, /"idle"/],
  ])('%s', async (_, body, line, column, said) => {
    const problems = await found(body);
    expect(problems).toMatchObject([{ code: 'E_POLICY_NEVER', file: 'p.rego', line, column }]);
    expect(`${problems[0]?.message}\n${problems[0]?.remedy}`).toMatch(said);
  });
});

describe('no problem is reported for', () => {
  test.each([
    [
      'a variable of two meanings',
      'deny contains "x" if {\n\tsome w in input.writes\n\tsome d in [w | some w in input.domains; w.host == "x"]\n\td\n}',
    ],
    [
      'a constant that is used for something else too',
      'words := {"Bash", "else"}\n\ndeny contains "x" if input.tool.name in words\n\nask contains "y" if input.bash.commands[_].name in words',
    ],
    [
      'another’s variable of that name',
      'deny contains "x" if {\n\tname := input.tool.name\n\tname == "Bash"\n}\n\nask contains "y" if {\n\tname := input.bash.commands[_].name\n\tname == "make"\n}',
    ],
    ['a text about data', 'deny contains "see data.modes.verdict and data.csv" if input.mode # data.modes.verdict'],
    [
      'rules of another policy',
      'deny contains "x" if {\n\tdata.modes.policy.lib.is_push\n\tnot "c" in data.modes.policy.lib.hosts\n}',
    ],
    ['rules of an imported one', 'import data.modes.policy.lib\n\ndeny contains "x" if lib.is_push'],
    ['the settings', 'deny contains "x" if data.rules.trusted == false'],
  ])('%s', async (_, body) => {
    expect(await found(body)).toEqual([]);
  });
});

describe('missing data is reported', () => {
  test.each<[what: string, body: string, line: number, said: RegExp]>([
    ['of the core', 'deny contains "x" if data.modes.verdict', 3, /^a policy cannot read data\.modes\.verdict, .*Decide by/s],
    [
      'of the core, written otherwise',
      'deny contains "x" if data["modes"].verdict',
      3,
      /^a policy cannot read data\.modes\.verdict, /,
    ],
    ['all of it', 'deny contains "x" if count(data) > 1', 3, /^a policy cannot read data,/],
    ['by a variable', 'deny contains "x" if {\n\tsome y\n\tdata[y]\n}', 5, /^a policy cannot read data,/],
    ['of nobody', 'deny contains "x" if data.things.a == 1', 3, /^a policy cannot read data\.things\.a, /],
    ['of a policy that does not exist', 'deny contains "x" if data.modes.policy.lab.is_push', 3, /Did you mean "lib"/],
    ['a rule that does not exist', 'deny contains "x" if data.modes.policy.lib.is_pushed', 3, /Did you mean "is_push"/],
    ['a rule of an import', 'import data.modes.policy.lib as l\n\ndeny contains "x" if l.host', 5, /Did you mean "hosts"/],
  ])('%s', async (_, body, line, said) => {
    const problems = await found(body);
    expect(problems[0]).toMatchObject({ code: 'E_POLICY_NEVER', file: 'p.rego', line });
    expect(`${problems[0]?.message}\n${problems[0]?.remedy}`).toMatch(said);
  });
});

test.each([
  ['nothing', ''],
  ['a comment', '# later\n'],
])('a file with %s in it has a place', async (_, text) => {
  const problems = await checkPolicies({ core, custom: { 'p.rego': text }, tests: {} }, { compiler, capabilities, vocabulary });
  expect(problems).toMatchObject([{ code: 'E_REGO_PARSE', file: 'p.rego', line: 1, column: 1 }]);
});
