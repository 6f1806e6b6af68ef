// `require:` of a transition: what a machine checks.
import { describe, expect, test } from 'vitest';
import { readTopology } from '../../../src/config/topology.ts';
import { describeRequirement } from '../../../src/engine/requirement-text.ts';

const read = (items: string) =>
  readTopology({
    name: '.claude/modes.yaml',
    text: `name: t\ndefault: a\nmodes:\n  a:\n    transitions:\n      - to: b\n        require:\n${items}\n  b:\n    transitions: [{to: a}]\n`,
  });
const one = (item: string) => {
  const { topology, problems } = read(`          - ${item}`);
  expect(problems.map(({ code, message }) => `${code} ${message}`)).toEqual([]);
  const requirement = topology?.modes.get('a')?.transitions[0]?.require[0];
  if (requirement === undefined) throw new Error('nothing was read');
  return requirement;
};

describe('require', () => {
  test.each([
    [
      '{fails: npm test}',
      { check: 'fails', command: 'npm test', in: null, watch: null, outputs: [], output: null },
      'fails: npm test',
    ],
    [
      '{passes: "npm test *", in: packages/a, watch: "src/**", outputs: [out/, a.txt], output: "* passing"}',
      {
        check: 'passes',
        command: 'npm test *',
        in: 'packages/a',
        watch: ['src/**'],
        outputs: ['out/', 'a.txt'],
        output: '* passing',
      },
      'passes: npm test * (in packages/a)',
    ],
    ['{changed: "test/**"}', { check: 'changed', globs: ['test/**'] }, 'changed: test/**'],
    ['{unchanged: ["src/**", "*.json"]}', { check: 'unchanged', globs: ['src/**', '*.json'] }, 'unchanged: src/**, *.json'],
    ['{file: a.md}', { check: 'file', path: 'a.md', exists: true, contains: null }, 'file: a.md'],
    ['{file: a.md, exists: false}', { check: 'file', exists: false }, 'file: a.md (must not exist)'],
    ['{file: a.md, contains: done}', { check: 'file', contains: 'done' }, 'file: a.md'],
    ['{git: clean}', { check: 'git', clean: true, branch: null }, 'git: clean'],
    ['{git: clean, branch: main}', { check: 'git', clean: true, branch: 'main' }, 'git: clean'],
    ['{branch: "feature/*"}', { check: 'git', clean: false, branch: 'feature/*' }, 'branch: feature/*'],
    ['{agent: reviewer}', { check: 'agent', type: 'reviewer' }, 'agent: reviewer'],
    ['{after: 10m}', { check: 'after', time: 600_000 }, 'after: 600 s'],
    [
      '{run: npm test}',
      {
        check: 'run',
        command: 'npm test',
        in: null,
        watch: null,
        outputs: [],
        output: null,
        uses: null,
        timeout: 600_000,
        unsandboxed: false,
      },
      'run: npm test',
    ],
    [
      '{review: ./review.sh, in: a, uses: [review.sh], timeout: 25m, unsandboxed: true}',
      { check: 'review', command: './review.sh', in: 'a', uses: ['review.sh'], timeout: 1_500_000, unsandboxed: true },
      'review: ./review.sh (in a)',
    ],
    [
      '{tests: {command: npm test, failing: new}}',
      {
        check: 'tests',
        command: 'npm test',
        demand: 'new failure',
        by: 'agent',
        report: null,
        in: null,
        uses: null,
        timeout: 600_000,
      },
      'tests: npm test, failing: new',
    ],
    [
      '{tests: {command: mvn test, passing: all, by: engine, report: "target/*.xml", in: api, timeout: 5m}}',
      { demand: 'all pass', by: 'engine', report: ['target/*.xml'], in: 'api', timeout: 300_000 },
      'tests: mvn test, passing: all (in api)',
    ],
    ['{tests: {command: npm test, same: true}}', { demand: 'same' }, 'tests: npm test, same: true'],
    ['{policy: ready}', { check: 'policy', name: 'ready' }, 'policy: ready'],
  ])('%s', (item, expected, described) => {
    const requirement = one(item);
    expect(requirement).toMatchObject(expected);
    expect(requirement.source).toEqual({ file: '.claude/modes.yaml', line: 8, column: 13 });
    expect(describeRequirement(requirement)).toBe(described);
  });

  test('several checks, in order; an empty list', () => {
    const { topology } = read('          - {fails: npm test}\n          - {changed: "test/**"}');
    expect(topology?.modes.get('a')?.transitions[0]?.require.map(({ check }) => check)).toEqual(['fails', 'changed']);
    expect(read('').topology?.modes.get('a')?.transitions[0]?.require).toEqual([]);
  });

  test.each([
    ['{}', 'E_REQUIRE_FORM', 'is not a known check'],
    ['{in: src}', 'E_REQUIRE_FORM', 'is not a known check'],
    ['{fails: npm test, changed: "a"}', 'E_REQUIRE_FORM', 'two checks'],
    ['{passes: a, fails: b}', 'E_REQUIRE_FORM', 'two checks'],
    ['{changed: a, in: src}', 'E_REQUIRE_FORM', 'not a valid key beside'],
    ['{passes: a, exists: true}', 'E_REQUIRE_FORM', 'not a valid key beside'],
    ['{after: soon}', 'E_REQUIRE_FORM', 'not a time'],
    ['{after: 10}', 'E_WRONG_TYPE', ''],
    ['{fails: ""}', 'E_EMPTY_VALUE', ''],
    ['{fails: [npm, test]}', 'E_WRONG_TYPE', ''],
    ['{failing: npm test}', 'E_UNKNOWN_KEY', ''],
    ['{git: dirty}', 'E_UNKNOWN_VALUE', ''],
    ['{fails: npm test, timeout: 5m}', 'E_REQUIRE_FORM', 'not a valid key beside'],
    ['{run: npm test, timeout: 26m}', 'E_REQUIRE_FORM', 'longer than a command may take'],
    ['{run: npm test, timeout: soon}', 'E_REQUIRE_FORM', 'not a time'],
    ['{run: npm test, unsandboxed: "yes"}', 'E_WRONG_TYPE', ''],
    ['{policy: ready, in: src}', 'E_REQUIRE_FORM', 'not a valid key beside'],
    ['{run: npm test, review: npm test}', 'E_REQUIRE_FORM', 'two checks'],
    ['{file: a, exists: "no"}', 'E_WRONG_TYPE', ''],
    ['{tests: npm test}', 'E_WRONG_TYPE', ''],
    ['{tests: {failing: new}}', 'E_MISSING_KEY', ''],
    ['{tests: {command: npm test}}', 'E_REQUIRE_FORM', 'does not say what'],
    ['{tests: {command: npm test, failing: new, passing: all}}', 'E_REQUIRE_FORM', 'two conditions'],
    ['{tests: {command: npm test, failing: all}}', 'E_UNKNOWN_VALUE', ''],
    ['{tests: {command: npm test, same: false}}', 'E_REQUIRE_FORM', 'can only be true'],
    ['{tests: {command: npm test, same: true, by: person}}', 'E_UNKNOWN_VALUE', ''],
    ['{tests: {command: npm test, same: true, output: ok}}', 'E_UNKNOWN_KEY', ''],
    ['{tests: {command: npm test, same: true}, in: a}', 'E_REQUIRE_FORM', 'not a valid key beside'],
    ['npm test', 'E_WRONG_TYPE', ''],
  ])('%s is %s', (item, code, message) => {
    const { topology, problems } = read(`          - ${item}`);
    expect(topology).toBeNull();
    expect(problems.map((problem) => `${problem.code} ${problem.message}`).join('\n')).toMatch(new RegExp(`${code}.*${message}`));
  });
});
