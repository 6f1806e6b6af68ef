// Rules, from their text through parser, index and compiled policy to a verdict. The model: the order of the semantics said once more
// without index, keys or Rego.
import fc from 'fast-check';
import type { Effect, RuleText } from '../../src/model/configuration.ts';
import type { Rule } from '../../src/model/rule.ts';
import { readCore } from '../../src/policy/core.ts';
import { Evaluator } from '../../src/policy/evaluator.ts';
import { coreInput } from '../../src/rules/core-input.ts';
import { lowerRules } from '../../src/rules/lower.ts';
import { parseRule } from '../../src/rules/parse.ts';
import { facts as anyFacts, settings as anySettings, declared } from '../support/generate-rules.ts';
import { decideByRules } from '../support/rule-model.ts';
import type { Target } from './target.ts';

const home = '/home/ann';
const POOL = 500;
/** The time of a call is meant, not that of a long file. */
const MOST_LINES = 40;
const LINE = /^(deny|ask|allow) (.*)$/;
const NAMES = [
  'Read',
  'Write',
  'Edit',
  'Bash',
  'Monitor',
  'WebFetch',
  'Agent',
  'Skill',
  'mcp__fs__write_file',
  '@read',
  '@edit',
  '@command',
];

/** A text is a list of lines `deny RULE`, `ask RULE`, `allow RULE`; which calls they are tried on comes from its length. */
export function rulesTarget(packageRoot = process.cwd()): Target {
  const read = readCore(packageRoot);
  if (!read.ok) throw new Error(read.problems.map(({ message }) => message).join('\n'));
  const core = new Evaluator(read.core.bytes);
  const calls = fc.sample(anyFacts, { numRuns: POOL, seed: 1 });
  const given = fc.sample(anySettings, { numRuns: POOL, seed: 2 });
  return {
    name: 'rules',
    seeds: given.map(({ deny = [], ask = [], allow = [] }) =>
      [...deny.map((rule) => `deny ${rule}`), ...ask.map((rule) => `ask ${rule}`), ...allow.map((rule) => `allow ${rule}`)].join(
        '\n',
      ),
    ),
    words: [
      ...[
        '\ndeny ',
        '\nask ',
        '\nallow ',
        '(',
        ')',
        '*',
        '**',
        '/**',
        '**/',
        '{a,b}',
        '{',
        '}',
        '[a-z]',
        '?',
        '!',
        '//',
        '~/',
        './',
        ':*',
        ' *',
        'domain:',
        '*.',
      ],
      ...[
        '@read-only',
        '@writes',
        '@runs',
        '@unknown',
        'src',
        'a.ts',
        'npm',
        'git push',
        '(path: ',
        '(model:opus)',
        'github.com',
        '\\',
        '$',
        '^',
        '|',
        '+',
        '.',
      ],
      ...NAMES,
    ],
    check(text) {
      const rules: Rule[] = [];
      const lines = text.split('\n').slice(0, MOST_LINES);
      for (const [at, line] of lines.entries()) {
        const found = LINE.exec(line);
        if (found === null) continue;
        const source = { file: 'settings.json', line: at + 1, column: 1, length: line.length };
        const written: RuleText = { text: found[2]!, effect: found[1] as Effect, layer: 'project', source };
        const parsed = parseRule(written, `r${at}`, { home, arguments: declared });
        if ('rule' in parsed) rules.push(parsed.rule);
        for (const problem of 'problem' in parsed ? [parsed.problem] : parsed.warnings) {
          if (!problem.remedy || !problem.message) return `${problem.code} says nothing`;
          if (problem.line !== at + 1 || (problem.column ?? 0) < 1) return `${problem.code} is nowhere`;
        }
      }
      const data = lowerRules(rules, { defaults: [], trusted: true });
      core.setData({ rules: data });
      const inputOf = coreInput(data);
      for (let at = 0; at < 4; at++) {
        const call = calls[(text.length * 31 + text.charCodeAt(at) * 7 + at * 97 || at) % POOL]!;
        const { verdict, by } = core.evaluateVerdict(inputOf(call));
        const model = decideByRules(rules, {}, call);
        if (verdict !== model.verdict || by !== model.by)
          return `is ${verdict} by ${by}, and ${model.verdict} by ${model.by} in the model, of ${JSON.stringify(call).slice(0, 2_000)}`;
      }
      return null;
    },
  };
}
