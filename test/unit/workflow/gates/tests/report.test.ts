// What runners report, read by name. `fixtures` has the recorded output of real runners: see scripts/record-test-output.mjs.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareTests } from '../../../../../src/workflow/gates/tests/compare.ts';
import { type TestTally, talliesOf } from '../../../../../src/workflow/gates/tests/identity.ts';
import { readPrinted, readReports } from '../../../../../src/workflow/gates/tests/report.ts';
import { type RunnerName, runnerNames, type TestReport } from '../../../../../src/workflow/gates/tests/result.ts';
import { type ReportFormat, runnerNamed, runnerOf } from '../../../../../src/workflow/gates/tests/runners.ts';
import { temporaryFolder } from '../../../../support/files.ts';

const fixtures = path.join(import.meta.dirname, 'fixtures');

const readReport = (format: ReportFormat, text: string, folder: string, runner: RunnerName | null, output = ''): TestReport =>
  readReports(format, [text], folder, runner, output);
const pytestOutput = (counts = '4 passed') => `=== ${counts} in 0.1s ===\n`;

/** The recorded output of a runner: `report` is what it wrote because it was asked to, and the others were printed. */
function recorded(runner: RunnerName, name: string, kind: string): { text: string; read: (text: string) => TestReport } {
  const text = fs.readFileSync(path.join(fixtures, runner.replace(':', '-'), `${name}.${kind}`), 'utf8');
  const format: ReportFormat | null = kind === 'report' ? (runnerNamed(runner)?.ask?.('file').format ?? 'xml') : null;
  if (kind === 'junit') return { text, read: (some) => readReport('xml', some, '/project', runner) };
  if (format === null) return { text, read: (some) => readPrinted(runner, some, '/project') };
  const printed = runner === 'pytest' ? fs.readFileSync(path.join(fixtures, 'pytest', `${name}.v`), 'utf8') : '';
  return { text, read: (some) => readReport(format, some, '/project', runner, printed) };
}

/** `FILE: SUITE > NAME OUTCOME`; `assertion` or `error` for a failure of that kind. */
function lines(report: TestReport): string[] | string {
  if (!report.readable) return report.why;
  return report.tests.map(({ file, suite, name, outcome, failure }) => {
    return `${file === null ? '' : `${file}: `}${[...suite, name].join(' > ')} ${failure ?? outcome}`;
  });
}

/** The same without files, for a format that does not name them. */
const withoutFiles = (expected: readonly string[]) => expected.map((line) => line.replace(/^\S+: /, ''));

interface Expected {
  runner: RunnerName;
  /** Kinds that name everything. */
  kinds: string[];
  /** Kinds of `kinds` that do not name the file. */
  fileless?: string[];
  /** Kinds that join the names of suites with spaces. */
  flat?: string[];
  /** The output has no total over all test programs. */
  hasNoTotal?: boolean;
  /** Kinds that do not name every test. */
  nameless?: string[];
  honest: string[];
  failing: string[];
  /** The reason, or the tests of other files. */
  forged: RegExp | string[];
  empty: RegExp | string[];
}

