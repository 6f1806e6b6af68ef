// What is told of a configuration is bounded, however much is wrong and however long its lines are.
import { describe, expect, it } from 'vitest';
import { collectProblems } from '../../../src/config/report.ts';
import { describeProblem } from '../../../src/config/text.ts';

const name = '.claude/settings.any.json';
const at = (line: number, message = `wrong ${line}`) => ({
  ...describeProblem('E_FILE_REGEX', message, 'Mend it.', name),
  line,
  column: 1,
});

describe('problems of many rules', () => {
  it('are reported once each, with the text of the line', () => {
    const { problems, add } = collectProblems([{ name, text: 'one\r\ntwo\n' }]);
    add([at(2), at(1)]);
    add([at(2)]);
    expect(problems.map(({ lineText }) => lineText)).toEqual(['two', 'one']);
  });

  it('are limited to a hundred, and one that reports more', () => {
    const { problems, add } = collectProblems([]);
    add(Array.from({ length: 300 }, (_, line) => at(line + 1)));
    add([at(400)]);
    expect(problems).toHaveLength(101);
    expect(problems.at(-1)?.code).toBe('E_TOO_MANY_PROBLEMS');
  });

  it('do not contain a line that is too long to be shown', () => {
    const { problems, add } = collectProblems([{ name, text: 'x'.repeat(1_000) }]);
    add([at(1)]);
    expect(problems[0]?.lineText).toBeUndefined();
  });
});
