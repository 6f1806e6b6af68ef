// Policies with fields that do not exist and comparisons that never hold: they are not compiled, and the message names what was meant.
import { describe, expect, test } from 'vitest';
import type { Modules } from '../../../src/policy/compiler/types.ts';
import { buildCustom } from '../../../src/policy/custom/build.ts';
import { capabilities, coreModules as core, newCompiler } from '../../support/compiler.ts';

const compiler = newCompiler();
const module = (name: string, rules: string) => `package modes.policy.${name}\n\n${rules}\n`;
const build = (modules: Modules) => buildCustom(core, modules, compiler, capabilities);
const problemsOf = async (rules: string, lib?: string) => {
  const built = await build({ 'p.rego': module('p', rules), ...(lib !== undefined && { 'lib.rego': module('lib', lib) }) });
  return built.ok ? [] : built.problems;
};
const when = (condition: string) => `deny contains "x" if { ${condition} }`;
const each = (condition: string) => when(`some c in input.bash.commands; ${condition}`);

describe('a name from another tool [s:policy.typed]', () => {
  test.each<[written: string, meant: string]>([
    ['input.tool_name == "Bash"', 'input.tool.name'],
    ['input.toolName == "Bash"', 'input.tool.name'],
    ['input.tool_input.command == "x"', 'input.bash.commands[_].text'],
    ['input.toolInput.command == "x"', 'input.bash.commands[_].text'],
    ['input.tool_input.file_path == "x"', 'input.writes[_].path` or `input.reads[_].path'],
    ['input.tool_input.notebook_path == "x"', 'input.writes[_].path'],
    ['input.tool_input.path == "x"', 'input.writes[_].path'],
    ['input.tool_input.url == "x"', 'input.domains[_].host'],
    ['input.tool_input.content == "x"', 'input.tool.input.content'],
    ['input.tool_input.subagent_type == "x"', 'input.agents[_]'],
    ['input.tool_input.anything == "x"', 'input.tool.input.anything'],
    ['input.tool_input', 'input.tool.input'],
    ['input["tool_input"]["command"]', 'input.bash.commands[_].text'],
    ['input.hook_event_name == "PreToolUse"', 'input.event'],
    ['input.session_id == "x"', 'input.session.id'],
    ['input.permission_mode == "plan"', 'input.session.permission_mode'],
    ['input.agent_type == "x"', 'input.agent.type'],
    ['input.command == "x"', 'input.bash.commands[_].text'],
    ['contains(input.bash.command, "x")', 'input.bash.commands[_].text'],
    ['input.tool.command == "x"', 'input.bash.commands[_].text'],
    ['input.file_path == "x"', 'input.writes[_].path'],
    ['input.path == "x"', 'input.writes[_].path'],
    ['input.url == "x"', 'input.domains[_].host'],
    ['input.argv[0] == "x"', 'input.bash.commands[_].argv'],
    ['input.server == "x"', 'input.tool.server'],
    ['input.commands[_].name == "x"', 'input.bash.commands'],
    ['input.tol.name == "x"', 'input.tool'],
    ['input.tool.nmae == "x"', 'input.tool.name'],
    ['input.bash.comands[_].name == "x"', 'input.bash.commands'],
    ['input.bash.commands[_].nmae == "x"', 'input.bash.commands[_].name'],
    ['input.bash.commands[0].command == "x"', 'input.bash.commands[_].text'],
    ['input.bash.commands.text == "x"', 'input.bash.commands[_].text'],
    ['input.writes.path == "x"', 'input.writes[_].path'],
    ['input.writes[_].file == "x"', 'input.writes[_].path'],
    ['input.domains[_].domain == "x"', 'input.domains[_].host'],
    ['not input.tool_name', 'input.tool.name'],
    ['lower(input.tool_name) == "bash"', 'input.tool.name'],
    ['count(input.tool_input) > 0', 'input.tool.input'],
    ['object.get(input, "tool_name", "") == "Bash"', 'input.tool.name'],
    ['object.get(input, ["tool_input", "command"], "") == "x"', 'input.bash.commands[_].text'],
    ['field := "tool_name"; input[field] == "Bash"', 'input.tool.name'],
    ['some key, _ in input; key == "tool_name"', 'input.tool.name'],
    ['given := input; given.tool_name == "Bash"', 'input.tool.name'],
    ['given := object.get(input, "tool_input", {}); given.command == "x"', 'input.tool.input'],
    ['p := ["tool_input", "command"]; object.get(input, p, "") == "x"', 'input.tool.input'],
    ['"tool_input" in object.keys(input)', 'input.tool.input'],
    ['"tool_input" in input', 'input.tool.input'],
    ['walk(input, [path, value]); path[0] == "tool_input"; value == "x"', 'input.tool.input'],
    ['object.union(input, {})["tool_name"] == "Bash"', 'input.tool.name'],
    ['object.keys(input)[_] == "hook_event_name"', 'input.event'],
  ])('%s', async (written, meant) => {
    const problems = await problemsOf(when(written));
    expect(problems).toMatchObject([{ code: 'E_REGO_TYPE', severity: 'error', file: 'p.rego', line: 3 }]);
    expect(problems[0]?.message).toContain(`does not exist`);
    expect(problems[0]?.message).toContain(`here it is \`${meant}`);
    expect(problems[0]?.remedy).toContain('Write `');
  });

  test.each([
    ['input.cwd == "/x"', /does not contain it/, /resolved already/],
    ['input.transcript_path', /does not contain it/, /modes check/],
    ['input.tool_response', /does not contain it/, /before the tool runs/],
    ['input.mode.name == "x"', /`input\.mode` has no fields/, /modes check/],
    ['input.zzzzzzzzzz', /`input` has agent, agents, bash/, /modes check/],
  ])('%s has no equivalent', async (written, message, remedy) => {
    expect(await problemsOf(when(written))).toMatchObject([
      { code: 'E_REGO_TYPE', message: expect.stringMatching(message), remedy: expect.stringMatching(remedy) },
    ]);
  });
});