const table: Expected[] = [
  {
    runner: 'node:test',
    kinds: ['report', 'tap', 'spec', 'junit', 'tap24', 'spec24'],
    fileless: ['tap', 'spec', 'junit', 'tap24', 'spec24'],
    honest: [
      'test/cart.test.js: cart > adds tax passed',
      'test/cart.test.js: cart > inner > counts passed',
      'test/cart.test.js: cart > inner > counts passed',
      'test/cart.test.js: cart > ships later skipped',
      'test/cart.test.js: stays # here passed',
    ],
    failing: [
      'test/cart.test.js: cart > adds tax assertion',
      'test/cart.test.js: cart > inner > counts error',
      'test/cart.test.js: cart > inner > counts passed',
      'test/cart.test.js: cart > ships later skipped',
      'test/cart.test.js: stays # here passed',
    ],
    forged: /named only files and no tests \(test\/cart.test.js\)/,
    empty: /named only files and no tests/,
  },
  {
    runner: 'pytest',
    kinds: ['report', 'v'],
    nameless: ['default'],
    honest: [
      'tests/test_cart.py: TestCart > test_adds_tax passed',
      'tests/test_cart.py: TestCart > test_counts[] passed',
      'tests/test_cart.py: TestCart > test_counts[a b::c] passed',
      'tests/test_cart.py: test_ships skipped',
      'tests/test_cart.py: test_stays passed',
    ],
    failing: [
      'tests/test_cart.py: TestCart > test_adds_tax assertion',
      'tests/test_cart.py: TestCart > test_counts[None] error',
      'tests/test_cart.py: TestCart > test_counts[] passed',
      'tests/test_cart.py: test_known skipped',
      'tests/test_cart.py: test_raises assertion',
      'tests/test_cart.py: test_ships skipped',
      'tests/test_cart.py: test_shop error',
      'tests/test_cart.py: test_stays passed',
      'tests/test_cart.py: test_with_a_name_so_long_that_the_summary_leaves_out_the_message_of_its_failure error',
    ],
    forged: /reported nothing|ends before the summary/,
    empty: /ran no test/,
  },
  {
    runner: 'unittest',
    kinds: ['v'],
    nameless: ['default'],
    honest: [
      'test_cart.TestCart > test_adds_tax passed',
      'test_cart.TestCart > test_counts passed',
      'test_cart.TestCart > test_ships skipped',
    ],
    failing: [
      'test_cart.TestCart > test_adds_tax assertion',
      'test_cart.TestCart > test_counts error',
      'test_cart.TestCart > test_known skipped',
      'test_cart.TestCart > test_ships skipped',
      'test_cart.TestCart > test_stays passed',
    ],
    forged: /reported nothing/,
    empty: /ran no test/,
  },
  {
    runner: 'go',
    kinds: ['report', 'v'],
    nameless: ['default'],
    honest: [
      'example.com/shop/cart > TestItems > a_b passed',
      'example.com/shop/cart > TestItems > c > d passed',
      'example.com/shop/cart > TestItems > one passed',
      'example.com/shop/cart > TestItems passed',
      'example.com/shop/cart > TestOut passed',
      'example.com/shop/cart > TestShips skipped',
      'example.com/shop/cart > TestTax passed',
    ],
    failing: [
      'example.com/shop/broken error',
      'example.com/shop/cart > TestItems > a_b passed',
      'example.com/shop/cart > TestItems > one failed',
      'example.com/shop/cart > TestItems failed',
      'example.com/shop/cart > TestOut passed',
      'example.com/shop/cart > TestPanics error',
      'example.com/shop/cart > TestTax failed',
    ],
    forged: /a package passed without naming a test/,
    empty: /ran no test/,
  },
  {
    runner: 'cargo',
    kinds: ['default'],
    hasNoTotal: true,
    honest: [
      'src/lib.rs: tax passed',
      'tests > adds_tax passed',
      'tests > panics - should panic passed',
      'tests > ships skipped',
    ],
    failing: [
      'tests > adds_tax assertion',
      'tests > counts error',
      'tests > custom failed',
      'tests > returns error',
      'tests > ships skipped',
      'tests > stays passed',
    ],
    forged: /3 tests announced and 0 reported/,
    empty: /ran no test/,
  },
  {
    runner: 'vitest',
    kinds: ['report', 'verbose', 'junit'],
    nameless: ['default'],
    honest: [
      'test/cart.test.js: cart > adds tax passed',
      'test/cart.test.js: cart > inner > counts passed',
      'test/cart.test.js: cart > inner > counts passed',
      'test/cart.test.js: cart > ships later skipped',
      'test/cart.test.js: stays # here passed',
      'test/other.test.js: other passed',
    ],
    failing: [
      'test/cart.test.js: cart > adds tax assertion',
      'test/cart.test.js: cart > inner > counts error',
      'test/cart.test.js: cart > inner > counts passed',
      'test/cart.test.js: cart > ships later skipped',
      'test/cart.test.js: stays # here passed',
      'test/other.test.js: other passed',
    ],
    forged: ['test/cart.test.js: test/cart.test.js error', 'test/other.test.js: other passed'],
    empty: /failed before the first test/,
  },
  {
    runner: 'jest',
    kinds: ['report', 'verbose'],
    nameless: ['default'],
    honest: [
      'test/cart.test.js: cart > adds tax passed',
      'test/cart.test.js: cart > inner > counts passed',
      'test/cart.test.js: cart > inner > counts passed',
      'test/cart.test.js: cart > ships later skipped',
      'test/cart.test.js: stays # here passed',
      'test/other.test.js: other passed',
    ],
    failing: [
      'test/cart.test.js: cart > adds tax assertion',
      'test/cart.test.js: cart > inner > counts error',
      'test/cart.test.js: cart > inner > counts passed',
      'test/cart.test.js: cart > ships later skipped',
      'test/cart.test.js: stays # here passed',
      'test/other.test.js: other passed',
    ],
    forged: /reported nothing|ends before the summary/,
    empty: /failed before the first test/,
  },
  {
    runner: 'mocha',
    kinds: ['report', 'spec'],
    fileless: ['spec'],
    flat: ['report'],
    nameless: ['dot'],
    honest: [
      'test/cart.test.js: cart > adds tax passed',
      'test/cart.test.js: cart > inner > counts passed',
      'test/cart.test.js: cart > inner > counts passed',
      'test/cart.test.js: cart > ships later skipped',
      'test/cart.test.js: stays # here passed',
    ],
    failing: [
      'test/cart.test.js: cart > adds tax assertion',
      'test/cart.test.js: cart > inner > counts error',
      'test/cart.test.js: cart > inner > counts passed',
      'test/cart.test.js: cart > ships later skipped',
      'test/cart.test.js: stays # here passed',
    ],
    forged: /reported nothing/,
    empty: /ran no test/,
  },
  {
    runner: 'nextest',
    kinds: ['output'],
    nameless: ['default'],
    honest: ['shop > tests > adds_tax passed', 'shop > tests > panics - should panic passed'],
    failing: [
      'shop > tests > adds_tax assertion',
      'shop > tests > counts error',
      'shop > tests > custom failed',
      'shop > tests > returns error',
      'shop > tests > stays passed',
    ],
    forged: /tests::adds_tax passed by its exit code only/,
    empty: /ran no test/,
  },
  {
    runner: 'bun',
    kinds: ['report', 'default'],
    honest: [
      'test/cart.test.js: cart > adds tax passed',
      'test/cart.test.js: cart > inner > counts passed',
      'test/cart.test.js: cart > inner > counts passed',
      'test/cart.test.js: cart > ships later skipped',
      'test/cart.test.js: stays # here passed',
    ],
    failing: [
      'test/cart.test.js: cart > adds tax assertion',
      'test/cart.test.js: cart > inner > counts error',
      'test/cart.test.js: cart > inner > counts passed',
      'test/cart.test.js: cart > ships later skipped',
      'test/cart.test.js: stays # here passed',
    ],
    forged: /reported nothing|ends before the summary/,
    empty: /reported nothing|ran no test/,
  },
  {
    runner: 'deno',
    kinds: ['report', 'default'],
    nameless: ['tap', 'dot', 'parallel'],
    honest: [
      'test/cart.test.js: cart > adds tax passed',
      'test/cart.test.js: cart > inner > counts passed',
      'test/cart.test.js: cart > inner > counts passed',
      'test/cart.test.js: cart > ships later skipped',
      'test/cart.test.js: stays # here passed',
    ],
    failing: [
      'test/cart.test.js: cart > adds tax assertion',
      'test/cart.test.js: cart > inner > counts error',
      'test/cart.test.js: cart > inner > counts passed',
      'test/cart.test.js: cart > ships later skipped',
      'test/cart.test.js: stays # here passed',
    ],
    forged: /ran no test/,
    empty: /ran no test/,
  },
  {
    runner: 'playwright',
    kinds: ['report', 'list'],
    nameless: ['line'],
    honest: [
      'test/cart.test.js: cart > adds tax passed',
      'test/cart.test.js: cart > inner > counts 0 passed',
      'test/cart.test.js: cart > inner > counts 1 passed',
      'test/cart.test.js: cart > ships later skipped',
      'test/cart.test.js: stays # here passed',
    ],
    failing: [
      'test/cart.test.js: cart > adds tax assertion',
      'test/cart.test.js: cart > inner > counts 0 passed',
      'test/cart.test.js: cart > inner > counts 1 error',
      'test/cart.test.js: cart > ships later skipped',
      'test/cart.test.js: stays # here passed',
    ],
    forged: /reported nothing/,
    empty: /ran no test/,
  },
  {
    runner: 'rspec',
    kinds: ['report', 'json'],
    nameless: ['default'],
    honest: [
      'spec/cart_spec.rb: cart > adds tax passed',
      'spec/cart_spec.rb: cart > ships later skipped',
      'spec/cart_spec.rb: cart inner > counts passed',
      'spec/cart_spec.rb: cart inner > counts passed',
    ],
    failing: [
      'spec/cart_spec.rb: cart > adds tax assertion',
      'spec/cart_spec.rb: cart > ships later skipped',
      'spec/cart_spec.rb: cart inner > counts error',
      'spec/cart_spec.rb: cart inner > counts passed',
    ],
    forged: /reported nothing/,
    empty: /ran no test/,
  },
  {
    runner: 'minitest',
    kinds: ['v'],
    nameless: ['default'],
    honest: ['CartTest > test_adds_tax passed', 'CartTest > test_counts passed', 'CartTest > test_ships skipped'],
    failing: [
      'CartTest > test_adds_tax assertion',
      'CartTest > test_counts error',
      'CartTest > test_ships skipped',
      'CartTest > test_stays passed',
    ],
    forged: /reported nothing/,
    empty: /ran no test/,
  },
  {
    runner: 'phpunit',
    kinds: ['report'],
    nameless: ['default'],
    honest: [
      'tests/CartTest.php: CartTest > testAddsTax passed',
      'tests/CartTest.php: CartTest > testCounts with data set "also none" passed',
      'tests/CartTest.php: CartTest > testCounts with data set "none" passed',
      'tests/CartTest.php: CartTest > testShips skipped',
    ],
    failing: [
      'tests/CartTest.php: CartTest > testAddsTax assertion',
      'tests/CartTest.php: CartTest > testCounts error',
      'tests/CartTest.php: CartTest > testShips skipped',
      'tests/CartTest.php: CartTest > testStays passed',
    ],
    forged: /reported nothing/,
    empty: ['tests/CartTest.php: all > CartTest > Warning error'],
  },
  {
    runner: 'exunit',
    kinds: ['trace'],
    nameless: ['default'],
    honest: [
      'test/cart_test.exs: CartTest > test adds tax passed',
      'test/cart_test.exs: CartTest > test inner counts passed',
      'test/cart_test.exs: CartTest > test ships skipped',
    ],
    failing: [
      'test/cart_test.exs: CartTest > test adds tax assertion',
      'test/cart_test.exs: CartTest > test inner counts error',
      'test/cart_test.exs: CartTest > test ships skipped',
      'test/cart_test.exs: CartTest > test stays passed',
    ],
    forged: /ends before the summary/,
    empty: /ran no test|ends before the summary/,
  },
];

