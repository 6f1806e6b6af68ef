// Custom policies: what is wrong before they run, what becomes of a call when they fail, and a compiler that goes wrong.
import fs from 'node:fs';
import path from 'node:path';
import { Compiler } from '../../../src/policy/compiler/compiler.ts';
import { sourceFiles } from '../../../src/policy/compiler/files.ts';
import { toProblems } from '../../../src/policy/compiler/problems.ts';
import { buildPolicy } from '../../../src/policy/custom/build.ts';
import { Evaluator } from '../../../src/policy/evaluator.ts';
import { EvaluationError } from '../../../src/policy/fault.ts';
import { modesHere } from '../../support/command-line.ts';
import { CORE, capabilities, compileRego, newCompiler, root } from '../../support/compiler.ts';
import { makeFolder } from '../../support/folder-project.ts';
import { Layered, modesYaml } from '../../support/layered-project.ts';
import { makeProject } from '../../support/project.ts';
import { inProject } from './configured.ts';
import { type Met, shareCompiled, type Way, type Ways } from './way.ts';

/** A policy in a project, looked at by `modes validate`. */
const policy = (what: string, text: string, at: string, advice: RegExp): Way => ({
  what,
  meets: () => inProject({ 'policies/p.rego': text }),
  at: `.claude/policies/p.rego${at}`,
  advice,
});
const rule = (body: string) => `package modes.policy.p\n\n${body}\n`;

