// The text of rules: cut and unescaped as Claude Code does it, and written back.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseRule } from '../../../src/adapters/sdk/rule.ts';
import { readRuleText, writeRuleText } from '../../../src/rules/rule-text.ts';

const raw = String.raw;
const content = fc.array(fc.constantFrom('\\', '(', ')', '*', 'a', ' ', '"', ':')).map((all) => all.join(''));

describe('the content of a rule', () => {
  test('is unchanged after writing and parsing [s:rules.text]', () => {
    fc.assert(
      fc.property(content, (text) => {
        const parts = readRuleText(writeRuleText('Bash', text));
        expect(parts).toMatchObject({ form: 'call', name: 'Bash', content: { text } });
      }),
      { numRuns: 2_000 },
    );
  });

  test('is unescaped as Claude Code does: parentheses, then backslashes [s:rules.text]', () => {
    const unescaped = (text: string): string => text.replaceAll('\\(', '(').replaceAll('\\)', ')').replaceAll('\\\\', '\\');
    let read = 0;
    fc.assert(
      fc.property(content, (text) => {
        const parts = readRuleText(`Bash(${text})`);
        if (parts.form !== 'call' || parts.nameEnd !== 4) return;
        read++;
        expect(parts.content.text).toBe(unescaped(text));
        const at = parts.content.text.indexOf('a');
        if (at !== -1) expect(`Bash(${text})`[parts.content.places[at] as number]).toBe('a');
      }),
      { numRuns: 2_000 },
    );
    expect(read).toBeGreaterThan(500);
  });

  test.each([raw`Bash(x\)`, raw`Bash(x) y`, raw`Bash\(x)`, 'Bash)x(', raw`Bash(tool \(a))`, raw`Bash(a\(b\)(c)(`])(
    '%s is refused [s:rules.text]',
    (rule) => {
      expect(readRuleText(rule).form).toBe('malformed');
      for (const effect of ['deny', 'allow'] as const)
        expect(parseRule(rule, effect)).toMatchObject({ problem: { code: 'E_RULE_FORM' } });
    },
  );
});

describe('commands', () => {
  const spelled = (rule: string, effect: 'allow' | 'deny'): unknown => {
    const read = parseRule(rule, effect);
    if ('problem' in read) return read.problem.message;
    return (
      read.rule.kind === 'bash' &&
      read.rule.commands.map((one) => `${one.form} ${one.form === 'glob' ? one.pieces.join('<*>') : one.text}`)
    );
  };

  test.each<[rule: string, allow: string[]]>([
    [raw`Bash(node -e "console.log\(1\)")`, ["exact node -e 'console.log(1)'"]],
    [raw`Bash(node -e "console.log\\(1\\)")`, [raw`exact node -e 'console.log\(1\)'`]],
    [raw`Bash(find . -exec ls {} \\;)`, ["exact find . -exec ls {} ';'"]],
    [raw`Bash(grep '\\.ts$' a)`, [raw`exact grep '\.ts$' a`]],
    ['Bash(git * main:*)', ['prefix git * main']],
    [raw`Bash(echo \*)`, ["exact echo '*'"]],
    [raw`Bash(echo \* *)`, ['prefix echo *']],
    ['Bash(git * main *)', ['glob git <*> main <*>']],
    ['Bash(git push *)', ['prefix git push']],
    ['Bash(ls [ab]?)', ['exact ls [ab]?']],
    ['Bash(git :*)', ['prefix git ']],
    ['Bash(make x )', ['exact make x ']],
    ['Bash(cat a/**/b)', ['glob cat a/<*>/b']],
  ])('allow %s [s:rules.text]', (rule, expected) => expect(spelled(rule, 'allow')).toEqual(expected));

  test.each<[rule: string, included: string]>([
    ['Bash(git * main:*)', 'glob git <*> main'],
    ['Bash(git :*)', 'prefix git'],
    ['Bash(cat a/**/b)', 'glob cat a/b'.replace('glob', 'exact')],
    ['Bash(echo "a*)', 'glob echo a<*>'],
    [raw`Bash(py -c "a\\nb":*)`, 'prefix py -c anb'],
    ['Bash(echo "a  b" *)', 'prefix echo a b'],
  ])('deny %s includes %s [s:rules.text]', (rule, expected) => expect(spelled(rule, 'deny')).toContain(expected));

  test.each([
    ['Bash(make x )', 'a command never has blanks around it'],
    ['Bash(git * main:*)', 'before :* a * is a character'],
  ])('allow %s gets a warning [s:rules.text]', (rule, message) => {
    expect(parseRule(rule, 'allow')).toMatchObject({ warnings: [{ message: expect.stringContaining(message) }] });
  });
});