describe.each(table)('$runner', ({ runner, kinds, fileless = [], flat = [], hasNoTotal, nameless = [], ...expected }) => {
  const { forged, empty } = expected;
  const named = (kind: string, expectedLines: readonly string[]) => {
    const some = fileless.includes(kind) ? withoutFiles(expectedLines) : expectedLines;
    return some.map((line) => (flat.includes(kind) ? line.replaceAll(' > ', ' ') : line)).sort();
  };
  const read = (kind: string, name: string) => {
    const { text, read: parse } = recorded(runner, name, kind);
    const found = lines(parse(text));
    return typeof found === 'string' ? found : named(kind, found);
  };
  const rows = kinds.map((kind) => [kind] as const);

  test.each(rows)('an honest run names every test (%s)', (kind) => {
    expect(read(kind, 'honest')).toEqual(named(kind, expected.honest));
  });

  test.each(rows)('a failing run distinguishes an assertion from another error (%s)', (kind) => {
    expect(read(kind, 'failing')).toEqual(named(kind, expected.failing));
  });

  test.each(rows)('other runs are no evidence, each with a reason (%s)', (kind) => {
    if (forged instanceof RegExp) expect(read(kind, 'forged')).toMatch(forged);
    else expect(read(kind, 'forged')).toEqual(forged);
    if (empty instanceof RegExp) expect(read(kind, 'empty')).toMatch(empty);
    else expect(read(kind, 'empty')).toEqual(empty);
    expect(read(kind, 'skipped')).toBe('every test was skipped');
  });

  test.each(rows)('a part of the output is no evidence, unless it has the same tests (%s)', (kind) => {
    for (const name of ['honest', 'failing']) {
      const { text, read: parse } = recorded(runner, name, kind);
      const whole = [...lines(parse(text))].sort();
      const parts = text.split(/(?<=\n)/);
      for (const at of parts.keys()) {
        const part = lines(parse(parts.slice(0, at).join('')));
        if (typeof part === 'string') continue;
        if (hasNoTotal === true) expect(whole).toEqual(expect.arrayContaining(part));
        else expect(part.sort()).toEqual(whole);
      }
    }
  });

  test('each format gives its tests the same identity', () => {
    for (const name of ['honest', 'failing']) {
      const [first = [], ...others] = kinds.map((kind) => {
        const { text, read: parse } = recorded(runner, name, kind);
        return talliesOf(parse(text)) as TestTally[];
      });
      for (const other of others) expect(compareTests('same', first, other).missing).toBeNull();
    }
  });

  test.each(rows.filter(([kind]) => kind !== 'report'))('a result that other output hides is not overlooked (%s)', (kind) => {
    for (const name of ['honest', 'failing']) {
      const { text, read: parse } = recorded(runner, name, kind);
      const outcomes = (found: readonly string[]) => found.map((line) => line.slice(line.lastIndexOf(' '))).sort();
      const whole = outcomes([...lines(parse(text))]);
      const parts = text.split('\n');
      for (const at of parts.keys()) {
        // No process of a test prints before this line.
        if (parts[at]?.endsWith('[build failed]')) continue;
        const hidden = lines(parse(parts.map((line, index) => (index === at ? `without a line end${line}` : line)).join('\n')));
        if (typeof hidden !== 'string') expect(outcomes(hidden)).toHaveLength(whole.length);
      }
    }
  });

  if (nameless.length > 0)
    test.each(nameless.map((kind) => [kind]))('output without names names the option that adds them (%s)', (kind) => {
      for (const name of ['honest', 'failing']) {
        const { text, read: parse } = recorded(runner, name, kind);
        expect(parse(text)).toMatchObject({
          readable: false,
          how: expect.stringContaining(runnerNamed(runner)?.remedy as string),
        });
      }
    });
});

/** What the client makes of the same output: no blank ends, an exit code before it, a notice of npm after it. */
const trimmed = (text: string): string => text.replace(/^(?:\s*\n)+/, '').trimEnd();
const asTheClient: Record<string, (text: string) => string> = {
  'without blank lines at its ends': trimmed,
  'after an exit code': (text) => `Exit code 1\n${trimmed(text)}`,
  'before a notice of npm': (text) =>
    `${trimmed(text)}\nnpm notice\nnpm notice New minor version of npm available! 11.19.1 -> 11.21.2\nnpm notice`,
};

describe.each(Object.entries(asTheClient))('the output of every runner %s', (_, change) => {
  const rows = table.flatMap(({ runner, kinds }) =>
    kinds
      .filter((kind) => kind !== 'report' && kind !== 'junit')
      .flatMap((kind) => ['honest', 'failing', 'forged'].map((name) => [runner, name, kind] as const)),
  );
  test.each(rows)('reads the same: %s, %s, %s', (runner, name, kind) => {
    const { text, read } = recorded(runner, name, kind);
    const known = (found: string[] | string) => (typeof found === 'string' ? 'no evidence' : found);
    expect(known(lines(read(change(text))))).toEqual(known(lines(read(text))));
  });
});

