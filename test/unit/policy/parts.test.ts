// What policies are handed is what they name, and nothing that they could see is left out.
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { makeBundle } from '../../../src/policy/bundle.ts';
import { buildCustom } from '../../../src/policy/custom/build.ts';
import { GuardedEvaluator, workerFile } from '../../../src/policy/custom/guard.ts';
import { DECISIONS_ENTRYPOINT } from '../../../src/policy/evaluator.ts';
import { cutTo, partsNamed } from '../../../src/policy/parts.ts';
import { capabilities, coreModules, newCompiler, root } from '../../support/compiler.ts';
import { facts } from '../../support/generate-rules.ts';

const limitMs = 10_000;
const compiler = newCompiler();
afterAll(() => compiler.close());

describe('parts that are named', () => {
  test.each<[string, string[] | null]>([
    ['deny contains "x" if input.mode == "a"', ['mode']],
    ['some w in input.writes\n\tinput.tool.name == "a"', ['tool.name', 'writes']],
    ['input.tool.input.content', ['tool.input']],
    ['input.writes[_].path', ['writes']],
    ['t := input.tool\n\tt.name', ['tool']],
    ['import input.bash.commands as c', ['bash.commands']],
    ['x with input.mode as "a"', ['mode']],
    ['# see input.reads', ['reads']],
    ['$"{input.agent.type} may not"', ['agent.type']],
    ['my_input.x; inputs.y', []],
    ['input["mode"]', null],
    ['input[key]', null],
    ['count(input)', null],
    ['x with input as {}', null],
    ['object.get(input, "mode", "")', null],
    ['import input', null],
    ['# the input', null],
    ['input\n.mode', null],
  ])('%j', (text, expected) => {
    expect(partsNamed([text])).toEqual(expected);
  });
});

test.each([
  [['mode'], { mode: 'm' }],
  [['tool.name', 'tool.group'], { tool: { name: 'Bash', group: 'command' } }],
  [['tool', 'tool.name'], { tool: { name: 'Bash', group: 'command', server: null } }],
  [['tool.name', 'tool'], { tool: { name: 'Bash', group: 'command', server: null } }],
  [['bash.commands'], { bash: null }],
  [['reads.path'], { reads: [{ path: 'a' }] }],
  [['granted.off', 'nothing'], {}],
])('cut to %j', (parts, expected) => {
  const input = { mode: 'm', tool: { name: 'Bash', group: 'command', server: null }, bash: null, reads: [{ path: 'a' }] };
  expect(JSON.parse(JSON.stringify(cutTo(parts)(input)))).toEqual(expected);
});

/** Each looks at the input in another way. */
const LOOKS = [
  'some w in input.writes\n\tv := sprintf("%v", [w])',
  'v := sprintf("%v", [input])',
  'v := sprintf("%v", [input.tool])',
  'some key, value in input.bash\n\tv := sprintf("%v %v", [key, value])',
  'v := sprintf("%v", [input["domains"]])',
  'some key\n\tinput[key]\n\tv := key',
  'not input.bash\n\tv := input.tool.name',
  'not input.granted\n\tv := "none"',
  'walk(input.reads, [path, value])\n\tis_string(value)\n\tv := sprintf("%v %v", [path, value])',
  'v := object.get(input, ["tool", "group"], "none")',
  'input.mode == "x"\n\tv := "x"',
  'every w in input.writes { w.root == "project" }\n\tv := "all"',
  'v := sprintf("%v", [data.modes.policy.lib.seen])',
  'v := sprintf("%v", [imported.name])',
  'v := sprintf("%v", [count(input.may_write_anywhere)])',
];

test('a policy sees the same data for every form of access', async () => {
  const custom = Object.fromEntries(
    LOOKS.map((look, n) => [
      `p${n}.rego`,
      `package modes.policy.p${n}\n\nimport input.tool as imported\n\ndeny contains v if {\n\t${look}\n}\n`,
    ]),
  );
  const lib = { 'lib.rego': 'package modes.policy.lib\n\nseen contains command.name if some command in input.bash.commands\n' };
  const samples = fc.sample(facts, { numRuns: 40, seed: 7 });
  const differing = new Set<string>();
  for (const [name, text] of Object.entries(custom)) {
    const modules = text.includes('lib.seen') ? { [name]: text, ...lib } : { [name]: text };
    const built = await buildCustom(coreModules, modules, compiler, capabilities);
    if (!built.ok) throw new Error(JSON.stringify(built.problems));
    const [cut, whole] = [built.parts, null].map(
      // What is said counts here, however busy the machine is.
      (parts) =>
        new GuardedEvaluator(makeBundle({ ...built, parts, mode: 'm', data: {} }), { worker: workerFile(root), limitMs }),
    ) as [GuardedEvaluator, GuardedEvaluator];
    for (const input of samples) {
      const [one, other] = [cut.evaluate(input, DECISIONS_ENTRYPOINT), whole.evaluate(input, DECISIONS_ENTRYPOINT)];
      expect(one, text).toEqual(other);
      differing.add(JSON.stringify(one));
    }
    for (const evaluator of [cut, whole]) evaluator.close();
  }
  expect(differing.size).toBeGreaterThan(20);
}, 120_000);
