// Finds the tests in modules: every `test_` rule separately, even if several share a name.
import type { Problem } from '../../model/problem.ts';
import type { Modules, RegoModule, RegoRule } from '../compiler/types.ts';

/** A test that can be run. */
export interface DeclaredTest {
  /** `package.test_name`. The second test of a name is `package.test_name#01`, as in OPA. */
  name: string;
  file: string;
  line: number;
  /** Package and rule, with the rule's name in `modules`. */
  path: string[];
  /** A `todo_test_` rule. */
  skip: boolean;
}

export interface DeclaredTests {
  tests: DeclaredTest[];
  /** The sources, where rules that share a name get different names. As one rule, they would be true if any of them is. */
  modules: Modules;
  problems: Problem[];
}

/** Finds every test in modules. A test whose failure would go unnoticed is a problem. */
export function findTests(inspected: RegoModule[], sources: Modules): DeclaredTests {
  const declared: DeclaredTests = { tests: [], modules: { ...sources }, problems: [] };
  const all = inspected.flatMap((module) => module.rules.map((rule) => ({ module, rule })));
  const names = new Set(all.map(({ rule }) => rule.name));
  const pathOf = ({ package: own }: RegoModule, name: string) => [...own, name];
  const written = new Set(all.flatMap(({ module, rule }) => (rule.default ? [] : [pathOf(module, rule.name).join('.')])));
  const times = new Map<string, number>();
  for (const { module, rule } of all) {
    const match = /^(todo_)?test_/.exec(rule.name);
    const name = pathOf(module, rule.name).join('.');
    if (match === null || (rule.default && written.has(name))) continue;
    const { file } = module;
    const add = (shown: string, called: string) =>
      declared.tests.push({ name: shown, file, line: rule.row, path: pathOf(module, called), skip: match[1] !== undefined });
    const before = times.get(name) ?? 0;
    times.set(name, before + 1);
    if (rule.kind !== 'complete') declared.problems.push(shapeProblem(file, rule));
    else if (before === 0) add(name, rule.name);
    else {
      const called = unused(`${rule.name}_${before}`, names);
      const text = rename(declared.modules[file] ?? '', rule, called);
      if (text === null) declared.problems.push(againProblem(file, rule));
      else declared.modules[file] = text;
      add(`${name}#${String(before).padStart(2, '0')}`, called);
    }
  }
  return declared;
}

function unused(wanted: string, names: Set<string>): string {
  let name = wanted;
  while (names.has(name)) name += '_';
  names.add(name);
  return name;
}

/** Null if the rule's name is not at its place. */
function rename(text: string, { name, row, col }: RegoRule, called: string): string | null {
  const lines = text.split('\n');
  const line = lines[row - 1] ?? '';
  if (!line.startsWith(name, col - 1)) return null;
  lines[row - 1] = `${line.slice(0, col - 1)}${called}${line.slice(col - 1 + name.length)}`;
  return lines.join('\n');
}

function shapeProblem(file: string, { name, kind, row, col }: RegoRule): Problem {
  return {
    code: 'E_TEST_SHAPE',
    severity: 'error',
    message: `${name} is a ${kind} rule, so a false value in it would not fail the test`,
    remedy: 'Write `test_name if { … }`, with `every` over the cases.',
    file,
    line: row,
    column: col,
  };
}

function againProblem(file: string, { name, row, col }: RegoRule): Problem {
  return {
    code: 'E_TEST_SHAPE',
    severity: 'error',
    message: `${name} is defined twice, so a false one would not fail the test`,
    remedy: 'Give it another name.',
    file,
    line: row,
    column: col,
  };
}