describe('printed output', () => {
  test.each<[string, RunnerName | null, string, string[] | RegExp]>([
    ['cut by Modes', 'node:test', 'TAP version 13\n… 512 bytes …\n1..1\n', /output was cut/],
    ['cut by Modes in the middle of a report', 'node:test', 'TAP version 13\n… 512 characters …\n1..1\n', /output was cut/],
    ['cut by the client', 'pytest', 'a\n... [312 lines truncated] ...\n== 1 passed in 0.1s ==\n', /output was cut/],
    ['of an unknown runner', null, 'all is well\n', /not that of a test runner that is known/],
    ['of a runner that the output shows', null, 'TAP version 13\nok 1 - a\n1..1\n', ['a passed']],
    ['TAP without a plan', 'tap', 'TAP version 13\nok 1 - a\n', /ends before the summary/],
    ['TAP of a run that was ended before its first test', 'node:test', 'TAP version 13\n', /ends before the summary/],
    ['TAP with a plan for more', 'tap', 'TAP version 13\n1..2\nok 1 - a\n', /2 planned and 1 reported/],
    ['TAP with a plan for none', 'tap', 'TAP version 13\n1..0 # SKIP nothing\n', /ran no test/],
    ['TAP that bails out', 'tap', 'TAP version 13\nok 1 - a\nBail out! no database\n', /bail out: no database/],
    [
      'TAP with directives',
      'tap',
      '1..3\nok 1 - a # SKIP\nnot ok 2 - b # TODO\nok 3 - c\n',
      ['a skipped', 'b skipped', 'c passed'],
    ],
    [
      'TAP of several packages',
      'tap',
      'TAP version 13\n1..1\nok 1 - a\n> b@1.0.0 test\nTAP version 13\n1..1\nnot ok 1 - b\n',
      ['a passed', 'b failed'],
    ],
    [
      'TAP with a file as the outer suite',
      'tap',
      'TAP version 14\n# Subtest: test/a.js\n    ok 1 - adds\n    1..1\nok 1 - test/a.js\n1..1\n',
      ['test/a.js: adds passed'],
    ],
    [
      'totals of node:test that disagree',
      'node:test',
      'TAP version 13\nok 1 - a\n1..1\n# tests 2\n# suites 0\n# pass 2\n# fail 0\n# cancelled 0\n# skipped 0\n# todo 0\n',
      /2 passed in the summary and 1 by name/,
    ],
    [
      'pytest: only a file that cannot be loaded',
      'pytest',
      '=== short test summary info ===\nERROR test_a.py\n!!! Interrupted: 1 error during collection !!!\n=== 1 error in 0.1s ===\n',
      /failed before the first test \(test_a.py\)/,
    ],
    [
      'pytest: with workers of pytest-xdist',
      'pytest',
      '[gw0] [ 50%] PASSED test_a.py::test_a \n[gw1] [100%] FAILED test_a.py::test_b \n=== short test summary info ===\nFAILED test_a.py::test_b - assert 1 == 2\n=== 1 failed, 1 passed in 0.1s ===\n',
      ['test_a.py: test_a passed', 'test_a.py: test_b assertion'],
    ],
    [
      'pytest: a module that skips itself',
      'pytest',
      'collecting ... collected 1 item / 1 skipped\n\ntest_a.py::test_a PASSED [100%]\n\n=== 1 passed, 1 skipped in 0.1s ===\n',
      ['test_a.py: test_a passed'],
    ],
    [
      'pytest: a skipped test that no line names',
      'pytest',
      'collected 2 items\n\ntest_a.py::test_a PASSED [100%]\n\n=== 1 passed, 1 skipped in 0.1s ===\n',
      /1 skipped in the summary and 0 by name/,
    ],
    [
      'pytest: a run that was ended before its first result',
      'pytest',
      'collected 2 items\n\ntest_a.py::test_a \n\n!!! _pytest.outcomes.Exit: done !!!\n=== no tests ran in 0.1s ===\n',
      /ends before the summary/,
    ],
    ['pytest: no tests', 'pytest', 'collected 0 items\n\n=== no tests ran in 0.1s ===\n', /ran no test/],
    [
      'unittest: a module that cannot be loaded',
      'unittest',
      `test_a (unittest.loader._FailedTest.test_a) ... ERROR\n\n${'='.repeat(70)}\nERROR: test_a (unittest.loader._FailedTest.test_a)\n\nRan 1 test in 0.000s\n\nFAILED (errors=1)\n`,
      /failed before the first test \(test_a\)/,
    ],
    [
      'unittest: output of tests, subtests, docstrings and a class that cannot be prepared',
      'unittest',
      `setUpClass (x.S) ... ERROR
test_err (x.T.test_err) ... noise
ok
test_print (x.T.test_print) ... hellook
test_sub (x.T.test_sub)
Doc line. ... 
  test_sub (x.T.test_sub) (i=0)
Doc line. ... FAIL
  test_sub (x.T.test_sub) (i=2)
Doc line. ... FAIL

${'='.repeat(70)}
ERROR: setUpClass (x.S)
${'='.repeat(70)}
FAIL: test_sub (x.T.test_sub) (i=0)
${'='.repeat(70)}
FAIL: test_sub (x.T.test_sub) (i=2)

Ran 3 tests in 0.006s

FAILED (failures=2, errors=1)
`,
      ['x.T > test_err passed', 'x.T > test_print passed', 'x.T > test_sub assertion', 'x.S > setUpClass error'],
    ],
    [
      'Jest: a file whose tests are all skipped',
      'jest',
      'PASS a.test.js\n  ✓ a (1 ms)\n  ○ skipped b\n\nTest Suites: 1 skipped, 1 passed, 1 of 2 total\nTests:       3 skipped, 1 passed, 4 total\n',
      ['a.test.js: a passed', 'a.test.js: b skipped'],
    ],
    [
      'Jest: a skipped test that no line names',
      'jest',
      'PASS a.test.js\n  ✓ a (1 ms)\n\nTest Suites: 1 passed, 1 total\nTests:       1 skipped, 1 passed, 2 total\n',
      /1 skipped in the summary and 0 by name/,
    ],
    [
      'Mocha: the reporter `list`',
      'mocha',
      '\n  ✔ cart adds one: 3ms\n  1) cart adds two\n\n  1 passing (5ms)\n  1 failing\n\n  1) cart\n       adds two:\n\n      AssertionError [ERR_ASSERTION]: 0 == 2\n',
      ['cart adds one passed', 'cart adds two assertion'],
    ],
    ['Mocha: a reporter without a summary', 'mocha', '1..1\nok 1 cart adds one\n', /ends before the summary/],
    ['go: a test without a result', 'go', '=== RUN   TestA\nok  \tx\t0.1s\n', /TestA has no result/],
    [
      'go: a result without a start',
      'go',
      '=== RUN   TestA\n--- PASS: TestB (0.00s)\nok  \tx\t0.1s\n',
      /TestB has a result but did not start/,
    ],
    [
      'cargo: does not compile',
      'cargo',
      'error[E0425]: cannot find value `x` in this scope\nerror: could not compile `shop`\n',
      /failed before the first test \(it does not compile\)/,
    ],
    [
      'cargo: a program that prints nothing',
      'cargo',
      '     Running unittests src/lib.rs (target/debug/deps/a-1)\nrunning 1 test\ntest a ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n   Doc-tests a\n',
      /a test program started and reported nothing/,
    ],
    [
      'cargo: a result that another line hides',
      'cargo',
      'running 2 tests\ntest a ... ok\ntest b ... hello\nok\n\ntest result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n',
      /2 announced and 1 reported/,
    ],
  ])('%s', (_, runner, text, expected) => {
    const found = lines(readPrinted(runner, text, '/project'));
    if (Array.isArray(expected)) expect(found).toEqual(expected);
    else expect(found).toMatch(expected);
  });
});