test.each([
  ['# METADATA\n# schemas:\n#   - input: {}\n', 'package modes.policy.p'],
  ['# METADATA\n# scope: package\n# schemas:\n#   - input.tool_input: {type: string}\n', 'package modes.policy.p'],
  ['# METADATA\n# scope: package\n# schemas: [{input: {}}]\n', 'package modes.policy.p'],
])('METADATA cannot give the input another type: %j', async (metadata, head) => {
  const built = await build({ 'p.rego': `${metadata}${head}\n\n${when('input.tool_input == "x"')}\n` });
  expect(built).toMatchObject({ ok: false, problems: [{ code: 'E_POLICY_METADATA', severity: 'error', file: 'p.rego' }] });
});

describe('a misspelt field of an element', () => {
  test.each<[where: string, rules: string, lib?: string]>([
    ['a loop', each('c.nmae == "git"')],
    ['a loop by index', when('some i; input.bash.commands[i].nmae == "git"')],
    ['every', when('every c in input.bash.commands { c.nmae == "git" }')],
    ['every with an index', when('every i, c in input.bash.commands { i >= 0; c.nmae == "git" }')],
    ['every over a comprehension', when('every c in [x | some x in input.bash.commands] { c.nmae == "git" }')],
    ['an array comprehension', when('count([c | some c in input.bash.commands; c.nmae == "git"]) > 0')],
    ['the head of a comprehension', when('"git" in {c.nmae | some c in input.bash.commands}')],
    ['an object comprehension', when('by := {c.name: c | some c in input.bash.commands}; by["git"].nmae == "x"')],
    ['a template', 'deny contains $"{c.nmae} x" if { some c in input.bash.commands }'],
    ['a format', 'deny contains sprintf("%s", [c.nmae]) if { some c in input.bash.commands }'],
    ['a remedy', 'deny contains {"reason": "x", "remedy": c.nmae} if { some c in input.bash.commands }'],
    ['not', each('not c.nmae == "git"')],
    ['a set of the policy', `gits contains c if { some c in input.bash.commands }\n\n${when('some g in gits; g.nmae == "x"')}`],
    ['a function', `f(c) if c.nmae == "git"\n\n${each('f(c)')}`],
    ['a function that calls another', `f(c) if g(c, "git")\n\ng(c, n) if c.nmae == n\n\n${each('f(c)')}`],
    ['one of several definitions', `f(c) if c.nmae == "git"\n\nf(c) if c.name == "hub"\n\n${each('f(c)')}`],
    ['an else', `f(c) if { c.name == "a" } else if { c.nmae == "b" }\n\n${each('f(c)')}`],
    [
      'a comprehension in a function',
      `f(cs) := {c | some c in cs; c.nmae == "git"}\n\n${when('count(f(input.bash.commands)) > 0')}`,
    ],
    ['the result of a function', `f(c) := c\n\n${each('f(c).nmae == "git"')}`],
    ['a pattern as parameter', `f([c, n]) if c.nmae == n\n\n${each('f([c, "x"])')}`],
    ['a negated function', `f(c) if c.nmae == "git"\n\n${each('not f(c)')}`],
    ['a function inside every', `f(c) if c.nmae == "git"\n\n${when('every c in input.bash.commands { f(c) }')}`],
    ['a helper package', `import data.modes.policy.lib\n\n${each('lib.f(c)')}`, 'f(c) if c.nmae == "git"'],
    [
      'a set of a helper package',
      `import data.modes.policy.lib\n\n${when('some c in lib.gits')}`,
      'gits contains c if { some c in input.bash.commands; c.nmae == "git" }',
    ],
  ])('in %s', async (_, rules, lib) => {
    const problems = await problemsOf(rules, lib);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ code: 'E_REGO_TYPE', file: lib === undefined ? 'p.rego' : 'lib.rego' });
    expect(problems[0]?.message).toMatch(/nmae` does not exist: here it is `.*name`/);
    const { lineText = '', column = 1 } = problems[0]!;
    expect(lineText.slice(column - 1)).not.toBe('');
  });
});

describe('a comparison that can never hold', () => {
  test.each<[written: string, meant?: string]>([
    ['input.tool == "Bash"', 'input.tool.name'],
    ['"Bash" == input.tool', 'input.tool.name'],
    ['input.tool != "Bash"', 'input.tool.name'],
    ['input.bash == "git push"', 'input.bash.commands[_].text'],
    ['input.bash.commands[_] == "git push"', 'input.bash.commands[_].text'],
    ['"git push" in input.bash.commands', 'input.bash.commands[_].text'],
    ['"src/a.js" in input.writes', 'input.writes[_].path'],
    ['input.agent == "Explore"', 'input.agent.type'],
    ['input.writes == "src"', 'input.writes[_].path'],
    ['input.reads > 5'],
    ['input.mode == 3'],
    ['input.mode == null'],
    ['input.context.used_percent > "50"'],
    ['input.bash.network == "true"'],
    ['input.writes[0].deep == "true"'],
    ['startswith(input.tool, "mcp__")'],
    ['regex.match("x", input.bash.commands)'],
    ['some c in input.bash.commands; c.class != 5'],
    ['some c in input.bash.commands; c.argv == "push"'],
  ])('%s', async (written, meant) => {
    const problems = await problemsOf(when(written));
    expect(problems).toMatchObject([{ code: 'E_REGO_TYPE', severity: 'error', file: 'p.rego', line: 3 }]);
    if (meant !== undefined) expect(problems[0]?.remedy).toContain(`Write \`${meant}\``);
  });

  test('in a function, reported at the function', async () => {
    const problems = await problemsOf(`is_tool(t) if input.tool == t\n\n${when('is_tool("Bash")')}`);
    expect(problems[0]).toMatchObject({ code: 'E_REGO_TYPE', line: 3 });
  });
});

