// Problems as a person sees them.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listProblems, renderProblem, renderProblems } from '../../../src/config/render.ts';
import type { Problem } from '../../../src/model/problem.ts';
import { read } from './project.ts';

const PROBLEM: Problem = {
  code: 'E_UNKNOWN_KEY',
  severity: 'error',
  message: '"toe" is not a valid key here.',
  remedy: 'Did you mean "to"?',
  file: '.claude/modes.yaml',
  line: 6,
  column: 9,
  length: 3,
  lineText: '      - toe: work',
};
const caretOf = (problem: Problem) => renderProblem(problem).split('\n')[2]!.slice(4);

describe('a problem as text', () => {
  it('is its place, code and message, then the line, the caret and the remedy', () => {
    expect(renderProblem(PROBLEM)).toBe(
      [
        '.claude/modes.yaml:6:9 E_UNKNOWN_KEY "toe" is not a valid key here.',
        '          - toe: work',
        '            ^^^',
        '  Did you mean "to"?',
      ].join('\n'),
    );
  });

  it.each<[string, Partial<Problem>, string]>([
    ['a line', { column: undefined }, '.claude/modes.yaml:6 E_UNKNOWN_KEY'],
    ['a file', { line: undefined, column: undefined, lineText: undefined }, '.claude/modes.yaml E_UNKNOWN_KEY'],
    ['no place', { file: undefined, line: undefined, column: undefined, lineText: undefined }, 'E_UNKNOWN_KEY "toe"'],
  ])('may have only %s', (_, change, start) => {
    const text = renderProblem({ ...PROBLEM, ...change });
    expect(text.startsWith(start)).toBe(true);
    expect(text.split('\n')).toHaveLength(2);
    expect(text).not.toContain('undefined');
  });

  it.each<[string, string, number, number, string]>([
    ['one character without a length', 'abc', 2, 0, ' ^'],
    ['past the end of the line', 'abc', 4, 5, '   ^'],
    ['after tabs', '\t\tabc', 3, 3, '  ^^^'],
    ['after wide characters', '日本: x', 5, 1, '      ^'],
    ['wide characters themselves', 'a: 日本', 4, 2, '   ^^^^'],
    ['after a pictograph of two units', '🙂: x', 5, 1, '    ^'],
    ['after a combining accent', 'e\u0301: x', 5, 1, '   ^'],
  ])('underlines %s', (_, lineText, column, length, caret) => {
    expect(caretOf({ ...PROBLEM, lineText, column, length })).toBe(caret);
  });

  it('lets no text of a file control the terminal or fake another line', () => {
    const evil = 'a\x1b[2Jb\x07c\u202ed\u2028e\r\nE_FORGED f\x9bg';
    fc.assert(
      fc.property(fc.constantFrom('message', 'remedy', 'file', 'lineText'), (field) => {
        const text = renderProblem({ ...PROBLEM, [field]: evil });
        expect(text.split('\n')).toHaveLength(4);
        expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\u2028]/);
      }),
    );
  });

  it('has colors only on request', () => {
    const plain = renderProblem(PROBLEM);
    const coloured = renderProblem(PROBLEM, { colour: true });
    expect(plain).not.toContain('\x1b');
    expect(coloured).toContain('\x1b[31mE_UNKNOWN_KEY\x1b[0m');
    expect(coloured.replace(/\x1b\[\d+m/g, '')).toBe(plain);
    expect(renderProblem({ ...PROBLEM, severity: 'warning' }, { colour: true })).toContain('\x1b[33m');
  });
});

describe('several problems', () => {
  const warning: Problem = { ...PROBLEM, code: 'W_X', severity: 'warning' };

  it.each<[Problem[], string]>([
    [[PROBLEM], '1 error'],
    [[warning], '1 warning'],
    [[PROBLEM, PROBLEM, warning], '2 errors, 1 warning'],
    [[warning, warning], '2 warnings'],
  ])('end with their number', (problems, summary) => {
    const text = renderProblems(problems);
    expect(text.endsWith(`\n\n${summary}\n`)).toBe(true);
    expect(text.split('\n\n')).toHaveLength(problems.length + 1);
  });

  it('give no text if there are none', () => {
    expect(renderProblems([])).toBe('');
  });

  it('are data for a program', () => {
    expect(listProblems([PROBLEM, warning])).toEqual({ ok: false, errors: 1, warnings: 1, problems: [PROBLEM, warning] });
    expect(listProblems([warning]).ok).toBe(true);
    expect(JSON.parse(JSON.stringify(listProblems([PROBLEM]))).problems).toEqual([PROBLEM]);
  });

  it('of a minified file do not fill the screen', () => {
    const text = `{"permissions": {"deny": [${'"x", '.repeat(5000)}1]}}`;
    const { problems } = read({ 'modes.yaml': 'name: x\ndefault: a\nmodes:\n  a:\n', 'settings.a.json': text });
    expect(problems.at(-1)).toMatchObject({ code: expect.stringMatching(/^[EW]_/) });
    expect(renderProblems(problems).length).toBeLessThan(30_000);
    expect(problems.find((problem) => problem.code === 'E_WRONG_TYPE')).toMatchObject({ line: 1, column: 25_027 });
  });
});