describe('the output of several scripts', () => {
  const tap = (name: string, ok = 'ok', suffix = '') =>
    ['TAP version 13', `${ok} 1 - ${name}${suffix}`, '1..1', '# tests 1', '# suites 0', `# pass ${ok === 'ok' ? 1 : 0}`]
      .concat(`# fail ${ok === 'ok' ? 0 : 1}`, '# cancelled 0', '# skipped 0', '# todo 0')
      .map((line) => `${line}\n`);
  const jest = (file: string, title: string) =>
    [`PASS ${file}`, `  ✓ ${title} (1 ms)`, '', 'Test Suites: 1 passed, 1 total', 'Tests:       1 passed, 1 total'].map(
      (line) => `${line}\n`,
    );
  /** Two scripts that print at the same time. */
  const mixed = (prefix: (name: string) => string, a: readonly string[], b: readonly string[]) =>
    Array.from({ length: Math.max(a.length, b.length) }, (_, at) =>
      [a[at] === undefined ? '' : prefix('a') + a[at], b[at] === undefined ? '' : prefix('b') + b[at]].join(''),
    ).join('');
  const turbo = (name: string) => `${name}:test: `;
  const pnpm = (name: string) => `packages/${name} test: `;
  const yarn = (name: string) => `➤ YN0000: [${name}]: `;

  test.each<[string, command: string, string, string[] | RegExp]>([
    ['pnpm', 'pnpm -r test', `Scope: 2 of 3\n${mixed(pnpm, tap('x'), tap('y', 'not ok'))}`, ['x passed', 'y failed']],
    [
      'turbo',
      'turbo run test',
      `• Running\n${mixed(turbo, jest('a.js', 'x'), jest('b.js', 'y'))}`,
      ['a.js: x passed', 'b.js: y passed'],
    ],
    [
      'turbo, for one package',
      'turbo run test',
      jest('a.js', 'x')
        .map((line) => turbo('a') + line)
        .join(''),
      ['a.js: x passed'],
    ],
    [
      'turbo, with a build',
      'turbo run test',
      `a:build: done\n${mixed(turbo, jest('a.js', 'x'), jest('b.js', 'y'))}`,
      ['a.js: x passed', 'b.js: y passed'],
    ],
    [
      'yarn',
      'yarn workspaces foreach -A run test',
      mixed(yarn, jest('a.js', 'x'), jest('b.js', 'y')),
      ['a.js: x passed', 'b.js: y passed'],
    ],
    [
      'npm',
      'npm test --workspaces',
      `\n> a@1.0.0 test\n> jest\n\n${jest('a.js', 'x').join('')}\n> b@1.0.0 test\n> jest\n\n${jest('b.js', 'y').join('')}`,
      ['a.js: x passed', 'b.js: y passed'],
    ],
    [
      'Nx',
      'nx run-many -t test',
      `\n> nx run a:test\n\n${jest('a.js', 'x').join('')}\n> nx run b:test  [local cache]\n\n${jest('b.js', 'y').join('')}`,
      ['a.js: x passed', 'b.js: y passed'],
    ],
    [
      'Nx without output',
      'nx run-many -t test',
      '\n NX   Successfully ran target test for 2 projects\n',
      /not that of a test runner/,
    ],
    [
      'a script that ended early',
      'turbo run test',
      mixed(turbo, jest('a.js', 'x'), tap('y').slice(0, 3)),
      /several test runners/,
    ],
    [
      'a summary that disagrees',
      'turbo run test',
      mixed(turbo, jest('a.js', 'x'), jest('b.js', 'y').toSpliced(1, 1)),
      /does not name every test/,
    ],
    ['several runners', 'turbo run test', mixed(turbo, jest('a.js', 'x'), tap('y')), /several test runners/],
    [
      'a package without tests',
      'turbo run test',
      mixed(turbo, jest('a.js', 'x'), ['No tests found, exiting with code 0\n']),
      ['a.js: x passed'],
    ],
    [
      'a carriage return in a result',
      'turbo run test',
      mixed(turbo, tap('x', 'not ok', '\rb:test: ok 2 - z'), tap('y')),
      ['x failed', 'y passed'],
    ],
    [
      'lines that look like those of another tool',
      'npm test --workspaces',
      mixed(turbo, jest('a.js', 'x'), []),
      /not that of a test runner/,
    ],
  ])('of %s', (_, command, text, expected) => {
    const search = runnerOf(command, () => null);
    const found = lines(readPrinted(search.runner, text, '/project', search.runner === null ? search.tool : null));
    if (Array.isArray(expected)) expect(found).toEqual(expected);
    else expect(found).toMatch(expected);
  });
});