describe('no problem is found in', () => {
  test.each<[string, string?]>([
    [when('input.bash == null')],
    [when('input.bash != null; input.agent.type == null')],
    [when('input.tool.server != null; startswith(input.tool.server, "x")')],
    [each('c.argv[0] == null')],
    [each('c.argv[1] in ["push", null]')],
    [each('c.argv == ["git", "push"]')],
    [each('some word in c.argv; word == "--force"')],
    [when('input.tool.input.command == "x"')],
    [when('input.tool.params.model == "opus"')],
    [when('input.granted.writes[0] == 0')],
    [when('count(input.may_write_anywhere) > 0')],
    [when('some part in input.may_write_anywhere; part.class == "unknown"')],
    [when('input.state.plan.approved; input.state.task.name == "x"')],
    [when('input.context.used_percent > 50')],
    [when('some w in input.writes; w.protection.effect == "ask"; w.command >= 0')],
    [when('input.writes[_].path == input.reads[_].path')],
    [when('data.rules.trusted; data.rules.effect[_] == "deny"')],
    [when('some key, value in input.tool.params; key == "command"; value == "x"')],
    [when('walk(input, [_, value]); value == "rm"')],
    [`# "tool_input" is the client's name.\n${when('f(input)')}\n\nf(x) if x.mode == "y"`],
    [`${when('object.get(input.tool.input, "tool_name", "") == "x"; f(input)')}\n\nf(x) if x.mode == "y"`],
    [when('input.tool.params["tool_name"] == "x"')],
    [when('object.get(input, ["tool", "input", "command"], "") == "x"')],
    [
      `label(x) := x.path\n\nlabel(x) := x.text\n\ndeny contains label(w) if { some w in input.writes }\n\nask contains label(c) if { some c in input.bash.commands }`,
    ],
    [
      `label(x) := x.path\n\ndeny contains label(w) if { some w in input.writes }\n\nask contains label(r) if { some r in input.reads }`,
    ],
    [`is_empty(x) if x == ""\n\nis_empty(x) if x == []\n\nis_empty(x) if x == null\n\n${when('is_empty(input.mode)')}`],
    [
      `import data.modes.policy.lib\n\n${each('lib.is_git(c, {"push"})')}`,
      'is_git(c, verbs) if { c.name == "git"; some verb in verbs; verb in c.argv }',
    ],
    [`default limit := 3\n\nlimit := 5 if input.mode == "m"\n\n${when('count(input.writes) > limit')}`],
    [`allowed := {"a", "b"}\n\n${when('some w in input.writes; not w.path in allowed')}`],
    ['gate contains {"name": "g", "met": count(input.writes) == 0, "missing": "x"}'],
    ['context contains "Mind it." if input.mode != "idle"'],
  ])('%s', async (rules, lib) => {
    expect(await problemsOf(rules, lib)).toEqual([]);
  });
});

test('many functions that call each other many times are checked in bounded time', async () => {
  const levels = Array.from({ length: 14 }, (_, n) => `f${n}(c) if { f${n + 1}(c); f${n + 1}(c); f${n + 1}(c) }`);
  expect(await problemsOf(`${levels.join('\n\n')}\n\nf14(c) if c.name == "x"\n\n${each('f0(c)')}`)).toEqual([]);
}, 30_000);