const refused: Ways = {
  E_REGO_PARSE: policy('a brace that is not closed', rule('deny contains {'), ':4:1', /syntax/),
  E_REGO_COMPILE: policy(
    'an import twice',
    rule('import data.other\n\nimport data.more as other\n\ndeny contains "x" if other'),
    ':5:1',
    /at th/,
  ),
  E_REGO_TYPE: policy('a number and a text', rule('deny contains "x" if 1 + "a" == 2'), ':3:22', /Compare/),
  W_REGO_UNUSED: policy(
    'a variable without a use',
    rule('deny contains "x" if {\n\ty := 1\n\tinput.mode\n}'),
    ':4:2',
    /Remove it/,
  ),
  E_REGO_UNSAFE_VAR: policy('a variable without a value', rule('deny contains "x" if not y == 1'), ':3:22', /outside of `not`/),
  E_REGO_RECURSION: policy('a circle', rule('deny contains "x" if x\n\nx if deny'), ':3:1', /Break the cycle/),
  E_REGO_BUILTIN: policy('a function that is not there', rule('deny contains "x" if http.send({})'), ':3:22', /./),
  E_POLICY_PACKAGE: policy('another package', 'package other\n\ndeny contains "x" if true\n', ':1:1', /modes\.policy/),
  E_POLICY_SHAPE: policy('deny as one text', rule('deny := "no"'), ':3:1', /contains/),
  E_POLICY_METADATA: policy(
    'modes that are no list',
    '# METADATA\n# scope: package\n# custom: {modes: idle}\npackage modes.policy.p\n',
    ':3:12',
    /modes: \[/,
  ),
  E_POLICY_NEVER: policy('a look at the verdict', rule('deny contains "x" if data.modes.verdict'), ':3:22', /./),
  E_POLICY_SHARED: {
    what: 'a package of two layers',
    meets: () =>
      inProject({ 'policies/p.rego': rule('deny contains "x" if input.mode == "idle"') }, ({ home }) => {
        fs.mkdirSync(path.join(home, '.claude/policies'));
        fs.writeFileSync(path.join(home, '.claude/policies/u.rego'), rule('ask contains "x" if input.mode == "idle"'));
        fs.writeFileSync(path.join(home, '.claude/modes.yaml'), modesYaml());
      }),
    at: '~/.claude/policies/u.rego',
    advice: /its own package/,
  },
};

/** A call that is decided by a policy of the project. */
const decided = (what: string, body: string, input: object, advice: RegExp, at: string | null = null): Way => ({
  what,
  async meets() {
    const at = new Layered().put('project', 'modes.yaml', modesYaml()).put('project', 'policies/p.rego', rule(body));
    shareCompiled(at.data);
    await at.trust();
    return [metIn(await at.decide('Write', { file_path: path.join(at.root, 'a'), content: '', ...input }))];
  },
  at,
  advice,
});

/** A decision says its code behind what it tells. */
export function metIn({ reason, remedy }: { reason: string; remedy: string }): Met {
  const code = /\b[EW]_[A-Z_]+\b/.exec(reason)?.[0] ?? 'no code';
  return { code, message: reason, remedy };
}

/** What is thrown where a policy of another making is asked. */
const asked = (what: string, body: string, advice: RegExp, ask: (evaluator: Evaluator) => unknown): Way => ({
  what,
  async meets() {
    const wasm = await compileRego(newCompiler(), { 'a.rego': `package modes\n\n${body}\n` }, ['modes/verdict']);
    return [thrownBy(() => ask(new Evaluator(wasm)))];
  },
  at: null,
  advice,
});

function thrownBy(act: () => unknown): Met {
  try {
    act();
  } catch (error) {
    if (error instanceof EvaluationError) return { code: error.code, message: error.message, remedy: error.remedy };
    throw error;
  }
  throw new Error('nothing was thrown');
}

const deep = JSON.parse('['.repeat(300) + ']'.repeat(300)) as object;
const long =
  'deny contains "slow" if {\n\tinput.mode == "one"\n\tn := numbers.range(1, 3000)\n\tcount([1 | some a in n; some b in n; some c in n; a + b == c]) == 0\n}';

const failing: Ways = {
  E_POLICY_TIME: decided('a policy that does not end', long, {}, /Simplify the policy/),
  E_POLICY_ABORT: decided(
    'a rule with two values',
    'x := 1 if input.mode\n\nx := 2 if input.mode == "one"\n\ndeny contains "x" if x == 3',
    {},
    /contradict/,
  ),
  E_POLICY_INPUT: asked('a call that is nested too deeply', 'verdict := 1', /Make the call simpler/, (one) =>
    one.evaluate({ deep }, 'modes/verdict'),
  ),
  E_POLICY_LOAD: {
    what: 'bytes that are none',
    meets: () => [thrownBy(() => new Evaluator(Buffer.from('hello')))],
    at: null,
    advice: /modes doctor/,
  },
  E_POLICY_ENTRYPOINT: asked('an entry point that is not there', 'verdict := 1', /[Bb]uild/, (one) =>
    one.evaluate({}, 'modes/none'),
  ),
  E_POLICY_UNDEFINED: asked('a rule without a value', 'verdict := 1 if input.yes', /default/, (one) =>
    one.evaluate({}, 'modes/verdict'),
  ),
  E_POLICY_VERDICT: asked('an answer that is no verdict', 'verdict := "maybe"', /Correct/, (one) =>
    one.evaluateVerdict({} as never),
  ),
  E_POLICY_SERVICE: {
    what: 'an OPA server that is not there',
    async meets() {
      const teams = 'evaluator: opa\nopa: {url: "http://127.0.0.1:1", fallback: deny}\n';
      const at = new Layered().put('project', 'modes.yaml', modesYaml()).put('user', 'teams.yaml', teams);
      return [metIn(await at.decide('Write', { file_path: path.join(at.root, 'a'), content: '' }))];
    },
    at: null,
    advice: /server is reachable/,
  },
};

const module = { 'a.rego': 'package modes\n\nverdict := 1\n' };

/** A compiler whose process does something else. */
const compiler = (
  what: string,
  code: string,
  advice: RegExp,
  at: string | null = null,
  { after = () => undefined, timeoutMs = 30_000 }: { after?: (one: Compiler) => void; timeoutMs?: number } = {},
): Way => ({
  what,
  at,
  async meets() {
    const child = path.join(makeFolder(), 'child.mjs');
    fs.writeFileSync(child, code);
    const one = new Compiler({ files: { ...sourceFiles(root), child }, cacheFolder: null, timeoutMs });
    const building = one.build({ modules: module, entrypoints: ['modes/verdict'] });
    setImmediate(() => after(one));
    const built = await building;
    one.close();
    return built.ok ? [] : built.problems;
  },
  advice,
});

const compiling: Ways = {
  E_POLICY_FILE: {
    what: 'a policy that takes the place of one of the core',
    async meets() {
      const built = await buildPolicy(
        CORE,
        { 'policies/verdict.rego': rule('deny contains "x" if input.mode') },
        newCompiler(),
        capabilities,
      );
      return built.ok ? [] : built.problems;
    },
    at: 'policies/verdict.rego',
    advice: /Rename the file/,
  },
  E_TEST_SHAPE: {
    what: 'a test that is a set',
    async meets() {
      const { root: cwd, env, data, put } = makeProject();
      shareCompiled(data);
      put('.claude/policies/p_test.rego', 'package p_test\n\ntest_x contains 1 if true\n');
      const { out } = await modesHere(['policy', 'test', '--json'], { cwd, env: env() });
      return (JSON.parse(out) as { problems: Met[] }).problems;
    },
    at: '.claude/policies/p_test.rego:3:1',
    advice: /if \{/,
  },
  E_COMPILER_START: compiler(
    'a compiler that says that it cannot',
    'process.stdin.once(\'data\', () => process.stdout.write(Buffer.concat([Buffer.from([19, 0, 0, 0]), Buffer.from(\'{"fatal":"no file"}\')])));',
    /modes doctor/,
  ),
  E_COMPILER_TIMEOUT: compiler(
    'one that never answers',
    "process.stdin.once('data', () => setInterval(() => {}, 1000));",
    /simpler or smaller/,
    'a.rego',
    { timeoutMs: 300 },
  ),
  E_COMPILER_CRASH: compiler('one that ends', 'process.exit(1)', /Try again/, 'a.rego'),
  E_COMPILER_ANSWER: compiler(
    'one that answers text',
    "process.stdin.once('data', () => process.stdout.write('panic: something went wrong\\n'));",
    /Try again/,
  ),
  E_COMPILER_CLOSED: compiler(
    'one that is closed while it works',
    "process.stdin.once('data', () => setInterval(() => {}, 1000));",
    /Try again/,
    null,
    { after: (one) => one.close() },
  ),
  E_COMPILER_INTERNAL: {
    what: 'an error of the compiler that nobody foresaw',
    meets: () => toProblems([{ code: 'something_new', message: 'no' }], {}),
    at: null,
    advice: /Report/,
  },
  E_REGO_FORMAT: {
    what: 'a policy that cannot be laid out',
    meets: () => toProblems([{ code: 'rego_format_error', message: 'no' }], {}),
    at: null,
    advice: /syntax first/,
  },
  E_REGO_ENTRYPOINT: {
    what: 'a rule to be asked for that does not exist',
    async meets() {
      const built = await newCompiler().build({ modules: module, entrypoints: ['modes/none'], capabilities });
      return built.ok ? [] : built.problems;
    },
    at: null,
    advice: /Add/,
  },
  E_REGO_TOO_BIG: {
    what: 'nine megabytes of policies',
    async meets() {
      const built = await newCompiler().build({
        modules: { 'a.rego': `package a\n# ${'x'.repeat(9 * 1024 * 1024)}\n` },
        entrypoints: ['a/x'],
      });
      return built.ok ? [] : built.problems;
    },
    at: null,
    advice: /Move data out of the policies/,
  },
};

export const compiled: Ways = { ...refused, ...failing, ...compiling };