describe('hostile output', () => {
  test.each<[string, ReportFormat, string]>([
    ['suites without an end', 'xml', '<testsuite>'.repeat(100_000)],
    ['suites in suites', 'xml', `${'<testsuite>'.repeat(100_000)}${'</testsuite>'.repeat(100_000)}`],
    [
      'suites in suites in TAP',
      'tap',
      Array.from({ length: 300 }, (_, depth) => `${' '.repeat(4 * depth)}# Subtest: a`).join('\n'),
    ],
    ['events without a summary', 'node events', '{"ok":true,"name":"a","nesting":0}'],
    ['a list of nothing', 'jest json', '{"numTotalTests":0,"testResults":[null]}'],
    [
      'a number for a name',
      'node events',
      '{"ok":true,"name":"a","nesting":0}\n{"ok":true,"name":1,"nesting":0}\n{"message":"tests 2"}',
    ],
    ['lists in lists', 'mocha json', '['.repeat(1_000_000)],
    [
      'a title that is a number',
      'jest json',
      '{"numTotalTests":1,"numPassedTests":1,"numFailedTests":0,"testResults":[{"name":"/a","status":"passed","assertionResults":[{"ancestorTitles":[],"title":1,"status":"passed"}]}]}',
    ],
  ])('%s is no evidence', (_, format, text) => {
    expect(readReport(format, text, '/project', null).readable).toBe(false);
  });

  test('a report that was cut is no evidence', () => {
    const { text, read } = recorded('go', 'honest', 'report');
    const parts = text.split('\n');
    expect(lines(read([...parts.slice(0, 5), '… 512 bytes …', ...parts.slice(20)].join('\n')))).toBe('its output was cut');
  });

  test('no text makes a parser throw', () => {
    const all = table.flatMap(({ runner, kinds }) => kinds.map((kind) => recorded(runner, 'failing', kind).text));
    const line = fc.constantFrom(...new Set(all.flatMap((text) => text.split('\n'))));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 40 }), fc.constantFrom(...runnerNames), (some, runner) => {
        const report = readPrinted(runner, some.join('\n'), '/project');
        expect(report.readable || report.why.length > 0).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test('its words are shown without control characters, and not at length', () => {
    const report = readReport('tap', `TAP version 13\nok 1\nBail out! \x1b[31mred${'x'.repeat(1000)}\n`, '/project', null);
    expect(lines(report)).toMatch(/^[^\x1b]{0,260}$/);
  });
});

const subtests = (mark: string) =>
  [
    'test_a.py::T::test_one ',
    'test_a.py::T::test_one PASSED      [ 33%]',
    'test_b.py::test_s SUBPASSED[m] (i=0)      [ 66%]',
    `test_b.py::test_s ${mark}[m] (i=1)      [ 66%]`,
  ].join('\n');
test.each<[what: string, text: string, expected: string[] | string]>([
  [
    'that pass',
    `${subtests('SUBPASSED')}\ntest_b.py::test_s PASSED   [100%]\n\n=== 2 passed, 5 subtests passed in 0.02s ===\n`,
    ['test_a.py: T > test_one passed', 'test_b.py: test_s passed'],
  ],
  [
    'that are skipped',
    `${subtests('SUBSKIPPED')}\ntest_b.py::test_s PASSED   [100%]\n\n=== 2 passed, 1 skipped, 4 subtests passed in 0.02s ===\n`,
    ['test_a.py: T > test_one passed', 'test_b.py: test_s passed'],
  ],
  [
    'that fail in tests of unittest, whose line says PASSED',
    `${subtests('SUBFAILED')}\ntest_b.py::test_s FAILED   [100%]\n\n=== short test summary info ===\nSUBFAILED(i=1) test_a.py::T::test_one - AssertionError: 1 != 2\nSUBFAILED[m] (i=1) test_b.py::test_s - ValueError: x\nFAILED test_b.py::test_s - contains 1 failed subtest\n=== 3 failed, 1 passed, 2 subtests passed in 0.10s ===\n`,
    ['test_a.py: T > test_one assertion', 'test_b.py: test_s error'],
  ],
  [
    'that fail and are not listed',
    `${subtests('SUBFAILED')}\ntest_b.py::test_s PASSED   [100%]\n\n=== 1 failed, 2 passed, 2 subtests passed in 0.10s ===\n`,
    'its summary disagrees with the tests that it names (1 failed in the summary and 0 by name)',
  ],
])('pytest: subtests %s', (_, text, expected) => {
  expect(lines(readPrinted('pytest', text, '/project'))).toEqual(expected);
});

test('Jest: a report leaves out a file whose tests are all skipped, as the printed output does', () => {
  const file = (name: string, ...statuses: string[]) => ({
    name: `/project/${name}`,
    status: 'passed',
    assertionResults: statuses.map((status, at) => ({ ancestorTitles: [], title: `t${at}`, status })),
  });
  const report = (...testResults: ReturnType<typeof file>[]) => {
    const all = testResults.flatMap(({ assertionResults }) => assertionResults);
    const numPassedTests = all.filter(({ status }) => status === 'passed').length;
    const totals = { numRuntimeErrorTestSuites: 0, numTotalTests: all.length, numPassedTests, numFailedTests: 0 };
    return lines(readReports('jest json', [JSON.stringify({ ...totals, testResults })], '/project', 'jest'));
  };
  expect(report(file('a.js', 'passed', 'pending'), file('b.js', 'pending'))).toEqual(['a.js: t0 passed', 'a.js: t1 skipped']);
  expect(report(file('b.js', 'pending'))).toBe('every test was skipped');
});

test('go: a package without a test file that coverage names has no tests, and one that ended early has no names', () => {
  const events = (...of: object[]) => of.map((event) => JSON.stringify({ Time: 't', Package: 'x', ...event })).join('\n');
  const coverage = { Action: 'output', Output: '\tx\t\t' };
  const pass = { Action: 'pass' };
  const other = events(
    { Package: 'y', Action: 'run', Test: 'TestA' },
    { Package: 'y', Action: 'pass', Test: 'TestA' },
    { Package: 'y', Action: 'pass' },
  );
  const read = (text: string) => lines(readPrinted('go', `${text}\n${other}\n`, '/project'));
  expect(read(events(coverage, pass))).toEqual(['y > TestA passed']);
  expect(read(events(coverage, { Action: 'output', Output: 'ok  \tx\t0.1s\n' }, pass))).toContain('without naming a test');
});

test('pytest: the report names the classes around a test as the printed output does', () => {
  const xml =
    '<testsuites><testsuite name="pytest" tests="1"><testcase classname="tests.test_a.TestOuter.TestInner" name="test_in" file="tests/test_a.py"/></testsuite></testsuites>';
  const printed = 'tests/test_a.py::TestOuter::TestInner::test_in PASSED [100%]\n=== 1 passed in 0.1s ===\n';
  expect(lines(readReport('xml', xml, '/project', 'pytest', printed))).toEqual(lines(readPrinted('pytest', printed, '/project')));
});

describe('what a report leaves out is in the printed output', () => {
  const xml =
    '<testsuites><testsuite name="pytest" tests="2"><testcase classname="test_a.TestA" name="test_one" file="test_a.py"/><testcase classname="test_a" name="test_two" file="test_a.py"/></testsuite></testsuites>';
  const passes = ['test_a.py: TestA > test_one passed', 'test_a.py: test_two passed'];
  const unexpected = ['test_a.py: TestA > test_one skipped', 'test_a.py: test_two passed'];

  test.each<[what: string, output: string, expected: string[] | RegExp]>([
    ['no test was expected to fail', pytestOutput('2 passed'), passes],
    ['the line of a test', `test_a.py::TestA::test_one XPASS [ 50%]\n${pytestOutput('1 passed, 1 xpassed')}`, unexpected],
    ['the summary', `XPASS test_a.py::TestA::test_one - later\n${pytestOutput('1 passed, 1 xpassed')}`, unexpected],
    ['both', `test_a.py::TestA::test_one XPASS\nXPASS test_a.py::TestA::test_one\n${pytestOutput('1 xpassed')}`, unexpected],
    ['a count without a name', pytestOutput('1 passed, 1 xpassed'), /does not show which tests were expected to fail/],
    [
      'a name without a count',
      `XPASS test_a.py::test_two\n${pytestOutput('2 passed')}`,
      /does not show which tests were expected to fail/,
    ],
    ['nothing', '', /ends before the summary/],
    ['output that was cut', `test_a.py::test_two PASSED\n… 9 characters …`, /ends before the summary/],
  ])('pytest: %s', (_, output, expected) => {
    const found = lines(readReport('xml', xml, '/project', 'pytest', output));
    if (expected instanceof RegExp) expect(found).toMatch(expected);
    else expect(found).toEqual(expected);
  });

  test('Vitest: the count of tests that were expected to fail', () => {
    const json = JSON.stringify({
      ...{ numTotalTests: 1, numPassedTests: 1, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0, success: true },
      testResults: [
        {
          name: '/project/a.test.ts',
          status: 'passed',
          assertionResults: [{ ancestorTitles: [], title: 'one', status: 'passed' }],
        },
      ],
    });
    const read = (summary: string) =>
      lines(readReport('jest json', json, '/project', 'vitest', ` Test Files  1 passed (1)\n      Tests  ${summary}\n`));
    expect(read('1 passed (1)')).toEqual(['a.test.ts: one passed']);
    expect(read('1 expected fail (1)')).toMatch(/does not show which tests were expected to fail/);
  });
});

test('pytest: a report counts subtests without naming them', () => {
  const suite = (name: string) =>
    `<testsuites><testsuite name="${name}" errors="0" failures="2" skipped="0" tests="4"><testcase classname="test_a.T" name="test_one" file="test_a.py"><failure message="AssertionError: 1 != 2"/><failure message="AssertionError: 3 != 2"/></testcase></testsuite></testsuites>`;
  expect(lines(readReport('xml', suite('pytest'), '/project', 'pytest', pytestOutput()))).toEqual([
    'test_a.py: T > test_one assertion',
  ]);
  expect(lines(readReport('xml', suite('other'), '/project', 'pytest'))).toContain('announces 4 tests and names 1');
});

test('Maven: a project with resources for tests and without a test class has no tests', () => {
  const output = (more: string) =>
    `[INFO] No sources to compile\n[INFO] \n[INFO] --- surefire:3.2.5:test (default-test) @ a ---\n${more}[INFO] ${'-'.repeat(72)}\n[INFO] BUILD SUCCESS\n`;
  const hasNoTests = (more: string) => {
    const report = readReports('xml', [], '/project', 'maven', output(more));
    return !report.readable && report.hasNoTests;
  };
  expect(hasNoTests('')).toBe(true);
  expect(hasNoTests('[INFO] Tests are skipped.\n')).toBe(false);
});

test('Mocha: a project without a test file has no tests, also where the engine asks for a report', () => {
  const output = '\nError: No test files found: "test"\n    at x\n';
  const printed = readPrinted('mocha', output, '/project');
  expect([lines(printed), !printed.readable && printed.hasNoTests]).toEqual(['it ran no test', true]);
  expect(readReports('mocha json', [], '/project', 'mocha', output)).toEqual(printed);
  expect(lines(readReports('mocha json', [], '/project', 'mocha', 'other'))).toBe('it reported nothing');
});

test('go: a test that ends the process failed by an error and not by an assertion [w:tests.failing]', () => {
  const report = readPrinted(
    'go',
    '=== RUN   TestA\n--- PASS: TestA (0.00s)\n=== RUN   TestB\nFAIL\tx\t0.1s\nFAIL\n',
    '/project',
  );
  expect(lines(report)).toEqual(['x > TestA passed', 'x > TestB error']);
});

test('nextest: a test that ends the process failed by an error and not by an assertion [w:tests.failing]', () => {
  const run = (line: string): string =>
    `        FAIL [   0.004s] cart one\n  stdout ───\n\n    running 1 test\n${line}\n     Summary [   0.005s] 1 test run: 0 passed, 1 failed, 0 skipped\n`;
  expect(lines(readPrinted('nextest', run(''), '/project'))).toEqual(['cart > one error']);
  expect(lines(readPrinted('nextest', run('    test one ... FAILED\n'), '/project'))).toEqual(['cart > one failed']);
});

describe('JUnit XML', () => {
  const suite = (cases: string, attributes = 'tests="1"') => `<testsuite name="s" ${attributes}>${cases}</testsuite>`;
  test.each<[string, string, string[] | RegExp]>([
    ['no text', ' ', /reported nothing/],
    ['not closed', '<testsuites><testsuite name="s">', /cannot be read/],
    ['another document', '<html></html>', /not JUnit XML/],
    ['a document type', '<!DOCTYPE a [<!ENTITY b "c">]><testsuites/>', /document type/],
    ['no test', '<testsuites></testsuites>', /ran no test/],
    ['more tests announced', suite('<testcase name="a"/>', 'tests="2"'), /announces 2 tests and names 1/],
    ['failures announced', suite('<testcase name="a"/>', 'tests="1" failures="1"'), /announces 1 failures and names 0/],
    ['only a file', '<testsuites><testcase name="/project/a.test.js"/></testsuites>', /only files and no tests/],
    [
      'Surefire',
      suite(
        '<testcase name="adds" classname="com.x.CartTest"><failure type="org.opentest4j.AssertionFailedError"/></testcase><testcase name="counts" classname="com.x.CartTest"><error type="java.lang.NullPointerException"/></testcase>',
        'tests="2" failures="1" errors="1"',
      ),
      ['com.x.CartTest > adds assertion', 'com.x.CartTest > counts error'],
    ],
    [
      'a failure that is an exception',
      suite('<testcase name="a" classname="C"><failure message="java.lang.IllegalStateException: x"/></testcase>'),
      ['C > a error'],
    ],
    [
      'the logger of .NET, as documented',
      '<testsuites><testsuite name="Shop.Tests.dll" tests="2" skipped="0" failures="1" errors="0"><testcase classname="Shop.CartTests" name="Adds(1,2)" file="/project/bin/Debug/Shop.Tests.dll" time="0.1" /><testcase classname="Shop.CartTests" name="Counts" file="/project/bin/Debug/Shop.Tests.dll" time="0.1"><failure type="failure" message="  Expected: 8&#xD;&#xA;  But was:  0&#xD;&#xA;">at x</failure></testcase></testsuite></testsuites>',
      ['Shop.CartTests > Adds(1,2) passed', 'Shop.CartTests > Counts failed'],
    ],
    [
      'a file of the suite, and suites in the name',
      '<testsuites><testsuite name="test/a.test.ts" tests="1"><testcase classname="test/a.test.ts" name="cart &gt; adds &amp; more"/></testsuite></testsuites>',
      ['test/a.test.ts: cart > adds & more passed'],
    ],
    [
      'suites in suites',
      '<testsuites><testsuite name="out" tests="1"><testsuite name="in" tests="1"><testcase name="a" file="/project/x.test.ts"/></testsuite></testsuite></testsuites>',
      ['x.test.ts: out > in > a passed'],
    ],
  ])('%s', (_, text, expected) => {
    const found = lines(readReport('xml', text, '/project', null));
    if (Array.isArray(expected)) expect(found).toEqual(expected);
    else expect(found).toMatch(expected);
  });

  test('several files are one report, and one damaged file makes it unreadable', () => {
    const [one, other] = [suite('<testcase name="a"/>'), suite('<testcase name="b"/>')];
    expect(lines(readReports('xml', [one, suite('', 'tests="0"'), other], '/project', 'maven'))).toEqual([
      's > a passed',
      's > b passed',
    ]);
    expect(lines(readReports('xml', [one, '<testsuite>'], '/project', 'maven'))).toMatch(/cannot be read/);
    expect(lines(readReports('xml', [], '/project', 'maven'))).toBe('it wrote no report');
    expect(lines(readReports('xml', [], '/project', 'vitest'))).toBe('it reported nothing');
    // It cannot show that a test that passed did not end early.
    expect(lines(readReports('xml', [one], '/project', 'nextest'))).toMatch(/does not name every test/);
  });
});

describe.each<[runner: RunnerName, reportFolder: string, none: string, some: string]>([
  ['maven', 'surefire-reports', '[\x1b[1;34mINFO\x1b[m] No tests to run.\n', '[INFO]  T E S T S\n'],
  ['gradle', 'test-results', ':cart:testClasses UP-TO-DATE\n:cart:test NO-SOURCE\n:tax:test NO-SOURCE\n', ':price:test\n'],
])('%s', (runner, reportFolder, none, some) => {
  const folder = path.join(fixtures, runner);
  /** It writes a file for each class. */
  const reports = (name: string) => {
    const files = fs.readdirSync(folder).filter((file) => file.startsWith(name) && file.endsWith('.xml'));
    const texts = files.map((file) => fs.readFileSync(path.join(folder, file), 'utf8'));
    return lines(readReports('xml', texts, '/project', runner));
  };

  test('its reports name the tests', () => {
    expect([...reports('honest')].sort()).toEqual([
      'shop.CartTest > addsTax passed',
      'shop.CartTest > ships skipped',
      'shop.CartTest$Inner > counts passed',
    ]);
    expect([...reports('failing')].sort()).toEqual([
      'shop.CartTest > addsTax assertion',
      'shop.CartTest > ships skipped',
      'shop.CartTest > stays passed',
      'shop.CartTest$Inner > counts error',
    ]);
    expect(reports('forged')).toBe('it wrote no report');
    expect(reports('empty')).toBe('it wrote no report');
    expect(reports('skipped')).toBe('every test was skipped');
  });

  test('without a report, its printed output shows that there is no test', () => {
    expect(lines(readReports('xml', [], '/project', runner, none))).toBe('it ran no test');
    expect(lines(readReports('xml', [], '/project', runner, `${none}${some}`))).toBe('it wrote no report');
  });

  test.each(['honest', 'failing'])('its printed output does not (%s)', (name) => {
    const text = fs.readFileSync(path.join(folder, `${name}.default`), 'utf8');
    for (const known of [runner, null])
      expect(readPrinted(known, text, '/project')).toMatchObject({
        readable: false,
        runner,
        how: expect.stringContaining(reportFolder),
      });
  });
});

describe('a report of dotnet test', () => {
  interface DotnetTest {
    /** As the framework writes it. */
    name: string;
    /** What the framework writes for the class. */
    type?: string;
    outcome: string;
    message?: string;
    /** Rows of data: name and outcome. */
    rows?: readonly [name: string, outcome: string][];
  }

  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

  /** As the TRX logger of the platform writes it, with the frameworks' own names and messages. */
  const trx = (
    tests: readonly DotnetTest[],
    { total = tests.length, failures, outcome }: { total?: number; failures?: number; outcome?: string } = {},
  ) => {
    const failing = failures ?? tests.filter((one) => one.outcome === 'Failed').length;
    const results = tests.map(({ name, outcome: own, message, rows = [] }, at) => {
      const error =
        message === undefined ? '' : `<ErrorInfo><Message>${escaped(message)}</Message><StackTrace>at A</StackTrace></ErrorInfo>`;
      const inner = rows.map(
        ([row, result]) => `<UnitTestResult testId="T${at}" testName="${escaped(row)}" outcome="${result}" />`,
      );
      const data = inner.length === 0 ? '' : `<InnerResults>${inner.join('')}</InnerResults>`;
      return `<UnitTestResult executionId="e${at}" testId="t${at}" testName="${escaped(name)}" duration="00:00:00.01" outcome="${own}"><Output><StdOut>1 &lt; 2</StdOut>${error}</Output>${data}</UnitTestResult>`;
    });
    const definitions = tests.map(({ name, type }, at) => {
      const className = type === undefined ? '' : ` className="${type}"`;
      return `<UnitTest name="${escaped(name)}" storage="c:\\shop.dll" id="t${at}"><Execution id="e${at}" /><TestMethod codeBase="C:\\Shop.dll"${className} name="x" /></UnitTest>`;
    });
    return `\ufeff<?xml version="1.0" encoding="utf-8"?>
<TestRun id="r" name="a" xmlns="http://microsoft.com/schemas/VisualStudio/TeamTest/2010">
  <Results>${results.join('')}</Results>
  <TestDefinitions>${definitions.join('')}</TestDefinitions>
  <ResultSummary outcome="${outcome ?? (failing > 0 ? 'Failed' : 'Completed')}">
    <Counters total="${total}" executed="${total}" passed="1" failed="${failing}" error="0" />
  </ResultSummary>
</TestRun>`;
  };
  const read = (...texts: string[]) => lines(readReports('xml', texts, '/project', 'dotnet'));

  test('names the tests of xUnit, NUnit and MSTest by class', () => {
    const type = 'Shop.CartTests';
    const own = { type, outcome: 'Failed' };
    const report = trx([
      { ...own, name: 'Shop.CartTests.Adds_tax', message: 'Assert.Equal() Failure\r\nExpected: 3\r\nActual:   2' },
      { ...own, name: 'Shop.CartTests.Divides', message: 'System.DivideByZeroException : Attempted to divide by zero.' },
      { ...own, name: 'Ships(False)', message: '  Expected: False\r\n  But was:  True\r\n' },
      { ...own, name: 'Counts', message: 'Assert.AreEqual failed. Expected:<1>. Actual:<2>.' },
      { ...own, name: 'Fluent', message: 'Expected total to be 3, but found 2.' },
      {
        ...own,
        name: 'Throws',
        message: 'Test method Shop.CartTests.Throws threw exception: \nSystem.InvalidOperationException: no',
      },
      { type: 'Shop.CartTests, Shop, Version=1.0.0.0', name: 'Adds', outcome: 'Passed' },
      { type, name: 'Shop.CartTests.Later', outcome: 'NotExecuted' },
      { type, name: 'Decides', outcome: 'Inconclusive', message: 'Assert.Inconclusive failed.' },
      { type, name: 'A name of its own', outcome: 'Passed' },
      { name: '[Test Class Cleanup Failure (Shop.CartTests)]', outcome: 'Failed' },
      { ...own, name: 'Hangs', outcome: 'Timeout', message: 'Assert.Fail' },
      { ...own, name: 'Unknown', outcome: 'Splendid' },
    ]);
    expect(read(report)).toEqual([
      'Shop.CartTests > Adds_tax assertion',
      'Shop.CartTests > Divides error',
      'Shop.CartTests > Ships(False) assertion',
      'Shop.CartTests > Counts assertion',
      'Shop.CartTests > Fluent failed',
      'Shop.CartTests > Throws error',
      'Shop.CartTests > Adds passed',
      'Shop.CartTests > Later skipped',
      'Shop.CartTests > Decides skipped',
      'Shop.CartTests > A name of its own passed',
      '[Test Class Cleanup Failure (Shop.CartTests)] error',
      'Shop.CartTests > Hangs error',
      'Shop.CartTests > Unknown error',
    ]);
  });

  test('of several projects names the tests of each', () => {
    const one = trx([{ type: 'A', name: 'a', outcome: 'Passed' }]);
    const other = trx([{ type: 'B', name: 'b', outcome: 'Failed', message: 'Assert.True() Failure' }]);
    expect(read(one, other)).toEqual(['A > a passed', 'B > b assertion']);
    expect(read(one, trx([]))).toEqual(['A > a passed']);
  });

  test.each([
    ['each row', 2],
    ['each row and all of them', 3],
  ])('names each row of data, with totals that count %s', (_, total) => {
    const rows: [string, string][] = [
      ['Adds (1,2)', 'Passed'],
      ['Adds (2,2)', 'Passed'],
    ];
    expect(read(trx([{ type: 'A', name: 'Adds', outcome: 'Passed', rows }], { total }))).toEqual([
      'A > Adds (1,2) passed',
      'A > Adds (2,2) passed',
    ]);
  });

  const passing: DotnetTest = { type: 'A', name: 'a', outcome: 'Passed' };
  test.each<[string, string, RegExp]>([
    ['has no test', trx([]), /^it ran no test$/],
    ['has skipped tests only', trx([{ ...passing, outcome: 'NotExecuted' }]), /every test was skipped/],
    ['was aborted after tests that passed', trx([passing], { outcome: 'Failed' }), /ends before the summary/],
    ['has no summary', trx([passing]).replace(/<ResultSummary[\s\S]*<\/ResultSummary>/, ''), /ends before the summary/],
    ['ends early', trx([passing]).slice(0, -40), /cannot be read/],
    ['counts more tests than it names', trx([passing], { total: 2 }), /announces 2 tests and names 1/],
    ['counts failures that it does not name', trx([passing], { failures: 1 }), /announces 1 failures and names 0/],
    ['names failures that it does not count', trx([{ ...passing, outcome: 'Failed' }], { failures: 0 }), /announces 0 failures/],
    ['has a document type', trx([passing]).replace('<TestRun', '<!DOCTYPE a><TestRun'), /document type/],
  ])('is no evidence if it %s', (_, text, expected) => {
    expect(read(text)).toMatch(expected);
  });

  test('is asked for in a folder, because it has one file for each project and framework', () => {
    expect(runnerNamed('dotnet')?.ask?.('/a folder/report').args).toEqual([
      ...['--logger', 'trx;LogFilePrefix=report'],
      ...['--results-directory', '/a folder'],
    ]);
  });
});

describe('a real run of node:test', () => {
  const runs = (files: { [name: string]: string }) => {
    const folder = temporaryFolder('tests-');
    for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), text);
    const file = path.join(folder, 'the report');
    const request = runnerNamed('node:test')?.ask?.(file);
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const { stdout } = spawnSync(process.execPath, ['--test'], {
      cwd: folder,
      env: { ...env, ...request?.env },
      encoding: 'utf8',
    });
    return [readReport('node events', fs.readFileSync(file, 'utf8'), folder, 'node:test'), readPrinted(null, stdout, folder)].map(
      lines,
    );
  };
  const head = "const { test, describe, after } = require('node:test'); const assert = require('node:assert');\n";

  test('names tests with their files, in the report and in the printed output', () => {
    const text = `${head}test('adds', () => {}); test('parent', async (t) => { await t.test('child', () => assert.ok(false)); });`;
    expect(runs({ 'a.test.js': text, 'b.test.js': 'process.exit(0)' })).toEqual([
      ['a.test.js: adds passed', 'a.test.js: parent > child assertion', 'a.test.js: parent failed'],
      ['adds passed', 'parent > child assertion', 'parent failed'],
    ]);
  });

  test('reads a suite that is skipped as a whole', () => {
    const text = `${head}describe.skip('cart', () => { test('adds', () => {}); }); test('stays', () => {});`;
    expect(runs({ 'a.test.js': text })).toEqual([['a.test.js: stays passed'], ['cart skipped', 'stays passed']]);
  });

  test('reports a file that fails outside its tests, and a suite whose hook fails', () => {
    const hook = `${head}describe('cart', () => { after(() => { throw new Error('x'); }); test('adds', () => {}); });`;
    const [report] = runs({ 'a.test.js': hook, 'b.test.js': 'throw new Error("x")' });
    expect(report).toEqual(['a.test.js: cart > adds passed', 'b.test.js: b.test.js error', 'a.test.js: cart error']);
  });
});
