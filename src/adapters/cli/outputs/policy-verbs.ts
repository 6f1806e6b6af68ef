// The --json output of the verbs of `modes policy`.
import { about, dictionary, type JsonSchema, list, nullable, number, object, oneOf, text } from '../../../config/json-schema.ts';
import { ANSWER, COUNTS, EFFECT, PROBLEM_LIST, PROBLEMS } from './shapes.ts';
import type { Output } from './verbs.ts';

const one = (means: string, shape: JsonSchema): Output => ({ forms: [[means, shape]] });
const SAID = object({ decision: ANSWER, reason: text });
const NUMBERS = about('Lines.', list(number));

/** By the verb's name after `policy`. */
export const POLICY_OUTPUTS: Readonly<Record<string, Output>> = {
  test: one(
    'How the tests and cases ended.',
    object({
      ...COUNTS,
      tests: list(
        object({
          kind: about('Rego, or a line of NAME.cases.yaml.', oneOf('test', 'case')),
          name: text,
          file: text,
          line: number,
          outcome: oneOf('pass', 'fail', 'error', 'skip'),
          message: about("Why it did not pass; '' when it did.", text),
          ms: about('Milliseconds.', { type: 'number', minimum: 0 }),
        }),
      ),
      problems: PROBLEMS,
    }),
  ),
  check: one('What is wrong.', object(PROBLEM_LIST)),
  coverage: one(
    'Which rules decided something.',
    object({
      percent: { type: 'number', minimum: 0 },
      rules: list(
        object({
          kind: oneOf('settings', 'rego'),
          file: text,
          line: number,
          effect: about("null: a Rego rule's is not known.", nullable(EFFECT)),
          text: about("As written, or a Rego rule's name.", text),
          decided: about('How often; of Rego 1 or 0.', number),
        }),
      ),
      files: about('Of Rego.', dictionary(object({ covered: NUMBERS, missed: NUMBERS }))),
    }),
  ),
  fmt: one(
    'Files that were, or would be, rewritten.',
    object({ changed: list(text), 'diffs?': about('With --diff: a unified diff of each.', list(text)) }),
  ),
  build: one(
    'The bundle that was written.',
    object({ mode: text, file: about('Absolute.', text), bytes: number, bundle: about('Hash.', text), revision: text }),
  ),
  export: {
    forms: [
      ['The rules.', object({ mode: text, rego: text })],
      ['With --output: the files that were written.', object({ mode: text, files: list(text) })],
    ],
  },
  diff: one(
    'What is decided differently.',
    object({
      compared: about('Calls.', number),
      cut: about('Calls that the log does not hold whole.', number),
      changed: list(object({ call: text, mode: nullable(text), source: text, before: SAID, after: SAID })),
      problems: PROBLEMS,
    }),
  ),
};
